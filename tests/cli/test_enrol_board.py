"""`companion enrol --board` cuts a board of discs out of one photograph, or says in a sentence why not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.__main__ import main
from companion.desk.boards import board_of
from companion.games.realm_of_wonder.pieces import CHARACTERS
from companion.simulated.disc_scenes import render_discs
from vision.discs import RINGS, DiscBoard
from vision.picture import save_picture


@pytest.fixture
def photo(tmp_path: Path) -> tuple[Path, str]:
    """A photograph of the board with all discs in position 0, and its corners as they are typed."""
    picture, corners = render_discs(0, 0, seed=21)
    save_picture(tmp_path / "board.jpg", picture)
    return tmp_path / "board.jpg", " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)


def enrol(*words: object) -> Result:
    return CliRunner().invoke(main, ["enrol", *map(str, words)])


def test_a_photographed_board_reads_its_discs_afterwards(tmp_path: Path, photo: tuple[Path, str]) -> None:
    result = enrol(tmp_path / "mine", "--from", photo[0], "--board", "--corners", photo[1])
    assert result.exit_code == 0, result.output
    board = DiscBoard.from_folder(tmp_path / "mine")
    for middle, inner in ((0, 0), (2, 5), (4, 1)):
        readings = board.read_frame(*render_discs(middle, inner, seed=30 + middle))
        assert [(r.state, r.turn) for r in readings] == [("known", middle), ("known", inner)]


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        (None, "corners are not named"),
        ("1,2 3,4 5,6", "expected four points"),
        ("a,b c,d e,f g,h", "expected four points"),
        ("0,0 nan,0 700,700 0,700", "outside the photograph"),
        ("300,0 2000,0 2000,700 300,700", "outside the photograph of 1280 x 720"),
        ("300,700 980,700 980,20 300,20", "from the board's own top left clockwise"),
        ("300,300 340,300 340,340 300,340", "at least 120 pixels"),
    ],
)
def test_corners_that_cannot_be_meant_are_refused_in_a_sentence(
    tmp_path: Path, photo: tuple[Path, str], corners: str | None, says: str
) -> None:
    result = enrol(
        tmp_path / "mine", "--from", photo[0], "--board", *(() if corners is None else ("--corners", corners))
    )
    assert (result.exit_code, says in result.output) == (2, True), result.output
    assert not (tmp_path / "mine").exists()


def test_a_board_without_a_mark_is_refused_and_the_one_before_stays(tmp_path: Path, photo: tuple[Path, str]) -> None:
    mine = tmp_path / "mine"
    enrol(mine, "--from", photo[0], "--board", "--corners", photo[1])
    before = {file.name: file.read_bytes() for file in mine.iterdir()}
    save_picture(tmp_path / "grey.png", np.full((600, 600, 3), 120, np.uint8))
    whole = ("--board", "--corners", "0,0 600,0 600,600 0,600")
    assert "already; add --force" in enrol(mine, "--from", tmp_path / "grey.png", *whole).output
    result = enrol(mine, "--from", tmp_path / "grey.png", *whole, "--force")
    assert (result.exit_code, "looks alike when it is turned" in result.output) == (2, True), result.output
    assert {file.name: file.read_bytes() for file in mine.iterdir()} == before


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path, photo: tuple[Path, str]) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "yeti-01.jpg").write_bytes(b"a card")
    result = enrol(tmp_path / "cards", "--from", photo[0], "--board", "--corners", photo[1])
    assert (result.exit_code, "holds other things (yeti-01.jpg)" in result.output) == (2, True)
    assert [file.name for file in (tmp_path / "cards").iterdir()] == ["yeti-01.jpg"]


def test_a_photograph_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "board.jpg").write_text("no picture")
    result = enrol(tmp_path / "mine", "--from", tmp_path / "board.jpg", "--board", "--corners", "0,0 9,0 9,9 0,9")
    assert (result.exit_code, "is not a picture" in result.output) == (2, True)


def test_corners_without_a_board_and_dice_with_one_are_refused(tmp_path: Path) -> None:
    assert enrol(tmp_path / "mine", "--corners", "0,0 9,0 9,9 0,9").exit_code == 2
    assert enrol(tmp_path / "mine", "--dice", "--board").exit_code == 2


PATHS = "wizard,cyclops,gnome,yeti,troll,golem"


def test_the_radii_and_the_paths_of_a_board_go_with_it_to_the_game(tmp_path: Path, photo: tuple[Path, str]) -> None:
    mine = tmp_path / "discs"
    known = ("--corners", photo[1], "--radii", "0.7,0.4", "--paths", PATHS)
    result = enrol(mine, "--from", photo[0], "--board", *known)
    assert result.exit_code == 0, result.output
    assert "not known" not in result.output
    board, order = board_of(mine, CHARACTERS)
    assert board.rings == RINGS
    assert order == (0, 5, 4, 3, 2, 1)


def test_without_paths_it_is_said_that_no_game_knows_them(tmp_path: Path, photo: tuple[Path, str]) -> None:
    result = enrol(tmp_path / "mine", "--from", photo[0], "--board", "--corners", photo[1])
    assert "which path is which is not known" in result.output


@pytest.mark.parametrize(
    ("option", "words", "says"),
    [
        ("--radii", "0.7", "expected those of the middle and of the inner disc"),
        ("--radii", "0.4,0.7", "radii of the middle and of the inner disc between"),
        ("--radii", "nan,nan", "radii of the middle and of the inner disc between"),
        ("--paths", "wizard,golem", "a name for each of the 6 paths was expected, found wizard, golem"),
        ("--paths", "a,b,c,d,e,e", "name each once"),
    ],
)
def test_radii_and_paths_that_cannot_be_meant_are_refused(
    tmp_path: Path, photo: tuple[Path, str], option: str, words: str, says: str
) -> None:
    result = enrol(tmp_path / "mine", "--from", photo[0], "--board", "--corners", photo[1], option, words)
    assert (result.exit_code, says in result.output) == (2, True), result.output
    assert not (tmp_path / "mine").exists()
    assert enrol(tmp_path / "mine", option, words).exit_code == 2


def test_no_mat_is_printed_for_a_game_with_a_board_of_its_own(tmp_path: Path) -> None:
    for sheet in ("mat", "markers"):
        out = tmp_path / f"{sheet}.pdf"
        result = CliRunner().invoke(main, ["print", sheet, "--game", "realm_of_wonder", "--out", str(out)])
        assert (result.exit_code, "played on its own board" in result.output) == (2, True), result.output
        assert not out.exists()
