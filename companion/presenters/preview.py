"""What each choice would bring each seat now, every term shown; for games that foretell it."""

from __future__ import annotations

from companion.presenters.final import node_of
from companion.presenters.models import PreviewModel
from companion.table.session import Session


def present_preview(session: Session) -> PreviewModel | None:
    """Return a tree for each seat with a branch for each of its choices; None where nothing is foretold."""
    terms = session.game.preview(session.apparent.state)
    if not any(term.parts for term in terms):
        return None
    return PreviewModel("What it would bring now", tuple(node_of(session, term) for term in terms))
