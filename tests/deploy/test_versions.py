"""The pinned versions fit what the project asks for."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ASKED = [Requirement(each) for each in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"])]


def pinned() -> dict[str, str]:
    lines = (ROOT / "deploy" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pins}


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.name)
def test_a_requirement_is_pinned_to_a_version_that_it_allows(asked: Requirement) -> None:
    assert asked.specifier.contains(pinned()[canonicalize_name(asked.name)])


def test_what_the_requirements_bring_with_them_is_pinned_too() -> None:
    """Walks the packages installed here from what is asked for; an unpinned one could change under us."""
    needs = {canonicalize_name(each.metadata["Name"]): each.requires or [] for each in distributions()}
    waiting, seen = [canonicalize_name(each.name) for each in ASKED], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in needs:
            continue
        seen.add(name)
        for requirement in map(Requirement, needs[name]):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(canonicalize_name(requirement.name))
    assert {"kivy", "requests", "certifi"} <= seen
    assert seen - set(pinned()) == set()


def test_the_licence_of_the_peer_stays_outside() -> None:
    assert [each for each in ASKED if each.name == "chess"] == []
    importing = [
        str(path.relative_to(ROOT))
        for room in ("companion", "vision", "hardware", "ui")
        for path in sorted((ROOT / room).rglob("*.py"))
        if re.search(r"^(import|from) chess\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert importing == []
