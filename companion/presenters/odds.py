"""What the dice can still win: each goal with its chance under best play for it, and the dice to keep."""

from __future__ import annotations

from functools import lru_cache

from companion.kernel import Rolling
from companion.odds import Chance, chances
from companion.presenters.models import ChanceModel, OddsModel
from companion.presenters.wording import without_stop
from companion.table.session import Session


def present_odds(session: Session) -> OddsModel | None:
    """Return the odds of the roll that is open, best chance first; None where no dice are rolled."""
    if all(question.kind != "roll" for question in session.apparent.questions):
        return None
    rolling = session.game.rolling(session.apparent.state)
    if rolling is None or not rolling.goals:
        return None
    found = sorted(reckoned(rolling), key=lambda each: each.chance, reverse=True)
    rolls = "1 roll left" if rolling.rolls == 1 else f"{rolling.rolls} rolls left"
    cards = tuple(_present(session, rolling, each) for each in found)
    return OddsModel(f"What the dice can still win, with {rolls}", cards)


@lru_cache(maxsize=4)
def reckoned(rolling: Rolling) -> tuple[Chance, ...]:
    """Return the chances of a roll; the screen asks for the same ones whenever anything changes."""
    return chances(rolling)


def _present(session: Session, rolling: Rolling, each: Chance) -> ChanceModel:
    asks = without_stop(session.voice.say(each.goal.text))
    cites = tuple(cited.article for cited in each.goal.cites)
    return ChanceModel(each.goal.piece, asks, share(each.chance), keeping(rolling, each), each.met, cites)


def share(chance: float) -> str:
    """Return a chance in words as short as they may be: whole per cents, and no 0 % or 100 % that is not so."""
    if chance in (0.0, 1.0) or 0.01 <= chance <= 0.99:
        return f"{round(100 * chance)} %"
    return "under 1 %" if chance < 0.01 else "over 99 %"


def keeping(rolling: Rolling, each: Chance) -> str:
    """Return which dice to keep, in words."""
    if not rolling.faces:
        return "roll all dice"
    if len(each.keep) == len(rolling.faces):
        return "keep all dice"
    if not each.keep:
        return "keep none"
    return f"keep {' '.join(rolling.faces[die] for die in each.keep)}"
