"""From raw samples to presses, markers and rolls. No hardware; times are milliseconds.

The times of the buttons are those of hardware/debounce.py.
"""

import config
import dock as names

CLOSED_FOR, OPEN_FOR, LONG_AFTER, DOUBLE_WITHIN = 2, 20, 700, 350
SCAN_EVERY, EQUAL_SCANS = 10, 3
DIE_RESTS = 300
LEANS = 7
NOTHING = 255


class Button:
    """One contact, and what its presses mean."""

    def __init__(self, number, level):
        # A button that is held down at the start is no press.
        self.number, self.level, self.closed, self._told = number, level, level, level
        self._waits = False
        self._since = self._closed_at = self._opened_at = 0

    def take(self, level, dock, now):
        if level != self.level:
            self.level, self._since = level, now
        if level and not self.closed and now - self._since >= CLOSED_FOR:
            self.closed, self._told, self._closed_at = True, False, now
            if self._waits and now - self._opened_at <= DOUBLE_WITHIN:
                self._waits, self._told = False, True
                dock.pressed(self.number, names.DOUBLE, now)
        elif not level and self.closed and now - self._since >= OPEN_FOR:
            self.closed, self._opened_at = False, now
            if not self._told:
                if self.number in config.DOUBLE_BUTTONS:
                    self._waits = True
                else:
                    dock.pressed(self.number, names.SHORT, now)
        if self.closed and not self._told and now - self._closed_at >= LONG_AFTER:
            self._told = True
            dock.pressed(self.number, names.LONG, now)
        if self._waits and not self.closed and now - self._opened_at > DOUBLE_WITHIN:
            self._waits = False
            dock.pressed(self.number, names.SHORT, now)


def marker_at(level, before):
    """Return the marker that a level means, 0 for none, `NOTHING` if it says nothing."""
    if config.HALL:
        # One pole of a magnet lowers the level, the other one raises it: two markers, told apart.
        marker = 1 if level < config.HALL_REST else 2
        away = abs(level - config.HALL_REST)
        if away >= config.HALL_NEAR:
            return marker
        return before if away > config.HALL_FAR and before in (0, marker) else 0
    if level >= config.EMPTY_ABOVE:
        return 0
    for number, code in enumerate(config.CODES):
        if abs(level - code) <= config.CODE_WITHIN:
            return number + 1
    return NOTHING


class Inputs:
    """All inputs of a dock. `take` is called about once a millisecond."""

    def __init__(self, dock, buttons):
        self._dock = dock
        self._buttons = [Button(n, bool(buttons >> n & 1)) for n in range(len(config.BUTTONS))]
        self._last = [0] * config.SLOTS
        self._scanned_at = 0
        self._die = None
        self._die_since = 0
        self._moved = False

    def take(self, buttons, die, slots, now):
        """Take the closed contacts (bits), the die's code (0 none, 1 to 6, 7 leans) and the slots' levels."""
        pressed = 0
        for n, button in enumerate(self._buttons):
            button.take(bool(buttons >> n & 1), self._dock, now)
            pressed |= button.closed << n
        self._dock.set_pressed(pressed)
        if now - self._scanned_at >= SCAN_EVERY:
            self._scanned_at = now
            for n, level in enumerate(slots):
                self._take_slot(n, level)
        if config.DIE:
            self._take_die(die, now)

    def _take_slot(self, n, level):
        slot = self._dock.slots[n]
        marker = marker_at(level, slot.marker)
        slot.level = level
        if marker != self._last[n] or marker == NOTHING:
            self._last[n], slot.stable = marker, 0
            return
        slot.stable = min(slot.stable + 1, 255)
        if slot.stable >= EQUAL_SCANS and marker != slot.marker:
            slot.marker, slot.changes = marker, (slot.changes + 1) % 256
            self._dock.changed()

    def _take_die(self, code, now):
        if code != self._die:
            self._moved = self._moved or self._die is not None
            self._die, self._die_since = code, now
            if self._moved:
                self._dock.set_tray(names.MOVING)
        elif code == LEANS and now - self._die_since >= DIE_RESTS:
            self._dock.set_tray(names.COCKED)
        elif code and now - self._die_since >= DIE_RESTS:
            self._dock.set_tray(names.STILL)
            if self._moved:
                self._moved = False
                self._dock.rolled(code, now)
