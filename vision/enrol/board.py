"""A board of discs out of a photograph: the square round it is cut out by its corners and seen squarely."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.discs import RINGS, VIEW, DiscBoard, DiscsError, Ring
from vision.frame import Picture
from vision.geometry import area, is_upright_quad

LEAST = 120
"""A board whose shortest side has fewer pixels than this was photographed from too far away."""
MOST = 960
"""Pixels of the board that is kept."""


def board_in(
    photograph: Picture, corners: ArrayLike, rings: Sequence[Ring] = RINGS, paths: Sequence[str] = ()
) -> DiscBoard:
    """Learn the board that a photograph (BGR) shows, its discs in position 0.

    :param corners: (4, 2) pixels of the square round it, its own top left first, clockwise

    :raises DiscsError: if the corners cannot be its, or it cannot serve as a board.
    """
    return DiscBoard(seen_from_above(photograph, corners), rings, paths)


def seen_from_above(photograph: Picture, corners: ArrayLike) -> Picture:
    """Return the square with these corners as it is seen squarely from above.

    :raises DiscsError: if they lie outside the photograph or are no such square.
    """
    quad = np.asarray(corners, np.float64).reshape(4, 2)
    height, width = photograph.shape[:2]
    # A board that fills the photograph may have been tapped at its very edge.
    if not np.isfinite(quad).all() or (quad < -1).any() or (quad > (width, height)).any():
        raise DiscsError(f"a corner lies outside the photograph of {width} x {height} pixels; name them again")
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    if not is_upright_quad(quad) or sides.min() < LEAST or area(quad) < LEAST**2 / 2:
        raise DiscsError(
            f"the four points are no square of at least {LEAST} pixels seen in perspective; name them from the "
            "board's own top left clockwise, or photograph the board from nearer"
        )
    side = int(np.clip(sides.max(), VIEW, MOST))
    own = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), own)
    return np.asarray(cv2.warpPerspective(photograph, matrix, (side, side), flags=cv2.INTER_AREA), np.uint8)
