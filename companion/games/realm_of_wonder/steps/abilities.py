"""The special abilities, each usable while its disc lies skill side up (RW-112 to RW-120, RW-82)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects.board import DiscTurned
from companion.games.realm_of_wonder.effects.figures import AbilityRuns, AbilityUsed, Travelled
from companion.games.realm_of_wonder.effects.points import PointsReceived
from companion.games.realm_of_wonder.pieces import CHARACTERS, DISCS, ICE, WELL
from companion.games.realm_of_wonder.state import Realm, Walk
from companion.games.realm_of_wonder.steps.act import Act
from companion.games.realm_of_wonder.steps.arriving import arrive, destination, journey
from companion.games.realm_of_wonder.steps.asking import YES, ask, one_of
from companion.kernel import UNKNOWN, Chosen, Moved, Question, Refusal, Reply, Ruled, cite, refuse

_USE = cite("RW-112", "RW-114")
_TURNED = cite("RW-113", "RW-114")
_ISLAND = cite("RW-82")
_WIZARD = cite("RW-115")
_HOUSE_WELL = cite("RW-115", "RW-Q03")
_GOLEM = cite("RW-116")
_TROLL = cite("RW-117")
_YETI = cite("RW-118", "RW-63")
_GNOME = cite("RW-119")
_CYCLOPS = cite("RW-120")
_WHY = {
    "wizard": _WIZARD,
    "golem": _GOLEM,
    "troll": _TROLL,
    "yeti": _YETI,
    "gnome": _GNOME,
    "cyclops": _CYCLOPS,
}


class UseAbility(Act):
    """RW-112 In the own turn, while the disc lies skill side up; free, and once (RW-114).

    RW-82 Not on the castle island.
    """

    key = "ability"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        player = state.players[walk.seat]
        if player.character is UNKNOWN:
            return refuse(_USE, "ability.unknown")
        if state.on_island(player.at):
            return refuse((*_ISLAND, *_WHY[player.character]), "ability.island", ability=player.character)
        if not player.ready:
            return refuse(_USE, "ability.used", ability=player.character)
        if player.character == "cyclops" and not places.is_coast(state, player.at):
            return refuse(_CYCLOPS, "ability.no_coast", place=player.at)
        return None

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        player, seat = state.players[walk.seat], walk.seat
        ability = str(player.character)
        why, text = (*_USE, *_WHY[ability]), f"offer.{ability}"
        match ability:
            case "troll":
                return ask(self.key, "choose", seat, one_of(CHARACTERS), why, text)
            case "yeti":
                return ask(self.key, "choose", seat, one_of(DISCS), why, text)
            case "gnome":
                return journey(state, seat, self.key, _outer_vortices(state, player.at), why, text)
            case "cyclops":
                return journey(state, seat, self.key, places.coasts(state, player.at, same_region=True), why, text)
            case _:
                return ask(self.key, "confirm", seat, YES, why, text)

    def reason(self, state: Realm, walk: Walk, reply: Reply) -> Refusal | None:
        ability = str(state.players[walk.seat].character)
        if isinstance(reply, Moved):
            return refuse(_WHY[ability], f"ability.{ability}", place=reply.end)
        if isinstance(reply, Chosen) and len(reply.picks) != 1:
            return refuse(_WHY[ability], "ability.one", found=len(reply.picks))
        return None

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        seat, ability = walk.seat, str(state.players[walk.seat].character)
        yield Ruled(AbilityUsed(seat, ability), _TURNED)
        match ability:
            case "wizard":
                house = state.options["wizard_house"] == "counts"
                wells = len(state.forts_of(seat)) + house
                yield Ruled(PointsReceived(seat, WELL * wells), _HOUSE_WELL)
            case "golem":
                yield Ruled(AbilityRuns(seat, "golem"), _GOLEM)
            case "troll" if isinstance(reply, Chosen):
                yield Ruled(AbilityRuns(seat, f"troll:{reply.picks[0]}"), _TROLL)
            case "yeti" if isinstance(reply, Chosen):
                yield Ruled(DiscTurned(reply.picks[0], ICE), _YETI)
            case _:
                place, foe = destination(state, reply)
                at = state.players[seat].at
                yield Ruled(Travelled(seat, place, ability), _WHY[ability])
                yield from arrive(state, seat, place, at, landed=True, foe=foe)


def _outer_vortices(state: Realm, at: str) -> tuple[str, ...]:
    if state.board is None:
        return ("vortex",)
    return tuple(place for place in state.board.of("vortex", "outer") if place != at)
