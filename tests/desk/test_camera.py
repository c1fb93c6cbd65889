"""The camera of a desk: setting up, reading, hand-set corners, cards it does not know."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.desk.calibration import Calibration, Calibrations, Corners
from companion.desk.decks import Decks, seen_by_camera
from companion.desk.meters import measure, present_meters
from companion.presenters.desk import LeaveTable, SetCorners, ShowTable
from companion.presenters.models import LiveModel, NoticeModel, TableModel
from companion.sets.faces import proxy_face
from companion.sets.owner import load_set
from companion.table.observation import Scene, Sighting
from tests.desk.parts import MAT, SLOTS, Screen, StillCamera, TestRoom, flat_mat, own_values, scene, wait_until
from vision.plane import plane_from_markers

Sit = Callable[[TestRoom], Screen]


def photograph(folder: Path, *keys: str) -> None:
    """Put the pictures of some cards into an owner's set."""
    for key in keys:
        cv2.imwrite(str(folder / f"{key}.jpg"), proxy_face(key, 400))


def lay(picture: np.ndarray, slot: str, key: str, quarters: int, px_per_mm: float = 2.0) -> np.ndarray:
    """Lay a card on the flat mat."""
    side = round(63 * px_per_mm)
    face = cv2.resize(np.rot90(proxy_face(key, 400), -quarters), (side, side), interpolation=cv2.INTER_AREA)
    x, y = MAT.slot(slot).rect.centre
    left, top = round(x * px_per_mm) + 220 - side // 2, round(y * px_per_mm) + 63 - side // 2
    laid = picture.copy()
    laid[top : top + side, left : left + side] = face
    return laid


def test_setting_up_finds_the_mat_and_says_how_good_the_picture_is(tmp_path: Path, sit: Sit) -> None:
    screen = sit(TestRoom(tmp_path / "home", StillCamera(flat_mat())))
    model = screen.ask(ShowTable(), TableModel)
    assert model.ready
    assert not model.manual
    assert {meter.name: meter.state for meter in model.meters if meter.name != "Cards"} == {
        "Light": "ok", "Sharpness": "ok", "Size": "ok", "Glare": "ok", "Camera": "ok",
    }  # fmt: skip
    assert [outline.key for outline in model.slots] == [slot.key for slot in MAT.slots]
    assert model.corners is not None
    height, width = flat_mat().shape[:2]
    assert np.allclose(np.array(model.corners[0]) * (width, height), (220, 63), atol=3)


def test_corners_set_by_hand_hold_until_the_markers_are_wanted_again(tmp_path: Path, sit: Sit) -> None:
    picture = flat_mat()
    picture[:, :220], picture[:, -220:] = 90, 90
    blank = picture.copy()
    for marker in MAT.markers:
        x, y, side = 220 + round(2 * marker.rect.x), 63 + round(2 * marker.rect.y), round(2 * marker.rect.width)
        blank[y - 2 : y + side + 2, x - 2 : x + side + 2] = 250
    screen = sit(TestRoom(tmp_path / "home", StillCamera(blank)))
    lost = screen.ask(ShowTable(), TableModel)
    assert not lost.ready
    assert "no mat was found" in lost.missing[0].lower()
    assert lost.corners is not None, "there must be something to drag"

    height, width = blank.shape[:2]
    left, right, top, bottom = 220 / width, (width - 220) / width, 63 / height, (height - 63) / height
    crossed = ((left, top), (right, bottom), (right, top), (left, bottom))
    assert "tap them clockwise" in screen.ask(SetCorners(crossed), NoticeModel).says
    dragged = ((left, top), (right, top), (right, bottom), (left, bottom))
    by_hand = screen.ask(SetCorners(dragged), TableModel, lambda model: model.ready)
    assert by_hand.manual
    assert np.allclose(by_hand.corners, dragged, atol=0.01)
    again = screen.ask(SetCorners(None), TableModel, lambda model: not model.ready)
    assert not again.manual


def blank_mat() -> tuple[np.ndarray, Corners]:
    """Return a mat without markers on a grey table, and where its corners are."""
    blank = flat_mat()
    blank[:, :220], blank[:, -220:] = 90, 90
    blank[:63], blank[-63:] = 90, 90
    for marker in MAT.markers:
        x, y, side = 220 + round(2 * marker.rect.x), 63 + round(2 * marker.rect.y), round(2 * marker.rect.width)
        blank[y - 2 : y + side + 2, x - 2 : x + side + 2] = 250
    height, width = blank.shape[:2]
    left, right, top, bottom = 220 / width, (width - 220) / width, 63 / height, (height - 63) / height
    return blank, ((left, top), (right, top), (right, bottom), (left, bottom))


def test_corners_set_by_hand_are_there_again_after_the_app_was_closed(tmp_path: Path, sit: Sit) -> None:
    picture, corners = blank_mat()
    first = sit(TestRoom(tmp_path / "home", StillCamera(picture)))
    first.ask(ShowTable(), TableModel)
    assert first.ask(SetCorners(corners), TableModel, lambda model: model.ready).manual
    first.desk.close()
    again = sit(TestRoom(tmp_path / "home", StillCamera(picture)))
    model = again.ask(ShowTable(), TableModel)
    assert model.manual
    assert model.corners is not None
    assert np.allclose(model.corners, corners, atol=0.01)
    again.ask(SetCorners(None), TableModel, lambda model: not model.ready)
    again.desk.close()
    third = sit(TestRoom(tmp_path / "home", StillCamera(picture)))
    assert not third.ask(ShowTable(), TableModel).manual


def pushed(picture: np.ndarray, right: int, down: int) -> np.ndarray:
    """Return what a camera sees of the same table after it was pushed."""
    matrix = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_corners_of_another_evening_are_looked_for_where_the_camera_shows_them_today(tmp_path: Path, sit: Sit) -> None:
    picture, corners = blank_mat()
    first = sit(TestRoom(tmp_path / "home", StillCamera(picture)))
    first.ask(ShowTable(), TableModel)
    first.ask(SetCorners(corners), TableModel, lambda model: model.ready)
    first.desk.close()
    again = sit(TestRoom(tmp_path / "home", StillCamera(pushed(picture, 34, -18))))
    model = again.ask(ShowTable(), TableModel, lambda model: model.ready)
    assert model.manual
    assert model.corners is not None
    moved = np.array(corners) + np.array((34, -18)) / (picture.shape[1], picture.shape[0])
    assert np.allclose(model.corners, moved, atol=0.003)


def test_corners_that_may_lie_elsewhere_today_are_asked_for_and_shown(tmp_path: Path, sit: Sit) -> None:
    picture, corners = blank_mat()
    first = sit(TestRoom(tmp_path / "home", StillCamera(picture)))
    first.ask(ShowTable(), TableModel)
    first.ask(SetCorners(corners), TableModel, lambda model: model.ready)
    first.desk.close()
    elsewhere = np.full_like(picture, 120)
    elsewhere[200:500, 300:600] = 250
    again = sit(TestRoom(tmp_path / "home", StillCamera(elsewhere)))
    model = again.ask(ShowTable(), TableModel, lambda model: "may stand elsewhere" in " ".join(model.missing))
    assert not model.ready
    assert model.corners is not None
    assert np.allclose(model.corners, corners, atol=0.001)
    dragged = ((0.2, 0.3), (0.5, 0.3), (0.5, 0.7), (0.2, 0.7))
    assert again.ask(SetCorners(dragged), TableModel, lambda model: model.ready).manual


def test_corners_that_were_kept_without_their_looks_are_asked_for(tmp_path: Path, sit: Sit) -> None:
    picture, corners = blank_mat()
    Calibrations(tmp_path / "home" / "calibration.json").keep(Calibration("the still camera", MAT.name, corners))
    screen = sit(TestRoom(tmp_path / "home", StillCamera(picture)))
    assert screen.ask(ShowTable(), TableModel, lambda model: "may stand elsewhere" in " ".join(model.missing))


def test_a_calibration_belongs_to_one_camera_over_one_mat_and_a_broken_file_is_none(tmp_path: Path) -> None:
    kept = Calibrations(tmp_path / "calibration.json")
    _, corners = blank_mat()
    assert kept.keep(Calibration("usb", "allies", corners, -0.05)) == ""
    assert kept.keep(Calibration("usb", "other", None, -0.05)) == ""
    assert kept.of("usb", "allies").corners == corners
    assert kept.of("usb", "other").corners is None
    assert kept.of("phone", "allies") == Calibration("phone", "allies")
    (tmp_path / "calibration.json").write_text("{broken")
    assert kept.of("usb", "allies") == Calibration("usb", "allies")
    assert "cannot be written" in Calibrations(Path("/proc/nowhere/calibration.json")).keep(
        Calibration("usb", "allies")
    )


def test_what_the_pictures_tell_of_the_lens_is_kept(tmp_path: Path, sit: Sit) -> None:
    screen = sit(TestRoom(tmp_path / "home", StillCamera(flat_mat())))
    screen.ask(ShowTable(), TableModel)
    screen.desk.close()
    k1 = Calibrations(tmp_path / "home" / "calibration.json").of("the still camera", MAT.name).k1
    assert k1 is not None
    assert abs(k1) < 0.01, "a drawing is not bent"


@pytest.mark.parametrize(
    ("spoil", "name", "word"),
    [
        (lambda picture: picture // 8, "Light", "too dark"),
        (lambda picture: cv2.GaussianBlur(picture, (0, 0), 4.0), "Sharpness", "blurred"),
        (
            lambda picture: cv2.resize(picture, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA),
            "Size",
            "too small",
        ),
        (
            lambda picture: cv2.ellipse(picture.copy(), (640, 360), (200, 140), 0, 0, 360, (255,) * 3, -1),
            "Glare",
            "much",
        ),
    ],
)
def test_each_meter_says_what_is_wrong_and_what_to_do(
    spoil: Callable[[np.ndarray], np.ndarray], name: str, word: str
) -> None:
    good = flat_mat()
    spoilt = np.ascontiguousarray(spoil(good))
    plane = plane_from_markers(MAT, good)
    scale = spoilt.shape[1] / good.shape[1]
    if scale != 1:
        plane = plane_from_markers(MAT, spoilt)
    meters = {meter.name: meter for meter in present_meters(measure(spoilt, plane, MAT), 0, True)}
    assert meters[name].word == word
    assert meters[name].hint
    assert {
        each.word for each in present_meters(measure(good, plane_from_markers(MAT, good), MAT), 0, True)
    }.isdisjoint({word})


def test_a_camera_that_was_moved_says_so() -> None:
    good = measure(flat_mat(), plane_from_markers(MAT, flat_mat()), MAT)
    assert present_meters(good, 2, True)[-1].word == "moved 2 times"
    assert present_meters(good, 2, False)[-1].word == "moving"


class LockingCamera(StillCamera):
    """A still camera whose exposure can be kept."""

    locked = False

    def lock_light(self) -> None:
        self.locked = True

    def unlock_light(self) -> None:
        self.locked = False


@pytest.mark.parametrize(("spoil", "word"), [(lambda p: p // 4 * 3, "changed"), (None, "patch covered")])
def test_light_that_has_changed_since_it_was_locked_is_said_by_the_meter(
    tmp_path: Path, sit: Sit, spoil: Callable[[np.ndarray], np.ndarray] | None, word: str
) -> None:
    room = TestRoom(tmp_path / "home", LockingCamera(flat_mat()), electronics=False)
    photograph(own_values(room.home), "castle-1")
    screen = sit(room)
    screen.begin(starter=0)
    patch = MAT.patch
    left, top = 220 + round(2 * patch.x), 63 + round(2 * patch.y)
    before = screen.ask(ShowTable(), TableModel, lambda _: room.camera.locked)
    assert next(meter for meter in before.meters if meter.name == "Light").word == "good"
    spoilt = flat_mat()
    spoilt[top : top + round(2 * patch.height), left : left + round(2 * patch.width)] = 30
    room.camera.picture = spoilt if spoil is None else spoil(flat_mat())
    after = screen.wait(TableModel, lambda model: any(meter.word == word for meter in model.meters))
    light = next(meter for meter in after.meters if meter.name == "Light")
    assert (light.state, bool(light.hint)) == ("unsure", True)


def test_a_photographed_card_is_read_and_outlined_where_it_lies(tmp_path: Path, sit: Sit) -> None:
    room = TestRoom(tmp_path / "home", StillCamera(flat_mat()), electronics=False)
    photograph(own_values(room.home), "region-yeti-1", "castle-1")
    cards, _ = room.cards("allies")
    assert seen_by_camera(cards) == 2
    screen = sit(room)
    screen.begin(starter=0)
    room.camera.picture = lay(flat_mat(), "R2", "castle-1", 1)
    live = screen.wait(LiveModel, lambda model: model.board.cell("R2").title == "castle-1")
    outline = next(overlay for overlay in live.overlays if overlay.key == "R2")
    assert (outline.state, outline.label) == ("sure", "castle-1")
    height, width = room.camera.picture.shape[:2]
    x, y = MAT.slot("R2").rect.centre
    middle = np.mean(np.array(outline.corners) * (width, height), axis=0)
    assert np.allclose(middle, (220 + 2 * x, 63 + 2 * y), atol=4)
    frame = screen.desk.frame()
    assert frame is not None
    assert frame.rgba.shape == (height, width, 4)
    wait_until(lambda: screen.desk.frame() is screen.desk.frame())  # unless a new picture came between the two


def test_a_set_without_pictures_is_told_and_asked_for_by_hand(tmp_path: Path, sit: Sit) -> None:
    room = TestRoom(tmp_path / "home", StillCamera(flat_mat()))
    own_values(room.home)
    screen = sit(room)
    screen.begin(starter=0)
    live = screen.wait(LiveModel, lambda model: model.camera == "failed")
    assert "photograph them" in live.camera_says
    assert live.prompt.kind == "ask"
    meter = screen.ask(ShowTable(), TableModel).meters[-1]
    assert (meter.name, meter.state) == ("Cards", "failed")


def test_a_camera_lost_in_play_is_an_alarm_until_people_play_without_it(screen: Screen, room: TestRoom) -> None:
    screen.begin(starter=0)
    room.oracle.observe(scene(1.0))
    screen.settle()
    hidden = tuple(Sighting(slot, "hidden") for slot in SLOTS)
    lost = "the camera was unplugged; plug it in again"
    room.oracle.observe(Scene("oracle", 2.0, hidden, steady=False, problem=lost))
    alarmed = screen.settle()
    assert (alarmed.prompt.kind, alarmed.prompt.says) == ("alarm", lost)
    assert room.lamps.shown[-1].alarm
    calm = screen.ask(LeaveTable(camera=False), LiveModel, lambda model: model.prompt.kind == "ask")
    assert calm.camera == "off"
    room.oracle.observe(Scene("oracle", 3.0, hidden, steady=False, problem=lost))
    assert screen.settle().prompt.kind == "ask"
    assert not room.lamps.shown[-1].alarm
    again = screen.ask(LeaveTable(camera=True), LiveModel, lambda model: model.camera_says != calm.camera_says)
    assert again.prompt.kind == "ask"


def test_drawings_are_kept_and_drawn_again_if_the_kept_picture_is_broken(tmp_path: Path) -> None:
    folder = own_values(tmp_path)
    photograph(folder, "yeti-01", "yeti-02")
    decks = Decks(tmp_path / "cache")
    deck = decks.learn(load_set(folder))
    assert sorted(deck.labels) == ["yeti-01", "yeti-02"]
    assert decks.learn(load_set(folder)) is deck
