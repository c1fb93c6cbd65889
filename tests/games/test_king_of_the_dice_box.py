"""What is in the box of King of the Dice: cards, places, dice, and sets that do not fit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.games import load_game
from companion.games.king_of_the_dice.inventory import box_from
from companion.games.king_of_the_dice.pieces import KINDS, PLACES
from companion.kernel import Answer, Chosen, Counted, NotationError, Placed, Position, Refusal, Rolled, Setup, advance
from companion.rulebook.article import RECONCILED
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.sets.faces import face_size_mm, proxy_face
from companion.sets.owner import PROXIES as FOLDER
from companion.sets.owner import SetError, load_set, proxy_set
from companion.table.mat import game_mat

KEY = "king_of_the_dice"
GAME = load_game(KEY)
RULEBOOK = load_rulebook(KEY)
PROXIES = proxy_set(KEY)


def options(**explicit: str) -> dict[str, str]:
    return resolve(RULEBOOK, RECONCILED, explicit)


def started(seats: str = "AB", **explicit: str) -> Position:
    return GAME.start(Setup(options(**explicit), tuple(seats), PROXIES.cards))


def opened(seats: str = "AB", **document: Any) -> Position:
    return GAME.open(document, Setup(options(), tuple(seats), PROXIES.cards))


def test_the_places_lie_in_their_order_three_cards_each() -> None:
    state = started().state
    assert [[state.box.places[card].place for card in stack] for stack in state.places] == [
        [each] * 3 for each in PLACES
    ]


def test_the_two_lies_on_top_unless_the_table_says_otherwise() -> None:
    for value, order in (("four_at_the_bottom", [2, 3, 4]), ("two_at_the_bottom", [4, 3, 2])):
        state = started(place_order=value).state
        assert [[state.box.places[card].points for card in stack] for stack in state.places] == [order] * 5


def test_the_proxies_are_a_whole_box() -> None:
    assert Counter(PROXIES.kinds.values()) == {"villager": 40, "place": 15, "penalty": 10, "die": 6}
    assert {villager["kind"] for villager in PROXIES.of_kind("villager").values()} == set(KINDS)


def test_our_dice_have_each_number_once_and_each_colour_twice_and_differ() -> None:
    nets = [die["net"] for die in PROXIES.of_kind("die").values()]
    assert all(sorted(face[-1] for face in net) == list("123456") for net in nets)
    assert all(set(Counter(face[:-2] for face in net).values()) == {2} for net in nets)
    assert len({tuple(net) for net in nets}) > 1
    assert set(Counter(face for net in nets for face in net).values()) == {2}


def test_every_piece_can_be_drawn_and_no_two_cards_look_alike() -> None:
    seen = set()
    for key in PROXIES.keys:
        picture = proxy_face(key, 88, KEY)
        width, height = face_size_mm(key, KEY)
        assert picture.shape == (round(88 * height / width), 88, 3)
        seen.add(picture.tobytes())
    assert len(seen) == len(PROXIES.keys)


def test_there_is_a_slot_on_the_mat_for_every_stack_and_a_tray_for_the_dice() -> None:
    mat = game_mat(GAME)
    cells = {cell.key for cell in GAME.board(started()).cells}
    assert cells <= set(mat.slots_by_key)
    assert mat.tray is not None


def test_a_die_that_has_no_such_face_is_named_with_its_faces() -> None:
    at = opened()
    faces = [die[0] for die in at.state.box.dice]
    other = next(face for face in at.state.box.dice[2] if face not in at.state.box.dice[0])
    refusal = advance(at, Answer("roll", Rolled((other, *faces[1:]))))
    assert isinstance(refusal, Refusal)
    assert [str(cite) for cite in refusal.cites] == ["KD-01"]
    assert dict(refusal.text.values)["die"] == 1
    assert dict(refusal.text.values)["face"] == other


def test_seven_dice_are_refused_with_both_numbers_and_change_nothing() -> None:
    at = opened()
    before = GAME.write(at)
    refusal = advance(at, Answer("roll", Rolled((*(die[0] for die in at.state.box.dice), "red-1"))))
    assert isinstance(refusal, Refusal)
    assert dict(refusal.text.values) == {"found": 7, "dice": 6}
    assert GAME.write(at) == before


def test_faces_seen_in_any_order_can_be_brought_into_the_order_of_the_dice() -> None:
    at = opened()
    faces = tuple(die[1] for die in at.state.box.dice)
    assert at.question is not None
    arranged = at.question.domain.arranged(faces[::-1])
    assert arranged is not None
    assert Counter(arranged.faces) == Counter(faces)
    assert isinstance(advance(at, Answer("roll", arranged)), Position)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": "rich", "points": 3}, "odd-1: parity is missing; a villager of the kind rich asks for it"),
        ({"kind": "gnome", "points": 3}, "odd-1: colours is missing"),
        (
            {"kind": "orc", "points": 3, "groups": [4, 3]},
            "odd-1: groups: found 4 \\+ 3 dice for the orc",
        ),
        ({"kind": "fairy", "points": 0, "colours": ["red"] * 7}, "odd-1: colours: found 7 dice for the fairy"),
    ],
)
def test_a_villager_whose_condition_is_not_all_there_is_named(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(NotationError, match=says):
        box_from({"odd-1": fields}, options())


def test_an_owners_set_with_a_villager_too_few_is_refused(tmp_path: Path) -> None:
    text = (FOLDER / KEY / "set.toml").read_text(encoding="utf-8")
    first, *rest = text.split("[[villager]]")
    (tmp_path / "set.toml").write_text("[[villager]]".join([first, *rest[1:]]), encoding="utf-8")
    with pytest.raises(SetError, match="found 39 villagers, expected 40"):
        load_set(tmp_path)


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"turn": "C"}, "found the seat C, expected one of A, B"),
        ({"row": ["orc-9"]}, "row: found 'orc-9', expected a villager"),
        ({"row": ["orc-1"], "piles": {"A": ["orc-1"]}}, "orc-1 lies in two places"),
        ({"row": ["orc-1"] * 6}, "row: found 6 villagers, expected at most 5"),
        ({"places": {1: ["orc-1"]}}, "places: found 'orc-1', expected a place card"),
        ({"dice": ["red-1"] * 5, "rolls": 1}, "dice: found 5 dice after 1 rolls"),
        ({"rolls": 1}, "dice: found 0 dice after 1 rolls"),
        ({"dice": ["pink-1"] * 6, "rolls": 1}, "dice: die 1 shows 'pink-1', and it has"),
        ({"colour": "red"}, "unknown field `colour`"),
    ],
)
def test_a_document_that_states_no_position_is_refused_in_one_sentence(document: dict[str, Any], says: str) -> None:
    with pytest.raises(NotationError, match=says):
        opened(**document)


def test_a_table_that_waits_for_points_is_written_and_opened_again() -> None:
    setup = Setup(options(), ("A", "B"))
    document = {
        "due": "points",
        "ending": "villagers",
        "cards": {"orc-90": {"kind": "orc", "groups": [2, 2]}},
        "minus": {"penalty-90": 2},
        "piles": {"A": ["orc-90"], "B": ["penalty-90"]},
    }
    at = GAME.open(document, setup)
    assert at.question is not None
    assert (at.question.key, at.question.seat) == ("points", 0)
    assert [term.points for term in GAME.score(at.state)] == [0, -2]
    again = GAME.open(GAME.write(at), setup)
    assert (again.state, again.agenda) == (at.state, at.agenda)
    after = advance(again, Answer("points", Counted(7)))
    assert isinstance(after, Position)
    assert after.is_over
    assert GAME.outcome(after.state)["score"] == {"A": 7, "B": -2}
    assert GAME.write(after)["cards"]["orc-90"]["points"] == 7


def test_what_a_start_cannot_state_is_refused() -> None:
    with pytest.raises(NotationError, match="setup: Object contains unknown field `agees`"):
        GAME.start(Setup(options(), ("A", "B"), stated={"agees": {"A": 3}}))


def test_a_set_that_does_not_know_all_cards_yet_has_the_unknown_ones_asked_for() -> None:
    """What nobody has enrolled lies on the table all the same: it is asked for, not passed over."""
    known = ("orc-1", "orc-2", "orc-3", "orc-4", "gnome-1")
    few = {key: fields for key, fields in PROXIES.cards.items() if key in known or "place" in fields}
    document = {"due": "refill", "row": [None, *known[1:]], "discards": [known[0]], "villagers": 9}
    question = GAME.open(document, Setup(options(), ("A", "B"), few)).question
    assert question is not None
    assert (question.key, list(question.domain)) == ("refill", [])
    learned = Setup(options(), ("A", "B"), {**few, "elves-1": PROXIES.cards["elves-1"]})
    question = GAME.open(document, learned).question
    assert question is not None
    assert list(question.domain) == [Placed("elves-1", "V1")]


def test_a_penalty_that_the_set_does_not_know_is_taken_and_its_minus_points_are_asked_for_at_the_end() -> None:
    few = {key: fields for key, fields in PROXIES.cards.items() if "minus" not in fields}
    setup = Setup(options(), ("A", "B"), few)
    at = GAME.open({"due": "first penalty", "row": ["dwarf-1"], "penalties": 1}, setup)
    assert at.question is not None
    assert list(at.question.domain) == [Placed("penalty-1", "S2")]
    at = advance(at, Answer("penalty", Placed("penalty-1", "S2")))
    assert isinstance(at, Position)
    assert GAME.open(GAME.write(at), setup).state == at.state
    dwarf = PROXIES.cards["dwarf-1"]["number"]
    faces = tuple(next(face for face in die if face[-1] != str(dwarf)) for die in at.state.box.dice)
    for to, reply in (("roll", Rolled(faces)), ("take", Chosen(("penalty",))), ("points", Counted(3))):
        at = advance(at, Answer(to, reply))
        assert isinstance(at, Position)
    assert at.is_over
    assert GAME.outcome(at.state)["score"] == {"A": -3, "B": 0}
