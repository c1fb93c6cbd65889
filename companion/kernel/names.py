"""Names of games as people write them."""

from __future__ import annotations

import re


def game_key(name: str) -> str:
    """Return the key of the game that `name` means: `realm-of-wonder` and `Realm of Wonder` are `realm_of_wonder`."""
    return re.sub(r"[\s-]+", "_", name.strip().lower())
