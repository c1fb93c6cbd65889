"""What hands have done, as values: photographed tables through the real reader, and scenes as they come."""

import numpy as np
import pytest

from companion.table.observation import Candidate, Scene, Sighting
from tests.vision.table_stage import MAT, Stage, face
from vision.changes import Changes
from vision.deck import Deck
from vision.table_reader import TableReader

FACES = {f"card-{number}": face(number) for number in range(12)}


@pytest.fixture(scope="module")
def deck():
    return Deck.from_faces(FACES)


class Table:
    """A photographed table whose reader tells what changes."""

    def __init__(self, deck):
        self.stage, self.reader, self.scene = Stage(), TableReader(MAT, deck), None

    def put(self, slot, number, turn=0.0, offset=(0.0, 0.0)):
        self.stage.put(slot, face(number), turn, offset)

    def told(self, pictures=12):
        """Let the table rest and return everything that was told, and that each crop is kept."""
        told = []
        for _ in range(pictures):
            self.scene = self.reader.read(self.stage.frame())
            told += self.reader.last.changes
        assert self.scene.steady
        for change in told:
            assert self.reader.evidence(change.digest) is not None, change
        return told

    def hand_over(self, slot):
        self.stage.hand = MAT.slot(slot).rect.centre
        for _ in range(2):
            self.reader.read(self.stage.frame())
        self.stage.hand = None


@pytest.fixture
def table(deck):
    table = Table(deck)
    table.put("A1", 1)
    table.put("A2", 2, 1)
    table.put("R3", 3, 2)
    assert {(c.kind, c.slot, c.piece) for c in table.told()} == {
        ("found", "A1", "card-1"), ("found", "A2", "card-2"), ("found", "R3", "card-3"),
    }  # fmt: skip
    return table


def only(told):
    assert len(told) == 1, told
    return told[0]


def test_a_card_that_is_laid_is_placed(table):
    table.put("B4", 5, 3)
    change = only(table.told())
    assert (change.kind, change.slot, change.piece, change.over) == ("placed", "B4", "card-5", "")


def test_a_card_that_is_taken_away_is_removed(table):
    table.stage.take("A1")
    change = only(table.told())
    assert (change.kind, change.slot, change.piece) == ("removed", "A1", "card-1")


@pytest.mark.parametrize(("before", "after", "quarters"), [(0, 1, 1), (0, 3, -1), (1, 3, 2), (3, 0, 1), (2, 1, -1)])
def test_a_turned_card_is_told_with_the_way_and_the_angle(deck, before, after, quarters):
    table = Table(deck)
    table.put("A1", 1, before)
    table.told()
    table.put("A1", 1, after)
    change = only(table.told())
    assert (change.kind, change.piece, change.quarters) == ("rotated", "card-1", quarters)
    assert abs(change.degrees) == pytest.approx(abs(quarters) * 90.0, abs=1.5)
    if abs(quarters) == 1:
        assert np.sign(change.degrees) == np.sign(quarters)


def test_a_moved_card_is_moved_once_and_nothing_is_new(table):
    table.stage.take("A2")
    table.put("B5", 2, 2)
    change = only(table.told())
    assert (change.kind, change.source, change.slot, change.piece, change.quarters) == (
        "moved",
        "A2",
        "B5",
        "card-2",
        1,
    )


def test_two_cards_that_trade_places_are_one_swap(table):
    table.put("A1", 2, 1)
    table.put("A2", 1)
    change = only(table.told())
    assert change.kind == "swapped"
    assert {(change.slot, change.piece), (change.source, change.other)} == {("A1", "card-2"), ("A2", "card-1")}


def test_a_card_laid_on_another_covers_it_and_the_other_is_there_again_when_it_goes(table):
    table.put("A1", 7)
    laid = only(table.told())
    assert (laid.kind, laid.piece, laid.over) == ("placed", "card-7", "card-1")
    table.put("A1", 1)
    gone = only(table.told())
    assert (gone.kind, gone.piece, gone.under) == ("removed", "card-7", "card-1")


def test_copies_of_one_card_are_told_apart_by_their_places(deck):
    table = Table(deck)
    table.put("A1", 4)
    table.put("B1", 4, 2)
    table.told()
    table.stage.take("B1")
    table.put("B3", 4, 2)
    change = only(table.told())
    assert (change.kind, change.source, change.slot) == ("moved", "B1", "B3")
    table.put("R2", 4)
    change = only(table.told())
    assert (change.kind, change.slot) == ("placed", "R2")


@pytest.mark.parametrize("colour", [(243, 246, 247), (60, 60, 140)], ids=["paper", "book"])
def test_a_card_under_a_sheet_or_a_book_is_covered_and_keeps_its_identity(table, colour):
    x, y = MAT.slot("R3").rect.centre
    table.stage.cover(x - 60, y - 45, 125, 95, colour)
    change = only(table.told())
    assert (change.kind, change.slot, change.piece) == ("covered", "R3", "card-3")
    assert table.scene.by_slot["R3"].seen == "hidden"
    assert "something lies over R3" in table.scene.problem
    table.stage.things.clear()
    change = only(table.told())
    assert (change.kind, change.slot, change.piece) == ("uncovered", "R3", "card-3")
    assert (table.scene.by_slot["R3"].piece, table.scene.by_slot["R3"].turn) == ("card-3", 2)


SLIPPED = (2.5, 7.0)
"""Millimetres by which a card lies off its slot, so that half of the slot's frame is seen beside it."""


@pytest.mark.parametrize("from_middle", [-8.0, -3.0])
def test_a_card_that_peeps_out_from_under_a_sheet_is_not_gone(table, from_middle):
    table.put("B3", 5, 2, SLIPPED)
    table.told()
    x, y = MAT.slot("B3").rect.centre
    table.stage.cover(x - 50, y + from_middle, 100, 100, (230, 232, 232))
    assert {change.kind for change in table.told()} <= {"covered"}
    assert table.scene.by_slot["B3"].seen in ("known", "hidden")
    table.stage.things.clear()
    assert {change.kind for change in table.told()} <= {"uncovered"}
    assert (table.scene.by_slot["B3"].seen, table.scene.by_slot["B3"].piece) == ("known", "card-5")


def test_a_card_laid_down_half_under_a_sheet_is_not_taken_for_a_small_thing(table):
    table.put("B3", 5, 2, SLIPPED)
    x, y = MAT.slot("B3").rect.centre
    table.stage.cover(x - 50, y - 3, 100, 100, (230, 232, 232))
    table.told()
    assert table.scene.by_slot["B3"].seen == "unknown"


def test_a_die_on_a_card_changes_nothing(table):
    x, y = MAT.slot("R3").rect.centre
    table.stage.cover(x - 12, y - 8, 16, 16, (240, 240, 240))
    assert table.told() == []
    assert (table.scene.by_slot["R3"].seen, table.scene.by_slot["R3"].piece) == ("known", "card-3")


def test_a_coin_in_an_empty_slot_is_no_card(table):
    x, y = MAT.slot("B2").rect.centre
    table.stage.cover(x - 9, y - 9, 18, 18, (60, 110, 140))
    assert table.told() == []
    assert table.scene.by_slot["B2"].seen == "empty"


def disturbed(stage, how):
    if how == "lamp off":
        stage.light = 0.5
    elif how == "sun from the other side":
        stage.lamp = (-0.9, -0.6, 0.35)
    elif how == "shadow":
        stage.shadow = (1.0, 0.3, 0.0)
    elif how == "camera bumped":
        stage.shift = (17.0, -9.0)
    elif how == "noise":
        stage.noise = 9.0


@pytest.mark.parametrize("how", ["lamp off", "sun from the other side", "shadow", "camera bumped", "noise"])
def test_nothing_has_changed_because_the_light_or_the_camera_has(table, how):
    disturbed(table.stage, how)
    assert table.told(16) == []
    believed = {s.slot: (s.piece, s.turn) for s in table.scene.sightings if s.seen == "known"}
    assert believed == {"A1": ("card-1", 0), "A2": ("card-2", 1), "R3": ("card-3", 2)}


def test_a_hand_that_comes_and_goes_changes_nothing(table):
    table.hand_over("A2")
    assert table.told() == []


# ---------- scenes as they come ----------


def scene(at, steady=True, **slots):
    def sighting(slot, what):
        if isinstance(what, str):
            return Sighting(slot, what, digest=f"{slot}-{at}")
        piece, turn = what
        return Sighting(slot, "known", piece, turn, 90.0 * turn, 0.9, digest=f"{slot}-{at}")

    return Scene("camera", at, tuple(sighting(slot, what) for slot, what in slots.items()), steady)


def test_nothing_is_told_while_the_table_is_not_at_rest():
    changes = Changes()
    changes.take(scene(0, a="empty"))
    assert changes.take(scene(1, steady=False, a=("x", 0))) == ()
    assert only(changes.take(scene(2, a=("x", 0)))).kind == "placed"


def test_a_card_that_is_doubtful_at_its_new_place_was_moved_and_not_taken_away():
    changes = Changes()
    changes.take(scene(0, a=("x", 0), b="empty"))
    doubtful = Sighting("b", "unsure", "x", 0, candidates=(Candidate("x", 0.6),), digest="b")
    assert changes.take(Scene("camera", 1.0, (Sighting("a", "empty", digest="a"), doubtful))) == ()
    change = only(changes.take(scene(2, a="empty", b=("x", 0))))
    assert (change.kind, change.source, change.slot) == ("moved", "a", "b")


def test_three_cards_that_change_places_in_a_ring_are_three_moves():
    changes = Changes()
    changes.take(scene(0, a=("x", 0), b=("y", 0), c=("z", 0)))
    told = changes.take(scene(1, a=("z", 0), b=("x", 0), c=("y", 0)))
    assert {(c.kind, c.source, c.slot, c.piece, c.over) for c in told} == {
        ("moved", "c", "a", "z", ""), ("moved", "a", "b", "x", ""), ("moved", "b", "c", "y", ""),
    }  # fmt: skip


def test_a_card_moved_onto_another_covers_it():
    changes = Changes()
    changes.take(scene(0, a=("x", 0), b=("y", 0)))
    change = only(changes.take(scene(1, a="empty", b=("x", 1))))
    assert (change.kind, change.source, change.slot, change.over, change.quarters) == ("moved", "a", "b", "y", 1)


def test_a_card_exchanged_under_a_cover_is_told_when_it_comes_to_light():
    changes = Changes()
    changes.take(scene(0, a=("x", 0)))
    assert only(changes.take(scene(1, a="hidden"))).kind == "covered"
    change = only(changes.take(scene(2, a=("y", 0))))
    assert (change.kind, change.piece, change.over) == ("placed", "y", "x")
