"""The book of one game: what is written in the journal, and the acts in force that follow from it.

Whatever is believed is first written to the store and only then becomes the position; if the store
cannot keep it (`JournalError`), nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.journal.entry import (
    FINISHED,
    AnswerEntry,
    CorrectionEntry,
    DeclarationEntry,
    Entry,
    Header,
    NoteEntry,
    UndoEntry,
)
from companion.journal.read import Act, Divergence, effective, replay, undoable
from companion.kernel import Answer, Confirmed, NotationError, OneOf, Placed, Position, Question, Refusal, Text, advance
from companion.notation.reply import format_reply, parse_reply
from companion.table.records import Done, Provenance, Refused, Store
from companion.table.voice import Voice

DECLARED = Question("declaration", "confirm", None, OneOf((Confirmed(),)), (), Text("table.declared"))
"""What a declaration answers: nobody asked, the table said how it lies."""


class Book:
    """Entries in, acts in force out. Undo, correction and declaration are entries, too."""

    def __init__(
        self,
        header: Header,
        open_game: Callable[[Header], Position],
        store: Store,
        voice: Voice,
        entries: Sequence[Entry] = (),
    ) -> None:
        """Open the game and play the entries again.

        It raises whatever `open_game` raises for the header's game.
        """
        self.header, self.voice = header, voice
        self._open_game, self._store = open_game, store
        self.entries: list[Entry] = list(entries)
        self.done: list[Done] = []
        self.divergence: Divergence | None = None
        """Where the acts stopped fitting each other, None if all fit."""
        self.play_again()

    @property
    def position(self) -> Position:
        return self.done[-1].position if self.done else self.opening

    def before(self, done: Done) -> Position:
        """Return the position in which an act in force was carried out."""
        index = self.done.index(done)
        return self.done[index - 1].position if index else self.opening

    def find(self, sequence: int) -> Done | None:
        """Return the act in force that stands under a number of the journal."""
        return next((done for done in self.done if done.sequence == sequence), None)

    @property
    def named_by_hand(self) -> frozenset[str]:
        """The pieces of which people said by touch that they were laid."""
        sources = {act.sequence: act.entry.source for act in effective(self.entries)}
        replies = [(done.answer.reply, sources.get(done.sequence)) for done in self.done]
        return frozenset(reply.piece for reply, by in replies if isinstance(reply, Placed) and by == "touch")

    # -- writing -----------------------------------------------------------------------------------

    def answer(self, answer: Answer, after: Position, how: Provenance) -> Done:
        """Write an answer down that leads to `after`, and let it be the position.

        :raises JournalError: if it cannot be kept; nothing is changed then.
        """
        asked = next(question for question in self.position.questions if question.key == answer.to)
        sequence = self._keep(
            AnswerEntry(
                to=answer.to,
                reply=format_reply(answer.reply),
                seat=how.seat if how.seat is not None else asked.seat,
                source=how.source,
                witness=how.witness,
                confidence=how.confidence,
                evidence=how.evidence,
            )
        )
        done = Done(sequence, answer, asked, after)
        self.done.append(done)
        return done

    def finish(self) -> int:
        """Mark the game as ended, so that it is no longer offered to be continued.

        :raises JournalError: if it cannot be kept.
        """
        return self.note("the game ended", FINISHED)

    def take(self, entry: Entry) -> Done | None:
        """Take in an entry that is written already; return the act that it is, if it fits."""
        self.entries.append(entry)
        number = len(self.entries)
        if isinstance(entry, NoteEntry):
            return None
        if isinstance(entry, AnswerEntry) and self.divergence is None:
            answer = self.read_answer(self.position, entry.to, entry.reply)
            after = self.carry_out(self.position, entry.to, entry.reply)
            if isinstance(answer, Answer) and isinstance(after, Position):
                asked = next(question for question in self.position.questions if question.key == entry.to)
                self.done.append(Done(number, answer, asked, after))
                return self.done[-1]
        self.play_again()
        of = entry.of if isinstance(entry, CorrectionEntry) else number
        while isinstance(earlier := self.entries[of - 1], CorrectionEntry) and of != earlier.of:
            of = earlier.of
        return None if isinstance(entry, UndoEntry) else self.find(of)

    def note(self, text: str, kind: str = "remark", how: Provenance | None = None) -> int:
        """Write a remark down, which changes nothing, and return its number.

        :raises JournalError: if it cannot be kept.
        """
        how = how or Provenance("companion")
        return self._keep(NoteEntry(text=text, kind=kind, seat=how.seat, source=how.source, witness=how.witness))

    def undo(self, how: Provenance) -> bool:
        """Take the last act back; False if there is none.

        :raises JournalError: if it cannot be kept; nothing is changed then.
        """
        last = undoable(self.entries)
        if last is None:
            return False
        self._keep(_undo(last, how))
        self.play_again()
        return True

    def correct(self, done: Done, reply: str, how: Provenance, take_back_from: int | None = None) -> int:
        """Let an act in force have been another reply and return the correction's number.

        The acts from number `take_back_from` on are undone first.

        :raises JournalError: if it cannot all be kept; what was written by then is in force.
        """
        try:
            if take_back_from is not None:
                for act in reversed([act for act in effective(self.entries) if act.sequence >= take_back_from]):
                    self._keep(_undo(act.by, how))
            return self._keep(
                CorrectionEntry(
                    of=done.sequence,
                    to=done.answer.to,
                    reply=reply,
                    seat=how.seat,
                    source=how.source,
                    witness=how.witness,
                    evidence=how.evidence,
                )
            )
        finally:
            self.play_again()

    def declare(self, document: Mapping[str, Any], reason: str, how: Provenance) -> Refused | None:
        """Write down that the table is now as `document` states it; return why not, None when done.

        :raises JournalError: if it cannot be kept; nothing is changed then.
        """
        position = msgspec.json.encode(document).decode()
        opened = self._open(msgspec.structs.replace(self.header, start=position))
        if isinstance(opened, Refused):
            return opened
        self._keep(
            DeclarationEntry(
                position=position,
                reason=reason,
                seat=how.seat,
                source=how.source,
                witness=how.witness,
                confidence=how.confidence,
                evidence=how.evidence,
            )
        )
        self.play_again()
        return None

    def _keep(self, entry: Entry) -> int:
        sequence = self._store.append(entry)
        self.entries.append(entry)
        return sequence

    # -- reading -----------------------------------------------------------------------------------

    def preview(self, done: Done, reply: str) -> Position | Divergence | Refused:
        """Return the position that another reply to an act would lead to, or what stands against it.

        A `Divergence` names the first later entry that would no longer fit, and the reason alone.
        """
        direct = self.carry_out(self.before(done), done.answer.to, reply)
        if isinstance(direct, Refused):
            return direct
        entry = CorrectionEntry(of=done.sequence, to=done.answer.to, reply=reply, source="touch")
        corrected = replay(self.header, effective((*self.entries, entry)), self._open, self.carry_out)
        diverges = corrected.divergence
        if diverges is None:
            return corrected.position
        later = self.find(diverges.sequence)
        if later is None:
            return diverges
        why = self.carry_out(corrected.at(later.sequence - 1), later.answer.to, format_reply(later.answer.reply))
        return Divergence(later.sequence, why.says) if isinstance(why, Refused) else diverges

    def read_answer(self, position: Position, to: str, reply: str) -> Answer | Refused:
        """Return the answer that `reply` in notation gives to the question `to` of a position."""
        for question in position.questions:
            if question.key == to:
                try:
                    return Answer(to, parse_reply(question.kind, reply))
                except NotationError as error:
                    return Refused(f"{error}. Nothing was changed.")
        if position.is_over:
            return Refused(self.voice.table("over", question=to))
        return Refused(self.voice.table("not_asked", question=to, open=_keys(position)))

    def carry_out(self, position: Position, to: str, reply: str) -> Position | Refused:
        """Return the position after a reply in notation, or why there is none."""
        answer = self.read_answer(position, to, reply)
        if isinstance(answer, Refused):
            return answer
        after = advance(position, answer)
        return Refused(self.voice.refuse(after)) if isinstance(after, Refusal) else after

    def play_again(self) -> None:
        """Find the acts in force from the entries, from the first one on."""
        acts = effective(self.entries)
        played = replay(self.header, acts, self._open, self.carry_out)
        self.opening: Position = played.positions[0]
        self.done = []
        self.divergence = played.divergence
        reached = dict(zip(played.numbers, played.positions, strict=True))
        for act in acts:
            if (position := reached.get(act.sequence)) is not None:
                self.done.append(self._again(act, self.position, position))

    def _again(self, act: Act, before: Position, position: Position) -> Done:
        entry = act.entry
        if isinstance(entry, (AnswerEntry, CorrectionEntry)):
            answer = self.read_answer(before, entry.to, entry.reply)
            asked = next((question for question in before.questions if question.key == entry.to), None)
            if isinstance(answer, Answer) and asked is not None:
                return Done(act.sequence, answer, asked, position)
        return Done(act.sequence, Answer(DECLARED.key, Confirmed()), DECLARED, position)

    def _open(self, header: Header) -> Position | Refused:
        if header is self.header:
            return self._open_game(header)
        try:
            return self._open_game(header)
        except ValueError as error:
            return Refused(str(error))


def _keys(position: Position) -> str:
    return ", ".join(question.key for question in position.questions)


def _undo(of: int, how: Provenance) -> UndoEntry:
    return UndoEntry(of=of, seat=how.seat, source=how.source, witness=how.witness, evidence=how.evidence)
