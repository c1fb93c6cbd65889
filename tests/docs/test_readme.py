"""The README is for strangers: its example runs, its links lead somewhere, its commands exist."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from companion.cli import find_commands

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#]+)[^)]*\)")
EXAMPLE = re.compile(r"^```python\n(>>> .*?)^```", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`companion ([a-z]+)")


def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_in_the_readme_says_what_the_engine_says() -> None:
    examples = EXAMPLE.findall(readme())
    parsed = doctest.DocTestParser().get_doctest("\n".join(examples), {}, "README.md", "README.md", 0)
    assert len(parsed.examples) > 10
    said: list[str] = []
    failed = doctest.DocTestRunner().run(parsed, out=said.append).failed
    assert failed == 0, "".join(said)


def test_every_command_is_in_the_table_of_the_readme() -> None:
    listed = {name for line in readme().splitlines() if line.startswith("| `companion") for name in NAMED.findall(line)}
    assert {found.name for found in find_commands()} == listed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_names_only_commands_that_exist(page: Path) -> None:
    unknown = set(NAMED.findall(page.read_text(encoding="utf-8"))) - {found.name for found in find_commands()}
    assert unknown == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    targets = [target for target in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_commands_for_a_fresh_machine_exist() -> None:
    block = re.search(r"^```sh\n(.*?)^```", readme(), re.MULTILINE | re.DOTALL)
    assert block is not None
    assert block[1].split() == ["deploy/run", "deploy/test"]
    assert all((ROOT / name).is_file() for name in block[1].split())
