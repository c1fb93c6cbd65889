"""An evening at the simulated table: from a seed, to a folder, and from a folder.

The same beats come from a seed and from its recording. A recording is a folder:

- `world.json`: what people say before they begin, an `Evening`
- `frames/*.jpg`, `frames.jsonl`: the pictures, and each one's time in seconds and file
- `pins.jsonl`: the edges of the buttons' wires
- `serial.bin`, `serial.jsonl`: what came from the dock, and each burst's time and size in bytes
- `touches.jsonl`: touches of the screen; the simulated players make none
- `truth.json`: what really happened; `play` never opens it
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from companion.games import load_game
from companion.print.mat import draw_mat
from companion.sets.faces import proxy_face
from companion.sets.owner import CardSet, proxy_set
from companion.simulated.beats import Beat, Edge, Frame, SerialBytes, TouchAt, in_order
from companion.simulated.cards import box_of
from companion.simulated.film import Film
from companion.simulated.light import Picture
from companion.simulated.lying import Looseness
from companion.simulated.optics import Camera
from companion.simulated.players import Players
from companion.simulated.rig import Disturbance, Rig
from companion.simulated.turns import Habits
from companion.simulated.world import Truth, World
from companion.table.mat import Mat, game_mat

FORMAT = 1
NAMES = ("Ada", "Bela", "Chidi", "Dilek", "Emre", "Fumiko", "Gita", "Hugo", "Ines", "Jonas")
GAME, EDITION = "allies", "reconciled"
T = TypeVar("T")


class RecordingError(ValueError):
    """A folder that is no recording, or one that cannot be read: says which file and what to do."""


class Evening(msgspec.Struct, frozen=True, omit_defaults=True):
    """What people say and show before they begin: `world.json`. It holds no card and no seed."""

    format: int
    game: str
    edition: str
    names: tuple[str, ...]
    card_set: str
    mat: Mat
    rig: Rig
    ranges: Disturbance


class SimulatedTable:
    """One game of Allies for a seed.

    :param faces: the pictures of the cards by key; the proxies' own if none are given. They change
        what the camera sees and nothing else.
    """

    def __init__(
        self,
        seed: int | str,
        faces: Mapping[str, Picture] | None = None,
        rig: Rig | None = None,
        disturbance: Disturbance | None = None,
        habits: Habits | None = None,
        looseness: Looseness | None = None,
    ) -> None:
        cards = proxy_set(GAME)
        mat = game_mat(load_game(GAME))
        rig, disturbance = rig or Rig(), disturbance or Disturbance()
        names = random.Random(f"{seed} names").sample(NAMES, 2)
        self.evening = Evening(FORMAT, GAME, EDITION, (names[0], names[1]), cards.name, mat, rig, disturbance)
        self._world = World(box_of(cards), random.Random(f"{seed} world"), looseness)
        self._players = Players(self._world, random.Random(f"{seed} players"), habits)
        pictures = ProxyFaces(cards, round(2 * mat.card_size[0] * rig.canvas_pixels_per_mm)) if faces is None else faces
        flat = draw_mat(mat, 2 * rig.canvas_pixels_per_mm)
        self._camera = Camera(mat, flat, pictures, seed, rig, disturbance)
        self._film = Film(self._world, self._camera, mat, random.Random(f"{seed} film"))

    def beats(self) -> Iterator[Beat]:
        """Yield the whole game, once."""
        return self._film.shoot(self._players.play())

    def look(self, acts: int) -> None:
        """Nobody at this table looks at the screen."""

    def truth(self) -> Truth:
        """Return what really happened; of interest after the last beat, and only for comparing."""
        return self._world.truth()


class ProxyFaces(Mapping[str, Picture]):
    """The proxy deck's pictures, drawn when they are first needed, (pixels, pixels, 3) BGR."""

    def __init__(self, cards: CardSet, pixels: int, drawn_as: Mapping[str, str] | None = None) -> None:
        """Draw cards at `pixels`; a card named in `drawn_as` gets the face of another one."""
        self._cards = cards
        self._drawn_as = drawn_as or {}
        self._draw = partial(proxy_face, pixels=pixels, game=cards.game)

    def __getitem__(self, key: str) -> Picture:
        return self._draw(self._drawn_as.get(key, key))

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards.keys)

    def __len__(self) -> int:
        return len(self._cards.keys)


class Table(Protocol):
    """A simulated evening of any game."""

    evening: Evening

    def beats(self) -> Iterator[Beat]:
        """Yield the whole game, once."""

    def look(self, acts: int) -> None:
        """Look at the screen, which shows so many acts as understood; people wait for their dice to count."""

    def truth(self) -> Any:
        """Return what really happened; of interest after the last beat, and only for comparing."""


def record(directory: Path, table: Table, progress: Callable[[float], None] | None = None) -> None:
    """Play a game and write it to `directory`: `world.json`, the beats, and `truth.json` apart from them.

    :param progress: is told the time at the table, in seconds, after each picture

    :raises RecordingError: if the folder already holds something; nothing is written then.
    """
    if directory.exists() and any(directory.iterdir()):
        raise RecordingError(f"{directory} is not empty; name a new or an empty folder to record into")
    (directory / "frames").mkdir(parents=True)
    (directory / "world.json").write_bytes(msgspec.json.format(msgspec.json.encode(table.evening), indent=1))
    names = ("frames.jsonl", "pins.jsonl", "serial.jsonl", "serial.bin", "touches.jsonl")
    files = {name: (directory / name).open("wb") for name in names}
    try:
        for number, beat in enumerate(table.beats()):
            if isinstance(beat, Frame):
                name = f"{number:06}.jpg"
                (directory / "frames" / name).write_bytes(beat.jpeg)
                files["frames.jsonl"].write(_line(_Shot(beat.at, name)))
                if progress is not None:
                    progress(beat.at)
            elif isinstance(beat, SerialBytes):
                files["serial.jsonl"].write(_line(_Burst(beat.at, len(beat.bytes))))
                files["serial.bin"].write(beat.bytes)
            else:
                files["pins.jsonl" if isinstance(beat, Edge) else "touches.jsonl"].write(_line(beat))
    finally:
        for file in files.values():
            file.close()
    (directory / "truth.json").write_bytes(msgspec.json.format(msgspec.json.encode(table.truth()), indent=1))


def read_evening(directory: Path) -> Evening:
    """Read what was said before the recorded game began.

    :raises RecordingError: if the folder holds no recording that this version can read.
    """
    path = directory / "world.json"
    try:
        evening = msgspec.json.decode(path.read_bytes(), type=Evening)
    except OSError:
        raise RecordingError(f"{path} cannot be read; name a folder that was written by `demo --record`") from None
    except msgspec.DecodeError as error:
        raise RecordingError(f"{path} is not the start of a recording: {error}; record the game again") from None
    if evening.format != FORMAT:
        raise RecordingError(f"{path} has format {evening.format}, this version reads {FORMAT}; record the game again")
    return evening


def play(directory: Path) -> Iterator[Beat]:
    """Yield the beats of a recording in their order; `truth.json` is never opened.

    :raises RecordingError: for the first file or line that cannot be read.
    """
    read_evening(directory)
    kinds = (_frames(directory), _serial(directory), _lines(directory / "pins.jsonl", Edge))
    return heapq.merge(*kinds, _lines(directory / "touches.jsonl", TouchAt), key=in_order)


class _Shot(msgspec.Struct, frozen=True):
    at: float
    file: str


class _Burst(msgspec.Struct, frozen=True):
    at: float
    size: int


def _line(thing: msgspec.Struct) -> bytes:
    return msgspec.json.encode(thing) + b"\n"


def _lines(path: Path, kind: type[T]) -> Iterator[T]:
    for number, line in enumerate(_bytes(path).splitlines(), 1):
        try:
            yield msgspec.json.decode(line, type=kind)
        except msgspec.DecodeError as error:
            raise RecordingError(f"{path.name}, line {number}: {error}; record the game again") from None


def _frames(directory: Path) -> Iterator[Frame]:
    for shot in _lines(directory / "frames.jsonl", _Shot):
        yield Frame(shot.at, _bytes(directory / "frames" / Path(shot.file).name))


def _serial(directory: Path) -> Iterator[SerialBytes]:
    everything, start = _bytes(directory / "serial.bin"), 0
    for burst in _lines(directory / "serial.jsonl", _Burst):
        piece = everything[start : start + burst.size]
        if len(piece) < burst.size:
            raise RecordingError(f"serial.bin ends after {len(everything)} bytes; record the game again")
        yield SerialBytes(burst.at, piece)
        start += burst.size


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise RecordingError(f"{path} cannot be read; record the game again") from None
