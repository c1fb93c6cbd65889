"""The enrolment as the screen has it: one model after every act, and acts that name the model they were tapped on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.desk.enrol_finish import Findings, look_through, save_set
from companion.desk.enrol_pictures import Picture, as_model, cut_out, drawn_marks, outlines
from companion.desk.enrol_rows import CARD_PIXELS, rows_of
from companion.desk.enrol_values import fields_of, sayable
from companion.desk.enrolment import Enrolment
from companion.presenters.enrol import (
    EnrolCard,
    EnrolChoose,
    EnrolFrame,
    EnrolModel,
    EnrolOpen,
    EnrolSet,
    PictureModel,
)
from companion.presenters.models import ChoiceModel, MeterModel, OverlayModel, Point
from companion.sets.owner import CardSet
from vision.enrol.layout import Place, Printed
from vision.enrol.readers import NOTHING

THUMB, GLYPH = 168, 260
"""Pixels of a card's picture on a page, and of a glyph that is asked about."""
NONE_OF_THESE = "None of these"
MOST_WARNINGS = 6

Step = tuple[EnrolModel, tuple[Callable[[], object], ...]]
"""A model and what each of its choices does."""


class EnrolmentSteps:
    """Shows one enrolment. `saved` is the finished set, None before."""

    def __init__(self, enrolment: Enrolment, title: str, folder: Path) -> None:
        self.enrolment, self._title, self._folder = enrolment, title, folder
        self.saved: CardSet | None = None
        self._serial = 0
        self._findings: Findings | None = None
        self._shown: Step = self._present()

    @property
    def model(self) -> EnrolModel:
        """What is to be shown now."""
        return self._shown[0]

    def refresh(self) -> EnrolModel:
        """Look again at what is to be shown: something was changed from outside."""
        self._serial += 1
        self._shown = self._present()
        return self.model

    def photograph(self, picture: Picture) -> EnrolModel:
        """Take the cards out of a picture (BGR).

        :raises vision.enrol.cut.CutError: if there is none.
        :raises EnrolmentError: if it is not the time for photographs.
        """
        self.enrolment.take(picture)
        return self.refresh()

    def act(self, wish: EnrolChoose | EnrolOpen | EnrolSet | EnrolFrame) -> EnrolModel:
        """Do what was tapped, and return what is to be shown then; a tap on a model that has gone does nothing.

        :raises EnrolmentError: if it cannot be done; one sentence.
        """
        if wish.key != self.model.key:
            return self.model
        match wish:
            case EnrolChoose(choice=choice) if 0 <= choice < len(self._shown[1]):
                self._shown[1][choice]()
            case EnrolOpen(card=card):
                self._open(card)
            case EnrolSet(field=field, place=place, value=value) if self.enrolment.opened is not None:
                self.enrolment.change(self.enrolment.opened, field, place, value)
            case EnrolFrame(frame=frame):
                self.enrolment.frame(*frame)
        return self.refresh()

    def _open(self, card: int) -> None:
        if card in self.enrolment.page():
            self.enrolment.opened = card

    def _close(self) -> None:
        self.enrolment.opened = None

    # -- models ----------------------------------------------------------------------------------------

    def _present(self) -> Step:
        steps: dict[str, Callable[[], Step]] = {
            "photograph": self._photographs,
            "frame": self._frame,
            "ask": self._ask,
            "page": self._page,
            "card": self._card,
            "finish": self._finish,
        }
        return steps[self.enrolment.step]()

    def _model(self, says: str, detail: str = "", **parts: object) -> EnrolModel:
        work = self.enrolment.work
        cards = [card for card in work.cards if not card.dropped]
        done = sum(card.shown is not None for card in cards)
        return EnrolModel(
            f"{self.enrolment.kind} {self._serial}",
            self.enrolment.game,
            self._title,
            self.enrolment.step,
            says,
            detail,
            done=done,
            of=len(cards),
            **parts,  # type: ignore[arg-type]  # fields of the model
        )

    def _photographs(self) -> Step:
        enrolment = self.enrolment
        found = len(list(enrolment.cards()))
        expected = sum(count.number for count in enrolment.rules.count)
        says = f"Lay {enrolment.kind} cards apart on a plain ground, printed top upwards, and photograph them."
        detail = f"{found} of {expected} {enrolment.kind} cards found."
        picture: PictureModel | None = None
        shown: tuple[OverlayModel, ...] = ()
        choices = [(ChoiceModel(0, "Next", f"{found} cards", "likely"), enrolment.end_photographs)] if found else []
        if enrolment.photograph is not None:
            detail = f"{len(enrolment.cuts)} cards in this photograph. {detail}"
            height, width = enrolment.photograph.shape[:2]
            picture = as_model(enrolment.photograph, 640)
            shown = outlines(enrolment.cuts, (width, height))
            again = ChoiceModel(1, "Not this one", "forget this photograph", "no")
            choices.append((again, enrolment.take_back))
        return (
            self._model(says, detail, picture=picture, outlines=shown, choices=tuple(c for c, _ in choices)),
            tuple(act for _, act in choices),
        )

    def _frame(self) -> Step:
        enrolment = self.enrolment
        number = next(number for number, _ in enrolment.cards())
        picture = as_model(enrolment.face(number), CARD_PIXELS)
        if enrolment.framed:
            what = _in_words(enrolment.layout.named(enrolment.framed))
            return self._model(
                f"Draw a frame round {what}.", "From corner to corner, as close as you can.", picture=picture
            ), ()
        frames = tuple(_corners(place) for printed in enrolment.layout.printed for place in printed.places)
        choices = (ChoiceModel(0, "They fit", "", "likely"), ChoiceModel(1, "Show where", "draw them on this card"))
        return (
            self._model("Do these frames lie on the printed values?", picture=picture, frames=frames, choices=choices),
            (enrolment.accept_layout, enrolment.show_places),
        )

    def _ask(self) -> Step:
        question = self.enrolment.question()
        if question is None:
            return self._doubt()
        printed = self.enrolment.layout.named(question.glyph.field)
        picture = cut_out(self.enrolment.face(question.glyph.card), question.place, GLYPH)
        offered = [(_sign(value), value) for value in question.values] + [(NONE_OF_THESE, NOTHING)]
        says = _QUESTIONS[printed.reads].format(field=printed.field)
        if printed.reads == "flag":
            offered = [("Yes", question.values[0]), ("No", NOTHING)]
        choices = tuple(ChoiceModel(number, title) for number, (title, _) in enumerate(offered))
        acts = tuple(partial(self.enrolment.teach, question.glyph, value) for _, value in offered)
        learned = f"{len(self.enrolment.work.taught)} examples learned; the other cards are read by them."
        return self._model(says, learned, picture=picture, choices=choices), acts

    def _doubt(self) -> Step:
        number, field = self.enrolment.doubt() or (0, "")
        printed = self.enrolment.layout.named(field)
        proposal = self.enrolment.proposals(number)[field]
        unsure = [place for place, sure in enumerate(proposal.sure) if not sure]
        face = self.enrolment.face(number)
        offered: list[tuple[ChoiceModel, Callable[[], object]]] = []
        if printed.reads in ("numbers", "sign") and len(unsure) == 1:
            (place,) = unsure
            picture = cut_out(face, printed.places[place], GLYPH)
            says = _QUESTIONS[printed.reads].format(field=printed.field)
            read = proposal.values[place]
            for value in sorted(printed.values, key=lambda value: value != read):
                values = (*proposal.values[:place], value, *proposal.values[place + 1 :])
                offered.append((_choice(len(offered), value, value == read), self._confirms(number, field, values)))
        else:
            whole = Place(0.5, 0.5, 1.0, 1.0)
            place_shown = whole if len(printed.places) > 1 else printed.places[0]
            picture, says = (
                cut_out(face, place_shown, GLYPH),
                f"Is this right? {_titled(printed.field, proposal.values)}",
            )
            offered.append((_choice(0, "Yes", True), self._confirms(number, field, proposal.values)))
        offered.append((_choice(len(offered), "Put right", False), lambda: self._open(number)))
        return (
            self._model(says, "This value is in doubt.", picture=picture, choices=tuple(c for c, _ in offered)),
            tuple(act for _, act in offered),
        )

    def _confirms(self, number: int, field: str, values: tuple[str, ...]) -> Callable[[], None]:
        return partial(self.enrolment.confirm, number, field, values)

    def _page(self) -> Step:
        cards = tuple(self._on_page(number) for number in self.enrolment.page())
        choices = (ChoiceModel(0, "All right", "", "likely"),)
        return (
            self._model("Is every card read rightly? Tap one that is not.", cards=cards, choices=choices),
            (self.enrolment.confirm_page,),
        )

    def _on_page(self, number: int) -> EnrolCard:
        shown = self.enrolment.shown(number)
        marks = drawn_marks(self.enrolment.layout, shown, self.enrolment.work.cards[number].confirmed)
        words = sayable({field: values for field, values in shown.items() if self._is_word(field)})
        picture = as_model(self.enrolment.face(number), THUMB)
        return EnrolCard(number, picture, marks, words, bool(self.enrolment.work.cards[number].confirmed))

    def _is_word(self, field: str) -> bool:
        return self.enrolment.layout.named(field).reads in ("colour", "sign", "flag")

    def _card(self) -> Step:
        enrolment = self.enrolment
        number = enrolment.opened or 0
        shown = enrolment.shown(number)
        rows = [row for printed in enrolment.layout.printed for row in rows_of(printed, shown)]
        says = f"Card {number + 1}: tap what is printed on it."
        try:
            fields_of(enrolment.layout, enrolment.rules, shown)
            detail = ""
        except ValueError as error:
            detail = f"Not possible: {error}"
        choices = (
            ChoiceModel(0, "Done", "", "likely"),
            ChoiceModel(1, "Leave out", "this card is not to be kept", "no"),
        )
        picture = as_model(enrolment.face(number), CARD_PIXELS)
        return self._model(says, detail, picture=picture, rows=tuple(rows), choices=choices), (
            lambda: self._done_with(number),
            lambda: self._leave_out(number),
        )

    def _done_with(self, number: int) -> None:
        """Close the card; what it shows was looked at, so nothing of it is in doubt any more."""
        for field in self.enrolment.doubts(number):
            if field not in self.enrolment.work.cards[number].confirmed:
                self.enrolment.confirm(number, field, self.enrolment.shown(number)[field])
        self._close()

    def _leave_out(self, number: int) -> None:
        self.enrolment.drop(number)
        self._close()

    def _finish(self) -> Step:
        if self._findings is None:
            self._findings = look_through(self.enrolment)
        findings = self._findings
        if findings.twice:
            return self._twice(findings)
        counts = tuple(
            MeterModel(called, f"{found} of {expected}", "ok" if found == expected else "failed")
            for called, found, expected in findings.counts
        )
        if self.saved is not None:
            says = f"The set is saved: {len(findings.cards)} cards that the camera knows from now on."
            return self._model(says, counts=counts, warnings=findings.warnings[:MOST_WARNINGS]), ()
        more = len(findings.warnings) - MOST_WARNINGS
        warnings = (*findings.missing, *findings.warnings)[:MOST_WARNINGS]
        says = "Everything in the box is there." if not findings.missing else "The box holds other cards too."
        detail = f"and {more} more pairs that look alike" if more > 0 else ""
        others = "the others are learned in play" if findings.missing else f"{len(findings.cards)} cards"
        choices = [(ChoiceModel(0, "Save the set", others, "likely"), self._save)]
        if self.enrolment.lacks:
            choices.append((ChoiceModel(1, "More photographs", "of the cards that are missing"), self._photograph_more))
        return (
            self._model(says, detail, counts=counts, warnings=warnings, choices=tuple(choice for choice, _ in choices)),
            tuple(act for _, act in choices),
        )

    def _twice(self, findings: Findings) -> Step:
        first, second = (findings.card(key) for key in findings.twice[0])
        pictures = [self.enrolment.face_of(card.file) for card in (first, second)]
        choices = (
            ChoiceModel(0, "One card", "it was photographed twice", "likely"),
            ChoiceModel(1, "Two cards", "the box holds both"),
        )
        says = f"Are these one card? {first.key} and {second.key} show the same."
        model = self._model(says, picture=as_model(pictures, CARD_PIXELS), choices=choices)
        return model, (
            lambda: self._keep_one(second.kind, second.file),
            lambda: self._keep_two(first.file, second.file),
        )

    def _keep_one(self, kind: str, file: str) -> None:
        self.enrolment.drop_file(kind, file)
        self._findings = None

    def _keep_two(self, first: str, second: str) -> None:
        self.enrolment.part(first, second)
        self._findings = None

    def _photograph_more(self) -> None:
        self.enrolment.photograph_more()
        self._findings = None

    def _save(self) -> None:
        findings = self._findings or look_through(self.enrolment)
        self.saved = save_set(self.enrolment, findings, self._folder, f"Our own cards for {self._title}")
        self.enrolment.clear()


_QUESTIONS = {
    "numbers": "Which number is this? ({field})",
    "sign": "Which {field} is this?",
    "row": "What is this? ({field})",
    "marks": "What is this sign?",
    "flag": "Is there a {field} here?",
    "colour": "Which {field} is this card?",
}


def _sign(value: str) -> str:
    return value.replace("-", "\u2212").capitalize()


def _choice(number: int, value: str, likely: bool) -> ChoiceModel:
    return ChoiceModel(number, _sign(value), style="likely" if likely else "plain")


def _titled(field: str, values: tuple[str, ...]) -> str:
    return f"{field}: {', '.join(map(_sign, values)) or 'none'}"


def _in_words(printed: Printed) -> str:
    match printed.reads:
        case "numbers":
            return "the number at the printed top" if len(printed.places) > 1 else f"the {printed.field}"
        case "marks":
            return f"the place of the {printed.field}"
        case "row":
            return f"the strip with the {printed.field}, from end to end"
        case "sign":
            return f"the drawing or word that tells the {printed.field}"
        case "flag":
            return f"the place where a {printed.field} may be"
        case _:
            return f"a part of the card whose colour tells its {printed.field}"


def _corners(place: Place) -> tuple[Point, Point, Point, Point]:
    left, right = place.x - place.width / 2, place.x + place.width / 2
    top, bottom = place.y - place.height / 2, place.y + place.height / 2
    return (left, top), (right, top), (right, bottom), (left, bottom)
