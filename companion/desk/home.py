"""The screens before a game: what can be continued, how the devices do, which games there are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from companion.desk.decks import seen_by_camera
from companion.desk.room import Room
from companion.games import game_keys, load_game
from companion.journal.shelf import Shelf, Shelved
from companion.presenters.choosing import present_game
from companion.presenters.models import DeviceModel, GameModel, GamesModel, HomeModel, ResumeModel
from companion.rulebook.load import load_rulebook
from companion.sets.owner import SetError
from companion.table.ports import Health

MOST_RESUMES = 3


def present_home(shelf: Shelf, devices: Mapping[str, Health], version: str) -> HomeModel:
    """Return the home screen: the games to go on with, newest first, and every device in words.

    Reads every journal on the shelf.
    """
    home = HomeModel(tuple(_resumes(shelf.unfinished())), (look_at_disk(shelf),), f"version {version}")
    return with_devices(home, devices)


def with_devices(home: HomeModel, devices: Mapping[str, Health]) -> HomeModel:
    """Return the home screen with how the devices do now; what it says about the disk stays."""
    shown = tuple(DeviceModel(name.capitalize(), health.state, health.says) for name, health in devices.items())
    return replace(home, devices=(*shown, home.devices[-1]))


def _resumes(games: Iterable[Shelved]) -> Iterator[ResumeModel]:
    for shown, game in enumerate(games):
        if shown == MOST_RESUMES:
            return
        header = game.header
        if header is not None:
            acts = "not begun" if not game.entries else "1 entry" if game.entries == 1 else f"{game.entries} entries"
            yield ResumeModel(game.path.name, _title(header.game), " and ".join(header.seats), acts, header.made)


def _title(game: str) -> str:
    return load_game(game).title if game in game_keys() else game


def look_at_disk(shelf: Shelf) -> DeviceModel:
    """Say whether games can be kept."""
    place = next((folder for folder in (shelf.folder, *shelf.folder.parents) if folder.exists()), Path("/"))
    if not place.is_dir():
        return DeviceModel("Disk", "failed", f"{place} is a file; move it away, games are kept in a folder there")
    if not os.access(place, os.W_OK | os.X_OK):
        return DeviceModel("Disk", "failed", f"{place} cannot be written; no game can be kept until it can")
    problems = sum(bool(game.problem) for game in shelf.games())
    if problems:
        says = "1 game cannot be read" if problems == 1 else f"{problems} games cannot be read"
        return DeviceModel("Disk", "unsure", f"{says}; `companion replay` says why")
    return DeviceModel("Disk", "ok")


def present_games(room: Room) -> GamesModel:
    """Return the choice of games, each with what the camera knows of its cards."""
    return GamesModel(tuple(_tile(room, key) for key in game_keys()))


def _tile(room: Room, key: str) -> GameModel:
    game, book = load_game(key), load_rulebook(key)
    try:
        cards, folder = room.cards(key)
    except SetError as error:
        return present_game(game, book, problem=str(error))
    if not cards.keys:
        return present_game(game, book)
    whose = "our own drawings" if folder is None else cards.name
    return present_game(game, book, cards=f"camera knows {seen_by_camera(cards)} of {len(cards.keys)} cards ({whose})")
