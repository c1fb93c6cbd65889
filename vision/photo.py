"""Reading a whole photograph of which nothing is known: every enrolled card, and cards of others."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck
from vision.detections import CardReading
from vision.geometry import area, inside, is_upright_quad
from vision.match import confirm, read_outline, unnamed
from vision.search import FeatureSearch, Proposal, card_like, could_be_enrolled, find_outlines

_SAME_PLACE = 0.45
_NEAR = 0.22
_TOUCHES = 0.03
_MOST_OUTLINES = 60
_MOST_REJECTED = 20
"""Proposals that fail one after the other before the rest, which have fewer votes, is left."""


def read_photo(picture: NDArray[np.uint8], deck: Deck) -> tuple[CardReading, ...]:
    """Find and read the cards in a photograph, BGR uint8 (height, width, 3), from any side.

    Enrolled cards are `known` or `unsure`, also several copies and partly covered ones; other cards
    whose outline shows are `unknown`. Readings come from the top of the picture to its bottom.
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    known: list[CardReading] = []
    doubtful: list[CardReading] = []

    def is_explained(centre: tuple[float, float], side: float) -> bool:
        return any(np.hypot(r.centre[0] - centre[0], r.centre[1] - centre[1]) < _NEAR * side for r in known)

    rejected = 0
    open_: list[Proposal] = []
    for proposal in FeatureSearch(grey, deck).proposals(is_explained):
        reading = confirm(picture, deck, proposal.label, proposal.corners, proposal.inliers)
        if reading is None or reading.state != "known":
            open_.append(proposal)
        if reading is None or reading.state == "unknown":
            rejected += 1
            if rejected >= _MOST_REJECTED:
                break
        elif not _is_there(known, reading):
            (known if reading.state == "known" else doubtful).append(reading)
            rejected = 0
    outlines = find_outlines(grey)
    unknown: list[CardReading] = []
    for quad in outlines[:_MOST_OUTLINES]:
        if any(_explains(reading, quad) for reading in known):
            continue
        reading = read_outline(picture, deck, quad) if could_be_enrolled(quad, deck) else unnamed(quad)
        if reading.state == "known":
            if not _is_there(known, reading):
                known.append(reading)
        elif reading.state == "unsure":
            doubtful.append(reading)
        else:
            unknown.append(reading)
    doubtful += _covered(picture, deck, open_, [reading for reading in known if reading.state == "known"])
    doubtful.sort(key=lambda reading: -reading.confidence)
    for reading in doubtful:
        # A guess in the middle of a card that is known is part of that card's print.
        if not _is_there(known, reading) and not any(inside(other.corners, reading.centre) for other in known):
            known.append(reading)
    sizes = [area(reading.corners) for reading in known]
    for quad in card_like([r.corners for r in unknown], [r.corners for r in known], sizes, grey, deck):
        reading = next(r for r in unknown if r.corners is quad)
        if not _is_there(known, reading):
            known.append(reading)
    return tuple(sorted(known, key=lambda r: (r.centre[1], r.centre[0])))


def _covered(
    picture: NDArray[np.uint8], deck: Deck, proposals: list[Proposal], known: list[CardReading]
) -> list[CardReading]:
    """Look again at proposals that known cards lie on, now that what they hide can be left out."""
    found = []
    for proposal in proposals:
        on_top = [reading.corners for reading in known if overlap(reading.corners, proposal.corners) > _TOUCHES]
        if on_top and max(overlap(quad, proposal.corners) for quad in on_top) < _SAME_PLACE:
            reading = confirm(picture, deck, proposal.label, proposal.corners, proposal.inliers, on_top)
            if reading is not None and reading.state != "unknown":
                found.append(reading)
    return found


def overlap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the intersection over union of two convex quadrilaterals (4, 2)."""
    if not (is_upright_quad(one) and is_upright_quad(other)):
        return 0.0
    a, b = one.astype(np.float32), other.astype(np.float32)
    common = float(cv2.intersectConvexConvex(a, b)[0])
    return common / (float(cv2.contourArea(a)) + float(cv2.contourArea(b)) - common + 1e-6)


def _is_there(readings: list[CardReading], reading: CardReading) -> bool:
    side = area(reading.corners) ** 0.5
    for other in readings:
        if overlap(other.corners, reading.corners) > _SAME_PLACE:
            return True
        away = np.hypot(other.centre[0] - reading.centre[0], other.centre[1] - reading.centre[1])
        if away < _NEAR * side:
            return True
    return False


def _explains(reading: CardReading, quad: NDArray[np.float64]) -> bool:
    """Say whether an outline is that of a card already read, or one printed on it."""
    middle = quad.mean(axis=0)
    if inside(reading.corners, (float(middle[0]), float(middle[1]))) and area(quad) < area(reading.corners):
        return True
    return overlap(reading.corners, quad) > _SAME_PLACE
