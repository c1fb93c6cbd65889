"""What has changed on the table, as values: placed, rotated, moved, swapped, covered, removed.

`Changes` compares one scene at rest with the one before. What cannot be seen just now (a hand, a cup, a
doubt) has not changed: it waits until it is seen again. So a card that was moved is told of once, as moved,
and a card that comes out from under something is the card that went under it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.table.observation import Scene, Sighting

Kind = Literal["found", "placed", "removed", "moved", "swapped", "rotated", "covered", "uncovered"]
"""found: lay there when its slot was first seen; covered: something that is no card hides it."""

TURNED_DEGREES = 20.0
"""A card that is turned by less lies as before."""


class Change(msgspec.Struct, frozen=True):
    """One thing that hands have done.

    `piece` is the card concerned (empty for one that is none of the set's), `slot` where it lies or lay,
    `source` where it came from (moved; for swapped the slot it traded places with, and `other` the card that
    went there). `quarters` is by how many quarter turns clockwise it was turned: 1, -1 or 2; `degrees`
    the exact angle, -180 to 180. `over` is the card that it now covers, `under` the one that came to light as it
    went. `digest` is the SHA-256 of the crop that shows it. A disc of a board is only ever found and rotated;
    `position` is what the position is called in which it stands now.
    """

    kind: Kind
    slot: str
    piece: str
    at: float
    digest: str
    source: str = ""
    other: str = ""
    quarters: int = 0
    degrees: float = 0.0
    over: str = ""
    under: str = ""
    position: str = ""


class _Card(msgspec.Struct, frozen=True):
    piece: str
    turn: int
    angle: float
    digest: str


_Move = tuple[str, str]
"""From which slot to which."""


class Changes:
    """Follows the scenes of one table. Not safe to share between threads."""

    def __init__(self) -> None:
        self._lies: dict[str, _Card | None] = {}
        self._below: dict[str, list[str]] = {}
        self._hidden: set[str] = set()

    def take(self, scene: Scene) -> tuple[Change, ...]:
        """Return what has changed since the last scene at rest; nothing for a scene that is not at rest."""
        if not scene.steady or scene.hand:
            return ()
        covers = self._covered(scene)
        clear = {s.slot: s for s in scene.sightings if s.seen in ("known", "empty", "unknown")}
        now = {slot: _card(sighting) for slot, sighting in clear.items()}
        first = {slot: card for slot, card in now.items() if slot not in self._lies}
        self._lies |= first
        found = [Change("found", slot, card.piece, scene.at, card.digest) for slot, card in first.items() if card]
        before = {slot: self._lies[slot] for slot in now}
        gone = {s: card for s, card in before.items() if card and _piece(card) != _piece(now[s])}
        come = {s: card for s, card in now.items() if card and _piece(card) != _piece(before[s])}
        doubted = {c.piece for s in scene.sightings if s.seen == "unsure" for c in s.candidates}
        # A card that is doubtful elsewhere may be this one: then it was moved, not taken away.
        waits = {s for s, card in gone.items() if s not in come and card.piece in doubted}
        told = [*covers, *found, *_rotated(before, now, scene.at)]
        moves = _pairs({s: card for s, card in gone.items() if s not in waits}, come)
        told += self._moved(moves, gone, come, scene.at)
        left = {source for source, _ in moves} | waits
        for target in come.keys() - {target for _, target in moves}:
            told.append(
                self._placed(target, come[target], gone[target] if target in gone.keys() - left else None, scene.at)
            )
        for slot in gone.keys() - left - come.keys():
            told.append(Change("removed", slot, gone[slot].piece, scene.at, clear[slot].digest))
            self._below.pop(slot, None)
        self._lies |= {slot: card for slot, card in now.items() if slot not in waits}
        return tuple(told)

    def _covered(self, scene: Scene) -> list[Change]:
        """Return which cards something was laid over that is no card, and which came to light as they were."""
        told = []
        for sighting in scene.sightings:
            slot, card, hidden = sighting.slot, self._lies.get(sighting.slot), sighting.seen == "hidden"
            if hidden and slot not in self._hidden:
                self._hidden.add(slot)
                if card:
                    told.append(Change("covered", slot, card.piece, scene.at, sighting.digest or card.digest))
            elif slot in self._hidden and not hidden and sighting.seen != "unsure":
                self._hidden.discard(slot)
                if card and card.piece == (sighting.piece or ""):
                    told.append(Change("uncovered", slot, card.piece, scene.at, sighting.digest))
        return told

    def _placed(self, slot: str, card: _Card, old: _Card | None, at: float) -> Change:
        """Return what it means that `card` lies where `old` lay: it covers it, or lay under it."""
        below = self._below.setdefault(slot, [])
        if old and below and below[-1] == card.piece:
            below.pop()
            return Change("removed", slot, old.piece, at, card.digest, under=card.piece)
        if old:
            below.append(old.piece)
        return Change("placed", slot, card.piece, at, card.digest, over=old.piece if old else "")

    def _moved(self, moves: list[_Move], gone: dict[str, _Card], come: dict[str, _Card], at: float) -> list[Change]:
        told, started = [], {source for source, _ in moves}
        for source, target in moves:
            card, back = come[target], (target, source) in moves
            if back and source > target:
                continue  # told of with its partner
            quarters, degrees = _turn(gone[source], card)
            over = gone[target].piece if target in gone and target not in started else ""
            if over:
                self._below.setdefault(target, []).append(over)
            kind: Kind = "swapped" if back else "moved"
            other = come[source].piece if back else ""
            told.append(Change(kind, target, card.piece, at, card.digest, source, other, quarters, degrees, over))
        return told


def _pairs(gone: dict[str, _Card], come: dict[str, _Card]) -> list[_Move]:
    """Return which cards that are gone are which that have come: the same piece, those that lie alike first."""
    moves: list[_Move] = []
    for alike in (True, False):
        for source, old in gone.items():
            for target, new in come.items():
                taken = any(source == start or target == end for start, end in moves)
                if not taken and old.piece and new.piece == old.piece and (new.turn == old.turn or not alike):
                    moves.append((source, target))
    return moves


def _rotated(before: dict[str, _Card | None], now: dict[str, _Card | None], at: float) -> list[Change]:
    told = []
    for slot, card in now.items():
        old = before[slot]
        if card is None or old is None or not card.piece or card.piece != old.piece:
            continue
        quarters, degrees = _turn(old, card)
        if quarters or abs(degrees) > TURNED_DEGREES:
            told.append(Change("rotated", slot, card.piece, at, card.digest, quarters=quarters, degrees=degrees))
    return told


def _turn(old: _Card, new: _Card) -> tuple[int, float]:
    """Return quarter turns clockwise (-1, 0, 1, 2) and degrees (-180 to 180) from one card to the other."""
    return (new.turn - old.turn + 1) % 4 - 1, round((new.angle - old.angle + 180.0) % 360.0 - 180.0, 1)


def _card(sighting: Sighting) -> _Card | None:
    if sighting.seen == "empty":
        return None
    return _Card(sighting.piece or "", sighting.turn or 0, sighting.angle or 0.0, sighting.digest)


def _piece(card: _Card | None) -> str | None:
    return card.piece if card else None
