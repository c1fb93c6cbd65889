"""Learns printed glyphs from one example each, and proposes the values of every card with how sure that is.

The questions are chosen so that few are enough: the glyph that looks like most of those not yet known
is asked about next, until all look like one that was shown. What lies between two answers is proposed
as doubtful and must be confirmed by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vision.enrol.layout import Layout, Picture, Place, Printed
from vision.enrol.readers import NOTHING, READERS, Glyph, Proposal, Reader


@dataclass(frozen=True)
class Question:
    """Which of `values` a glyph shows. `place` is where on the card it is printed."""

    glyph: Glyph
    values: tuple[str, ...]
    place: Place


class Learner:
    """All cards of one kind. Cards are numbered in the order in which they were added."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._readers: dict[str, Reader] = {
            printed.field: READERS[printed.reads](printed) for printed in layout.printed
        }
        self._count = 0
        self._proposed: dict[int, dict[str, Proposal]] = {}

    def add(self, face: Picture) -> int:
        """Take in one more upright face (BGR) and return its number."""
        for reader in self._readers.values():
            reader.add(face)
        self._proposed.clear()
        self._count += 1
        return self._count - 1

    def question(self) -> Question | None:
        """Return what to ask next, None if every glyph looks like one that was shown."""
        for reader in self._readers.values():
            printed = reader.printed
            among = None if not printed.where else {card for card in range(self._count) if self._is_on(printed, card)}
            glyph = reader.wanted(among)
            if glyph is not None:
                return Question(glyph, reader.printed.values, reader.place_of(glyph))
        return None

    def teach(self, glyph: Glyph, value: str) -> None:
        """Take a person's word for a glyph; `NOTHING` if it shows none of the values.

        :raises ValueError: if it cannot be this glyph's value.
        """
        printed = self.layout.named(glyph.field)
        if value != NOTHING and value not in printed.values:
            raise ValueError(f"{glyph.field} is one of {', '.join(printed.values)}, not {value!r}")
        self._readers[glyph.field].teach(glyph, value)
        self._proposed.clear()

    def has_examples(self, field: str) -> bool:
        """Say whether any value of a field was shown to the learner."""
        return any(value != NOTHING for value in self._readers[field].taught.values())

    def lone(self, field: str, card: int) -> int:
        """Return how many marks of a card lie alone, so that each can be taught; 0 if the field holds none."""
        return sum(glyph.card == card for glyph in self._readers[field].glyphs())

    def proposals(self, card: int) -> Mapping[str, Proposal]:
        """Return what each field of a card seems to show.

        :raises IndexError: if there is no such card.
        """
        if not 0 <= card < self._count:
            raise IndexError(f"there are {self._count} cards; found number {card}")
        if card not in self._proposed:
            self._proposed[card] = {field: self._read(reader, card) for field, reader in self._readers.items()}
        return self._proposed[card]

    def _read(self, reader: Reader, card: int) -> Proposal:
        is_on = self._is_on(reader.printed, card)
        return reader.read(card) if is_on else Proposal((), (), complete=is_on is False)

    def _is_on(self, printed: Printed, card: int) -> bool | None:
        """Say whether a card bears a value that only some bear; None while that is in doubt."""
        seen = {name: self._readers[name].read(card) for name in printed.where}
        if not all(proposal.is_sure for proposal in seen.values()):
            return None
        return printed.is_on({name: proposal.values for name, proposal in seen.items()})
