"""The character action: every effect has to be applied, even a harmful one (VB-25, VB-44 to VB-55)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.games.vaalbara.effects import (
    BottomSeen,
    CharacterDiscarded,
    CharacterReturned,
    EffectEmpty,
    EffectWaits,
    LandGiven,
    LandLifted,
    LandsTraded,
    PointsGained,
    PointsTaken,
)
from companion.games.vaalbara.pieces import FIRST, SEATS, SECOND, land_slot
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.steps.taking import forests
from companion.games.vaalbara.steps.trading import BottomCard, TopCard, bottom_lands, refuse_bottom
from companion.kernel import (
    UNKNOWN,
    Chosen,
    Citation,
    Domain,
    Moved,
    OneOf,
    Question,
    Refusal,
    Reply,
    Revealed,
    Ruled,
    Step,
    Subsets,
    Text,
    cite,
    refuse,
    then,
)
from companion.kernel.questions import Kind

TURN = cite("VB-24")
FORCED = "VB-25"
FIGHTER = cite("VB-44", FORCED, "VB-Q04")
BARD = cite("VB-45", FORCED)
FALCONER = cite("VB-49", FORCED)
PATHFINDER = cite("VB-50", FORCED)
MIDWIFE = cite("VB-51", FORCED)
RIDER = cite("VB-52", FORCED, "VB-Q16")
PIONEER = cite("VB-54", FORCED)
FARMER = cite("VB-55")
_HUNTER, _ARTISAN = cite("VB-46", "VB-Q05"), cite("VB-53", "VB-Q05")
_ORACLE = cite("VB-47")
_ORACLE_TWICE = cite("VB-47", "VB-Q06")
_CARPENTER = cite("VB-48", "VB-24", "VB-Q17")
_FIRST_FALCONER = cite("VB-49", "VB-Q07")
_POOR = cite("VB-49", "VB-Q08")
_NOTHING_THERE = cite("VB-Q12")
_ITSELF = cite("VB-51", "VB-26", "VB-Q11")
LOOK = "look"
_LOOK = cite("VB-54", "VB-Q13")
DISCARD = cite("VB-26")

Ask = Callable[[Continent, int], "tuple[Kind, Domain] | None"]


class CharacterAction(Step[Continent], frozen=True):
    """VB-25 The effect of the character played must be applied, even if it is a drawback."""

    def questions(self, state: Continent) -> tuple[Question, ...]:
        seat = state.active
        if seat is None or state.character not in _ASKS:
            return ()
        key, ask, cites = _ASKS[state.character]
        asked = ask(state, seat)
        if asked is None:
            return ()
        kind, domain = asked
        whom = None if state.character == "fighter" else seat
        return (Question(key, kind, whom, domain, cites, Text(f"ask.{key}", (("seat", SEATS[seat]),))),)

    def offers(self, state: Continent) -> tuple[Question, ...]:
        """VB-Q13 At some tables the Pioneer may look at the bottom land first."""
        seat = state.active
        may_look = state.options["pioneer_looks"] == "may_look" and state.bottom is UNKNOWN
        if seat is None or state.character != "pioneer" or not may_look or _which_own(state, seat) is None:
            return ()
        replies = OneOf(Revealed((key,)) for key in bottom_lands(state))
        return (Question(LOOK, "reveal", seat, replies, _LOOK, Text("offer.look")),)

    def refuse(self, state: Continent, to: str, reply: Reply) -> Refusal | None:
        if to == LOOK:
            return refuse_bottom(state, reply)
        seat = state.active
        assert seat is not None  # noqa: S101  it was asked
        key, ask, cites = _ASKS[state.character]
        asked = ask(state, seat)
        assert asked is not None  # noqa: S101  it was asked
        if reply in asked[1]:
            return None
        if state.character == "midwife" and isinstance(reply, Chosen) and reply.picks == ("midwife",):
            return refuse(_ITSELF, "midwife.itself")
        names = asked[1].names if isinstance(asked[1], Subsets) else map(_shown, asked[1])
        allowed = ", ".join(names) or "-"
        return refuse(cites, f"{key}.which", found=_shown(reply), allowed=allowed, seat=SEATS[seat])

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        seat, character = state.active, state.character
        assert seat is not None  # noqa: S101  the turn of somebody
        if isinstance(reply, Revealed):
            yield Ruled(BottomSeen(reply.pieces[0]), _LOOK)
            yield Ruled(then(CharacterAction()), TURN)
        elif character in _DOES:
            yield from _DOES[character](state, seat, reply)


def _shown(reply: Reply) -> str:
    match reply:
        case Chosen(picks=picks):
            return " + ".join(picks) or "nobody"
        case Moved(start=start, end=end):
            return f"{start} and {end}"
        case _:
            return str(reply)


class Discard(Step[Continent], frozen=True):
    """VB-26 The character then goes face up to the player's discard pile, where all can see it."""

    def resolve(self, state: Continent, to: str, reply: Reply | None) -> Iterator[Ruled]:
        seat = state.active
        assert seat is not None  # noqa: S101  the turn of somebody
        taken_back = state.character == "midwife" and state.character in _returned_itself(state, seat)
        if not taken_back:
            yield Ruled(CharacterDiscarded(seat, state.character), DISCARD)


def _returned_itself(state: Continent, seat: int) -> tuple[str, ...]:
    """A Midwife that took itself back (VB-Q11) is in hand: one card more than can be accounted for otherwise."""
    held, played = state.hands[seat] + state.decks[seat], len(state.discards[seat])
    return ("midwife",) if held + played == len(state.box.initiatives) else ()


# -- what is asked --------------------------------------------------------------------------------------


def _who_shows(state: Continent, seat: int) -> tuple[Kind, Domain] | None:
    holders = tuple(SEATS[each] for each in range(state.seats) if "fighter" in state.playable(each))
    return ("choose", Subsets(holders, 0, len(holders))) if holders else None


def _whom(state: Continent, seat: int) -> tuple[Kind, Domain] | None:
    others = tuple(SEATS[each] for each in range(state.seats) if each != seat)
    return ("choose", Subsets(others)) if len(others) > 1 else None


def _which_of_rows(state: Continent, seat: int) -> tuple[Kind, Domain] | None:
    lands = tuple(key for key in (*state.first, *state.second) if key is not None)
    return ("choose", Subsets(lands)) if lands and state.deck != 0 else None


def _which_character(state: Continent, seat: int) -> tuple[Kind, Domain] | None:
    itself = ("midwife",) if state.options["midwife_itself"] == "may_return" else ()
    characters = (*state.discards[seat], *itself)
    return ("choose", Subsets(characters)) if characters else None


def _which_two(state: Continent, seat: int) -> tuple[Kind, Domain] | None:
    facing = state.options["rider_trades"] == "facing"
    pairs = tuple(
        Moved(land_slot(FIRST, column), land_slot(SECOND, other), True)
        for column, one in enumerate(state.first)
        for other, two in enumerate(state.second)
        if one is not None and two is not None and (column == other or not facing)
    )
    return ("move", OneOf(pairs)) if pairs else None


def _which_own(state: Continent, seat: int) -> tuple[Kind, Domain] | None:
    if not state.kingdoms[seat] or state.deck == 0:
        return None
    return ("choose", Subsets(state.kingdoms[seat]))


_ASKS: dict[str, tuple[str, Ask, tuple[Citation, ...]]] = {
    "fighter": ("fighters", _who_shows, FIGHTER),
    "bard": ("bard", _whom, BARD),
    "pathfinder": ("pathfinder", _which_of_rows, PATHFINDER),
    "midwife": ("midwife", _which_character, MIDWIFE),
    "rider": ("rider", _which_two, RIDER),
    "pioneer": ("pioneer", _which_own, PIONEER),
}
"""By character: the key of its question, what may be answered, and the articles."""


# -- what happens ---------------------------------------------------------------------------------------


def _fighter(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    showing = reply.picks if isinstance(reply, Chosen) else ()
    for letter in showing:
        yield Ruled(PointsGained(SEATS.index(letter), 1, "fighter"), FIGHTER)
    if state.options["fighter_own"] == "gets_one":
        yield Ruled(PointsGained(seat, 1, "fighter"), FIGHTER)
    elif not showing:
        yield Ruled(EffectEmpty(seat, "fighter"), FIGHTER)


def _bard(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    named = SEATS.index(reply.picks[0]) if isinstance(reply, Chosen) else 1 - seat
    yield Ruled(PointsGained(named, 2, "bard"), BARD)


def _hunter(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    place = state.order.index
    before = [place(seat) < place(other) for other in state.neighbours(seat)]
    yield from _if_met(state, seat, before, 3, "hunter")


def _artisan(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    place = state.order.index
    after = [place(seat) > place(other) for other in state.neighbours(seat)]
    yield from _if_met(state, seat, after, 5, "artisan")


def _if_met(state: Continent, seat: int, met: Sequence[bool], points: int, character: str) -> Iterator[Ruled]:
    enough = any(met) if state.options["neighbours_meant"] == "either" else all(met)
    cites = _HUNTER if character == "hunter" else _ARTISAN
    yield Ruled(PointsGained(seat, points, character) if enough else EffectEmpty(seat, character), cites)


def _oracle(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    odd = [other for other in state.neighbours(seat) if state.initiative(other) % 2]
    cites = _ORACLE_TWICE if state.seats == 2 else _ORACLE
    if odd:
        yield Ruled(PointsGained(seat, 2 * len(odd), "oracle", " + ".join("2" for _ in odd)), cites)
    else:
        yield Ruled(EffectEmpty(seat, "oracle"), cites)


def _carpenter(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    if state.options["carpenter_counts"] == "new_forest_too":
        yield Ruled(EffectWaits(seat, "carpenter"), _CARPENTER)
        return
    count = forests(state, seat)
    if count:
        yield Ruled(PointsGained(seat, 3 * count, "carpenter", f"3 x {count}"), _CARPENTER)
    else:
        yield Ruled(EffectEmpty(seat, "carpenter"), _CARPENTER)


def _falconer(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    before = state.order.index(seat) - 1
    victim = state.order[before] if before >= 0 else None
    cites = FALCONER if victim is not None else _FIRST_FALCONER
    if victim is None and state.options["falconer_first"] == "last_of_round_before" and isinstance(state.last, int):
        victim = None if state.last == seat else state.last
    if victim is None:
        yield Ruled(EffectEmpty(seat, "falconer"), cites)
        return
    there = max(0, min(2, state.vp[victim]))
    if there < 2:
        cites = (*cites, *_POOR)
    match state.options["falconer_poor"]:
        case "nothing" if there < 2:
            yield Ruled(EffectEmpty(seat, "falconer"), cites)
        case "bank_pays" if there < 2:
            yield Ruled(PointsTaken(seat, victim, 2, 2 - there), cites)
        case _:
            yield Ruled(PointsTaken(seat, victim, there), cites)


def _pathfinder(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    if not isinstance(reply, Chosen):
        yield Ruled(EffectEmpty(seat, "pathfinder"), (*PATHFINDER, *_NOTHING_THERE))
        return
    (key,) = reply.picks
    row = FIRST if key in state.first else SECOND
    column = (state.first if row == FIRST else state.second).index(key)
    yield Ruled(LandLifted(row, column, key), PATHFINDER)
    yield Ruled(then(TopCard()), PATHFINDER)


def _midwife(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    if isinstance(reply, Chosen):
        cites = _ITSELF if reply.picks == ("midwife",) else MIDWIFE
        yield Ruled(CharacterReturned(seat, reply.picks[0]), cites)
    else:
        yield Ruled(EffectEmpty(seat, "midwife"), (*MIDWIFE, *_NOTHING_THERE))


def _rider(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    if isinstance(reply, Moved):
        yield Ruled(LandsTraded(int(reply.start[1:]) - 1, int(reply.end[1:]) - 1), RIDER)
    else:
        yield Ruled(EffectEmpty(seat, "rider"), (*RIDER, *_NOTHING_THERE))


def _pioneer(state: Continent, seat: int, reply: Reply | None) -> Iterator[Ruled]:
    if isinstance(reply, Chosen):
        yield Ruled(LandGiven(seat, reply.picks[0]), PIONEER)
        yield Ruled(then(BottomCard()), PIONEER)
    else:
        yield Ruled(EffectEmpty(seat, "pioneer"), (*PIONEER, *_NOTHING_THERE))


_DOES: dict[str, Callable[[Continent, int, Reply | None], Iterator[Ruled]]] = {
    "fighter": _fighter,
    "bard": _bard,
    "hunter": _hunter,
    "oracle": _oracle,
    "carpenter": _carpenter,
    "falconer": _falconer,
    "pathfinder": _pathfinder,
    "midwife": _midwife,
    "rider": _rider,
    "artisan": _artisan,
    "pioneer": _pioneer,
}
"""By character; the Farmer acts when the land is paid (VB-55)."""
