"""Who owns which pin of the wiring file: every part has its own, only gestures of one button may share."""

from __future__ import annotations

from hardware.wiring import Input, Output, Where
from hardware.words import WordsError


class TakenError(WordsError):
    """A pin has an owner already; says which, and what to do."""


class Owners:
    """The pins that were given away so far, with their owners and the lines in which that was done."""

    def __init__(self) -> None:
        self._inputs: dict[tuple[Where, int], list[tuple[Input, str, int]]] = {}
        self._parts: dict[tuple[str, int], tuple[str, int]] = {}

    def dock_lines(self) -> list[int]:
        """Return the lines that name a part of the dock."""
        lines = [line for (where, _), users in self._inputs.items() if where == "dock" for _, _, line in users]
        return lines + [line for (where, _), (_, line) in self._parts.items() if where == "dock lamp"]

    def take_input(self, place: Input, owner: str, line: int) -> None:
        """Give the place to a button.

        :raises TakenError: if it is another button's, or the same one's with the same gesture.
        """
        for other, whose, where in self._inputs.get((place.where, place.number), []):
            pin = _name(place.where, place.number)
            if other.gesture == place.gesture:
                remedy = 'use another one, or add "long" or "double" to one of them'
                raise TakenError(f"{pin} belongs to {whose} already (line {where}); {remedy}")
            if (other.pull, other.active_high) != (place.pull, place.active_high):
                raise TakenError(f"{pin} is wired in another way for {whose} (line {where}); one button has one wiring")
        if place.where == "gpio" and ("gpio", place.number) in self._parts:
            raise self._taken("gpio", place.number, *self._parts["gpio", place.number])
        self._inputs.setdefault((place.where, place.number), []).append((place, owner, line))

    def take_output(self, place: Output, owner: str, line: int) -> None:
        """Give the place to a lamp or buzzer; the lamps of a dock are counted apart from its buttons.

        :raises TakenError: if it has an owner.
        """
        if place.where == "gpio":
            self.take_pin(place.number, owner, line)
            return
        if taken := self._parts.get(("dock lamp", place.number)):
            raise self._taken("dock", place.number, *taken)
        self._parts["dock lamp", place.number] = (owner, line)

    def take_pin(self, pin: int, owner: str, line: int) -> None:
        """Give a pin of the computer to one part alone.

        :raises TakenError: if it has an owner.
        """
        inputs = self._inputs.get(("gpio", pin))
        taken = self._parts.get(("gpio", pin)) or (inputs[0][1:] if inputs else None)
        if taken:
            raise self._taken("gpio", pin, *taken)
        self._parts["gpio", pin] = (owner, line)

    @staticmethod
    def _taken(where: Where, number: int, owner: str, line: int) -> TakenError:
        return TakenError(f"{_name(where, number)} belongs to {owner} already (line {line}); use another one")


def _name(where: Where, number: int) -> str:
    return f"GPIO{number}" if where == "gpio" else f"dock:{number}"
