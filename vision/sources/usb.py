"""A camera on the USB port, through Video4Linux."""

from __future__ import annotations

import os
import re
from pathlib import Path

from vision.sources.child import ChildCamera
from vision.sources.source import SourceError
from vision.sources.stream import CAPTURE

FIRST_WITHIN_S = 4.0


class UsbCamera(ChildCamera):
    """A USB camera by number or device path, opened again whenever it stops delivering.

    It is read in a process of its own: a driver that hangs holds the device until its process ends.
    """

    def __init__(
        self, device: str | int = 0, size: tuple[int, int] = (1280, 720), helper: tuple[str, ...] = CAPTURE
    ) -> None:
        """Prepare; nothing is opened before `start`.

        :param device: a number or a path; `/dev/v4l/by-id/...` stays the same when cables change places.
        :param helper: the program that reads it
        """
        self.device = f"/dev/video{device}" if re.fullmatch(r"\d+", str(device)) else str(device)
        super().__init__(f"the camera {self.device}", (*helper, self.device), size, FIRST_WITHIN_S)

    def _check(self) -> None:
        path = Path(self.device)
        if not path.exists():
            raise SourceError(f"the camera {path} is not there; plug it in, it will be found by itself", "unplugged")
        if not os.access(path, os.R_OK | os.W_OK):
            raise SourceError(f"the camera {path} may not be used by this user; add the user to the group video")
