"""The kernel's types from outside: a small game checks under mypy strict, and mistakes in it do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
SOURCE = (Path(__file__).parent / "api.py").read_text(encoding="utf-8")


def check(source: str, folder: Path) -> tuple[str, int]:
    (folder / "authored.py").write_text(source, encoding="utf-8")
    options = ("--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache"))
    said, problems, code = api.run([*options, str(folder / "authored.py")])
    assert problems == ""
    return said, code


def test_a_game_as_its_author_writes_it_has_no_type_errors(tmp_path: Path) -> None:
    said, code = check(SOURCE, tmp_path)
    assert code == 0, said


@pytest.mark.parametrize(
    ("right", "wrong", "named"),
    [
        ("return after.cites\n", "return after.told\n", "no attribute"),
        ('cite("EX-5")) for stake', '"EX-5") for stake', "incompatible type"),
        ("return Stakes(stakes, self.seat)", "return stakes", "Incompatible return value"),
        ('"count", self.seat, Numbers', '"guess", self.seat, Numbers', "incompatible type"),
    ],
)
def test_a_slip_of_the_author_is_a_type_error(tmp_path: Path, right: str, wrong: str, named: str) -> None:
    assert right in SOURCE
    said, code = check(SOURCE.replace(right, wrong), tmp_path)
    assert code == 1
    assert named in said
