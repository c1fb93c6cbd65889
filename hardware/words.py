"""The words of the wiring file: `gpio:16 pull-up long`, `gpio:17 active-low`, `dock:1`, `pixels:Red`.

Each kind is read by one function and written by another; what is written reads the same again.
"""

from __future__ import annotations

from hardware.messages import GESTURES, Gesture
from hardware.wiring import DieAddress, DieKind, Input, KnobWiring, Output, Pull, Where

HEADER_PINS = range(2, 28)
"""BCM numbers of the 40-pin header that are free to use (0 and 1 identify add-on boards)."""
FIXED_PULL_UP = (2, 3)
"""These have a pull-up resistor on the board (Raspberry Pi schematics)."""
DOCK_PARTS = range(32)
MOST_SENSORS = 5
"""Sensors of one place of a track: codes of 31 markers."""
PULLS: dict[str, Pull] = {"pull-up": "up", "pull-down": "down", "floating": "floating"}
DIE_KINDS: dict[str, DieKind] = {"pixels": "pixels", "godice": "godice", "usb": "serial", "usb-path": "serial"}


class WordsError(ValueError):
    """The words of one part cannot be read; says what was found, expected, and to do."""


def parse_input(words: str) -> Input:
    """Read a button's place, as `gpio:16 pull-up long`.

    :raises WordsError: if a word is not known or two of them contradict each other.
    """
    where, number, rest = _place(words, "button")
    pull: Pull | None = None
    active: bool | None = None
    gesture: Gesture | None = None
    for word in rest:
        if word in PULLS and where == "gpio" and pull is None:
            pull = PULLS[word]
        elif word in ("active-high", "active-low") and where == "gpio" and active is None:
            active = word == "active-high"
        elif word in GESTURES and gesture is None:
            gesture = next(known for known in GESTURES if known == word)
        else:
            known = ["pull-up", "pull-down", "floating", "active-high", "active-low"] if where == "gpio" else []
            raise WordsError(
                f'"{word}" in "{words}"; a {where} button takes one each of {", ".join([*known, *GESTURES])}'
            )
    pull = pull or "up"
    if pull == "floating" and active is None:
        raise WordsError(f'"{words}" floats; add active-high or active-low, the level while it is pressed')
    if pull != "floating" and active not in (None, pull == "down"):
        raise WordsError(
            f'"{words}" contradicts itself: with pull-{pull} the button is active-{_level(pull == "down")}'
        )
    if where == "gpio":
        _check_pull(number, pull)
    return Input(where, number, pull, pull == "down" if active is None else active, gesture or "short")


def write_input(place: Input) -> str:
    """Return the words of a button's place; what is usual is left out."""
    words = [f"{place.where}:{place.number}"]
    if place.pull != "up":
        words.append(next(word for word, pull in PULLS.items() if pull == place.pull))
    if place.pull == "floating":
        words.append(f"active-{_level(place.active_high)}")
    return " ".join([*words, *([place.gesture] if place.gesture != "short" else [])])


def parse_output(words: str) -> Output:
    """Read a lamp's or buzzer's place, as `gpio:17 active-low`.

    :raises WordsError: if a word is not known.
    """
    where, number, rest = _place(words, "lamp")
    if rest == [] or (where == "gpio" and rest == ["active-high"]):
        return Output(where, number)
    if where == "gpio" and rest == ["active-low"]:
        return Output(where, number, active_high=False)
    takes = "active-high or active-low" if where == "gpio" else "no further word"
    raise WordsError(f'"{" ".join(rest)}" in "{words}"; a {where} lamp takes {takes}')


def write_output(place: Output) -> str:
    """Return the words of a lamp's or buzzer's place."""
    return f"{place.where}:{place.number}" + ("" if place.active_high else " active-low")


def parse_knob(words: str) -> KnobWiring:
    """Read a rotary encoder's contacts A and B, as `gpio:5 gpio:6 pull-up`; swap them to turn the other way.

    :raises WordsError: if there are not two pins, or a word is not known.
    """
    pins, rest = _pins(words, "knob")
    if len(pins) != 2:
        raise WordsError(f'"{words}" names {len(pins)} pins; a knob has two contacts, as "gpio:5 gpio:6"')
    knob = KnobWiring(*pins)
    for word in rest:
        if word in ("pull-up", "pull-down"):
            knob = KnobWiring(*pins, PULLS[word], knob.per_step)
        elif word == "half":
            knob = KnobWiring(*pins, knob.pull, 2)
        else:
            raise WordsError(f'"{word}" in "{words}"; a knob takes pull-up or pull-down, and half')
    for pin in pins:
        _check_pull(pin, knob.pull)
    return knob


def write_knob(knob: KnobWiring) -> str:
    """Return the words of a rotary encoder."""
    words = f"gpio:{knob.a} gpio:{knob.b}"
    return words + (" pull-down" if knob.pull == "down" else "") + (" half" if knob.per_step == 2 else "")


def parse_sensors(words: str, pull: Pull = "up") -> tuple[int, ...]:
    """Read the sensors of one place of a track, as `gpio:5 gpio:6 gpio:13`; the first one counts 1.

    :raises WordsError: if a word is no pin, or a pin cannot be pulled as all of the track are.
    """
    pins, rest = _pins(words, "sensor")
    if rest:
        raise WordsError(f'"{rest[0]}" in "{words}"; a place takes the pins of its sensors only')
    if len(pins) > MOST_SENSORS:
        raise WordsError(f'"{words}" has {len(pins)} sensors; a place has at most {MOST_SENSORS}')
    for pin in pins:
        _check_pull(pin, pull)
    return pins


def write_sensors(pins: tuple[int, ...]) -> str:
    """Return the words of the sensors of one place."""
    return " ".join(f"gpio:{pin}" for pin in pins)


def parse_die(words: str) -> DieAddress:
    """Read where a die is: `pixels:NAME`, `godice:NAME`, `usb:SERIAL`, `usb-path:SOCKET` or a device path.

    :raises WordsError: if it cannot be any of them.
    """
    if words.startswith("/"):
        return DieAddress("serial", words)
    kind, _, name = words.partition(":")
    if kind not in DIE_KINDS or not name.strip() or name != name.strip():
        raise WordsError(
            f'"{words}" is no die; write "pixels:NAME", "godice:NAME", "usb:SERIAL" or a path as "/dev/ttyACM0"'
        )
    return DieAddress(DIE_KINDS[kind], words if DIE_KINDS[kind] == "serial" else name)


def write_die(die: DieAddress) -> str:
    """Return the words of a die's address."""
    return die.where if die.kind == "serial" else f"{die.kind}:{die.where}"


def _place(words: str, what: str) -> tuple[Where, int, list[str]]:
    first, *rest = words.split() or [""]
    where, colon, digits = first.partition(":")
    if where not in ("gpio", "dock") or not colon or not _is_number(digits):
        raise WordsError(f'"{words}" is no place for a {what}; write "gpio:16" or "dock:0"')
    number = int(digits)
    if where == "gpio":
        _check_pin(number)
    if where == "dock" and number not in DOCK_PARTS:
        raise WordsError(f"a dock has parts 0 to {DOCK_PARTS[-1]}, not {number}")
    return ("gpio" if where == "gpio" else "dock"), number, rest


def _pins(words: str, what: str) -> tuple[tuple[int, ...], list[str]]:
    """Read the pins at the front of `words`, each written `gpio:N`; return them and the other words."""
    pins: list[int] = []
    rest = words.split()
    while rest and rest[0].startswith("gpio:") and _is_number(rest[0][5:]):
        pins.append(int(rest.pop(0)[5:]))
        _check_pin(pins[-1])
    if not pins:
        raise WordsError(f'"{words}" is no place for a {what}; write its pins as "gpio:5 gpio:6"')
    return tuple(pins), rest


def _is_number(digits: str) -> bool:
    return digits.isascii() and digits.isdigit() and len(digits) <= 3


def _check_pin(number: int) -> None:
    if number not in HEADER_PINS:
        raise WordsError(
            f"GPIO{number} is not on the header; use the BCM numbers {HEADER_PINS[0]} to {HEADER_PINS[-1]}"
        )


def _check_pull(number: int, pull: Pull) -> None:
    if number in FIXED_PULL_UP and pull != "up":
        raise WordsError(f"GPIO{number} has a pull-up resistor on the board; write pull-up, or use another pin")


def _level(high: bool) -> str:
    return "high" if high else "low"
