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
    if not session.undoes:
        return None
    # Where it is still open how the table came to look so, what is seen is explained as it seems.
    told = session.apparent.told
    return WhyModel(
        session.undoes, tuple(_link(session, rules, each) for each in told if not isinstance(each.effect, End))
    )


def _link(session: Session, rules: RulesInForce, ruled: Ruled) -> WhyLink:
    return WhyLink(session.voice.tell(ruled.effect), cite_in_full(rules, ruled.cites))
