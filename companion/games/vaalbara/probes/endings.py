"""The end of a round, and the end of the game."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.vaalbara.effects import RoundBegun, TieLooked
from companion.games.vaalbara.pieces import ROUNDS, land_slot
from companion.games.vaalbara.probes.running import answered, types_of
from companion.games.vaalbara.probes.tables import by_seat, letters_of, need_signs, table, with_signs
from companion.games.vaalbara.stated import FinalDocument, RoundEndDocument
from companion.games.vaalbara.steps.ending import Final
from companion.games.vaalbara.steps.rounds import EndOfRound
from companion.kernel import Answer, Finding, Finish, NotationError, Placed, Setup, open_position


def round_end(doc: RoundEndDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if len(doc.row_2) != doc.players:
        raise NotationError(f"row_2: found {len(doc.row_2)} lands, expected one for each of {doc.players} players")
    for letter in setup.seats:
        if letter not in doc.hands_before or letter not in doc.decks:
            raise NotationError(f"hands_before and decks: {letter} is missing; state every player's")
    second = tuple(f"{kind}-second{number}" for number, kind in enumerate(doc.row_2))
    state = replace(
        table(setup, {}),
        second=second,
        hands=by_seat(doc.hands_before, 0, setup),
        decks=by_seat(doc.decks, 0, setup),
        round=doc.round,
        deck=len(doc.deck_next),
    )
    laid = [
        Placed(f"{kind}-next{number}", land_slot("S", number))
        for number, kind in enumerate(doc.deck_next[: doc.players])
    ]
    at = open_position(state, [(EndOfRound(), ())])
    for reply in laid:
        if at.question is not None and at.question.key == "refill":
            at = answered(at, Answer("refill", reply), at.told)
    told = tuple(ruled for ruled in at.told if not isinstance(ruled.effect, RoundBegun))
    ruling = {
        "row_1": types_of(at.state, at.state.first),
        "row_2": types_of(at.state, at.state.second),
        "hands": {letter: at.state.hands[seat] for seat, letter in enumerate(setup.seats)},
    }
    return Finding(ruling, told)


def final(doc: FinalDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    state = table(setup, doc.kingdoms)
    state = replace(state, vp=by_seat(doc.vp, 0, setup), round=ROUNDS)
    at = open_position(with_signs(state, setup, doc.clans, doc.signs), [(Final(), ())])
    if at.question is not None:
        return Finding({}, at.told, open=at.question)
    tied = next((ruled.effect.seats for ruled in at.told if isinstance(ruled.effect, TieLooked)), ())
    need_signs(letters_of(tied, setup), doc.clans, doc.signs)
    winner = next((ruled.effect.winner for ruled in at.told if isinstance(ruled.effect, Finish)), None)
    points = {setup.seats[seat]: number for seat, number in enumerate(at.state.vp)}
    return Finding({"vp": points, "winner": "none" if winner is None else setup.seats[winner]}, at.told)
