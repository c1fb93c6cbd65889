from __future__ import annotations

import errno
import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.config import ConfigError, load, parse
from hardware.messages import Gesture
from hardware.wiring import (
    FUNCTIONS,
    Buttons,
    DiceWiring,
    DieAddress,
    DockWiring,
    Function,
    Input,
    KnobWiring,
    Output,
    SeatWiring,
    TableWiring,
    TrackWiring,
)
from hardware.writing import save, write

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
        ("colour = 3", 't.toml:1: unknown key "colour"; known are pins, done, undo, yes, no, button, knob'),
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
        ("dock = 1", 't.toml:1: port = 1; write "usb:" and the serial number'),
        ('\ndock = "COM3"', "t.toml:2: port = 'COM3'; write \"usb:\" and the serial number"),
        ('button = "gpio:16"\n[[seat]]\ndone = "gpio:16"', 't.toml:3: GPIO16 belongs to "button" already (line 1)'),
        ('[[seat]]\nbutton = "gpio:16 long"', 't.toml:2: "button" is pressed for done and held for undo; leave out'),
        (
            '[[seat]]\nbutton = "gpio:16"\nundo = "gpio:16 long"',
            't.toml:3: GPIO16 belongs to "button" of seat 1 already (line 2)',
        ),
        (
            'knob = "gpio:5 gpio:16"\n[[seat]]\nbutton = "gpio:16"',
            't.toml:1: GPIO16 belongs to "button" of seat 1 already (line 3); use another one',
        ),
        ('knob = "gpio:5"', 't.toml:1: "gpio:5" names 1 pins; a knob has two contacts'),
        ('knob = "gpio:5 gpio:5"', 't.toml:1: GPIO5 belongs to "knob" already (line 1)'),
        ('knob = "gpio:5 gpio:6 fast"', 't.toml:1: "fast" in "gpio:5 gpio:6 fast"; a knob takes pull-up or pull-down'),
        ('knob = "dock:5"', 't.toml:1: "dock:5" is no place for a knob; write its pins as "gpio:5 gpio:6"'),
        ('knob = "gpio:2 gpio:6 pull-down"', "t.toml:1: GPIO2 has a pull-up resistor on the board"),
        ("track = 5", "t.toml:1: the track is a section of its own; write [track]"),
        ('[track]\nmarkers = ["A"]', "t.toml:1: write the sensors of 2 to 12 places"),
        ('[track]\nplaces = ["gpio:5", "gpio:6"]', "t.toml:1: name the markers, as markers ="),
        (
            '[track]\nplaces = ["gpio:5", "gpio:6"]\nmarkers = ["A", "B"]',
            "t.toml:2: 2 markers need 2 sensors in every place; one has 1",
        ),
        (
            '[track]\nplaces = ["gpio:5", "gpio:6"]\nmarkers = ["A", "A"]',
            "t.toml:3: write up to 31 different names, that of code 1 first",
        ),
        (
            '[track]\nplaces = ["gpio:5 gpio:6", "gpio:6 gpio:7"]\nmarkers = ["A"]',
            't.toml:2: GPIO6 belongs to "places" already (line 2)',
        ),
        ('[track]\nplaces = ["gpio:5", "gpio:6"]\nmarkers = ["A"]\npull = "side"', "t.toml:4: pull = 'side'; write"),
        ('dice = "red"', 't.toml:1: "red" is no die; write "pixels:NAME", "godice:NAME", "usb:SERIAL" or a path'),
        ('dice = ["pixels:Red", "pixels:Red"]', 't.toml:1: the die "Red" is named twice; name each die once'),
        ("dice = []", 't.toml:1: name 1 to 12 dice, as "pixels:Red" or'),
        ('[dice]\nfaces = ["1", "2"]', 't.toml:1: name 1 to 12 dice, as "pixels:Red" or'),
        ('[dice]\nuse = ["usb:1"]\nface = ["1"]', 't.toml:3: unknown key "face" in [dice]; did you mean "faces"?'),
        ('[[seat]]\ndone = "gpio:' + "1" * 5000 + '"', "is no place for a button"),
        ('seat = [{done = "gpio:16"}, {dome = "gpio:20"}]', 't.toml:1: unknown key "dome" in [seat]; did you mean'),
        ('pins = "mock"\nseat = [\n  {done = "gpio:16"},\n  {dome = "gpio:20"},\n]', 't.toml:4: unknown key "dome"'),
        ('pins = "mock"\ndock.port = "usb:1"\ndock.ports = "usb:2"', 't.toml:3: unknown key "ports" in [dock]'),
        ('dock = {"port" = "usb:1", "do ck" = "usb:2"}', 't.toml:1: unknown key "do ck" in [dock]'),
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


def test_one_button_of_a_seat_is_done_when_pressed_and_undo_when_held() -> None:
    wiring = parse('[[seat]]\nbutton = "gpio:16 pull-up"\nyes = "gpio:16 double"')
    pressed = Input("gpio", 16)
    assert wiring.seats[0].buttons == (
        ("done", pressed),
        ("undo", Input("gpio", 16, gesture="long")),
        ("yes", Input("gpio", 16, gesture="double")),
    )


def test_the_short_forms_of_the_readme_are_read() -> None:
    wiring = parse('button = "gpio:16 pull-up"\ndock = "usb:SERIAL"\ndice = "pixels:Red"\nknob = "gpio:5 gpio:6"')
    assert wiring.dock == DockWiring("usb:SERIAL")
    assert [(seat, function) for seat, function, _ in wiring.all_buttons] == [(None, "done"), (None, "undo")]
    assert wiring.dice == DiceWiring((DieAddress("pixels", "Red"),))
    assert wiring.knob == KnobWiring(5, 6)
    assert wiring.uses_pins
    assert wiring.without_pins() == TableWiring(dock=wiring.dock, dice=wiring.dice)


def test_a_track_and_dice_are_read_with_their_names() -> None:
    wiring = parse(
        '[track]\nplaces = ["gpio:22 gpio:23", "gpio:24 gpio:25"]\nmarkers = ["A", "B", "C"]\npull = "down"\n'
        '[dice]\nuse = ["godice:GoDice_1", "usb-path:1-1.2", "/dev/ttyUSB0"]\nfaces = ["sword", "crown"]'
    )
    assert wiring.track == TrackWiring(((22, 23), (24, 25)), ("A", "B", "C"), "down")
    assert wiring.dice == DiceWiring(
        (
            DieAddress("godice", "GoDice_1"),
            DieAddress("serial", "usb-path:1-1.2"),
            DieAddress("serial", "/dev/ttyUSB0"),
        ),
        ("sword", "crown"),
    )


# -- writing ---------------------------------------------------------------------------------------

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=6)
GESTURES_OF: dict[str, list[Gesture]] = {
    "done": ["short", "double"],
    "undo": ["long"],
    "yes": ["double"],
    "no": ["long"],
}


@st.composite
def wirings(draw: st.DrawFn) -> TableWiring:
    """Any wiring that can be written: every pin has one owner."""
    pins = draw(st.permutations(range(4, 28)))

    def buttons() -> Buttons:
        if draw(st.booleans()):
            pressed = Input("gpio", pins.pop())
            return (("done", pressed), ("undo", msgspec.structs.replace(pressed, gesture="long")))
        return tuple((name, button(name)) for name in draw(st.sets(st.sampled_from(FUNCTIONS), max_size=2)))

    def button(name: Function) -> Input:
        gesture = draw(st.sampled_from(GESTURES_OF[name]))
        if draw(st.booleans()):
            return Input("gpio", pins.pop(), "floating", draw(st.booleans()), gesture)
        down = draw(st.booleans())
        return Input("gpio", pins.pop(), "down" if down else "up", down, gesture)

    def lamp() -> Output | None:
        return Output("gpio", pins.pop(), draw(st.booleans())) if draw(st.booleans()) else None

    names = st.lists(NAMES, min_size=2, max_size=4, unique=True).map(tuple)
    seats = tuple(SeatWiring(_in_order(buttons()), lamp()) for _ in range(draw(st.integers(0, 3))))
    dock = DockWiring("usb:7", draw(st.sampled_from(["", "E66"])), draw(names), draw(names))
    track = TrackWiring(((pins.pop(), pins.pop()), (pins.pop(), pins.pop())), draw(names)[:3], "down")
    dice = DiceWiring((DieAddress("pixels", "Red"), DieAddress("serial", "/dev/x")), draw(names))
    return TableWiring(
        draw(st.sampled_from(["auto", "mock"])),
        seats,
        lamp(),
        draw(st.sampled_from([None, dock])),
        _in_order(buttons()),
        draw(st.sampled_from([None, KnobWiring(pins.pop(), pins.pop(), "down", 2)])),
        draw(st.sampled_from([None, track])),
        draw(st.sampled_from([None, dice])),
    )


def _in_order(buttons: Buttons) -> Buttons:
    return tuple(sorted(buttons, key=lambda each: FUNCTIONS.index(each[0])))


@given(wirings())
def test_what_is_written_reads_the_same_again(wiring: TableWiring) -> None:
    assert parse(write(wiring)) == wiring


def test_a_written_file_is_read_by_people(tmp_path: Path) -> None:
    file = tmp_path / "home" / "table.toml"
    wiring = parse('[[seat]]\nbutton = "gpio:16"\nlamp = "gpio:17"\n[[seat]]\nno = "dock:0"\n[dock]\nport = "usb:7"')
    save(wiring, file)
    assert load(file) == wiring
    assert file.read_text(encoding="utf-8").splitlines()[2:] == [
        "[[seat]]",
        'button = "gpio:16"',
        'lamp = "gpio:17"',
        "",
        "[[seat]]",
        'no = "dock:0"',
        "",
        "[dock]",
        'port = "usb:7"',
    ]
    assert [each.name for each in file.parent.iterdir()] == ["table.toml"]


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "table.toml"
    save(TableWiring("mock"), file)
    before = file.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(TableWiring("lgpio"), file)
    assert file.read_bytes() == before
