"""Vaalbara, as the rest of the companion sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.games.vaalbara.board import ROWS, draw_board, places_of, scene, status
from companion.games.vaalbara.document import open_document, write_document
from companion.games.vaalbara.lands import box_from
from companion.games.vaalbara.pieces import CHARACTERS, FIRST, HAND, LANDS, MOST_SEATS, SEATS, START_VP, land_slot
from companion.games.vaalbara.rewards import preview
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.steps.ending import leaders, score
from companion.games.vaalbara.steps.preparing import CLANS, DealRows, KnowClans
from companion.games.vaalbara.steps.preparing import ROWS as DEAL
from companion.games.vaalbara.steps.rounds import ROUND, Round
from companion.games.vaalbara.telling import forbids, owed, tell, touched
from companion.kernel import (
    UNKNOWN,
    BoardModel,
    Citation,
    Effect,
    Game,
    Lying,
    NotationError,
    Owed,
    Position,
    Setup,
    Term,
    Text,
    cite,
    open_position,
)
from companion.kernel.game import Change


class Stated(msgspec.Struct, forbid_unknown_fields=True):
    """What a table may say of its start: the clan of each seat."""

    clans: dict[str, str] = {}


class Vaalbara(Game):
    """Nine rounds: everybody plays a character at the same time, acts by its initiative, and takes a land."""

    key = "vaalbara"
    title = "Vaalbara"
    seats = (2, MOST_SEATS)
    rows = ROWS
    columns = MOST_SEATS
    card_mm = (44.0, 67.0)
    turns_cards = False
    alike = frozenset(CHARACTERS)

    def start(self, setup: Setup) -> Position:
        """Return the position before the rows are laid (VB-11 to VB-18).

        `setup.stated` may give the `clans` by seat letter.

        :raises NotationError: for a clan that there is not, or that two seats have.
        """
        box, seats = box_from(setup.faces), len(setup.seats)
        try:
            clans = msgspec.convert(dict(setup.stated), Stated).clans
        except msgspec.ValidationError as error:
            raise NotationError(f"setup: {error}") from None
        letters = SEATS[:seats]
        for letter, clan in clans.items():
            if letter not in letters or clan not in box.clans or list(clans.values()).count(clan) > 1:
                expected = f"each of {', '.join(letters)} with one of {', '.join(box.clans)}, none twice"
                raise NotationError(f"clans: found {clan!r} for {letter!r}, expected {expected}")
        # A set that does not know all lands yet does not know either how many bear which mark (VB-11).
        used = sum(land.players <= seats for land in box.lands.values()) if len(box.lands) == LANDS else UNKNOWN
        state = Continent(
            options=setup.options,
            box=box,
            kingdoms=((),) * seats,
            vp=(START_VP,) * seats,
            hands=(HAND,) * seats,
            decks=(len(CHARACTERS) - HAND,) * seats,
            discards=((),) * seats,
            first=(None,) * seats,
            second=(None,) * seats,
            clans=tuple(clans[letter] for letter in letters) if len(clans) == seats else UNKNOWN,
            deck=used,
        )
        return open_position(state, ((KnowClans(), CLANS), (DealRows(), DEAL), (Round(), ROUND)))

    def open(self, document: Mapping[str, Any], setup: Setup) -> Position:
        return open_document(document, setup)

    def write(self, position: Position) -> dict[str, Any]:
        return write_document(position)

    def scene(self, state: Continent) -> Mapping[str, Lying]:
        return scene(state)

    def pieces(self, state: Continent) -> Mapping[str, str]:
        return places_of(state)

    def score(self, state: Continent) -> tuple[Term, ...]:
        return score(state)

    def hides_scores(self, state: Continent) -> tuple[Citation, ...]:
        """Return the article by which tokens lie face down, until they are counted."""
        return () if state.counted else cite("VB-29")

    def outcome(self, state: Continent) -> dict[str, Any]:
        """Return `score` per seat, `leaders`, and each `kingdom`."""
        return {
            "score": {letter: term.points for letter, term in zip(state.letters, score(state), strict=True)},
            "leaders": [SEATS[seat] for seat in leaders(state)],
            "kingdom": {letter: list(lands) for letter, lands in zip(state.letters, state.kingdoms, strict=True)},
        }

    def board(self, position: Position) -> BoardModel:
        return draw_board(position.state)

    def preview(self, state: Continent) -> tuple[Term, ...]:
        """Return for each seat what each land of the first row would bring it now, every term shown."""
        return tuple(_preview(state, seat) for seat in range(state.seats)) if state.round else ()

    def status(self, position: Position) -> tuple[Text, ...]:
        return status(position.state)

    def owed(self, effect: Effect) -> Owed | None:
        return owed(effect)

    def touched(self, effect: Effect) -> tuple[str, ...]:
        return touched(effect)

    def forbids(self, what: Change, slot: str) -> tuple[Citation, ...]:
        return forbids(what, slot)

    def tell(self, effect: Effect) -> Text:
        return tell(effect)


def _preview(state: Continent, seat: int) -> Term:
    lands = [(column, key) for column, key in enumerate(state.first) if key is not None]
    terms: tuple[Term, ...] = ()
    for column, key in lands:
        sums = preview(state, seat, key)
        text = Text("preview.land", (("land", key), ("slot", land_slot(FIRST, column))))
        terms += (Term(text, sums.points, sums.cites, sums.parts),)
    best = max((term.points for term in terms), default=0)
    cites = tuple(dict.fromkeys(cited for term in terms for cited in term.cites))
    return Term(Text("preview.seat", (("seat", SEATS[seat]),)), best, cites, terms)
