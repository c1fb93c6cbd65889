"""From the marker on the dock to the sentence on the screen: real bytes, the real table, the real window."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import tests.ui.conftest  # noqa: F401  prepares the window, before anything imports a widget

# isort: split
import pytest

from companion.presenters import wording
from companion.presenters.desk import Answer, Frame, Intent, Publish, Resume
from companion.presenters.live import present
from companion.presenters.models import LiveModel
from companion.rulebook.load import load_rulebook
from companion.table.loop import Loop
from companion.table.observation import Touch
from companion.table.session import Session
from hardware.assembly import assemble
from hardware.config import parse
from hardware.dock import Dock
from hardware.virtual import VirtualBoard, VirtualDock
from tests.table.parade import parade
from tests.ui.pilot import Pilot

SIZES = ((800, 480), (1280, 720))
PICTURES = os.environ.get("COMPANION_PICTURES", "")
WIRING = """
[[seat]]
lamp = "gpio:17"
[dock]
port = "{port}"
markers = ["A", "B", "C", "D"]
"""


class TrackDesk:
    """A desk at which Parade is played with a dock; nothing between the dock and the screen is made up."""

    def __init__(self, port: Path) -> None:
        wiring = parse(WIRING.format(port=port))
        self.board = VirtualBoard(wiring)
        electronics = assemble(wiring, self.board.factory)
        self.publish: Publish = lambda model: None
        self.loop = Loop(parade(tuple("ABCD")), electronics.witnesses, electronics.markers, self._changed)

    def open(self, publish: Publish) -> None:
        self.publish = publish

    def submit(self, intent: Intent) -> None:
        if isinstance(intent, Resume):
            self.loop.start()
        elif isinstance(intent, Answer):
            self.loop.observe(Touch("screen", time.monotonic(), choice=intent.choice))

    def frame(self) -> Frame | None:
        return None

    def close(self) -> None:
        self.loop.stop()

    def believes(self, *order: str) -> bool:
        """Whether the markers were taken to lie so: at rest for long enough, and no hand above them."""
        return self.loop.session._track._lies == (*order, "", "")

    def _changed(self, session: Session) -> None:
        self.publish(present(session, "parade", camera="off"))


@pytest.fixture
def dock(tmp_path: Path) -> Iterator[VirtualDock]:
    board = VirtualDock(Dock("TRACK", boot_id=3, slots=6, now=time.monotonic()), tmp_path / "tty")
    yield board
    board.unplug()


@pytest.fixture
def open_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[tuple[int, int]], tuple[Pilot, TrackDesk]]]:
    monkeypatch.setattr(wording, "load_rulebook", lambda game: load_rulebook("_template"))
    opened: list[Pilot] = []

    def start(size: tuple[int, int]) -> tuple[Pilot, TrackDesk]:
        desk = TrackDesk(tmp_path / "tty")
        opened.append(Pilot(size, desk))
        opened[0].app.begin_with(Resume("parade"), "live")
        return opened[0], desk

    yield start
    for pilot in opened:
        pilot.close()


def lay(dock: VirtualDock, *codes: int) -> None:
    for place, code in enumerate(codes):
        dock.place(place, code)


@pytest.mark.parametrize("size", SIZES)
def test_swapped_markers_are_named_on_the_screen_until_they_are_put_right(
    open_at: Callable[[tuple[int, int]], tuple[Pilot, TrackDesk]], dock: VirtualDock, size: tuple[int, int]
) -> None:
    lay(dock, 1, 2, 3, 4)
    dock.plug()
    pilot, desk = open_at(size)

    def shows(says: str) -> bool:
        live: LiveModel | None = pilot.app.live
        return pilot.here == "live" and live is not None and says in live.prompt.says

    assert pilot.wait(lambda: shows("Ann: throw two dice"))
    assert pilot.wait(lambda: desk.believes(*"ABCD"))
    lay(dock, 1, 2, 4, 3)
    assert pilot.wait(lambda: shows("Markers 3 and 4 are swapped: Cleo comes before Dan"))
    assert pilot.app.live.prompt.kind == "alarm"
    assert any("Markers 3 and 4 are swapped" in getattr(widget, "text", "") for widget in pilot.shown())
    assert pilot.wait(lambda: len(desk.board.factory.pin("GPIO17").states) > 3), "the lamp hurries"
    if PICTURES:
        pilot.picture(Path(PICTURES) / f"markers-swapped-{size[0]}.png")
    lay(dock, 1, 2, 3, 4)
    assert pilot.wait(lambda: shows("Ann: throw two dice"))


def test_after_the_cable_was_out_both_orders_are_shown_and_a_tap_says_which_is_right(
    open_at: Callable[[tuple[int, int]], tuple[Pilot, TrackDesk]], dock: VirtualDock
) -> None:
    lay(dock, 1, 2, 3, 4)
    dock.plug()
    pilot, desk = open_at(SIZES[1])

    def says() -> str:
        return "" if pilot.app.live is None or pilot.here != "live" else pilot.app.live.prompt.says

    assert pilot.wait(lambda: "Ann: throw" in says())
    assert pilot.wait(lambda: desk.believes(*"ABCD"))
    dock.unplug()
    lay(dock, 2, 1, 3, 4)
    dock.plug()
    asked = "The markers lie otherwise than the game says. Which is right?"
    assert pilot.wait(lambda: says() == asked), says()
    if PICTURES:
        pilot.picture(Path(PICTURES) / "markers-after-gap-1280.png")
    pilot.settle(0.5)
    pilot.tap(pilot.button("The game: Ann, Ben, Cleo, Dan"))
    assert pilot.wait(lambda: "Ann: throw" in says()), says()
    assert any("Put the markers into this order" in reminder for reminder in pilot.app.live.reminders)
    assert desk.loop.session.entries == ()
