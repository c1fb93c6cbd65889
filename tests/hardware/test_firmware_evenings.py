"""Both firmwares' conversations through evenings of trouble, in simulated time."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware import bench_evenings
from hardware.bench_evenings import play_evenings

from .firmware_docks import avr_dock, pico_dock


@pytest.mark.parametrize("firmware", ["avr", "micropython"])
def test_in_evenings_of_trouble_a_firmware_loses_doubles_and_swaps_nothing(
    firmware: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_evenings, "Dock", avr_dock(tmp_path) if firmware == "avr" else pico_dock())
    monkeypatch.setattr(bench_evenings, "DICE", 1)
    monkeypatch.setattr(bench_evenings, "BUTTONS", 3)
    monkeypatch.setattr(bench_evenings, "LAMPS", 3 if firmware == "avr" else 4)
    counts = play_evenings(60, first_seed=100)
    assert counts["seeds_with_faults"] == [], counts["faults"]
    assert counts["resets"] > 60  # type: ignore[operator]
    assert counts["acknowledged"] > 1200  # type: ignore[operator]
