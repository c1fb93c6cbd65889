"""Realm of Wonder, the board game, as the rest of the companion sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.games.realm_of_wonder.agenda import AGENDAS
from companion.games.realm_of_wonder.box import Quest, box_from
from companion.games.realm_of_wonder.document import open_document, write_document
from companion.games.realm_of_wonder.payoff import score
from companion.games.realm_of_wonder.picture import draw_board, status
from companion.games.realm_of_wonder.pieces import CHARACTERS, DISCS, MOVEMENT_CARDS, SEATS
from companion.games.realm_of_wonder.places import means_to_enter
from companion.games.realm_of_wonder.state import Going, Player, Realm, speed_order
from companion.games.realm_of_wonder.telling import DISC_SLOTS, TURNS_A_DISC, forbids, owed, tell, touched
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
    Question,
    Setup,
    Term,
    Text,
    Unknown,
    settle,
)
from companion.kernel.game import Change


class Stated(msgspec.Struct, forbid_unknown_fields=True):
    """What may be said before the game begins; the rest is asked."""

    seats: int | None = None
    characters: dict[str, str] = {}
    quest: Quest | None = None
    middle: str | None = None
    innermost: str | None = None


class RealmOfWonder(Game):
    """Six characters, three discs, one castle."""

    key = "realm_of_wonder"
    title = "Realm of Wonder"
    seats = (2, 6)
    rows = ("D",)
    columns = len(DISCS)
    cards_on_mat = False
    discs = tuple((slot, f"disc-{disc}") for disc, slot in DISC_SLOTS.items())
    disc_positions = CHARACTERS

    def start(self, setup: Setup) -> Position:
        """Return the position before the characters are dealt (RW-14 to RW-26).

        `setup.stated` may name `characters` (seat letter to character), `quest` (`quest` and
        `goal`), the regions at whose paths `middle` and `innermost` stand, and the number of `seats`.

        :raises NotationError: for anything that does not exist or that two seats share.
        """
        try:
            stated = msgspec.convert(dict(setup.stated), Stated)
        except msgspec.ValidationError as error:
            raise NotationError(f"setup: {error}") from None
        count = len(setup.seats) if stated.seats is None else stated.seats
        if not self.seats[0] <= count <= self.seats[1]:
            raise NotationError(f"seats: found {count}, expected {self.seats[0]} to {self.seats[1]} players")
        characters = _characters(stated.characters, count)
        for disc in DISCS:
            if getattr(stated, disc) not in (None, *CHARACTERS):
                raise NotationError(f"{disc}: found {getattr(stated, disc)!r}, expected one of {', '.join(CHARACTERS)}")
        box = box_from(setup.faces)
        state = Realm(
            options=setup.options,
            box=box,
            players=tuple(Player(character=character or UNKNOWN) for character in characters),
            goings=(Going(),) * count,
            quest=stated.quest or UNKNOWN,
            middle=stated.middle or UNKNOWN,
            innermost=stated.innermost or UNKNOWN,
            movement_pile=MOVEMENT_CARDS,
        )
        return settle(state, AGENDAS["set-up"])

    def open(self, document: Mapping[str, Any], setup: Setup) -> Position:
        return open_document(document, setup)

    def write(self, position: Position) -> dict[str, Any]:
        return write_document(position)

    def scene(self, state: Realm) -> Mapping[str, Lying]:
        """The two inner discs, each with its whirlpool at the path of a region.

        Until the whirlpools are set (RW-17) they may stand anyhow.
        """
        return {slot: Lying(f"disc-{disc}", _turns(getattr(state, disc))) for disc, slot in DISC_SLOTS.items()}

    def track(self, state: Realm) -> tuple[str, ...]:
        """The turn markers from the magical end of the grid, once all cards lie open (RW-43)."""
        return tuple(SEATS[seat] for seat in speed_order(state)) if state.track else ()

    def pieces(self, state: Realm) -> Mapping[str, str]:
        places = {f"disc-{disc}": slot for disc, slot in DISC_SLOTS.items()}
        for player, going in zip(state.players, state.goings, strict=True):
            if player.character is not UNKNOWN and player.at:
                places[player.character] = player.at
            if going.card:
                places[going.card] = "played"
        used = [card for card in state.movement_used if card and card not in places]
        places |= dict.fromkeys(used, "used movement cards")
        return places | ({state.quest_card: "quest"} if state.quest_card else {})

    def score(self, state: Realm) -> tuple[Term, ...]:
        """Nobody counts points at the end; what is counted all the time is the payoff."""
        return score(state)

    def preview(self, state: Realm) -> tuple[Term, ...]:
        """The payoff that each seat would get now, every term shown (RW-29 to RW-37)."""
        return score(state)

    def outcome(self, state: Realm) -> dict[str, Any]:
        """Return each seat's `payoff`, `mp`, `tiles` and heights of `forts`, and what lets it `enter` the castle."""
        letters = SEATS[: len(state.players)]
        return {
            "payoff": {letter: term.points for letter, term in zip(letters, score(state), strict=True)},
            "mp": {SEATS[s]: None if p.mp is UNKNOWN else p.mp for s, p in enumerate(state.players)},
            "tiles": {SEATS[s]: list(player.tiles) for s, player in enumerate(state.players)},
            "forts": {SEATS[s]: [state.forts[place].height for place in state.forts_of(s)] for s in state.seats},
            "enter": {SEATS[s]: list(means_to_enter(state, s)) for s in state.seats},
        }

    def board(self, position: Position) -> BoardModel:
        return draw_board(position.state)

    def status(self, position: Position) -> tuple[Text, ...]:
        return status(position)

    def owed(self, effect: Effect) -> Owed | None:
        return owed(effect)

    def touched(self, effect: Effect) -> tuple[str, ...]:
        return touched(effect)

    def seen_in(self, question: Question) -> tuple[str, ...]:
        """Which disc is turned, and to which path, is seen of the discs."""
        return tuple(DISC_SLOTS.values()) if question.text.key in TURNS_A_DISC else ()

    def forbids(self, what: Change, slot: str) -> tuple[Citation, ...]:
        return forbids(what, slot)

    def tell(self, effect: Effect) -> Text:
        return tell(effect)


def _turns(region: str | Unknown) -> frozenset[int]:
    return frozenset(range(len(CHARACTERS)) if region is UNKNOWN else (CHARACTERS.index(region),))


def _characters(stated: Mapping[str, str], count: int) -> tuple[str, ...]:
    """Return each seat's character as stated, empty where nothing is."""
    letters = SEATS[:count]
    for letter, character in stated.items():
        if letter not in letters:
            raise NotationError(f"characters: found the seat {letter!r}, expected one of {', '.join(letters)}")
        if character not in CHARACTERS:
            raise NotationError(f"characters of {letter}: found {character!r}, expected one of {', '.join(CHARACTERS)}")
    if len(set(stated.values())) < len(stated):
        raise NotationError("characters: one is named for two seats; every character exists once (RW-02)")
    if stated and len(stated) < count:
        raise NotationError(f"characters: found {len(stated)}, expected one for each of {count} players, or none")
    return tuple(stated.get(letter, "") for letter in letters)
