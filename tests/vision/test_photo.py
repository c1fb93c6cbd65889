from __future__ import annotations

import numpy as np
import pytest

from tests.vision.printed import illustrated, lying, pips, table_with
from vision.deck import Deck
from vision.geometry import overlap
from vision.photo import read_photo

DECK = Deck.from_faces({f"card_{k}": illustrated(k) for k in range(6)})


def test_all_enrolled_cards_of_a_photo_are_read_where_they_lie() -> None:
    laid = [(k, lying(illustrated(k), (150 + 200 * k, 180 + 130 * (k % 2)), 47 * k, 230)) for k in range(4)]
    readings = read_photo(table_with([(illustrated(k), corners) for k, corners in laid]), DECK)
    assert {r.label for r in readings} == {f"card_{k}" for k in range(4)}
    for k, corners in laid:
        (reading,) = [r for r in readings if r.label == f"card_{k}"]
        assert reading.state == "known"
        assert np.abs(reading.corners - corners).max() < 6


def test_copies_of_a_card_are_all_read() -> None:
    places = [lying(illustrated(1), (160 + 270 * k, 300), 75 * k, 240) for k in range(3)]
    readings = read_photo(table_with([(illustrated(1), corners) for corners in places]), DECK)
    assert [r.label for r in readings] == ["card_1"] * 3


def test_the_lower_card_of_a_pile_is_named_when_most_of_it_shows() -> None:
    under, over = lying(illustrated(2), (350, 300), 5, 300), lying(illustrated(3), (520, 360), 40, 300)
    readings = read_photo(table_with([(illustrated(2), under), (illustrated(3), over)]), DECK)
    assert {r.label for r in readings} == {"card_2", "card_3"}


def test_a_card_of_another_deck_is_located_and_not_named() -> None:
    strange = lying(illustrated(77), (250, 300), 12, 260)
    mine = lying(illustrated(4), (620, 300), 350, 260)
    readings = read_photo(table_with([(illustrated(77), strange), (illustrated(4), mine)]), DECK)
    (unknown,) = [r for r in readings if r.state == "unknown"]
    assert unknown.label is None
    assert overlap(unknown.corners, strange) > 0.9
    assert [r.label for r in readings if r.state == "known"] == ["card_4"]


def test_playing_cards_are_read_by_their_outline() -> None:
    deck = Deck.from_faces({str(count): pips(count) for count in range(1, 8)})
    laid = [(3, lying(pips(3), (250, 300), 20, 280)), (6, lying(pips(6), (600, 300), 110, 280))]
    readings = read_photo(table_with([(pips(count), corners) for count, corners in laid]), deck)
    assert sorted(str(r.label) for r in readings) == ["3", "6"]


def test_a_bare_table_has_no_cards() -> None:
    assert read_photo(table_with([]), DECK) == ()


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_photo_gives_the_same_cards_turned(turns: int) -> None:
    picture = table_with([(illustrated(0), lying(illustrated(0), (300, 300), 30, 260))])
    (straight,) = read_photo(picture, DECK)
    (turned,) = read_photo(np.ascontiguousarray(np.rot90(picture, -turns)), DECK)
    assert turned.label == straight.label
    assert abs((turned.angle - straight.angle - 90 * turns + 180) % 360 - 180) < 1
    assert turned.quadrant == (straight.quadrant + turns) % 4


def test_a_covered_card_is_known_by_what_shows_of_it() -> None:
    under, over = lying(illustrated(2), (350, 300), 5, 300), lying(illustrated(3), (480, 380), 40, 300)
    picture = table_with([(illustrated(2), under), (illustrated(3), over)])
    (reading,) = [r for r in read_photo(picture, DECK) if r.label == "card_2"]
    assert reading.state == "known"
    assert np.abs(reading.corners - under).max() < 8


def test_a_card_of_which_a_strip_shows_is_named_with_doubt_only() -> None:
    under, over = lying(illustrated(2), (350, 300), 5, 320), lying(illustrated(77), (455, 310), 8, 330)
    readings = read_photo(table_with([(illustrated(2), under), (illustrated(77), over)]), DECK)
    (reading,) = [r for r in readings if r.label is not None]
    assert (reading.label, reading.state) == ("card_2", "unsure")
    assert reading.candidates[0][0] == "card_2"
    assert overlap(reading.corners, under) > 0.8


def test_a_covered_playing_card_is_read_from_a_corner_in_sight() -> None:
    deck = Deck.from_faces({**{str(count): pips(count) for count in (1, 2, 4)}, "picture": illustrated(3)})
    under, over = lying(pips(2), (480, 260), 25, 320), lying(illustrated(3), (370, 360), -12, 320)
    readings = read_photo(table_with([(pips(2), under), (illustrated(3), over)]), deck)
    by_label = {reading.label: reading for reading in readings}
    assert set(by_label) == {"2", "picture"}
    assert overlap(by_label["2"].corners, under) > 0.9


def test_of_two_faces_that_nothing_distinguishes_one_is_named_with_doubt() -> None:
    noise = np.random.default_rng(0).integers(-9, 10, (350, 250, 3))
    twin = np.clip(illustrated(1).astype(int) + noise, 0, 255).astype(np.uint8)
    deck = Deck.from_faces({"one": illustrated(1), "other": twin, "third": illustrated(2)})
    (reading,) = read_photo(table_with([(illustrated(1), lying(illustrated(1), (400, 300), 20, 260))]), deck)
    assert reading.state == "unsure"
    assert {label for label, _ in reading.candidates} >= {"one", "other"}
