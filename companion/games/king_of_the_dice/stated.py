"""What structured cases of King of the Dice state: the records of their positions."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.games.king_of_the_dice.pieces import COLUMNS, DICE

Column = Annotated[int, msgspec.Meta(ge=1, le=COLUMNS)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Dice = Annotated[int, msgspec.Meta(ge=1, le=DICE)]
Left = Annotated[int, msgspec.Meta(ge=0, le=3)]
Stacks = Annotated[tuple[Left, ...], msgspec.Meta(min_length=COLUMNS, max_length=COLUMNS)]
Words = Annotated[tuple[str, ...], msgspec.Meta(max_length=COLUMNS)]


class Rich(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="rich"):
    parity: Literal["even", "odd"]


class Orc(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="orc"):
    """`groups`: each symbol, and how many dice show it."""

    groups: Annotated[dict[str, Dice], msgspec.Meta(min_length=1)]


class Elves(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="elves"):
    length: Dice


class Mushroom(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="mushroom"):
    count: Dice


class Dwarf(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="dwarf"):
    number: Annotated[int, msgspec.Meta(ge=1, le=6)]
    count: Dice


class Apprentice(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="apprentice"):
    colours: Annotated[dict[str, Dice], msgspec.Meta(min_length=1)]


class Gnome(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="gnome"):
    colour: str
    count: Dice


class Fairy(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="fairy"):
    colours: Annotated[dict[str, Dice], msgspec.Meta(min_length=1)]


class Hypnotist(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="hypnotist"):
    max_sum: int = 0


class Dragon(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="dragon"):
    min_sum: int


Asked = Rich | Orc | Elves | Mushroom | Dwarf | Apprentice | Gnome | Fairy | Hypnotist | Dragon


class DieDocument(msgspec.Struct, forbid_unknown_fields=True):
    number: Annotated[int, msgspec.Meta(ge=1, le=6)]
    colour: str


class ConditionDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What a villager asks for, and the six dice after the last roll."""

    condition: Asked
    dice: Annotated[tuple[DieDocument, ...], msgspec.Meta(min_length=DICE, max_length=DICE)]


class RowDocument(msgspec.Struct, forbid_unknown_fields=True):
    """The open villagers, each as `kind/colour of its place`, and what is taken from them by column.

    `places` are the colours of the place stacks; `places_left` the numbers on the cards of each stack
    from the top, or how many cards it has. `draw_pile` is from the top; left out, nobody
    knows how many it has.
    """

    row: Annotated[tuple[str, ...], msgspec.Meta(min_length=COLUMNS, max_length=COLUMNS)]
    draw_pile: tuple[str, ...] | None = None
    take: tuple[Column, ...] = ()
    penalty: bool = False
    places: Words = ()
    places_left: tuple[Left | tuple[Count, ...], ...] | dict[str, Left | tuple[Count, ...]] = ()


class TakeDocument(msgspec.Struct, forbid_unknown_fields=True):
    """The open villagers and the colours of the places, and the column of the villager that is taken."""

    row: Annotated[tuple[str, ...], msgspec.Meta(min_length=COLUMNS, max_length=COLUMNS)]
    take: Column
    places: Words = ()


class SideDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A kingdom pile: points of its cards but fairies, the number of fairies, and minus points."""

    points: tuple[int, ...] = ()
    fairies: Count = 0
    minus: tuple[int, ...] = ()


class ScoreDocument(msgspec.Struct, forbid_unknown_fields=True, rename=str.upper):
    a: SideDocument
    b: SideDocument
    c: SideDocument | None = None
    d: SideDocument | None = None
    e: SideDocument | None = None

    @property
    def sides(self) -> tuple[SideDocument, ...]:
        """The piles that are stated, seat A first."""
        return tuple(side for side in (self.a, self.b, self.c, self.d, self.e) if side is not None)


class EndDocument(msgspec.Struct, forbid_unknown_fields=True):
    """How many cards the stacks have, and what a turn takes from them.

    `places_taken` are the stacks, 1 to 5 from the left, from which a villager brings a place card.
    """

    villagers_left: Count
    penalties_left: Count
    places_left: Stacks
    penalty: bool
    villagers_taken: Annotated[int, msgspec.Meta(ge=0, le=COLUMNS)]
    places_taken: tuple[Column, ...] = ()
    apprentice_taken: bool = False
