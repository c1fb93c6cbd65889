"""Our own small set of widgets; `controls.kv` gives them their looks."""

from __future__ import annotations

from pathlib import Path

from kivy.lang import Builder

_loaded: set[str] = set()


def load_rules(python_file: str) -> None:
    """Load the .kv file beside a module, once per process: Kivy would apply its rules twice."""
    for kv in (Path(__file__).with_name("controls.kv"), Path(python_file).with_suffix(".kv")):
        if str(kv) not in _loaded:
            _loaded.add(str(kv))
            Builder.load_file(str(kv))
