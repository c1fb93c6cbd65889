"""The odds of six dice with any nets against a brute force that shares nothing with them, in every phase of a turn."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from companion.kernel import Goal, Rolling, Text, cite
from companion.kernel.dice import Aim
from companion.odds import chance_of, chances

from .brute import (
    Brute,
    Met,
    dragon,
    dwarf,
    elves,
    hypnotist,
    just_of_colours,
    mushroom,
    of_colours,
    orc,
    rich,
)
from .test_odds import EXACT, asked

VILLAGERS: dict[str, tuple[Aim, Met]] = {
    "all even": (asked("rich", parity="even"), rich(0)),
    "all odd": (asked("rich", parity="odd"), rich(1)),
    "two pairs": (asked("orc", groups=[2, 2]), orc(2, 2)),
    "three pairs": (asked("orc", groups=[2, 2, 2]), orc(2, 2, 2)),
    "three, two and one": (asked("orc", groups=[3, 2, 1]), orc(3, 2, 1)),
    "run of four": (asked("elves", length=4), elves(4)),
    "run of six": (asked("elves", length=6), elves(6)),
    "five of a colour": (asked("mushroom", count=5), mushroom(5)),
    "three fives": (asked("dwarf", number=5, count=3), dwarf(5, 3)),
    "apprentice": (asked("apprentice", colours=["red", "red", "blue", "blue"]), of_colours(red=2, blue=2)),
    "gnome": (asked("gnome", colours=["green"] * 3), of_colours(green=3)),
    "just three green": (asked("gnome", exactly=True, colours=["green"] * 3), just_of_colours(green=3)),
    "fairy": (asked("fairy", colours=["red", "red", "red", "blue", "blue"]), of_colours(red=3, blue=2)),
    "hypnotist": (asked("hypnotist", sum=12), hypnotist(12)),
    "dragon": (asked("dragon", sum=28), dragon(28)),
}


def any_nets(rng: Random) -> list[list[str]]:
    """Six dice, each with other faces; some of them have a face twice, some lack a number or a colour."""
    colours = ["red", "green", "blue", "yellow"][: rng.choice((3, 3, 4))]
    return [[f"{rng.choice(colours)}-{rng.randint(1, 6)}" for _ in range(6)] for _ in range(6)]


@pytest.mark.parametrize("name", VILLAGERS)
def test_any_six_dice_in_every_phase_of_a_turn_agree_and_the_set_to_keep_reaches_its_chance(name: str) -> None:
    """Before the first of three or four rolls, after the first, after the second, and when none is left."""
    aim, met = VILLAGERS[name]
    rng = Random(f"nets of {name}")
    for _ in range(2):
        nets = any_nets(rng)
        brute = Brute(met, nets)
        for rolls in (3, 4):
            chance, keep = chance_of(aim, nets, (), rolls)
            assert abs(chance - brute.chance((), rolls)) < EXACT
            assert keep == ()
        for rolls in (0, 1, 1, 2, 2, 3):
            faces = [rng.choice(net) for net in nets]
            chance, keep = chance_of(aim, nets, faces, rolls)
            assert abs(chance - brute.chance(faces, rolls)) < EXACT
            if rolls:
                assert abs(chance - brute.kept(faces, keep, rolls)) < EXACT


@pytest.mark.parametrize("name", ["three pairs", "apprentice", "hypnotist"])
def test_where_all_rolls_have_to_be_made_one_die_at_least_is_rolled(name: str) -> None:
    aim, met = VILLAGERS[name]
    rng = Random(f"all rolls of {name}")
    nets = any_nets(rng)
    brute = Brute(met, nets, may_stop=False)
    for rolls in (1, 2, 2):
        faces = [rng.choice(net) for net in nets]
        chance, keep = chance_of(aim, nets, faces, rolls, may_stop=False)
        assert len(keep) < 6
        assert abs(chance - brute.chance(faces, rolls)) < EXACT
        assert abs(chance - brute.kept(faces, keep, rolls)) < EXACT


def test_cards_of_a_row_do_not_disturb_each_other() -> None:
    """Every pair of villagers, asked about together: each has the chance it has alone."""
    rng = Random("pairs")
    nets = any_nets(rng)
    faces = tuple(rng.choice(net) for net in nets)
    alone = {name: Brute(met, nets).chance(faces, 2) for name, (_, met) in VILLAGERS.items()}
    for pair in combinations(VILLAGERS, 2):
        goals = tuple(Goal(name, VILLAGERS[name][0], Text(name), cite("KD-18")) for name in pair)
        found = chances(Rolling(tuple(map(tuple, nets)), faces, 2, goals))
        assert [each.goal.piece for each in found] == list(pair)
        assert all(abs(each.chance - alone[each.goal.piece]) < EXACT for each in found)
