"""What hands still have to do after the companion went on, or after the past was changed.

Hands follow the rules with a delay. Until a slot looks as it should, it may look as it did before;
that is neither an act nor a fault.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from companion.kernel import Game, Lying, Position, Reply
from companion.kernel.questions import slots_of
from companion.table.looks import Look
from companion.table.reconcile import Awaited, follow, still
from companion.table.records import Todo
from companion.table.voice import Voice

MANY = 4
"""More slots than this are named together and not one by one."""


class Misread(msgspec.Struct, frozen=True):
    """A person said that what the camera takes for one of `seen` is `piece`.

    `offset` is what has to be added to the camera's quarter turns; None if it sees none.
    """

    seen: tuple[str, ...]
    piece: str
    offset: int | None

    def fits(self, look: Look) -> bool:
        """Return whether the camera still takes the card for the same."""
        return look.stranger if not self.seen else not set(self.seen).isdisjoint(look.pieces)

    def put_right(self, look: Look) -> Look:
        """Return the look with the piece that really lies there."""
        turn = None if look.turn is None or self.offset is None else (look.turn + self.offset) % 4
        return msgspec.structs.replace(look, pieces=(self.piece,), turn=turn, stranger=False)


class Aftermath:
    """The slots where hands have to follow, and the sentences that say what they owe."""

    def __init__(self, game: Game, voice: Voice) -> None:
        self._game, self._voice = game, voice
        self.awaited: Awaited = {}
        self._todos: list[Todo] = []
        self._misread: dict[str, Misread] = {}

    def as_told(self, position: Position, looks: Mapping[str, Look]) -> Mapping[str, Look]:
        """Return the looks with what people said about cards that the camera misreads where they lie."""
        scene = self._game.scene(position.state)
        told = dict(looks)
        for slot, misread in tuple(self._misread.items()):
            lying, look = scene.get(slot), looks.get(slot)
            if lying is None or lying.piece != misread.piece:
                del self._misread[slot]
            elif look is not None and misread.fits(look):
                told[slot] = misread.put_right(look)
        return told

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(todo.says for todo in self._todos if not todo.slots or any(s in self.awaited for s in todo.slots))

    def nothing_owed(self) -> None:
        """The table is as it should be."""
        self.awaited, self._todos = {}, []

    def seen(self, position: Position, looks: Mapping[str, Look]) -> None:
        """Take in a look at the table: where hands have followed, nothing is owed any more."""
        self.awaited = still(self._game, position, looks, self.awaited)

    def went_on(self, before: Position, after: Position, reply: Reply, watched: bool) -> None:
        """Take in an act. While nobody watches, what was owed before it is taken for done."""
        if not watched:
            self.nothing_owed()
        own = slots_of(reply)
        self.awaited = follow(self._game, self.awaited, before, after, own)
        self._todos = [
            todo for todo in self._todos if not todo.passing and any(slot in self.awaited for slot in todo.slots)
        ]
        for ruled in after.told:
            owed = self._game.owed(ruled.effect)
            if owed is not None and not (owed.slots and set(owed.slots) <= set(own)):
                self._todos.append(Todo(self._voice.owed(ruled.effect), owed.slots))

    def entered(self, before: Position, after: Position, looks: Mapping[str, Look], slots: Sequence[str]) -> None:
        """Take in what a person entered about `slots`: it lies there already, or will in a moment.

        Where the camera sees neither what lay there before nor what was entered, that is said.
        """
        earlier, now = self._game.scene(before.state), self._game.scene(after.state)
        awaited = dict(self.awaited)
        for slot in slots:
            look = looks.get(slot)
            if look is None or look.fits(now.get(slot)):
                continue
            if look.fits(earlier.get(slot)):
                awaited[slot] = earlier.get(slot)
            elif not self._contradict(look, now.get(slot)):
                awaited[slot] = look.as_lying()
        self.awaited = awaited

    def vouched(self, position: Position, looks: Mapping[str, Look], named: Collection[str]) -> None:
        """Take in the first look at a game that was opened again; people had named the `named` pieces."""
        for slot, lying in self._game.scene(position.state).items():
            look = looks.get(slot)
            if look is None or lying.piece not in named or lying.piece in look.pieces:
                continue
            if look.stranger or look.pieces:
                self._contradict(look, lying)

    def rewritten(self, before: Position, after: Position, looks: Mapping[str, Look], entered: Sequence[str]) -> None:
        """Take in that the past was changed: the table still lies as `before` and has to become `after`.

        In the slots of `entered` the table is right already.
        """
        earlier, now = self._game.scene(before.state), self._game.scene(after.state)
        changed = sorted(slot for slot in {*earlier, *now} if earlier.get(slot) != now.get(slot))
        owed = {slot: lying for slot, lying in self.awaited.items() if slot not in changed}
        self._todos = [todo for todo in self._todos if any(slot in owed for slot in todo.slots)]
        wrong: list[str] = []
        for slot in changed:
            look = looks.get(slot)
            if look is not None and look.fits(now.get(slot)):
                continue
            if slot not in entered:
                wrong.append(slot)
            elif look is not None and self._contradict(look, now.get(slot)):
                continue
            if look is not None:
                owed[slot] = earlier.get(slot) if look.fits(earlier.get(slot)) else look.as_lying()
        self.awaited = owed
        if wrong:
            if len(wrong) > MANY:
                how = self._voice.table("put_many", slots=", ".join(wrong))
            else:
                how = "; ".join(self._put_right(slot, earlier.get(slot), now.get(slot)) for slot in wrong)
            self._todos.append(Todo(self._voice.table("put_back", how=how), tuple(wrong) if looks else ()))

    def _put_right(self, slot: str, lies: Lying | None, should: Lying | None) -> str:
        if should is None:
            return self._voice.table("put_empty", slot=slot, piece=lies.piece if lies else "")
        same = lies is not None and lies.piece == should.piece
        return self._voice.table("put_turn" if same else "put_piece", slot=slot, piece=should.piece)

    def _contradict(self, look: Look, entered: Lying | None) -> bool:
        """Say that the camera sees something else than what a person entered; the person counts.

        Return whether the camera's reading can be put right from now on.
        """
        key = "seen_stranger" if look.stranger else "seen_empty" if look.is_empty else "seen_piece"
        seen = self._voice.table(key, piece=look.pieces[0] if look.pieces else "")
        counts = self._voice.table("seen_piece" if entered else "seen_empty", piece=entered.piece if entered else "")
        says = self._voice.table("look_again", slot=look.slot, seen=seen, entered=counts)
        misread = None if entered is None or look.is_empty else _misread(look, entered)
        if misread is not None:
            self._misread[look.slot] = misread
            if misread.offset is None:
                says += " " + self._voice.table("turns_by_hand")
        self._todos.append(Todo(says, (look.slot,) if misread is None else (), passing=True))
        return misread is not None


def _misread(look: Look, entered: Lying) -> Misread:
    if look.turn is None:
        return Misread(look.pieces, entered.piece, None)
    offset = 0 if look.turn in entered.turns else (min(entered.turns) - look.turn) % 4
    return Misread(look.pieces, entered.piece, offset)
