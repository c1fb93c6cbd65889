from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.bench import vision as bench_vision
from tests.vision.printed import illustrated, lying, table_with
from vision.bench_photos import PhotoBench
from vision.detections import CardReading, angle_of
from vision.figures import share, spread
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
    heard: list[tuple[str, int, int]] = []
    bench = PhotoBench(folder, quick=True, told=lambda *far: heard.append(far))
    whole, all_right = bench.whole(), share(2, 2)
    assert whole["enrolled cards named and placed right"] == all_right
    assert whole["wrong names, known"] == 0
    assert whole["visible cards located (IoU 0.75), with or without reference"] == all_right
    assert bench.slots()["corner error 15%"]["visible, name and quadrant right"] == all_right
    assert bench.strangers()["the card's own face taken out"]["given a name"] == share(0, 2)
    assert ("whole photographs", 0, 1) in heard


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


def test_every_line_of_the_table_about_photographs_stands_beside_the_plain_matchers(folder: Path) -> None:
    figures = bench_vision.measure(folder, quick=True, only=("photos", "matchers"))
    assert figures["left out"][0] == "slots: not asked for"
    assert "matchers: slow" in figures["left out"]
    figures = bench_vision.measure(folder, only=("photos", "matchers"))
    lines = {line["quantity"]: line for line in figures["table"]}
    located = lines["visible cards located (IoU 0.75), with or without reference"]
    assert (located["reached"], located["met"]) == ("8 of 8 (100.0%)", True)
    assert set(located["upright photos only"]) == {"ours", "ORB 4000 + RANSAC", "SIFT 4000 + RANSAC"}
    assert lines["pip dice, whole photo: value right"]["met"] is None


def test_without_photographs_the_lines_about_them_are_not_run_and_say_why(tmp_path: Path) -> None:
    lines = bench_vision.measure(None, only=("slots", "dice"))["table"]
    assert lines[0]["reached"] == "not run: name the folder of labelled photographs with --photos"
    assert {line["met"] for line in lines} == {None}
    lines = bench_vision.measure(tmp_path, only=("photos",))["table"]
    assert lines[2]["reached"] == f"not run: there is no truth.json in {tmp_path}"


def test_a_line_says_whether_its_goal_is_met() -> None:
    right, quadrant = share(359, 360), "visible, name and quadrant right"
    slots = {"corner error 8%": {quadrant: right}, "corner error 15%": {quadrant: right}}
    deck = {"CPU time a card": spread([10.0], "ms"), "memory, MB": 61.0}
    growth = {"50 faces": deck, "600 faces": {**deck, "CPU time a card": spread([119.0], "ms")}}
    evening = {"silent_misreads": 0, "observations": 9999, "questions": 99, "questions_share": 0.0099}
    lines = bench_vision.table({"slots": slots, "memory": growth, "evenings": evening})
    met = {line["quantity"]: line["met"] for line in lines if line["met"] is not None}
    assert list(met.values()) == [False, True, False, True, False, True]


def test_figures_print_as_people_read_them() -> None:
    assert str(share(1, 8)) == "1 of 8 (12.5%)"
    assert str(share(0, 0)) == "0 of 0"
    assert str(spread([1.0, 3.0], "ms")) == "mean 2.0, median 2.0, 95th percentile 2.9, most 3.0 ms"
    assert str(spread([], "ms")) == "none"
