"""Judging dice: which throw counts, which does not and why, and what to ask when two witnesses disagree."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable

import msgspec

from companion.kernel import Answer, Question, Rolled, Rolls
from companion.table.observation import DiceSeen
from companion.table.policy import Policy
from companion.table.records import Choice, Doubt
from companion.table.voice import Voice

MOST_ORDERS = 10_000
"""In a domain with more replies than this the order of the dice is not looked for."""

_log = logging.getLogger(__name__)


class Throw(msgspec.Struct, frozen=True):
    """One throw of the dice as the witnesses read it, and the act that it became (None: none yet)."""

    readings: tuple[DiceSeen, ...]
    question: Question
    act: int | None = None


class Throws:
    """Judges one report after the other; remembers the last throw and what keeps dice from counting."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._throw: Throw | None = None
        self._problems: dict[str, str] = {}
        self._remark = ""
        self._dispute: Doubt | None = None

    def notice(self, is_asked: bool) -> str:
        """Return what is to be said about the dice; `is_asked` tells whether a roll is asked for now."""
        problem = next(iter(self._problems.values()), "") if is_asked else ""
        return self._remark or problem

    def settled(self) -> None:
        """The game went on: what was remarked is over."""
        self._remark = ""

    def judge(self, dice: DiceSeen, question: Question | None, policy: Policy) -> Answer | Doubt | None:
        """Return the answer or the doubt that follows from a report, None if it does not count.

        `question` is the open question for a roll.
        """
        if dice.problem or not dice.faces:
            self._problems = {name: says for name, says in self._problems.items() if name != dice.witness}
            if dice.problem:
                self._problems[dice.witness] = dice.problem
                _log.info("%s: the dice do not count: %s", dice.witness, dice.problem)
            return None
        self._problems.pop(dice.witness, None)
        self._remark = ""
        if (throw := self._same_throw(dice, policy)) is not None:
            return self._compare(throw, dice)
        if question is None:
            self._say("roll_unasked", dice, faces=" ".join(dice.faces))
            return None
        self._throw = Throw((dice,), question)
        answer = Answer(question.key, Rolled(_as_asked(dice.faces, question)))
        if dice.confidence >= policy.dice_sure or answer.reply not in question.domain:
            return answer
        faces = " ".join(dice.faces)
        return Doubt(
            self._voice.table("which_dice", faces=faces), (Choice(faces, (answer,)),), dice.evidence, about="dice"
        )

    def became(self, act: int) -> None:
        """The last throw was accepted and is the act with this number."""
        if self._throw is not None:
            self._throw = msgspec.structs.replace(self._throw, act=act)

    def dispute(self, in_force: Callable[[int], bool]) -> Doubt | None:
        """Return what witnesses disagree about although it was accepted already, while the act is in force."""
        if self._dispute is not None and not all(in_force(each.of) for each in self._dispute.choices if each.of):
            self._dispute = None
        return self._dispute

    def agreed(self) -> None:
        """People said what the dice show."""
        self._dispute = None

    def refused(self) -> None:
        """The last throw could not be an answer: whatever comes next is another one."""
        self._throw = None

    def _same_throw(self, dice: DiceSeen, policy: Policy) -> Throw | None:
        """Return the last throw if another witness reports it once more."""
        throw = self._throw
        if throw is None or any(reading.witness == dice.witness for reading in throw.readings):
            return None
        return throw if abs(dice.at - throw.readings[0].at) <= policy.same_throw else None

    def _compare(self, throw: Throw, dice: DiceSeen) -> Doubt | None:
        first = throw.readings[0]
        self._throw = msgspec.structs.replace(throw, readings=(*throw.readings, dice))
        if Counter(first.faces) == Counter(dice.faces):
            return None
        says = {"first": first.witness, "second": dice.witness}
        faces = {"one": " ".join(first.faces), "other": " ".join(dice.faces)}
        reply = Rolled(_as_asked(dice.faces, throw.question))
        if reply not in throw.question.domain:
            self._say("dice_impossible", dice, **says, **faces)
            return None
        _log.warning("the %s saw %s, the %s %s", first.witness, faces["one"], dice.witness, faces["other"])
        to = throw.question.key
        kept = () if throw.act is not None else (Answer(to, Rolled(_as_asked(first.faces, throw.question))),)
        choices = (
            Choice(self._voice.table("dice_by", faces=faces["one"], witness=first.witness), kept),
            Choice(
                self._voice.table("dice_by", faces=faces["other"], witness=dice.witness),
                (Answer(to, reply),),
                of=throw.act,
            ),
        )
        doubt = Doubt(self._voice.table("dice_disagree", **says, **faces), choices, dice.evidence, about="dice")
        if throw.act is not None:
            self._dispute = doubt
        return doubt

    def _say(self, key: str, dice: DiceSeen, **values: str) -> None:
        self._remark = self._voice.table(key, **values)
        _log.warning("%s (%s)", self._remark, dice.evidence or dice.witness)


def _as_asked(faces: tuple[str, ...], question: Question) -> tuple[str, ...]:
    """Return the faces in the order in which the dice are asked for, if they can be told apart or need not be."""
    if isinstance(question.domain, Rolls) and question.domain.alike:
        arranged = question.domain.arranged(faces)
        return faces if arranged is None else arranged.faces
    if Rolled(faces) in question.domain or question.domain.count() > MOST_ORDERS:
        return faces
    wanted = Counter(faces)
    fitting = [reply.faces for reply in question.domain if isinstance(reply, Rolled) and Counter(reply.faces) == wanted]
    return fitting[0] if len(fitting) == 1 else faces
