"""A real window without a screen; all of Kivy is imported here and nowhere before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from ui import window

# The offscreen surface keeps its first size: it is made at the largest, smaller windows use a part of it.
window.prepare((1280, 720))

from kivy.config import Config  # noqa: E402

Config.set("graphics", "maxfps", "0")

import pytest  # noqa: E402

from companion.presenters.models import LookModel  # noqa: E402
from tests.ui.memory_desk import MemoryDesk  # noqa: E402
from tests.ui.pilot import Pilot  # noqa: E402

SIZES = ((800, 480), (1280, 720))

MakePilot = Callable[..., Pilot]


@pytest.fixture
def fly() -> Iterator[MakePilot]:
    """Start the application: `fly(size, desk=..., look=...)`; it is closed at the end of the test."""
    flown: list[Pilot] = []

    def start(size: tuple[int, int] = SIZES[0], desk: MemoryDesk | None = None, look: LookModel | None = None) -> Pilot:
        assert not flown, "one application at a time: there is one window"
        flown.append(Pilot(size, desk, look))
        return flown[0]

    yield start
    for pilot in flown:
        pilot.close()


@pytest.fixture
def at_table(fly: MakePilot) -> Callable[..., Pilot]:
    """Start the application and resume the made duel, so that the live table is shown."""

    def start(*args: object, **kwargs: object) -> Pilot:
        pilot = fly(*args, **kwargs)
        pilot.settle(0.1)
        tile = next(iter(pilot.sheet.ids.first.children))
        pilot.tap(tile)
        assert pilot.here == "live"
        pilot.settle()
        return pilot

    return start
