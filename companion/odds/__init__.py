"""Odds of dice, exact: how likely each goal is under best play for it, and what to keep for that.

Nothing is sampled. Each die has its own net; what a goal does not look at (the colour, for a sum) is
put together first, so that a state is what the goal sees of every die.

With one roll left, rolling the dice of a set R again reaches the goal with the share of their faces
that do; best play keeps the set that is best. With more rolls, the same is reckoned backwards for
every state at once: six dice with six kinds of faces have 46,656 states and 64 sets each.
"""

from companion.odds.best import Chance, chance_of, chances

__all__ = ["Chance", "chance_of", "chances"]
