"""From what the camera sees to what was done: the legal answers that explain a scene.

A player places a card and turns three others before the camera looks again. From the position in
force, `reconcile` searches the answers that lead to the scene. Only answers that touch slots where
scene and position differ are tried, so the search stays small; positions reached on two ways are
one explanation (decisions.md, 2a.10).

Hands follow the rules with a delay: after a battle five region cards have to be turned. Such slots
are *awaited*: until they look as they should, they may still look as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from companion.kernel import Answer, Game, Lying, Position, Question, Refusal, Reply, advance
from companion.kernel.questions import slots_of
from companion.table.looks import ANY_TURN, Look

SILENT = ("confirm",)
"""Kinds that a scene can answer without a slot of their own: the table simply went on."""
SEEN = ("place", "move", "turn")
"""Kinds whose replies name the slots in which they are seen."""

Awaited = Mapping[str, Lying | None]
"""Slots where hands still have to follow, with what lay there before."""


class Explanation(msgspec.Struct, frozen=True):
    """A legal way from the position to the scene.

    `rest` are slots that it leaves unexplained because the next question is one that no camera
    answers, fewer than before; empty for a full explanation. `since` counts the answers up to and
    including the last one to a due question: the offers of before have lapsed with it.
    """

    answers: tuple[Answer, ...]
    position: Position
    awaited: Awaited
    rest: tuple[str, ...] = ()
    since: int = 0

    def without(self, first: int) -> Explanation:
        """Return the explanation once its `first` answers have been accepted."""
        return msgspec.structs.replace(self, answers=self.answers[first:], since=max(0, self.since - first))


class Reconciled(msgspec.Struct, frozen=True):
    """All explanations found, the differing slots, and whether the search had to stop early."""

    explanations: tuple[Explanation, ...]
    differs: tuple[str, ...]
    exhausted: bool = False


def reconcile(game: Game, start: Sequence[Explanation], looks: Mapping[str, Look], nodes: int = 2500) -> Reconciled:
    """Return every explanation of `looks`, shortest first.

    `start` holds what may have happened so far: usually the one position in force with no answers,
    several where an earlier scene could be explained in ways that still come to the same. Each of
    them that already fits explains the scene by itself.
    """
    search = _Search(game, looks, nodes)
    starts = [
        _Node(each.answers, each.position, still(game, each.position, looks, each.awaited), each.since)
        for each in start
    ]
    differs = next((wrong for node in starts if (wrong := search.differs(node))), [])
    full, partial = search.run(starts)
    exhausted = search.exhausted
    if not full and not partial and not exhausted:
        # Perhaps a piece came into one slot and went on to another before anyone looked.
        search.let_pieces_wander(differs)
        full, partial = search.run(starts)
        exhausted = search.exhausted and bool(full or partial)
    unique: list[_Node] = []
    for node in sorted(full or partial, key=lambda each: len(each.answers)):
        if not any(_no_news(node, known) for known in unique):
            unique.append(node)
    explanations = (
        Explanation(node.answers, node.position, node.awaited, () if full else tuple(search.differs(node)), node.since)
        for node in unique
    )
    return Reconciled(tuple(explanations), tuple(differs), exhausted)


class _Node(msgspec.Struct, frozen=True):
    answers: tuple[Answer, ...]
    position: Position
    awaited: Awaited
    since: int

    @property
    def due(self) -> Answer | None:
        return self.answers[self.since - 1] if self.since else None

    @property
    def spent(self) -> Counter[str]:
        """How often each of the offers that stand now was used on the way here."""
        return Counter(answer.to for answer in self.answers[self.since :])


class _Search:
    def __init__(self, game: Game, looks: Mapping[str, Look], nodes: int) -> None:
        self.game, self.looks, self.left = game, looks, nodes
        self.pieces = {slot: look.pieces for slot, look in looks.items()}
        self.exhausted = False

    def let_pieces_wander(self, slots: Sequence[str]) -> None:
        """From now on a piece seen in one of the slots may have come into any of them first."""
        seen = tuple(piece for slot in slots for piece in self.looks[slot].pieces)
        self.pieces = {**self.pieces, **dict.fromkeys(slots, seen)}

    def differs(self, node: _Node, scene: Mapping[str, Lying] | None = None) -> list[str]:
        """Return the slots that look neither as they should nor, while hands follow, as before."""
        scene = self.game.scene(node.position.state) if scene is None else scene
        return [
            slot
            for slot, look in self.looks.items()
            if not look.fits(scene.get(slot)) and not _follows(look, slot, node.awaited)
        ]

    def run(self, starts: Sequence[_Node]) -> tuple[list[_Node], list[_Node]]:
        """Return the nodes that explain the scene, and those where only people can answer on."""
        full: list[_Node] = []
        partial: list[_Node] = []
        seen: dict[frozenset[tuple[str, Lying]], list[_Node]] = {}
        frontier: list[tuple[_Node, list[str]]] = []
        most = 0
        for node in starts:
            scene = self.game.scene(node.position.state)
            seen.setdefault(frozenset(scene.items()), []).append(node)
            if differs := self.differs(node, scene):
                frontier.append((node, differs))
                most = max(most, len(differs))
            else:
                full.append(node)
        while frontier:
            grown: list[tuple[_Node, list[str]]] = []
            for node, differs in frontier:
                for later in self._expand(node, differs):
                    if self.left <= 0:
                        self.exhausted = True
                        return full, partial
                    self.left -= 1
                    scene = self.game.scene(later.position.state)
                    alike = seen.setdefault(frozenset(scene.items()), [])
                    if any(_no_news(later, known) for known in alike):
                        continue
                    alike.append(later)
                    rest = self.differs(later, scene)
                    if not rest:
                        full.append(later)
                    elif self._asks_people(later.position):
                        if len(rest) < most:
                            partial.append(later)
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
                since = node.since if is_offer else len(answers)
                own = slots_of(reply) or self.game.seen_in(question)
                if not slots_of(reply) and not self._is_as_seen(after, own, differs):
                    continue
                yield _Node(answers, after, follow(self.game, node.awaited, position, after, own), since)

    def _candidates(self, question: Question, differs: list[str], is_offer: bool) -> Iterator[Reply]:
        if question.kind in SILENT:
            if not is_offer:
                yield from (reply for reply in question.domain if getattr(reply, "yes", False))
        elif question.kind in SEEN:
            yield from question.domain.within(differs, self.pieces)
        elif not set(differs).isdisjoint(self.game.seen_in(question)):
            yield from question.domain

    def _is_as_seen(self, after: Position, own: Sequence[str], differs: Sequence[str]) -> bool:
        """Return whether a reply that names no slot changes just what differs, and to what is seen."""
        if not own:
            return True
        scene = self.game.scene(after.state)
        touched = {slot for ruled in after.told for slot in self.game.touched(ruled.effect) if slot in own}
        return all(slot in differs and self.looks[slot].fits(scene.get(slot)) for slot in touched)

    def _asks_people(self, position: Position) -> bool:
        question = position.question
        return question is not None and not is_seen(self.game, question)


def is_seen(game: Game, question: Question) -> bool:
    """Return whether a look at the table can answer a question."""
    return question.kind in (*SEEN, *SILENT) or bool(game.seen_in(question))


def follow(game: Game, awaited: Awaited, before: Position, after: Position, own: Sequence[str]) -> Awaited:
    """Return the awaited slots after an answer: those where its consequences wait for hands.

    In its `own` slots hands were first.
    """
    grown = {slot: lying for slot, lying in awaited.items() if slot not in own}
    scene: Mapping[str, Lying] | None = None
    for ruled in after.told:
        owed = game.owed(ruled.effect)
        if owed is None or not owed.slots:
            continue
        scene = game.scene(before.state) if scene is None else scene
        for slot in owed.slots:
            if slot not in own:
                lying = grown.get(slot, scene.get(slot))
                grown[slot] = Lying(lying.piece, ANY_TURN) if lying and owed.turning else lying
    return grown


def still(game: Game, position: Position, looks: Mapping[str, Look], awaited: Awaited) -> Awaited:
    """Return the awaited slots without those where hands have followed by now."""
    scene = game.scene(position.state)
    return {
        slot: before
        for slot, before in awaited.items()
        if slot not in looks or looks[slot].blind or not looks[slot].fits(scene.get(slot))
    }


def _follows(look: Look, slot: str, awaited: Awaited) -> bool:
    """Return whether hands may still be on the way in the slot: it is as before, or just lifted."""
    return slot in awaited and (look.is_empty or look.fits(awaited[slot]))


def _no_news(later: _Node, known: _Node) -> bool:
    """Return whether `later` is a detour: the same table as `known`, reached with nothing used less.

    Turning a card back and forth comes to the table it began with and only uses up what might still
    be needed. Offers of an earlier turn have lapsed and no longer count.
    """
    if later.position.state != known.position.state or later.awaited.keys() != known.awaited.keys():
        return False
    if later.position.agenda == known.position.agenda:
        return True
    return later.due == known.due and known.spent <= later.spent
