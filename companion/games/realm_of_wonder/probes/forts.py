"""Building and conquering, on a board of two spaces: a well, and the one beside it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.box import box_from
from companion.games.realm_of_wonder.pieces import CHARACTERS, FORT_DISCS, SEATS
from companion.games.realm_of_wonder.probes.tables import Run, settled, table
from companion.games.realm_of_wonder.state import Fort, Realm, Walk, with_going, with_player
from companion.games.realm_of_wonder.stated import FortDocument, FortMove
from companion.kernel import Chosen, Counted, Finding, Moved, NotationError, Setup

_BESIDE, _WELL = "beside", "well"
_ELSEWHERE = tuple(f"elsewhere-{letter}" for letter in SEATS)
_BOARD = {
    "spaces": [
        {"key": _BESIDE, "disc": "outer"},
        *({"key": key, "disc": "outer", "kind": "well"} for key in (_WELL, *_ELSEWHERE)),
    ],
    "edges": [[_BESIDE, _WELL], [_BESIDE, _ELSEWHERE[0]]],
}


def fort(doc: FortDocument, moves: list[FortMove], asks: tuple[str, ...], setup: Setup) -> Finding:
    missing = [name for name in ("mp", "discs_left") if getattr(doc, name) is None]
    if missing:
        return Finding({}, missing=tuple(missing))
    run = Run(settled(_table(doc, setup)), due="moving")
    told, cites, legal = list(run.told), [], True
    for move in moves:
        run = _act(run.state, move)
        told += run.told
        cites += run.cites
        legal = legal and run.legal
    state, there = run.state, run.state.forts.get(_WELL)
    ruling = {
        "legal": legal,
        "mp_left": state.players[0].mp,
        "discs_left": state.discs_left(0),
        **{f"discs_left_{SEATS[seat]}": state.discs_left(seat) for seat in state.seats},
        "height": there.height if there else 0,
        "owner": SEATS[there.seat] if there else "none",
        "stronghold": there is not None and _WELL in places.strongholds(state, there.seat),
    }
    return Finding(ruling, tuple(told), tuple(cites))


def _act(state: Realm, move: FortMove) -> Run:
    if move.build is not None:
        run = Run(with_player(state, 0, at=_WELL), due="moving")
        run.answer("build", Counted(move.build))
        return run
    if move.conquer_with is None:
        raise NotationError("moves: found neither build nor conquer_with; say how many discs are built")
    run = Run(with_player(state, 0, at=_BESIDE), due="moving")
    if state.options["conquest_from"] == "neighbour":
        entered = run.answer("conquer", Chosen((_WELL,)))
    else:
        entered = run.answer("step", Moved(_BESIDE, _WELL))
    if entered:
        run.answer("discs", Counted(move.conquer_with))
    return run


def _table(doc: FortDocument, setup: Setup) -> Realm:
    there, forts = doc.there, dict[str, Fort]()
    count = len(SEATS)
    if there.owner != "none" and there.height:
        forts[_WELL] = Fort(SEATS.index(there.owner), there.height)
    left = (doc.discs_left, *(getattr(doc, f"discs_left_{letter.lower()}") for letter in SEATS[1:]))
    for seat, (name, stated) in enumerate(zip(_ELSEWHERE, left, strict=True)):
        here = forts[_WELL].height if _WELL in forts and forts[_WELL].seat == seat else 0
        elsewhere = 0 if stated is None else FORT_DISCS - stated - here
        if elsewhere < 0 or here > FORT_DISCS:
            raise NotationError(
                f"{SEATS[seat]}: found {here} discs there and {stated or 0} left, each player has {FORT_DISCS} (RW-85)"
            )
        if elsewhere:
            forts[name] = Fort(seat, elsewhere)
    faces: dict[str, Any] = {"board": _BOARD}
    state = table(
        setup,
        count,
        round=doc.round,
        box=box_from(setup.faces, faces),
        forts=forts,
        middle=CHARACTERS[4],
        innermost=CHARACTERS[4],
    )
    state = msgspec.structs.replace(with_player(state, 0, mp=doc.mp, at=_BESIDE), walk=Walk(0))
    return with_going(with_player(state, 1, at=_ELSEWHERE[1]), 0, points=9)
