"""One open game behind the screens: its journal, its session on its own thread, and what is published of it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from companion import kernel
from companion.bootstrap import with_learned
from companion.desk.enrol_values import sayable
from companion.desk.eye import Eye
from companion.desk.newcomers import DONE, FACE_DOWN, NO_CARD, Newcomer, kinds_for
from companion.desk.outages import Outages
from companion.desk.strangers import Nameless
from companion.journal.file import Journal
from companion.notation.reply import format_reply
from companion.presenters.correct import Plan, carry_out, plan_correction
from companion.presenters.desk import Answer, Correct, Publish, ShowCorrection, ShowFinal, Undo
from companion.presenters.enrol import EnrolChoose, EnrolSet
from companion.presenters.final import present_final
from companion.presenters.live import MOST_FEED, present
from companion.presenters.models import ChoiceModel, FeedModel, LiveModel, NoticeModel, State
from companion.presenters.taps import Tap, taps_of
from companion.presenters.wording import without_stop
from companion.sets.owner import CardSet, SetError
from companion.table.composing import Said
from companion.table.loop import Loop
from companion.table.mat import Mat
from companion.table.observation import KnobTurned, Observation, Press, Scene, Touch
from companion.table.ports import Health, Keeper, Marker
from companion.table.session import Done, Provenance, Session

SCREEN = "screen"
WITHOUT_CAMERA = "Played without the camera."
BY_HAND = "Tap a place on the board to say what lies there."
SETTLED = "That is settled already; nothing was changed."
NONE_OF_THESE = "None of these"
CHANGED = "The table has changed since; tap the card again. Nothing was changed."

GameIntent = Answer | Undo | ShowCorrection | Correct | ShowFinal

_log = logging.getLogger(__name__)


class Table:
    """A game that is being played. Intents and observations may come from any thread and never wait."""

    def __init__(
        self,
        journal: Journal,
        session: Session,
        cards: CardSet,
        mat: Mat,
        eye: Eye,
        markers: Sequence[Marker],
        keepers: Sequence[Keeper] = (),
        look: Callable[[int], None] = lambda acts: None,
    ) -> None:
        """Take the parts together; `look` is told how many acts the screen shows as understood."""
        self._look = look
        self.key, self.mat, self.cards = journal.path.name, mat, cards
        self.blind = False
        """Whether people play without the camera."""
        self._publish: Publish = lambda model: None
        self._journal, self._eye = journal, eye
        self._camera_seen = False
        self._muted = threading.Event()
        self._live: LiveModel | None = None
        self._question = 0
        self._asked: object = None
        self._said: Said | None = None
        """The beginning of a reply that is being said by touch."""
        self._taps: tuple[Tap, ...] = ()
        self._pointed: int | None = None
        """The choice that a knob points at."""
        self._plan: tuple[Plan, tuple[Done, ...]] | None = None
        self._newcomer: Newcomer | None = None
        self._reading = ""
        """The temporary name of the card whose values are being read."""
        self._doubtful = ""
        """The temporary name of the card that is asked about among the cards without a picture."""
        self._outages = Outages()
        self._loop = _SteadyLoop(session, markers, self._changed, keepers, self)

    def start(self, publish: Publish) -> None:
        """Begin to run; the first live model follows."""
        self._publish = publish
        self._loop.start()

    def mute(self) -> None:
        """Publish nothing more: the screen has left this game."""
        self._muted.set()

    def close(self) -> None:
        """Finish what came in, and give back journal and lamps."""
        self.mute()
        self._loop.stop()
        self._journal.close()

    # -- what comes in ---------------------------------------------------------------------------------

    def observe(self, observation: Observation) -> None:
        """Take in what a witness saw."""
        if not isinstance(observation, Scene):
            self._loop.observe(observation)
        elif not self.blind and not self._loop.session.is_over:  # after the end people clear the table
            if not self._camera_seen and _shows_nothing(observation):
                self.refresh()  # a camera that never saw anything is no alarm: the screen says so and asks
                return
            self._camera_seen = True
            self._loop.observe(observation)

    def refresh(self, job: Callable[[Session], None] = lambda session: None) -> None:
        """Do `job` and look again at what is published: a device may be doing otherwise."""
        self._loop.ask(job)

    def tell_devices(self, health: Mapping[str, Health]) -> None:
        """Say how the devices beside the camera do: a game must not fall silent with its dock."""
        self.refresh(lambda session: self._outages.note(health))

    def look_away(self, away: bool) -> None:
        """Play without the camera from now on, or with it again."""
        self.blind, self._camera_seen = away, False
        self.refresh(_look_away if away else lambda session: None)

    def hear(self, session: Session, observation: Observation) -> None:
        """Take in what a witness saw, in the table's thread: a knob points at choices, a press takes one."""
        if isinstance(observation, KnobTurned):
            self._point(observation.steps)
        elif isinstance(observation, Press) and observation.button in ("done", "yes") and self._pointed is not None:
            self._tap(session, self._pointed, observation.witness)
        else:
            session.observe(observation)

    def _point(self, steps: int) -> None:
        choices = len(self._taps)
        if choices and self._outages.prompt() is None:
            before = self._pointed if self._pointed is not None else (-1 if steps > 0 else choices)
            self._pointed = min(max(before + steps, 0), choices - 1)

    def submit_newcomer(self, intent: EnrolSet | EnrolChoose) -> None:
        """Take what was tapped about a card that is in no set."""
        self._loop.ask(lambda session: self._answer_newcomer(session, intent))

    def submit(self, intent: GameIntent) -> None:
        """Take what was tapped."""
        self._loop.ask(lambda session: self._take(session, intent))

    def _take(self, session: Session, intent: GameIntent) -> None:
        match intent:
            case Answer():
                self._answer(session, intent)
            case Undo():
                self._undo(session, intent)
            case ShowCorrection():
                self._show_correction(session, intent.cell)
            case Correct():
                self._correct(session, intent)
            case ShowFinal():
                self._publish(present_final(session, self.key))

    def _answer(self, session: Session, intent: Answer) -> None:
        if self._outages.accept(intent.question):
            return
        if intent.question == self._key() and self._doubtful and intent.choice == len(self._taps):
            self._eye.none_of_these(self._doubtful)
            self._welcome(session)
            return
        if intent.question != self._key() or not 0 <= intent.choice < len(self._taps):
            self.say(SETTLED)
            return
        self._tap(session, intent.choice, SCREEN)

    def _tap(self, session: Session, choice: int, by: str) -> None:
        does = self._taps[choice].does
        self._said = does if isinstance(does, Said) else None
        if isinstance(does, int):
            session.observe(Touch(by, time.monotonic(), choice=does))
        elif isinstance(does, kernel.Answer):
            reply = format_reply(does.reply)
            session.observe(Touch(by, time.monotonic(), to=does.to, reply=reply))

    def _undo(self, session: Session, intent: Undo) -> None:
        if intent.says != without_stop(session.undoes):
            last = without_stop(session.undoes) or "nothing"
            self.say(f"The last act is another one by now: {last}. Nothing was undone.")
        elif not session.undo(Provenance("touch", SCREEN)):
            self.say(session.alarm or "There is nothing more to undo.", "failed")

    def _show_correction(self, session: Session, cell: str) -> None:
        if self._newcomer is not None and cell == self._newcomer.met.slot:
            self._publish(self._newcomer.model)
            return
        try:
            plan = plan_correction(session, cell)
        except KeyError:
            plan = None
        if plan is None:
            self.say(f"Nothing that was read or is asked concerns {cell}; undo takes back what led there.")
            return
        self._plan = (plan, tuple(session.done))
        self._publish(plan.model)

    def _correct(self, session: Session, intent: Correct) -> None:
        plan, done = self._plan or (None, ())
        if plan is None or plan.model.cell.key != intent.cell or tuple(session.done) != done:
            self.say(CHANGED)
            return
        if not 0 <= intent.option < len(plan.remedies):
            self.say(SETTLED)
            return
        self._plan = None
        says = carry_out(session, plan.remedies[intent.option], time.monotonic())
        if says:
            self.say(says, "failed")

    # -- cards that are in no set ----------------------------------------------------------------------

    def _welcome(self, session: Session) -> None:
        """Read a card that is in no set, in a thread of its own, and ask what is printed on it."""
        met = self._eye.nameless
        if met is None:
            self._reading = ""
            self._dismiss()
        elif self._reading != met.label:
            self._reading = met.label
            kinds = kinds_for(met.slot, session.position, self.cards)
            threading.Thread(target=self._read_newcomer, args=(met, kinds), name="read a new card", daemon=True).start()

    def _read_newcomer(self, met: Nameless, kinds: frozenset[str]) -> None:
        try:
            newcomer = Newcomer(met, self.cards, kinds)
        except LookupError as error:
            self.say(f"{met.label.capitalize()} in {met.slot} is in no set: {error}.", "failed")
            return
        self._loop.ask(lambda session: self._ask_newcomer(newcomer))

    def _ask_newcomer(self, newcomer: Newcomer) -> None:
        if self._reading == newcomer.met.label:  # it may have been taken away meanwhile
            self._newcomer = newcomer
            self._publish(newcomer.model)

    def _dismiss(self) -> None:
        """Ask no more about the card that is in no set; the table is shown again."""
        newcomer, self._newcomer = self._newcomer, None
        if newcomer is not None:
            self._publish(replace(newcomer.model, rows=()))

    def _answer_newcomer(self, session: Session, intent: EnrolSet | EnrolChoose) -> None:
        newcomer = self._newcomer
        if newcomer is None or intent.key != newcomer.model.key:
            return
        if isinstance(intent, EnrolSet):
            newcomer.change(intent)
            self._publish(newcomer.model)
            return
        label = newcomer.met.label
        if intent.choice == FACE_DOWN:
            self._eye.turn_down(label)
        elif intent.choice == NO_CARD:
            self._eye.set_aside(label)
        elif intent.choice == DONE and (says := newcomer.problem or self._take_in(session, newcomer)):
            self.say(says)
            return
        self._reading = ""
        self._dismiss()

    def _take_in(self, session: Session, newcomer: Newcomer) -> str:
        """Let the game and the owner's set know the card; return a sentence why not."""
        try:
            key, cards = newcomer.keep()
            document = with_learned(session.game.write(session.position), session.header, cards)
        except (SetError, ValueError) as error:
            return str(error)
        met = newcomer.met
        reason = f"{met.label} in {met.slot} is {key}: {sayable(newcomer.shown)}"
        if says := session.declare(document, reason, Provenance("touch", SCREEN)):
            return says
        self.cards = cards
        self._eye.give(met.label, key, -newcomer.turned % 4)
        return ""

    # -- what goes out ---------------------------------------------------------------------------------

    def say(self, says: str, tone: str = "refused") -> None:
        self._publish(NoticeModel(says, "failed" if tone == "failed" else "refused"))

    def _key(self) -> str:
        """The key of the question that is shown: it changes with each of its choices."""
        return f"question {self._question}"

    def _changed(self, session: Session) -> None:
        """Publish the live table if it looks different now. Runs in the table's thread."""
        self._look(len(session.done))
        self._eye.meet(session.game.scene(session.position.state))
        self._welcome(session)
        if self._muted.is_set():
            return
        camera, says = self._camera()
        unwatched = self.blind or (camera in ("failed", "off") and not self._camera_seen)
        self._taps = taps_of(session, self._said)
        model = present(session, self.key, (), "off" if unwatched else camera, says, self._said)
        asked = (model.prompt.key, self._taps)
        if asked != self._asked:
            self._asked = asked
            self._question += 1
            self._pointed = None
        wrong = frozenset(cell.key for cell in model.board.cells if cell.state == "wrong")
        choices = self._pointed_out(model.prompt.choices)
        self._doubtful = "" if session.doubt is None else self._eye.doubtful_in(session.doubt.slots)
        if self._doubtful:
            choices = (*choices, ChoiceModel(len(self._taps), NONE_OF_THESE, style="no"))
        prompt = replace(model.prompt, key=self._key(), choices=choices)
        outage = self._outages.prompt()
        reminders = (*self._outages.reminders({session.alarm, session.notice}), *self._still_asked(), *model.reminders)
        model = replace(
            model,
            prompt=outage or prompt,
            outage=self._outages.screen(),
            overlays=() if self.blind else self._eye.overlays(wrong),
            camera=camera,
            feed=self._feed(session),
            reminders=(BY_HAND, *reminders) if unwatched and not session.done else reminders,
        )
        if model != self._live:
            self._live = model
            self._publish(model)

    def _still_asked(self) -> tuple[str, ...]:
        if self._newcomer is None:
            return ()
        met = self._newcomer.met
        return (f"{met.label.capitalize()} in {met.slot} is in no set; tap its place to say what is printed on it.",)

    def _pointed_out(self, choices: tuple[ChoiceModel, ...]) -> tuple[ChoiceModel, ...]:
        """Return the choices with the one made likely that the knob points at, and no other."""
        if self._pointed is None:
            return choices
        return tuple(
            replace(each, style="likely" if each.number == self._pointed else "no" if each.style == "no" else "plain")
            for each in choices
        )

    def _camera(self) -> tuple[State, str]:
        if self.blind:
            return "off", WITHOUT_CAMERA
        health = self._eye.health()
        return health.state, health.says

    def _feed(self, session: Session) -> tuple[FeedModel, ...]:
        """Return the last acts, each with how it was learned."""
        entries = self._journal.entries
        sources = ("camera", "touch", "button", "dice", "markers", "file")
        lines: list[FeedModel] = []
        for act in session.done[: -MOST_FEED - 1 : -1]:
            source = entry if (entry := entries[act.sequence - 1].source) in sources else "act"
            says = without_stop(session.describe(act))
            lines.append(FeedModel(says, source))  # type: ignore[arg-type]  # one of the words above
        return tuple(lines)


class _SteadyLoop(Loop):
    """A table's loop that outlives a mistake of the program: it is logged and said, and the game goes on."""

    def __init__(
        self,
        session: Session,
        markers: Sequence[Marker],
        changed: Callable[[Session], None],
        keepers: Sequence[Keeper],
        table: Table,
    ) -> None:
        super().__init__(session, (), markers, changed, keepers)
        self._table = table

    def hear(self, observation: Observation) -> None:
        self._table.hear(self.session, observation)

    def step(self, item: object) -> None:
        try:
            super().step(item)
        except Exception as error:  # noqa: BLE001  a game must not end by a mistake in one step
            _log.exception("a step of the table failed")
            self._table.say(
                f"The companion made a mistake ({type(error).__name__}) and left that out. The game is on disk.",
                "failed",
            )


def _shows_nothing(scene: Scene) -> bool:
    return bool(scene.problem) and all(sighting.seen == "hidden" for sighting in scene.sightings)


def _look_away(session: Session) -> None:
    """Forget what the camera said last: nobody watches any more."""
    session.observe(Scene(Eye.name, time.monotonic(), ()))
    session.scene = session.doubt = None
