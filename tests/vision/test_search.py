from __future__ import annotations

import numpy as np

from tests.vision.printed import illustrated, lying, table_with
from vision.deck import Deck
from vision.geometry import area, overlap
from vision.outline import find_quads, merged
from vision.search import FeatureSearch, find_outlines

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


def test_features_of_a_card_that_was_read_propose_nothing_more() -> None:
    corners = lying(illustrated(2), (200, 200), 10, 240)
    search = FeatureSearch(grey_of(table_with([(illustrated(2), corners)])), DECK)
    search.explain(corners)
    assert not list(search.proposals(lambda _centre, _side: False))
