"""The proxy faces show what the set says, and nothing a camera could cheat with."""

from __future__ import annotations

import itertools
from collections import Counter

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sets.canvas import CREAM, INK, Canvas
from companion.sets.drawings.allies.cards import draw_digit
from companion.sets.faces import proxies, proxy_face

PIXELS = 160
DECK = proxies("allies")
TWINS = [(key, card["look_alike"]) for key, card in DECK.of_kind("tribe").items() if card["look_alike"]]


def crop(face: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """The digit of one side (0 top, clockwise), turned so that its foot is down."""
    upright = np.rot90(face, side)
    unit = PIXELS / 100
    return upright[round(7 * unit) : round(20 * unit), round(44 * unit) : round(56 * unit)]


def digit_templates() -> dict[int, NDArray[np.uint8]]:
    templates = {}
    for digit in range(1, 6):
        canvas = Canvas(PIXELS, CREAM)
        draw_digit(canvas.moved(0, -37), digit, INK)
        templates[digit] = crop(canvas.finished(), 0)
    return templates


def ink(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    return (picture.max(axis=2) < 110).astype(np.float32)


def read_digit(picture: NDArray[np.uint8], templates: dict[int, NDArray[np.uint8]]) -> int:
    """The digit whose strokes agree best with the ink, a shift of two pixels allowed."""
    seen = np.pad(ink(picture), 3)
    scores = {
        digit: float(cv2.matchTemplate(seen, ink(template), cv2.TM_CCOEFF_NORMED).max())
        for digit, template in templates.items()
    }
    return max(scores, key=lambda digit: scores[digit])


def test_every_sector_shows_its_value_clockwise_from_the_arrow_at_the_top() -> None:
    templates = digit_templates()
    for key, card in DECK.of_kind("tribe").items():
        face = proxy_face(key, PIXELS)
        expected = [card["sectors"][(card["arrow"] - 1 + side) % 4] for side in range(4)]
        assert [read_digit(crop(face, side), templates) for side in range(4)] == expected, key


def test_the_beam_lies_between_the_strongest_and_the_weakest_sector() -> None:
    corners = {1: (-1, -1), 2: (-1, 1), 3: (1, 1), 4: (1, -1)}
    for key, card in DECK.of_kind("tribe").items():
        face = proxy_face(key, PIXELS)
        beams = [arrow for arrow, (x, y) in corners.items() if has_beam(face, x, y)]
        assert beams == [card["arrow"]], key


def has_beam(face: NDArray[np.uint8], x: int, y: int) -> bool:
    """Whether both dark edges of the beam are crossed on a line across this corner's diagonal."""
    across = [face[at(y * (44 + offset)), at(x * (44 - offset))].max() < 90 for offset in np.arange(-4, 4.1, 0.25)]
    return any(across[:13]) and any(across[-13:])


def at(units: float) -> int:
    return int((50 + units) * PIXELS / 100)


def test_the_arrow_is_at_the_printed_top_and_nowhere_else() -> None:
    for key in DECK.keys:
        yellow = [
            np.abs(np.rot90(proxy_face(key, PIXELS), side)[at(-44.5), at(-3)].astype(int) - (96, 226, 255)).max() < 20
            for side in range(4)
        ]
        assert yellow == [True, False, False, False], key


def test_no_two_faces_are_alike() -> None:
    seen: dict[bytes, str] = {}
    for key in DECK.keys:
        picture = proxy_face(key, PIXELS).tobytes()
        assert picture not in seen, f"{key} looks like {seen.get(picture)}"
        seen[picture] = key


def test_drawing_a_face_twice_gives_the_same_picture() -> None:
    for key in ("cyclops-01", "yeti-13", "gnome-25", "wizard-07", "golem-19", "troll-02", "region-troll-2", "castle-3"):
        assert np.array_equal(proxy_face.__wrapped__(key, PIXELS), proxy_face.__wrapped__(key, PIXELS)), key


@pytest.mark.parametrize("pixels", [90, 400, 700])
def test_a_face_has_the_size_that_was_asked_for(pixels: int) -> None:
    face = proxy_face("golem-04", pixels)
    assert face.shape == (pixels, pixels, 3)
    assert face.dtype == np.uint8


def test_a_face_handed_out_cannot_be_painted_over() -> None:
    with pytest.raises(ValueError, match="read-only"):
        proxy_face("golem-04", PIXELS)[0, 0] = 0


def test_a_card_outside_the_deck_has_no_face() -> None:
    with pytest.raises(KeyError):
        proxy_face("yeti-26", PIXELS)


def test_each_tribe_has_at_least_two_pairs_that_only_one_digit_or_symbol_tells_apart() -> None:
    for one, other in TWINS:
        a, b = DECK.cards[one], DECK.cards[other]
        assert (a["tribe"], a["arrow"], a["diamond"], a["crown"]) == (b["tribe"], b["arrow"], b["diamond"], b["crown"])
        different_digits = sum(x != y for x, y in zip(a["sectors"], b["sectors"], strict=True))
        only_here, only_there = (
            Counter(a["symbols"]) - Counter(b["symbols"]),
            Counter(b["symbols"]) - Counter(a["symbols"]),
        )
        assert only_here.total() == only_there.total()
        assert different_digits + only_here.total() == 1, (one, other)
    pairs = Counter(DECK.cards[one]["tribe"] for one, _ in TWINS)
    assert all(pairs[tribe] >= 2 for tribe in ("cyclops", "yeti", "gnome", "wizard", "golem", "troll"))


def test_look_alikes_share_nearly_the_whole_picture_and_other_cards_do_not() -> None:
    def changed(one: str, other: str) -> float:
        difference = np.abs(proxy_face(one, PIXELS).astype(int) - proxy_face(other, PIXELS)).max(axis=2)
        return float(np.mean(difference > 24))

    assert max(changed(one, other) for one, other in TWINS) < 0.06
    yetis = [key for key, card in DECK.of_kind("tribe").items() if card["tribe"] == "yeti"]
    pairs = [pair for pair in itertools.combinations(yetis, 2) if pair not in TWINS and pair[::-1] not in TWINS]
    assert min(changed(one, other) for one, other in pairs) > 0.15


def test_no_face_carries_a_marker_or_a_code() -> None:
    names = ("DICT_4X4_50", "DICT_5X5_1000", "DICT_6X6_1000", "DICT_APRILTAG_36h11")
    detectors = [cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))) for name in names]
    codes = cv2.QRCodeDetector()
    for key in DECK.keys:
        face = cv2.copyMakeBorder(proxy_face(key, PIXELS), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255, 255, 255))
        assert all(len(detector.detectMarkers(face)[0]) == 0 for detector in detectors), key
        assert codes.detectAndDecode(face)[0] == "", key


def test_diamonds_crowns_and_values_are_spread_evenly_over_the_tribes() -> None:
    for tribe in ("cyclops", "yeti", "gnome", "wizard", "golem", "troll"):
        cards = [card for card in DECK.of_kind("tribe").values() if card["tribe"] == tribe]
        assert sum(card["diamond"] for card in cards) == 5
        assert sum(card["crown"] for card in cards) == 5
        assert abs(sum(sum(card["sectors"]) for card in cards) - 300) <= 3
        assert {card["arrow"] for card in cards} == {1, 2, 3, 4}
        assert {symbol for card in cards for symbol in card["symbols"]} == {1, 2, -1, -2}
