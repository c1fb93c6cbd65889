"""`companion replay`: a journal from its first entry to its last, each with its rulings and their articles."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import click
import msgspec
from ruamel.yaml import YAML

from companion.cli._journals import Opened, open_journal
from companion.kernel import End, Ruled
from companion.table.chronicle import Told


@click.command("replay")
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--at", "upto", type=int, help="Stop after this entry, and show the table as it lay then.")
@click.option("--deck", "folder", type=click.Path(path_type=Path), help="The folder of the set it was played with.")
@click.option("--json", "as_json", is_flag=True, help="Print the entries and the position as JSON.")
def command(journal: Path, upto: int | None, folder: Path | None, as_json: bool) -> None:
    """Tell what is in JOURNAL, and how the table lies at its end or after entry --at.

    Exit 1 if an entry does not fit the ones before it.
    """
    opened = open_journal(journal, folder, upto)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(as_document(opened)), indent=1).decode())
    else:
        for line in as_lines(opened, with_position=upto is not None):
            click.echo(line)
    if opened.remark:
        click.echo(opened.remark, err=True)
    if opened.book.divergence is not None:
        click.echo(opened.book.divergence.says, err=True)
        sys.exit(1)


def as_document(opened: Opened) -> dict[str, Any]:
    """Return what `--json` prints; `position` is the table in notation, `due` the key of the question."""
    header, position = opened.header, opened.book.position
    return {
        "game": header.game,
        "seats": header.seats,
        "edition": header.edition,
        "options": header.options,
        "made": header.made,
        "entries": [_entry(opened, told) for told in opened.told],
        "position": opened.game.write(position),
        "due": None if position.question is None else position.question.key,
        "score": [term.points for term in opened.game.score(position.state)],
        "remark": opened.remark,
    }


def as_lines(opened: Opened, with_position: bool) -> list[str]:
    """Return the journal as people read it."""
    header = opened.header
    seats = " against ".join(header.seats)
    lines = [f"{opened.game.title}: {seats}, edition {header.edition}, begun {header.made or 'at an unknown time'}."]
    for told in opened.told:
        undone = f", taken back by entry {told.undone_by}" if told.undone_by else ""
        lines.append(f"{told.number:>4}  {told.says}  [{told.by}{undone}]")
        lines += [f"        {opened.voice.ruling(ruled)}" for ruled in spoken(told)]
        if told.trouble:
            lines.append(f"        {told.trouble}")
    lines += ["", *_standing(opened)]
    if with_position:
        text = io.StringIO()
        YAML(typ="safe", pure=True).dump(opened.game.write(opened.book.position), text)
        lines += ["", "The position in notation:", text.getvalue().rstrip()]
    return lines


def spoken(told: Told) -> tuple[Ruled, ...]:
    """Return the effects of an entry that say something to people."""
    return tuple(ruled for ruled in told.ruled if not isinstance(ruled.effect, End))


def _standing(opened: Opened) -> list[str]:
    position, voice = opened.book.position, opened.voice
    lines = [voice.say(text) for text in opened.game.status(position)]
    terms = opened.game.score(position.state)
    points = ", ".join(f"{name} {term.points}" for name, term in zip(opened.header.seats, terms, strict=True))
    if position.question is None:
        return [*lines, f"The game is over: {points}."]
    return [*lines, f"If it ended now: {points}.", f"Asked next: {voice.say(position.question.text)}"]


def _entry(opened: Opened, told: Told) -> dict[str, Any]:
    entry: dict[str, Any] = msgspec.to_builtins(told.entry)
    kind = entry.pop("entry")
    return {
        "number": told.number,
        "kind": kind,
        **entry,
        "says": told.says,
        "rulings": [
            {"says": opened.voice.tell(ruled.effect), "cites": [cited.article for cited in ruled.cites]}
            for ruled in spoken(told)
        ],
        "undone_by": told.undone_by or None,
        "trouble": told.trouble,
    }
