"""Slots with linear hall sensors: two markers told apart by the pole of their magnet, in both firmwares alike."""

from __future__ import annotations

import ctypes
import importlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .firmware import FIRMWARE

Reading = Callable[[int, int], int]
"""From a level and the marker that lay there before to the marker that lies there."""


@pytest.fixture(params=["avr", "micropython"])
def marker_at(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reading:
    if request.param == "micropython":
        monkeypatch.syspath_prepend(str(FIRMWARE / "micropython"))
        inputs = importlib.import_module("inputs")
        for name in ("inputs", "dock", "wire", "config"):
            sys.modules.pop(name, None)
        monkeypatch.setattr(inputs.config, "HALL", True)
        reading: Reading = inputs.marker_at
        return reading
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("the AVR firmware's hall slots need a C compiler for this computer: apt-get install gcc")
    shim, library = Path(__file__).with_name("hall_shim.c"), tmp_path / "hall.so"
    include = f"-I{FIRMWARE / 'avr'}"
    subprocess.run([compiler, "-std=gnu11", "-shared", "-fPIC", include, "-o", library, shim], check=True)
    marker: Reading = ctypes.CDLL(str(library)).shim_marker
    return marker


@pytest.mark.parametrize(("level", "marker"), [(0, 1), (80, 1), (120, 0), (128, 0), (140, 0), (170, 2), (255, 2)])
def test_one_pole_is_marker_1_and_the_other_one_marker_2(marker_at: Reading, level: int, marker: int) -> None:
    assert [marker_at(level, before) for before in (0, 1, 2)] == [marker] * 3


@pytest.mark.parametrize(("level", "marker"), [(98, 1), (158, 2)])
def test_a_weak_magnet_keeps_what_it_said_and_is_never_taken_for_the_other_one(
    marker_at: Reading, level: int, marker: int
) -> None:
    assert [marker_at(level, before) for before in (0, marker, 3 - marker)] == [0, marker, 0]
