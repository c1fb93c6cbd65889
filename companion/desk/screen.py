"""Which screen the app may use on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

CONNECTORS = Path("/sys/class/drm")
DISPLAYS = ("WAYLAND_DISPLAY", "DISPLAY", "SDL_VIDEODRIVER")
"""Any of these names a screen to open a window on."""
WINDOW = (1280, 720)


class Screen(NamedTuple):
    """How to open the app: the window's size in pixels, and whether it fills the whole screen."""

    size: tuple[int, int]
    fullscreen: bool


def find_screen(connectors: Path = CONNECTORS) -> Screen | None:
    """Return how to open the app here; None if no screen is connected.

    A window manager gets a window, a bare screen (a Raspberry Pi without a desktop) is filled.
    """
    if any(os.environ.get(name) for name in DISPLAYS):
        return Screen(WINDOW, fullscreen=False)
    if any(_state(status) == "connected" for status in connectors.glob("*/status")):
        return Screen(WINDOW, fullscreen=True)
    return None


def _state(status: Path) -> str:
    try:
        return status.read_text(encoding="ascii").strip()
    except OSError:
        return ""
