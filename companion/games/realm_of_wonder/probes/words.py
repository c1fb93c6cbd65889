"""Words as people write them in cases, and what they are called here."""

from __future__ import annotations

import re

from companion.games.realm_of_wonder.box import battle_face
from companion.games.realm_of_wonder.pieces import COUNTER, MONSTERS, SPELLS, TILES
from companion.kernel import NotationError

_TILES = {"magic-orb": "orb", "cursed-orb": "cursed", "cursed-magic-orb": "cursed", "magic-potion": "potion"}
_TILES |= {"magic-card": "card", "draw-a-magic-card": "card", "magic-chest": "chest"}
_SPELLS = {"hot-air-balloon": "balloon", "+3": "plus-three", "-3": "minus-three", "plus-3": "plus-three"}
_SPELLS |= {"minus-3": "minus-three", "rune-stone-card": "rune-stone"}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_OWN = re.compile(r"\b(own|my)\b|\ba's\b|\bof a$")
_ANOTHERS = re.compile(r"\b(another|others?|opponent|rival|[b-f])\b")


def tile_of(words: str, field: str = "moves") -> str:
    """Return the kind of a tower tile.

    :raises NotationError: for words that name none.
    """
    key = _key(words, "tile", "monster")
    key = _TILES.get(key, key)
    if key not in TILES:
        raise NotationError(f"{field}: found the tile {words!r}, expected one of {', '.join(TILES)}")
    return key


def monster_of(words: str, field: str = "defender") -> str:
    """Return the kind of a monster.

    :raises NotationError: for words that name none.
    """
    key = _key(words, "tile", "monster")
    if key not in MONSTERS:
        raise NotationError(f"{field}: found the monster {words!r}, expected one of {', '.join(MONSTERS)}")
    return key


def spell_of(words: str, field: str = "moves") -> str:
    """Return the kind of a magic card, or `none`; `plus three movement points` is `plus-three`.

    :raises NotationError: for words that name none.
    """
    key = _key(words.replace("\N{MINUS SIGN}", "-"), "card", "spell", "points", "movement")
    key = _SPELLS.get(key, key)
    if key not in (*SPELLS, COUNTER, "none"):
        raise NotationError(
            f"{field}: found the magic card {words!r}, expected none or one of {', '.join((*SPELLS, COUNTER))}"
        )
    return key


def face_of(face: int | str) -> str:
    """Return a face of the battle die; `purple 2` is `p2`."""
    return battle_face(str(face).strip().lower().replace(" ", "-"))


def number_in(words: str) -> int | None:
    """Return the number that words name, in digits or as a word up to ten; None without one."""
    if found := re.search(r"\d+", words):
        return int(found[0])
    spoken = re.findall(r"[a-z]+", words.lower())
    return next((number for number, word in enumerate(_NUMBERS, 1) if word in spoken), None)


def is_own(words: str) -> bool:
    """Return whether words speak of what belongs to the player whom the case is about, who sits at A."""
    return _OWN.search(words.lower()) is not None


def is_anothers(words: str) -> bool:
    """Return whether words speak of what belongs to another player."""
    return not is_own(words) and _ANOTHERS.search(words.lower()) is not None


def _key(words: str, *endings: str) -> str:
    """Return words in lower case with hyphens, without an article before and such endings after them."""
    said = re.sub(r"^(a|an|the) ", "", " ".join(words.lower().split()))
    while (shorter := next((said[: -len(end)] for end in endings if said.endswith(f" {end}")), None)) is not None:
        said = shorter.strip()
    return said.replace(" ", "-")
