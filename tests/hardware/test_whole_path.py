"""From the wire to the journal on disk, and back to the lamp: a real game, real bytes, mock pins."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import msgspec
import pytest

from companion.bootstrap import find_set, new_header, resume, setup_for
from companion.cli.coverage import folder_of
from companion.games import load_game
from companion.journal.entry import AnswerEntry, Entry, Header, UndoEntry
from companion.journal.file import read_journal
from companion.journal.shelf import Shelf
from companion.kernel import Answer, Position, advance
from companion.notation.playthrough import read_playthrough
from companion.notation.reply import parse_reply
from companion.table.loop import Loop
from hardware.assembly import assemble
from hardware.config import parse
from hardware.dock import Dock
from hardware.virtual import VirtualBoard, VirtualDock
from tests.table.evenings import GAME as ALLIES
from tests.table.evenings import full

from .waiting import until

WIRING = """
[[seat]]
done = "gpio:16"
undo = "gpio:16 long"
lamp = "gpio:17"
[[seat]]
done = "gpio:20"
undo = "gpio:20 long"
lamp = "dock:0"
[dock]
port = "{port}"
"""


class Evening:
    def __init__(self, folder: Path) -> None:
        device = folder / "dock"
        wiring = parse(WIRING.format(port=device))
        cards = find_set("allies", None)
        self.journal = Shelf(folder).begin(new_header(load_game("allies"), ("Ann", "Ben"), cards))
        self.now = 50.0
        self.board = VirtualBoard(wiring, lambda: self.now)
        self.dock = VirtualDock(Dock("TRAY", boot_id=0xBEEF, lamps=1, dice=2, now=time.monotonic()), device)
        self.wiring, self.cards = wiring, cards
        self.loop = self.companion()

    def companion(self) -> Loop:
        """The process of the companion, as it starts on what is on disk."""
        electronics = assemble(self.wiring, self.board.factory)
        return Loop(resume(self.journal, self.cards), electronics.witnesses, electronics.markers)

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def on_disk(self) -> tuple[Entry, ...]:
        return read_journal(self.journal.path).entries


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    table = Evening(tmp_path)
    table.dock.plug()
    table.loop.start()
    yield table
    table.loop.stop()
    table.dock.unplug()
    table.journal.close()


def test_a_die_roll_travels_into_the_journal_and_an_alarm_into_the_lamps(evening: Evening) -> None:
    evening.dock.roll((3,))
    until(lambda: evening.dock.lamps == ("hurry",))
    until(lambda: [state.state for state in evening.board.factory.pin("GPIO17").states][-2:] == [False, True])
    assert evening.on_disk() == ()

    evening.dock.roll((3, 5))
    until(lambda: len(evening.on_disk()) == 1)
    (roll,) = evening.on_disk()
    assert isinstance(roll, AnswerEntry)
    assert (roll.source, roll.witness, roll.to, roll.reply) == ("dice", "dock", "lot", "3 5")
    assert roll.evidence == "dock TRAY boot 0000beef event 2"
    until(lambda: evening.dock.lamps == ("off",))
    until(lambda: not evening.board.is_lit(0))
    until(lambda: evening.dock.held == 0)


def test_a_button_pin_answers_the_question_and_the_answer_lights_the_lamp_pin(tmp_path: Path) -> None:
    """Button pin, question answered, journal on disk, lamp pin: all ten cards lie, and Ben says that all is done."""
    cards = find_set("allies", None)
    position = msgspec.json.encode(ALLIES.write(full().session.position)).decode()
    header = msgspec.structs.replace(new_header(ALLIES, ("Ann", "Ben"), cards), start=position)
    wiring = parse('[[seat]]\nlamp = "gpio:17"\n[[seat]]\nbutton = "gpio:20"\nlamp = "gpio:27"')
    now = [100.0]
    board = VirtualBoard(wiring, lambda: now[0])
    journal = Shelf(tmp_path).begin(header)
    electronics = assemble(wiring, board.factory)
    loop = Loop(resume(journal, cards), electronics.witnesses, electronics.markers)
    loop.start()
    try:
        until(lambda: loop.session.question is not None and loop.session.question.key == "fight")
        assert not board.is_lit(0)
        board.press(1, "done", lambda seconds: now.__setitem__(0, now[0] + seconds))
        until(lambda: board.is_lit(0))
        (answer,) = read_journal(journal.path).entries
        assert isinstance(answer, AnswerEntry)
        assert (answer.to, answer.reply, answer.source) == ("fight", "yes", "button")
        assert (answer.seat, answer.witness, answer.evidence) == (1, "buttons", "gpio:20 short")
        assert loop.session.signal.turn == 0
        assert not board.is_lit(1)
    finally:
        loop.stop()
        journal.close()
    assert not board.is_lit(0)


REALM = load_game("realm_of_wonder")


def before_the_battle() -> Header:
    """Three players of Realm of Wonder, as in a golden playthrough, when Ann has met a monster and is to roll."""
    head, answers = read_playthrough((folder_of(REALM.key) / "monsters.txt").read_text(encoding="utf-8"))
    cards, seats = find_set(REALM.key, None), ("Ann", "Ben", "Cora")
    setup = setup_for(REALM.key, head.edition, head.options, seats, cards)
    position = REALM.start(msgspec.structs.replace(setup, stated=head.stated))
    for key, reply in takewhile(lambda answer: answer[0] != "roll attacker", answers):
        question = next(each for each in position.questions if each.key == key)
        after = advance(position, Answer(key, parse_reply(question.kind, reply)))
        assert isinstance(after, Position)
        position = after
    written = msgspec.json.encode(REALM.write(position)).decode()
    return msgspec.structs.replace(new_header(REALM, seats, cards, head.edition, head.options), start=written)


def test_two_die_frames_decide_the_battle(tmp_path: Path) -> None:
    """Die frame, question answered, journal on disk, battle decided: real bytes on a real terminal, a real game."""
    wiring = parse(f'[dock]\nport = "{tmp_path}/tty"')
    dock = VirtualDock(Dock("TRAY", boot_id=7, dice=1, now=time.monotonic()), tmp_path / "tty")
    journal = Shelf(tmp_path).begin(before_the_battle())
    loop = Loop(resume(journal, find_set(REALM.key, None)), assemble(wiring).witnesses)
    dock.plug()
    loop.start()
    try:
        dock.set_tray("moving")
        until(lambda: loop.session.notice == "The dice are moving.")
        dock.set_tray("cocked")
        until(lambda: "leans" in loop.session.notice)
        assert loop.session.entries == ()
        dock.set_tray("still")
        dock.roll((5,))
        until(lambda: len(loop.session.entries) == 1)
        dock.roll((2,))
        until(lambda: len(loop.session.entries) == 2)
        told = [loop.session.voice.ruling(ruled) for ruled in loop.session.ruling]
        assert "5 : 3: the attacker wins. (RW-102)" in told
        assert "Ann has won a fight. (RW-102)" in told
        dock.roll((6,))  # nobody asks for it any more
        until(lambda: loop.session.notice == "Nobody is asked to roll now: 6 does not count.")
        rolls = [entry for entry in read_journal(journal.path).entries if isinstance(entry, AnswerEntry)]
        assert [(roll.to, roll.reply) for roll in rolls] == [("roll attacker", "5"), ("roll defender", "2")]
    finally:
        loop.stop()
        dock.unplug()
        journal.close()


def test_a_button_press_travels_into_the_journal(evening: Evening) -> None:
    evening.dock.roll((3, 5))
    until(lambda: len(evening.on_disk()) == 1)
    evening.board.press(1, "undo", evening.wait)
    until(lambda: len(evening.on_disk()) == 2)
    undo = evening.on_disk()[1]
    assert isinstance(undo, UndoEntry)
    assert (undo.source, undo.witness, undo.seat, undo.evidence) == ("button", "buttons", 1, "gpio:20 long")


def test_a_roll_while_the_cable_is_out_is_in_the_journal_once_when_it_is_back(evening: Evening) -> None:
    until(lambda: evening.loop.health()["dock"].state == "ok")
    evening.dock.unplug()
    until(lambda: evening.loop.health()["dock"].state == "waiting")
    evening.dock.roll((6, 2))
    evening.dock.plug()
    until(lambda: evening.dock.held == 0)
    until(lambda: len(evening.on_disk()) == 1)
    assert [entry.reply for entry in evening.on_disk() if isinstance(entry, AnswerEntry)] == ["6 2"]
