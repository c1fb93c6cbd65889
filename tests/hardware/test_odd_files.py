"""Wiring files as editors, accidents and curious people leave them: one sentence with the line, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.config import ConfigError, load, parse


def test_the_mark_that_some_editors_put_before_a_text_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('pins = "mock"\n', encoding="utf-8-sig")
    assert load(file) == parse('pins = "mock"')


@pytest.mark.parametrize("text", ["x = " + "9" * 5000, "x = " + "[" * 5000])
def test_what_is_too_long_for_the_parser_is_a_sentence(text: str) -> None:
    # How deep lists may be nested depends on how deep the caller stands; beyond that they are no TOML either.
    says = r"t\.toml:1: (a number or a list in it is too long to be read|this is not TOML \(.*\)); compare it"
    with pytest.raises(ConfigError, match=says):
        parse(text, "t.toml")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            '[track]\npull = "down"\nplaces = ["gpio:2", "gpio:6"]\nmarkers = ["A"]',
            "t.toml:3: GPIO2 has a pull-up resistor on the board; write pull-up, or use another pin",
        ),
        (
            'dice = ["pixels:Red", "usb:T-7"]\ndock = "usb:T-7"',
            't.toml:1: "usb:T-7" is the port of the dock already; its own dice need no line here',
        ),
        ("dice = [7]", 't.toml:1: a die = 7; write its place in quotes, as "pixels:Red"'),
    ],
)
def test_a_part_that_cannot_work_as_written_is_refused_with_line_and_remedy(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(text, "t.toml")
    assert str(refused.value) == says
