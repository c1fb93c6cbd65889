"""Journals on disk for the tests of the commands that read them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from companion.bootstrap import find_set, new_header, resume
from companion.cli import Commands
from companion.games import load_game
from companion.journal.file import Journal
from companion.table.observation import Touch
from companion.table.session import Provenance, Session

REGIONS = ("region-yeti-1", "region-golem-1", "castle-1", "region-troll-1", "region-gnome-1")
HAND = Provenance("touch", "screen")


def run(*arguments: str | Path) -> Result:
    """Run `companion ARGUMENTS`."""
    return CliRunner().invoke(Commands("companion"), [str(each) for each in arguments])


def begin(path: Path) -> tuple[Journal, Session]:
    """A journal in which the five region cards lie and Ada is asked for her first card."""
    cards = find_set("allies", None)
    journal = Journal.create(path, new_header(load_game("allies"), ("Ada", "Bo"), cards, stated={"starter": "A"}))
    session = resume(journal, cards)
    answer(session, [("deal", f"{region} @ R{column}") for column, region in enumerate(REGIONS, 1)])
    return journal, session


def answer(session: Session, answers: Sequence[tuple[str, str]]) -> None:
    for to, reply in answers:
        before = len(session.done)
        session.observe(Touch("screen", 0.0, to=to, reply=reply))
        assert len(session.done) == before + 1, session.alarm
