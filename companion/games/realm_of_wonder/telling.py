"""Effects in words: which sentence, with which values, and what hands still have to do."""

from __future__ import annotations

from msgspec.structs import asdict

from companion.games.realm_of_wonder.effects.battle import (
    BattleBegun,
    BattleDecided,
    CurseGiven,
    ExtrasAdded,
    KnightsFight,
    KnightsGone,
    MonsterTaken,
    MusclesGone,
    MusclesPlayed,
    SentHome,
    SteppedBack,
    TileStolen,
)
from companion.games.realm_of_wonder.effects.board import (
    DiscTurned,
    FortBuilt,
    FortConquered,
    FortDiscMoved,
    FortLowered,
)
from companion.games.realm_of_wonder.effects.cards import (
    CardPlayed,
    ChestOpened,
    MagicDrawn,
    MarkersSet,
    MovementDrawn,
    MovementShuffled,
)
from companion.games.realm_of_wonder.effects.figures import AbilityReturned, AbilityUsed, Travelled, Walked
from companion.games.realm_of_wonder.effects.points import Paid, PaidOut, PointsReceived
from companion.games.realm_of_wonder.effects.preparing import CharactersDealt, Equipped, QuestRead
from companion.games.realm_of_wonder.effects.spells import CardShown, CardTakenBack, Hastened, MovementChanged
from companion.games.realm_of_wonder.effects.tiles import BonusTaken, TileRemoved, TileTaken
from companion.games.realm_of_wonder.payoff import CounterMoved
from companion.games.realm_of_wonder.pieces import DISCS, SEATS
from companion.games.realm_of_wonder.quest import VictoryDiscTaken
from companion.kernel import UNKNOWN, Cancel, Citation, Effect, Owed, Text, cite
from companion.kernel.game import Change

SEAT_FIELDS = ("seat", "loser", "owner", "attacker", "defender", "winner")
DISC_SLOTS = {disc: f"D{number}" for number, disc in enumerate(DISCS, 1)}
"""The slots of the two discs that can be turned."""
TURNS_A_DISC = ("ask.spin_start", "ask.spin_by", "ask.disc", "offer.spin", "offer.whirlpool", "offer.yeti")
"""The questions whose replies turn a disc, or say which one is to be turned."""


def tell(effect: Effect) -> Text:
    """Return the key of the effect's sentence (its name) and the values that fill it."""
    values: dict[str, str | int] = {}
    for name, value in asdict(effect).items():
        match name, value:
            case _, None:
                values[name] = "-"
            case ("seats", tuple()):
                values[name] = ", ".join(SEATS[each] for each in value)
            case ("side", int()):
                values[name] = ("attacker", "defender")[value]
            case (field, int()) if field in SEAT_FIELDS:
                values[name] = SEATS[value]
            case ("card", str()):
                values[name] = value or "a card"
            case ("characters", tuple()):
                values[name] = ", ".join(value)
            case _, bool():
                values[name] = str(value)
            case _, int() | str():
                values[name] = value
            case _, tuple():
                values[name] = " : ".join(str(each) for each in value)
            case _:
                values[name] = "?"
    if isinstance(effect, Cancel):
        values["number"] = effect.pending.removeprefix("spell ")
    return Text(f"effect.{_name(effect)}", tuple(values.items()))


def _name(effect: Effect) -> str:
    """An effect that reads differently in a special case has a sentence of its own for it."""
    match effect:
        case BattleBegun(defender=None):
            return "BattleBegunMonster"
        case BattleDecided(winner="none"):
            return "BattleTied"
        case CardShown(aim=aim) if aim:
            return "CardShownAimed"
        case CardPlayed(speed=speed) if speed is UNKNOWN:
            return "CardPlayedUnread"
        case ExtrasAdded(monster=monster) if monster:
            return "ExtrasAddedMonster"
        case FortLowered(height=0):
            return "FortRemoved"
        case KnightsFight(knights=0):
            return "KnightsFightNone"
        case KnightsGone(knights=1) | MusclesGone(cards=1) | MusclesPlayed(cards=1) | MagicDrawn(cards=1):
            return f"{type(effect).__name__}One"
        case MusclesPlayed(cards=0):
            return "MusclesPlayedNone"
        case MovementChanged(by=by) if by < 0:
            return "MovementLost"
        case PaidOut(points=0):
            return "PaidNothing"
        case QuestRead(goal=0):
            return "QuestReadOpen"
        case Walked(hovering=True):
            return "WalkedOver"
        case _:
            return type(effect).__name__


def owed(effect: Effect) -> Owed | None:
    """Return where hands have to follow an effect the rules caused; None for nothing."""
    match effect:
        case DiscTurned(disc=disc):
            return Owed((DISC_SLOTS[disc],), turning=True)
        case (
            CharactersDealt()
            | Equipped()
            | PaidOut()
            | CounterMoved()
            | VictoryDiscTaken()
            | MarkersSet()
            | Hastened()
            | MovementDrawn()
            | MovementShuffled()
            | MagicDrawn()
            | ChestOpened()
            | PointsReceived()
            | Paid()
            | AbilityReturned()
            | AbilityUsed()
            | BonusTaken()
            | CardTakenBack()
            | FortBuilt()
            | FortConquered()
            | FortLowered()
            | FortDiscMoved()
            | TileTaken()
            | TileStolen()
            | CurseGiven()
            | TileRemoved()
            | MonsterTaken()
            | KnightsGone()
            | MusclesGone()
            | SentHome()
            | SteppedBack()
            | Travelled()
        ):
            return Owed()
        case _:
            return None


def touched(effect: Effect) -> tuple[str, ...]:
    """Return the slots in which an effect can be seen: the discs."""
    return (DISC_SLOTS[effect.disc],) if isinstance(effect, DiscTurned) else ()


def forbids(what: Change, slot: str) -> tuple[Citation, ...]:
    """Return the articles against a disc that was turned, moved or taken out without a reason."""
    return cite("RW-18", "RW-63") if what == "turned" else cite("RW-01", "table/inventory")
