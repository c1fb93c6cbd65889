"""Enrolling the faces of an owner's dice: one photograph of each face, or a picture of the face alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.dice.face import rectified
from vision.dice.faces import SIDE, DieFaces, FacesError
from vision.dice.read import DiceReader
from vision.picture import SUFFIXES, PictureError, read_picture, save_picture

Picture = NDArray[np.uint8]

_MAY_BE_DIE, _IS_DIE = 0.08, 0.65
"""Whoever enrols shows a die: the likeliest thing on the photograph is taken for it, two likely ones are refused."""


@dataclass(frozen=True)
class Enrolled:
    """What came of an enrolment: the labels, and what a person should know about them."""

    labels: tuple[str, ...]
    warnings: tuple[str, ...]


def enrol_faces(photos: Path, target: Path, whole: bool = False, force: bool = False) -> Enrolled:
    """Cut the upper face of the one die out of each photograph and keep it in the folder `target`.

    A photograph is called like the face's label: `red-3.jpg`, `purple-2.jpg`, `cat.jpg`. Nothing is
    written unless every photograph can be used.

    :param whole: each picture shows nothing but the face, from edge to edge.
    :param force: replace faces that `target` has already.

    :raises FacesError: with one sentence about the first photograph that cannot be used.
    """
    faces = cut_faces(_files(photos), whole)
    kept = {file.stem: file for file in target.iterdir() if file.suffix.lower() in SUFFIXES} if target.is_dir() else {}
    again = next((label for label in faces if label in kept), None)
    if again is not None and not force:
        raise FacesError(f"{target} has a face called {again} already; add --force to replace it")
    others = {label: _read(file) for label, file in kept.items() if label not in faces}
    learned = DieFaces({**others, **faces})
    try:
        target.mkdir(parents=True, exist_ok=True)
        for label, face in faces.items():
            if label in kept and kept[label].suffix.lower() != ".png":
                kept[label].unlink()
            save_picture(target / f"{label}.png", face)
    except (OSError, PictureError) as error:
        raise FacesError(f"{target} cannot be written ({error}); choose another folder") from None
    return Enrolled(tuple(faces), tuple(pair.says for pair in learned.alike()))


def cut_faces(files: Mapping[str, Path], whole: bool = False) -> dict[str, Picture]:
    """Return the upright upper face on each photograph, (SIDE, SIDE, 3), by label.

    :raises FacesError: if a photograph does not show exactly one die.
    """
    reader = None if whole else DiceReader()
    return {label: _read(file) if reader is None else _cut(file, reader) for label, file in files.items()}


def _cut(file: Path, reader: DiceReader) -> Picture:
    picture = _read(file)
    faces = reader.faces(picture, least=_MAY_BE_DIE)
    if not faces:
        raise FacesError(
            f"{file}: no die was found; lay it alone on a plain ground and go nearer, or add --whole if the picture "
            f"shows nothing but the face"
        )
    count = sum(face.is_die > _IS_DIE for face in faces)
    if count > 1:
        raise FacesError(f"{file}: {count} dice were found; photograph the die alone, the face on top")
    return rectified(picture, max(faces, key=lambda face: face.is_die).top, SIDE)


def _files(folder: Path) -> dict[str, Path]:
    files = sorted(f for f in folder.iterdir() if f.suffix.lower() in SUFFIXES) if folder.is_dir() else []
    if not files:
        raise FacesError(f"{folder} holds no photograph; name a folder with one JPEG or PNG for each face")
    by_label: dict[str, Path] = {}
    for file in files:
        if file.stem in by_label:
            raise FacesError(f"{folder} holds two photographs called {file.stem}; keep one of them")
        by_label[file.stem] = file
    return by_label


def _read(file: Path) -> Picture:
    try:
        return read_picture(file)
    except PictureError as error:
        raise FacesError(str(error)) from None
