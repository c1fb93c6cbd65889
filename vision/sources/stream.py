"""A camera in the network that speaks RTSP or another protocol of FFmpeg."""

from __future__ import annotations

import sys

from vision.sources.child import ChildCamera

FIRST_WITHIN_S = 5.0
CAPTURE = (sys.executable, "-m", "vision.sources.helpers.capture")


class StreamCamera(ChildCamera):
    """A network camera by its address, such as `rtsp://192.168.1.20/stream`."""

    def __init__(self, address: str, size: tuple[int, int] | None = None) -> None:
        self.address = address
        super().__init__(f"the camera at {address}", (*CAPTURE, address), size, FIRST_WITHIN_S)
