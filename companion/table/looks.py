"""What a scene allows in each slot: the readings of a picture, as far as they are believed.

A look is a set of possible pieces with the quarter turn in which they lie. The picture ranks them;
the rules may only choose among those inside the margin of doubt.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.kernel import Lying
from companion.table.observation import Scene, Sighting
from companion.table.policy import Policy


class Look(msgspec.Struct, frozen=True):
    """What may lie in a slot.

    `pieces` are the identities inside the margin of doubt, best first; empty means the bare slot,
    unless `blind` (nothing can be said: anything may lie there) or `stranger` (a card that is not
    in the set). `askew` tells that it is blind because the card lies between two quarter turns; of a disc
    that stands between two positions, `between` names both.
    """

    slot: str
    pieces: tuple[str, ...] = ()
    turn: int | None = None
    blind: bool = False
    stranger: bool = False
    askew: bool = False
    confidence: float = 1.0
    digest: str = ""
    between: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.pieces or self.blind or self.stranger)

    def fits(self, lying: Lying | None) -> bool:
        """Return whether the look agrees with what should lie there (None: nothing)."""
        if self.blind:
            return True
        if lying is None:
            return self.is_empty
        if self.stranger:
            return not lying.piece
        if self.is_empty:
            return False
        known = not lying.piece or lying.piece in self.pieces
        turns = self.between or (() if self.turn is None else (self.turn,))
        return known and (not turns or not lying.turns.isdisjoint(turns))

    @property
    def essence(self) -> tuple[object, ...]:
        """What of the look can change an explanation; the rest differs from picture to picture."""
        return self.slot, self.pieces, self.turn, self.blind, self.stranger, self.between

    def as_lying(self) -> Lying | None:
        """Return what may go on looking like this while hands have not followed yet."""
        if self.is_empty:
            return None
        return Lying(self.pieces[0] if self.pieces else "", ANY_TURN)


ANY_TURN = frozenset(range(6))


def look_at(scene: Scene, policy: Policy) -> Mapping[str, Look]:
    """Return the look of every watched slot."""
    return {sighting.slot: _look(sighting, policy) for sighting in scene.sightings}


def _look(seen: Sighting, policy: Policy) -> Look:
    match seen.seen:
        case "empty":
            return Look(seen.slot, confidence=seen.confidence, digest=seen.digest)
        case "hidden":
            return Look(seen.slot, blind=True)
        case "known" | "unsure" if _askew(seen) > policy.askew:
            return Look(seen.slot, blind=True, askew=True)
        case "unknown":
            return Look(seen.slot, (), seen.turn, stranger=True, digest=seen.digest)
        case "known" if seen.piece is not None and seen.confidence >= policy.camera_sure:
            return Look(seen.slot, (seen.piece,), seen.turn, confidence=seen.confidence, digest=seen.digest)
        case _:
            pieces = tuple(c.piece for c in seen.candidates) or ((seen.piece,) if seen.piece else ())
            best = max((c.score for c in seen.candidates), default=0.0)
            margin = tuple(c.piece for c in seen.candidates if c.score >= policy.margin * best) or pieces
            if not margin:
                return Look(seen.slot, (), seen.turn, stranger=True, digest=seen.digest)
            turn = None if seen.between else seen.turn
            return Look(seen.slot, margin, turn, confidence=seen.confidence, digest=seen.digest, between=seen.between)


def _askew(seen: Sighting) -> float:
    """Return by how many degrees a card lies off its nearest quarter turn."""
    if seen.angle is None:
        return 0.0
    off = seen.angle % 90.0
    return min(off, 90.0 - off)
