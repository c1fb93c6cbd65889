"""Before the game: its tile, its set-up with editions and switches."""

from __future__ import annotations

from companion.kernel import Game
from companion.presenters.models import GameModel, SetUpModel, SwitchModel, ValueModel
from companion.rulebook.article import RECONCILED, Option, Rulebook

NAMES = (
    "Ania", "J\u00f6rg", "\u041c\u0430\u0440\u0438\u044f", "S\u00f8ren", "Lotte", "Zo\u00eb",
    "Pekka", "\u0141ukasz", "Ingrid", "Th\u00e9o", "Emma", "Max",
)  # fmt: skip
"""Ready-made names: nobody types at a table."""

MOST_SWITCHES = 5


def present_game(game: Game, book: Rulebook, minutes: str = "", cards: str = "", problem: str = "") -> GameModel:
    """Return the tile of a game; `cards` says what the camera knows, `problem` why it cannot be played."""
    least, most = game.seats
    players = f"{least} players" if least == most else f"{least} to {most} players"
    editions = sum(key != RECONCILED for key in book.editions)
    rules = f"{len(book.articles)} articles, {editions} editions"
    return GameModel(game.key, game.title, players, minutes, cards, rules, problem)


def present_set_up(game: Game, book: Rulebook, names: tuple[str, ...] = NAMES) -> SetUpModel:
    """Return the set-up of a game: the editions, and the options that are asked before play."""
    switches = [option for option in book.options.values() if option.setup][:MOST_SWITCHES]
    return SetUpModel(
        game=game.key,
        title=game.title,
        seats=game.seats[0],
        most=game.seats[1],
        asks_starter=game.asks_starter,
        names=names,
        editions=tuple(ValueModel(edition.key, edition.name) for edition in book.editions.values()),
        edition=RECONCILED,
        switches=tuple(_switch(book, option) for option in switches),
    )


def _switch(book: Rulebook, option: Option) -> SwitchModel:
    values = tuple(ValueModel(value.value, _in_words(value.value), value.says) for value in option.values)
    by_edition = tuple(
        (key, edition.options[option.name]) for key, edition in book.editions.items() if option.name in edition.options
    )
    return SwitchModel(option.name, _in_words(option.name).capitalize(), option.id, values, option.default, by_edition)


def _in_words(name: str) -> str:
    return name.replace("_", " ")
