"""Reading the values of a new card by the cards of a set that are enrolled already."""

from __future__ import annotations

from collections import Counter

from companion.desk.enrol_values import printing_of
from companion.sets.owner import PROXIES, CardSet
from vision.enrol.layout import FILE as LAYOUT_FILE
from vision.enrol.layout import Layout, LayoutError, read_layouts
from vision.enrol.learner import Learner
from vision.enrol.readers import NOTHING, Glyph
from vision.picture import PictureError, read_picture

EXAMPLES = 2
"""So many cards show each value."""


def layouts_of(cards: CardSet) -> dict[str, Layout]:
    """Return where the values are printed on the cards of a set: as its folder says, else as on our own drawings."""
    places = [PROXIES / cards.game] if cards.folder is None else [cards.folder, PROXIES / cards.game]
    for folder in places:
        if (folder / LAYOUT_FILE).is_file():
            try:
                return read_layouts(folder / LAYOUT_FILE)
            except LayoutError:
                continue
    return {}


def learner_of(cards: CardSet, kind: str, layout: Layout) -> Learner:
    """Return a learner that was taught by photographed cards of a set, as many as show every value."""
    learner = Learner(layout)
    shown_often: Counter[tuple[str, str]] = Counter()
    for key, fields in cards.of_kind(kind).items():
        picture = cards.pictures[key]
        shown = printing_of(layout, fields)
        fresh = [(field, value) for field, values in shown.items() for value in values]
        if picture is None or all(shown_often[each] >= EXAMPLES for each in fresh):
            continue
        try:
            number = learner.add(read_picture(picture))
        except PictureError:
            continue
        shown_often.update(_teach(learner, layout, number, shown))
    return learner


def _teach(learner: Learner, layout: Layout, number: int, shown: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Teach what one card shows, and return what was taught; of marks only what lies alone."""
    taught: list[tuple[str, str]] = []
    for printed in layout.printed:
        values = shown[printed.field]
        if not printed.is_on(shown):
            continue
        if printed.reads == "marks":
            if len(values) != 1 or learner.lone(printed.field, number) != 1:
                continue
        elif printed.reads == "row":
            if learner.lone(printed.field, number) != len(values):
                continue
        elif printed.reads == "flag":
            values = values or (NOTHING,)
        for place, value in enumerate(values):
            learner.teach(Glyph(printed.field, number, place), value)
            taught.append((printed.field, value))
    return taught
