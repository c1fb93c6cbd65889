"""The map of the board: spaces and edges of three discs, and how the discs meet as they stand.

The board is the owner's; `docs/board-file.md` says how its file is made. Without one the engine asks.
A disc's frame begins at its mark: the outer disc's at the path of the first region, an inner disc's
at its whirlpool. Clockwise from there each rim is cut into equally long pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from companion.games.realm_of_wonder.pieces import CHARACTERS, Character
from companion.kernel import NotationError

Disc = Literal["outer", "middle", "innermost"]
Kind = Literal["plain", "well", "house", "tower", "rune", "vortex", "castle"]
Barrier = Literal["", "wall", "water"]
Key = Annotated[str, msgspec.Meta(pattern=r"^[^\s@^,:+<>]+$")]


class Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One space. `region` is the character whose region it lies in, empty on the castle island."""

    key: Key
    disc: Disc
    kind: Kind = "plain"
    region: Literal[Character, ""] = ""
    difficult: bool = False
    coast: bool = False


class Edge(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, array_like=True):
    """Two spaces of one disc that touch, and what stands between them."""

    first: Key
    second: Key
    barrier: Barrier = ""


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, array_like=True):
    """A piece of a rim: the space that reaches it, and whether a wall or water bars it there."""

    space: Key
    barrier: Barrier = ""


class Rims(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The four rims at which discs meet, clockwise from each disc's mark."""

    outer: tuple[Piece, ...] = ()
    middle_outside: tuple[Piece, ...] = ()
    middle_inside: tuple[Piece, ...] = ()
    innermost: tuple[Piece, ...] = ()


class BoardDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A board file. `regions` are clockwise; `label` says whose board it is."""

    spaces: tuple[Space, ...]
    edges: tuple[Edge, ...] = ()
    regions: tuple[Character, Character, Character, Character, Character, Character] = (
        "wizard",
        "golem",
        "troll",
        "yeti",
        "gnome",
        "cyclops",
    )
    rims: Rims = Rims()
    label: str = ""


Edges = Mapping[str, Mapping[str, Barrier]]


class Board:
    """A checked board. Shared by all positions of a game and never changed."""

    def __init__(self, document: BoardDocument) -> None:
        self.document = document
        self.spaces = {space.key: space for space in document.spaces}
        self.regions = document.regions
        self._edges: dict[tuple[int, int], Edges] = {}

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Board) and self.document == other.document)

    def __hash__(self) -> int:
        return hash(self.document.label)

    def home(self, character: str) -> str:
        """Return the space of a character's house, empty if the board shows none."""
        return next((s.key for s in self.spaces.values() if s.kind == "house" and s.region == character), "")

    def of(self, kind: str, disc: str = "") -> tuple[str, ...]:
        """Return the keys of all spaces of a kind, in the file's order, on one disc if it is named."""
        return tuple(s.key for s in self.spaces.values() if s.kind == kind and disc in ("", s.disc))

    def edges(self, middle: str, innermost: str) -> Edges:
        """Return each space's neighbours and barriers with the whirlpools at these regions' paths."""
        turns = (self.regions.index(middle), self.regions.index(innermost))
        if turns not in self._edges:
            self._edges[turns] = self._joined(*turns)
        return self._edges[turns]

    def _joined(self, middle: int, innermost: int) -> Edges:
        found: dict[str, dict[str, Barrier]] = {key: {} for key in self.spaces}
        rims = self.document.rims
        edges = [(edge.first, edge.second, edge.barrier) for edge in self.document.edges]
        edges += _meet(rims.outer, rims.middle_outside, middle)
        edges += _meet(rims.middle_inside, rims.innermost, innermost - middle)
        for first, second, barrier in edges:
            # Two spaces that meet at several pieces of a rim are as open as the most open of them.
            for here, there in ((first, second), (second, first)):
                if found[here].get(there) != "":
                    found[here][there] = barrier
        return found


def _meet(around: tuple[Piece, ...], within: tuple[Piece, ...], turn: int) -> list[tuple[str, str, Barrier]]:
    """Return the edges across a border whose inner disc stands `turn` sixths clockwise."""
    count = len(around)
    pairs = [(around[index], within[(index - turn * count // 6) % count]) for index in range(count)]
    return [(one.space, two.space, one.barrier or two.barrier) for one, two in pairs]


def board_from(document: Mapping[str, Any]) -> Board:
    """Return the board that a board file's content describes.

    :raises NotationError: naming the field, what was found and what was expected.
    """
    try:
        doc = msgspec.convert(document, BoardDocument, strict=True)
    except msgspec.ValidationError as error:
        raise NotationError(f"board: {error}") from None
    keys = [space.key for space in doc.spaces]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise NotationError(f"board: the space {twice} is listed twice; each space needs a key of its own")
    if sorted(doc.regions) != sorted(CHARACTERS):
        raise NotationError(f"board: regions: found {', '.join(doc.regions)}, expected each character once, clockwise")
    houses = [space.region for space in doc.spaces if space.kind == "house"]
    if twice := next((region for region in houses if houses.count(region) > 1), None):
        raise NotationError(f"board: the region of the {twice} has two houses, expected one")
    for space in doc.spaces:
        if space.kind == "house" and not space.region:
            raise NotationError(f"board: {space.key} is a house without a region; name the character who lives there")
        if space.kind == "castle" and space.disc != "innermost":
            raise NotationError(f"board: {space.key}: the castle stands on the innermost disc, found {space.disc}")
    _check_edges(doc, {space.key: space.disc for space in doc.spaces})
    return Board(doc)


def _check_edges(doc: BoardDocument, discs: Mapping[str, str]) -> None:
    for edge in doc.edges:
        for key in (edge.first, edge.second):
            if key not in discs:
                raise NotationError(f"board: edges: there is no space {key}")
        if discs[edge.first] != discs[edge.second]:
            raise NotationError(
                f"board: edges: {edge.first} and {edge.second} are on two discs; discs meet at their rims"
            )
    rims = {name: getattr(doc.rims, name) for name in Rims.__struct_fields__}
    for name, disc in (
        ("outer", "outer"),
        ("middle_outside", "middle"),
        ("middle_inside", "middle"),
        ("innermost", "innermost"),
    ):
        for piece in rims[name]:
            if discs.get(piece.space) != disc:
                raise NotationError(f"board: rims.{name}: {piece.space} is no space of the {disc} disc")
    for around, within in (("outer", "middle_outside"), ("middle_inside", "innermost")):
        one, two = len(rims[around]), len(rims[within])
        if one != two or one % 6:
            raise NotationError(
                f"board: rims: {around} has {one} pieces and {within} {two}; expected as many on both, a multiple of 6"
            )
