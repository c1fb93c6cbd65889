"""From an owner's set to the box on the table, and what a box must hold (AL-01, AL-02)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.allies.state import Box, TribeCard


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
