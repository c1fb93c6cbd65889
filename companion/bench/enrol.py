"""How many touches an owner needs to enrol a whole set, through the very steps that the screen shows.

The cards are our own drawings, laid on a plain cloth and seen by the simulated camera with all its
disturbances. A simulated person photographs them, answers each question by what is really printed,
looks through every page and puts right what is wrong. What was wrong on a page without being marked
as doubtful is counted by itself: a person who looks less closely would have let it through.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.desk.enrol_steps import NONE_OF_THESE, EnrolmentSteps
from companion.desk.enrol_values import ELSEWHERE, printing_of
from companion.desk.enrolment import Enrolment
from companion.games import load_game
from companion.presenters.enrol import EnrolChoose, EnrolModel, EnrolOpen, EnrolSet
from companion.sets.owner import CardSet, proxy_set
from companion.simulated.lying import Laid
from companion.simulated.optics import Camera
from companion.simulated.rig import Rig
from companion.simulated.table import ProxyFaces
from companion.table.mat import Mat, grid_mat

Picture = NDArray[np.uint8]
GAME = "allies"
OTHERS = ("king_of_the_dice", "vaalbara")
"""Games with smaller cards; they are photographed in the still mode."""
CLOTH = (60, 52, 44)
FINE = Rig(width=2560, height_px=1440, focal=1970.0, canvas_pixels_per_mm=5.2)
"""The same camera in its still mode: four times the pixels."""


_DISC = (0.5, 0.54)
_MARKS: Mapping[int, tuple[tuple[float, float], ...]] = {
    0: (), 1: ((0, 0),), 2: ((-5.9, 0), (5.9, 0)), 3: ((-5.7, -4.2), (5.7, -4.2), (0, 5.6)),
    4: ((-5.3, -5.3), (5.3, -5.3), (-5.3, 5.3), (5.3, 5.3)),
}  # fmt: skip
"""Where our drawings put their marks, in hundredths of the card from the disc's middle, by their number."""


class Spread:
    """Cards laid apart on a plain cloth, and the photographs of them; `found` lists the key of each outline."""

    def __init__(self, cards: CardSet, seed: int, rig: Rig | None = None) -> None:
        game = load_game(cards.game)
        columns = 5 if game.turns_cards else 7
        self._mat: Mat = grid_mat(cards.game, ("B", "R", "A"), columns, game.card_mm, turning=game.turns_cards)
        rig = rig or Rig()
        size = (round(self._mat.height * rig.canvas_pixels_per_mm), round(self._mat.width * rig.canvas_pixels_per_mm))
        weave = np.random.default_rng(seed).normal(0, 5, size)[..., None]
        cloth = np.clip(np.array(CLOTH) + weave, 0, 255).astype(np.uint8)
        faces = ProxyFaces(cards, round(2 * self._mat.card_size[0] * rig.canvas_pixels_per_mm))
        self._camera = Camera(self._mat, cloth, faces, seed, rig)
        self._chance = random.Random(f"{seed} spread")  # noqa: S311  nothing secret
        self._at = 0.0
        self._lying: dict[str, NDArray[np.float64]] = {}

    @property
    def room(self) -> int:
        """How many cards lie beside each other."""
        return len(self._mat.slots)

    def photograph(self, keys: list[str]) -> Picture:
        """Lay cards, printed top upwards as people do, and return the picture of them."""
        slots: dict[str, Laid | None] = {slot.key: None for slot in self._mat.slots}
        self._lying = {}
        for slot, key in zip(self._mat.slots, keys, strict=False):
            x, y, skew = (self._chance.gauss(0, spread) for spread in (1.5, 1.5, 3.0))
            slots[slot.key] = Laid(key, 0, x, y, skew)
            centre = np.add([slot.rect.centre], (x, y))
            self._lying[key] = self._camera.lens.to_pixels(centre)[0]
        self._at += 1.0
        return self._camera.picture(slots, self._at)

    def key_at(self, x: float, y: float) -> str:
        """Return the key of the card that lies nearest to a pixel of the last picture."""
        return min(self._lying, key=lambda key: float(np.hypot(*(self._lying[key] - (x, y)))))


class Person:
    """Enrols a set: sees what is printed, taps, and counts the touches."""

    def __init__(self, steps: EnrolmentSteps, cards: CardSet) -> None:
        self.steps, self._cards = steps, cards
        self.keys: dict[str, list[str]] = {kind: [] for kind in steps.enrolment.draft.kinds}
        self.touches: dict[str, int] = {}
        self.wrong: list[str] = []
        self.unseen: list[str] = []

    def touch(self, step: str, wish: EnrolChoose | EnrolOpen | EnrolSet) -> EnrolModel:
        self.touches[step] = self.touches.get(step, 0) + 1
        return self.steps.act(wish)

    def photograph(self, spread: Spread, keys: list[str]) -> list[str]:
        """Photograph cards; return those that were not found and must be laid again."""
        picture = spread.photograph(keys)
        self.touches["photograph"] = self.touches.get("photograph", 0) + 1
        model = self.steps.photograph(picture)
        found = []
        for outline in model.outlines:
            x, y = np.mean(outline.corners, axis=0) * (picture.shape[1], picture.shape[0])
            found.append(spread.key_at(x, y))
        self.keys[self.steps.enrolment.kind] += found
        return [key for key in keys if key not in found]

    def choose(self, step: str, choice: int) -> None:
        self.touch(step, EnrolChoose(self.steps.model.key, choice))

    def shown(self, number: int) -> dict[str, tuple[str, ...]]:
        """Return what is really printed on a card."""
        kind = self.steps.enrolment.kind
        return printing_of(self.steps.enrolment.layout_of(kind), self._cards.cards[self.keys[kind][number]])

    def answer(self) -> None:
        """Answer the question that is shown."""
        enrolment = self.steps.enrolment
        question = enrolment.question()
        titles = {choice.says: choice.number for choice in self.steps.model.choices}
        if question is not None:
            truth = self._glyph(question.glyph.card, question.glyph.field, question.glyph.number, question.place)
            if enrolment.layout.named(question.glyph.field).reads == "flag":
                self.choose("learn", titles["Yes" if truth else "No"])
            else:
                self.choose("learn", titles[_says(truth) if truth else NONE_OF_THESE])
            return
        number, field = enrolment.doubt() or (0, "")
        truth_values = self.shown(number)[field]
        read = enrolment.proposals(number)[field]
        if "Yes" in titles:
            self.choose("doubt", titles["Yes" if _same(field, read.values, truth_values) else "Put right"])
        else:
            place = read.sure.index(False)
            others = all(r == t for p, (r, t) in enumerate(zip(read.values, truth_values, strict=True)) if p != place)
            self.choose("doubt", titles[_says(truth_values[place])] if others else titles["Put right"])

    def _glyph(self, number: int, field: str, place: int, where: Any) -> str:
        shown = self.shown(number)
        if self.steps.enrolment.layout.named(field).reads == "marks":
            x, y = 100 * (where.x - _DISC[0]), 100 * (where.y - _DISC[1])
            for mark, (left, top) in zip(shown[field], _MARKS[len(shown[field])], strict=True):
                if np.hypot(left - x, top - y) < 2.5 and where.width < 0.25:
                    return mark
            return ""
        return shown[field][place] if place < len(shown[field]) else ""

    def look_through(self) -> None:
        """Compare each card of the page with what is printed, put right what differs, and confirm the page."""
        enrolment = self.steps.enrolment
        for card in self.steps.model.cards:
            shown, truth = enrolment.shown(card.card), self.shown(card.card)
            if any(not _same(field, shown[field], truth[field]) for field in shown):
                key = self.keys[enrolment.kind][card.card]
                self.wrong.append(key)
                self.unseen.append(key)
                self.touch("correct", EnrolOpen(self.steps.model.key, card.card))
                self.put_right()
        self.choose("page", 0)

    def put_right(self) -> None:
        """Correct the card that is open, value by value."""
        enrolment = self.steps.enrolment
        number = enrolment.opened
        if number is None:
            return
        for field, values in self.shown(number).items():
            read = list(enrolment.shown(number)[field])
            if enrolment.layout.named(field).reads in ("marks", "row") and not _same(field, tuple(read), values):
                for place in range(len(read) - 1, -1, -1) if enrolment.layout.named(field).reads == "row" else ():
                    self.touch("correct", EnrolSet(self.steps.model.key, field, place, read[place]))
                read = list(enrolment.shown(number)[field])
                for value in [value for value in read if read.count(value) > values.count(value)]:
                    place = list(enrolment.shown(number)[field]).index(value)
                    self.touch("correct", EnrolSet(self.steps.model.key, field, place, value))
                for value in values:
                    if list(enrolment.shown(number)[field]).count(value) < values.count(value):
                        self.touch("correct", EnrolSet(self.steps.model.key, field, ELSEWHERE, value))
            elif tuple(read) != values:
                for place, value in enumerate(values or ("",)):
                    if place >= len(read) or read[place] != value:
                        self.touch("correct", EnrolSet(self.steps.model.key, field, place, value))
        self.choose("correct", 0)


def enrol(cards: CardSet, kind: str, spread: Spread, person: Person) -> None:
    """Let a person enrol all cards of one kind, up to the last page."""
    waiting = list(cards.of_kind(kind))
    while waiting:
        laid, waiting = waiting[: spread.room], waiting[spread.room :]
        waiting += person.photograph(spread, laid)
    person.choose("photograph", 0)
    while person.steps.enrolment.kind == kind and person.steps.model.step != "finish":
        match person.steps.model.step:
            case "frame":
                person.choose("frame", 0)
            case "ask":
                person.answer()
            case "card":
                person.wrong.append(person.keys[kind][person.steps.enrolment.opened or 0])
                person.put_right()
            case _:
                person.look_through()


def _says(value: str) -> str:
    return value.replace("-", "\u2212").capitalize()


def _same(field: str, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return sorted(one) == sorted(other) if field == "symbols" else one == other


def measure(evenings: int = 6, fine: bool = False) -> dict[str, Any]:
    """Return the figures of an enrolment of all 150 tribe cards, and of the cards of other games.

    They are given for each simulated evening and in the worst case.
    """
    tribes = _measure(GAME, ("tribe",), evenings, FINE if fine else None)
    others = {game: _measure(game, (), max(1, evenings // 2), FINE) for game in OTHERS}
    return {**tribes, **others}


def _measure(game: str, kinds: tuple[str, ...], evenings: int, rig: Rig | None) -> dict[str, Any]:
    cards = proxy_set(game)
    seeds = range(1, evenings + 1)
    runs = [_run(cards, kinds, seed, rig) for seed in seeds]
    return {
        "cards": runs[0]["cards"],
        "evenings": evenings,
        **{f"evening_{seed}": run for seed, run in zip(seeds, runs, strict=True)},
        "most_touches": max(run["touches"] for run in runs),
        "wrong_values_accepted": sum(run["wrong_accepted"] for run in runs),
        "wrong_values_not_marked_doubtful": sum(run["wrong_not_marked"] for run in runs),
    }


def _run(cards: CardSet, kinds: tuple[str, ...], seed: int, rig: Rig | None) -> dict[str, Any]:
    """Enrol all cards of some kinds, of every kind that is printed on cards if none are named."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory(prefix="companion-enrol-") as scratch:
        enrolment = Enrolment(cards.game, Path(scratch) / "draft")
        person = Person(EnrolmentSteps(enrolment, cards.game, Path(scratch) / "set"), cards)
        spread = Spread(cards, seed, rig)
        began = time.process_time()
        kinds = kinds or tuple(enrolment.draft.kinds)
        for kind in kinds:
            enrol(cards, kind, spread, person)
        seconds = time.process_time() - began
        accepted = sum(
            not _is_right(person, kind, number, card) for kind in kinds for number, card in _kept(enrolment, kind)
        )
    return {
        "cards": sum(len(cards.of_kind(kind)) for kind in kinds),
        "touches": sum(person.touches.values()),
        **{f"touches_{name}": count for name, count in sorted(person.touches.items())},
        "wrong_proposals": len(person.wrong),
        "wrong_not_marked": len(person.unseen),
        "wrong_accepted": accepted,
        "seconds": round(seconds, 1),
    }


def _kept(enrolment: Enrolment, kind: str) -> Iterator[tuple[int, Mapping[str, tuple[str, ...]]]]:
    for number, card in enumerate(enrolment.draft.kinds[kind].cards):
        if not card.dropped:
            yield number, card.shown or {}


def _is_right(person: Person, kind: str, number: int, shown: Mapping[str, tuple[str, ...]]) -> bool:
    layout = person.steps.enrolment.layout_of(kind)
    truth = printing_of(layout, person._cards.cards[person.keys[kind][number]])
    return all(_same(field, shown.get(field, ("?",)), values) for field, values in truth.items())
