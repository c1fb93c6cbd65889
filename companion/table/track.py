"""The markers of a turn track against the order that the rules know: what hands owe, what does not fit.

The markers are believed about themselves, the rules about what ought to be. When the rules change the
order, hands have to follow; when the markers change and no rule did it, that is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.kernel import Answer, Ordered
from companion.table.observation import MarkersSeen
from companion.table.records import Choice, Done, Doubt
from companion.table.voice import Voice

Order = tuple[str, ...]
"""Markers by place, first place first; "" is an empty place."""
EMPTY_PLACE = "-"


class Track:
    """What is known of one track. `opened_again` tells that the game was played before today."""

    def __init__(self, voice: Voice, expected: Order, opened_again: bool) -> None:
        self.problem = ""
        """Why the track cannot be read now, in a sentence."""
        self.witness, self.evidence = "", ""
        self.asks = False
        """Whether people have to say which is right, the markers or the game."""
        self._voice = voice
        self._lies: Order | None = None
        self._expected = expected
        self._followed: Order | None = expected if opened_again else None
        """The last expected order that the markers agreed with, None if there was none."""

    @property
    def items(self) -> Order:
        """The markers on the track in their order, without empty places."""
        return tuple(marker for marker in self._lies or () if marker)

    @property
    def expected_in_words(self) -> str:
        return self._listed(self._expected)

    @property
    def differs(self) -> bool:
        """Whether the markers are seen and lie otherwise than the rules say."""
        return self._lies is not None and bool(self._expected) and not agrees(self._lies, self._expected)

    @property
    def todo(self) -> tuple[str, ...]:
        """What hands owe since the rules changed the order."""
        if not self.differs or self._followed == self._expected:
            return ()
        return (self._voice.table("put_markers", expected=self._listed(self._expected)),)

    @property
    def warning(self) -> str:
        """What does not fit, in a sentence; empty if all is well or hands only have to follow."""
        if self.problem:
            return self.problem
        if self._lies is None or not self.differs or self._followed != self._expected:
            return ""
        return self._name_difference(self._lies)

    def expect(self, expected: Order) -> None:
        """The rules now say that the markers lie so."""
        if expected != self._expected:
            self._expected = expected
            self.asks = False
        self._compare()

    def take(self, seen: MarkersSeen, is_late: bool = False) -> bool:
        """Take in what a witness saw; return whether settled markers lie otherwise than before.

        `is_late` tells that the last act was the order of the markers: then another order may be meant
        as its correction, and is asked about.
        """
        self.problem = seen.problem
        if not seen.settled or seen.problem:
            return False
        changed = seen.order != self._lies
        self._lies, self.witness, self.evidence = seen.order, seen.witness, seen.evidence
        may_be_meant = is_late or seen.after_gap
        self.asks = self.differs and (self.asks or (may_be_meant and self._followed is not None and not self._waits))
        self._compare()
        return changed

    def keep_game(self) -> None:
        """People said that the game is right: the markers have to follow."""
        self.asks, self._followed = False, None

    def keep_markers(self) -> None:
        """People said that the markers are right, and no answer says how that came about."""
        self.asks, self._followed = False, self._expected

    def doubt(self, corrects: Done | None) -> Doubt:
        """Return the question which of the two is right; `corrects` is the act that the markers would correct."""
        seen, expected = self._listed(self._lies or ()), self._listed(self._expected)
        right = () if corrects is None else (Answer(corrects.answer.to, Ordered(self.items)),)
        of = None if corrects is None else corrects.sequence
        choices = (
            Choice(self._voice.table("game_right", expected=expected), ()),
            Choice(self._voice.table("markers_right", seen=seen), right, of=of),
        )
        return Doubt(self._voice.table("which_order"), choices, self.evidence, about="markers")

    @property
    def _waits(self) -> bool:
        """Whether hands have not begun to follow the rules."""
        return self._lies is not None and self._followed is not None and agrees(self._lies, self._followed)

    def _compare(self) -> None:
        if self._lies is not None and not self.differs:
            self._followed, self.asks = self._expected, False

    def _name_difference(self, lies: Order) -> str:
        strange = [(place, marker) for place, marker in enumerate(lies, 1) if marker and marker not in self._expected]
        if strange:
            place, marker = strange[0]
            return self._voice.table("marker_strange", place=place, marker=self._name(marker))
        if missing := [marker for marker in self._expected if marker and marker not in lies]:
            return self._voice.table("marker_missing", markers=self._listed(missing))
        seen, expected = (lies, self._expected) if "" in self._expected else (self.items, self._expected)
        wrong = [place for place, (one, other) in enumerate(zip(seen, expected, strict=False)) if one != other]
        if len(wrong) == 2 and {seen[place] for place in wrong} == {expected[place] for place in wrong}:
            first, second = wrong
            if seen[first] and seen[second]:
                earlier, later = self._name(expected[first]), self._name(expected[second])
                return self._voice.table(
                    "markers_swapped", first=first + 1, second=second + 1, earlier=earlier, later=later
                )
        return self._voice.table("markers_differ", seen=self._listed(lies), expected=self._listed(self._expected))

    def _name(self, marker: str) -> str:
        return self._voice.names.get(marker, marker)

    def _listed(self, order: Sequence[str]) -> str:
        shown = order if "" in self._expected else [marker for marker in order if marker]
        return ", ".join(self._name(marker) if marker else EMPTY_PLACE for marker in shown) or EMPTY_PLACE


def agrees(lies: Order, expected: Order) -> bool:
    """Return whether markers lie as expected; empty places count only where the expected order has some."""
    if "" in expected:
        return _without_end(lies) == _without_end(expected)
    return tuple(marker for marker in lies if marker) == expected


def _without_end(order: Order) -> Order:
    filled = [place for place, marker in enumerate(order, 1) if marker]
    return order[: max(filled, default=0)]
