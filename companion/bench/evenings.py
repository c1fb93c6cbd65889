"""Simulated evenings with every disturbance, followed by the real reader and compared with the truth.

Each evening is a whole game of Allies, seen through a rendered camera. An *observation* is a state of
a slot that was read anew and shown. A *silent misread* is a slot shown as known or as empty that
is not so, for more than `STAYS_S` of the evening's own time. A *question* is a slot that stays unsure or
unknown for as long while the table is at rest; a card that lies more than `ASKEW_DEGREES` off every
quarter turn has none to be known, and is counted apart. On some evenings the cards are sleeved, some cards
are copies of others, a whole tribe is not enrolled (*strangers*: the right answer is that they are unknown,
counted apart too), or the camera looks askance.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.sets.owner import CardSet, proxy_set
from companion.simulated.beats import Frame as Shot
from companion.simulated.disturbed import DisturbedTable
from companion.simulated.lying import Laid, Looseness
from companion.simulated.rig import ASKANCE, Disturbance
from companion.simulated.table import GAME, ProxyFaces
from companion.simulated.trouble import Troubles
from companion.table.observation import Scene, Sighting
from vision.deck import Deck
from vision.frame import Frame
from vision.slot_memory import ASKEW_DEGREES
from vision.table_reader import TableReader

STAYS_S = 1.0
ENROLLED_PIXELS = 400
CARELESS = Looseness(offset=4.0, offset_bound=9.45, skew=4.0, skew_bound=12.0)
"""Slots are missed by up to 15 % of a card's width."""
SLEEVED: tuple[float, float] = (0.03, 0.16)
COPIES = 0.2
"""Share of the cards that are copies of another one, on evenings with copies."""

EVENINGS_WITH = {"copies": 0.25, "sleeves": 0.4, "strangers": 0.25, "a camera askance": 0.25}
"""Shares of the evenings that are of a kind; an evening may be of several."""

Faces = Mapping[str, NDArray[np.uint8]]


class KeptError(ValueError):
    """A file of evenings that cannot be gone on from: says which line."""


class Kept(msgspec.Struct, frozen=True):
    """What came out of one evening; a line of the file that keeps them."""

    seed: int
    observations: int
    changes: int
    misreads: list[str]
    questions: list[str]
    askew: int
    strangers: int
    """Cards that nobody enrolled, told of as unknown."""
    waits: list[float]
    """Seconds from the last touch of a slot until its right state is shown."""
    pictures: int
    seconds: float
    happened: dict[str, int]


def measure(
    observations: int = 2000,
    seeds: Iterable[int] = range(1, 1_000_000),
    keep: Path | None = None,
    told: Callable[[str], None] = lambda says: None,
) -> dict[str, Any]:
    """Follow evenings until there are enough observations, and return the figures.

    :param keep: a file to which each evening is written when it is over; those that are in it already
        are not followed again
    :param told: is told how far it has come
    :raises KeptError: if the file cannot be gone on from.
    """
    kept = _read(keep)
    cards = proxy_set(GAME)
    faces = _Drawn(ProxyFaces(cards, ENROLLED_PIXELS))
    deck: Deck | None = None
    evenings: list[Kept] = []
    for seed in seeds:
        if sum(each.observations for each in evenings) >= observations:
            break
        if seed not in kept:
            deck = deck or Deck.from_faces(faces)
            kept[seed] = follow(seed, cards, faces, deck)
            if keep is not None:
                with keep.open("ab") as file:
                    file.write(msgspec.json.encode(kept[seed]) + b"\n")
        evenings.append(kept[seed])
        so_far = sum(each.observations for each in evenings)
        told(f"{so_far} observations, {sum(len(each.misreads) for each in evenings)} silent misreads")
    return _figures(evenings)


def follow(seed: int, cards: CardSet, faces: Faces, deck: Deck) -> Kept:
    """Follow one evening; `deck` knows all the `faces` of `cards`."""
    rng = random.Random(f"{seed} evening")  # noqa: S311  the same evening every time
    kinds = [kind for kind, share in EVENINGS_WITH.items() if rng.random() < share]
    copies = _copies(cards, rng) if "copies" in kinds else {}
    strangers = _tribe(cards, rng) if "strangers" in kinds else frozenset()
    disturbance = Disturbance()
    if "sleeves" in kinds:
        disturbance = msgspec.structs.replace(disturbance, sleeve=SLEEVED)
    if "a camera askance" in kinds:
        disturbance = msgspec.structs.replace(disturbance, camera_aside=ASKANCE)
    shown = {key: faces[copies.get(key, key)] for key in cards.keys}
    table = DisturbedTable(seed, shown, disturbance, CARELESS, Troubles())
    known = deck.subset(set(cards.keys) - set(copies) - strangers)
    reader, watch = TableReader(table.evening.mat, known), Watch(copies, strangers)
    pictures, spent = 0, 0.0
    for beat in table.beats():
        if isinstance(beat, Shot):
            picture, began = Frame(beat.picture(), "simulated", beat.at, pictures), time.thread_time()
            scene = reader.read(picture)
            spent += time.thread_time() - began
            pictures += 1
            watch.see(scene, table.lying)
    return Kept(
        seed, watch.observations, watch.changes, watch.misreads, watch.questions, watch.askew, watch.strangers,
        [round(wait, 2) for wait in watch.waits], pictures, round(spent, 2),
        {**table.happened, **{f"evenings with {kind}": 1 for kind in kinds}},
    )  # fmt: skip


class _Drawn(Faces):
    """Faces that are drawn once."""

    def __init__(self, faces: Faces) -> None:
        self._faces = faces
        self._drawn: dict[str, NDArray[np.uint8]] = {}

    def __getitem__(self, key: str) -> NDArray[np.uint8]:
        if key not in self._drawn:
            self._drawn[key] = self._faces[key]
        return self._drawn[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._faces)

    def __len__(self) -> int:
        return len(self._faces)


def _copies(cards: CardSet, rng: random.Random) -> dict[str, str]:
    """Return some cards that look exactly like another one, and which."""
    keys = sorted(cards.cards)
    rng.shuffle(keys)
    number = round(COPIES * len(keys))
    return dict(zip(keys[:number], keys[number : 2 * number], strict=True))


def _tribe(cards: CardSet, rng: random.Random) -> frozenset[str]:
    """Return all cards of a tribe: one picture cannot tell that a look-alike is missing, but can for a family."""
    tribes = sorted({str(card["tribe"]) for card in cards.of_kind("tribe").values()})
    missing = rng.choice(tribes)
    return frozenset(key for key, card in cards.cards.items() if card["tribe"] == missing)


class Watch:
    """Compares what is shown with what lies there, picture by picture."""

    def __init__(self, copies: Mapping[str, str], strangers: Collection[str] = ()) -> None:
        self._copies, self._strange = copies, strangers
        self._digests: dict[str, str] = {}
        self._truth: dict[str, tuple[Laid | None, float, bool]] = {}
        self._wrong: dict[str, tuple[float, bool]] = {}
        self._open: dict[str, tuple[float, bool]] = {}
        self.observations = self.changes = self.askew = self.strangers = 0
        self.misreads: list[str] = []
        self.questions: list[str] = []
        self.waits: list[float] = []

    def see(self, scene: Scene, lying: Mapping[str, Laid | None]) -> None:
        """Take the next picture's scene, and what lies in each slot."""
        for sighting in scene.sightings:
            slot, laid = sighting.slot, lying[sighting.slot]
            if sighting.digest and sighting.seen != "hidden" and self._digests.get(slot) != sighting.digest:
                self._digests[slot] = sighting.digest
                self.observations += 1
            self._wait(slot, laid, sighting, scene.at)
            self._judge(slot, laid, sighting, scene)

    def _wait(self, slot: str, laid: Laid | None, sighting: Sighting, at: float) -> None:
        before = self._truth.get(slot)
        if before is None or before[0] != laid:
            self.changes += before is not None
            self._truth[slot] = before = (laid, at, before is None)
        if not before[2] and self._is_right(laid, sighting):
            self.waits.append(at - before[1])
            self._truth[slot] = (laid, before[1], True)

    def _judge(self, slot: str, laid: Laid | None, sighting: Sighting, scene: Scene) -> None:
        says = f"{scene.at:.1f} s, {slot}: {sighting.seen} {sighting.piece} turned {sighting.turn}, there lies {laid}"
        wrong = sighting.seen in ("known", "empty") and not self._is_right(laid, sighting)
        if self._lasts(self._wrong, slot, wrong, scene.at):
            self.misreads.append(says)
        doubtful = scene.steady and sighting.seen in ("unsure", "unknown")
        if self._lasts(self._open, slot, doubtful, scene.at):
            if self._is_right(laid, sighting):
                self.strangers += 1
            elif laid is not None and abs(laid.skew) > ASKEW_DEGREES:
                self.askew += 1
            else:
                self.questions.append(says)

    def _is_right(self, laid: Laid | None, sighting: Sighting) -> bool:
        if laid is None or sighting.seen == "empty":
            return laid is None and sighting.seen == "empty"
        if self._copies.get(laid.card, laid.card) in self._strange:
            return sighting.seen == "unknown"
        named = sighting.seen == "known" and sighting.piece == self._copies.get(laid.card, laid.card)
        return named and (sighting.turn == laid.turn or abs(laid.skew) > ASKEW_DEGREES)

    @staticmethod
    def _lasts(since: dict[str, tuple[float, bool]], slot: str, holds: bool, at: float) -> bool:
        """Tell once per episode that something has held for more than `STAYS_S`."""
        if not holds:
            since.pop(slot, None)
            return False
        start, said = since.setdefault(slot, (at, False))
        if said or at - start <= STAYS_S + 1e-6:
            return False
        since[slot] = (start, True)
        return True


def _read(keep: Path | None) -> dict[int, Kept]:
    """Return the evenings of a file.

    :raises KeptError: with the line, if it is no such file.
    """
    if keep is None or not keep.exists():
        return {}
    evenings: dict[int, Kept] = {}
    for number, line in enumerate(keep.read_bytes().splitlines(), 1):
        try:
            evening = msgspec.json.decode(line, type=Kept)
        except msgspec.MsgspecError as error:
            raise KeptError(f"{keep}:{number}: this is no evening that was kept ({error}); name another file") from None
        evenings[evening.seed] = evening
    return evenings


def _figures(evenings: list[Kept]) -> dict[str, Any]:
    observations = sum(each.observations for each in evenings)
    waits = sorted(wait for each in evenings for wait in each.waits)
    happened: Counter[str] = Counter()
    for each in evenings:
        happened.update(each.happened)
    return {
        "evenings": len(evenings),
        "seeds": f"{evenings[0].seed}-{evenings[-1].seed}" if evenings else "",
        "observations": observations,
        "changes": sum(each.changes for each in evenings),
        "silent_misreads": sum(len(each.misreads) for each in evenings),
        "questions": sum(len(each.questions) for each in evenings),
        "questions_share": round(sum(len(each.questions) for each in evenings) / max(1, observations), 4),
        "askew_beyond_any_quarter": sum(each.askew for each in evenings),
        "strangers_told_unknown": sum(each.strangers for each in evenings),
        "change_to_state_median_s": round(statistics.median(waits), 2) if waits else None,
        "change_to_state_p95_s": round(waits[int(0.95 * len(waits))], 2) if waits else None,
        "pictures": sum(each.pictures for each in evenings),
        "reading_ms_per_picture": round(
            1e3 * sum(e.seconds for e in evenings) / max(1, sum(e.pictures for e in evenings)), 1
        ),
        "happened": dict(sorted(happened.items())),
        "misreads": [f"seed {each.seed}, {says}" for each in evenings for says in each.misreads],
        "asked": [f"seed {each.seed}, {says}" for each in evenings for says in each.questions],
    }
