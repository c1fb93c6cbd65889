"""Why a scene cannot be: what lies there, what was expected, and the article that forbids it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.kernel import Answer, Game, Lying, Placed, Position, Refusal, advance, refuse
from companion.table.looks import Look
from companion.table.voice import Voice


def object_to(
    game: Game, voice: Voice, position: Position, looks: Mapping[str, Look], differs: Sequence[str]
) -> tuple[Refusal | None, str]:
    """Return the reason against what lies in the first differing slot, as refusal and sentence."""
    scene = game.scene(position.state)
    reasons = [_reason(game, position, looks[slot], scene.get(slot), scene) for slot in differs]
    # A piece that no rule lets lie there says more than the slots it left or turned on the way.
    reasons.sort(key=lambda refusal: refusal.text.key.startswith("table."))
    first = reasons[0]
    return first, voice.refuse(first)


def _reason(game: Game, position: Position, look: Look, expected: Lying | None, scene: Mapping[str, Lying]) -> Refusal:
    slot = look.slot
    if look.stranger:
        return refuse(game.forbids("stranger", slot), "table.stranger", slot=slot)
    if look.is_empty:
        piece = expected.piece if expected is not None else ""
        return refuse(game.forbids("gone", slot), "table.gone", slot=slot, piece=piece)
    piece = look.pieces[0]
    if expected is not None and expected.piece == piece:
        return refuse(game.forbids("turned", slot), "table.turned", slot=slot, piece=piece)
    elsewhere = next((at for at, lying in scene.items() if lying.piece == piece), None)
    if elsewhere is not None and elsewhere != slot:
        return refuse(game.forbids("moved", slot), "table.moved", slot=slot, piece=piece, start=elsewhere)
    for question in position.questions:
        if question.kind == "place":
            outcome = advance(position, Answer(question.key, Placed(piece, slot, look.turn)))
            if isinstance(outcome, Refusal):
                return outcome
    return refuse(game.forbids("appeared", slot), "table.appeared", slot=slot, piece=piece)
