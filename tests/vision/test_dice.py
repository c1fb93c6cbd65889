from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli.enrol import command as enrol_command
from companion.cli.read import command
from companion.simulated.dice_makes import COLOURS, battle_die, coloured_die, pip_die, spinning_die
from companion.simulated.dice_scenes import Lying, TrayCamera
from vision.dice.blobs import count_blobs
from vision.dice.enrol import cut_faces, enrol_faces
from vision.dice.face import rectified
from vision.dice.faces import SIDE, DieFaces, FacesError
from vision.dice.marks import pip_mask, text_mask
from vision.dice.pips import layout_scores
from vision.dice.read import DiceReader
from vision.dice.reading import DieReading
from vision.dice.scenes import Stage
from vision.dice.truth import DiceScore, LabelledDie
from vision.frame import Picture
from vision.picture import save_picture

PALE, DARK = (240.0, 240.0, 240.0), (30.0, 30.0, 30.0)
SIX = [
    pip_die(),
    pip_die(COLOURS["red"], PALE),
    pip_die(COLOURS["yellow"], DARK),
    pip_die(COLOURS["black"], PALE),
    pip_die(COLOURS["blue"], PALE),
    pip_die(COLOURS["green"], PALE),
]


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


@pytest.fixture(scope="module")
def six() -> tuple[Picture, TrayCamera]:
    camera = TrayCamera(SIX, seed=3)
    camera.throw(["1", "2", "3", "4", "5", "6"])
    return camera.picture(), camera


def test_six_dice_of_six_colours_are_read_anywhere_on_the_table(
    reader: DiceReader, six: tuple[Picture, TrayCamera]
) -> None:
    dice = reader.read(six[0])
    assert sorted(die.value or "" for die in dice) == ["1", "2", "3", "4", "5", "6"]
    assert {die.state for die in dice} == {"known"}
    assert {die.colour: die.value for die in dice} == {
        "white": "1", "red": "2", "yellow": "3", "black": "4", "blue": "5", "green": "6",
    }  # fmt: skip


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_turning_the_picture_by_quarters_changes_no_value(
    reader: DiceReader, six: tuple[Picture, TrayCamera], quarters: int
) -> None:
    turned = np.ascontiguousarray(np.rot90(six[0], -quarters))
    assert sorted(die.value or "" for die in reader.read(turned)) == ["1", "2", "3", "4", "5", "6"]


def test_a_die_lies_where_it_was_laid(reader: DiceReader, six: tuple[Picture, TrayCamera]) -> None:
    picture, camera = six
    for die in reader.read(picture, camera.tray):
        true = next(lying for lying in camera.lying.values() if lying.label == die.value)
        assert np.hypot(die.centre[0] - true.x, die.centre[1] - true.y) < 0.15 * die.size
        assert 0.8 < die.size / (16 * 2.1) < 1.2


def test_only_dice_inside_the_region_are_read(reader: DiceReader, six: tuple[Picture, TrayCamera]) -> None:
    picture, camera = six
    left = camera.tray.copy()
    left[1:3, 0] = camera.tray[:, 0].mean()
    inside = {lying.label for lying in camera.lying.values() if lying.x < left[1, 0]}
    assert 0 < len(inside) < 6
    assert {die.value for die in reader.read(picture, left)} == inside


def test_nothing_is_read_in_an_empty_tray_or_on_a_bare_table(reader: DiceReader) -> None:
    for seed in range(3):
        assert reader.read(TrayCamera([], seed).picture()) == ()


def test_a_die_that_leans_is_cocked_and_not_known(reader: DiceReader) -> None:
    camera = TrayCamera(SIX, seed=6)
    camera.throw(["1", "2", "3", "4", "5"], only=range(5))
    x, y = camera.tray.mean(axis=0)
    camera.lying = {k: die for k, die in camera.lying.items() if np.hypot(die.x - x, die.y - y) > 60}
    camera.lay_at(5, Lying("6", float(x), float(y), 20.0, lean=33.0))
    at_middle = [
        d for d in reader.read(camera.picture(), camera.tray) if np.hypot(d.centre[0] - x, d.centre[1] - y) < 25
    ]
    assert [die.state for die in at_middle if die.state == "known"] == []


def test_a_die_at_the_picture_s_edge_is_half_out_of_view(reader: DiceReader, six: tuple[Picture, TrayCamera]) -> None:
    picture, camera = six
    die = max(camera.lying.values(), key=lambda lying: lying.x)
    cut = np.ascontiguousarray(picture[:, : int(die.x) + 4])
    states = {each.value: each.state for each in reader.read(cut)}
    assert states.get(die.label) in (None, "half out of view")


def test_pips_are_told_from_their_layout_without_any_network() -> None:
    for value in range(1, 7):
        for quarter in range(4):
            face = np.rot90(pip_mask(value), quarter)
            picture = cv2.cvtColor((225 - 190 * face).astype(np.uint8), cv2.COLOR_GRAY2BGR)
            top = np.array([(0, 0), (95, 0), (95, 95), (0, 95)], np.float64)
            assert int(np.argmax(layout_scores(np.asarray(picture, np.uint8), top))) + 1 == value


def test_enrolled_faces_name_number_and_colour_at_once() -> None:
    net = ("red-1", "blue-6", "green-2", "red-5", "blue-3", "green-4")
    faces = _faces_of(net)
    camera = TrayCamera([coloured_die(net, painted=True)] * 4, seed=8)
    camera.throw(["red-1", "green-4", "blue-3", "red-5"])
    dice = DiceReader(faces).read(camera.picture(), camera.tray)
    assert sorted(die.value or "" for die in dice) == ["blue-3", "green-4", "red-1", "red-5"]
    assert {die.kind for die in dice} == {"face"}


def test_the_purple_two_of_the_battle_die_is_not_a_two() -> None:
    camera = TrayCamera([battle_die()], seed=1, tray_mm=(60, 50), pixels_per_mm=6)
    pictures = {}
    for label in battle_die().labels:
        camera.throw([label])
        pictures[label] = camera.picture()
    plain = TrayCamera([pip_die()], seed=1, tray_mm=(60, 50), pixels_per_mm=6)
    plain.throw(["2"])
    reader = DiceReader()

    cut = {label: rectified(seen, reader.faces(seen)[0].top, SIDE) for label, seen in pictures.items()}
    cut["2"] = rectified(plain.picture(), reader.faces(plain.picture())[0].top, SIDE)
    again = TrayCamera([battle_die()] * 3, seed=12)
    again.throw(["purple-2", "purple-2", "3"])
    values = [die.value for die in DiceReader(DieFaces(cut)).read(again.picture(), again.tray)]
    assert sorted(v or "" for v in values) == ["3", "purple-2", "purple-2"]


@pytest.mark.parametrize("label", ["1", "2", "4", "5", "6"])
def test_an_enrolled_face_is_named_though_its_place_is_known_badly(label: str) -> None:
    faces = DieFaces({digit: _drawn(text_mask(digit)) for digit in "12456"})
    wide = cv2.copyMakeBorder(_drawn(text_mask(label)), 60, 60, 60, 60, cv2.BORDER_REPLICATE)
    for turn, size, shift in ((14.0, 1.15, (7, -6)), (198.0, 0.88, (-6, 7))):
        matrix = cv2.getRotationMatrix2D((108, 108), turn, size)
        matrix[:, 2] += shift
        seen = cv2.warpAffine(wide, matrix, (216, 216), borderMode=cv2.BORDER_REPLICATE)
        match = faces.match(np.asarray(seen, np.uint8), 60 / 96)
        assert match.label == label
        assert match.lead > 0.5


def test_what_lies_halfway_between_two_faces_leads_neither() -> None:
    five, six = _drawn(text_mask("5")), _drawn(text_mask("6"))
    between = cv2.addWeighted(five, 0.5, six, 0.5, 0)
    match = DieFaces({"5": five, "6": six, "1": _drawn(text_mask("1"))}).match(np.asarray(between, np.uint8), 0.0)
    assert {label for label, _ in match.ranked[:2]} == {"5", "6"}
    assert match.lead < 0.15


@pytest.mark.parametrize("value", range(1, 7))
def test_blobs_that_lie_as_pips_do_are_legal(value: int) -> None:
    picture = np.full((300, 300, 3), 230, np.uint8)
    picture[102:198, 102:198] = (225 - 190 * pip_mask(value, 0.22, 0.09))[..., None].astype(np.uint8)
    matrix = cv2.getRotationMatrix2D((150, 150), 20 * value, 1)
    turned = cv2.warpAffine(picture, matrix, (300, 300), borderValue=(230, 230, 230))
    counted = count_blobs(np.asarray(turned, np.uint8))
    assert [(each.value, each.legal) for each in counted] == [(str(value), True)]


def test_blobs_in_a_row_of_four_are_no_four() -> None:
    picture = np.full((300, 300, 3), 230, np.uint8)
    for k in range(4):
        cv2.circle(picture, (80 + 26 * k, 150), 9, (30, 30, 30), -1, cv2.LINE_AA)
    assert [(each.value, each.legal) for each in count_blobs(picture)] == [("4", False)]


def test_faces_that_are_turns_of_one_another_are_warned_of() -> None:
    nine = np.ascontiguousarray(np.rot90(text_mask("6"), 2))
    alike = DieFaces({"6": _drawn(text_mask("6")), "9": _drawn(nine), "4": _drawn(text_mask("4"))}).alike()
    assert [(pair.first, pair.second, pair.turn) for pair in alike] == [("6", "9", 2)]
    assert "upside down" in alike[0].says


def test_faces_are_enrolled_from_one_photograph_each(tmp_path: Path) -> None:
    photos, target = tmp_path / "photos", tmp_path / "die"
    photos.mkdir()
    make = spinning_die(("sun", "moon", "star", "wave", "road", "leaf"))
    camera = TrayCamera([make], seed=2, tray_mm=(50, 40), pixels_per_mm=8)
    for label in make.labels[:3]:
        camera.throw([label])
        save_picture(photos / f"{label}.png", camera.picture())
    enrolled = enrol_faces(photos, target)
    assert enrolled.labels == ("moon", "star", "sun")
    assert DieFaces.from_folder(target).labels == ("moon", "star", "sun")
    with pytest.raises(FacesError, match="already"):
        enrol_faces(photos, target)


def test_the_command_enrols_faces_and_warns_of_turned_twins(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    save_picture(photos / "six.png", _drawn(text_mask("6")))
    save_picture(photos / "nine.png", _drawn(np.ascontiguousarray(np.rot90(text_mask("6"), 2))))
    arguments = [str(tmp_path / "die"), "--from", str(photos), "--dice", "--whole"]
    result = CliRunner().invoke(enrol_command, arguments)
    assert result.exit_code == 0
    assert "2 faces enrolled" in result.stdout
    assert "upside down" in result.stdout
    assert DieFaces.from_folder(tmp_path / "die").labels == ("nine", "six")


def test_a_photograph_without_a_die_enrols_nothing(tmp_path: Path) -> None:
    save_picture(tmp_path / "sun.png", TrayCamera([], seed=1).picture())
    with pytest.raises(FacesError, match=r"sun\.png: no die was found"):
        cut_faces({"sun": tmp_path / "sun.png"})
    with pytest.raises(FacesError, match="holds no photograph"):
        enrol_faces(tmp_path / "nowhere", tmp_path / "die")


def test_the_command_prints_dice_as_the_interface_says(tmp_path: Path, six: tuple[Picture, TrayCamera]) -> None:
    save_picture(tmp_path / "six.png", six[0])
    drawn = tmp_path / "drawn.png"
    result = CliRunner().invoke(command, [str(tmp_path / "six.png"), "--dice", "--json", "--annotate", str(drawn)])
    assert result.exit_code == 0
    sheet = json.loads(result.stdout)
    assert sheet["cards"] == []
    assert [sorted(die) for die in sheet["dice"]] == [
        ["centre", "colour", "confidence", "kind", "size", "state", "value"]
    ] * 6
    assert sorted(die["value"] for die in sheet["dice"]) == [1, 2, 3, 4, 5, 6]
    assert drawn.is_file()


def test_a_photo_without_dice_is_a_negative_answer_in_one_sentence(tmp_path: Path) -> None:
    save_picture(tmp_path / "bare.png", TrayCamera([], seed=4).picture())
    result = CliRunner().invoke(command, [str(tmp_path / "bare.png"), "--dice", "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["dice"] == []
    assert "no die was found" in result.stderr


def test_a_folder_without_faces_is_bad_input(tmp_path: Path) -> None:
    save_picture(tmp_path / "bare.png", TrayCamera([], seed=4).picture())
    wrong = ["--dice", "--faces", str(tmp_path / "none")]
    result = CliRunner().invoke(command, [str(tmp_path / "bare.png"), *wrong])
    assert result.exit_code == 2 or "holds no faces" in str(result.exception)


def test_a_score_counts_right_wrong_and_extra_dice_apart() -> None:
    dice = [LabelledDie(str(v), (100.0 * v, 50.0), 40.0, "white", "pip", frozenset()) for v in (1, 2, 3)]
    readings = [_reading("1", 100, 50), _reading("6", 200, 52), _reading("5", 600, 50)]
    score = DiceScore()
    assert not score.add(dice, readings, ["known", "known", "unsure"])
    assert (score.counts["right"], score.counts["found"], score.counts["dice"]) == (1, 2, 3)
    assert (score.counts["wrong but known"], score.counts["extra"]) == (1, 1)


def _reading(value: str, x: float, y: float) -> DieReading:
    top = np.array([(x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20)])
    return DieReading(value, "white", "pip", "known", 0.9, top)


def _drawn(mask: np.ndarray) -> Picture:
    return np.asarray(cv2.cvtColor((230 - 200 * mask).astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)


def _faces_of(net: tuple[str, ...]) -> DieFaces:
    """Enrol the faces of a painted die from one near picture each."""

    camera = TrayCamera([coloured_die(net, painted=True)], seed=4, tray_mm=(60, 50), pixels_per_mm=6)
    reader, faces = DiceReader(), {}
    for label in net:
        camera.throw([label])
        seen = camera.picture()
        faces[label] = rectified(seen, reader.faces(seen)[0].top, SIDE)
    return DieFaces(faces)


def test_no_die_is_known_among_cards_hands_and_coins(reader: DiceReader) -> None:
    stage = Stage(np.random.default_rng(5), 8)
    read = [die for _ in range(10) for die in reader.read(stage.bare(320))]
    assert [die for die in read if die.state == "known"] == []
    assert len(read) <= 1
