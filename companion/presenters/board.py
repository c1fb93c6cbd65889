"""The board's picture, for the screen: the kernel's own records under the name that screens import."""

from companion.kernel.board import BoardModel, Cell, CellKind, CellState, Mark, Pile, Symbol

__all__ = ["BoardModel", "Cell", "CellKind", "CellState", "Mark", "Pile", "Symbol"]
