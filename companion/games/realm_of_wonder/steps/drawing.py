"""Drawing magic cards, from whatever grants them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder.effects.cards import MagicDrawn, NothingToDraw
from companion.games.realm_of_wonder.state import Realm
from companion.kernel import UNKNOWN, Citation, Ruled, cite

EMPTY = cite("RW-04", "RW-Q20")


def draw_magic(state: Realm, seat: int, why: tuple[Citation, ...], cards: int = 1) -> Iterator[Ruled]:
    """Yield a player's drawing of magic cards, as far as the pile lasts; it is never shuffled again (RW-53)."""
    pile = state.magic_pile
    drawn = cards if pile is UNKNOWN else min(cards, pile)
    if drawn:
        yield Ruled(MagicDrawn(seat, drawn), why)
    if drawn < cards:
        yield Ruled(NothingToDraw(seat, "magic"), EMPTY)
