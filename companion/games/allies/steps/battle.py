"""Stage 3: each column is fought out, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.allies.effects import (
    Compared,
    CrownStated,
    PileTurned,
    RegionStayed,
    RegionTurned,
    RegionWon,
    StepsLost,
    ValueStated,
)
from companion.games.allies.state import ROUNDS, SEATS, Duel, Laid, slot
from companion.games.allies.steps.drawing import StageFour
from companion.games.allies.steps.ending import Ending
from companion.kernel import (
    UNKNOWN,
    Chosen,
    Citation,
    Confirmed,
    Counted,
    Numbers,
    OneOf,
    Question,
    Refusal,
    Reply,
    Ruled,
    Step,
    Subsets,
    Text,
    cite,
    refuse,
    then,
)

FIGHT = cite("AL-31", "AL-57")
_VALUE = cite("AL-58")
_COLUMN = cite("AL-20")
_MISSING = cite("AL-Q19")
_EQUAL = cite("AL-59")
_CROWN = cite("AL-60")
_BOTH = cite("AL-61", "AL-E14")
_WHERE = cite("AL-10", "AL-Q02")
_DIFFER = cite("AL-63")
_NO_CROWN = cite("AL-62", "AL-Q01")
_TURN = cite("AL-12", "AL-64", "AL-65")
_TAKE = cite("AL-66", "AL-70")
_CROWN_TAKES = cite("AL-69")
_STAY = cite("AL-67", "AL-34")
_LOST = cite("AL-68")
_HIGHEST = 9


class FightColumn(Step[Duel], frozen=True):
    """AL-57 Each column is fought out on its own, one column after the other.

    Asks for a value only if the card's face does not say it (a card that is not enrolled).
    """

    column: int

    def questions(self, state: Duel) -> tuple[Question, ...]:
        if state.regions[self.column] is None:
            return ()
        cards = (state.rows[0][self.column], state.rows[1][self.column])
        for seat, laid in enumerate(cards):
            if laid is not None and laid.value is UNKNOWN:
                at = slot(seat, self.column)
                text = Text("ask.value", (("slot", at),))
                return (Question(f"value {at}", "count", seat, Numbers(1, _HIGHEST), _VALUE, text),)
        for seat, laid in enumerate(cards):
            if laid is not None and self._needs_crown_sector(state, laid) and crowns_matter(state, cards):
                at = slot(seat, self.column)
                text = Text("ask.crown", (("slot", at),))
                yes_no = OneOf((Confirmed(True), Confirmed(False)))
                return (Question(f"crown {at}", "confirm", seat, yes_no, cite("AL-60", "AL-Q02"), text),)
        if self._crowns_unsettled(state):
            names = Subsets((*SEATS, "nobody"))
            text = Text("ask.agree", (("column", self.column + 1),))
            return (Question("agree", "choose", None, names, cite("AL-61", "AL-E14"), text),)
        return ()

    def _crowns_unsettled(self, state: Duel) -> bool:
        """The Dutch text lets both crowns of a tie win by one; the players must agree (E14)."""
        cards = (state.rows[0][self.column], state.rows[1][self.column])
        return (
            state.options["two_crowns"] == "unsettled"
            and all(laid is not None and _crown(state, laid) for laid in cards)
            and _value(cards[0]) == _value(cards[1])
        )

    def _needs_crown_sector(self, state: Duel, laid: Laid) -> bool:
        return laid.card.crown and state.options["crown_belongs_to"] == "sector" and laid.card.crown_sector is UNKNOWN

    def refuse(self, state: Duel, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Chosen) and reply not in Subsets((*SEATS, "nobody")):
            return refuse(cite("AL-61", "AL-E14"), "agree.one_of", picks=" ".join(reply.picks))
        if isinstance(reply, Counted) and reply not in Numbers(1, _HIGHEST):
            return refuse(_VALUE, "value.range", value=reply.number, highest=_HIGHEST)
        return None

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Chosen):
            toward = SEATS.index(reply.picks[0]) if reply.picks[0] in SEATS else None
            yield from fight_out(state, self.column, (toward, 1 if toward is not None else 0, cite("AL-61", "AL-E14")))
        elif isinstance(reply, Counted):
            yield Ruled(ValueStated(SEATS.index(to[-2]), self.column, reply.number), _VALUE)
            yield Ruled(then(self), FIGHT)
        elif isinstance(reply, Confirmed):
            yield Ruled(CrownStated(SEATS.index(to[-2]), self.column, reply.yes), cite("AL-60", "AL-Q02"))
            yield Ruled(then(self), FIGHT)
        else:
            yield from fight_out(state, self.column)


Outcome = tuple[int | None, int, tuple[Citation, ...]]
"""Towards which seat the region card moves, by how many steps, and the articles that say so."""


def fight_out(state: Duel, column: int, agreed: Outcome | None = None) -> Iterator[Ruled]:
    """Yield how a column's two cards turn its region card, and who takes it (AL-58 to AL-70)."""
    region = state.regions[column]
    if region is None:
        return
    cards = (state.rows[0][column], state.rows[1][column])
    if None in cards and state.options["missing_card"] == "column_skipped":
        yield Ruled(RegionStayed(column, region.arrow), (*_MISSING, *_STAY))
        return
    values = (_value(cards[0]), _value(cards[1]))
    crowns = (_crown(state, cards[0]), _crown(state, cards[1]))
    toward, steps, why = agreed or compared(values, crowns, state.options["crown_counts"] == "always")
    missing = _MISSING if None in cards else ()
    where = _WHERE if any(laid and laid.card.crown for laid in cards) and crowns_matter(state, cards) else ()
    yield Ruled(Compared(column, values, crowns, toward, steps), (*_COLUMN, *_VALUE, *why, *where, *missing))
    if toward is None:
        yield Ruled(RegionStayed(column, region.arrow), why)
        return
    goal = 1 if toward == 0 else -1
    turning = min(steps, abs(goal - region.arrow))
    arrow = region.arrow + goal * turning
    if turning:
        yield Ruled(RegionTurned(column, arrow, turning), (*why, *_TURN))
    if steps == turning:
        yield Ruled(RegionStayed(column, arrow), _STAY)
        return
    takes = _CROWN_TAKES if why[0] in _CROWN else ()
    yield Ruled(RegionWon(column, toward, region.key, 1), (*why, *_TAKE, *takes))
    if lost := steps - turning - 1:
        yield Ruled(StepsLost(column, lost), _LOST)


def compared(values: tuple[int, int], crowns: tuple[bool, bool], crown_always: bool) -> Outcome:
    """Return the outcome of comparing two values and crowns (AL-59 to AL-63)."""
    one_crown = crowns[0] != crowns[1]
    if one_crown and (crown_always or values[0] == values[1]):
        why = _CROWN if values[0] == values[1] else (*_CROWN, *_NO_CROWN)
        return (0 if crowns[0] else 1), 1, why
    if values[0] == values[1]:
        return None, 0, _BOTH if crowns[0] else _EQUAL
    toward = 0 if values[0] > values[1] else 1
    return toward, abs(values[0] - values[1]), (*_DIFFER, *_NO_CROWN) if any(crowns) else _DIFFER


def crowns_matter(state: Duel, cards: tuple[Laid | None, Laid | None]) -> bool:
    """Return whether a crown could decide between two cards (AL-60, AL-62, AL-Q01)."""
    return state.options["crown_counts"] == "always" or _value(cards[0]) == _value(cards[1])


def _value(laid: Laid | None) -> int:
    """AL-Q19 A missing card counts as value 0."""
    if laid is None or laid.value is UNKNOWN:
        return 0
    return laid.value


def _crown(state: Duel, laid: Laid | None) -> bool:
    """AL-Q02 A crown belongs to the card, or where the table plays so to the sector it is in."""
    if laid is None or not laid.card.crown:
        return False
    return state.options["crown_belongs_to"] == "card" or laid.card.crown_sector == laid.facing


class StageThreeEnds(Step[Duel], frozen=True):
    """AL-71 At the end of stage 3 the cards won in the round before are turned face down.

    After the fourth round the game ends here (AL-92); otherwise stage 4 follows.
    """

    def resolve(self, state: Duel, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if state.options["won_cards_turned"] == "next_stage_3":
            yield from turn_piles(state, state.round - 1, "AL-71")
        if state.round >= ROUNDS:
            yield Ruled(then(Ending(), frame="ending"), cite("AL-30", "AL-92"))
        else:
            yield Ruled(then(StageFour(), frame="stage 4"), cite("AL-31"))


def turn_piles(state: Duel, round_: int, *articles: str) -> Iterator[Ruled]:
    """Yield the face-up wins of a round being turned over (AL-71; editions differ, E19)."""
    for seat in (0, 1):
        if cards := len(state.won(seat, round_)):
            yield Ruled(PileTurned(seat, round_, cards), cite(*articles))
