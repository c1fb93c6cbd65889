"""Tables for the tests: sessions kept in memory, looks with perfect sight, whole simulated evenings."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.bootstrap import new_header, seat_session
from companion.games import load_game
from companion.journal.entry import Entry, Header
from companion.journal.errors import JournalUnavailableError
from companion.kernel import Answer, Game, Moved, Placed, Position, Turned
from companion.notation.reply import format_reply
from companion.sets.owner import proxy_set
from companion.simulated.cards import box_of
from companion.simulated.gestures import Push, Reach, Throw, Withdraw
from companion.simulated.players import Players
from companion.simulated.turns import Habits
from companion.simulated.world import Truth, World
from companion.table.observation import Candidate, DiceSeen, Press, Scene, Sighting, Touch
from companion.table.session import Session

NAMES = ("Ada", "Bo")
CARDS = proxy_set("allies")
GAME: Game = load_game("allies")
SLOTS = tuple(f"{row}{column}" for row in GAME.rows for column in range(1, GAME.columns + 1))
REGIONS = ("region-yeti-1", "region-golem-1", "castle-1", "region-troll-1", "region-gnome-1")
LONG = 10.0
"""Seconds after which hands that put something odd on the table are not busy any more."""


class Memory:
    """A store that keeps entries in a list, and fails while it is told to."""

    def __init__(self, entries: tuple[Entry, ...] = ()) -> None:
        self.entries = list(entries)
        self.fails_after: int | None = None

    def append(self, entry: Entry) -> int:
        if self.fails_after is not None:
            if self.fails_after == 0:
                raise JournalUnavailableError("The disk is full; free some space and try again")
            self.fails_after -= 1
        self.entries.append(entry)
        return len(self.entries)


@dataclass
class Table:
    """A session with its store, and the clock of its witnesses."""

    session: Session
    store: Memory
    at: float = 0.0
    lies: dict[str, Sighting] = field(default_factory=dict)
    """What a camera would see, by slot; slots not named are empty."""

    def see(self, after: float = 1.0, **changes: Sighting | None) -> None:
        """Let the camera look, after `changes` of what lies there (None: taken away)."""
        for slot, sighting in changes.items():
            if sighting is None:
                self.lies.pop(slot, None)
            else:
                self.lies[slot] = sighting
        self.at += after
        self.session.observe(self.scene())

    def scene(self, **more: object) -> Scene:
        seen = tuple(self.lies.get(slot, Sighting(slot, "empty", confidence=1.0)) for slot in SLOTS)
        return Scene("camera", self.at, seen, **more)  # type: ignore[arg-type]

    def linger(self) -> None:
        """The table stays as it is for longer than hands need."""
        self.see()
        self.see(LONG)

    def touch(self, to: str, reply: str) -> None:
        self.session.observe(Touch("screen", self.at, to=to, reply=reply))

    def choose(self, number: int) -> None:
        self.session.observe(Touch("screen", self.at, choice=number))

    def press(self, button: str, seat: int | None = 0) -> None:
        self.session.observe(Press("buttons", self.at, seat, button))  # type: ignore[arg-type]

    def as_believed(self) -> None:
        """Lay everything on the table as the session believes that it lies."""
        lying = GAME.scene(self.session.position.state)
        self.lies = {slot: card(slot, each.piece, min(each.turns)) for slot, each in lying.items()}

    @property
    def state(self) -> tuple[Position, tuple[Entry, ...]]:
        return self.session.position, tuple(self.store.entries)


def header(**stated: object) -> Header:
    return new_header(GAME, NAMES, CARDS, stated=stated)


def table(entries: tuple[Entry, ...] = (), starter: str | None = "A") -> Table:
    """A table before the first region card is dealt."""
    store = Memory(entries)
    return Table(seat_session(header(starter=starter), store, entries, CARDS), store)


def dealt() -> Table:
    """A table with its five region cards; Ada is asked for her first card. The camera has seen it."""
    fresh = table()
    fresh.see(**{f"R{column}": card(f"R{column}", region, 1) for column, region in enumerate(REGIONS, 1)})
    assert fresh.session.question is not None
    assert fresh.session.question.key == "play", fresh.session.alarm
    return fresh


def full() -> Table:
    """A table on which all ten cards of the first round lie; the region cards are to be turned."""
    evening = dealt()
    for column in range(1, 6):
        for row, tribe in (("A", "yeti"), ("B", "golem")):
            slot = f"{row}{column}"
            evening.see(**{slot: card(slot, without_diamond(tribe)[column - 1])})
    assert evening.session.question is not None
    assert evening.session.question.key == "fight", evening.session.alarm
    return evening


def card(slot: str, piece: str, turn: int | None = None, **more: object) -> Sighting:
    """A card that is read for sure; without a turn it lies as it is laid."""
    if turn is None:
        turn = 2 if slot[0] == "B" else 1 if slot[0] == "R" else 0
    return Sighting(slot, "known", piece, turn, confidence=0.95, digest=f"digest of {piece}", **more)  # type: ignore[arg-type]


def unsure(slot: str, *candidates: tuple[str, float]) -> Sighting:
    """A card that a picture cannot tell apart from others; candidates best first."""
    turn = 2 if slot[0] == "B" else 0
    ranked = tuple(Candidate(piece, score) for piece, score in candidates)
    return Sighting(slot, "unsure", candidates[0][0], turn, confidence=0.3, candidates=ranked)


def cards_of(tribe: str, fits: Callable[[dict[str, object]], bool] = lambda fields: True) -> list[str]:
    """Keys of the proxies of a tribe with fitting printed fields."""
    return [key for key, fields in CARDS.of_kind("tribe").items() if fields["tribe"] == tribe and fits(dict(fields))]


def plain(tribe: str, number: int = 0) -> str:
    """A card of the tribe without symbols and diamond: laying it leaves nothing to do."""
    return cards_of(tribe, lambda fields: not fields["symbols"] and not fields["diamond"])[number]


def without_diamond(tribe: str) -> list[str]:
    """Cards of the tribe that have no ability."""
    return cards_of(tribe, lambda fields: not fields["diamond"])


def with_symbols(tribe: str, *symbols: int) -> str:
    """A card of the tribe with just these rotations and no diamond."""
    found = cards_of(tribe, lambda fields: sorted(fields["symbols"]) == sorted(symbols) and not fields["diamond"])  # type: ignore[call-overload]
    return found[0]


def first_reply(session: Session, slot: str) -> str:
    """The first reply to the due question that lays a card into a slot, in notation."""
    assert session.question is not None
    return next(format_reply(r) for r in session.question.domain if isinstance(r, Placed) and r.slot == slot)


def a_turn(session: Session) -> tuple[str, Turned]:
    """The first rotation that is offered."""
    return next(
        (offer.key, reply)
        for offer in session.offers
        if offer.kind == "turn"
        for reply in offer.domain
        if isinstance(reply, Turned)
    )


Epochs = tuple[tuple[object, tuple[object, ...]], ...]
"""What was laid, one after the other, each with everything else that was done until the next was laid."""


def epochs(acts: list[tuple[str, tuple[str, ...], str | None]]) -> Epochs:
    """Group acts (kind, slots, piece) by the card laid last; the order within a turn makes no difference."""
    groups: list[tuple[object, list[object]]] = [(None, [])]
    for kind, slots, piece in acts:
        if kind in ("lay", "deal"):
            groups.append(((kind, slots, piece), []))
        else:
            groups[-1][1].append((kind, tuple(sorted(slots)) if kind == "swap" else slots))
    return tuple((laid, tuple(sorted(others, key=repr))) for laid, others in groups)


def as_acts(answers: tuple[Answer, ...]) -> list[tuple[str, tuple[str, ...], str | None]]:
    acts: list[tuple[str, tuple[str, ...], str | None]] = []
    for answer in answers:
        match answer.reply:
            case Placed(piece=piece, slot=slot):
                acts.append(("deal" if answer.to == "deal" else "lay", (slot,), piece))
            case Turned(slot=slot):
                acts.append(("turn", (slot,), None))
            case Moved(start=start, end=end, swap=swap):
                acts.append(("swap" if swap else "move", (start, end), None))
    return acts


@dataclass
class Evening:
    """A whole simulated game, followed."""

    table: Table
    truth: Truth
    won: dict[str, list[list[str]]]
    troubles: list[str]
    """Why people gave up, empty if they played to the end."""
    answered: int
    """Questions that the people at the table answered."""

    @property
    def score(self) -> dict[str, int]:
        terms = GAME.score(self.table.session.position.state)
        return {letter: term.points for letter, term in zip("AB", terms, strict=True)}


def spend(seed: int, look_every: int = 1, habits: Habits | None = None) -> Evening:
    """Play a simulated game with perfect sight; the camera looks after every `look_every`-th pause.

    Before somebody presses a button and at the end it has looked. A question is answered by people who
    remember what they did; they give up if no choice says so, and they do not play on over an alarm.
    """
    world = World(box_of(CARDS), random.Random(f"{seed} world"))
    players = Players(world, random.Random(f"{seed} players"), habits)
    evening = table(starter=None)
    session = evening.session
    troubles: list[str] = []
    recent: list[tuple[str, tuple[str, ...], str | None]] = []
    pauses = answered = 0

    def look() -> None:
        nonlocal answered
        evening.lies = {
            slot: card(slot, laid.card, laid.turn) for slot, laid in world.slots.items() if laid is not None
        }
        evening.linger()
        if session.doubt is not None:
            right = [n for n, c in enumerate(session.doubt.choices) if epochs(as_acts(c.answers)) == epochs(recent)]
            if not right:
                raise GivenUpError(session.doubt.says)
            answered += 1
            evening.choose(right[0])
        if session.alarm:
            raise GivenUpError(session.alarm)
        if not session.held:
            recent.clear()

    try:
        for gesture in players.play():
            evening.at += 1.0
            if isinstance(gesture, Withdraw):
                pauses += 1
                if pauses % look_every == 0:
                    look()
            elif isinstance(gesture, Reach) and gesture.act in ("lay", "deal", "turn", "move", "swap"):
                recent.append((gesture.act, gesture.slots, gesture.carries if gesture.act in ("lay", "deal") else None))
            elif isinstance(gesture, Push):
                look()
                evening.press(gesture.button, gesture.seat)
            elif isinstance(gesture, Throw):
                faces = tuple(str(face) for face in gesture.faces)
                session.observe(DiceSeen("tray", evening.at, faces))
        look()
    except GivenUpError as reason:
        troubles.append(str(reason))
    state = session.position.state
    won = {
        letter: [[state.box.kind(key) for key in state.won(seat, number)] for number in range(1, 5)]
        for seat, letter in enumerate("AB")
    }
    return Evening(evening, world.truth(), won, troubles, answered)


class GivenUpError(Exception):
    """A question had no right choice, or something is said to be wrong."""


def same_piles(one: dict[str, list[list[str]]], other: dict[str, list[list[str]]]) -> bool:
    """Whether the same was won by each seat in each round, in whatever order."""
    return {k: [sorted(r) for r in v] for k, v in one.items()} == {k: [sorted(r) for r in v] for k, v in other.items()}
