"""Pig with bonus cards, the game to copy. The package offers `GAME`, which is how it is found."""

from companion.games._template.game import PigGame

GAME = PigGame()
