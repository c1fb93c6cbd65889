"""A camera on the USB port, through Video4Linux."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.sources.live import LiveSource
from vision.sources.source import SourceError

MANUAL_EXPOSURE = 1.0
"""V4L2_EXPOSURE_MANUAL of linux/v4l2-controls.h; automatic is 3 (aperture priority)."""


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool: ...  # noqa: N802 - OpenCV's name

    def read(self) -> tuple[bool, NDArray[np.uint8]]: ...

    def set(self, prop: int, value: float) -> bool: ...

    def get(self, prop: int) -> float: ...

    def release(self) -> None: ...


def _video_capture(device: str) -> Capture:
    return cast(Capture, cv2.VideoCapture(device, cv2.CAP_V4L2))


class UsbCamera(LiveSource):
    """A USB camera by number or device path, opened again whenever it stops delivering."""

    def __init__(
        self,
        device: str | int = 0,
        size: tuple[int, int] = (1280, 720),
        capture: Callable[[str], Capture] = _video_capture,
    ) -> None:
        """Prepare; nothing is opened before `start`.

        :param device: a number or a path; `/dev/v4l/by-id/...` stays the same when cables change places.
        """
        self.device = f"/dev/video{device}" if re.fullmatch(r"\d+", str(device)) else str(device)
        self._capture = capture
        self._wanted = size
        self._light_locked = threading.Event()
        super().__init__(f"the camera {self.device}", self._open_device, size)

    def lock_light(self) -> None:
        """Keep exposure, white balance and focus as they are now, so that a card looks the same all evening."""
        self._light_locked.set()

    def _open_device(self) -> _UsbStream:
        path = Path(self.device)
        if not path.exists():
            raise SourceError(f"the camera {path} is not there; plug it in, it will be found by itself", "unplugged")
        if not os.access(path, os.R_OK | os.W_OK):
            raise SourceError(f"the camera {path} may not be used by this user; add the user to the group video")
        capture = self._capture(self.device)
        # isOpened may lie; a False is still worth a quick answer.
        if not capture.isOpened():
            capture.release()
            raise SourceError(f"the camera {path} cannot be opened; close other programs that use it")
        # The order matters to drivers: first the format, then the size. MJPG, because raw 720p
        # exceeds what USB 2 carries at 30 pictures a second.
        capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._wanted[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._wanted[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return _UsbStream(self.device, capture, self._light_locked)


class _UsbStream:
    def __init__(self, device: str, capture: Capture, light_locked: threading.Event) -> None:
        self._device, self._capture, self._light_locked = device, capture, light_locked
        self._is_locked = False

    def read(self) -> Picture | None:
        if self._light_locked.is_set() and not self._is_locked:
            self._lock()
        came, picture = self._capture.read()
        if not came or picture is None:
            gone = not Path(self._device).exists()
            raise SourceError(
                f"the camera {self._device} was unplugged; plug it in again"
                if gone
                else f"the camera {self._device} has stopped sending pictures; check its cable",
                "unplugged" if gone else "failed",
            )
        return picture

    def close(self) -> None:
        self._capture.release()

    def _lock(self) -> None:
        self._is_locked = True
        # Cameras fall back to a stored value when they become manual, so the present one is set again.
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        white = self._capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE)
        if exposure > 0:
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        if white > 0:
            self._capture.set(cv2.CAP_PROP_WB_TEMPERATURE, white)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
