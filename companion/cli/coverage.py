"""`companion coverage`: take each article away from the rules in turn and see which cases and playthroughs miss it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import resources
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import track

from companion.cli import BadInput, GameName
from companion.cli.judge import judge_cases, open_file
from companion.games import load_game
from companion.kernel import Setup
from companion.notation.case import Case
from companion.notation.document import parse_document
from companion.notation.playthrough import Head, read_playthrough, write_playthrough
from companion.rulebook.coverage import CoverageEntry, compare_coverage
from companion.rulebook.disable import without
from companion.rulebook.load import load_coverage, load_rulebook
from companion.rulebook.options import resolve
from companion.sets.owner import standard_set

CASES = "tests/games/test_cases.py::test_the_ruling_agrees"
PLAYTHROUGHS = "tests/games/test_playthroughs.py::test_the_playthrough_is_fresh"
"""The tests that hold what this command looks at; each has one instance for each case and playthrough."""


class Missed(msgspec.Struct, frozen=True):
    """An article and the tests that fail without it."""

    article: str
    state: str
    missed_by: tuple[str, ...]
    fault: str = ""


@click.command("coverage")
@click.argument("game", type=GameName())
@click.option(
    "--article", "articles", multiple=True, metavar="ID", help="Only this article; may be given several times."
)
@click.option("--renew", is_flag=True, help="Write the game's playthroughs anew and stop.")
@click.option("--all", "everything", is_flag=True, help="Name all tests that miss an article, not only the first.")
@click.option("--json", "as_json", is_flag=True, help="Print the articles as one JSON list.")
def command(game: str, articles: tuple[str, ...], renew: bool, everything: bool, as_json: bool) -> None:
    """Disable the articles of GAME one by one; exit 1 if nobody misses one that is said to be done."""
    if renew:
        for name in playthroughs(game):
            try:
                click.echo(f"{name}: {'written anew' if _renew(game, name) else 'fresh'}")
            except ValueError as error:
                raise BadInput(f"{name}.txt cannot be played any more: {error}; correct its answers") from None
        return
    printed = [article.id for article in load_rulebook(game).articles.values() if article.level == "rule"]
    for each in articles:
        if each not in printed:
            raise BadInput(f"{game} has no article {each!r}; expected one such as {printed[0]}")
    wanted = [each for each in printed if not articles or each in articles]
    entries = load_coverage(game)
    checks = checks_of(game)
    if already := [name for name, check in checks.items() if not holds(check)]:
        raise BadInput(f"{already[0]} fails with all articles in force; correct it, or renew the playthroughs, first")
    console = Console(stderr=True)
    found = [
        _missed(game, each, entries.get(each), checks, everything)
        for each in track(wanted, "disabling articles", console=console, transient=True, disable=as_json)
    ]
    faults = [each for each in found if each.fault]
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        for miss in found:
            says = f"missed by {', '.join(miss.missed_by)}" if miss.missed_by else "missed by no case or playthrough"
            click.echo(f"{miss.article}: {miss.state}; {says}{f' -- {miss.fault}' if miss.fault else ''}")
        for fault in compare_coverage(load_rulebook(game), entries).faults:
            click.echo(fault)
        click.echo(_summary(found))
    sys.exit(int(bool(faults)))


def _missed(
    game: str, article: str, entry: CoverageEntry | None, checks: dict[str, Callable[[], bool]], everything: bool
) -> Missed:
    """Return who misses an article: its own test first, then the others until one is found, or all."""
    own = entry.test if entry else ""
    missed_by: list[str] = []
    with without(game, article):
        for name in sorted(checks, key=lambda each: each != own):
            if not holds(checks[name]):
                missed_by.append(name)
                if not everything:
                    break
    state = entry.state if entry else "no entry"
    fault = ""
    if state == "done" and own in checks and own not in missed_by:
        fault = f"its test {own} does not miss it"
    elif state == "done" and own not in checks and own.startswith((CASES, PLAYTHROUGHS)):
        fault = f"its test {own} does not exist"
    return Missed(article, state, tuple(missed_by), fault)


def checks_of(game: str) -> dict[str, Callable[[], bool]]:
    """Return a game's cases and playthroughs as checks, by the id of the test that holds each."""
    checks: dict[str, Callable[[], bool]] = {}
    cases_here = resources.files("companion.games") / game / "cases"
    files = [each for each in cases_here.iterdir() if each.name.endswith(".yaml")] if cases_here.is_dir() else []
    for file in sorted(files, key=lambda each: each.name):
        folder, cases = open_file(parse_document(file.read_text(encoding="utf-8"), file.name))
        for case in cases:
            checks[f"{CASES}[{game}-{case.doc.id}]"] = partial(agrees, folder, case)
    for name in playthroughs(game):
        checks[f"{PLAYTHROUGHS}[{game}-{name}]"] = partial(is_fresh, game, name)
    return checks


def agrees(game: str, case: Case) -> bool:
    """Return whether a case is ruled as it expects."""
    return judge_cases(game, [case], hinges=False)[0].agrees is True


def holds(check: Callable[[], bool]) -> bool:
    """Return whether a check holds; rules that stumble over the missing article do not."""
    try:
        return check()
    except (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        return False


def folder_of(game: str) -> Path:
    """Return the folder of a game's playthroughs."""
    return Path(str(resources.files("companion.games") / game / "playthroughs"))


def playthroughs(game: str) -> tuple[str, ...]:
    """Return the names of a game's playthroughs."""
    return tuple(sorted(each.stem for each in folder_of(game).glob("*.txt")))


def is_fresh(game: str, name: str) -> bool:
    """Return whether a playthrough is what the rules make of its answers today."""
    return _read(game, name) == renewed(game, name)


def renewed(game: str, name: str) -> str:
    """Return a playthrough written anew from its own answers, with the project's own cards.

    :raises NotationError: for an answer to a question that is not asked any more.
    """
    head, answers = read_playthrough(_read(game, name), f"{name}.txt")
    return write_playthrough(head, load_game(game), _setup(game, head), answers)


def _setup(game: str, head: Head) -> Setup:
    options = resolve(load_rulebook(game), head.edition, head.options)
    seats = tuple("ABCDEFGH"[: head.seats])
    return Setup(options, seats, standard_set(game).cards, head.stated)


def _read(game: str, name: str) -> str:
    return (folder_of(game) / f"{name}.txt").read_text(encoding="utf-8")


def _renew(game: str, name: str) -> bool:
    """Write a playthrough anew; return whether that changed it."""
    text = renewed(game, name)
    if text == _read(game, name):
        return False
    (folder_of(game) / f"{name}.txt").write_text(text, encoding="utf-8")
    return True


def _summary(found: list[Missed]) -> str:
    nobody = [each.article for each in found if not each.missed_by]
    says = f"{len(found) - len(nobody)} of {len(found)} articles are missed by a case or a playthrough"
    return f"{says}; by nobody: {' '.join(nobody)}" if nobody else says
