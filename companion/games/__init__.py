"""The games. Each folder here that offers a `GAME` is one; there is no central list."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from companion.kernel import Answer, Game, Position, game_key


def game_keys() -> tuple[str, ...]:
    """Return the keys of the games found in this folder; names with an underscore are left out."""
    return tuple(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def load_game(key: str) -> Game:
    """Return the game in the folder `key`, however it is spelt; one with an underscore must be named to be found.

    :raises LookupError: if there is none, naming those that are there.
    """
    key = game_key(key)
    if key not in {module.name for module in pkgutil.iter_modules(__path__)}:
        raise LookupError(f"there is no game {key!r}; the games here are: {', '.join(game_keys())}")
    game = import_module(f"{__name__}.{key}").GAME
    assert isinstance(game, Game)  # noqa: S101  what a game folder must offer
    return game


def plausible_player(key: str) -> Callable[[Position, Callable[[Sequence[Any]], Any]], Answer] | None:
    """Return a game's player who goes for the end by chance, None for a game that chance alone ends soon.

    It takes a position and what picks one of several things, and gives an answer that is allowed.
    """
    if find_spec(f"{__name__}.{key}.player") is None:
        return None
    player: Callable[[Position, Callable[[Sequence[Any]], Any]], Answer]
    player = import_module(f"{__name__}.{key}.player").plausible
    return player


def board_check(key: str) -> Callable[[Mapping[str, Any]], object] | None:
    """Return what checks the map of a game's board, None for a game without one; it raises NotationError."""
    if find_spec(f"{__name__}.{key}.board") is None:
        return None
    check: Callable[[Mapping[str, Any]], object] | None
    check = getattr(import_module(f"{__name__}.{key}.board"), "board_from", None)
    return check
