"""`companion games`: which games there are, for how many, by which printed editions, and with which cards."""

from __future__ import annotations

import click
import msgspec
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from companion.cli import BadInput
from companion.games import game_keys, load_game
from companion.kernel import Game
from companion.rulebook.entries import RulebookError
from companion.rulebook.load import load_rulebook
from companion.sets.owner import PROXIES


class Listed(msgspec.Struct, frozen=True):
    """One line of `--json`."""

    game: str
    title: str
    seats: tuple[int, int]
    """The least and the most players."""
    editions: tuple[str, ...]
    articles: int
    proxies: bool
    """Whether the project has its own cards to play and try it with."""


def describe(game: Game) -> Listed:
    """Return what `companion games` says about a game.

    :raises RulebookError: if its rulebook cannot be read.
    """
    rulebook = load_rulebook(game.key)
    proxies = (PROXIES / game.key / "set.toml").is_file()
    return Listed(game.key, game.title, game.seats, tuple(rulebook.editions), len(rulebook.articles), proxies)


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def command(as_json: bool) -> None:
    """List the games that the companion can follow."""
    try:
        listed = [describe(load_game(key)) for key in game_keys()]
    except RulebookError as error:
        raise BadInput(str(error)) from error
    if as_json:
        click.echo(msgspec.json.encode(listed).decode())
        return
    table = Table(box=SIMPLE)
    for heading in ("game", "title", "players", "editions", "articles", "proxy cards"):
        # The key is what people type after other commands.
        table.add_column(heading, no_wrap=heading == "game", overflow="fold")
    for each in listed:
        least, most = each.seats
        players = str(least) if least == most else f"{least} to {most}"
        own = "yes" if each.proxies else "none"
        table.add_row(each.game, each.title, players, " ".join(each.editions), str(each.articles), own)
    Console().print(table)
