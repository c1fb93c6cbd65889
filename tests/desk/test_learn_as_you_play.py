"""A real evening with a card that is in no set, in the real window: met, asked about once, enrolled, known again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import tests.ui.conftest  # noqa: F401  prepares the window, before anything imports a widget

# isort: split
import cv2
import pytest

from companion.desk import TableDesk
from companion.games import load_game
from companion.journal.entry import DeclarationEntry, Entry
from companion.journal.file import read_journal
from companion.journal.shelf import Shelf
from companion.presenters.enrol import EnrolModel
from companion.presenters.models import LiveModel
from companion.print.mat import draw_mat
from companion.sets.faces import proxy_face
from companion.sets.owner import PROXIES, CardSet, load_set, proxy_set
from companion.sets.publish import format_set
from companion.simulated.lying import Laid
from companion.simulated.optics import Camera
from companion.simulated.rig import Rig
from companion.simulated.table import ProxyFaces
from companion.table.mat import game_mat
from tests.desk.parts import StillCamera, TestRoom
from tests.table.evenings import REGIONS, plain, with_symbols
from tests.ui.pilot import Pilot
from ui.screens.games import GameTile

CARDS = proxy_set("allies")
MAT = game_mat(load_game("allies"))
NEW, TURNER = plain("cyclops", 3), with_symbols("cyclops", 1)
OTHERS = (plain("wizard", 0), plain("cyclops", 0), plain("wizard", 1), plain("wizard", 2))
LISTED = tuple(dict.fromkeys((*REGIONS, *OTHERS, TURNER, *list(CARDS.of_kind("tribe"))[::4])))


def owners_set(home: Path) -> CardSet:
    """Put a set into a home that lists and shows only a few cards of the box."""
    folder = home / "sets" / "allies"
    folder.mkdir(parents=True)
    values = {key: {**CARDS.cards[key]} for key in LISTED if key != NEW}
    for fields in values.values():
        fields.pop("look_alike", None)
    (folder / "set.toml").write_text(
        format_set("Ours", "allies", "ours", values, CARDS.kinds, complete=False), encoding="utf-8"
    )
    (folder / "layout.toml").write_bytes((PROXIES / "allies" / "layout.toml").read_bytes())
    for key in values:
        cv2.imwrite(str(folder / f"{key}.jpg"), proxy_face(key, 400))
    return load_set(folder)


class Evening:
    """The application over a simulated table: what lies there is rendered, and nobody tells what is seen of it."""

    def __init__(self, home: Path, shots: Path) -> None:
        rig = Rig()
        faces = ProxyFaces(CARDS, round(2 * MAT.card_size[0] * rig.canvas_pixels_per_mm))
        self._film = Camera(MAT, draw_mat(MAT, 2 * rig.canvas_pixels_per_mm), faces, 11, rig)
        self.slots: dict[str, Laid | None] = {slot.key: None for slot in MAT.slots}
        self._at, self._shots = 0.0, shots
        self.room = TestRoom(home, StillCamera(self._film.picture(self.slots, 0.0)), electronics=False)
        self.desk = TableDesk(self.room)
        self.pilot = Pilot((1280, 720), self.desk)

    def lay(self, **pieces: str) -> None:
        """Lay `slot="key"` or `slot="key/turn"`, each turned towards the middle row if nothing is said."""
        for slot, words in pieces.items():
            key, _, turn = words.partition("/")
            own = 2 if slot[0] == "B" else 1 if slot[0] == "R" else 0
            self.slots[slot] = Laid(key, int(turn) if turn else own, 1.5, -1.0, 2.0)
        self.film()

    def film(self) -> None:
        self._at += 1.0
        self.room.camera.picture = self._film.picture(self.slots, self._at)

    def wait(self, holds: Callable[[], object]) -> None:
        """Let time pass until something holds, however slow the machine is."""
        assert self.pilot.wait(holds), (self.pilot.here, self.live.prompt, self.pilot.app.root.toast.text)

    @property
    def live(self) -> LiveModel:
        return self.pilot.app.live

    @property
    def asked(self) -> EnrolModel:
        return self.pilot.app.root.sheet("enrol").model

    def picture(self, name: str) -> None:
        self.pilot.picture(self._shots / f"{name}.png")

    def begin(self) -> None:
        pilot = self.pilot
        pilot.tap(pilot.button("New game"))
        assert pilot.wait(lambda: any(tile.model.key == "allies" for tile in pilot.shown(GameTile)))
        pilot.tap(next(tile for tile in pilot.shown(GameTile) if tile.model.key == "allies"))
        pilot.tap(pilot.button("Ania"))
        pilot.tap(pilot.button("Next"))
        self.start()

    def start(self) -> None:
        assert self.pilot.wait(lambda: self.pilot.here == "table" and self.pilot.sheet.ready)
        self.pilot.tap(self.pilot.button("Start"))
        assert self.pilot.wait(lambda: self.pilot.here == "live")

    def title(self, slot: str) -> str:
        return self.live.board.cell(slot).title


@pytest.fixture
def sit_down(tmp_path: Path) -> Iterator[Callable[[], Evening]]:
    """Open the app at the table; what was open before is closed, as at the end of an evening."""
    opened: list[Evening] = []

    def open_app() -> Evening:
        for evening in opened:
            evening.pilot.close()
        opened[:] = [Evening(tmp_path / "home", tmp_path)]
        return opened[0]

    yield open_app
    for evening in opened:
        evening.pilot.close()


def entries_of(folder: Path) -> tuple[Entry, ...]:
    (game,) = Shelf(folder / "home").unfinished()
    return read_journal(game.path).entries


def test_a_card_in_no_set_is_followed_asked_about_once_and_known_the_next_evening(
    sit_down: Callable[[], Evening], tmp_path: Path
) -> None:
    owners_set(tmp_path / "home")
    evening = sit_down()
    pilot = evening.pilot
    evening.begin()
    evening.lay(**{f"R{column}": key for column, key in enumerate(REGIONS, 1)})
    evening.wait(lambda: evening.live.prompt.seat == 0 and evening.title("R5"))

    evening.lay(A3=NEW)
    evening.wait(lambda: pilot.here == "enrol")
    evening.picture("asked")
    assert evening.asked.says.startswith("Card 1 in A3 is in no set")
    assert not evening.asked.detail
    pilot.tap(pilot.button("Done"))
    evening.wait(lambda: pilot.here == "live" and evening.title("A3"))
    key = evening.title("A3")
    evening.picture("known")

    for slot, other in (("B3", OTHERS[0]), ("A4", OTHERS[1]), ("B2", OTHERS[2])):
        evening.lay(**{slot: other})
        evening.wait(lambda slot=slot, other=other: evening.title(slot) == other)
    evening.lay(A2=TURNER)
    evening.wait(lambda: evening.title("A2") == TURNER)
    evening.lay(A3=f"{NEW}/3")
    evening.wait(lambda: evening.live.board.cell("A3").arrow == 3)
    before = dict(evening.slots)
    touched = [entry for entry in entries_of(tmp_path) if getattr(entry, "source", "") == "touch"]
    assert [type(entry) for entry in touched] == [DeclarationEntry], touched

    # The next evening: the game is gone on with, and the same card is known in another one.
    evening = sit_down()
    pilot = evening.pilot
    assert load_set(tmp_path / "home" / "sets" / "allies").cards[key]["sectors"] == CARDS.cards[NEW]["sectors"]
    evening.slots |= before
    evening.film()
    evening.wait(lambda: pilot.here == "home" and pilot.sheet.ids.first.children)
    pilot.tap(pilot.sheet.ids.first.children[0])
    evening.wait(lambda: pilot.here == "live" and evening.title("A3") == key)
    evening.lay(B4=OTHERS[3])
    evening.wait(lambda: evening.title("B4") == OTHERS[3])
    assert [entry for entry in entries_of(tmp_path) if getattr(entry, "source", "") == "touch"] == touched
