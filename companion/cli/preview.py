"""`companion preview`: what each choice would bring each player now, such as each land of Vaalbara's first row."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from companion.cli import BadInput
from companion.cli._tables import read_table
from companion.cli.score import as_document, as_lines


@click.command("preview")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--at", "number", type=int, help="After which entry of a journal; after the last one if left out.")
@click.option("--deck", "folder", type=click.Path(path_type=Path), help="The owner's set; the proxies if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print the rewards as JSON.")
def command(source: Path, number: int | None, folder: Path | None, as_json: bool) -> None:
    """Foretell what each choice at the table of SOURCE would bring each player, every term with its articles.

    SOURCE is a journal, or a position in notation (YAML).
    """
    table = read_table(source, number, folder)
    foretold = table.game.preview(table.position.state)
    if not any(seat.parts for seat in foretold):
        raise BadInput(
            f"{source}: nothing is foretold at this table of {table.game.title}; name one of Vaalbara with lands in"
            " the first row, in the middle of a round"
        )
    if as_json:
        found = [
            {
                "seat": table.voice.say(seat.text),
                "choices": [as_document(table.voice, choice) for choice in seat.parts],
            }
            for seat in foretold
        ]
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=1).decode())
        return
    for seat in foretold:
        click.echo(table.voice.say(seat.text))
        for choice in sorted(seat.parts, key=lambda each: each.points, reverse=True):
            for line in as_lines(table.voice, choice):
                click.echo(f"  {line}")
