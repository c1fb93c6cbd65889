"""What was not stated is UNKNOWN, what was not seen is UNSEEN; neither is ever a default."""

from __future__ import annotations

import enum
from typing import Final, Literal


class Unknown(enum.Enum):
    """The one value that stands for "nobody has said it yet"."""

    UNKNOWN = "?"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final[Literal[Unknown.UNKNOWN]] = Unknown.UNKNOWN

UNSEEN: Final = "?"
"""The face of a piece that lies there unseen; a legal face in a `reveal` reply."""
