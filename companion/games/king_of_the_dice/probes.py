"""Structured cases of King of the Dice: a partial position is built, the game's own steps run, and what
they tell is read off. Nothing is reckoned here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from companion.games.king_of_the_dice.conditions import SumAtLeast, condition_from
from companion.games.king_of_the_dice.effects import (
    LastCardTaken,
    PenaltyTaken,
    PlaceFounded,
    PlaceWon,
    TurnRepeated,
    VillagerDiscarded,
    VillagerWon,
)
from companion.games.king_of_the_dice.pieces import COLUMNS, DICE, KINDS, PLACES, ROLLS, SEATS
from companion.games.king_of_the_dice.state import Box, Kingdoms, PlaceCard, Villager
from companion.games.king_of_the_dice.stated import (
    Apprentice,
    Asked,
    ConditionDocument,
    Dragon,
    EndDocument,
    Fairy,
    Gnome,
    Hypnotist,
    Orc,
    RowDocument,
    ScoreDocument,
    TakeDocument,
)
from companion.games.king_of_the_dice.steps.ending import Ending, minus, score
from companion.games.king_of_the_dice.steps.preparing import penalty_slot, unseen_penalties
from companion.games.king_of_the_dice.steps.taking import articles_of
from companion.games.king_of_the_dice.steps.turns import TURN, Turn
from companion.kernel import (
    UNKNOWN,
    Answer,
    Chosen,
    Finding,
    Finish,
    NotationError,
    Ordered,
    Placed,
    Position,
    Probe,
    Refusal,
    Ruled,
    Setup,
    advance,
    open_position,
)

_NEVER = SumAtLeast("dragon", 6 * DICE + 1)
"""A condition that no dice meet, for villagers of which the case says that none is won."""


def _condition(doc: ConditionDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    kind, fields = _asked(doc.condition)
    villager = Villager(kind, kind, condition=condition_from(kind, fields, setup.options))
    state = replace(
        _table(setup, (villager,)),
        row=(kind, *(None,) * (COLUMNS - 1)),
        dice=tuple(f"{die.colour}-{die.number}" for die in doc.dice),
        rolls=ROLLS,
    )
    refusal = Turn().refuse(state, "take", Chosen((kind,)))
    ruling = {"met": refusal is None, "sum": sum(die.number for die in doc.dice)}
    return Finding(ruling, (), refusal.cites if refusal else articles_of(villager))


def _row(doc: RowDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if bool(doc.take) == doc.penalty:
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
    return Finding(ruling, played.at.told)


def _take(doc: TakeDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    row = RowDocument(doc.row, take=(doc.take,), places=doc.places)
    played = _played(row, setup)
    pile = ["place" if card in played.at.state.box.places else played.kind(card) for card in played.at.state.piles[0]]
    return Finding({"gets": played.gets(row), "order_bottom_to_top": pile}, played.at.told)


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
    row = [_named(name, f"V{column + 1}", doc.penalty) for column, name in enumerate(doc.row)]
    pile = doc.draw_pile or ()
    drawn = [_named(name, f"drawn-{number + 1}") for number, name in enumerate(pile)]
    state = _table(setup, (*row, *drawn), {"penalty": 0}, _stacks(doc, setup.options))
    left = UNKNOWN if doc.draw_pile is None else len(drawn)
    state = replace(state, row=tuple(each.key for each in row), villagers=left, penalty="penalty")
    chosen = [row[column - 1].key for column in doc.take]
    at = _play_turn(state, chosen, [each.key for each in drawn])
    if there := [card for card in chosen if card in at.state.row]:
        raise NotationError(f"take: {there[0]} is not won; only a hypnotist brings a second villager, from its right")
    return _Played(at, dict(zip((each.key for each in (*row, *drawn)), (*doc.row, *pile), strict=True)))


def _score(doc: ScoreDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    cards: list[Villager] = []
    penalties: dict[str, int] = {}
    piles: list[tuple[str, ...]] = []
    for letter, side in zip(SEATS, doc.sides, strict=False):
        own = [Villager(f"{letter}-{number}", "rich", points=points) for number, points in enumerate(side.points)]
        own += [Villager(f"{letter}-fairy-{number}", "fairy") for number in range(side.fairies)]
        against = {f"{letter}-minus-{number}": abs(points) for number, points in enumerate(side.minus)}
        cards += own
        penalties |= against
        piles.append((*(card.key for card in own), *against))
    state = replace(_table(setup, cards, penalties), piles=tuple(piles), ending="villagers")
    after = open_position(state, [(Ending(), ())])
    totals = score(after.state)
    ruling: dict[str, Any] = {SEATS[seat]: term.points for seat, term in enumerate(totals)}
    ruling |= {f"minus_{SEATS[seat]}": minus(after.state, seat) for seat in range(len(piles))}
    ruling["winner"] = winner(after.told)
    counted = (part for term in totals for part in term.parts if part.parts)
    return Finding(ruling, after.told, tuple(cited for part in counted for cited in part.cites))


def _end(doc: EndDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if bool(doc.villagers_taken) == doc.penalty:
        found = f"{doc.villagers_taken} with penalty {str(doc.penalty).lower()}"
        raise NotationError(f"villagers_taken: found {found}; a turn brings either villagers or a penalty")
    columns = _columns(doc)
    kinds = ["hypnotist"] * (len(columns) - 1) + ["apprentice" if doc.apprentice_taken else "rich"]
    taken = dict(zip(columns, kinds, strict=False))
    row = [
        Villager(
            f"V{column}",
            taken.get(column, "rich"),
            PLACES[column - 1] if column in doc.places_taken else "",
            condition=_NEVER if doc.penalty else UNKNOWN,
        )
        for column in range(1, COLUMNS + 1)
    ]
    drawn = [Villager(f"drawn-{number}", "rich") for number in range(1, doc.villagers_left + 1)]
    stacks = [(place, _top_down(left, setup.options)) for place, left in zip(PLACES, doc.places_left, strict=True)]
    penalties = {f"penalty-{number}": 0 for number in range(1, doc.penalties_left + 1)}
    state = replace(
        _table(setup, (*row, *drawn), penalties, stacks),
        row=tuple(each.key for each in row),
        villagers=len(drawn),
        penalties=len(penalties),
        penalty=next(iter(penalties), UNKNOWN),
    )
    at = _play_turn(state, [f"V{column}" for column in columns], [each.key for each in drawn])
    ends = [ruled.effect.reason for ruled in at.told if isinstance(ruled.effect, LastCardTaken)]
    again = any(isinstance(ruled.effect, TurnRepeated) for ruled in at.told)
    return Finding({"over": at.is_over, "reason": ends[0] if ends else "none", "extra_turn": again}, at.told)


PROBES: dict[str, Probe] = {
    "condition": Probe(ConditionDocument, str, ("met", "sum"), _condition),
    "row": Probe(RowDocument, str, ("row", "discarded", "penalties_taken", "gets"), _row),
    "take": Probe(TakeDocument, str, ("gets", "order_bottom_to_top"), _take),
    "score": Probe(
        ScoreDocument,
        str,
        (*SEATS, *(f"minus_{letter}" for letter in SEATS), "winner"),
        _score,
        lambda doc: tuple(SEATS[: len(doc.sides)]),
    ),
    "end": Probe(EndDocument, str, ("over", "reason", "extra_turn"), _end),
}
"""Every structured kind by its name. Moves in English only say what is done; the fields decide."""


def winner(told: Sequence[Ruled]) -> str:
    """Return who has won: a seat's letter, `shared`, or `not yet`."""
    for ruled in told:
        match ruled.effect:
            case Finish(winner=seat):
                return "shared" if seat is None else SEATS[seat]
    return "not yet"


Stacks = Sequence[tuple[str, Sequence[int]]]
"""The colour of each place stack, and its numbers from the top."""


def _table(
    setup: Setup, villagers: Sequence[Villager], penalties: Mapping[str, int] | None = None, stacks: Stacks = ()
) -> Kingdoms:
    places = {
        f"{column}-{number}": PlaceCard(f"{column}-{number}", PLACES[column], colour, number)
        for column, (colour, numbers) in enumerate(stacks)
        for number in numbers
    }
    state = Kingdoms(
        options=setup.options,
        box=Box({each.key: each for each in villagers}, places, penalties or {}),
        piles=((),) * len(setup.seats),
        starter=0,
    )
    if not stacks:
        return state
    return replace(
        state,
        places=tuple(tuple(f"{column}-{number}" for number in numbers) for column, (_, numbers) in enumerate(stacks)),
    )


def _play_turn(state: Kingdoms, chosen: Sequence[str], drawn: Sequence[str]) -> Position:
    """Return the table after a turn in which `chosen` are won, or a penalty is taken, and the row is filled.

    The position tells everything that happened.
    """
    start = replace(state, rolls=ROLLS, dice=("any-1",) * DICE)
    at = open_position(start, [(Turn(), TURN)])
    told, wanted, left = list(at.told), list(chosen), list(drawn)
    while (question := at.question) is not None and question.key != "roll":
        match question.key:
            case "refill":
                reply: Any = Placed(left.pop(0), "V1")
            case "penalty":
                reply = Placed(unseen_penalties(at.state)[0], penalty_slot(at.state))
            case "pile":
                reply = Ordered(tuple(group[-1] for group in at.state.won))
            case _:
                wanted = [card for card in wanted if card in at.state.row]
                reply = Chosen((wanted[0],) if wanted else ())
        after = advance(at, Answer(question.key, reply))
        if isinstance(after, Refusal):
            articles = " ".join(str(cited) for cited in after.cites)
            raise NotationError(f"take: {question.key!r} is refused for {wanted[:1] or 'nothing'} ({articles})")
        told += after.told
        at = after
    return Position(at.state, at.agenda, tuple(told))


def _asked(asked: Asked) -> tuple[str, dict[str, Any]]:
    """Return the kind of a stated condition and its fields as a set would print them."""
    match asked:
        case Orc(groups=groups):
            return "orc", {"groups": list(groups.values())}
        case Apprentice(colours=colours):
            return "apprentice", {"colours": _each(colours)}
        case Fairy(colours=colours):
            return "fairy", {"colours": _each(colours)}
        case Gnome(colour=colour, count=count):
            return "gnome", {"colours": [colour] * count}
        case Hypnotist(max_sum=most):
            return "hypnotist", {"sum": most}
        case Dragon(min_sum=least):
            return "dragon", {"sum": least}
        case _:
            return type(asked).__name__.lower(), asdict(asked)


def _each(colours: Mapping[str, int]) -> list[str]:
    return [colour for colour, count in colours.items() for _ in range(count)]


def _named(name: str, key: str, never: bool = False) -> Villager:
    """Return the villager called `kind/colour of its place`; `none` is no colour."""
    kind, _, colour = name.partition("/")
    if kind not in KINDS:
        raise NotationError(f"row: found {name!r}, expected a villager such as dwarf/brown or dragon/none")
    return Villager(key, kind, "" if colour == "none" else colour, condition=_NEVER if never else UNKNOWN)


def _stacks(doc: RowDocument, options: Mapping[str, str]) -> Stacks:
    left = doc.places_left
    stacks: list[tuple[str, Sequence[int]]] = []
    for column, colour in enumerate(doc.places):
        there = left.get(colour, 3) if isinstance(left, dict) else left[column] if column < len(left) else 3
        stacks.append((colour, there if isinstance(there, tuple) else _top_down(there, options)))
    return stacks + [("", ())] * (COLUMNS - len(stacks)) if stacks else ()


def _top_down(count: int, options: Mapping[str, str]) -> tuple[int, ...]:
    """Return the numbers of a stack of so many place cards (KD-06, KD-Q01)."""
    order = (4, 3, 2) if options["place_order"] == "two_at_the_bottom" else (2, 3, 4)
    return order[len(order) - count :]


def _called(doc: RowDocument, card: PlaceCard) -> str:
    return f"place {card.points} of {card.colour}" if doc.places_left else f"top place card of {card.colour}"


def _columns(doc: EndDocument) -> list[int]:
    """Return neighbouring columns for the villagers taken, among them those that bring a place card."""
    for first in range(1, COLUMNS + 2 - doc.villagers_taken):
        columns = list(range(first, first + doc.villagers_taken))
        if set(doc.places_taken) <= set(columns):
            return columns
    taken = f"{doc.villagers_taken} villagers and the places {list(doc.places_taken)}"
    raise NotationError(f"villagers_taken: found {taken}; a hypnotist and its bonus lie side by side")
