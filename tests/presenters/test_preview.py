"""What is foretold: of a real table, with every term and its article."""

from __future__ import annotations

from companion.presenters.live import present
from tests.presenters.table import dealt, follow


def test_each_land_of_the_first_row_is_foretold_to_each_seat_with_every_term_and_article() -> None:
    session = follow("vaalbara", "two-players", 40)
    preview = present(session, "journal").preview
    assert preview is not None
    foretold = session.game.preview(session.position.state)
    assert [tree.title for tree in preview.trees] == list(session.header.seats)
    lands = [key for key in session.position.state.first if key is not None]
    for tree, term in zip(preview.trees, foretold, strict=True):
        assert [node.title.split(" in ")[0] for node in tree.children] == lands
        assert [node.points for node in tree.children] == [part.points for part in term.parts]
        for node in tree.children:
            assert node.points == sum(leaf.points or 0 for leaf in node.children)
            assert all(leaf.cites for leaf in node.children)


def test_nothing_is_foretold_before_the_first_round_and_in_a_game_that_foretells_nothing() -> None:
    assert present(follow("vaalbara", "two-players", 1), "journal").preview is None
    assert present(dealt(), "journal").preview is None
