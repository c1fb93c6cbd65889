"""Where on a card its values are printed, as shares of the card's sides: data, made by tapping one example card.

A layout is written as `layout.toml` beside a set; the same reading then works for the owner's cards
and for our own drawings, which are printed otherwise.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

FILE = "layout.toml"


class LayoutError(ValueError):
    """A layout that cannot be used; one sentence with the file and what to do."""


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rectangle of the upright face: `x`, `y` its middle, all as shares of the face's width and height.

    `turn`: quarter turns clockwise by which what is printed there stands, 1 = its top points right.
    """

    x: float
    y: float
    width: float
    height: float
    turn: int = 0


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One printed value of a card.

    `numbers`: one glyph in each place; `sign`: one drawing or word in one place, told by its shape; `row`:
    glyphs beside each other on a plain strip, any number of them; `marks`: any number of round glyphs,
    lying anywhere in one place; `flag`: a glyph that is there or not; `colour`: the colour of the whole
    place. `values` are the answers a person may give. `ring` is for numbers that stand round the card in
    rising order: the name of the field for the one at the printed top. `where` names the values of fields
    printed before this one (signs or colours) without which it is not on a card. `means` gives the number
    for which a letter stands. `tells` says what fields a row gives, and how: its `glyphs`, the `glyph` they
    all show, their number (`length`), or the sizes of its `groups` of equal ones.
    """

    field: str
    reads: Literal["numbers", "sign", "row", "marks", "flag", "colour"]
    values: tuple[str, ...]
    places: tuple[Place, ...]
    ring: str = ""
    where: dict[str, tuple[str, ...]] = {}
    means: dict[str, int] = {}
    tells: dict[str, Literal["glyphs", "glyph", "length", "groups"]] = {}

    def is_on(self, shown: Mapping[str, tuple[str, ...]]) -> bool:
        """Say whether it is printed on a card that shows these values."""
        return all(any(value in allowed for value in shown.get(name, ())) for name, allowed in self.where.items())


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is printed where on one kind of card."""

    printed: tuple[Printed, ...]

    def named(self, field: str) -> Printed:
        """Return a printed field.

        :raises KeyError: if the layout has no such field.
        """
        for each in self.printed:
            if each.field == field:
                return each
        raise KeyError(field)


def read_layouts(file: Path) -> dict[str, Layout]:
    """Return the layouts of a file by kind of card.

    :raises LayoutError: if the file is missing or not of this form.
    """
    try:
        found = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), dict[str, Layout])
    except (OSError, UnicodeDecodeError):
        raise LayoutError(f"{file}: the file cannot be read; a layout is a TOML file beside set.toml") from None
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"{file}: this is not TOML, {error}; correct it there") from None
    except msgspec.ValidationError as error:
        raise LayoutError(f"{file}: {str(error)[:1].lower()}{str(error)[1:]}; see docs/own-cards.md") from None
    for kind, layout in found.items():
        for number, printed in enumerate(layout.printed):
            _check(file, kind, printed, layout.printed[:number])
    return found


def _check(file: Path, kind: str, printed: Printed, before: tuple[Printed, ...]) -> None:
    where = f"{file}: {kind}.{printed.field}"
    if any(printed.field == each.field for each in before):
        raise LayoutError(f"{where}: it is printed twice; give every value a field of its own")
    telling = {each.field: each.values for each in before if each.reads in ("sign", "colour")}
    for name, allowed in printed.where.items():
        if not set(allowed) <= set(telling.get(name, ())):
            raise LayoutError(f"{where}: where: {name} is no sign or colour before it with the values {allowed}")
    if strange := set(printed.means) - set(printed.values):
        raise LayoutError(f"{where}: means: {sorted(strange)[0]} is none of its values")
    if bool(printed.tells) != (printed.reads == "row"):
        raise LayoutError(f"{where}: tells: a row says what it tells, and nothing else does")
    if not printed.places or (printed.reads != "numbers" and len(printed.places) != 1):
        raise LayoutError(f"{where}: found {len(printed.places)} places; {printed.reads} are printed in one")
    if not printed.values:
        raise LayoutError(f"{where}: there are no values; list those that may be printed")
    for place in printed.places:
        inside = all(0.0 <= middle <= 1.0 and 0.0 < side <= 1.0 for middle, side in _spans(place))
        if not inside or place.turn not in range(4):
            raise LayoutError(f"{where}: {place} does not lie on the card; give shares of its sides from 0 to 1")


def _spans(place: Place) -> tuple[tuple[float, float], ...]:
    return (place.x, place.width), (place.y, place.height)


def format_layouts(layouts: dict[str, Layout]) -> str:
    """Return layouts as the text of a `layout.toml`."""
    lines: list[str] = []
    for kind, layout in layouts.items():
        for printed in layout.printed:
            values = ", ".join(f'"{value}"' for value in printed.values)
            lines += [f"[[{kind}.printed]]", f'field = "{printed.field}"', f'reads = "{printed.reads}"']
            lines += [f"values = [{values}]"]
            lines += [f'ring = "{printed.ring}"'] if printed.ring else []
            lines += [f"where = {{ {_pairs(printed.where)} }}"] if printed.where else []
            lines += [f"means = {{ {_pairs(printed.means)} }}"] if printed.means else []
            lines += [f"tells = {{ {_pairs(printed.tells)} }}"] if printed.tells else []
            lines += ["places = ["]
            lines += [f"  {_format_place(place)}," for place in printed.places]
            lines += ["]", ""]
    return "\n".join(lines)


def _pairs(table: Mapping[str, object]) -> str:
    # TOML writes words, numbers and lists as JSON does.
    return ", ".join(f'"{name}" = {json.dumps(value)}' for name, value in table.items())


def _format_place(place: Place) -> str:
    numbers = (f"{name} = {getattr(place, name):.4f}" for name in ("x", "y", "width", "height"))
    return f"{{ {', '.join(numbers)}, turn = {place.turn} }}"


def round_the_card(place: Place, count: int = 4) -> tuple[Place, ...]:
    """Return a place and the same one on the card's other sides, clockwise: one frame drawn by a person does for all.

    `place` is the one at the printed top; the card is square.
    """
    places = [place]
    for _ in range(count - 1):
        last = places[-1]
        places.append(Place(1.0 - last.y, last.x, last.height, last.width, (last.turn + 1) % 4))
    return tuple(places)


def cut_place(face: Picture, place: Place, size: tuple[int, int], around: float = 0.0) -> Picture:
    """Return what a face shows in a place, upright, `size` (width, height) pixels, BGR.

    `around` is how much more is shown on each side, as a share of the face's longer side; it is part of `size`.
    """
    height, width = face.shape[:2]
    edge = around * max(height, width)
    half_x, half_y = place.width * width / 2 + edge, place.height * height / 2 + edge
    middle_x, middle_y = place.x * width, place.y * height
    box = np.array([(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)], np.float32)
    corners = np.roll(box, -place.turn, axis=0) + np.array((middle_x - 0.5, middle_y - 0.5))
    own = np.array([(0, 0), (size[0], 0), (size[0], size[1]), (0, size[1])], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), own)
    shrinks = size[0] * size[1] < 4 * half_x * half_y
    soft = cv2.GaussianBlur(face, (0, 0), 0.4 * (4 * half_x * half_y / (size[0] * size[1])) ** 0.5) if shrinks else face
    return np.asarray(
        cv2.warpPerspective(soft, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
