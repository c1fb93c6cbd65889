from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.printed import illustrated, numbered, pips
from vision.deck import Deck, DeckError


def folder_with(path: Path, **faces: np.ndarray) -> Path:
    for label, face in faces.items():
        cv2.imwrite(str(path / f"{label}.png"), face)
    return path


def test_a_folder_is_enrolled_under_its_file_names(tmp_path: Path) -> None:
    deck = Deck.from_folder(folder_with(tmp_path, Sol_Ring=illustrated(1), Two_of_clubs=illustrated(2)))
    assert deck.labels == ("Sol_Ring", "Two_of_clubs")
    assert "Sol_Ring" in deck
    assert "Sol Ring" not in deck


def test_the_aspect_is_width_over_height() -> None:
    deck = Deck.from_faces({"tall": illustrated(1), "square": illustrated(2, 300, 300)})
    assert deck.aspect("tall") == pytest.approx(250 / 350, abs=0.01)
    assert deck.aspect("square") == 1.0


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="there is no folder"):
        Deck.from_folder(tmp_path / "nowhere")


def test_an_empty_folder_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="holds no picture; expected"):
        Deck.from_folder(tmp_path)


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    folder_with(tmp_path, good=illustrated(1))
    (tmp_path / "broken.jpg").write_bytes(b"not a picture at all")
    with pytest.raises(DeckError, match=r"broken\.jpg is not a picture"):
        Deck.from_folder(tmp_path)


def test_a_picture_that_is_cut_off_is_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "half.jpg"), illustrated(1))
    whole = (tmp_path / "half.jpg").read_bytes()
    (tmp_path / "half.jpg").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DeckError, match=r"half\.jpg cannot be read"):
        Deck.from_folder(tmp_path)


def test_the_same_face_under_two_labels_is_refused() -> None:
    with pytest.raises(DeckError, match="one and two are the same picture"):
        Deck.from_faces({"one": illustrated(1), "two": illustrated(1).copy(), "three": illustrated(3)})


def test_a_label_with_two_pictures_is_refused(tmp_path: Path) -> None:
    folder_with(tmp_path, card=illustrated(1))
    cv2.imwrite(str(tmp_path / "card.jpg"), illustrated(2))
    with pytest.raises(DeckError, match="two pictures called card"):
        Deck.from_folder(tmp_path)


def test_a_blank_face_is_refused() -> None:
    with pytest.raises(DeckError, match="blank surface"):
        Deck.from_faces({"blank": np.full((300, 200, 3), 200, np.uint8)})


def test_a_tiny_face_is_refused() -> None:
    with pytest.raises(DeckError, match="20 x 20 pixels"):
        Deck.from_faces({"tiny": illustrated(1)[:20, :20]})


def test_faces_that_nothing_distinguishes_are_reported_as_twins() -> None:
    noisy = np.clip(illustrated(1).astype(int) + np.random.default_rng(0).integers(-9, 10, (350, 250, 3)), 0, 255)
    deck = Deck.from_faces({"one": illustrated(1), "other": noisy.astype(np.uint8), "third": illustrated(2)})
    assert [(pair.first, pair.second) for pair in deck.twins] == [("one", "other")]


@pytest.mark.parametrize("quality", [50, 95])
def test_a_face_that_was_only_saved_again_is_refused(quality: int) -> None:
    again = cv2.imdecode(cv2.imencode(".jpg", illustrated(1), [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    with pytest.raises(DeckError, match="one and again are the same picture"):
        Deck.from_faces({"one": illustrated(1), "again": again, "third": illustrated(2)})


def test_look_alikes_are_reported_with_the_place_where_they_differ() -> None:
    deck = Deck.from_faces({"three": numbered(3), "seven": numbered(7), "other": illustrated(5)})
    assert not deck.twins
    (pair,) = deck.lookalikes
    left, top, right, bottom = pair.box
    assert {pair.first, pair.second} == {"three", "seven"}
    assert left < 60 / 250 < right
    assert top < 70 / 350 < bottom


def test_faces_that_differ_only_in_colour_are_no_twins() -> None:
    red, green = pips(3, (40, 40, 190)), pips(3, (40, 120, 40))
    grey_red, grey_green = (cv2.cvtColor(f, cv2.COLOR_BGR2GRAY).astype(int) for f in (red, green))
    assert abs(grey_red - grey_green).max() < 40
    deck = Deck.from_faces({"red": red, "green": green})
    assert deck.lookalikes
    assert not deck.twins


def test_a_face_that_looks_the_same_upside_down_is_reported() -> None:
    deck = Deck.from_faces({"six": pips(6), "picture": illustrated(4)})
    assert [(s.label, s.degrees) for s in deck.symmetric] == [("six", 180)]


def test_a_subset_shares_the_arrays_of_its_deck() -> None:
    deck = Deck.from_faces({str(k): illustrated(k) for k in range(4)})
    part = deck.subset(["3", "1"])
    assert part.labels == ("1", "3")
    assert part.faces is deck.faces


def test_a_subset_of_a_strange_label_is_refused() -> None:
    deck = Deck.from_faces({"one": illustrated(1)})
    with pytest.raises(DeckError, match="no face called two"):
        deck.subset(["two"])


def test_six_hundred_faces_fit_into_sixty_megabytes() -> None:
    deck = Deck.from_faces({str(k): illustrated(k) for k in range(12)})
    assert deck.nbytes / len(deck) * 600 < 60e6
