"""`companion bench`: the figures of the README, measured here and now."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli import BadInput, GameName
from companion.games import game_keys

PARTS = (
    "engine", "laws", "realm", "odds", "table", "frames", "vision", "discs", "sources",
    "hardware", "ui", "playback", "evenings", "enrol",
)  # fmt: skip

SAY_EVERY_S = 5.0


@click.command("bench")
@click.argument("part", default="all")
@click.option("--photos", type=click.Path(path_type=Path), help="The folder of labelled photographs, for vision.")
@click.option("--seeds", default="1-20", show_default=True, help="Which evenings, for playback: a number or a range.")
@click.option("--only", metavar="PARTS", help="For vision: which of its parts, such as slots,photos,dice; else all.")
@click.option("--observations", type=click.IntRange(min=1), help="For evenings: 1000, and 10000 as a part of vision.")
@click.option("--first", default=1, show_default=True, type=click.IntRange(min=1), help="For evenings: the first seed.")
@click.option("--keep", type=click.Path(path_type=Path, dir_okay=False), help="For evenings: go on from this file.")
@click.option("--evenings", type=click.IntRange(min=1), help="How many simulated evenings, for hardware.")
@click.option("--game", type=GameName(), help="For laws: which game; without it, every one.")
@click.option("--games", type=click.IntRange(min=1), help="For laws: how many games of each.")
@click.option("--quick", is_flag=True, help="Fewer photographs and evenings; the figures are rougher.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    part: str,
    photos: Path | None,
    seeds: str,
    only: str | None,
    observations: int | None,
    first: int,
    keep: Path | None,
    evenings: int | None,
    game: str | None,
    games: int | None,
    quick: bool,
    as_json: bool,
) -> None:
    """Measure PART (engine, table, frames, vision, ... or all) and print the figures."""
    if part != "all" and part not in PARTS:
        raise BadInput(f"there is no bench {part!r}; choose one of {', '.join(PARTS)} or all")
    if photos is not None and not photos.is_dir():
        raise BadInput(f"{photos} is no folder; name the folder that holds truth.json and the photographs")
    measures: dict[str, Callable[[], dict[str, Any]]] = {
        "engine": lambda: _measure("companion.bench.engine"),
        "laws": lambda: _laws(game, games or (30 if quick else 300)),
        "realm": lambda: _measure("companion.bench.realm", games=30 if quick else 300),
        "odds": lambda: _measure("companion.bench.odds"),
        "table": lambda: _measure("companion.bench.table"),
        "frames": lambda: _measure("companion.bench.frames", quick=quick),
        "vision": lambda: _vision(photos, quick, only, observations, keep, part == "all"),
        "discs": lambda: _measure("companion.bench.discs", quick=quick),
        "sources": lambda: _measure("companion.bench.sources", rounds=1 if quick else 3),
        "hardware": lambda: {
            **_measure("hardware.bench", full=not quick, evenings=evenings),
            **_measure("companion.bench.edges"),
        },
        "ui": lambda: _measure("ui.bench"),
        "playback": lambda: _measure("companion.bench.playback", seeds=_seeds(seeds)),
        "evenings": lambda: _evenings(observations or 1000, first, keep),
        "enrol": lambda: _measure("companion.bench.enrol", evenings=1 if quick else 6),
    }
    figures: dict[str, Any] = {"machine": machine()}
    for name in PARTS if part == "all" else (part,):
        click.echo(f"measuring {name} ...", err=True)
        figures[name] = measures[name]()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(figures), indent=1).decode())
    else:
        _print(figures, "")


def machine() -> str:
    """Return the machine in a line, so that nobody takes its figures for another's."""
    return f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _measure(module: str, **arguments: Any) -> dict[str, Any]:
    measured: dict[str, Any] = import_module(module).measure(**arguments)
    return measured


def _laws(game: str | None, games: int) -> dict[str, Any]:
    from companion.bench.laws import measure

    return {key: measure(key, games) for key in (game_keys() if game is None else (game,))}


def _evenings(observations: int, first: int, keep: Path | None) -> dict[str, Any]:
    from companion.bench.evenings import KeptError, measure

    try:
        return measure(observations, range(first, sys.maxsize), keep, lambda says: click.echo(says, err=True))
    except KeptError as error:
        raise BadInput(str(error)) from None


def _vision(
    photos: Path | None, quick: bool, only: str | None, observations: int | None, keep: Path | None, among_all: bool
) -> dict[str, Any]:
    from companion.bench.evenings import KeptError
    from companion.bench.vision import OBSERVATIONS, PARTS, measure

    # Beside all other benches, "frames" and "evenings" say the same.
    parts = only.split(",") if only else [name for name in PARTS if not among_all or name not in ("steady", "evenings")]
    if strange := [name for name in parts if name not in PARTS]:
        raise BadInput(f"--only: vision has no part {strange[0]!r}; choose some of {','.join(PARTS)}")
    try:
        return measure(photos, quick, parts, observations or OBSERVATIONS, keep, _Progress())
    except KeptError as error:
        raise BadInput(str(error)) from None


class _Progress:
    """Says on standard error what is being measured and for how long, at most every few seconds."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._said_at = float("-inf")

    def __call__(self, what: str, done: int, of: int) -> None:
        now = time.monotonic()
        if of and now - self._said_at < SAY_EVERY_S:
            return
        self._said_at = now
        far = f", {done} of {of}" if of else ""
        click.echo(f"  {what}{far}; {now - self._began:.0f} s so far", err=True)


def _seeds(words: str) -> range:
    first, _, last = words.partition("-")
    if not first.isdecimal() or (last and not last.isdecimal()):
        raise BadInput(f"--seeds: found {words!r}, expected a number or a range such as 1-20")
    return range(int(first), int(last or first) + 1)


def _print(figures: dict[str, Any], indent: str) -> None:
    for name, value in figures.items():
        if isinstance(value, dict):
            click.echo(f"{indent}{name}:")
            _print(value, indent + "  ")
        else:
            click.echo(f"{indent}{name}: {value}")
