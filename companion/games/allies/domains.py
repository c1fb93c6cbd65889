"""What may be answered at an Allies table, without writing an unseen hand down."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
from operator import itemgetter

from companion.games.allies.state import CASTLE, COLUMNS, EMPTY_ROW, Box, Duel, slot
from companion.kernel import Domain, Moved, Placed, Reply, Turned

_ROW_SLOTS = tuple(tuple(slot(seat, column) for column in range(COLUMNS)) for seat in (0, 1))


@cache
def placed(piece: str, at: str) -> Placed:
    """The one reply "this piece, there, as the rules demand"; shared, since it is asked so often."""
    return Placed(piece, at)


@cache
def aimed(at: str) -> Turned:
    return Turned(at)


def hand(state: Duel, seat: int) -> tuple[str, ...]:
    """Return the keys of all cards that the seat's unseen hand could hold."""
    return _held(state.box, _playable(state, seat), state.gone)


def _playable(state: Duel, seat: int) -> tuple[str, ...]:
    """Return the tribes whose cards the seat may hold: its own two, or those not known to be the other's."""
    tribes, others = state.tribes[seat], state.tribes[1 - seat]
    if len(tribes) < 2:
        tribes = tuple(tribe for tribe in state.box.by_tribe if tribe not in others)
    return tribes


# A hand changes when its seat plays; the questions asked in between ask for the same hand again.
@lru_cache(maxsize=256)
def _held(box: Box, tribes: tuple[str, ...], gone: frozenset[str]) -> tuple[str, ...]:
    return tuple([key for tribe in tribes for key in box.by_tribe.get(tribe, ()) if key not in gone])


class _Places(dict[str, tuple[Placed, ...]]):
    """The five replies that lay a card into a seat's row, by the card's key; made when first asked for."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat

    def __missing__(self, card: str) -> tuple[Placed, ...]:
        self[card] = tuple(placed(card, at) for at in _ROW_SLOTS[self.seat])
        return self[card]


_PLACES = (_Places(0), _Places(1))


def _laid_into(seat: int, cards: Iterable[str], columns: list[int]) -> Iterable[Placed]:
    """Return the replies that lay each card into each column. An unseen hand makes hundreds of them."""
    rows = map(_PLACES[seat].__getitem__, cards)
    if len(columns) == 1:
        return map(itemgetter(columns[0]), rows)
    return chain.from_iterable(map(itemgetter(*columns), rows)) if columns else ()


def may_cover(state: Duel, card: str) -> bool:
    """Return whether this very card may be laid on an own card (AL-80, AL-91)."""
    return card in coverers(state)


def coverers(state: Duel) -> frozenset[str]:
    """Return the cards that may be laid on an own card now (AL-80, AL-91, AL-Q11)."""
    cyclopes = state.box.by_ability.get("cyclops", frozenset())
    trolls = state.box.by_ability.get("troll")
    if trolls and state.options["troll_as_cyclops"] == "troll_covers" and "cyclops" in abilities_on_table(state):
        return cyclopes | trolls
    return cyclopes


def covers_held(state: Duel, seat: int) -> bool:
    """Return whether the seat's unseen hand could hold a card that may be laid on an own card."""
    return not set(coverers(state)).isdisjoint(hand(state, seat))


def abilities_on_table(state: Duel) -> tuple[str, ...]:
    """Return the characters whose abilities a Troll may copy now, Trolls left out (AL-91, AL-Q10)."""
    diamond = state.options["troll_copies"] != "any_character"
    found = {
        str(laid.card.tribe)
        for row in state.rows
        for laid in row
        if laid is not None and (laid.card.diamond if diamond else isinstance(laid.card.tribe, str))
    }
    return tuple(sorted(found - {"troll"}))


class Placements(Domain):
    """A card of the unseen hand into a slot of the own row, for each seat that may play."""

    __slots__ = ("cover", "seats", "state")

    def __init__(self, state: Duel, seats: tuple[int, ...], cover: bool = True) -> None:
        self.state, self.seats, self.cover = state, seats, cover

    def __iter__(self) -> Iterator[Reply]:
        state = self.state
        replies: list[Reply] = []
        for seat in self.seats:
            row, cards = state.rows[seat], hand(state, seat)
            replies += _laid_into(seat, cards, [column for column, laid in enumerate(row) if laid is None])
            if self.cover and row != EMPTY_ROW and (covering := coverers(state)):
                full = [column for column, laid in enumerate(row) if laid is not None]
                replies += _laid_into(seat, [card for card in cards if card in covering], full)
        return iter(replies)

    def within(self, slots: Collection[str], pieces: Mapping[str, Collection[str]]) -> Iterable[Reply]:
        for seat in self.seats:
            row, cards = self.state.rows[seat], None
            for column in range(COLUMNS):
                at = slot(seat, column)
                if at not in slots or not pieces.get(at):
                    continue
                cards = cards or set(hand(self.state, seat))
                for card in pieces[at]:
                    if card in cards and (row[column] is None or (self.cover and may_cover(self.state, card))):
                        yield placed(card, at)


class Covers(Domain):
    """A card from the unseen hand on top of an own card, where the edition lets other cards cover."""

    __slots__ = ("any_card", "seat", "state")

    def __init__(self, state: Duel, seat: int, any_card: bool) -> None:
        self.state, self.seat, self.any_card = state, seat, any_card

    def __iter__(self) -> Iterator[Reply]:
        row = self.state.rows[self.seat]
        full = [slot(self.seat, column) for column in range(COLUMNS) if row[column] is not None]
        cards = self.state.box.cards
        return (
            placed(card, at)
            for card in hand(self.state, self.seat)
            if self.any_card or cards[card].diamond
            for at in full
        )


class Targets(Domain):
    """Any tribe card that a rotation may be aimed at (AL-42, AL-43); none in the `barred` slots."""

    __slots__ = ("barred", "seats", "state")

    def __init__(self, state: Duel, barred: tuple[str, ...], seats: tuple[int, ...] = (0, 1)) -> None:
        self.state, self.barred, self.seats = state, barred, seats

    def __iter__(self) -> Iterator[Reply]:
        rows = self.state.rows
        replies: list[Reply] = []
        for seat in self.seats:
            for at, laid in zip(_ROW_SLOTS[seat], rows[seat], strict=True):
                if laid is not None and at not in self.barred:
                    replies.append(aimed(at))
        return iter(replies)


class RegionSwaps(Domain):
    """Two region cards that may trade columns; castles never move (AL-83, AL-84)."""

    __slots__ = ("state",)

    def __init__(self, state: Duel) -> None:
        self.state = state

    def __iter__(self) -> Iterator[Reply]:
        state = self.state
        movable = [c for c, region in enumerate(state.regions) if region and state.box.kind(region.key) != CASTLE]
        return (Moved(slot("R", a), slot("R", b), swap=True) for i, a in enumerate(movable) for b in movable[i + 1 :])

    def __contains__(self, reply: object) -> bool:
        # Which of the two is named first makes no difference.
        return isinstance(reply, Moved) and any(
            reply in (option, Moved(option.end, option.start, swap=True))
            for option in self
            if isinstance(option, Moved)
        )


class Shifts(Domain):
    """A tribe card to a free slot of its own row (AL-86)."""

    __slots__ = ("barred", "seats", "state")

    def __init__(self, state: Duel, seats: tuple[int, ...], barred: str) -> None:
        self.state, self.seats, self.barred = state, seats, barred

    def __iter__(self) -> Iterator[Reply]:
        for seat in self.seats:
            row = self.state.rows[seat]
            free = [slot(seat, column) for column in range(COLUMNS) if row[column] is None]
            for column in range(COLUMNS):
                if row[column] is not None and (start := slot(seat, column)) != self.barred:
                    for end in free:
                        yield Moved(start, end)


class Deals(Domain):
    """A region card of the deck into an empty column of the middle row (AL-24, AL-33)."""

    __slots__ = ("state",)

    def __init__(self, state: Duel) -> None:
        self.state = state

    def __iter__(self) -> Iterator[Reply]:
        taken = set(regions_out(self.state))
        empty = [slot("R", column) for column in range(COLUMNS) if self.state.regions[column] is None]
        keys = (key for key in self.state.box.regions if key not in taken)
        if lies_as_laid(self.state):
            return (Placed(key, at, turn) for key in keys for at in empty for turn in range(4))
        return (placed(key, at) for key in keys for at in empty)


def lies_as_laid(state: Duel) -> bool:
    """Return whether a new region card stays the way it came from the deck (AL-35, AL-Q13)."""
    return state.round > 1 and state.options["refilled_region_lies"] == "as_laid"


def regions_out(state: Duel) -> list[str]:
    """Return the keys of the region cards that are no longer in the deck."""
    return [region.key for region in state.regions if region] + [won.key for pile in state.piles for won in pile]
