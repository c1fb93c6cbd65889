from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.printed import illustrated, lying, table_with
from vision.bench import in_short
from vision.bench_photos import measure_photos
from vision.detections import CardReading, angle_of
from vision.peers import Kind, PlainMatcher
from vision.photo_truth import Score, TrueCard, load_photos

CORNERS = lying(illustrated(1), (250, 300), 20, 260)


def card(**changes: object) -> TrueCard:
    fields = {
        "label": "one",
        "deck": "mine",
        "corners": CORNERS,
        "centre": (250.0, 300.0),
        "angle": 20.0,
        "symmetric": False,
        "flags": frozenset(),
    }
    return TrueCard(**{**fields, **changes})  # type: ignore[arg-type]


def reading(label: str | None = "one", corners: np.ndarray = CORNERS) -> CardReading:
    angle = angle_of(corners)
    return CardReading(label, "unknown" if label is None else "known", 0.9, angle, round(angle / 90) % 4, corners)


def scored(*readings: CardReading, truth: TrueCard | None = None) -> dict[str, int]:
    score = Score()
    score.add([truth or card()], readings, [r.state for r in readings])
    return dict(score.counts)


def test_a_card_turns_with_its_photo() -> None:
    turned = card().turned(1, (900, 640))
    assert turned.angle == 110
    assert angle_of(turned.corners) == pytest.approx(110)
    assert turned.centre == (640 - 1 - 300, 250)
    back = turned.turned(3, (640, 900))
    assert np.allclose(back.corners, CORNERS)


def test_the_right_name_in_the_right_place_counts_once() -> None:
    assert scored(reading())["right, visible"] == 1
    twice = scored(reading(), reading())
    assert twice["right, visible"] == 1
    assert twice["wrong, known"] == 1


def test_a_name_elsewhere_is_wrong_and_a_false_place() -> None:
    counts = scored(reading(corners=CORNERS + 250))
    assert counts["right, visible"] == 0
    assert counts["wrong, known"] == 1
    assert counts["false places"] == 1


def test_a_card_upside_down_has_the_wrong_quadrant_unless_it_looks_the_same() -> None:
    over = reading(corners=np.roll(CORNERS, 2, axis=0))
    assert scored(over)["quadrant right"] == 0
    assert scored(over, truth=card(symmetric=True))["quadrant right"] == 1


def test_an_unknown_card_counts_as_located_only() -> None:
    counts = scored(reading(label=None), truth=card(label=None, deck=None))
    assert counts["located, visible"] == 1
    assert "right, visible" not in counts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    places = [CORNERS, lying(illustrated(2), (620, 330), 95, 260)]
    cards = [(illustrated(1), places[0]), (illustrated(2), places[1])]
    (tmp_path / "someone").mkdir()
    cv2.imwrite(str(tmp_path / "someone" / "table.png"), table_with(cards))
    objects = [
        {
            "type": "card",
            "label": label,
            "deck": "mine",
            "corners": corners.tolist(),
            "centre": corners.mean(axis=0).tolist(),
            "angle": angle_of(corners),
            "sym180": False,
            "flags": [],
        }
        for label, corners in zip(("Card 1", "Card 2"), places, strict=True)
    ]
    truth = {
        "someone/table.png": {"kind": "cards", "objects": objects},
        "someone/dice.png": {"kind": "dice", "objects": []},
    }
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    (tmp_path / "refs" / "mine").mkdir(parents=True)
    index = {}
    for k in range(1, 5):
        cv2.imwrite(str(tmp_path / "refs" / "mine" / f"{k}.png"), illustrated(k))
        index[f"refs/mine/{k}.png"] = {"deck": "mine", "label": f"Card {k}"}
    (tmp_path / "refs" / "index.json").write_text(json.dumps(index))
    return tmp_path


def test_only_photos_with_cards_are_loaded(folder: Path) -> None:
    (photo,) = load_photos(folder)
    assert (photo.source, photo.deck) == ("someone", "mine")
    assert [c.label for c in photo.cards] == ["Card 1", "Card 2"]


def test_the_figures_of_an_easy_photo_are_perfect(folder: Path) -> None:
    figures = measure_photos(folder, quick=True)
    whole = figures["whole photo"]
    assert whole["enrolled cards named and placed right"] == "2 of 2 (100.0%)"
    assert whole["wrong names, known"] == 0
    assert whole["visible cards located (IoU 0.75), with or without reference"] == "2 of 2 (100.0%)"
    assert figures["slot known"]["corner error 15%"]["visible, name and quadrant right"] == "2 of 2 (100.0%)"
    assert figures["cards not in the deck"]["the card's own face taken out"]["given a name"] == "0 of 2 (0.0%)"


@pytest.mark.parametrize("kind", ["orb", "sift"])
def test_plain_matchers_place_a_card_too(kind: Kind) -> None:
    matcher = PlainMatcher(kind, {"one": illustrated(1), "two": illustrated(2)})
    readings = matcher.read(table_with([(illustrated(1), CORNERS)]))
    assert readings[0].label == "one"
    assert np.abs(readings[0].corners - CORNERS).max() < 8


def test_plain_matchers_name_what_is_in_a_slot_unless_it_is_left_out() -> None:
    matcher = PlainMatcher("orb", {"one": illustrated(1), "two": illustrated(2)})
    picture = table_with([(illustrated(1), CORNERS)])
    found = matcher.read_slot(picture, CORNERS + 4)
    assert found is not None
    assert found.label == "one"
    assert np.abs(found.corners - CORNERS).max() < 8
    assert matcher.read_slot(picture, CORNERS + 4, without="one") is None


def test_every_wanted_figure_is_printed_beside_the_plain_matchers(folder: Path) -> None:
    decks = {"50 faces": {"memory": "4 MB", "reading a card": "median 9 ms"}}
    short = in_short(measure_photos(folder, quick=True), decks)
    assert len(short) == 13
    assert short["visible cards located"]["measured"] == "2 of 2 (100.0%)"
    assert set(short["visible cards located"]["upright only"]) == {"ours", "ORB 4000 + RANSAC", "SIFT 4000 + RANSAC"}


def test_without_photographs_the_figures_are_not_run() -> None:
    short = in_short("not run: there is no truth.json", {})
    assert short["slot known to 8 %"] == "not run: there is no truth.json"
