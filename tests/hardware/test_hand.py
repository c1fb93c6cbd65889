"""Dice that speak for themselves, told as throws."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.table.observation import DiceSeen
from hardware.dice.hand import TOGETHER, Hand
from hardware.dice.states import DieState, Kind

FACES = ("1", "2", "3", "4", "5", "6")


class Dice:
    """A red and a blue die, with a clock."""

    def __init__(self) -> None:
        self.hand = Hand("smart dice", ("Red", "Blue"), FACES)
        self.at = 10.0
        self.heard: list[DiceSeen] = []

    def say(self, die: int, kind: Kind, *faces: int, after: float = 0.1, event: bool = False) -> str:
        """Let a die say something; return the problem that stands then."""
        self.at += after
        self.heard += self.hand.take(die, DieState(kind, faces, event), self.at)
        return self.heard[-1].problem if self.heard else ""

    def wait(self, seconds: float = TOGETHER + 0.1) -> None:
        self.at += seconds
        self.heard += self.hand.settle(self.at)

    @property
    def throws(self) -> list[tuple[str, ...]]:
        return [seen.faces for seen in self.heard if seen.faces]


def at_rest() -> Dice:
    """Both dice are connected and lie there."""
    dice = Dice()
    dice.say(0, "lies", 1)
    dice.say(1, "lies", 1)
    dice.wait()
    return dice


def test_how_a_die_lies_when_it_is_met_first_is_no_throw() -> None:
    dice = Dice()
    dice.say(0, "rolled", 4)
    dice.say(1, "lies", 2)
    dice.wait(60.0)
    assert dice.heard == []
    assert dice.hand.wake_at() is None


def test_a_throw_of_two_dice_is_told_once_when_both_rest() -> None:
    dice = at_rest()
    assert dice.say(1, "rolling") == "The die Blue is rolling."
    dice.say(0, "rolling")
    dice.say(1, "rolled", 5)
    dice.wait(5.0)
    assert dice.throws == []
    dice.say(0, "rolled", 3)
    rested = dice.at
    dice.wait()
    assert dice.throws == [("3", "5")]
    told = dice.heard[-1]
    assert (told.witness, told.at, told.confidence, told.problem) == ("smart dice", rested, 1.0, "")
    assert told.evidence == f"Red 3, Blue 5 at {rested:.3f}"
    dice.wait(60.0)
    assert len(dice.throws) == 1


def test_dice_that_rest_one_shortly_after_the_other_are_one_throw() -> None:
    dice = at_rest()
    dice.say(0, "rolling")
    dice.say(0, "rolled", 3)
    dice.say(1, "rolling", after=TOGETHER / 2)
    dice.say(1, "rolled", 6)
    dice.wait()
    assert dice.throws == [("3", "6")]


def test_only_the_dice_that_were_thrown_are_told() -> None:
    dice = at_rest()
    dice.say(1, "held")
    dice.say(1, "rolling")
    dice.say(1, "rolled", 1)  # the same face as before, but thrown
    dice.wait()
    assert dice.throws == [("1",)]


def test_a_leaning_die_holds_the_throw_up_and_is_said_until_it_is_rolled_again() -> None:
    dice = at_rest()
    dice.say(0, "rolling")
    dice.say(1, "rolling")
    dice.say(0, "rolled", 3)
    assert dice.say(1, "leaning") == "The die Blue leans; roll it again."
    dice.wait(60.0)
    assert dice.throws == []
    dice.say(1, "rolling")
    assert dice.say(1, "rolled", 2) == ""
    dice.wait()
    assert dice.throws == [("3", "2")]


def test_a_die_in_a_hand_is_said_and_one_that_is_laid_down_is_no_throw() -> None:
    dice = at_rest()
    assert dice.say(0, "held") == "The die Red is in a hand."
    assert dice.say(0, "lies", 6) == "The die Red was laid down, not rolled; roll it."
    dice.wait(60.0)
    assert dice.throws == []
    dice.say(1, "rolling")
    dice.say(1, "rolled", 4)
    dice.wait()
    assert dice.throws == [("4",)]


def test_a_die_lost_while_it_rolled_tells_its_throw_once_when_it_is_back() -> None:
    dice = at_rest()
    dice.say(0, "rolling")
    assert dice.say(0, "away") == "The die Red is not connected; what it shows is asked when it is back."
    dice.wait(60.0)
    assert dice.throws == []
    assert dice.say(0, "back").endswith("did not say what it shows since it was away; roll it again.")
    assert dice.say(0, "rolled", 5) == ""
    dice.wait()
    dice.say(0, "away")
    dice.say(0, "back")
    dice.say(0, "rolled", 5)
    dice.wait()
    assert dice.throws == [("5",)]


def test_a_die_thrown_while_it_was_away_is_one_throw_if_it_shows_something_else() -> None:
    dice = at_rest()
    dice.say(0, "away")
    dice.say(0, "back")
    dice.say(0, "rolled", 4)
    dice.wait()
    assert dice.throws == [("4",)]


def test_a_die_that_cannot_be_asked_has_to_be_rolled_again() -> None:
    dice = at_rest()
    dice.say(0, "rolling")
    dice.say(0, "away")
    assert dice.say(0, "back") == "The die Red did not say what it shows since it was away; roll it again."
    dice.wait(60.0)
    assert dice.throws == []


def test_a_face_that_the_die_lacks_is_said_and_is_no_throw() -> None:
    dice = at_rest()
    dice.say(0, "rolling")
    says = dice.say(0, "rolled", 7)
    assert says == "The die Red shows a face that no die of this table has; roll it again, or correct the wiring file."
    dice.wait(60.0)
    assert dice.throws == []


def test_a_tower_tells_every_throw_even_the_same_twice() -> None:
    dice = at_rest()
    for _ in range(2):
        dice.say(0, "rolled", 3, 5, event=True)
        dice.wait()
    assert dice.throws == [("3", "5"), ("3", "5")]


KINDS = st.sampled_from(["rolled", "lies", "rolling", "held", "leaning", "away", "back"])


@given(st.lists(st.tuples(st.integers(0, 1), KINDS, st.integers(1, 6), st.sampled_from([0.05, 0.5, 2.0]))))
def test_there_is_never_more_than_one_throw_for_each_coming_to_rest(
    said: list[tuple[int, Kind, int, float]],
) -> None:
    dice = Dice()
    rests = 0
    for die, kind, face, after in said:
        dice.say(die, kind, *((face,) if kind in ("rolled", "lies") else ()), after=after)
        rests += kind == "rolled"
    dice.wait()
    assert len(dice.throws) <= rests
    assert all(throw.problem == "" for throw in dice.heard if throw.faces)


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=6), st.data())
def test_every_throw_is_told_exactly_once_whenever_a_die_loses_its_connection(
    throws: list[tuple[int, int]], data: st.DataObject
) -> None:
    dice = at_rest()
    for red, blue in throws:
        dice.say(0, "rolling")
        dice.say(1, "rolling")
        for die, face in ((0, red), (1, blue)):
            cut = data.draw(st.sampled_from(["never", "rolling", "resting"]))
            if cut == "rolling":
                dice.say(die, "away")
                dice.say(die, "back")
            dice.say(die, "rolled", face)
            if cut == "resting":
                dice.say(die, "away")
                dice.say(die, "back")
                dice.say(die, "rolled", face)
        dice.wait()
    assert dice.throws == [(str(red), str(blue)) for red, blue in throws]
