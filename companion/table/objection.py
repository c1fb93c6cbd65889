"""Why a scene cannot be: what lies there, what was expected, and the article that forbids it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.kernel import Answer, Game, Lying, Placed, Position, Refusal, advance, cite, refuse
from companion.table.looks import Look
from companion.table.reconcile import is_seen
from companion.table.voice import Voice

_INVENTORY = cite("table/inventory")
_CAMERA = cite("table/camera")
_QUESTION = cite("table/question")


def object_to(
    game: Game, voice: Voice, position: Position, looks: Mapping[str, Look], differs: Sequence[str]
) -> tuple[Refusal, str]:
    """Return the reason against what lies in the differing slots, as refusal and sentence."""
    due = position.question
    if due is not None and not is_seen(game, due):
        first = refuse(_QUESTION, "table.first_answer", ask=voice.say(due.text), slots=voice.places(differs))
        return first, voice.refuse(first)
    scene = game.scene(position.state)
    reasons = [_reason(game, position, looks, slot, scene) for slot in differs]
    # A piece that no rule lets lie there says more than the slots it left or turned on the way.
    reasons.sort(key=lambda refusal: refusal.text.key.startswith("table."))
    return reasons[0], voice.refuse(reasons[0])


def too_much(voice: Voice, differs: Sequence[str]) -> tuple[Refusal, str]:
    """Return that more has changed than can be told apart from one look."""
    refusal = refuse(_CAMERA, "table.too_much", slots=voice.places(differs))
    return refusal, voice.refuse(refusal)


def _reason(
    game: Game, position: Position, looks: Mapping[str, Look], slot: str, scene: Mapping[str, Lying]
) -> Refusal:
    look, expected = looks[slot], scene.get(slot)
    if look.stranger:
        return refuse(game.forbids("stranger", slot), "table.stranger", slot=slot)
    if look.is_empty:
        piece = expected.piece if expected is not None else ""
        return refuse(game.forbids("gone", slot), "table.gone", slot=slot, piece=piece)
    piece = look.pieces[0]
    if (twin := _twin(looks, slot, piece)) is not None:
        return refuse(_INVENTORY, "table.twice", piece=piece, start=twin, slot=slot)
    if expected is not None and expected.piece == piece:
        at = _positions(game, slot, look.between or (look.turn or 0,))
        wanted = _positions(game, slot, sorted(expected.turns))
        return refuse(game.forbids("turned", slot), "table.turned", slot=slot, piece=piece, at=at, wanted=wanted)
    elsewhere = next((at for at, lying in scene.items() if lying.piece == piece), None)
    if elsewhere is not None and elsewhere != slot:
        return refuse(game.forbids("moved", slot), "table.moved", slot=slot, piece=piece, start=elsewhere)
    for question in position.questions:
        if question.kind == "place":
            outcome = advance(position, Answer(question.key, Placed(piece, slot, look.turn)))
            if isinstance(outcome, Refusal):
                return outcome
    if expected is not None:
        return refuse(game.forbids("appeared", slot), "table.replaced", slot=slot, piece=piece, expected=expected.piece)
    return refuse(game.forbids("appeared", slot), "table.appeared", slot=slot, piece=piece)


def _positions(game: Game, slot: str, turns: Sequence[int]) -> str:
    """Return what the positions of a disc are called; of a card the quarter turns."""
    names = game.disc_positions if slot in dict(game.discs) else ()
    return " / ".join(names[turn] if turn < len(names) else str(turn) for turn in turns)


def _twin(looks: Mapping[str, Look], slot: str, piece: str) -> str | None:
    """Return another slot in which the same piece is seen without doubt."""
    return next((at for at, look in looks.items() if at != slot and look.pieces == (piece,)), None)
