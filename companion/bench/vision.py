"""The figures of seeing, line by line with what is wanted: `companion bench vision`.

Every line of the table says what is wanted, what was reached and whether that is enough. It is measured in
parts, each of which can be had alone; a part that cannot run (no photographs) is called *not run*. Times are
processor time of one core.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import cv2
import msgspec

from companion.bench import evenings, frames
from vision import bench
from vision.bench_photos import PhotoBench
from vision.dice import bench_dice
from vision.figures import Share, Spread, Told, silent

Figures = dict[str, Any]
NOT_RUN = "not run"
NAMELESS = "not run: name the folder of labelled photographs with --photos"
OBSERVATIONS = 10_000

PARTS = (
    "slots", "photos", "disturbed", "strangers", "matchers", "dice", "faces", "steady", "memory", "rendered",
    "evenings",
)  # fmt: skip
"""What can be measured alone, in this order."""

SLOW = ("disturbed", "matchers", "rendered", "evenings")
"""Parts that a quick run leaves out."""

OF_PHOTOGRAPHS = ("slots", "photos", "disturbed", "strangers", "matchers", "dice")


class Line(msgspec.Struct, frozen=True):
    """A line of the table: what is measured in which part, what is wanted, and how it is judged.

    `reached` looks the figure up; `enough` tells whether it is. `beside` looks the same up among the figures
    of a plain matcher.
    """

    quantity: str
    goal: str
    part: str
    reached: Callable[[Figures], Any]
    enough: Callable[[Any], bool]
    beside: Callable[[Figures], Any] | None = None


def _at_least(least: float) -> Callable[[Share], bool]:
    return lambda figure: figure.share is not None and figure.share >= least


def _at_most(most: float) -> Callable[[Share], bool]:
    return lambda figure: figure.share is not None and figure.share <= most


def _of_strangers(name: str) -> Callable[[Figures], Any]:
    return lambda figures: figures["all"][name]


def _beside_strangers(name: str) -> Callable[[Figures], Any]:
    return lambda figures: figures["cards not in the deck"]["all"][name]


def _is_sub_linear(medians: Mapping[str, float]) -> bool:
    """Tell whether the time for a card grows more slowly than the number of faces."""
    sizes = [int(faces.split()[0]) for faces in medians]
    first, last = min(sizes), max(sizes)
    return len(sizes) > 1 and medians[f"{last} faces"] / medians[f"{first} faces"] < last / first


def _of_whole(name: str) -> Callable[[Figures], Any]:
    return lambda figures: figures[name]


def _beside_whole(name: str) -> Callable[[Figures], Any]:
    return lambda figures: figures["whole photo"][name]


_SLOT = "visible, name and quadrant right"
_PLACED = "enrolled cards named and placed right"
_LOCATED = "visible cards located (IoU 0.75), with or without reference"

LINES: tuple[Line, ...] = (
    Line(
        "slot known to 8 % of the card's width: name and quadrant right, visible cards", "100 %", "slots",
        lambda f: f["corner error 8%"][_SLOT], _at_least(1.0), lambda f: f["corner error 8%"][_SLOT],
    ),
    Line(
        "slot known to 15 %: the same", ">= 97 %", "slots", lambda f: f["corner error 15%"][_SLOT], _at_least(0.97)
    ),
    Line(
        "whole photo, nothing known: enrolled cards named and placed right", ">= 92 %", "photos",
        _of_whole(_PLACED), _at_least(0.92), _beside_whole(_PLACED),
    ),
    Line(
        "whole photo: time", "<= 150 ms a photo on one core, on average", "photos",
        _of_whole("CPU time a photo"), lambda f: f.mean <= 150, _beside_whole("CPU time a photo"),
    ),
    Line(
        "whole photo: wrong names, taken for known", "0", "photos",
        _of_whole("wrong names, known"), lambda f: f == 0, _beside_whole("wrong names, known"),
    ),
    Line(
        "visible cards located (IoU 0.75), with or without reference", ">= 95 %", "photos",
        _of_whole(_LOCATED), _at_least(0.95), _beside_whole(_LOCATED),
    ),
    Line(
        "places where no card is", "<= 0.2 a photo", "photos",
        _of_whole("false places a photo"), lambda f: f <= 0.2, _beside_whole("false places a photo"),
    ),
    Line(
        "occluded cards named", "15 of 16", "photos",
        _of_whole("occluded cards named"), _at_least(15 / 16), _beside_whole("occluded cards named"),
    ),
    Line(
        "quadrant right, of those named", "100 %", "photos",
        _of_whole("quadrant right, of those named"), _at_least(1.0), _beside_whole("quadrant right, of those named"),
    ),
    Line(
        "angle error", "median <= 0.5, 95th percentile <= 2 degrees", "photos",
        _of_whole("angle error"), lambda f: f.median <= 0.5 and f.p95 <= 2, _beside_whole("angle error"),
    ),
    Line(
        "the same photos turned, resized, lit and blurred otherwise: named and placed right", ">= 92 %", "disturbed",
        _of_whole(_PLACED), _at_least(0.92),
    ),
    Line(
        "the same: wrong names, taken for known", "0", "disturbed", _of_whole("wrong names, known"), lambda f: f == 0
    ),
    Line("the same: visible cards located", ">= 95 %", "disturbed", _of_whole(_LOCATED), _at_least(0.95)),
    *(
        Line(
            f"a card not in the deck, single photo: {name}", f"<= {most:.0%}", "strangers",
            _of_strangers(name), _at_most(most), _beside_strangers(name),
        )
        for name, most in (("given a name", 0.01), ("unsure", 0.03))
    ),
    Line("pip dice, whole photo: value right", ">= 97 %", "dice", _of_whole("pip dice right"), _at_least(0.97)),
    Line("pip dice: photos perfect", ">= 85 %", "dice", _of_whole("photos perfect"), _at_least(0.85)),
    Line("dice read on the empty photo", "0", "dice", _of_whole("read on empty photos"), lambda f: f == 0),
    Line(
        "coloured and symbol faces after enrolment, rendered", ">= 98 %", "faces",
        lambda f: f["all"]["right"], _at_least(0.98),
    ),
    Line(
        "steady state, 1280x720, 15 slots watched: a frame", "<= 8 ms on one core", "steady",
        lambda f: f["steady picture, ms"]["own time, median"], lambda f: f <= 8,
    ),
    Line(
        "one card changed: from rest to its state", "<= 60 ms of computing", "steady",
        lambda f: f["one changed card, from rest to its state, ms"]["own time, median"], lambda f: f <= 60,
    ),
    Line(
        "memory for a deck of 600 faces", "<= 60 MB", "memory",
        lambda f: f["600 faces"]["memory, MB"] if "600 faces" in f else NOT_RUN, lambda f: f <= 60,
    ),
    Line(
        "look-up growth: time for a card, by faces", "sub-linear", "memory",
        lambda f: {faces: deck["CPU time a card"].median for faces, deck in f.items()},
        _is_sub_linear,
    ),
    Line(
        "simulated evenings with every disturbance: silent misreads", f"0 in {OBSERVATIONS:,} observations", "evenings",
        lambda f: Share(f["silent_misreads"], f["observations"], None),
        lambda f: f.part == 0 and f.whole >= OBSERVATIONS,
    ),
    Line(
        "simulated evenings: questions", "<= 1 %", "evenings",
        lambda f: Share(f["questions"], f["observations"], f["questions_share"]), _at_most(0.01),
    ),
)  # fmt: skip


def measure(
    photos: Path | None = None,
    quick: bool = False,
    only: Collection[str] = PARTS,
    observations: int = OBSERVATIONS,
    keep: Path | None = None,
    told: Told = silent,
) -> Figures:
    """Measure the parts `only` and return the table and the figures behind it.

    :param photos: the folder of labelled photographs
    :param quick: fewer pictures, and without the parts in `SLOW` unless they are all that is wanted
    :param observations: how long simulated evenings go on, kept in the file `keep`
    :param told: is told how far it has come
    """
    parts = [part for part in PARTS if part in only and not (quick and part in SLOW and set(only) - set(SLOW))]
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        run = _Run(photos, quick, observations, keep, told)
        figures = {part: run.part(part) for part in parts}
    finally:
        cv2.setNumThreads(threads)
    return {
        "table": table(figures),
        "left out": _left_out(parts, quick),
        "seconds, of them of processor time": run.seconds,
        "parts": figures,
    }


class _Run:
    """One run: loads the photographs once, when they are first needed."""

    def __init__(self, photos: Path | None, quick: bool, observations: int, keep: Path | None, told: Told) -> None:
        self._photos, self._quick, self._observations, self._keep = photos, quick, observations, keep
        self._told = told
        self._labelled: PhotoBench | None = None
        self.seconds: dict[str, tuple[float, float]] = {}
        """How long each part took, and how much of it was processor time."""
        self._ways: Mapping[str, Callable[[], Figures]] = {
            "slots": lambda: self._photographs().slots(),
            "photos": lambda: {**self._photographs().measured, **self._photographs().whole()},
            "disturbed": lambda: self._photographs().disturbed(),
            "strangers": lambda: self._photographs().strangers(),
            "matchers": lambda: self._photographs().matchers(),
            "dice": lambda: bench_dice.measure_photographs(self._folder(), quick, told),
            "faces": lambda: bench_dice.measure_faces(2 if quick else 20, told),
            "steady": lambda: frames.measure(quick=quick),
            "memory": lambda: bench.measure_decks(bench.DECK_SIZES[: 2 if quick else 3], 10 if quick else 60, told),
            "rendered": lambda: {
                "cards": bench.measure_rendered(40 if quick else 300, told),
                "dice": bench_dice.measure_rendered(quick, told),
            },
            "evenings": lambda: evenings.measure(
                observations, keep=keep, told=lambda says: told(f"evenings, {says}", 0, 0)
            ),
        }

    def part(self, name: str) -> Figures | str:
        """Measure a part; a sentence tells why it cannot run."""
        if name in OF_PHOTOGRAPHS and (missing := self._missing()):
            return missing
        self._told(name, 0, 0)
        began, spent = time.monotonic(), time.process_time()
        figures = self._ways[name]()
        self.seconds[name] = (round(time.monotonic() - began, 1), round(time.process_time() - spent, 1))
        return figures

    def _missing(self) -> str:
        if self._photos is None:
            return NAMELESS
        return "" if (self._photos / "truth.json").is_file() else f"not run: there is no truth.json in {self._photos}"

    def _folder(self) -> Path:
        assert self._photos is not None  # noqa: S101  `_missing` has looked
        return self._photos

    def _photographs(self) -> PhotoBench:
        if self._labelled is None:
            self._labelled = PhotoBench(self._folder(), self._quick, self._told)
        return self._labelled


def table(parts: Figures) -> list[Figures]:
    """Return every line: what is wanted, what was reached, whether that is enough (None: not run), and the peers."""
    lines = []
    matchers = parts.get("matchers", {})
    for line in LINES:
        figures = parts.get(line.part, NOT_RUN)
        reached = figures if isinstance(figures, str) else line.reached(figures)
        told: Figures = {
            "quantity": line.quantity,
            "goal": line.goal,
            "reached": str(reached) if isinstance(reached, Share | Spread) else reached,
            "met": None if isinstance(reached, str) else line.enough(reached),
            "part": line.part,
        }
        if line.beside is not None and isinstance(matchers, dict) and matchers:
            told["upright photos only"] = {
                who: str(line.beside(of)) for who, of in matchers.items() if isinstance(of, dict)
            }
        lines.append(told)
    return lines


def _left_out(parts: Collection[str], quick: bool) -> list[str]:
    said = [f"{part}: not asked for" if not quick or part not in SLOW else f"{part}: slow" for part in PARTS]
    out = [words for part, words in zip(PARTS, said, strict=True) if part not in parts]
    if quick:
        out += [
            "of the photographs with cards every fifth, five at most, of those with dice every fourth, upright only",
            "the deck of 600 faces; most of the rendered dice",
        ]
    return out
