"""The simulated players' bookkeeping against worked rulings (copied by value from the duel's cases)."""

import pytest

from companion.simulated.cards import TribeCard
from companion.simulated.referee import (
    facing_sector,
    facing_value,
    fight,
    hand_maximum,
    pile_points,
    reachable_sector,
    row_points,
    start_turn,
    winner,
)

A, B, NEUTRAL = 1, -1, 0
BATTLES = [
    ("duel-01", NEUTRAL, (4, False), (2, False), 0, None, 2, 0),
    ("duel-02", NEUTRAL, (5, False), (4, False), None, A, 1, 0),
    ("duel-04", A, (3, False), (2, False), 0, None, 1, 0),
    ("duel-05", B, (4, False), (3, False), None, NEUTRAL, 1, 0),
    ("duel-07", B, (5, False), (2, False), 0, None, 3, 0),
    ("duel-09 neutral", NEUTRAL, (3, False), (3, False), None, NEUTRAL, 0, 0),
    ("duel-09 at A", A, (1, False), (1, False), None, A, 0, 0),
    ("duel-09 at B", B, (4, False), (4, False), None, B, 0, 0),
    ("duel-11", A, (5, False), (1, False), 0, None, 1, 3),
    ("duel-12 column 1", NEUTRAL, (2, False), (3, False), None, B, 1, 0),
    ("duel-12 column 2", A, (4, False), (1, False), 0, None, 1, 2),
    ("duel-12 column 3", B, (3, True), (3, False), None, NEUTRAL, 1, 0),
    ("duel-12 column 4", A, (1, False), (4, False), 1, None, 3, 0),
    ("duel-12 column 5", NEUTRAL, (5, False), (3, False), 0, None, 2, 0),
    ("duel-15", NEUTRAL, (3, True), (3, False), None, A, 1, 0),
    ("duel-17", B, (5, True), (5, False), None, NEUTRAL, 1, 0),
    ("duel-18", A, (4, True), (4, True), None, A, 0, 0),
    ("duel-20", NEUTRAL, (4, True), (3, False), None, A, 1, 0),
    ("duel-21", NEUTRAL, (5, False), (2, False), 0, None, 2, 1),
    ("duel-95", A, (4, True), (4, False), 0, None, 1, 0),
    ("a missing card counts as nothing", NEUTRAL, (0, False), (3, True), 1, None, 2, 1),
]


@pytest.mark.parametrize(
    ("line", "a", "b", "won_by", "after", "used", "lost"), [b[1:] for b in BATTLES], ids=[b[0] for b in BATTLES]
)
def test_a_column_is_fought_out_as_ruled(line, a, b, won_by, after, used, lost):
    outcome = fight(line, a, b)
    assert (outcome.won_by, outcome.used, outcome.lost) == (won_by, used, lost)
    if won_by is None:
        assert outcome.line == after


def test_a_card_fought_over_three_rounds_changes_sides_and_is_taken():
    line, standings = NEUTRAL, []
    for a, b in ((4, 5), (4, 2), (3, 2)):
        outcome = fight(line, (a, False), (b, False))
        standings.append((outcome.won_by, outcome.line))
        line = outcome.line
    assert standings[:2] == [(None, B), (None, A)]
    assert standings[2][0] == 0


@pytest.mark.parametrize(
    ("facing", "symbols", "ends"),
    [(4, [1], 4), (3, [2], 4), (1, [2], 3), (4, [-1, 2], 4), (2, [1, 1, -2, -1, -1], 1)],
    ids=["duel-24", "duel-26", "duel-28", "duel-31", "duel-33"],
)
def test_no_rotation_passes_the_barrier(facing, symbols, ends):
    for symbol in symbols:
        facing = reachable_sector(facing, symbol)
    assert facing == ends


def test_a_card_just_laid_shows_its_arrow_to_the_middle_from_either_side():
    card = TribeCard("x", "yeti", (1, 2, 3, 5), arrow=3)
    for seat in (0, 1):
        assert facing_sector(card, seat, start_turn(seat)) == 3
        assert facing_value(card, seat, start_turn(seat)) == 3


@pytest.mark.parametrize("seat", [0, 1])
def test_a_quarter_counter_clockwise_shows_the_next_stronger_sector(seat):
    card = TribeCard("x", "yeti", (1, 2, 3, 5), arrow=1)
    shown = [facing_value(card, seat, start_turn(seat) - quarters) for quarters in range(4)]
    assert shown == [1, 2, 3, 5]


@pytest.mark.parametrize(
    ("tribes", "won", "lost", "maximum"),
    [
        (("yeti", "troll"), ["yeti", "troll", "gnome"], ["golem", "troll"], 6),
        (("golem", "wizard"), ["golem", "troll"], ["yeti", "troll", "gnome"], 6),
        (("cyclops", "gnome"), ["castle", "castle"], ["yeti", "castle"], 5),
        (("wizard", "yeti"), ["wizard"], ["cyclops"], 6),
        (("yeti", "troll"), [], ["yeti", "yeti", "troll", "troll"], 1),
    ],
)
def test_only_own_regions_change_the_hand(tribes, won, lost, maximum):
    assert hand_maximum(tribes, won, lost) == maximum


def test_points_are_counted_as_in_the_first_example():
    row = {"1": ("gnome", A), "2": ("yeti", B), "3": ("wizard", B), "4": ("golem", NEUTRAL), "5": ("cyclops", NEUTRAL)}
    points = (
        pile_points(["yeti", "golem", "troll", "castle"]) + row_points(row, 0),
        pile_points(["wizard", "cyclops"]) + row_points(row, 1),
    )
    assert points == (6, 6)
    assert winner(points, (2, 1)) == 0
    assert winner(points, (1, 1)) is None
    assert winner((2, 3), (2, 0)) == 1


def test_a_castle_costs_one_in_the_pile_and_nothing_in_the_row():
    assert pile_points(["castle", "castle"]) == -2
    assert row_points({"1": ("castle", A)}, 0) == 0
