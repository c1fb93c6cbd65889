"""What a game folder must offer. Games are found by listing the folder; there is no central list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import msgspec

from companion.kernel.board import BoardModel
from companion.kernel.dice import Rolling
from companion.kernel.effects import Effect
from companion.kernel.engine import Position
from companion.kernel.questions import Question
from companion.kernel.rules import Citation, Text

Change = Literal["appeared", "gone", "moved", "turned", "stranger"]
"""How a slot can differ: a piece came, went, came from another slot, was turned, or is not of the set."""


class Lying(msgspec.Struct, frozen=True):
    """How a piece should lie in a slot: its identity ("" where any piece will do) and the quarter
    turns (clockwise, mat frame) that mean the same to the rules.
    """

    piece: str
    turns: frozenset[int]


class Owed(msgspec.Struct, frozen=True):
    """What hands have to do after an effect that the rules caused.

    `slots` are where it will be seen, empty for acts that no camera sees (drawing cards). With
    `turning` the piece passes through other orientations on the way.
    """

    slots: tuple[str, ...] = ()
    turning: bool = False


class Term(msgspec.Struct, frozen=True):
    """One line of a score: what for, how many points, which articles, and what it is made of."""

    text: Text
    points: int
    cites: tuple[Citation, ...]
    parts: tuple[Term, ...] = ()


class Setup(msgspec.Struct, frozen=True):
    """What is agreed before the first card: options by name, seats' names, faces of the cards.

    `faces` maps a piece's key to its printed fields as the owner's set states them. `stated` holds
    what the table says about its start in the game's own words (for example which tribes); what is
    not stated stays UNKNOWN and is learned from play.
    """

    options: Mapping[str, str]
    seats: tuple[str, ...]
    faces: Mapping[str, Mapping[str, Any]] = {}
    stated: Mapping[str, Any] = {}


class Game:
    """A game as the rest of the companion sees it. Subclassed once per game folder."""

    key: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[tuple[int, int]]
    """The least and the most players."""
    asks_starter: ClassVar[bool] = False
    """Whether `Setup.stated` may say who begins (`starter`, a seat's letter); else the table shows it."""
    rows: ClassVar[tuple[str, ...]]
    """The rows of the mat's grid from its top edge; slots are row name and column number."""
    columns: ClassVar[int]
    cards_on_mat: ClassVar[bool] = True
    """Whether the mat has a slot for each place of the grid; else the grid is only drawn on the screen."""
    card_mm: ClassVar[tuple[float, float]] = (63.0, 63.0)
    """Width and height of a card."""
    turns_cards: ClassVar[bool] = True
    """Whether cards lie at any quarter turn; else all of them lie upright."""
    alike: ClassVar[frozenset[str]] = frozenset()
    """Pieces of which the box holds several that look the same."""
    discs: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Slot and piece of each disc that turns on a board of concentric discs, from the outside in; then the
    board takes the mat's place."""
    disc_positions: ClassVar[tuple[str, ...]] = ()
    """What the positions of such a disc are called; in `scene` a disc in the first one lies at turn 0, and so on.

    In which order they follow each other round the board is the owner's board to say."""
    tray_mm: ClassVar[tuple[float, float] | None] = None
    """Width and height of the tray on the mat into which dice are thrown; None without dice."""

    def start(self, setup: Setup) -> Position:
        """Return the position before the first answer."""
        raise NotImplementedError

    def open(self, document: Mapping[str, Any], setup: Setup) -> Position:
        """Return the position that a notation document states.

        :raises NotationError: naming the field that does not fit.
        """
        raise NotImplementedError

    def write(self, position: Position) -> dict[str, Any]:
        """Return the document of a position; `open` of it gives an equal one."""
        raise NotImplementedError

    def scene(self, state: Any) -> Mapping[str, Lying]:
        """Return what should lie in each slot that is not empty."""
        raise NotImplementedError

    def track(self, state: Any) -> tuple[str, ...]:
        """Return how the markers of the turn track lie, first place first; empty if the game has none.

        The names are those that an `order` question lists. If one of the places may be empty, "" stands
        for it and each marker has to lie in its own place; else only the order counts.
        """
        return ()

    def pieces(self, state: Any) -> Mapping[str, str]:
        """Return every piece whose place is known, with that place; for the inventory.

        Pieces of which the box holds several alike (`alike`) are left out.
        """
        raise NotImplementedError

    def score(self, state: Any) -> tuple[Term, ...]:
        """Return the score of each seat if the game ended now, as trees of terms."""
        raise NotImplementedError

    def hides_scores(self, state: Any) -> tuple[Citation, ...]:
        """Return the articles by which nobody is to know the points yet; none if they may be shown."""
        return ()

    def preview(self, state: Any) -> tuple[Term, ...]:
        """Return for each seat what its choices would bring now, as a tree with a branch for each choice.

        The points of a tree are those of its best choice. Empty where nothing is to be foretold.
        """
        return ()

    def outcome(self, state: Any) -> dict[str, Any]:
        """Return what the game came to in plain words and numbers, for a comparison from outside."""
        raise NotImplementedError

    def board(self, position: Position) -> BoardModel:
        """Return the board as the companion understands it, ready to be drawn."""
        raise NotImplementedError

    def rolling(self, state: Any) -> Rolling | None:
        """Return the dice in the middle of their rolls and what they can win; None if none are rolled."""
        return None

    def status(self, position: Position) -> tuple[Text, ...]:
        """Return the lines above the board: round, turn, hand maximums."""
        return ()

    def owed(self, effect: Effect) -> Owed | None:
        """Return where people still have to act by hand after an effect; None if nothing is to be done."""
        return None

    def touched(self, effect: Effect) -> tuple[str, ...]:
        """Return the slots in which the effect itself can be seen."""
        return ()

    def seen_in(self, question: Question) -> tuple[str, ...]:
        """Return the slots in which the reply to a question can be seen that is neither place, move nor turn.

        Then what lies there may answer it: of its replies those that let the table lie as it does.
        """
        return ()

    def forbids(self, what: Change, slot: str) -> tuple[Citation, ...]:
        """Return the articles against a change that no answer explains, seen in `slot`."""
        return ()

    def tell(self, effect: Effect) -> Text:
        """Return the sentence about an effect: its name as key, its fields as values."""
        return Text(f"effect.{type(effect).__name__}")


class NotationError(ValueError):
    """A document does not state a position: what was found, what was expected, in which field."""
