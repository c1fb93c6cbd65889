"""Where the cards of the duel are: counted at every moment of random games."""

from __future__ import annotations

import pytest

from companion.games import load_game
from companion.games.allies.state import Duel
from companion.kernel import UNKNOWN, Answer, Confirmed, Moved, Placed, Position, Setup, advance
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve

from ..conformance.walks import walks


def cards_of(state: Duel, seat: int) -> int:
    """Count the cards of a seat's two tribes, wherever they are."""
    removed = [key for key in state.removed if state.box.cards[key].tribe in state.tribes[seat]]
    laid = [each for each in state.rows[seat] if each is not None]
    counts = (state.hands[seat], state.decks[seat], state.unseen[seat])
    assert UNKNOWN not in counts
    return sum(int(str(count)) for count in counts) + len(laid) + len(state.discards[seat]) + len(removed)


def test_each_player_has_fifty_cards_at_every_moment() -> None:
    for walk in walks("allies"):
        for cut in walk.cuts:
            state = walk.positions[cut].state
            assert [cards_of(state, seat) for seat in (0, 1)] == [50, 50], (walk.seed, cut)


def test_there_are_fifteen_region_cards_at_every_moment() -> None:
    for walk in walks("allies"):
        for cut in walk.cuts:
            state = walk.positions[cut].state
            lying = sum(region is not None for region in state.regions)
            assert lying + len(state.piles[0]) + len(state.piles[1]) + state.region_deck == 15, (walk.seed, cut)


def test_a_hand_never_holds_more_than_its_maximum_allows() -> None:
    for walk in walks("allies"):
        for cut in walk.cuts:
            state = walk.positions[cut].state
            for seat in (0, 1):
                assert state.hands[seat] <= state.maximum[seat] + state.raised[seat], (walk.seed, cut)


def opened(document: dict[str, object], **options: str) -> Position:
    explicit = resolve(load_rulebook("allies"), explicit=options)
    return load_game("allies").open(document, Setup(explicit, ("A", "B")))


def went(at: Position, key: str, reply: Placed | Confirmed) -> Position:
    after = advance(at, Answer(key, reply))
    assert isinstance(after, Position), after
    return after


@pytest.mark.parametrize(("unseen", "deck"), [({"A": 4}, 5), ({}, 1), ({"A": None}, UNKNOWN)])
def test_a_deck_is_renewed_with_the_cards_discarded_from_the_hand_too(unseen: object, deck: object) -> None:
    document = {
        "starter": "A",
        "maximum": {"A": 5},
        "hands": {"A": 4},
        "decks": {"A": 0},
        "discards": {"A": ["seen-1", "seen-2", "seen-3"]},
        "unseen_discards": unseen,
        "cards": {"new": {}, "seen-1": {}, "seen-2": {}, "seen-3": {}},
    }
    after = went(opened(document), "play", Placed("new", "A1"))
    assert after.state.hands[0] == 5
    assert after.state.decks[0] == deck
    assert after.state.discards[0] == ()
    assert after.state.unseen[0] == 0
    assert load_game("allies").write(opened(document))["discards"] == {"A": ("seen-1", "seen-2", "seen-3")}


def test_a_hand_nobody_counted_leaves_a_discard_pile_nobody_counted() -> None:
    document = {"starter": "A", "turn": 10, "rows": {"A": {1: {"value": 2}}}, "region_deck": 0}
    after = went(opened(document), "fight", Confirmed())
    assert after.state.unseen == (UNKNOWN, UNKNOWN)
    game = load_game("allies")
    again = game.open(game.write(after), Setup(after.state.options, ("A", "B")))
    assert again.state == after.state


def test_cards_that_only_a_document_states_are_kept_wherever_they_go() -> None:
    document = {
        "starter": "A",
        "turn": 2,
        "rows": {"B": {1: {"tribe": "golem", "sectors": [1, 2, 3, 4], "facing": 3}, 4: {"value": 2, "crown": True}}},
        "cards": {"gnome-d": {"tribe": "gnome", "diamond": True}, "never-played": {"tribe": "golem", "symbols": [2]}},
    }
    laid = went(opened(document), "play", Placed("gnome-d", "A1"))
    moved = advance(laid, Answer("gnome", Moved("B1", "B5")))
    assert isinstance(moved, Position)
    game = load_game("allies")
    for at in (opened(document), laid, moved):
        again = game.open(game.write(at), Setup(at.state.options, ("A", "B")))
        assert again.state == at.state
        assert again.agenda == at.agenda


def test_a_player_whose_row_is_full_skips_the_turn() -> None:
    row = {column: {"value": 1} for column in range(1, 6)}
    full = {"starter": "A", "turn": 0, "rows": {"A": row}, "hands": {"A": 3}, "cards": {"elf": {"tribe": "golem"}}}
    at = opened(full)
    assert at.question is not None
    assert at.question.seat == 1
    assert [type(each.effect).__name__ for each in at.told] == ["TurnSkipped"]
    cyclops = {"cards": {"cyclops-d": {"tribe": "cyclops", "diamond": True}}}
    assert opened(full | cyclops).question != at.question


def test_a_troll_that_copied_an_ability_cannot_cover_as_well() -> None:
    document = {
        "starter": "A",
        "turn": 2,
        "rows": {
            "A": {1: {"tribe": "yeti"}},
            "B": {1: {"tribe": "cyclops", "diamond": True}, 2: {"tribe": "gnome", "diamond": True}},
        },
        "cards": {
            "troll-d": {"tribe": "troll", "diamond": True, "symbols": [1]},
            "yeti-d": {"tribe": "yeti", "diamond": True},
        },
    }
    options = {"troll_as_cyclops": "hand_card_covers", "cyclops_covers": "diamond_card"}
    laid = went(opened(document, **options), "play", Placed("troll-d", "A2"))
    assert {"cover", "gnome"} <= {each.key for each in laid.offers}
    moved = advance(laid, Answer("gnome", Moved("B2", "B4")))
    assert isinstance(moved, Position)
    assert {each.key for each in moved.offers} == {"strengthen 1"}
