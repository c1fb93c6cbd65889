"""The board of discs that the camera knows: the owner's, enrolled from a photograph, or our own drawing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.sets.discs import draw_discs
from vision.discs import DiscBoard, DiscsError

DISCS = "discs"
"""The folder with an owner's board, inside that of the owner's set."""


def board_of(own: Path | None, positions: Sequence[str]) -> tuple[DiscBoard, tuple[int, ...]]:
    """Return the board in the folder `own`, our own if it is not there, and its positions as the game counts them.

    :param positions: what a game calls the positions of a disc, its first one first
    :return: the board, and for each position clockwise from the enrolled one its number in `positions`
    :raises DiscsError: if that folder holds no board that can be used for this game.
    """
    if own is None or not own.is_dir():
        return DiscBoard(draw_discs(), paths=tuple(positions)), tuple(range(len(positions)))
    board = DiscBoard.from_folder(own)
    if sorted(board.paths) != sorted(positions):
        raise DiscsError(
            f"the board in {own} says {', '.join(board.paths) or 'nothing'} of where its paths lead; enrol it again "
            f"with --paths and these, clockwise from the one at which the discs stood: {', '.join(positions)}"
        )
    return board, tuple(positions.index(path) for path in board.paths)
