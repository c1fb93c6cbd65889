"""Realm of Wonder, the board game. The package offers `GAME`, which is how it is found."""

from companion.games.realm_of_wonder.game import RealmOfWonder

GAME = RealmOfWonder()
