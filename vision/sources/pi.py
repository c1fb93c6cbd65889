"""The Raspberry Pi's own camera, read by a helper under the system's Python, which alone has picamera2."""

from __future__ import annotations

from pathlib import Path

from vision.sources.child import ChildCamera
from vision.sources.source import SourceError

SYSTEM_PYTHON = Path("/usr/bin/python3")
HELPER = Path(__file__).parent / "helpers" / "pi_camera.py"
FIRST_WITHIN_S = 6.0
"""libcamera looks for cameras and tunes itself before the first picture."""


class PiCamera(ChildCamera):
    """A camera on the Pi's ribbon cable, by number."""

    def __init__(self, number: int = 0, size: tuple[int, int] = (1280, 720), python: Path = SYSTEM_PYTHON) -> None:
        """Prepare; nothing is started before `start`.

        :param python: the system's Python
        """
        self._python = python
        command = (str(python), str(HELPER), "--camera", str(number))
        super().__init__(f"the Pi's camera {number}", command, size, FIRST_WITHIN_S)

    def _check(self) -> None:
        if not self._python.exists():
            raise SourceError(f"{self.name} needs the system's Python; {self._python} is not there")
