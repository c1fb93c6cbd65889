"""What people at the table see happen, battles apart, as data that knows how to apply itself."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from companion.games.realm_of_wonder.box import Quest
from companion.games.realm_of_wonder.pieces import SEATS
from companion.games.realm_of_wonder.state import Fort, Going, Realm, Walk, with_going, with_player
from companion.kernel import UNKNOWN, Effect, Unknown


def _less(count: int | Unknown, by: int) -> int | Unknown:
    return UNKNOWN if count is UNKNOWN else max(0, count - by)


def _more(count: int | Unknown, by: int) -> int | Unknown:
    return UNKNOWN if count is UNKNOWN else count + by


def _walk(state: Realm) -> Walk:
    assert state.walk is not None  # noqa: S101  yielded only within a turn
    return state.walk


# ---------- preparations ----------


class CharactersDealt(Effect, frozen=True):
    """Each player has a character; figure and house went to the well of its house."""

    characters: tuple[str, ...]

    def apply(self, state: Realm) -> Realm:
        for seat, character in enumerate(self.characters):
            home = (state.board.home(character) if state.board else "") or "house"
            at = state.players[seat].at or home
            state = with_player(state, seat, character=character, at=at)
        return state


class Equipped(Effect, frozen=True):
    """A player took the first magic points and cards, and the ability disc with its skill side up."""

    seat: int
    mp: int
    movement: int
    magic: int

    def apply(self, state: Realm) -> Realm:
        pile = _less(state.movement_pile, self.movement)
        state = with_player(state, self.seat, mp=self.mp, movement=self.movement, magic=self.magic, ready=True)
        return replace(state, movement_pile=pile)


class QuestDrawn(Effect, frozen=True):
    """A quest card was drawn and lies open; `quest` is what the set says about it."""

    card: str
    quest: Quest | Unknown

    def apply(self, state: Realm) -> Realm:
        return replace(state, quest_card=self.card, quest=self.quest)


class QuestRead(Effect, frozen=True):
    """The quest was read out: what counts, and how many of it."""

    quest: str
    goal: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, quest=Quest(self.quest, self.goal))  # type: ignore[arg-type]


class DiscTurned(Effect, frozen=True):
    """An inner disc was turned; its whirlpool is in line with a region's path on the outer disc."""

    disc: str
    region: str

    def apply(self, state: Realm) -> Realm:
        return replace(state, **{self.disc: self.region})


# ---------- rounds and payoff ----------


class RoundBegun(Effect, frozen=True):
    """A new round begins."""

    round: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, round=self.round, goings=(Going(),) * len(state.players), track=())


class PayoffSkipped(Effect, frozen=True):
    """In the first round nobody is paid."""

    def apply(self, state: Realm) -> Realm:
        return state


class PaidOut(Effect, frozen=True):
    """A player got the round's payoff; `points` are those of the counter, or 0."""

    seat: int
    points: int

    def apply(self, state: Realm) -> Realm:
        mp = state.players[self.seat].mp
        after = UNKNOWN if mp is UNKNOWN else max(0, mp + self.points)
        return with_going(with_player(state, self.seat, mp=after), self.seat, paid=self.points)


class PayoffReturned(Effect, frozen=True):
    """A player who began the own move on the castle island gave the payoff back."""

    seat: int
    points: int

    def apply(self, state: Realm) -> Realm:
        state = with_player(state, self.seat, mp=_less(state.players[self.seat].mp, self.points))
        return with_going(state, self.seat, paid=0)


class PointsTold(Effect, frozen=True):
    """The table said how many magic points a player has."""

    seat: int
    mp: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, mp=self.mp)


# ---------- movement cards ----------


class MovementDrawn(Effect, frozen=True):
    """A player drew a movement card."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        held = _more(state.players[self.seat].movement, 1)
        return replace(
            with_player(state, self.seat, movement=held),
            movement_pile=_less(state.movement_pile, 1),
        )


class MovementShuffled(Effect, frozen=True):
    """The movement cards that were played were shuffled and are the pile again."""

    cards: int | Unknown

    def apply(self, state: Realm) -> Realm:
        return replace(state, movement_pile=_more(self.cards, 0), movement_used=())


class NothingToDraw(Effect, frozen=True):
    """A pile is empty, so a player drew nothing."""

    seat: int
    pile: str

    def apply(self, state: Realm) -> Realm:
        return state


class CardPlayed(Effect, frozen=True):
    """A movement card was opened; what its face does not say is UNKNOWN."""

    seat: int
    card: str
    speed: int | Unknown
    points: int | Unknown
    special: str | Unknown

    def apply(self, state: Realm) -> Realm:
        state = with_going(
            state,
            self.seat,
            card=self.card,
            played=True,
            speed=self.speed,
            points=self.points,
            special=self.special,
        )
        held = _less(state.players[self.seat].movement, 1)
        return replace(
            with_player(state, self.seat, movement=held),
            movement_used=(*state.movement_used, self.card),
        )


class CardSkipped(Effect, frozen=True):
    """A player has no movement card left and stands still in this round."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, played=True, speed=0, points=0, special="none")


class SpecialTold(Effect, frozen=True):
    """The table read out what a movement card does beside moving."""

    seat: int
    special: str

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, special=self.special)


class MovementTold(Effect, frozen=True):
    """The table read out the movement points of a card."""

    seat: int
    points: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, points=self.points)


class MarkersSet(Effect, frozen=True):
    """The turn markers stand on the track in this order, from the magical end."""

    seats: tuple[int, ...]

    def apply(self, state: Realm) -> Realm:
        return replace(state, track=self.seats)


class SpeedsTied(Effect, frozen=True):
    """Two players who rolled for the faster card rolled the same, and roll again."""

    pips: str

    def apply(self, state: Realm) -> Realm:
        return state


class SpecialActed(Effect, frozen=True):
    """A special movement card did what it does."""

    seat: int
    special: str

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, acted=True)


class AbilityReturned(Effect, frozen=True):
    """A player's ability disc lies on the character card again, skill side up."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, ready=True)


class MagicDrawn(Effect, frozen=True):
    """A player drew magic cards unseen."""

    seat: int
    cards: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, magic=_more(state.players[self.seat].magic, self.cards))


class PointsReceived(Effect, frozen=True):
    """A player got magic points."""

    seat: int
    points: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, mp=_more(state.players[self.seat].mp, self.points))


class Paid(Effect, frozen=True):
    """A player paid magic points for something."""

    seat: int
    points: int
    what: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, mp=_less(state.players[self.seat].mp, self.points))


# ---------- spells ----------


class CardShown(Effect, frozen=True):
    """A magic card was played from the hand and leaves the game; `aim` is what it was aimed at."""

    seat: int
    card: str
    aim: str

    def apply(self, state: Realm) -> Realm:
        held = _less(state.players[self.seat].magic, 1)
        return replace(with_player(state, self.seat, magic=held), gone=(*state.gone, self.card), cast=state.cast + 1)


class CardTakenBack(Effect, frozen=True):
    """A countered card went back into its player's hand."""

    seat: int
    card: str

    def apply(self, state: Realm) -> Realm:
        gone = list(state.gone)
        gone.remove(self.card)
        held = _more(state.players[self.seat].magic, 1)
        return replace(with_player(state, self.seat, magic=held), gone=tuple(gone))


class CastingEnded(Effect, frozen=True):
    """A player casts no more spells in this round."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, cast=True)


class Hastened(Effect, frozen=True):
    """A Lightning added 50 to a player's speed; the marker goes to the fast end of the track."""

    seat: int
    by: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, lightnings=state.goings[self.seat].lightnings + 1)


class MovementChanged(Effect, frozen=True):
    """A spell added movement points to a player's, or took some."""

    seat: int
    by: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, spells=state.goings[self.seat].spells + self.by)


class BalloonTaken(Effect, frozen=True):
    """A player travels by hot air balloon in this round."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, balloon=True)


class BalloonLeft(Effect, frozen=True):
    """A player left the balloon behind on stepping off the middle disc."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, balloon=False)


class FortLowered(Effect, frozen=True):
    """A disc was taken off a fort and is back with its owner."""

    place: str
    owner: int
    height: int

    def apply(self, state: Realm) -> Realm:
        return put_fort(state, self.place, self.owner, self.height)


class FortDiscMoved(Effect, frozen=True):
    """A disc was moved from one fort to another well; `heights` are those of both afterwards."""

    start: str
    end: str
    owner: int
    heights: tuple[int, int]

    def apply(self, state: Realm) -> Realm:
        state = put_fort(state, self.start, self.owner, self.heights[0])
        return put_fort(state, self.end, self.owner, self.heights[1])


def put_fort(state: Realm, place: str, owner: int, height: int) -> Realm:
    """Return the state with a fort of this height on a well, or without one if it has none left.

    Without a map a fort's name is also the place of the figures on it; without the fort it is a well.
    """
    forts = {**state.forts, place: Fort(owner, height)}
    if height:
        return replace(state, forts=forts)
    del forts[place]
    if state.board is None:
        for seat in state.seats:
            if state.players[seat].at == place:
                state = with_player(state, seat, at="well")
    return replace(state, forts=forts)


class TileTaken(Effect, frozen=True):
    """A player took a tower tile from another one."""

    seat: int
    loser: int
    tile: str

    def apply(self, state: Realm) -> Realm:
        return pass_tile(state, self.loser, self.seat, self.tile)


def pass_tile(state: Realm, giver: int, taker: int, tile: str) -> Realm:
    """Return the state with a tile of one player in front of another."""
    left = list(state.players[giver].tiles)
    left.remove(tile)
    state = with_player(state, giver, tiles=tuple(left))
    return with_player(state, taker, tiles=(*state.players[taker].tiles, tile))


# ---------- moving ----------


class TurnBegun(Effect, frozen=True):
    """A player's move of this round begins."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, walk=Walk(self.seat))


class Walked(Effect, frozen=True):
    """A figure went into another space for movement points."""

    seat: int
    place: str
    cost: int
    hovering: bool = False

    def apply(self, state: Realm) -> Realm:
        walk = _walk(state)
        # Whoever flies over a space does not come from there: nobody could be sent back to it.
        left = walk.came_from if walk.hovering else state.players[self.seat].at
        walk = replace(walk, spent=walk.spent + self.cost, came_from=left, hovering=self.hovering)
        return replace(with_player(state, self.seat, at=self.place), walk=walk)


class Travelled(Effect, frozen=True):
    """A figure came to another space without movement points; `how` names the means."""

    seat: int
    place: str
    how: str

    def apply(self, state: Realm) -> Realm:
        if state.walk is not None and state.walk.seat == self.seat:
            state = replace(state, walk=replace(state.walk, came_from=state.players[self.seat].at))
        return with_player(state, self.seat, at=self.place)


class Landed(Effect, frozen=True):
    """The balloon came down in the space it was over."""

    seat: int
    place: str

    def apply(self, state: Realm) -> Realm:
        return replace(state, walk=replace(_walk(state), hovering=False))


class ExtraBought(Effect, frozen=True):
    """A player bought the extra movement point of this turn."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, walk=replace(_walk(state), extra=True))


class CardBought(Effect, frozen=True):
    """A player bought the magic card of this turn at a well."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return replace(state, walk=replace(_walk(state), bought=True))


class FortBuilt(Effect, frozen=True):
    """A player laid fort discs on a well; `height` is that of the fort now."""

    seat: int
    place: str
    discs: int
    height: int

    def apply(self, state: Realm) -> Realm:
        state = put_fort(state, self.place, self.seat, self.height)
        return state if state.board else with_player(state, self.seat, at=self.place)


class FortConquered(Effect, frozen=True):
    """A player built a higher fort than the one there; the difference stays, the rest went back."""

    seat: int
    place: str
    loser: int
    discs: int
    height: int

    def apply(self, state: Realm) -> Realm:
        forts = {place: fort for place, fort in state.forts.items() if place != self.place}
        name = self.place if state.board else fort_name(forts, self.seat)
        state = replace(state, forts={**forts, name: Fort(self.seat, self.height)})
        for seat in state.seats if name != self.place else ():
            if state.players[seat].at == self.place:
                state = with_player(state, seat, at=name)
        return state


def fort_name(forts: Collection[str], seat: int) -> str:
    """Return the name of the next fort of a player where no map names the wells: `A1`, `A2`."""
    return next(name for number in range(1, 99) if (name := f"{SEATS[seat]}{number}") not in forts)


class AbilityUsed(Effect, frozen=True):
    """A player used the special ability; the disc lies beside the card, face side up."""

    seat: int
    ability: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, ready=False)


class AbilityRuns(Effect, frozen=True):
    """An ability holds until the round ends: `golem`, or `troll:` and the region."""

    seat: int
    running: str

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, running=self.running)


class AbilityEnded(Effect, frozen=True):
    """An ability wore off on the castle island."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        return with_going(state, self.seat, running="")


class TurnEnded(Effect, frozen=True):
    """A player's move of this round is over."""

    seat: int

    def apply(self, state: Realm) -> Realm:
        walk = None if state.walk is not None and state.walk.seat == self.seat else state.walk
        return replace(with_going(state, self.seat, moved=True), walk=walk)


# ---------- tower tiles ----------


class TileRevealed(Effect, frozen=True):
    """A tower tile was turned up."""

    seat: int
    tile: str

    def apply(self, state: Realm) -> Realm:
        place = state.players[self.seat].at
        bare = state.bare | {place} if state.board else state.bare
        if state.board is None:
            state = with_player(state, self.seat, at="plain")
        return replace(state, tiles_out=(*state.tiles_out, self.tile), bare=bare)


class TileKept(Effect, frozen=True):
    """A tower tile came to lie on the player's character card."""

    seat: int
    tile: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, tiles=(*state.players[self.seat].tiles, self.tile))


class TileRemoved(Effect, frozen=True):
    """A tower tile was used and is out of the game."""

    seat: int
    tile: str

    def apply(self, state: Realm) -> Realm:
        left = list(state.players[self.seat].tiles)
        if self.tile in left:
            left.remove(self.tile)
        return with_player(state, self.seat, tiles=tuple(left))


class MonsterAppeared(Effect, frozen=True):
    """A monster lies open on the board until somebody beats it."""

    seat: int
    place: str
    monster: str

    def apply(self, state: Realm) -> Realm:
        state = replace(state, monsters={**state.monsters, self.place: self.monster})
        return state if state.board else with_player(state, self.seat, at=self.place)


class BonusTaken(Effect, frozen=True):
    """A bonus disc lies on a character card, with this side up for ever."""

    seat: int
    side: str

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, bonus=(*state.players[self.seat].bonus, self.side))


class CastleEntered(Effect, frozen=True):
    """A player stands in the King's castle with a victory disc, three monsters or three orbs."""

    seat: int
    by: str

    def apply(self, state: Realm) -> Realm:
        return state


class ChestOpened(Effect, frozen=True):
    """Magic cards were drawn out of a magic chest, to be passed round."""

    seat: int
    cards: int

    def apply(self, state: Realm) -> Realm:
        return state


class MagicPicked(Effect, frozen=True):
    """A player kept one of the cards of the chest in secret and passed the others on."""

    seat: int
    of: int

    def apply(self, state: Realm) -> Realm:
        return with_player(state, self.seat, magic=_more(state.players[self.seat].magic, 1))
