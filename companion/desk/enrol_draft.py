"""An enrolment that is not finished yet, on disk: every photograph's cards and every word a person gave.

The folder holds `draft.json` and one JPEG per card. It is read again after the app was closed in the
middle, and it becomes the owner's set in one step at the end.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.enrol.layout import Layout
from vision.picture import PictureError, read_picture

Picture = NDArray[np.uint8]
FILE = "draft.json"
QUALITY = 95


class DraftError(ValueError):
    """A draft that cannot be read or written; one sentence with the file and what to do."""


class DraftCard(msgspec.Struct):
    """A card: the file of its face; what was confirmed of it, by printed field."""

    file: str
    shown: dict[str, tuple[str, ...]] | None = None
    confirmed: dict[str, tuple[str, ...]] = {}
    """Values that were confirmed by themselves, before the card's page was."""
    dropped: bool = False


class Taught(msgspec.Struct, frozen=True):
    """A person's word for one glyph."""

    field: str
    card: int
    number: int
    value: str


class DraftKind(msgspec.Struct):
    """The cards of one kind, with the layout that holds for them once a person said so."""

    cards: list[DraftCard] = []
    taught: list[Taught] = []
    layout: Layout | None = None
    photographed: bool = False


class Draft(msgspec.Struct):
    """Everything that was photographed and said so far. `apart`: pairs of cards that look alike and are two."""

    game: str
    kinds: dict[str, DraftKind]
    apart: list[tuple[str, str]] = []


class DraftFolder:
    """The place of a draft on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self, game: str, kinds: tuple[str, ...]) -> Draft:
        """Return the draft that was begun, or an empty one.

        :raises DraftError: if the file is broken or of another game.
        """
        file = self.folder / FILE
        if not file.exists():
            return Draft(game, {kind: DraftKind() for kind in kinds})
        try:
            draft = msgspec.json.decode(file.read_bytes(), type=Draft)
        except (OSError, msgspec.MsgspecError) as error:
            raise DraftError(f"{file}: the enrolment begun there cannot be read ({error}); delete the folder") from None
        if draft.game != game or tuple(draft.kinds) != kinds:
            raise DraftError(f"{file}: found an enrolment of {draft.game}, expected one of {game}; delete the folder")
        return draft

    def save(self, draft: Draft) -> None:
        """Write the draft, on disk when this returns.

        :raises DraftError: if the disk does not take it.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / FILE, msgspec.json.encode(draft))
        except OSError as error:
            raise DraftError(f"{self.folder} cannot be written ({error}); nothing was taken in") from None

    def keep_face(self, name: str, face: Picture) -> None:
        """Write a card's face.

        :raises DraftError: if the disk does not take it.
        """
        file = self.folder / name
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            Image.fromarray(np.ascontiguousarray(face[:, :, ::-1])).save(file, quality=QUALITY)
        except OSError as error:
            raise DraftError(f"{file} cannot be written ({error}); nothing was taken in") from None

    def face(self, name: str) -> Picture:
        """Return a card's face.

        :raises DraftError: if its file is gone or broken.
        """
        try:
            return read_picture(self.folder / name)
        except PictureError as error:
            raise DraftError(f"{error}; photograph the cards again") from None

    def clear(self) -> None:
        """Remove the draft: it has become a set, or is to be begun again."""
        shutil.rmtree(self.folder, ignore_errors=True)


def write_whole(file: Path, content: bytes) -> None:
    """Write a file so that it is whole and on disk when this returns, or as it was before.

    :raises OSError: if the disk does not take it.
    """
    fresh = file.with_name(file.name + ".new")
    with fresh.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(file)
