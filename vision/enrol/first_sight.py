"""Cards nobody has enrolled, known from their own first picture: cut out of their slot and put into the deck."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck, Faces
from vision.enrol.cut import upright_face
from vision.features import Features, Index
from vision.lookalikes import compare_faces

Picture = NDArray[np.uint8]

_RING = 1 / 24
_FITS = 0.1
"""How much a card's sides may differ from the size it must have, as a share."""
_CLEARLY = 0.5
"""Share of the difference between print and paper from which a pixel counts as print."""
_PART = 0.003


def face_in_slot(crop: Picture, card: tuple[float, float], px_per_mm: float) -> Picture | None:
    """Return the face of the card that lies in the crop of a slot, turned to the nearest quarter turn.

    The crop shows the mat's paper all round; `card` is width and height of a card lying in the slot,
    in millimetres. None if nothing of a card's size stands out from the paper.
    """
    colours = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB).astype(np.float32)
    edge = max(3, round(_RING * min(crop.shape[:2])))
    ring = np.ones(crop.shape[:2], bool)
    ring[edge:-edge, edge:-edge] = False
    apart = np.linalg.norm(colours - np.median(colours[ring], axis=0), axis=2)
    split, _ = cv2.threshold(np.clip(apart, 0, 255).astype(np.uint8), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    printed = (apart > _CLEARLY * split).astype(np.uint8)
    # The slot's own thin frame is opened away; what is left is the card.
    printed = cv2.morphologyEx(printed, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(printed)
    if count < 2:
        return None
    # Rays as pale as the paper may part the print of one card.
    parts = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] > _PART * printed.size)
    points = np.argwhere(np.isin(labels, parts[parts > 0]))[:, ::-1].astype(np.float32)
    if len(points) < 3:
        return None
    centre, sides, degrees = cv2.minAreaRect(cv2.convexHull(points))
    lean = (degrees + 45.0) % 90.0 - 45.0
    wide, high = sides if abs(degrees - lean) % 180.0 < 45.0 else sides[::-1]
    size = np.array(card) * px_per_mm
    if max(abs(wide / size[0] - 1), abs(high / size[1] - 1)) > _FITS:
        return None
    return upright_face(crop, _rectangle(centre, size, lean))


def _rectangle(centre: Sequence[float], size: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    half = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * size
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(half @ np.array([(cosine, sine), (-sine, cosine)]) + np.array(centre), np.float64)


def grown(deck: Deck, label: str, face: Picture) -> Deck:
    """Return a deck that knows one face more; a subset grows to the whole of what it is a part of.

    :raises vision.deck.DeckError: if the face cannot be enrolled, or is one of the deck's already.
    """
    one = Deck.from_faces({label: face}).faces
    old = deck.faces
    faces = Faces(
        np.concatenate([old.sizes, one.sizes]),
        np.concatenate([old.fine, one.fine]),
        np.concatenate([old.thumbs, one.thumbs]),
        np.concatenate([old.colours, one.colours]),
        np.concatenate([old.lights, one.lights]),
        Index.of([*_by_face(old), *_by_face(one)]),
    )
    labels = (*deck.labels, label)
    rows = np.append(deck.rows, len(old.sizes))
    alike, symmetric = compare_faces(
        labels, faces.sizes[rows], faces.fine[rows], faces.thumbs[rows], faces.colours[rows]
    )
    return Deck(labels, rows, faces, alike, symmetric)


def _by_face(faces: Faces) -> list[Features]:
    index = faces.index
    return [index.features.only(index.owner == row) for row in range(len(faces.sizes))]
