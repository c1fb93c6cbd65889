"""The enrolment of an owner's set, step by step: photographs, one example of each glyph, pages to look through.

It knows no screen and no thread; what is tapped comes in as intents, what is to be shown goes out as
one model. Every act is on disk before the next model is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from companion.desk.enrol_draft import Draft, DraftCard, DraftFolder, DraftKind, Picture, Taught
from companion.desk.enrol_rows import changed
from companion.desk.enrol_values import Printing, doubts, fields_of
from companion.presenters.enrol import PER_PAGE, Step
from companion.sets.form import Kind, load_form
from companion.sets.owner import PROXIES
from vision.enrol.cut import Cut, cut_cards
from vision.enrol.layout import FILE as LAYOUT_FILE
from vision.enrol.layout import Layout, Place, read_layouts, round_the_card
from vision.enrol.learner import Learner, Question
from vision.enrol.readers import NOTHING, Glyph, Proposal


class EnrolmentError(ValueError):
    """A wish that cannot be met now; one sentence."""


class Enrolment:
    """One game's set on its way. `folder` is where the draft is kept.

    :raises companion.desk.enrol_draft.DraftError: if the draft begun there cannot be used.
    :raises EnrolmentError: if nothing says what is printed on this game's cards.
    """

    def __init__(self, game: str, folder: Path, layouts: Path | None = None) -> None:
        form = load_form(game)
        file = layouts or PROXIES / game / LAYOUT_FILE
        if form is None or not file.is_file():
            raise EnrolmentError(
                f"nothing says yet where the values are printed on the cards of {game}; write a {LAYOUT_FILE}"
            )
        self.game, self.form = game, form
        self._usual = {kind: layout for kind, layout in read_layouts(file).items() if kind in form}
        self._disk = DraftFolder(folder)
        self.draft: Draft = self._disk.load(game, tuple(self._usual))
        self._learner: Learner | None = None
        self._learn_all()
        self.cuts: list[Cut] = []
        self.photograph: Picture | None = None
        self.opened: int | None = None
        self._frames: list[Place] = []
        self._asks_frames = False

    # -- what is at hand -------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """The kind of card that is worked on: the first that is not confirmed, the last when all are."""
        for kind in self._usual:
            if not self._is_done(kind):
                return kind
        return next(reversed(self._usual))

    @property
    def rules(self) -> Kind:
        return self.form[self.kind]

    @property
    def work(self) -> DraftKind:
        return self.draft.kinds[self.kind]

    @property
    def layout(self) -> Layout:
        """Where the values are printed: as a person showed it, else as on our own drawings."""
        return self.layout_of(self.kind)

    @property
    def step(self) -> Step:
        work = self.work
        if self._is_done(self.kind):
            return "finish"
        if not work.photographed:
            return "photograph"
        if work.layout is None:
            return "frame"
        if self.opened is not None:
            return "card"
        if self.question() is not None or self.doubt() is not None:
            return "ask"
        return "page"

    def _is_done(self, kind: str) -> bool:
        work = self.draft.kinds[kind]
        return work.photographed and all(card.shown is not None for card in work.cards if not card.dropped)

    def cards(self) -> Iterator[tuple[int, DraftCard]]:
        """Yield the cards of the kind at hand that count, by number."""
        return ((number, card) for number, card in enumerate(self.work.cards) if not card.dropped)

    def layout_of(self, kind: str) -> Layout:
        """Return where the values of a kind of card are printed."""
        return self.draft.kinds[kind].layout or self._usual[kind]

    def face(self, number: int) -> Picture:
        """Return the upright face (BGR) of a card of the kind at hand."""
        return self.face_of(self.work.cards[number].file)

    def face_of(self, name: str) -> Picture:
        """Return the upright face (BGR) of a card by its file."""
        return self._disk.face(name)

    def file_of(self, name: str) -> Path:
        """Return where the face of a card is kept."""
        return self._disk.folder / name

    # -- photographs -----------------------------------------------------------------------------------

    def take(self, picture: Picture) -> int:
        """Cut the cards out of a photograph, keep them, and return how many there were.

        :raises vision.enrol.cut.CutError: if there is none; nothing is changed then.
        """
        if self.step != "photograph":
            raise EnrolmentError("The photographs of these cards are finished; look through the pages.")
        self.cuts, self.photograph = cut_cards(picture), picture
        for cut in self.cuts:
            name = f"{self.kind}-{len(self.work.cards) + 1:03d}.jpg"
            self._disk.keep_face(name, cut.face)
            self.work.cards.append(DraftCard(name))
        self._disk.save(self.draft)
        return len(self.cuts)

    def take_back(self) -> None:
        """Forget the cards of the last photograph."""
        for _ in self.cuts:
            self.work.cards.pop()
        self.cuts, self.photograph = [], None
        self._disk.save(self.draft)

    def end_photographs(self) -> None:
        """Go on to the values; there must be a card.

        :raises EnrolmentError: if there is none.
        """
        if not self.work.cards:
            raise EnrolmentError("There is no card yet; photograph some first.")
        self.work.photographed = True
        self.cuts, self.photograph = [], None
        self._learn_all()
        self._disk.save(self.draft)

    # -- where it is printed ---------------------------------------------------------------------------

    @property
    def framed(self) -> str:
        """The printed field round which a frame is to be drawn now; empty while the usual places are shown."""
        if not self._asks_frames:
            return ""
        return self.layout.printed[len(self._frames)].field

    def accept_layout(self) -> None:
        """The places shown are where the values are printed."""
        self._use(self.layout)

    def show_places(self) -> None:
        """The places shown are wrong: a person draws each."""
        self._asks_frames, self._frames = True, []

    def frame(self, left: float, top: float, right: float, bottom: float) -> None:
        """Take the frame drawn round the field that is asked for (shares of the card).

        :raises EnrolmentError: if it is no frame.
        """
        if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1) or min(right - left, bottom - top) < 0.03:
            raise EnrolmentError("That frame is too small; draw it round the whole print, from corner to corner.")
        self._frames.append(Place((left + right) / 2, (top + bottom) / 2, right - left, bottom - top))
        usual = self._usual[self.kind].printed
        if len(self._frames) == len(usual):
            printed = (
                msgspec.structs.replace(
                    each, places=round_the_card(place, len(each.places)) if len(each.places) > 1 else (place,)
                )
                for each, place in zip(usual, self._frames, strict=True)
            )
            self._use(Layout(tuple(printed)))

    def _use(self, layout: Layout) -> None:
        self.work.layout, self._asks_frames = layout, False
        self._learn_all()
        self._disk.save(self.draft)

    # -- learning and proposing ------------------------------------------------------------------------

    def _learn_all(self) -> None:
        self._learner = None
        if self.work.layout is None or not self.work.photographed:
            return
        self._learner = Learner(self.work.layout)
        for number in range(len(self.work.cards)):
            self._learner.add(self.face(number))
        for said in self.work.taught:
            self._learner.teach(Glyph(said.field, said.card, said.number), said.value)

    def question(self) -> Question | None:
        """Return the glyph that is asked about, None if all that is frequent is known."""
        return None if self._learner is None else self._learner.question()

    def teach(self, glyph: Glyph, value: str) -> None:
        """Take a person's word for a glyph; it is learned from for all other cards too."""
        if self._learner is not None:
            self._learner.teach(glyph, value)
            self.work.taught.append(Taught(glyph.field, glyph.card, glyph.number, value))
            self._disk.save(self.draft)

    def proposals(self, number: int) -> Mapping[str, Proposal]:
        """Return what a card seems to show; what a person said of it is sure."""
        if self._learner is None:
            raise EnrolmentError("Values are read once it is known where they are printed.")
        confirmed = self.work.cards[number].confirmed
        return {
            field: Proposal(confirmed[field], (True,) * len(confirmed[field])) if field in confirmed else proposal
            for field, proposal in self._learner.proposals(number).items()
        }

    def shown(self, number: int) -> Printing:
        """Return the values of a card as they stand now."""
        card = self.work.cards[number]
        if card.shown is not None:
            return card.shown
        return {field: proposal.values for field, proposal in self.proposals(number).items()}

    def doubt(self) -> tuple[int, str] | None:
        """Return the first value (card, printed field) of the page at hand that must be confirmed by itself."""
        if self._learner is None:
            return None
        for number in self.page():
            unsure = [field for field in self.doubts(number) if field not in self.work.cards[number].confirmed]
            if unsure:
                return number, unsure[0]
        return None

    def doubts(self, number: int) -> list[str]:
        """Return the printed fields of a card that are in doubt."""
        proposals = self.proposals(number)
        found = doubts(self.layout, self.rules, proposals)
        confirmed = self.work.cards[number].confirmed
        return found or [
            field
            for field, value in self._too_many()
            if field not in confirmed and proposals[field].values == (value,) and not self._is_taught(number, field)
        ]

    def _too_many(self) -> list[tuple[str, str]]:
        """Return the values (printed field, value) that more cards seem to show than the box holds of them.

        A drawing that nobody has shown yet is taken for another one then.
        """
        limits = {
            (field, str(value)): count.number
            for count in self.rules.count
            for field, value in count.where.items()
            if len(count.where) == 1
        }
        seen = Counter(
            (field, proposal.values[0])
            for number, _ in self.cards()
            for field, proposal in self.proposals(number).items()
            if len(proposal.values) == 1
        )
        return [each for each, limit in limits.items() if seen[each] > limit]

    def _is_taught(self, number: int, field: str) -> bool:
        return any((said.card, said.field) == (number, field) for said in self.work.taught)

    def page(self) -> list[int]:
        """Return the numbers of the next cards to be looked through."""
        return [number for number, card in self.cards() if card.shown is None][:PER_PAGE]

    # -- a person's word -------------------------------------------------------------------------------

    def confirm(self, number: int, field: str, values: tuple[str, ...]) -> None:
        """Take a person's word for one printed field of a card, and learn from it where it is clear what from."""
        card = self.work.cards[number]
        card.confirmed[field] = values
        printed = self.layout.named(field)
        if printed.reads == "numbers":
            for place, value in enumerate(values):
                self.teach(Glyph(field, number, place), value)
        elif printed.reads == "row":
            self._teach_row(number, field, values)
        elif printed.reads in ("flag", "colour", "sign"):
            self.teach(Glyph(field, number, 0), values[0] if values else NOTHING)
        self._disk.save(self.draft)

    def _teach_row(self, number: int, field: str, values: tuple[str, ...]) -> None:
        if self._learner is not None and self._learner.lone(field, number) == len(values):
            for place, value in enumerate(values):
                self.teach(Glyph(field, number, place), value)

    def change(self, number: int, field: str, place: int, value: str) -> None:
        """Put one value of a card right; a mark is added or taken out at its place."""
        printed = self.layout.named(field)
        values = changed(printed, self.shown(number)[field], place, value)
        if printed.reads in ("marks", "flag", "row"):
            self.confirm(number, field, values)
            return
        before = self.work.cards[number].confirmed.get(field)
        self.work.cards[number].confirmed[field] = values
        if before != values:
            self.teach(Glyph(field, number, place), value)
        self._disk.save(self.draft)

    def drop(self, number: int) -> None:
        """Leave a card out: it was photographed twice, or is none of the game's."""
        self.work.cards[number].dropped = True
        self._disk.save(self.draft)

    def confirm_page(self) -> None:
        """All cards of the page are as they are shown.

        :raises EnrolmentError: if one of them still holds a doubt, or cannot be printed like that.
        """
        page = self.page()
        if self.doubt() is not None:
            raise EnrolmentError("One value of this page is still in doubt; confirm it first.")
        for number in page:
            try:
                fields_of(self.layout, self.rules, self.shown(number))
            except ValueError as error:
                raise EnrolmentError(f"Card {number + 1}: {error}") from None
        kind = self.kind
        for number in page:
            self.work.cards[number].shown = dict(self.shown(number))
        self._disk.save(self.draft)
        if self.kind != kind:
            self._learn_all()

    def drop_file(self, kind: str, file: str) -> None:
        """Leave out the card of this file."""
        for card in self.draft.kinds[kind].cards:
            card.dropped = card.dropped or card.file == file
        self._disk.save(self.draft)

    @property
    def lacks(self) -> str:
        """The first kind whose cards are not as many as the box holds, empty if there is none."""
        for kind, work in self.draft.kinds.items():
            expected = sum(count.number for count in self.form[kind].count)
            if sum(not card.dropped for card in work.cards) != expected:
                return kind
        return ""

    def photograph_more(self) -> None:
        """Take photographs again: of the first kind whose cards are not as many as the box holds."""
        kind = self.lacks
        if kind:
            self.draft.kinds[kind].photographed = False
        self._learner = None
        self._disk.save(self.draft)

    def part(self, first: str, second: str) -> None:
        """Two cards (by file) that look alike are two cards."""
        self.draft.apart.append((first, second))
        self._disk.save(self.draft)

    def clear(self) -> None:
        """Remove the draft."""
        self._disk.clear()
