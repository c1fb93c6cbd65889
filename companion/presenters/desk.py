"""What the screen needs of the machine behind it: models come in, intents go out, pictures lie ready.

The screen holds one `Desk`. Whoever builds it (`companion.bootstrap`) runs the table's loop in
another thread; nothing here may block the screen's thread. Models are published newest wins: a
model of a type replaces the one before it, so each carries all that its screen shows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.presenters.enrol import EnrolIntent, EnrolModel
from companion.presenters.models import LookModel, Point, ScreenModel
from companion.presenters.wiring import WiringIntent, WiringModel

Published = ScreenModel | EnrolModel | WiringModel
Publish = Callable[[Published], None]


class ShowHome(msgspec.Struct, frozen=True):
    """Answered by a `HomeModel`."""


class ShowGames(msgspec.Struct, frozen=True):
    """Answered by a `GamesModel`."""


class ShowSetUp(msgspec.Struct, frozen=True):
    """Answered by a `SetUpModel` of `game`."""

    game: str


class Begin(msgspec.Struct, frozen=True):
    """Start a game; answered by its first `LiveModel`, or by a `NoticeModel` that says why not.

    `starter` is the starting seat, None when the table shows it ("seen on the table"). `options`
    holds only what differs from the edition.
    """

    game: str
    names: tuple[str, ...]
    edition: str
    options: tuple[tuple[str, str], ...] = ()
    starter: int | None = None


class Resume(msgspec.Struct, frozen=True):
    """Go on with a journal; answered like `Begin`."""

    journal: str


class ShowTable(msgspec.Struct, frozen=True):
    """Answered by `TableModel`s, again whenever one changes, until `LeaveTable`."""


class LeaveTable(msgspec.Struct, frozen=True):
    """The set-up of the camera is closed. `camera` false: play without it, everything is asked."""

    camera: bool = True


class SetCorners(msgspec.Struct, frozen=True):
    """The mat's corners were dragged (shares of the picture, top left first, clockwise).

    None: find them again by the markers.
    """

    corners: tuple[Point, Point, Point, Point] | None


class Answer(msgspec.Struct, frozen=True):
    """A button of the prompt was tapped: `question` is `PromptModel.key`, `choice` its number.

    A choice that names a question no longer shown changes nothing.
    """

    game: str
    question: str
    choice: int


class Undo(msgspec.Struct, frozen=True):
    """Take back the act that was shown as `says` (`LiveModel.undo`); another one is refused."""

    game: str
    says: str


class ShowCorrection(msgspec.Struct, frozen=True):
    """Answered by a `CorrectModel` of the cell, or a `NoticeModel` if nothing was read there."""

    game: str
    cell: str


class Correct(msgspec.Struct, frozen=True):
    """An option of the `CorrectModel` for `cell` was tapped; answered by `LiveModel` or `NoticeModel`."""

    game: str
    cell: str
    option: int


class ShowFinal(msgspec.Struct, frozen=True):
    """Answered by a `FinalModel` (a running one while the game goes on)."""

    game: str


class Leave(msgspec.Struct, frozen=True):
    """Leave the game; it stays on disk and is offered by `HomeModel.resumes`."""

    game: str


class KeepLook(msgspec.Struct, frozen=True):
    """Keep how the screen looks for the next start; it is in force already."""

    look: LookModel


class KeepRecord(msgspec.Struct, frozen=True):
    """Write down what travelled on the dock's line lately; a `NoticeModel` says where, or why not."""


Intent = (
    ShowHome | ShowGames | ShowSetUp | Begin | Resume | ShowTable | LeaveTable | SetCorners
    | Answer | Undo | ShowCorrection | Correct | ShowFinal | Leave | KeepLook | KeepRecord | EnrolIntent
    | WiringIntent
)  # fmt: skip


class Frame:
    """The newest camera picture: `rgba` is uint8, (height, width, 4), contiguous, top row first.

    `serial` grows with every picture; `rgba` is never written to again once it is handed out.

    :raises ValueError: if the array has another shape or type.
    """

    __slots__ = ("rgba", "serial")

    def __init__(self, serial: int, rgba: NDArray[np.uint8]) -> None:
        if rgba.ndim != 3 or rgba.shape[2] != 4 or rgba.dtype != np.uint8 or not rgba.flags.c_contiguous:
            raise ValueError(f"a frame is a contiguous uint8 array (height, width, 4), not {rgba.dtype} {rgba.shape}")
        self.serial, self.rgba = serial, rgba


class Desk(Protocol):
    """The machine behind the screen. All four may be called from the screen's thread at any time."""

    def open(self, publish: Publish) -> None:
        """Start what runs behind the screen; call `publish` from any thread for every new model."""

    def submit(self, intent: Intent) -> None:
        """Take an intent and return at once; what comes of it is published."""

    def frame(self) -> Frame | None:
        """Return the newest camera picture, None while there is none; never waits for one."""

    def close(self) -> None:
        """Stop everything, with the journal on disk. Calling it twice is allowed."""
