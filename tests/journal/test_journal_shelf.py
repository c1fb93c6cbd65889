import os
from pathlib import Path

import pytest

from companion.journal.entry import AnswerEntry, Header, NoteEntry
from companion.journal.errors import JournalUnavailableError
from companion.journal.shelf import Shelf

ANSWER = AnswerEntry(to="place", reply="B1 owl", seat=0, source="camera")
END = NoteEntry(text="Ann wins", kind="finished", source="companion")


def test_games_are_numbered_as_they_were_begun_and_the_latest_comes_first(tmp_path: Path, header: Header) -> None:
    shelf = Shelf(tmp_path)
    for _ in range(3):
        shelf.begin(header).close()
    first = tmp_path / "games" / "0001-allies.journal"
    os.utime(first, (4e9, 4e9))
    names = [game.path.name for game in shelf.games()]
    assert names == ["0003-allies.journal", "0002-allies.journal", "0001-allies.journal"]
    first.with_name("0002-allies.journal").unlink()
    with shelf.begin(header) as journal:
        assert journal.path.name == "0004-allies.journal", "the number of a removed game is not used again in between"


def test_only_games_that_are_not_finished_are_offered_to_be_continued(tmp_path: Path, header: Header) -> None:
    shelf = Shelf(tmp_path)
    with shelf.begin(header) as ended, shelf.begin(header) as begun, shelf.begin(header) as reopened:
        for entry in (ANSWER, END):
            ended.append(entry)
        begun.append(ANSWER)
        for entry in (ANSWER, END, ANSWER):
            reopened.append(entry)
        offered = list(shelf.unfinished())
    assert [(game.number, game.entries, game.finished) for game in offered] == [(3, 3, False), (2, 1, False)]
    assert offered[0].header == header
    assert [game.finished for game in shelf.games()] == [False, False, True]


def test_a_game_cut_by_a_crash_is_offered_and_a_damaged_one_is_shown_with_its_problem(
    tmp_path: Path, header: Header
) -> None:
    shelf = Shelf(tmp_path)
    with shelf.begin(header) as cut, shelf.begin(header) as damaged:
        for journal in (cut, damaged):
            journal.append(ANSWER)
            journal.append(ANSWER)
    cut.path.write_bytes(cut.path.read_bytes()[:-5])
    damaged.path.write_bytes(damaged.path.read_bytes().replace(b"owl", b"elf", 1))
    assert [(game.number, game.entries) for game in shelf.unfinished()] == [(1, 1)]
    shown = {game.number: game for game in shelf.games()}
    assert shown[2].problem.startswith("Line 2 of 0002-allies.journal is not as it was written")
    assert shown[2].header is None


def test_a_file_the_shelf_did_not_name_is_listed_last(tmp_path: Path, header: Header) -> None:
    shelf = Shelf(tmp_path)
    with shelf.begin(header) as journal:
        pass
    copy = journal.path.with_name("from a friend.journal")
    copy.write_bytes(journal.path.read_bytes())
    assert [(game.number, game.path.name) for game in shelf.games()] == [
        (1, "0001-allies.journal"),
        (0, "from a friend.journal"),
    ]


def test_the_home_is_the_argument_or_the_variable_or_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "named"))
    assert Shelf(tmp_path / "given").folder == tmp_path / "given" / "games"
    assert Shelf().folder == tmp_path / "named" / "games"
    monkeypatch.setenv("COMPANION_HOME", "")
    assert Shelf().folder == tmp_path / "data" / "table-companion" / "games"
    assert list(Shelf().games()) == []


def test_a_shelf_that_cannot_be_made_is_said(tmp_path: Path, header: Header) -> None:
    (tmp_path / "home").write_text("a file, no folder")
    with pytest.raises(JournalUnavailableError, match=r"The folder .*games cannot be made: its folder is no folder"):
        Shelf(tmp_path / "home").begin(header)


def test_a_games_name_becomes_a_plain_file_name(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    for game, name in (("../Dark Eden!", "0001-dark-eden.journal"), ("♜", "0002-game.journal")):
        with shelf.begin(Header(game=game, rules_version="1", edition="e", seats=("Ann",))) as journal:
            assert journal.path == tmp_path / "games" / name
