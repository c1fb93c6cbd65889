"""King of the Dice at a table: dice that a camera reads, effects that hands have to follow."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.bootstrap import new_header, seat_session
from companion.games import load_game
from companion.journal.entry import Entry
from companion.kernel import Finish
from companion.sets.owner import proxy_set
from companion.table.observation import DiceSeen, Touch
from companion.table.session import Session

KEY = "king_of_the_dice"
DEALT = ("gnome-1", "hypnotist-1", "apprentice-1", "dragon-2", "rich-1")


class Memory:
    """A store that keeps entries in a list."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def append(self, entry: Entry) -> int:
        self.entries.append(entry)
        return len(self.entries)


def answer(session: Session, to: str, reply: str) -> None:
    before = len(session.done)
    session.observe(Touch("test", 0.0, to=to, reply=reply))
    assert len(session.done) == before + 1, session.alarm


@pytest.fixture
def session() -> Session:
    """A table of three where five villagers lie open and the first roll is due."""
    cards = proxy_set(KEY)
    header = new_header(load_game(KEY), ("Ada", "Ben", "Cem"), cards, stated={"starter": "B"})
    session = seat_session(header, Memory(), (), cards)
    for column, card in enumerate(DEALT, 1):
        answer(session, "deal", f"{card} @ V{column}")
    answer(session, "penalty", "penalty-4 @ S2")
    return session


def shown(session: Session, numbers: str) -> tuple[str, ...]:
    """Return the faces of the dice with these numbers."""
    dice = session.position.state.box.dice
    return tuple(next(face for face in die if face[-1] == each) for die, each in zip(dice, numbers, strict=True))


def test_dice_that_a_camera_reads_in_any_order_are_taken_as_they_lie(session: Session) -> None:
    faces = shown(session, "123456")
    session.observe(DiceSeen("camera", 1.0, faces[::-1], 1.0, "frame 1"))
    assert not session.alarm
    assert session.position.state.rolls == 1
    assert Counter(session.position.state.dice) == Counter(faces)


def test_dice_that_cannot_lie_so_are_refused_with_the_die_and_its_faces(session: Session) -> None:
    session.observe(DiceSeen("camera", 1.0, ("red-1",) * 6, 1.0, "frame 1"))
    assert "has no red-1; its faces are" in session.alarm
    assert "KD-01" in session.alarm
    assert session.position.state.rolls == 0


def test_a_hypnotist_and_its_apprentice_come_with_all_that_hands_must_do(session: Session) -> None:
    answer(session, "roll", " ".join(shown(session, "111223")))
    answer(session, "take", "hypnotist-1")
    assert session.position.state.piles[1] == ("hypnotist-1", "apprentice-1")
    assert session.position.state.again
    todo = " ".join(session.todo)
    assert "Ben: put hypnotist-1 on your pile, face up." in todo
    assert "Ben: put apprentice-1 on your pile, face up." in todo
    assert "Move the villagers left of column 2 one place to the right." in todo


def test_the_one_who_gets_a_dragon_is_asked_by_name_and_the_receiver_pays(session: Session) -> None:
    answer(session, "roll", " ".join(shown(session, "666655")))
    assert session.question is not None
    answer(session, "take", "dragon-2")
    assert session.voice.say(session.question.text) == "Ben: to whom do you give dragon-2?"
    answer(session, "dragon", "C")
    assert session.game.score(session.position.state)[2].points == -3
    assert not any(isinstance(ruled.effect, Finish) for ruled in session.position.told)
