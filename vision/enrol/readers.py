"""The readers of a learner: each reads one printed field of all cards by the examples it was taught."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.enrol.glyphs import (
    Cells,
    Hit,
    Mark,
    colour_of,
    disc,
    find_marks,
    flag_cell,
    likeness,
    lone_marks,
    number_cell,
    overlaps,
    unexplained,
)
from vision.enrol.layout import Picture, Place, Printed
from vision.enrol.rows import Row, glyphs_in_row, likeness_in_row

NOTHING = ""
"""The answer of a person who sees none of the values."""


@dataclass(frozen=True)
class Glyph:
    """One glyph of one card: the `number`-th of its field; of marks, the number-th that lies alone."""

    field: str
    card: int
    number: int


@dataclass(frozen=True)
class Proposal:
    """What a field of a card shows: one value per place, or all marks. `sure` holds for each of `values`.

    A list that may lack something is not `complete`.
    """

    values: tuple[str, ...]
    sure: tuple[bool, ...]
    complete: bool = True

    @property
    def is_sure(self) -> bool:
        return self.complete and all(self.sure)


class Reader:
    """Reads one printed field of all cards."""

    covered, settled = 0.85, 0.78
    """How alike a glyph must be to a taught one to need no question of its own: at first, and once all are known."""
    most_asked = 120

    def __init__(self, printed: Printed) -> None:
        self.printed = printed
        self.taught: dict[Glyph, str] = {}
        self._wanted: tuple[tuple[int, int, frozenset[int] | None], Glyph | None] | None = None
        self._best: dict[Glyph, float] = {}
        self._compared: tuple[int, int] = (0, 0)

    @property
    def knows_all(self) -> bool:
        """Whether every value was shown once: only then is the most alike one surely the right one."""
        return set(self.printed.values) <= set(self.taught.values())

    def add(self, face: Picture) -> None:
        raise NotImplementedError

    def read(self, card: int) -> Proposal:
        raise NotImplementedError

    def glyphs(self) -> list[Glyph]:
        raise NotImplementedError

    def alike(self, glyphs: list[Glyph], examples: list[Glyph]) -> NDArray[np.float32]:
        raise NotImplementedError

    def place_of(self, glyph: Glyph) -> Place:
        return self.printed.places[glyph.number]

    def teach(self, glyph: Glyph, value: str) -> None:
        self.taught[glyph] = value

    def wanted(self, among: Collection[int] | None = None) -> Glyph | None:
        """Return the glyph that looks like most of those that are like none of the taught ones.

        :param among: the cards that bear this field, None if all do
        """
        state = (len(self.taught), len(self.glyphs()), None if among is None else frozenset(among))
        if self._wanted is None or self._wanted[0] != state:
            self._wanted = (state, self._most_wanted(among))
        return self._wanted[1]

    def _most_wanted(self, among: Collection[int] | None) -> Glyph | None:
        self._compare()
        enough = self.settled if self.knows_all else self.covered
        strange = [
            glyph
            for glyph, score in self._best.items()
            if score < enough and glyph not in self.taught and (among is None or glyph.card in among)
        ]
        if not strange:
            return None
        some = strange[:: max(1, -(-len(strange) // self.most_asked))]
        return some[int((self.alike(some, some) >= self.covered).sum(axis=1).argmax())]

    def _compare(self) -> None:
        """Bring up to date how alike each glyph's best example is; only what is new is compared."""
        seen, taught = self._compared
        glyphs, examples = self.glyphs(), list(self.taught)
        for group, among in ((glyphs[:seen], examples[taught:]), (glyphs[seen:], examples)):
            if group and among:
                for glyph, score in zip(group, self.alike(group, among).max(axis=1).tolist(), strict=True):
                    self._best[glyph] = max(self._best.get(glyph, -1.0), score)
            else:
                for glyph in group:
                    self._best.setdefault(glyph, -1.0)
        self._compared = (len(glyphs), len(examples))

    def ranked(self, glyph: Glyph) -> list[tuple[float, str]]:
        """Return the values by how alike their best example is, best first."""
        examples = list(self.taught)
        if not examples:
            return []
        scores = self.alike([glyph], examples)[0]
        best: dict[str, float] = {}
        for example, score in zip(examples, scores.tolist(), strict=True):
            value = self.taught[example]
            best[value] = max(best.get(value, -1.0), score)
        return sorted(((score, value) for value, score in best.items()), reverse=True)


class _Cells(Reader):
    """A reader whose glyphs are cells of one shape, compared by correlation."""

    def __init__(self, printed: Printed) -> None:
        super().__init__(printed)
        self._cells: dict[Glyph, Cells] = {}
        self._cards = 0

    def cell(self, face: Picture, place: Place) -> Cells:
        raise NotImplementedError

    def add(self, face: Picture) -> None:
        for number, place in enumerate(self.printed.places):
            self._cells[Glyph(self.printed.field, self._cards, number)] = self.cell(face, place)
        self._cards += 1

    def glyphs(self) -> list[Glyph]:
        return list(self._cells)

    def alike(self, glyphs: list[Glyph], examples: list[Glyph]) -> NDArray[np.float32]:
        return likeness(np.stack([self._cells[g] for g in glyphs]), np.stack([self._cells[e] for e in examples]))


class _Numbers(_Cells):
    """One glyph in each place."""

    covered = 0.92
    """Digits that nobody has shown look up to 0.92 like others, such as 8 like 6; the same digit 0.95 at least."""
    least, least_of_some, margin = 0.78, 0.93, 0.12

    def cell(self, face: Picture, place: Place) -> Cells:
        return number_cell(face, place)

    def read(self, card: int) -> Proposal:
        values, sure = [], []
        for number in range(len(self.printed.places)):
            glyph = Glyph(self.printed.field, card, number)
            if glyph in self.taught and self.taught[glyph] != NOTHING:
                values.append(self.taught[glyph])
                sure.append(True)
                continue
            ranked = [(score, value) for score, value in self.ranked(glyph) if value != NOTHING]
            best, rival = [*ranked, (0.0, self.printed.values[0]), (0.0, "")][:2]
            values.append(best[1])
            least = self.least if self.knows_all else self.least_of_some
            sure.append(bool(ranked) and best[0] >= least and best[0] - rival[0] >= self.margin)
        return Proposal(tuple(values), tuple(sure))


class _Flag(_Cells):
    """A glyph that is there or not: what does not look like the one example is not there."""

    covered = settled = 0.6
    there, absent = 0.66, 0.6

    def cell(self, face: Picture, place: Place) -> Cells:
        return flag_cell(face, place)

    def _most_wanted(self, among: Collection[int] | None) -> Glyph | None:
        # Once one was seen, the others are told by it alone; what lies round it need not be known.
        return None if self.printed.values[0] in self.taught.values() else super()._most_wanted(among)

    def read(self, card: int) -> Proposal:
        glyph = Glyph(self.printed.field, card, 0)
        value = self.printed.values[0]
        if glyph in self.taught:
            return Proposal((value,) if self.taught[glyph] == value else (), (True,) * (self.taught[glyph] == value))
        scores = {name: score for score, name in self.ranked(glyph)}
        here, elsewhere = scores.get(value, -1.0), scores.get(NOTHING, -1.0)
        if here >= self.there:
            return Proposal((value,), (here > elsewhere,))
        learned = value in self.taught.values() or elsewhere >= self.there
        return Proposal((), (), complete=learned and here < self.absent)


class _Colour(Reader):
    """The usual colour of a place; distances are in Lab units."""

    covered, settled = 1 - 7 / 20, 1 - 12 / 20
    far, far_of_some, ratio = 12.0, 7.0, 0.7

    def __init__(self, printed: Printed) -> None:
        super().__init__(printed)
        self._colours: list[Cells] = []

    def add(self, face: Picture) -> None:
        self._colours.append(colour_of(face, self.printed.places[0]))

    def glyphs(self) -> list[Glyph]:
        return [Glyph(self.printed.field, card, 0) for card in range(len(self._colours))]

    def alike(self, glyphs: list[Glyph], examples: list[Glyph]) -> NDArray[np.float32]:
        seen = np.stack([self._colours[glyph.card] for glyph in glyphs])
        known = np.stack([self._colours[glyph.card] for glyph in examples])
        apart = np.linalg.norm(seen[:, None] - known[None], axis=2)
        return np.asarray(1 - apart / 20, np.float32)

    def read(self, card: int) -> Proposal:
        glyph = Glyph(self.printed.field, card, 0)
        if self.taught.get(glyph, NOTHING) != NOTHING:
            return Proposal((self.taught[glyph],), (True,))
        ranked = [(20 * (1 - score), value) for score, value in self.ranked(glyph) if value != NOTHING]
        if not ranked:
            return Proposal((self.printed.values[0],), (False,))
        best, rival = [*ranked, (100.0, "")][:2]
        far = self.far if self.knows_all else self.far_of_some
        return Proposal((best[1],), (best[0] < far and best[0] < self.ratio * rival[0],))


class _Row(Reader):
    """Glyphs beside each other, told by their colours and by the shape in their middle."""

    covered, settled = 0.945, 0.9
    """The same digit on two cards looks 0.95 alike at least, a 5 and a 6 up to 0.94."""
    least, least_of_some, margin = 0.9, 0.945, 0.025

    def __init__(self, printed: Printed) -> None:
        super().__init__(printed)
        self._rows: list[Row] = []

    def add(self, face: Picture) -> None:
        self._rows.append(glyphs_in_row(face, self.printed.places[0]))

    def glyphs(self) -> list[Glyph]:
        return [
            Glyph(self.printed.field, card, number)
            for card, row in enumerate(self._rows)
            for number in range(len(row.glyphs))
        ]

    def alike(self, glyphs: list[Glyph], examples: list[Glyph]) -> NDArray[np.float32]:
        ones, others = ([self._rows[each.card].glyphs[each.number] for each in some] for some in (glyphs, examples))
        return likeness_in_row(ones, others)

    def place_of(self, glyph: Glyph) -> Place:
        return self._rows[glyph.card].glyphs[glyph.number].place

    def read(self, card: int) -> Proposal:
        row = self._rows[card]
        values, sure = [], []
        for number in range(len(row.glyphs)):
            glyph = Glyph(self.printed.field, card, number)
            ranked = [(score, value) for score, value in self.ranked(glyph) if value != NOTHING]
            if self.taught.get(glyph, NOTHING) != NOTHING:
                ranked = [(2.0, self.taught[glyph])]
            best, rival = [*ranked, (0.0, self.printed.values[0]), (0.0, "")][:2]
            values.append(best[1])
            least = self.least if self.knows_all else self.least_of_some
            sure.append(best[0] >= least and best[0] - rival[0] >= self.margin)
        return Proposal(tuple(values), tuple(sure), complete=row.is_neat)


class _Marks(Reader):
    """Round glyphs anywhere in one place; they are learned where one lies alone, and found wherever they lie."""

    covered, settled = 0.92, 0.75
    least, least_of_some, perhaps, margin, unexplained = 0.75, 0.92, 0.68, 0.05, 0.012

    def __init__(self, printed: Printed) -> None:
        super().__init__(printed)
        self._discs: list[Cells] = []
        self._lone: dict[Glyph, Mark] = {}
        self._found: dict[int, Proposal] = {}

    def add(self, face: Picture) -> None:
        card = len(self._discs)
        view = disc(face, self.printed.places[0])
        self._discs.append(view)
        for number, mark in enumerate(lone_marks(view)):
            self._lone[Glyph(self.printed.field, card, number)] = mark

    def glyphs(self) -> list[Glyph]:
        return list(self._lone)

    def alike(self, glyphs: list[Glyph], examples: list[Glyph]) -> NDArray[np.float32]:
        cells = np.stack([self._lone[glyph].cell for glyph in glyphs])
        return likeness(cells, np.stack([self._lone[example].cell for example in examples]))

    def place_of(self, glyph: Glyph) -> Place:
        mark, place = self._lone[glyph], self.printed.places[0]
        share = 2.3 * mark.radius / self._discs[0].shape[0]
        x = place.x + (mark.x / self._discs[0].shape[1] - 0.5) * place.width
        y = place.y + (mark.y / self._discs[0].shape[0] - 0.5) * place.height
        return Place(x, y, share * place.width, share * place.height)

    def teach(self, glyph: Glyph, value: str) -> None:
        super().teach(glyph, value)
        self._found.clear()

    def read(self, card: int) -> Proposal:
        if card not in self._found:
            self._found[card] = self._search(card)
        return self._found[card]

    def _search(self, card: int) -> Proposal:
        examples: dict[str, list[Mark]] = {}
        for glyph, value in self.taught.items():
            examples.setdefault(value, []).append(self._lone[glyph])
        hits = find_marks(self._discs[card], examples)
        kept = list(_best_of(hits))
        marks = [hit for hit in kept if hit.name != NOTHING and hit.score >= self.least]
        doubtful = [hit for hit in kept if self.perhaps <= hit.score < self.least and hit.name != NOTHING]
        doubtful = [hit for hit in doubtful if not any(_lies_in(hit, mark) for mark in marks)]
        marks.sort(key=lambda hit: (round(hit.y / 12), hit.x))
        left = unexplained(self._discs[card], [hit for hit in kept if hit.score >= self.perhaps])
        least = self.least if self.knows_all else self.least_of_some
        sure = tuple(hit.score >= least and hit.score - _rival(hit, hits) >= self.margin for hit in marks)
        return Proposal(tuple(hit.name for hit in marks), sure, not doubtful and left < self.unexplained)


READERS: Mapping[str, type[Reader]] = {
    "numbers": _Numbers,
    "sign": _Numbers,
    "row": _Row,
    "flag": _Flag,
    "colour": _Colour,
    "marks": _Marks,
}


def _best_of(hits: list[Hit]) -> Iterator[Hit]:
    kept: list[Hit] = []
    for hit in hits:
        if not any(overlaps(hit, one) for one in kept):
            kept.append(hit)
            yield hit


def _lies_in(hit: Hit, mark: Hit) -> bool:
    """Say whether a small mark is only a part of a large one."""
    return float(np.hypot(hit.x - mark.x, hit.y - mark.y)) < 1.3 * mark.radius and hit.radius < 0.75 * mark.radius


def _rival(hit: Hit, hits: list[Hit]) -> float:
    """Return the score of the best other value at the same place."""
    others = (other.score for other in hits if other.name != hit.name and overlaps(hit, other))
    return max(others, default=-1.0)
