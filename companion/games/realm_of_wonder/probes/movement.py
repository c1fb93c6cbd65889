"""Paths: a line of spaces is laid, and the player's own steps walk it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.realm_of_wonder.box import box_from
from companion.games.realm_of_wonder.moving import movement as points_of
from companion.games.realm_of_wonder.moving import points_left
from companion.games.realm_of_wonder.pieces import CHARACTERS, FORT_DISCS, STRONGHOLD
from companion.games.realm_of_wonder.probes.tables import Run, settled, table
from companion.games.realm_of_wonder.probes.words import is_own, tile_of
from companion.games.realm_of_wonder.state import Fort, Realm, Walk, with_going, with_player
from companion.games.realm_of_wonder.stated import EnterMove, MovementDocument
from companion.kernel import Confirmed, Counted, Finding, Moved, NotationError, Numbers, Setup

_HERE, _ASIDE = "start", "aside"
_KINDS = ("rune", "tower", "vortex", "well")
_SPACES = (
    "island",
    "castle",
    "fort",
    "stronghold",
    "house",
    "monster",
    "player",
    *_KINDS,
    "difficult",
    "easy",
    "coast",
)
"""Words for spaces; where several stand in a step, the first of these is meant: a fort of another player."""


def movement(doc: MovementDocument, moves: list[EnterMove], asks: tuple[str, ...], setup: Setup) -> Finding:
    if doc.card is None:
        return Finding({}, missing=("card",))
    if doc.troll_ability_region and any("difficult" in move.enter and not move.region for move in moves):
        return Finding({}, missing=("region",))
    run = Run(settled(_line(doc, moves, setup)), due="moving")
    for _ in range(doc.bought):
        if not run.answer("extra", Confirmed()):
            break
    for number, move in enumerate(moves, 1):
        if run.state.battle is not None:
            return Finding({}, tuple(run.told), open=run.at.question)
        if not run.legal or not _step(run, f"s{number}", move):
            break
    if run.legal and run.state.battle is None and run.state.walk is not None:
        # A flight that hangs over a space where it may not end is no path.
        run.legal = run.asks("done")
    state = run.state
    walk = state.walk or Walk(0)
    ruling = {"legal": run.legal, "movement_left": points_left(state, walk), "mp_left": state.players[0].mp}
    made_of = [cited for part in points_of(state, 0).parts for cited in part.cites]
    return Finding(ruling, tuple(run.told), (*run.cites, *made_of))


def _step(run: Run, place: str, move: EnterMove) -> bool:
    """Take one step and answer what is asked on the way; return whether the walk goes on."""
    here = run.state.players[0].at
    if not run.answer("fly on" if run.asks("fly on") else "step", Moved(here, place)):
        return False
    if run.asks("land"):
        run.answer("land", Confirmed(not move.fly_over))
    elif run.asks("discs"):
        asked = next(question for question in run.at.questions if question.key == "discs")
        assert isinstance(asked.domain, Numbers)  # noqa: S101  a conquest is a number of discs
        run.answer("discs", Counted(asked.domain.least))
    return run.legal


def _line(doc: MovementDocument, moves: list[EnterMove], setup: Setup) -> Realm:
    """Return a table on whose board the spaces of the path lie one behind the other."""
    regions = _regions(doc, moves)
    spaces: list[dict[str, Any]] = [{"key": key, "disc": "middle", "region": regions[""]} for key in (_ASIDE, _HERE)]
    edges: list[list[str]] = [[_ASIDE, _HERE]]
    rims: dict[str, Any] = {}
    forts: dict[str, Fort] = {}
    monsters: dict[str, str] = {}
    met = ""
    for number, move in enumerate(moves, 1):
        key, word = f"s{number}", _word(move.enter)
        before = spaces[-1]
        disc = "innermost" if word in ("island", "castle") or before["disc"] == "innermost" else "middle"
        barrier = "water" if move.water else "wall" if move.wall else ""
        space = {"key": key, "disc": disc, "difficult": "difficult" in move.enter}
        if disc == "middle":
            space["region"] = regions[move.region]
        if disc == before["disc"]:
            edges.append([before["key"], key, barrier])
        else:
            rims = {"middle_inside": [[before["key"], barrier]] * 6, "innermost": [[key]] * 6}
        match word:
            case "fort" | "stronghold":
                space["kind"] = "well"
                height = STRONGHOLD if word == "stronghold" and move.height == 1 else move.height
                forts[key] = Fort(0 if is_own(move.enter) else 1, height)
            case "house":
                space |= {"kind": "house", "region": CHARACTERS[0 if is_own(move.enter) else 1]}
            case "monster":
                space["kind"] = "tower"
                monsters[key] = "eye"
            case "player":
                met = key
            case "castle":
                space["kind"] = "castle"
            case _ if word in _KINDS:
                space["kind"] = word
        spaces.append(space)
    faces = {"board": {"spaces": spaces, "edges": edges, "rims": rims}}
    return _player(
        doc,
        table(setup, 2, round=doc.round, box=box_from(setup.faces, faces), forts=forts, monsters=monsters),
        met,
        regions,
    )


def _player(doc: MovementDocument, state: Realm, met: str, regions: dict[str, str]) -> Realm:
    running = "golem" if doc.golem_ability else ""
    if doc.troll_ability_region:
        running = f"troll:{regions[doc.troll_ability_region]}"
    state = with_player(
        state,
        0,
        at=_HERE,
        mp=doc.mp,
        bonus=("movement",) * doc.bonus,
        tiles=tuple(tile_of(tile, "tiles") for tile in doc.tiles),
        victory=doc.victory_disc,
    )
    state = with_player(state, 1, at=met)
    state = with_going(state, 0, points=doc.card, spells=sum(doc.spells), balloon=doc.balloon, running=running)
    forts = dict(state.forts)
    if doc.discs_left is not None and doc.discs_left < FORT_DISCS:
        forts["elsewhere"] = Fort(0, FORT_DISCS - doc.discs_left)
    return msgspec.structs.replace(state, walk=Walk(0), middle=CHARACTERS[0], innermost=CHARACTERS[0], forts=forts)


def _regions(doc: MovementDocument, moves: list[EnterMove]) -> dict[str, str]:
    """Return a region of the board for each name that the case gives one; the second player lives in none of them."""
    names = dict.fromkeys(["", doc.troll_ability_region, *(move.region for move in moves)])
    free = [character for character in CHARACTERS if character != CHARACTERS[1]]
    if len(names) > len(free):
        raise NotationError(f"region: found {len(names)} regions, expected at most {len(free)}")
    return dict(zip(names, free, strict=False))


def _word(enter: str) -> str:
    """Return which kind of space the words of a step mean.

    :raises NotationError: for words that name none.
    """
    for word in _SPACES:
        if word in enter.lower():
            return word
    raise NotationError(f"moves: found {enter!r}, expected a space such as {', '.join(_SPACES)}")
