"""Who acts when, and what the order brings a Hunter or an Artisan."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.vaalbara.effects import OrderFound, TurnEnded
from companion.games.vaalbara.lands import Box
from companion.games.vaalbara.probes.running import points_of
from companion.games.vaalbara.probes.tables import (
    all_have_played,
    as_character,
    letters_of,
    need_signs,
    seat_of,
    table,
    tied,
    with_signs,
)
from companion.games.vaalbara.stated import OrderDocument
from companion.games.vaalbara.steps.characters import CharacterAction
from companion.games.vaalbara.steps.rounds import EndTurn, FindOrder
from companion.kernel import Finding, NotationError, Setup, open_position


def order_found(doc: OrderDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if missing := [letter for letter in setup.seats if letter not in doc.initiatives]:
        raise NotationError(f"initiatives: {missing[0]} is missing; state what everybody has played")
    state = all_have_played(table(setup, {}), setup, doc.initiatives, doc.clans, doc.signs)
    at = open_position(state, [(FindOrder(), ())])
    told = at.told
    if doc.signs_after_pathfinder and at.question is None:
        first = at.state.order[0]
        played = tuple("pathfinder" if seat == first else each for seat, each in enumerate(at.state.played))
        box = Box({}, {**at.state.box.initiatives, "pathfinder": at.state.initiative(first)})
        need_signs(tied(doc.initiatives), doc.clans, doc.signs_after_pathfinder)
        after = with_signs(replace(at.state, played=played, box=box), setup, doc.clans, doc.signs_after_pathfinder)
        at = open_position(after, [(EndTurn(), ())])
        told += tuple(ruled for ruled in at.told if isinstance(ruled.effect, TurnEnded | OrderFound))
    elif doc.character is not None and doc.active is not None and at.question is None:
        seat = seat_of(doc.active, setup)
        named = as_character(at.state, seat, doc.character)
        acted = replace(named, acted=at.state.order[: at.state.order.index(seat)])
        turn = open_position(acted, [(CharacterAction(), ())])
        ruling = {"order": letters_of(at.state.order, setup), "reward": points_of(turn)}
        return Finding(ruling, (*told, *turn.told))
    open_ = at.question if not at.state.order else None
    return Finding({"order": letters_of(at.state.order, setup), "reward": 0}, told, open=open_)
