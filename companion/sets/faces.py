"""The faces of a game's proxy pieces, as pictures: `drawings` holds how each game draws its own."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.sets.owner import CardSet, proxy_set


@lru_cache(maxsize=512)
def proxy_face(key: str, pixels: int = 400, game: str = "allies") -> NDArray[np.uint8]:
    """Draw the proxy piece `key`, (height, pixels, 3) BGR, printed top at the top; read-only, cached.

    :raises KeyError: if the proxy set has no such piece.
    """
    face: NDArray[np.uint8] = _drawings(game).draw(key, pixels)
    face.flags.writeable = False
    return face


def face_size_mm(key: str, game: str) -> tuple[float, float]:
    """Return width and height of a proxy piece on paper, in millimetres.

    :raises KeyError: if the proxy set has no such piece.
    """
    width, height = _drawings(game).size_mm(key)
    return width, height


@lru_cache(maxsize=8)
def proxies(game: str) -> CardSet:
    """The proxy set of a game, read once."""
    return proxy_set(game)


def _drawings(game: str) -> Any:
    return import_module(f"companion.sets.drawings.{game}")
