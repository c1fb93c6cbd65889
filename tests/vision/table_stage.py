"""A small stage for the tests: a mat with cards on it, photographed from above by an imperfect camera."""

from __future__ import annotations

import cv2
import numpy as np

from companion.table.mat import MARKER_DICTIONARY, grid_mat
from vision.frame import Frame

MAT = grid_mat("allies", ("B", "R", "A"), 5)
PX = 5.0
TABLE_MM = 60.0


def face(seed: int, pixels: int = 252) -> np.ndarray:
    """Draw a card face that no other seed draws: shapes on a tinted ground, a frame, no symmetry."""
    random = np.random.default_rng(seed)
    card = np.full((pixels, pixels, 3), random.integers(120, 230, 3), np.uint8)
    for _ in range(26):
        colour = tuple(int(c) for c in random.integers(0, 255, 3))
        x, y = (int(v) for v in random.integers(20, pixels - 20, 2))
        reach = int(random.integers(8, 46))
        kind = int(random.integers(3))
        if kind == 0:
            cv2.circle(card, (x, y), reach // 2, colour, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.fillPoly(
                card, [np.array((x, y)) + random.integers(-reach, reach, (4, 2)).astype(np.int32)], colour, cv2.LINE_AA
            )
        else:
            letters = "".join(chr(c) for c in random.integers(65, 91, 3))
            cv2.putText(card, letters, (x - 20, y), cv2.FONT_HERSHEY_DUPLEX, reach / 28, colour, 2, cv2.LINE_AA)
    cv2.rectangle(card, (0, 0), (pixels - 1, pixels - 1), (40, 40, 40), 5)
    cv2.fillPoly(card, [np.array([(pixels // 2, 8), (pixels // 2 - 12, 26), (pixels // 2 + 12, 26)])], (20, 20, 20))
    return card


def bare_mat(mat=MAT, paper: int = 236) -> np.ndarray:
    """Draw the mat with its table around it, `PX` pixels per millimetre."""
    sheet = np.full((round(mat.height * PX), round(mat.width * PX), 3), paper, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    for marker in mat.markers:
        side = round(marker.rect.width * PX)
        x, y = round(marker.rect.x * PX), round(marker.rect.y * PX)
        sheet[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, marker.id, side)[..., None]
    for slot in mat.slots:
        (x0, y0), _, (x1, y1), _ = slot.rect.corners
        cv2.rectangle(sheet, (round(x0 * PX), round(y0 * PX)), (round(x1 * PX), round(y1 * PX)), (150, 150, 150), 3)
    (x0, y0), _, (x1, y1), _ = mat.patch.corners
    cv2.rectangle(sheet, (round(x0 * PX), round(y0 * PX)), (round(x1 * PX), round(y1 * PX)), (128, 128, 128), -1)
    border = round(TABLE_MM * PX)
    return cv2.copyMakeBorder(sheet, border, border, border, border, cv2.BORDER_CONSTANT, value=(62, 84, 112))


class Stage:
    """The mat and what lies on it; `frame()` photographs it."""

    def __init__(self, mat=MAT, seed: int = 1) -> None:
        self.mat = mat
        self._bare = bare_mat(mat)
        self.random = np.random.default_rng(seed)
        self._grain = self.random.standard_normal(3_000_000, np.float32)
        self._drawn = ""
        self.cards: dict[str, tuple[np.ndarray, float, tuple[float, float], float]] = {}
        self.things: list[tuple[tuple[float, float, float, float], tuple[int, int, int]]] = []
        self.hand: tuple[float, float] | None = None
        self.skin = (132, 158, 205)
        self.light = 1.0
        self.lamp = (0.3, 0.2, 0.25)
        self.shadow: tuple[float, float, float] | None = None
        self.shift = (0.0, 0.0)
        self.k1 = 0.0
        self.noise = 3.0
        self.size = (1280, 720)
        self.number = 0
        self.now = 100.0

    def put(
        self,
        slot: str,
        picture: np.ndarray,
        turn: float = 0.0,
        offset: tuple[float, float] = (0.0, 0.0),
        width: float | None = None,
    ) -> None:
        """Lay a card; `turn` in quarter turns clockwise, `offset` and `width` in millimetres."""
        x, y = self.mat.slot(slot).rect.centre
        self.cards[slot] = (picture, turn * 90.0, (x + offset[0], y + offset[1]), width or self.mat.card_size[0])

    def take(self, slot: str) -> None:
        del self.cards[slot]

    def cover(self, x: float, y: float, width: float, height: float, colour: tuple[int, int, int]) -> None:
        """Lay something flat over the mat: a rectangle in millimetres, of one colour."""
        self.things.append(((x, y, width, height), colour))

    def sheet(self) -> np.ndarray:
        """The table from above, 5 pixels per millimetre."""
        sheet = self._bare.copy()
        for picture, degrees, (x, y), width in self.cards.values():
            side = width * PX
            around = cv2.getRotationMatrix2D((0, 0), -degrees, side / picture.shape[0])
            middle = around[:, :2] @ np.array([picture.shape[1] / 2 - 0.5] * 2)
            around[:, 2] = np.array([(x + TABLE_MM) * PX, (y + TABLE_MM) * PX]) - 0.5 - middle
            size = (sheet.shape[1], sheet.shape[0])
            mask = cv2.warpAffine(np.full(picture.shape[:2], 255, np.uint8), around, size)
            card = cv2.warpAffine(picture, around, size, flags=cv2.INTER_AREA)
            sheet[mask > 127] = card[mask > 127]
        for (x, y, width, height), colour in self.things:
            first, last = (
                ((x + TABLE_MM) * PX, (y + TABLE_MM) * PX),
                ((x + width + TABLE_MM) * PX, (y + height + TABLE_MM) * PX),
            )
            cv2.rectangle(sheet, tuple(map(round, first)), tuple(map(round, last)), colour, -1)
        if self.hand is not None:
            x, y = ((self.hand[0] + TABLE_MM) * PX, (self.hand[1] + TABLE_MM) * PX)
            cv2.line(sheet, (int(x), int(y)), (int(x + 160), sheet.shape[0] + 100), self.skin, 300)
            cv2.circle(sheet, (int(x), int(y)), 190, self.skin, -1)
            for finger in (-0.9, -0.45, 0.0, 0.45):
                tip = (int(x + 330 * np.sin(finger)), int(y - 330 * np.cos(finger)))
                cv2.line(sheet, (int(x), int(y)), tip, self.skin, 75)
                cv2.line(sheet, (int(x + 20), int(y)), tip, tuple(c - 25 for c in self.skin), 8)
        return sheet

    def homography(self) -> np.ndarray:
        """Sheet pixels to picture pixels before the lens, a camera a little to the side."""
        height, width = self._bare.shape[:2]
        share_x, share_y = self.size[0] / 1280, self.size[1] / 720
        edge = round(TABLE_MM * PX)
        mat = np.array(
            [(edge, edge), (width - edge, edge), (width - edge, height - edge), (edge, height - edge)], np.float32
        )
        seen = np.array([(195, 28), (1100, 44), (1145, 690), (160, 682)], np.float32) + np.array(self.shift, np.float32)
        return cv2.getPerspectiveTransform(mat - 0.5, (seen * (share_x, share_y)).astype(np.float32))

    def to_picture(self, points) -> np.ndarray:
        """Mat millimetres to the exact pixels of the next frame."""
        sheet = (np.asarray(points, float).reshape(-1, 2) + TABLE_MM) * PX - 0.5
        flat = cv2.perspectiveTransform(sheet[None], self.homography())[0]
        return self._lens(flat)

    def _lens(self, points: np.ndarray) -> np.ndarray:
        centre, reach = np.array(self.size) / 2, np.hypot(*self.size) / 2
        away = (points - centre) / reach
        # The common polynomial model, not the one the reader uses, so that agreement means something.
        return centre + reach * away * (1 + self.k1 * np.sum(away**2, axis=1, keepdims=True))

    def frame(self, after: float = 0.1) -> Frame:
        """Photograph the table `after` seconds later."""
        self.now += after
        width, height = self.size
        x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
        light = self.light * (1.0 - self.lamp[2] * np.hypot(x - self.lamp[0], y - self.lamp[1]))
        if self.shadow is not None:
            a, b, c = self.shadow
            light = np.where(a * x + b * y > c, light * 0.6, light)
        lit = self._sharp_picture() * light[..., None].astype(np.float32)
        shift = int(self.random.integers(0, self._grain.size - lit.size))
        lit += self.noise * self._grain[shift : shift + lit.size].reshape(lit.shape)
        frame = Frame(np.clip(lit, 0, 255).astype(np.uint8), "stage", self.now, self.number)
        self.number += 1
        return frame

    def _sharp_picture(self) -> np.ndarray:
        """The picture before light and noise; drawn again only when the table has changed."""
        cards = [(id(picture), *where) for picture, *where in self.cards.values()]
        scene = repr((cards, self.things, self.hand, self.skin, self.shift, self.k1, self.size))
        if scene != self._drawn:
            picture = cv2.warpPerspective(self.sheet(), self.homography(), self.size, flags=cv2.INTER_AREA)
            if self.k1:
                picture = self._through_lens(picture)
            self._picture = cv2.GaussianBlur(picture, (3, 3), 0.7).astype(np.float32)
            self._drawn = scene
        return self._picture

    def _through_lens(self, picture: np.ndarray) -> np.ndarray:
        width, height = self.size
        grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(float)
        centre, reach = np.array(self.size) / 2, np.hypot(*self.size) / 2
        bent = (grid - centre) / reach
        flat = bent.copy()
        for _ in range(12):
            flat = bent / (1 + self.k1 * np.sum(flat**2, axis=1, keepdims=True))
        source = (centre + reach * flat).reshape(height, width, 2).astype(np.float32)
        return cv2.remap(picture, source, None, cv2.INTER_LINEAR)
