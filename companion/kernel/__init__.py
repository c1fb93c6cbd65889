"""The kernel: positions, questions, answers and effects, each with its reason.

Pure: no clock, no dice, no files, no threads. A game is data and small steps; `advance` carries one
answer from one position to the next, or says no and why.
"""

from companion.kernel.board import BoardModel, Cell, Mark, Pile
from companion.kernel.dice import Aim, Goal, Rolling
from companion.kernel.domains import Assignments, Domain, Numbers, OneOf, Orders, Rolls, Subsets
from companion.kernel.effects import Cancel, Effect, End, Finish, State, Then, then
from companion.kernel.engine import Due, Position, advance, open_position, replay, settle
from companion.kernel.game import Game, Lying, NotationError, Owed, Setup, Term
from companion.kernel.names import game_key
from companion.kernel.pieces import UNKNOWN, UNSEEN, Unknown
from companion.kernel.probe import Finding, Probe
from companion.kernel.questions import (
    Answer,
    Assigned,
    Chosen,
    Confirmed,
    Counted,
    Kind,
    Moved,
    Ordered,
    Placed,
    Question,
    Reply,
    Revealed,
    Rolled,
    Turned,
)
from companion.kernel.rules import Citation, Refusal, Ruled, Text, cite, refuse, rule
from companion.kernel.steps import Group, Step

__all__ = [
    "UNKNOWN",
    "UNSEEN",
    "Aim",
    "Answer",
    "Assigned",
    "Assignments",
    "BoardModel",
    "Cancel",
    "Cell",
    "Chosen",
    "Citation",
    "Confirmed",
    "Counted",
    "Domain",
    "Due",
    "Effect",
    "End",
    "Finding",
    "Finish",
    "Game",
    "Goal",
    "Group",
    "Kind",
    "Lying",
    "Mark",
    "Moved",
    "NotationError",
    "Numbers",
    "OneOf",
    "Ordered",
    "Orders",
    "Owed",
    "Pile",
    "Placed",
    "Position",
    "Probe",
    "Question",
    "Refusal",
    "Reply",
    "Revealed",
    "Rolled",
    "Rolling",
    "Rolls",
    "Ruled",
    "Setup",
    "State",
    "Step",
    "Subsets",
    "Term",
    "Text",
    "Then",
    "Turned",
    "Unknown",
    "advance",
    "cite",
    "game_key",
    "open_position",
    "refuse",
    "replay",
    "rule",
    "settle",
    "then",
]
