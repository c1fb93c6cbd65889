"""`companion demo`: a whole game at a simulated table, followed by the real companion.

The table is simulated, the companion is not: it sees pictures, pin edges and serial bytes only.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from companion.bootstrap import new_header, resume
from companion.cli import BadInput, GameName
from companion.games import load_game
from companion.journal.file import Journal
from companion.kernel import Term
from companion.sets.owner import standard_set
from companion.simulated.beats import Beat, Frame
from companion.simulated.playing import Playing
from companion.simulated.rig import describe
from companion.simulated.table import (
    Evening,
    RecordingError,
    Table,
    play,
    read_evening,
    record,
)
from companion.simulated.tables import dock_of, eyes_for, simulated_table
from companion.table.session import Session


@click.command("demo")
@click.argument("game", default="allies", type=GameName())
@click.option("--headless", is_flag=True, help="Without a screen: print each ruling and the final score.")
@click.option("--seed", default=1, show_default=True, help="Which evening; any number works.")
@click.option("--record", "folder", type=click.Path(path_type=Path), help="Only write the evening to this folder.")
@click.option("--playback", type=click.Path(path_type=Path), help="Follow an evening that was recorded.")
@click.option("--journal", type=click.Path(path_type=Path), help="Keep the journal in this file.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    game: str,
    headless: bool,
    seed: int,
    folder: Path | None,
    playback: Path | None,
    journal: Path | None,
    as_json: bool,
) -> None:
    """Let the companion follow a simulated game of GAME."""
    try:
        if folder is not None:
            _record(game, folder, seed)
        elif playback is not None:
            _follow(read_evening(playback), play(playback), None, journal, as_json)
        elif headless or as_json:
            table = simulated_table(game, seed)
            _follow(table.evening, table.beats(), table, journal, as_json)
        else:
            from companion.desk.app import run_app

            run_app(simulated=seed, game=game)
    except (RecordingError, LookupError) as error:
        raise BadInput(str(error)) from None


def _record(game: str, folder: Path, seed: int) -> None:
    table = simulated_table(game, seed)
    with _progress() as progress:
        task = progress.add_task("recording the evening")
        record(folder, table, lambda at: progress.update(task, description=f"recording, {at:.0f} s of play"))
    click.echo(f"The evening of seed {seed} is in {folder}; what really happened is in {folder / 'truth.json'}.")


def _follow(evening: Evening, beats: Iterable[Beat], table: Table | None, path: Path | None, as_json: bool) -> None:
    cards = standard_set(evening.game)
    game = load_game(evening.game)
    eyes, dock = eyes_for(evening), dock_of(evening)
    with tempfile.TemporaryDirectory(prefix="companion-") as scratch:
        header = new_header(game, evening.names, cards, evening.edition)
        try:
            kept = Journal.create(path or Path(scratch) / "demo.journal", header)
        except OSError as error:
            raise BadInput(str(error)) from None
        with kept:
            session = resume(kept, cards)
            speaker = Speaker(session, quiet=as_json)
            if not as_json:
                for line in describe(evening.rig, evening.ranges):
                    click.echo(f"  {line}")

            def changed(session: Session) -> None:
                speaker.speak(session)
                if table is not None:
                    table.look(len(session.done))

            with _progress() as progress, Playing(session, eyes, changed, dock) as playing:
                task = progress.add_task("following the evening")
                for beat in beats:
                    playing.take(beat)
                    if isinstance(beat, Frame):
                        progress.update(task, description=f"following, {beat.at:.0f} s of play")
            _report(session, table, as_json)


def _report(session: Session, table: Table | None, as_json: bool) -> None:
    result: dict[str, Any] = session.game.outcome(session.position.state)
    tally = session.tally
    result |= {"touches": tally.touches, "questions": tally.questions, "corrections": tally.corrections}
    if not session.is_over:
        result["unfinished"] = session.doubt.says if session.doubt else session.alarm or "the film ended"
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(result), indent=1).decode())
    else:
        for term in session.game.score(session.position.state):
            _print_term(session, term, "")
        click.echo(f"touches {tally.touches}, questions {tally.questions}, corrections {tally.corrections}")
        if table is not None:
            truth = msgspec.to_builtins(table.truth())
            agrees = truth == {key: result[key] for key in truth}
            click.echo(
                "The simulated players' own count agrees." if agrees else "The simulated players count otherwise!"
            )
    if not session.is_over:
        click.get_current_context().exit(1)


def _print_term(session: Session, term: Term, indent: str) -> None:
    articles = ", ".join(citation.article for citation in term.cites)
    click.echo(f"{indent}{term.points:>3}  {session.voice.say(term.text)} ({articles})")
    for part in term.parts:
        _print_term(session, part, indent + "     ")


class Speaker:
    """Says every new ruling with its articles, and every question and objection once."""

    def __init__(self, session: Session, quiet: bool) -> None:
        self._session, self._quiet = session, quiet
        self._said = len(session.done)
        self._last = ""

    def speak(self, session: Session) -> None:
        if self._quiet:
            return
        for done in session.done[self._said :]:
            for ruled in done.position.told:
                click.echo(session.voice.ruling(ruled))
        self._said = len(session.done)
        remark = session.doubt.says if session.doubt else session.alarm
        if remark and remark != self._last:
            click.echo(f"? {remark}")
        self._last = remark


def _progress() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
