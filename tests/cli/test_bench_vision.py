"""`companion bench vision`: its parts can be had alone, and it says that it lives."""

import json
import time

import pytest
from click.testing import CliRunner

from companion.bench import vision
from companion.cli import bench
from companion.cli.bench import command


def test_a_part_is_measured_alone_and_the_table_says_what_was_not_run() -> None:
    result = CliRunner().invoke(command, ["vision", "--only", "slots,memory", "--quick", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["vision"]
    lines = {line["quantity"]: line for line in found["table"]}
    growth = lines["look-up growth: time for a card, by faces"]
    assert growth["met"] is vision._is_sub_linear(growth["reached"])  # which it is, is for the bench to say
    assert lines["memory for a deck of 600 faces"]["reached"] == "not run"
    assert lines["slot known to 15 %: the same"]["reached"].startswith("not run: name the folder")
    assert "evenings: slow" in found["left out"]
    assert "photos: not asked for" in found["left out"]
    assert found["seconds, of them of processor time"]["memory"][1] > 0
    assert "memory; " in result.stderr
    assert "s so far" in result.stderr


@pytest.mark.parametrize(("last", "is_sub_linear"), [(2.9, True), (3.0, False)])
def test_time_grows_more_slowly_than_the_faces_if_three_times_as_many_take_less_than_three_times_as_long(
    last: float, is_sub_linear: bool
) -> None:
    assert vision._is_sub_linear({"50 faces": 1.0, "150 faces": last}) is is_sub_linear


def test_a_part_that_there_is_not_is_refused() -> None:
    result = CliRunner().invoke(command, ["vision", "--only", "slots,coins"])
    assert result.exit_code == 2
    assert "--only: vision has no part 'coins'; choose some of slots,photos," in result.stderr


def test_progress_is_said_at_most_every_few_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    told = bench._Progress()
    for number in range(30):
        now = 1.0 * number
        told("whole photographs", number, 30)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "  whole photographs, 0 of 30; 0 s so far"
    assert len(lines) == 6


def test_quick_leaves_out_what_is_slow_unless_that_alone_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(vision._Run, "part", lambda self, name: asked.append(name) or {})
    monkeypatch.setattr(vision, "table", lambda parts: [])
    vision.measure(quick=True)
    assert asked == [part for part in vision.PARTS if part not in vision.SLOW]
    asked.clear()
    vision.measure(quick=True, only=("rendered",))
    assert asked == ["rendered"]
