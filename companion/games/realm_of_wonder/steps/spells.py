"""Step 3: the players cast their spells, the slowest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects.spells import CardShown, CastingEnded
from companion.games.realm_of_wonder.pieces import MONSTERS, SEATS, SPELLS
from companion.games.realm_of_wonder.state import Realm, next_caster, speed_order
from companion.games.realm_of_wonder.steps.arriving import journey
from companion.games.realm_of_wonder.steps.asking import ROUND, TURNS, YES, Asking, ask, one_of, shown
from companion.games.realm_of_wonder.steps.countering import Window
from companion.games.realm_of_wonder.steps.striking import Strike
from companion.kernel import (
    UNKNOWN,
    Citation,
    Confirmed,
    Domain,
    Kind,
    Moved,
    OneOf,
    Question,
    Refusal,
    Reply,
    Ruled,
    Step,
    Text,
    cite,
    refuse,
    then,
)

_DONE = cite("RW-50", "RW-51")
_CAST = cite("RW-52", "RW-53")
_ISLAND = cite("RW-78")
_TOO_LATE = cite("RW-133", "RW-134")
_NONE_LEFT = cite("RW-04", "RW-53")
_HOUSE = cite("RW-64")
_COLOUR = cite("RW-129")
_SUBMARINE = cite("RW-131")
_VICTORY = cite("RW-130", "RW-108")
_WHY: dict[str, tuple[Citation, ...]] = {
    "cannon": cite("RW-121"),
    "lightning": cite("RW-122"),
    "plus-three": cite("RW-124"),
    "minus-three": cite("RW-125"),
    "balloon": cite("RW-126", "RW-127"),
    "rune-stone": cite("RW-128"),
    "transfer": cite("RW-129"),
    "wish": cite("RW-130"),
    "submarine": cite("RW-131", "RW-132"),
}
_KIND: dict[str, Kind] = {"transfer": "move", "lightning": "confirm", "balloon": "confirm"}


class Spells(Asking, frozen=True):
    """RW-50 The slowest player casts first, then the next, up to the fastest.

    RW-51 On that turn any number of magic cards may be used; each stands as an offer until the
    player says that it was the last. RW-78 On the castle island there is none but the counter spell.
    """

    def questions(self, state: Realm) -> tuple[Question, ...]:
        seat = next_caster(state)
        return () if seat is None else (ask("spells done", "confirm", seat, YES, _DONE, "ask.spells"),)

    def offers(self, state: Realm) -> tuple[Question, ...]:
        seat = next_caster(state)
        if seat is None or not may_cast(state, seat):
            return ()
        return tuple(offer for spell in SPELLS if (offer := spell_offer(state, seat, spell)) is not None)

    def question(self, state: Realm, to: str) -> Question:
        seat = next_caster(state)
        if to in SPELLS and seat is not None and (offer := spell_offer(state, seat, to)) is not None:
            return offer
        return self.questions(state)[0]

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        return no_aim(state, next_caster(state) or 0, to, reply)

    def unasked(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        seat = next_caster(state)
        if to.startswith("counter "):
            return refuse(_TOO_LATE, "counter.none")
        if seat is None or to not in SPELLS:
            return None
        if state.on_island(state.players[seat].at):
            return refuse((*_ISLAND, *_WHY[to]), "spell.island", seat=SEATS[seat], spell=to)
        if not may_cast(state, seat):
            return refuse(_CAST, "spell.no_card", seat=SEATS[seat])
        if state.box.left(to, state.gone) == 0:
            return refuse(_NONE_LEFT, "spell.none_left", spell=to)
        return no_aim(state, seat, to, reply) or refuse(_WHY[to], "spell.no_aim", spell=to)

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        seat = next_caster(state)
        if reply is None or seat is None:
            return
        if to in SPELLS:
            strike = Strike(seat, to, "" if isinstance(reply, Confirmed) else aim_of(reply))
            yield from announce(state, strike, (*_WHY[to], *_CAST))
        else:
            yield Ruled(CastingEnded(seat), _DONE)
        yield Ruled(then(self), ROUND)

    def forecast(self, state: Realm) -> tuple[Text, ...]:
        order = [seat for seat in speed_order(state) if not state.goings[seat].cast]
        return tuple(Text("forecast.casts", (("seat", SEATS[seat]),)) for seat in order)


def aim_of(reply: Reply) -> str:
    """Return what a spell was aimed at, as the step that carries it out remembers it."""
    return f"{reply.start}>{reply.end}" if isinstance(reply, Moved) else shown(reply)


def announce(state: Realm, strike: Strike, why: tuple[Citation, ...]) -> Iterator[Ruled]:
    """Yield a card being shown, and what it does once nobody has countered it."""
    number = state.cast + 1
    yield Ruled(CardShown(strike.seat, strike.spell, strike.aim), why)
    steps: tuple[Step[Realm], ...] = (Window(number, strike.seat, strike.spell), strike)
    yield Ruled(then(*steps, pending=f"spell {number}"), why)


def may_cast(state: Realm, seat: int) -> bool:
    """Return whether a player can have magic cards and stands where spells may be used (RW-78)."""
    player = state.players[seat]
    return player.magic != 0 and not state.on_island(player.at)


def spell_offer(state: Realm, seat: int, spell: str) -> Question | None:
    """Return the offer of a spell, None if no such card is left or there is nothing to aim at."""
    left = state.box.left(spell, state.gone)
    if left is not UNKNOWN and left <= 0:
        return None
    if spell == "submarine":
        at = state.players[seat].at
        coasts = places.coasts(state, at, same_region=False) if places.is_coast(state, at) else ()
        return journey(state, seat, spell, coasts, _WHY[spell], "offer.submarine")
    domain = _AIMS[spell](state, seat) if spell in _AIMS else YES
    if next(iter(domain), None) is None:
        return None
    return ask(spell, _KIND.get(spell, "choose"), seat, domain, _WHY[spell], f"offer.{spell}")


def _hit(state: Realm) -> tuple[str, ...]:
    """Return the players whom a spell can hit (RW-Q23)."""
    shielded = state.options["island_spells"] == "shielded"
    return tuple(SEATS[seat] for seat in state.seats if not (shielded and state.on_island(state.players[seat].at)))


def _cannon(state: Realm, seat: int) -> Domain:
    return one_of(tuple(state.forts))


def _anybody(state: Realm, seat: int) -> Domain:
    return one_of(_hit(state))


def _rune_stone(state: Realm, seat: int) -> Domain:
    return one_of(TURNS)


def _transfer(state: Realm, seat: int) -> Domain:
    return OneOf(
        Moved(start, end)
        for start, fort in state.forts.items()
        for end in (*places.free_wells(state), *state.forts_of(fort.seat))
        if end != start
    )


def _wish(state: Realm, seat: int) -> Domain:
    barred = [*(MONSTERS if state.options["monsters_stolen"] == "exempt" else ())]
    barred += ["cursed"] if state.options["wish_cursed"] == "no" else []
    names = [
        f"{letter}-{tile}"
        for letter in _hit(state)
        if letter != SEATS[seat]
        for tile in dict.fromkeys(state.players[SEATS.index(letter)].tiles)
        if tile not in barred
    ]
    return one_of(names)


_AIMS: dict[str, Callable[[Realm, int], Domain]] = {
    "cannon": _cannon,
    "plus-three": _anybody,
    "minus-three": _anybody,
    "rune-stone": _rune_stone,
    "transfer": _transfer,
    "wish": _wish,
}


def no_aim(state: Realm, seat: int, spell: str, reply: Reply) -> Refusal | None:
    """Return why a spell cannot be aimed so, None if there is no better word for it."""
    target = aim_of(reply)
    if spell in ("cannon", "transfer"):
        for place in target.split(">"):
            if places.kind(state, place) == "house" or place.startswith("house"):
                return refuse((*_HOUSE, *_WHY[spell]), "spell.house", place=place)
    if spell == "transfer" and isinstance(reply, Moved):
        start, end = state.forts.get(reply.start), state.forts.get(reply.end)
        if start and end and start.seat != end.seat:
            return refuse(_COLOUR, "spell.colour", seat=SEATS[end.seat], place=reply.end)
    if spell == "submarine" and isinstance(reply, Moved):
        return refuse(_SUBMARINE, "spell.submarine", place=reply.end)
    if spell == "wish" and target.endswith("victory"):
        return refuse(_VICTORY, "spell.victory")
    return None
