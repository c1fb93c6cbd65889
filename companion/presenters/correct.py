"""Correction of one cell: what else it may be, what would follow, and how to carry it out.

Only what the rules allow is offered: other replies to the answer that put the piece there, replies
to open questions that touch the cell, and taking the act back.
"""

from __future__ import annotations

import msgspec

from companion.journal.read import Divergence
from companion.kernel import Answer, Cell, Placed, Position, Refusal, Reply, Turned, advance
from companion.kernel.questions import slots_of
from companion.notation.reply import format_reply
from companion.presenters.models import CorrectModel, CorrectOption, ShelfModel
from companion.presenters.wording import without_stop
from companion.table.observation import Touch
from companion.table.session import Done, Provenance, Refused, Session

LIKELIEST = 3
SCREEN = "screen"
MOST_SAID = 3


class Remedy(msgspec.Struct, frozen=True):
    """What an option does: correct act `sequence`, or answer the open question `to`, or undo `undo` acts."""

    to: str = ""
    reply: str = ""
    sequence: int = 0
    undo: int = 0
    take_back: bool = False


class Plan(msgspec.Struct, frozen=True):
    """A correction as it is shown; `remedies[n]` is what its option number n does."""

    model: CorrectModel
    remedies: tuple[Remedy, ...]


def plan_correction(session: Session, cell: str) -> Plan | None:
    """Return how the cell may be put right, None if nothing that the rules know touches it."""
    shown = session.game.board(session.apparent).cell(cell)
    plan = _Plan(session, shown)
    acts = (done for done in reversed(session.done) if cell in slots_of(done.answer.reply))
    # What lay there and is gone by now was right when it lay there: an empty place is filled, not corrected.
    act = next(acts, None) if shown.kind != "empty" else None
    if act is not None and isinstance(act.answer.reply, (Placed, Turned)):
        plan.correct_act(act)
    laid = _laid(session, shown) if act is not None else None
    if laid is not None and laid is not act:
        plan.correct_act(laid)
    plan.answer_open()
    if act is not None:
        plan.take_back(act)
    if not plan.options and not plan.shelves:
        return None
    says = f"{cell} was read as {shown.title}. What is it?" if shown.title else f"What lies in {cell}?"
    return Plan(CorrectModel(shown, says, tuple(plan.options), plan.shelved()), tuple(plan.remedies))


def _laid(session: Session, shown: Cell) -> Done | None:
    """Return the act that brought the piece to the table, wherever it was laid then."""
    return next(
        (
            done
            for done in reversed(session.done)
            if isinstance(done.answer.reply, Placed) and done.answer.reply.piece == shown.title
        ),
        None,
    )


def carry_out(session: Session, remedy: Remedy, at: float = 0.0) -> str:
    """Do what an option says; return a sentence why not, empty when it is done."""
    how = Provenance("touch", SCREEN)
    if remedy.undo:
        return "" if session.undo(how, remedy.undo) else session.alarm or "There is nothing more to undo."
    if remedy.sequence:
        return session.correct(remedy.sequence, remedy.reply, how, remedy.take_back)
    before = len(session.done)
    session.observe(Touch(SCREEN, at, to=remedy.to, reply=remedy.reply))
    return "" if len(session.done) > before else session.alarm


class _Plan:
    def __init__(self, session: Session, cell: Cell) -> None:
        self.session, self.cell = session, cell
        self.options: list[CorrectOption] = []
        self.remedies: list[Remedy] = []
        self.shelves: dict[str, list[CorrectOption]] = {}

    def correct_act(self, act: Done) -> None:
        """Offer the other replies to the question that an act answered."""
        before = self._position_before(act)
        slots = slots_of(act.answer.reply)
        others = [reply for reply in act.asked.domain if slots_of(reply) == slots and reply != act.answer.reply]
        if isinstance(act.answer.reply, Turned):
            for reply in others[:2]:
                self._previewed(act, reply, "turn", f"Turned by {getattr(reply, 'by', '')}")
            return
        others = [reply for reply in others if getattr(reply, "piece", "") != self.cell.title]
        placed = self._by_likelihood(others)
        for reply in placed[:LIKELIEST]:
            self._previewed(act, reply, "piece", reply.piece)
        for reply in placed:
            after = advance(before, Answer(act.answer.to, reply)) if before is not None else None
            if not isinstance(after, Refusal):
                picture = None if after is None else self._picture(after, slots[0])
                remedy = Remedy(act.answer.to, format_reply(reply), act.sequence)
                self._shelve(reply.piece, CorrectOption(len(self.remedies), "piece", reply.piece, cell=picture), remedy)

    def answer_open(self) -> None:
        """Offer the replies to open questions that touch the cell: what no camera saw is entered so."""
        key = self.cell.key
        position = self.session.apparent
        for question in position.questions:
            if question.kind not in ("place", "turn"):
                continue
            replies = [reply for reply in question.domain if slots_of(reply) == (key,)]
            if question.kind == "turn":
                for reply in replies[:1]:
                    self._answered(question.key, reply, "turn", self.session.voice.say(question.text))
                continue
            if self.cell.kind != "empty":
                continue
            placed = self._by_likelihood(replies)
            for reply in placed[:LIKELIEST] if self._seen() else []:
                self._answered(question.key, reply, "piece", reply.piece)
            for reply in placed:
                after = advance(position, Answer(question.key, reply))
                if not isinstance(after, Refusal):
                    option = CorrectOption(len(self.remedies), "piece", reply.piece, cell=self._picture(after))
                    self._shelve(reply.piece, option, Remedy(question.key, format_reply(reply)))

    def take_back(self, act: Done) -> None:
        """Offer to undo the act that put the piece there, with all that came after."""
        count = len(self.session.done) - self.session.done.index(act)
        breaks = "" if count == 1 else f"That takes back the last {count} acts, one after the other."
        says = f"takes back: {without_stop(self.session.describe(act))}"
        self._offer(CorrectOption(len(self.remedies), "gone", "Not so", says, breaks), Remedy(undo=count))

    def shelved(self) -> tuple[ShelfModel, ...]:
        return tuple(ShelfModel(family, tuple(options)) for family, options in sorted(self.shelves.items()))

    def _previewed(self, act: Done, reply: Reply, kind: str, title: str) -> None:
        outcome = self.session.preview(act.sequence, format_reply(reply))
        if isinstance(outcome, Refused):
            return
        remedy = Remedy(act.answer.to, format_reply(reply), act.sequence)
        if isinstance(outcome, Divergence):
            breaks = f"{outcome.says.removesuffix(' Nothing was changed.')} It and all after it would be taken back."
            self._add(kind, title, "", breaks, None, msgspec.structs.replace(remedy, take_back=True))
            return
        self._add(kind, title, self._difference(outcome), "", self._picture(outcome), remedy)

    def _answered(self, to: str, reply: Reply, kind: str, title: str) -> None:
        after = advance(self.session.apparent, Answer(to, reply))
        if not isinstance(after, Refusal):
            self._add(kind, title, self._difference(after), "", self._picture(after), Remedy(to, format_reply(reply)))

    def _add(self, kind: str, title: str, effect: str, breaks: str, picture: Cell | None, remedy: Remedy) -> None:
        option = CorrectOption(
            len(self.remedies),
            "piece" if kind == "piece" else "turn",
            title,
            effect,
            breaks,
            self._shares().get(title),
            picture,
        )
        self._offer(option, remedy)

    def _offer(self, option: CorrectOption, remedy: Remedy) -> None:
        self.options.append(option)
        self.remedies.append(remedy)

    def _shelve(self, piece: str, option: CorrectOption, remedy: Remedy) -> None:
        family = piece.rsplit("-", 1)[0]
        self.shelves.setdefault(family, []).append(option)
        self.remedies.append(remedy)

    def _position_before(self, act: Done) -> Position | None:
        index = self.session.done.index(act)
        return self.session.done[index - 1].position if index else None

    def _picture(self, position: Position, key: str = "") -> Cell:
        return self.session.game.board(position).cell(key or self.cell.key)

    def _seen(self) -> bool:
        return bool(self._shares())

    def _shares(self) -> dict[str, int]:
        """Return the picture's candidates for the cell with their per cent."""
        scene = self.session.scene
        sighting = scene.by_slot.get(self.cell.key) if scene is not None else None
        return {each.piece: round(100 * each.score) for each in sighting.candidates} if sighting is not None else {}

    def _by_likelihood(self, replies: list[Reply]) -> list[Placed]:
        """Rank pieces by the picture, those it does not name by their kinship to what was read."""
        shares = self._shares()
        family = self.cell.title.rsplit("-", 1)[0]
        placed = {reply.piece: reply for reply in replies if isinstance(reply, Placed)}
        return sorted(
            placed.values(), key=lambda reply: (-shares.get(reply.piece, 0), not reply.piece.startswith(family))
        )

    def _difference(self, after: Position) -> str:
        """Say what would differ from now: the cell's value, other cells, the points."""
        session, key = self.session, self.cell.key
        now, then = (session.game.board(position) for position in (session.apparent, after))
        said: list[str] = []
        old, new = now.cell(key), then.cell(key)
        if new.value and new.value != old.value:
            said.append(f"counts {new.value}" + (f" instead of {old.value}" if old.value else ""))
        names = session.header.seats
        for before, cell in zip(now.cells, then.cells, strict=True):
            if cell.key != key and cell.kind == "tile" and cell.owner != before.owner:
                said.append(
                    f"{cell.key} towards {names[cell.owner]}" if cell.owner is not None else f"{cell.key} sideways"
                )
            elif cell.key != key and (cell.title, cell.value) != (before.title, before.value):
                said.append(f"{cell.key}: {cell.title or 'empty'} {cell.value}".strip())
        points = zip(session.game.score(session.apparent.state), session.game.score(after.state), names, strict=True)
        said += [f"{name} {new.points} points" for old, new, name in points if old.points != new.points]
        return "; ".join(said[:MOST_SAID]) or "nothing else changes"
