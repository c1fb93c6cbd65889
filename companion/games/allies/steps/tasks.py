"""Stage 2: carrying out the tasks on the card just played, in the player's own order.

Every task is a right: it stands as an offer until the next card is played and then lapses (AL-44,
AL-45, AL-47).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.games.allies.domains import Covers, Placements, Targets, abilities_on_table
from companion.games.allies.effects import rotate
from companion.games.allies.state import COLUMNS, EMPTY_ROW, SEATS, SLOTS, Duel, TribeCard, slot
from companion.games.allies.steps.abilities import ABILITIES, ability_offer, refuse_ability, use_ability
from companion.games.allies.steps.laying import lay, refuse_card
from companion.kernel import (
    Moved,
    Placed,
    Question,
    Refusal,
    Reply,
    Ruled,
    Step,
    Text,
    Turned,
    cite,
    refuse,
    then,
)

ROTATE = {1: "strengthen 1", 2: "strengthen 2", -1: "weaken 1", -2: "weaken 2"}
"""The offers' keys, by the printed symbol."""
_SYMBOL = {key: symbol for symbol, key in ROTATE.items()}
_HOW = {1: cite("AL-48"), 2: cite("AL-49"), -1: cite("AL-50"), -2: cite("AL-51")}
_ROTATION = {symbol: (*cite("AL-40", "AL-43", "AL-44"), *how) for symbol, how in _HOW.items()}
_TEXTS = {
    symbol: Text("offer.strengthen" if symbol > 0 else "offer.weaken", (("by", abs(symbol)),)) for symbol in ROTATE
}
TASKS = cite("AL-40", "AL-41", "AL-45")
_ITSELF = cite("AL-42")
_NO_CARD = cite("AL-43")
_OWN_ONLY = cite("AL-43", "AL-Q05")
_BARRIER = cite("AL-07", "AL-52", "AL-53")
_BY_TWO = cite("AL-54", "AL-Q03")
_AT_BARRIER = (*cite("AL-45"), *_BARRIER)
_FOLLOW = cite("AL-82", "AL-Q07")
_COVER = cite("AL-80", "AL-Q06")
_COPY = cite("AL-91", "AL-Q10")
_HOW_MANY = cite("AL-41", "AL-Q04")


class Tasks(Step[Duel], frozen=True):
    """AL-40 The player carries out the rotations on the played card and may use its ability.

    `symbols` are the rotations left, `ability` the character whose ability is left ("" none).
    `cover` allows another card on top of an own one (only where the edition says so), `follow` is
    how the extra card of a Cyclops stands: "must", "may" or "".
    """

    seat: int
    column: int
    """Where the card just played lies; no rotation may be aimed at it (AL-42)."""
    symbols: tuple[int, ...] = ()
    ability: str = ""
    cover: bool = False
    follow: str = ""
    cyclops: int | None = None
    """The column of the Cyclops while its second card may not turn it (AL-Q07b)."""

    def questions(self, state: Duel) -> tuple[Question, ...]:
        if self.follow == "must" and self._can_follow(state):
            return (self._follow(state),)
        return ()

    def offers(self, state: Duel) -> tuple[Question, ...]:
        offers: list[Question] = []
        if self.symbols and self._targets(state):
            # With every card but the fresh one a target, the count above has settled that there is one.
            sure = self.cyclops is None and state.options["strengthen_target"] == "any"
            for symbol in sorted(set(self.symbols), reverse=True):
                targets = Targets(state, self._barred(), self._target_seats(state, symbol))
                if sure or next(iter(targets), None) is not None:
                    offers.append(
                        Question(ROTATE[symbol], "turn", self.seat, targets, _ROTATION[symbol], _TEXTS[symbol])
                    )
        if self.ability:
            for ability in self._abilities(state):
                offer = ability_offer(state, ability, self.seat, slot(self.seat, self.column))
                if offer is not None:
                    offers.append(offer)
        if self.cover and state.hands[self.seat] != 0:
            domain = Covers(state, self.seat, state.options["cyclops_covers"] == "any_card")
            if next(iter(domain), None) is not None:
                offers.append(Question("cover", "place", self.seat, domain, _COVER, Text("offer.cover")))
        if self.follow == "may" and self._can_follow(state):
            offers.append(self._follow(state))
        return tuple(offers)

    def refuse(self, state: Duel, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Placed):
            if to == "follow":
                return refuse_card(state, reply, self.seat, cover=False)
            return self._no_cover(state, reply)
        if to not in _SYMBOL:
            return refuse_ability(state, to, reply, self.seat, slot(self.seat, self.column))
        assert isinstance(reply, Turned)  # noqa: S101  rotations are asked as turns
        return self._no_rotation(state, _SYMBOL[to], reply)

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if reply is None:
            return
        if isinstance(reply, Placed):
            yield from self._another_card(state, to, reply)
        elif to in _SYMBOL:
            assert isinstance(reply, Turned)  # noqa: S101  rotations are asked as turns
            yield from self._rotation(state, _SYMBOL[to], reply)
        else:
            copied = _COPY if self.ability.startswith("troll") else ()
            for ruled in use_ability(state, to, reply, self.seat):
                yield Ruled(ruled.effect, (*ruled.cites, *copied))
            left = self._left_after(state, to, reply)
            yield Ruled(then(left), TASKS)

    def forecast(self, state: Duel) -> tuple[Text, ...]:
        return (Text("forecast.tasks", (("seat", SEATS[self.seat]),)),) if self.offers(state) else ()

    # -- rotations ---------------------------------------------------------------------------------

    def _targets(self, state: Duel) -> bool:
        """Return whether any other tribe card lies on the table."""
        own = state.rows[self.seat]
        others = COLUMNS - own.count(None) - (own[self.column] is not None)
        return others > 0 or state.rows[1 - self.seat] != EMPTY_ROW

    def _barred(self) -> tuple[str, ...]:
        """Return the slots of the cards that this card's rotations may not be aimed at (AL-42)."""
        fresh = slot(self.seat, self.column)
        return (fresh,) if self.cyclops is None else (fresh, slot(self.seat, self.cyclops))

    def _target_seats(self, state: Duel, symbol: int) -> tuple[int, ...]:
        if state.options["strengthen_target"] == "any":
            return (0, 1)
        return (self.seat,) if symbol > 0 else (1 - self.seat,)

    def _no_rotation(self, state: Duel, symbol: int, reply: Turned) -> Refusal | None:
        row, column = SLOTS.get(reply.slot, ("", 0))
        if row not in ("A", "B") or state.rows[SEATS.index(row)][column] is None:
            return refuse(_NO_CARD, "rotate.no_card", slot=reply.slot)
        seat = SEATS.index(row)
        if (seat, column) == (self.seat, self.column):
            return refuse(_ITSELF, "rotate.itself", slot=reply.slot)
        if seat == self.seat and column == self.cyclops:
            return refuse(cite("AL-42", "AL-Q07b"), "rotate.cyclops", slot=reply.slot)
        if seat not in self._target_seats(state, symbol):
            return refuse(_OWN_ONLY, "rotate.own_only", slot=reply.slot)
        if reply.by is not None:
            turn = rotate(state, seat, column, symbol)
            right = -turn.sectors if symbol > 0 else turn.sectors
            if reply.by != right:
                return refuse(
                    (*_HOW[symbol], *_BARRIER), "rotate.wrong_amount", slot=reply.slot, by=reply.by, right=right
                )
        return None

    def _rotation(self, state: Duel, symbol: int, reply: Turned) -> Iterator[Ruled]:
        row, column = SLOTS[reply.slot]
        turn = rotate(state, SEATS.index(row), column, symbol)
        why = _HOW[symbol] if len(self.symbols) == 1 else (*_HOW[symbol], *_HOW_MANY)
        if turn.lost:
            why = (*why, *(_BY_TWO if turn.sectors or abs(symbol) == 2 else ()), *_AT_BARRIER)
        yield Ruled(turn, why)
        left = list(self.symbols)
        left.remove(symbol)
        one = state.options["rotations_per_card"] == "one"
        yield Ruled(then(msgspec.structs.replace(self, symbols=() if one else tuple(left))), TASKS)

    # -- abilities ---------------------------------------------------------------------------------

    def _abilities(self, state: Duel) -> tuple[str, ...]:
        if self.ability == "troll":
            return tuple(name for name in abilities_on_table(state) if name in ABILITIES)
        if self.ability.startswith("troll:"):
            left = self.ability.removeprefix("troll:").split("+")
            return tuple(name for name in left if name in ABILITIES)
        return (self.ability,) if self.ability in ABILITIES else ()

    def _left_after(self, state: Duel, used: str, reply: Reply) -> Tasks:
        """AL-79 An ability is usable once; only the Dutch Troll goes on with the other ones (AL-Q10).

        A Gnome may have moved the very cards that rotations may not be aimed at (AL-Q08).
        """
        left, cover = "", self.cover
        if self.ability.startswith("troll"):
            if state.options["troll_copies"] == "all_abilities":
                left = "+".join(name for name in self._abilities(state) if name != used)
                left = f"troll:{left}" if left else ""
            else:
                cover = False
        column, cyclops = self.column, self.cyclops
        if used == "gnome" and isinstance(reply, Moved) and reply.start[0] == SEATS[self.seat]:
            moved = {SLOTS[reply.start][1]: SLOTS[reply.end][1]}
            column, cyclops = moved.get(column, column), None if cyclops is None else moved.get(cyclops, cyclops)
        return msgspec.structs.replace(self, ability=left, cover=cover, column=column, cyclops=cyclops)

    # -- the Cyclops' other card -------------------------------------------------------------------

    def _can_follow(self, state: Duel) -> bool:
        return state.hands[self.seat] != 0 and None in state.rows[self.seat]

    def _follow(self, state: Duel) -> Question:
        domain = Placements(state, (self.seat,), cover=False)
        return Question(
            "follow", "place", self.seat, domain, _FOLLOW, Text("ask.follow", (("seat", SEATS[self.seat]),))
        )

    def _no_cover(self, state: Duel, reply: Placed) -> Refusal | None:
        row, column = SLOTS.get(reply.slot, ("", 0))
        if row != SEATS[self.seat] or state.rows[self.seat][column] is None:
            return refuse(_COVER, "cover.no_own_card", slot=reply.slot)
        card = state.box.cards.get(reply.piece)
        if card is not None and state.options["cyclops_covers"] == "diamond_card" and not card.diamond:
            return refuse((*_COVER, *cite("AL-09")), "cover.no_diamond", piece=reply.piece)
        without = msgspec.structs.replace(
            state,
            rows=tuple(tuple(None for _ in row) if seat == self.seat else row for seat, row in enumerate(state.rows)),
        )
        return refuse_card(without, reply, self.seat, cover=False)

    def _another_card(self, state: Duel, to: str, reply: Placed) -> Iterator[Ruled]:
        yield from lay(state, reply)
        card, column = state.box.cards[reply.piece], SLOTS[reply.slot][1]
        tasks = tasks_of(state, self.seat, column, card, covered=False)
        both = self.symbols + (tasks.symbols if tasks else ())
        barred = self.column if state.options["second_card_may_turn_cyclops"] == "barred" else None
        follow = state.options["cyclops_second_card"] if to == "cover" else ""
        ability = tasks.ability if tasks else ""
        cover = to == "follow" and tasks is not None and tasks.cover
        yield Ruled(then(Tasks(self.seat, column, both, ability, cover, follow, barred)), TASKS)


def tasks_of(state: Duel, seat: int, column: int, card: TribeCard, covered: bool) -> Tasks | None:
    """Return the tasks on a card just laid, None if it has none."""
    ability, cover, follow = card.ability, False, ""
    if covered:
        return Tasks(seat, column, card.symbols, "", False, state.options["cyclops_second_card"])
    if ability:
        copies = ability == "troll" and "cyclops" in abilities_on_table(state)
        if ability == "cyclops":
            cover = state.options["cyclops_covers"] != "this_card"
        elif copies:
            cover = state.options["troll_as_cyclops"] == "hand_card_covers"
        if ability == "cyclops":
            ability = ""
    if not (card.symbols or ability or cover):
        return None
    return Tasks(seat, column, card.symbols, ability, cover, follow)
