"""The score as a tree: the final one, or how it would stand if the game ended now, unless that is secret."""

from __future__ import annotations

from companion.kernel import Citation, Finish, Ruled, Term
from companion.presenters.models import FinalModel, PlayerModel, ScoreNode
from companion.presenters.wording import cite_in_full, rules_of, without_stop
from companion.table.session import Session


def present_final(session: Session, journal: str) -> FinalModel:
    """Return the score of every seat with its sources, their pieces and articles."""
    names = session.header.seats
    if hidden := session.game.hides_scores(session.position.state):
        return _secret(session, journal, hidden)
    terms = session.game.score(session.position.state)
    finish = _finish(session)
    standing = ", ".join(f"{name} {term.points}" for name, term in zip(names, terms, strict=True))
    says = f"If it ended now: {standing}" if finish is None else without_stop(session.voice.tell(finish.effect))
    tied = finish is not None and len({term.points for term in terms}) == 1
    count = session.tally.corrections
    return FinalModel(
        game=journal,
        says=says,
        players=tuple(PlayerModel(seat, name, terms[seat].points) for seat, name in enumerate(names)),
        trees=tuple(node_of(session, term) for term in terms),
        winner=finish.effect.winner if finish is not None and isinstance(finish.effect, Finish) else None,
        tie_break=_tie_break(session, finish) if tied and finish is not None else "",
        tie_cites=tuple(cited.article for cited in finish.cites) if tied and finish is not None else (),
        corrected=f"{count} {'reading was' if count == 1 else 'readings were'} corrected." if count else "",
    )


def _secret(session: Session, journal: str, hidden: tuple[Citation, ...]) -> FinalModel:
    """Return the sheet of a game whose points nobody is to know yet."""
    names = session.header.seats
    cites = tuple(cited.article for cited in hidden)
    reason = next((cited.text for cited in cite_in_full(rules_of(session), hidden) if cited.text), "")
    return FinalModel(
        game=journal,
        says="The points stay secret until the end",
        players=tuple(PlayerModel(seat, name) for seat, name in enumerate(names)),
        trees=tuple(ScoreNode(name, None, cites) for name in names),
        hidden=reason,
        hidden_cites=cites,
    )


def _finish(session: Session) -> Ruled | None:
    if not session.is_over:
        return None
    return next((ruled for ruled in reversed(session.ruling) if isinstance(ruled.effect, Finish)), None)


def node_of(session: Session, term: Term) -> ScoreNode:
    """Return a term and its parts with their sentences and articles."""
    return ScoreNode(
        session.voice.say(term.text),
        term.points,
        tuple(cited.article for cited in term.cites),
        tuple(node_of(session, part) for part in term.parts),
    )


def _tie_break(session: Session, finish: Ruled) -> str:
    """Say which article broke the tie, in the wording that holds at this table."""
    cites = cite_in_full(rules_of(session), finish.cites)
    return next((f"Equal points. {cited.text}" for cited in cites if cited.text), "Equal points.")
