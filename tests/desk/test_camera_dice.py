"""The dice of a desk's camera: thrown into the tray of the mat, read, and kept in the journal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.desk.decks import Decks
from companion.desk.dice_eye import faces_of
from companion.desk.eye import Eye
from companion.games import load_game
from companion.journal.file import read_journal
from companion.journal.shelf import Shelf
from companion.presenters.desk import Begin, LeaveTable, ShowTable
from companion.presenters.models import LiveModel, TableModel
from companion.print.mat import draw_mat
from companion.sets.owner import PROXIES, load_set, no_set, proxy_set
from companion.simulated.dice_makes import coloured_die, flat_face
from companion.simulated.dice_on_mat import DicePainter
from companion.simulated.lying import LyingDie
from companion.table.mat import game_mat
from companion.table.observation import DiceSeen, Observation, Scene, Touch
from tests.desk.parts import Screen, StillCamera, TestRoom, settle, wait_until
from vision.dice.faces import FacesError
from vision.dice.tray import TrayReader
from vision.frame import Frame
from vision.sources import FolderSource
from vision.table_reader import TableReader

KEY = "king_of_the_dice"
GAME_MAT = game_mat(load_game(KEY))
CARDS = proxy_set(KEY)
MAKES = tuple(coloured_die(net) for net in CARDS.nets)
PX_PER_MM, BORDER = 3.6, 40
FACES = tuple(net[number % 6] for number, net in enumerate(CARDS.nets))
VILLAGERS = ("gnome-1", "dwarf-1", "rich-1", "elves-1", "dragon-2")

Sit = Callable[[TestRoom], Screen]


def king_mat(*faces: str) -> NDArray[np.uint8]:
    """The mat on a table, seen from straight above, with dice in its tray."""
    canvas = np.minimum(draw_mat(GAME_MAT, PX_PER_MM), 236).astype(np.uint8)
    tray = GAME_MAT.tray
    assert tray is not None
    painter = DicePainter(MAKES, PX_PER_MM, (GAME_MAT.width / 2, GAME_MAT.height / 2, 700.0), 40.0)
    lying = [
        LyingDie(number, face, tray.x + 30 + 45 * (number % 2), tray.y + 30 + 50 * (number // 2), 17.0 * number)
        for number, face in enumerate(faces)
    ]
    painter.draw(canvas, lying, (0.0, 0.0))
    return np.asarray(cv2.copyMakeBorder(canvas, *(BORDER,) * 4, cv2.BORDER_CONSTANT, value=(60, 80, 100)), np.uint8)


def throw(eye: Eye | None, *faces: str) -> None:
    """Wait until the empty tray has been looked at, then show dice at rest in it."""

    def has_seen_it_empty() -> bool:
        witness = None if eye is None else eye._dice._witness
        return witness is not None and witness.reader._thrown == ()

    wait_until(has_seen_it_empty)
    assert eye is not None
    assert isinstance(eye.source, StillCamera)
    eye.source.picture = king_mat(*faces)


@pytest.fixture
def own_dice(tmp_path: Path) -> Path:
    """A home with the faces of dice that somebody enrolled, and cards that nobody photographed."""
    home = tmp_path / "home"
    folder = home / "sets" / KEY
    (folder / "dice").mkdir(parents=True)
    values = (PROXIES / KEY / "set.toml").read_text(encoding="utf-8")
    (folder / "set.toml").write_text(values.replace('label = "', 'label = "values of ', 1), encoding="utf-8")
    for make in MAKES:
        for label in make.labels:
            cv2.imwrite(str(folder / "dice" / f"{label}.png"), flat_face(make, label))
    return home


def test_a_throw_under_the_camera_reaches_the_journal(own_dice: Path, sit: Sit) -> None:
    room = TestRoom(own_dice, StillCamera(king_mat()))
    screen = sit(room)
    screen.ask(Begin(KEY, ("Ann", "Bo"), "reconciled", (), 0), LiveModel)
    dealt = [("deal", f"{card} @ V{column}") for column, card in enumerate(VILLAGERS, 1)]
    for to, reply in [*dealt, ("penalty", "penalty-4 @ S2")]:
        room.oracle.observe(Touch("test", time.monotonic(), to=to, reply=reply))
    settle(screen.desk)
    devices = {meter.name: meter for meter in screen.ask(ShowTable(), TableModel, tray_is_read).meters}
    assert devices["Cards"].state == "failed", "nobody photographed the cards; the dice are read all the same"
    screen.submit(LeaveTable(camera=True))
    wait_until(lambda: room.held[-1:] == [False])
    throw(screen.desk._eye, *FACES)
    live = screen.wait(LiveModel, lambda model: any(line.source == "dice" for line in model.feed))
    (game,) = Shelf(own_dice).unfinished()
    rolled = read_journal(game.path).entries[-1]
    assert sorted(rolled.reply.split()) == sorted(FACES), live.feed
    assert rolled.source == "dice"


def tray_is_read(model: TableModel) -> bool:
    return any(meter.name == "Dice" and meter.state == "ok" for meter in model.meters)


@pytest.fixture
def heard() -> list[DiceSeen]:
    return []


@pytest.fixture
def watching(tmp_path: Path, heard: list[DiceSeen]) -> Iterator[Eye]:
    """An eye over a mat that has a tray and no place for cards."""
    eye = Eye(StillCamera(king_mat()), Decks(tmp_path), sets=tmp_path / "sets")

    def hear(seen: Observation) -> None:
        assert isinstance(seen, DiceSeen)
        heard.append(seen)

    eye.start()
    eye.watch(replace(GAME_MAT, slots=()), CARDS, hear)
    yield eye
    eye.stop()


def test_a_game_without_places_for_cards_has_its_dice_read(watching: Eye, heard: list[DiceSeen]) -> None:
    wait_until(lambda: (health := watching.dice_health()) is not None and health.state == "ok")
    assert watching.health().state == "ok"
    throw(watching, *FACES)
    wait_until(lambda: heard)
    assert sorted(heard[0].faces) == sorted(FACES)
    watching.rest()
    assert watching.dice_health() is None


def test_too_few_dice_are_said_and_not_taken_for_a_roll(watching: Eye, heard: list[DiceSeen]) -> None:
    wait_until(lambda: (health := watching.dice_health()) is not None and health.state == "ok")
    throw(watching, *FACES[:4])
    wait_until(lambda: heard)
    assert heard[0].faces == ()
    assert "4 dice lie in the tray and 6 were expected" in heard[0].problem
    health = watching.dice_health()
    assert health is not None
    assert health.state == "unsure"


def test_faces_come_from_the_owner_then_from_our_drawings_and_pips_need_none(own_dice: Path, tmp_path: Path) -> None:
    folder = own_dice / "sets" / KEY
    labels = {label for make in MAKES for label in make.labels}
    owners, ours = faces_of(load_set(folder), folder / "dice"), faces_of(CARDS, tmp_path / "nothing")
    assert owners is not None
    assert ours is not None
    assert set(owners.labels) == set(ours.labels) == labels
    assert faces_of(no_set("realm_of_wonder"), None) is None
    with pytest.raises(FacesError, match="enrol their faces"):
        faces_of(load_set(folder), tmp_path / "nothing")


def test_a_folder_with_nothing_but_dice_leaves_our_own_cards_in_play(own_dice: Path) -> None:
    (own_dice / "sets" / KEY / "set.toml").unlink()
    cards, folder = TestRoom(own_dice).cards(KEY)
    assert (cards.digest, folder) == (CARDS.digest, None)


def test_cards_and_dice_of_a_recording_are_both_read_in_every_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of pictures must wait until the cards are learned, and must not be dealt out between two readers."""
    pictures = 14
    for number in range(pictures):
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), king_mat(*FACES[: 3 + number % 2]))
    read: dict[str, list[int]] = {"cards": [], "dice": []}
    read_cards, read_dice = TableReader.read, TrayReader.read

    def cards(self: TableReader, frame: Frame) -> Scene:
        read["cards"].append(frame.number)
        return read_cards(self, frame)

    def dice(self: TrayReader, frame: Frame) -> DiceSeen | None:
        read["dice"].append(frame.number)
        return read_dice(self, frame)

    monkeypatch.setattr(TableReader, "read", cards)
    monkeypatch.setattr(TrayReader, "read", dice)
    eye = Eye(FolderSource(tmp_path), Decks(tmp_path / "decks"))
    eye.start()
    eye.watch(GAME_MAT, CARDS, lambda observation: None)
    wait_until(lambda: all(len(numbers) == pictures for numbers in read.values()))
    eye.stop()
    assert read == {"cards": list(range(pictures)), "dice": list(range(pictures))}
