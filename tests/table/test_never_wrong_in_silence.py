"""The first law of the table: what was written is what happened, or somebody was asked."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.kernel import Answer, Moved, Placed, Position, Question, Reply, advance
from companion.notation.reply import format_reply
from companion.table.asking import lapsed
from companion.table.observation import Candidate, Scene, Sighting

from .evenings import CARDS, GAME, SLOTS, Table, card, table

MOST_UNSEEN = 4


class Evening:
    """A random game whose truth is kept apart; the camera looks at random moments."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.table = table(starter=self.rng.choice("AB"))
        self.truth = self.table.session.position
        self.fresh: set[str] = set()
        """Slots that changed since the last look: no card may be covered there before it was seen."""
        self.unseen = 0

    def play(self) -> bool:
        """Play until the end or a question; tell whether the end was reached."""
        while not self.truth.is_over:
            question, reply = self.act()
            visible = question.kind in ("place", "move", "turn")
            if (not visible or (isinstance(reply, Placed) and reply.slot in self.fresh)) and not self.look():
                return False
            after = advance(self.truth, Answer(question.key, reply))
            assert isinstance(after, Position)
            self.truth = after
            if not visible:
                self.table.touch(question.key, format_reply(reply))
                assert self.table.session.alarm == ""
                continue
            self.unseen += 1
            if isinstance(reply, Placed):
                self.fresh.add(reply.slot)
            if isinstance(reply, Moved):
                self.fresh |= {reply.start, reply.end}
            if (self.unseen >= MOST_UNSEEN or self.rng.random() < 0.5) and not self.look():
                return False
        return self.look()

    def act(self) -> tuple[Question, Reply]:
        open_ = self.truth.questions
        question = self.rng.choice(open_) if self.rng.random() < 0.7 else open_[0]
        return question, self.rng.choice(list(question.domain))

    def look(self) -> bool:
        """Let the camera look; what is believed without a question has to be true."""
        lying = GAME.scene(self.truth.state)
        self.table.lies = {
            slot: card(slot, each.piece, self.rng.choice(sorted(each.turns))) for slot, each in lying.items()
        }
        self.table.linger()
        self.fresh.clear()
        self.unseen = 0
        session = self.table.session
        if session.doubt is not None:
            return False
        assert session.alarm == ""
        if not session.held:
            assert lapsed(session.position).state == lapsed(self.truth).state
        return True


@pytest.mark.parametrize("seed", [*range(0, 40, 2), 79])
def test_what_the_camera_follows_is_what_happened_or_is_asked(seed: int) -> None:
    evening = Evening(seed)
    if evening.play():
        assert evening.table.session.is_over
        assert evening.table.session.position.state == evening.truth.state
    else:
        assert evening.table.session.tally.questions > 0


def test_most_evenings_need_no_question_at_all() -> None:
    assert sum(Evening(seed).play() for seed in range(0, 40, 2)) >= 12


PIECES = st.sampled_from([*CARDS.keys, "no such card"])
TURNS = st.integers(0, 3)


@st.composite
def sightings(draw: st.DrawFn, slot: str) -> Sighting:
    seen = draw(st.sampled_from(["empty", "known", "unsure", "unknown", "hidden"]))
    candidates = tuple(
        Candidate(piece, draw(st.floats(0, 1))) for piece in draw(st.lists(PIECES, max_size=3, unique=True))
    )
    return Sighting(
        slot,
        seen,  # type: ignore[arg-type]
        draw(PIECES) if seen in ("known", "unsure") else None,
        draw(TURNS) if seen in ("known", "unsure") else draw(st.none() | TURNS),
        draw(st.none() | st.floats(0, 359.9)),
        draw(st.floats(0, 1)),
        candidates=candidates if seen == "unsure" else (),
    )


@st.composite
def scenes(draw: st.DrawFn, at: float) -> Scene:
    changed = draw(st.lists(st.sampled_from(SLOTS), max_size=5, unique=True))
    lying = {slot: draw(sightings(slot)) for slot in changed}
    seen = tuple(lying.get(slot, Sighting(slot, "empty", confidence=1.0)) for slot in SLOTS)
    problem = draw(st.sampled_from(["", "", "a card lies beside its place"]))
    return Scene("camera", at, seen, draw(st.booleans()), draw(st.booleans()), problem)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_whatever_a_camera_reports_the_journal_and_the_table_agree(data: st.DataObject) -> None:
    evening = table()
    session = evening.session
    for step in range(4):
        session.observe(data.draw(scenes(10.0 * step)))
        match data.draw(st.sampled_from(["nothing", "choose", "yes", "no", "done", "undo"])):
            case "choose":
                evening.choose(0)
            case "nothing":
                pass
            case button:
                evening.press(button)
        written = tuple(evening.store.entries)
        assert session.entries == written
        assert session.position.same_table(again(written).session.position)
        assert bool(session.undoes) == bool(session.done or session.held)
        assert all(isinstance(says, str) and "{" not in says for says in (*session.todo, session.alarm))


def again(entries: tuple[object, ...]) -> Table:
    return table(entries)  # type: ignore[arg-type]
