"""The enrolled faces: features in one packed index, small pictures for the comparison, twins.

Every face is kept in two forms. Features (ORB: Rublee et al., ICCV 2011) lie in the face's own
pixels, upright, about `FEATURE_SIDE` pixels a side. The compare pictures are stretched to a square,
so that faces of any shape are compared by the same arithmetic, and locally normalised (mean and
contrast of a window taken out), so that light and shadow do not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.features import Features, Index, orb_features
from vision.lookalikes import LookAlike, Symmetry, compare_faces
from vision.picture import PictureError, pictures_in, read_picture
from vision.texture import (
    COARSE,
    COLOURS,
    FINE,
    LIGHTS,
    TEXTURE_STEPS,
    THUMB,
    colour_sheet,
    light_sheet,
    texture,
    thumbnail,
)

FEATURE_SIDE = 200
"""Square root of a face's area in pixels when features are taken from it."""

FEATURES = 300
MAX_FACES = 2000
_MIN_FACE_SIDE = 48


class DeckError(ValueError):
    """A deck that cannot be enrolled; the message is one sentence for the person."""


@dataclass(frozen=True, eq=False)
class Faces:
    """The arrays behind a deck, shared by all its subsets.

    `sizes` (n, 2): width and height in feature pixels; `fine` (n, FINE, FINE) int8 and `thumbs`
    (n, THUMB * THUMB) float32 of unit length: compare pictures; `colours`
    (n, COLOURS, COLOURS, 2) uint8: chroma; `lights` (n, LIGHTS, LIGHTS) uint8: printed brightness.
    """

    sizes: NDArray[np.int32]
    fine: NDArray[np.int8]
    thumbs: NDArray[np.float32]
    colours: NDArray[np.uint8]
    lights: NDArray[np.uint8]
    index: Index

    @property
    def nbytes(self) -> int:
        """Memory of all arrays in bytes."""
        i, f = self.index, self.index.features
        arrays = (
            self.sizes,
            self.fine,
            self.thumbs,
            self.colours,
            self.lights,
            f.points,
            f.angles,
            f.sizes,
            f.descriptors,
        )
        return sum(a.nbytes for a in (*arrays, i.owner, i.words, i.starts, i.entries))


class Deck:
    """An enrolled deck: labels, their faces, and what was found out about them at enrolment.

    `twins` are pairs that nothing distinguishes, `symmetric` faces that look the same upside down or
    sideways, `lookalikes` pairs that differ in a small place only. `aspect` of a face is its width
    over its height.
    """

    def __init__(
        self,
        labels: tuple[str, ...],
        rows: NDArray[np.intp],
        faces: Faces,
        lookalikes: tuple[LookAlike, ...],
        symmetric: tuple[Symmetry, ...],
    ) -> None:
        self.labels = labels
        self.rows = rows
        self.faces = faces
        self.lookalikes = lookalikes
        self.symmetric = symmetric
        self._row_of = dict(zip(labels, rows.tolist(), strict=True))

    @classmethod
    def from_folder(cls, path: Path | str) -> Deck:
        """Enrol the pictures `<label>.jpg` or `.png` of a folder; the label is the file's name as it is.

        :raises DeckError: if the folder is missing or holds no picture, a file is broken or no
            picture, two files have the same label, or two labels the same face.
        """
        folder = Path(path)
        if not folder.is_dir():
            raise DeckError(f"there is no folder {folder}; name a folder with one picture per card")
        try:
            files = pictures_in(folder)
        except PictureError as error:
            raise DeckError(str(error)) from None
        if not files:
            raise DeckError(f"the folder {folder} holds no picture; expected one <label>.jpg or .png per card")
        faces: dict[str, NDArray[np.uint8]] = {}
        for file in files:
            if file.stem in faces:
                raise DeckError(f"the folder {folder} holds two pictures called {file.stem}; keep one of them")
            try:
                faces[file.stem] = _shrunk(read_picture(file))
            except PictureError as error:
                raise DeckError(str(error)) from None
        return cls.from_faces(faces)

    @classmethod
    def from_faces(cls, faces: Mapping[str, NDArray[np.uint8]]) -> Deck:
        """Enrol upright faces, each BGR uint8 of shape (height, width, 3), filling its picture.

        :raises DeckError: if there is no face, one is not such a picture, or two are equal.
        """
        if not faces:
            raise DeckError("a deck needs at least one face; none was given")
        if len(faces) > MAX_FACES:
            raise DeckError(f"a deck holds at most {MAX_FACES} faces; {len(faces)} were given, so split it")
        labels = tuple(faces)
        features: list[Features] = []
        sizes = np.zeros((len(labels), 2), np.int32)
        fine = np.zeros((len(labels), FINE, FINE), np.int8)
        thumbs = np.zeros((len(labels), THUMB * THUMB), np.float32)
        colours = np.zeros((len(labels), COLOURS, COLOURS, 2), np.uint8)
        lights = np.zeros((len(labels), LIGHTS, LIGHTS), np.uint8)
        for row, (label, face) in enumerate(faces.items()):
            _check_face(label, face)
            sizes[row] = feature_size(face.shape[1], face.shape[0])
            grey = np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
            small = cv2.resize(grey, sizes[row].tolist(), interpolation=cv2.INTER_AREA)
            features.append(orb_features(np.asarray(small, dtype=np.uint8), FEATURES))
            print_ = texture(_square(grey, FINE))
            fine[row] = np.clip(np.round(print_ * TEXTURE_STEPS), -127, 127)
            thumbs[row] = thumbnail(texture(_square(grey, COARSE)))
            colours[row] = colour_sheet(face)
            lights[row] = light_sheet(grey)
        lookalikes, symmetric = compare_faces(labels, sizes, fine, thumbs, colours)
        for pair in lookalikes:
            if pair.equal:
                raise DeckError(
                    f"the faces {pair.first} and {pair.second} are the same picture; keep one of them, "
                    "or one label for both"
                )
        held = Faces(sizes, fine, thumbs, colours, lights, Index.of(features))
        return cls(labels, np.arange(len(labels)), held, lookalikes, symmetric)

    def __len__(self) -> int:
        return len(self.labels)

    def __contains__(self, label: object) -> bool:
        return label in self._row_of

    @property
    def twins(self) -> tuple[LookAlike, ...]:
        """Pairs of faces that nothing distinguishes: read, they are always `unsure`."""
        return tuple(pair for pair in self.lookalikes if pair.twins)

    @property
    def nbytes(self) -> int:
        """Memory of the enrolled faces in bytes (shared with every subset)."""
        return self.faces.nbytes

    def aspect(self, label: str) -> float:
        """Return width over height of a face.

        :raises KeyError: if the deck has no such face.
        """
        width, height = self.faces.sizes[self._row_of[label]]
        return float(width) / float(height)

    def row(self, label: str) -> int:
        """Return the row of a face in the arrays.

        :raises KeyError: if the deck has no such face.
        """
        return int(self._row_of[label])

    def subset(self, labels: Collection[str]) -> Deck:
        """Return a deck of these faces that shares all arrays with this one.

        :raises DeckError: if a label is not in the deck or none is given.
        """
        wanted = set(labels)
        missing = sorted(wanted - self._row_of.keys())
        if missing:
            raise DeckError(f"the deck has no face called {missing[0]}; it has {len(self)} others")
        if not wanted:
            raise DeckError("a deck needs at least one face; none was asked for")
        kept = tuple(label for label in self.labels if label in wanted)
        return Deck(
            kept,
            np.array([self._row_of[label] for label in kept], dtype=np.intp),
            self.faces,
            tuple(p for p in self.lookalikes if p.first in wanted and p.second in wanted),
            tuple(s for s in self.symmetric if s.label in wanted),
        )


def feature_size(width: float, height: float) -> tuple[int, int]:
    """Return width and height in pixels, of the same shape, with an area of FEATURE_SIDE squared."""
    root = (width / height) ** 0.5
    return max(1, round(FEATURE_SIDE * root)), max(1, round(FEATURE_SIDE / root))


def _square(grey: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(grey, (side, side), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _shrunk(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    # Six hundred photographs at full size would not fit into the memory of a Pi.
    scale = 2 * FEATURE_SIDE / max(1.0, (face.shape[0] * face.shape[1]) ** 0.5)
    if scale >= 1:
        return face
    return np.asarray(cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _check_face(label: str, face: NDArray[np.uint8]) -> None:
    if not label:
        raise DeckError("a face has no label; name each picture after its card")
    if face.dtype != np.uint8 or face.ndim != 3 or face.shape[2] != 3:
        raise DeckError(f"the face {label} must be a BGR picture with 8 bits a colour, not {face.dtype} {face.shape}")
    height, width = face.shape[:2]
    if min(height, width) < _MIN_FACE_SIDE:
        raise DeckError(f"the face {label} is {width} x {height} pixels; at least {_MIN_FACE_SIDE} a side are needed")
    if not 0.3 <= width / height <= 3.4:
        raise DeckError(f"the face {label} is {width} x {height} pixels; cut it to the card's own outline")
    if float(cv2.meanStdDev(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY))[1][0, 0]) < 2.0:
        raise DeckError(f"the face {label} is one blank surface; expected a picture of the printed side")
