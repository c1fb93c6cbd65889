"""What the probes share: a table built from what a case states, with its clans, characters and lands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.games.vaalbara.lands import Box
from companion.games.vaalbara.pieces import CHARACTERS, HAND, START_VP
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.stated import Counts, LandOf
from companion.kernel import UNKNOWN, NotationError, Setup

T = TypeVar("T")


def table(setup: Setup, kingdoms: Mapping[Any, Counts]) -> Continent:
    seats = len(setup.seats)
    for letter in kingdoms:
        seat_of(letter, setup)
    return Continent(
        options=setup.options,
        box=Box({}, {name: number for number, name in enumerate(CHARACTERS, 1)}),
        kingdoms=tuple(_lands(letter, kingdoms.get(letter, {})) for letter in setup.seats),
        vp=(START_VP,) * seats,
        hands=(HAND - 1,) * seats,
        decks=(len(CHARACTERS) - HAND,) * seats,
        discards=((),) * seats,
        first=(None,) * seats,
        second=(None,) * seats,
        round=1,
        played=(None,) * seats,
    )


def by_seat(values: Mapping[Any, T], otherwise: T, setup: Setup) -> tuple[T, ...]:
    for letter in values:
        seat_of(letter, setup)
    return tuple(values.get(letter, otherwise) for letter in setup.seats)


def _lands(letter: str, counts: Counts) -> tuple[str, ...]:
    return tuple(f"{kind}-{letter}{number}" for kind, count in counts.items() for number in range(count))


def key_of(land: LandOf, name: str = "new", is_paid: bool = True) -> str:
    """Return what a land is called; a forest that pays is called by its number."""
    if land.type != "forest":
        return f"{land.type}-{name}"
    if land.value is None and is_paid:
        raise NotationError("value: the number on the forest is missing; state it beside its type")
    return f"forest-{land.value or 0}"


def need_initiative(lands: Iterable[LandOf], initiative: int | None, character: str | None = None) -> None:
    """Refuse a river of which nobody knows what it multiplies."""
    if initiative is None and character is None and any(land.type == "river" for land in lands):
        raise NotationError("initiative: it is missing; a river counts that of the character played")


def seat_of(letter: str, setup: Setup) -> int:
    if letter not in setup.seats:
        raise NotationError(f"found the seat {letter}, expected one of {', '.join(setup.seats)}")
    return setup.seats.index(letter)


def letters_of(seats: Iterable[int], setup: Setup) -> list[str]:
    return [setup.seats[seat] for seat in seats]


def character_with(box: Box, name: str | None, initiative: int) -> tuple[str, Box]:
    """Return a character with this initiative, and the box in which it has it."""
    by_number = {number: each for each, number in box.initiatives.items()}
    named = name or by_number.get(initiative, f"with-{initiative}")
    return named, Box({}, {**box.initiatives, named: initiative or box.initiatives.get(named, 0)})


def as_character(state: Continent, seat: int, name: str) -> Continent:
    """Return the state in which what a seat has played is called `name`, with the initiative stated.

    Another seat whose different initiative is that name's usual one keeps it, under a name of its own.
    """
    number = state.initiative(seat)
    played, initiatives = [*state.played], {**state.box.initiatives, name: number}
    for each, other in enumerate(state.played):
        if other == name and state.initiative(each) != number:
            played[each] = f"with-{state.initiative(each)}"
            initiatives[f"with-{state.initiative(each)}"] = state.initiative(each)
    played[seat] = name
    return replace(state, played=tuple(played), box=Box({}, initiatives))


def all_have_played(
    state: Continent, setup: Setup, initiatives: Mapping[Any, int], clans: Mapping[Any, str], signs: tuple[str, ...]
) -> Continent:
    """Return the state in which everybody has played a character of the stated initiative."""
    box, played = state.box, [*state.played]
    for letter, number in initiatives.items():
        played[seat_of(letter, setup)], box = character_with(box, None, number)
    need_signs(tied(initiatives), clans, signs)
    return with_signs(replace(state, box=box, played=tuple(played)), setup, clans, signs)


def tied(initiatives: Mapping[Any, int]) -> list[Any]:
    """Return the seats whose initiative another seat has too."""
    numbers = list(initiatives.values())
    return [letter for letter, number in initiatives.items() if numbers.count(number) > 1]


def need_signs(tied: Iterable[Any], clans: Mapping[Any, str], signs: tuple[str, ...]) -> None:
    """Refuse signs that do not decide the tie of these seats; those of the others may be left out."""
    for letter in tied if signs else ():
        if letter not in clans:
            raise NotationError(f"clans: {letter} is missing; the clan signs decide this tie")
        if clans[letter] not in signs:
            raise NotationError(f"signs: the clan {clans[letter]} is missing; list the signs from the left")


def with_signs(state: Continent, setup: Setup, clans: Mapping[Any, str], signs: tuple[str, ...]) -> Continent:
    """Return the state with clans and signs; those that a case leaves out decide nothing and stand at the right."""
    for field, stated in (("clans", [*clans.values()]), ("signs", [*signs])):
        if twice := [clan for clan in stated if stated.count(clan) > 1]:
            raise NotationError(
                f"{field}: found {twice[0]} twice; each player has another clan, and each clan one sign"
            )
    known = tuple(
        clan or f"clan of {letter}" for letter, clan in zip(setup.seats, by_seat(clans, "", setup), strict=True)
    )
    return replace(state, clans=known, signs=tuple(dict.fromkeys((*signs, *known))) if signs else UNKNOWN)


def land_at(row: tuple[str | None, ...], place: int) -> str:
    if place > len(row) or (key := row[place - 1]) is None:
        raise NotationError(f"trade: no land lies at place {place}; the row has {len(row)}")
    return key
