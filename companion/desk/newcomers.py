"""A card that is in no set, met in play: what is printed on it is said once, and it belongs to the set from then on."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from companion.desk.enrol_draft import QUALITY
from companion.desk.enrol_known import layouts_of, learner_of
from companion.desk.enrol_pictures import as_model
from companion.desk.enrol_rows import CARD_PIXELS, changed, rows_of
from companion.desk.enrol_values import doubts, fields_of, group_of, is_single
from companion.desk.strangers import Nameless, Picture
from companion.kernel import Placed, Position
from companion.presenters.enrol import EnrolModel, EnrolRow, EnrolSet
from companion.presenters.models import ChoiceModel
from companion.sets.form import load_form
from companion.sets.owner import CardSet
from companion.sets.publish import add_card
from vision.enrol.layout import Layout
from vision.enrol.learner import Learner
from vision.enrol.readers import Glyph

IN_PLAY = "in play"
"""How the keys of these models begin."""
KIND = "kind of card"
DONE, FACE_DOWN, NO_CARD = range(3)
"""What can be tapped beside the values."""


class Newcomer:
    """One such card. `turned` are the quarter turns clockwise by which its printed top lay when it was first seen."""

    def __init__(self, met: Nameless, cards: CardSet, kinds: Collection[str] = ()) -> None:
        """Read what is printed on the card; takes some seconds.

        :param kinds: the kinds of card that may lie there; empty: all

        :raises LookupError: if nothing says where the values of this game's cards are printed.
        """
        self.met, self._cards = met, cards
        self._form = load_form(cards.game) or {}
        layouts = layouts_of(cards)
        self._layouts = {kind: layouts[kind] for kind in layouts if kind in kinds} or layouts
        if not self._layouts:
            raise LookupError(f"nothing says where the values are printed on the cards of {cards.game}")
        self._serial = 0
        self._learners = {kind: learner_of(cards, kind, layout) for kind, layout in self._layouts.items()}
        self._numbers: dict[tuple[str, int], int] = {}
        read = {(kind, turned): self._read(kind, turned) for kind in self._layouts for turned in self._turns()}
        self.kind, self.turned = max(read, key=lambda each: read[each])
        self._said: dict[str, tuple[str, ...]] = {}

    def _turns(self) -> tuple[int, ...]:
        high, wide = self.met.face.shape[:2]
        return (0, 1, 2, 3) if max(high, wide) < 1.2 * min(high, wide) else (0, 2)

    def _read(self, kind: str, turned: int) -> float:
        """Read the card as one of this kind that lies turned; return the share of its values that are sure."""
        learner = self._learners[kind]
        number = learner.add(np.ascontiguousarray(np.rot90(self.met.face, turned)))
        self._numbers[kind, turned] = number
        proposals = learner.proposals(number)
        shown = {field: proposal.values for field, proposal in proposals.items()}
        printed = [each for each in self._layouts[kind].printed if each.is_on(shown)]
        return sum(proposals[each.field].is_sure for each in printed) / len(printed)

    @property
    def layout(self) -> Layout:
        """Where the values of such a card are printed."""
        return self._layouts[self.kind]

    @property
    def _learner(self) -> tuple[Learner, int]:
        return self._learners[self.kind], self._numbers[self.kind, self.turned]

    @property
    def shown(self) -> dict[str, tuple[str, ...]]:
        """The values as they stand now; what nothing tells is empty."""
        learner, number = self._learner
        read = learner.proposals(number)
        return {
            field: self._said.get(field, proposal.values if learner.has_examples(field) else ())
            for field, proposal in read.items()
        }

    @property
    def model(self) -> EnrolModel:
        """What is asked about the card."""
        shown, unsure = self.shown, self._unsure()
        rows = [row for printed in self.layout.printed for row in rows_of(printed, shown, unsure)]
        if len(self._layouts) > 1:
            rows.insert(0, EnrolRow(KIND, 0, KIND, self.kind, tuple(self._layouts)))
        name = self.met.label.capitalize()
        return EnrolModel(
            f"{IN_PLAY} {self.met.label} {self._serial}",
            self._cards.game,
            name,
            "card",
            f"{name} in {self.met.slot} is in no set. What is printed on it?",
            self.problem,
            picture=as_model(self.upright, CARD_PIXELS),
            rows=tuple(rows),
            choices=(
                ChoiceModel(DONE, "Done", "", "likely"),
                ChoiceModel(FACE_DOWN, "Face down", "this is its back"),
                ChoiceModel(NO_CARD, "No card", "of this game", "no"),
            ),
            in_play=True,
        )

    def _unsure(self) -> list[str]:
        learner, number = self._learner
        found = doubts(self.layout, self._form[self.kind], learner.proposals(number))
        return [field for field in found if field not in self._said]

    @property
    def upright(self) -> Picture:
        """The card's face, printed top upwards."""
        return np.ascontiguousarray(np.rot90(self.met.face, self.turned))

    @property
    def problem(self) -> str:
        """Why these values cannot be printed on a card, empty if they can."""
        try:
            fields_of(self.layout, self._form[self.kind], self.shown)
        except ValueError as error:
            return f"Not possible: {error}"
        return ""

    def change(self, wish: EnrolSet) -> None:
        """Put one value right, or the kind of the card."""
        self._serial += 1
        if wish.field == KIND:
            self.kind, self._said = wish.value, {}
            return
        printed = self.layout.named(wish.field)
        self._said[wish.field] = changed(printed, self.shown[wish.field], wish.place, wish.value)
        if printed.reads in ("sign", "colour"):  # what else is printed may depend on it
            learner, number = self._learner
            learner.teach(Glyph(wish.field, number, 0), wish.value)

    def keep(self) -> tuple[str, CardSet]:
        """Add the card to the owner's set; return its key there, and the set with it.

        :raises ValueError: if the values cannot be printed on a card.
        :raises companion.sets.owner.SetError: if the set does not take it.
        """
        fields = fields_of(self.layout, self._form[self.kind], self.shown)
        group = group_of(self.kind, self.layout, fields)
        key = group
        if key in self._cards.cards or not is_single(self._form[self.kind], fields):
            number = 1 + sum(key.startswith(f"{group}-") for key in self._cards.cards)
            while f"{group}-{number:02d}" in self._cards.cards:
                number += 1
            key = f"{group}-{number:02d}"
        _, encoded = cv2.imencode(".jpg", self.upright, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return key, add_card(self._cards, key, self.kind, fields, encoded.tobytes())


def kinds_for(slot: str, position: Position, cards: CardSet) -> frozenset[str]:
    """Return the kinds of the cards that may be laid into a slot now, none if nothing says so."""
    replies = (reply for question in position.questions if question.kind == "place" for reply in question.domain)
    pieces = {reply.piece for reply in replies if isinstance(reply, Placed) and reply.slot == slot}
    return frozenset(cards.kinds[piece] for piece in pieces if piece in cards.kinds)
