"""Cards that lie beside their slots: said in words, and told of only once."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.table.mat import Mat, Rect
from companion.table.observation import Sighting
from vision.plane import Points
from vision.slot_memory import SlotReading

LARGEST_OFFSET = 0.33
"""A card further from its slot's centre than this share of its width lies in no slot for sure."""

COVERED_SHARE = 0.08


def settle_misplaced(mat: Mat, sightings: dict[str, Sighting], readings: Mapping[str, SlotReading]) -> list[str]:
    """Return a sentence for each card that lies in no slot.

    A slot that such a card only reaches into becomes hidden in `sightings`: what is seen there is the
    rim of the neighbour's card.
    """
    problems = []
    width = min(mat.card_size)
    beside = [key for key, reading in readings.items() if reading.is_named and sightings[key].offset > LARGEST_OFFSET]
    for key in sorted(beside, key=lambda k: sightings[k].offset):
        sighting, corners = sightings[key], readings[key].corners
        if corners is None or sighting.seen == "hidden":
            continue
        owner = nearest_slot(mat, corners)
        if owner != key and sightings[owner].piece == sighting.piece:
            sightings[key] = Sighting(key, "hidden")
            continue
        problems.append(
            f"the card at {key} lies {sighting.offset * width:.0f} mm beside its place; push it into one slot"
        )
        for other, there in sightings.items():
            if other == key or there.seen in ("known", "hidden") or there.piece not in (None, sighting.piece):
                continue
            if _overlap(corners, mat.slot(other).rect) > COVERED_SHARE:
                sightings[other] = Sighting(other, "hidden")
    return problems


def nearest_slot(mat: Mat, corners: Points) -> str:
    """Return the slot whose centre is nearest to the middle of a card (corners in mat millimetres)."""
    x, y = corners.mean(axis=0)
    return min(mat.slots, key=lambda slot: np.hypot(slot.rect.centre[0] - x, slot.rect.centre[1] - y)).key


def _overlap(corners: Points, rect: Rect) -> float:
    """Return the share of `rect` that the quadrilateral covers."""
    area, _ = cv2.intersectConvexConvex(cv2.convexHull(corners.astype(np.float32)), np.array(rect.corners, np.float32))
    return float(area) / (rect.width * rect.height)
