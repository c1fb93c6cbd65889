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

from companion.table.observation import MarkersSeen
from hardware.messages import Slot, Snapshot
from hardware.readings import DockReadings
from hardware.wiring import DockWiring, TableWiring

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


def slots(*levels_and_markers: tuple[int, int], stable: int = 255) -> Snapshot:
    return Snapshot(
        boot_id=1, uptime=5, slots=tuple(Slot(level, marker, stable, 0) for level, marker in levels_and_markers)
    )


HALLS = slots((128, 0), (80, 1), (131, 0))
CODED = slots((255, 0), (23, 1), (128, 4))


def readings(*markers: str) -> DockReadings:
    return DockReadings(TableWiring(dock=DockWiring("/dev/ttyACM0", markers=markers)))


def test_three_markers_on_hall_sensors_are_refused_in_words_and_their_order_is_not_believed() -> None:
    dock = readings("A", "B", "C")
    (seen,) = dock.read(HALLS, 1.0)
    assert isinstance(seen, MarkersSeen)
    assert (seen.order, seen.settled) == ((), False)
    assert (
        seen.problem
        == dock.note
        == (
            "The places of this dock are hall sensors, which tell 2 markers apart, and the wiring file names 3. "
            "Use resistor-coded markers for three and more."
        )
    )
    assert dock.read(slots((80, 1), (80, 1), (180, 2)), 9.0) == (), "full places do not make it another dock"


@pytest.mark.parametrize(
    ("markers", "snapshot"), [(("A", "B"), HALLS), (("A", "B", "C", "D"), CODED)], ids=["two halls", "coded"]
)
def test_what_the_places_can_tell_apart_is_believed(markers: tuple[str, ...], snapshot: Snapshot) -> None:
    dock = readings(*markers)
    heard = [seen for at in (1.0, 2.0, 3.0) for seen in dock.read(snapshot, at)]
    assert isinstance(heard[-1], MarkersSeen)
    assert heard[-1].settled
    assert dock.note == ""


def test_a_coded_marker_that_has_just_been_laid_is_no_hall_sensor() -> None:
    dock = readings("A", "B", "C", "D")
    dock.read(slots((128, 0), (255, 0), stable=2), 1.0)
    assert dock.note == ""
