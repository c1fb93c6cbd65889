"""What was found out about a camera over a mat, kept for the next evening: corners set by hand, the lens."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.presenters.models import Point
from vision.anchors import Anchor

CALIBRATION_FILE = "calibration.json"
Corners = tuple[Point, Point, Point, Point]

_log = logging.getLogger(__name__)


class CornerLook(msgspec.Struct, frozen=True):
    """How a corner of the mat looked: a small grey picture (`png`), its top left pixel and the corner's own."""

    at: Point
    corner: tuple[int, int]
    png: bytes


class Calibration(msgspec.Struct, frozen=True):
    """One camera over one mat.

    `corners` are the mat's, set by hand, as shares of the picture, clockwise from its top left; None: the
    printed markers serve. `looks` is what they looked like, so that another evening can tell whether the camera
    still stands there. `k1` says how the lens bends (`vision.lens`), None: nothing is known yet.
    """

    camera: str
    mat: str
    corners: Corners | None = None
    k1: float | None = None
    looks: tuple[CornerLook, ...] = ()


def looks_of(anchors: Sequence[Anchor]) -> tuple[CornerLook, ...]:
    """Return anchors as they are written down."""
    return tuple(CornerLook(each.at, each.corner, cv2.imencode(".png", each.template)[1].tobytes()) for each in anchors)


def anchors_of(looks: Sequence[CornerLook]) -> tuple[Anchor, ...]:
    """Return anchors as they were written down; a broken one is left out."""
    anchors = []
    for look in looks:
        template = cv2.imdecode(np.frombuffer(look.png, np.uint8), cv2.IMREAD_GRAYSCALE) if look.png else None
        if template is not None:
            anchors.append(Anchor(np.asarray(template, np.uint8), look.corner, look.at))
    return tuple(anchors)


class Calibrations:
    """The calibrations of one home."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def of(self, camera: str, mat: str) -> Calibration:
        """Return what is known; nothing at all for a camera or mat that is new, or a file that cannot be read."""
        for kept in self._all():
            if (kept.camera, kept.mat) == (camera, mat):
                return kept
        return Calibration(camera, mat)

    def keep(self, calibration: Calibration) -> str:
        """Keep what is known in place of what was; return a sentence why not, empty when it is done."""
        others = [c for c in self._all() if (c.camera, c.mat) != (calibration.camera, calibration.mat)]
        fresh = self._file.with_name(self._file.name + ".new")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(msgspec.json.encode([*others, calibration]))
            fresh.replace(self._file)
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
            return f"The corners hold until the end only: {self._file} cannot be written ({reason})."
        return ""

    def _all(self) -> list[Calibration]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=list[Calibration])
        except FileNotFoundError:
            return []
        except (OSError, msgspec.MsgspecError) as error:
            _log.warning("%s cannot be read (%s); the mat is looked for by its markers", self._file, error)
            return []
