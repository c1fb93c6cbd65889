"""The companion's voice: texts of the engine as sentences, with the players' names."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.kernel import Chosen, Confirmed, Game, Moved, Placed, Question, Refusal, Reply, Ruled, Text, Turned
from companion.kernel.effects import Effect
from companion.notation.reply import format_reply
from companion.rulebook.strings import Strings

SEATS = "ABCDEF"


class Voice:
    """Says the texts of one game at one table."""

    def __init__(self, game: Game, strings: Strings, seats: Sequence[str]) -> None:
        self.game, self.strings = game, strings
        self.names = {SEATS[seat]: name for seat, name in enumerate(seats)}

    def say(self, text: Text) -> str:
        return self.strings.say(text.key, dict(text.values), self.names)

    def table(self, key: str, **values: str | int) -> str:
        """Return a sentence of the table's own protocol."""
        return self.strings.say(f"table.{key}", values, self.names)

    def word(self, name: str) -> str:
        """Return a name that the rules use (a piece, a face, a seat) as people say it.

        A game's own words (`word.red-3`) come before the plain name.
        """
        if f"word.{name}" in self.strings.keys:
            return self.strings.say(f"word.{name}", {}, self.names)
        return self.names.get(name, name.replace("_", " "))

    def places(self, slots: Sequence[str]) -> str:
        """Return the names of slots as people say them."""
        return ", ".join(map(self.word, slots))

    def seat(self, seat: int) -> str:
        """Return the name of a seat."""
        return self.names.get(SEATS[seat], SEATS[seat])

    def tell(self, effect: Effect) -> str:
        """Return what an effect did, in a sentence."""
        return self.say(self.game.tell(effect))

    def owed(self, effect: Effect) -> str:
        """Return what hands have to do after an effect, in a sentence."""
        text = self.game.tell(effect)
        return self.say(Text(text.key.replace("effect.", "owed.", 1), text.values))

    def refuse(self, refusal: Refusal) -> str:
        """Return the refusal with its articles, as people read it."""
        return f"{self.say(refusal.text)} ({', '.join(c.article for c in refusal.cites)})"

    def ruling(self, ruled: Ruled) -> str:
        """Return an effect with its articles, as people read it."""
        return f"{self.tell(ruled.effect)} ({', '.join(c.article for c in ruled.cites)})"

    def names_acts(self, question: Question) -> bool:
        """Return whether the game has words of its own for what answers a question."""
        return _own(question) in self.strings.keys

    def did(self, question: Question, reply: Reply) -> str:
        """Return what somebody did by a reply, as a phrase without a full stop: `Ada strengthened B2 by 1`.

        A game's own words (`did.strengthen` for the question `offer.strengthen`) come before ours.
        """
        seat = None if question.seat is None else SEATS[question.seat]
        values: dict[str, str | int] = dict(question.text.values)
        values |= {
            name: value if isinstance(value, str | int) else " ".join(str(each) for each in value)
            for name, value in msgspec.structs.asdict(reply).items()
            if value is not None and not (name == "by" and "by" in values)
        }
        values |= {"seat": seat or "", "reply": format_reply(reply)}
        if isinstance(reply, Chosen):
            values["who"] = ", ".join(self.names.get(pick, pick) for pick in reply.picks) or "-"
        if self.names_acts(question) and not (isinstance(reply, Confirmed) and not reply.yes):
            return self.strings.say(_own(question), values, self.names)
        verb = _verb(reply)
        if not verb:
            values["ask"] = self.say(question.text)
            return self.table("did_answer", **values)
        return self.table(f"did_{verb}_by" if seat else f"did_{verb}", **values)


def _own(question: Question) -> str:
    return f"did.{question.text.key.partition('.')[2]}"


def _verb(reply: Reply) -> str:
    match reply:
        case Placed():
            return "place"
        case Moved(swap=swap):
            return "swap" if swap else "move"
        case Turned():
            return "turn"
        case _:
            return ""
