"""Playing with a finger: what a touch sends, what the screen shows then, and what it refuses to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kivy.core.window import Window
from msgspec.structs import replace

from companion.presenters.desk import (
    Answer,
    Begin,
    Correct,
    Frame,
    KeepLook,
    LeaveTable,
    Resume,
    SetCorners,
    ShowCorrection,
    ShowFinal,
    Undo,
)
from companion.presenters.models import LookModel, NoticeModel
from tests.ui import made
from tests.ui.memory_desk import MemoryDesk
from tests.ui.pilot import Pilot
from ui.screens.games import GameTile
from ui.screens.players import SeatRow
from ui.widgets.player_chip import PlayerChip

AtTable = Callable[..., Pilot]


def test_players_come_and_go_as_the_game_allows(fly: Callable[..., Pilot]) -> None:
    pilot = fly()
    pilot.tap(pilot.button("New game"))
    pilot.tap(next(tile for tile in pilot.shown(GameTile) if tile.model.key == "allies"))
    pilot.show(replace(made.SET_UP, seats=2, most=4))
    for _ in range(3):
        pilot.tap(pilot.button("One more"))
    assert len(set(pilot.sheet.names)) == 4
    pilot.tap(pilot.button("One fewer"))
    pilot.tap(pilot.button("Next"))
    assert len(pilot.desk.sent_of(Begin)[0].names) == 3


def test_the_last_game_is_resumed_by_one_touch(fly: Callable[..., Pilot]) -> None:
    pilot = fly()
    pilot.tap(pilot.button("Resume  Ania and J\u00f6rg"))
    assert pilot.desk.sent_of(Resume) == [Resume("duel-1")]
    assert pilot.wait(lambda: pilot.here == "live")


def test_a_new_game_is_begun_without_a_keyboard(fly: Callable[..., Pilot]) -> None:
    pilot = fly()
    pilot.tap(pilot.button("New game"))
    pilot.tap(next(tile for tile in pilot.shown(GameTile) if tile.model.key == "allies"))
    first = next(row for row in pilot.shown(SeatRow) if row.seat == 0)
    pilot.tap(first.children[0])  # the arrow to the next name; J\u00f6rg is taken already
    pilot.tap(pilot.button("Crowns"))
    pilot.tap(pilot.button("J\u00f6rg"))
    pilot.tap(pilot.button("Next"))

    assert pilot.desk.sent_of(Begin) == [
        Begin("allies", ("\u041c\u0430\u0440\u0438\u044f", "J\u00f6rg"), "reconciled", (("AL-Q01", "always"),), 1)
    ]
    assert pilot.wait(lambda: pilot.here == "table")
    pilot.tap(pilot.button("Start"))
    assert pilot.desk.sent_of(LeaveTable) == [LeaveTable(True)]
    assert pilot.here == "live"


def test_the_starting_player_is_seen_on_the_table_unless_chosen(fly: Callable[..., Pilot]) -> None:
    pilot = fly()
    pilot.app.go("players")
    pilot.show(made.SET_UP)
    pilot.tap(pilot.button("Next"))
    assert pilot.desk.sent_of(Begin)[0].starter is None


def test_another_edition_brings_its_own_values(fly: Callable[..., Pilot]) -> None:
    pilot = fly()
    crowns = replace(made.SET_UP.switches[0], by_edition=(("en", "always"),))
    pilot.app.go("players")
    pilot.show(replace(made.SET_UP, switches=(crowns,)))
    assert "only break ties" in pilot.button("Crowns").detail
    pilot.tap(pilot.sheet.ids.edition_after)
    assert "win alone" in pilot.button("Crowns").detail
    pilot.tap(pilot.button("Next"))
    assert (pilot.desk.sent_of(Begin)[0].edition, pilot.desk.sent_of(Begin)[0].options) == ("en", ())


def test_a_game_that_is_refused_stays_at_its_set_up_and_says_why(fly: Callable[..., Pilot]) -> None:
    desk = MemoryDesk()
    desk.says_no = "This set has 149 tribe cards, 150 were expected; enrol the missing one."
    pilot = fly(desk=desk)
    pilot.app.go("players")
    pilot.show(made.SET_UP)
    pilot.tap(pilot.button("Next"))
    assert pilot.wait(lambda: pilot.app.root.toast.opacity == 1)
    assert pilot.here == "players"
    assert pilot.app.root.toast.text == desk.says_no


def test_a_doubt_is_answered_by_one_touch(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.show(made.live(made.DOUBT))
    pilot.settle()
    pilot.tap(pilot.button("Yeti 12"))
    assert pilot.desk.sent_of(Answer) == [Answer("duel-1", "doubt:A3", 1)]


def test_a_tap_on_a_choice_that_has_just_changed_is_ignored(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.show(made.live(made.YES_NO))
    pilot.settle()
    pilot.desk.publish(made.live(made.DOUBT))
    pilot.wait(lambda: any(tile.text == "Yeti 07" for tile in pilot.shown(type(pilot.button("Undo")))))
    pilot.sheet._settled_at += 60  # a slow machine must not make the choice old before the finger comes
    pilot.tap(pilot.button("Yeti 07"))
    assert pilot.desk.sent_of(Answer) == []
    pilot.sheet._settled_at -= 120
    pilot.tap(pilot.button("Yeti 07"))
    assert pilot.desk.sent_of(Answer) == [Answer("duel-1", "doubt:A3", 0)]


def test_choices_beyond_a_page_are_reached_by_more_and_keep_their_numbers(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.show(made.live(made.MANY))
    pilot.settle()
    pilot.tap(pilot.button("More (1 of 2)"))
    pilot.tap(pilot.button("None of them"))
    assert pilot.desk.sent_of(Answer) == [Answer("duel-1", "golem:0", 6)]


def test_a_misread_card_is_corrected_by_two_taps_and_the_effect_is_read_before_the_second(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.tap(pilot.cell(pilot.sheet.ids.board, "A3"))
    assert pilot.desk.sent_of(ShowCorrection) == [ShowCorrection("duel-1", "A3")]
    tile = pilot.button("Yeti 12  31 %")
    assert tile.detail == "A3 faces 2; R3 stays"
    pilot.tap(tile)
    assert pilot.desk.sent_of(Correct) == [Correct("duel-1", "A3", 0)]
    assert pilot.here == "live"


def test_the_same_cell_can_be_corrected_twice(at_table: AtTable) -> None:
    pilot = at_table()
    for _ in range(2):
        pilot.tap(pilot.cell(pilot.sheet.ids.board, "A3"))
        pilot.tap(pilot.button("Turned left"))
    assert pilot.desk.sent_of(Correct) == [Correct("duel-1", "A3", 3)] * 2


def test_a_correction_that_breaks_later_entries_is_asked_about_once_more(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.tap(pilot.cell(pilot.sheet.ids.board, "A3"))
    pilot.tap(pilot.button("Not there"))
    assert pilot.desk.sent_of(Correct) == []
    assert pilot.sheet.warning == made.BREAKS
    pilot.tap(pilot.button("Leave it"))
    assert pilot.desk.sent_of(Correct) == []
    pilot.tap(pilot.button("Not there"))
    pilot.tap(pilot.button("Correct it all the same"))
    assert pilot.desk.sent_of(Correct) == [Correct("duel-1", "A3", 5)]


def test_a_card_the_camera_did_not_think_of_is_found_on_its_shelf(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.tap(pilot.cell(pilot.sheet.ids.board, "A3"))
    pilot.tap(pilot.button("Another card"))
    pilot.tap(pilot.button("Dragon"))
    numbers = [option.number for option in made.CORRECT.shelves[9].options]
    tiles = sorted(tile.number for tile in pilot.sheet.ids.shelves.children)
    assert tiles == numbers
    pilot.tap(next(tile for tile in pilot.sheet.ids.shelves.children if tile.number == numbers[14]))
    assert pilot.desk.sent_of(Correct) == [Correct("duel-1", "A3", numbers[14])]


def test_an_outline_on_the_large_camera_picture_opens_its_correction(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.tap(pilot.sheet.ids.picture)
    assert pilot.here == "camera"
    pilot.settle(0.1)
    view = pilot.sheet.ids.picture
    corners = next(overlay for overlay in made.overlays() if overlay.key == "B4").corners
    middle = (sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4)
    pilot.tap(view.to_window(*view.to_pixels(middle)))
    assert pilot.desk.sent_of(ShowCorrection) == [ShowCorrection("duel-1", "B4")]


def test_a_device_that_does_not_fit_has_a_screen_until_it_fits_or_people_play_on(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.show(made.live(outage=made.OUTAGE))
    assert pilot.here == "outage"
    pilot.show(made.live())
    assert pilot.here == "live", "a device that fits again needs no tap"
    pilot.show(made.live(outage=made.OUTAGE))
    assert {side.title for side in pilot.sheet.ids.sides.children} == {"The dock DOCK-7", "This app"}
    pilot.tap(pilot.button("Play on without it"))
    assert pilot.desk.sent_of(Answer) == [Answer("duel-1", "device dock", 0)]
    assert pilot.here == "live"


def test_undo_names_what_it_undoes_and_sends_that_name(at_table: AtTable) -> None:
    pilot = at_table()
    tile = pilot.button("Undo")
    assert tile.detail == "Ania laid yeti-07 in A3"
    pilot.tap(tile)
    assert pilot.desk.sent_of(Undo) == [Undo("duel-1", "Ania laid yeti-07 in A3")]
    assert pilot.wait(lambda: tile.detail == "J\u00f6rg laid elf-14 in B4")


def test_undo_is_off_when_there_is_nothing_to_take_back(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.show(made.live(undo="", why=None))
    pilot.tap(pilot.button("Undo"))
    pilot.tap(pilot.button("Why?"))
    assert pilot.desk.sent_of(Undo) == []
    assert pilot.here == "live"


def test_why_shows_each_link_with_article_wording_and_section(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.tap(pilot.button("Why?"))
    assert pilot.sheet.says == made.WHY.says
    third = pilot.button(f"3.  {made.WHY.links[2].says}")
    pilot.tap(third)
    assert (pilot.sheet.article, pilot.sheet.article_title) == ("AL-48", "Strengthen by one")
    assert "stronger sector" in pilot.sheet.wording
    assert "Rotating cards" in pilot.sheet.section
    pilot.tap(pilot.button(f"3.  {made.WHY.links[2].says}"))
    assert pilot.sheet.article == "AL-Q01"
    assert "table option" in pilot.sheet.section


def test_whose_turn_it_is_is_the_lit_chip(at_table: AtTable) -> None:
    pilot = at_table()
    assert [(chip.name, chip.turn, chip.score) for chip in pilot.shown(PlayerChip)] == [
        ("Ania", True, "7"),
        ("J\u00f6rg", False, "\u22121"),
    ]


def test_the_final_score_opens_by_itself_and_its_sources_open_by_touch(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.show(made.live(finished=True))
    assert pilot.wait(lambda: pilot.here == "final" and pilot.sheet.model is not None)
    assert pilot.desk.sent_of(ShowFinal) == [ShowFinal("duel-1")]
    pilot.tap(pilot.button("Castles won"))
    leaves = [leaf.says for leaf in pilot.app.root.walk() if type(leaf).__name__ == "LeafLine"]
    assert leaves == ["Castle 2 (AL-94)"]


def test_undo_after_the_end_reopens_the_game(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.show(made.live(finished=True))
    assert pilot.wait(lambda: pilot.here == "final")
    pilot.tap(pilot.button("Undo"))  # the desk answers with a game that is not finished
    assert pilot.wait(lambda: pilot.here == "live")


def test_a_dragged_corner_moves_with_the_finger_and_is_sent(fly: Callable[..., Pilot]) -> None:
    pilot = fly()
    pilot.app.open_table()
    pilot.settle(0.2)
    view = pilot.sheet.ids.picture
    start = view.to_window(*view.to_pixels(made.TABLE.corners[0]))
    # The finger lies beside the corner; the corner moves as far as the finger does.
    start = (start[0] + 30, start[1] - 20)
    pilot.drag(start, (start[0] + 40, start[1] - 60))
    sent = pilot.desk.sent_of(SetCorners)[-1].corners
    _, _, width, height = view.frame_box
    assert sent[0] == pytest.approx(
        (made.TABLE.corners[0][0] + 40 / width, made.TABLE.corners[0][1] + 60 / height), abs=0.005
    )
    assert sent[1:] == made.TABLE.corners[1:]
    pilot.tap(pilot.button("Find the corners"))
    assert pilot.desk.sent_of(SetCorners)[-1] == SetCorners(None)


def test_a_table_that_is_not_ready_cannot_be_started_but_played_without_camera(fly: Callable[..., Pilot]) -> None:
    desk = MemoryDesk(camera=False)
    desk.table = replace(made.TABLE, ready=False, corners=None)
    pilot = fly(desk=desk)
    pilot.app.open_table()
    pilot.settle(0.2)
    pilot.tap(pilot.button("Start"))
    assert pilot.desk.sent_of(LeaveTable) == []
    pilot.tap(pilot.button("Play without camera"))
    assert pilot.desk.sent_of(LeaveTable) == [LeaveTable(False)]


def test_the_camera_picture_is_drawn_as_it_was_given(at_table: AtTable, tmp_path: Path) -> None:
    import cv2

    pilot = at_table()
    rgba = np.zeros((90, 160, 4), np.uint8)
    rgba[:, :, 3] = 255
    rgba[:45, :80] = (250, 20, 20, 255)  # red at the top left
    pilot.desk._frame = Frame(2, rgba)
    pilot.show(made.live(overlays=()))
    pilot.settle(0.2)
    image = cv2.imread(str(pilot.picture(tmp_path / "camera.png")))
    x, y, width, height = pilot.sheet.ids.picture.frame_box
    x, y = pilot.sheet.ids.picture.to_window(x, y)

    def at(share: tuple[float, float]) -> list[int]:
        row = int(Window.height - (y + height * (1 - share[1])))
        return image[row, int(x + width * share[0])].tolist()

    assert at((0.25, 0.25)) == [20, 20, 250]
    assert at((0.75, 0.75)) == [0, 0, 0]


@pytest.mark.parametrize(
    "wrong", [np.zeros((10, 10, 3), np.uint8), np.zeros((10, 10, 4), np.float32), np.zeros((20, 10, 4), np.uint8)[::2]]
)
def test_a_frame_of_another_shape_is_refused_before_it_reaches_the_screen(wrong: np.ndarray) -> None:
    with pytest.raises(ValueError, match="a frame is a contiguous uint8 array"):
        Frame(1, wrong)


def test_theme_and_text_size_change_at_once_and_are_kept(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.tap(pilot.button("Menu"))
    pilot.tap(pilot.button("Theme"))
    assert (pilot.app.theme.name, pilot.desk.sent_of(KeepLook)) == ("light", [KeepLook(LookModel(theme="light"))])
    pilot.tap(pilot.button("Text size"))
    assert pilot.app.em == pytest.approx(1.3 * pilot.app.mm)


def test_a_notice_passes_by_without_taking_a_touch(at_table: AtTable) -> None:
    pilot = at_table()
    pilot.show(NoticeModel("A2 is not empty.", "refused", ("AL-38",)))
    toast = pilot.app.root.toast
    assert (toast.opacity, toast.text) == (1, "A2 is not empty.  (AL-38)")
    chip = next(iter(pilot.shown(PlayerChip)))
    assert toast.collide_point(*toast.center)
    pilot.tap(pilot.button("Menu"))
    assert pilot.here == "menu"
    assert chip.name == "Ania"


def test_leaving_the_window_closes_the_desk(fly: Callable[..., Pilot]) -> None:
    pilot = fly()
    pilot.app.dispatch("on_stop")
    assert pilot.desk.closed == 1
    pilot.app.on_stop = lambda *_: None  # it is stopped already
