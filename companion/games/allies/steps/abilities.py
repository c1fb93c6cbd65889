"""The special abilities (AL-78 to AL-91), each as an offer, its reasons against and its effects."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.allies.domains import RegionSwaps, Shifts
from companion.games.allies.effects import (
    CardMoved,
    CardReset,
    CardsDrawn,
    MaximumRaised,
    RegionsSwapped,
    RegionTurned,
)
from companion.games.allies.state import CASTLE, COLUMNS, SEATS, SLOTS, Duel, Laid, slot
from companion.kernel import (
    UNKNOWN,
    Confirmed,
    Domain,
    Kind,
    Moved,
    OneOf,
    Question,
    Refusal,
    Reply,
    Ruled,
    Text,
    Turned,
    cite,
    refuse,
)

ABILITIES = ("gnome", "golem", "wizard", "yeti")
"""Abilities that are used after the card lies; the Cyclops' is used in laying it."""
_USE = cite("AL-47", "AL-78", "AL-79")
_YETI = cite("AL-83", "AL-85")
_CASTLE = cite("AL-13", "AL-83", "AL-84")
_GNOME = cite("AL-86", "AL-87")
_WIZARD = cite("AL-88")
_GOLEM = cite("AL-89", "AL-90")
_TABLE = cite("table/question")
_KIND: dict[str, Kind] = {"yeti": "move", "gnome": "move", "wizard": "confirm", "golem": "turn"}
_WHY = {"yeti": _YETI, "gnome": _GNOME, "wizard": _WIZARD, "golem": _GOLEM}


def ability_offer(state: Duel, ability: str, seat: int, fresh: str) -> Question | None:
    """Return the offer of an ability, None if there is nothing it could be used on."""
    domain: Domain
    match ability:
        case "yeti":
            domain = RegionSwaps(state)
        case "gnome":
            domain = Shifts(state, _gnome_seats(state, seat), fresh if _gnome_bars_itself(state) else "")
        case "wizard":
            if state.raised[seat] and state.options["several_wizards"] == "at_most_one":
                return None
            domain = _YES
        case _:
            domain = OneOf(_golem_targets(state, seat))
    if next(iter(domain), None) is None:
        return None
    return Question(ability, _KIND[ability], seat, domain, (*_WHY[ability], *_USE), Text(f"offer.{ability}"))


_YES = OneOf((Confirmed(True),))


def refuse_ability(state: Duel, ability: str, reply: Reply, seat: int, fresh: str) -> Refusal | None:
    """Return the reason against using an ability like this, or None."""
    match ability, reply:
        case "yeti", Moved():
            return _no_swap(state, reply)
        case "gnome", Moved():
            return _no_shift(state, reply, seat, fresh)
        case "golem", Turned():
            return _no_reset(state, reply, seat)
        case "wizard", Confirmed(yes=False):
            return refuse(_TABLE, "wizard.not_used")
        case _:
            return None


def use_ability(state: Duel, ability: str, reply: Reply, seat: int) -> Iterator[Ruled]:
    """Yield the effects of an ability that `refuse_ability` let pass."""
    match ability, reply:
        case "yeti", Moved(start=start, end=end):
            yield Ruled(RegionsSwapped(SLOTS[start][1], SLOTS[end][1]), _YETI)
        case "gnome", Moved(start=start, end=end):
            row, column = SLOTS[start]
            yield Ruled(CardMoved(SEATS.index(row), column, SLOTS[end][1]), _GNOME)
        case "golem", Turned(slot=at):
            yield from _reset(state, at)
        case _:
            yield Ruled(MaximumRaised(seat), (*_WIZARD, *cite("AL-Q17")) if state.raised[seat] else _WIZARD)
            if state.options["wizard_draws"] == "at_once":
                yield Ruled(CardsDrawn(seat, 1), cite("AL-88", "AL-Q23"))


def _no_swap(state: Duel, reply: Moved) -> Refusal | None:
    places = [SLOTS.get(each, ("", 0)) for each in (reply.start, reply.end)]
    if not reply.swap or any(row != "R" for row, _ in places) or reply.start == reply.end:
        return refuse(_YETI, "yeti.two_regions", start=reply.start, end=reply.end)
    for at, (_, column) in zip((reply.start, reply.end), places, strict=True):
        region = state.regions[column]
        if region is None:
            return refuse(_YETI, "yeti.empty", slot=at)
        if state.box.kind(region.key) == CASTLE:
            return refuse(_CASTLE, "yeti.castle", slot=at)
    return None


def _gnome_seats(state: Duel, seat: int) -> tuple[int, ...]:
    return (0, 1) if state.options["gnome_moves"] == "either" else (1 - seat,)


def _gnome_bars_itself(state: Duel) -> bool:
    return state.options["gnome_moves_played_card"] == "barred"


def _no_shift(state: Duel, reply: Moved, seat: int, fresh: str) -> Refusal | None:
    (row, start), (end_row, end) = SLOTS.get(reply.start, ("", 0)), SLOTS.get(reply.end, ("", 0))
    if reply.swap or row not in ("A", "B") or state.rows[SEATS.index(row)][start] is None:
        return refuse(_GNOME, "gnome.no_card", slot=reply.start)
    owner = SEATS.index(row)
    if owner not in _gnome_seats(state, seat):
        return refuse(cite("AL-86", "AL-E27"), "gnome.opponents_only", slot=reply.start)
    if reply.start == fresh and _gnome_bars_itself(state):
        return refuse(cite("AL-86", "AL-Q08"), "gnome.itself", slot=reply.start)
    if end_row != row:
        return refuse(_GNOME, "gnome.other_row", start=reply.start, end=reply.end)
    if (there := state.rows[owner][end]) is not None:
        return refuse(_GNOME, "gnome.occupied", end=reply.end, there=there.card.key)
    return None


def _golem_targets(state: Duel, seat: int) -> list[Reply]:
    turns = state.options["golem_turns"]
    seats = (seat,) if turns == "own_tribe_card" else (0, 1)
    targets: list[Reply] = [
        Turned(slot(each, column))
        for each in seats
        for column in range(COLUMNS)
        if (laid := state.rows[each][column]) is not None and _turned_away(laid)
    ]
    if turns == "any_card":
        targets += [Turned(slot("R", column)) for column, region in enumerate(state.regions) if region and region.arrow]
    return targets


def _no_reset(state: Duel, reply: Turned, seat: int) -> Refusal | None:
    row, column = SLOTS.get(reply.slot, ("", 0))
    if row == "R":
        if state.options["golem_turns"] != "any_card":
            return refuse(cite("AL-89", "AL-Q09"), "golem.region", slot=reply.slot)
        if (region := state.regions[column]) is None:
            return refuse(_GOLEM, "golem.no_card", slot=reply.slot)
        return None if region.arrow else refuse(cite("AL-89", "AL-Q09"), "golem.as_laid", slot=reply.slot)
    if row not in ("A", "B") or (laid := state.rows[SEATS.index(row)][column]) is None:
        return refuse(_GOLEM, "golem.no_card", slot=reply.slot)
    if state.options["golem_turns"] == "own_tribe_card" and SEATS.index(row) != seat:
        return refuse(cite("AL-90", "AL-Q09"), "golem.own_only", slot=reply.slot)
    return None if _turned_away(laid) else refuse(_GOLEM, "golem.as_laid", slot=reply.slot)


def _turned_away(laid: Laid) -> bool:
    """Return whether the card shows another sector than its arrow's, as far as is known."""
    return laid.facing is UNKNOWN or laid.facing != laid.card.arrow


def _reset(state: Duel, at: str) -> Iterator[Ruled]:
    row, column = SLOTS[at]
    if row == "R":
        yield Ruled(RegionTurned(column, 0, 0), cite("AL-89", "AL-Q09"))
        return
    seat = SEATS.index(row)
    laid = state.rows[seat][column]
    assert laid is not None  # noqa: S101  refused before
    yield Ruled(CardReset(seat, column, laid.card.arrow), _GOLEM)
