"""What witnesses saw, before anyone believes it.

A camera reports a `Scene`, a button a `Press`, dice a `DiceSeen`, a track of markers a `MarkersSeen`,
the screen a `Touch`. All carry
who saw it, how sure the witness is and a digest of the evidence, so that the journal can say later
why something was believed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Seen = Literal["empty", "known", "unsure", "unknown", "hidden"]
"""empty: the bare mat; known: one identity stands out; unsure: ranked candidates; unknown: a card,
but none of the enrolled ones; hidden: a hand or another thing is in the way, nothing is said."""


class Candidate(msgspec.Struct, frozen=True):
    """One possible identity and its share of the evidence, 0 to 1."""

    piece: str
    score: float


class Sighting(msgspec.Struct, frozen=True):
    """What was seen in one slot.

    `piece` is the best identity (None unless `seen` is known or unsure), `turn` its quarter turns
    clockwise in the mat frame (0 = printed top towards the mat's top edge), `angle` the free angle
    in degrees clockwise in the mat frame, `offset` the card centre's distance from the slot's
    centre as a share of the card's width, `digest` the SHA-256 of the evidence crop.

    A disc of a board has positions in place of quarter turns; `between` names the two between which it stands,
    the nearer first, and is empty where `turn` can be relied on.
    """

    slot: str
    seen: Seen
    piece: str | None = None
    turn: int | None = None
    angle: float | None = None
    confidence: float = 0.0
    offset: float = 0.0
    candidates: tuple[Candidate, ...] = ()
    digest: str = ""
    between: tuple[int, ...] = ()


class Scene(msgspec.Struct, frozen=True, tag="scene"):
    """Every watched slot at one moment. `steady` is false while a hand is in view or things move."""

    witness: str
    at: float
    sightings: tuple[Sighting, ...]
    steady: bool = True
    hand: bool = False
    problem: str = ""
    """A sentence when the table cannot be seen at all (no mat found, black picture), else empty."""

    @property
    def by_slot(self) -> Mapping[str, Sighting]:
        return {sighting.slot: sighting for sighting in self.sightings}


class Press(msgspec.Struct, frozen=True, tag="press"):
    """A button at a seat: `button` is its function (done, undo, yes, no), `seat` counts from 0."""

    witness: str
    at: float
    seat: int | None
    button: Literal["done", "undo", "yes", "no"]
    evidence: str = ""


class DiceSeen(msgspec.Struct, frozen=True, tag="dice"):
    """Dice at rest: the faces that lie up, in the tray's order.

    Reported once for each throw: who reports the same rest twice answers twice.
    """

    witness: str
    at: float
    faces: tuple[str, ...]
    confidence: float = 1.0
    evidence: str = ""
    problem: str = ""
    """A sentence while the dice do not count (cocked, moving, stacked, half out of view, in a hand).
    Then `faces` are no answer. Without faces and without a problem, an earlier problem is over."""


class MarkersSeen(msgspec.Struct, frozen=True, tag="markers"):
    """The markers of a track (whose turn comes when), first place first; "" is an empty place.

    Reported when it changes. `settled` is false while a marker slides or a hand is over the track;
    then nothing is concluded from `order`.
    """

    witness: str
    at: float
    order: tuple[str, ...]
    settled: bool = True
    evidence: str = ""
    after_gap: bool = False
    """The first one since the witness could not see for a while: the markers may have been moved."""
    problem: str = ""
    """A sentence while the track cannot be read (a marker twice, one that nobody named), else empty."""


class KnobTurned(msgspec.Struct, frozen=True, tag="knob"):
    """A rotary knob was turned by so many steps, positive clockwise; a button then takes what it points at.

    Which choices there are to point at is the screen's business: a session without a screen hears nothing.
    """

    witness: str
    at: float
    steps: int


class Touch(msgspec.Struct, frozen=True, tag="touch"):
    """A choice on the screen: the number of the shown choice, or a typed reply to a question."""

    witness: str
    at: float
    choice: int | None = None
    to: str = ""
    reply: str = ""
    """`to` names the question (its key), `reply` is the reply in notation."""


Observation = Scene | Press | DiceSeen | MarkersSeen | KnobTurned | Touch
