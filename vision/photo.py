"""Reading a whole photograph of which nothing is known: every enrolled card, and cards of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.covered import covered_quads
from vision.deck import FEATURE_SIDE, Deck
from vision.detections import CardReading, angle_of, crossing, quadrant_of
from vision.edges import EdgeField
from vision.faint import SMOOTH, find_corners, find_lines
from vision.geometry import area, inside, overlap, project, scaled
from vision.match import confirm, read_covered, read_outline, unnamed
from vision.places import Outline, card_outlines, find_card_outlines, find_faint_outlines
from vision.search import FeatureSearch, Proposal, reduced

_SAME_PLACE = 0.45
_NEAR = 0.22
"""Readings are of one card if they overlap so much, or lie so near each other (share of the side)."""

_EDGE_SIDE = 800
_LOOKS, _TILTED_SHAPE = 2, 0.4
"""Outlines of one place that are read, and how far the logarithm of their shape may be from the deck's."""

_AS_LARGE, _ALIKE, _LIKELY, _ASKEW = 0.7, 0.75, 0.3, 0.6
"""When a stranger's outline counts for more than a guess: area against the guess's, overlap and confidence
below which it does, overlap below which a proposal in its middle is not even tried."""

_SEVERAL, _ALIKE_TIMES = 3, 2.5
"""How many times as large as the smallest of the cards on one table the largest is: perspective makes two."""

_TRIED, _TRIES = 0.15, 2
_TOUCHES, _MOST_COVERED = 0.03, 3
_LEAST_LEFT, _MOST_CORNERS, _MOST_IN_ALL = 0.004, 4, 12
"""Share of the picture that has edges no card explains, for lines to be looked for; corners beside a card
and in the whole photograph."""

_BACKED, _BACKED_SHARE, _BACKED_TIMES = 22, 0.05, 2.5
"""Features that speak for a covered card, their share of all where they lie, and how far its area may be from
that of the known cards."""

_FAR_MORE, _NEARLY = 2.0, 1.5
"""Times as many features as a rival has, for the one and for the other to count."""

_BY_FEATURES_ALONE = 0.5
_MOST_REJECTED = 6
"""Proposals that fail one after the other before the rest, which have fewer votes, is left."""


class _Shrunk:
    """A photograph at full, half and quarter size, so that large cards are not shrunk one by one."""

    def __init__(self, picture: NDArray[np.uint8]) -> None:
        self.grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        self._levels = [picture]

    def around(self, corners: NDArray[np.float64]) -> tuple[NDArray[np.uint8], float]:
        """Return the picture in which a card is not much larger than the enrolled faces, and its scale."""
        level = int(np.clip(np.log2(area(corners) ** 0.5 / FEATURE_SIDE + 1e-9), 0, 2))
        while len(self._levels) <= level:
            last = self._levels[-1]
            size = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            even = last[: 2 * size[1], : 2 * size[0]]
            self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), dtype=np.uint8))
        return self._levels[level], 0.5**level

    def confirm(self, deck: Deck, proposal: Proposal, on_top: Sequence[NDArray[np.float64]] = ()) -> CardReading | None:
        """Check a proposal (`vision.match.confirm`); all corners are in pixels of the photograph."""
        picture, scale = self.around(proposal.corners)
        small = scaled(scale)
        above = [project(small, quad) for quad in on_top]
        reading = confirm(picture, deck, proposal.label, project(small, proposal.corners), proposal.inliers, above)
        return None if reading is None else _enlarged(reading, scale)

    def read_covered(
        self, deck: Deck, corners: NDArray[np.float64], on_top: Sequence[NDArray[np.float64]]
    ) -> CardReading | None:
        """Read what shows of a covered card (`vision.match.read_covered`)."""
        picture, scale = self.around(corners)
        small = scaled(scale)
        above = [project(small, quad) for quad in on_top]
        reading = read_covered(picture, deck, project(small, corners), above)
        return None if reading is None else _enlarged(reading, scale)

    def read(self, deck: Deck, outline: NDArray[np.float64]) -> CardReading:
        """Read the card of an outline (`vision.match.read_outline`), all corners in pixels of the photograph."""
        picture, scale = self.around(outline)
        return _enlarged(read_outline(picture, deck, project(scaled(scale), outline)), scale)


def _enlarged(reading: CardReading, scale: float) -> CardReading:
    return reading.moved(0.5 / scale - 0.5, 0.5 / scale - 0.5, 1 / scale)


def read_photo(picture: NDArray[np.uint8], deck: Deck) -> tuple[CardReading, ...]:
    """Find and read the cards in a photograph, BGR uint8 (height, width, 3), from any side.

    Enrolled cards are `known` or `unsure`, also several copies and partly covered ones; other cards
    whose outline shows are `unknown`. Readings come from the top of the picture to its bottom.
    """
    photo = _Shrunk(picture)
    outlines = _Outlines(photo, deck)
    first = outlines.read([])
    known = [reading for reading in first if reading.state == "known"]
    strangers = [reading.corners for reading in first if reading.state == "unknown"]
    seen = [reading.corners for reading in known]
    search = FeatureSearch(photo.grey, deck, seen, seen or _alike(strangers))
    doubtful, open_ = _by_features(photo, deck, search, known, strangers)
    unknown: list[CardReading] = []
    for reading in outlines.read(known):
        if reading.state != "known":
            (doubtful if reading.state == "unsure" else unknown).append(reading)
        elif not _is_there(known, reading):
            known.append(reading)
    doubtful += _covered(photo, deck, open_, known)
    doubtful += outlines.read_covered(known)
    doubtful.sort(key=lambda reading: -reading.confidence)
    doubtful += _backed(open_, strangers, known)
    found = _together(known, doubtful, unknown)
    for reading in outlines.read_faint(found):
        # What was taken for a stranger may be the frame that is printed on this card.
        found = [r for r in found if r.state != "unknown" or not inside(reading.corners, r.centre)]
        if not _is_there(found, reading):
            found.append(reading)
    return tuple(sorted(found, key=lambda r: (r.centre[1], r.centre[0])))


def _alike(outlines: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Return outlines if there are several, all about as large: then they are those of cards."""
    sizes = [area(quad) for quad in outlines]
    return outlines if len(sizes) >= _SEVERAL and max(sizes) < _ALIKE_TIMES * min(sizes) else []


def _together(known: list[CardReading], doubtful: list[CardReading], unknown: list[CardReading]) -> list[CardReading]:
    """Return the known cards and those of the others, the more likely first, that they leave room for."""
    kept = list(known)
    for reading in doubtful:
        # A guess in the middle of a card is part of that card's print.
        on = kept + [other for other in unknown if _outdoes(other.corners, reading)]
        if not _is_there(kept, reading) and not any(inside(other.corners, reading.centre) for other in on):
            kept.append(reading)
    for reading in unknown:
        # An outline round a card that was read is not a card's, and one inside it is printed.
        nested = any(inside(other.corners, reading.centre) or inside(reading.corners, other.centre) for other in kept)
        if not nested and not _is_there(kept, reading):
            kept.append(reading)
    return kept


def _outdoes(outline: NDArray[np.float64], reading: CardReading) -> bool:
    """Say whether a stranger's outline is better evidence than a doubtful reading in the middle of it."""
    if area(outline) < _AS_LARGE * area(reading.corners):
        return False
    return reading.confidence < _LIKELY or overlap(outline, reading.corners) < _ALIKE


def _by_features(
    photo: _Shrunk,
    deck: Deck,
    search: FeatureSearch,
    known: list[CardReading],
    strangers: list[NDArray[np.float64]],
) -> tuple[list[CardReading], list[Proposal]]:
    """Add to `known` what features lead to; return the doubtful cards and the proposals that led to none.

    `strangers` are outlines in which none of the deck's faces was recognised.
    """
    doubtful: list[CardReading] = []
    open_: list[Proposal] = []
    tried: list[tuple[NDArray[np.float64], float]] = []

    def is_explained(centre: tuple[float, float], side: float) -> bool:
        at = np.array(centre)
        if any(np.hypot(*(r.centre - at)) < _NEAR * side for r in known):
            return True
        # The whole deck is compared at each place, so a place is not tried with face after face.
        near = [np.hypot(*(c - at)) < _TRIED * s and abs(np.log(s / side)) < _TRIED for c, s in tried]
        return bool(sum(near) >= _TRIES)

    rejected = 0
    for proposal in search.proposals(is_explained):
        if any(_lies_across(proposal.corners, quad) for quad in strangers):
            continue
        if is_explained(crossing(proposal.corners), area(proposal.corners) ** 0.5):
            open_.append(proposal)
            continue
        reading = photo.confirm(deck, proposal)
        if reading is not None and reading.state == "known":
            if not _is_there(known, reading):
                known.append(reading)
                search.explain(reading.corners)
                rejected = 0
            continue
        open_.append(proposal)
        quad = proposal.corners if reading is None else reading.corners
        tried.append((quad.mean(axis=0), area(quad) ** 0.5))
        if reading is not None and reading.state == "unsure":
            doubtful.append(reading)
        rejected += 1
        if rejected >= _MOST_REJECTED:
            break
    return doubtful, open_


def _lies_across(quad: NDArray[np.float64], outline: NDArray[np.float64]) -> bool:
    """Say whether a card as large as one with a clear outline would lie in the middle of it, but askew."""
    middle = quad.mean(axis=0)
    alike = _AS_LARGE < area(quad) / area(outline) < 1 / _AS_LARGE
    return alike and inside(outline, (float(middle[0]), float(middle[1]))) and overlap(quad, outline) < _ASKEW


class _Outlines:
    """The outlines of a photograph, and what was read in them."""

    def __init__(self, photo: _Shrunk, deck: Deck) -> None:
        self._photo = photo
        self._deck = deck
        self._small, scale = reduced(photo.grey, _EDGE_SIDE)
        self._field = EdgeField.of(self._small, scale)
        self._all = find_card_outlines(photo.grey, self._field)
        faces = deck.faces.sizes[deck.rows]
        self._shapes = np.abs(np.log(faces[:, 0] / faces[:, 1]))
        self._readings: dict[int, CardReading] = {}
        self._lines = np.zeros((0, 2, 2))

    def read(self, known: list[CardReading]) -> list[CardReading]:
        """Return what lies in the outlines that the known cards do not explain."""
        quads = [reading.corners for reading in known]
        free = [o for o in self._all if not any(_explains(quad, o) for quad in quads)]
        return self._read(card_outlines(free, quads, self._field.noise))

    def read_covered(self, known: list[CardReading]) -> list[CardReading]:
        """Return cards under the known ones that a corner in sight leads to, and look for lines for it."""
        small = [(reading.corners + 0.5) * self._field.scale - 0.5 for reading in known]
        if self._field.noise > SMOOTH or self._field.share_of_edges(small) < _LEAST_LEFT:
            return []
        self._lines = find_lines(self._small, small)
        corners, found = find_corners(self._lines, float(self._small.size)), []
        on_top = [reading.corners for reading in known]
        most = min(_MOST_CORNERS, max(1, _MOST_IN_ALL // max(1, len(known))))
        for reading, own in zip(known, small, strict=True):
            for quad in covered_quads(corners, own, self._deck.aspect(str(reading.label)), small)[:most]:
                seen = self._photo.read_covered(self._deck, (quad + 0.5) / self._field.scale - 0.5, on_top)
                if seen is not None and seen.state != "unknown":
                    found.append(seen)
        return found

    def read_faint(self, taken: list[CardReading]) -> list[CardReading]:
        """Return what lies in outlines that hardly stand out, where no card is taken to lie."""
        if not len(self._lines):
            return []
        sure = [reading.corners for reading in taken if reading.state != "unknown"]
        doubtful = [reading.corners for reading in taken if reading.state == "unknown"]
        found = find_faint_outlines(self._photo.grey, self._small, self._field, self._lines, sure, doubtful)
        return self._read([[outline] for outline in found])

    def _read(self, places: list[list[Outline]]) -> list[CardReading]:
        found = []
        for place in places:
            named = [reading for reading in self._looks(place) if reading.state != "unknown"]
            if named:
                found.append(max(named, key=lambda reading: (reading.state == "known", reading.confidence)))
            elif place[0].is_card_shaped:
                found.append(unnamed(place[0].corners))
        return found

    def _looks(self, place: list[Outline]) -> Iterator[CardReading]:
        for outline in place[:_LOOKS]:
            if float(np.abs(self._shapes - outline.shape).min()) > _TILTED_SHAPE:
                continue
            if id(outline) not in self._readings:
                self._readings[id(outline)] = self._photo.read(self._deck, outline.corners)
            reading = self._readings[id(outline)]
            yield reading
            if reading.state == "known":
                return


def _covered(photo: _Shrunk, deck: Deck, proposals: list[Proposal], known: list[CardReading]) -> list[CardReading]:
    """Look again at proposals that known cards lie on, now that what they hide can be left out."""
    found: list[CardReading] = []
    looks = 0
    for proposal in sorted(proposals, key=lambda p: -p.inliers):
        on_top = [reading.corners for reading in known if overlap(reading.corners, proposal.corners) > _TOUCHES]
        if not on_top or max(overlap(quad, proposal.corners) for quad in on_top) > _SAME_PLACE:
            continue
        looks += 1
        if looks > _MOST_COVERED:
            break
        reading = photo.confirm(deck, proposal, on_top)
        if reading is not None and reading.state != "unknown":
            found.append(reading)
    return found


def _backed(
    proposals: list[Proposal], strangers: list[NDArray[np.float64]], known: list[CardReading]
) -> list[CardReading]:
    """Return cards of which so little shows that only their features speak for them: never more than unsure.

    A card of the deck in full view was read, and a stranger's outline is that of a stranger, even if its
    frame is printed like those of the deck. Where another face has far more backing near by, or nearly as much
    at the same place, it is shapes that several faces share which back this one.
    """
    found: list[CardReading] = []
    usual = float(np.median([area(reading.corners) for reading in known] or [0.0]))
    for proposal in sorted(proposals, key=lambda p: -p.backing):
        if proposal.backing < _BACKED or proposal.share < _BACKED_SHARE:
            continue
        size = area(proposal.plain)
        if usual and not usual / _BACKED_TIMES < size < usual * _BACKED_TIMES:
            continue
        if any(overlap(proposal.plain, quad) > _SAME_PLACE for quad in strangers):
            continue
        if any(_rivals(p, proposal) for p in proposals):
            continue
        angle = angle_of(proposal.plain)
        place = angle, quadrant_of(angle), proposal.plain
        candidates = ((proposal.label, round(proposal.share, 3)),)
        reading = CardReading(proposal.label, "unsure", _BY_FEATURES_ALONE, *place, candidates)
        if not _is_there(found, reading):
            found.append(reading)
    return found


def _rivals(other: Proposal, proposal: Proposal) -> bool:
    common = overlap(other.plain, proposal.plain)
    if common > 0 and other.backing > _FAR_MORE * proposal.backing:
        return True
    as_good = other.label != proposal.label and other.backing * _NEARLY > proposal.backing
    return as_good and common > _SAME_PLACE


def _is_there(readings: list[CardReading], reading: CardReading) -> bool:
    side = area(reading.corners) ** 0.5
    for other in readings:
        if overlap(other.corners, reading.corners) > _SAME_PLACE:
            return True
        away = np.hypot(other.centre[0] - reading.centre[0], other.centre[1] - reading.centre[1])
        if away < _NEAR * side:
            return True
    return False


def _explains(read: NDArray[np.float64], outline: Outline) -> bool:
    """Say whether an outline is that of a card already read, or one printed on it."""
    if outline.size < area(read) and inside(read, outline.middle):
        return True
    return overlap(read, outline.corners) > _SAME_PLACE
