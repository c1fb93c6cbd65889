"""Step 2: everybody plays a movement card; special ones act at once."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder.box import MovementCard
from companion.games.realm_of_wonder.effects.board import DiscTurned
from companion.games.realm_of_wonder.effects.cards import (
    CardPlayed,
    CardSkipped,
    MarkersSet,
    MovementDrawn,
    MovementShuffled,
    NothingToDraw,
    SpecialActed,
    SpecialTold,
    SpeedsTied,
)
from companion.games.realm_of_wonder.effects.figures import AbilityReturned
from companion.games.realm_of_wonder.effects.points import PointsReceived
from companion.games.realm_of_wonder.pieces import DISCS, MOVEMENT_CARDS, SEATS, SPECIAL_POINTS, SPECIALS
from companion.games.realm_of_wonder.state import Realm, speed_order
from companion.games.realm_of_wonder.steps.asking import ROUND, SPIN, Asking, ask, faces, one_of
from companion.games.realm_of_wonder.steps.drawing import draw_magic
from companion.games.realm_of_wonder.steps.preparing import refuse_spin
from companion.kernel import (
    UNKNOWN,
    UNSEEN,
    Chosen,
    Ordered,
    Orders,
    Question,
    Refusal,
    Reply,
    Revealed,
    Rolled,
    Rolls,
    Ruled,
    Text,
    cite,
    refuse,
    then,
)

PLAY = cite("RW-41", "RW-Q21")
_DRAW = cite("RW-40")
_SHUFFLE = cite("RW-40", "RW-Q20")
_HAND = cite("RW-03", "RW-41")
_CARD = cite("RW-03", "table/inventory")
SPECIAL = cite("RW-45")
TRACK = cite("RW-42", "RW-43")
_TIE = cite("RW-42", "RW-Q06")
_ACTS = {
    "ability": cite("RW-45", "RW-46"),
    "magic": cite("RW-45", "RW-47"),
    "whirlpool": cite("RW-45", "RW-48"),
    "points": cite("RW-45", "RW-49"),
}
_ORDER = cite("RW-Q19")
_PIPS = tuple("123456")


class DrawMovement(Asking, frozen=True):
    """RW-40 From the second round on each player gets one movement card at the start of the round."""

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        pile = state.movement_pile
        used = len(state.movement_used)
        for seat in state.seats if state.round > 1 else ():
            if pile is not UNKNOWN:
                if pile == 0 and used and state.options["deck_runs_out"] == "reshuffle":
                    yield Ruled(MovementShuffled(used), _SHUFFLE)
                    pile, used = used, 0
                if pile == 0:
                    yield Ruled(NothingToDraw(seat, "movement"), _SHUFFLE)
                    continue
                pile -= 1
            yield Ruled(MovementDrawn(seat), _DRAW)


class PlayCards(Asking, frozen=True):
    """RW-41 All players play one of their movement cards at the same time; they are read once they lie open.

    A card that the set lists says its speed, points and special effect; of others the table says
    what they do, and how the markers stand on the track (RW-43).
    """

    def questions(self, state: Realm) -> tuple[Question, ...]:
        listed = state.box.movement
        if listed:
            # A set may list only some of the cards; any other one is read out.
            other = (UNSEEN,) if len(listed) < MOVEMENT_CARDS else ()
            left = faces((*(card for card in listed if card not in state.movement_used), *other))
            return tuple(
                ask(f"card {SEATS[seat]}", "reveal", seat, left, PLAY, "ask.card")
                for seat in state.seats
                if not state.goings[seat].played and state.players[seat].movement != 0
            )
        return ()

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        if not isinstance(reply, Revealed) or len(reply.pieces) != 1:
            return None
        (card,) = reply.pieces
        if card not in state.box.movement:
            return refuse(_CARD, "table.unknown_piece", piece=card)
        return refuse(_HAND, "card.played", card=card)

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Revealed):
            yield Ruled(card_played(state, SEATS.index(to[-1]), reply.pieces[0]), PLAY)
            yield Ruled(then(self), ROUND)
            return
        for seat in state.seats:
            if not state.goings[seat].played and state.players[seat].movement == 0:
                yield Ruled(CardSkipped(seat), _SHUFFLE)


class SetMarkers(Asking, frozen=True):
    """RW-43 The turn markers stand on the track, the slowest nearest the magical end.

    Known speeds say how they stand; otherwise the track does. What an unlisted card does beside
    moving is told at the same time.
    """

    def questions(self, state: Realm) -> tuple[Question, ...]:
        found: list[Question] = []
        if not state.track:
            if any(going.speed is UNKNOWN for going in state.goings):
                found.append(ask("track", "order", None, Orders(letters(state)), TRACK))
            elif tied := _tied(state):
                if state.options["equal_speeds"] == "track":
                    found.append(ask("track", "order", None, Orders(letters(state)), (*TRACK, *_TIE)))
                else:
                    names = " ".join(SEATS[seat] for seat in tied)
                    dice = Rolls((_PIPS,) * len(tied))
                    found.append(ask("faster", "roll", None, dice, _TIE, "ask.faster", seats=names))
        found += [
            ask(f"special {SEATS[seat]}", "choose", seat, one_of(SPECIALS), SPECIAL, "ask.special")
            for seat in state.seats
            if state.goings[seat].special is UNKNOWN
        ]
        return tuple(found)

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Ordered):
            found = ", ".join(reply.items) or "-"
            return refuse(TRACK, "track.each", found=found, seats=", ".join(letters(state)))
        return None

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        for seat in state.seats if reply is not None else ():
            # Cards that no set lists are open once the first thing is told of them.
            if not state.goings[seat].played:
                yield Ruled(CardPlayed(seat, "", UNKNOWN, UNKNOWN, UNKNOWN), PLAY)
        match reply:
            case Ordered(items=items):
                yield Ruled(MarkersSet(tuple(SEATS.index(item) for item in items)), TRACK)
            case Chosen(picks=(special,)):
                yield Ruled(SpecialTold(SEATS.index(to[-1]), special), SPECIAL)
            case Rolled(faces=pips) if len(set(pips)) < len(pips):
                yield Ruled(SpeedsTied(" ".join(pips)), _TIE)
            case Rolled(faces=pips):
                # The higher roll is the faster one, so it stands nearer the fast end.
                rolled = dict(zip(_tied(state), pips, strict=True))
                order = sorted(state.seats, key=lambda seat: (state.goings[seat].speed, rolled.get(seat, "")))
                yield Ruled(MarkersSet(tuple(order)), _TIE)
            case _:
                if not state.track:
                    yield Ruled(MarkersSet(speed_order(state)), TRACK)
                return
        yield Ruled(then(self), ROUND)


def card_played(state: Realm, seat: int, key: str) -> CardPlayed:
    """Return the effect of opening a card; what the set does not say of it is UNKNOWN."""
    card = state.box.movement.get(key, MovementCard())
    return CardPlayed(
        seat,
        "" if key == UNSEEN else key,
        UNKNOWN if card.speed is None else card.speed,
        UNKNOWN if card.points is None else card.points,
        UNKNOWN if card.special is None else card.special,
    )


def letters(state: Realm) -> tuple[str, ...]:
    return tuple(SEATS[seat] for seat in state.seats)


def _tied(state: Realm) -> tuple[int, ...]:
    """Return the first group of seats that played the same speed (RW-Q06)."""
    speeds = [going.speed for going in state.goings]
    groups = (tuple(seat for seat in state.seats if speeds[seat] == speed) for speed in speeds if speed != 0)
    return next((group for group in groups if len(group) > 1), ())


class Specials(Asking, frozen=True):
    """RW-45 What special movement cards do happens at once, from the slowest to the fastest (RW-Q19)."""

    def questions(self, state: Realm) -> tuple[Question, ...]:
        seats = _acting(state)
        if not seats or state.goings[seats[0]].special != "whirlpool":
            return ()
        together = seats if state.options["specials_order"] == "at_once" else seats[:1]
        return tuple(
            ask(f"disc {SEATS[seat]}", "choose", seat, one_of(DISCS), _ACTS["whirlpool"], "ask.disc")
            for seat in together
        )

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Chosen):
            seat = SEATS.index(to[-1])
            yield Ruled(SpecialActed(seat, "whirlpool"), (*_ACTS["whirlpool"], *_ORDER))
            yield Ruled(then(Spin(reply.picks[0], seat)), _ACTS["whirlpool"])
            yield Ruled(then(self), ROUND)
            return
        acting = _acting(state)
        if not acting:
            return
        seat = acting[0]
        special = str(state.goings[seat].special)
        why = (*_ACTS[special], *_ORDER)
        yield Ruled(SpecialActed(seat, special), why)
        if special == "ability":
            if not state.players[seat].ready:
                yield Ruled(AbilityReturned(seat), why)
        elif special == "magic":
            yield from draw_magic(state, seat, why)
        else:
            yield Ruled(PointsReceived(seat, SPECIAL_POINTS), why)
        yield Ruled(then(self), ROUND)


def _acting(state: Realm) -> tuple[int, ...]:
    """Return the seats whose special card has still to act, in the order of the table."""
    order = speed_order(state)
    if state.options["specials_order"] == "fastest_first":
        order = order[::-1]
    acts = [seat for seat in order if state.goings[seat].special != "none" and not state.goings[seat].acted]
    if state.options["specials_order"] == "at_once":
        # Whatever needs nobody happens before the whirlpools are asked about, side by side.
        acts.sort(key=lambda seat: state.goings[seat].special == "whirlpool")
    return tuple(acts)


class Spin(Asking, frozen=True):
    """RW-48 RW-72 The spinning die is rolled, and the whirlpool of the disc set to the path rolled."""

    disc: str
    seat: int

    def questions(self, state: Realm) -> tuple[Question, ...]:
        why = SPIN_ROLLED
        return (ask(f"spin {self.disc}", "roll", self.seat, SPIN, why, "ask.spin_by", disc=self.disc),)

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        return refuse_spin(reply)

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        assert isinstance(reply, Rolled)  # noqa: S101  the kernel checked the kind
        yield Ruled(DiscTurned(self.disc, reply.faces[0]), SPIN_ROLLED)

    def forecast(self, state: Realm) -> tuple[Text, ...]:
        return (Text("forecast.spin", (("seat", SEATS[self.seat]), ("disc", self.disc))),)


SPIN_ROLLED = cite("RW-18", "RW-63")
