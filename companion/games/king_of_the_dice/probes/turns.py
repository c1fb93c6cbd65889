"""A turn after the last roll: which cards the player gets, how the row looks then, and whether the game is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.games.king_of_the_dice.conditions import SumAtLeast
from companion.games.king_of_the_dice.effects import (
    LastCardTaken,
    PenaltyTaken,
    PlaceFounded,
    PlaceWon,
    TurnRepeated,
    VillagerDiscarded,
    VillagerWon,
)
from companion.games.king_of_the_dice.pieces import COLUMNS, DICE, KINDS, PLACES
from companion.games.king_of_the_dice.probes.tables import SPELT, Stacks, numbers_of, play_turn, table
from companion.games.king_of_the_dice.state import PlaceCard, Villager
from companion.games.king_of_the_dice.stated import EndDocument, RowDocument, Stack, TakeDocument
from companion.kernel import UNKNOWN, Finding, NotationError, Position, Setup

_NEVER = SumAtLeast("dragon", 6 * DICE + 1)
"""A condition that no dice meet, for villagers of which the case says that none is won."""
_FULL = 3


def row(doc: RowDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if bool(doc.taken) == doc.penalty:
        raise NotationError("take: state either the villagers taken or the penalty, not both and not neither")
    if doc.draw_pile == ():
        raise NotationError(
            "draw_pile: found no card; with the last one the game is over, so state one or leave it out"
        )
    played = _played(doc, setup)
    told = [ruled.effect for ruled in played.at.told]
    names = played.names
    ruling = {
        "row": [names.get(key) for key in played.at.state.row],
        "discarded": next((names[each.card] for each in told if isinstance(each, VillagerDiscarded)), "none"),
        "penalties_taken": sum(isinstance(each, PenaltyTaken) for each in told),
        "gets": played.gets(doc),
    }
    missing = ("draw_pile",) if doc.draw_pile is None and "row" in asks and not played.at.is_over else ()
    return Finding(ruling, played.at.told, missing=missing)


def take(doc: TakeDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    turn = RowDocument(doc.row, take=doc.take, places=doc.places, places_left=doc.places_left)
    played = _played(turn, setup)
    pile = ["place" if card in played.at.state.box.places else played.kind(card) for card in played.at.state.piles[0]]
    return Finding({"gets": played.gets(turn), "order_bottom_to_top": pile}, played.at.told)


def end(doc: EndDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if bool(doc.villagers_taken) == doc.penalty:
        found = f"{doc.villagers_taken} with penalty {str(doc.penalty).lower()}"
        raise NotationError(f"villagers_taken: found {found}; a turn brings either villagers or a penalty")
    columns = _columns(doc, setup.options)
    kinds = ["hypnotist"] * (len(columns) - 1) + ["apprentice" if doc.apprentice_taken else "rich"]
    taken = dict(zip(columns, kinds, strict=False))
    open_ = [
        Villager(
            f"V{column}",
            taken.get(column, "rich"),
            PLACES[column - 1] if column in doc.places_taken else "",
            condition=_NEVER if doc.penalty else UNKNOWN,
        )
        for column in range(1, COLUMNS + 1)
    ]
    drawn = [Villager(f"drawn-{number}", "rich") for number in range(1, doc.villagers_left + 1)]
    stacks = [(place, numbers_of(left, setup.options)) for place, left in zip(PLACES, doc.places_left, strict=True)]
    penalties = {f"penalty-{number}": 0 for number in range(1, doc.penalties_left + 1)}
    state = replace(
        table(setup, (*open_, *drawn), penalties, stacks),
        row=tuple(each.key for each in open_),
        villagers=len(drawn),
        penalties=len(penalties),
        penalty=next(iter(penalties), UNKNOWN),
    )
    at = play_turn(state, [f"V{column}" for column in columns], [each.key for each in drawn])
    ends = [ruled.effect.reason for ruled in at.told if isinstance(ruled.effect, LastCardTaken)]
    again = any(isinstance(ruled.effect, TurnRepeated) for ruled in at.told)
    return Finding({"over": at.is_over, "reason": ends[0] if ends else "none", "extra_turn": again}, at.told)


class _Played(msgspec.Struct, frozen=True):
    """A turn as it went: the table afterwards with everything told, and what the case calls each villager."""

    at: Position
    names: dict[str, str]

    def kind(self, card: str) -> str:
        return self.names[card].partition("/")[0]

    def gets(self, doc: RowDocument) -> list[str]:
        """Return the cards won, as a case calls them, in the order in which they were won."""
        box, effects = self.at.state.box, (ruled.effect for ruled in self.at.told)
        won = [each.card for each in effects if isinstance(each, VillagerWon | PlaceWon | PlaceFounded)]
        return [_called(doc, box.places[card]) if card in box.places else self.kind(card) for card in won]


def _played(doc: RowDocument, setup: Setup) -> _Played:
    open_ = [_named(name, f"V{column + 1}", doc.penalty) for column, name in enumerate(doc.row)]
    pile = doc.draw_pile or ()
    drawn = [_named(name, f"drawn-{number + 1}") for number, name in enumerate(pile)]
    state = table(setup, (*open_, *drawn), {"penalty": 0}, _stacks(doc, setup.options))
    left = UNKNOWN if doc.draw_pile is None else len(drawn)
    state = replace(state, row=tuple(each.key for each in open_), villagers=left, penalty="penalty")
    chosen = [open_[column - 1].key for column in doc.taken]
    at = play_turn(state, chosen, [each.key for each in drawn])
    if there := [card for card in chosen if card in at.state.row]:
        raise NotationError(f"take: {there[0]} is not won; only a hypnotist brings a second villager, from its right")
    return _Played(at, dict(zip((each.key for each in (*open_, *drawn)), (*doc.row, *pile), strict=True)))


def _named(name: str, key: str, never: bool = False) -> Villager:
    """Return the villager called `kind/colour of its place`; `none` is no colour."""
    kind, _, colour = name.partition("/")
    if (kind := SPELT.get(kind, kind)) not in KINDS:
        raise NotationError(f"row: found {name!r}, expected a villager such as dwarf/brown or dragon/none")
    return Villager(key, kind, "" if colour == "none" else colour, condition=_NEVER if never else UNKNOWN)


def _stacks(doc: RowDocument, options: Mapping[str, str]) -> Stacks:
    stated = _numbers_stated(doc)
    if strange := [colour for colour in stated if colour not in doc.places]:
        raise NotationError(f"places_left: found {strange[0]!r}, expected a colour of `places`, or a list of five")
    stacks: Stacks = [(colour, numbers_of(stated.get(colour, _FULL), options)) for colour in doc.places]
    if empty := [colour for colour, numbers in stacks if not numbers]:
        says = "with the last card of a stack the game is over, so state one card at least"
        raise NotationError(f"places_left: found no card of {empty[0]}; {says}")
    return stacks


def _numbers_stated(doc: RowDocument) -> dict[str, Stack]:
    """Return what a case says of the cards left of a stack, by colour."""
    left = doc.places_left
    if isinstance(left, dict):
        return left
    if len(left) in (0, len(doc.places)):
        return dict(zip(doc.places, left, strict=False))
    numbers = tuple(each for each in left if isinstance(each, int))
    won = [colour for column, colour in enumerate(doc.places, 1) if column in doc.taken and _fits(doc, column)]
    if len(won) == 1 and numbers == left and set(numbers) <= {2, 3, 4}:
        return {won[0]: numbers}
    says = f"expected one for each of the {len(doc.places)} places, or only those that matter by their colour"
    raise NotationError(f"places_left: found {len(left)} stacks, {says}")


def _fits(doc: RowDocument, column: int) -> bool:
    """Return whether a villager lies under the place of its colour."""
    return doc.row[column - 1].partition("/")[2] == doc.places[column - 1]


def _called(doc: RowDocument, card: PlaceCard) -> str:
    """Return what a case calls a place card: by its number only where the case has told it."""
    is_told = card.colour in _numbers_stated(doc)
    return f"place {card.points} of {card.colour}" if is_told else f"top place card of {card.colour}"


def _columns(doc: EndDocument, options: Mapping[str, str]) -> list[int]:
    """Return the columns of the villagers taken, among them those that bring a place card.

    They are neighbours, unless a hypnotist may bring any villager to its right (KD-Q07).
    """
    if options["hypnotist_bonus"] == "any" and len(set(doc.places_taken)) <= doc.villagers_taken:
        others = [column for column in range(1, COLUMNS + 1) if column not in doc.places_taken]
        return sorted([*set(doc.places_taken), *others[: doc.villagers_taken - len(set(doc.places_taken))]])
    for first in range(1, COLUMNS + 2 - doc.villagers_taken):
        columns = list(range(first, first + doc.villagers_taken))
        if set(doc.places_taken) <= set(columns):
            return columns
    taken = f"{doc.villagers_taken} villagers and the places {list(doc.places_taken)}"
    raise NotationError(f"villagers_taken: found {taken}; a hypnotist and its bonus lie side by side")
