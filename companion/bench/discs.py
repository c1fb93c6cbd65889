"""How discs and arrows are read in rendered pictures: a part of `companion bench`."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import cv2
import numpy as np

from companion.sets.discs import draw_discs
from companion.simulated.arrow_scenes import PLACE, TOKENS, Token, draw_token, render_arrow
from companion.simulated.disc_scenes import render_discs
from companion.table.mat import board_mat
from vision.arrows import ArrowMarker, ArrowReading, see_place
from vision.board_tracker import BoardTracker
from vision.discs import POSITIONS, DiscBoard, DiscReading
from vision.plane import Plane

_DIRECTIONS = 24
_ARM = 0.35
_PIECES = (60, 90)
"""So many figures and fort discs stand on a board in the middle of a game, and at most."""
_SIDES = (360.0, 450.0, 640.0)
_NEAR = 0.015
"""Corners that are off by less, in shares of the board, read its discs as well as tapped ones."""


def measure(quick: bool = False) -> dict[str, Any]:
    """Return counts of right, unsure and wrong readings; with `quick` of a third of the pictures."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        every = 3 if quick else 1
        return {"discs": _discs(every) | _boards(every), "arrows": _arrows(every)}
    finally:
        cv2.setNumThreads(threads)


def _discs(every: int) -> dict[str, str]:
    """Read every position of both discs, and as many places between two, on a bare board and on a full one."""
    board = DiscBoard(draw_discs())
    counts: dict[str, Counter[str]] = {}
    for seed, (middle, inner) in enumerate((m, i) for m in range(POSITIONS) for i in range(POSITIONS)):
        if seed % every:
            continue
        for pieces in (0, *_PIECES):
            for kind, off in (("in a position", 0.0), ("between two", 0.5)):
                what = f"{kind}, {pieces} pieces on the board" if pieces else kind
                picture, corners = render_discs(middle + off, inner + off, seed=1000 + seed, pieces=pieces)
                for turn, reading in zip((middle, inner), board.read_frame(picture, corners), strict=True):
                    counts.setdefault(what, Counter())[_disc(reading, turn, between=off > 0)] += 1
    return {kind: _told(each) for kind, each in counts.items()}


def _boards(every: int) -> dict[str, str]:
    """Find boards of several sizes, turned anyhow, by what is printed on them; nothing is tapped."""
    board = DiscBoard(draw_discs())
    mat = board_mat("board", (("D1", "disc-middle"), ("D2", "disc-innermost")), ())
    tracker, figures = BoardTracker(board, mat), {}
    for side in _SIDES:
        for pieces in (0, *_PIECES):
            counts: Counter[str] = Counter()
            seen = [
                render_discs(n % 6, n // 6, n, board=side, skew=29.0 * n, pieces=pieces) for n in range(0, 36, every)
            ]
            start = time.process_time()
            for picture, corners in seen:
                found = tracker.corners_in(picture)
                off = None if found is None else float(np.hypot(*(found - corners).T).max()) / side
                counts["missed" if off is None else "found" if off < _NEAR else "off by more"] += 1
            spent = 1000 * (time.process_time() - start) / len(seen)
            figures[f"board of {side:.0f} pixels, {pieces} pieces"] = f"{_told(counts)}, {spent:.0f} ms each"
    return figures


def _disc(reading: DiscReading, turn: int, between: bool) -> str:
    if reading.state == "hidden":
        return "hidden"
    if between:
        named = {candidate for candidate, _ in reading.candidates[:2]}
        right = named == {turn, (turn + 1) % POSITIONS}
        return "wrong" if reading.state == "known" or not right else "right"
    if reading.state == "unsure":
        return "unsure"
    return "right" if reading.turn == turn else "wrong"


def _arrows(every: int) -> dict[str, dict[str, str]]:
    """Read each make of marker at 24 angles, under an arm, and empty places."""
    return {name: _marker(token, 1000 * k, every) for k, (name, token) in enumerate(TOKENS.items())}


def _marker(token: Token, seed: int, every: int) -> dict[str, str]:
    marker = ArrowMarker(draw_token(token), token.size_mm)
    angles = range(0, _DIRECTIONS, every)
    figures: dict[str, str] = {}
    for what, steps in (("quarters", 4), ("sixths", 6)):
        seen = [_arrow(_read(marker, token, 15.0 * k, seed + k, steps), 15.0 * k, steps) for k in angles]
        figures[what] = _told(Counter(seen))
    arms = [_read(marker, token, 15.0 * k, seed + k, 4, _ARM) for k in angles]
    wrong = sum(r.state == "known" and _arrow(r, 15.0 * k, 4) != "right" for k, r in zip(angles, arms, strict=True))
    figures["under an arm"] = f"{_told(Counter(each.state for each in arms))}; known and wrong {wrong}"
    figures["empty place"] = _told(Counter(_read(marker, None, 0.0, seed + 100 + k, 4).state for k in angles))
    return figures


def _read(
    marker: ArrowMarker, token: Token | None, degrees: float, seed: int, steps: int, hand: float = 0.0
) -> ArrowReading:
    picture, empty, homography = render_arrow(token, degrees, seed, hand)
    plane = Plane(homography, (picture.shape[1], picture.shape[0]))
    return marker.read_on_mat(picture, see_place(empty, plane, PLACE), plane, PLACE, steps)


def _arrow(reading: ArrowReading, degrees: float, steps: int) -> str:
    """Return what a reading is worth; one between two directions is right if it is said to be."""
    if reading.turn is None or reading.angle is None:
        return reading.state
    step = 360.0 / steps
    off = abs((reading.angle - degrees + 180.0) % 360.0 - 180.0)
    if off > step / 4:
        return "wrong"
    if reading.state == "known":
        return "right"
    is_between = abs((degrees + step / 2) % step - step / 2) > step / 4
    return "right" if is_between else "unsure"


def _told(counted: Counter[str]) -> str:
    return ", ".join(f"{what} {count}" for what, count in counted.most_common()) + f" of {counted.total()}"
