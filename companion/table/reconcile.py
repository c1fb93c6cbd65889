"""From what the camera sees to what was done: the legal answers that explain a scene.

A player places a card and turns three others before the camera looks again. From the position in
force, `reconcile` searches the answers that lead to the scene. Only answers that touch slots where
scene and position differ are tried, so the search stays small; positions reached on two ways are
one explanation (decisions.md, 2a.10).

Hands follow the rules with a delay: after a battle five region cards have to be turned. Such slots
are *awaited*: until they look as they should, they may still look as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.kernel import Answer, Game, Lying, Position, Question, Refusal, Reply, advance
from companion.kernel.questions import slots_of
from companion.table.looks import Look

SILENT = ("confirm",)
"""Kinds that a scene can answer without a slot of their own: the table simply went on."""

Awaited = Mapping[str, Lying | None]
"""Slots where hands still have to follow, with what lay there before."""


class Explanation(msgspec.Struct, frozen=True):
    """A legal way from the position to the scene.

    `rest` are slots that it leaves unexplained because the next question is one that no camera
    answers; empty for a full explanation.
    """

    answers: tuple[Answer, ...]
    position: Position
    awaited: Awaited
    rest: tuple[str, ...] = ()


class Reconciled(msgspec.Struct, frozen=True):
    """All explanations found, the differing slots, and whether the search had to stop early."""

    explanations: tuple[Explanation, ...]
    differs: tuple[str, ...]
    exhausted: bool = False


def reconcile(
    game: Game, position: Position, looks: Mapping[str, Look], awaited: Awaited, nodes: int = 3000
) -> Reconciled:
    """Return every explanation of `looks` from `position`, shortest first.

    The position itself is the only explanation if nothing differs.
    """
    search = _Search(game, looks, nodes)
    start = _Node((), position, _still(game, position, looks, awaited))
    differs = search.differs(start)
    if not differs:
        return Reconciled((Explanation((), position, start.awaited),), ())
    full, partial = search.run(start)
    return Reconciled(tuple(full or partial), tuple(differs), search.exhausted)


class _Node(msgspec.Struct, frozen=True):
    answers: tuple[Answer, ...]
    position: Position
    awaited: Awaited


class _Search:
    def __init__(self, game: Game, looks: Mapping[str, Look], nodes: int) -> None:
        self.game, self.looks, self.left = game, looks, nodes
        self.pieces = {slot: look.pieces for slot, look in looks.items()}
        self.exhausted = False

    def differs(self, node: _Node) -> list[str]:
        """Return the slots that look neither as they should nor, while hands follow, as before."""
        scene = self.game.scene(node.position.state)
        return [
            slot
            for slot, look in self.looks.items()
            if not look.fits(scene.get(slot)) and not _follows(look, slot, node.awaited)
        ]

    def run(self, start: _Node) -> tuple[list[Explanation], list[Explanation]]:
        full: list[Explanation] = []
        partial: list[Explanation] = []
        seen: list[_Node] = [start]
        frontier = [(start, self.differs(start))]
        while frontier:
            grown: list[tuple[_Node, list[str]]] = []
            for node, differs in frontier:
                for later in self._expand(node, differs):
                    if self.left <= 0:
                        self.exhausted = True
                        return full, partial
                    self.left -= 1
                    if any(_same(later, known) for known in seen):
                        continue
                    seen.append(later)
                    rest = self.differs(later)
                    if not rest:
                        full.append(Explanation(later.answers, later.position, later.awaited))
                    elif self._asks_people(later.position):
                        partial.append(Explanation(later.answers, later.position, later.awaited, tuple(rest)))
                    else:
                        grown.append((later, rest))
            frontier = grown
        return full, partial

    def _expand(self, node: _Node, differs: list[str]) -> Iterator[_Node]:
        position = node.position
        offers = position.offers
        for question in position.questions:
            is_offer = any(question is offer for offer in offers)
            for reply in self._candidates(question, differs, is_offer):
                after = advance(position, Answer(question.key, reply))
                if isinstance(after, Refusal):
                    continue
                answers = (*node.answers, Answer(question.key, reply))
                yield _Node(answers, after, follow(self.game, node.awaited, position, after, reply))

    def _candidates(self, question: Question, differs: list[str], is_offer: bool) -> Iterator[Reply]:
        if question.kind in SILENT:
            if not is_offer:
                yield from (reply for reply in question.domain if getattr(reply, "yes", False))
        elif question.kind in ("place", "move", "turn"):
            yield from question.domain.within(differs, self.pieces)

    def _asks_people(self, position: Position) -> bool:
        question = position.question
        return question is not None and question.kind not in ("place", "move", "turn", "confirm")


def follow(game: Game, awaited: Awaited, before: Position, after: Position, reply: Reply) -> Awaited:
    """Return the awaited slots after an answer: those where its consequences wait for hands."""
    own = slots_of(reply)
    scene = game.scene(before.state)
    grown = {slot: lying for slot, lying in awaited.items() if slot not in own}
    for ruled in after.told:
        for slot in game.owed(ruled.effect) or ():
            if slot not in own and slot not in grown:
                grown[slot] = scene.get(slot)
            elif slot in own:
                grown[slot] = game.scene(after.state).get(slot) or scene.get(slot)
    return grown


def _still(game: Game, position: Position, looks: Mapping[str, Look], awaited: Awaited) -> Awaited:
    """Drop the awaited slots where hands have followed by now."""
    scene = game.scene(position.state)
    return {
        slot: before
        for slot, before in awaited.items()
        if slot not in looks or looks[slot].blind or not looks[slot].fits(scene.get(slot))
    }


def _follows(look: Look, slot: str, awaited: Awaited) -> bool:
    """Return whether hands may still be on the way in the slot.

    While a card is turned or lifted it passes through other orientations and leaves its slot.
    """
    if slot not in awaited:
        return False
    before = awaited[slot]
    return look.is_empty or (before is not None and look.shows(before.piece))


def _same(one: _Node, other: _Node) -> bool:
    return one.position.same_table(other.position) and one.awaited.keys() == other.awaited.keys()
