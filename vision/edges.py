"""How much of an edge lies along the sides of an outline: what parts a card's outline from a chance one."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

_SAMPLES = np.linspace(0.1, 0.9, 24)
"""Places along a side, as shares of it: the printed corners of cards are round."""

_STEEP, _EDGE = 8.0, 6.0
_BRIGHTEST = 98

_REACH = 3
"""Pixels by which an edge may lie beside the side of an outline."""


@dataclass(frozen=True, eq=False)
class EdgeField:
    """The slope of a grey picture, (height, width) float32 in grey levels a pixel, `scale` of the photograph.

    `noise` is the slope that half of the picture has, `light` how bright its brightest places are, 0 to 1:
    slopes shrink with the light.
    """

    across: NDArray[np.float32]
    down: NDArray[np.float32]
    scale: float
    noise: float
    light: float

    @classmethod
    def of(cls, grey: NDArray[np.uint8], scale: float) -> EdgeField:
        """Return the field of a picture that is `scale` of the photograph."""
        across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.25)
        down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.25)
        noise = float(np.median(np.abs(across[::4, ::4]) + np.abs(down[::4, ::4])))
        light = float(np.percentile(grey[::4, ::4], _BRIGHTEST)) / 255
        return cls(np.asarray(across, np.float32), np.asarray(down, np.float32), scale, noise, light)

    def strengths(self, quads: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for outlines (n, 4, 2) in pixels of the photograph the slope across each side, (n, 4).

        It is the median along the side, so that a finger or a die on it does not count.
        """
        own = (quads + 0.5) * self.scale - 0.5
        along = np.roll(own, -1, axis=1) - own
        normal = np.stack((along[..., 1], -along[..., 0]), axis=-1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-9
        points = own[:, :, None] + _SAMPLES[:, None] * along[:, :, None]
        offsets = np.arange(-_REACH, _REACH + 1)
        places = np.rint(points[:, :, :, None] + offsets[:, None] * normal[:, :, None, None]).astype(np.intp)
        height, width = self.across.shape
        x, y = np.clip(places[..., 0], 0, width - 1), np.clip(places[..., 1], 0, height - 1)
        slope = self.across[y, x] * normal[:, :, None, None, 0] + self.down[y, x] * normal[:, :, None, None, 1]
        return np.asarray(np.median(np.abs(slope).max(axis=3), axis=2), dtype=np.float64)

    def share_of_edges(self, outside: list[NDArray[np.float64]]) -> float:
        """Return the share of the picture that has an edge and lies `outside` of quadrilaterals (4, 2) of it."""
        steep = ((np.abs(self.across) + np.abs(self.down)) > _EDGE).astype(np.uint8)
        for quad in outside:
            cv2.fillConvexPoly(steep, np.round(quad).astype(np.int32), 0)
        return float(steep.mean())

    def along(
        self, starts: NDArray[np.float64], ends: NDArray[np.float64], beside: NDArray[np.int_], samples: int
    ) -> NDArray[np.float64]:
        """Return the slope across straight lines (..., 2), in pixels of the field's own picture.

        It is the mean along the line, with its sign, so that noise cancels out; steep places count no more
        than `_STEEP`. Of the lines that lie `beside` it, by so many pixels, the best counts.
        """
        return np.asarray(np.abs(self.across_line(starts, ends, beside, np.linspace(0.08, 0.92, samples))))

    def across_line(
        self,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        beside: NDArray[np.int_],
        shares: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return what `along` does with its sign: positive where it becomes brighter to the left of the line.

        It is taken at `shares` of the way from start to end; beyond 0 and 1 they lie outside of it.
        """
        line = ends - starts
        normal = np.stack((line[..., 1], -line[..., 0]), axis=-1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-9
        points = starts[..., None, :] + shares[:, None] * line[..., None, :]
        height, width = self.across.shape
        best = np.zeros(starts.shape[:-1])
        for offset in beside:
            places = np.rint(points + offset * normal[..., None, :]).astype(np.intp)
            x, y = np.clip(places[..., 0], 0, width - 1), np.clip(places[..., 1], 0, height - 1)
            slope = self.across[y, x] * normal[..., None, 0] + self.down[y, x] * normal[..., None, 1]
            mean = np.clip(slope, -_STEEP, _STEEP).mean(axis=-1)
            best = np.where(np.abs(mean) > np.abs(best), mean, best)
        return best
