"""One turn of a simulated player: which card, where to, and what to do with what is printed on it.

Chooses among all that the rules allow in their default readings (AL-36 to AL-54, AL-78 to AL-91).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from companion.simulated.cards import CASTLE, TribeCard
from companion.simulated.gestures import Gesture, Linger, Push, Reach, Withdraw
from companion.simulated.lying import Laid
from companion.simulated.referee import SEAT_NAMES, facing_sector, facing_value, reachable_sector
from companion.simulated.world import World


class Habits(msgspec.Struct, frozen=True):
    """How likely people do what they may do or sometimes do (probabilities), and their pace.

    `rest` is how long the table lies still after a turn, in seconds.
    """

    rotate: float = 0.8
    ability: float = 0.9
    cover: float = 0.5
    look_within_turn: float = 0.08
    look_after_column: float = 0.3
    linger: float = 0.05
    askew: float = 0.05
    bump: float = 0.008
    rest: float = 0.8


class TurnTaker:
    """Takes turns for either seat; counts how often each seat has used a Wizard this round."""

    def __init__(self, world: World, rng: random.Random, habits: Habits) -> None:
        self.world = world
        self.habits = habits
        self.wizards = [0, 0]
        self._rng = rng

    def take(self, seat: int) -> Iterator[Gesture]:
        """Play a card from the hand, a second one if the first covers, and leave the table."""
        before = self.wizards[seat]
        covering = self._choose_covering(seat)
        if covering is not None:
            yield from self._lay(seat, *covering, covers=True)
        yield from self._lay(seat, *self._choose(seat), covers=False)
        if self._happens(self.habits.linger):
            yield Linger(self._rng.uniform(1.5, 4.0))
        yield Withdraw(self.habits.rest)
        for _ in range(self.wizards[seat] - before):
            yield Push(seat, "yes")
            yield Withdraw(self.habits.rest / 2)

    # ---------- which card, where ----------

    def _choose_covering(self, seat: int) -> tuple[str, str] | None:
        """Choose a card that may be laid on an own one (AL-80 to AL-82), if the player wants to.

        A card must be left for the empty slot afterwards, and a Troll leaves the Cyclops alone that
        it names.
        """
        hand, row = self.world.seats[seat].hand, self.world.row(seat)
        able = [key for key in hand if "cyclops" in self._abilities(key)]
        if len(hand) < 2 or not able or not self._happens(self.habits.cover):
            return None
        key = self._rng.choice(able)
        named = {slot for slot, laid in self._tribe_cards().items() if self._shows(laid, "cyclops")}
        spared = named if self._card(key).tribe == "troll" and len(named) == 1 else set()
        slots = [slot for slot in row if slot not in spared]
        return (key, self._rng.choice(slots)) if slots else None

    def _choose(self, seat: int) -> tuple[str, str]:
        """Choose a card and an empty slot: the best of three that come to mind."""
        hand, free = self.world.seats[seat].hand, self.world.free_slots(SEAT_NAMES[seat])
        ideas = [(self._rng.choice(hand), self._rng.choice(free)) for _ in range(3)]
        return max(ideas, key=lambda idea: self._promise(seat, *idea))

    def _promise(self, seat: int, key: str, slot: str) -> float:
        card, column = self._card(key), slot[1:]
        opposite = self.world.slots[SEAT_NAMES[1 - seat] + column]
        theirs = 2.5 if opposite is None else facing_value(self._card(opposite.card), 1 - seat, opposite.turn)
        lead = card.sectors[card.arrow - 1] - theirs
        if self.world.slots["R" + column] is None:
            return 0.0
        return -lead if self._is_castle("R" + column) else lead

    # ---------- laying it and doing its tasks ----------

    def _lay(self, seat: int, key: str, slot: str, covers: bool) -> Iterator[Gesture]:
        abilities = [] if covers else [name for name in self._abilities(key) if name != "cyclops"]
        askew = self._happens(self.habits.askew)
        self.world.lay(seat, key, slot, self._rng.choice((-1, 1)) * self._rng.uniform(12.0, 28.0) if askew else 0.0)
        yield Reach(seat, "lay", (slot,), key)
        if askew:
            yield Withdraw(self.habits.rest / 2)
            self.world.straighten(slot)
            yield Reach(seat, "straighten", (slot,))
        tasks: list[int | str] = [symbol for symbol in self._card(key).symbols if self._happens(self.habits.rotate)]
        if abilities and self._happens(self.habits.ability):
            tasks.append(self._rng.choice(abilities))
        self._rng.shuffle(tasks)
        for task in tasks:
            if self._happens(self.habits.look_within_turn):
                yield Withdraw(self.habits.rest)
            yield from self._rotate(seat, key, task) if isinstance(task, int) else self._use(seat, task)

    def _abilities(self, key: str) -> list[str]:
        """Return what the card could do if it were laid now.

        A Troll names a card with a diamond that lies there already; naming another Troll gives the
        same choice again (AL-Q10).
        """
        card = self._card(key)
        if not card.diamond or card.tribe != "troll":
            return [card.tribe] if card.diamond else []
        lying = [self._card(laid.card) for laid in self._tribe_cards().values()]
        return sorted({card.tribe for card in lying if card.diamond and card.tribe != "troll"})

    def _rotate(self, seat: int, key: str, symbol: int) -> Iterator[Gesture]:
        """Turn any tribe card but the one just laid (AL-42, AL-43); mostly to the own advantage."""
        others = [slot for slot, laid in self._tribe_cards().items() if laid.card != key]
        sectors = {slot: self._free_sectors(slot, symbol) for slot in others}
        targets = [slot for slot in others if sectors[slot]]
        if not targets:
            return
        own, stronger = SEAT_NAMES[seat], symbol > 0
        useful = [slot for slot in targets if (slot[0] == own) == (stronger != self._is_castle("R" + slot[1:]))]
        slot = self._rng.choice(useful if useful and self._happens(0.85) else targets)
        self.world.turn(slot, -sectors[slot])
        yield Reach(seat, "turn", (slot,))

    def _free_sectors(self, slot: str, symbol: int) -> int:
        sector = self._sector(slot)
        return reachable_sector(sector, symbol) - sector

    def _sector(self, slot: str) -> int:
        laid = self._tribe_cards()[slot]
        return facing_sector(self._card(laid.card), SEAT_NAMES.index(slot[0]), laid.turn)

    # ---------- abilities ----------

    def _use(self, seat: int, ability: str) -> Iterator[Gesture]:
        if ability == "wizard":
            self.wizards[seat] += 1
            return
        ways = {"yeti": self._trade_regions, "gnome": self._move_card, "golem": self._turn_back}
        yield from ways[ability](seat)

    def _trade_regions(self, seat: int) -> Iterator[Gesture]:
        movable = [slot for slot in self.world.region_row() if not self._is_castle(slot)]
        if len(movable) > 1:
            one, other = self._rng.sample(movable, 2)
            self.world.swap(one, other)
            yield Reach(seat, "swap", (one, other))

    def _move_card(self, seat: int) -> Iterator[Gesture]:
        moves = [(slot, free) for slot in self._tribe_cards() for free in self.world.free_slots(slot[0])]
        if moves:
            source, target = self._rng.choice(moves)
            card = self._tribe_cards()[source].card
            self.world.move(source, target)
            yield Reach(seat, "move", (source, target), card)

    def _turn_back(self, seat: int) -> Iterator[Gesture]:
        away = {slot: self._sector(slot) - self._card(laid.card).arrow for slot, laid in self._tribe_cards().items()}
        turned = [slot for slot, sectors in away.items() if sectors]
        if turned:
            slot = self._rng.choice(turned)
            self.world.turn(slot, away[slot])
            yield Reach(seat, "turn", (slot,))

    # ---------- small questions ----------

    def _happens(self, probability: float) -> bool:
        return self._rng.random() < probability

    def _card(self, key: str) -> TribeCard:
        return self.world.box.tribe[key]

    def _tribe_cards(self) -> dict[str, Laid]:
        return {**self.world.row(0), **self.world.row(1)}

    def _shows(self, laid: Laid, tribe: str) -> bool:
        card = self._card(laid.card)
        return card.diamond and card.tribe == tribe

    def _is_castle(self, slot: str) -> bool:
        region = self.world.slots[slot]
        return region is not None and self.world.box.region[region.card].kind == CASTLE
