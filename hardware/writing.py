"""Writes a wiring as the TOML file that `hardware/config.py` reads again: the same wiring, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from hardware.config import BUTTON
from hardware.wiring import SIX_FACES, Buttons, TableWiring
from hardware.words import write_die, write_input, write_knob, write_output, write_sensors

HEAD = "# How this table is wired. Written by the companion; it may be changed by hand.\n"


def save(wiring: TableWiring, file: Path) -> None:
    """Write the wiring to a file; whatever happens meanwhile, the old or the new one is on disk.

    :raises OSError: if it cannot be written; the old file is as it was.
    """
    fresh = file.with_name(file.name + ".new")
    file.parent.mkdir(parents=True, exist_ok=True)
    with fresh.open("w", encoding="utf-8") as stream:
        stream.write(write(wiring))
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(file)
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write(wiring: TableWiring) -> str:
    """Return the text of the file; what is usual is left out."""
    sections = [HEAD + "".join(f"{line}\n" for line in _top(wiring))]
    for seat in wiring.seats:
        lamp = [] if seat.lamp is None else [("lamp", write_output(seat.lamp))]
        sections.append(_section("[[seat]]", (*_buttons(seat.buttons), *lamp)))
    if (dock := wiring.dock) is not None:
        listed = (("faces", dock.faces if dock.faces != SIX_FACES else ()), ("markers", dock.markers))
        texts = (("port", dock.port), ("id", dock.id))
        sections.append(_section("[dock]", ((key, value) for key, value in (*texts, *listed) if value)))
    if (track := wiring.track) is not None:
        places = tuple(write_sensors(pins) for pins in track.places)
        pull = [("pull", track.pull)] if track.pull != "up" else []
        sections.append(_section("[track]", (("places", places), ("markers", track.markers), *pull)))
    if (dice := wiring.dice) is not None:
        faces = [("faces", dice.faces)] if dice.faces != SIX_FACES else []
        sections.append(_section("[dice]", (("use", tuple(map(write_die, dice.dice))), *faces)))
    return "\n".join(sections)


def _top(wiring: TableWiring) -> Iterator[str]:
    if wiring.pins != "auto":
        yield _pair("pins", wiring.pins)
    for key, value in _buttons(wiring.buttons):
        yield _pair(key, value)
    if wiring.knob is not None:
        yield _pair("knob", write_knob(wiring.knob))
    if wiring.buzzer is not None:
        yield _pair("buzzer", write_output(wiring.buzzer))


def _buttons(buttons: Buttons) -> Iterator[tuple[str, str]]:
    """Yield a done and an undo that are one button, pressed and held, as such; the others by name."""
    rest = list(buttons)
    if len(rest) >= 2:
        (first, pressed), (second, held) = rest[:2]
        one = (pressed.where, pressed.number) == (held.where, held.number)
        if one and (first, second, pressed.gesture, held.gesture) == ("done", "undo", "short", "long"):
            yield BUTTON, write_input(pressed)
            rest = rest[2:]
    yield from ((function, write_input(place)) for function, place in rest)


def _section(header: str, pairs: Iterable[tuple[str, str | tuple[str, ...]]]) -> str:
    return "\n".join([header, *(_pair(key, value) for key, value in pairs), ""])


def _pair(key: str, value: str | tuple[str, ...]) -> str:
    if isinstance(value, str):
        return f"{key} = {_quoted(value)}"
    return f"{key} = [{', '.join(map(_quoted, value))}]"


def _quoted(text: str) -> str:
    """Return a TOML basic string."""
    signs = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(signs.get(s) or (s if s.isprintable() else f"\\U{ord(s):08x}") for s in text) + '"'
