"""What to ask when a scene has several explanations: one short question, in words people understand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.kernel import Answer, Placed, Position, Refusal, advance
from companion.table.looks import Look
from companion.table.policy import Policy
from companion.table.reconcile import Explanation
from companion.table.records import Choice, Doubt
from companion.table.voice import Voice


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
    shared = _shared([each.answers for each in likely]) if len(likely) > 1 else ()
    choices = tuple(
        Choice(in_words(position, each.answers, voice, shared), each.answers, each.awaited) for each in likely
    )
    places = ", ".join(differs)
    only_pieces = len(differs) == 1 and all(len(e.answers) == 1 and _is_placed(e.answers[0]) for e in likely)
    key = "which_card" if only_pieces and likely[0].answers[0].to == likely[-1].answers[0].to else "what_happened"
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


def in_words(position: Position, answers: Sequence[Answer], voice: Voice, shared: Sequence[Answer] = ()) -> str:
    """Return what a chain of answers says, as one sentence without a full stop.

    Answers that all choices share go without saying, unless nothing else is left.
    """
    spoken = [answer for answer in answers if answer not in shared] or list(answers)
    phrases: list[str] = []
    at = position
    for answer in answers:
        asked = next((question for question in at.questions if question.key == answer.to), None)
        after = advance(at, answer)
        if asked is None or isinstance(after, Refusal):
            break
        if answer in spoken:
            phrases.append(voice.did(asked, answer.reply))
        at = after
    return voice.table("then").join(phrases)


def same_in_the_end(explanations: Sequence[Explanation]) -> bool:
    """Return whether they differ only in what is still offered, now or once the offers have lapsed."""
    first = explanations[0].position
    return all(
        each.position.state == first.state or lapsed(each.position).same_table(lapsed(first))
        for each in explanations[1:]
    )


def against_the_picture(explanation: Explanation, looks: Mapping[str, Look]) -> bool:
    """Return whether the rules would have to overrule the best reading of a picture."""
    for answer in explanation.answers:
        if isinstance(answer.reply, Placed):
            look = looks.get(answer.reply.slot)
            if look is not None and look.pieces and answer.reply.piece != look.pieces[0]:
                return True
    return False


def _shared(chains: Sequence[Sequence[Answer]]) -> tuple[Answer, ...]:
    return tuple(answer for answer in chains[0] if all(answer in chain for chain in chains[1:]))


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
    for answer in explanation.answers:
        if isinstance(answer.reply, Placed) and (look := looks.get(answer.reply.slot)) and look.pieces:
            score -= look.pieces.index(answer.reply.piece) if answer.reply.piece in look.pieces else len(look.pieces)
    return score, -len(explanation.answers)
