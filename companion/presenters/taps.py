"""What each button of the live table does: a choice, the next part of a reply, or one part back.

Pieces that lie on the board are tapped there; everything else can be said with these buttons, so
that a game can be followed by touch alone.
"""

from __future__ import annotations

import msgspec

from companion.kernel import Answer, Question
from companion.presenters.models import ChoiceModel
from companion.table.composing import ALL, Said, next_parts, whole_reply
from companion.table.session import Session

ON_BOARD = ("place", "move", "turn")
BACK, THAT_IS_ALL = "Back", "That is all"


class Tap(msgspec.Struct, frozen=True):
    """A button: what it says, and what a tap on it does.

    `does` is the number of one of the session's choices, what is said of a reply from then on (None:
    nothing any more), or a whole answer.
    """

    says: str
    does: int | Said | Answer | None
    backwards: bool = False


def taps_of(session: Session, said: Said | None = None) -> tuple[Tap, ...]:
    """Return the buttons for what is asked, or for the next part of the reply that is being `said`."""
    if session.doubt is None:
        asked = [question for question in session.apparent.questions if _is_said_by_parts(session, question)]
        saying = next((question for question in asked if said is not None and question.key == said.to), None)
        if said is not None and saying is not None:
            back = Said(said.to, said.parts[:-1]) if said.parts else None
            return (*_next_taps(session, saying, said), Tap(BACK, back, backwards=True))
    else:
        asked = []
    plain = tuple(Tap(choice.says, number) for number, choice in enumerate(session.choices))
    if len(asked) == 1 and not plain:
        return _next_taps(session, asked[0], Said(asked[0].key))
    return (*(Tap(session.voice.say(each.text), Said(each.key)) for each in asked), *plain)


def present_tap(number: int, tap: Tap) -> ChoiceModel:
    """Return the button of a tap."""
    return ChoiceModel(number, tap.says, style="no" if tap.backwards or tap.says in ("No", "-") else "plain")


def _is_said_by_parts(session: Session, question: Question) -> bool:
    on_board = question.kind in ON_BOARD and bool(session.game.rows) and session.game.cards_on_mat
    return not on_board and not session.is_choice(question)


def _next_taps(session: Session, question: Question, said: Said) -> tuple[Tap, ...]:
    return tuple(_next_tap(session, question, said.and_then(part)) for part in next_parts(question, said))


def _next_tap(session: Session, question: Question, said: Said) -> Tap:
    reply = whole_reply(question, said)
    does = said if reply is None else Answer(question.key, reply)
    part = said.parts[-1]
    return Tap(THAT_IS_ALL if part == ALL else session.voice.word(part), does)
