"""Vaalbara where no case can say it: the box, the beginning, the preview, whole games by chance."""

from __future__ import annotations

import random
from math import prod

import pytest
from msgspec.structs import replace

from companion.games import load_game
from companion.games.vaalbara.effects import PointsGained, PointsTaken
from companion.games.vaalbara.rewards import preview
from companion.kernel import Answer, Chosen, Counted, NotationError, Placed, Position, Revealed, Setup, advance
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.rulebook.strings import load_strings
from companion.sets.form import load_form
from companion.sets.owner import proxy_set
from companion.simulated.chance import ChancePlayers
from companion.table.voice import Voice

GAME = load_game("vaalbara")
OPTIONS = resolve(load_rulebook("vaalbara"))
CARDS = proxy_set("vaalbara")
WOOD = Revealed(("wood",))


def begun(seats: int) -> Position:
    return GAME.start(Setup(OPTIONS, tuple("ABCDE"[:seats]), CARDS.cards))


def test_everybody_begins_with_two_points_and_five_characters() -> None:
    state = begun(4).state
    assert state.vp == (2, 2, 2, 2)
    assert state.hands == (5, 5, 5, 5)
    assert state.decks == (7, 7, 7, 7)


@pytest.mark.parametrize("seats", range(2, 6))
def test_the_deck_holds_the_lands_for_so_many_players(seats: int) -> None:
    used = [land for land in CARDS.of_kind("land").values() if land["players"] <= seats]
    assert begun(seats).state.deck == len(used)
    assert len(used) >= 2 * seats + 8 * seats  # two rows, and a new one after each of eight rounds


def test_a_set_that_does_not_know_all_lands_yet_does_not_say_how_high_the_deck_is() -> None:
    few = {key: fields for key, fields in CARDS.cards.items() if not key.startswith("river")}
    at = GAME.start(Setup(OPTIONS, ("A", "B"), few, {"clans": {"A": "bear", "B": "wolf"}}))
    assert GAME.write(at).get("deck") is None
    assert at.question is not None
    assert at.question.key == "deal"


def test_the_backs_of_all_lands_differ() -> None:
    signs = [land["signs"] for land in CARDS.of_kind("land").values()]
    assert len(set(signs)) == len(signs) == 51


def test_the_form_of_a_set_counts_what_the_rulebook_says_is_in_the_box() -> None:
    form = load_form("vaalbara")
    assert form is not None
    assert sum(count.number for count in form["land"].count) == 51
    assert sum(count.number for count in form["character"].count) * 5 == 60


def test_the_initiative_is_the_one_on_the_card() -> None:
    faces = {**CARDS.cards, "bard": {**CARDS.cards["bard"], "initiative": 13}}
    at = GAME.open(
        {"first": ["river-1", "river-2"], "clans": {"A": "bear", "B": "wolf"}}, Setup(OPTIONS, ("A", "B"), faces)
    )
    for key, card in (("play A", "bard"), ("play B", "farmer")):
        at = advance(at, Answer(key, Placed(card, "C1" if key == "play A" else "C2")))
        assert isinstance(at, Position)
    assert at.state.order == (1, 0)


@pytest.mark.parametrize("seed", range(6))
def test_a_preview_says_what_taking_the_land_then_brings(seed: int) -> None:
    chance = random.Random(seed)
    players = ChancePlayers(begun(chance.randint(2, 5)), chance)
    looked = 0
    for act in players.play():
        if act.question.key != "take":
            continue
        state = act.before.state
        seat = state.active
        for reply in act.question.domain:
            assert isinstance(reply, Chosen)
            foretold = preview(state, seat, reply.picks[0])
            after = advance(act.before, Answer("take", reply))
            assert isinstance(after, Position)
            paid = next(each.effect for each in after.told if isinstance(each.effect, PointsGained))
            assert (paid.seat, paid.points) == (seat, foretold.points)
            assert foretold.points == sum(part.points for part in foretold.parts)
            looked += 1
    assert looked > 20


def test_the_preview_lists_every_land_of_the_first_row_for_every_seat() -> None:
    players = ChancePlayers(begun(3), random.Random(1))
    act = next(act for act in players.play() if act.question.key == "take")
    sums = GAME.preview(act.before.state)
    lands = [key for key in act.before.state.first if key is not None]
    assert [len(seat.parts) for seat in sums] == [len(lands)] * 3
    assert all(term.cites and term.parts for seat in sums for term in seat.parts)


def test_points_are_never_lost_or_made_but_by_what_was_told() -> None:
    for seed in range(5):
        players = ChancePlayers(begun(2 + seed % 4), random.Random(f"points {seed}"))
        start = sum(players.position.state.vp)
        gained = 0
        for act in players.play():
            for ruled in act.after.told:
                match ruled.effect:
                    case PointsGained(points=points):
                        gained += points
                    case PointsTaken(bank=bank):
                        gained += bank
        assert sum(players.position.state.vp) == start + gained
        assert all(len(kingdom) == 9 for kingdom in players.position.state.kingdoms)


def test_a_land_lies_in_one_place_through_a_whole_game() -> None:
    for seed in range(4):
        for act in ChancePlayers(begun(2 + seed), random.Random(f"lands {seed}")).play():
            state = act.after.state
            rows = [key for key in (*state.first, *state.second) if key is not None]
            owned = [key for kingdom in state.kingdoms for key in kingdom]
            assert len(set(rows + owned)) == len(rows + owned)
            assert len(rows + owned) + bool(state.held) + state.deck == begun(2 + seed).state.deck


def test_the_state_is_replaced_and_never_changed() -> None:
    before = begun(2)
    state = before.state
    copy = replace(state)
    advance(before, Answer("clans", before.question.domain.at(0)))
    assert state == copy


def test_what_a_land_pays_is_told_as_people_reckon_it() -> None:
    told: set[str] = set()
    for seed in range(6):
        for act in ChancePlayers(begun(3), random.Random(f"figures {seed}")).play():
            for ruled in act.after.told:
                if type(ruled.effect).__name__ == "PointsGained" and ruled.effect.sum and ruled.effect.why != "types":
                    products = [part.split(" x ") for part in ruled.effect.sum.split(" + ")]
                    assert sum(prod(map(int, product)) for product in products) == ruled.effect.points
                    told |= {ruled.effect.why} if len(products[0]) == 2 else set()
    assert {"river", "field", "village"} <= told


def test_whoever_is_given_points_is_told_by_name() -> None:
    setup = Setup(OPTIONS, tuple("ABC"), CARDS.cards)
    at = GAME.open(
        {
            "due": "character",
            "round": 1,
            "played": {"A": "bard", "B": "farmer", "C": "rider"},
            "order": ["A", "C", "B"],
        },
        setup,
    )
    voice = Voice(GAME, load_strings("vaalbara"), ("Ada", "Bo", "Cy"))
    assert at.question is not None
    assert voice.did(at.question, Chosen(("C",))) == "Ada gave 2 points to Cy"


def test_an_order_in_which_a_player_stands_twice_is_refused() -> None:
    document = {"due": "character", "played": {"A": "bard", "B": "farmer"}, "order": ["B", "B"]}
    with pytest.raises(NotationError, match="order: found B, B; each player stands there once"):
        GAME.open(document, Setup(OPTIONS, ("A", "B")))


@pytest.mark.parametrize("by", ["land", "pioneer"])
def test_a_table_that_waits_for_the_number_on_a_forest_is_written_and_opened_again(by: str) -> None:
    setup = Setup(OPTIONS, ("A", "B"))
    document = {
        "due": "land" if by == "land" else "character",
        "round": 2,
        "lands": {"wood": {"type": "forest"}},
        "kingdoms": {"A": ["river-1"]},
        "played": {"A": "pioneer", "B": "farmer"},
        "order": ["A", "B"],
        "first": ["wood" if by == "land" else "field-1", "field-2"],
        "deck": 9,
    }
    moves = [("take", Chosen(("wood",)))] if by == "land" else [("pioneer", Chosen(("river-1",))), ("bottom", WOOD)]
    at = GAME.open(document, setup)
    for key, reply in moves:
        at = advance(at, Answer(key, reply))
        assert isinstance(at, Position)
    written = GAME.write(at)
    assert (written["due"], written["paying"]) == ("paid" if by == "land" else "paid bottom", "wood")
    again = GAME.open(written, setup)
    assert (again.state, [due.step for due in again.agenda]) == (at.state, [due.step for due in at.agenda])
    after = advance(again, Answer("value", Counted(6)))
    assert isinstance(after, Position)
    assert after.state.vp == (8, 2)
    assert GAME.write(after)["lands"]["wood"]["value"] == 6
