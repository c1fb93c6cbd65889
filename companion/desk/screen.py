"""Which screen the app may use on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any, NamedTuple

import click

CONNECTORS = Path("/sys/class/drm")
DISPLAYS = ("WAYLAND_DISPLAY", "DISPLAY", "SDL_VIDEODRIVER")
"""Any of these names a screen to open a window on."""
WINDOW = (1280, 720)


class NoScreenError(click.ClickException):
    """There is nothing to show the app on: one sentence and exit code 2."""

    exit_code = 2

    def __init__(self) -> None:
        super().__init__(
            "there is no screen here; connect one and start again, or watch a game in the terminal with "
            "`companion demo --headless`"
        )

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence alone, on standard error."""
        click.echo(self.message, file=file, err=file is None)


class Screen(NamedTuple):
    """How to open the app: the window's size in pixels, and whether it fills the whole screen."""

    size: tuple[int, int]
    fullscreen: bool


def find_screen(connectors: Path = CONNECTORS) -> Screen:
    """Return how to open the app here: a desktop gets a window, a bare screen is filled.

    :raises NoScreenError: if no screen is connected.
    """
    if any(os.environ.get(name) for name in DISPLAYS):
        return Screen(WINDOW, fullscreen=False)
    if any(_state(status) == "connected" for status in connectors.glob("*/status")):
        return Screen(WINDOW, fullscreen=True)
    raise NoScreenError


def _state(status: Path) -> str:
    try:
        return status.read_text(encoding="ascii").strip()
    except OSError:
        return ""
