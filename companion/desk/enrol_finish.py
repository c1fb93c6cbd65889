"""The end of an enrolment: what was found out about the whole set, and the set itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.desk.enrol_values import counted, fields_of, group_of, is_single, missing
from companion.desk.enrolment import Enrolment
from companion.sets.owner import CardSet
from companion.sets.publish import format_set, write_set
from vision.deck import Deck
from vision.enrol.layout import FILE as LAYOUT_FILE
from vision.enrol.layout import Picture, format_layouts

EDITION = "the owner's own cards"


class Named(msgspec.Struct, frozen=True):
    """A card with the key and the fields it will have in the set, and the file of its face."""

    key: str
    kind: str
    file: str
    fields: dict[str, Any]


class Findings(msgspec.Struct, frozen=True):
    """What was found out: all cards, the counts, and pairs of cards by key that may be taken for one another.

    `twice` are pairs of the same values that nothing tells apart: perhaps one card that was photographed twice.
    """

    cards: tuple[Named, ...]
    counts: tuple[tuple[str, int, int], ...]
    missing: tuple[str, ...]
    twice: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]

    def card(self, key: str) -> Named:
        return next(card for card in self.cards if card.key == key)


def look_through(enrolment: Enrolment) -> Findings:
    """Return what was found out about the cards whose values are confirmed; takes some seconds for a whole set.

    :raises vision.deck.DeckError: if a face cannot be enrolled.
    """
    cards = tuple(_named(enrolment))
    counts: list[tuple[str, int, int]] = []
    for kind in enrolment.form:
        counts += counted(enrolment.form, kind, [card.fields for card in cards if card.kind == kind])
    deck = Deck.from_faces(_Faces(enrolment, cards))
    by_key = {card.key: card for card in cards}
    twice, alike = [], []
    for pair in deck.lookalikes:
        first, second = by_key[pair.first], by_key[pair.second]
        same = first.kind == second.kind and first.fields == second.fields and pair.turn == 0
        if same and (first.file, second.file) not in enrolment.draft.apart:
            twice.append((first.key, second.key))
        elif pair.twins:
            alike.append(f"{pair.first} and {pair.second} cannot be told apart; the companion will ask which it is")
        else:
            alike.append(f"{pair.first} and {pair.second} differ in one place only; keep glare off them")
    turned = [
        f"{each.label} looks the same turned by {each.degrees} degrees; the companion will ask how it lies"
        for each in deck.symmetric
        if each.exact
    ]
    return Findings(cards, tuple(counts), tuple(missing(counts)), tuple(twice), (*alike, *turned))


class _Faces(Mapping[str, Picture]):
    """The faces by key, read one at a time: all together they would fill the memory of a Pi."""

    def __init__(self, enrolment: Enrolment, cards: tuple[Named, ...]) -> None:
        self._enrolment = enrolment
        self._files = {card.key: card.file for card in cards}

    def __getitem__(self, key: str) -> Picture:
        return self._enrolment.face_of(self._files[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def _named(enrolment: Enrolment) -> list[Named]:
    named: list[Named] = []
    for kind, work in enrolment.draft.kinds.items():
        layout = enrolment.layout_of(kind)
        groups: Counter[str] = Counter()
        for card in work.cards:
            if card.dropped or card.shown is None:
                continue
            fields = fields_of(layout, enrolment.form[kind], card.shown)
            group = group_of(kind, layout, fields)
            groups[group] += 1
            single = groups[group] == 1 and is_single(enrolment.form[kind], fields)
            key = group if single else f"{group}-{groups[group]:02d}"
            named.append(Named(key, kind, card.file, _with_defaults(enrolment, kind, fields)))
    return named


def _with_defaults(enrolment: Enrolment, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    wanted = enrolment.form[kind].fields
    return {name: fields.get(name, field.default) for name, field in wanted.items()}


def save_set(enrolment: Enrolment, findings: Findings, folder: Path, label: str) -> CardSet:
    """Write the owner's set; the draft stays until the caller clears it. Missing cards are learned in play.

    :raises companion.sets.owner.SetError: if it does not fit its game, or the disk does not take it.
    """
    text = format_set(
        label,
        enrolment.game,
        EDITION,
        {card.key: card.fields for card in findings.cards},
        {card.key: card.kind for card in findings.cards},
        complete=not findings.missing,
    )
    layouts = {kind: enrolment.layout_of(kind) for kind in enrolment.draft.kinds}
    files: dict[str, Path | bytes] = {f"{card.key}.jpg": enrolment.file_of(card.file) for card in findings.cards}
    files[LAYOUT_FILE] = format_layouts(layouts).encode()
    return write_set(folder, text, files)
