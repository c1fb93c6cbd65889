"""`companion print` writes a PDF, never over another file unasked, and says one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.print import command


def run(*words: str) -> Result:
    return CliRunner().invoke(command, list(words))


@pytest.mark.parametrize(("sheet", "pages"), [("mat", 4), ("markers", 1), ("scoresheet", 1), ("tracker", 1)])
def test_a_sheet_is_written_and_described_as_json(tmp_path: Path, sheet: str, pages: int) -> None:
    out = tmp_path / "sheet.pdf"
    result = run(sheet, "--game", "allies", "--paper", "a4", "--out", str(out), "--json")
    assert result.exit_code == 0
    size = out.stat().st_size
    assert json.loads(result.stdout) == {
        "file": str(out), "sheet": sheet, "game": "allies", "paper": "a4", "pages": pages, "bytes": size,
    }  # fmt: skip
    assert out.read_bytes().startswith(b"%PDF-")


def test_without_json_one_sentence_says_what_was_written(tmp_path: Path) -> None:
    out = tmp_path / "mat.pdf"
    result = run("mat", "--paper", "a3", "--out", str(out))
    assert result.stdout == f"{out}: mat for allies, 1 page of A3; print at 100 %, without scaling\n"


def test_an_existing_file_is_kept_unless_force_is_given(tmp_path: Path) -> None:
    out = tmp_path / "tracker.pdf"
    out.write_text("mine")
    result = run("tracker", "--out", str(out))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"{out} exists already; choose another name or add --force to write over it\n"
    assert out.read_text() == "mine"
    assert run("tracker", "--out", str(out), "--force").exit_code == 0
    assert out.read_bytes().startswith(b"%PDF-")


def test_a_folder_as_target_is_refused(tmp_path: Path) -> None:
    result = run("mat", "--out", str(tmp_path), "--force")
    assert result.exit_code == 2
    assert result.stderr == f"{tmp_path} is a folder; name the PDF to write in it\n"


def test_a_missing_folder_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "mat.pdf"
    result = run("mat", "--out", str(out))
    assert result.exit_code == 2
    assert result.stderr == f"{out} cannot be written (no such file or directory); choose another place\n"
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_sheet_or_game_is_refused_with_the_choices() -> None:
    for words, expected in (
        (("poster",), "'poster' is not one of 'mat', 'proxies'"),
        (("mat", "--game", "go"), "there is no game 'go'; expected one of allies"),
    ):
        result = run(*words)
        assert result.exit_code == 2
        assert expected in result.stderr


def test_a_sheet_that_is_not_drawn_for_a_game_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.print.tracker.TRACKERS", {"chess": None})
    result = run("tracker", "--game", "allies", "--out", str(tmp_path / "x.pdf"))
    assert result.exit_code == 2
    assert result.stderr == "there is no tracker for allies; there is one for chess\n"
    assert list(tmp_path.iterdir()) == []
