"""Step 2: which villagers the dice win, and every reason against taking one (KD-18, KD-19, KD-23)."""

from __future__ import annotations

from companion.games.king_of_the_dice.state import Kingdoms, Villager, meets
from companion.kernel import (
    UNKNOWN,
    Chosen,
    Citation,
    OneOf,
    Question,
    Refusal,
    Text,
    cite,
    refuse,
)

PENALTY, NOTHING = "penalty", "nothing"
"""What may be answered instead of a villager."""

NONE_MET = cite("KD-23")
DECLINED = cite("KD-Q05", "KD-Q06")
_TAKE = cite("KD-18")
_ONE = cite("KD-19")
_MUST = cite("KD-23", "KD-Q05")
_MUST_DRAGON = cite("KD-23", "KD-Q05", "KD-Q06")


def take(state: Kingdoms) -> tuple[Question, ...]:
    """Return the question what is taken; nobody is asked when the last roll has met nothing."""
    met = met_by(state)
    if not met and state.rolls >= state.rolls_allowed:
        return ()
    picks = [villager.key for villager in met] or [PENALTY]
    picks += [NOTHING] if may_decline(state, met) else []
    replies = OneOf(Chosen((pick,)) for pick in picks)
    text = Text("ask.take" if met else "ask.stop", (("seat", state.letter),))
    return (Question("take", "choose", state.seat, replies, _TAKE if met else NONE_MET, text),)


def met_by(state: Kingdoms) -> tuple[Villager, ...]:
    """Return the open villagers whose conditions the dice meet (KD-18)."""
    return tuple(villager for villager in state.open_villagers if meets(villager, state.dice))


def may_decline(state: Kingdoms, met: tuple[Villager, ...]) -> bool:
    """Return whether a villager that is met may be left (KD-Q05), or at least a dragon (KD-Q06)."""
    options = (state.options["villager_met"], state.options["only_dragon_met"] if _only_dragons(met) else "")
    return bool(met) and "may_decline" in options


def refuse_take(state: Kingdoms, picks: tuple[str, ...]) -> Refusal | None:
    """Return the reason against taking these, in the order in which a table would name it."""
    if len(picks) != 1:
        return refuse(_ONE, "take.one", found=len(picks), cards=" + ".join(picks) or "-")
    (pick,), met = picks, met_by(state)
    names = ", ".join(villager.key for villager in met)
    if pick == PENALTY:
        return refuse(_MUST, "take.met", cards=names) if met else None
    if pick == NOTHING and not met:
        return refuse(NONE_MET, "take.penalty")
    if pick == NOTHING:
        must = _MUST_DRAGON if _only_dragons(met) else _MUST
        return None if may_decline(state, met) else refuse(must, "take.must", cards=names)
    if pick not in state.row:
        return refuse(_TAKE, "take.not_open", card=pick, row=", ".join(each.key for each in state.open_villagers))
    return refuse_villager(state, state.box.villagers[pick])


def refuse_villager(state: Kingdoms, villager: Villager) -> Refusal | None:
    """Return what the dice lack for a villager: what it asks, and what they show of that."""
    condition = villager.condition
    if condition is UNKNOWN or meets(villager, state.dice):
        return None
    asked, shown = condition.asked(), condition.shown([condition.sees(face) for face in state.dice])
    values = {"card": villager.key, "shown": shown, **dict(asked.values)}
    return refuse(articles_of(villager), asked.key.replace("asks.", "take."), **values)


def articles_of(villager: Villager) -> tuple[Citation, ...]:
    """Return the articles by which dice win a villager, or do not."""
    return _TAKE if villager.condition is UNKNOWN else (*_TAKE, *villager.condition.cites)


def _only_dragons(met: tuple[Villager, ...]) -> bool:
    return all(villager.kind == "dragon" for villager in met)
