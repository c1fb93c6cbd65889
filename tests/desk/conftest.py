"""Desks in a folder of their own, closed at the end of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.desk import TableDesk
from tests.desk.parts import Screen, TestRoom


@pytest.fixture
def room(tmp_path: Path) -> TestRoom:
    return TestRoom(tmp_path / "home")


@pytest.fixture
def sit() -> Iterator[Callable[[TestRoom], Screen]]:
    """Open a desk in a room: `sit(room)`."""
    opened: list[Screen] = []

    def open_desk(at: TestRoom) -> Screen:
        opened.append(Screen(TableDesk(at)))
        return opened[-1]

    yield open_desk
    for screen in opened:
        screen.close()


@pytest.fixture
def screen(room: TestRoom, sit: Callable[[TestRoom], Screen]) -> Screen:
    return sit(room)
