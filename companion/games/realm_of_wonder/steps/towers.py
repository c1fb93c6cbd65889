"""At a tower: revealing a tile and what each kind does (RW-67, RW-68, RW-135 to RW-145, RW-149)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects.battle import BattleBegun
from companion.games.realm_of_wonder.effects.cards import ChestOpened, MagicPicked
from companion.games.realm_of_wonder.effects.points import Paid
from companion.games.realm_of_wonder.effects.tiles import MonsterAppeared, TileKept, TileRemoved, TileRevealed
from companion.games.realm_of_wonder.pieces import KEPT, TILE, TILES, TOWER_TILES
from companion.games.realm_of_wonder.state import Realm, Walk
from companion.games.realm_of_wonder.steps.act import Act, too_dear
from companion.games.realm_of_wonder.steps.asking import YES, Asking, ask, faces
from companion.games.realm_of_wonder.steps.battle import FIGHT, Fight
from companion.games.realm_of_wonder.steps.drawing import draw_magic
from companion.kernel import UNKNOWN, Question, Refusal, Reply, Revealed, Ruled, cite, refuse, then

_REVEAL = cite("RW-67", "RW-135")
_USED = cite("RW-68")
_CARD = cite("RW-136", "RW-137")
_CHEST = cite("RW-138")
_KEPT = {
    "orb": cite("RW-139"),
    "cursed": cite("RW-140"),
    "teleport": cite("RW-142"),
    "knight": cite("RW-144"),
    "potion": cite("RW-145"),
}
_MONSTER = cite("RW-68", "RW-149", "RW-153", "RW-155")
_COUNT = {"orb": cite("RW-139", "table/inventory"), "cursed": cite("RW-140", "table/inventory")}
_INVENTORY = cite("RW-09", "table/inventory")


class RevealTile(Act):
    """RW-67 On a tower space the tile may be turned up for one magic point; it is used at once (RW-68)."""

    key = "tile"

    def hindrance(self, state: Realm, walk: Walk) -> Refusal | None:
        at = state.players[walk.seat].at
        if not places.has_tile(state, at):
            return refuse(_REVEAL, "tile.none", place=at)
        if not tiles_left(state):
            return refuse(_INVENTORY, "tile.no_more")
        return too_dear(state, walk.seat, TILE, _REVEAL)

    def offer(self, state: Realm, walk: Walk) -> Question | None:
        if self.hindrance(state, walk):
            return None
        return ask("tile", "reveal", walk.seat, faces(tiles_left(state)), _REVEAL, "offer.tile", points=TILE)

    def reason(self, state: Realm, walk: Walk, reply: Reply) -> Refusal | None:
        if not isinstance(reply, Revealed) or len(reply.pieces) != 1:
            return None
        (tile,) = reply.pieces
        if tile not in TILES:
            return refuse(_INVENTORY, "table.unknown_piece", piece=tile)
        count = state.box.tiles.get(tile, TOWER_TILES)
        return refuse(_COUNT.get(tile, _INVENTORY), "tile.all_out", tile=tile, count=count)

    def effects(self, state: Realm, walk: Walk, reply: Reply) -> Iterator[Ruled]:
        if not isinstance(reply, Revealed):
            return
        seat, (tile,) = walk.seat, reply.pieces
        yield Ruled(Paid(seat, TILE, "tile"), _REVEAL)
        yield Ruled(TileRevealed(seat, tile), _REVEAL)
        if tile in KEPT:
            yield Ruled(TileKept(seat, tile), (*_USED, *_KEPT[tile]))
        elif tile == "card":
            yield from draw_magic(state, seat, _CARD)
            yield Ruled(TileRemoved(seat, tile), (*_USED, *_CARD))
        elif tile == "chest":
            yield Ruled(then(Chest(seat)), _CHEST)
        else:
            yield from _monster(state, walk, tile)


def tiles_left(state: Realm) -> tuple[str, ...]:
    """Return the kinds that a face-down tile can still be; nobody need have counted the box."""
    if len(state.tiles_out) >= TOWER_TILES:
        return ()
    counts = state.box.tiles
    return tuple(t for t in TILES if t not in counts or state.tiles_out.count(t) < counts[t])


def _monster(state: Realm, walk: Walk, tile: str) -> Iterator[Ruled]:
    at = state.players[walk.seat].at
    place = at
    if state.board is None:
        place = next(name for n in range(1, 99) if (name := f"{places.LAIR}{n}") not in state.monsters)
    yield Ruled(MonsterAppeared(walk.seat, place, tile), _MONSTER)
    yield Ruled(BattleBegun(walk.seat, None, tile, place, walk.came_from, revealed=True), _MONSTER)
    yield Ruled(then(Fight(), frame="battle"), FIGHT)


class Chest(Asking, frozen=True):
    """RW-138 As many cards as players are drawn; each keeps one in secret and passes the rest clockwise.

    The picks are never told: everybody holds one unseen card more.
    """

    seat: int

    def questions(self, state: Realm) -> tuple[Question, ...]:
        pile = state.magic_pile
        cards = len(state.players) if pile is UNKNOWN else min(len(state.players), pile)
        return (ask("chest", "confirm", self.seat, YES, _CHEST, cards=cards),)

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        count, pile = len(state.players), state.magic_pile
        cards = count if pile is UNKNOWN else min(count, pile)
        yield Ruled(ChestOpened(self.seat, cards), _CHEST)
        for pick in range(cards):
            yield Ruled(MagicPicked((self.seat + pick) % count, cards - pick), _CHEST)
        yield Ruled(TileRemoved(self.seat, "chest"), _CHEST)
