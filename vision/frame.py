"""One camera picture with its origin and its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""A picture: height x width x 3, 8 bits per channel, blue green red, row 0 at the top."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture as one source delivered it.

    `at` is the source's monotonic time in seconds (never the time of day), `number` counts the
    source's frames from 0.

    :raises ValueError: if the picture is not height x width x 3 of 8-bit values, or the number is negative.
    """

    picture: Picture
    source: str
    at: float
    number: int

    def __post_init__(self) -> None:
        check_picture(self.picture)
        if self.number < 0:
            raise ValueError(f"a frame number counts from 0, found {self.number}")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (self.picture.shape[1], self.picture.shape[0])


def check_picture(picture: Picture) -> None:
    """Make sure that `picture` is a colour picture.

    :raises ValueError: with what was found and what was expected.
    """
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise ValueError(
            f"a picture of height x width x 3 with 8 bits per channel was expected, "
            f"found shape {picture.shape} of {picture.dtype}; convert it first"
        )
    if min(picture.shape[:2]) < 16:
        raise ValueError(
            f"a picture of at least 16 x 16 pixels was expected, found {picture.shape[1]} x {picture.shape[0]}"
        )
