"""The arrow of a region card, from the camera's picture to the state: it is the card's own turn.

Where the arrow points in the picture is measured beside the reader, by what pictures of cards without it lack.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.bootstrap import new_header, seat_session
from companion.games import load_game
from companion.print.mat import draw_mat
from companion.sets.faces import proxies, proxy_face
from companion.simulated.lying import Laid
from companion.simulated.optics import Camera
from companion.simulated.rig import Rig
from companion.table.mat import game_mat
from companion.table.observation import Scene
from companion.table.session import Provenance, Session
from tests.table.evenings import Memory
from vision.deck import Deck
from vision.enrol.cut import cut_cards
from vision.frame import Frame
from vision.table_reader import TableReader

Face = NDArray[np.uint8]
GAME, CARDS, RIG = load_game("allies"), proxies("allies"), Rig()
MAT = game_mat(GAME)
KEYS = tuple(CARDS.of_kind("region"))
DEALT = KEYS[:5]
FACES: Mapping[str, Face] = {key: proxy_face(key, 330) for key in KEYS}
YELLOW = (96, 226, 255)
"""BGR of the arrow that is printed on our region cards."""
POINTS_AT = {0: -1, 1: 0, 2: 1, 3: 0}
"""By the edge of the mat that the arrow shows, clockwise from the top: seat B sits there, seat A at the bottom."""


class Evening:
    """A camera above real mats and cards, and a session that hears what a reader with some deck makes of it."""

    def __init__(self, deck: Deck, seed: int, document: Mapping[str, Any], **options: str) -> None:
        flat = draw_mat(MAT, 2 * RIG.canvas_pixels_per_mm)
        self.camera = Camera(MAT, flat, FACES, seed, RIG)
        self._without = Camera(MAT, flat, {key: blacked(face) for key, face in FACES.items()}, seed, RIG)
        self.reader = TableReader(MAT, deck)
        header = new_header(GAME, ("Ada", "Bo"), CARDS, options=options, stated={"starter": "A"})
        self.session: Session = seat_session(header, Memory(), (), CARDS)
        assert self.session.declare(document, "for a test", Provenance("touch", "test")) == ""
        self.at, self.number = 0.0, 0
        self.picture: Face = np.zeros((1, 1, 3), np.uint8)

    def lie(self, seconds: float = 3.0, **laid: Laid) -> Scene:
        """Let cards lie for some seconds, all other slots being empty."""
        slots = {slot.key: laid.get(slot.key) for slot in MAT.slots}
        for _ in range(round(seconds * RIG.frames_per_second)):
            self.at += 1 / RIG.frames_per_second
            self.number += 1
            self.picture = np.asarray(self.camera.picture(slots, self.at), np.uint8)
            scene = self.reader.read(Frame(self.picture, "simulated", self.at, self.number))
            self.session.observe(scene)
        return scene

    def edges_shown(self, **laid: Laid) -> list[int]:
        """Return the mat's edge to which each arrow points, clockwise from the top: it is what blacked ones lack."""
        slots = {slot.key: laid.get(slot.key) for slot in MAT.slots}
        without = self._without.picture(slots, self.at)
        differs = (cv2.absdiff(self.picture, np.asarray(without, np.uint8)).max(axis=2) > 60).astype(np.uint8)
        shown = []
        for slot in laid:
            x, y = MAT.slot(slot).rect.centre
            corners = [(x - 32, y - 32), (x + 32, y - 32), (x + 32, y + 32), (x - 32, y + 32)]
            pixels = self.camera.lens.to_pixels(np.array(corners)).astype(np.float32)
            target = np.array([(0, 0), (128, 0), (128, 128), (0, 128)], np.float32)
            found = np.argwhere(cv2.warpPerspective(differs, cv2.getPerspectiveTransform(pixels, target), (128, 128)))
            assert len(found) > 200
            down, right = found.mean(axis=0) - 64
            edges = {0: -down, 1: right, 2: down, 3: -right}
            shown.append(max(edges, key=edges.__getitem__))
        return shown


def blacked(face: Face) -> Face:
    """Return a face whose arrow, the largest thing of its very colour, is black."""
    same = (np.abs(face.astype(int) - YELLOW).max(axis=2) < 8).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(same)
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    assert stats[largest, cv2.CC_STAT_AREA] > 0.01 * same.size
    return np.where((labels == largest)[..., None], 0, face).astype(np.uint8)


def second_round() -> dict[str, Any]:
    """Round two, with all regions won: five new ones are to be dealt."""
    return {"round": 2, "due": "deal", "region_deck": 10, "starter": "A"}


def lying(turns: Mapping[str, int], skew: float = 0.0) -> dict[str, Laid]:
    return {f"R{n}": Laid(key, turns[f"R{n}"], 1.0, -0.5, skew) for n, key in enumerate(DEALT, 1)}


def enrolled(quarters: int = 0) -> Deck:
    """A deck as an owner enrols it: each card photographed alone, turned by some quarters clockwise by mistake."""
    faces = {}
    for key, face in FACES.items():
        photograph = np.full((640, 720, 3), (70, 64, 58), np.uint8)
        photograph[150:480, 190:520] = np.rot90(face, -quarters)
        (cut,) = cut_cards(np.asarray(cv2.GaussianBlur(photograph, (0, 0), 0.7), np.uint8))
        faces[key] = cut.face
    return Deck.from_faces(faces)


@pytest.mark.parametrize(("whose", "seed"), [("ours", 3), ("an owner's", 4)])
def test_where_the_arrow_points_in_the_picture_is_where_the_state_says(whose: str, seed: int) -> None:
    deck = Deck.from_faces(FACES) if whose == "ours" else enrolled()
    evening = Evening(deck, seed, second_round(), refilled_region_lies="as_laid")
    turns = {"R1": 0, "R2": 1, "R3": 2, "R4": 3, "R5": 2}
    cards = lying(turns, skew=4.0)
    evening.lie(**cards)
    regions = evening.session.position.state.regions
    assert [region.key for region in regions] == list(DEALT), evening.session.alarm
    shown = evening.edges_shown(**cards)
    assert shown == list(turns.values())
    assert [region.arrow for region in regions] == [POINTS_AT[edge] for edge in shown]


def test_cards_that_were_enrolled_with_their_arrow_to_the_side_are_refused_at_the_first_deal() -> None:
    evening = Evening(enrolled(quarters=1), 5, second_round())
    evening.lie(10.0, **lying(dict.fromkeys(("R1", "R2", "R3", "R4", "R5"), 1)))
    assert evening.session.position.state.regions == (None,) * 5
    assert "a newly dealt region card lies sideways and points at nobody" in evening.session.alarm
    assert "AL-35" in evening.session.alarm
