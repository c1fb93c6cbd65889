"""What the probes share: a small table to begin from, and a run of answers on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from companion.games.realm_of_wonder.agenda import AGENDAS, Cursor
from companion.games.realm_of_wonder.box import box_from
from companion.games.realm_of_wonder.checks import check_tile_counts
from companion.games.realm_of_wonder.effects.spells import CardShown
from companion.games.realm_of_wonder.pieces import CHARACTERS, FORT_DISCS, SEATS
from companion.games.realm_of_wonder.state import Fort, Going, Player, Realm
from companion.games.realm_of_wonder.steps.asking import ROUND
from companion.kernel import (
    Answer,
    Chosen,
    Citation,
    Confirmed,
    Due,
    NotationError,
    Position,
    Refusal,
    Reply,
    Ruled,
    Setup,
    Step,
    advance,
    settle,
)

PLENTY = 99
"""Magic points where a case does not say how many there are and they do not matter."""


def table(setup: Setup, count: int, **changes: Any) -> Realm:
    """Return a table of so many players, each with a character, nothing else, in round 2."""
    state = Realm(
        options=setup.options,
        box=box_from(setup.faces),
        players=tuple(Player(character=CHARACTERS[seat], mp=0, magic=0, at="house") for seat in range(count)),
        goings=(Going(played=True, points=0, special="none"),) * count,
        round=2,
    )
    return msgspec.structs.replace(state, **changes)


def forts_of(letter: str, heights: Sequence[int]) -> dict[str, Fort]:
    """Return a player's forts by name.

    :raises NotationError: for more discs than a player has.
    """
    if sum(heights) > FORT_DISCS:
        raise NotationError(f"forts of {letter}: found {sum(heights)} discs, each player has {FORT_DISCS} (RW-85)")
    return {f"{letter}{number}": Fort(SEATS.index(letter), height) for number, height in enumerate(heights, 1)}


def orbs(number: int, cursed: int) -> tuple[str, ...]:
    """Return so many orbs as tiles. House rules may add cursed orbs (RW-Q01), and magic orbs never.

    :raises NotationError: for more magic orbs than the box holds.
    """
    check_tile_counts(Counter({"orb": number}))
    return ("orb",) * number + ("cursed",) * cursed


def settled(state: Realm) -> Realm:
    """Return the table once its counters stand as they have to, where a case is not about them."""
    return Run(state).state


class Run:
    """Answers given one after the other; what they told, and the first refusal."""

    def __init__(self, state: Realm, *steps: Step[Any], due: Cursor | None = None) -> None:
        agenda = AGENDAS[due] if due else tuple(Due(step, ROUND, ("game",)) for step in steps)
        self.at: Position = settle(state, agenda)
        self.told: list[Ruled] = list(self.at.told)
        self.cites: list[Citation] = []
        self.legal = True

    @property
    def state(self) -> Realm:
        state: Realm = self.at.state
        return state

    def answer(self, key: str, reply: Reply) -> bool:
        """Give an answer; return whether it was allowed."""
        after = advance(self.at, Answer(key, reply))
        if isinstance(after, Refusal):
            self.cites += after.cites
            self.legal = False
            return False
        self.at = after
        self.told += after.told
        return True

    def answer_some(self, key: str, others: tuple[Reply, ...] = ()) -> bool:
        """Answer with the first of `others` that the question takes, otherwise with the first reply it lists."""
        asked = next((question for question in self.at.questions if question.key == key), None)
        listed = Confirmed() if asked is None else next(iter(asked.domain), Confirmed())
        return self.answer(key, next((reply for reply in others if asked and reply in asked.domain), listed))

    def asks(self, key: str) -> bool:
        return any(question.key == key for question in self.at.questions)

    def close_windows(self) -> None:
        """Let standing offers lapse that no due question waits behind."""
        while (later := self.at.lapsed) is not None:
            self.at = later
            self.told += later.told

    def counter(self, by: str, against: str) -> bool:
        """Let `by` counter the last card of `against` that can still be countered, of anybody if not said."""
        shown = [SEATS[each.seat] for each in self.effects(CardShown)]
        keys = [f"counter {number}" for number, seat in enumerate(shown, 1) if against in ("", seat)]
        return self.answer(next((key for key in reversed(keys) if self.asks(key)), "counter"), Chosen((by,)))

    def effects(self, kind: type[Any]) -> list[Any]:
        return [ruled.effect for ruled in self.told if isinstance(ruled.effect, kind)]
