"""King of the Dice. The package offers `GAME`, which is how it is found."""

from companion.games.king_of_the_dice.game import KingOfTheDice

GAME = KingOfTheDice()
