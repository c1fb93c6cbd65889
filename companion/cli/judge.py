"""`companion judge`: rule the cases of a file and compare with what people expect."""

from __future__ import annotations

import json
import sys
from collections import Counter
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli import BadInput, GameName
from companion.games import game_keys, load_game
from companion.kernel import game_key
from companion.notation.case import Case, Ruling, judge_structured, open_cases, unsupported
from companion.notation.document import Document, DocumentError, read_document
from companion.notation.play import judge_play
from companion.notation.schema import case_schema
from companion.rulebook.load import load_rulebook


def _print_schema(ctx: click.Context, param: click.Parameter, game: str | None) -> None:
    if game is None:
        return
    click.echo(schema_of(game), nl=False)
    ctx.exit()


@click.command("judge")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the rulings as one JSON list.")
@click.option(
    "--schema",
    type=GameName(),
    callback=_print_schema,
    expose_value=False,
    is_eager=True,
    metavar="GAME",
    help="Print the JSON schema of a game's case files and stop.",
)
def command(files: tuple[Path, ...], as_json: bool) -> None:
    """Rule every case of the FILES (YAML); exit 1 if one is ruled otherwise than it expects."""
    try:
        opened = [open_file(read_document(file)) for file in files]
        rulings = [ruling for game, cases in opened for ruling in judge_cases(game, cases)]
    except DocumentError as error:
        raise BadInput(str(error)) from None
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(rulings)).decode())
    else:
        for ruling in rulings:
            click.echo(_line(ruling))
        click.echo(_summary(rulings))
    sys.exit(int(any(disagrees(ruling) for ruling in rulings)))


def schema_of(game: str) -> str:
    """Return the JSON schema of a game's case files, as text."""
    probes, plays = _part(game, "probes"), _part(game, "plays")
    schema = case_schema(
        game, load_game(game).seats, probes.PROBES if probes else {}, plays.POSITION if plays else None
    )
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def disagrees(ruling: Ruling) -> bool:
    """Return whether a ruling is another one than its case expects; what is unsupported is none."""
    return ruling.agrees is False


def open_file(document: Document) -> tuple[str, list[Case]]:
    """Return the folder of the game a case file is about, and its cases.

    :raises DocumentError: for a field that does not fit, or a game's name with a slip in it.
    """
    game, cases = open_cases(document)
    folder = game_key(game)
    known = game_keys()
    if folder not in known and (near := get_close_matches(folder, known, 1, 0.75)):
        raise document.fault("game", f"found {game!r}, expected a game such as {near[0].replace('_', '-')}")
    return folder, cases


def judge_cases(game: str, cases: list[Case], hinges: bool = True) -> list[Ruling]:
    """Return the ruling of each case of a game; without `hinges` in less time, with the cited options only.

    :raises DocumentError: for the first case whose fields do not fit.
    """
    probes = _part(game, "probes")
    plays = _part(game, "plays")
    if probes is None and plays is None:
        return [unsupported(case, f"{game.replace('_', ' ')} has no probes yet") for case in cases]
    return [_judge(case, game, probes, plays, hinges) for case in cases]


def _part(game: str, name: str) -> Any:
    """Return a module of a game's folder, None if there is no such game or module."""
    if game not in game_keys() or find_spec(f"companion.games.{game}.{name}") is None:
        return None
    return import_module(f"companion.games.{game}.{name}")


def _judge(case: Case, game: str, probes: Any, plays: Any, hinges: bool) -> Ruling:
    doc = case.doc
    if doc.form == "prose":
        return unsupported(case, "its moves are sentences; write it as a play")
    rulebook = load_rulebook(game)
    if doc.form == "play":
        if plays is None:
            return unsupported(case, f"{game.replace('_', ' ')} reads no plays yet")
        return judge_play(case, load_game(game), rulebook, plays.POSITION, plays.PROJECTIONS)
    known = {} if probes is None else probes.PROBES
    if doc.kind not in known:
        raise case.fault("kind", f"found {doc.kind!r}, expected one of {', '.join(known)}")
    return judge_structured(case, known[doc.kind], rulebook, hinges)


def _line(ruling: Ruling) -> str:
    says: str = ruling.state
    if ruling.agrees is not msgspec.UNSET:
        says += ", agrees" if ruling.agrees else ", DISAGREES"
    parts = [f"{ruling.id}: {says}"]
    if ruling.reason:
        parts.append(ruling.reason)
    if ruling.ruling:
        parts.append(msgspec.json.encode(ruling.ruling).decode())
    if ruling.cites:
        parts.append(" ".join(ruling.cites))
    if ruling.options:
        parts.append(", ".join(f"{name} = {value}" for name, value in ruling.options.items()))
    if ruling.assumed:
        parts.append(f"assumed: {'; '.join(ruling.assumed)}")
    return "\n    ".join(parts)


def _summary(rulings: list[Ruling]) -> str:
    states = Counter(ruling.state for ruling in rulings)
    agree = sum(ruling.agrees is True for ruling in rulings)
    wrong = sum(disagrees(ruling) for ruling in rulings)
    counted = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    return f"{len(rulings)} cases: {counted}; {agree} agree, {wrong} disagree"
