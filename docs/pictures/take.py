"""Takes the pictures of our own screens: a simulated evening, followed to its second round, in the real app.

`SDL_VIDEODRIVER=offscreen python docs/pictures/take.py [FOLDER]`

The evening runs in real time, so this takes some minutes.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ui import window

window.prepare((1280, 720))

import cv2  # noqa: E402
from kivy.base import EventLoop  # noqa: E402
from kivy.core.window import Window  # noqa: E402

from companion.desk import TableDesk  # noqa: E402
from companion.desk.simulated import SimulatedRoom  # noqa: E402
from companion.presenters.desk import Begin  # noqa: E402
from companion.presenters.models import LiveModel  # noqa: E402
from ui.app import CompanionApp  # noqa: E402

SEED = 7
LONGEST_S = 900.0
ON_THE_TABLE = 12
"""So many cards lie there when the picture is taken."""


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        room = SimulatedRoom(SEED, Path(scratch))
        app = CompanionApp(TableDesk(room))
        app._run_prepare()
        app.begin_with(Begin("allies", room.names[:2], "reconciled"), "table")
        wait(lambda: app.live is not None and app.root.sheet("table").model.ready)
        app.leave_table(camera=True)
        wait(lambda: is_worth_a_picture(app.live))
        room.hold(True)
        shoot(folder / "live-table.png")
        app.toggle("why")
        shoot(folder / "why.png")
        cell = next(cell.key for cell in reversed(app.live.board.cells) if cell.kind == "card")
        app.open_correction(cell)
        shoot(folder / "correct.png")
        app.go("camera")
        shoot(folder / "camera.png")
        app.open_final()
        shoot(folder / "score.png")
        app.dispatch("on_stop")


def is_worth_a_picture(live: LiveModel) -> bool:
    """Whether it is the second round, nobody reaches over the table, and there is something to see."""
    sure = sum(overlay.state == "sure" for overlay in live.overlays)
    return live.progress.startswith("Round 2") and sure >= ON_THE_TABLE and live.prompt.kind == "ask"


def wait(until: Callable[[], bool], longest: float = LONGEST_S) -> None:
    end = time.monotonic() + longest
    while not until():
        if time.monotonic() > end:
            raise SystemExit("the evening did not come to the point where the pictures are taken")
        time.sleep(0.01)
        EventLoop.idle()


def shoot(path: Path) -> None:
    """Let the screen settle, and keep what it shows."""
    settled = time.monotonic() + 1.5
    wait(lambda: time.monotonic() > settled)
    Path(Window.screenshot(name=str(path))).replace(path)
    smaller = cv2.imread(str(path))
    cv2.imwrite(str(path), smaller, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
