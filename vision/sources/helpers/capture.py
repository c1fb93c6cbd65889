"""A USB camera or a network stream through OpenCV, in a process that may be killed when a read hangs.

Started by `vision.sources.usb.UsbCamera` and `vision.sources.rtsp.StreamCamera`.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sources.helpers.frame_writer import FrameWriter, arguments, fail

MANUAL_EXPOSURE, AUTOMATIC_EXPOSURE = 1.0, 3.0
"""V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_APERTURE_PRIORITY of linux/v4l2-controls.h."""
OPEN_MS, READ_MS = 4000, 1500


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool: ...  # noqa: N802 - OpenCV's name

    def read(self) -> tuple[bool, NDArray[np.uint8]]: ...

    def set(self, prop: int, value: float) -> bool: ...

    def get(self, prop: int) -> float: ...


def main() -> None:
    """Hand on pictures until the camera stops or the parent ends."""
    parser = arguments("Read a camera through OpenCV.")
    parser.add_argument("address", help="a device's path, or an address such as rtsp://...")
    options = parser.parse_args()
    light = Light()
    writer = FrameWriter(options.memory, options.slots, options.room, light.obey)
    capture = (
        open_device(options.address, options.size) if options.address.startswith("/") else open_net(options.address)
    )
    if not capture.isOpened():
        fail(
            f"the camera {options.address} cannot be opened; close other programs that use it"
            if options.address.startswith("/")
            else f"the camera at {options.address} does not answer; check its address and the network",
            "failed" if options.address.startswith("/") else "unplugged",
        )
    light.capture = capture
    hand_on(capture, options.address, writer, light)


def open_device(device: str, size: tuple[int, int]) -> Capture:
    """Open a Video4Linux camera for `size`."""
    capture = cast(Capture, cv2.VideoCapture(device, cv2.CAP_V4L2))
    ask_for(capture, size)
    return capture


def ask_for(capture: Capture, size: tuple[int, int]) -> None:
    """Ask a camera for pictures of `size`."""
    # The order matters to drivers: first the format, then the size. MJPG, because raw 720p
    # exceeds what USB 2 carries at 30 pictures a second.
    capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def open_net(address: str) -> Capture:
    """Open a stream of the network."""
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS]
    return cast(Capture, cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits))


def hand_on(capture: Capture, address: str, writer: FrameWriter, light: Light) -> None:
    """Hand on picture after picture."""
    while True:
        light.follow()
        came, picture = capture.read()
        if not came or picture is None:
            break
        fitting = _fitting(picture, writer.room)
        writer.write(fitting.data, fitting.shape[1], fitting.shape[0], "bgr", time.monotonic())
    device = Path(address)
    if not address.startswith("/"):
        fail(f"the camera at {address} has stopped sending; check the network", "unplugged")
    elif device.exists():
        fail(f"the camera {device} has stopped sending pictures; check its cable")
    else:
        fail(f"the camera {device} was unplugged; plug it in again", "unplugged")


def _fitting(picture: NDArray[np.uint8], room: int) -> NDArray[np.uint8]:
    """Return the picture, made smaller if there is no room for it."""
    if picture.nbytes <= room:
        return np.ascontiguousarray(picture)
    share = (room / picture.nbytes) ** 0.5
    size = (int(picture.shape[1] * share), int(picture.shape[0] * share))
    return np.ascontiguousarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


class Light:
    """Keeps a camera's exposure, white balance and focus when it is told to; between two reads, never in one."""

    def __init__(self) -> None:
        self.capture: Capture | None = None
        self._word = ""
        self._told = threading.Lock()

    def obey(self, word: str) -> None:
        """Take `lock` or `unlock`."""
        with self._told:
            self._word = word

    def follow(self) -> None:
        """Do what was last told."""
        with self._told:
            word, self._word = self._word, ""
        if self.capture is not None and word == "lock":
            self._lock(self.capture)
        elif self.capture is not None and word == "unlock":
            self.capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC_EXPOSURE)
            self.capture.set(cv2.CAP_PROP_AUTO_WB, 1)

    @staticmethod
    def _lock(capture: Capture) -> None:
        # Cameras fall back to a stored value when they become manual, so the present one is set again.
        exposure = capture.get(cv2.CAP_PROP_EXPOSURE)
        white = capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE)
        if exposure > 0:
            capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        if white > 0:
            capture.set(cv2.CAP_PROP_WB_TEMPERATURE, white)
        capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)


if __name__ == "__main__":
    main()
