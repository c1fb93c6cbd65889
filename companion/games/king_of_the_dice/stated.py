"""What structured cases of King of the Dice state: the records of their positions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from companion.games.king_of_the_dice.pieces import COLUMNS, DICE

Column = Annotated[int, msgspec.Meta(ge=1, le=COLUMNS)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Dice = Annotated[int, msgspec.Meta(ge=1, le=DICE)]
Left = Annotated[int, msgspec.Meta(ge=0, le=3)]
Stack = Annotated[int, msgspec.Meta(ge=0, le=4)] | tuple[Annotated[int, msgspec.Meta(ge=2, le=4)], ...]
"""The place cards of a stack: their numbers from the top, or how many there are."""
Stacks = Annotated[tuple[Left, ...], msgspec.Meta(min_length=COLUMNS, max_length=COLUMNS)]
Sizes = Annotated[tuple[Dice, ...], msgspec.Meta(min_length=1, max_length=DICE)]
Words = Annotated[tuple[str, ...], msgspec.Meta(max_length=COLUMNS)]

Colours = (
    Annotated[dict[str, Dice], msgspec.Meta(min_length=1)]
    | Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=DICE)]
)
"""How many dice of each colour, or a colour for each die."""


class Rich(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="rich"):
    parity: Literal["even", "odd"]


class Orc(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="orc"):
    """`groups`: each symbol, and how many dice show it; or only the sizes."""

    groups: Annotated[dict[str, Dice], msgspec.Meta(min_length=1)] | Sizes


class Elves(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="elves"):
    length: Dice


class Mushroom(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="mushroom"):
    count: Dice


class Dwarf(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="dwarf"):
    number: Annotated[int, msgspec.Meta(ge=1, le=6)]
    count: Dice


class Apprentice(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="apprentice"):
    colours: Colours


class Gnome(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="gnome"):
    """`colour` and `count`, or `colours` as a set writes them."""

    colour: str = ""
    count: Dice = 1
    colours: Colours | None = None


class Fairy(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="fairy"):
    colours: Colours


class Hypnotist(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="hypnotist"):
    max_sum: int = 0


class Dragon(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="dragon"):
    min_sum: int


Asked = Rich | Orc | Elves | Mushroom | Dwarf | Apprentice | Gnome | Fairy | Hypnotist | Dragon


class DieDocument(msgspec.Struct, forbid_unknown_fields=True):
    number: Annotated[int, msgspec.Meta(ge=1, le=6)]
    colour: str


class ConditionDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What a villager asks for, and the six dice after the last roll; a die also as a set writes it, `red-3`."""

    condition: Asked
    dice: Annotated[tuple[DieDocument | str, ...], msgspec.Meta(min_length=DICE, max_length=DICE)]
    note: Any = None


class RowDocument(msgspec.Struct, forbid_unknown_fields=True):
    """The open villagers, each as `kind/colour of its place`, and what is taken from them by column.

    `places` are the colours of the place stacks; `places_left` tells which cards a stack has, for all
    of them, by colour, or by numbers alone for the one that is won from. `draw_pile` is from the top;
    left out, nobody knows how many it has.
    """

    row: Annotated[tuple[str, ...], msgspec.Meta(min_length=COLUMNS, max_length=COLUMNS)]
    draw_pile: tuple[str, ...] | None = None
    take: Column | tuple[Column, ...] = ()
    penalty: bool = False
    places: Words = ()
    places_left: tuple[Stack, ...] | dict[str, Stack] = ()
    note: Any = None

    @property
    def taken(self) -> tuple[int, ...]:
        """The columns of the villagers taken, the hypnotist first."""
        return (self.take,) if isinstance(self.take, int) else self.take


class TakeDocument(msgspec.Struct, forbid_unknown_fields=True):
    """The open villagers and the colours of the places, and the column of the villager that is taken."""

    row: Annotated[tuple[str, ...], msgspec.Meta(min_length=COLUMNS, max_length=COLUMNS)]
    take: Column | Annotated[tuple[Column, ...], msgspec.Meta(min_length=1)]
    places: Words = ()
    places_left: tuple[Stack, ...] | dict[str, Stack] = ()
    note: Any = None


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
    penalty: bool = False
    villagers_taken: Annotated[int, msgspec.Meta(ge=0, le=COLUMNS)] = 0
    places_taken: tuple[Column, ...] = ()
    apprentice_taken: bool = False
    note: Any = None
