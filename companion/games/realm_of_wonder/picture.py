"""The table as the screen draws it: both whirlpools, and a row of character cards."""

from __future__ import annotations

from companion.games.realm_of_wonder import places
from companion.games.realm_of_wonder.payoff import aligned
from companion.games.realm_of_wonder.pieces import CHARACTERS, DISCS, MONSTERS, ORBS, SEATS
from companion.games.realm_of_wonder.quest import achieved, is_counted
from companion.games.realm_of_wonder.state import Realm, next_caster, speed_order
from companion.games.realm_of_wonder.telling import DISC_SLOTS
from companion.kernel import UNKNOWN, BoardModel, Cell, Mark, Pile, Position, Text, Unknown


def draw_board(state: Realm) -> BoardModel:
    """Return the discs, each player's character card, and what is counted beside it."""
    cells = [_disc(state, disc) for disc in DISCS]
    cells += [_player(state, seat) for seat in state.seats]
    piles: list[Pile] = []
    for seat, player in enumerate(state.players):
        letter = SEATS[seat]
        piles.append(Pile(f"hand {letter}", "hand", _known(player.magic), seat, "magic cards"))
        piles.append(Pile(f"points {letter}", "magic points", _known(player.mp), seat, f"+{player.counter}"))
        piles.append(Pile(f"discs {letter}", "fort discs", state.discs_left(seat), seat))
    piles.append(Pile("deck magic", "magic cards", _known(state.magic_pile)))
    piles.append(Pile("deck movement", "movement cards", _known(state.movement_pile)))
    return BoardModel(2, max(2, len(state.players)), tuple(cells), tuple(piles), (None, None))


def _known(count: int | Unknown) -> int | None:
    return None if count is UNKNOWN else count


def _disc(state: Realm, disc: str) -> Cell:
    region = getattr(state, disc)
    owner = next((seat for seat in state.seats if disc in aligned(state, seat)), None)
    shown = "?" if region is UNKNOWN else region
    return Cell(DISC_SLOTS[disc], 0, DISCS.index(disc), "tile", disc, shown, owner=owner)


def _player(state: Realm, seat: int) -> Cell:
    player = state.players[seat]
    character = "?" if player.character is UNKNOWN else player.character
    monsters = sum(tile in MONSTERS for tile in player.tiles)
    orbs = sum(tile in ORBS for tile in player.tiles)
    marks = [Mark("crown")] if player.victory else []
    marks += [Mark("diamond")] if player.ready else []
    marks += [Mark("star", str(monsters))] if monsters else []
    marks += [Mark("dot", str(orbs))] if orbs else []
    marks += [Mark("castle", str(len(state.forts_of(seat))))] if state.forts_of(seat) else []
    tone = CHARACTERS.index(character) if character in CHARACTERS else None
    return Cell(
        f"P{seat + 1}",
        1,
        seat,
        "card",
        character,
        str(player.counter),
        marks=tuple(marks),
        owner=seat,
        tone=tone,
        note=player.at,
    )


def status(position: Position) -> tuple[Text, ...]:
    """Return round and step, the order of play, and how far everybody is with the quest."""
    state: Realm = position.state
    lines = [Text("status.round", (("round", state.round), ("step", _step(state))))]
    if state.track:
        order = ", ".join(SEATS[seat] for seat in speed_order(state))
        lines.append(Text("status.order", (("order", order),)))
    if is_counted(state) and state.quest is not UNKNOWN:
        done = ", ".join(f"{SEATS[seat]} {achieved(state, seat)}" for seat in state.seats)
        lines.append(Text("status.quest", (("what", state.quest.quest), ("goal", state.quest.goal), ("done", done))))
    ways = [f"{SEATS[seat]}: {way}" for seat in state.seats for way in places.means_to_enter(state, seat)]
    if ways:
        lines.append(Text("status.may_enter", (("ways", ", ".join(ways)),)))
    return tuple(lines)


def _step(state: Realm) -> int:
    if state.walk is not None or all(going.cast for going in state.goings):
        return 4
    if state.track:
        return 3 if next_caster(state) is not None else 4
    return 2
