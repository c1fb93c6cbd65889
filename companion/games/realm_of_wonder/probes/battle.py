"""Battles: the fighters are armed as stated, and the battle's own questions answered with the rolls."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.realm_of_wonder.effects.battle import (
    BattleBegun,
    BattleDecided,
    ExtrasAdded,
    MonsterStays,
    MonsterTaken,
    MusclesGone,
    SentHome,
    SteppedBack,
)
from companion.games.realm_of_wonder.effects.cards import MagicDrawn
from companion.games.realm_of_wonder.effects.figures import TurnEnded
from companion.games.realm_of_wonder.probes.tables import Run, table
from companion.games.realm_of_wonder.probes.words import face_of, monster_of
from companion.games.realm_of_wonder.state import Realm, Walk, with_going, with_player
from companion.games.realm_of_wonder.stated import BattleDocument, FighterDocument
from companion.games.realm_of_wonder.steps.battle import Fight
from companion.games.realm_of_wonder.steps.moves import Moves
from companion.kernel import Counted, Finding, NotationError, Rolled, Setup

_FROM, _PLACE = "plain", "lair-1"
_KEYS = ("roll attacker", "roll defender")
_NOWHERE = ("none", "nowhere")


def battle(doc: BattleDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    if doc.defender.kind == "monster":
        _check_monster(doc.defender)
    run = Run(_table(doc, setup), Fight(), Moves())
    for seat, side in enumerate((doc.attacker, doc.defender)):
        if run.asks(key := f"muscles {'AB'[seat]}"):
            run.answer(key, Counted(side.muscles))
    for seat, side in enumerate((doc.attacker, doc.defender)):
        if run.asks(key := f"knights {'AB'[seat]}"):
            run.answer(key, Counted(side.knights))
        for face in side.rolls:
            if run.asks(_KEYS[0]) and seat:
                return Finding({}, tuple(run.told), open=run.at.question)
            if not run.asks(_KEYS[seat]):
                raise NotationError(
                    f"rolls: the die is not rolled again after {face}, or not by this side (RW-99, RW-Q12)"
                )
            if not run.answer(_KEYS[seat], Rolled((face_of(face),))):
                faces = ", ".join(run.state.box.die)
                raise NotationError(f"rolls: found {face!r}, expected a face of the battle die: {faces} (RW-06)")
    if not run.effects(BattleDecided):
        return Finding({}, tuple(run.told), (), run.at.question)
    unsaid = doc.attacker.tile_revealed_here and doc.attacker.entered_from is None
    if unsaid and "attacker_goes" in asks and run.effects(BattleDecided)[0].winner == "none":
        return Finding({}, missing=("attacker.entered_from",))
    return Finding(_read(run), tuple(run.told), (*run.cites, *_asked(run)))


def _check_monster(side: FighterDocument) -> None:
    if not side.monster:
        raise NotationError("defender: a monster without its name; say eye, vampire or dragon (RW-150 to RW-152)")
    if side.muscles:
        raise NotationError(f"defender: found {side.muscles} muscle cards; none can be played for a monster (RW-155)")
    if side.knights or side.battle_bonus:
        raise NotationError("defender: found knights or bonus discs; only players have them (RW-101)")


def _table(doc: BattleDocument, setup: Setup) -> Realm:
    """Return a table at which the battle has just begun."""
    monster = monster_of(doc.defender.monster) if doc.defender.kind == "monster" else ""
    state = table(setup, 2, round=doc.round, walk=Walk(0), monsters={_PLACE: monster} if monster else {})
    for seat, side in enumerate((doc.attacker, doc.defender)):
        state = with_player(
            state,
            seat,
            magic=side.muscles,
            bonus=("battle",) * side.battle_bonus,
            tiles=("knight",) * side.knights,
            at=_PLACE if monster and seat == 0 else "plain",
        )
    back = "" if doc.attacker.entered_from in _NOWHERE else _FROM
    revealed = doc.attacker.tile_revealed_here
    begun = BattleBegun(0, None if monster else 1, monster, _PLACE if monster else "plain", back, revealed)
    return msgspec.structs.replace(with_going(begun.apply(state), 0, points=9), tiles_out=())


def _asked(run: Run) -> tuple[Any, ...]:
    """Return the articles of what the rules want next, such as the side of a bonus disc."""
    question = run.at.question
    return question.cites if question is not None and question.key == "bonus side" else ()


def _read(run: Run) -> dict[str, Any]:
    state = run.state
    totals = {each.side: each.total for each in run.effects(ExtrasAdded)}
    taken = run.effects(MonsterTaken)
    gets = [f"{each.monster} tile" for each in taken]
    gets += ["magic card"] * sum(each.cards for each in run.effects(MagicDrawn))
    gets += ["bonus disc"] * run.asks("bonus side")
    ended = any(each.seat == 0 for each in run.effects(TurnEnded))
    return {
        "attacker_total": totals[0],
        "defender_total": totals[1],
        "winner": run.effects(BattleDecided)[0].winner,
        "attacker_goes": _goes(run, 0),
        "defender_goes": _goes(run, 1),
        "attacker_turn": "ends" if ended else "goes on",
        "muscle_cards": "leave the game" if run.effects(MusclesGone) else "none were played",
        "knights_left_attacker": state.players[0].tiles.count("knight"),
        "knights_left_defender": state.players[1].tiles.count("knight"),
        "gets": gets,
        "tile": "stays on the board" if run.effects(MonsterStays) else "goes to the winner" if taken else "none",
        "legal": run.legal,
    }


def _goes(run: Run, seat: int) -> str:
    if any(each.seat == seat for each in run.effects(SentHome)) or run.asks(f"retreat {'AB'[seat]}"):
        return "house or own stronghold"
    if seat == 0 and run.effects(SteppedBack):
        return "one space back"
    return "stays"
