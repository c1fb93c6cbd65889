"""Why: the last ruling, or the last refusal, as a chain of reasons."""

from __future__ import annotations

from companion.kernel import End, Ruled
from companion.presenters.models import WhyLink, WhyModel
from companion.presenters.wording import RulesInForce, cite_in_full
from companion.table.session import Session


def present_why(session: Session, rules: RulesInForce) -> WhyModel | None:
    """Return why the last answer had these effects, or why it was refused; None before the first answer."""
    if session.refusal is not None:
        refusal, says = session.refusal
        link = WhyLink(session.voice.say(refusal.text), cite_in_full(rules, refusal.cites))
        return WhyModel(says, (link,), verdict="refused")
    if not session.done:
        return None
    act = session.done[-1]
    links = tuple(_link(session, rules, ruled) for ruled in session.ruling if not isinstance(ruled.effect, End))
    return WhyModel(session.describe(act), links)


def _link(session: Session, rules: RulesInForce, ruled: Ruled) -> WhyLink:
    return WhyLink(session.voice.tell(ruled.effect), cite_in_full(rules, ruled.cites))
