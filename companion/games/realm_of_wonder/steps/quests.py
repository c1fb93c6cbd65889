"""The quest: a claim of the player in turn, or what can be counted on the table (RW-27, RW-108)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder.quest import VictoryDiscTaken, is_counted
from companion.games.realm_of_wonder.state import Realm, Walk
from companion.games.realm_of_wonder.steps.act import Act
from companion.games.realm_of_wonder.steps.asking import YES, ask
from companion.kernel import Question, Refusal, Reply, Ruled, cite, refuse

QUEST = cite("RW-27", "RW-108")


class ClaimQuest(Act):
    """RW-27 Who says that the quest is done gets a victory disc; the others may dispute it.

    Where the quest counts what the companion keeps the books of, nobody need claim it.
    """

    key = "quest done"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        if state.players[walk.seat].victory:
            return refuse(QUEST, "quest.has_disc")
        return refuse(QUEST, "quest.counted") if is_counted(state) else None

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        return ask(self.key, "confirm", walk.seat, YES, QUEST, "offer.quest")

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        yield Ruled(VictoryDiscTaken(walk.seat), QUEST)
