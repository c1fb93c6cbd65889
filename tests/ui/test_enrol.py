"""An owner's cards, enrolled by touch in the real window: photographs, questions, a page, and on after a break."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from msgspec.structs import replace

from companion.bench.enrol import Person, Spread
from companion.desk import TableDesk
from companion.desk.enrol_steps import EnrolmentSteps
from companion.presenters.enrol import EnrolChoose, EnrolModel, EnrolOpen, EnrolRow, EnrolSet, PictureModel
from companion.presenters.models import ChoiceModel
from companion.sets.owner import proxy_set
from tests.desk.parts import TestRoom
from tests.ui.pilot import Pilot
from ui.screens.games import GameTile
from ui.widgets.enrol_card import EnrolCardTile

CARDS = proxy_set("allies")
FEW = [key for key, card in CARDS.of_kind("tribe").items() if len(card["symbols"]) + card["diamond"] <= 1]
KEYS = FEW[2 :: len(FEW) // 14][:15]
"""Fifteen cards of all tribes with one mark at most, so that one photograph is enough to learn from."""


def steps_of(desk: TableDesk) -> EnrolmentSteps:
    steps = desk._enrolment._steps
    assert steps is not None
    return steps


class Touching(Person):
    """The simulated person, whose touches are those of a finger in the window."""

    def __init__(self, pilot: Pilot, desk: TableDesk) -> None:
        super().__init__(steps_of(desk), CARDS)
        self.pilot = pilot

    def choose(self, step: str, choice: int) -> None:
        model = shown(self.pilot)
        self.pilot.tap(self.pilot.button(next(each.says for each in model.choices if each.number == choice)))
        assert self.pilot.wait(lambda: shown(self.pilot).key != model.key)

    def touch(self, step: str, wish: EnrolChoose | EnrolOpen | EnrolSet) -> EnrolModel:
        before = shown(self.pilot)
        self.pilot.app.submit(wish)
        assert self.pilot.wait(lambda: shown(self.pilot) != before)
        return shown(self.pilot)


def shown(pilot: Pilot) -> EnrolModel:
    return pilot.app.root.sheet("enrol").model


def open_my_cards(pilot: Pilot) -> None:
    pilot.tap(pilot.button("New game"))
    assert pilot.wait(lambda: any(tile.model.key == "allies" for tile in pilot.shown(GameTile)))
    pilot.tap(pilot.button("My cards"))
    pilot.tap(next(tile for tile in pilot.shown(GameTile) if tile.model.key == "allies"))
    assert pilot.wait(lambda: pilot.here == "enrol" and shown(pilot) is not None)


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_my_cards_are_photographed_learned_and_looked_through(
    fly: Callable[..., Pilot], tmp_path: Path, size: tuple[int, int]
) -> None:
    spread = Spread(CARDS, seed=1)
    (tmp_path / "photographs").mkdir()
    cv2.imwrite(str(tmp_path / "photographs" / "spread.png"), spread.photograph(KEYS))
    desk = TableDesk(TestRoom(tmp_path, electronics=False))
    pilot = fly(size, desk=desk)
    open_my_cards(pilot)
    pilot.tap(pilot.button("From the folder"))
    assert pilot.wait(lambda: len(shown(pilot).outlines) == len(KEYS))
    pilot.picture(tmp_path / f"photograph-{size[0]}.png")
    person = Touching(pilot, desk)
    for outline in shown(pilot).outlines:
        x, y = (sum(point[axis] for point in outline.corners) / 4 * (1280, 720)[axis] for axis in (0, 1))
        person.keys["tribe"].append(spread.key_at(x, y))

    pilot.tap(pilot.button("Photograph"))
    assert pilot.wait(lambda: "There is no picture" in pilot.app.root.toast.text)
    pilot.app.root.toast.opacity = 0
    pilot.tap(pilot.button("Next"))
    assert pilot.wait(lambda: shown(pilot).step == "frame")
    pilot.picture(tmp_path / f"frame-{size[0]}.png")
    pilot.tap(pilot.button("They fit"))
    assert pilot.wait(lambda: shown(pilot).step == "ask")
    pilot.picture(tmp_path / f"ask-{size[0]}.png")
    questions = 0
    while (step := shown(pilot).step) in ("ask", "card"):
        # A card that was read wrongly is opened, and put right there.
        person.answer() if step == "ask" else person.put_right()
        questions += 1
        assert questions < 40
    assert shown(pilot).step == "page"
    assert len(list(pilot.shown(EnrolCardTile))) == 12
    pilot.picture(tmp_path / f"page-{size[0]}.png")
    steps = person.steps
    truth = [person.shown(number) for number in range(12)]
    assert [steps.enrolment.shown(number)["sectors"] for number in range(12)] == [card["sectors"] for card in truth]

    first = next(tile for tile in pilot.shown(EnrolCardTile) if tile.model.card == 0)
    pilot.tap(first)
    assert pilot.wait(lambda: shown(pilot).step == "card")
    pilot.picture(tmp_path / f"card-{size[0]}.png")
    had = bool(steps.enrolment.shown(0)["crown"])
    for crown in (not had, had):
        before = shown(pilot)
        pilot.tap(pilot.button("Crown" if crown else "None"))
        assert pilot.wait(lambda before=before: shown(pilot).rows != before.rows), "the screen shows it"
        assert bool(steps.enrolment.shown(0)["crown"]) is crown
    pilot.tap(pilot.button("Done"))
    assert pilot.wait(lambda: shown(pilot).step == "page")
    pilot.tap(pilot.button("All right"))
    assert pilot.wait(lambda: shown(pilot).done == 12)

    pilot.tap(pilot.button("Back"))
    assert pilot.wait(lambda: pilot.here == "home")
    open_my_cards(pilot)
    assert pilot.wait(lambda: shown(pilot).done == 12 and steps_of(desk) is not steps)
    assert steps_of(desk).enrolment.draft.kinds["tribe"].taught


def test_a_new_card_in_play_is_asked_about_and_the_table_comes_back(at_table: Callable[..., Pilot]) -> None:
    pilot = at_table()
    face = PictureModel(40, 40, bytes(40 * 40 * 4))
    rows = (
        EnrolRow("sectors", 0, "sectors, top", "3", ("1", "2", "3")),
        EnrolRow("crown", 0, "crown", "", ("crown", "")),
    )
    says = "Card 1 in A3 is in no set. What is printed on it?"
    model = EnrolModel(
        "in play card 1 0", "allies", "Card 1", "card", says, picture=face, rows=rows,
        choices=(ChoiceModel(0, "Done", "", "likely"),), in_play=True,
    )  # fmt: skip
    pilot.show(model)
    assert pilot.here == "enrol"
    pilot.tap(pilot.button("2"))
    assert pilot.desk.sent_of(EnrolSet) == [EnrolSet("in play card 1 0", "sectors", 0, "2")]
    pilot.tap(pilot.button("Done"))
    assert pilot.desk.sent_of(EnrolChoose) == [EnrolChoose("in play card 1 0", 0)]
    pilot.show(replace(model, rows=()))
    assert pilot.here == "live"
