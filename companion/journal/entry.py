"""What a journal holds: one header, then entries, each with who said it and why it was believed.

Entries are numbered from 1 in the order in which they were written; the header is number 0. Order
comes from these numbers alone, never from a clock. `to` and `reply` are strings in the game's own
notation: the journal knows no game.

Undo is a kind of its own. History is append-only, so taking something back must add an entry, and
that entry must survive a crash and can itself be taken back. A correction with an empty reply could
not say this: it would have no meaning for a correction or for an undo, and an empty reply might be
an answer in some game. An undo names one earlier entry and takes its effect away, whatever its kind:
an answer or declaration leaves the game, a correction gives way to the reading before it, and an
undo of an undo brings back what was taken.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

FORMAT: Final = 1
"""The version of the file format that this code writes, and the only one it reads."""

Source = Literal["camera", "touch", "button", "dice", "markers", "file", "clock", "companion"]
"""Where an entry came from; `companion` is what the companion notes by itself."""

Confidence = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
"""How sure the witness was, 0 to 1."""


class Header(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", tag="header", forbid_unknown_fields=True):
    """The first line: which game is played by which rules.

    `seats` are the players' names in seat order. `card_set` and `set_digest` name the card faces that
    were in use. `start` is the opening position in notation, empty for the ordinary set-up. `made` is
    the date and time in words, for people only; nothing depends on it.
    """

    format: Literal[1] = FORMAT
    game: str
    rules_version: str
    edition: str
    options: dict[str, str] = {}
    seats: tuple[str, ...]
    card_set: str = ""
    set_digest: str = ""
    start: str = ""
    made: str = ""


class _Witnessed(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", forbid_unknown_fields=True):
    """The provenance every entry carries.

    `seat` is who acted, counted from 0, None if nobody at the table did; `witness` the witness's name;
    `evidence` the digest of what was seen, empty if nothing was kept.
    """

    seat: int | None = None
    source: Source
    witness: str = ""
    confidence: Confidence = 1.0
    evidence: str = ""


class AnswerEntry(_Witnessed, frozen=True, kw_only=True, tag="answer"):
    """The table answered the question `to` with `reply`."""

    to: str
    reply: str


class CorrectionEntry(_Witnessed, frozen=True, kw_only=True, tag="correction"):
    """Answer number `of` (or the answer that correction number `of` corrected) was really this."""

    of: int
    to: str
    reply: str


class UndoEntry(_Witnessed, frozen=True, kw_only=True, tag="undo"):
    """Entry number `of` is taken back."""

    of: int


class DeclarationEntry(_Witnessed, frozen=True, kw_only=True, tag="declaration"):
    """The table is now so: `position` in notation, and in words the `reason` for declaring it."""

    position: str
    reason: str


class NoteEntry(_Witnessed, frozen=True, kw_only=True, tag="note"):
    """A remark that changes nothing. `kind` is `finished` when the game has ended, else free."""

    text: str
    kind: str = "remark"


Entry = AnswerEntry | CorrectionEntry | UndoEntry | DeclarationEntry | NoteEntry

FINISHED = "finished"
"""The `kind` of the note that marks a game as ended."""
