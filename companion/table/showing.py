"""What people see of a table: the question and its choices, what does not fit, what hands still owe.

Nothing here changes anything; `Session` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from companion.journal.entry import Entry, Header
from companion.kernel import (
    Answer,
    Chosen,
    Confirmed,
    Counted,
    Lying,
    Ordered,
    Position,
    Question,
    Refusal,
    Reply,
    Ruled,
)
from companion.kernel.questions import slots_of
from companion.notation.reply import format_reply
from companion.table.aftermath import Aftermath
from companion.table.asking import in_words
from companion.table.book import DECLARED, Book
from companion.table.looks import Look
from companion.table.observation import Scene
from companion.table.ports import Signal
from companion.table.reconcile import Explanation
from companion.table.records import Choice, Done, Doubt, Tally
from companion.table.sight import QUIET
from companion.table.standing import standing_answers
from companion.table.throws import Throws
from companion.table.track import Track

MOST_CHOICES = 12
"""So many replies can still be listed."""
_YES_NO = {True: "yes", False: "no"}


class Showing:
    """One game at one table, to be looked at."""

    def __init__(self, header: Header, book: Book, after: Aftermath, throws: Throws, track: Track) -> None:
        self.game, self.header, self.voice = book.voice.game, header, book.voice
        self.tally = Tally()
        self.doubt: Doubt | None = None
        self.watching = True
        """False while a hand is in view or things move."""
        self.scene: Scene | None = None
        """The last scene in which the table lay still."""
        self._looked: Mapping[str, Look] = {}
        """What it allows in each slot."""
        self.held: tuple[Explanation, ...] = ()
        """What may have happened since the last act, where a scene had several explanations."""
        self._book, self._after, self._throws, self._track = book, after, throws, track
        self._on_table = self._on_input = QUIET

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything that is written in the journal; entry number n lies at index n - 1."""
        return tuple(self._book.entries)

    @property
    def done(self) -> list[Done]:
        """The acts in force, in playing order."""
        return self._book.done

    @property
    def position(self) -> Position:
        return self._book.position

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
        return self.position.told

    @property
    def alarm(self) -> str:
        """What does not fit, in a sentence: the last input, or else what lies on the table or the track."""
        return self._on_input.says or self._on_table.says or ("" if self.order_asked else self._track.warning)

    @property
    def notice(self) -> str:
        """What keeps dice or markers from counting, in a sentence; nobody has done anything wrong."""
        unread = self._track.problem if self.order_asked else ""
        return unread or self._throws.notice(self.roll_asked is not None)

    @property
    def roll_asked(self) -> Question | None:
        """The open question for a roll."""
        return self._open("roll")

    @property
    def order_asked(self) -> Question | None:
        """The open question for an order of markers."""
        return self._open("order")

    def _open(self, kind: str) -> Question | None:
        return next((question for question in self.apparent.questions if question.kind == kind), None)

    @property
    def refusal(self) -> tuple[Refusal, str] | None:
        """The refusal behind the alarm, with its sentence; None if no article stands behind it."""
        alarm = self._on_input if self._on_input.says else self._on_table
        return None if alarm.refusal is None else (alarm.refusal, self.voice.refuse(alarm.refusal))

    @property
    def awaited(self) -> Mapping[str, Lying | None]:
        """The slots where hands still have to follow, with what may lie there until then."""
        return self._after.awaited

    @property
    def todo(self) -> tuple[str, ...]:
        """What hands still have to do, in sentences."""
        return (*self._after.sentences, *(() if self.order_asked else self._track.todo))

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def undoes(self) -> str:
        """What undo would take back, in words; empty if there is nothing."""
        if self.held and (answers := self.held[0].answers):
            return f"{in_words(self.position, answers, self.voice, len(answers) - 1)}."
        return self.describe(self.done[-1]) if self.done else ""

    def describe(self, act: Done) -> str:
        """Return an act in words: what people saw of it first."""
        if act.asked is DECLARED:
            return self.voice.table("declared")
        told = act.position.told
        own = set(slots_of(act.answer.reply))
        shown = next((ruled for ruled in told if own & set(self.game.touched(ruled.effect))), None)
        if shown is None and self.voice.names_acts(act.asked):
            return f"{self.voice.did(act.asked, act.answer.reply)}."
        shown = shown or (told[0] if told else None)
        return self.voice.tell(shown.effect) if shown else f"{self.voice.did(act.asked, act.answer.reply)}."

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What one touch can answer now: the doubt, or else the questions that need no piece."""
        if self.doubt is not None:
            return self.doubt.choices
        standing = self._standing_order
        order = () if standing is None else (Choice(self._choice_of_order(), (standing,)),)
        plain = (
            Choice(self._choice(question, reply), (Answer(question.key, reply),))
            for question in self.apparent.questions
            if self.is_choice(question)
            for reply in question.domain
        )
        return (*order, *self._as_it_stands(), *plain)

    def _as_it_stands(self) -> Iterator[Choice]:
        """Yield the choices that answer what the camera sees and the game leaves open."""
        for answer in standing_answers(self.game, self.apparent, {} if self.scene is None else self._looked):
            question = next(each for each in self.apparent.questions if each.key == answer.to)
            says = self.voice.did(question, answer.reply)
            yield Choice(self.voice.table("as_it_stands", says=says), (answer,))

    def is_choice(self, question: Question) -> bool:
        """Return whether the replies to a question are few enough to be choices; else they are said by parts."""
        if question.kind not in ("confirm", "choose", "count"):
            return False
        return next(islice(question.domain, MOST_CHOICES, None), None) is None

    @property
    def _standing_order(self) -> Answer | None:
        """How the markers lie, if that answers the open question."""
        question, reply = self.order_asked, Ordered(self._track.items)
        return Answer(question.key, reply) if question is not None and reply in question.domain else None

    def _choice_of_order(self) -> str:
        names = (self.voice.names.get(marker, marker) for marker in self._track.items)
        return self.voice.table("as_markers_lie", order=", ".join(names))

    def _choice(self, question: Question, reply: Reply) -> str:
        match reply:
            case Confirmed(yes=yes):
                return self.voice.say(question.text) if question in self.offers else self.voice.table(_YES_NO[yes])
            case Chosen(picks=picks):
                return " + ".join(map(self.voice.word, picks)) or format_reply(reply)
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
