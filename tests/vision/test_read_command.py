from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from companion.cli.read import _report, command
from tests.vision.printed import illustrated, lying, table_with

PLACES = [lying(illustrated(1), (250, 300), 20, 260), lying(illustrated(2), (600, 330), 200, 260)]


def read(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments])


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    folder = tmp_path / "deck"
    folder.mkdir()
    for k in range(4):
        cv2.imwrite(str(folder / f"card_{k}.png"), illustrated(k))
    return folder


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), table_with([(illustrated(1), PLACES[0]), (illustrated(2), PLACES[1])]))
    return path


def test_the_json_has_the_fixed_form(deck: Path, photo: Path) -> None:
    result = read(photo, "--deck", deck, "--json")
    assert result.exit_code == 0, result.output
    sheet = json.loads(result.stdout)
    assert list(sheet) == ["photo", "size", "ms", "cards", "dice"]
    assert sheet["photo"] == str(photo)
    assert sheet["size"] == [900, 640]
    assert sheet["dice"] == []
    for card in sheet["cards"]:
        assert list(card) == ["label", "state", "confidence", "angle", "quadrant", "corners", "candidates"]
        assert np.array(card["corners"]).shape == (4, 2)
        assert card["candidates"][0][0] == card["label"]
    assert {(card["label"], card["state"]) for card in sheet["cards"]} == {("card_1", "known"), ("card_2", "known")}
    by_label = {card["label"]: card for card in sheet["cards"]}
    assert by_label["card_2"]["quadrant"] == 2
    assert by_label["card_2"]["angle"] == pytest.approx(200, abs=1)
    assert np.abs(np.array(by_label["card_1"]["corners"]) - PLACES[0]).max() < 5


def test_without_json_every_card_has_a_line(deck: Path, photo: Path) -> None:
    result = read(photo, "--deck", deck)
    lines = result.stdout.splitlines()
    assert "2 cards" in lines[0]
    assert {line.split()[1] for line in lines[1:]} == {"card_1", "card_2"}


def test_an_angle_that_rounds_to_a_whole_turn_is_printed_as_none(capsys: pytest.CaptureFixture[str]) -> None:
    card = {"state": "known", "label": "a", "confidence": 1.0, "angle": 359.98, "corners": [[0, 0]] * 4}
    _report([{"photo": "a.jpg", "ms": 1.0, "cards": [card], "dice": []}], as_json=False, single=True)
    assert " 0.0 degrees" in capsys.readouterr().out


def test_only_the_given_slots_are_read(deck: Path, photo: Path, tmp_path: Path) -> None:
    slots = tmp_path / "slots.json"
    slots.write_text(json.dumps([(np.roll(PLACES[1], 1, axis=0) + 12).tolist()]))
    sheet = json.loads(read(photo, "--deck", deck, "--slots", slots, "--json").stdout)
    assert [card["label"] for card in sheet["cards"]] == ["card_2"]


def test_a_folder_is_read_photo_by_photo(deck: Path, photo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    folder.mkdir()
    for name in ("b.png", "a.png"):
        (folder / name).write_bytes(photo.read_bytes())
    sheets = json.loads(read(folder, "--deck", deck, "--json").stdout)
    assert [Path(sheet["photo"]).name for sheet in sheets] == ["a.png", "b.png"]
    assert all(len(sheet["cards"]) == 2 for sheet in sheets)


def test_the_annotated_picture_has_the_size_of_the_photo(deck: Path, photo: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.png"
    assert read(photo, "--deck", deck, "--annotate", drawn).exit_code == 0
    picture = cv2.imread(str(drawn))
    assert picture.shape == (640, 900, 3)
    assert (picture != cv2.imread(str(photo))).any()


def test_a_photo_without_a_card_is_a_negative_answer(deck: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), table_with([]))
    result = read(bare, "--deck", deck, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["cards"] == []
    assert f"no card was found on {bare}" in result.stderr


def refused(result: Result, words: str) -> None:
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_file_that_is_no_picture_is_refused(deck: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.jpg"
    note.write_text("hello")
    refused(read(note, "--deck", deck), "is not a picture")
    refused(read(tmp_path / "none.jpg", "--deck", deck), "there is no file")


def test_pictures_of_other_kinds_are_refused(deck: Path, tmp_path: Path) -> None:
    picture = Image.fromarray(illustrated(1)[:, :, ::-1])
    cv2.imwrite(str(tmp_path / "deep.png"), illustrated(1).astype(np.uint16) * 256)
    cv2.imwrite(str(tmp_path / "deep.tif"), illustrated(1).astype(np.uint16) * 256)
    picture.convert("CMYK").save(tmp_path / "press.jpg")
    picture.save(tmp_path / "moving.png", save_all=True, append_images=[picture.rotate(180)])
    picture.crop((0, 0, 1, 1)).save(tmp_path / "dot.png")
    Image.new("1", (10_000, 10_000)).save(tmp_path / "vast.png")
    for name, words in (
        ("deep.png", "more than 8 bits"),
        ("deep.tif", "more than 8 bits"),
        ("press.jpg", "CMYK"),
        ("moving.png", "animated"),
        ("dot.png", "1 x 1 pixels"),
        ("vast.png", "100 megapixels"),
    ):
        refused(read(tmp_path / name, "--deck", deck), words)


def test_a_broken_deck_is_refused(photo: Path, deck: Path, tmp_path: Path) -> None:
    refused(read(photo, "--deck", tmp_path / "nowhere"), "there is no folder")
    cv2.imwrite(str(deck / "again.png"), illustrated(1))
    refused(read(photo, "--deck", deck), "again and card_1 are the same picture")
    (deck / "again.png").write_bytes(b"rubbish")
    refused(read(photo, "--deck", deck), "again.png is not a picture")


def test_slots_that_do_not_fit_are_refused(photo: Path, deck: Path, tmp_path: Path) -> None:
    slots = tmp_path / "slots.json"
    for written, words in (
        ("nonsense", "does not fit"),
        ("[]", "names no slot"),
        ("[[[0,0],[9,0],[9,9]]]", "slot 1"),
        ("[[[0,0],[9,9],[9,0],[0,9]]]", "no quadrilateral"),
        (json.dumps([(PLACES[0] + 2000).tolist()]), "slot 1 lies outside"),
    ):
        slots.write_text(written)
        refused(read(photo, "--deck", deck, "--slots", slots), words)
    refused(read(photo, "--deck", deck, "--slots", tmp_path / "none.json"), "cannot be read")


def test_the_photo_is_never_drawn_over(photo: Path, deck: Path) -> None:
    before = photo.read_bytes()
    refused(read(photo, "--deck", deck, "--annotate", photo), "is the photo itself")
    assert photo.read_bytes() == before
