"""The enrolment of an owner's set on the screen: what a step shows, and what can be tapped there.

One model serves all steps; `step` says which parts of it are filled. Every intent carries the `key`
of the model it was tapped on: a tap on a page that has gone changes nothing.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.presenters.models import ChoiceModel, MeterModel, OverlayModel, Point

Step = Literal["photograph", "corners", "frame", "ask", "page", "card", "finish"]

PER_PAGE = 12


class PictureModel(msgspec.Struct, frozen=True):
    """A small picture: `rgba` holds width * height * 4 bytes, top row first."""

    width: int
    height: int
    rgba: bytes


class ValueMark(msgspec.Struct, frozen=True):
    """A value as it was read, to be shown at the place (shares of the card) where it is printed."""

    says: str
    x: float
    y: float
    doubtful: bool = False


class EnrolCard(msgspec.Struct, frozen=True):
    """A card on a page: its picture, and beside it what was read. `tone` is the group its colour stands for."""

    card: int
    picture: PictureModel
    marks: tuple[ValueMark, ...]
    says: str
    changed: bool = False


class EnrolRow(msgspec.Struct, frozen=True):
    """One value of the card that is open: its name, what it is now, what it may be."""

    field: str
    place: int
    title: str
    value: str
    values: tuple[str, ...]
    doubtful: bool = False


class EnrolModel(msgspec.Struct, frozen=True):
    """One step of the enrolment.

    `photograph`: the camera's picture or the last photograph with its cards outlined, and what is
    found of what the box holds. `corners`: a photograph of a board, whose `corners` can be dragged.
    `frame`: a card or a board on which a frame is to be drawn round what `says` names. `ask`: one short
    question about `picture`. `page`: twelve cards to look through. `card`: one of them to put right.
    `finish`: what was found out about the whole set.
    """

    key: str
    game: str
    title: str
    step: Step
    says: str
    detail: str = ""
    picture: PictureModel | None = None
    outlines: tuple[OverlayModel, ...] = ()
    frames: tuple[tuple[Point, ...], ...] = ()
    corners: tuple[Point, Point, Point, Point] | None = None
    choices: tuple[ChoiceModel, ...] = ()
    cards: tuple[EnrolCard, ...] = ()
    rows: tuple[EnrolRow, ...] = ()
    counts: tuple[MeterModel, ...] = ()
    warnings: tuple[str, ...] = ()
    done: int = 0
    of: int = 0
    in_play: bool = False
    """Asked in the middle of a game, about a card that nobody has enrolled; without `rows` that is over."""


class ShowEnrolment(msgspec.Struct, frozen=True):
    """Answered by an `EnrolModel` of the game's set, where it was left last time."""

    game: str


class Photograph(msgspec.Struct, frozen=True):
    """Take the camera's newest picture as a photograph of cards."""

    key: str


class ReadPhotographs(msgspec.Struct, frozen=True):
    """Take the pictures in the folder for photographs."""

    key: str


class EnrolChoose(msgspec.Struct, frozen=True):
    """A button was tapped: `choice` is its number."""

    key: str
    choice: int


class EnrolOpen(msgspec.Struct, frozen=True):
    """A card of the page was tapped."""

    key: str
    card: int


class EnrolSet(msgspec.Struct, frozen=True):
    """A value of the open card was tapped; of several marks, it is put in or taken out at `place`."""

    key: str
    field: str
    place: int
    value: str


class EnrolFrame(msgspec.Struct, frozen=True):
    """A frame was drawn: left, top, right, bottom as shares of the card."""

    key: str
    frame: tuple[float, float, float, float]


class EnrolCorners(msgspec.Struct, frozen=True):
    """A corner was dragged: all four, as shares of the picture, the board's own top left first, clockwise."""

    key: str
    corners: tuple[Point, Point, Point, Point]


class LeaveEnrolment(msgspec.Struct, frozen=True):
    """The enrolment is closed; everything so far is on disk."""


EnrolAct = Photograph | ReadPhotographs | EnrolChoose | EnrolOpen | EnrolSet | EnrolFrame | EnrolCorners
EnrolIntent = ShowEnrolment | LeaveEnrolment | EnrolAct
