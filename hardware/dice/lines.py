"""What a die tower or tray on a serial line says: one line of plain text for each thing that happens.

    rolled 3 5        two dice came to rest; the numbers alone, "3 5" or "3,5", mean the same
    rolling           they are in motion
    held              a hand holds one
    leaning           one rests on an edge
    still             none of these any more, and nothing was thrown
    # anything        a remark

Any microcontroller with `println` speaks it; `docs/recipes/dice.md` has a sketch.
"""

from __future__ import annotations

import re

from hardware.dice.states import DieState, Kind, StrangeError

MOST_DICE = 32
WORDS: dict[str, Kind] = {"rolling": "rolling", "held": "held", "leaning": "leaning", "still": "lies"}
_NUMBERS = re.compile(r"\d{1,3}([ ,;]+\d{1,3})*", re.ASCII)


def read_line(line: str) -> DieState | None:
    """Return what a line says, None for a remark or an empty line.

    :raises StrangeError: if the protocol knows no such line.
    """
    words = line.strip().lower()
    if not words or words.startswith("#"):
        return None
    if words in WORDS:
        return DieState(WORDS[words])
    numbers = words.removeprefix("rolled").strip()
    if not _NUMBERS.fullmatch(numbers):
        raise StrangeError(f"the line {line[:40]!r}")
    faces = tuple(int(number) for number in re.findall(r"\d+", numbers))
    if 0 in faces or len(faces) > MOST_DICE:
        raise StrangeError(f"the line {line[:40]!r}; faces count from 1, and there are at most {MOST_DICE} dice")
    return DieState("rolled", faces, is_event=True)
