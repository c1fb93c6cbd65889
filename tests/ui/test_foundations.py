"""Colours, millimetres, icons, fitting text, and the bridge between threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from msgspec.structs import replace

import ui
from companion.presenters.models import SEAT_SHAPES
from tests.ui import made
from tests.ui.pilot import Pilot
from ui.glyphs import ICONS
from ui.metrics import pixels_per_millimetre
from ui.theme import THEMES, Theme, contrast
from ui.widgets.fit_label import FitLabel
from ui.widgets.player_chip import seat_icon


def test_every_icon_has_a_glyph_in_the_shipped_font() -> None:
    font = TTFont(Path(ui.__file__).parent / "fonts" / "icons.ttf")
    glyphs = font.getBestCmap()
    assert [name for name, character in ICONS.items() if ord(character) not in glyphs] == []


@pytest.mark.parametrize("name", sorted(THEMES))
def test_texts_of_a_theme_can_be_read(name: str) -> None:
    theme = Theme(name)
    for ink, ground in (
        (theme.text, theme.ground),
        (theme.text, theme.panel),
        (theme.text, theme.raised),
        (theme.soft, theme.panel),
        (theme.over_primary, theme.primary),
        (theme.over_doubt, theme.doubt),
        (theme.over_alarm, theme.alarm),
    ):
        assert contrast(ink, ground) >= 4.5


@pytest.mark.parametrize("name", sorted(THEMES))
@pytest.mark.parametrize("seat", range(6))
def test_the_value_on_a_seats_colour_can_be_read(name: str, seat: int) -> None:
    theme = Theme(name)
    assert contrast(theme.on_seat(seat), theme.seat(seat)) >= 4.5


def test_every_seat_has_a_shape_of_its_own() -> None:
    assert len({seat_icon(seat) for seat in range(len(SEAT_SHAPES))}) == 6


def test_a_seven_inch_screen_of_800_pixels_has_five_pixels_a_millimetre() -> None:
    assert pixels_per_millimetre(800, 480, 7.0) == pytest.approx(5.25, abs=0.01)
    assert pixels_per_millimetre(1280, 720, 7.0) == pytest.approx(8.26, abs=0.01)


@pytest.mark.parametrize("inches", [0.0, 2.9, 61.0, -7.0])
def test_a_screen_size_that_cannot_be_is_refused(inches: float) -> None:
    with pytest.raises(ValueError, match="between 3 and 60 inches"):
        pixels_per_millimetre(800, 480, inches)


@pytest.mark.parametrize(
    "text",
    ["Undo", "R\u00fcckg\u00e4ngig machen", "\u041f\u043e\u0434\u0442\u0432\u0435\u0440\u0434\u0438\u0442\u044c"],
)
def test_a_label_shrinks_until_its_words_fit(text: str, fly: Callable[..., Pilot]) -> None:
    pilot = fly()
    label = FitLabel(text=text, size=(110, 40), size_hint=(None, None), largest=40, smallest=10)
    pilot.app.root.add_widget(label)
    pilot.step(4)
    assert not label.overflows
    assert label.texture.width <= 110
    assert label._label.text == text


def test_a_text_that_cannot_fit_ends_in_an_ellipsis_and_says_so(fly: Callable[..., Pilot]) -> None:
    pilot = fly()
    label = FitLabel(text="one two three four five six", size=(90, 22), size_hint=(None, None), largest=20, smallest=16)
    pilot.app.root.add_widget(label)
    pilot.step(4)
    assert label.overflows
    assert label._label.text.endswith("\u2026")
    assert label.text == "one two three four five six"


def test_of_many_models_from_another_thread_the_newest_is_shown(at_table: Callable[..., Pilot]) -> None:
    pilot = at_table()

    def flood() -> None:
        for number in range(500):
            pilot.desk.publish(made.live(progress=f"turn {number}"))

    threads = [threading.Thread(target=flood) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pilot.desk.publish(made.live(progress="the last"))
    assert pilot.wait(lambda: pilot.sheet.model.progress == "the last")


def test_a_mistake_in_the_screen_is_said_and_the_app_goes_on(at_table: Callable[..., Pilot]) -> None:
    from kivy.base import ExceptionManager

    pilot = at_table()
    answer = ExceptionManager.handle_exception(KeyError("Z9"))
    assert answer == ExceptionManager.PASS
    assert "The game is safe on disk" in pilot.app.root.toast.text
    pilot.show(replace(made.live(), progress="still here"))
    assert pilot.sheet.model.progress == "still here"
