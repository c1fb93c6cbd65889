"""The odds of dice against closed forms, against a second opinion in fractions, and on any nets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import load_game
from companion.games.king_of_the_dice.conditions import condition_from
from companion.kernel import Goal, Rolling, Setup, Text, cite
from companion.odds import chance_of, chances
from companion.rulebook.article import RECONCILED
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.sets.owner import proxy_set

from .slow import best, best_of_equal_dice, kept

KEY = "king_of_the_dice"
EXACT = 1e-9
FAIR = tuple(f"{('red', 'green', 'blue')[pip % 3]}-{pip}" for pip in range(1, 7))
"""Each number once, each colour twice."""


def asked(kind: str, exactly: bool = False, **fields: Any) -> Any:
    value = "exactly" if exactly else "at_least"
    return condition_from(kind, fields, resolve(load_rulebook(KEY), RECONCILED, {"how_many_dice": value}))


CONDITIONS = {
    "even": asked("rich", parity="even"),
    "two pairs": asked("orc", groups=[2, 2]),
    "full house": asked("orc", groups=[3, 2]),
    "run of four": asked("elves", length=4),
    "run of six": asked("elves", length=6),
    "four of a colour": asked("mushroom", count=4),
    "three sixes": asked("dwarf", number=6, count=3),
    "two red two blue": asked("apprentice", colours=["red", "red", "blue", "blue"]),
    "four blue": asked("gnome", colours=["blue"] * 4),
    "exactly three blue": asked("gnome", exactly=True, colours=["blue"] * 3),
    "at most twelve": asked("hypnotist", sum=12),
    "at least twenty-eight": asked("dragon", sum=28),
}


def binomial(count: int, least: int, hit: float) -> float:
    return sum(comb(count, k) * hit**k * (1 - hit) ** (count - k) for k in range(max(least, 0), count + 1))


# -- closed forms ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rolls", [1, 2, 3, 4])
@pytest.mark.parametrize("least", [1, 3, 4, 5, 6])
def test_so_many_of_one_number_are_a_binomial(least: int, rolls: int) -> None:
    """Keeping what fits is best, so each die has `rolls` tries of its own."""
    aim = asked("dwarf", number=4, count=least)
    chance, keep = chance_of(aim, [FAIR] * 6, (), rolls)
    assert abs(chance - binomial(6, least, 1 - (5 / 6) ** rolls)) < EXACT
    assert keep == ()


@pytest.mark.parametrize("rolls", [0, 1, 2, 3])
@pytest.mark.parametrize("least", [2, 4, 6])
def test_so_many_of_one_colour_in_the_middle_of_a_roll_are_a_binomial_of_the_rest(least: int, rolls: int) -> None:
    faces = (FAIR[0], FAIR[1], FAIR[4], FAIR[1], FAIR[2], FAIR[3])
    hits = [die for die, face in enumerate(faces) if face.startswith("green")]
    aim = asked("gnome", colours=["green"] * least)
    chance, keep = chance_of(aim, [FAIR] * 6, faces, rolls)
    assert abs(chance - binomial(6 - len(hits), least - len(hits), 1 - (2 / 3) ** rolls)) < EXACT
    if rolls and least > len(hits):
        assert keep == tuple(hits)


@pytest.mark.parametrize("rolls", [1, 2, 3, 4])
def test_six_even_numbers_are_a_power(rolls: int) -> None:
    chance, _ = chance_of(CONDITIONS["even"], [FAIR] * 6, (), rolls)
    assert abs(chance - (1 - 0.5**rolls) ** 6) < EXACT


def test_the_table_of_the_teaching_mode_is_right() -> None:
    """Three and four rolls, per cent: the figures that people publish about this game's dice."""
    colour = [
        round(100 * chance_of(asked("gnome", colours=["red"] * k), [FAIR] * 6, (), r)[0])
        for k in (3, 4, 5, 6)
        for r in (3, 4)
    ]
    assert colour == [93, 98, 75, 90, 43, 66, 12, 27]
    either = condition_from(
        "rich", {"parity": "odd"}, resolve(load_rulebook(KEY), RECONCILED, {"parity_shown": "either"})
    )
    assert [round(100 * chance_of(either, [FAIR] * 6, (), rolls)[0]) for rolls in (3, 4)] == [57, 76]


# -- a second opinion --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["two pairs", "full house", "run of four", "four of a colour", "at least twenty-eight"]
)
def test_three_rolls_of_six_equal_dice_agree_with_fractions(name: str) -> None:
    chance, _ = chance_of(CONDITIONS[name], [FAIR] * 6, (), 3)
    assert abs(chance - best_of_equal_dice(CONDITIONS[name], FAIR, 6, 3)) < EXACT


SMALL = [
    asked("orc", groups=[2]),
    asked("orc", exactly=True, groups=[2]),
    asked("elves", length=3),
    asked("mushroom", count=3),
    asked("mushroom", exactly=True, count=2),
    asked("apprentice", colours=["red", "blue"]),
    asked("gnome", exactly=True, colours=["red"]),
    asked("hypnotist", sum=6),
    asked("dragon", sum=13),
    asked("rich", parity="odd"),
]
NETS = st.lists(
    st.lists(
        st.sampled_from([f"{c}-{n}" for c in ("red", "blue", "grey") for n in (1, 3, 4, 6)]), min_size=1, max_size=4
    ),
    min_size=3,
    max_size=3,
)


@given(NETS, st.sampled_from(SMALL), st.integers(0, 2), st.booleans(), st.data())
@settings(max_examples=60, deadline=None)
def test_any_three_dice_agree_with_fractions_and_so_does_the_set_to_keep(
    dice: list[list[str]], aim: Any, rolls: int, may_stop: bool, data: st.DataObject
) -> None:
    faces = [data.draw(st.sampled_from(net)) for net in dice]
    chance, keep = chance_of(aim, dice, faces, rolls, may_stop)
    assert abs(chance - best(aim, dice, faces, rolls, may_stop)) < EXACT
    if rolls and may_stop:
        assert abs(chance - kept(aim, dice, faces, rolls, keep)) < EXACT


def any_nets(seed: int) -> list[tuple[str, ...]]:
    """Six dice, each with other faces, some of them twice."""
    rng = Random(seed)
    return [tuple(f"{rng.choice(('red', 'green', 'blue'))}-{rng.randint(1, 6)}" for _ in range(6)) for _ in range(6)]


@pytest.mark.parametrize("name", CONDITIONS)
def test_one_roll_of_six_odd_dice_agrees_with_fractions(name: str) -> None:
    dice, aim = any_nets(len(name)), CONDITIONS[name]
    faces = [Random(name).choice(net) for net in dice]
    chance, keep = chance_of(aim, dice, faces, 1)
    rerolled = [die for die in range(6) if die not in keep]
    assert abs(chance - share(aim, dice, faces, rerolled)) < EXACT
    others = Random(name).sample(range(64), 12)
    assert all(
        share(aim, dice, faces, [die for die in range(6) if each >> die & 1]) <= chance + EXACT for each in others
    )


def share(aim: Any, dice: Sequence[Sequence[str]], faces: Sequence[str], rerolled: Sequence[int]) -> Fraction:
    """Return the share of all outcomes of rolling some dice that reach an aim."""
    shown: dict[tuple[str, ...], int] = {(): 1}
    for die, net in enumerate(dice):
        later: dict[tuple[str, ...], int] = {}
        for each, ways in shown.items():
            for face in net if die in rerolled else (faces[die],):
                key = tuple(sorted((*each, aim.sees(face))))
                later[key] = later.get(key, 0) + ways
        shown = later
    return Fraction(sum(ways for each, ways in shown.items() if aim.met(each)), sum(shown.values()))


# -- what holds for all ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CONDITIONS)
def test_more_rolls_are_never_worse_and_what_is_met_is_sure(name: str) -> None:
    dice, aim = any_nets(3), CONDITIONS[name]
    faces = [net[2] for net in dice]
    reached = [chance_of(aim, dice, faces, rolls)[0] for rolls in range(5)]
    assert all(before <= after + EXACT for before, after in pairwise(reached))
    assert all(0 <= each <= 1 + EXACT for each in reached)
    if aim.met([aim.sees(face) for face in faces]):
        assert reached == pytest.approx([1.0] * 5, abs=EXACT)


def test_dice_that_meet_the_goal_are_all_kept_unless_a_roll_has_to_be_made() -> None:
    aim, faces = CONDITIONS["three sixes"], (FAIR[5],) * 3 + (FAIR[0],) * 3
    assert chance_of(aim, [FAIR] * 6, faces, 2) == (1.0, (0, 1, 2, 3, 4, 5))
    chance, keep = chance_of(aim, [FAIR] * 6, faces, 2, may_stop=False)
    assert chance == pytest.approx(1.0, abs=EXACT)
    assert len(keep) == 5
    assert {0, 1, 2} <= set(keep)
    assert chance_of(CONDITIONS["even"], [FAIR] * 6, (FAIR[1],) * 6, 1, may_stop=False)[0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("faces", "rolls", "says"),
    [
        (("red-1",) * 5, 1, "found 5 faces for 6 dice"),
        (("pink-1", *FAIR[1:]), 1, "die 1 has no face pink-1"),
        ((), 0, "no roll is left"),
    ],
)
def test_what_the_dice_cannot_show_is_refused(faces: tuple[str, ...], rolls: int, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        chance_of(CONDITIONS["even"], [FAIR] * 6, faces, rolls)


def test_all_goals_of_a_table_are_reckoned_in_their_order() -> None:
    goals = tuple(Goal(name, aim, Text(name), cite("KD-18")) for name, aim in CONDITIONS.items())
    rolling = Rolling((FAIR,) * 6, (FAIR[5],) * 6, 1, goals)
    found = chances(rolling)
    assert [each.goal for each in found] == list(goals)
    assert [each.goal.piece for each in found if each.met] == [
        "even",
        "four of a colour",
        "three sixes",
        "at least twenty-eight",
    ]
    assert all(each.chance == 1 and each.keep == (0, 1, 2, 3, 4, 5) for each in found if each.met)


def test_a_table_states_its_goals_before_each_roll() -> None:
    game = load_game(KEY)
    setup = Setup(resolve(load_rulebook(KEY)), ("A", "B"), proxy_set(KEY).cards)
    at = game.open({"row": ["gnome-1", "dwarf-1"], "piles": {"A": ["elves-1"]}}, setup)
    rolling = game.rolling(at.state)
    assert rolling is not None
    assert (rolling.rolls, rolling.faces, len(rolling.dice)) == (4, (), 6)
    assert [goal.piece for goal in rolling.goals] == ["gnome-1", "dwarf-1"]
    again = msgspec.structs.replace(rolling, rolls=3)
    assert [each.chance for each in chances(rolling)] > [each.chance for each in chances(again)]
