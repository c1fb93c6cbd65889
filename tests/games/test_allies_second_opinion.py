"""The duel's steps against the simulated players' own bookkeeping, which shares no code with them."""

from __future__ import annotations

from itertools import product

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.allies.probes import PROBES
from companion.kernel import Finding, Probe, Setup
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.simulated import referee

TRIBES = ("cyclops", "yeti", "gnome", "wizard", "golem", "troll")
KINDS = (*TRIBES, "castle")
LINES = {"A": 1, "neutral": 0, "B": -1}
SETUP = Setup(resolve(load_rulebook("allies")), ("A", "B"))
PILES = st.lists(st.sampled_from(KINDS), max_size=8)
PICKED = st.permutations(TRIBES).map(lambda order: (list(order[:2]), list(order[2:4])))


def probe(kind: str, position: object, moves: tuple[object, ...] = ()) -> Finding:
    chosen: Probe = PROBES[kind]
    read = [msgspec.convert(move, chosen.move) for move in moves]
    return chosen.run(msgspec.convert(position, chosen.position), read, chosen.asks, SETUP)


def test_every_fight_ends_as_the_second_opinion_says() -> None:
    sides = [(value, crown) for value in range(6) for crown in (False, True) if value or not crown]
    for arrow, a, b in product(LINES, sides, sides):
        side_a, side_b = ({"value": value, "crown": crown} for value, crown in (a, b))
        column = {"column": 2, "region": {"card": "yeti", "arrow": arrow}, "A": side_a, "B": side_b}
        (found,) = probe("battle", {"columns": [column]}).ruling["columns"]
        expected = referee.fight(LINES[arrow], a, b)
        assert found["won_by"] == ("none" if expected.won_by is None else "AB"[expected.won_by])
        assert (found["steps_used"], found["steps_lost"]) == (expected.used, expected.lost)
        if expected.won_by is None:
            assert LINES[found["arrow"]] == expected.line


def test_every_rotation_ends_as_the_second_opinion_says() -> None:
    for facing, first, second in product(range(1, 5), (-2, -1, 1, 2), (-2, -1, 1, 2)):
        position = {"card": {"sectors": [1, 2, 4, 5], "facing": facing}}
        found = probe("rotate", position, ({"symbol": first}, {"symbol": second})).ruling
        expected = referee.reachable_sector(referee.reachable_sector(facing, first), second)
        assert found["facing"] == expected
        assert found["value"] == (1, 2, 4, 5)[expected - 1]


@given(PICKED, PILES, PILES)
def test_every_hand_maximum_is_as_the_second_opinion_says(
    picked: tuple[list[str], list[str]], won_a: list[str], won_b: list[str]
) -> None:
    position = {"A": {"tribes": picked[0]}, "B": {"tribes": picked[1]}, "won_A": won_a, "won_B": won_b}
    found = probe("hand", position).ruling
    assert found["A"] == referee.hand_maximum(picked[0], won_a, won_b)
    assert found["B"] == referee.hand_maximum(picked[1], won_b, won_a)


@given(PICKED, PILES, PILES, st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(list(LINES))), max_size=5))
@settings(max_examples=200)
def test_every_score_is_as_the_second_opinion_says(
    picked: tuple[list[str], list[str]], won_a: list[str], won_b: list[str], table: list[tuple[str, str]]
) -> None:
    position = {
        "A": {"tribes": picked[0], "pile": won_a},
        "B": {"tribes": picked[1], "pile": won_b},
        "table": [{"card": kind, "arrow": arrow} for kind, arrow in table],
    }
    found = probe("score", position).ruling
    row = {str(column): (kind, LINES[arrow]) for column, (kind, arrow) in enumerate(table)}
    points = tuple(referee.pile_points(pile) + referee.row_points(row, s) for s, pile in enumerate((won_a, won_b)))
    own = tuple(sum(kind in tribes for kind in pile) for tribes, pile in zip(picked, (won_a, won_b), strict=True))
    assert (found["A"], found["B"]) == points
    assert (found["own_A"], found["own_B"]) == own
    winner = referee.winner((points[0], points[1]), (own[0], own[1]))
    assert found["winner"] == ("draw" if winner is None else "AB"[winner])
