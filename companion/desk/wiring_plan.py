"""The questions of the wiring wizard and what follows from the answers: pure, no pin, no screen.

A plan is a value: every answer makes another one, so that going back is taking the one before.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.presenters.wiring import Step
from hardware.wiring import Buttons, DockWiring, Input, Output, SeatWiring, TableWiring, Where

LAMP_PINS = (17, 27, 22, 23, 24, 25)
"""Where the drawings in docs/wiring put lamps: only these are ever lit to find out whose they are."""
MOST_SEATS = 8
LETTERS = "ABCDEFGH"
NO_DOCK, NO_BUTTON, NOBODY, NO_LAMPS = "There is none", "No button here", "No lamp blinks", "There are no lamps"
SAVE, LIGHT, DARK, DONE = "Save", "Light all lamps", "Lamps off", "Done"

Place = tuple[Where, int]


class Plan(Struct, frozen=True):
    """What is known so far. `buttons` and `lamps` have one item for each place; None where there is none."""

    base: TableWiring
    """What the file said before: what is not asked here stays."""
    has_pins: bool = True
    step: Step = "dock"
    dock: DockWiring | None = None
    seats: int = 0
    buttons: tuple[Place | None, ...] = ()
    lamps: tuple[Place | None, ...] = ()
    tried: int = 0
    """How many lamps have been tried."""
    lit: bool = False
    problem: str = ""

    # -- what is asked ---------------------------------------------------------------------------------

    @property
    def asked(self) -> int | None:
        """The place whose button is asked for."""
        return len(self.buttons) if self.step == "buttons" else None

    @property
    def reserved(self) -> frozenset[int]:
        """The pins of what the file names beside buttons and lamps: they are left alone."""
        return replace(self.base, seats=(), buttons=()).pins_in_use

    @property
    def lamp_pins(self) -> tuple[int, ...]:
        """The pins on which lamps are looked for."""
        if not self.has_pins:
            return ()
        return tuple(pin for pin in LAMP_PINS if pin not in self.reserved)

    def candidate(self, dock_lamps: int) -> Place | None:
        """Return the lamp that is tried now, None if all have been tried or every place has one."""
        if self.step != "lamps" or None not in self.lamps:
            return None
        pins: list[Place] = [("gpio", pin) for pin in self.lamp_pins if ("gpio", pin) not in self.buttons]
        every = [*pins, *(("dock", number) for number in range(dock_lamps))]
        return every[self.tried] if self.tried < len(every) else None

    # -- answers ---------------------------------------------------------------------------------------

    def with_dock(self, dock: DockWiring | None) -> Plan:
        return replace(self, dock=dock, step="seats", problem="")

    def with_seats(self, seats: int) -> Plan:
        return replace(self, seats=seats, step="buttons", buttons=(), lamps=(None,) * seats, problem="")

    def with_button(self, place: Place | None) -> Plan:
        """The place that is asked about has this button; one that belongs to another place is refused."""
        if place is not None and place in self.buttons:
            owner = self.buttons.index(place) + 1
            says = f"{in_words(place)} is the button of place {owner} already; press another one."
            return replace(self, problem=says)
        buttons = (*self.buttons, place)
        return replace(self, buttons=buttons, step="lamps" if len(buttons) == self.seats else "buttons", problem="")

    def with_lamp(self, place: Place, seat: int | None) -> Plan:
        """The lamp that was tried belongs to a place, or to none."""
        lamps = self.lamps if seat is None else (*self.lamps[:seat], place, *self.lamps[seat + 1 :])
        return replace(self, lamps=lamps, tried=self.tried + 1)

    def checking(self) -> Plan:
        return replace(self, step="check", problem="")

    def wiring(self, has_track: bool) -> TableWiring:
        """Return the wiring that was found out, with what the file said of everything else.

        The markers of a dock that has a track (`has_track`) are called as the seats are, unless they have names.
        """
        seats = tuple(self._seat(seat) for seat in range(self.seats))
        dock = self.dock
        if dock is not None and has_track and not dock.markers:
            dock = replace(dock, markers=tuple(LETTERS[: self.seats]))
        return replace(self.base, seats=seats, dock=dock, buttons=())

    def _seat(self, seat: int) -> SeatWiring:
        button, lamp = self.buttons[seat], self.lamps[seat]
        buttons: Buttons = ()
        if button is not None:
            pressed = Input(*button)
            buttons = (("done", pressed), ("undo", replace(pressed, gesture="long")))
        return SeatWiring(buttons, None if lamp is None else Output(*lamp))


def in_words(place: Place) -> str:
    """Return where something hangs, as the file says it."""
    where, number = place
    return f"GPIO{number}" if where == "gpio" else f"dock:{number}"
