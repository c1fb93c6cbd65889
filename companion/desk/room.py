"""What stands round a desk: camera, buttons, lamps, dock, the owner's sets. A real room or a simulated one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.bootstrap import find_set
from companion.desk.settings import CAMERA_FILE, SettingsError, load_camera
from companion.presenters.choosing import NAMES
from companion.sets.owner import CardSet
from hardware.assembly import Electronics, assemble
from hardware.boards import open_pins
from hardware.config import ConfigError, load
from hardware.wiring import PinsName
from vision.sources import Source

if TYPE_CHECKING:
    from hardware.boards import PinFactory

WIRING_FILE = "table.toml"
SETS, CACHE, FLIGHTS = "sets", "cache", "flights"


class Room(Protocol):
    """Everything a desk needs from outside. Nothing is opened before the desk starts it."""

    home: Path
    """The folder with games, sets and settings."""
    cache: Path
    """The folder for what can be made again."""
    names: tuple[str, ...]
    """Ready-made names, those who sit at the table first."""

    def clock(self) -> float:
        """Return the time by which pictures are stamped, in seconds."""

    def source(self) -> tuple[Source | None, str]:
        """Return where pictures come from; None and a sentence why not."""

    def electronics(self) -> tuple[Electronics, str]:
        """Return buttons, lamps and dock, and a sentence about what cannot be used."""

    def pins(self, name: PinsName) -> PinFactory:
        """Return the pins themselves, for whoever wires the table.

        :raises BoardError: if they cannot be had.
        """

    def cards(self, game: str) -> tuple[CardSet, Path | None]:
        """Return the cards to play with, and the owner's folder they come from (None: our own).

        :raises SetError: if the owner's set cannot be used.
        """

    def begin(self) -> None:
        """A new game is begun."""

    def look(self, acts: int) -> None:
        """The screen shows so many acts of the open game as understood."""

    def hold(self, held: bool) -> None:
        """Nobody watches the table for a while (`held`), or somebody does again."""

    def stop(self) -> None:
        """Give back whatever the room itself started."""


class RealRoom:
    """The room that the files in `home` describe."""

    names: tuple[str, ...] = NAMES

    def __init__(self, home: Path) -> None:
        self.home, self.cache = home, home / CACHE

    def clock(self) -> float:
        return time.monotonic()

    def source(self) -> tuple[Source | None, str]:
        try:
            return load_camera(self.home / CAMERA_FILE).open(), ""
        except SettingsError as error:
            return None, str(error)

    def electronics(self) -> tuple[Electronics, str]:
        file = self.home / WIRING_FILE
        if not file.exists():
            return Electronics(), ""
        try:
            return assemble(load(file), flights=self.home / FLIGHTS), ""
        except ConfigError as error:
            return Electronics(), str(error)

    def pins(self, name: PinsName) -> PinFactory:
        return open_pins(name)

    def cards(self, game: str) -> tuple[CardSet, Path | None]:
        folder = self.home / SETS / game
        # A folder may hold nothing but the faces of dice, for our own cards.
        owned = folder if any(each.is_file() for each in folder.glob("*")) else None
        return find_set(game, owned), owned

    def begin(self) -> None:
        """Do nothing: people lay the cards."""

    def look(self, acts: int) -> None:
        """Do nothing: people look by themselves."""

    def hold(self, held: bool) -> None:
        """Do nothing: people wait by themselves."""

    def stop(self) -> None:
        """Do nothing: the room stays."""
