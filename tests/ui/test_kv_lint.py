from __future__ import annotations

from pathlib import Path

import pytest

import ui
from tests.ui.kv_lint import faults, made_in

KV_FILES = sorted(Path(ui.__file__).parent.rglob("*.kv"))
MADE = {name: base for path in KV_FILES for name, base in made_in(path).items()}


@pytest.mark.parametrize("path", KV_FILES, ids=lambda path: path.name)
def test_a_kv_file_names_only_classes_and_properties_that_exist(path: Path) -> None:
    import ui.root  # noqa: F401  (registers every class of ours)

    assert faults(path, MADE) == []


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("    colour: 1, 1, 1, 1", "has no property 'colour'"),
        ("    Lable:", "there is no class Lable"),
        ("    on_relase: app.back()", "has no event 'on_relase'"),
        ("    canvas:\n        Rectangel:", "there is no drawing instruction Rectangel"),
        ("    canvas:\n        Color:\n            rgab: 1, 1, 1, 1", "has no property 'rgab'"),
    ],
)
def test_a_slip_in_a_kv_file_is_found_with_its_line(line: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "slip.kv"
    path.write_text(f"<FitLabel>:\n{line}\n")
    found = faults(path)
    assert len(found) == 1
    assert says in found[0]
    assert found[0].startswith("slip.kv:")
