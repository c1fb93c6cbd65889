"""`companion enrol` cuts cards out of photographs, upright, and writes all of them or none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

from companion.__main__ import main
from companion.sets.faces import proxy_face
from companion.sets.owner import PROXIES
from vision.deck import Deck
from vision.match import read_patch

Picture = NDArray[np.uint8]
KEYS = ("yeti-07", "golem-03", "region-troll-1")


def ground() -> Picture:
    """A grey table of 960 x 720 pixels with a slow gradient and some noise."""
    rng = np.random.default_rng(5)
    ramp = np.linspace(70, 100, 960)[None, :, None] + rng.normal(0, 2, (720, 960, 3))
    return np.asarray(ramp, np.uint8)


def lay(photo: Picture, key: str, corners: list[tuple[float, float]]) -> Picture:
    """Lay a card so that its printed corners, clockwise from top left, come to lie there."""
    face = proxy_face(key, 400)
    own = np.array([(0, 0), (400, 0), (400, 400), (0, 400)], np.float32)
    matrix = cv2.getPerspectiveTransform(own, np.array(corners, np.float32))
    size = (photo.shape[1], photo.shape[0])
    card = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((400, 400), 255, np.uint8), matrix, size)
    return np.where(mask[..., None] > 127, card, photo)


TILTED = [(300.0, 150.0), (680.0, 190.0), (650.0, 600.0), (250.0, 540.0)]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for key in KEYS:
        cv2.imwrite(str(folder / f"{key}.png"), lay(ground(), key, TILTED))
    return folder


def enrol(deck: Path, photos: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["enrol", str(deck), "--from", str(photos), *words])


def unlike(one: Picture, other: Picture) -> float:
    """Mean difference of two pictures at 64 x 64 grey pixels."""
    small = [
        cv2.cvtColor(cv2.resize(p, (64, 64), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY) for p in (one, other)
    ]
    return float(np.abs(small[0].astype(float) - small[1]).mean())


def test_cards_are_cut_out_upright_and_known_again(tmp_path: Path, photos: Path) -> None:
    deck = tmp_path / "deck"
    result = enrol(deck, photos, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["enrolled"] == sorted(KEYS)
    for key in KEYS:
        kept = cv2.imread(str(deck / f"{key}.jpg"))
        face = proxy_face(key, 400)
        turned = [unlike(np.rot90(kept, turn), face) for turn in range(4)]
        assert turned.index(min(turned)) == 0
        assert turned[0] < 0.5 * min(turned[1:])
    learned = Deck.from_folder(deck)
    for key in KEYS:
        reading = read_patch(
            cv2.copyMakeBorder(proxy_face(key, 400), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(90,) * 3), learned
        )
        assert reading is not None
        assert (reading.label, reading.quadrant) == (key, 0)


def test_a_scan_is_taken_whole(tmp_path: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    cv2.imwrite(str(scans / "yeti-07.png"), proxy_face("yeti-07", 400))
    assert enrol(tmp_path / "deck", scans, "--whole").exit_code == 0
    assert unlike(cv2.imread(str(tmp_path / "deck" / "yeti-07.jpg")), proxy_face("yeti-07", 400)) < 3


def test_the_cards_of_a_set_without_a_picture_are_counted(tmp_path: Path, photos: Path) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    shutil.copy(PROXIES / "allies" / "set.toml", deck)
    result = enrol(deck, photos)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:2] == [
        f"{deck}: 3 cards enrolled",
        "  without a picture yet: 162, first cyclops-01",
    ]


def test_a_key_that_the_set_lacks_is_named_with_the_nearest(tmp_path: Path, photos: Path) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    shutil.copy(PROXIES / "allies" / "set.toml", deck)
    (photos / "yeti-07.png").rename(photos / "yety-07.png")
    result = enrol(deck, photos)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "has no card 'yety-07'; did you mean yeti-07?" in result.stderr
    assert sorted(path.name for path in deck.iterdir()) == ["set.toml"]


def test_a_photograph_without_a_card_stops_all_of_them(tmp_path: Path, photos: Path) -> None:
    cv2.imwrite(str(photos / "zzz.png"), ground())
    result = enrol(tmp_path / "deck", photos)
    assert result.exit_code == 2
    assert "zzz.png: no card was found; lay it alone on a plain ground" in result.stderr
    assert not (tmp_path / "deck").exists()


def test_two_cards_in_one_photograph_are_refused(tmp_path: Path, photos: Path) -> None:
    both = lay(ground(), "yeti-07", [(60, 200), (360, 200), (360, 500), (60, 500)])
    both = lay(both, "golem-03", [(560, 200), (860, 200), (860, 500), (560, 500)])
    cv2.imwrite(str(photos / "yeti-07.png"), both)
    result = enrol(tmp_path / "deck", photos)
    assert result.exit_code == 2
    assert "more than one card was found" in result.stderr


def test_a_picture_is_replaced_only_if_asked(tmp_path: Path, photos: Path) -> None:
    deck = tmp_path / "deck"
    assert enrol(deck, photos).exit_code == 0
    before = {path.name: path.read_bytes() for path in deck.iterdir()}
    result = enrol(deck, photos)
    assert result.exit_code == 2
    assert "has a picture of golem-03 already; add --force to replace it" in result.stderr
    assert {path.name: path.read_bytes() for path in deck.iterdir()} == before
    assert enrol(deck, photos, "--force").exit_code == 0


def test_the_same_card_under_two_names_is_refused(tmp_path: Path, photos: Path) -> None:
    shutil.copy(photos / "yeti-07.png", photos / "yeti-08.png")
    result = enrol(tmp_path / "deck", photos)
    assert result.exit_code == 2
    assert "yeti-07 and yeti-08 are the same picture" in result.stderr


@pytest.mark.parametrize("made", [True, False])
def test_a_folder_without_photographs_is_refused(tmp_path: Path, made: bool) -> None:
    empty = tmp_path / "empty"
    if made:
        empty.mkdir()
    result = enrol(tmp_path / "deck", empty)
    assert result.exit_code == 2
    assert result.stderr == f"{empty} holds no photograph; name a folder with one JPEG or PNG per card\n"


def spread(keys: tuple[str, ...]) -> Picture:
    """Cards beside each other on a grey table, a little askew."""
    photo = np.asarray(cv2.resize(ground(), (1280, 720)), np.uint8)
    for number, key in enumerate(keys):
        x, y = 80 + 400 * (number % 3), 40 + 340 * (number // 3)
        photo = lay(photo, key, [(x, y + 6), (x + 290, y), (x + 296, y + 292), (x + 4, y + 296)])
    return photo


MANY = ("yeti-07", "golem-03", "troll-02", "cyclops-05", "wizard-01", "gnome-04")


def test_a_spread_of_cards_is_named_as_one_reads_it(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    cv2.imwrite(str(photos / ("+".join(MANY) + ".png")), spread(MANY))
    result = enrol(tmp_path / "deck", photos, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["enrolled"] == list(MANY)
    for key in MANY:
        kept = cv2.imread(str(tmp_path / "deck" / f"{key}.jpg"))
        assert min(MANY, key=lambda other: unlike(kept, proxy_face(other, 400))) == key


def test_a_spread_without_names_is_numbered(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    cv2.imwrite(str(photos / "table.png"), spread(MANY))
    result = enrol(tmp_path / "deck", photos, "--spread", "--json")
    assert json.loads(result.stdout)["enrolled"] == [f"table-{number:02d}" for number in range(1, 7)]


def test_a_name_that_lists_another_number_of_cards_is_refused(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    cv2.imwrite(str(photos / "yeti-07+golem-03.png"), spread(MANY))
    result = enrol(tmp_path / "deck", photos)
    assert result.exit_code == 2
    assert "its name lists 2 cards, 6 were found" in result.stderr
    assert not (tmp_path / "deck").exists()


def test_a_missing_card_that_shares_a_drawing_is_said_to_be_taken_for_the_enrolled_one(tmp_path: Path) -> None:
    deck, photos = tmp_path / "deck", tmp_path / "photos"
    deck.mkdir()
    photos.mkdir()
    shutil.copy(PROXIES / "allies" / "set.toml", deck)
    cv2.imwrite(str(photos / "cyclops-08.png"), lay(ground(), "cyclops-08", TILTED))
    result = enrol(deck, photos)
    assert "cyclops-11 has no picture yet; where it lies, the camera may take it for cyclops-08" in result.stdout


def test_a_deck_pack_is_given_to_another_owner_without_a_picture(tmp_path: Path) -> None:
    deck, photos, pack = tmp_path / "deck", tmp_path / "photos", tmp_path / "friends.pack"
    deck.mkdir()
    photos.mkdir()
    shutil.copy(PROXIES / "allies" / "set.toml", deck)
    cv2.imwrite(str(photos / ("+".join(MANY) + ".png")), spread(MANY))
    assert enrol(deck, photos, "--export", str(pack)).exit_code == 0

    theirs = tmp_path / "theirs"
    result = CliRunner().invoke(main, ["enrol", str(theirs), "--import", str(pack)])
    assert (result.exit_code, result.stderr) == (0, "")
    assert sorted(file.name for file in theirs.iterdir()) == ["features.pack", "set.toml"]
    cv2.imwrite(str(tmp_path / "table.png"), spread(MANY[::-1]))
    for folder in (pack, theirs):
        read = CliRunner().invoke(main, ["read", str(tmp_path / "table.png"), "--deck", str(folder), "--json"])
        assert read.exit_code == 0, read.stderr
        found = {(card["label"], card["quadrant"]) for card in json.loads(read.stdout)["cards"]}
        assert found == {(key, 0) for key in MANY}


def test_a_deck_pack_that_was_changed_or_is_none_is_refused(tmp_path: Path, photos: Path) -> None:
    pack = tmp_path / "a.pack"
    assert enrol(tmp_path / "deck", photos, "--export", str(pack)).exit_code == 0
    whole = pack.read_bytes()
    for content, says in (
        (whole[:-1] + bytes([whole[-1] ^ 1]), "is not as it was written"),
        (whole.replace(b"pack 1\n", b"pack 2\n", 1), "is a deck pack of version 2"),
        (b"GIF89a" + whole, "is no deck pack"),
    ):
        pack.write_bytes(content)
        result = CliRunner().invoke(main, ["enrol", str(tmp_path / "theirs"), "--import", str(pack)])
        assert (result.exit_code, result.stdout) == (2, "")
        assert says in result.stderr
        assert not (tmp_path / "theirs").exists()


def test_nothing_to_do_is_said(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["enrol", str(tmp_path / "deck")])
    assert result.exit_code == 2
    assert "nothing is to be done; name photographs" in result.stderr


def test_a_pack_begins_nothing_when_a_photograph_beside_it_cannot_be_used(tmp_path: Path, photos: Path) -> None:
    pack, theirs = tmp_path / "a.pack", tmp_path / "theirs"
    assert enrol(tmp_path / "deck", photos, "--export", str(pack)).exit_code == 0
    (photos / "zz.jpg").write_bytes(b"no picture")
    result = enrol(theirs, photos, "--import", str(pack))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not a picture" in result.stderr
    assert not theirs.exists()


def test_nothing_is_enrolled_when_the_pack_cannot_be_written(tmp_path: Path, photos: Path) -> None:
    result = enrol(tmp_path / "deck", photos, "--export", str(tmp_path / "missing" / "a.pack"))
    assert result.exit_code == 2
    assert "name a file in a folder that exists" in result.stderr
    assert not (tmp_path / "deck").exists()


@pytest.mark.parametrize("dice", [(), ("--dice",)])
def test_a_file_is_never_taken_for_the_folder_of_a_deck(tmp_path: Path, photos: Path, dice: tuple[str, ...]) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("dear aunt")
    result = enrol(letter, photos, *dice)
    assert result.exit_code == 2
    assert "is a file; name the folder" in result.stderr
    assert letter.read_text() == "dear aunt"


@pytest.mark.parametrize(
    "words", [("--dice", "--spread"), ("--dice", "--export", "x"), ("--import", "x", "--export", "y")]
)
def test_options_that_do_not_go_together_are_refused(tmp_path: Path, photos: Path, words: tuple[str, ...]) -> None:
    result = enrol(tmp_path / "deck", photos, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert not (tmp_path / "deck").exists()


@pytest.mark.parametrize(
    ("name", "says"), [("golem-04.gif", "is a GIF file; save it"), ("go\nlem.png", "no line breaks")]
)
def test_a_picture_that_would_be_left_out_or_cannot_be_named_stops_all(
    tmp_path: Path, photos: Path, name: str, says: str
) -> None:
    shutil.copy(photos / "yeti-07.png", photos / name)
    result = enrol(tmp_path / "deck", photos)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "deck").exists()


def test_the_faces_of_the_dice_stay_when_cards_are_enrolled(tmp_path: Path, photos: Path) -> None:
    deck = tmp_path / "deck"
    (deck / "dice").mkdir(parents=True)
    (deck / "dice" / "red-3.jpg").write_bytes(b"a face")
    assert enrol(deck, photos).exit_code == 0
    assert (deck / "dice" / "red-3.jpg").read_bytes() == b"a face"


def test_the_back_of_a_card_is_enrolled_beside_the_cards_of_a_set(tmp_path: Path, photos: Path) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    shutil.copy(PROXIES / "allies" / "set.toml", deck)
    (photos / "golem-03.png").rename(photos / "back-1.png")
    assert enrol(deck, photos).exit_code == 0
    assert (deck / "back-1.jpg").exists()
