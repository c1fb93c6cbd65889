"""What was found out about a camera over a mat, kept for the next evening: corners set by hand, the lens."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from companion.presenters.models import Point

CALIBRATION_FILE = "calibration.json"
Corners = tuple[Point, Point, Point, Point]

_log = logging.getLogger(__name__)


class Calibration(msgspec.Struct, frozen=True):
    """One camera over one mat.

    `corners` are the mat's, set by hand, as shares of the picture, clockwise from its top left; None: the
    printed markers serve. `k1` says how the lens bends (`vision.lens`), None: nothing is known yet.
    """

    camera: str
    mat: str
    corners: Corners | None = None
    k1: float | None = None


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
