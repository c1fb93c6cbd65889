"""The devices of a room: started once, watched all the time, given back at the end."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from companion.desk.calibration import CALIBRATION_FILE, Calibrations
from companion.desk.decks import Decks
from companion.desk.eye import Eye
from companion.desk.room import FLIGHTS, SETS, Room
from companion.presenters.models import NoticeModel
from companion.table.observation import MarkersSeen, Observation
from companion.table.ports import Health, Keeper, Marker, Witness
from hardware.serial_link import SerialLink


class Devices:
    """Camera, buttons, lamps, dice and dock. What they see goes to `observe`, whichever game is open."""

    def __init__(self, room: Room, observe: Callable[[Observation], bool]) -> None:
        """Take the devices over and start them; none of them is waited for.

        `observe` returns whether a game is open that the observation was handed to.
        """
        self._room, self._observe = room, observe
        self._tracks: dict[str, MarkersSeen] = {}
        self._witnesses: tuple[Witness, ...] = ()
        self.markers: tuple[Marker, ...] = ()
        self._wiring_says = ""
        source, says = room.source()
        self.eye = Eye(
            source, Decks(room.cache), says, room.clock, Calibrations(room.home / CALIBRATION_FILE), room.home / SETS
        )
        self.eye.start()
        self.take_up()

    def take_up(self) -> None:
        """Start the electronics as the wiring file says now."""
        electronics, self._wiring_says = self._room.electronics()
        self._witnesses, self.markers = electronics.witnesses, electronics.markers
        for witness in self._witnesses:
            witness.start(self._heard)

    def let_go(self) -> None:
        """Give the electronics back, so that somebody else may use pins and ports; the lamps go dark."""
        for witness in self._witnesses:
            witness.stop()
        for marker in self.markers:
            marker.stop()
        self._witnesses, self.markers = (), ()
        self._tracks.clear()

    @property
    def keepers(self) -> tuple[Keeper, ...]:
        """The witnesses that keep what they saw until a table is done with it."""
        return tuple(witness for witness in self._witnesses if isinstance(witness, Keeper))

    def lying(self) -> tuple[MarkersSeen, ...]:
        """Return how the markers lie on every track, for a game that was not open when they were laid."""
        return tuple(msgspec.structs.replace(seen, after_gap=True) for seen in tuple(self._tracks.values()))

    def _heard(self, observation: Observation) -> None:
        if isinstance(observation, MarkersSeen) and (observation.settled or observation.problem):
            self._tracks[observation.witness] = observation
        if not self._observe(observation):
            for keeper in self.keepers:
                if keeper.name == observation.witness:
                    keeper.settled(observation)

    def keep_record(self) -> NoticeModel:
        """Write down what travelled on the dock's line lately; say where the file is, or why there is none."""
        dock = next((witness for witness in self._witnesses if isinstance(witness, SerialLink)), None)
        if dock is None:
            return NoticeModel("No dock is wired, so there is nothing to write down; wire the table first.", "refused")
        file = self._room.home / FLIGHTS / time.strftime("dock-%Y%m%d-%H%M%S-kept.jsonl", time.gmtime())
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            dock.record(file)
        except OSError as error:
            return NoticeModel(
                f"{file} cannot be written ({error.strerror}); make room, or check its rights.", "failed"
            )
        return NoticeModel(f"What travelled on the dock's line is in {file}.")

    def stop(self) -> None:
        """Give everything back; the lamps go dark."""
        self.let_go()
        self._room.stop()
        self.eye.stop()

    def health(self) -> dict[str, Health]:
        """Say how each device is doing, by name."""
        health: dict[str, Health] = {"camera": self.eye.health()}
        if (dice := self.eye.dice_health()) is not None:
            health["dice"] = dice
        return health | self.electronics_health()

    def electronics_health(self) -> dict[str, Health]:
        """Say how everything beside the camera is doing, by name."""
        wired: tuple[Witness | Marker, ...] = (*self._witnesses, *self.markers)
        health = {each.name: each.health() for each in wired}
        if self._wiring_says:
            health["wiring"] = Health("failed", self._wiring_says)
        return health
