"""The referee of one table: observations in, rulings out; no files, threads or clocks of its own."""

from __future__ import annotations

import msgspec

from companion.kernel import Answer, Confirmed
from companion.notation.reply import format_reply
from companion.table.looks import look_at
from companion.table.observation import DiceSeen, MarkersSeen, Observation, Press, Scene, Touch
from companion.table.policy import Policy
from companion.table.records import Choice, Done, Doubt, Provenance, Refused, Store, Tally, Todo
from companion.table.sight import QUIET, Alarm, Ground
from companion.table.writing import Writing

__all__ = ["Choice", "Done", "Doubt", "Provenance", "Refused", "Session", "Store", "Tally", "Todo"]


class Session(Writing):
    """One game at one table, with what its witnesses say."""

    @property
    def policy(self) -> Policy:
        """How much evidence is wanted; may be exchanged while the table is used."""
        return self._sight.policy

    @policy.setter
    def policy(self, policy: Policy) -> None:
        self._sight.policy = policy

    def knows(self, evidence: str) -> bool:
        """Whether anything was written down on this evidence already."""
        return bool(evidence) and any(getattr(entry, "evidence", "") == evidence for entry in self._book.entries)

    # -- observations ------------------------------------------------------------------------------

    def observe(self, observation: Observation) -> None:
        """Take in what a witness saw."""
        match observation:
            case Scene():
                self._see(observation)
            case Press():
                self._on_input = QUIET
                self._press(observation)
            case DiceSeen():
                self._dice(observation)
            case MarkersSeen():
                self._markers(observation)
            case Touch():
                self._on_input = QUIET
                self._touch(observation)
        self._ask_again()

    def _press(self, press: Press) -> None:
        how = Provenance("button", press.witness, press.seat, 1.0, press.evidence)
        if press.button == "undo":
            self.undo(how)
        elif self.doubt is not None and press.button == "yes":
            self._choose(0, how)
        elif self.doubt is not None and press.button == "no":
            self._decline(self.doubt, how)
        elif self.doubt is not None:
            self._waiting = press
        else:
            self._confirm(press, how)

    def _confirm(self, press: Press, how: Provenance) -> None:
        for question in self.apparent.questions:
            mine = question.seat is None or press.seat is None or question.seat == press.seat
            # "Done" ends what is due; it takes up nothing that a player only may do.
            ends = press.button != "done" or question.seat is None or question not in self.apparent.offers
            if question.kind == "confirm" and mine and ends:
                self._answer(question.key, Confirmed(press.button != "no"), how)
                return
        if press.button in ("done", "yes") and (standing := self._standing_order) is not None:
            self._answer(standing.to, standing.reply, how)

    def _decline(self, doubt: Doubt, how: Provenance) -> None:
        if doubt.about != "table" and len(doubt.choices) == 2:
            self._choose(1, how)
            return
        self.doubt = self._waiting = None
        if doubt.about == "table":
            self._on_table = self._sight.decline(doubt, len(self._book.entries))

    def _dice(self, dice: DiceSeen) -> None:
        judged = self._throws.judge(dice, self.roll_asked, self.policy)
        if isinstance(judged, Doubt):
            self.tally.questions += judged != self.doubt
            self.doubt = judged
        elif judged is not None:
            how = Provenance("dice", dice.witness, None, dice.confidence, dice.evidence)
            self._answer_throw(judged, how)

    def _answer_throw(self, answer: Answer, how: Provenance) -> None:
        if self._answer(answer.to, answer.reply, how):
            self._throws.became(self.done[-1].sequence)
        else:
            self._throws.refused()

    def _markers(self, seen: MarkersSeen) -> None:
        changed = self._track.take(seen, is_late=self._reorders(seen.order) is not None)
        if changed and not seen.after_gap and (order := self._standing_order) is not None:
            how = Provenance("markers", seen.witness, None, 1.0, seen.evidence)
            self._answer(order.to, order.reply, how)

    def _touch(self, touch: Touch) -> None:
        self.tally.touches += 1
        how = Provenance("touch", touch.witness)
        if touch.choice is not None:
            self._choose(touch.choice, how)
            return
        answer = self.read_answer(self._ground(touch.to)[1], touch.to, touch.reply)
        if isinstance(answer, Refused):
            self._on_input = Alarm(answer.says)
            return
        self._answer(touch.to, answer.reply, how)

    def _choose(self, number: int, how: Provenance) -> None:
        choices, doubt = self.choices, self.doubt
        if not 0 <= number < len(choices):
            self._on_input = Alarm(self.voice.table("no_choice", number=number + 1, choices=len(choices)))
            return
        choice = choices[number]
        answers = choice.answers
        if doubt is not None and doubt.about != "table" and (choice.of is not None or not answers):
            self._settle(doubt, choice, how)
            return
        if doubt is not None and doubt.about == "dice":
            self._answer_throw(answers[0], how)
            return
        if doubt is None:
            self._answer(answers[0].to, answers[0].reply, how)
            return
        how = msgspec.structs.replace(how, evidence=doubt.evidence)
        if self._accept([(answer, how) for answer in answers]):
            self._catch_up()

    def _settle(self, doubt: Doubt, choice: Choice, how: Provenance) -> None:
        """A doubt about something that was written already is settled: it stays, or is corrected."""
        self.doubt = None
        if doubt.about == "dice":
            self._throws.agreed()
        if choice.of is not None:
            if says := self.correct(choice.of, format_reply(choice.answers[0].reply), how):
                self._on_input = Alarm(says)
        elif doubt.about == "markers" and choice == doubt.choices[0]:
            self._track.keep_game()
        elif doubt.about == "markers":
            self._track.keep_markers()
            self._on_input = Alarm(self.voice.table("markers_first", expected=self._track.expected_in_words))
        self._catch_up()

    # -- the table as the camera sees it -----------------------------------------------------------

    def _see(self, scene: Scene) -> None:
        self.watching = scene.steady and not scene.hand
        if not self.watching or not scene.sightings:
            self._on_table = Alarm(scene.problem)
            return
        if self.scene is None:
            # Opened again: where people had named a card, it counts against what the camera takes it for.
            self._after.vouched(self.position, look_at(scene, self.policy), self._book.named_by_hand)
        self.scene = scene
        self._looked = looks = self._looks(scene)
        if not self.held:
            self._after.seen(self.position, looks)
        if self.is_over:
            self._on_table = QUIET  # people clear the table
            return
        ground = Ground(self.position, self.held, self.awaited, len(self._book.entries), self.doubt)
        judged = self._sight.judge(scene, looks, ground)
        if judged.understood and not self._accept(judged.answers):
            return
        self._on_table = judged.alarm
        if judged.doubt is not None or (self.doubt is not None and self.doubt.about == "table"):
            self.doubt = judged.doubt
        self.tally.questions += judged.is_new
        if judged.understood:
            self.held = judged.held
            if judged.answers and not self.held:
                self._after.seen(self.position, looks)  # what was done by hand just now is not owed
            self._catch_up()

    def _catch_up(self) -> None:
        """A doubt is settled: carry out the press that had to wait for it."""
        press, self._waiting = self._waiting, None
        if press is not None and self.doubt is None:
            self._confirm(press, Provenance("button", press.witness, press.seat, 1.0, press.evidence))
