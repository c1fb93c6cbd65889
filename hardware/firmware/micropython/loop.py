"""The one loop of a dock: bytes, samples, lamps. A board offers what is in `pico.py`."""

from dock import BLINK, HURRY, ON, Dock
from inputs import Inputs

BLINK_HALF, HURRY_HALF = 500, 125


def is_lit(mode, now):
    """Return whether a lamp in a mode is lit at a moment."""
    return (
        mode == ON or (mode == BLINK and now // BLINK_HALF % 2 == 0) or (mode == HURRY and now // HURRY_HALF % 2 == 0)
    )


def run(board):
    """Be a dock for ever."""
    dock = Dock(board.boot_id(), board.unique_id())
    inputs = Inputs(dock, board.buttons())
    last = -1
    while True:
        received = board.read()
        now = board.now()
        if received:
            dock.receive(received, now)
        if now != last:
            last = now
            inputs.take(board.buttons(), board.die(), board.slots(), now)
            for number, mode in enumerate(dock.lamps):
                board.light(number, is_lit(mode, now))
        due = dock.outgoing(now)
        if due:
            board.write(due)
