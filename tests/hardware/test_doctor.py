from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import doctor
from hardware.config import parse
from hardware.dock import Dock
from hardware.virtual import VirtualDock
from hardware.wiring import TableWiring

NAMES = ["python", "screen", "camera", "wiring", "pins", "ports", "disk", "clock", "memory"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(doctor.command, list(arguments))


def test_every_check_is_one_line() -> None:
    lines = run().stdout.splitlines()
    assert [line.split()[1] for line in lines] == NAMES
    assert all(line.split()[0] in ("ok", "note", "fault") for line in lines)


def test_the_findings_are_had_as_json_and_agree_with_the_exit_code() -> None:
    result = run("--json")
    report = json.loads(result.stdout)
    assert [finding["name"] for finding in report["findings"]] == NAMES
    assert report["ok"] is (result.exit_code == 0)


def test_a_wired_dock_that_is_not_there_is_a_fault_and_exit_code_one(home: Path) -> None:
    home.mkdir()
    (home / "table.toml").write_text(f'[dock]\nport = "{home}/tty"', encoding="utf-8")
    result = run()
    assert result.exit_code == 1
    assert f"fault    ports    There is no {home}/tty; plug in the dock" in result.stdout


def test_a_wired_dock_is_really_greeted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine may take longer than people would wait for it.
    monkeypatch.setattr(doctor, "DOCK_WITHIN", 100.0)
    monkeypatch.setattr("hardware.link.SILENT_AFTER", 100.0)
    device = tmp_path / "tty"
    dock = VirtualDock(Dock("D", boot_id=1, dice=1, now=time.monotonic()), device)
    dock.plug()
    try:
        finding = doctor.check_ports(parse(f'[dock]\nport = "{device}"'))
    finally:
        dock.unplug()
    assert finding == doctor.Finding("ports", "ok", f"the dock answers at {device}")


def test_a_wiring_file_that_cannot_be_meant_is_bad_input_when_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[[seat]]\ndome = "gpio:4"', encoding="utf-8")
    result = run("--wiring", str(file))
    assert result.exit_code == 2
    assert result.stderr == f'{file}:2: unknown key "dome" in [seat]; did you mean "done"?\n'
    assert result.stdout == ""


def test_the_own_wiring_file_that_cannot_be_meant_is_a_fault(home: Path) -> None:
    home.mkdir()
    (home / "table.toml").write_text("[[chair]]", encoding="utf-8")
    result = run()
    assert result.exit_code == 1
    assert f'fault    wiring   {home}/table.toml:1: unknown key "chair"' in result.stdout


def test_buttons_on_pins_need_a_raspberry_pi_or_mock_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("hardware.boards._MODEL", tmp_path / "model")
    wired = '[[seat]]\ndone = "gpio:4"'
    assert doctor.check_pins(parse(wired)).state == "fault"
    assert doctor.check_pins(parse('pins = "mock"\n' + wired)).state == "ok"
    assert doctor.check_pins(TableWiring()).state == "ok"


def test_a_screen_is_a_connected_connector_or_a_display(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("ctypes.util.find_library", lambda name: f"lib{name}.so")
    assert doctor.check_screen(tmp_path).state == "note"
    for name, status in (("card0-HDMI-A-1", "disconnected\n"), ("card1-DSI-1", "connected\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(status, encoding="utf-8")
    assert doctor.check_screen(tmp_path) == doctor.Finding("screen", "ok", "card1-DSI-1")
    monkeypatch.setenv("DISPLAY", ":0")
    assert doctor.check_screen(tmp_path / "none") == doctor.Finding("screen", "ok", "DISPLAY=:0")


def test_missing_graphics_libraries_are_one_apt_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None if name in ("GL", "mtdev") else "here")
    finding = doctor.check_screen(tmp_path)
    assert (finding.state, finding.says) == (
        "fault",
        "the graphics libraries are incomplete; apt install libgl1 libmtdev1",
    )


def test_cameras_are_listed_by_name(tmp_path: Path) -> None:
    assert doctor.check_camera(tmp_path, tmp_path).state == "note"
    (tmp_path / "video0").touch()
    (tmp_path / "sys" / "video0").mkdir(parents=True)
    (tmp_path / "sys" / "video0" / "name").write_text("Table Cam\n", encoding="utf-8")
    finding = doctor.check_camera(tmp_path, tmp_path / "sys")
    assert finding == doctor.Finding("camera", "ok", f"{tmp_path}/video0 (Table Cam)")


def test_a_camera_that_may_not_be_opened_names_the_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)
    finding = doctor.check_camera(tmp_path, tmp_path)
    assert finding.state == "fault"
    assert "usermod -aG video" in finding.says


def test_a_folder_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.touch()
    finding = doctor.check_disk(place)
    assert finding.state == "fault"
    assert f"{place} cannot be written" in finding.says


def test_looking_leaves_nothing_behind(home: Path) -> None:
    assert doctor.check_disk(home).state in ("ok", "note")
    assert not home.exists()


@pytest.mark.parametrize(("megabytes", "state"), [(2000, "ok"), (300, "note"), (100, "fault")])
def test_memory_is_judged(tmp_path: Path, megabytes: int, state: str) -> None:
    file = tmp_path / "meminfo"
    file.write_text(f"MemTotal: 1 kB\nMemAvailable: {megabytes * 1024} kB\n", encoding="utf-8")
    finding = doctor.check_memory(file)
    assert (finding.state, f"{megabytes} MB available" in finding.says) == (state, True)


def test_a_clock_before_the_release_is_noted() -> None:
    assert doctor.check_clock(lambda: 0.0).state == "note"
    assert doctor.check_clock(lambda: 1.9e9).state == "ok"
