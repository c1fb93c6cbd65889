"""Domains: every permitted reply to a question, without writing them all down.

A domain can be asked (`in`), walked lazily and ranked by the evidence. An unseen hand of fifty
cards and five slots must not become a list of strings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, permutations, product
from math import comb, perm, prod

from companion.kernel.questions import Assigned, Chosen, Counted, Ordered, Reply, Rolled, slots_of


class Domain:
    """All replies that a question permits. Iteration is lazy and in a fixed order."""

    __slots__ = ()

    def __contains__(self, reply: object) -> bool:
        return any(reply == option for option in self)

    def __iter__(self) -> Iterator[Reply]:
        raise NotImplementedError

    def count(self) -> int:
        """Return how many replies there are, without writing them down where arithmetic will do."""
        return sum(1 for _ in self)

    def within(self, slots: Collection[str], pieces: Mapping[str, Collection[str]]) -> Iterable[Reply]:
        """Return the replies that touch only `slots`, with pieces that were seen there.

        `pieces` maps a slot to the identities that a picture allows in it. Replies that touch no
        slot at all (a choice, a confirmation) are always among them.
        """
        for reply in self:
            touched = slots_of(reply)
            if all(slot in slots for slot in touched):
                piece = getattr(reply, "piece", None)
                if piece is None or piece in pieces.get(touched[0], ()):
                    yield reply

    def rank(self, evidence: Callable[[Reply], float], best: int = 3) -> list[Reply]:
        """Return the `best` replies by falling evidence; equal ones keep the domain's order."""
        return sorted(self, key=evidence, reverse=True)[:best]

    def at(self, index: int) -> Reply:
        """Return the reply at `index` of the iteration.

        :raises IndexError: if the domain has no such reply.
        """
        for reply in islice(self, index, None):
            return reply
        raise IndexError(index)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Domain) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((type(self), self.count()))


class OneOf(Domain):
    """A short list of replies, written down."""

    __slots__ = ("replies",)

    def __init__(self, replies: Iterable[Reply]) -> None:
        self.replies = tuple(replies)

    def __contains__(self, reply: object) -> bool:
        return reply in self.replies

    def __iter__(self) -> Iterator[Reply]:
        return iter(self.replies)

    def count(self) -> int:
        return len(self.replies)

    def at(self, index: int) -> Reply:
        return self.replies[index]


class Subsets(Domain):
    """Between `least` and `most` of the listed names, order not counting."""

    __slots__ = ("least", "most", "names")

    def __init__(self, names: Sequence[str], least: int = 1, most: int = 1) -> None:
        self.names, self.least, self.most = tuple(names), least, min(most, len(names))

    def __contains__(self, reply: object) -> bool:
        return (
            isinstance(reply, Chosen)
            and self.least <= len(reply.picks) <= self.most
            and len(set(reply.picks)) == len(reply.picks)
            and all(pick in self.names for pick in reply.picks)
        )

    def __iter__(self) -> Iterator[Reply]:
        sizes = range(self.least, self.most + 1)
        return (Chosen(picks) for picks in chain.from_iterable(combinations(self.names, size) for size in sizes))

    def count(self) -> int:
        return sum(comb(len(self.names), size) for size in range(self.least, self.most + 1))


class Numbers(Domain):
    """A whole number from `least` to `most`, both included."""

    __slots__ = ("least", "most")

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def __contains__(self, reply: object) -> bool:
        return isinstance(reply, Counted) and self.least <= reply.number <= self.most

    def __iter__(self) -> Iterator[Reply]:
        return (Counted(number) for number in range(self.least, self.most + 1))

    def count(self) -> int:
        return max(0, self.most - self.least + 1)


class Orders(Domain):
    """Every order of the listed things."""

    __slots__ = ("items",)

    def __init__(self, items: Sequence[str]) -> None:
        self.items = tuple(items)

    def __contains__(self, reply: object) -> bool:
        return isinstance(reply, Ordered) and sorted(reply.items) == sorted(self.items)

    def __iter__(self) -> Iterator[Reply]:
        return (Ordered(items) for items in permutations(self.items))

    def count(self) -> int:
        return perm(len(self.items))


class Rolls(Domain):
    """What dice can show: one tuple of faces for each die.

    `alike` tells that the rules never ask which die is which, so that faces seen in another order may
    be `arranged`.
    """

    __slots__ = ("alike", "dice")

    def __init__(self, dice: Sequence[Sequence[str]], alike: bool = False) -> None:
        self.dice, self.alike = tuple(tuple(faces) for faces in dice), alike

    def __contains__(self, reply: object) -> bool:
        return (
            isinstance(reply, Rolled)
            and len(reply.faces) == len(self.dice)
            and all(face in faces for face, faces in zip(reply.faces, self.dice, strict=True))
        )

    def __iter__(self) -> Iterator[Reply]:
        return (Rolled(faces) for faces in product(*self.dice))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rolls) and (self.dice, self.alike) == (other.dice, other.alike)

    def __hash__(self) -> int:
        return hash(self.dice)

    def count(self) -> int:
        return prod(len(faces) for faces in self.dice)

    def at(self, index: int) -> Reply:
        faces: list[str] = []
        for die in reversed(self.dice):
            index, face = divmod(index, len(die))
            faces.append(die[face])
        if index:
            raise IndexError(index)
        return Rolled(tuple(reversed(faces)))

    def arranged(self, faces: Sequence[str]) -> Rolled | None:
        """Return faces that were seen in any order as a reply in the order of the dice.

        None if the dice cannot show them together; faces that fit as they are stay as they are.
        """
        shown = self._seated(faces) if len(faces) == len(self.dice) else None
        return None if shown is None else Rolled(tuple(faces[face] for face in shown if face is not None))

    def can_show(self, faces: Sequence[str]) -> bool:
        """Return whether some of the dice, whichever, can show these faces together."""
        return len(faces) <= len(self.dice) and self._seated(faces) is not None

    def _seated(self, faces: Sequence[str]) -> list[int | None] | None:
        """Return for each die which of the faces it shows, None if they do not all find a die."""
        shows: list[int | None] = [None] * len(self.dice)

        def seat(face: int, tried: set[int]) -> bool:
            for die in sorted(range(len(self.dice)), key=lambda die: die != face):
                if faces[face] in self.dice[die] and die not in tried:
                    tried.add(die)
                    other = shows[die]
                    if other is None or seat(other, tried):
                        shows[die] = face
                        return True
            return False

        return shows if all(seat(face, set()) for face in range(len(faces))) else None


class Assignments(Domain):
    """Each of the items goes to one of the holders."""

    __slots__ = ("holders", "items")

    def __init__(self, items: Sequence[str], holders: Sequence[str]) -> None:
        self.items, self.holders = tuple(items), tuple(holders)

    def __contains__(self, reply: object) -> bool:
        return (
            isinstance(reply, Assigned)
            and [item for item, _ in reply.pairs] == list(self.items)
            and all(holder in self.holders for _, holder in reply.pairs)
        )

    def __iter__(self) -> Iterator[Reply]:
        for holders in product(self.holders, repeat=len(self.items)):
            yield Assigned(tuple(zip(self.items, holders, strict=True)))

    def count(self) -> int:
        return int(len(self.holders) ** len(self.items))
