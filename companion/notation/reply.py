"""Replies as short text, the way people would write them on a score sheet.

| kind    | text                                | means                                     |
|---------|-------------------------------------|-------------------------------------------|
| choose  | `yeti + troll`                      | these of the listed things (`-` for none) |
| place   | `yeti-07 @ A3`, `yeti-07 @ A3 ^1`   | laid there, turned by one quarter turn    |
| move    | `A1 > A5`, `R1 <> R4`               | moved; traded places                      |
| turn    | `B3`, `B3 ^-1`                      | turned as the rules say; by that much     |
| roll    | `3 5 p2`                            | the faces that lie up                     |
| reveal  | `sun ? moon`                        | faces, `?` for one that stayed unseen     |
| count   | `4`                                 | a number                                  |
| order   | `a, b, c`                           | first things first                        |
| assign  | `orb: A, tile: B`                   | item and holder                           |
| confirm | `yes`, `no`                         | done, or not                              |

Turns count quarter turns clockwise in the mat frame. Text and reply go both ways without loss.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.kernel import (
    Assigned,
    Chosen,
    Confirmed,
    Counted,
    Kind,
    Moved,
    NotationError,
    Ordered,
    Placed,
    Reply,
    Revealed,
    Rolled,
    Turned,
)

_PIECE = r"[^\s@^,:+<>]+"
_TURN = r"(?:\s*\^\s*(-?\d+))?"
_PLACE = re.compile(rf"({_PIECE})\s*@\s*({_PIECE}){_TURN}")
_MOVE = re.compile(rf"({_PIECE})\s*(<>|>)\s*({_PIECE})")
_TURNED = re.compile(rf"({_PIECE}){_TURN}")


def parse_reply(kind: Kind, text: str) -> Reply:
    """Return the reply of a kind that `text` states.

    :raises NotationError: with what was found and an example of what was expected.
    """
    text = text.strip()
    try:
        return _PARSERS[kind](text)
    except _UnreadableError:
        raise NotationError(f"reply: found {text!r}, expected a {kind} such as {_EXAMPLES[kind]!r}") from None


def format_reply(reply: Reply) -> str:
    """Return the reply as text; `parse_reply` of it gives an equal one."""
    match reply:
        case Chosen(picks=picks):
            return " + ".join(picks) or "-"
        case Placed(piece=piece, slot=slot, turn=turn):
            return f"{piece} @ {slot}{_format_turn(turn)}"
        case Moved(start=start, end=end, swap=swap):
            return f"{start} {'<>' if swap else '>'} {end}"
        case Turned(slot=slot, by=by):
            return f"{slot}{_format_turn(by)}"
        case Rolled(faces=names) | Revealed(pieces=names):
            return " ".join(names) or "-"
        case Counted(number=number):
            return str(number)
        case Ordered(items=items):
            return ", ".join(items) or "-"
        case Assigned(pairs=pairs):
            return ", ".join(f"{item}: {holder}" for item, holder in pairs) or "-"
        case Confirmed(yes=yes):
            return "yes" if yes else "no"


class _UnreadableError(Exception):
    pass


def _format_turn(turn: int | None) -> str:
    return "" if turn is None else f" ^{turn}"


def _full(pattern: re.Pattern[str], text: str) -> tuple[str | None, ...]:
    match = pattern.fullmatch(text)
    if match is None:
        raise _UnreadableError
    return match.groups()


def _names(text: str, separator: str | None) -> tuple[str, ...]:
    if text == "-":
        return ()
    names = tuple(name.strip() for name in text.split(separator))
    if not all(re.fullmatch(_PIECE, name) for name in names):
        raise _UnreadableError
    return names


def _placed(text: str) -> Reply:
    piece, slot, turn = _full(_PLACE, text)
    return Placed(str(piece), str(slot), None if turn is None else int(turn))


def _moved(text: str) -> Reply:
    start, how, end = _full(_MOVE, text)
    return Moved(str(start), str(end), how == "<>")


def _turned(text: str) -> Reply:
    slot, by = _full(_TURNED, text)
    return Turned(str(slot), None if by is None else int(by))


def _counted(text: str) -> Reply:
    if not re.fullmatch(r"-?\d+", text):
        raise _UnreadableError
    return Counted(int(text))


def _assigned(text: str) -> Reply:
    if text == "-":
        return Assigned(())
    pairs = [tuple(part.strip() for part in pair.split(":")) for pair in text.split(",")]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        raise _UnreadableError
    return Assigned(tuple((pair[0], pair[1]) for pair in pairs))


def _confirmed(text: str) -> Reply:
    if text not in ("yes", "no"):
        raise _UnreadableError
    return Confirmed(text == "yes")


_PARSERS: dict[Kind, Callable[[str], Reply]] = {
    "choose": lambda text: Chosen(_names(text, "+")),
    "place": _placed,
    "move": _moved,
    "turn": _turned,
    "roll": lambda text: Rolled(_names(text, None)),
    "reveal": lambda text: Revealed(_names(text, None)),
    "count": _counted,
    "order": lambda text: Ordered(_names(text, ",")),
    "assign": _assigned,
    "confirm": _confirmed,
}

_EXAMPLES: dict[Kind, str] = {
    "choose": "yeti + troll",
    "place": "yeti-07 @ A3",
    "move": "A1 > A5",
    "turn": "B3",
    "roll": "3 5",
    "reveal": "sun ?",
    "count": "4",
    "order": "a, b",
    "assign": "orb: A",
    "confirm": "yes",
}
