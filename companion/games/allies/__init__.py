"""Allies: Realm of Wonder. The package offers `GAME`, which is how it is found."""

from companion.games.allies.game import Allies

GAME = Allies()
