"""A die as a solid body, seen by a pinhole camera: which face each pixel shows, how light falls on it.

The body is where a smooth maximum of plane distances is below zero (a rounded cube), cut by a sphere
where the corners of cheap dice are rolled off. Such a function is convex, so Newton's method along a
ray runs into the surface from outside without ever passing it.

Frame of the die: edge length 1, x to the right and y down in the picture, z towards the camera, origin
in the die's middle. Faces are numbered 0 (+z, the one on top before turning), 1 (-z), 2 (+x), 3 (-x),
4 (+y), 5 (-y).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.marks import SIDE, Mask

Floats = NDArray[np.float64]
Map = NDArray[np.float32]

CUBE = np.array([(0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)], np.float64)
# The axes along which a face's mark runs: its u (right) and its v (down), as seen from outside.
_RIGHT = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (-1, 0, 0), (1, 0, 0)], np.float64)
_DOWN = np.array([(0, 1, 0), (0, 1, 0), (0, 0, -1), (0, 0, -1), (0, 0, -1), (0, 0, -1)], np.float64)
_STEPS = 9
_AWAY = 1.35
"""Half of what a sprite shows, in edges: a die on a corner, and some ground."""


@dataclass(frozen=True)
class Shape:
    """`sharp` is the steepness of the rounding (10 soft, 60 sharp), `ball` the cutting sphere's radius in edges."""

    sharp: float = 25.0
    ball: float = 0.8


@dataclass(frozen=True)
class Pose:
    """How a die is seen: turned by `yaw`, leaning by `lean` towards `lean_to`, from `tilt` off the vertical.

    Degrees. The camera stands `distance` edges away, below the die in the picture when `tilt` is positive.
    """

    yaw: float = 0.0
    tilt: float = 0.0
    lean: float = 0.0
    lean_to: float = 0.0
    distance: float = 15.0


@dataclass(frozen=True, eq=False)
class Sprite:
    """What one die looks like before it has a colour; all maps are float32 of (size, size).

    `cover` is 1 on the die, `face` (uint8) the face's number there, `mark` the share of paint, `shade`
    the light by its direction, `gloss` the mirrored lamp; `spot` holds the place on the die in edges
    (size, size, 3) for marbling. `top` are the corners of the face on top (4, 2) in pixels, its own
    top left first; `edge` the mean length of its sides; `normal` where it points, in the picture's x
    and y, 0 if straight at the camera.
    """

    cover: Map
    face: NDArray[np.uint8]
    mark: Map
    shade: Map
    gloss: Map
    spot: Map
    top: Floats
    edge: float
    normal: tuple[float, float]
    lamp: tuple[float, float]


def see(
    shape: Shape,
    pose: Pose,
    marks: Sequence[Mask],
    size: int = 162,
    lamp: tuple[float, float, float] = (0.4, -0.5, 0.77),
    drilled: float = 0.0,
) -> Sprite:
    """Look at a die whose six faces carry `marks`; `lamp` points to the light in the picture's frame.

    `drilled` is the depth of the marks (0 printed, 1 a half sphere). The die's edge is about
    size / 2.7 pixels long.
    """
    turn = _rotation(pose)
    eye = _eye(pose)
    focal = size / (2 * _AWAY) * pose.distance
    pixel = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1).reshape(-1, 2) - (size - 1) / 2
    near = np.hypot(pixel[:, 0], pixel[:, 1]) < 0.95 * size / (2 * _AWAY)
    rays = _rays(pixel[near], focal, eye)
    inside, points, normals = _hit(shape, eye @ turn, rays @ turn)
    face = np.asarray(np.argmax(points @ CUBE.T, axis=1), np.uint8)
    right, down = _RIGHT[face], _DOWN[face]
    u, v = (points * right).sum(1), (points * down).sum(1)
    mark, slope_u, slope_v = _marked(marks, face, u, v, drilled)
    bumpy = normals + slope_u[:, None] * right + slope_v[:, None] * down
    bumpy /= np.linalg.norm(bumpy, axis=1, keepdims=True)
    light = np.array(lamp) / np.linalg.norm(lamp) @ turn
    half = light - rays @ turn
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    shade = np.clip(bumpy @ light, 0, 1)
    gloss = np.clip((bumpy * half).sum(1), 0, 1) ** 40
    grids = {
        "cover": inside.astype(np.float32),
        "mark": mark,
        "shade": shade,
        "gloss": gloss,
    }
    maps = {name: _spread(values, near, size) for name, values in grids.items()}
    faces = _spread(face.astype(np.float32), near, size).astype(np.uint8)
    spot = np.stack([_spread(points[:, k], near, size) for k in range(3)], axis=-1)
    top, normal = _top(turn, eye, focal, size)
    sides = np.hypot(*(np.roll(top, -1, axis=0) - top).T)
    return Sprite(
        maps["cover"],
        faces,
        maps["mark"],
        maps["shade"],
        maps["gloss"],
        spot,
        top,
        float(sides.mean()),
        normal,
        (float(lamp[0]), float(lamp[1])),
    )


def _rotation(pose: Pose) -> Floats:
    """Return the matrix from the die's frame to that of the table, columns the die's axes."""
    a, b, c = (np.radians(v) for v in (pose.yaw, pose.lean, pose.lean_to))
    yaw = np.array([(np.cos(a), -np.sin(a), 0), (np.sin(a), np.cos(a), 0), (0, 0, 1)])
    axis = np.array((-np.sin(c), np.cos(c), 0.0))
    lean, _ = cv2.Rodrigues(axis * b)
    return np.asarray(lean @ yaw, np.float64)


def _eye(pose: Pose) -> Floats:
    tilt = np.radians(pose.tilt)
    return pose.distance * np.array((0.0, np.sin(tilt), np.cos(tilt)))


def _camera(eye: Floats) -> Floats:
    """Return the camera's right, down and forward in the table's frame, as rows."""
    forward = -eye / np.linalg.norm(eye)
    right = np.array((1.0, 0.0, 0.0))
    down = np.cross(right, forward)
    return np.stack((right, -down if down[1] < 0 else down, forward))


def _rays(pixel: Floats, focal: float, eye: Floats) -> Floats:
    camera = _camera(eye)
    rays = np.column_stack((pixel, np.full(len(pixel), focal))) @ camera
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def _hit(shape: Shape, eye: Floats, rays: Floats) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Return which rays meet the body, the points where they do, and the outward normals there."""
    along = np.full(len(rays), np.linalg.norm(eye) - 0.9)
    for _ in range(_STEPS):
        points = eye + along[:, None] * rays
        value, slope = _body(shape, points)
        closing = (slope * rays).sum(1)
        along -= np.clip(value / np.where(closing < -1e-3, closing, -1e-3), -0.6, 0.6)
    points = eye + along[:, None] * rays
    value, slope = _body(shape, points)
    return np.abs(value) < 0.01, points, slope / np.linalg.norm(slope, axis=1, keepdims=True)


def _body(shape: Shape, points: Floats) -> tuple[Floats, Floats]:
    away = np.linalg.norm(points, axis=1, keepdims=True)
    parts = np.column_stack((points @ CUBE.T - 0.5, away - shape.ball))
    parts = shape.sharp * parts
    most = parts.max(axis=1, keepdims=True)
    weight = np.exp(parts - most)
    total = weight.sum(axis=1, keepdims=True)
    value = (most + np.log(total))[:, 0] / shape.sharp
    weight /= total
    return value, weight[:, :6] @ CUBE + weight[:, 6:] * points / np.maximum(away, 1e-6)


def _marked(
    marks: Sequence[Mask], face: NDArray[np.uint8], u: Floats, v: Floats, drilled: float
) -> tuple[Map, Map, Map]:
    atlas = np.concatenate(marks, axis=0)
    x = np.clip((u + 0.5) * SIDE - 0.5, 0, SIDE - 1).astype(np.float32)
    y = np.clip((v + 0.5) * SIDE - 0.5, 0, SIDE - 1).astype(np.float32) + face.astype(np.float32) * SIDE

    # OpenCV looks up at most 32767 rows at once: the points are laid out as a square.
    row = int(np.ceil(np.sqrt(len(x))))
    x, y = (np.resize(values, (row, row)) for values in (x, y))

    def sample(picture: Mask) -> Map:
        return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), np.float32).ravel()[: len(u)]

    if drilled == 0.0:
        none = np.zeros(len(u), np.float32)
        return sample(atlas), none, none
    deep = cv2.GaussianBlur(atlas, (0, 0), SIDE * 0.025) * np.float32(drilled * 0.1 * SIDE)
    across, along = cv2.Sobel(deep, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(deep, cv2.CV_32F, 0, 1, scale=1 / 8)
    # A hole's wall leans towards its middle: the normal follows the depth's gradient.
    return sample(atlas), sample(np.asarray(across, np.float32)), sample(np.asarray(along, np.float32))


def _spread(values: NDArray[np.floating], near: NDArray[np.bool_], size: int) -> Map:
    whole = np.zeros(size * size, np.float32)
    whole[near] = values
    return whole.reshape(size, size)


def _top(turn: Floats, eye: Floats, focal: float, size: int) -> tuple[Floats, tuple[float, float]]:
    corners = np.array([(-0.5, -0.5, 0.5), (0.5, -0.5, 0.5), (0.5, 0.5, 0.5), (-0.5, 0.5, 0.5)]) @ turn.T
    camera = _camera(eye)
    seen = (corners - eye) @ camera.T
    top = focal * seen[:, :2] / seen[:, 2:] + (size - 1) / 2
    normal = camera @ turn[:, 2]
    return top, (float(normal[0]), float(normal[1]))
