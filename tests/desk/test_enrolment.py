"""The steps of an enrolment: nothing in doubt is accepted unseen, all is on disk, the set is whole or not there."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from companion.bench.enrol import Person, Spread
from companion.desk.decks import Decks, seen_by_camera
from companion.desk.enrol_draft import DraftError
from companion.desk.enrol_steps import EnrolmentSteps
from companion.desk.enrol_values import fields_of, printing_of, ring
from companion.desk.enrolment import Enrolment, EnrolmentError
from companion.presenters.enrol import EnrolChoose, EnrolFrame, EnrolModel, EnrolOpen
from companion.sets.faces import proxy_face
from companion.sets.form import load_form
from companion.sets.owner import PROXIES, SetError, load_set, proxy_set
from companion.sets.publish import add_card, format_set, write_set
from vision.deck import Deck
from vision.enrol.by_features import read_any
from vision.enrol.layout import read_layouts
from vision.enrol.pack import pack_deck, write_pack

CARDS = proxy_set("allies")
LAYOUT = read_layouts(PROXIES / "allies" / "layout.toml")["tribe"]
FORM = load_form("allies") or {}
FEW = [key for key, fields in CARDS.of_kind("tribe").items() if len(printing_of(LAYOUT, fields)["symbols"]) <= 1]
KEYS = FEW[2 :: len(FEW) // 14][:14]


def begun(folder: Path) -> Person:
    """A person who has photographed fourteen cards and said that the frames fit."""
    steps = EnrolmentSteps(Enrolment("allies", folder / "draft"), "Allies", folder / "allies")
    person = Person(steps, CARDS)
    assert person.photograph(Spread(CARDS, seed=2), KEYS) == []
    person.choose("photograph", 0)
    return person


def to_the_page(person: Person) -> EnrolModel:
    while person.steps.model.step in ("ask", "card"):
        if person.steps.model.step == "ask":
            person.answer()
        else:
            person.put_right()
    return person.steps.model


@pytest.fixture(scope="module")
def at_page(tmp_path_factory: pytest.TempPathFactory) -> tuple[Person, Path]:
    folder = tmp_path_factory.mktemp("enrol")
    person = begun(folder)
    person.choose("frame", 0)
    assert to_the_page(person).step == "page"
    return person, folder


def test_what_is_printed_and_the_fields_of_a_set_are_the_same_said_twice() -> None:
    for fields in CARDS.of_kind("tribe").values():
        again = fields_of(LAYOUT, FORM["tribe"], printing_of(LAYOUT, fields))
        assert {name: sorted(v) if name == "symbols" else v for name, v in again.items()} == {
            name: sorted(fields[name]) if name == "symbols" else fields[name] for name in again
        }


@pytest.mark.parametrize("values", [("1", "1", "1", "1"), ("1", "3", "2", "4"), ("5", "1", "5", "1")])
def test_numbers_that_do_not_rise_once_round_the_card_are_no_card(values: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="does not rise once round the card"):
        ring(LAYOUT.named("sectors"), values)


def test_a_page_is_resumed_with_every_word_that_was_said(at_page: tuple[Person, Path]) -> None:
    person, folder = at_page
    again = EnrolmentSteps(Enrolment("allies", folder / "draft"), "Allies", folder / "allies")
    assert again.model.step == "page"
    assert [card.marks for card in again.model.cards] == [card.marks for card in person.steps.model.cards]
    assert [card.says for card in again.model.cards] == [card.says for card in person.steps.model.cards]


def test_a_tap_on_a_model_that_has_gone_changes_nothing(at_page: tuple[Person, Path]) -> None:
    steps = at_page[0].steps
    before = steps.model
    assert steps.act(EnrolChoose("tribe 0", 0)) == before
    assert steps.act(EnrolOpen("tribe 0", 1)) == before


def test_a_page_with_a_doubt_cannot_be_confirmed(tmp_path: Path) -> None:
    person = begun(tmp_path)
    person.choose("frame", 0)
    enrolment = person.steps.enrolment
    assert person.steps.model.step == "ask", "nothing is known yet, so everything is in doubt"
    with pytest.raises(EnrolmentError, match="still in doubt"):
        enrolment.confirm_page()
    assert all(card.shown is None for card in enrolment.work.cards)


def test_frames_drawn_on_one_card_say_where_the_values_are_printed(tmp_path: Path) -> None:
    person = begun(tmp_path)
    steps = person.steps
    person.choose("frame", 1)
    assert steps.model.says == "Draw a frame round the number at the printed top."
    with pytest.raises(EnrolmentError, match="too small"):
        steps.act(EnrolFrame(steps.model.key, (0.5, 0.5, 0.51, 0.6)))
    for printed in LAYOUT.printed:
        place = printed.places[0]
        x, y = place.width / 2, place.height / 2
        steps.act(EnrolFrame(steps.model.key, (place.x - x, place.y - y, place.x + x, place.y + y)))
    drawn = steps.enrolment.layout
    for printed in LAYOUT.printed:
        for one, other in zip(drawn.named(printed.field).places, printed.places, strict=True):
            assert np.allclose((one.x, one.y, one.width, one.height), (other.x, other.y, other.width, other.height))
            assert one.turn == other.turn


def test_a_set_that_lacks_cards_says_which_and_is_saved_all_the_same(
    at_page: tuple[Person, Path], tmp_path: Path
) -> None:
    folder = tmp_path
    shutil.copytree(at_page[1] / "draft", folder / "draft")
    person = Person(EnrolmentSteps(Enrolment("allies", folder / "draft"), "Allies", folder / "allies"), CARDS)
    person.keys["tribe"] = at_page[0].keys["tribe"]
    while person.steps.model.step == "page":
        person.look_through()
        to_the_page(person)
    assert person.unseen == []
    enrolment = person.steps.enrolment
    assert enrolment.kind == "region"
    spread = Spread(CARDS, seed=3)
    enrolment.take(spread.photograph(["region-yeti-1", "castle-1"]))
    enrolment.take(spread.photograph(["castle-1"]))  # once more, by mistake
    person.keys["region"] = ["region-yeti-1", "castle-1", "castle-1"]
    enrolment.end_photographs()
    enrolment.accept_layout()
    person.steps.refresh()
    to_the_page(person)
    person.look_through()
    assert person.steps.model.says.startswith("Are these one card?")
    person.choose("finish", 0)
    model = person.steps.model
    assert model.step == "finish"
    assert "25 of the tribe cards of the cyclops are missing" in " ".join(model.warnings).replace(
        f"{25 - sum('cyclops' in key for key in KEYS)} of the", "25 of the"
    )
    person.choose("finish", 0)
    saved = load_set(folder / "allies")
    assert not saved.complete
    assert len(saved.cards) == len(KEYS) + 2
    assert all(saved.pictures.values())
    truth = sorted(str(sorted(printing_of(LAYOUT, CARDS.cards[key]).items())) for key in KEYS)
    assert sorted(str(sorted(printing_of(LAYOUT, each).items())) for each in saved.of_kind("tribe").values()) == truth
    assert not (folder / "draft").exists()


def test_a_broken_draft_is_said_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "draft").mkdir()
    file = tmp_path / "draft" / "draft.json"
    file.write_text("{", encoding="utf-8")
    with pytest.raises(DraftError, match="cannot be read"):
        Enrolment("allies", tmp_path / "draft")
    assert file.read_text(encoding="utf-8") == "{"


def test_a_set_that_does_not_fit_leaves_the_old_one_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "allies"
    good = format_set("Ours", "allies", "ours", CARDS.cards, CARDS.kinds)
    assert write_set(folder, good, {}).digest != ""
    with pytest.raises(SetError):
        write_set(folder, good.replace('tribe = "yeti"', 'tribe = "yety"', 1), {})
    assert (folder / "set.toml").read_text(encoding="utf-8") == good
    assert sorted(path.name for path in tmp_path.iterdir()) == ["allies"]


def test_a_card_that_does_not_fit_is_not_added(tmp_path: Path) -> None:
    folder = tmp_path / "allies"
    cards = write_set(folder, format_set("Ours", "allies", "ours", CARDS.cards, CARDS.kinds), {})
    with pytest.raises(SetError, match="found 26 tribe cards of the yeti"):
        add_card(cards, "yeti-26", "tribe", CARDS.cards["yeti-01"], b"")
    assert sorted(path.name for path in folder.iterdir()) == ["set.toml"]
    assert load_set(folder).digest == cards.digest


def test_the_app_plays_with_a_set_that_came_as_a_deck_pack(tmp_path: Path) -> None:
    own = Deck.from_faces({key: proxy_face(key, 300) for key in KEYS})
    folder = tmp_path / "allies"
    text = format_set("A friend's", "allies", "theirs", CARDS.cards, CARDS.kinds)
    cards = write_set(folder, text, {})
    write_pack(folder / "features.pack", pack_deck(own, "allies", text))
    assert seen_by_camera(cards) == len(KEYS)
    deck = Decks(tmp_path / "cache").learn(cards)
    assert deck.labels == tuple(KEYS)
    patch = np.full((400, 400, 3), 60, np.uint8)
    patch[50:350, 50:350] = np.rot90(proxy_face(KEYS[3], 300))
    reading = read_any(patch, deck)
    assert reading is not None
    assert (reading.label, reading.quadrant) == (KEYS[3], 3)
