"""Whole evenings: from a seed, recorded, and played again. A small camera keeps them quick."""

import hashlib
import itertools
import json
from collections import Counter

import msgspec
import numpy as np
import pytest

from companion.sets.owner import proxy_set
from companion.simulated.beats import Edge, Frame, SerialBytes, in_order
from companion.simulated.rig import Rig
from companion.simulated.table import ProxyFaces, RecordingError, SimulatedTable, play, read_evening, record
from hardware.link import Link
from hardware.messages import Event

SMALL = Rig(width=320, height_px=180, focal=246.25, canvas_pixels_per_mm=0.7)


def digest_of(beats):
    return [hashlib.sha256(msgspec.msgpack.encode(beat)).digest() for beat in beats]


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """One recorded game: its folder, the beats from the seed, the truth."""
    table = SimulatedTable(3, rig=SMALL)
    beats = list(table.beats())
    folder = tmp_path_factory.mktemp("evening") / "game"
    times = []
    record(folder, SimulatedTable(3, rig=SMALL), times.append)
    assert times == [beat.at for beat in beats if isinstance(beat, Frame)]
    return folder, beats, table.truth()


def test_a_recording_plays_the_very_beats_that_the_seed_gives(evening):
    folder, beats, _ = evening
    assert digest_of(play(folder)) == digest_of(beats)


def test_playing_needs_no_truth(evening, tmp_path):
    folder, beats, _ = evening
    copy = tmp_path / "copy"
    copy.mkdir()
    for part in folder.iterdir():
        if part.name != "truth.json":
            (copy / part.name).symlink_to(part)
    assert len(list(play(copy))) == len(beats)
    assert read_evening(copy) == read_evening(folder)


def test_the_truth_has_its_three_keys_and_adds_up(evening):
    folder, _, truth = evening
    written = json.loads((folder / "truth.json").read_text())
    assert set(written) == {"score", "won", "regions"}
    assert written == msgspec.to_builtins(truth)
    for seat in "AB":
        assert len(written["won"][seat]) == 4
        won = Counter(kind for pile in written["won"][seat] for kind in pile)
        castles = {column for column, standing in written["regions"].items() if standing == seat}
        regions = 2 * (won.total() - won["castle"]) - won["castle"]
        assert regions <= written["score"][seat] <= regions + len(castles)


def test_what_is_known_beforehand_names_no_card_and_no_seed(evening):
    folder, _, _ = evening
    text = (folder / "world.json").read_text()
    assert set(json.loads(text)) == {"format", "game", "edition", "names", "card_set", "mat", "rig", "ranges"}
    cards = proxy_set("allies")
    assert not [key for key in cards.keys if key in text]
    assert not [tribe for tribe in ("cyclops", "yeti", "gnome", "wizard", "golem", "troll") if tribe in text]
    others = [(folder / name).read_bytes() for name in ("pins.jsonl", "frames.jsonl", "serial.jsonl", "serial.bin")]
    assert not [key for key in cards.keys for content in others if key.encode() in content]


def test_beats_come_in_the_order_of_time(evening):
    _, beats, _ = evening
    assert [in_order(beat) for beat in beats] == sorted(in_order(beat) for beat in beats)
    frames = [beat for beat in beats if isinstance(beat, Frame)]
    steps = np.diff([frame.at for frame in frames])
    assert np.allclose(steps, 1 / SMALL.frames_per_second)
    assert frames[0].picture().shape == (180, 320, 3)


def test_the_table_rests_for_three_pictures_or_more_after_every_turn(evening):
    _, beats, _ = evening
    pictures = [beat.picture().astype(np.int16) for beat in beats if isinstance(beat, Frame)]
    moves = [np.abs(one - other).max(axis=2) > 60 for one, other in itertools.pairwise(pictures)]
    still = [np.count_nonzero(move) < 20 for move in moves]
    rests = [sum(1 for _ in run) for resting, run in itertools.groupby(still) if resting]
    assert sum(length >= 3 for length in rests) >= 40 + 4 + 3 + 4


def test_the_starting_player_presses_done_once_a_round_through_bouncing_contacts(evening):
    _, beats, _ = evening
    edges = [beat for beat in beats if isinstance(beat, Edge) and beat.button == "done"]
    levels = {seat: [edge.level for edge in edges if edge.seat == seat] for seat in (0, 1)}
    for seat in (0, 1):
        assert levels[seat][0] == 0
        assert levels[seat][-1] == 1
        assert all(one != other for one, other in zip(levels[seat], levels[seat][1:], strict=False))
    long_ago, presses = {}, []
    for edge in edges:
        if edge.at - long_ago.get(edge.seat, -1.0) > 0.05 and edge.level == 0:
            presses.append(edge.seat)
        long_ago[edge.seat] = edge.at
    assert len(presses) == 4
    assert presses[:2] == presses[2:]
    assert presses[0] != presses[1]


def test_the_dice_that_choose_the_starter_arrive_over_the_serial_line(evening):
    _, beats, _ = evening
    link = Link(first_session=1)
    link.opened(0.0)
    rolls = []
    for beat in beats:
        if isinstance(beat, SerialBytes):
            rolls += [r.what.faces for r in link.receive(beat.bytes, beat.at) if isinstance(r, Event)]
            link.outgoing(beat.at)
    assert link.state == "ready"
    assert not any(link.counts[fault] for fault in ("checksum", "stuffing", "length", "stale"))
    assert all(isinstance(faces, tuple) and len(faces) == 2 for faces in rolls)
    assert all(low == high for low, high in rolls[:-1])
    starter = int(rolls[-1][1] > rolls[-1][0])
    first_done = next(beat for beat in beats if isinstance(beat, Edge) and beat.button == "done")
    assert first_done.seat == starter


def test_exchanged_faces_change_the_pictures_and_nothing_else(evening):
    cards = proxy_set("allies")
    size = round(2 * 63.0 * SMALL.canvas_pixels_per_mm)
    exchanged = ProxyFaces(cards, size, {"castle-1": "region-yeti-1", "region-yeti-1": "castle-1"})
    table = SimulatedTable(3, faces=exchanged, rig=SMALL)
    other, plain = list(table.beats()), evening[1]
    assert [b for b in other if not isinstance(b, Frame)] == [b for b in plain if not isinstance(b, Frame)]
    assert [b.at for b in other if isinstance(b, Frame)] == [b.at for b in plain if isinstance(b, Frame)]
    assert digest_of(other) != digest_of(plain)


def test_a_folder_in_use_is_refused_and_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RecordingError, match="not empty"):
        record(tmp_path, SimulatedTable(1, rig=SMALL))
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_without_a_recording_is_named(tmp_path):
    with pytest.raises(RecordingError, match=r"world\.json cannot be read"):
        list(play(tmp_path))


@pytest.mark.parametrize(
    ("name", "damage", "says"),
    [
        ("pins.jsonl", b'{"type":"edge","at":1}\n', "pins.jsonl, line 1"),
        ("serial.bin", b"\0", "serial.bin ends after 1 bytes"),
        ("world.json", b'{"format": 1}', "not the start of a recording"),
        ("frames.jsonl", b'{"at":0,"file":"../../x.jpg"}\n', "frames/x.jpg cannot be read"),
    ],
)
def test_a_damaged_recording_says_which_file(evening, tmp_path, name, damage, says):
    folder, _, _ = evening
    for part in folder.iterdir():
        (tmp_path / part.name).symlink_to(part)
    (tmp_path / name).unlink()
    (tmp_path / name).write_bytes(damage)
    with pytest.raises(RecordingError, match=says):
        list(play(tmp_path))
