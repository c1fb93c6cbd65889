"""The pages on adding something are carried out: every command and script in them, in order, in a copy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.table.observation import Press
from companion.table.ports import Witness

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PACKAGES = ("companion", "tests/conformance", "tests/games")
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
PAGE = (DOCS / "adding-a-witness.md").read_text(encoding="utf-8")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "proxies.cache")


def written_witness() -> Any:
    """Return the class that the page writes."""
    names: dict[str, Any] = {}
    exec(BLOCK.findall(PAGE)[0][1], names)  # noqa: S102  our own page
    return names["FileWitness"]


WITNESS = written_witness()


def copy_of_the_repository(folder: Path) -> Path:
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "tests/__init__.py", "tests/conftest.py"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def carry_out(language: str, script: str, where: Path) -> str:
    """Run a block as a reader would; the copy's own packages come before those that are installed."""
    command = ["bash", "-eu", "-c", script] if language == "sh" else [sys.executable, "-c", script]
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    # Files are edited within a second of being run: a byte-code cache would take the old one for the new one.
    settings = {"PYTHONPATH": str(where), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "160"}
    environment = os.environ | {"PATH": path} | settings
    run = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, timeout=800, check=False)
    assert run.returncode == 0, f"{script}\n{run.stdout}\n{run.stderr}"
    return run.stdout


def test_a_game_is_added_by_following_the_page(tmp_path: Path) -> None:
    copy = copy_of_the_repository(tmp_path)
    page = (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\d+) ", page, re.MULTILINE) == [str(number) for number in range(1, 12)]
    blocks = BLOCK.findall(page)
    assert len(blocks) >= 13
    for language, script, expected in blocks:
        said = carry_out(language, script, copy)
        if expected:
            assert said == expected, script


def test_a_witness_is_added_by_following_the_page() -> None:
    (_, witness, _), (_, trial, expected) = BLOCK.findall(PAGE)
    assert carry_out("python", witness + trial, ROOT) == expected
    assert len(witness.splitlines()) < 60


@given(st.one_of(st.text(), st.from_regex(r"(dice|press) \S{0,3} (done|undo|\S*)")))
def test_the_witness_of_the_page_reads_any_line_or_says_what_is_wrong(line: str) -> None:
    witness = WITNESS(Path("notes.txt"))
    seen = witness._parse(line)
    assert witness.health().state == ("unsure" if seen is None else "ok")
    assert bool(witness.health().says) == (seen is None)
    assert isinstance(witness, Witness)
    if isinstance(seen, Press):
        assert seen.seat is not None
        assert seen.seat >= 0
