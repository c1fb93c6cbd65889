"""Laying a card: what forbids it, and what the table sees of it. Shared by every way to play one."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.allies.domains import may_cover
from companion.games.allies.effects import CardLaid, CardRemoved, StarterFound, TribesFound
from companion.games.allies.state import SEATS, SLOTS, Duel, Laid, facing_of, upright
from companion.kernel import UNKNOWN, Placed, Refusal, Ruled, Unknown, cite, refuse

_FIRST = cite("AL-28")
_ROW = cite("AL-19", "AL-38")
_ARROW = cite("AL-39", "AL-06")
_INVENTORY = cite("table/inventory")
_TRIBES = cite("AL-22", "AL-23")
_SAME_TRIBE = cite("AL-22", "AL-Q21")
_COVER = cite("AL-80", "AL-81")
_LAID = cite("AL-38", "AL-39")
_AS_CYCLOPS = cite("AL-91", "AL-Q11")


def refuse_card(state: Duel, reply: Placed, seat: int | Unknown, cover: bool, any_card: bool = False) -> Refusal | None:
    """Return the reason against laying this card there, or None. `seat` may be UNKNOWN.

    `cover` allows an own card underneath for the cards that may cover, `any_card` for all of them.
    """
    row, column = SLOTS.get(reply.slot, ("", 0))
    if not row:
        return refuse(cite("AL-17"), "slot.none", slot=reply.slot)
    if row == "R":
        return refuse(cite("AL-18", "AL-38"), "play.no_row", slot=reply.slot)
    owner = SEATS.index(row)
    if seat is not UNKNOWN and owner != seat:
        return refuse(_ROW, "play.other_row", slot=reply.slot, seat="AB"[1 - owner], row=row)
    card = state.box.cards.get(reply.piece)
    if card is None:
        return refuse(_INVENTORY, "table.unknown_piece", piece=reply.piece)
    if reply.piece in state.gone:
        return refuse(_INVENTORY, "table.elsewhere", piece=reply.piece)
    if isinstance(card.tribe, str):
        own, other = state.tribes[owner], state.tribes[1 - owner]
        if card.tribe not in own and len(own) >= 2:
            return refuse(_TRIBES, "play.other_tribe", piece=reply.piece, seat=row, tribes=" + ".join(own))
        if card.tribe in other and card.tribe not in own:
            return refuse(_SAME_TRIBE, "play.same_tribe", piece=reply.piece, seat="AB"[1 - owner], tribe=card.tribe)
    if (under := state.rows[owner][column]) is not None and not (cover and (any_card or may_cover(state, reply.piece))):
        why = (*_LAID, *_COVER, *(_AS_CYCLOPS if card.ability == "troll" else ()))
        return refuse(why, "play.occupied", slot=reply.slot, there=under.card.key, piece=reply.piece)
    if reply.turn is not None and reply.turn % 4 != upright(owner):
        shown = facing_of(owner, card, reply.turn % 4)
        values = {"piece": reply.piece, "slot": reply.slot, "shown": "?" if shown is UNKNOWN else shown}
        return refuse(_ARROW, "play.arrow", **values, arrow="?" if card.arrow is UNKNOWN else card.arrow)
    return None


def lay(state: Duel, reply: Placed) -> Iterator[Ruled]:
    """Yield what laying a card shows: starter, tribe, the card underneath gone, the card laid."""
    row, column = SLOTS[reply.slot]
    seat = SEATS.index(row)
    card = state.box.cards[reply.piece]
    if state.starter is UNKNOWN and state.turn == 0:
        yield Ruled(StarterFound(seat), _FIRST)
    if isinstance(card.tribe, str) and card.tribe not in state.tribes[seat]:
        yield Ruled(TribesFound(seat, (*state.tribes[seat], card.tribe)), _TRIBES)
    under = state.rows[seat][column]
    if under is not None:
        yield Ruled(CardRemoved(seat, column, under.card.key), _COVER)
    why = _LAID if under is None else (*_COVER, *_AS_CYCLOPS) if card.ability == "troll" else _COVER
    yield Ruled(CardLaid(seat, column, Laid(card, card.arrow)), why)
