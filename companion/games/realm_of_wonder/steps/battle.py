"""Battles: muscles, rolls, and who wins (RW-94 to RW-102)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.realm_of_wonder.box import battle_face
from companion.games.realm_of_wonder.effects.battle import (
    ATTACKER,
    DEFENDER,
    BattleBegun,
    BattleDecided,
    BattleOver,
    DieRolled,
    ExtrasAdded,
    KnightsFight,
    KnightsGone,
    MusclesGone,
    MusclesPlayed,
)
from companion.games.realm_of_wonder.pieces import MAGIC_CARDS, MONSTERS, PURPLE, SEATS
from companion.games.realm_of_wonder.state import Battle, Realm
from companion.games.realm_of_wonder.steps.asking import Asking, ask
from companion.games.realm_of_wonder.steps.spoils import outcome
from companion.kernel import (
    UNKNOWN,
    Citation,
    Counted,
    Numbers,
    Question,
    Refusal,
    Reply,
    Rolled,
    Rolls,
    Ruled,
    Term,
    Text,
    cite,
    refuse,
    then,
)

FIGHT = cite("RW-94", "RW-96")
_MUSCLES = cite("RW-96", "RW-97")
_ROLL = cite("RW-96")
_MONSTER_ROLL = cite("RW-96", "RW-154")
_DIE = cite("RW-06", "RW-96")
_PURPLE, _PURPLE_AGAIN, _FOR_MONSTER = cite("RW-99"), cite("RW-100"), cite("RW-Q12")
_KNIGHT, _HELD = cite("RW-144"), cite("RW-144", "RW-Q13")
_EXTRAS = cite("RW-101")
_HIGHER = cite("RW-102")
_MUSCLE = cite("RW-98", "RW-54")
_ISLAND = cite("RW-79")
_GONE = cite("RW-98", "RW-53")
_BONUS = cite("RW-148")
_NO_CARD = cite("RW-97", "RW-53", "RW-54")
_FOR_NO_MONSTER = cite("RW-155")
_STILL = cite("RW-149", "RW-153", "RW-155")
_CLASS = {"eye": cite("RW-150"), "vampire": cite("RW-151"), "dragon": cite("RW-152")}
_SIDES = ("attacker", "defender")


class BattleDie(Rolls):
    """What the battle die can show; an enrolled die may call its purple two by the longer name."""

    __slots__ = ()

    def __contains__(self, reply: object) -> bool:
        if isinstance(reply, Rolled):
            reply = Rolled(tuple(battle_face(face) for face in reply.faces))
        return super().__contains__(reply)


class Fight(Asking, frozen=True):
    """RW-96 Attacker's muscles, defender's muscles, attacker's roll, defender's roll; then the extras are added.

    What is due follows from what the battle holds already; a side with nothing to say is not asked.
    """

    def questions(self, state: Realm) -> tuple[Question, ...]:
        battle = state.battle
        if battle is None:
            return ()
        for side in (ATTACKER, DEFENDER):
            if battle.muscles[side] is None and (most := _most_muscles(state, fighter(battle, side))):
                seat = fighter(battle, side)
                why = (*_MUSCLES, *(_ISLAND if state.on_island(state.players[seat].at) else ()))
                return (ask(f"muscles {SEATS[seat]}", "count", seat, Numbers(0, most), why, "ask.muscles"),)
        if None in battle.muscles:
            return ()
        for side in (ATTACKER, DEFENDER):
            seat = fighter(battle, side)
            if battle.knights[side] is None:
                knights = state.players[seat].tiles.count("knight")
                if knights and state.options["knight"] == "held":
                    return (ask(f"knights {SEATS[seat]}", "count", seat, Numbers(0, knights), _HELD, "ask.knights"),)
                return ()
            if not rolled_out(state, battle, side):
                return (_roll(state, battle, side),)
        return ()

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        if isinstance(reply, Rolled):
            found = " ".join(reply.faces) or "-"
            return refuse(_DIE, "battle.face", found=found, faces=", ".join(state.box.die))
        if isinstance(reply, Counted) and to.startswith("muscles"):
            held = state.players[SEATS.index(to[-1])].magic
            return refuse(_MUSCLES, "battle.muscles", found=reply.number, held="?" if held is UNKNOWN else held)
        return None

    def unasked(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        battle = state.battle
        if battle is None or not to.startswith("muscles "):
            return refuse(FIGHT, "battle.first") if battle is not None and to in ("step", "done") else None
        letters = [SEATS[fighter(battle, side)] for side in (ATTACKER, DEFENDER)]
        if battle.defender is None and to[-1] != letters[ATTACKER]:
            return refuse(_FOR_NO_MONSTER, "battle.for_monster", monster=battle.monster)
        if to[-1] not in letters:
            return refuse(_MUSCLES, "battle.no_fighter", seat=to[-1])
        if state.players[SEATS.index(to[-1])].magic == 0:
            return refuse(_NO_CARD, "spell.no_card", seat=to[-1])
        if battle.muscles[letters.index(to[-1])] is not None:
            return refuse(_MUSCLES, "battle.too_late", seat=to[-1])
        return refuse(_MUSCLES, "battle.not_yet", seat=to[-1])

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        battle = state.battle
        if battle is None:
            return
        if isinstance(reply, Rolled):
            side = ATTACKER if to == "roll attacker" else DEFENDER
            face = battle_face(reply.faces[0])
            yield Ruled(DieRolled(side, roller(state, battle, side), face), _ROLL)
            yield Ruled(then(self), _rolls_on(state, battle, side) if face == PURPLE else FIGHT)
        elif isinstance(reply, Counted):
            side = ATTACKER if SEATS.index(to[-1]) == battle.attacker else DEFENDER
            seat = fighter(battle, side)
            if to.startswith("muscles"):
                yield Ruled(MusclesPlayed(side, seat, reply.number), (*_MUSCLES, *(_MUSCLE if reply.number else ())))
            else:
                yield Ruled(KnightsFight(side, seat, reply.number), _HELD)
            yield Ruled(then(self), FIGHT)
        else:
            yield from self._unasked(state, battle)

    def _unasked(self, state: Realm, battle: Battle) -> Iterator[Ruled]:
        """What needs nobody: no cards to play, all knights at once, the decision."""
        side = next((s for s in (ATTACKER, DEFENDER) if battle.muscles[s] is None), None)
        if side is not None:
            yield Ruled(MusclesPlayed(side, fighter(battle, side), 0), _MUSCLES)
            yield Ruled(then(self), FIGHT)
            return
        side = next((s for s in (ATTACKER, DEFENDER) if battle.knights[s] is None), None)
        if side is not None:
            seat = fighter(battle, side)
            knights = state.players[seat].tiles.count("knight")
            yield Ruled(KnightsFight(side, seat, knights), _HELD if knights else FIGHT)
            yield Ruled(then(self), FIGHT)
            return
        yield from decide(state, battle)


def fighter(battle: Battle, side: int) -> int:
    """Return the seat that fights on a side; nobody is asked for a monster."""
    return battle.attacker if side == ATTACKER or battle.defender is None else battle.defender


def roller(state: Realm, battle: Battle, side: int) -> int:
    """Return who rolls: the fighter, or for a monster the player to the right of the attacker (RW-154)."""
    if side == DEFENDER and battle.defender is None:
        return (battle.attacker - 1) % len(state.players)
    return fighter(battle, side)


def _roll(state: Realm, battle: Battle, side: int) -> Question:
    why = _MONSTER_ROLL if side == DEFENDER and battle.defender is None else _ROLL
    text = "ask.roll_monster" if why is _MONSTER_ROLL else "ask.roll"
    seat = roller(state, battle, side)
    return ask(f"roll {_SIDES[side]}", "roll", seat, BattleDie((state.box.die,)), why, text, monster=battle.monster)


def _most_muscles(state: Realm, seat: int) -> int:
    held = state.players[seat].magic
    return MAGIC_CARDS - len(state.gone) if held is UNKNOWN else held


def _rolls_on(state: Realm, battle: Battle, side: int) -> tuple[Citation, ...]:
    again = _PURPLE_AGAIN if battle.rolls[side] else _PURPLE
    return (*again, *_FOR_MONSTER) if side == DEFENDER and battle.defender is None else again


def rolled_out(state: Realm, battle: Battle, side: int) -> bool:
    """Return whether a side need not roll any more: its last roll was no purple 2 (RW-99)."""
    faces = battle.rolls[side]
    if not faces:
        return False
    monster = side == DEFENDER and battle.defender is None
    return faces[-1] != PURPLE or (monster and state.options["purple_for_monster"] == "players_only")


def strength(state: Realm, battle: Battle, side: int) -> Term:
    """Return what a side fights with, as a sum (RW-98 to RW-101, RW-144, RW-148, RW-150 to RW-152)."""
    pips = sum(2 if face == PURPLE else int(face) for face in battle.rolls[side])
    parts = [Term(Text("fight.die"), pips, _ROLL)]
    if side == DEFENDER and battle.defender is None:
        parts.append(Term(Text("fight.monster"), MONSTERS[battle.monster], _CLASS[battle.monster]))
    else:
        bonus = state.players[fighter(battle, side)].bonus.count("battle")
        parts += [
            Term(Text("fight.muscles"), battle.muscles[side] or 0, _MUSCLE),
            Term(Text("fight.bonus"), bonus, _BONUS),
            Term(Text("fight.knights"), 2 * (battle.knights[side] or 0), _KNIGHT),
        ]
    return Term(Text("fight.total"), sum(part.points for part in parts), _EXTRAS, tuple(parts))


def decide(state: Realm, battle: Battle) -> Iterator[Ruled]:
    """Yield the totals, who won, what is used up, and what comes of it (RW-101, RW-102)."""
    totals = []
    for side in (ATTACKER, DEFENDER):
        term = strength(state, battle, side)
        totals.append(term.points)
        by = {part.text.key: part.points for part in term.parts}
        extras = ExtrasAdded(
            side,
            by["fight.die"],
            by.get("fight.muscles", 0),
            by.get("fight.bonus", 0),
            by.get("fight.knights", 0),
            by.get("fight.monster", 0),
            term.points,
        )
        why = [cited for part in term.parts if part.points for cited in part.cites]
        yield Ruled(extras, tuple(dict.fromkeys((*_EXTRAS, *why))))
    winner = "attacker" if totals[0] > totals[1] else "defender" if totals[1] > totals[0] else "none"
    yield Ruled(BattleDecided((totals[0], totals[1]), winner), _HIGHER if winner != "none" else cite("RW-107"))
    if cards := sum(count or 0 for count in battle.muscles):
        yield Ruled(MusclesGone(cards), _GONE)
    for side in (ATTACKER, DEFENDER):
        if knights := battle.knights[side]:
            yield Ruled(KnightsGone(fighter(battle, side), knights), _HELD)
    yield Ruled(BattleOver(), FIGHT)
    yield from outcome(state, battle, winner)
    if winner == "attacker" and battle.defender is not None and battle.place in state.monsters:
        yield Ruled(then(StillThere(battle.attacker, battle.place, battle.back)), _STILL)


class StillThere(Asking, frozen=True):
    """RW-149 Who has beaten a player in a monster's space has still to fight the monster."""

    seat: int
    place: str
    back: str

    def resolve(self, state: Realm, to: str, reply: Reply | None) -> Iterator[Ruled]:
        if self.place in state.monsters and state.players[self.seat].at == self.place:
            monster = state.monsters[self.place]
            yield Ruled(BattleBegun(self.seat, None, monster, self.place, self.back), _STILL)
            yield Ruled(then(Fight(), frame="battle"), FIGHT)
