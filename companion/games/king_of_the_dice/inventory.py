"""From a set to the box on the table (KD-01, KD-02): which piece is what, by its printed fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.king_of_the_dice.conditions import condition_from
from companion.games.king_of_the_dice.pieces import PLACES
from companion.games.king_of_the_dice.state import Box, PlaceCard, Villager
from companion.kernel import NotationError

NO_COLOUR = "none"
VILLAGERS, PENALTIES = 40, 10
"""How many cards of these kinds there are (KD-02)."""

_PLACE_COLOURS = ("yellow", "brown", "blue", "green", "violet")
_PLACE_POINTS = (2, 3, 4)
_OURS = {
    f"{place.replace(' ', '-')}-{points}": {"place": place, "colour": colour, "points": points}
    for place, colour in zip(PLACES, _PLACE_COLOURS, strict=True)
    for points in _PLACE_POINTS
}
"""The place cards where no set is on the table; their points are KD-06, their colours are common to all printings."""


def box_from(faces: Mapping[str, Mapping[str, Any]], options: Mapping[str, str]) -> Box:
    """Return the box whose pieces have these printed fields, by key.

    A villager has `kind`, `colour`, `points` and what its kind asks for; a place card `place`, `colour`
    and `points`; a penalty card `minus`; a die `net`, its six faces such as `red-3`.

    :raises NotationError: for a villager whose condition is not all there, naming it.
    """
    if _made and _made[0][0] is faces and _made[0][1] == options:
        return _made[0][2]
    villagers = {key: villager_from(key, fields, options) for key, fields in faces.items() if "kind" in fields}
    places = {key: place_from(key, fields) for key, fields in (faces or _OURS).items() if "place" in fields}
    penalties = {key: int(fields["minus"]) for key, fields in faces.items() if "minus" in fields}
    dice = tuple(tuple(fields["net"]) for fields in faces.values() if "net" in fields)
    _made[:] = [(faces, dict(options), Box(villagers, places, penalties, dice, is_listed=bool(faces)))]
    return _made[0][2]


_made: list[tuple[Mapping[str, Mapping[str, Any]], Mapping[str, str], Box]] = []
"""The set unpacked last, so that all positions of an evening share one box."""


def villager_from(key: str, fields: Mapping[str, Any], options: Mapping[str, str]) -> Villager:
    """Return a villager from its printed fields.

    :raises NotationError: if its condition is not all there.
    """
    kind, colour = str(fields["kind"]), str(fields.get("colour", NO_COLOUR))
    try:
        condition = condition_from(kind, fields, options)
    except NotationError as error:
        raise NotationError(f"{key}: {error}") from None
    return Villager(key, kind, "" if colour == NO_COLOUR else colour, int(fields.get("points", 0)), condition)


def place_from(key: str, fields: Mapping[str, Any]) -> PlaceCard:
    """Return a place card from its printed fields."""
    return PlaceCard(key, str(fields["place"]), str(fields["colour"]), int(fields["points"]))


def full_stacks(box: Box, options: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """Return the five place stacks from left to right, each from the top (KD-05, KD-06, KD-07, KD-Q01)."""
    falling = options["place_order"] == "two_at_the_bottom"
    return tuple(
        tuple(
            card.key
            for card in sorted(box.places.values(), key=lambda each: each.points, reverse=falling)
            if card.place == place
        )
        for place in PLACES
    )
