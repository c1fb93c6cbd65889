"""The wiring pages: drawings that are fresh and well-formed, files that can be meant, pins that agree."""

from __future__ import annotations

import re
import runpy
import xml.etree.ElementTree as Xml
from pathlib import Path
from typing import Any

import pytest

from companion.desk.wiring_plan import LAMP_PINS
from hardware.config import parse

FOLDER = Path(__file__).parents[2] / "docs" / "wiring"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
DRAWINGS = ("buttons", "dock", "everything")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(FOLDER / "draw.py"))


def section(title: str) -> str:
    return re.split(r"^## ", PAGE, flags=re.MULTILINE)[[*re.findall(r"^## (.*)$", PAGE, re.MULTILINE)].index(title) + 1]


def files(text: str) -> list[str]:
    return re.findall(r"```toml\n(.*?)```", text, re.DOTALL)


def texts(name: str) -> list[str]:
    return [element.text or "" for element in Xml.parse(FOLDER / f"{name}.svg").iter(f"{SVG}text")]  # noqa: S314  ours


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_what_its_script_draws_and_the_page_shows_it(
    script: dict[str, Any], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = script[f"draw_{name}"]
    monkeypatch.setitem(draw.__globals__, "FOLDER", tmp_path)
    draw()
    assert (tmp_path / f"{name}.svg").read_text(encoding="utf-8") == (FOLDER / f"{name}.svg").read_text(
        encoding="utf-8"
    )
    assert f"]({name}.svg)" in PAGE


@pytest.mark.parametrize("name", DRAWINGS)
def test_no_text_leaves_its_drawing(name: str) -> None:
    root = Xml.parse(FOLDER / f"{name}.svg").getroot()  # noqa: S314  ours
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for text in root.iter(f"{SVG}text"):
        long = 0.62 * float(text.attrib["font-size"]) * len(text.text or "")
        start = float(text.attrib["x"]) - long * {"start": 0, "middle": 0.5, "end": 1}[text.attrib["text-anchor"]]
        assert start >= 0, text.text
        assert start + long <= width, text.text
        assert float(text.attrib["y"]) <= height, text.text


def test_every_file_of_the_page_can_be_meant() -> None:
    found = files(PAGE)
    assert len(found) == 4
    for text in found:
        parse(text)


@pytest.mark.parametrize(("title", "name"), [("1. Buttons only", "buttons"), ("3. Everything", "everything")])
def test_the_drawing_and_the_file_name_the_same_pins(title: str, name: str) -> None:
    (file,) = files(section(title))
    drawn = {int(pin) for text in texts(name) for pin in re.findall(r"\(GPIO(\d+)\)", text)}
    assert parse(file).pins_in_use == drawn


def test_the_wizard_looks_for_lamps_where_they_are_drawn(script: dict[str, Any]) -> None:
    assert {lamp for _, lamp in script["SEATS"]} <= set(LAMP_PINS)


def test_the_header_is_that_of_a_raspberry_pi(script: dict[str, Any]) -> None:
    header = script["HEADER"]
    assert len(header) == 40
    places = {11: "GPIO17", 12: "GPIO18", 13: "GPIO27", 29: "GPIO5", 36: "GPIO16", 38: "GPIO20", 40: "GPIO21"}
    assert all(header[pin - 1] == name for pin, name in places.items())
    assert [pin for pin, name in enumerate(header, start=1) if name == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]
    assert {name for name in header if name.startswith("GPIO")} == {f"GPIO{pin}" for pin in range(2, 28)}
