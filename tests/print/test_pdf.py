"""The printed sheets have the paper's size and put everything at its true size."""

from __future__ import annotations

import re

import pytest

from companion.games import game_keys, load_game
from companion.games.king_of_the_dice import pieces as dice_kings
from companion.games.realm_of_wonder import pieces as realm
from companion.print.mat_pdf import markers_pdf, mat_pdf, mat_tiles
from companion.print.proxies_pdf import proxies_pdf
from companion.print.scoresheet import SCORESHEETS, scoresheet_pdf
from companion.print.sheets.king_of_the_dice import PLACES
from companion.print.sheets.realm_of_wonder import PATHS
from companion.print.tracker import TRACKERS, tracker_pdf
from companion.rulebook.load import load_rulebook
from companion.table.mat import game_mat, grid_mat
from tests.print.paper import Page, pages

MAT = game_mat(load_game("allies"))
A4, A4_LYING, A3, A3_LYING = (210, 297), (297, 210), (297, 420), (420, 297)


def size(page: Page) -> tuple[int, int]:
    return round(page.width), round(page.height)


def black_squares(page: Page) -> list[tuple[float, float]]:
    """Top left corners of the markers' black squares, in millimetres."""
    return [
        (x, y) for x, y, width, height, grey in page.boxes
        if grey == 0 and width == pytest.approx(22, abs=0.02) and height == pytest.approx(22, abs=0.02)
    ]  # fmt: skip


def test_the_mat_is_one_a3_sheet_with_every_marker_in_its_place() -> None:
    printed = mat_pdf(MAT, "a3")
    (page,) = pages(printed.pdf)
    assert printed.pages == 1
    assert size(page) == A3_LYING
    expected = [(marker.rect.x, marker.rect.y) for marker in MAT.markers]
    for (x, y), (mat_x, mat_y) in zip(black_squares(page), expected, strict=True):
        assert (x, y) == pytest.approx((mat_x, mat_y), abs=0.02)
    assert {slot.key for slot in MAT.slots} < set(page.texts)
    assert "must measure 100 mm; if it does not, print again without scaling" in page.texts


def test_the_mat_on_a4_shows_every_marker_whole_on_exactly_one_sheet() -> None:
    printed = mat_pdf(MAT, "a4")
    sheets, tiles = pages(printed.pdf), mat_tiles(MAT, "a4")
    assert printed.pages == len(sheets) == len(tiles) == 4
    places: list[tuple[float, float]] = []
    for sheet, tile in zip(sheets, tiles, strict=True):
        assert size(sheet) == A4_LYING
        left, top, width, height = sheet.clip
        assert (width, height) == pytest.approx((tile.width, tile.height), abs=0.05)
        for x, y in black_squares(sheet):
            inside = left <= x and x + 22 <= left + width and top <= y and y + 22 <= top + height
            outside = x >= left + width or x + 22 <= left or y >= top + height or y + 22 <= top
            assert inside or outside
            if inside:
                places.append((x - left + tile.x, y - top + tile.y))
    expected = sorted((marker.rect.x, marker.rect.y) for marker in MAT.markers)
    assert sorted((round(x, 1), round(y, 1)) for x, y in places) == expected


def test_no_seam_of_the_tiled_mat_runs_through_a_slot() -> None:
    for tile in mat_tiles(MAT, "a4"):
        for slot in MAT.slots:
            x, y = slot.rect.x - tile.x, slot.rect.y - tile.y
            whole = x >= 0 and y >= 0 and x + slot.rect.width <= tile.width and y + slot.rect.height <= tile.height
            apart = x >= tile.width or y >= tile.height or x + slot.rect.width <= 0 or y + slot.rect.height <= 0
            assert whole or apart, slot.key


def test_the_tiles_cover_a_long_mat_exactly_and_fit_the_printable_area() -> None:
    long = grid_mat("long", ("A", "B", "C"), 12, size=(1000.0, 297.0))
    tiles = mat_tiles(long, "a4")
    assert sum(tile.width * tile.height for tile in tiles) == pytest.approx(1000 * 297)
    assert all(tile.width <= 277 and tile.height <= 277 for tile in tiles)
    assert all(min(tile.width, tile.height) <= 190 for tile in tiles)


def test_the_loose_markers_keep_the_mats_size_and_say_where_they_belong() -> None:
    for paper, expected in (("a4", A4), ("a3", A3)):
        (page,) = pages(markers_pdf(MAT, paper).pdf)  # type: ignore[arg-type]
        assert size(page) == expected
        assert len(black_squares(page)) == len(MAT.markers)
        assert "marker 2: 401 mm from the left, 278 mm from the top" in page.texts


def test_the_score_sheet_names_every_article_of_the_final_score() -> None:
    for paper, expected in (("a4", A4), ("a3", A3)):
        printed = scoresheet_pdf("allies", paper)  # type: ignore[arg-type]
        (page,) = pages(printed.pdf)
        assert (printed.pages, size(page)) == (1, expected)
        assert {f"AL-{number}" for number in range(93, 100)} <= set(page.texts)


def test_the_tracker_has_a_field_for_every_round_turn_and_hand_maximum() -> None:
    for paper, expected in (("a4", A4_LYING), ("a3", A3_LYING)):
        printed = tracker_pdf("allies", paper)  # type: ignore[arg-type]
        (page,) = pages(printed.pdf)
        assert (printed.pages, size(page)) == (1, expected)
        counts = {number: page.texts.count(str(number)) for number in range(11)}
        in_rounds, in_turns, in_hands = range(1, 5), range(1, 6), range(11)
        assert counts == {
            number: (number in in_rounds) + 2 * (number in in_turns) + 2 * (number in in_hands) for number in range(11)
        }


def test_every_game_has_a_score_sheet_and_a_tracker_on_one_page_of_its_own_articles() -> None:
    assert set(SCORESHEETS) == set(TRACKERS) == set(game_keys())
    for game in game_keys():
        rulebook = load_rulebook(game)
        articles = {*rulebook.articles, *(option.id for option in rulebook.options.values())}
        for printed, expected in ((scoresheet_pdf(game, "a4"), A4), (tracker_pdf(game, "a4"), A4_LYING)):
            (page,) = pages(printed.pdf)
            assert size(page) == expected
            cited = set(re.findall(r"[A-Z]{2}-Q?\d+", " ".join(page.texts)))
            assert len(cited) >= 3
            assert cited <= articles, game


def test_the_sheets_call_places_and_paths_as_the_games_do() -> None:
    assert (PLACES, PATHS) == (dice_kings.PLACES, realm.CHARACTERS)


def test_all_proxies_are_printed_once_twelve_on_an_a4_sheet() -> None:
    drawn: list[int] = []
    printed = proxies_pdf("allies", "a4", lambda number, of: drawn.append(number))
    sheets = pages(printed.pdf)
    assert printed.pages == len(sheets) == 14
    assert {size(sheet) for sheet in sheets} == {A4}
    assert [sheet.images for sheet in sheets] == [12] * 13 + [9]
    assert drawn == list(range(1, 166))
    assert printed.pdf.count(b"/Subtype /Image") == 165
