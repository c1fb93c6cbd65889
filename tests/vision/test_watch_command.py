"""`companion watch` says what hands do, from the first picture of a recording to its last."""

import hashlib
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.__main__ import main
from companion.simulated.arrow_scenes import TOKENS, draw_token
from companion.simulated.disc_scenes import render_discs
from tests.vision.table_stage import MAT, Stage, face


def watch(*words):
    return CliRunner().invoke(main, ["watch", *map(str, words)])


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deck")
    for number in range(5):
        cv2.imwrite(str(folder / f"card-{number}.png"), face(number))
    return folder


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Pictures of a table on which a card lies; it is turned, another one comes, the first goes elsewhere."""
    folder, stage = tmp_path_factory.mktemp("evening"), Stage()

    def rest():
        for _ in range(6):
            frame = stage.frame()
            cv2.imwrite(str(folder / f"{frame.number:03d}.png"), frame.picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])

    stage.put("A1", face(1))
    rest()
    stage.put("A1", face(1), 1)
    rest()
    stage.put("B2", face(2), 2)
    rest()
    stage.take("A1")
    stage.put("R3", face(1), 1)
    rest()
    stage.take("B2")
    rest()
    return folder


def test_what_hands_did_is_told_in_order_with_the_pictures_that_show_it(tmp_path, deck, evening):
    result = watch(f"folder:{evening}", "--deck", deck, "--evidence", tmp_path, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(each["kind"], each["slot"], each["piece"]) for each in told] == [
        ("found", "A1", "card-1"), ("rotated", "A1", "card-1"), ("placed", "B2", "card-2"),
        ("moved", "R3", "card-1"), ("removed", "B2", "card-2"),
    ]  # fmt: skip
    assert (told[1]["quarters"], told[3]["source"]) == (1, "A1")
    assert [each["at"] for each in told] == sorted(each["at"] for each in told)
    for each in told:
        crop = np.asarray(cv2.imread(str(tmp_path / f"{each['digest']}.png")))
        assert hashlib.sha256(repr(crop.shape).encode() + crop.tobytes()).hexdigest() == each["digest"]


def test_people_get_a_line_for_each(deck, evening):
    lines = watch(f"folder:{evening}", "--deck", deck).stdout.splitlines()
    for line, says in zip(
        lines,
        ("A1: card-1 lies there", "A1: card-1 is turned by a quarter turn clockwise", "B2: card-2 is laid down",
         "A1 to R3: card-1 is moved", "B2: card-2 is taken away"),
        strict=True,
    ):  # fmt: skip
        assert f" s  {says}  [" in line


def test_an_empty_mat_is_a_negative_answer_and_a_picture_without_a_mat_is_said(tmp_path, deck):
    stage = Stage()
    for number in range(8):
        picture = stage.frame().picture if number >= 2 else np.full((720, 1280, 3), 90, np.uint8)
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture)
    result = watch(f"folder:{tmp_path}", "--deck", deck)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no mat was found" in result.stderr.splitlines()[0]
    assert result.stderr.splitlines()[1] == "The mat can be read again."
    assert "nothing was seen to lie or to change" in result.stderr


@pytest.mark.parametrize(
    ("source", "says"),
    [("camera", "names no source of pictures"), ("folder:nowhere", "no folder"), ("video:nowhere.mp4", "no file")],
)
def test_what_cannot_be_watched_is_one_sentence(deck, source, says):
    result = watch(source, "--deck", deck)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_recording_with_a_broken_picture_is_bad_input(tmp_path, deck):
    cv2.imwrite(str(tmp_path / "0.png"), Stage().frame().picture)
    (tmp_path / "1.png").write_bytes(b"no picture")
    result = watch(f"folder:{tmp_path}", "--deck", deck)
    assert result.exit_code == 2
    assert "1.png is not a picture" in result.stderr


def test_evidence_goes_into_a_folder_that_is_there(deck, evening):
    result = watch(f"folder:{evening}", "--deck", deck, "--evidence", Path("nowhere"))
    assert result.exit_code == 2
    assert "is no folder" in result.stderr


def test_discs_of_a_board_are_told_by_their_paths(tmp_path):
    for number, middle in enumerate([0] * 6 + [4] * 6):
        cv2.imwrite(str(tmp_path / f"{number:03d}.png"), render_discs(middle, 2, seed=5)[0])
    result = watch(f"folder:{tmp_path}", "--game", "realm_of_wonder")
    assert result.exit_code == 0, result.output
    told = [line.split("s  ", 1)[1].rsplit("  [", 1)[0] for line in result.stdout.splitlines()]
    assert told == [
        "D1: disc-middle stands at wizard",
        "D2: disc-innermost stands at troll",
        "D1: disc-middle is turned to gnome",
    ]
    refused = watch(f"folder:{tmp_path}", "--game", "realm_of_wonder", "--deck", tmp_path / "none")
    assert (refused.exit_code, "companion enrol --board" in refused.output) == (2, True)


@pytest.fixture(scope="module")
def turn_marker(tmp_path_factory):
    """Pictures of a place on which a marker is laid, turned by a quarter, turned half way on, and taken away."""
    folder, stage = tmp_path_factory.mktemp("marker"), Stage()
    token = draw_token(TOKENS["green square, white notch"])
    cv2.imwrite(str(folder / "marker.png"), token)
    (folder / "film").mkdir()

    def rest():
        for _ in range(6):
            frame = stage.frame()
            cv2.imwrite(str(folder / "film" / f"{frame.number:03d}.png"), frame.picture)

    rest()
    for quarters in (0, 1, 1.5):
        stage.put("A3", token, quarters, width=25.0)
        rest()
    stage.take("A3")
    rest()
    return folder


def watch_marker(folder, deck, *words):
    return watch(f"folder:{folder / 'film'}", "--deck", deck, "--marker", folder / "marker.png", *words)


def test_which_way_a_markers_arrow_points_is_told_when_it_rests(deck, turn_marker):
    result = watch_marker(turn_marker, deck, "--place", "A3")
    assert result.exit_code == 0, result.output
    told = [line.split("s  the marker ")[1] for line in result.stdout.splitlines() if "the marker" in line]
    assert told[:2] == ["points up", "points to the right"]
    assert sorted(told[2].removeprefix("points between ").split(" and ")) == ["down", "to the right"]
    assert told[3:] == ["is gone"]


def test_an_arrow_is_told_as_json_with_its_angle(deck, turn_marker):
    x, y = MAT.slot("A3").rect.corners[0]
    place = f"{x},{y},{MAT.slot('A3').rect.width},{MAT.slot('A3').rect.height}"
    lines = watch_marker(turn_marker, deck, "--place", place, "--json").stdout.splitlines()
    told = [line for line in map(json.loads, lines) if line["kind"] == "arrow"]
    assert [line["turn"] for line in told] == [0, 1, None, None]
    assert [line["angle"] and round(line["angle"] / 45) for line in told] == [told[0]["angle"] and 0, 2, 3, None]
    assert sorted(told[2]["between"]) == [1, 2]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "belong together"),
        (("--place", "Z9"), "place: found 'Z9', expected a slot of the mat (B1"),
        (("--place", "400,10,60,60"), "is not on the mat, which is 420 x 297 mm"),
    ],
)
def test_a_markers_place_that_is_not_on_the_mat_is_one_sentence(deck, turn_marker, words, says):
    result = watch_marker(turn_marker, deck, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
