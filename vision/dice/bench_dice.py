"""What the dice reader does, measured here and now: a part of `companion bench vision`.

Photographs are read at all four quarter turns; a counter of blobs without any network stands beside.
Rendered trays and faces come from seeds that the networks have not learnt from.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.dice.blobs import count_blobs
from vision.dice.face import rectified
from vision.dice.faces import SIDE, DieFaces
from vision.dice.grounds import ground
from vision.dice.marks import Mask, bar_mask, blank_mask, pip_mask, polygon_mask, text_mask
from vision.dice.paint import Colour, Paint
from vision.dice.read import DiceReader
from vision.dice.scenes import Model, Stage, draw_paint, expose, lay
from vision.dice.solid import Pose, Shape, see
from vision.dice.truth import DicePhoto, DiceScore, LabelledDie, ReadDie, load_dice_photos
from vision.figures import Told, share, silent, spread
from vision.picture import read_picture

Picture = NDArray[np.uint8]
Read = Callable[[Picture], tuple[Sequence[ReadDie], Sequence[str]]]

_SEED = 90210


def measure_photographs(photos: Path, quick: bool = False, told: Told = silent) -> dict[str, Any]:
    """Read the labelled photographs; with `quick` every fourth, upright only."""
    labelled = load_dice_photos(photos)
    labelled = labelled[::4] if quick else labelled
    turns = (0,) if quick else (0, 1, 2, 3)
    return {
        "photos": len(labelled),
        "quarter turns": len(turns),
        **_read_all(labelled, turns, _ours(DiceReader()), True, told),
        "without the networks": _read_all(labelled, turns, _blobs, False, told),
    }


def measure_rendered(quick: bool = False, told: Told = silent) -> dict[str, Any]:
    """Read rendered scenes that nothing was learnt from, and a tray of six dice."""
    reader = DiceReader()
    return {
        "rendered scenes": _scenes(_ours(reader), 20 if quick else 120, told),
        "cards, hands and things without a die": _bare(reader, 20 if quick else 100, told),
        "tray of six": _tray(reader, 3 if quick else 12),
    }


def _ours(reader: DiceReader) -> Read:
    def read(picture: Picture) -> tuple[Sequence[ReadDie], Sequence[str]]:
        readings = reader.read(picture)
        return readings, [reading.state for reading in readings]

    return read


def _blobs(picture: Picture) -> tuple[Sequence[ReadDie], Sequence[str]]:
    counted = count_blobs(picture)
    return counted, ["known" if each.legal else "unsure" for each in counted]


def _read_all(
    photos: Sequence[DicePhoto], turns: Sequence[int], read: Read, per_source: bool, told: Told
) -> dict[str, Any]:
    score, spent, empty = DiceScore(), [], 0
    sources: dict[str, DiceScore] = defaultdict(DiceScore)
    for number, photo in enumerate(photos):
        told("photographs of dice" if per_source else "dice without the networks", number, len(photos))
        upright = read_picture(photo.path)
        size = (upright.shape[1], upright.shape[0])
        for turn in turns:
            picture = np.ascontiguousarray(np.rot90(upright, -turn))
            dice = [die.turned(turn, size) for die in photo.dice]
            start = time.process_time()
            readings, states = read(picture)
            spent.append(1000 * (time.process_time() - start))
            score.add(dice, readings, states)
            sources[photo.source].add(dice, readings, states)
            empty += 0 if dice else len(readings)
    figures: dict[str, Any] = {**_shares(score), "read on empty photos": empty}
    figures["CPU time a photo"] = spread(spent, "ms")
    if per_source:
        figures["by source"] = {name: _line(each) for name, each in sources.items()}
    return figures


def _shares(score: DiceScore) -> dict[str, Any]:
    counts = score.counts
    return {
        "pip dice right": share(counts["right"], counts["dice"]),
        "of these known (the others unsure)": share(counts["right and known"], counts["right"]),
        "wrong but known": counts["wrong but known"],
        "photos perfect": share(counts["perfect"], counts["photos"]),
        "dice where none lies, known": counts["extra and known"],
        "dice where none lies, unsure": counts["extra"] - counts["extra and known"],
    }


def _line(score: DiceScore) -> dict[str, Any]:
    counts = score.counts
    return {
        "right": share(counts["right"], counts["dice"]),
        "perfect": share(counts["perfect"], counts["photos"]),
        "extra": counts["extra"],
        "wrong but known": counts["wrong but known"],
    }


def _scenes(read: Read, count: int, told: Told) -> dict[str, Any]:
    """Read rendered scenes of the kind that the networks learnt from, none of them seen before."""
    stage = Stage(np.random.default_rng(_SEED), 30)
    score = DiceScore()
    for number in range(count):
        told("rendered scenes of dice", number, count)
        picture, truth = stage.scene(320)
        labelled = [
            LabelledDie(
                str(die.value) if die.value <= 6 else None,
                (float(die.centre[0]), float(die.centre[1])),
                die.edge,
                "",
                "pip",
                frozenset() if die.visible > 0.8 and not die.lean and die.edge > 16 else frozenset({"ignore"}),
            )
            for die in truth
        ]
        score.add(labelled, *read(picture))
    return {"scenes": count, **_shares(score)}


def _bare(reader: DiceReader, count: int, told: Told) -> dict[str, int]:
    """Read rendered scenes in which no die lies."""
    stage, counts = Stage(np.random.default_rng(_SEED + 3), 8), Counter[str]()
    for number in range(count):
        told("rendered scenes without a die", number, count)
        counts.update(reading.state for reading in reader.read(stage.bare(384)))
    return {
        "scenes": count,
        "dice read, known": counts["known"],
        "dice read, not known": counts.total() - counts["known"],
    }


def measure_faces(each: int, told: Told = silent) -> dict[str, Any]:
    """Enrol faces from one clean picture each, then read them with all disturbances, at any turn, `each` so often."""
    figures: dict[str, Any] = {}
    sum_right = sum_known = sum_wrong = sum_total = 0
    kinds = _dice_to_enrol()
    for number, (name, faces) in enumerate(kinds.items()):
        told(f"enrolled faces, {name}", number, len(kinds))
        chance = np.random.default_rng(_SEED)
        enrolled = DieFaces({label: _portrait(mask, paint) for label, (mask, paint) in faces.items()})
        reader = DiceReader(enrolled)
        right = known = wrong = total = 0
        for label in faces:
            for _ in range(each):
                readings = reader.read(_snapshot(label, faces, chance))
                reading = max(readings, key=lambda r: r.confidence, default=None)
                total += 1
                good = reading is not None and reading.value == label
                right += good
                known += good and reading is not None and reading.state == "known"
                wrong += not good and reading is not None and reading.state == "known"
        figures[name] = {"right": share(right, total), "right and known": known, "wrong but known": wrong}
        sum_right, sum_known = sum_right + right, sum_known + known
        sum_wrong, sum_total = sum_wrong + wrong, sum_total + total
    all_kinds = {"right": share(sum_right, sum_total), "right and known": sum_known, "wrong but known": sum_wrong}
    return {"all": all_kinds, **figures}


def _dice_to_enrol() -> dict[str, dict[str, tuple[Mask, Paint]]]:
    red, green, blue = (42.0, 38.0, 200.0), (64.0, 150.0, 52.0), (176.0, 84.0, 30.0)
    wood, paper, ink, purple = (150.0, 196.0, 222.0), (236.0, 242.0, 244.0), (30.0, 28.0, 26.0), (150.0, 40.0, 120.0)
    digits = {n: _digit(n) for n in range(1, 7)}
    colours: dict[str, Colour] = {"red": red, "green": green, "blue": blue}
    return {
        "coloured digits on wood": {
            f"{name}-{n}": (digits[n], Paint(wood, colour)) for name, colour in colours.items() for n in digits
        },
        "white digits on coloured faces": {
            f"{name}-{n}": (digits[n], Paint(colour, paper)) for name, colour in colours.items() for n in digits
        },
        "battle die with a purple 2": {
            **{str(n): (pip_mask(n), Paint(paper, ink)) for n in range(1, 7)},
            "purple-2": (pip_mask(2), Paint(paper, purple)),
        },
        "Fate signs": {
            "plus": (bar_mask(True), Paint(blue, paper)),
            "minus": (bar_mask(False), Paint(blue, paper)),
            "blank": (blank_mask(), Paint(blue, paper)),
        },
        "spinning die": {
            f"sign-{n}": (polygon_mask(n, inner), Paint((40.0, 205.0, 240.0), ink))
            for n, inner in ((3, 0.5), (4, 0.45), (5, 0.4), (8, 0.72), (2, 0.45))
        },
    }


def _digit(number: int) -> Mask:
    mask = text_mask(str(number), 0.5, 0.08).copy()
    if number == 6:  # a line below tells it from a 9, and from itself turned
        mask[round(0.84 * len(mask)) : round(0.9 * len(mask)), round(0.3 * len(mask)) : round(0.7 * len(mask))] = 1
    return mask


def _portrait(mask: Mask, paint: Paint) -> Picture:
    """Return a face as its owner photographs it: near, straight from above, alone."""
    chance = np.random.default_rng(1)
    scene = np.full((240, 240, 3), 120, np.float32)
    sprite = see(Shape(30, 0.8), Pose(12.0, 4.0), [mask] * 6, 330, drilled=0.0)
    die, _ = lay(scene, Model(sprite, 0, 0), paint, np.array((120.0, 120.0)), 110.0, 0.0, chance)
    return rectified(np.clip(scene, 0, 255).astype(np.uint8), die.top, SIDE)


def _snapshot(label: str, faces: dict[str, tuple[Mask, Paint]], chance: np.random.Generator) -> Picture:
    """Return a die with a face on top and others at its sides, somewhere on a table of any kind, in any light."""
    scene = ground(320, chance)
    others = [other for other in faces if other != label]
    shown = [faces[label], *(faces[others[int(k)]] for k in chance.integers(len(others), size=5))]
    paint = Paint(faces=tuple(p.body for _, p in shown), marks=tuple(p.mark for _, p in shown))
    pose = Pose(chance.uniform(0, 360), chance.uniform(0, 25), distance=chance.uniform(8, 30))
    lamp = (chance.uniform(-0.8, 0.8), chance.uniform(-0.8, 0.8), 1.0)
    shape, drilled = Shape(chance.uniform(18, 45), 0.8), chance.uniform(0, 0.5)
    sprite = see(shape, pose, [mask for mask, _ in shown], 162, lamp, drilled)
    place, edge = chance.uniform(90, 230, 2), chance.uniform(28, 60)
    lay(scene, Model(sprite, 0, 0), paint, place, edge, chance.uniform(0, 360), chance)
    return expose(scene, chance)


def _tray(reader: DiceReader, count: int) -> dict[str, Any]:
    """Read six dice of any colours in a tray of 420 x 320 pixels."""
    stage = Stage(np.random.default_rng(_SEED + 1), 30)
    chance = np.random.default_rng(_SEED + 2)
    spent = []
    for _ in range(count):
        scene = np.full((720, 1280, 3), 90, np.float32)
        tray = np.array([(430, 200), (850, 200), (850, 520), (430, 520)], np.float64)
        for k in range(6):
            place = np.array((500.0 + 140 * (k % 3), 280.0 + 160 * (k // 3)))
            lay(scene, stage.model(), draw_paint(chance), place, 34.0, chance.uniform(0, 360), chance)
        picture = np.clip(scene, 0, 255).astype(np.uint8)
        start = time.process_time()
        reader.read(picture, tray)
        spent.append(1000 * (time.process_time() - start))
    return {"CPU time a tray": spread(spent, "ms")}
