"""`companion line`: what travelled on the dock's line, from a recording. What the table heard then, it hears again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli import BadInput
from companion.cli._observations import in_words
from companion.cli.doctor import WIRING_FILE
from companion.journal.shelf import Shelf
from companion.table.observation import Observation
from hardware.config import ConfigError, load
from hardware.recording import Playback, RecordingError, play
from hardware.serial_link import SerialLink
from hardware.wiring import TableWiring


@click.command("line")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--record", type=click.FloatRange(min=0.1), help="Record the dock into FILE first, for so many seconds.")
@click.option("--wiring", type=click.Path(path_type=Path), help=f"The wiring file, if not {WIRING_FILE} in the home.")
@click.option("--json", "as_json", is_flag=True, help="Print what was heard as JSON.")
def command(file: Path, record: float | None, wiring: Path | None, as_json: bool) -> None:
    """Play FILE, a recording of the dock's line, and print what the table hears of it.

    The app writes such files into the folder flights of its home when the dock is in trouble.
    """
    wired = _load(wiring)
    if record is not None:
        _record(wired, file, record)
    playback = Playback(wired)
    try:
        heard = list(play(file.read_text(encoding="utf-8").splitlines(), playback))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise BadInput(f"{file} cannot be read ({reason}); name a recording of the dock's line") from None
    except RecordingError as error:
        raise BadInput(f"{file}: {error}") from None
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(_document(playback, heard)), indent=1).decode())
        return
    for observation in heard:
        click.echo(f"{observation.at:10.3f}  {in_words(observation)}")
    welcome = playback.link.welcome
    dock = "no dock" if welcome is None else f"the dock {welcome.unique_id} ({welcome.firmware})"
    counts = ", ".join(f"{count} {name}" for name, count in sorted((+playback.link.counts).items())) or "nothing"
    click.echo(f"{dock}, at the end {playback.link.state}; counted: {counts}")


def _load(wiring: Path | None) -> TableWiring:
    file = wiring or Shelf().home / WIRING_FILE
    if wiring is None and not file.exists():
        return TableWiring()
    try:
        return load(file)
    except ConfigError as error:
        raise BadInput(str(error)) from None


def _record(wiring: TableWiring, file: Path, seconds: float) -> None:
    if wiring.dock is None:
        raise BadInput("the wiring file names no dock; there is no line to record")
    link = SerialLink(wiring)
    link.start(lambda _: None)
    try:
        time.sleep(seconds)
        says = link.health().says
    finally:
        link.stop()
    try:
        click.echo(f"{link.record(file)} lines are in {file}. {says}", err=True)
    except OSError as error:
        raise BadInput(f"{file} cannot be written ({error.strerror}); name another place") from None


def _document(playback: Playback, heard: list[Observation]) -> dict[str, Any]:
    link = playback.link
    return {"heard": heard, "dock": link.welcome, "state": link.state, "counts": dict(sorted((+link.counts).items()))}
