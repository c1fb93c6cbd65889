"""The arrow of a loose marker from picture to picture: told when it lies another way, not while it is turned."""

from __future__ import annotations

from companion.table.mat import Rect
from vision.arrows import ArrowMarker, ArrowReading, ArrowState, see_place
from vision.frame import Frame, Picture
from vision.plane import Plane

REST_S = 0.5
"""A marker that lay the same way for so long has been let go."""

Lie = tuple[ArrowState, int | None, tuple[int, ...]]


class ArrowWatch:
    """One marker and the place of a mat where it belongs. The place has to be empty in the first picture."""

    def __init__(self, marker: ArrowMarker, place: Rect, steps: int = 4) -> None:
        """Watch `place`, in millimetres of the mat; the arrow chooses among `steps` directions."""
        self._marker, self._place, self._steps = marker, place, steps
        self._empty: Picture | None = None
        self._told: Lie = ("empty", None, ())
        self._lies: Lie = self._told
        self._since = float("-inf")

    def look(self, frame: Frame, plane: Plane) -> ArrowReading | None:
        """Return how the marker lies if it has come to lie another way than was told; under a hand it says nothing."""
        view = see_place(frame.picture, plane, self._place)
        if self._empty is None:
            self._empty = view
            return None
        reading = self._marker.read(view, self._empty, self._place, self._steps)
        between = tuple(sorted(turn for turn, _ in reading.candidates)) if reading.state == "unsure" else ()
        lies: Lie = (reading.state, reading.turn if reading.state == "known" else None, between)
        if lies != self._lies:
            self._lies, self._since = lies, frame.at
        if reading.state == "hidden" or lies == self._told or frame.at - self._since < REST_S:
            return None
        self._told = lies
        return reading
