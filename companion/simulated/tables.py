"""The simulated tables of all games: what lies on each, what listens, and what the camera has to know.

The duel has players with books of their own (`table`); every other game is played by chance
(docs/adr/0012). A game gets a simulated table by an entry in `SETTINGS`.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from companion.games import load_game, plausible_player
from companion.kernel import Game, Setup
from companion.print.mat import draw_mat
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.sets.discs import draw_discs
from companion.sets.owner import CardSet, standard_set
from companion.simulated.beats import Beat
from companion.simulated.board_camera import BoardCamera
from companion.simulated.chance import ChancePlayers
from companion.simulated.dice_makes import DieMake, coloured_die, flat_face
from companion.simulated.film import Eyesight, Film
from companion.simulated.light import Picture
from companion.simulated.optics import Camera
from companion.simulated.playing import Eye
from companion.simulated.rig import Disturbance, Rig
from companion.simulated.staging import Means, Stage
from companion.simulated.table import EDITION, FORMAT, NAMES, Evening, ProxyFaces, SimulatedTable, Table
from companion.simulated.table import GAME as DUEL
from companion.simulated.tabletop import Tabletop
from companion.simulated.wires import DockLine
from companion.table.mat import game_mat
from hardware.wiring import SIX_FACES, DockWiring
from vision.deck import Deck
from vision.dice.faces import DieFaces
from vision.dice.read import DiceReader
from vision.dice.tray import TrayReader, tray_on
from vision.disc_reader import DiscReader
from vision.discs import DiscBoard
from vision.table_reader import TableReader

BACK = ""
"""The face of a piece that lies face down."""
ENROLLED_PIXELS = 400


class Setting(msgspec.Struct, frozen=True):
    """What a game's simulated table has: means, what the dock's dice and markers are called, how many dice it hears."""

    means: Means
    faces: tuple[str, ...] = SIX_FACES
    markers: tuple[str, ...] = ()
    dice: int = 2
    rig: Rig = Rig()


FINE = Rig(width=1920, height_px=1080, focal=1478.0, canvas_pixels_per_mm=3.6)
"""Digits on dice are a few millimetres high; the common camera modules read them in their 1080-line mode."""

REGIONS = ("wizard", "golem", "troll", "yeti", "gnome", "cyclops")
"""What is on the faces of the spinning die."""

SETTINGS: Mapping[str, Setting] = {
    "king_of_the_dice": Setting(Means(cards=True, dice_seen=True), rig=FINE),
    "vaalbara": Setting(Means(cards=True)),
    "realm_of_wonder": Setting(
        Means(cards=True, dice_heard=True, markers=True),
        faces=("1", "2", "p2", "3", "4", "5", "6", *REGIONS),
        markers=tuple("ABCDEF"),
    ),
}


def games_with_tables() -> tuple[str, ...]:
    """Return the keys of the games that can be played at a simulated table."""
    return (DUEL, *SETTINGS)


def simulated_table(game: str, seed: int | str) -> Table:
    """Return the simulated evening of a game for a seed.

    :raises LookupError: if there is no simulated table for the game.
    """
    if game == DUEL:
        return SimulatedTable(seed)
    if game not in SETTINGS:
        known = ", ".join(games_with_tables())
        raise LookupError(f"there is no simulated table for {game} yet; there is one for {known}")
    return ChanceTable(load_game(game), seed)


def dock_of(evening: Evening) -> DockWiring:
    """Return what the codes of an evening's dock mean."""
    setting = SETTINGS.get(evening.game, Setting(Means()))
    return DockWiring("", faces=setting.faces, markers=setting.markers[: len(evening.names)])


def eyes_for(evening: Evening) -> list[Eye]:
    """Return what has to read the pictures of an evening: cards where the mat has slots, dice where it has a tray."""
    cards, mat = standard_set(evening.game), evening.mat
    means = SETTINGS[evening.game].means if evening.game in SETTINGS else Means(cards=True)
    eyes: list[Eye] = []
    if mat.discs:
        eyes.append(DiscReader(mat, DiscBoard(draw_discs())))
    elif means.cards:
        eyes.append(TableReader(mat, Deck.from_faces(_Cards(cards, ENROLLED_PIXELS))))
    if means.dice_seen:
        makes = dice_of(cards)
        reader = DiceReader(DieFaces({label: flat_face(make, label) for make in makes for label in make.labels}))
        eyes.append(TrayReader(tray_on(mat), reader, expected=len(makes)))
    return eyes


def dice_of(cards: CardSet) -> tuple[DieMake, ...]:
    """Return the dice of a set, drawn by us: wooden cubes with coloured digits."""
    return tuple(coloured_die(net) for net in cards.nets)


class ChanceTable:
    """One evening of any game for a seed, played by people who know the rules and let chance decide."""

    def __init__(
        self, game: Game, seed: int | str, rig: Rig | None = None, disturbance: Disturbance | None = None
    ) -> None:
        cards, mat, setting = standard_set(game.key), game_mat(game), SETTINGS[game.key]
        rig, disturbance = rig or setting.rig, disturbance or Disturbance()
        chance = random.Random(f"{seed} names")
        names = tuple(chance.sample(NAMES, chance.randint(*game.seats)))
        self.evening = Evening(FORMAT, game.key, EDITION, names, cards.name, mat, rig, disturbance)
        options = resolve(load_rulebook(game.key), EDITION)
        self._game = game
        start = game.start(Setup(options, names, cards.cards))
        self._players = ChancePlayers(start, random.Random(f"{seed} players"), plausible_player(game.key))
        self._tabletop = Tabletop(mat, random.Random(f"{seed} world"))
        self._stage = Stage(game, self._tabletop, setting.means)
        camera = self._camera(cards, seed)
        chance = random.Random(f"{seed} film")
        markers = setting.markers[: len(names)]
        dock = DockLine(chance, setting.dice, setting.faces, markers, places=len(markers))
        self._film = Film(self._tabletop, camera, mat, chance, dock)

    def _camera(self, cards: CardSet, seed: int | str) -> Eyesight:
        mat, rig = self.evening.mat, self.evening.rig
        if mat.discs:
            return BoardCamera(mat, zlib.crc32(str(seed).encode()), rig)
        pictures = _Cards(cards, round(2 * mat.card_size[0] * rig.canvas_pixels_per_mm))
        flat = draw_mat(mat, 2 * rig.canvas_pixels_per_mm)
        dice = dice_of(cards) if SETTINGS[self._game.key].means.dice_seen else ()
        return Camera(mat, flat, pictures, seed, rig, self.evening.ranges, dice)

    def beats(self) -> Iterator[Beat]:
        """Yield the whole game, once."""
        return self._film.shoot(self._gestures())

    def truth(self) -> dict[str, Any]:
        """Return what the game came to; of interest after the last beat, and only for comparing."""
        return self._game.outcome(self._players.position.state)

    def look(self, acts: int) -> None:
        """Look at the screen: so many acts are understood."""
        self._stage.acts_shown = acts

    def _gestures(self) -> Iterator[Any]:
        yield from self._stage.set_out(self._players.position.state)
        for act in self._players.play():
            yield from self._stage.show(act)


class _Cards(Mapping[str, Picture]):
    """The pictures of a set's cards, and of a card's back."""

    def __init__(self, cards: CardSet, pixels: int) -> None:
        self._faces = ProxyFaces(cards, pixels)
        self._keys = tuple(key for key in cards.keys if cards.kinds[key] != "die")
        self._pixels = pixels

    def __getitem__(self, key: str) -> Picture:
        return _back(self._pixels) if key == BACK else self._faces[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def _back(pixels: int) -> Picture:
    """Draw a card's back: a lattice that no face has."""
    y, x = np.mgrid[0 : round(pixels * 1.5), 0:pixels] * (24 * np.pi / pixels)
    lattice = (np.sin(x + y) * np.sin(x - y) > 0).astype(np.uint8)
    return np.asarray(np.where(lattice[..., None] > 0, (96, 60, 40), (150, 110, 84)), np.uint8)
