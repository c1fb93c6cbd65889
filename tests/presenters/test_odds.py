"""The odds on the screen: of a real table, best first, and only while dice are rolled."""

from __future__ import annotations

import pytest

from companion.bootstrap import new_header, seat_session
from companion.games import load_game
from companion.games.king_of_the_dice.conditions import Parity
from companion.kernel import Goal, Rolling, Text, cite
from companion.odds import Chance
from companion.presenters.live import present
from companion.presenters.odds import keeping, present_odds, share
from companion.sets.owner import proxy_set
from companion.table.session import Session

from .table import Memory, answer

KEY = "king_of_the_dice"
DEALT = ("gnome-1", "dwarf-1", "rich-1", "elves-1", "dragon-2")


@pytest.fixture
def session() -> Session:
    """A table where five villagers lie open and the first roll is due."""
    cards = proxy_set(KEY)
    header = new_header(load_game(KEY), ("Ada", "Ben"), cards, stated={"starter": "A"})
    session = seat_session(header, Memory(), (), cards)
    for column, card in enumerate(DEALT, 1):
        answer(session, "deal", f"{card} @ V{column}")
    answer(session, "penalty", "penalty-4 @ S2")
    return session


def roll(session: Session, *numbers: int) -> None:
    """Roll these numbers; the colours are those of the dice."""
    dice = session.position.state.box.dice
    faces = [next(face for face in die if face.endswith(f"-{each}")) for die, each in zip(dice, numbers, strict=True)]
    answer(session, "roll", " ".join(faces))


def test_before_the_first_roll_everything_is_open(session: Session) -> None:
    odds = present_odds(session)
    assert odds is not None
    assert odds.says == "What the dice can still win, with 3 rolls left"
    assert {card.piece for card in odds.cards} == set(DEALT)
    assert {card.keep for card in odds.cards} == {"roll all dice"}
    assert next(card.chance for card in odds.cards if card.piece == "gnome-1") == "75 %"


def test_after_a_roll_the_best_chance_stands_first_with_the_dice_to_keep(session: Session) -> None:
    roll(session, 2, 4, 4, 6, 2, 1)
    odds = present(session, "journal").odds
    assert odds is not None
    shown = [int(card.chance.split()[-2]) for card in odds.cards]
    assert shown == sorted(shown, reverse=True)
    (rich,) = [card for card in odds.cards if card.piece == "rich-1"]
    assert rich.asks == "all six numbers even"
    assert rich.chance == "75 %"
    assert rich.keep.startswith("keep ")
    assert len(rich.keep.split()) == 6
    assert "KD-35" in rich.cites


def test_what_is_met_is_marked_and_all_dice_are_kept(session: Session) -> None:
    roll(session, 2, 4, 4, 6, 2, 6)
    odds = present_odds(session)
    assert odds is not None
    assert [(card.piece, card.chance, card.keep) for card in odds.cards if card.met and card.piece == "rich-1"] == [
        ("rich-1", "100 %", "keep all dice")
    ]


def test_there_are_no_odds_while_something_else_is_asked(session: Session) -> None:
    roll(session, 2, 4, 4, 6, 2, 6)
    answer(session, "take", "rich-1")
    assert session.question is not None
    assert session.question.key == "refill"
    assert present_odds(session) is None


@pytest.mark.parametrize(
    ("chance", "says"),
    [(0.0, "0 %"), (0.004, "under 1 %"), (0.01, "1 %"), (0.756, "76 %"), (0.999, "over 99 %"), (1.0, "100 %")],
)
def test_a_chance_is_never_rounded_to_never_or_always(chance: float, says: str) -> None:
    assert share(chance) == says


def test_keeping_nothing_is_said() -> None:
    goal = Goal("gnome-1", Parity("rich", "even"), Text("asks.even"), cite("KD-18"))
    rolling = Rolling((("a", "b"),) * 2, ("a", "b"), 1, (goal,))
    assert keeping(rolling, Chance(goal, 0.5, (), False)) == "keep none"
    assert keeping(rolling, Chance(goal, 0.5, (1,), False)) == "keep b"
