"""How an act becomes gestures: who shows it to the companion, and what hands do at the table afterwards.

The table decides. A throw is seen where there is a tray, an order where there is a track, a card where
the mat has a slot for it; what has no place on the table is tapped on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.kernel import Confirmed, Game, Moved, Ordered, Placed, Revealed, Rolled, Turned
from companion.notation.reply import format_reply
from companion.simulated.chance import Act
from companion.simulated.gestures import Gesture, Push, Reach, SetMarkers, Tap, Throw, Toss, Withdraw
from companion.simulated.tabletop import Tabletop

PRESS_S = 0.8
"""A press counts when the button is let go, and it is certain that no second one follows."""
REST_S = 1.4
"""For so long the table lies still before the next act, so that it can be read."""


PUSHES, WAITS = 5, 2
"""So often people push dice that do not count, and wait before they do so."""


class Means(msgspec.Struct, frozen=True):
    """What a table has for showing acts."""

    cards: bool = False
    """The camera knows the cards, and the mat has slots for them."""
    dice_seen: bool = False
    """The camera knows the dice, and the mat has a tray."""
    dice_heard: bool = False
    """A dock listens to the tray."""
    markers: bool = False
    """A dock feels the markers of a track."""


class Stage:
    """Turns the acts of one game into gestures, and keeps the tabletop as the rules want it."""

    def __init__(self, game: Game, tabletop: Tabletop, means: Means) -> None:
        self._game, self._tabletop, self._means = game, tabletop, means
        self._markers: tuple[str, ...] = ()
        self.acts_shown: int | None = None
        """How many acts the screen shows as understood; None if nobody looks at it."""

    def set_out(self, state: object) -> Iterator[Gesture]:
        """Lay out what lies on the table before the first act."""
        yield from self._follow(state, 0)
        yield Withdraw(REST_S)

    def show(self, act: Act) -> Iterator[Gesture]:
        """Yield what people do to let the companion know of an act, and what their hands do after it."""
        seat = act.question.seat or 0
        by_hand = self._is_seen_on_mat(act)
        if not by_hand:
            yield from self._tell(act, seat)
        yield from self._follow(act.after.state, seat)
        if by_hand:
            yield Withdraw(REST_S)

    def _tell(self, act: Act, seat: int) -> Iterator[Gesture]:
        match act.reply:
            case Rolled(faces=faces) if self._means.dice_seen:
                yield from self._throw(seat, faces)
            case Rolled(faces=faces) if self._means.dice_heard:
                yield Throw(faces)
            case Ordered(items=items) if self._means.markers and items == self._markers:
                yield Push(seat, "yes")  # they lie so already
                yield Withdraw(PRESS_S)
            case Ordered(items=items) if self._means.markers:
                yield from self._set_markers(items)
            case Confirmed() if self._a_button_says(act):
                yield Push(seat, "yes" if act.reply.yes else "no")
                yield Withdraw(PRESS_S)
            case _:
                yield Tap(act.question.key, format_reply(act.reply))

    def _throw(self, seat: int, faces: tuple[str, ...]) -> Iterator[Gesture]:
        """Throw dice; as long as the screen does not take them, wait, or push them to other places as they lie."""
        before = self.acts_shown
        for _ in range(PUSHES):
            self._tabletop.throw(faces)
            yield Toss(seat, faces)
            for _ in range(WAITS):
                yield Withdraw(REST_S)
                if self.acts_shown is None or self.acts_shown != before:
                    return

    def _follow(self, state: object, seat: int) -> Iterator[Gesture]:
        """Let hands bring cards and markers to where the rules now want them."""
        if self._means.cards:
            touched = False
            for slot, before, now in self._tabletop.follow(self._game.scene(state)):
                touched = True
                if now is None:
                    yield Reach(seat % 2, "take", (slot,), None if before is None else before.card)
                else:
                    yield Reach(seat % 2, "turn" if before and before.card == now.card else "lay", (slot,), now.card)
            if touched:
                yield Withdraw(REST_S)
        if self._means.markers and (track := self._game.track(state)) and track != self._markers:
            yield from self._set_markers(track)

    def _set_markers(self, order: tuple[str, ...]) -> Iterator[Gesture]:
        if order != self._markers:
            self._markers = order
            yield SetMarkers(order)
        yield Withdraw(REST_S)

    def _is_seen_on_mat(self, act: Act) -> bool:
        """Tell whether the camera can see of the cards alone that this was done."""
        if not self._means.cards or not isinstance(act.reply, Placed | Moved | Turned | Revealed):
            return False
        before, after = self._game.scene(act.before.state), self._game.scene(act.after.state)
        if isinstance(act.reply, Revealed):
            lay, lie = ({each.piece for each in scene.values()} for scene in (before, after))
            return all(piece in lie - lay for piece in act.reply.pieces)
        return before != after

    def _a_button_says(self, act: Act) -> bool:
        """Tell whether the seat's button means this question and no other (a press goes to the first one)."""
        first = next(
            (
                question
                for question in act.before.questions
                if question.kind == "confirm" and (question.seat is None or question.seat == act.question.seat)
            ),
            None,
        )
        return first is not None and first.key == act.question.key and act.question.seat is not None
