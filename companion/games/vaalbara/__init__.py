"""Vaalbara. The package offers `GAME`, which is how it is found."""

from companion.games.vaalbara.game import Vaalbara

GAME = Vaalbara()
