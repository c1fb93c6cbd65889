"""The wiring of a table on the screen: what a step asks, and what can be tapped there.

One model serves all steps. Every tap carries the `key` of the model it was made on: a tap on a step that
has gone changes nothing.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.presenters.models import ChoiceModel

Step = Literal["dock", "seats", "buttons", "lamps", "check", "saved"]
TITLES: dict[Step, str] = {
    "dock": "The dock",
    "seats": "The places",
    "buttons": "A button at each place",
    "lamps": "A lamp at each place",
    "check": "Try everything",
    "saved": "The table is wired",
}


class PlaceModel(msgspec.Struct, frozen=True):
    """A place at the table: its button and lamp as far as they are known, and whether the button is held now."""

    seat: int
    button: str = ""
    lamp: str = ""
    now: bool = False
    """Whether this place is being asked about."""
    pressed: bool = False


class TrackPlaceModel(msgspec.Struct, frozen=True):
    """A place of the dock's track, live: the marker that lies there ("" for none) and what its sensor says."""

    number: int
    marker: str = ""
    says: str = ""


class WiringModel(msgspec.Struct, frozen=True):
    """One step of the wiring. `problem` is what just went wrong, in a sentence."""

    step: Step
    key: str
    says: str
    detail: str = ""
    problem: str = ""
    choices: tuple[ChoiceModel, ...] = ()
    places: tuple[PlaceModel, ...] = ()
    track: tuple[TrackPlaceModel, ...] = ()
    can_go_back: bool = False

    @property
    def title(self) -> str:
        return TITLES[self.step]


class ShowWiring(msgspec.Struct, frozen=True):
    """Begin to wire the table; answered by `WiringModel`s, again whenever one changes, until `LeaveWiring`."""


class ChooseWiring(msgspec.Struct, frozen=True):
    """A choice of the step was tapped."""

    key: str
    choice: int


class StepBack(msgspec.Struct, frozen=True):
    """The question before this one is asked again."""

    key: str


class LeaveWiring(msgspec.Struct, frozen=True):
    """The wiring is left; what was not saved is as it was."""


WiringIntent = ShowWiring | ChooseWiring | StepBack | LeaveWiring
