"""The devices of a room: started once, watched all the time, given back at the end."""

from __future__ import annotations

from companion.desk.decks import Decks
from companion.desk.eye import Eye
from companion.desk.room import Room
from companion.table.ports import Health, Marker, Observe, Witness


class Devices:
    """Camera, buttons, lamps and dock. What they see goes to `observe`, whichever game is open."""

    def __init__(self, room: Room, observe: Observe) -> None:
        """Take the devices over and start them; none of them is waited for."""
        self._room = room
        source, says = room.source()
        self.eye = Eye(source, Decks(room.cache), says, room.clock)
        self.eye.start()
        electronics, self._wiring_says = room.electronics()
        self._witnesses: tuple[Witness, ...] = electronics.witnesses
        self.markers: tuple[Marker, ...] = electronics.markers
        for witness in self._witnesses:
            witness.start(observe)

    def stop(self) -> None:
        """Give everything back; the lamps go dark."""
        for witness in self._witnesses:
            witness.stop()
        for marker in self.markers:
            marker.stop()
        self._room.stop()
        self.eye.stop()

    def health(self) -> dict[str, Health]:
        """Say how each device is doing, by name."""
        health: dict[str, Health] = {"camera": self.eye.health()}
        wired: tuple[Witness | Marker, ...] = (*self._witnesses, *self.markers)
        health |= {each.name: each.health() for each in wired}
        if self._wiring_says:
            health["wiring"] = Health("failed", self._wiring_says)
        return health
