"""Replies as short text: all ten kinds, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kernel import (
    Assigned,
    Chosen,
    Confirmed,
    Counted,
    Kind,
    Moved,
    NotationError,
    Ordered,
    Placed,
    Reply,
    Revealed,
    Rolled,
    Turned,
)
from companion.kernel.questions import REPLY_OF
from companion.notation.reply import format_reply, parse_reply

NAMES = st.from_regex(r"[A-Za-z?][A-Za-z0-9_/.-]{0,8}", fullmatch=True).filter(lambda name: name != "-")
TUPLES = st.lists(NAMES, max_size=5).map(tuple)
TURNS = st.none() | st.integers(-4, 4)
REPLIES: dict[Kind, st.SearchStrategy[Reply]] = {
    "choose": TUPLES.map(Chosen),
    "place": st.builds(Placed, NAMES, NAMES, TURNS),
    "move": st.builds(Moved, NAMES, NAMES, st.booleans()),
    "turn": st.builds(Turned, NAMES, TURNS),
    "roll": TUPLES.map(Rolled),
    "reveal": TUPLES.map(Revealed),
    "count": st.integers(-99, 99).map(Counted),
    "order": TUPLES.map(Ordered),
    "assign": st.lists(st.tuples(NAMES, NAMES), max_size=4).map(lambda pairs: Assigned(tuple(pairs))),
    "confirm": st.booleans().map(Confirmed),
}


def test_every_kind_of_question_has_replies_here() -> None:
    assert set(REPLIES) == set(REPLY_OF)


@given(st.data(), st.sampled_from(sorted(REPLIES)))
def test_every_reply_can_be_written_and_read_again(data: st.DataObject, kind: Kind) -> None:
    reply = data.draw(REPLIES[kind])
    assert parse_reply(kind, format_reply(reply)) == reply


@pytest.mark.parametrize(
    ("kind", "text", "reply"),
    [
        ("place", " yeti-07@A3 ^ 1 ", Placed("yeti-07", "A3", 1)),
        ("move", "R1<>R4", Moved("R1", "R4", swap=True)),
        ("turn", "B3 ^-1", Turned("B3", -1)),
        ("choose", "yeti+troll", Chosen(("yeti", "troll"))),
        ("roll", "3  5", Rolled(("3", "5"))),
        ("order", "a,b", Ordered(("a", "b"))),
        ("assign", "orb:A", Assigned((("orb", "A"),))),
    ],
)
def test_spaces_do_not_matter(kind: Kind, text: str, reply: Reply) -> None:
    assert parse_reply(kind, text) == reply


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("place", "yeti-07"),
        ("place", "yeti-07 @ A3 ^x"),
        ("move", "A1 - A2"),
        ("turn", "A1 A2"),
        ("count", "four"),
        ("confirm", "maybe"),
        ("assign", "orb: A: B"),
        ("assign", "orb"),
        ("choose", "a + "),
    ],
)
def test_what_cannot_be_read_is_shown_beside_an_example(kind: Kind, text: str) -> None:
    with pytest.raises(NotationError, match=f"expected a {kind} such as"):
        parse_reply(kind, text)
