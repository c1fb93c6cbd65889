"""Enrolment as the eye has it: cards out of a photograph, glyphs from one example each, packs without pictures."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.bench.enrol import Spread
from companion.desk.enrol_values import fields_of, printing_of
from companion.games import load_game
from companion.print.mat import draw_mat
from companion.sets.faces import proxy_face
from companion.sets.form import load_form
from companion.sets.owner import PROXIES, proxy_set
from companion.table.mat import game_mat
from vision.deck import Deck, DeckError
from vision.enrol.by_features import read_any
from vision.enrol.cut import CutError, cut_cards
from vision.enrol.first_sight import face_in_slot, grown
from vision.enrol.layout import (
    Layout,
    LayoutError,
    Place,
    Printed,
    cut_place,
    format_layouts,
    read_layouts,
    round_the_card,
)
from vision.enrol.learner import Learner
from vision.enrol.pack import deck_of, has_prints, pack_deck, read_pack, write_pack
from vision.enrol.readers import NOTHING, Glyph
from vision.match import read_patch

Picture = NDArray[np.uint8]
CARDS = proxy_set("allies")
LAYOUT = read_layouts(PROXIES / "allies" / "layout.toml")["tribe"]
KEYS = list(CARDS.of_kind("tribe"))[::13]


def on_cloth(face: Picture, side: int = 520) -> Picture:
    """A face on a dark cloth."""
    cloth = np.full((side, side, 3), (60, 52, 44), np.uint8)
    edge = (side - face.shape[0]) // 2
    cloth[edge : edge + face.shape[0], edge : edge + face.shape[1]] = face
    return cloth


def test_every_card_of_a_spread_is_found_in_reading_order() -> None:
    spread = Spread(CARDS, seed=4)
    picture = spread.photograph(KEYS)
    cuts = cut_cards(picture)
    assert [spread.key_at(*cut.corners.mean(axis=0)) for cut in cuts] == KEYS
    deck = Deck.from_faces({key: proxy_face(key, 400) for key in KEYS})
    for key, cut in zip(KEYS, cuts, strict=True):
        reading = read_patch(on_cloth(cut.face, 780), deck)
        assert reading is not None
        assert (reading.label, reading.quadrant) == (key, 0)


def test_many_small_cards_that_fill_a_cloth_are_found_and_not_the_cloth() -> None:
    picture = np.full((1000, 1400, 3), (60, 80, 110), np.uint8)
    picture[60:940, 60:1340] = (40, 52, 60)
    for number, key in enumerate(list(proxy_set("king_of_the_dice").of_kind("villager"))[:21]):
        face = proxy_face(key, 120, "king_of_the_dice")
        x, y = 100 + 175 * (number % 7), 100 + 280 * (number // 7)
        picture[y : y + face.shape[0], x : x + face.shape[1]] = face
    assert len(cut_cards(picture)) == 21


def test_a_cloth_without_cards_and_cards_too_far_away_are_refused() -> None:
    with pytest.raises(CutError, match="no card was found"):
        cut_cards(np.full((400, 600, 3), 60, np.uint8))
    far = np.full((600, 800, 3), (60, 52, 44), np.uint8)
    far[200:270, 300:370] = proxy_face(KEYS[0], 70)
    with pytest.raises(CutError, match="go nearer or lay fewer"):
        cut_cards(far)


def test_cards_on_the_printed_mat_are_refused_with_what_to_do() -> None:
    mat = game_mat(load_game("allies"))
    picture = draw_mat(mat, 2.5)
    rect = mat.slots[3].rect
    x, y = round(2.5 * rect.x) + 5, round(2.5 * rect.y) + 5
    picture[y : y + 157, x : x + 157] = proxy_face(KEYS[0], 157)
    with pytest.raises(CutError, match="turn it over"):
        cut_cards(picture)


def test_a_place_is_cut_out_standing_upright_on_every_side_of_the_card() -> None:
    face = proxy_face("cyclops-03", 600)
    top = LAYOUT.named("sectors").places[0]
    shown = [cut_place(np.rot90(face, -turn).copy(), place, (60, 75)) for turn, place in enumerate(round_the_card(top))]
    for other in shown[1:]:
        assert float(np.abs(shown[0].astype(float) - other).mean()) < 4.0


def teach_all(learner: Learner, numbers: dict[int, str]) -> int:
    """Answer every question by what is printed; return how many there were."""
    asked = 0
    while (question := learner.question()) is not None:
        fields = CARDS.cards[numbers[question.glyph.card]]
        values = printing_of(LAYOUT, fields)[question.glyph.field]
        if question.glyph.field == "symbols" and len(values) != 1:
            learner.teach(question.glyph, NOTHING if not values else values[0])
        else:
            learner.teach(
                question.glyph, values[question.glyph.number] if question.glyph.number < len(values) else NOTHING
            )
        asked += 1
        assert asked < 40
    return asked


def test_one_example_of_each_glyph_is_enough_and_nothing_wrong_is_called_sure() -> None:
    few = [key for key, fields in CARDS.of_kind("tribe").items() if len(printing_of(LAYOUT, fields)["symbols"]) <= 1]
    learner = Learner(LAYOUT)
    numbers = {learner.add(proxy_face(key, 500)): key for key in few[::3]}
    asked = teach_all(learner, numbers)
    assert asked <= 25
    unsure = 0
    for number, key in numbers.items():
        truth = printing_of(LAYOUT, CARDS.cards[key])
        for field, proposal in learner.proposals(number).items():
            if proposal.is_sure:
                assert proposal.values == truth[field], (key, field)
            unsure += not proposal.is_sure
    assert unsure <= 4


def test_a_value_that_nobody_has_shown_is_never_sure() -> None:
    learner = Learner(LAYOUT)
    ones = learner.add(proxy_face("cyclops-03", 500))
    shown = printing_of(LAYOUT, CARDS.cards["cyclops-03"])["sectors"]
    learner.teach(Glyph("sectors", ones, 0), shown[0])
    others = [place for place, value in enumerate(shown) if value != shown[0]]
    proposal = learner.proposals(ones)["sectors"]
    assert not any(proposal.sure[place] for place in others)


def test_an_answer_that_is_no_value_is_refused() -> None:
    learner = Learner(LAYOUT)
    learner.add(proxy_face(KEYS[0], 400))
    with pytest.raises(ValueError, match="sectors is one of 1, 2, 3, 4, 5, not '9'"):
        learner.teach(Glyph("sectors", 0, 0), "9")


def test_a_layout_is_written_and_read_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "layout.toml"
    file.write_text(format_layouts({"tribe": LAYOUT}), encoding="utf-8")
    assert read_layouts(file) == {"tribe": LAYOUT}


@pytest.mark.parametrize(
    ("printed", "says"),
    [
        (Printed("crown", "flag", ("crown",), ()), "found 0 places"),
        (Printed("crown", "flag", (), (Place(0.5, 0.5, 0.2, 0.2),)), "there are no values"),
        (Printed("crown", "flag", ("crown",), (Place(1.5, 0.5, 0.2, 0.2),)), "does not lie on the card"),
    ],
)
def test_a_layout_that_cannot_be_meant_is_refused(tmp_path: Path, printed: Printed, says: str) -> None:
    file = tmp_path / "layout.toml"
    file.write_text(format_layouts({"tribe": Layout((printed,))}), encoding="utf-8")
    with pytest.raises(LayoutError, match=says):
        read_layouts(file)


def test_a_pack_knows_the_cards_and_holds_no_picture(tmp_path: Path) -> None:
    deck = Deck.from_faces({key: proxy_face(key, 400) for key in KEYS})
    file = tmp_path / "a.pack"
    write_pack(file, pack_deck(deck, "allies", "text"))
    pack = read_pack(file)
    assert pack.set_text == "text"
    # Only what is listed here is in the file: places and bits of features, nothing that varies with a pixel's colour.
    assert set(msgspec.structs.asdict(pack.faces[0])) == {"label", "width", "height", "places", "bits"}
    assert len(pack.faces[0].bits) == 4 * len(pack.faces[0].places)
    theirs = deck_of(pack)
    assert not has_prints(theirs)
    for turn, key in enumerate(KEYS):
        patch = on_cloth(np.rot90(proxy_face(key, 400), -(turn % 4)).copy())
        reading = read_any(patch, theirs)
        assert reading is not None
        assert (reading.label, reading.state, reading.quadrant) == (key, "known", turn % 4)
    stranger = read_any(on_cloth(proxy_face("region-troll-1", 400)), theirs)
    assert stranger is not None
    assert stranger.state != "known"


def test_of_two_cards_with_one_drawing_a_pack_names_the_right_one_or_is_unsure() -> None:
    pair = ("cyclops-08", "cyclops-11")
    theirs = deck_of(pack_deck(Deck.from_faces({key: proxy_face(key, 400) for key in pair}), "allies", ""))
    for key in pair:
        reading = read_any(on_cloth(proxy_face(key, 380)), theirs)
        assert reading is not None
        assert reading.label == key or reading.state == "unsure"


def test_a_card_is_known_again_by_its_own_first_picture_in_every_quarter_turn() -> None:
    deck = Deck.from_faces({key: proxy_face(key, 400) for key in KEYS[1:]})
    crop = on_cloth(proxy_face(KEYS[0], 252), 300)
    face = face_in_slot(crop, (63.0, 63.0), 4.0)
    assert face is not None
    learned = grown(deck, "card 1", face)
    assert learned.labels == (*deck.labels, "card 1")
    for turn in range(4):
        reading = read_patch(np.rot90(crop, -turn).copy(), learned)
        assert reading is not None
        assert (reading.label, reading.quadrant) == ("card 1", turn)
    known = read_patch(on_cloth(proxy_face(KEYS[3], 400)), learned)
    assert known is not None
    assert known.label == KEYS[3]


def test_nothing_of_a_cards_size_is_no_first_picture() -> None:
    crop = on_cloth(proxy_face(KEYS[0], 120), 300)
    assert face_in_slot(crop, (63.0, 63.0), 4.0) is None


def test_a_face_that_the_deck_has_already_is_refused() -> None:
    deck = Deck.from_faces({key: proxy_face(key, 400) for key in KEYS[:2]})
    with pytest.raises(DeckError):
        grown(deck, "card 1", np.full((200, 200, 3), 90, np.uint8))


def test_a_pack_that_the_disk_does_not_take_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = pack_deck(Deck.from_faces({key: proxy_face(key, 200) for key in KEYS[:2]}), "allies", "")

    def half(file: Path, data: bytes) -> int:
        with file.open("wb") as stream:
            stream.write(data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(DeckError, match="No space left on device"):
        write_pack(tmp_path / "a.pack", pack)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", ["king_of_the_dice", "vaalbara"])
def test_the_cards_of_other_games_are_said_twice_by_print_and_fields(game: str, tmp_path: Path) -> None:
    layouts = read_layouts(PROXIES / game / "layout.toml")
    (tmp_path / "layout.toml").write_text(format_layouts(layouts), encoding="utf-8")
    assert read_layouts(tmp_path / "layout.toml") == layouts
    form, cards = load_form(game) or {}, proxy_set(game)
    for kind, layout in layouts.items():
        for key, fields in cards.of_kind(kind).items():
            told = fields_of(layout, form[kind], printing_of(layout, fields))
            assert told == {name: fields[name] for name in told}, key
