"""Every screen at both sizes in a real window: pictures, targets, legibility, room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from kivy.core.window import Window
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget
from msgspec.structs import replace

from companion.presenters.models import LookModel
from tests.ui import made
from tests.ui.conftest import SIZES
from tests.ui.pilot import Pilot
from ui.metrics import SMALLEST_TARGET
from ui.screens.games import GameTile
from ui.widgets.board import BoardView
from ui.widgets.fit_label import FitLabel

LEGIBLE_AT_ONE_METRE = 7.05
"""Millimetres of font size: 37 pixels on a 7 inch screen of 800 x 480."""


def to_live(pilot: Pilot) -> None:
    pilot.settle(0.1)
    pilot.tap(next(iter(pilot.sheet.ids.first.children)))
    assert pilot.wait(lambda: pilot.here == "live" and pilot.sheet.ids.board.boxes)
    pilot.settle(0.1)


def prompt(model: object) -> Callable[[Pilot], None]:
    def show(pilot: Pilot) -> None:
        to_live(pilot)
        pilot.show(made.live(model))

    return show


def rolled(pilot: Pilot) -> None:
    pilot.show(made.live(odds=made.ODDS))


def from_live(*steps: Callable[[Pilot], object]) -> Callable[[Pilot], None]:
    def show(pilot: Pilot) -> None:
        to_live(pilot)
        for step in steps:
            step(pilot)

    return show


def tap(text: str) -> Callable[[Pilot], None]:
    return lambda pilot: pilot.tap(pilot.button(text))


def tap_cell(pilot: Pilot) -> None:
    pilot.tap(pilot.cell(pilot.sheet.ids.board, "A3"))


def new_game(pilot: Pilot) -> None:
    pilot.tap(pilot.button("New game"))


def players(pilot: Pilot) -> None:
    new_game(pilot)
    pilot.tap(next(tile for tile in pilot.shown(GameTile) if tile.model.key == "allies"))


def six_players(pilot: Pilot) -> None:
    players(pilot)
    pilot.show(replace(made.SET_UP, most=6))
    while len(pilot.sheet.names) < 6:
        pilot.tap(pilot.button("One more"))


def table(pilot: Pilot) -> None:
    players(pilot)
    pilot.tap(pilot.button("Next"))


SCREENS: dict[str, Callable[[Pilot], None]] = {
    "home": lambda pilot: pilot.settle(0.1),
    "games": new_game,
    "players": players,
    "players-six": six_players,
    "table": table,
    "live": to_live,
    "live-doubt": prompt(made.DOUBT),
    "live-yes-no": prompt(made.YES_NO),
    "live-many": prompt(made.MANY),
    "live-alarm": prompt(made.ALARM),
    "live-todo": prompt(made.TODO),
    "live-odds": from_live(rolled),
    "live-odds-choices": from_live(lambda pilot: pilot.show(made.live(made.YES_NO, odds=made.ODDS))),
    "live-odds-many": from_live(lambda pilot: pilot.show(made.live(made.MANY, odds=made.ODDS))),
    "outage": from_live(lambda pilot: pilot.show(made.live(outage=made.OUTAGE))),
    "odds": from_live(rolled, tap("gnome-1 100 %")),
    "camera": from_live(lambda pilot: pilot.tap(pilot.sheet.ids.picture)),
    "why": from_live(tap("Why?")),
    "correct-which": from_live(tap("Correct")),
    "correct": from_live(tap_cell),
    "correct-shelves": from_live(tap_cell, tap("Another card")),
    "correct-shelf": from_live(tap_cell, tap("Another card"), tap("Goblin")),
    "correct-sure": from_live(tap_cell, tap("Not there")),
    "menu-foretold": from_live(lambda pilot: pilot.show(made.live(preview=made.PREVIEW)), tap("Menu")),
    "preview": from_live(
        lambda pilot: pilot.show(made.live(preview=made.PREVIEW)), tap("Menu"), tap("What it would bring")
    ),
    "menu": from_live(tap("Menu")),
    "final": from_live(tap("Menu"), tap("Score so far")),
    "final-secret": from_live(tap("Menu"), tap("Score so far"), lambda pilot: pilot.show(made.SECRET)),
    "final-open": from_live(tap("Menu"), tap("Score so far"), tap("Regions won")),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", sorted(SCREENS))
def test_a_screen_has_large_targets_readable_texts_and_no_overlap(
    name: str, size: tuple[int, int], fly: Callable[..., Pilot], tmp_path: Path
) -> None:
    pilot = fly(size)
    SCREENS[name](pilot)
    pilot.settle(0.1)

    assert small_targets(pilot) == []
    assert outside(pilot) == []
    assert overlapping(pilot) == []
    assert small_texts(pilot) == []
    assert [label.text for label in pilot.shown(FitLabel) if label.overflows] == []
    assert is_a_picture(pilot.picture(tmp_path / f"{name}.png"), size)


@pytest.mark.parametrize("model", [made.ASK, made.YES_NO, made.MANY], ids=lambda m: m.key)
def test_the_odds_stand_beside_every_kind_of_prompt_and_go_with_the_dice(
    model: object, fly: Callable[..., Pilot]
) -> None:
    pilot = fly((800, 480))
    to_live(pilot)
    pilot.show(made.live(model, odds=made.ODDS))
    pilot.settle(0.1)
    assert pilot.button("gnome-1 100 %").detail == "keep all dice"
    pilot.show(made.live(model))
    pilot.settle(0.1)
    assert not [each for each in pilot.shown(ButtonBehavior) if getattr(each, "text", "") == "gnome-1 100 %"]


def targets(pilot: Pilot) -> list[Widget]:
    return [widget for widget in pilot.shown(ButtonBehavior) if widget.width > 1 and not in_the_dark(widget)]


def in_the_dark(widget: Widget) -> bool:
    """A placeholder that only keeps room."""
    return (
        getattr(widget, "look", "") == "quiet" and not getattr(widget, "text", "") and not getattr(widget, "icon", "")
    )


def words(widget: Widget) -> str:
    return getattr(widget, "text", "") or getattr(widget, "icon", "") or type(widget).__name__


def small_targets(pilot: Pilot) -> list[str]:
    least = SMALLEST_TARGET * pilot.app.mm - 1
    small = [
        f"{words(widget)}: {widget.width / pilot.app.mm:.1f} x {widget.height / pilot.app.mm:.1f} mm"
        for widget in targets(pilot)
        if min(widget.width, widget.height) < least
    ]
    for board in pilot.shown(BoardView):
        small += [f"cell {key}" for key, box in board.boxes.items() if min(box[2], box[3]) < least]
    return small


def outside(pilot: Pilot) -> list[str]:
    found = []
    for widget in targets(pilot):
        x, y = widget.to_window(widget.x, widget.y)
        if x < -1 or y < -1 or x + widget.width > Window.width + 1 or y + widget.height > Window.height + 1:
            found.append(words(widget))
    return found


def overlapping(pilot: Pilot) -> list[tuple[str, str]]:
    boxes = [(words(widget), *widget.to_window(widget.x, widget.y), *widget.size) for widget in targets(pilot)]
    return [
        (one[0], other[0])
        for index, one in enumerate(boxes)
        for other in boxes[index + 1 :]
        if one[1] + one[3] > other[1] + 1
        and other[1] + other[3] > one[1] + 1
        and one[2] + one[4] > other[2] + 1
        and other[2] + other[4] > one[2] + 1
    ]


def small_texts(pilot: Pilot) -> list[str]:
    least = int(2.5 * pilot.app.mm)
    return [
        f"{label.text}: {label.font_size}" for label in pilot.shown(FitLabel) if label.text and label.font_size < least
    ]


def is_a_picture(path: Path, size: tuple[int, int]) -> bool:
    image = cv2.imread(str(path))
    assert image is not None
    assert image.shape[:2] == size[::-1]
    ground = np.median(image.reshape(-1, 3), axis=0)
    busy = (np.abs(image.astype(int) - ground).sum(axis=2) > 60).mean()
    return 0.03 < busy < 0.97


@pytest.mark.parametrize(
    "model", [made.ASK, made.DOUBT, made.MANY, made.ALARM, made.TODO, made.YES_NO], ids=lambda m: m.key
)
def test_the_prompt_is_the_largest_text_and_legible_from_a_metre(model: object, fly: Callable[..., Pilot]) -> None:
    pilot = fly((800, 480))
    prompt(model)(pilot)
    pilot.settle(0.1)
    says = pilot.sheet.ids.prompt.ids.says

    assert says.text == model.says
    assert not says.overflows
    assert says.font_size >= 37
    others = [label.font_size for label in pilot.shown(FitLabel) if label is not says]
    largest_word = max(label.font_size for label in pilot.shown(FitLabel) if not label.text.lstrip("\u2212").isdigit())
    assert says.font_size == largest_word
    assert says.font_size >= max(others) * 0.8  # the scores are numbers to be read from afar too


@pytest.mark.parametrize("theme", ["light", "contrast"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_large_text_pushes_nothing_off_the_live_table(
    theme: str, size: tuple[int, int], fly: Callable[..., Pilot]
) -> None:
    pilot = fly(size, look=LookModel(theme=theme, text=1.6))
    prompt(made.DOUBT)(pilot)
    pilot.settle(0.1)

    assert outside(pilot) == []
    assert overlapping(pilot) == []
    assert small_targets(pilot) == []
    assert [label.text for label in pilot.shown(FitLabel) if label.overflows] == []


def test_the_bottom_bar_lies_at_the_same_place_on_every_screen_of_play(fly: Callable[..., Pilot]) -> None:
    pilot = fly((800, 480))
    to_live(pilot)
    places = set()
    for name in ("live", "why", "correct", "menu", "camera", "final"):
        pilot.app.go(name)
        pilot.settle(0.06)
        bar = pilot.app.root.bar
        places.add((bar.pos[0], bar.pos[1], bar.width, bar.height, tuple(child.x for child in bar.children)))
    assert len(places) == 1
