"""What to ask when a scene has several explanations: one short question, in words people understand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.kernel import Answer, Chosen, Confirmed, Placed, Position, Refusal, advance
from companion.table.looks import Look
from companion.table.policy import Policy
from companion.table.reconcile import Explanation
from companion.table.records import Choice, Doubt
from companion.table.voice import Voice

FEW = 3
"""So many empty places are no longer somebody's hand that only looks at a card."""


def doubt_about(
    explanations: Sequence[Explanation],
    looks: Mapping[str, Look],
    differs: Sequence[str],
    position: Position,
    voice: Voice,
    policy: Policy,
) -> Doubt:
    """Return the question that settles which of the explanations of a scene holds, the likeliest first.

    `position` is the one in force; the answers of the explanations start from it.
    """
    likely = sorted(explanations, key=lambda each: _likelihood(each, looks), reverse=True)[: policy.candidates]
    first, last = _alike([each.answers for each in likely])
    choices = tuple(
        Choice(in_words(position, each.answers, voice, first, last), each.answers, each.awaited) for each in likely
    )
    places = voice.places(differs)
    only_pieces = len(differs) == 1 and all(len(e.answers) == 1 and _is_placed(e.answers[0]) for e in likely)
    if differs and all(looks[slot].between for slot in differs) and all(len(each.answers) == 1 for each in likely):
        key = "where_stands"
    elif only_pieces and likely[0].answers[0].to == likely[-1].answers[0].to:
        key = "which_card"
    else:
        key = "what_happened"
    evidence = next((looks[slot].digest for slot in differs), "")
    return Doubt(voice.table(key, slots=places), choices, evidence, tuple(differs))


def still_asked(old: Doubt | None, new: Doubt, explanations: Sequence[Explanation]) -> bool:
    """Return whether the doubt on the screen may stay as it is.

    It may while each of its choices still explains the table and none has become likelier than all of
    them, so that a finger on its way to a choice meets that choice.
    """
    if old is None or old.about != new.about or old.slots != new.slots:
        return False
    possible = [explanation.answers for explanation in explanations]
    offered = [choice.answers for choice in old.choices]
    return all(answers in possible for answers in offered) and new.choices[0].answers in offered


def in_words(position: Position, answers: Sequence[Answer], voice: Voice, first: int = 0, last: int = 0) -> str:
    """Return what a chain of answers says, as one sentence without a full stop.

    The `first` and the `last` so many of them go without saying, because all choices begin or end so.
    """
    phrases: list[str] = []
    at = position
    for answer in answers:
        asked = next((question for question in at.questions if question.key == answer.to), None)
        after = advance(at, answer)
        if asked is None or isinstance(after, Refusal):
            break
        phrases.append(voice.did(asked, answer.reply))
        at = after
    return voice.table("then").join(phrases[first : len(phrases) - last])


def same_in_the_end(explanations: Sequence[Explanation]) -> bool:
    """Return whether they differ only in what is still offered, now or once the offers have lapsed."""
    first = explanations[0].position
    return all(
        each.position.state == first.state or lapsed(each.position).same_table(lapsed(first))
        for each in explanations[1:]
    )


def against_the_picture(explanation: Explanation, looks: Mapping[str, Look]) -> bool:
    """Return whether the rules would have to overrule the best reading of a picture."""
    return any(
        slot in looks and looks[slot].pieces and piece != looks[slot].pieces[0]
        for slot, piece in _laid(explanation).items()
    )


def is_weak(explanation: Explanation, looks: Mapping[str, Look], differs: Sequence[str]) -> bool:
    """Return whether it would have people confirm something on the evidence of a lifted card or two, or choose.

    A card in its new place says that the table went on; an empty place may be a hand that only looks. What
    somebody chose, and perhaps paid for, is more than a turned disc tells.
    """
    if any(isinstance(answer.reply, Chosen) for answer in explanation.answers):
        return True
    confirms = any(isinstance(answer.reply, Confirmed) for answer in explanation.answers)
    return confirms and len(differs) < FEW and all(looks[slot].is_empty for slot in differs)


def _laid(explanation: Explanation) -> dict[str, str]:
    """Return which piece an explanation lays into which slot; on a card that was covered only the upper one."""
    replies = (answer.reply for answer in explanation.answers)
    return {reply.slot: reply.piece for reply in replies if isinstance(reply, Placed)}


def _alike(chains: Sequence[Sequence[Answer]]) -> tuple[int, int]:
    """Return how many answers all chains begin with alike, and end with; something is left of each."""
    if len(chains) < 2:
        return 0, 0
    most = min(len(chain) for chain in chains) - 1
    first = next((n for n in range(most) if len({chain[n] for chain in chains}) > 1), max(most, 0))
    last = next((n for n in range(most - first) if len({chain[-1 - n] for chain in chains}) > 1), max(most - first, 0))
    return first, last


def _is_placed(answer: Answer) -> bool:
    return isinstance(answer.reply, Placed)


def lapsed(position: Position) -> Position:
    """Return the position once nobody uses the standing offers."""
    while position.lapsed is not None:
        position = position.lapsed
    return position


def _likelihood(explanation: Explanation, looks: Mapping[str, Look]) -> tuple[float, int]:
    """Rank by the picture first: pieces that it ranks higher; then by fewer answers."""
    score = 0.0
    for slot, piece in _laid(explanation).items():
        if (look := looks.get(slot)) and look.pieces:
            score -= look.pieces.index(piece) if piece in look.pieces else len(look.pieces)
    return score, -len(explanation.answers)
