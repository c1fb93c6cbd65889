from __future__ import annotations

import pytest

from companion.bench import edges
from hardware import bench, bench_ports
from hardware.bench_evenings import Evening, play_evenings
from hardware.dock import Dock
from hardware.link import Link
from hardware.messages import Event, Lamps


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
    assert len(bench_ports.pin_latency(3)) == 3
    assert min(bench_ports.pin_latency(3)) >= 1.4  # the contact has to be closed for 1.5 ms
    assert min(bench_ports.dock_latency(3)) > 0
    assert bench.decoding(500) > 0


def faults(evenings: int = 60) -> set[str]:
    found = play_evenings(evenings)["faults"]
    assert isinstance(found, dict)
    return {name for name, count in found.items() if count}


def test_in_sixty_evenings_of_trouble_nothing_is_lost_doubled_swapped_or_left_unlit() -> None:
    counts = play_evenings(60)
    assert counts["seeds_with_faults"] == []
    for trouble in ("unplugged", "resets", "crashes", "hiccups", "forgotten_with_the_dock"):
        assert counts[trouble] > 50  # type: ignore[operator]


def test_the_same_seed_is_the_same_evening() -> None:
    assert play_evenings(3, 5) == play_evenings(3, 5)
    assert play_evenings(3, 5) != play_evenings(3, 6)


def test_the_evenings_would_notice_a_link_that_acknowledges_what_is_not_written_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Link, "_settled", lambda link, boot: link._taken[boot])
    assert "lost_after_acknowledgement" in faults()


def test_the_evenings_would_notice_a_link_that_takes_repeated_events(monkeypatch: pytest.MonkeyPatch) -> None:
    def take_all(link: Link, event: Event, reports: list[object]) -> None:
        link._taken[event.boot_id] = max(link._taken[event.boot_id], event.number)
        reports.append(event)
        link._acknowledge = event.number

    monkeypatch.setattr(Link, "_take", take_all)
    assert {"twice", "out_of_order"} <= faults()


def test_the_evenings_would_notice_a_dock_that_obeys_late_lamp_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    def obey(dock: Dock, targets: Lamps) -> None:
        dock._generation = targets.generation
        dock.lamps = targets.modes

    monkeypatch.setattr(Dock, "_obey", obey)
    monkeypatch.setattr("hardware.link.LAMPS_AGAIN", 60.0)
    monkeypatch.setattr(Evening, "_crash", lambda evening: None)
    assert "wrong_lamps" in faults(150)


def test_the_evenings_would_notice_a_wire_without_a_checksum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.protocol.zlib.crc32", lambda body: 0)
    assert faults() - {"still_held"}


def test_edges_are_followed_down_to_the_disk() -> None:
    figures = edges.measure(3)
    assert figures["pin_to_journal_ms"]["median"] >= 1.4
    assert figures["dock_to_journal_ms"]["median"] > 0
