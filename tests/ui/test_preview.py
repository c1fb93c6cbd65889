"""What is foretold, on the real desk: Vaalbara dealt by hand, without a camera."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import companion.games
from companion.desk import TableDesk
from companion.notation.playthrough import read_playthrough
from companion.presenters.desk import Begin, LeaveTable
from companion.table.observation import Touch
from tests.desk.parts import TestRoom
from tests.ui.pilot import Pilot
from ui.screens.preview import ForetoldCard

PLAYED = Path(companion.games.__file__).parent / "vaalbara" / "playthroughs" / "two-players.txt"


def test_the_menu_leads_to_what_each_land_would_bring_each_seat(fly: Callable[..., Pilot], tmp_path: Path) -> None:
    room = TestRoom(tmp_path)
    pilot = fly(desk=TableDesk(room))
    pilot.app.begin_with(Begin("vaalbara", ("Ann", "Bo"), "reconciled"), "table")
    assert pilot.wait(lambda: pilot.here == "table")
    pilot.app.submit(LeaveTable(camera=False))
    pilot.app.go("live")
    _, answers = read_playthrough(PLAYED.read_text(encoding="utf-8"))
    for to, reply in answers[:5]:
        room.oracle.observe(Touch("test", time.monotonic(), to=to, reply=reply))
    assert pilot.wait(lambda: pilot.app.live.preview is not None)
    assert [player.score for player in pilot.app.live.players] == [None, None]
    pilot.tap(pilot.button("Menu"))
    pilot.tap(pilot.button("What it would bring"))
    first, second = pilot.app.live.preview.trees
    for name, tree in (("Bo", second), ("Ann", first)):
        pilot.tap(pilot.button(name))
        assert pilot.wait(lambda tree=tree: [card.title for card in shown(pilot)] == [n.title for n in tree.children])
        assert [card.points for card in shown(pilot)] == [str(node.points) for node in tree.children]
        for card, node in zip(shown(pilot), tree.children, strict=True):
            lines = [line.says for line in card.ids.terms.children[::-1]]
            assert all(cite in line for line, leaf in zip(lines, node.children, strict=True) for cite in leaf.cites)


def shown(pilot: Pilot) -> list[ForetoldCard]:
    return [card for card in pilot.sheet.ids.cards.children[::-1] if isinstance(card, ForetoldCard)]
