"""What can be configured is documented, and the words of the glossary are links that hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.journal.shelf import HOME_VARIABLE
from hardware import config

ROOT = Path(__file__).parents[2]
KEYS = sorted({key for keys in config._KEYS.values() for key in keys})
DECISION = re.compile(r"(\d{4})-[a-z0-9-]+\.md")
PARTS = ("## Question", "## Decision", "## Alternatives", "## What would change our mind")


def documentation() -> str:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_the_table_file_is_documented(key: str) -> None:
    assert re.search(rf"`{key}`|`{key} = |^\[+{key}\]+$|^{key} = ", documentation(), re.MULTILINE)


def test_the_variable_that_moves_the_companions_folder_is_documented() -> None:
    assert f"`{HOME_VARIABLE}`" in documentation()


def test_decision_records_are_numbered_without_gaps() -> None:
    numbers = [DECISION.fullmatch(page.name) for page in sorted((ROOT / "docs" / "adr").iterdir())]
    assert [match and int(match[1]) for match in numbers] == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "adr").glob("*.md")), ids=lambda page: page.stem)
def test_a_decision_record_has_its_number_alternatives_and_what_would_change_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {page.name[:4]} ")
    assert [part for part in PARTS if part not in text] == []


def test_a_word_of_the_glossary_is_explained_once() -> None:
    rows = re.findall(r"^\| ([^|]+?) \| ", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    words = [word for row in rows for word in row.split(", ")]
    assert len(words) > 40
    assert sorted(words) == sorted(set(words))
