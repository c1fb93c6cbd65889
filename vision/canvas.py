"""The patch redrawn at the scale of the enrolled faces, and views of one card cut from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import FEATURE_SIDE, feature_size
from vision.geometry import is_upright_quad, project, rectangle, scaled
from vision.texture import COARSE, FINE, colour_sheet, texture

MARGIN = 0.32
"""Paper around the expected card in the canvas, as a share of its side."""

CLOSE = 0.12
"""The same where a card is known to lie to a few pixels."""

_BLURRED = 25
"""Pixels of the canvas round a covering card that are not trusted: half the texture's neighbourhood."""

PATCH_SHARE = 0.78
"""Share of the patch's shorter side that a card takes when no corners are given."""


@dataclass(frozen=True, eq=False)
class Canvas:
    """A picture in which the card is about as large as the enrolled faces.

    `colour` BGR uint8; `to_patch` (3, 3) maps canvas pixels to patch pixels; `centre` is where the
    card's middle is expected, `quad` (4, 2) where its corners are hinted, or None; `size` is width and height
    of the patch; `visible` uint8 is 0 where another card is known to lie on top, or None if nothing is
    known to.
    """

    colour: NDArray[np.uint8]
    to_patch: NDArray[np.float64]
    centre: tuple[float, float]
    quad: NDArray[np.float64] | None
    size: tuple[int, int]
    visible: NDArray[np.uint8] | None = None

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        return np.asarray(cv2.cvtColor(self.colour, cv2.COLOR_BGR2GRAY), dtype=np.uint8)

    @cached_property
    def half(self) -> NDArray[np.uint8]:
        """The grey canvas at half size, so that coarse views do not shimmer."""
        height, width = self.grey.shape
        return np.asarray(
            cv2.resize(self.grey, ((width + 1) // 2, (height + 1) // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8
        )

    @property
    def expected(self) -> NDArray[np.float64]:
        """The hinted quad, or an upright square where the card is expected."""
        if self.quad is not None:
            return self.quad
        half = FEATURE_SIDE / 2
        square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], dtype=np.float64)
        return square + np.array(self.centre, dtype=np.float64)

    def coarse(self, matrix: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the texture (COARSE, COARSE) of a card; `matrix` maps fine view pixels to canvas pixels."""
        down = np.array([(0.5, 0, -0.25), (0, 0.5, -0.25), (0, 0, 1)]) @ matrix @ scaled(FINE / COARSE)
        return texture(np.asarray(_cut(self.half, down, COARSE), dtype=np.uint8))

    def coarse_visible(self, matrix: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Return what of a coarse view (COARSE, COARSE) is not covered: 1 or 0."""
        if self.visible is None:
            return np.ones((COARSE, COARSE), np.uint8)
        return _cut(self.visible, matrix @ scaled(FINE / COARSE), COARSE)

    def covered_by(self, quads: Sequence[NDArray[np.float64]]) -> Canvas:
        """Return the canvas with cards at `quads` (4, 2), in patch pixels, known to lie on top."""
        visible = np.ones(self.grey.shape, np.uint8)
        back = np.asarray(np.linalg.inv(self.to_patch), dtype=np.float64)
        for quad in quads:
            outline = project(back, quad)
            if is_upright_quad(outline):
                cv2.fillConvexPoly(visible, np.round(outline).astype(np.int32), 0)
        # The edge of what hides spoils the texture of its neighbourhood, and so does its shadow.
        return replace(
            self, visible=np.asarray(cv2.erode(visible, np.ones((_BLURRED, _BLURRED), np.uint8)), dtype=np.uint8)
        )

    def fine(self, matrix: NDArray[np.float64]) -> View:
        """Return the view of a card; `matrix` (3, 3) maps view pixels to canvas pixels."""
        colour = _cut(self.colour, matrix, FINE)
        grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        visible = None if self.visible is None else _cut(self.visible, matrix, FINE)
        return View(grey, texture(grey), colour_sheet(colour), visible, self._in_patch(matrix))

    def _in_patch(self, matrix: NDArray[np.float64]) -> NDArray[np.uint8] | None:
        """Return where a fine view shows what is in the patch, or None if all of it is."""
        to_patch = self.to_patch @ matrix
        corners = project(to_patch, rectangle(FINE, FINE))
        if (corners > -1.5).all() and (corners < np.array(self.size) + 0.5).all():
            return None
        frame = project(np.asarray(np.linalg.inv(to_patch), dtype=np.float64), rectangle(*self.size))
        shown = np.zeros((FINE, FINE), np.uint8)
        cv2.fillConvexPoly(shown, np.round(np.clip(frame, -9999, 9999)).astype(np.int32), 1)
        return shown


@dataclass(frozen=True, eq=False)
class View:
    """A card warped to a square.

    `grey` uint8 and `texture` float32 are (FINE, FINE), `colours` uint8 is (COLOURS, COLOURS, 2),
    `visible` is 0 where another card lies on top, or None; `shown` is 0 where the card lies beyond the picture,
    whose rim is repeated there, or None.
    """

    grey: NDArray[np.uint8]
    texture: NDArray[np.float32]
    colours: NDArray[np.uint8]
    visible: NDArray[np.uint8] | None = None
    shown: NDArray[np.uint8] | None = None


def whole_patch(patch: NDArray[np.uint8]) -> Canvas:
    """Take the card to lie in the middle of the patch and to fill about three quarters of it."""
    height, width = patch.shape[:2]
    scale = FEATURE_SIDE / (PATCH_SHARE * min(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    colour = cv2.resize(patch, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    centre = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    return Canvas(np.asarray(colour, dtype=np.uint8), scaled(1 / scale), centre, None, (width, height))


def hinted(
    patch: NDArray[np.uint8],
    corners: NDArray[np.float64],
    aspect: float,
    wide: bool | None = None,
    margin: float = MARGIN,
) -> Canvas:
    """Warp the patch so that the hinted card becomes a rectangle of the deck's shape.

    `corners` (4, 2) go round the card from any corner; `aspect` is width over height of its face.
    `wide` says whether the side from the first to the second corner is a long one; if None, the
    longer one in the picture is taken. `margin` is what is shown around it, as a share of its side.

    :raises ValueError: if the corners are not four points round an area.
    """
    hint = _checked(corners)
    edges = np.hypot(*(np.roll(hint, -1, axis=0) - hint).T)
    if wide is None:
        wide = slant(hint) > 0
    long, short = max(aspect, 1 / aspect), min(aspect, 1 / aspect)
    width, height = feature_size(long if wide else short, 1.0)
    edge = round(margin * FEATURE_SIDE)
    quad = rectangle(width, height) + edge
    back = np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), hint.astype(np.float32)), np.float64)
    source, shrink = patch, float(edges.mean()) / FEATURE_SIDE
    if shrink > 2:
        # A warp samples single pixels; a large card is first brought near its size there.
        factor = 1 / int(shrink)
        source = np.asarray(cv2.resize(patch, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        exact = source.shape[1] / patch.shape[1], source.shape[0] / patch.shape[0]
        sample = np.array([(exact[0], 0, 0.5 * exact[0] - 0.5), (0, exact[1], 0.5 * exact[1] - 0.5), (0, 0, 1)]) @ back
    else:
        sample = back
    colour = cv2.warpPerspective(
        source,
        sample,
        (width + 2 * edge, height + 2 * edge),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    centre = (edge + (width - 1) / 2, edge + (height - 1) / 2)
    return Canvas(np.asarray(colour, dtype=np.uint8), back, centre, quad, (patch.shape[1], patch.shape[0]))


def slant(corners: NDArray[np.float64]) -> float:
    """Return the logarithm of the first side over the second side of a quadrilateral (4, 2)."""
    edges = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return float(np.log((edges[0] + edges[2]) / (edges[1] + edges[3])))


def _checked(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    hint = np.asarray(corners, dtype=np.float64)
    if hint.shape != (4, 2) or not np.isfinite(hint).all():
        raise ValueError(f"corners must be four finite points of shape (4, 2), not {hint.shape}")
    if not is_upright_quad(hint):
        hint = hint[::-1]
    if not is_upright_quad(hint):
        raise ValueError("corners must go round the card, from any corner")
    return hint


def _cut(picture: NDArray[np.uint8], matrix: NDArray[np.float64], side: int) -> NDArray[np.uint8]:
    return np.asarray(
        cv2.warpPerspective(
            picture,
            matrix,
            (side, side),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        dtype=np.uint8,
    )
