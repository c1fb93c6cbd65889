"""Screen models: everything a screen shows, as frozen records that know nothing of Kivy.

Sentences are finished: the screen lays them out and adds no words of its own to them. Seats count
from 0. Points in a camera picture are shares of its width and height, origin top left, y down.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.presenters.board import BoardModel, Cell

Shape = Literal["triangle", "square", "circle", "diamond", "star", "hexagon"]

SEAT_SHAPES: tuple[Shape, ...] = ("triangle", "square", "circle", "diamond", "star", "hexagon")
"""The shape of each seat, in seat order; colour alone never tells two players apart."""

State = Literal["ok", "waiting", "unsure", "failed", "off"]
"""How something is doing; the same words as `companion.table.ports.Health`."""

Point = tuple[float, float]


# -- the live table ---------------------------------------------------------------------------


class PlayerModel(msgspec.Struct, frozen=True):
    """A chip at the top: who, how many points if the game ended now (None: nobody is to know), whose turn."""

    seat: int
    name: str
    score: int | None = None
    turn: bool = False
    asked: bool = False
    note: str = ""
    """Such as `hand 5 of 6`."""


class ChoiceModel(msgspec.Struct, frozen=True):
    """One button of a question. `number` is what is sent back, `says` what stands on it."""

    number: int
    says: str
    detail: str = ""
    style: Literal["plain", "likely", "no"] = "plain"
    cell: Cell | None = None
    """Drawn on the button where a picture says more than the words."""


class PromptModel(msgspec.Struct, frozen=True):
    """The largest thing on the screen: what the table is asked to do or say now.

    `kind` is `ask` for the engine's question, `doubt` when readings must be told apart, `todo` for
    a physical act still owed, `alarm` for something that does not fit, `wait` while nothing is
    wanted of anyone. `choices` may be empty: then the table answers with its hands.
    """

    kind: Literal["ask", "doubt", "todo", "alarm", "wait"]
    says: str
    detail: str = ""
    key: str = ""
    seat: int | None = None
    choices: tuple[ChoiceModel, ...] = ()
    cites: tuple[str, ...] = ()


class OverlayModel(msgspec.Struct, frozen=True):
    """An outline on the camera picture: four corners clockwise from the piece's printed top left."""

    key: str
    corners: tuple[Point, Point, Point, Point]
    label: str = ""
    state: Literal["sure", "unsure", "unknown", "empty", "wrong"] = "sure"


class FeedModel(msgspec.Struct, frozen=True):
    """What was understood last, and through whom."""

    says: str
    source: Literal["camera", "button", "touch", "dice", "markers", "file", "act"] = "act"


class CiteModel(msgspec.Struct, frozen=True):
    """An article: its id (`AL-63`), its title, its wording in our words, the rulebook's section.

    `level` is `rule`, `option` (it holds because of a choice made at set-up), `house` or `table` (our
    own protocol).
    """

    article: str
    title: str = ""
    text: str = ""
    section: str = ""
    level: Literal["rule", "option", "house", "table"] = "rule"


class WhyLink(msgspec.Struct, frozen=True):
    """One step of the chain: what happened, and the articles that made it happen."""

    says: str
    cites: tuple[CiteModel, ...] = ()


class WhyModel(msgspec.Struct, frozen=True):
    """The last ruling: the act in one sentence, the chain of effects, what was assumed."""

    says: str
    links: tuple[WhyLink, ...] = ()
    assumed: tuple[str, ...] = ()
    verdict: Literal["done", "refused"] = "done"


class ChanceModel(msgspec.Struct, frozen=True):
    """One thing that dice can still win: its piece, what it asks for, how likely it is, what to keep for it."""

    piece: str
    asks: str
    chance: str
    keep: str
    met: bool = False
    cites: tuple[str, ...] = ()


class OddsModel(msgspec.Struct, frozen=True):
    """What the dice can still win, the likeliest first."""

    says: str
    cards: tuple[ChanceModel, ...]


class ScoreNode(msgspec.Struct, frozen=True):
    """A line of the score tree: total, its sources, their cards. `points` add up to the parent's; None: secret."""

    title: str
    points: int | None
    cites: tuple[str, ...] = ()
    children: tuple[ScoreNode, ...] = ()
    note: str = ""


class PreviewModel(msgspec.Struct, frozen=True):
    """What each choice would bring each seat now: a tree for each, a branch for each choice."""

    says: str
    trees: tuple[ScoreNode, ...]


class OutageModel(msgspec.Struct, frozen=True):
    """Two parts that do not fit each other, on a screen of its own until they do or people play on.

    `sides` are the parts, each with what it is; `key` and `choice` are what a tap sends as an answer.
    """

    key: str
    says: str
    sides: tuple[tuple[str, str], ...]
    remedy: str
    choice: ChoiceModel


class LiveModel(msgspec.Struct, frozen=True):
    """The live table. `game` is the journal's key, `undo` the act that Undo would take back."""

    game: str
    title: str
    players: tuple[PlayerModel, ...]
    prompt: PromptModel
    board: BoardModel
    progress: str = ""
    """Such as `Round 2 of 4`."""
    overlays: tuple[OverlayModel, ...] = ()
    camera: State = "ok"
    camera_says: str = ""
    feed: tuple[FeedModel, ...] = ()
    undo: str = ""
    why: WhyModel | None = None
    reminders: tuple[str, ...] = ()
    odds: OddsModel | None = None
    preview: PreviewModel | None = None
    outage: OutageModel | None = None
    finished: bool = False


# -- correction -------------------------------------------------------------------------------


class CorrectOption(msgspec.Struct, frozen=True):
    """One way to put a reading right; tapping it does it.

    `effect` says before the tap what would follow. `breaks` names the first later entry that would
    no longer fit; only then the screen asks for a second tap.
    """

    number: int
    kind: Literal["piece", "turn", "gone"]
    title: str
    effect: str = ""
    breaks: str = ""
    share: int | None = None
    """Per cent of the evidence, shown only when the reading is in doubt."""
    cell: Cell | None = None


class ShelfModel(msgspec.Struct, frozen=True):
    """Pieces of one family, to pick one that the camera did not think of."""

    title: str
    options: tuple[CorrectOption, ...]
    tone: int | None = None


class CorrectModel(msgspec.Struct, frozen=True):
    """What the companion believes about one cell, and what else it may be (likeliest first)."""

    cell: Cell
    says: str
    options: tuple[CorrectOption, ...]
    shelves: tuple[ShelfModel, ...] = ()


# -- the end ----------------------------------------------------------------------------------


class FinalModel(msgspec.Struct, frozen=True):
    """The final score: the verdict in a sentence, a tree per seat, how a tie was broken."""

    game: str
    says: str
    players: tuple[PlayerModel, ...]
    trees: tuple[ScoreNode, ...]
    winner: int | None = None
    tie_break: str = ""
    tie_cites: tuple[str, ...] = ()
    corrected: str = ""
    """How many readings were corrected during play, in a sentence."""
    hidden: str = ""
    """Why no points are shown, in a sentence."""
    hidden_cites: tuple[str, ...] = ()


# -- before the game --------------------------------------------------------------------------


class DeviceModel(msgspec.Struct, frozen=True):
    """One witness or marker on the home screen. `says` names what to do unless all is well."""

    name: str
    state: State
    says: str = ""


class ResumeModel(msgspec.Struct, frozen=True):
    """A game that can be continued, newest first."""

    journal: str
    title: str
    players: str
    progress: str = ""
    when: str = ""


class HomeModel(msgspec.Struct, frozen=True):
    resumes: tuple[ResumeModel, ...] = ()
    devices: tuple[DeviceModel, ...] = ()
    version: str = ""


class GameModel(msgspec.Struct, frozen=True):
    """A tile of the choice of games. `problem` is empty when the game can be played."""

    key: str
    title: str
    players: str = ""
    minutes: str = ""
    cards: str = ""
    """What the camera knows, such as `camera knows 165 of 165 cards`."""
    rules: str = ""
    problem: str = ""
    emblem: Literal["duel", "dice", "map", "cards"] = "cards"


class GamesModel(msgspec.Struct, frozen=True):
    games: tuple[GameModel, ...]


class ValueModel(msgspec.Struct, frozen=True):
    """One value of an option or one edition: what is sent, what is shown, a line of explanation."""

    key: str
    title: str
    note: str = ""


class SwitchModel(msgspec.Struct, frozen=True):
    """A table option at set-up, with its id; `by_edition` names the editions that set another value."""

    key: str
    title: str
    article: str
    values: tuple[ValueModel, ...]
    value: str
    by_edition: tuple[tuple[str, str], ...] = ()


class SetUpModel(msgspec.Struct, frozen=True):
    """Who plays, which edition, which switches (five at most), who begins.

    `names` are ready-made names to tap through; the first of them are the seats' proposals. `seats`
    is the least number of players, `most` the greatest; nobody is asked who begins unless
    `asks_starter`.
    """

    game: str
    title: str
    seats: int
    names: tuple[str, ...]
    editions: tuple[ValueModel, ...]
    edition: str
    switches: tuple[SwitchModel, ...] = ()
    starter_cites: tuple[str, ...] = ()
    most: int = 0
    asks_starter: bool = True


class MeterModel(msgspec.Struct, frozen=True):
    """How good one thing about the camera picture is, in a word, with what to do about it."""

    name: str
    word: str
    state: State
    hint: str = ""


class TableModel(msgspec.Struct, frozen=True):
    """Set-up of the camera: corners of the mat in the picture, slots found, meters in words.

    `corners` are the mat's corners (top left, top right, bottom right, bottom left as seen from
    seat 0's side of the mat), None while they were not found; `manual` says that a person set them.
    """

    corners: tuple[Point, Point, Point, Point] | None = None
    manual: bool = False
    slots: tuple[OverlayModel, ...] = ()
    meters: tuple[MeterModel, ...] = ()
    missing: tuple[str, ...] = ()
    ready: bool = False


class LookModel(msgspec.Struct, frozen=True):
    """How the screen looks: theme, text size (1.0, 1.3, 1.6), the screen's diagonal in inches."""

    theme: Literal["dark", "light", "contrast"] = "dark"
    text: float = 1.0
    diagonal: float = 7.0


class NoticeModel(msgspec.Struct, frozen=True):
    """A sentence that passes by: what was refused and why, or what was done. Shown once."""

    says: str
    tone: Literal["done", "refused", "failed"] = "done"
    cites: tuple[str, ...] = ()


ScreenModel = HomeModel | GamesModel | SetUpModel | TableModel | LiveModel | CorrectModel | FinalModel | NoticeModel
