"""What an owner's copy holds: printed values of cards, tiles, quests and dice, and the board's map.

`Setup.faces` maps a piece to its printed fields:

- a movement card's key to `speed`, `points` and `special`;
- a magic card's key to its `spell` and whether it has a `muscle`, a tile's key to `tile`; or, without
  keys, their kind to how many there are, `{count: 5}` (kinds as in `pieces.py`);
- a quest card's key to `quest` (what it counts) and `goal`;
- `battle-die` to its six `faces`;
- `board` to the content of a board file.

The first four are the tables of an owner's set (`box.toml`).

Whatever is left out is not known, and asked when it matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from companion.games.realm_of_wonder.board import Board, board_from
from companion.games.realm_of_wonder.pieces import (
    COUNTER,
    MAGIC,
    MAGIC_CARDS,
    PRINTED_TILES,
    PURPLE,
    PURPLE_TWO,
    SPELLS,
    TILES,
    TOWER_TILES,
)
from companion.kernel import UNKNOWN, NotationError, Unknown

Special = Literal["none", "ability", "magic", "whirlpool", "points"]
QuestKind = Literal["forts", "strongholds", "regions", "hoard", "fights", "claim"]
Count = Annotated[int, msgspec.Meta(ge=0)]

QUEST_CARDS = tuple(f"quest-{number}" for number in range(1, 6))
DIE_FACES = ("1", "2", PURPLE, "3", "4", "5", "6")
"""What a battle die may show as long as nobody has said which six faces it has."""


def battle_face(face: str) -> str:
    """Return a face of the battle die by its short name: an enrolled die's `purple-2` is `p2`."""
    return PURPLE if face == PURPLE_TWO else face


class MovementCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A movement card's printed face; `special` is what it does beside moving."""

    speed: Annotated[int, msgspec.Meta(ge=1)] | None = None
    points: Count | None = None
    special: Special | None = None


class Quest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What must be reached for a victory disc; `goal` is 0 for one that only the table can see done."""

    quest: QuestKind
    goal: Count = 0


class _Magic(msgspec.Struct, forbid_unknown_fields=True):
    """A magic card of a set; the spell and the muscle are two ways of using it (RW-54)."""

    spell: Literal[(*SPELLS, COUNTER)]  # type: ignore[valid-type]
    muscle: bool = False


class _Tile(msgspec.Struct, forbid_unknown_fields=True):
    tile: Literal[TILES]  # type: ignore[valid-type]


class _Number(msgspec.Struct, forbid_unknown_fields=True):
    count: Count


class _Die(msgspec.Struct, forbid_unknown_fields=True):
    faces: Annotated[tuple[str, ...], msgspec.Meta(min_length=6, max_length=6)]


class Box:
    """The owner's copy, unpacked. Shared by all positions of a game and never changed.

    `stated` are pieces that no set lists: a document states them.
    """

    def __init__(
        self, faces: Mapping[str, Mapping[str, Any]], stated: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self.faces, self.stated = faces, dict(stated or {})
        self.movement: dict[str, MovementCard] = {}
        self.magic: dict[str, int] = {}
        self.tiles: dict[str, int] = dict(PRINTED_TILES)
        self.quests: dict[str, Quest] = {}
        self.die: tuple[str, ...] = DIE_FACES
        self.board: Board | None = None
        self._listed: Counter[str] = Counter()
        for key, fields in {**faces, **self.stated}.items():
            self._unpack(key, fields)
        self._count_listed()
        self._check(self.magic, MAGIC_CARDS, MAGIC, "magic cards", "RW-04")
        self._check(self.tiles, TOWER_TILES, TILES, "tower tiles", "RW-09")

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Box) and (self.faces, self.stated) == (other.faces, other.stated))

    def __hash__(self) -> int:
        return hash(len(self.faces))

    def _unpack(self, key: str, fields: Mapping[str, Any]) -> None:
        if key == "board":
            self.board = board_from(fields)
        elif key == "battle-die":
            self.die = tuple(battle_face(face) for face in _record(key, fields, _Die).faces)
        elif "spell" in fields:
            self._listed[_record(key, fields, _Magic).spell] += 1
        elif "tile" in fields:
            self._listed[_record(key, fields, _Tile).tile] += 1
        elif key in MAGIC:
            self.magic[key] = _record(key, fields, _Number).count
        elif key in TILES:
            count = _record(key, fields, _Number).count
            if count != PRINTED_TILES.get(key, count):
                raise NotationError(f"{key}: found {count}, the box holds {PRINTED_TILES[key]} (RW-139, RW-140)")
            self.tiles[key] = count
        elif key in QUEST_CARDS or "quest" in fields:
            self.quests[key] = _record(key, fields, Quest)
        else:
            self.movement[key] = _record(key, fields, MovementCard)

    def _count_listed(self) -> None:
        """Take the numbers of a set that lists its magic cards or tiles one by one, if it lists them all."""
        for counts, kinds, whole in (
            (self.magic, (*SPELLS, COUNTER), MAGIC_CARDS),
            (self.tiles, TILES, TOWER_TILES),
        ):
            listed = {kind: self._listed[kind] for kind in kinds}
            if sum(listed.values()) == whole:
                counts.update(listed)

    @property
    def quest_cards(self) -> tuple[str, ...]:
        """The keys of the five quest cards, as the set calls them."""
        return tuple(self.quests) if len(self.quests) == len(QUEST_CARDS) else QUEST_CARDS

    def _check(self, counts: Mapping[str, int], whole: int, kinds: tuple[str, ...], what: str, article: str) -> None:
        total = sum(counts.values())
        if total > whole or (total != whole and all(kind in counts for kind in kinds)):
            raise NotationError(f"{what}: found {total}, the box holds {whole} ({article})")

    def left(self, kind: str, gone: tuple[str, ...]) -> int | Unknown:
        """Return how many magic cards of a kind can still be in the pile or in a hand."""
        return UNKNOWN if kind not in self.magic else self.magic[kind] - gone.count(kind)


def _record(key: str, fields: Mapping[str, Any], kind: type[Any]) -> Any:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise NotationError(f"{key}: {error}") from None


def box_from(faces: Mapping[str, Mapping[str, Any]], stated: Mapping[str, Mapping[str, Any]] | None = None) -> Box:
    """Return the box of an owner's set; the same set gives the same box.

    :raises NotationError: naming the piece and the field that does not fit.
    """
    if stated:
        return Box(faces, stated)
    if not _made or _made[0][0] is not faces:
        _made[:] = [(faces, Box(faces))]
    return _made[0][1]


_made: list[tuple[Mapping[str, Mapping[str, Any]], Box]] = []
"""The set unpacked last, so that all positions of an evening share one box."""
