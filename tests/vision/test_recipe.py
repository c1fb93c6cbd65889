"""The camera's recipe is carried out, and its table of troubles quotes what the code says."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "docs" / "recipes" / "camera.md").read_text(encoding="utf-8")


def test_the_script_of_the_camera_recipe_prints_what_the_recipe_says():
    script, printed = (re.findall(rf"```{kind}\n(.*?)```", RECIPE, re.DOTALL) for kind in ("python", "text"))
    run = subprocess.run(
        [sys.executable, "-c", script[0]], cwd=ROOT, capture_output=True, text=True, timeout=800, check=False
    )
    assert run.stderr == ""
    assert run.stdout == printed[0]


def test_every_sentence_in_the_table_of_troubles_is_one_that_the_code_says():
    sources = "".join(
        re.sub(r'"\s*\n\s*f?"', "", file.read_text(encoding="utf-8")) for file in (ROOT / "vision").rglob("*.py")
    )
    code = re.sub(r"\{[^{}]*\}", "*", sources)
    said = re.findall(r"^\| `(.*?)`", RECIPE.split("## When it does not work")[1], re.MULTILINE)
    assert len(said) > 8
    for sentence in said:
        words = re.sub(r"/dev/video0|\d+|\bA1\b|\.\.\. ?", "*", sentence)
        parts = [part.strip() for part in words.split("*") if part.strip()]
        assert all(part in code for part in parts), sentence
