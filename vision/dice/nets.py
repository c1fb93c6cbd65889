"""The two small networks of the dice reader, run by OpenCV; `vision.dice.train` makes their weights."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

STRIDE = 4
CROP, CONTEXT = 48, 1.7
"""A crop is CROP pixels wide and shows CONTEXT edges of the upper face."""

CLASSES = ("1", "2", "3", "4", "5", "6", "symbol", "none")
_FEWER_MISSES = 1.8
"""The reader learnt from more crops without an upper face than the finder hands it: the log of how many times."""
_MIDDLE_EDGE = 28.0
_STEP = 8


@dataclass(frozen=True)
class Spot:
    """A place where the upper face of a die may lie: its middle and edge in pixels, and how sure that is (0 to 1)."""

    x: float
    y: float
    edge: float
    score: float


@dataclass(frozen=True, eq=False)
class Glimpses:
    """What the reader network says of n crops.

    `shares` (n, 8) are the probabilities of CLASSES; `offset` (n, 2) the face's middle and `scale` (n,)
    its edge, both in edges of the crop's own guess; `turn` (n,) the angle of a side in (-45, 45] degrees
    clockwise; `normal` (n, 2) where the face points, 0 at the camera; `hidden` (n,) the probability
    that part of the die is covered.
    """

    shares: NDArray[np.float64]
    offset: NDArray[np.float64]
    scale: NDArray[np.float64]
    turn: NDArray[np.float64]
    normal: NDArray[np.float64]
    hidden: NDArray[np.float64]


class Nets:
    """Both networks, loaded. Not safe to share between threads."""

    def __init__(self) -> None:
        self._finder = _load("finder.onnx")
        self._reader = _load("reader.onnx")

    def find(self, picture: Picture, least: float) -> list[Spot]:
        """Return the spots of a BGR picture that has the wanted size already, best first."""
        height, width = picture.shape[:2]
        down, right = -height % _STEP, -width % _STEP
        padded = cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_REPLICATE) if down or right else picture
        self._finder.setInput(cv2.dnn.blobFromImage(padded, 1 / 255))
        heat, edge, dx, dy = np.asarray(self._finder.forward(), np.float32)[0]
        # A peak of the logit is a peak of the probability.
        peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > np.log(least / (1 - least)))
        rows, columns = np.nonzero(peaks)
        spots = []
        for row, column in zip(rows, columns, strict=True):
            x = (column + float(dx[row, column]) + 0.5) * STRIDE - 0.5
            y = (row + float(dy[row, column]) + 0.5) * STRIDE - 0.5
            if -0.5 <= x < width and -0.5 <= y < height:
                size = _MIDDLE_EDGE * float(np.exp(np.clip(edge[row, column], -2.5, 2.5)))
                spots.append(Spot(x, y, size, float(1 / (1 + np.exp(-heat[row, column])))))
        return sorted(spots, key=lambda spot: -spot.score)

    def glimpse(self, crops: list[Picture]) -> Glimpses:
        """Read crops of (CROP, CROP, 3)."""
        self._reader.setInput(cv2.dnn.blobFromImages(crops, 1 / 255))
        out = np.asarray(self._reader.forward(), np.float64).reshape(len(crops), 16)
        out[:, CLASSES.index("none")] -= _FEWER_MISSES
        raised = np.exp(out[:, :8] - out[:, :8].max(axis=1, keepdims=True))
        return Glimpses(
            raised / raised.sum(axis=1, keepdims=True),
            out[:, 8:10],
            np.exp(np.clip(out[:, 10], -1, 1)),
            np.degrees(np.arctan2(out[:, 12], out[:, 11])) / 4,
            out[:, 13:15],
            1 / (1 + np.exp(-out[:, 15])),
        )


def crop_matrix(x: float, y: float, edge: float, turn: float) -> NDArray[np.float64]:
    """Return the map (2, 3) from a picture to the crop round (x, y), turned clockwise by `turn` degrees."""
    scale, angle = CROP / (CONTEXT * edge), np.radians(turn)
    c, s = scale * np.cos(angle), scale * np.sin(angle)
    linear = np.array([(c, -s), (s, c)])
    return np.column_stack((linear, np.full(2, (CROP - 1) / 2) - linear @ (x, y)))


def cut(picture: Picture, x: float, y: float, edge: float, turn: float = 0.0, smaller: float = 1.0) -> Picture:
    """Return the crop round (x, y); `smaller` tells by which factor `picture` was reduced before."""
    matrix = crop_matrix(x, y, edge, turn)
    shrunk = np.array([(smaller, 0, smaller / 2 - 0.5), (0, smaller, smaller / 2 - 0.5), (0, 0, 1)])
    crop = cv2.warpAffine(
        picture, matrix @ shrunk, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)


def _load(name: str) -> cv2.dnn.Net:
    weights = files("vision.dice").joinpath(name).read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
