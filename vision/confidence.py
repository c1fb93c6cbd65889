"""How sure a reading is: the probability that label and quarter turn are right.

A logistic model of three numbers of a judgement, fitted on rendered cards only: the project's own
proxy deck under light, shadow, glare, fingers, blur and noise (`vision.rendered`), a third of them with
the card taken out of the deck. Look-alikes of a card taken out were left out of the fit, since nothing in
one picture tells that a look-alike is missing. `companion bench vision` renders a deck of other drawings
and prints how often readings of each confidence are right.
"""

from __future__ import annotations

from math import exp

from vision.compare import Judgement

_SCORE, _MARGIN, _AGREE, _BIAS = 9.07, 9.59, 8.19, -19.41
"""Weights of correlation, margin to the nearest rival and share of the blocks that agree."""

_LEAST_MARGIN = -0.2

KNOWN = 0.8
"""From here on a card is `known`; a wrong name costs more than a question."""

UNKNOWN = 0.1
"""Below this a card is none of the deck's, unless many features say otherwise."""

_KNOWN_MARGIN = 0.35
_KNOWN_OWN, _GUESSED_OWN, _SURER = 0.74, 0.63, 0.15
"""Correlation with what only this face prints. Of the labelled photographs and the rendered cards all that
are enrolled reach 0.75 unless they are covered or blown out; look-alikes of cards taken out of the deck
stay below 0.74."""

_FITS_WELL, _FITS_EVERYWHERE, _OWN_PRINT = 0.9, 0.95, 0.8
_FEATURES, _FEATURE_SCORE, _FEATURE_AGREE, _FEATURE_OWN = 20, 0.25, 0.55, 0.94


def confidence(judgement: Judgement) -> float:
    """Return the probability (0 to 1) that the best verdict is right."""
    best = judgement.verdicts[0]
    return _probability(best.score, best.margin, judgement.agree)


def could_be_worth_a_guess(score: float, agree: float) -> bool:
    """Say whether a face of this correlation, agreeing in this share of the blocks, can still be a candidate."""
    return _probability(score, 1.0, agree) >= UNKNOWN


def _probability(score: float, margin: float, agree: float) -> float:
    evidence = _SCORE * score + _MARGIN * max(margin, _LEAST_MARGIN) + _AGREE * agree + _BIAS
    return 1.0 / (1.0 + exp(-evidence))


def is_known(judgement: Judgement) -> bool:
    """Say whether one face stands out: sure in all, and clearly so in the places where it matters."""
    stands_out = judgement.verdicts[0].margin >= _KNOWN_MARGIN and judgement.own >= _KNOWN_OWN
    return stands_out and not judgement.bare and confidence(judgement) >= KNOWN


def is_worth_a_guess(judgement: Judgement, inliers: int) -> bool:
    """Say whether a doubtful face is named as a candidate.

    A half covered card keeps its features, or what is in sight agrees all over and most where only this face
    is printed so; twins fit well everywhere, although nothing tells which. A card
    that shows bare paper where a face has print is not that face's.
    """
    if judgement.bare:
        return False
    sure = confidence(judgement)
    if sure >= UNKNOWN and judgement.own + _SURER * sure >= _GUESSED_OWN:
        return True
    best = judgement.verdicts[0]
    if judgement.agree >= _FITS_EVERYWHERE and (best.score >= _FITS_WELL or judgement.own >= _OWN_PRINT):
        return True
    fits_in_part = best.score >= _FEATURE_SCORE and judgement.agree >= _FEATURE_AGREE
    return inliers >= _FEATURES and fits_in_part and best.margin + judgement.own >= _FEATURE_OWN
