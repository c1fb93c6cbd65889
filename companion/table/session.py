"""The referee of one table: observations in, rulings out; no files, threads or clocks of its own.

Whatever the session believes is first written to the store and only then becomes the position; if
the store cannot keep it, nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from companion.journal.entry import (
    FINISHED,
    AnswerEntry,
    CorrectionEntry,
    Entry,
    Header,
    NoteEntry,
    Source,
    UndoEntry,
)
from companion.journal.errors import JournalError
from companion.journal.read import Act, Divergence, effective, replay, undoable
from companion.kernel import (
    Answer,
    Chosen,
    Confirmed,
    Counted,
    Game,
    Lying,
    NotationError,
    OneOf,
    Placed,
    Position,
    Question,
    Refusal,
    Reply,
    Rolled,
    Ruled,
    Text,
    advance,
)
from companion.kernel.questions import slots_of
from companion.notation.reply import format_reply, parse_reply
from companion.table.looks import Look, look_at
from companion.table.objection import object_to
from companion.table.observation import DiceSeen, Observation, Press, Scene, Touch
from companion.table.policy import Policy
from companion.table.ports import Signal
from companion.table.reconcile import Explanation, follow, reconcile
from companion.table.voice import Voice


class Store(Protocol):
    """What keeps the entries: `append` returns the entry's number once it is on disk."""

    def append(self, entry: Entry) -> int: ...


class Refused(msgspec.Struct, frozen=True):
    """An answer that does not fit, in a sentence."""

    says: str


class Provenance(msgspec.Struct, frozen=True):
    """Who said it and how sure that is."""

    source: Source
    witness: str = ""
    seat: int | None = None
    confidence: float = 1.0
    evidence: str = ""


class Done(msgspec.Struct, frozen=True):
    """An act in force: its number in the journal, what it answered, and what it led to."""

    sequence: int
    answer: Answer
    asked: Question
    position: Position


class Choice(msgspec.Struct, frozen=True):
    """Something that can be chosen by one touch: its words and the answers it stands for."""

    says: str
    answers: tuple[Answer, ...]
    awaited: Mapping[str, Lying | None] | None = None


class Doubt(msgspec.Struct, frozen=True):
    """One short question about what was seen, with the likely answers."""

    says: str
    choices: tuple[Choice, ...]
    evidence: str = ""


class Todo(msgspec.Struct, frozen=True):
    """What hands still have to do: a sentence, and the slots in which it will be seen (may be none)."""

    says: str
    slots: tuple[str, ...]


class Tally(msgspec.Struct):
    """How often people had to help."""

    touches: int = 0
    questions: int = 0
    corrections: int = 0


class Session:
    """One game at one table."""

    def __init__(
        self,
        game: Game,
        header: Header,
        open_game: Callable[[Header], Position],
        store: Store,
        voice: Voice,
        entries: Sequence[Entry] = (),
        policy: Policy | None = None,
    ) -> None:
        """Open the game; `entries` of an earlier evening are replayed.

        :raises JournalError: if the header's game cannot be opened.
        """
        self.game, self.header, self.voice = game, header, voice
        self.policy = policy or Policy()
        self.tally = Tally()
        self.doubt: Doubt | None = None
        self.alarm = ""
        self.watching = True
        """False while a hand is in view or things move."""
        self.refusal: tuple[Refusal, str] | None = None
        """The last answer that was refused, with its sentence, until something is accepted."""
        self.scene: Scene | None = None
        self._open_game, self._store = open_game, store
        self._entries: list[Entry] = list(entries)
        self._odd_since: float | None = None
        self._owed: list[Todo] = []
        self.done: list[Done] = []
        self.awaited: dict[str, Lying | None] = {}
        self.held: tuple[Explanation, ...] = ()
        """What may have happened since the last act, where a scene had several explanations."""
        self._rebuild()

    # -- what people see ---------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        return self.done[-1].position if self.done else self._opening

    @property
    def apparent(self) -> Position:
        """The position as the table looks, also where it is still open how it came about."""
        return self.held[0].position if self.held else self.position

    @property
    def question(self) -> Question | None:
        return self.apparent.question

    @property
    def offers(self) -> tuple[Question, ...]:
        return self.apparent.offers

    @property
    def ruling(self) -> tuple[Ruled, ...]:
        """The effects of the last act, each with its articles."""
        return self.done[-1].position.told if self.done else self._opening.told

    @property
    def todo(self) -> tuple[str, ...]:
        """What hands still have to do, in sentences."""
        return tuple(owed.says for owed in self._owed if not owed.slots or any(s in self.awaited for s in owed.slots))

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def undoes(self) -> str:
        """What undo would take back, in words; empty if there is nothing."""
        return self.describe(self.done[-1]) if self.done else ""

    def describe(self, act: Done) -> str:
        """Return an act in words: its first effect, which is what people saw."""
        told = act.position.told
        shown = [ruled for ruled in told if set(self._touched(ruled)) & set(slots_of(act.answer.reply))] or told
        return self.voice.tell(shown[0].effect) if shown else f"{act.asked.key}: {format_reply(act.answer.reply)}"

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What one touch can answer now: the doubt, or else the questions that need no piece."""
        if self.doubt is not None:
            return self.doubt.choices
        choices: list[Choice] = []
        for question in self.apparent.questions:
            if question.kind in ("confirm", "choose", "count"):
                for reply in question.domain:
                    if isinstance(reply, Confirmed) and not reply.yes and question.domain.count() == 1:
                        continue
                    choices.append(Choice(self._choice(question, reply), (Answer(question.key, reply),)))
        return tuple(choices)

    def _choice(self, question: Question, reply: Reply) -> str:
        match reply:
            case Confirmed(yes=yes):
                return self.voice.say(question.text) if question in self.offers else ("Yes" if yes else "No")
            case Chosen(picks=picks):
                return " + ".join(picks)
            case Counted(number=number):
                return str(number)
            case _:
                return format_reply(reply)

    @property
    def signal(self) -> Signal:
        """What lamps should say now."""
        question = self.question
        seat = None if question is None else question.seat
        asked = next((offer.seat for offer in self.offers if offer.kind == "confirm"), None)
        return Signal(seat, asked, bool(self.alarm) or self.doubt is not None, self.is_over)

    # -- observations ------------------------------------------------------------------------------

    def observe(self, observation: Observation) -> None:
        """Take in what a witness saw."""
        match observation:
            case Scene():
                self._see(observation)
            case Press():
                self._press(observation)
            case DiceSeen():
                self._dice(observation)
            case Touch():
                self._touch(observation)

    def _see(self, scene: Scene) -> None:
        self.watching = scene.steady and not scene.hand
        if not self.watching:
            self.alarm = scene.problem
            return
        if scene.problem and not scene.sightings:
            self.alarm = scene.problem
            return
        self.scene = scene
        self._explain(scene)

    def _explain(self, scene: Scene) -> None:
        looks = look_at(scene, self.policy)
        start = self.held or (Explanation((), self.position, self.awaited),)
        found = reconcile(self.game, start, looks, self.policy.search_nodes)
        self.doubt = None
        explanations = found.explanations
        if not explanations or found.exhausted:
            self._cannot_explain(scene, looks, found.differs)
        elif len(explanations) == 1:
            if self._against_the_picture(explanations[0], looks):
                self._ask(explanations, looks, found.differs)
            else:
                self._adopt(explanations[0], scene, looks)
        elif _same_in_the_end(explanations):
            self._hold(explanations, scene, looks)
        else:
            self._ask(explanations, looks, found.differs)

    def _calm(self, awaited: Mapping[str, Lying | None]) -> None:
        self.alarm, self._odd_since = "", None
        self.awaited = dict(awaited)

    def _against_the_picture(self, explanation: Explanation, looks: Mapping[str, Look]) -> bool:
        """Return whether the rules would have to overrule the best reading of a picture."""
        for answer in explanation.answers:
            if isinstance(answer.reply, Placed):
                look = looks.get(answer.reply.slot)
                if look is not None and look.pieces and answer.reply.piece != look.pieces[0]:
                    return True
        return False

    def _adopt(self, explanation: Explanation, scene: Scene, looks: Mapping[str, Look]) -> None:
        self.held = ()
        if self._accept(explanation.answers, self._seen(scene, looks, explanation.answers)):
            self._calm(explanation.awaited)

    def _hold(self, explanations: Sequence[Explanation], scene: Scene, looks: Mapping[str, Look]) -> None:
        """Accept what all explanations agree on and keep the rest open: the next act will settle it.

        They come to the same as soon as the standing offers lapse, so nobody need be asked.
        """
        shared: list[Answer] = []
        for answers in zip(*(explanation.answers for explanation in explanations), strict=False):
            if any(answer != answers[0] for answer in answers):
                break
            shared.append(answers[0])
        self.held = ()
        if self._accept(tuple(shared), self._seen(scene, looks, tuple(shared))):
            self.held = tuple(
                msgspec.structs.replace(each, answers=each.answers[len(shared) :]) for each in explanations
            )
            self.alarm, self._odd_since = "", None

    def _settle_held(self, to: str, how: Provenance) -> None:
        """Decide for the first of the held explanations in which the question `to` is open."""
        held, self.held = self.held, ()
        for explanation in held:
            if any(question.key == to for question in explanation.position.questions):
                if self._accept(explanation.answers, msgspec.structs.replace(how, source="camera")):
                    self.awaited = dict(explanation.awaited)
                return

    def _seen(self, scene: Scene, looks: Mapping[str, Look], answers: Sequence[Answer]) -> Provenance:
        slots = {slot for answer in answers for slot in slots_of(answer.reply)}
        seen = [looks[slot] for slot in slots if slot in looks]
        confidence = min((look.confidence for look in seen), default=1.0)
        return Provenance("camera", scene.witness, None, max(0.0, min(1.0, confidence)), seen[0].digest if seen else "")

    def _ask(self, explanations: Sequence[Explanation], looks: Mapping[str, Look], differs: Sequence[str]) -> None:
        likely = sorted(explanations, key=lambda each: _likelihood(each, looks), reverse=True)[: self.policy.candidates]
        choices = tuple(Choice(self._in_words(each.answers), each.answers, each.awaited) for each in likely)
        slots = ", ".join(differs)
        self.doubt = Doubt(f"What happened in {slots}?", choices, looks[differs[0]].digest)
        self.tally.questions += 1

    def _in_words(self, answers: Sequence[Answer]) -> str:
        return "; ".join(f"{answer.to}: {format_reply(answer.reply)}" for answer in answers)

    def _cannot_explain(self, scene: Scene, looks: Mapping[str, Look], differs: Sequence[str]) -> None:
        """Nothing legal leads to what lies there. Hands may still be busy, so say it after a while."""
        if self._odd_since is None:
            self._odd_since = scene.at
        if scene.at - self._odd_since >= self.policy.patience:
            refusal, says = object_to(self.game, self.voice, self.position, looks, differs)
            self.refusal = (refusal, says) if refusal else None
            self.alarm = scene.problem or says

    def _press(self, press: Press) -> None:
        how = Provenance("button", press.witness, press.seat, 1.0, press.evidence)
        if press.button == "undo":
            self.undo(how)
            return
        if self.doubt is not None and press.button in ("yes", "no"):
            if press.button == "yes":
                self._choose(0, how)
            else:
                self.doubt = None
            return
        yes = press.button in ("yes", "done")
        for question in self.apparent.questions:
            mine = question.seat is None or press.seat is None or question.seat == press.seat
            if question.kind == "confirm" and mine and (press.button != "done" or question.seat is None):
                self._settle_held(question.key, how)
                self._accept((Answer(question.key, Confirmed(yes)),), how)
                return

    def _dice(self, dice: DiceSeen) -> None:
        how = Provenance("dice", dice.witness, None, dice.confidence, dice.evidence)
        for question in self.apparent.questions:
            if question.kind == "roll":
                self._settle_held(question.key, how)
                self._accept((Answer(question.key, Rolled(dice.faces)),), how)
                return

    def _touch(self, touch: Touch) -> None:
        self.tally.touches += 1
        how = Provenance("touch", touch.witness)
        if touch.choice is not None:
            self._choose(touch.choice, how)
            return
        self._settle_held(touch.to, how)
        answer = self.read_answer(self.position, touch.to, touch.reply)
        if isinstance(answer, Refused):
            self.alarm = answer.says
            return
        if self._accept((answer,), how):
            self._hands_follow(answer)

    def _choose(self, number: int, how: Provenance) -> None:
        choices = self.choices
        if not 0 <= number < len(choices):
            return
        choice, doubt = choices[number], self.doubt
        if doubt is not None:
            how = msgspec.structs.replace(how, evidence=doubt.evidence)
        self.doubt = None
        if doubt is None:
            self._settle_held(choice.answers[0].to, how)
        else:
            self.held = ()
        if self._accept(choice.answers, how) and choice.awaited is not None:
            self._calm(choice.awaited)

    def _hands_follow(self, answer: Answer) -> None:
        """What was entered by hand lies on the table already, or will in a moment: do not object to it."""
        for slot in slots_of(answer.reply):
            self.awaited.setdefault(slot, None)

    # -- accepting ---------------------------------------------------------------------------------

    def read_answer(self, position: Position, to: str, reply: str) -> Answer | Refused:
        """Return the answer that `reply` in notation gives to the question `to` of a position."""
        for question in position.questions:
            if question.key == to:
                try:
                    return Answer(to, parse_reply(question.kind, reply))
                except NotationError as error:
                    return Refused(f"{error}. Nothing was changed.")
        asked = ", ".join(question.key for question in position.questions) or "nothing"
        return Refused(f"'{to}' is not asked now; open: {asked}. Nothing was changed.")

    def _accept(self, answers: Sequence[Answer], how: Provenance) -> bool:
        """Write the answers down one by one and go on from there; False if one could not be."""
        for answer in answers:
            before = self.position
            after = advance(before, answer)
            if isinstance(after, Refusal):
                self.refusal = (after, self.voice.refuse(after))
                self.alarm = self.refusal[1]
                return False
            asked = next(question for question in before.questions if question.key == answer.to)
            entry = AnswerEntry(
                to=answer.to,
                reply=format_reply(answer.reply),
                seat=how.seat if how.seat is not None else asked.seat,
                source=how.source,
                witness=how.witness,
                confidence=how.confidence,
                evidence=how.evidence,
            )
            sequence = self._keep(entry)
            if sequence is None:
                return False
            self._went_on(Done(sequence, answer, asked, after), before)
        return True

    def _went_on(self, done: Done, before: Position) -> None:
        self.done.append(done)
        self.refusal, self.alarm = None, ""
        self.awaited = dict(follow(self.game, self.awaited, before, done.position, done.answer.reply))
        own = slots_of(done.answer.reply)
        self._owed = [owed for owed in self._owed if owed.slots and any(slot in self.awaited for slot in owed.slots)]
        for ruled in done.position.told:
            owed = self.game.owed(ruled.effect)
            if owed is not None and not (owed.slots and set(owed.slots) <= set(own)):
                self._owed.append(Todo(self.voice.owed(ruled.effect), owed.slots))
        if done.position.is_over:
            self._keep(NoteEntry(text="the game ended", kind=FINISHED, source="companion"))

    def _keep(self, entry: Entry) -> int | None:
        try:
            sequence = self._store.append(entry)
        except JournalError as error:
            self.alarm = str(error)
            return None
        self._entries.append(entry)
        return sequence

    # -- undo and correction -----------------------------------------------------------------------

    def undo(self, how: Provenance) -> bool:
        """Take the last act back; False if there is none or it cannot be written down."""
        last = undoable(self._entries)
        if last is None or self._keep(_undo(last, how)) is None:
            return False
        self._look_changed(self._rebuild)
        return True

    def preview(self, sequence: int, reply: str) -> Position | Divergence | Refused:
        """Return the position that correcting an act would lead to, or what stands against it.

        A `Divergence` names the first later entry that would no longer fit.
        """
        done = next((each for each in self.done if each.sequence == sequence), None)
        if done is None:
            return Refused(f"entry {sequence} is no act in force; nothing was changed.")
        entry = CorrectionEntry(of=sequence, to=done.answer.to, reply=reply, source="touch")
        acts = effective((*self._entries, entry))
        corrected = replay(self.header, acts, self._open, self._advance)
        if corrected.divergence is None:
            return corrected.position
        if corrected.divergence.sequence == sequence:
            return Refused(corrected.divergence.says)
        return corrected.divergence

    def correct(self, sequence: int, reply: str, how: Provenance, take_back: bool = False) -> str:
        """Correct an act; return a sentence why not, or an empty string when it is done.

        If a later entry no longer fits, nothing is changed unless `take_back`: then it and all that
        came after are undone first.
        """
        outcome = self.preview(sequence, reply)
        if isinstance(outcome, Refused):
            return outcome.says
        if isinstance(outcome, Divergence):
            if not take_back:
                return f"Entry {outcome.sequence} would no longer fit: {outcome.says}"
            for act in reversed([act for act in effective(self._entries) if act.sequence >= outcome.sequence]):
                if self._keep(_undo(act.by, how)) is None:
                    return self.alarm
        done = next(each for each in self.done if each.sequence == sequence)
        entry = CorrectionEntry(
            of=sequence, to=done.answer.to, reply=reply, seat=how.seat, source=how.source, witness=how.witness
        )
        if self._keep(entry) is None:
            return self.alarm
        self.tally.corrections += 1
        self._look_changed(self._rebuild)
        return ""

    def _look_changed(self, change: Callable[[], None]) -> None:
        """Carry out a change of the past; where the table now differs, hands have to follow."""
        before = self.game.scene(self.position.state)
        change()
        after = self.game.scene(self.position.state)
        changed = tuple(sorted(slot for slot in {*before, *after} if before.get(slot) != after.get(slot)))
        self.awaited.update({slot: before.get(slot) for slot in changed})
        if changed:
            self._owed.append(Todo(self.voice.say(Text("table.put_back", (("slots", ", ".join(changed)),))), changed))

    def _rebuild(self) -> None:
        """Play the journal again from its first entry."""
        acts = effective(self._entries)
        played = replay(self.header, acts, self._open, self._advance)
        self._opening: Position = played.positions[0]
        self.done, self.awaited, self._owed, self.held = [], {}, [], ()
        self.alarm, self.doubt, self.refusal = "", None, None
        reached = dict(zip(played.numbers, played.positions, strict=True))
        for act in acts:
            if (position := reached.get(act.sequence)) is not None:
                before = self.position
                self.done.append(self._again(act, before, position))
                self.awaited = dict(follow(self.game, self.awaited, before, position, self.done[-1].answer.reply))
        if played.divergence is not None:
            self.alarm = f"Entry {played.divergence.sequence} does not fit: {played.divergence.says}"

    def _again(self, act: Act, before: Position, position: Position) -> Done:
        entry = act.entry
        if isinstance(entry, (AnswerEntry, CorrectionEntry)):
            answer = self.read_answer(before, entry.to, entry.reply)
            asked = next((question for question in before.questions if question.key == entry.to), None)
            if isinstance(answer, Answer) and asked is not None:
                return Done(act.sequence, answer, asked, position)
        declared = Question("declaration", "confirm", None, OneOf(()), (), Text("table.declared"))
        return Done(act.sequence, Answer("declaration", Confirmed()), declared, position)

    def _open(self, header: Header) -> Position:
        return self._open_game(header)

    def _advance(self, position: Position, to: str, reply: str) -> Position | Refused:
        answer = self.read_answer(position, to, reply)
        if isinstance(answer, Refused):
            return answer
        after = advance(position, answer)
        return Refused(self.voice.refuse(after)) if isinstance(after, Refusal) else after

    def _touched(self, ruled: Ruled) -> tuple[str, ...]:
        return self.game.touched(ruled.effect)


def _undo(of: int, how: Provenance) -> UndoEntry:
    return UndoEntry(of=of, seat=how.seat, source=how.source, witness=how.witness, evidence=how.evidence)


def _same_in_the_end(explanations: Sequence[Explanation]) -> bool:
    """Return whether they differ only in what is still offered, now or once the offers have lapsed."""
    first = explanations[0].position
    return all(
        each.position.state == first.state or _lapsed(each.position).same_table(_lapsed(first))
        for each in explanations[1:]
    )


def _lapsed(position: Position) -> Position:
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
