from __future__ import annotations

import numpy as np

from tests.vision.printed import illustrated, lying, table_with
from vision.deck import Deck
from vision.geometry import area
from vision.outline import find_quads, merged
from vision.photo import overlap
from vision.search import FeatureSearch, card_like, find_outlines

DECK = Deck.from_faces({f"card_{k}": illustrated(k) for k in range(5)})


def grey_of(picture: np.ndarray) -> np.ndarray:
    return np.asarray(picture.mean(axis=2), np.uint8)


def test_an_outline_is_found_to_a_few_pixels() -> None:
    corners = lying(illustrated(1), (300, 250), 20, 260)
    outlines = find_outlines(grey_of(table_with([(illustrated(1), corners)])))
    assert max(overlap(quad, corners) for quad in outlines) > 0.95


def test_outlines_hold_their_area_bounds() -> None:
    grey = grey_of(table_with([(illustrated(1), lying(illustrated(1), (300, 250), 20, 260))]))
    assert all(area(quad) * 1.05 >= 9000 for quad in find_quads(grey, 9000, 60000))
    assert all(area(quad) <= 60000 * 1.1 for quad in find_quads(grey, 9000, 60000))


def test_the_same_outline_is_kept_once_whatever_its_first_corner() -> None:
    quad = np.array([(0, 0), (100, 0), (100, 140), (0, 140)], float)
    far = quad + 300
    assert len(merged([quad, np.roll(quad, 2, axis=0) + 1.5, far])) == 2


def test_features_propose_every_copy_of_a_card() -> None:
    places = [lying(illustrated(2), (200, 200), 10, 240), lying(illustrated(2), (600, 380), 215, 240)]
    grey = grey_of(table_with([(illustrated(2), corners) for corners in places]))
    proposals = list(FeatureSearch(grey, DECK).proposals(lambda _centre, _side: False))
    for corners in places:
        assert any(p.label == "card_2" and overlap(p.corners, corners) > 0.85 for p in proposals)


def test_explained_places_are_not_proposed_again() -> None:
    corners = lying(illustrated(2), (200, 200), 10, 240)
    grey = grey_of(table_with([(illustrated(2), corners)]))
    proposals = FeatureSearch(grey, DECK).proposals(lambda centre, side: abs(centre[0] - 200) < 0.3 * side)
    assert not [p for p in proposals if p.label == "card_2" and overlap(p.corners, corners) > 0.5]


def test_an_empty_printed_frame_is_not_card_like() -> None:
    frame = np.full((400, 400), 200, np.uint8)
    quad = np.array([(120, 100), (220, 100), (220, 240), (120, 240)], float)
    assert card_like([quad], [], [], frame, DECK) == []
    printed = frame.copy()
    printed[130:200:8, 130:210] = 20
    assert len(card_like([quad], [], [], printed, DECK)) == 1


def test_the_outer_one_of_nested_outlines_is_the_card() -> None:
    chance = np.random.default_rng(0)
    grey = chance.integers(0, 255, (400, 400)).astype(np.uint8)
    outer = np.array([(100, 100), (220, 100), (220, 268), (100, 268)], float)
    inner = np.array([(110, 110), (210, 110), (210, 250), (110, 250)], float)
    (kept,) = card_like([inner, outer], [], [], grey, DECK)
    assert kept is outer


def test_a_mat_that_holds_several_cards_is_no_card() -> None:
    chance = np.random.default_rng(0)
    grey = chance.integers(0, 255, (600, 600)).astype(np.uint8)
    mat = np.array([(50, 50), (420, 50), (420, 560), (50, 560)], float)
    cards = [
        np.array([(x, y), (x + 90, y), (x + 90, y + 126), (x, y + 126)], float) for x in (80, 250) for y in (90, 300)
    ]
    kept = card_like([mat, *cards], [], [], grey, DECK)
    assert len(kept) == 4
    assert not any(quad is mat for quad in kept)
