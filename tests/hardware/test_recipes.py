"""The recipes' configurations are read, their scripts are run, their logs are compared."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.config import parse

ROOT = Path(__file__).parents[2]
RECIPES = sorted((ROOT / "docs" / "recipes").glob("*.md"))
HARDWARE = [recipe for recipe in RECIPES if "from hardware." in recipe.read_text(encoding="utf-8")]


def blocks(recipe: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", recipe.read_text(encoding="utf-8"), re.DOTALL)


def test_the_button_and_the_die_tray_have_recipes() -> None:
    assert {"seat-button", "die-tray"} <= {recipe.stem for recipe in HARDWARE}


@pytest.mark.parametrize("recipe", HARDWARE, ids=lambda recipe: recipe.stem)
def test_the_configuration_of_a_recipe_can_be_meant(recipe: Path) -> None:
    wirings = [parse(text) for text in blocks(recipe, "toml")]
    assert wirings
    assert all(wiring.seats for wiring in wirings)


@pytest.mark.parametrize("recipe", HARDWARE, ids=lambda recipe: recipe.stem)
def test_the_script_of_a_recipe_logs_what_the_recipe_says(recipe: Path) -> None:
    for script, log in zip(blocks(recipe, "python"), blocks(recipe, "text"), strict=True):
        run = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=800, check=False
        )
        assert run.stderr == ""
        assert run.stdout == log
