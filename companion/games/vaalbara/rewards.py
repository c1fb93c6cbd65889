"""What a land brings, as a sum whose every term is shown (VB-37 to VB-43, VB-55)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.vaalbara.lands import Land, count_in, types_in
from companion.games.vaalbara.pieces import SEATS
from companion.games.vaalbara.state import Continent
from companion.kernel import UNKNOWN, Citation, Term, Text, cite

CAP = 6
"""The most that a river counts of an initiative at some tables (VB-Q19)."""
_PER_TYPE = {
    "meadow": cite("VB-37"),
    "forest": cite("VB-38"),
    "field": cite("VB-41"),
    "village": cite("VB-42"),
    "river": cite("VB-43"),
}
_SECOND, _FOURTH, _OTHER = cite("VB-39", "VB-Q03"), cite("VB-40", "VB-Q03"), cite("VB-39", "VB-40", "VB-Q03")
_CAPPED = cite("VB-43", "VB-Q19")
_TWICE = cite("VB-37", "VB-Q06")
_FARMER = cite("VB-55")
MOUNTAINS = {2: 10, 4: 20}


def reward(state: Continent, seat: int, land: Land, initiative: int, is_doubled: bool = False) -> Term:
    """Return what a land brings a seat, with its parts; the land is in the kingdom already.

    `initiative` is that of the character played this round.
    """
    parts = tuple(_parts(state, seat, land, initiative))
    points = sum(part.points for part in parts)
    if is_doubled:
        parts = (*parts, Term(Text("reward.doubled"), points, _FARMER))
        points *= 2
    cites = tuple(dict.fromkeys(cited for part in parts for cited in part.cites))
    return Term(Text("reward.land", (("land", land.type),)), points, cites, parts)


def preview(state: Continent, seat: int, key: str) -> Term:
    """Return what a land of the first row would bring a seat now, if it took it this round.

    Before the characters are open, a river brings what it does with the lowest initiative that the seat
    may still play; its text names the highest too.
    """
    kingdoms = tuple((*lands, key) if each == seat else lands for each, lands in enumerate(state.kingdoms))
    later = replace(state, kingdoms=kingdoms)
    character, land = (state.played[seat] if state.played else None), state.box.known(key)
    if character is None and land.type == "river":
        return _open_river(later, seat)
    return reward(later, seat, land, state.initiative(seat), character == "farmer")


def _parts(state: Continent, seat: int, land: Land, initiative: int) -> Iterator[Term]:
    kingdom, box = state.kingdoms[seat], state.box
    cites = _PER_TYPE.get(land.type, ())
    match land.type:
        case "meadow":
            own = count_in(box, kingdom, "meadow")
            yield _counted("reward.own_meadows", own, 1, cites)
            for other in state.neighbours(seat):
                theirs = count_in(box, state.kingdoms[other], "meadow")
                text = Text("reward.meadows_of", (("seat", SEATS[other]), ("count", theirs)))
                yield Term(text, theirs, _TWICE if state.seats == 2 else cites)
        case "forest":
            if land.value is UNKNOWN:
                yield Term(Text("reward.printed_open"), 0, cites)
            else:
                yield Term(Text("reward.printed", (("value", land.value),)), land.value, cites)
        case "mountain":
            yield _mountain(state, seat)
        case "field":
            yield _counted("reward.fields", count_in(box, kingdom, "field"), 2, cites)
        case "village":
            kinds = types_in(box, kingdom)
            text = Text("reward.types", (("count", len(kinds)), ("each", 2), ("types", ", ".join(kinds))))
            yield Term(text, 2 * len(kinds), cites)
        case _:
            rivers = count_in(box, kingdom, "river")
            counts = _counted_initiative(state, initiative)
            text = Text("reward.rivers", (("initiative", counts), ("count", rivers)))
            yield Term(text, counts * rivers, _CAPPED)


def _open_river(state: Continent, seat: int) -> Term:
    """Return what a river brings at least, while nobody knows what the seat plays."""
    rivers = count_in(state.box, state.kingdoms[seat], "river")
    numbers = [_counted_initiative(state, state.box.initiatives[each]) for each in state.playable(seat)]
    least, most = min(numbers), max(numbers)
    text = Text("reward.rivers_open", (("least", least), ("most", most), ("count", rivers), ("highest", most * rivers)))
    part = Term(text, least * rivers, _CAPPED)
    return Term(Text("reward.land", (("land", "river"),)), part.points, part.cites, (part,))


def _counted_initiative(state: Continent, initiative: int) -> int:
    return min(initiative, CAP) if state.options["river_initiative"] == "at_most_six" else initiative


def _counted(key: str, count: int, each: int, cites: tuple[Citation, ...]) -> Term:
    return Term(Text(key, (("count", count), ("each", each))), each * count, cites)


def _mountain(state: Continent, seat: int) -> Term:
    """Only the second and the fourth bring anything; which lands count is the table's reading (VB-Q03)."""
    kingdom = state.kingdoms[seat]
    any_land = state.options["mountain_counts"] == "any_land"
    number = len(kingdom) if any_land else count_in(state.box, kingdom, "mountain")
    points = MOUNTAINS.get(number, 0)
    text = Text("reward.mountain_of_lands" if any_land else "reward.mountain", (("number", number),))
    return Term(text, points, {2: _SECOND, 4: _FOURTH}.get(number, _OTHER))
