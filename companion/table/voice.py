"""The companion's voice: texts of the engine as sentences, with the players' names."""

from __future__ import annotations

from collections.abc import Sequence

from companion.kernel import Game, Refusal, Ruled, Text
from companion.kernel.effects import Effect
from companion.rulebook.strings import Strings

SEATS = "ABCDEF"


class Voice:
    """Says the texts of one game at one table."""

    def __init__(self, game: Game, strings: Strings, seats: Sequence[str]) -> None:
        self.game, self.strings = game, strings
        self.names = {SEATS[seat]: name for seat, name in enumerate(seats)}

    def say(self, text: Text) -> str:
        return self.strings.say(text.key, dict(text.values), self.names)

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
