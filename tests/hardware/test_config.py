from __future__ import annotations

from pathlib import Path

import pytest

from hardware.config import ConfigError, load, parse
from hardware.wiring import DockWiring, Input, Output, SeatWiring, TableWiring

GOOD = """\
pins = "mock"
buzzer = "gpio:18"          # beeps on an alarm

[[seat]]
done = "gpio:16 pull-up"
undo = "gpio:16 pull-up long"
lamp = "gpio:17"

[[seat]]
done = "gpio:20 pull-down"
yes = "dock:0"
no = "dock:0 double"
lamp = "dock:1"

[dock]
port = "usb:DOCK-0042"
id = "E66"
faces = ["sword", "crown"]
"""


def test_a_whole_table_is_read() -> None:
    assert parse(GOOD) == TableWiring(
        "mock",
        (
            SeatWiring(
                (("done", Input("gpio", 16)), ("undo", Input("gpio", 16, gesture="long"))),
                Output("gpio", 17),
            ),
            SeatWiring(
                (
                    ("done", Input("gpio", 20, "down", active_high=True)),
                    ("yes", Input("dock", 0)),
                    ("no", Input("dock", 0, gesture="double")),
                ),
                Output("dock", 1),
            ),
        ),
        Output("gpio", 18),
        DockWiring("usb:DOCK-0042", "E66", ("sword", "crown")),
    )


def test_an_empty_file_is_a_table_without_electronics() -> None:
    wiring = parse("")
    assert wiring == TableWiring()
    assert not wiring.uses_pins


def test_a_table_that_hangs_on_the_dock_alone_needs_no_pins() -> None:
    wiring = parse('[[seat]]\ndone = "dock:0"\nlamp = "dock:0"\n[dock]\nport = "/dev/ttyACM0"\n')
    assert not wiring.uses_pins
    assert parse(GOOD).uses_pins


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[[seat]]\n\ndome = "gpio:16"', 't.toml:3: unknown key "dome" in [seat]; did you mean "done"?'),
        ("colour = 3", 't.toml:1: unknown key "colour"; known are pins, buzzer, seat, dock'),
        ('pins = "mock"\n\n[camera]\nindex = 0', 't.toml:3: unknown key "camera"; known are'),
        ('[[seat]]\n[[seat]]\nlanp = "gpio:5"', 't.toml:3: unknown key "lanp" in [seat]; did you mean "lamp"?'),
        (
            '[[seat]]\ndone = "gpio:16"\n[[seat]]\nundo = "gpio:16"',
            't.toml:4: GPIO16 belongs to "done" of seat 1 already (line 2); use another one, or add "long"',
        ),
        (
            '[[seat]]\nlamp = "gpio:16"\n[[seat]]\ndone = "gpio:16"',
            't.toml:4: GPIO16 belongs to "lamp" of seat 1 already (line 2); use another one',
        ),
        (
            'buzzer = "gpio:9"\n[[seat]]\nlamp = "gpio:9"',
            't.toml:1: GPIO9 belongs to "lamp" of seat 1 already (line 3); use another one',
        ),
        (
            '[[seat]]\ndone = "gpio:16 pull-up"\nundo = "gpio:16 pull-down long"',
            't.toml:3: GPIO16 is wired in another way for "done" of seat 1 (line 2)',
        ),
        ('[[seat]]\ndone = "gpio:40"', "t.toml:2: GPIO40 is not on the header; use the BCM numbers 2 to 27"),
        ('[[seat]]\ndone = "pin 16"', 't.toml:2: "pin 16" is no place for a button; write "gpio:16" or "dock:0"'),
        ('[[seat]]\ndone = "gpio:²"', "no place for a button"),
        ("[[seat]]\ndone = 16", 't.toml:2: done = 16; write its place in quotes, as "gpio:16"'),
        ('[[seat]]\ndone = "gpio:16 bounce"', 't.toml:2: "bounce" in "gpio:16 bounce"; a gpio button takes'),
        ('[[seat]]\ndone = "gpio:16 floating"', "floats; add active-high or active-low"),
        ('[[seat]]\ndone = "gpio:16 pull-up active-high"', "contradicts itself: with pull-up the button is active-low"),
        ('[[seat]]\ndone = "gpio:3 pull-down"', "GPIO3 has a pull-up resistor on the board; write pull-up"),
        ('[[seat]]\nlamp = "gpio:17 bright"', 't.toml:2: "bright" in "gpio:17 bright"; a gpio lamp takes active-high'),
        ('[[seat]]\nlamp = "dock:32"', "t.toml:2: a dock has parts 0 to 31, not 32"),
        ('[[seat]]\nlamp = "dock:1"', "t.toml:2: a part of the dock, but no [dock] section"),
        ("[seat]", "t.toml:1: a seat is written [[seat]], with two brackets"),
        ("[[seat]]\n" * 9, "t.toml:9: 9 seats; a table has at most 8"),
        ('pins = "pigpio"', "t.toml:1: pins = 'pigpio'; choose one of auto, lgpio, gpiod, mock"),
        ('dock = "usb:1"', "t.toml:1: the dock is a section of its own"),
        ('[dock]\nid = "x"', 't.toml:1: no port; write "usb:" and the serial number'),
        ('[dock]\n\nport = "COM3"', "t.toml:3: port = 'COM3'; write"),
        ('[dock]\nport = "/dev/ttyACM0"\nfaces = ["1"]', "t.toml:3: write the faces of a die as different texts"),
        ('[dock]\nport = "/dev/ttyACM0"\nid = 5', "t.toml:3: id = 5; write the dock's unique id in quotes"),
        ('[[seat]]\ndone = "gpio:16', "t.toml:2: this is not TOML"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence_with_file_line_and_remedy(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, "t.toml")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"table\.toml: the file cannot be read \(No such file or directory\)"):
        load(tmp_path / "table.toml")


def test_a_file_is_read_from_disk(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert load(file) == parse(GOOD)
