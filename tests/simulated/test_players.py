"""Random games of the simulated players, without pictures: pieces are conserved, play is legal."""

import random
from collections import Counter

import pytest

from companion.simulated.gestures import Push, Reach, Throw
from companion.simulated.lying import Looseness
from companion.simulated.players import Players
from companion.simulated.referee import SEAT_NAMES, facing_sector, start_turn
from companion.simulated.turns import Habits
from companion.simulated.world import World


def a_game(box, seed, habits=None, looseness=None):
    world = World(box, random.Random(f"{seed} world"), looseness)
    return world, Players(world, random.Random(f"{seed} players"), habits)


@pytest.mark.parametrize("seed", range(200))
def test_no_piece_is_lost_or_doubled(box, seed):
    world, players = a_game(box, seed)
    tribes = {tribe for seat in world.seats for tribe in seat.tribes}
    assert len(tribes) == 4
    pieces = Counter(card.key for card in box.tribe_cards if card.tribe in tribes)
    pieces += Counter(card.key for card in box.region_cards)
    for _ in players.play():
        assert Counter(world.pieces()) == pieces
    truth = world.truth()
    assert sum(len(pile) for piles in truth.won.values() for pile in piles) == sum(
        len(pile) for seat in world.seats for pile in seat.won
    )
    assert set(truth.regions) == {"1", "2", "3", "4", "5"}


def test_the_same_seed_plays_the_same_game_and_another_seed_another(box):
    first, again, other = (list(a_game(box, seed)[1].play()) for seed in (5, 5, 6))
    assert first == again
    assert first != other


@pytest.mark.parametrize("seed", range(30))
def test_every_game_keeps_to_the_rules_that_hands_can_break(box, seed):
    """Checked on what lies there before and after each gesture, not on what the players intended."""
    world, players = a_game(box, seed, looseness=Looseness(0, 0, 0, 0))
    before, just_laid = dict(world.slots), None
    for gesture in players.play():
        after = dict(world.slots)
        changed = {slot for slot in after if after[slot] != before[slot]}
        if isinstance(gesture, Reach):
            assert changed <= set(gesture.slots)
        if isinstance(gesture, Reach) and gesture.act == "lay":
            (slot,) = gesture.slots
            laid = after[slot]
            assert slot[0] == SEAT_NAMES[gesture.seat]
            assert laid.turn == start_turn(gesture.seat)
            if before[slot] is not None:
                assert box.tribe[laid.card].diamond
                assert box.tribe[laid.card].tribe in ("cyclops", "troll")
                assert world.removed[-1] == before[slot].card
            just_laid = laid.card
        elif isinstance(gesture, Reach) and gesture.act == "turn" and gesture.slots[0][0] in "AB":
            (slot,) = gesture.slots
            seat, card = SEAT_NAMES.index(slot[0]), box.tribe[after[slot].card]
            was, now = (facing_sector(card, seat, laid[slot].turn) for laid in (before, after))
            symbols = box.tribe[just_laid].symbols
            golem = box.tribe[just_laid].diamond and now == card.arrow
            assert golem or (card.key != just_laid and any(min(4, max(1, was + s)) == now for s in symbols))
        elif isinstance(gesture, Reach) and gesture.act == "move":
            source, target = gesture.slots
            assert source[0] == target[0]
            assert before[target] is None
            assert before[source].turn == after[target].turn
        elif isinstance(gesture, Reach) and gesture.act == "swap":
            one, other = gesture.slots
            assert "castle" not in {box.region[before[slot].card].kind for slot in (one, other)}
            assert (before[one].turn, before[other].turn) == (after[other].turn, after[one].turn)
        before = after


def test_each_round_has_ten_turns_and_the_starter_alternates(box):
    _, players = a_game(box, 11, Habits(cover=0.0, askew=0.0))
    layers, starters, order = [], [], []
    faces = None
    for gesture in players.play():
        if isinstance(gesture, Throw):
            faces = gesture.faces
        elif isinstance(gesture, Reach) and gesture.act == "lay":
            order.append(gesture.seat)
        elif isinstance(gesture, Push) and gesture.button == "done":
            starters.append(gesture.seat)
            layers.append(order)
            order = []
    first = int(faces[1] > faces[0])
    assert starters == [first, 1 - first, first, 1 - first]
    assert layers == [[starter, 1 - starter] * 5 for starter in starters]


def test_every_ability_turns_up_and_a_wizard_is_announced_by_its_seat(box):
    acts, pushes = Counter(), Counter()
    for seed in range(40):
        _, players = a_game(box, seed)
        for gesture in players.play():
            if isinstance(gesture, Reach):
                acts[gesture.act] += 1
            elif isinstance(gesture, Push):
                pushes[gesture.button] += 1
    assert min(acts[act] for act in ("lay", "turn", "move", "swap", "take", "clear", "deal", "straighten")) > 0
    assert pushes["yes"] > 0
    assert pushes["done"] == 160


def test_the_world_refuses_what_hands_cannot_do(box):
    world, _ = a_game(box, 3)
    world.draw(0, 5)
    with pytest.raises(ValueError, match="does not hold"):
        world.lay(0, world.seats[1].deck[0], "A1")
    with pytest.raises(ValueError, match="nothing lies in A1"):
        world.turn("A1", 1)
    world.lay(0, world.seats[0].hand[0], "A1")
    world.lay(0, world.seats[0].hand[0], "A2")
    with pytest.raises(ValueError, match="free slot"):
        world.move("A1", "A2")
