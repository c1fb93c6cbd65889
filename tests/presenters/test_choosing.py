from __future__ import annotations

from companion.games import load_game
from companion.presenters.choosing import NAMES, present_game, present_set_up
from companion.presenters.final import present_final
from companion.presenters.models import ScoreNode
from companion.presenters.overlays import present_overlays
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.table.mat import grid_mat
from companion.table.observation import Scene, Sighting
from tests.presenters.table import answer, dealt, lay


def test_set_up_offers_every_edition_and_at_most_five_switches() -> None:
    book = load_rulebook("allies")
    model = present_set_up(load_game("allies"), book)
    assert [edition.key for edition in model.editions] == list(book.editions)
    assert model.edition == "reconciled"
    assert 1 <= len(model.switches) <= 5
    assert model.seats == 2
    assert len(set(NAMES)) == len(NAMES) >= 2 * model.seats


def test_a_switch_shows_the_value_that_the_edition_would_set() -> None:
    book = load_rulebook("allies")
    model = present_set_up(load_game("allies"), book)
    for switch in model.switches:
        for edition in book.editions:
            shown = dict(switch.by_edition).get(edition, switch.value)
            assert shown == resolve(book, edition)[switch.key]
            assert shown in [value.key for value in switch.values]


def test_a_games_tile_says_players_and_editions() -> None:
    tile = present_game(load_game("allies"), load_rulebook("allies"), cards="camera knows 165 of 165 cards")
    assert (tile.key, tile.players) == ("allies", "2 players")
    assert "9 editions" in tile.rules


def total(node: ScoreNode) -> int:
    return sum(map(total, node.children)) if node.children else node.points


def test_the_score_is_a_tree_whose_leaves_add_up_to_each_total() -> None:
    session = dealt()
    for turn in range(30):
        column = turn // 2 % 5 + 1
        while session.question is not None and session.question.kind == "confirm":
            answer(session, session.question.key, "yes")
        if session.question.key == "deal":
            placed = next(iter(session.question.domain))
            answer(session, "deal", f"{placed.piece} @ {placed.slot}")
            continue
        lay(session, f"{'AB'[session.question.seat]}{free_column(session, column)}")
    model = present_final(session, "0001")
    assert model.says.startswith("If it ended now")
    assert any(tree.points for tree in model.trees)
    for tree, player in zip(model.trees, model.players, strict=True):
        assert tree.points == player.score
        assert sum(source.points for source in tree.children) == tree.points
        for source in tree.children:
            assert source.cites
            if source.children:
                assert total(source) == source.points
                assert all(leaf.cites for leaf in source.children)


def free_column(session: object, first: int) -> int:
    row = "AB"[session.question.seat]
    board = session.game.board(session.position)
    return next(n for k in range(5) for n in ((first + k - 1) % 5 + 1,) if board.cell(f"{row}{n}").kind == "empty")


def test_an_outline_begins_at_the_printed_top_of_a_turned_card() -> None:
    mat = grid_mat("allies", ("B", "R", "A"), 5)
    seen = Scene("camera", 0.0, (Sighting("A1", "known", "yeti-01", 1, confidence=0.9), Sighting("A2", "hidden")))
    (outline,) = present_overlays(seen, mat, lambda points: [(x / mat.width, y / mat.height) for x, y in points])
    centre = mat.slot("A1").rect.centre
    top = [(x * mat.width - centre[0], y * mat.height - centre[1]) for x, y in outline.corners[:2]]
    # Turned clockwise by a quarter, the printed top lies to the right.
    assert all(x > 25 for x, _ in top)
    assert top[0][1] < 0 < top[1][1]
    assert (outline.label, outline.state) == ("yeti-01", "sure")


def test_unsure_unknown_and_wrong_readings_look_different() -> None:
    mat = grid_mat("allies", ("B", "R", "A"), 5)
    scene = Scene(
        "camera",
        0.0,
        (
            Sighting("A1", "unsure", "yeti-01", 0, confidence=0.62),
            Sighting("A2", "unknown", None, 0),
            Sighting("A3", "known", "yeti-02", 0),
            Sighting("A4", "empty"),
        ),
    )
    found = present_overlays(scene, mat, lambda points: points, wrong=frozenset({"A3"}))
    assert [(each.state, each.label) for each in found] == [
        ("unsure", "yeti-01 62 %"),
        ("unknown", "not in the set"),
        ("wrong", "yeti-02"),
        ("empty", ""),
    ]
