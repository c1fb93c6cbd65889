"""Where each pixel of the camera looks on the table: pinhole camera with radial distortion.

Table frame: mat millimetres, x right, y down, z away from the camera; the mat is the plane z = 0.
The distortion model is OpenCV's (Brown 1966, first radial term only).
"""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.simulated.rig import Conditions, Rig

Points = NDArray[np.float64]
"""Points as rows, shape (n, 2)."""


class Lens(msgspec.Struct, frozen=True):
    """A camera in its place: intrinsic matrix, distortion, rotation (table to camera) and centre."""

    camera: NDArray[np.float64]
    distortion: NDArray[np.float64]
    rotation: NDArray[np.float64]
    centre: NDArray[np.float64]
    size: tuple[int, int]

    def to_pixels(self, points: Points) -> Points:
        """Return the pixels (n, 2) at which points of the mat in millimetres (n, 2) are seen."""
        solid = np.column_stack([points, np.zeros(len(points))])
        vector, _ = cv2.Rodrigues(self.rotation)
        shift = -self.rotation @ self.centre
        pixels, _ = cv2.projectPoints(solid, vector, shift, self.camera, self.distortion)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def to_table(self, pixels: Points) -> Points:
        """Return the mat points in millimetres (n, 2) that pixels (n, 2) look at."""
        rays = cv2.undistortPoints(pixels.reshape(-1, 1, 2), self.camera, self.distortion).reshape(-1, 2)
        rays = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        reach = -self.centre[2] / rays[:, 2]
        return np.asarray(self.centre[:2] + rays[:, :2] * reach[:, None], dtype=np.float64)

    def turned(self, x: float, y: float, roll: float) -> Lens:
        """Return the camera turned on its arm: what it looked at lies (x, y) pixels off the middle, turned clockwise.

        `roll` is in degrees. A camera that is knocked shows the table from the same place in another perspective.
        """
        focal, spin = self.camera[0, 0], math.radians(roll)
        pan, _ = cv2.Rodrigues(np.array([0.0, math.atan2(x, focal), 0.0]))
        tilt, _ = cv2.Rodrigues(np.array([-math.atan2(y, focal), 0.0, 0.0]))
        about, _ = cv2.Rodrigues(np.array([0.0, 0.0, spin]))
        rotation = np.asarray(pan @ tilt @ about @ self.rotation, np.float64)
        return msgspec.structs.replace(self, rotation=rotation)

    def lookup(self, origin: tuple[float, float], pixels_per_mm: float) -> Lookup:
        """Return the remap tables from a flat drawing of the table to the picture.

        `origin` is the table point (mm) of the drawing's top left corner. Computed on every fourth pixel and
        interpolated between, which is exact to a few thousandths of a pixel for so smooth a map.
        """
        width, height = self.size
        step = 4
        xs, ys = np.arange(0, width + step, step), np.arange(0, height + step, step)
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(np.float64)
        flat = ((self.to_table(grid) - np.array(origin)) * pixels_per_mm - 0.5).astype(np.float32)
        coarse = flat.reshape(len(ys), len(xs), 2)
        px, py = np.meshgrid(np.arange(width, dtype=np.float32) / step, np.arange(height, dtype=np.float32) / step)
        fine = cv2.remap(coarse, px, py, cv2.INTER_LINEAR)
        first, second = cv2.convertMaps(fine[..., 0], fine[..., 1], cv2.CV_16SC2)
        return np.asarray(first, dtype=np.int16), np.asarray(second, dtype=np.uint16)


Lookup = tuple[NDArray[np.int16], NDArray[np.uint16]]
"""Fixed-point tables for `cv2.remap`."""


def lens_over(rig: Rig, conditions: Conditions, middle: tuple[float, float]) -> Lens:
    """Set the camera up over the mat's `middle` (mm), looking nearly at it."""
    centre = np.array([middle[0] + conditions.camera_x, middle[1] + conditions.camera_y, -conditions.height])
    target = np.array([middle[0] + conditions.aim_x, middle[1] + conditions.aim_y, 0.0])
    forward = (target - centre) / np.linalg.norm(target - centre)
    right = np.cross(np.array([0.0, 1.0, 0.0]), forward)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = math.cos(math.radians(conditions.roll)), math.sin(math.radians(conditions.roll))
    rotation = np.array([c * right + s * down, -s * right + c * down, forward])
    camera = np.array([[rig.focal, 0.0, rig.width / 2], [0.0, rig.focal, rig.height_px / 2], [0.0, 0.0, 1.0]])
    distortion = np.array([conditions.barrel, 0.0, 0.0, 0.0, 0.0])
    return Lens(camera, distortion, rotation, centre, (rig.width, rig.height_px))
