"""Judging what the camera sees: what was done, what is open, what to ask, what cannot be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.kernel import Answer, Game, Position, Refusal
from companion.kernel.questions import slots_of
from companion.table.asking import against_the_picture, doubt_about, is_weak, same_in_the_end, still_asked
from companion.table.looks import Look
from companion.table.objection import object_to, too_much
from companion.table.observation import Scene
from companion.table.policy import Policy
from companion.table.reconcile import Awaited, Explanation, Reconciled, reconcile
from companion.table.records import Doubt, Provenance
from companion.table.voice import Voice


class Alarm(msgspec.Struct, frozen=True):
    """Something does not fit: a sentence (empty if all is well), and the refusal behind it."""

    says: str
    refusal: Refusal | None = None


QUIET = Alarm("")


class Ground(msgspec.Struct, frozen=True):
    """What is known before a scene: the position in force, what is open since, where hands must follow.

    `written` is the number of entries in the journal; `doubt` is what is being asked already.
    """

    position: Position
    held: tuple[Explanation, ...]
    awaited: Awaited
    written: int
    doubt: Doubt | None


class Judgement(msgspec.Struct, frozen=True):
    """What follows from a scene.

    `understood` tells that the scene is explained: `answers` were given, with what makes them
    believed, and `held` stays open. Otherwise `doubt` is to be asked (`is_new` if not before).
    """

    alarm: Alarm
    understood: bool = False
    answers: tuple[tuple[Answer, Provenance], ...] = ()
    held: tuple[Explanation, ...] = ()
    doubt: Doubt | None = None
    is_new: bool = False


_Question = tuple[int, tuple[str, ...]]
"""Two doubts are the same question if nothing was written in between and they concern the same slots."""


class Sight:
    """Judges one scene after the other; remembers how long something has been odd and what was asked."""

    def __init__(self, game: Game, voice: Voice, policy: Policy) -> None:
        self._game, self._voice, self.policy = game, voice, policy
        self._odd: tuple[tuple[str, ...], float] = ((), 0.0)
        self._asked: _Question | None = None
        self._declined: _Question | None = None
        self._known: tuple[tuple[object, ...], Ground, Reconciled] | None = None

    def settled(self) -> None:
        """Something was accepted: whatever is asked from now on is another question."""
        self._asked = self._declined = None

    def decline(self, doubt: Doubt, written: int) -> Alarm:
        """None of a doubt's choices is right: people must say it by hand; the same is not asked again."""
        self._declined = (written, doubt.slots)
        return self._declined_alarm(doubt.slots)

    def judge(self, scene: Scene, looks: Mapping[str, Look], ground: Ground) -> Judgement:
        """Return what follows from a scene in which the table lies still."""
        found = self._reconciled(looks, ground)
        explanations = found.explanations
        if any(is_weak(each, looks, found.differs) for each in explanations):
            # The table may have gone on, or somebody holds a card: give hands their time, then ask.
            if self._lasts(found.differs, scene.at):
                return self._ask(scene, looks, ground, found)
            return Judgement(Alarm(scene.problem))
        if not explanations:
            return self._cannot_explain(scene, looks, ground, found)
        if not found.exhausted and len(explanations) == 1 and not against_the_picture(explanations[0], looks):
            return self._understood(scene, looks, explanations[0].answers, differs=found.differs)
        if not found.exhausted and len(explanations) > 1 and same_in_the_end(explanations):
            return self._hold(scene, looks, explanations, found.differs)
        return self._ask(scene, looks, ground, found)

    def _reconciled(self, looks: Mapping[str, Look], ground: Ground) -> Reconciled:
        """Return what explains the looks; a table that lies as it lay is not thought about twice."""
        seen = tuple(look.essence for look in looks.values())
        if self._known is not None and self._known[0] == seen and _alike(self._known[1], ground):
            return self._known[2]
        start = ground.held or (Explanation((), ground.position, ground.awaited),)
        found = reconcile(self._game, start, looks, self.policy.search_nodes)
        if found.exhausted:
            # A turn of two cards with three rotations each; the table lies still, so there is time to think.
            found = reconcile(self._game, start, looks, self.policy.deep_nodes)
        self._known = (seen, ground, found)
        return found

    def _understood(
        self,
        scene: Scene,
        looks: Mapping[str, Look],
        answers: Sequence[Answer],
        held: tuple[Explanation, ...] = (),
        differs: Sequence[str] = (),
    ) -> Judgement:
        """The table is understood; what is left to say are cards that lie badly."""
        self.settled()
        askew = tuple(slot for slot, look in looks.items() if look.askew)
        says = scene.problem
        if self._lasts(askew, scene.at) and not says:
            says = self._voice.table("askew", slots=self._voice.places(askew))
        return Judgement(Alarm(says), True, witnessed(scene, looks, answers, differs), held)

    def _hold(
        self, scene: Scene, looks: Mapping[str, Look], explanations: Sequence[Explanation], differs: Sequence[str]
    ) -> Judgement:
        """Accept what all explanations agree on and keep the rest open: the next act will settle it.

        They come to the same as soon as the standing offers lapse, so nobody need be asked. If it must be
        decided before, the one that leaves people most of their rights comes first.
        """
        explanations = sorted(explanations, key=lambda each: -len(each.position.offers))
        shared: list[Answer] = []
        for answers in zip(*(explanation.answers for explanation in explanations), strict=False):
            if any(answer != answers[0] for answer in answers):
                break
            shared.append(answers[0])
        held = tuple(each.without(len(shared)) for each in explanations)
        return self._understood(scene, looks, shared, held, differs)

    def _lasts(self, slots: tuple[str, ...], at: float) -> bool:
        """Return whether something has been odd in just these slots for longer than hands need."""
        if not slots or self._odd[0] != slots:
            self._odd = (slots, at)
        return bool(slots) and at - self._odd[1] >= self.policy.patience

    def _cannot_explain(self, scene: Scene, looks: Mapping[str, Look], ground: Ground, found: Reconciled) -> Judgement:
        """Nothing legal leads to what lies there. Hands may still be busy, so say it after a while."""
        if not self._lasts(found.differs, scene.at):
            return Judgement(Alarm(scene.problem))
        if found.exhausted:
            refusal, says = too_much(self._voice, found.differs)
        else:
            base = ground.held[0].position if ground.held else ground.position
            refusal, says = object_to(self._game, self._voice, base, looks, found.differs)
        return Judgement(Alarm(f"{scene.problem}. {says}" if scene.problem else says, refusal))

    def _ask(self, scene: Scene, looks: Mapping[str, Look], ground: Ground, found: Reconciled) -> Judgement:
        question = (ground.written, found.differs)
        if question == self._declined:
            return Judgement(self._declined_alarm(found.differs))
        doubt = doubt_about(found.explanations, looks, found.differs, ground.position, self._voice, self.policy)
        if ground.doubt is not None and still_asked(ground.doubt, doubt, found.explanations):
            doubt = ground.doubt
        is_new, self._asked = question != self._asked, question
        return Judgement(Alarm(scene.problem), doubt=doubt, is_new=is_new)

    def _declined_alarm(self, slots: Sequence[str]) -> Alarm:
        return Alarm(self._voice.table("declined", slots=self._voice.places(slots)))


def witnessed(
    scene: Scene, looks: Mapping[str, Look], answers: Sequence[Answer], differs: Sequence[str] = ()
) -> tuple[tuple[Answer, Provenance], ...]:
    """Return answers with what makes them believed: the least sure look and the evidence of their own slots.

    Replies that name no slot are believed by those of the others, or by what was seen to differ.
    """
    everywhere = [slot for answer in answers for slot in slots_of(answer.reply)] or differs
    pairs: list[tuple[Answer, Provenance]] = []
    for answer in answers:
        seen = [looks[slot] for slot in slots_of(answer.reply) or everywhere if slot in looks]
        confidence = min((look.confidence for look in seen), default=1.0)
        digest = next((look.digest for look in seen), "")
        pairs.append((answer, Provenance("camera", scene.witness, None, max(0.0, min(1.0, confidence)), digest)))
    return tuple(pairs)


def _alike(one: Ground, other: Ground) -> bool:
    return one.position is other.position and one.held == other.held and one.awaited == other.awaited
