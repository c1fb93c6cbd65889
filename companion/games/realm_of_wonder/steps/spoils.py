"""What comes of a battle: loot or curse, treasure, who goes home, and ties (RW-102 to RW-107)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.effects.battle import (
    AttackerStays,
    CurseGiven,
    FightWon,
    MonsterStays,
    MonsterTaken,
    SentHome,
    SteppedBack,
    TileStolen,
)
from companion.games.realm_of_wonder.effects.figures import TurnEnded
from companion.games.realm_of_wonder.effects.spells import CastingEnded
from companion.games.realm_of_wonder.effects.tiles import BonusTaken
from companion.games.realm_of_wonder.pieces import KEPT, MONSTERS, SEATS, SIDES
from companion.games.realm_of_wonder.state import Battle, Realm
from companion.games.realm_of_wonder.steps.asking import Asking, ask, one_of
from companion.games.realm_of_wonder.steps.drawing import draw_magic
from companion.kernel import (
    Chosen,
    Citation,
    Question,
    Refusal,
    Reply,
    Ruled,
    Subsets,
    cite,
    refuse,
    then,
)

_WON = cite("RW-102")
SPOILS = cite("RW-103", "RW-104")
_STEAL = cite("RW-103", "RW-Q14")
_CURSE = cite("RW-104", "RW-141")
_GIVE = cite("RW-104")
_NO_TILE = cite("RW-103", "RW-108")
_TROPHY = cite("RW-103", "RW-Q14")
RETREAT = cite("RW-106")
_HOME = cite("RW-106", "RW-88")
_ENDS = cite("RW-106")
_LOSES = cite("RW-Q25")
_STOPS = cite("RW-Q10")
_TIE = cite("RW-107")
_TIE_REVEALED = cite("RW-107", "RW-Q11")
_TAKEN = cite("RW-105", "RW-157")
_STAYS = cite("RW-156")
_TREASURE = {"eye": cite("RW-150"), "vampire": cite("RW-151"), "dragon": cite("RW-152")}
_CARD, _BONUS = ("eye", "dragon"), ("vampire", "dragon")
BONUS = cite("RW-146", "RW-11")
SUPPLY = cite("RW-11", "RW-Q15")


def outcome(state: Realm, battle: Battle, winner: str) -> Iterator[Ruled]:
    """Yield what a decided battle leads to."""
    attacker, defender = battle.attacker, battle.defender
    if winner == "none":
        yield from _tie(state, battle)
    elif winner == "attacker" and defender is not None:
        yield Ruled(FightWon(attacker), _WON)
        yield Ruled(then(Spoils(attacker, defender), Retreat(defender)), SPOILS)
        if state.options["beaten_defender"] == "loses" and not state.goings[defender].moved:
            yield Ruled(TurnEnded(defender), (*_ENDS, *_LOSES))
        yield from _goes_on(state, battle)
    elif winner == "attacker":
        yield Ruled(FightWon(attacker), _WON)
        yield Ruled(MonsterTaken(attacker, battle.place, battle.monster), _TAKEN)
        if battle.monster in _CARD:
            yield from draw_magic(state, attacker, (*_TREASURE[battle.monster], *cite("RW-105")))
        if battle.monster in _BONUS:
            yield Ruled(then(ChooseSide(attacker)), (*_TREASURE[battle.monster], *cite("RW-105")))
        yield from _goes_on(state, battle)
    else:
        if defender is not None:
            yield Ruled(FightWon(defender), _WON)
            yield Ruled(then(Spoils(defender, attacker)), SPOILS)
        else:
            yield Ruled(MonsterStays(battle.place, battle.monster), _STAYS)
        yield Ruled(then(Retreat(attacker)), RETREAT)
        yield from _turn_over(state, attacker, _ENDS)


def _goes_on(state: Realm, battle: Battle) -> Iterator[Ruled]:
    if state.options["attacker_goes_on"] == "no":
        yield from _turn_over(state, battle.attacker, _STOPS)


def _turn_over(state: Realm, seat: int, why: tuple[Citation, ...]) -> Iterator[Ruled]:
    """Yield the end of the player's turn: of moving, or in step 3 of casting; a teleport has ended it already."""
    if state.walk is not None:
        yield Ruled(TurnEnded(seat), why)
    elif not state.goings[seat].moved:
        yield Ruled(CastingEnded(seat), why)


def _tie(state: Realm, battle: Battle) -> Iterator[Ruled]:
    seat, why = battle.attacker, _TIE_REVEALED if battle.revealed else _TIE
    how = state.options["tie_at_revealed"] if battle.revealed else "back"
    if battle.defender is None:
        yield Ruled(MonsterStays(battle.place, battle.monster), _STAYS)
    if how == "house":
        yield Ruled(SentHome(seat, places.home(state, seat)), why)
    elif how == "back" and battle.back:
        yield Ruled(SteppedBack(seat, battle.back), why)
    else:
        yield Ruled(AttackerStays(seat), why)
    yield from _turn_over(state, seat, why)


class Spoils(Asking, frozen=True):
    """RW-103 The winner may steal any one tower tile of the loser.

    RW-104 Instead the winner may give the loser one cursed orb.
    """

    winner: int
    loser: int

    def questions(self, state: Realm) -> tuple[Question, ...]:
        exempt = MONSTERS if state.options["monsters_stolen"] == "exempt" else ()
        tiles = dict.fromkeys(state.players[self.loser].tiles)
        names = [f"steal-{tile}" for tile in tiles if tile not in exempt]
        names += ["give-cursed"] if "cursed" in state.players[self.winner].tiles else []
        if not names:
            return ()
        return (ask("spoils", "choose", self.winner, Subsets(names, 0, 1), SPOILS, loser=SEATS[self.loser]),)

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        assert isinstance(reply, Chosen)  # noqa: S101  the kernel checked the kind
        if len(reply.picks) != 1:
            return refuse(SPOILS, "spoils.one", found=len(reply.picks))
        act, _, tile = reply.picks[0].partition("-")
        if act == "give" and tile in (*KEPT, *MONSTERS):
            return refuse(_GIVE, "spoils.give", tile=tile)
        if act == "steal" and tile in MONSTERS and tile in state.players[self.loser].tiles:
            return refuse(_TROPHY, "spoils.trophy", tile=tile)
        if act == "steal":
            return refuse(_NO_TILE, "spoils.no_tile", tile=tile, seat=SEATS[self.loser])
        return None

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        for pick in reply.picks if isinstance(reply, Chosen) else ():
            act, _, tile = pick.partition("-")
            if act == "give":
                yield Ruled(CurseGiven(self.winner, self.loser), _CURSE)
            else:
                yield Ruled(TileStolen(self.winner, self.loser, tile), _STEAL)


class Retreat(Asking, frozen=True):
    """RW-106 The loser's figure goes to the own house, or to an own fort of three or more discs."""

    seat: int

    def questions(self, state: Realm) -> tuple[Question, ...]:
        where = places.strongholds(state, self.seat)
        if not where:
            return ()
        names = one_of((places.home(state, self.seat), *where))
        return (ask(f"retreat {SEATS[self.seat]}", "choose", self.seat, names, _HOME, "ask.retreat"),)

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Chosen) and len(reply.picks) == 1 and reply.picks[0] in state.forts_of(self.seat):
            height = state.forts[reply.picks[0]].height
            return refuse(_HOME, "retreat.low", place=reply.picks[0], height=height)
        return None

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        place = reply.picks[0] if isinstance(reply, Chosen) else places.home(state, self.seat)
        yield Ruled(SentHome(self.seat, place), _HOME if isinstance(reply, Chosen) else RETREAT)


class ChooseSide(Asking, frozen=True):
    """RW-146 Whoever gets a bonus disc chooses the movement or the battle side, for ever."""

    seat: int

    def questions(self, state: Realm) -> tuple[Question, ...]:
        if not may_have_bonus(state, self.seat):
            return ()
        return (ask("bonus side", "choose", self.seat, one_of(SIDES), BONUS, "ask.side"),)

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if isinstance(reply, Chosen):
            yield Ruled(BonusTaken(self.seat, reply.picks[0]), BONUS)


def may_have_bonus(state: Realm, seat: int) -> bool:
    """Return whether a player can get a bonus disc: six exist, and a table may allow one each (RW-Q15)."""
    one = state.options["several_bonus"] == "one" and bool(state.players[seat].bonus)
    return state.bonus_left > 0 and not one
