"""The page on the architecture: its names are in its files, and its way is the way that a card really takes."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from companion.bootstrap import new_header, resume
from companion.games import load_game
from companion.journal.file import Journal
from companion.presenters.live import present
from companion.sets.owner import proxy_set
from companion.simulated.playing import Playing
from companion.simulated.table import ProxyFaces, SimulatedTable
from vision.deck import Deck
from vision.table_reader import TableReader

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WAY = re.findall(r"^\| \d+ \| `([\w/.]+)` \| `([\w.]+)` \|", PAGE, re.MULTILINE)
NAMED = sorted({*WAY, *((file, name) for name, file in re.findall(r"`([\w.]+)` in `([\w/]+\.py)`", PAGE))})
THREADS = {"Source.latest", "CameraWitness", "Table", "Bridge", "LiveSheet"}
"""Where a thread or a window hands over: an evening that is followed in one thread goes past these."""
ENOUGH = 400
"""Beats after which the first card must have been laid."""


def defined(file: str) -> set[str]:
    """Return the classes, functions and methods (`Class.method`) of a file."""
    names: set[str] = set()
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return names


@pytest.mark.parametrize(("file", "name"), NAMED, ids=lambda each: str(each))
def test_what_the_page_names_is_where_it_says(file: str, name: str) -> None:
    assert name in defined(file)


def test_every_room_of_the_page_is_there_and_every_room_is_on_the_page() -> None:
    rooms = {
        room for row in re.findall(r"^\| (`[^|]+) \|", PAGE, re.MULTILINE) for room in re.findall(r"`([^`]+)`", row)
    }
    packages = {f"companion/{each.parent.name}" for each in (ROOT / "companion").glob("*/__init__.py")}
    assert rooms - {"companion/bootstrap.py"} == packages | {"vision", "hardware", "ui"}


class Footprints:
    """Notes which functions of ours are called, in the order of their first call since `forget`."""

    def __init__(self) -> None:
        self.calls: dict[tuple[str, str], None] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(f"{ROOT}/"):
            self.calls.setdefault((file.removeprefix(f"{ROOT}/"), frame.f_code.co_qualname))

    def forget(self) -> None:
        self.calls.clear()


def first_card(seed: int) -> list[str]:
    """Return the cards that lie on the simulated table when the first one has been laid into a row."""
    table = SimulatedTable(seed)
    for _ in zip(range(ENOUGH), table.beats(), strict=False):
        slots = table._world.slots
        if any(laid for slot, laid in slots.items() if slot[0] in "AB"):
            return [laid.card for laid in slots.values() if laid is not None]
    raise AssertionError(f"no card was laid in {ENOUGH} beats")


@pytest.fixture(scope="module")
def footprints(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[set[tuple[str, str]], list[tuple[str, str]]]]:
    """What was called for the first card: everything since the act before, and in order in the last beat."""
    seed, cards = 1, proxy_set("allies")
    table, faces = SimulatedTable(seed), ProxyFaces(cards, 400)
    path = tmp_path_factory.mktemp("evening") / "first.journal"
    header = new_header(load_game("allies"), table.evening.names, cards, table.evening.edition)
    prints, everything = Footprints(), set[tuple[str, str]]()
    with Journal.create(path, header) as journal:
        session = resume(journal, cards)
        known = {key: faces[key] for key in first_card(seed)}
        with Playing(session, [TableReader(table.evening.mat, Deck.from_faces(known))]) as playing:
            for _, beat in zip(range(ENOUGH), table.beats(), strict=False):
                before = len(session.done)
                prints.forget()
                sys.setprofile(prints)
                playing.take(beat)
                present(session, "first")
                sys.setprofile(None)
                everything |= prints.calls.keys()
                if len(session.done) > before:
                    if session.done[-1].answer.to == "play":
                        yield everything, list(prints.calls)
                        return
                    everything.clear()
    raise AssertionError(f"no card was seen in {ENOUGH} beats")


def test_the_first_card_of_an_evening_takes_the_way_of_the_page(footprints: Any) -> None:
    everything, _ = footprints
    assert len(WAY) > 20
    assert [step for step in WAY if step[1] not in THREADS and step not in everything] == []


def test_the_page_tells_the_steps_in_the_order_in_which_they_are_taken(footprints: Any) -> None:
    _, last = footprints
    taken = [step for step in WAY if step in last]
    assert len(taken) > 15
    assert taken == sorted(taken, key=last.index)
