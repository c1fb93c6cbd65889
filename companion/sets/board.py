"""An owner's board: the map of a game whose board differs from copy to copy, `board.toml` in the set's folder.

What a map holds and whether it can be one is the game's to say; here is the file, and the line of a fault.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.sets.owner import CardSet, SetError, set_digest

BOARD_FILE = "board.toml"
BOARD = "board"
"""The piece that a board is in a set."""
_FIELD = re.compile(r"\b(spaces|edges|regions|rims)(?:\.(\w+))?(?:\[(\d+)\])?(?=[\[.:`])")

_AT = re.compile(r"^(.)(.*) - at `\$\.?(.*)`$")


def _place_first(found: re.Match[str]) -> str:
    """Say where first and what then: `spaces[3].kind: invalid enum value 'towr'`."""
    return f"{found[3] or 'the file'}: {found[1].lower()}{found[2]}"


def board_set(game: str, folder: Path, check: Callable[[Mapping[str, Any]], object]) -> CardSet:
    """Return the set of a game that has a map and no box: the `board.toml` in a folder.

    `check` raises ValueError with one sentence if what the file holds is no board of this game.

    :raises SetError: if the file is missing, is not TOML, or holds no board; with file, line and field.
    """
    file = folder / BOARD_FILE if folder.is_dir() else folder
    try:
        text = file.read_text(encoding="utf-8")
        board = tomllib.loads(text)
    except OSError:
        raise SetError(f"{file}: the file cannot be read; the map of a board is a board.toml in the folder") from None
    except UnicodeDecodeError:
        raise SetError(f"{file}: the file is not UTF-8 text; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SetError(
            f"{file}: this is not TOML, {str(error)[:1].lower()}{str(error)[1:]}; correct it there"
        ) from None
    try:
        check(board)
    except ValueError as error:
        says = _AT.sub(_place_first, str(error).removeprefix("board: "))
        line = _line(text, says)
        raise SetError(f"{file.name}:{line}: {says}" if line else f"{file.name}: {says}") from None
    name, cards, kinds = str(board.get("label", "")), {BOARD: board}, {BOARD: BOARD}
    digest = set_digest(name, game, "", cards, kinds)
    return CardSet(name, game, "", cards, kinds, {BOARD: None}, digest, file.parent)


def with_board(cards: CardSet, board: CardSet) -> CardSet:
    """Return a set of pieces together with the map of the same folder."""
    pieces = {**cards.cards, **board.cards}
    kinds = {**cards.kinds, **board.kinds}
    return msgspec.structs.replace(
        cards,
        cards=pieces,
        kinds=kinds,
        pictures={**cards.pictures, **board.pictures},
        digest=set_digest(cards.name, cards.game, cards.edition, pieces, kinds),
    )


def _line(text: str, says: str) -> int | None:
    """Return the line of the list item that a sentence speaks of: by its number, else by the keys it names."""
    field = _FIELD.search(says)
    name, number = (field[2] or field[1], field[3]) if field else ("spaces", None)
    items = list(_items(text, name))
    if number:
        return items[int(number)][0] if int(number) < len(items) else None
    if name in ("regions", "rims"):
        head = re.search(rf"^\s*\[?{name}\b", text, re.MULTILINE)
        return text.count("\n", 0, head.end()) + 1 if head else None
    named = [f'"{word}"' for word in re.findall(r"[\w.'-]+", says)]
    found = [(sum(word in item for word in named), line) for line, item in items]
    # Of two that are alike the later one is too many.
    most, line = max(found, default=(0, 0))
    return line if most else None


def _items(text: str, field: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each item of a list at the head of a line, `field = [ ... ]`."""
    start = re.search(rf"^\s*{field}\s*=\s*\[", text, re.MULTILINE)
    depth, begun = 0, start.end() if start else len(text)
    for here in range(begun, len(text)):
        if text[here] in "[{":
            begun = here if depth == 0 else begun
            depth += 1
        elif text[here] in "]}":
            depth -= 1
            if depth < 0:
                return
            if depth == 0:
                yield text.count("\n", 0, begun) + 1, text[begun : here + 1]
