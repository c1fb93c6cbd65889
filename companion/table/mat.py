"""The mat: where markers and slots lie, in millimetres.

One description serves everyone who needs the geometry: the printer draws it, the camera finds it,
the simulated table renders it.

Frame: origin at the mat's top left corner, x to the right, y down, millimetres, seen from above.
Quarter turns are counted clockwise as seen from above; a card at turn 0 has its printed top towards
the mat's top edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from companion.kernel import Game

MARKER_DICTIONARY = "DICT_4X4_50"
"""Name of the OpenCV ArUco dictionary that the printed markers come from."""

BOARD_MM = 400.0
"""The side of the square round a board of discs, by which the pixels are counted that its discs need."""

Edge = Literal["top", "right", "bottom", "left"]


class Rect(msgspec.Struct, frozen=True):
    """An axis-parallel rectangle in mat millimetres, (x, y) its top left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x + self.width / 2, self.y + self.height / 2)

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Top left, top right, bottom right, bottom left."""
        right, bottom = self.x + self.width, self.y + self.height
        return ((self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom))


NOWHERE = Rect(0.0, 0.0, 0.0, 0.0)


class Slot(msgspec.Struct, frozen=True):
    """One place on the mat where at most one card is looked for, or a disc of a board.

    `rect` is the printed frame: a card of `Mat.card_size` lies inside it at any quarter turn. A disc fills it.
    """

    key: str
    rect: Rect


class Marker(msgspec.Struct, frozen=True):
    """A printed ArUco marker: its id in `MARKER_DICTIONARY` and the square it fills."""

    id: int
    rect: Rect


class Mat(msgspec.Struct, frozen=True):
    """A printed mat: its size, markers, slots and the grey patch that tells drift from change.

    Of a board of concentric discs, which takes a mat's place, it is the square round the board: nothing is
    printed (`markers` is empty, `patch` is `NOWHERE`), its slots are the discs that turn, and its
    millimetres are shares of its side (`BOARD_MM`).
    """

    name: str
    width: float
    height: float
    card_size: tuple[float, float]
    slots: tuple[Slot, ...]
    markers: tuple[Marker, ...]
    patch: Rect
    tray: Rect | None = None
    discs: tuple[tuple[str, str], ...] = ()
    """Slot and piece of each disc that turns on a board, from the outside in."""
    disc_positions: tuple[str, ...] = ()
    """What the positions of a disc are called; a disc in the first one lies at turn 0."""

    def slot(self, key: str) -> Slot:
        """Return the slot called `key`.

        :raises KeyError: if the mat has no such slot.
        """
        for slot in self.slots:
            if slot.key == key:
                return slot
        raise KeyError(key)

    @property
    def slots_by_key(self) -> Mapping[str, Slot]:
        return {slot.key: slot for slot in self.slots}


@cache
def game_mat(game: Game) -> Mat:
    """Return the mat on which a game is played.

    :raises ValueError: if what the game wants does not fit on a sheet; a fault of the game.
    """
    if game.discs:
        return board_mat(game.key, game.discs, game.disc_positions)
    rows, columns = (game.rows, game.columns) if game.cards_on_mat else ((), 0)
    return grid_mat(game.key, rows, columns, game.card_mm, turning=game.turns_cards, tray=game.tray_mm)


def board_mat(name: str, discs: tuple[tuple[str, str], ...], positions: tuple[str, ...]) -> Mat:
    """Return the square round a board of concentric discs, of which `discs` turn and the outermost does not."""
    rings = len(discs) + 1
    slots = (
        Slot(slot, Rect(*(BOARD_MM * around / rings / 2,) * 2, *(BOARD_MM * (1 - around / rings),) * 2))
        for around, (slot, _) in enumerate(discs, 1)
    )
    size = (BOARD_MM / rings,) * 2
    return Mat(name, BOARD_MM, BOARD_MM, size, tuple(slots), (), NOWHERE, None, discs, positions)


def grid_mat(
    name: str,
    rows: tuple[str, ...],
    columns: int,
    card_size: tuple[float, float] = (63.0, 63.0),
    size: tuple[float, float] = (420.0, 297.0),
    gap: float = 9.0,
    marker: float = 22.0,
    margin: float = 8.0,
    turning: bool = True,
    tray: tuple[float, float] | None = None,
) -> Mat:
    """Lay out a grid of slots, rows named from the top, on a sheet (A3 landscape by default).

    Slot keys are row name and column number, `A1` to `A5`. With `turning` a card fits into its slot
    at any quarter turn, else it lies upright. Markers 0 to 3 lie in the corners (top left, top
    right, bottom right, bottom left), 4 and 5 in the middle of the top and bottom edge. A `tray` of
    that width and height, for dice, lies under the grid, or right of it where there is no room below.

    :raises ValueError: if grid and tray do not fit between the markers.
    """
    width, height = size
    wide, tall = (max(card_size),) * 2 if turning else card_size
    wide, tall = wide + 4.0, tall + 4.0
    grid_width = max(columns * (wide + gap) - gap, 0.0)
    grid_height = max(len(rows) * (tall + gap / 2) - gap / 2, 0.0)
    room_width, room_height = width - 2 * margin, height - 2 * (margin + marker)
    apart = gap if rows else 0.0
    across, down = tray or (0.0, 0.0)
    is_below = grid_height + apart + down <= room_height
    needs_width = max(grid_width, across) if is_below or not tray else grid_width + apart + across
    needs_height = grid_height + apart + down if tray and is_below else max(grid_height, down)
    if needs_width > room_width or needs_height > room_height:
        raise ValueError(
            f"the grid needs {needs_width:.0f} x {needs_height:.0f} mm between the markers, "
            f"the sheet is {width:.0f} x {height:.0f} mm; use a larger sheet or smaller cards"
        )
    left, top = (width - (grid_width if is_below else needs_width)) / 2, (height - needs_height) / 2
    slots = tuple(
        Slot(f"{row}{column + 1}", Rect(left + column * (wide + gap), top + line * (tall + gap / 2), wide, tall))
        for line, row in enumerate(rows)
        for column in range(columns)
    )
    beside = Rect(left + grid_width + apart, (height - down) / 2, across, down)
    below = Rect((width - across) / 2, top + needs_height - down, across, down)
    far_x, far_y, mid_x = width - margin - marker, height - margin - marker, (width - marker) / 2
    places = ((margin, margin), (far_x, margin), (far_x, far_y), (margin, far_y), (mid_x, margin), (mid_x, far_y))
    markers = tuple(Marker(i, Rect(x, y, marker, marker)) for i, (x, y) in enumerate(places))
    patch = Rect(width * 0.25 - marker / 2, far_y, marker, marker)
    return Mat(name, width, height, card_size, slots, markers, patch, (below if is_below else beside) if tray else None)
