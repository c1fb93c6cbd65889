"""A card that is in no set, met in play: what is printed on it is said once, and it belongs to the set from then on."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from companion.desk.enrol_draft import QUALITY
from companion.desk.enrol_known import layouts_of, learner_of
from companion.desk.enrol_pictures import as_model
from companion.desk.enrol_rows import CARD_PIXELS, changed, rows_of
from companion.desk.enrol_values import fields_of, group_of
from companion.desk.strangers import Nameless, Picture
from companion.presenters.enrol import EnrolModel, EnrolSet
from companion.presenters.models import ChoiceModel
from companion.sets.form import load_form
from companion.sets.owner import CardSet
from companion.sets.publish import add_card
from vision.enrol.layout import Layout

IN_PLAY = "in play"
"""How the keys of these models begin."""


class Newcomer:
    """One such card. `turned` are the quarter turns clockwise by which its printed top lay when it was first seen."""

    def __init__(self, met: Nameless, cards: CardSet) -> None:
        """Read what is printed on the card; takes some seconds.

        :raises LookupError: if nothing says where the values of this game's cards are printed.
        """
        self.met, self._cards = met, cards
        self._form = load_form(cards.game) or {}
        self._serial = 0
        self.kind, self.layout, self.turned, self.shown = _read(met.face, cards)

    @property
    def model(self) -> EnrolModel:
        """What is asked about the card."""
        rows = tuple(row for printed in self.layout.printed for row in rows_of(printed, self.shown[printed.field]))
        name = self.met.label.capitalize()
        return EnrolModel(
            f"{IN_PLAY} {self.met.label} {self._serial}",
            self._cards.game,
            name,
            "card",
            f"{name} in {self.met.slot} is in no set. What is printed on it?",
            self.problem,
            picture=as_model(self.upright, CARD_PIXELS),
            rows=rows,
            choices=(ChoiceModel(0, "Done", "", "likely"),),
            in_play=True,
        )

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
        """Put one value right."""
        printed = self.layout.named(wish.field)
        self.shown[wish.field] = changed(printed, self.shown[wish.field], wish.place, wish.value)
        self._serial += 1

    def keep(self) -> tuple[str, dict[str, object], CardSet]:
        """Add the card to the owner's set; return its key there, its fields, and the set with it.

        :raises ValueError: if the values cannot be printed on a card.
        :raises companion.sets.owner.SetError: if the set does not take it.
        """
        fields = fields_of(self.layout, self._form[self.kind], self.shown)
        group = group_of(self.kind, self.layout, fields)
        number = 1 + sum(key.startswith(f"{group}-") for key in self._cards.cards)
        while f"{group}-{number:02d}" in self._cards.cards:
            number += 1
        key = f"{group}-{number:02d}"
        _, encoded = cv2.imencode(".jpg", self.upright, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return key, fields, add_card(self._cards, key, self.kind, fields, encoded.tobytes())


def _read(face: Picture, cards: CardSet) -> tuple[str, Layout, int, dict[str, tuple[str, ...]]]:
    """Return kind, layout, turn and values of a card that lies in any quarter turn: those that are read most surely."""
    best: tuple[int, str, Layout, int, dict[str, tuple[str, ...]]] | None = None
    for kind, layout in layouts_of(cards).items():
        learner = learner_of(cards, kind, layout)
        for turned in range(4):
            number = learner.add(np.ascontiguousarray(np.rot90(face, turned)))
            proposals = learner.proposals(number)
            sure = sum(sum(each.sure) + each.complete for each in proposals.values())
            if best is None or sure > best[0]:
                best = sure, kind, layout, turned, {field: each.values for field, each in proposals.items()}
    if best is None:
        raise LookupError(f"nothing says where the values are printed on the cards of {cards.game}")
    return best[1:]


def stated(document: dict[str, object], key: str, fields: dict[str, object]) -> dict[str, object]:
    """Return a position's document in which a card that is in no set is stated."""
    others = document.get("cards")
    cards = dict(others) if isinstance(others, dict) else {}
    return {**document, "cards": {**cards, key: msgspec.to_builtins(fields)}}
