"""From an owner's set to the box on the table, and what a box must hold (AL-01, AL-02)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from companion.games.allies.state import Box, TribeCard
from companion.kernel import NotationError


def box_from(faces: Mapping[str, Mapping[str, Any]]) -> Box:
    """Return the box whose cards have these printed fields, by key.

    A tribe card has `sectors`, `arrow`, `symbols`, `diamond`, `crown`; a region card has `tribe`
    alone (`castle` for the red ones). Fields that the set leaves out stay UNKNOWN.
    """
    if _made and _made[0][0] is faces:
        return _made[0][1]
    cards: dict[str, TribeCard] = {}
    regions: dict[str, str] = {}
    for key, fields in faces.items():
        if "sectors" in fields:
            cards[key] = card_from(key, fields)
        else:
            regions[key] = str(fields["tribe"])
    _made[:] = [(faces, Box(cards, regions))]
    return _made[0][1]


_made: list[tuple[Mapping[str, Mapping[str, Any]], Box]] = []
"""The set unpacked last, so that all positions of an evening share one box."""


def card_from(key: str, fields: Mapping[str, Any]) -> TribeCard:
    """Return a tribe card from its printed fields."""
    known = {
        name: fields[name]
        for name in ("tribe", "arrow", "diamond", "crown", "crown_sector")
        if fields.get(name) is not None
    }
    for name in ("sectors", "symbols"):
        if name in fields:
            known[name] = tuple(fields[name])
    return TribeCard(key, **known)


def check_sectors(sectors: Sequence[int], strictly: bool) -> None:
    """Check that four values rise from the weakest sector to the strongest (AL-05, AL-07, AL-Q22).

    :raises NotationError: if one is lower than the one before, or with `strictly` not higher.
    """
    shown = ", ".join(map(str, sectors))
    pairs = list(pairwise(sectors))
    if any(before > after for before, after in pairs):
        raise NotationError(f"sectors: found {shown}; write them from the weakest to the strongest")
    if strictly and any(before == after for before, after in pairs):
        raise NotationError(f"sectors: found {shown}; at this table (AL-Q22) each is higher than the one before")
