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
