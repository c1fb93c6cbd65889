"""The machine behind the screens: home, games, the open table, the camera; driven by intents, seen by models."""

from companion.desk.desk import TableDesk
from companion.desk.room import RealRoom, Room

__all__ = ["RealRoom", "Room", "TableDesk"]
