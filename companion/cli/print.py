"""`companion print`: mats, proxy cards, markers, score sheets and trackers as PDF."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import click
import msgspec
from rich.console import Console
from rich.progress import Progress

from companion.cli import GameName
from companion.games import load_game
from companion.print.mat_pdf import markers_pdf, mat_pdf
from companion.print.page import PAPERS, NoSheetError, Paper, Printed
from companion.print.proxies_pdf import proxies_pdf
from companion.print.scoresheet import scoresheet_pdf
from companion.print.tracker import tracker_pdf
from companion.sets.owner import SetError
from companion.table.mat import Mat, game_mat


def _proxies(game: str, paper: Paper) -> Printed:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("drawing the cards")
        return proxies_pdf(game, paper, lambda drawn, of: progress.update(task, completed=drawn, total=of))


def _mat(game: str, paper: Paper) -> Printed:
    return mat_pdf(_printed(game), paper)


def _markers(game: str, paper: Paper) -> Printed:
    return markers_pdf(_printed(game), paper)


def _printed(game: str) -> Mat:
    """Return the mat of a game that is played on one.

    :raises NoSheetError: if it is played on a board of its own.
    """
    mat = game_mat(load_game(game))
    if mat.discs:
        raise NoSheetError(
            f"{game} is played on its own board, which the camera finds without a mat or markers; photograph the "
            "board once instead (`companion enrol --board`)"
        )
    return mat


SHEETS: Mapping[str, Callable[[str, Paper], Printed]] = {
    "mat": _mat,
    "proxies": _proxies,
    "markers": _markers,
    "scoresheet": scoresheet_pdf,
    "tracker": tracker_pdf,
}


class Report(msgspec.Struct, frozen=True):
    """What `--json` prints."""

    file: str
    sheet: str
    game: str
    paper: str
    pages: int
    bytes: int


@click.command("print")
@click.argument("sheet", type=click.Choice(tuple(SHEETS)))
@click.option("--game", type=GameName(), default="allies", show_default=True, help="Whose sheet.")
@click.option(
    "--paper", type=click.Choice(tuple(PAPERS)), default="a4", show_default=True, help="What the printer holds."
)
@click.option("--out", type=click.Path(path_type=Path), help="The PDF to write; GAME-SHEET-PAPER.pdf if not given.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
@click.option("--json", "as_json", is_flag=True, help="Say what was written as JSON.")
def command(sheet: str, game: str, paper: str, out: Path | None, force: bool, as_json: bool) -> None:
    """Write a PDF to print at 100 %, without scaling."""
    file = out if out is not None else Path(f"{game}-{sheet}-{paper}.pdf")
    if file.is_dir():
        _stop(f"{file} is a folder; name the PDF to write in it")
    if file.exists() and not force:
        _stop(f"{file} exists already; choose another name or add --force to write over it")
    try:
        printed = SHEETS[sheet](game, cast(Paper, paper))
    except (SetError, NoSheetError) as error:
        _stop(str(error))
    try:
        with file.open("wb" if force else "xb") as stream:
            stream.write(printed.pdf)
    except FileExistsError:
        _stop(f"{file} exists already; choose another name or add --force to write over it")
    except OSError as error:
        _stop(f"{file} cannot be written ({(error.strerror or 'unknown reason').lower()}); choose another place")
    if as_json:
        report = Report(str(file), sheet, game, paper, printed.pages, len(printed.pdf))
        click.echo(msgspec.json.encode(report).decode())
    else:
        pages = "1 page" if printed.pages == 1 else f"{printed.pages} pages"
        click.echo(f"{file}: {sheet} for {game}, {pages} of {paper.upper()}; print at 100 %, without scaling")


def _stop(says: str) -> None:
    click.echo(says, err=True)
    sys.exit(2)
