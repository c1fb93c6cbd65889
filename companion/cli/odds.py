"""`companion odds`: what the dice can still win, how likely each of it is, and which dice to keep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from companion.cli import BadInput
from companion.cli._tables import read_table
from companion.kernel import Rolling
from companion.odds import Chance, chances
from companion.presenters.odds import keeping, share
from companion.table.voice import Voice


@click.command("odds")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--at", "number", type=int, help="After which entry of a journal; after the last one if left out.")
@click.option("--deck", "folder", type=click.Path(path_type=Path), help="The owner's set; the proxies if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print the odds as JSON.")
def command(source: Path, number: int | None, folder: Path | None, as_json: bool) -> None:
    """Reckon the odds of the dice of SOURCE, a position in notation (YAML) or a journal.

    The chance of each goal is that under best play for it alone, exactly and not by trying.
    """
    table = read_table(source, number, folder)
    game, position = table.game, table.position
    rolling = game.rolling(position.state)
    if rolling is None or not rolling.goals:
        raise BadInput(
            f"{source}: {game.title} has no dice in this set, or nothing to roll them for; name another table"
        )
    if all(question.kind != "roll" for question in position.questions):
        asked = "nothing" if position.question is None else repr(position.question.key)
        raise BadInput(
            f"{source}: no roll is open, {asked} is asked; name a table at which the dice may still be rolled"
        )
    found = chances(rolling)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(as_document(rolling, found)), indent=1).decode())
    else:
        _print(rolling, found, table.voice)


def as_document(rolling: Rolling, found: tuple[Chance, ...]) -> dict[str, Any]:
    """Return what `--json` prints; dice count from 1."""
    return {
        "faces": rolling.faces,
        "rolls_left": rolling.rolls,
        "goals": [
            {
                "piece": each.goal.piece,
                "chance": each.chance,
                "keep": [die + 1 for die in each.keep],
                "met": each.met,
                "cites": [str(cited) for cited in each.goal.cites],
            }
            for each in found
        ],
    }


def _print(rolling: Rolling, found: tuple[Chance, ...], voice: Voice) -> None:
    table = Table("card", "asks for", "chance", "do", box=None)
    for each in sorted(found, key=lambda one: one.chance, reverse=True):
        asks = voice.say(each.goal.text)
        table.add_row(each.goal.piece, asks, f"{share(each.chance)} ({each.chance:.6f})", keeping(rolling, each))
    dice = " ".join(rolling.faces) or "not rolled yet"
    click.echo(f"dice: {dice}; rolls left: {rolling.rolls}")
    Console(highlight=False, soft_wrap=True).print(table)
