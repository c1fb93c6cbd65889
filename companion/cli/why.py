"""`companion why`: the ruling of a journal's entry, with each article in words, and why it was believed."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli import BadInput
from companion.cli._journals import Opened, open_journal
from companion.cli.replay import spoken
from companion.journal.entry import NoteEntry
from companion.kernel import Citation
from companion.rulebook.explain import CitationError, Explanation, explain, format_citation
from companion.table.chronicle import Told

WIDTH = 100


@click.command("why")
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--entry", "number", type=int, help="Which entry; the last one that is no note if left out.")
@click.option("--deck", "folder", type=click.Path(path_type=Path), help="The folder of the set it was played with.")
@click.option("--json", "as_json", is_flag=True, help="Print the ruling as JSON.")
def command(journal: Path, number: int | None, folder: Path | None, as_json: bool) -> None:
    """Say why an entry of JOURNAL had its effects: the articles in the edition that was played.

    Exit 1 if the entry did not fit and so had none.
    """
    if number is not None and number < 1:
        raise BadInput(f"--entry: found {number}, expected the number of an entry, from 1 on.")
    opened = open_journal(journal, folder, number)
    told = _chosen(opened, number, journal)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(as_document(opened, told)), indent=1).decode())
    else:
        for line in as_lines(opened, told):
            click.echo(line)
    if told.trouble:
        sys.exit(1)


def as_document(opened: Opened, told: Told) -> dict[str, Any]:
    """Return what `--json` prints."""
    entry = told.entry
    articles = explained(opened, told)
    return {
        "entry": told.number,
        "says": told.says,
        "source": entry.source,
        "witness": entry.witness,
        "seat": entry.seat,
        "confidence": entry.confidence,
        "evidence": entry.evidence,
        "edition": opened.header.edition,
        "effects": [
            {"says": opened.voice.tell(ruled.effect), "cites": [cited.article for cited in ruled.cites]}
            for ruled in spoken(told)
        ],
        "articles": [msgspec.to_builtins(each) for each in articles],
        "options": {name: value for each in articles for name, value in each.options},
        "trouble": told.trouble,
    }


def as_lines(opened: Opened, told: Told) -> list[str]:
    """Return the ruling as one would read it out at the table."""
    entry = told.entry
    witness = f" ({entry.witness})" if entry.witness and entry.witness != entry.source else ""
    lines = [f"Entry {told.number}: {told.says}", f"  Said by: {told.by}{witness}."]
    if entry.evidence:
        lines.append(f"  Evidence: the picture with the digest {entry.evidence}.")
    if told.undone_by:
        lines.append(f"  It was taken back by entry {told.undone_by}.")
    if told.trouble:
        return [*lines, f"  {told.trouble}"]
    read_out: set[str] = set()
    for ruled in spoken(told):
        lines += ["", opened.voice.tell(ruled.effect)]
        again = [cited.article for cited in ruled.cites if cited.article in read_out]
        for each in _in_full(opened, (cited for cited in ruled.cites if cited.article not in read_out)):
            lines += textwrap.wrap(format_citation(each), WIDTH, initial_indent="  ", subsequent_indent="      ")
            read_out.add(each.id)
        if again:
            lines.append(f"  {', '.join(again)}, as above.")
    if not spoken(told):
        lines.append("  It changed nothing that the rules look at.")
    options = {name: value for each in explained(opened, told) for name, value in each.options}
    if options:
        agreed = ", ".join(f"{name.replace('_', ' ')}: {value.replace('_', ' ')}" for name, value in options.items())
        lines += ["", *textwrap.wrap(f"This depends on what the table agreed: {agreed}.", WIDTH)]
    return lines


def explained(opened: Opened, told: Told) -> tuple[Explanation, ...]:
    """Return every article behind an entry once, in the order in which it was needed."""
    cites = dict.fromkeys(cited for ruled in spoken(told) for cited in ruled.cites)
    return tuple(_in_full(opened, cites))


def _in_full(opened: Opened, cites: Iterable[Citation]) -> list[Explanation]:
    found: list[Explanation] = []
    for cited in cites:
        try:
            found.append(explain(opened.rulebook, cited.article, opened.options))
        except CitationError:
            found.append(Explanation(cited.article, "not in our rulebook", "", "", "rule"))
    return found


def _chosen(opened: Opened, number: int | None, journal: Path) -> Told:
    if number is not None:
        return opened.told[number - 1]
    for told in reversed(opened.told):
        if not isinstance(told.entry, NoteEntry):
            return told
    raise BadInput(f"{journal.name} has no entry yet that could be explained; play a card first.")
