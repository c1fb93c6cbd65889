"""A real duel on a real session, kept in memory."""

from __future__ import annotations

from pathlib import Path

import companion.games
from companion.bootstrap import find_set, new_header, seat_session
from companion.games import load_game
from companion.journal.entry import Entry
from companion.kernel import Placed, Turned
from companion.notation.playthrough import read_playthrough
from companion.notation.reply import format_reply
from companion.sets.owner import proxy_set
from companion.table.observation import Candidate, Scene, Sighting, Touch
from companion.table.session import Session

NAMES = ("Ania", "J\u00f6rg")
PLAYERS = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
REGIONS = ("region-yeti-1", "region-golem-1", "castle-1", "region-troll-1", "region-gnome-1")


class Memory:
    """A store that keeps entries in a list."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def append(self, entry: Entry) -> int:
        self.entries.append(entry)
        return len(self.entries)


def duel(starter: str | None = "A") -> Session:
    """A duel between Ania and J\u00f6rg before the first region card is dealt; `None`: they draw lots."""
    game = load_game("allies")
    header = new_header(game, NAMES, find_set("allies", None), stated={"starter": starter} if starter else {})
    return seat_session(header, Memory())


def dealt() -> Session:
    """The duel with its five region cards; Ania is asked for her first card."""
    session = duel()
    for column, region in enumerate(REGIONS, 1):
        answer(session, "deal", f"{region} @ R{column}")
    return session


def follow(key: str, name: str, acts: int | None = None) -> Session:
    """A game of the repository's playthroughs after so many acts, all of them if none are named."""
    file = Path(companion.games.__file__).parent / key / "playthroughs" / f"{name}.txt"
    head, answers = read_playthrough(file.read_text(encoding="utf-8"), file.name)
    cards = proxy_set(key)
    header = new_header(load_game(key), PLAYERS[: head.seats], cards, head.edition, head.options, head.stated)
    session = seat_session(header, Memory(), (), cards)
    for to, reply in answers[:acts]:
        answer(session, to, reply)
    return session


def answer(session: Session, to: str, reply: str) -> None:
    before = len(session.done)
    session.observe(Touch("test", 0.0, to=to, reply=reply))
    assert len(session.done) == before + 1, session.alarm


def first_placement(session: Session, slot: str, without_symbols: bool = False) -> Placed:
    """The first card that the due question allows in a slot, if possible one without symbols."""
    allowed = [reply for reply in session.question.domain if isinstance(reply, Placed) and reply.slot == slot]
    cards = session.position.state.box.cards
    plain = [reply for reply in allowed if not cards[reply.piece].symbols and not cards[reply.piece].diamond]
    return (plain if without_symbols and plain else allowed)[0]


def lay(session: Session, slot: str, without_symbols: bool = True) -> str:
    """Lay the first fitting card into a slot and return its key."""
    placed = first_placement(session, slot, without_symbols)
    answer(session, session.question.key, format_reply(placed))
    return placed.piece


def first_turn(session: Session) -> tuple[str, Turned]:
    """The first rotation that is offered."""
    for offer in session.offers:
        if offer.kind == "turn":
            for reply in offer.domain:
                if isinstance(reply, Turned):
                    return offer.key, reply
    raise LookupError("no rotation is offered")


def scene_of(session: Session, **changes: Sighting) -> Scene:
    """What the camera sees when the table lies as the session believes, but for `changes`."""
    lying = session.game.scene(session.position.state)
    seen = []
    for cell in session.game.board(session.position).cells:
        if cell.key in changes:
            seen.append(changes[cell.key])
        elif cell.key in lying:
            it = lying[cell.key]
            seen.append(Sighting(cell.key, "known", it.piece, min(it.turns), confidence=0.95))
        else:
            seen.append(Sighting(cell.key, "empty", confidence=0.95))
    return Scene("camera", 1.0, tuple(seen))


def unsure(slot: str, turn: int, *pieces: str) -> Sighting:
    """Pieces that a picture cannot tell apart, best first."""
    share = round(1 / len(pieces), 2)
    candidates = tuple(Candidate(piece, share - 0.01 * rank) for rank, piece in enumerate(pieces))
    return Sighting(slot, "unsure", pieces[0], turn, confidence=share, candidates=candidates)
