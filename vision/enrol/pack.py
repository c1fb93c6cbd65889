"""A deck pack: what another owner of the same game needs to have the cards known, and no picture of them.

For each card the pack holds where its ORB features lie and how they look (32 bytes each), for the set
the values; nothing else. Neither compare pictures nor colours are in it, so that no usable picture of a
published card can be made from it. Whoever uses a pack recognises cards by features alone; what
features cannot tell apart stays unsure.

The file: a line that names the format and its version, a line with the SHA-256 of the rest, the rest
as compressed MessagePack.
"""

from __future__ import annotations

import hashlib
import zlib
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np

from vision.deck import Deck, DeckError, Faces
from vision.features import Features, Index
from vision.picture import SUFFIXES
from vision.texture import FINE

ENDING = ".pack"
FILE = "features.pack"
"""The pack of a set that has no pictures of its own, in the set's folder."""
VERSION = 1
_MAGIC = b"table-companion deck pack "
_LARGEST = 64 * 1024 * 1024
_STEPS = 16.0
"""Places and sizes of features are kept in sixteenths of a pixel."""


class PackError(DeckError):
    """A deck pack that cannot be used; one sentence with the file and what to do."""


class PackedFace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The features of one card, as little-endian numbers: (n, 4) uint16 x, y, angle, size; (n, 32) uint8 bits."""

    label: str
    width: int
    height: int
    places: bytes
    bits: bytes


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`set_text` is the set.toml with the cards' values; `alike` are labels that features may not tell apart."""

    game: str
    set_text: str
    faces: tuple[PackedFace, ...]
    alike: tuple[tuple[str, str], ...] = ()


def pack_deck(deck: Deck, game: str, set_text: str) -> Pack:
    """Return what of an enrolled deck may be given away."""
    features, owner = deck.faces.index.features, deck.faces.index.owner
    faces = []
    for label in deck.labels:
        row = deck.row(label)
        own = features.only(owner == row)
        table = np.column_stack([own.points * _STEPS, own.angles * 100, own.sizes * _STEPS])
        width, height = deck.faces.sizes[row].tolist()
        faces.append(
            PackedFace(label, width, height, np.round(table).astype("<u2").tobytes(), own.descriptors.tobytes())
        )
    return Pack(game, set_text, tuple(faces), tuple((pair.first, pair.second) for pair in deck.lookalikes))


def write_pack(file: Path, pack: Pack) -> None:
    """Write a deck pack; a file of that name is replaced once the new one is whole.

    :raises PackError: if the disk does not take it.
    """
    body = zlib.compress(msgspec.msgpack.encode(pack), 9)
    head = _MAGIC + f"{VERSION}\n{hashlib.sha256(body).hexdigest()}\n".encode()
    fresh = file.with_name(file.name + ".new")
    try:
        fresh.write_bytes(head + body)
        fresh.replace(file)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()  # a full disk has taken half of it
        raise PackError(f"{file} cannot be written ({error.strerror}); name a file in a folder that exists") from None


def read_pack(file: Path) -> Pack:
    """Read a deck pack and check that it is whole.

    :raises PackError: if it is missing, no pack, of a later version, or not as it was written.
    """
    try:
        data = file.read_bytes() if file.stat().st_size <= _LARGEST else b""
    except OSError as error:
        raise PackError(f"{file} cannot be read ({error.strerror}); name a {ENDING} file") from None
    if not data.startswith(_MAGIC):
        raise PackError(f"{file} is no deck pack; expected a file that `companion enrol --export` has written")
    version, _, rest = data[len(_MAGIC) :].partition(b"\n")
    if version != str(VERSION).encode():
        said = version[:12].decode(errors="replace")
        raise PackError(f"{file} is a deck pack of version {said}; this companion reads version {VERSION}, update it")
    digest, _, body = rest.partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise PackError(f"{file} is not as it was written (its digest differs); copy it again")
    try:
        decoder = zlib.decompressobj()
        content = decoder.decompress(body, _LARGEST)
        pack = msgspec.msgpack.decode(content, type=Pack)
        _check(pack)
    except (zlib.error, msgspec.MsgspecError, ValueError) as error:
        raise PackError(f"{file} is a deck pack whose content does not fit ({error}); have it exported again") from None
    return pack


def _check(pack: Pack) -> None:
    labels = [face.label for face in pack.faces]
    if not labels or len(set(labels)) != len(labels):
        raise ValueError(f"found {len(labels)} cards with {len(set(labels))} names")
    for face in pack.faces:
        if len(face.places) * 4 != len(face.bits) or len(face.bits) % 32 or min(face.width, face.height) < 1:
            raise ValueError(f"the features of {face.label} are not whole")


def deck_of(pack: Pack) -> Deck:
    """Return the deck of a pack: `has_prints` is false, so cards are read by `vision.enrol.by_features`."""
    count = len(pack.faces)
    none = np.zeros((count, 0, 0), np.int8)
    faces = Faces(
        np.array([(face.width, face.height) for face in pack.faces], np.int32),
        none,
        np.zeros((count, 0), np.float32),
        np.zeros((count, 0, 0, 2), np.uint8),
        np.zeros((count, 0, 0), np.uint8),
        Index.of([_features(face) for face in pack.faces]),
    )
    return Deck(tuple(face.label for face in pack.faces), np.arange(count), faces, (), ())


def load_deck(path: Path) -> Deck:
    """Return the deck of a folder of pictures, of a folder that was begun with a deck pack, or of a pack.

    :raises DeckError: if it cannot be used.
    """
    pictures = path.is_dir() and any(file.suffix.lower() in SUFFIXES for file in path.iterdir())
    if path.is_dir() and not pictures and (path / FILE).is_file():
        return deck_of(read_pack(path / FILE))
    return deck_of(read_pack(path)) if path.is_file() else Deck.from_folder(path)


def _features(face: PackedFace) -> Features:
    steps = np.array([_STEPS, _STEPS, 100, _STEPS])
    table = (np.frombuffer(face.places, "<u2").reshape(-1, 4) / steps).astype(np.float32)
    bits = np.frombuffer(face.bits, np.uint64).reshape(-1, 4)
    points, angles, sizes = table[:, :2].copy(), table[:, 2].copy(), table[:, 3].copy()
    return Features(points, angles, sizes, bits.copy())


def has_prints(deck: Deck) -> bool:
    """Say whether a deck was enrolled from pictures, or comes from a pack and knows features only."""
    return deck.faces.fine.shape[1:] == (FINE, FINE)
