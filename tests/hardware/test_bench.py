from __future__ import annotations

import pytest

from hardware import bench


def test_no_damaged_frame_is_believed() -> None:
    count = bench.corruption(3000)
    assert count["wrong"] == 0
    assert 1500 < count["damaged"] < 2100
    assert count["accepted"] > 800
    assert count["errors"] > 1000


def test_the_run_would_notice_a_decoder_without_a_checksum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.protocol.zlib.crc32", lambda body: 0)
    assert bench.corruption(3000)["wrong"] > 0


def test_the_same_seed_damages_the_same_frames() -> None:
    assert bench.corruption(500, seed=4) == bench.corruption(500, seed=4)
    assert bench.corruption(500, seed=4) != bench.corruption(500, seed=5)


def test_latencies_are_measured_on_mock_pins_and_on_a_terminal() -> None:
    assert len(bench.pin_latency(3)) == 3
    assert min(bench.pin_latency(3)) >= 1.4  # the contact has to be closed for 1.5 ms
    assert min(bench.dock_latency(3)) > 0
    assert bench.decoding(500) > 0
