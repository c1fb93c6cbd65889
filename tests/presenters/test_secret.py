"""Points that nobody is to know before the end (VB-29)."""

from __future__ import annotations

from companion.presenters.final import present_final
from companion.presenters.live import present
from tests.presenters.table import dealt, follow


def test_no_screen_tells_points_before_the_tokens_are_turned_up() -> None:
    session = follow("vaalbara", "two-players", 40)
    assert not session.is_over
    assert [player.score for player in present(session, "journal").players] == [None, None]
    sheet = present_final(session, "journal")
    assert [tree.points for tree in sheet.trees] == [None, None]
    assert [tree.children for tree in sheet.trees] == [(), ()]
    assert [player.score for player in sheet.players] == [None, None]
    assert sheet.hidden_cites == ("VB-29",)
    assert sheet.hidden
    assert not any(character.isdigit() for character in sheet.says + sheet.hidden)


def test_at_the_end_every_point_is_told() -> None:
    session = follow("vaalbara", "two-players")
    assert session.is_over
    totals = [term.points for term in session.game.score(session.position.state)]
    assert [player.score for player in present(session, "journal").players] == totals
    sheet = present_final(session, "journal")
    assert [tree.points for tree in sheet.trees] == totals
    assert (sheet.hidden, sheet.hidden_cites) == ("", ())


def test_a_game_without_secrets_tells_its_points_all_the_time() -> None:
    assert [player.score for player in present(dealt(), "journal").players] == [0, 0]
