"""Concentric discs of a board: by how many sixths of a turn each lies off its enrolled picture.

Every ring is unrolled (polar coordinates) and laid over the enrolled ring at all turns at once
(circular correlation by Fourier transform). The outermost ring does not turn on the board: its own
turn is that of the whole board, and is taken off the others.

Frame: the board seen squarely from above as a square picture, its middle in the middle, its edge
touching the picture's. Turns are clockwise as seen from above.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frame import Picture, check_picture
from vision.picture import PictureError, read_picture, save_picture
from vision.polar import ANGLES, likeness, nearest, peak, smoothed, unrolled

POSITIONS = 6
BETWEEN = 13.0
"""A disc further than so many degrees from every position lies between two."""

UPRIGHT = 4.0
"""A board that was found by its features is turned by fewer degrees against them."""

VIEW = 480
"""Pixels of the rectified board."""

_LEAST = 0.2
"""A ring that fits less is not seen: pictures of anything else fit up to 0.16, a ring under ninety pieces 0.3."""
_TWIN = 0.12
"""Another position whose fit comes so near to the best one's is in doubt with it."""
_SECTORS = 24
_AGREES = 0.25
_SEEN = 0.55
"""Share of the sectors that must agree with the enrolled picture, else something covers the disc."""

DiscState = Literal["known", "unsure", "hidden"]


class DiscsError(ValueError):
    """A picture or folder that cannot serve as an enrolled board; the message is a sentence for the person."""


@dataclass(frozen=True)
class Ring:
    """One disc as far as it is seen: from `inner` to `outer`, shares of the board's radius."""

    slot: str
    inner: float
    outer: float


RINGS = (Ring("disc-outer", 0.72, 0.97), Ring("disc-middle", 0.42, 0.68), Ring("disc-inner", 0.1, 0.38))
"""The proxy board's rings; the first is the fixed one."""

_GAP, _RIM, _HUB = 0.02, 0.03, 0.1


def rings_between(middle: float, inner: float) -> tuple[Ring, ...]:
    """Return the rings of a board whose middle and inner disc have these radii, shares of half its side.

    :raises DiscsError: if there is no room for a ring on each disc.
    """
    if not _HUB + 0.1 < inner < middle - 0.1 < 0.8:
        raise DiscsError(
            f"radii of the middle and of the inner disc between 0.2 and 0.9 and 0.1 apart were expected, found "
            f"{middle:.2f} and {inner:.2f}; measure from the board's middle to the edge of each disc, in shares of "
            f"half the board's side"
        )
    edges = ((middle + _GAP, 1.0 - _RIM), (inner + _GAP, middle - _GAP), (_HUB, inner - _GAP))
    return tuple(Ring(ring.slot, round(low, 4), round(high, 4)) for ring, (low, high) in zip(RINGS, edges, strict=True))


@dataclass(frozen=True)
class DiscReading:
    """How one disc lies: `turn` in sixths clockwise (0 to 5, None if hidden), `angle` in degrees [0, 360).

    `candidates` are (turn, score), best first: two when the disc lies between two positions. `fit` is
    the correlation with the enrolled picture (-1 to 1), `seen` the share of the ring in view.
    """

    slot: str
    state: DiscState
    turn: int | None
    angle: float
    confidence: float
    candidates: tuple[tuple[int, float], ...] = ()
    fit: float = 0.0
    seen: float = 0.0

    @property
    def says(self) -> str:
        """What is uncertain, in words; empty if nothing is."""
        name = self.slot.replace("disc-", "")
        if self.state == "hidden":
            return f"the {name} disc is covered"
        if self.state == "unsure":
            return f"the {name} disc lies between two positions; turn it until it stands in one"
        return ""

    @property
    def between(self) -> tuple[int, ...]:
        """The two turns between which an unsure disc lies, the nearer first; else empty."""
        return tuple(turn for turn, _ in self.candidates[:2]) if self.state == "unsure" else ()


class DiscBoard:
    """An owner's board of concentric discs, enrolled with all discs in position 0."""

    def __init__(self, picture: Picture, rings: Sequence[Ring] = RINGS, paths: Sequence[str] = ()) -> None:
        """Learn the board from a square picture of it, seen squarely, edge to edge.

        :param paths: what the positions are called, clockwise from the one in which the discs are enrolled
        :raises DiscsError: if the picture is not square, or a ring looks alike at several turns.
        """
        check_picture(picture)
        height, width = picture.shape[:2]
        if abs(height - width) > 2 or width < VIEW // 4:
            raise DiscsError(
                f"a square picture of the board from edge to edge, at least {VIEW // 4} pixels wide, was expected, "
                f"found {width} x {height}; cut it out or tap the board's corners again"
            )
        self.rings, self.paths = tuple(rings), tuple(paths)
        if self.paths and len(set(self.paths)) != POSITIONS:
            raise DiscsError(
                f"a name for each of the {POSITIONS} paths was expected, found {', '.join(self.paths)}; name each once"
            )
        self.picture = picture
        view = np.asarray(cv2.resize(picture, (VIEW, VIEW), interpolation=cv2.INTER_AREA), np.uint8)
        lab = smoothed(view)
        self._rows = [_normed(unrolled(lab, ring.inner, ring.outer)) for ring in self.rings]
        for ring, rows in zip(self.rings[1:], self._rows[1:], strict=True):
            twin = _twin(rows)
            if twin:
                raise DiscsError(
                    f"the {ring.slot.replace('disc-', '')} disc looks alike when it is turned by {twin} sixths: "
                    f"mark one of its fields with a sticker and photograph it again"
                )

    @classmethod
    def from_folder(cls, folder: Path) -> DiscBoard:
        """Load a board that `save` wrote: `board.png` and `rings.json`.

        :raises DiscsError: if a file is missing or does not fit.
        """
        try:
            known = json.loads((folder / "rings.json").read_text(encoding="utf-8"))
            listed, paths = (known["rings"], known["paths"]) if isinstance(known, dict) else (known, ())
            rings = [Ring(str(slot), float(inner), float(outer)) for slot, inner, outer in listed]
            named = [str(path) for path in paths]
            picture = read_picture(folder / "board.png")
        except (OSError, ValueError, TypeError, KeyError, PictureError) as error:
            raise DiscsError(f"{folder} holds no enrolled board ({error}); photograph the board again") from None
        return cls(picture, rings, named)

    def save(self, folder: Path) -> None:
        """Write the board to a folder, which is made if need be."""
        folder.mkdir(parents=True, exist_ok=True)
        save_picture(folder / "board.png", self.picture)
        listed = [[ring.slot, ring.inner, ring.outer] for ring in self.rings]
        known = {"rings": listed, "paths": self.paths}
        (folder / "rings.json").write_text(json.dumps(known, indent=1), encoding="utf-8")

    def read(self, view: Picture) -> tuple[DiscReading, ...]:
        """Return how the turning discs lie in a square view of the board, from the outside in."""
        check_picture(view)
        view = np.asarray(cv2.resize(view, (VIEW, VIEW), interpolation=cv2.INTER_AREA), np.uint8)
        lab = smoothed(view)
        fits = [self._fit(k, unrolled(lab, ring.inner, ring.outer)) for k, ring in enumerate(self.rings)]
        board = peak(fits[0][0])
        # Where the fixed ring does not fit at all, the view is not the board's: then nothing is said of the others.
        lost = float(fits[0][0].max()) < _LEAST
        return tuple(
            DiscReading(ring.slot, "hidden", None, 0.0, 0.0) if lost else _judged(ring.slot, *fit, board)
            for ring, fit in zip(self.rings[1:], fits[1:], strict=True)
        )

    def lies_in(self, view: Picture) -> bool:
        """Tell whether a square view shows the board as it was enrolled: its fixed ring fits, and is not turned."""
        lab = smoothed(np.asarray(cv2.resize(view, (VIEW, VIEW), interpolation=cv2.INTER_AREA), np.uint8))
        fits, _ = self._fit(0, unrolled(lab, self.rings[0].inner, self.rings[0].outer))
        return float(fits.max()) >= _LEAST and abs((peak(fits) + 180.0) % 360.0 - 180.0) < UPRIGHT

    def read_frame(self, picture: Picture, corners: ArrayLike) -> tuple[DiscReading, ...]:
        """Read a camera picture; the square round the board has `corners` (4, 2) in it, clockwise from its top left."""
        return self.read(self.seen_squarely(picture, corners))

    def seen_squarely(self, picture: Picture, corners: ArrayLike) -> Picture:
        """Return the board as it is read, (VIEW, VIEW, 3), out of a picture in which it has these corners."""
        own = np.array([(0, 0), (VIEW, 0), (VIEW, VIEW), (0, VIEW)], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32).reshape(4, 2), own)
        view = cv2.warpPerspective(picture, matrix, (VIEW, VIEW), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(view, np.uint8)

    def _fit(self, ring: int, rolled: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the correlation (-1 to 1) at each of the turns, and at the best one that of each sector."""
        seen = _normed(rolled)
        fits = likeness(seen, self._rows[ring]) / seen.shape[0]
        product = self._rows[ring] * np.roll(seen, -int(np.argmax(fits)), axis=1) * ANGLES
        sectors = np.asarray(product.mean(axis=0).reshape(_SECTORS, -1).mean(axis=1))
        return fits, sectors


def _normed(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Take slow light off each row and bring it to length 1, so that a product of two rows is a correlation."""
    wide = ANGLES // 6 + 1
    around = cv2.blur(np.concatenate((rows, rows, rows), axis=1), (wide, 1))[:, ANGLES : 2 * ANGLES]
    away = rows.astype(np.float64) - around
    # A row without anything on it must not be blown up to noise of length 1.
    return np.asarray(away / (np.linalg.norm(away, axis=1, keepdims=True) + 4.0 * np.sqrt(ANGLES)))


def _twin(rows: NDArray[np.float64]) -> int:
    own = float((rows * rows).sum())
    for sixths in range(1, POSITIONS):
        if float((rows * np.roll(rows, sixths * ANGLES // POSITIONS, axis=1)).sum()) >= (1 - _TWIN) * own:
            return sixths
    return 0


def _judged(slot: str, fits: NDArray[np.float64], sectors: NDArray[np.float64], board: float) -> DiscReading:
    best = float(fits.max())
    angle = (peak(fits) - board) % 360.0
    seen = float(np.mean(sectors > _AGREES * best))
    if best < _LEAST or seen < _SEEN:
        return DiscReading(slot, "hidden", None, angle, 0.0, (), best, seen)
    turn, off = nearest(angle, POSITIONS)
    if abs(off) > BETWEEN:
        other = (turn + (1 if off > 0 else -1)) % POSITIONS
        share = 1 - abs(off) * POSITIONS / 360.0
        return DiscReading(slot, "unsure", turn, angle, 0.5, ((turn, share), (other, 1 - share)), best, seen)
    rival, score = _rival(fits, board, turn, off)
    if score > best - _TWIN:
        return DiscReading(slot, "unsure", turn, angle, 0.5, ((turn, best), (rival, score)), best, seen)
    confidence = float(np.clip((best - score) / max(best, 1e-6) * seen * 1.6, 0.0, 0.99))
    return DiscReading(slot, "known", turn, angle, confidence, ((turn, best), (rival, score)), best, seen)


def _rival(fits: NDArray[np.float64], board: float, turn: int, off: float) -> tuple[int, float]:
    """Return the best other position and its fit."""
    ranked = []
    for other in range(POSITIONS):
        if other != turn:
            at = (other * 360.0 / POSITIONS + off + board) * ANGLES / 360.0
            near = [float(fits[round(at + k) % ANGLES]) for k in range(-6, 7)]
            ranked.append((max(near), other))
    score, rival = max(ranked)
    return rival, score
