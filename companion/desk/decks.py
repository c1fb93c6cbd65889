"""The faces that the camera knows: enrolled from an owner's pictures or from the project's drawings."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sets import faces as drawings
from companion.sets.owner import CardSet, proxy_games
from vision.deck import Deck, DeckError
from vision.enrol.pack import FILE as PACK_FILE
from vision.enrol.pack import deck_of, read_pack
from vision.picture import PictureError, read_picture

ENROLLED_PIXELS = 400
"""Side of a face when it is enrolled, twice what the reader compares at."""

BACK = "back"

Face = NDArray[np.uint8]


class NoLongerWanted(Exception):  # noqa: N818  it is no error
    """The faces were not needed any more before all of them were looked at."""


class Decks:
    """Enrols sets once and remembers them; safe to use from several threads.

    Drawings are kept as pictures in `cache`: drawing all of them takes many times as long as reading.
    """

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._lock = threading.Lock()
        self._known: dict[str, Deck] = {}

    def learn(self, cards: CardSet, wanted: Callable[[], bool] = lambda: True) -> Deck:
        """Return the enrolled faces of a set; may take seconds the first time.

        :raises DeckError: if the set has no pictures, or one cannot be used.
        :raises NoLongerWanted: as soon as `wanted` says so.
        """
        key = f"{cards.digest}-{seen_by_camera(cards)}-{len(backs_of(cards))}"
        with self._lock:
            if key not in self._known:
                self._known[key] = self._enrol(cards, wanted)
            return self._known[key]

    def _enrol(self, cards: CardSet, wanted: Callable[[], bool]) -> Deck:
        if not has_pictures(cards) and (pack := pack_of(cards)) is not None:
            return deck_of(read_pack(pack))
        faces: Mapping[str, Face] = _Photographs(cards) if has_pictures(cards) else self._drawings(cards)
        return Deck.from_faces(_WhileWanted(faces, wanted))

    def _drawings(self, cards: CardSet) -> Mapping[str, Face]:
        if not is_drawn(cards):
            raise DeckError(
                f"the set {cards.name} has no pictures, so the camera cannot know its cards; "
                "photograph them with `companion enrol`, or play without the camera"
            )
        return _Drawings(cards, self._cache / f"drawings-{_edition_of_drawings(cards)}")


def back_key(number: int) -> str:
    """Return what the picture of a card's back is called; every box has one or a few."""
    return f"{BACK}-{number}"


def is_back(key: str) -> bool:
    """Tell whether this is what the picture of a card's back is called."""
    return key == BACK or key.startswith(f"{BACK}-")


def backs_of(cards: CardSet) -> dict[str, Path]:
    """Return the pictures of cards' backs beside those of a set's cards, by what they are called."""
    files = sorted(cards.folder.glob(f"{BACK}*.jpg")) if cards.folder is not None else []
    return {file.stem: file for file in files if is_back(file.stem) and file.stem not in cards.cards}


def has_pictures(cards: CardSet) -> bool:
    """Tell whether the owner has photographed any card of the set."""
    return any(cards.pictures.values())


def pack_of(cards: CardSet) -> Path | None:
    """Return the deck pack with which the set was begun, None if there is none."""
    file = None if cards.folder is None else cards.folder / PACK_FILE
    return file if file is not None and file.is_file() else None


def unseen_by_camera(cards: CardSet) -> tuple[str, ...]:
    """Return the cards of a set with photographs of which there is none; they are learned in play."""
    return tuple(key for key, picture in cards.pictures.items() if picture is None) if has_pictures(cards) else ()


def is_drawn(cards: CardSet) -> bool:
    """Tell whether the set is the project's own, whose faces are drawn."""
    return cards.game in proxy_games() and cards.digest == drawings.proxies(cards.game).digest


def seen_by_camera(cards: CardSet) -> int:
    """Return how many cards of a set the camera knows."""
    if has_pictures(cards):
        return sum(picture is not None for picture in cards.pictures.values())
    if (pack := pack_of(cards)) is not None:
        try:
            return len(read_pack(pack).faces)
        except DeckError:
            return 0
    return len(cards.keys) if is_drawn(cards) else 0


class _WhileWanted(Mapping[str, Face]):
    """Faces that are handed out while they are wanted."""

    def __init__(self, faces: Mapping[str, Face], wanted: Callable[[], bool]) -> None:
        self._faces, self._wanted = faces, wanted

    def __getitem__(self, key: str) -> Face:
        if not self._wanted():
            raise NoLongerWanted
        return self._faces[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._faces)

    def __len__(self) -> int:
        return len(self._faces)


class _Photographs(Mapping[str, Face]):
    """The owner's pictures, read one at a time: all together they would fill the memory of a Pi."""

    def __init__(self, cards: CardSet) -> None:
        self._files = {key: file for key, file in cards.pictures.items() if file is not None} | backs_of(cards)

    def __getitem__(self, key: str) -> Face:
        try:
            picture = read_picture(self._files[key])
        except PictureError as error:
            raise DeckError(str(error)) from None
        scale = ENROLLED_PIXELS / max(picture.shape[:2])
        if scale >= 1:
            return picture
        return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


class _Drawings(Mapping[str, Face]):
    """The project's faces, drawn when they are first needed and kept as pictures if the disk takes them."""

    def __init__(self, cards: CardSet, folder: Path) -> None:
        self._cards, self._folder = cards, folder

    def __getitem__(self, key: str) -> Face:
        file = self._folder / f"{key}.png"
        kept = cv2.imread(str(file)) if file.is_file() else None
        if kept is not None and kept.shape == (ENROLLED_PIXELS, ENROLLED_PIXELS, 3):
            return np.asarray(kept, np.uint8)
        # Not through the drawing room's own cache: all faces together would stay in memory there.
        face = drawings.proxy_face.__wrapped__(key, ENROLLED_PIXELS, self._cards.game)
        self._keep(file, face)
        return face

    def _keep(self, file: Path, face: Face) -> None:
        _, encoded = cv2.imencode(".png", face, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        fresh = file.with_suffix(".new")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(encoded.tobytes())
            fresh.replace(file)
        except OSError:
            return  # it is drawn again next time

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards.keys)

    def __len__(self) -> int:
        return len(self._cards.keys)


def _edition_of_drawings(cards: CardSet) -> str:
    """Return a name that changes with the values of a set and with the code that draws it."""
    digest = hashlib.sha256(cards.digest.encode())
    for source in sorted(Path(drawings.__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
