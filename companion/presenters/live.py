"""The live table: from a session to what its screen shows. Pure; looks, never touches."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.kernel import BoardModel, Cell, Position, Refusal, advance
from companion.kernel.board import CellState
from companion.kernel.questions import slots_of
from companion.presenters.models import (
    ChoiceModel,
    FeedModel,
    LiveModel,
    OverlayModel,
    PlayerModel,
    PromptModel,
    State,
)
from companion.presenters.odds import present_odds
from companion.presenters.preview import present_preview
from companion.presenters.taps import present_tap, taps_of
from companion.presenters.why import present_why
from companion.presenters.wording import ids_of, rules_of, without_stop
from companion.table.composing import Said
from companion.table.session import Choice, Session

MOST_FEED = 2


def present(
    session: Session,
    journal: str,
    overlays: tuple[OverlayModel, ...] = (),
    camera: State = "ok",
    camera_says: str = "",
    said: Said | None = None,
) -> LiveModel:
    """Return what the live table shows now.

    `journal` is the key by which the screen names this game, `said` the beginning of a reply that is
    being said by touch.
    """
    position = session.apparent
    handiwork, reminders = _owed(session)
    if camera == "off":
        # Nobody watches whether hands follow: what they owe is said and believed.
        reminders, handiwork = (*reminders, *handiwork), ()
    if not session.awaited:
        # Nothing is waited for on the table, so it is no task before the next question: it is only said.
        reminders, handiwork = (*handiwork, *reminders), ()
    return LiveModel(
        game=journal,
        title=session.game.title,
        players=_players(session),
        prompt=_prompt(session, handiwork, said),
        board=_board(session, watched=camera != "off"),
        progress="\n".join(
            part.strip() for text in session.game.status(position) for part in session.voice.say(text).split(",", 1)
        ),
        overlays=overlays,
        camera=camera,
        camera_says=camera_says,
        feed=tuple(FeedModel(without_stop(session.describe(act))) for act in session.done[: -MOST_FEED - 1 : -1]),
        undo=without_stop(session.undoes),
        why=present_why(session, rules_of(session)),
        reminders=(*reminders, *_offers(session), *handiwork[1:]),
        odds=present_odds(session),
        preview=present_preview(session),
        finished=session.is_over,
    )


def prompt_key(session: Session) -> str:
    """Return the key of the prompt shown now, by which an answer from the screen names it."""
    if session.doubt is not None:
        return f"doubt:{'|'.join(choice.says for choice in session.doubt.choices)}:{len(session.done)}"
    return "" if session.question is None else f"{session.question.key}:{len(session.done)}"


def _players(session: Session) -> tuple[PlayerModel, ...]:
    scores = [term.points for term in session.game.score(session.apparent.state)]
    hidden = session.game.hides_scores(session.apparent.state)
    question = session.question
    hands = {pile.owner: pile for pile in session.game.board(session.apparent).piles if pile.title == "hand"}
    return tuple(
        PlayerModel(
            seat,
            name,
            None if hidden else scores[seat],
            turn=question is not None and question.seat == seat,
            asked=any(offer.seat == seat for offer in session.offers),
            note=_hand(hands[seat].count, hands[seat].note) if seat in hands else "",
        )
        for seat, name in enumerate(session.header.seats)
    )


def _hand(count: int | None, limit: str) -> str:
    held = "hand not known" if count is None else f"hand {count}"
    return f"{held}, {limit}" if limit else held


def _owed(session: Session) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what hands still owe that a camera will see, and what none will (drawing cards)."""
    unseen = {
        session.voice.owed(ruled.effect)
        for ruled in session.ruling
        if (owed := session.game.owed(ruled.effect)) is not None and not owed.slots
    }
    seen = tuple(says for says in session.todo if says not in unseen)
    return seen, tuple(says for says in session.todo if says in unseen)


def _prompt(session: Session, handiwork: tuple[str, ...], said: Said | None) -> PromptModel:
    question = session.question
    key = prompt_key(session)
    seat = None if question is None else question.seat
    choices = tuple(present_tap(number, tap) for number, tap in enumerate(taps_of(session, said)))
    if session.doubt is not None:
        doubted = tuple(_doubt_choice(session, number, choice) for number, choice in enumerate(session.doubt.choices))
        return PromptModel("doubt", session.doubt.says, "", key, seat, doubted)
    if session.alarm:
        cites = tuple(cited.article for cited in session.refusal[0].cites) if session.refusal else ()
        says = session.alarm.removesuffix(f" ({', '.join(cites)})") if cites else session.alarm
        return PromptModel("alarm", without_stop(says), "", key, seat, choices, cites)
    if handiwork:
        return PromptModel("todo", without_stop(handiwork[0]), "the camera is watching", key, seat, choices)
    if question is None:
        told = session.voice.tell(session.ruling[-1].effect) if session.ruling else "The game is over."
        return PromptModel("wait", without_stop(told))
    says = without_stop(session.voice.say(question.text))
    return PromptModel("ask", says, without_stop(session.notice), key, seat, choices, ids_of(question))


def _offers(session: Session) -> tuple[str, ...]:
    """Return in one sentence what may be done at the table but need not."""
    shown = {choice.says for choice in session.choices}
    words = [session.voice.say(offer.text) for offer in session.offers]
    free = dict.fromkeys(says for says in words if says not in shown)
    return (f"If you like: {', '.join(free)}",) if free else ()


def _doubt_choice(session: Session, number: int, choice: Choice) -> ChoiceModel:
    """A candidate as people would tell it: what was done, what came of it, and its picture."""
    told, after = _carried_out(session, choice)
    slots = _slots((choice,))
    cell = next((cell for cell in session.game.board(after).cells if cell.key in slots and cell.kind != "empty"), None)
    share = _share(session, cell)
    detail = f"{share} %" if share is not None else (without_stop(told[-1]) if told else "")
    return ChoiceModel(number, choice.says, detail, "likely" if number == 0 else "plain", cell)


def _carried_out(session: Session, choice: Choice) -> tuple[list[str], Position]:
    """Return what the answers of a choice would lead to, in sentences, and the position."""
    told: list[str] = []
    position = session.position
    for answer in choice.answers:
        outcome = advance(position, answer)
        if isinstance(outcome, Refusal):
            break
        position = outcome
        touched = [r for r in position.told if set(session.game.touched(r.effect)) & set(slots_of(answer.reply))]
        told += [session.voice.tell(ruled.effect) for ruled in touched or position.told[:1]]
    return told, position


def _share(session: Session, cell: Cell | None) -> int | None:
    """Return the per cent of the picture's evidence for what a cell shows."""
    sighting = session.scene.by_slot.get(cell.key) if session.scene is not None and cell is not None else None
    if sighting is None or cell is None:
        return None
    return next((round(100 * found.score) for found in sighting.candidates if found.piece == cell.title), None)


def _slots(choices: tuple[Choice, ...]) -> set[str]:
    return {slot for choice in choices for answer in choice.answers for slot in slots_of(answer.reply)}


def _board(session: Session, watched: bool) -> BoardModel:
    """The game's board, with the cells marked that are new, doubted, wrong or still to be handled."""
    board = session.game.board(session.apparent)
    marks: dict[str, CellState] = {}
    for ruled in session.ruling:
        marks |= dict.fromkeys(session.game.touched(ruled.effect), "fresh")
    own = set(slots_of(session.done[-1].answer.reply)) if session.done else set()
    marks |= dict.fromkeys((set(session.awaited) - own) if watched else (), "missing")
    if session.doubt is not None:
        marks |= dict.fromkeys(_slots(session.doubt.choices), "unsure")
    elif session.alarm and session.refusal is not None:
        marks |= {str(value): "wrong" for name, value in session.refusal[0].text.values if name == "slot"}
    return replace(board, cells=tuple(_marked(cell, marks) for cell in board.cells))


def _marked(cell: Cell, marks: Mapping[str, CellState]) -> Cell:
    return replace(cell, state=marks[cell.key]) if cell.key in marks else cell
