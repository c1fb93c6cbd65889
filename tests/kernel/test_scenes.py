"""The five scenes that the kernel must carry before it freezes, on toy states.

They are the hardest moments of the rulebooks to come; nothing here is one of their games.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from companion.games import load_game
from companion.kernel import (
    Answer,
    Cancel,
    Chosen,
    Effect,
    End,
    Finish,
    Group,
    OneOf,
    Placed,
    Position,
    Question,
    Refusal,
    Reply,
    Revealed,
    Ruled,
    Setup,
    State,
    Step,
    Subsets,
    Text,
    advance,
    cite,
    open_position,
    refuse,
    rule,
    then,
)
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve


def after(at: Position, *moves: tuple[str, str]) -> Position:
    """Carry answers that choose or reveal one thing into the position; none may be refused."""
    for key, pick in moves:
        asked = next(each for each in at.questions if each.key == key)
        reply: Reply = Revealed((pick,)) if asked.kind == "reveal" else Chosen((pick,))
        later = advance(at, Answer(key, reply))
        assert isinstance(later, Position), later
        at = later
    return at


def told(at: Position) -> list[str]:
    return [type(each.effect).__name__ for each in at.told]


def keys(questions: Iterable[Question]) -> list[str]:
    return [each.key for each in questions]


def choose(key: str, seat: int | None, names: Iterable[str], *articles: str) -> Question:
    return Question(key, "choose", seat, Subsets(tuple(names)), cite(*articles), Text(f"ask.{key}"))


# ---------- a counter of a counter against Lightning ----------


class Casting(State, frozen=True):
    speed: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    passed: tuple[int, ...] = ()
    spells: int = 0


class Announced(Effect, frozen=True):
    """A magic card was shown; what it does waits until nobody counters it."""

    seat: int
    card: str

    def apply(self, state: Casting) -> Casting:
        hands = list(state.hands)
        hand = list(hands[self.seat])
        hand.remove(self.card)
        hands[self.seat] = tuple(hand)
        return replace(state, hands=tuple(hands), spells=state.spells + 1)


class Passed(Effect, frozen=True):
    seat: int

    def apply(self, state: Casting) -> Casting:
        return replace(state, passed=(*state.passed, self.seat))


class Hastened(Effect, frozen=True):
    seat: int

    def apply(self, state: Casting) -> Casting:
        speed = list(state.speed)
        speed[self.seat] += 50
        return replace(state, speed=tuple(speed))


def casting_order(state: Casting) -> list[int]:
    """The slowest casts first; derived from the state whenever it is needed."""
    return sorted((s for s in range(len(state.speed)) if s not in state.passed), key=lambda s: state.speed[s])


class Cast(Step[Casting], frozen=True):
    """T-1 The slowest player who has not passed casts one magic card or passes."""

    def questions(self, state: Casting) -> tuple[Question, ...]:
        order = casting_order(state)
        if not order:
            return ()
        return (choose("cast", order[0], (*state.hands[order[0]], "pass"), "T-1"),)

    def resolve(self, state: Casting, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if not isinstance(reply, Chosen):
            return
        seat, (pick,) = casting_order(state)[0], reply.picks
        if pick == "pass":
            yield Ruled(Passed(seat), cite("T-1"))
        else:
            yield from announce(state, seat, pick, Strike(seat), "T-2")
        yield Ruled(then(Cast()), cite("T-1"))

    def forecast(self, state: Casting) -> tuple[Text, ...]:
        return tuple(Text("forecast.casts", (("seat", seat),)) for seat in casting_order(state))


def announce(state: Casting, seat: int, card: str, does: Step[Any], article: str) -> Iterable[Ruled]:
    spell = state.spells + 1
    yield Ruled(Announced(seat, card), cite(article))
    yield Ruled(then(Window(spell, seat), does, pending=f"spell {spell}"), cite(article))


class Window(Step[Casting], frozen=True):
    """T-3 Anybody else may counter what was announced; who does not want to need not say so."""

    spell: int
    caster: int

    def offers(self, state: Casting) -> tuple[Question, ...]:
        holders = [s for s, hand in enumerate(state.hands) if "counter" in hand and s != self.caster]
        if not holders:
            return ()
        return (choose(f"counter {self.spell}", None, map(str, holders), "T-3"),)

    def resolve(self, state: Casting, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if not isinstance(reply, Chosen):
            return
        yield from announce(state, int(reply.picks[0]), "counter", Counter(self.spell), "T-3")
        # If the counter is countered itself, somebody else may still counter this one.
        yield Ruled(then(self, pending=f"spell {self.spell}"), cite("T-3"))


class Counter(Step[Casting], frozen=True):
    """T-4 The countered card has no effect."""

    spell: int

    def resolve(self, state: Casting, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield Ruled(Cancel(f"spell {self.spell}"), cite("T-4"))


class Strike(Step[Casting], frozen=True):
    """T-5 Lightning makes its caster fifty faster: last to cast, at once."""

    seat: int

    def resolve(self, state: Casting, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield Ruled(Hastened(self.seat), cite("T-5"))


@pytest.fixture
def casting() -> Position:
    hands = (("lightning", "fog"), ("counter",), ("counter",), ("counter", "fog"))
    return open_position(Casting((10, 20, 30, 40), hands), [(Cast(), cite("T-1"))])


def test_lightning_that_nobody_counters_makes_its_caster_last_in_the_middle_of_the_step(casting: Position) -> None:
    announced = after(casting, ("cast", "lightning"))
    assert told(announced) == ["Announced"]
    assert keys(announced.offers) == ["counter 1"]
    # The due question already belongs to the next caster; the one who hastened comes last.
    assert announced.question is not None
    assert announced.question.seat == 1
    passed = after(announced, ("cast", "pass"))
    assert told(passed) == ["Hastened", "Passed"]
    assert [dict(text.values)["seat"] for text in passed.forecast] == [2, 3, 0]
    last = after(passed, ("cast", "pass"), ("cast", "pass"))
    assert last.question is not None
    assert last.question.seat == 0
    assert ("fog",) in [each.picks for each in last.question.domain if isinstance(each, Chosen)]


def test_a_countered_lightning_does_nothing_and_its_caster_goes_on_first(casting: Position) -> None:
    countered = after(casting, ("cast", "lightning"), ("counter 1", "1"))
    assert keys(countered.offers) == ["counter 2"]
    later = after(countered, ("cast", "fog"))
    assert told(later)[:2] == ["Cancel", "Announced"]
    assert later.told[0].cites == cite("T-4")
    assert later.state.speed == (10, 20, 30, 40)
    assert later.told[1].effect == Announced(0, "fog")


def test_a_counter_of_the_counter_lets_lightning_strike(casting: Position) -> None:
    saved = after(casting, ("cast", "lightning"), ("counter 1", "1"), ("counter 2", "2"))
    later = after(saved, ("cast", "pass"))
    assert told(later) == ["Cancel", "Hastened", "Passed"]
    assert later.told[0].effect == Cancel("spell 2")
    assert later.told[2].effect == Passed(1)


def test_a_saved_lightning_may_be_countered_by_somebody_else(casting: Position) -> None:
    saved = after(casting, ("cast", "lightning"), ("counter 1", "1"), ("counter 2", "2"))
    assert "counter 1" in keys(saved.offers)
    struck = after(saved, ("counter 1", "3"), ("cast", "pass"))
    assert struck.state.speed == (10, 20, 30, 40)
    assert struck.state.hands == (("fog",), (), (), ("fog",))


def test_three_counters_leave_lightning_countered(casting: Position) -> None:
    later = after(casting, ("cast", "lightning"), ("counter 1", "1"), ("counter 2", "2"), ("counter 3", "3"))
    # Nobody holds another counter, so nothing is waited for.
    assert [each.effect for each in later.told] == [Announced(3, "counter"), Cancel("spell 3"), Cancel("spell 1")]
    assert later.state.speed == (10, 20, 30, 40)


# ---------- an alternating window of modifications, one of them cancelled ----------


class Fight(State, frozen=True):
    values: tuple[int, int]
    played: tuple[str, ...] = ()
    counted: tuple[tuple[int, str], ...] = ()


class ModifierPlayed(Effect, frozen=True):
    seat: int
    card: str

    def apply(self, state: Fight) -> Fight:
        return replace(state, played=(*state.played, self.card))


class ModifierCounted(Effect, frozen=True):
    seat: int
    card: str

    def apply(self, state: Fight) -> Fight:
        return replace(state, counted=(*state.counted, (self.seat, self.card)))


class ValuesFixed(Effect, frozen=True):
    values: tuple[int, int]

    def apply(self, state: Fight) -> Fight:
        return replace(state, values=self.values)


CARDS = (("x2", "+3", "spoil"), ("+5", "spoil", "x3"))


class Modify(Step[Fight], frozen=True):
    """M-1 Attacker and defender play modifiers in turn; two passes in a row close the window."""

    seat: int = 0
    passes: int = 0

    def questions(self, state: Fight) -> tuple[Question, ...]:
        if self.passes == 2:
            return ()
        left = [card for card in CARDS[self.seat] if f"{self.seat} {card}" not in state.played]
        return (choose("modify", self.seat, (*left, "pass"), "M-1"),)

    def resolve(self, state: Fight, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if not isinstance(reply, Chosen):
            return
        (pick,) = reply.picks
        if pick == "pass":
            yield Ruled(then(Modify(1 - self.seat, self.passes + 1)), cite("M-1"))
            return
        yield Ruled(ModifierPlayed(self.seat, f"{self.seat} {pick}"), cite("M-2"))
        if pick == "spoil":
            last = next(card for card in reversed(state.played) if card[0] == str(1 - self.seat))
            yield Ruled(Cancel(last), cite("M-3"))
            yield Ruled(then(Modify(1 - self.seat)), cite("M-1"))
        else:
            yield Ruled(then(Modify(1 - self.seat)), cite("M-1"))
            yield Ruled(then(Count(self.seat, pick), pending=f"{self.seat} {pick}"), cite("M-2"))


class Count(Step[Fight], frozen=True):
    """M-2 A modifier that was not spoiled counts once the window is closed."""

    seat: int
    card: str

    def resolve(self, state: Fight, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield Ruled(ModifierCounted(self.seat, self.card), cite("M-2"))


class Compute(Step[Fight], frozen=True):
    """M-4 All modifiers are reckoned at once, multiplications before additions."""

    def resolve(self, state: Fight, to: str, reply: Reply | None) -> Iterable[Ruled]:
        values = list(state.values)
        for seat, card in sorted(state.counted, key=lambda each: each[1][0] != "x"):
            values[seat] = values[seat] * int(card[1:]) if card[0] == "x" else values[seat] + int(card)
        yield Ruled(ValuesFixed((values[0], values[1])), cite("M-4"))


@pytest.fixture
def window() -> Position:
    return open_position(Fight((4, 5)), [(Modify(), cite("M-1")), (Compute(), cite("M-4"))])


def test_modifiers_wait_until_two_passes_close_the_window_and_are_reckoned_then(window: Position) -> None:
    open_ = after(window, ("modify", "+3"), ("modify", "+5"), ("modify", "x2"))
    assert open_.state.values == (4, 5)
    assert not open_.state.counted
    closed = after(open_, ("modify", "pass"), ("modify", "pass"))
    assert closed.state.values == (11, 10)
    assert closed.is_over


def test_one_pass_does_not_close_the_window(window: Position) -> None:
    at = after(window, ("modify", "pass"), ("modify", "+5"), ("modify", "pass"))
    assert at.question is not None
    assert at.question.seat == 1
    assert after(at, ("modify", "pass")).state.values == (4, 10)


def test_a_spoiled_modifier_is_played_and_never_counts(window: Position) -> None:
    spoiled = after(window, ("modify", "x2"), ("modify", "spoil"))
    assert Cancel("0 x2") in [each.effect for each in spoiled.told]
    closed = after(spoiled, ("modify", "+3"), ("modify", "pass"), ("modify", "pass"))
    assert closed.state.played == ("0 x2", "1 spoil", "0 +3")
    assert closed.state.counted == ((0, "+3"),)
    assert closed.state.values == (7, 5)


# ---------- a Troll that copies a Cyclops ----------


class Row(State, frozen=True):
    cards: tuple[str, ...] = ("gnome", "cyclops", "")
    removed: tuple[str, ...] = ()


class Covered(Effect, frozen=True):
    at: int
    card: str

    def apply(self, state: Row) -> Row:
        cards = (*state.cards[: self.at], self.card, *state.cards[self.at + 1 :])
        return replace(state, cards=cards, removed=(*state.removed, state.cards[self.at]))


class Laid(Effect, frozen=True):
    at: int
    card: str

    def apply(self, state: Row) -> Row:
        return replace(state, cards=(*state.cards[: self.at], self.card, *state.cards[self.at + 1 :]))


class Play(Step[Row], frozen=True):
    """C-1 A card is laid into an empty slot; a card with an ability then uses it."""

    def questions(self, state: Row) -> tuple[Question, ...]:
        if "" not in state.cards:
            return ()
        replies = OneOf(Placed(card, str(at)) for card in ("troll", "elf") for at in range(3))
        return (Question("play", "place", 0, replies, cite("C-1"), Text("ask.play")),)

    def refuse(self, state: Row, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Placed)
        if state.cards[int(reply.slot)] and reply.piece != "troll":
            return refuse(cite("C-1"), "play.occupied", slot=reply.slot)
        return None

    def resolve(self, state: Row, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if not isinstance(reply, Placed):
            return
        if reply.piece == "troll":
            yield Ruled(then(Copy(int(reply.slot))), cite("C-2"))
        else:
            yield Ruled(Laid(int(reply.slot), reply.piece), cite("C-1"))


class Copy(Step[Row], frozen=True):
    """C-2 The Troll uses the ability of a card on the table as if it were its own."""

    at: int

    def questions(self, state: Row) -> tuple[Question, ...]:
        return (choose("copy", 0, [card for card in state.cards if card in ABILITIES], "C-2"),)

    def resolve(self, state: Row, to: str, reply: Reply | None) -> Iterable[Ruled]:
        assert isinstance(reply, Chosen)
        yield Ruled(then(ABILITIES[reply.picks[0]]("troll", self.at)), cite("C-2"))


class CyclopsAbility(Step[Row], frozen=True):
    """C-3 The card is laid on an own card, which leaves the game, and another card is played."""

    card: str
    at: int

    def resolve(self, state: Row, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield Ruled(Covered(self.at, self.card), cite("C-3"))
        yield Ruled(then(Play()), cite("C-3"))


ABILITIES: dict[str, type[Step[Row]] | Any] = {"cyclops": CyclopsAbility}


def test_a_copied_ability_works_for_the_card_that_copies_and_asks_for_the_further_card() -> None:
    at = open_position(Row(), [(Play(), cite("C-1"))])
    chosen = advance(at, Answer("play", Placed("troll", "0")))
    assert isinstance(chosen, Position)
    covered = after(chosen, ("copy", "cyclops"))
    assert covered.state.cards == ("troll", "cyclops", "")
    assert covered.state.removed == ("gnome",)
    assert [each.cites for each in covered.told] == [cite("C-3")]
    assert keys(covered.questions) == ["play"]
    refused = advance(covered, Answer("play", Placed("elf", "0")))
    assert isinstance(refused, Refusal)
    done = advance(covered, Answer("play", Placed("elf", "2")))
    assert isinstance(done, Position)
    assert done.is_over
    assert done.state.cards == ("troll", "cyclops", "elf")


def duel(options: dict[str, str]) -> Position:
    """The real duel: a Cyclops of the other player lies there, and the Troll may copy it."""
    resolved = resolve(load_rulebook("allies"), explicit=options)
    document = {
        "starter": "A",
        "turn": 2,
        "rows": {"A": {1: {"card": "gnome-x", "tribe": "gnome"}}, "B": {4: {"tribe": "cyclops", "diamond": True}}},
        "cards": {
            "troll-d": {"tribe": "troll", "sectors": [1, 2, 4, 5], "arrow": 3, "diamond": True},
            "gnome-d": {"tribe": "gnome", "sectors": [1, 2, 3, 4], "arrow": 1, "diamond": True},
        },
    }
    return load_game("allies").open(document, Setup(resolved, ("A", "B")))


def put(at: Position, key: str, piece: str, slot: str) -> Position | Refusal:
    return advance(at, Answer(key, Placed(piece, slot)))


def test_in_the_duel_the_troll_itself_covers_and_a_further_card_must_follow() -> None:
    covered = put(duel({}), "play", "troll-d", "A1")
    assert isinstance(covered, Position)
    assert covered.state.removed == ("gnome-x",)
    assert covered.question is not None
    assert covered.question.key == "follow"
    assert covered.question.cites == cite("AL-82", "AL-Q07")
    laid = next(each for each in covered.told if type(each.effect).__name__ == "CardLaid")
    assert set(cite("AL-80", "AL-91", "AL-Q11")) <= set(laid.cites)
    refused = put(covered, "follow", "gnome-d", "A1")
    assert isinstance(refused, Refusal)
    done = put(covered, "follow", "gnome-d", "A2")
    assert isinstance(done, Position)
    assert [laid is not None for laid in done.state.rows[0]] == [True, True, False, False, False]


def test_in_the_duel_a_card_of_the_hand_covers_where_the_table_plays_so() -> None:
    at = duel({"troll_as_cyclops": "hand_card_covers", "cyclops_covers": "diamond_card"})
    assert isinstance(put(at, "play", "troll-d", "A1"), Refusal)
    laid = put(at, "play", "troll-d", "A2")
    assert isinstance(laid, Position)
    assert "cover" in keys(laid.offers)
    covered = put(laid, "cover", "gnome-d", "A1")
    assert isinstance(covered, Position)
    assert covered.state.removed == ("gnome-x",)


def test_in_the_duel_a_copied_cyclops_does_nothing_where_the_table_plays_so() -> None:
    at = duel({"troll_as_cyclops": "no_effect"})
    assert isinstance(put(at, "play", "troll-d", "A1"), Refusal)
    laid = put(at, "play", "troll-d", "A2")
    assert isinstance(laid, Position)
    assert not laid.offers


# ---------- hypnotist, hypnotist, dragon, and the last place card taken in between ----------


class Town(State, frozen=True):
    row: tuple[str, ...]
    places: int
    pile: tuple[str, ...] = ()
    passed_on: tuple[str, ...] = ()


class VillagerTaken(Effect, frozen=True):
    column: int

    def apply(self, state: Town) -> Town:
        row = state.row[: self.column] + state.row[self.column + 1 :]
        return replace(state, row=row, pile=(*state.pile, state.row[self.column]))


class PlaceWon(Effect, frozen=True):
    def apply(self, state: Town) -> Town:
        return replace(state, places=state.places - 1)


class DragonPassed(Effect, frozen=True):
    to: str

    def apply(self, state: Town) -> Town:
        return replace(state, pile=state.pile[:-1], passed_on=(*state.passed_on, self.to))


@rule("K-9")
def no_place_left(state: Town) -> Iterable[Effect]:
    """K-9 The game is over as soon as the last place card is taken."""
    if not state.places:
        yield Finish(0, (len(state.pile),))


class GuardedTown(Town, frozen=True):
    standing: ClassVar = (no_place_left,)


class Take(Step[Town], frozen=True):
    """K-1 A villager goes to the pile of who met its condition, with a place card."""

    column: int

    def resolve(self, state: Town, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield Ruled(VillagerTaken(self.column), cite("K-1"))
        yield Ruled(PlaceWon(), cite("K-2"))
        match state.row[self.column]:
            case "hypnotist" if self.column + 1 < len(state.row):
                yield Ruled(then(Take(self.column)), cite("K-3"))
            case "dragon":
                yield Ruled(then(PassDragon()), cite("K-4"))


class PassDragon(Step[Town], frozen=True):
    """K-4 Whoever gets the dragon passes it to another player."""

    def questions(self, state: Town) -> tuple[Question, ...]:
        return (choose("dragon", 0, ("B", "C"), "K-4"),)

    def resolve(self, state: Town, to: str, reply: Reply | None) -> Iterable[Ruled]:
        assert isinstance(reply, Chosen)
        yield Ruled(DragonPassed(reply.picks[0]), cite("K-4"))


class Refill(Step[Town], frozen=True):
    """K-5 The row is refilled at the end of the turn."""

    def resolve(self, state: Town, to: str, reply: Reply | None) -> Iterable[Ruled]:
        yield Ruled(End("turn"), cite("K-5"))


def chain(places: int) -> Position:
    town = GuardedTown(("elf", "hypnotist", "hypnotist", "dragon"), places)
    return open_position(town, [(Take(1), cite("K-1")), (Refill(), cite("K-5"))])


def test_each_link_of_a_chain_follows_from_the_one_before() -> None:
    at = chain(9)
    assert told(at) == ["VillagerTaken", "PlaceWon"] * 3
    assert at.state.pile == ("hypnotist", "hypnotist", "dragon")
    assert keys(at.questions) == ["dragon"]
    assert after(at, ("dragon", "C")).state.passed_on == ("C",)


def test_the_last_place_card_ends_the_game_inside_the_chain() -> None:
    at = chain(2)
    assert told(at) == ["VillagerTaken", "PlaceWon", "VillagerTaken", "PlaceWon", "Finish"]
    assert at.told[-1].cites == cite("K-9")
    assert at.is_over
    assert at.question is None
    assert at.state.row == ("elf", "dragon")


def test_the_last_place_card_under_the_dragon_leaves_the_dragon_where_it_is() -> None:
    at = chain(3)
    assert told(at)[-1] == "Finish"
    assert at.state.pile[-1] == "dragon"
    assert not at.state.passed_on


# ---------- simultaneous reveal, a tie, and the offers of the Fighter ----------


class Land(State, frozen=True):
    hands: tuple[tuple[str, ...], ...]
    shown: tuple[str | None, ...] = (None, None, None)
    points: tuple[int, ...] = (0, 0, 0)
    acted: tuple[int, ...] = ()
    sign: int = 1


STRENGTH = {"scout": 1, "fighter": 2, "queen": 3}


class CharacterShown(Effect, frozen=True):
    seat: int
    card: str

    def apply(self, state: Land) -> Land:
        shown = (*state.shown[: self.seat], self.card, *state.shown[self.seat + 1 :])
        hands = [list(hand) for hand in state.hands]
        hands[self.seat].remove(self.card)
        return replace(state, shown=shown, hands=tuple(map(tuple, hands)))


class PointGained(Effect, frozen=True):
    seat: int

    def apply(self, state: Land) -> Land:
        points = (*state.points[: self.seat], state.points[self.seat] + 1, *state.points[self.seat + 1 :])
        return replace(state, points=points)


class Acted(Effect, frozen=True):
    seat: int

    def apply(self, state: Land) -> Land:
        return replace(state, acted=(*state.acted, self.seat))


class Show(Step[Land], frozen=True):
    """V-1 Everyone lays a character face down; all are turned over at the same time."""

    seat: int

    def questions(self, state: Land) -> tuple[Question, ...]:
        domain = OneOf(Revealed((card,)) for card in state.hands[self.seat])
        return (Question(f"show {self.seat}", "reveal", self.seat, domain, cite("V-1"), Text("ask.show")),)

    def refuse(self, state: Land, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Revealed)
        if reply.pieces[0] not in state.hands[self.seat]:
            return refuse(cite("V-1"), "show.not_in_hand", piece=reply.pieces[0])
        return None

    def resolve(self, state: Land, to: str, reply: Reply | None) -> Iterable[Ruled]:
        assert isinstance(reply, Revealed)
        yield Ruled(CharacterShown(self.seat, reply.pieces[0]), cite("V-1"))


class Act(Step[Land], frozen=True):
    """V-2 The weakest character acts first; the sign of the round decides between equal ones."""

    def order(self, state: Land) -> list[int]:
        seats = [seat for seat in range(3) if seat not in state.acted]
        return sorted(seats, key=lambda seat: (STRENGTH[state.shown[seat] or ""], (seat - state.sign) % 3))

    def resolve(self, state: Land, to: str, reply: Reply | None) -> Iterable[Ruled]:
        order = self.order(state)
        if not order:
            return
        tied = [seat for seat in range(3) if state.shown[seat] == state.shown[order[0]]]
        yield Ruled(Acted(order[0]), cite("V-2", "V-3") if len(tied) > 1 else cite("V-2"))
        if state.shown[order[0]] == "fighter":
            yield Ruled(then(FighterShown()), cite("V-4"))
        yield Ruled(then(Act()), cite("V-2"))


class FighterShown(Step[Land], frozen=True):
    """V-4 Every player with a Fighter in hand may show it and gets a point."""

    seen: tuple[int, ...] = ()

    def offers(self, state: Land) -> tuple[Question, ...]:
        holders = [seat for seat in range(3) if "fighter" in state.hands[seat] and seat not in self.seen]
        return tuple(choose(f"fighter {seat}", seat, ("fighter",), "V-4") for seat in holders)

    def resolve(self, state: Land, to: str, reply: Reply | None) -> Iterable[Ruled]:
        if reply is None:
            return
        seat = int(to[-1])
        yield Ruled(PointGained(seat), cite("V-4"))
        yield Ruled(then(FighterShown((*self.seen, seat))), cite("V-4"))


class Choose(Step[Land], frozen=True):
    """V-5 Then the first player chooses a land."""

    def questions(self, state: Land) -> tuple[Question, ...]:
        return (choose("land", state.acted[0], ("hill", "lake"), "V-5"),)

    def resolve(self, state: Land, to: str, reply: Reply | None) -> Iterable[Ruled]:
        return ()


@pytest.fixture
def land() -> Position:
    hands = (("scout", "fighter", "queen"),) * 3
    together = Group((Show(0), Show(1), Show(2)), cite("V-1"))
    return open_position(Land(hands), [(together, cite("V-1")), (Act(), cite("V-2")), (Choose(), cite("V-5"))])


def test_what_is_revealed_together_may_be_entered_in_any_order(land: Position) -> None:
    assert keys(land.questions) == ["show 0", "show 1", "show 2"]
    first = after(land, ("show 2", "queen"))
    assert keys(first.questions) == ["show 0", "show 1"]
    one = after(first, ("show 0", "scout"), ("show 1", "queen"))
    other = after(land, ("show 1", "queen"), ("show 0", "scout"), ("show 2", "queen"))
    assert one.same_table(other)
    assert isinstance(advance(first, Answer("show 2", Revealed(("scout",)))), Refusal)
    assert isinstance(advance(first, Answer("show 1", Revealed(("dragon",)))), Refusal)


def test_a_tie_goes_by_the_sign_of_the_round_and_cites_it(land: Position) -> None:
    at = after(land, ("show 0", "queen"), ("show 1", "queen"), ("show 2", "scout"))
    acted = [each for each in at.told if isinstance(each.effect, Acted)]
    assert [each.effect for each in acted] == [Acted(2), Acted(1), Acted(0)]
    assert [each.cites for each in acted] == [cite("V-2"), cite("V-2", "V-3"), cite("V-2", "V-3")]


def test_fighters_are_offered_to_all_who_hold_one_and_lapse_with_the_next_answer(land: Position) -> None:
    at = after(land, ("show 0", "scout"), ("show 1", "fighter"), ("show 2", "queen"))
    assert keys(at.offers) == ["fighter 0", "fighter 2"]
    assert at.question is not None
    assert at.question.key == "land"
    both = after(at, ("fighter 2", "fighter"), ("fighter 0", "fighter"), ("land", "hill"))
    assert both.state.points == (1, 0, 1)
    one = after(at, ("fighter 2", "fighter"), ("land", "hill"))
    assert one.state.points == (0, 0, 1)
    none = after(at, ("land", "hill"))
    assert none.state.points == (0, 0, 0)
    assert none.state.acted == (0, 1, 2)
    late = advance(none, Answer("fighter 0", Chosen(("fighter",))))
    assert isinstance(late, Refusal)
