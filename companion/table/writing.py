"""What changes a table: answers are accepted, acts are undone and corrected, the table is declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from companion.journal.entry import Entry, Header
from companion.journal.errors import JournalError
from companion.journal.read import Divergence
from companion.kernel import Answer, Game, Ordered, Position, Refusal, Reply, advance
from companion.kernel.questions import slots_of
from companion.table.aftermath import Aftermath
from companion.table.book import DECLARED, Book
from companion.table.looks import Look, look_at
from companion.table.observation import Press, Scene
from companion.table.policy import Policy
from companion.table.records import Done, Provenance, Refused, Store
from companion.table.showing import Showing
from companion.table.sight import QUIET, Alarm, Sight
from companion.table.throws import Throws
from companion.table.track import Track
from companion.table.voice import Voice

T = TypeVar("T")


class Writing(Showing):
    """One game at one table, with everything that can be written into its book."""

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

        It raises whatever `open_game` raises for the header's game.
        """
        book = Book(header, open_game, store, voice, entries)
        track = Track(voice, game.track(book.position.state), opened_again=bool(book.done))
        super().__init__(header, book, Aftermath(game, voice), Throws(voice), track)
        self._sight = Sight(game, voice, policy or Policy())
        self._waiting: Press | None = None
        """A press that came while a doubt was open; it counts as soon as the doubt is settled."""
        self._begin_anew()
        if self.done:
            last = self.done[-1]
            self._after.went_on(self._book.before(last), last.position, last.answer.reply, watched=False)

    # -- accepting ---------------------------------------------------------------------------------

    def read_answer(self, position: Position, to: str, reply: str) -> Answer | Refused:
        """Return the answer that `reply` in notation gives to the question `to` of a position."""
        return self._book.read_answer(position, to, reply)

    def _ground(self, to: str) -> tuple[tuple[Answer, ...], Position]:
        """Return what must be decided first for the question `to` to be open, and the position then."""
        for explanation in self.held:
            if any(question.key == to for question in explanation.position.questions):
                return explanation.answers, explanation.position
        return (), self.position

    def _answer(self, to: str, reply: Reply, how: Provenance) -> bool:
        first, before = self._ground(to)
        earlier = [(answer, Provenance("camera", self.scene.witness if self.scene else "")) for answer in first]
        answer = Answer(to, reply)
        if not self._accept([*earlier, (answer, how)]):
            return False
        if how.source == "touch" and self.scene is not None:
            self._after.entered(before, self.position, self._looks(self.scene), slots_of(reply))
        return True

    def _accept(self, answers: Sequence[tuple[Answer, Provenance]]) -> bool:
        """Write the answers down one by one and go on from there; False if they cannot all be carried out."""
        positions: list[Position] = []
        for answer, _ in answers:
            after = advance(positions[-1] if positions else self.position, answer)
            if isinstance(after, Refusal):
                self._on_input = Alarm(self.voice.refuse(after), after)
                return False
            positions.append(after)
        for (answer, how), after in zip(answers, positions, strict=True):
            before = self.position
            done = self._written(partial(self._book.answer, answer, after, how))
            if done is None:
                return False
            self.held = ()
            self._after.went_on(before, after, answer.reply, watched=self.scene is not None)
            self._settled()
            if after.is_over:
                self._written(self._book.finish)
        return True

    def _looks(self, scene: Scene) -> Mapping[str, Look]:
        return self._after.as_told(self.apparent, look_at(scene, self._sight.policy))

    def _settled(self) -> None:
        self.doubt = None
        self._sight.settled()
        self._throws.settled()
        self._track.expect(self.game.track(self.position.state))
        self._on_input = self._on_table = QUIET
        self._ask_again()

    def _ask_again(self) -> None:
        """What dice or markers left open stays asked, as soon as nothing else is, until people settle it."""
        asked, dispute = self.doubt, self._throws.dispute(lambda act: self._book.find(act) is not None)
        if asked is not None and asked.about == "markers":
            self.doubt = None
        if self.doubt is None and dispute is not None:
            self.doubt = dispute
        elif self.doubt is None and self._track.asks:
            self.doubt = self._track.doubt(self._reorders(self._track.items))
            self.tally.questions += self.doubt != asked

    def _reorders(self, order: Sequence[str]) -> Done | None:
        """Return the last act if it put the markers in order and may as well have been this order."""
        last = self.done[-1] if self.done else None
        if last is None or not isinstance(last.answer.reply, Ordered):
            return None
        return last if Ordered(tuple(marker for marker in order if marker)) in last.asked.domain else None

    def _written(self, write: Callable[[], T]) -> T | None:
        """Return what writing gives, None if the store cannot keep it; the alarm says why."""
        try:
            return write()
        except JournalError as error:
            self._on_input = Alarm(str(error))
            return None

    # -- the past ----------------------------------------------------------------------------------

    def undo(self, how: Provenance, acts: int = 1) -> bool:
        """Take the last acts back, one after the other; False if there are fewer or it cannot be written down."""
        self.tally.touches += how.source == "touch"
        if self.held and not self._accept(self._held_answers()):
            return False
        for _ in range(acts):
            undone = self._changed(lambda: self._written(lambda: self._book.undo(how)))
            if not undone:
                if undone is False:
                    self._on_input = Alarm(self.voice.table("nothing_to_undo"))
                return False
        return True

    def _held_answers(self) -> list[tuple[Answer, Provenance]]:
        """What is open is what was done last: decide for the first way it may have come about."""
        witness = self.scene.witness if self.scene else ""
        return [(answer, Provenance("camera", witness)) for answer in self.held[0].answers]

    def preview(self, sequence: int, reply: str) -> Position | Divergence | Refused:
        """Return the position that correcting an act would lead to, or what stands against it.

        A `Divergence` names the first later entry that would no longer fit.
        """
        done = self._book.find(sequence)
        if done is None or done.asked is DECLARED:
            return Refused(self.voice.table("no_act", entry=sequence))
        outcome = self._book.preview(done, reply)
        if not isinstance(outcome, Divergence):
            return outcome
        later = self._book.find(outcome.sequence)
        act = "" if later is None else self.describe(later).rstrip(".")
        return Divergence(
            outcome.sequence, self.voice.table("diverges", entry=outcome.sequence, act=act, why=outcome.says)
        )

    def correct(self, sequence: int, reply: str, how: Provenance, take_back: bool = False) -> str:
        """Correct an act; return a sentence why not, or an empty string when it is done.

        If a later entry no longer fits, nothing is changed unless `take_back`: then it and all that
        came after are undone first.
        """
        self.tally.touches += how.source == "touch"
        outcome = self.preview(sequence, reply)
        if isinstance(outcome, Refused) or (isinstance(outcome, Divergence) and not take_back):
            return outcome.says
        done = self._book.find(sequence)
        if done is None:
            return self.voice.table("no_act", entry=sequence)
        first = outcome.sequence if isinstance(outcome, Divergence) else None
        really = self.read_answer(self._book.before(done), done.answer.to, reply)
        entered = slots_of(really.reply) if isinstance(really, Answer) else ()
        try:
            self._changed(lambda: self._book.correct(done, reply, how, first), entered)
        except JournalError as error:
            self._on_input = Alarm(str(error))
            return str(error)
        self.tally.corrections += 1
        return ""

    def declare(self, document: Mapping[str, Any], reason: str, how: Provenance) -> str:
        """Let the table be as `document` (a position in notation) says, whatever was known before.

        Return a sentence why not, or an empty string when it is done; undo takes it back.
        """
        try:
            refused = self._book.declare(document, reason, how)
        except JournalError as error:
            self._on_input = Alarm(str(error))
            return str(error)
        if refused is not None:
            return refused.says
        self._begin_anew()
        self._after.nothing_owed()
        return ""

    def note(self, text: str, how: Provenance) -> bool:
        """Write a remark into the journal; False if it cannot be kept."""
        return self._written(lambda: self._book.note(text, how=how)) is not None

    def _changed(self, change: Callable[[], T], entered: Sequence[str] = ()) -> T:
        """Carry out a change of the past; where the table now differs, hands have to follow.

        In the slots of `entered` people said how the table lies, so it need not be put right there.
        """
        before = self.position
        try:
            changed = change()
        finally:
            if self.position is not before:
                self._begin_anew()
                looks = self._looks(self.scene) if self.scene is not None else {}
                self._after.rewritten(before, self.position, looks, entered)
        return changed

    def _begin_anew(self) -> None:
        """Forget what was open: the acts in force are other ones now."""
        self.held, self._waiting = (), None
        self._settled()
        if self._book.divergence is not None:
            self._on_input = Alarm(self._book.divergence.says)
