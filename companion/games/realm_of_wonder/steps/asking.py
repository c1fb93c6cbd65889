"""What the steps share: small domains, and the refusal of whatever is not in a question's domain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.realm_of_wonder.pieces import CHARACTERS, DISCS, SEATS
from companion.games.realm_of_wonder.state import Realm
from companion.kernel import (
    Chosen,
    Citation,
    Confirmed,
    Counted,
    Domain,
    Kind,
    Moved,
    OneOf,
    Question,
    Refusal,
    Reply,
    Revealed,
    Rolled,
    Rolls,
    Step,
    Subsets,
    Text,
    cite,
    refuse,
)

ROUND = cite("RW-28")
"""Why the four steps of a round are due."""
YES = OneOf((Confirmed(True),))
YES_OR_NO = OneOf((Confirmed(True), Confirmed(False)))
SPIN = Rolls((CHARACTERS,))
"""The board spinning die: one face for each region, called by who lives there (RW-17)."""
TURNS = tuple(f"{disc}-{region}" for disc in DISCS for region in CHARACTERS)
"""Each way in which a whirlpool can be set to a path of one's choice: disc and region."""


def ask(
    key: str,
    kind: Kind,
    seat: int | None,
    domain: Domain,
    cites: tuple[Citation, ...],
    text: str = "",
    **values: str | int,
) -> Question:
    """Return a question whose sentence is `text` (`ask.` and the key if left out), with the seat filled in."""
    named = () if seat is None else (("seat", SEATS[seat]),)
    return Question(key, kind, seat, domain, cites, Text(text or f"ask.{key}", (*named, *values.items())))


def one_of(names: Sequence[str]) -> Subsets:
    return Subsets(tuple(names))


def moves(start: str, ends: Iterable[str]) -> OneOf:
    return OneOf(Moved(start, end) for end in ends)


def faces(names: Iterable[str]) -> OneOf:
    return OneOf(Revealed((name,)) for name in names)


def shown(reply: Reply) -> str:
    """Return what a refusal shows of a reply that was not one of the possible ones."""
    match reply:
        case Chosen(picks=names) | Rolled(faces=names) | Revealed(pieces=names):
            return " + ".join(names) or "-"
        case Counted(number=number):
            return str(number)
        case Moved(start=start, end=end):
            return f"{start} > {end}"
        case Confirmed(yes=yes):
            return "yes" if yes else "no"
        case _:
            return type(reply).__name__


def possible(question: Question) -> str:
    """Return the first few replies that a question allows, as a refusal shows them."""
    some = [shown(reply) for _, reply in zip(range(7), question.domain, strict=False)]
    return ", ".join(some[:6]) + (" ..." if len(some) > 6 else "")


class Asking(Step[Realm], frozen=True):
    """A step that refuses just what is not in the domain of the question, and says why.

    Subclasses find better reasons than the list of what is possible in `reason`.
    """

    def refuse(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        question = self.question(state, to)
        if reply in question.domain:
            return None
        return self.reason(state, to, reply) or no_option(question, reply)

    def question(self, state: Realm, to: str) -> Question:
        """Return the question or offer with this key."""
        return next(each for each in (*self.questions(state), *self.offers(state)) if each.key == to)

    def reason(self, state: Realm, to: str, reply: Reply) -> Refusal | None:
        """Return why a reply outside the domain is not allowed, None if there is no better word for it."""
        return None


def no_option(question: Question, reply: Reply) -> Refusal:
    """Return the refusal that names what was possible."""
    return refuse(question.cites, "no.option", found=shown(reply), possible=possible(question))
