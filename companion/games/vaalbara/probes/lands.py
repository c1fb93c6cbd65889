"""What a land brings: in one land action, in several, and in a Pioneer's trade."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.vaalbara.probes.running import gained, points_of, run, taken
from companion.games.vaalbara.probes.tables import character_with, key_of, need_initiative, seat_of, table
from companion.games.vaalbara.state import Continent
from companion.games.vaalbara.stated import LandDocument, LandOf, PioneerDocument, SequenceDocument
from companion.games.vaalbara.steps.characters import CharacterAction
from companion.kernel import Chosen, Finding, NotationError, Reply, Revealed, Setup


def land(doc: LandDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    seat, played = seat_of(doc.active, setup), [None] * len(setup.seats)
    state = table(setup, doc.kingdoms)
    need_initiative((doc.take,), doc.initiative, doc.character)
    name, box = character_with(state.box, doc.character, doc.initiative or 0)
    state = replace(state, box=box, played=tuple(name if s == seat else each for s, each in enumerate(played)))
    after = taken(replace(state, order=(seat,)), doc.take)
    reward = points_of(after) - sum(gained(after, seat, ("carpenter",)))
    is_guessed = doc.character is None and name == "farmer"
    assumed = (f"the initiative {doc.initiative} is that of the {name} (VB-Q15)",) if is_guessed else ()
    return Finding({"reward": reward}, after.told, assumed=assumed)


def land_sequence(doc: SequenceDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    seat = seat_of(doc.active, setup)
    state = table(setup, doc.kingdoms)
    need_initiative(doc.takes, doc.initiative)
    # Several rounds, so no one character: only its number is known, and nothing is doubled.
    name, box = character_with(state.box, "anybody", doc.initiative or 0)
    nobody = (None,) * len(setup.seats)
    state = replace(state, box=box, played=(*nobody[:seat], name, *nobody[seat + 1 :]), order=(seat,))
    rewards: list[int] = []
    told: list[Any] = []
    for number, land in enumerate(doc.takes):
        after = taken(state, land, f"{number}")
        rewards.append(points_of(after))
        told += after.told
        state = after.state
    return Finding({"rewards": rewards}, tuple(told))


def pioneer(doc: PioneerDocument, moves: list[Any], asks: tuple[str, ...], setup: Setup) -> Finding:
    seat = seat_of(doc.active, setup)
    state = table(setup, doc.kingdoms)
    name, box = character_with(state.box, "pioneer", doc.initiative)
    played = tuple(name if each == seat else None for each in range(len(setup.seats)))
    state = replace(state, box=box, played=played, order=(seat,))
    at = run(state, (CharacterAction(),), pioneers(state, seat, doc.give, doc.get))
    return Finding({"reward": points_of(at), "lands": len(at.state.kingdoms[seat])}, at.told, open=at.question)


def pioneers(state: Continent, seat: int, give: LandOf, get: LandOf) -> dict[str, list[Reply]]:
    own = [key for key in state.kingdoms[seat] if state.box.known(key).type == give.type]
    if not own:
        raise NotationError(f"give: there is no {give.type} in the kingdom to give")
    return {"pioneer": [Chosen((own[0],))], "bottom": [Revealed((key_of(get),))]}
