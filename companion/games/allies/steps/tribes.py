"""Which tribes a seat plays: stated at the start, seen in play, or asked when it matters."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.allies.effects import TribesFound
from companion.games.allies.state import CASTLE, SEATS, TRIBES, Duel
from companion.kernel import Chosen, Question, Refusal, Reply, Ruled, Step, Subsets, Text, cite, refuse, then

_TRIBES = cite("AL-22", "AL-74")
_TWO = cite("AL-22", "AL-Q21")


class KnowTribes(Step[Duel], frozen=True):
    """AL-22 Each player has picked two tribes; asked only if a region in `regions` depends on it."""

    regions: tuple[str, ...]

    def questions(self, state: Duel) -> tuple[Question, ...]:
        open_ = [seat for seat in (0, 1) if len(state.tribes[seat]) < 2]
        if not open_ or not self._matters(state):
            return ()
        return tuple(
            Question(
                f"tribes {SEATS[seat]}",
                "choose",
                seat,
                Subsets(_free(state, seat), 2 - len(state.tribes[seat]), 2 - len(state.tribes[seat])),
                _TRIBES,
                Text("ask.tribes", (("seat", SEATS[seat]), ("tribes", 2 - len(state.tribes[seat])))),
            )
            for seat in open_
        )

    def _matters(self, state: Duel) -> bool:
        known = {*state.tribes[0], *state.tribes[1], CASTLE}
        return any(state.box.kind(region) not in known for region in self.regions)

    def refuse(self, state: Duel, to: str, reply: Reply) -> Refusal | None:
        seat = SEATS.index(to[-1])
        missing = 2 - len(state.tribes[seat])
        if reply not in Subsets(_free(state, seat), missing, missing):
            picks = " + ".join(reply.picks) if isinstance(reply, Chosen) else ""
            return refuse(_TWO, "tribes.choose", picks=picks, tribes=missing, free=" ".join(_free(state, seat)))
        return None

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Chosen):
            seat = SEATS.index(to[-1])
            yield Ruled(TribesFound(seat, (*state.tribes[seat], *reply.picks)), _TRIBES)
            yield Ruled(then(self), _TRIBES)


def _free(state: Duel, seat: int) -> tuple[str, ...]:
    """Tribes that the seat could still have: nobody's yet (AL-Q21)."""
    return tuple(tribe for tribe in TRIBES if tribe not in state.tribes[0] and tribe not in state.tribes[1])
