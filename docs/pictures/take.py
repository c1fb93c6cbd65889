"""Takes the pictures of our own screens: a simulated evening, followed to its second round, in the real app.

`SDL_VIDEODRIVER=offscreen python docs/pictures/take.py [FOLDER]`
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ui import window

window.prepare((1280, 720))

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from kivy.base import EventLoop  # noqa: E402
from kivy.core.window import Window  # noqa: E402

from companion.bootstrap import new_header, resume  # noqa: E402
from companion.games import load_game  # noqa: E402
from companion.journal.file import Journal  # noqa: E402
from companion.presenters.correct import plan_correction  # noqa: E402
from companion.presenters.desk import Frame, Intent, Publish, Resume, ShowCorrection, ShowFinal  # noqa: E402
from companion.presenters.final import present_final  # noqa: E402
from companion.presenters.live import present  # noqa: E402
from companion.presenters.models import OverlayModel  # noqa: E402
from companion.presenters.overlays import present_overlays  # noqa: E402
from companion.sets.owner import proxy_set  # noqa: E402
from companion.simulated import beats  # noqa: E402
from companion.simulated.playing import Playing  # noqa: E402
from companion.simulated.table import ProxyFaces, SimulatedTable  # noqa: E402
from companion.table.session import Session  # noqa: E402
from ui.app import CompanionApp  # noqa: E402

SEED = 7
ENROLLED_PIXELS = 400


class PosingDesk:
    """Shows one session as it stands."""

    def __init__(self, session: Session, picture: np.ndarray, overlays: tuple[OverlayModel, ...]) -> None:
        self._session, self._overlays = session, overlays
        self._frame = Frame(1, cv2.cvtColor(picture, cv2.COLOR_BGR2RGBA))
        self._publish: Publish = lambda model: None

    def open(self, publish: Publish) -> None:
        self._publish = publish

    def submit(self, intent: Intent) -> None:
        match intent:
            case Resume():
                self._publish(present(self._session, "evening", self._overlays))
            case ShowCorrection(cell=cell):
                self._publish(plan_correction(self._session, cell).model)
            case ShowFinal():
                self._publish(present_final(self._session, "evening"))

    def frame(self) -> Frame | None:
        return self._frame

    def close(self) -> None:
        """Nothing runs behind it."""


def follow(until: Callable[[Session], bool], scratch: Path) -> tuple[Session, np.ndarray, tuple[OverlayModel, ...]]:
    """Follow the evening until something holds of the session; return it with the last picture and its outlines."""
    table = SimulatedTable(SEED)
    evening = table.evening
    cards = proxy_set(evening.game)
    header = new_header(load_game(evening.game), evening.names, cards, evening.edition)
    with Journal.create(scratch / "evening.journal", header) as kept:
        session = resume(kept, cards)
        with Playing(session, evening.mat, ProxyFaces(cards, ENROLLED_PIXELS)) as playing:
            for beat in table.beats():
                playing.take(beat)
                seen = playing.reader.last
                if isinstance(beat, beats.Frame) and until(session) and session.watching and seen is not None:
                    picture = beat.picture()
                    height, width = picture.shape[:2]
                    plane = seen.plane

                    def to_picture(points: object, plane: object = plane, size: object = (width, height)) -> object:
                        return plane.to_picture(points) / size

                    return session, picture, present_overlays(seen.scene, evening.mat, to_picture)
    raise SystemExit("the evening ended before the picture could be taken")


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        session, picture, overlays = follow(
            lambda session: getattr(session.position.state, "round", 0) == 2 and session.position.state.turn == 7,
            Path(scratch),
        )
    app = CompanionApp(PosingDesk(session, picture, overlays))
    app.begin_when_started(Resume("evening"))
    app._run_prepare()
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


def shoot(path: Path) -> None:
    for _ in range(40):
        EventLoop.idle()
    Path(Window.screenshot(name=str(path))).replace(path)
    smaller = cv2.imread(str(path))
    cv2.imwrite(str(path), smaller, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
