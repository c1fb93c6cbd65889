"""What lies on tables beside dice and is none: cards with pictures, words and spots, hands, coins, stones, buttons.

All drawn from a seed. The networks learn from these that round and square things, and rows of letters,
are no dice; a picture of them alone has no die in it.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.grounds import any_colour, smooth_noise

Face = NDArray[np.uint8]
Ground = NDArray[np.float32]
Chance = np.random.Generator

_SKIN = ((70, 150), (105, 185), (160, 240))
_SYLLABLES = ("an", "ber", "cor", "da", "el", "for", "gi", "hum", "ing", "jo", "ki", "lu", "mo", "nes", "or", "pit",
              "qua", "ren", "so", "the", "un", "vi", "we", "xi", "yo", "zu", "1", "23", "+4", "6:", "X")  # fmt: skip
_COURTS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((0, -1), (0, 1)),
    3: ((0, -1), (0, 0), (0, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    7: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5)),
    8: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5), (0, 0.5)),
    9: (*((x, y) for x in (-1, 1) for y in (-1, -0.34, 0.34, 1)), (0, 0)),
    10: (*((x, y) for x in (-1, 1) for y in (-1, -0.34, 0.34, 1)), (0, -0.67), (0, 0.67)),
}


def strew(picture: Ground, chance: Chance, count: int) -> None:
    """Lay so many cards, hands and small things on `picture`, in place."""
    side = picture.shape[0]
    for _ in range(count):
        kind = chance.random()
        if kind < 0.62:
            width = side * float(np.exp(chance.uniform(np.log(0.12), np.log(1.6))))
            _lay_card(picture, card_face(chance), width, chance)
        elif kind < 0.74:
            _hand(picture, chance)
        else:
            _round(picture, chance)


def card_face(chance: Chance) -> Face:
    """Draw a card: one with a picture and a text, a playing card, one with large signs, a page of words."""
    kinds: tuple[tuple[Callable[[Chance], Face], float], ...] = (
        (_illustrated, 0.5),
        (_playing, 0.2),
        (_signs, 0.12),
        (_page, 0.18),
    )
    weights = np.array([weight for _, weight in kinds])
    return kinds[int(chance.choice(len(kinds), p=weights / weights.sum()))][0](chance)


def _illustrated(chance: Chance) -> Face:
    high, wide = 336, 240
    face = np.empty((high, wide, 3), np.uint8)
    face[:] = _colour(chance, 0.2) if chance.random() < 0.6 else _colour(chance)
    rim = int(chance.integers(4, 14))
    face[rim:-rim, rim:-rim] = (
        _art(high - 2 * rim, wide - 2 * rim, chance) if chance.random() < 0.5 else _colour(chance)
    )
    title = 12 + rim + int(chance.integers(8, 16))
    split = int(chance.integers(150, 230))
    pale, ink = _pale(chance), _ink(chance)
    face[title + 4 : split, rim + 8 : -rim - 8] = _art(split - title - 4, wide - 2 * rim - 16, chance)
    for top, bottom in ((rim + 4, title), (split + 2, split + 20), (split + 24, high - rim - 10)):
        if chance.random() < 0.85:
            box = face[top:bottom, rim + 6 : -rim - 6]
            box[:] = (0.15 * box + 0.85 * np.array(pale)).astype(np.uint8)
            cv2.rectangle(face, (rim + 6, top), (wide - rim - 7, bottom), _colour(chance), int(chance.integers(1, 4)))
    _words(face, (rim + 10, title - 5), wide - 2 * rim - 40, 1, chance.uniform(13, 20), ink, chance)
    _words(face, (rim + 10, split + 16), wide - 2 * rim - 40, 1, chance.uniform(11, 16), ink, chance)
    size = chance.uniform(10, 20)
    _words(face, (rim + 12, split + 40), wide - 2 * rim - 26, int((high - rim - split - 34) / size), size, ink, chance)
    for _ in range(int(chance.integers(0, 5))):  # cost, strength, stars
        at = (int(chance.choice((rim + 18, wide - rim - 18))), int(chance.choice((rim + 16, split, high - rim - 18))))
        cv2.circle(face, at, int(chance.integers(7, 16)), _colour(chance), -1, cv2.LINE_AA)
        if chance.random() < 0.7:
            _write(face, str(int(chance.integers(0, 20))), (at[0] - 5, at[1] + 6), 15, ink, chance)
    return face


def _playing(chance: Chance) -> Face:
    face = np.full((336, 240, 3), chance.uniform(225, 255), np.uint8)
    ink = (25, 25, 25) if chance.random() < 0.5 else (30, 25, int(chance.integers(150, 230)))
    which = int(chance.integers(13))
    suit = int(chance.integers(4))
    if which < 10:
        size = 22.0 if which else chance.uniform(30, 70)
        for x, y in _SPOTS[which + 1]:
            _suit(face, suit, 120 + 46 * x, 168 + 100 * y, size, ink, y > 0.1)
    else:
        face[40:296, 45:195] = _art(256, 150, chance)
    for x, y in ((20, 36), (220, 300)):
        _write(face, _COURTS[which], (x - 12, y), 34, ink, chance)
        _suit(face, suit, x, y + (26 if y < 100 else -46), 10, ink, y > 100)
    return face


def _suit(face: Face, suit: int, x: float, y: float, size: float, ink: tuple[int, int, int], upside: bool) -> None:
    flip = -1.0 if upside else 1.0

    def disc(dx: float, dy: float, radius: float) -> None:
        at = (int(16 * (x + dx * size)), int(16 * (y + flip * dy * size)))
        cv2.circle(face, at, int(16 * radius * size), ink, -1, cv2.LINE_AA, shift=4)

    def shape(*points: tuple[float, float]) -> None:
        corners = np.array([(x + a * size, y + flip * b * size) for a, b in points])
        cv2.fillPoly(face, [np.round(16 * corners).astype(np.int32)], ink, cv2.LINE_AA, shift=4)

    if suit == 0:
        shape((0, -1), (0.75, 0), (0, 1), (-0.75, 0))
    elif suit == 1:
        disc(-0.42, -0.3, 0.45)
        disc(0.42, -0.3, 0.45)
        shape((-0.84, -0.12), (0.84, -0.12), (0, 1))
    elif suit == 2:
        disc(-0.42, 0.2, 0.42)
        disc(0.42, 0.2, 0.42)
        shape((-0.8, 0.05), (0.8, 0.05), (0, -1))
        shape((0, 0.2), (0.3, 1), (-0.3, 1))
    else:
        disc(0, -0.45, 0.42)
        disc(-0.48, 0.2, 0.42)
        disc(0.48, 0.2, 0.42)
        shape((0, 0), (0.3, 1), (-0.3, 1))


def _signs(chance: Chance) -> Face:
    face = np.full((336, 240, 3), chance.uniform(205, 255), np.uint8)
    ink, count = _colour(chance, 0.9), int(chance.integers(1, 4))
    kind, hollow = int(chance.integers(3)), 4 if chance.random() < 0.5 else -1
    for k in range(count):
        middle = (120, 168 + int(84 * (k - (count - 1) / 2)))
        if kind == 0:
            cv2.ellipse(face, middle, (74, 30), 0, 0, 360, ink, hollow, cv2.LINE_AA)
        elif kind == 1:
            points = np.array([(-74, 0), (0, -32), (74, 0), (0, 32)]) + middle
            cv2.polylines(face, [points], True, ink, 4, cv2.LINE_AA)
            if hollow < 0:
                cv2.fillPoly(face, [points], ink, cv2.LINE_AA)
        else:
            cv2.circle(face, middle, 34, ink, hollow, cv2.LINE_AA)
    return face


def _page(chance: Chance) -> Face:
    face = np.empty((336, 240, 3), np.uint8)
    face[:] = _pale(chance)
    size = chance.uniform(9, 34)
    _words(face, (8, int(size) + 6), 224, int(320 / (1.25 * size)), size, _ink(chance), chance)
    return face


def _art(high: int, wide: int, chance: Chance) -> Face:
    """Paint a picture: soft hues, shapes over one another, strokes, sometimes a sun."""
    side = max(high, wide)
    low, far = np.array(_colour(chance)), np.array(_colour(chance))
    mix = np.clip(0.5 + 0.35 * smooth_noise(side, side / chance.uniform(2, 8), chance, chance.uniform(1, 3)), 0, 1)
    art = np.clip(low * (1 - mix[..., None]) + far * mix[..., None], 0, 255).astype(np.uint8)
    for _ in range(int(chance.integers(4, 30))):
        x, y = (int(v) for v in chance.uniform(0, side, 2))
        reach, colour = int(chance.uniform(0.02, 0.25) * side), _colour(chance)
        kind = chance.random()
        if kind < 0.4:
            axes = (max(1, reach), max(1, int(reach * chance.uniform(0.2, 1))))
            cv2.ellipse(art, (x, y), axes, chance.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
        elif kind < 0.75:
            points = chance.uniform(-1, 1, (int(chance.integers(3, 7)), 2)) * max(2, reach) + (x, y)
            cv2.fillPoly(art, [points.astype(np.int32)], colour, cv2.LINE_AA)
        else:
            points = np.cumsum(chance.normal(0, max(2, reach / 2), (5, 2)), axis=0) + np.array((x, y))
            cv2.polylines(art, [points.astype(np.int32)], False, colour, int(chance.integers(1, 7)), cv2.LINE_AA)
    if chance.random() < 0.25:
        at, reach = (int(side * chance.uniform(0.2, 0.8)), int(side * chance.uniform(0.2, 0.8))), int(side * 0.15)
        cv2.circle(art, at, reach, _pale(chance), -1, cv2.LINE_AA)
        cv2.circle(art, at, int(reach * chance.uniform(0.3, 0.8)), _colour(chance), -1, cv2.LINE_AA)
    art = np.clip(art + 14 * smooth_noise(side, chance.uniform(2, 6), chance)[..., None], 0, 255).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(art, (0, 0), chance.uniform(0.4, 2.5))[:high, :wide], np.uint8)


def _words(
    face: Face, start: tuple[int, int], wide: int, lines: int, size: float, ink: tuple[int, int, int], chance: Chance
) -> None:
    style = chance.integers(1 << 30)
    for k in range(lines):
        line, room = "", wide * chance.uniform(0.4, 1.05) / (0.5 * size)
        while len(line) < room:
            line += str(chance.choice(_SYLLABLES)) + (" " if chance.random() < 0.4 else "")
        line = line[: int(room)].capitalize()
        _write(face, line, (start[0], start[1] + int(1.25 * size * k)), size, ink, np.random.default_rng(style))


def _write(face: Face, text: str, at: tuple[int, int], size: float, ink: tuple[int, int, int], chance: Chance) -> None:
    font = int(chance.choice((0, 2, 3, 3, 4, 4, 6, 7)))
    slanted = cv2.FONT_ITALIC if chance.random() < 0.2 else 0
    cv2.putText(face, text, at, font | slanted, size / 30, ink, 1 + int(size / chance.uniform(11, 24)), cv2.LINE_AA)


def _lay_card(picture: Ground, face: Face, width: float, chance: Chance) -> None:
    """Lay a card somewhere at any turn, a little in perspective, perhaps behind a shiny sleeve."""
    high, wide = face.shape[:2]
    side = picture.shape[0]
    if width < 0.7 * wide:
        size = (max(8, round(width)), max(8, round(width * high / wide)))
        face = np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)
        high, wide = face.shape[:2]
    half = np.array((width, width * high / wide)) / 2
    angle = chance.uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ np.array([(c, s), (-s, c)])
    square[:, 1] *= chance.uniform(0.6, 1.0)
    corners = square + chance.uniform(-0.05, 1.05, 2) * side + chance.uniform(-0.03, 0.03, (4, 2)) * width
    outline = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(outline, corners.astype(np.float32))
    shadow = np.ones((side, side), np.float32)
    cv2.fillConvexPoly(shadow, (corners + chance.uniform(-4, 4, 2)).astype(np.int32), float(chance.uniform(0.5, 0.95)))
    picture *= cv2.GaussianBlur(shadow, (0, 0), chance.uniform(0.6, 3))[..., None]
    seen = face.astype(np.float32) * np.float32(chance.uniform(0.6, 1.05))
    cv2.warpPerspective(seen, matrix, (side, side), picture, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    if chance.random() < 0.25:
        gleam = np.zeros((side, side), np.float32)
        one, other = corners[::2].astype(int).tolist()
        cv2.line(gleam, one, other, 1.0, max(2, int(0.2 * width)))
        picture += chance.uniform(20, 130) * cv2.GaussianBlur(gleam, (0, 0), max(1.0, 0.05 * width))[..., None]


def _hand(picture: Ground, chance: Chance) -> None:
    """Reach in from the rim with one to four fingers, each with a nail."""
    side = picture.shape[0]
    skin = np.array([chance.uniform(low, high) for low, high in _SKIN]) * chance.uniform(0.45, 1.0)
    thick = side * chance.uniform(0.05, 0.25)
    angle = chance.uniform(0, 2 * np.pi)
    along, across = np.array((np.cos(angle), np.sin(angle))), np.array((-np.sin(angle), np.cos(angle)))
    tip = chance.uniform(0.2, 0.8, 2) * side
    for k in range(int(chance.integers(1, 5))):
        end = tip + across * 1.05 * thick * k + along * chance.uniform(-0.4, 0.4) * thick
        tone = skin * chance.uniform(0.9, 1.1)
        ends = (end + along * 1.5 * side, end)
        points = [(int(p[0]), int(p[1])) for p in ends]
        cv2.line(picture, points[0], points[1], (0.75 * tone).tolist(), int(thick), cv2.LINE_AA)
        cv2.line(picture, points[0], points[1], tone.tolist(), max(1, int(0.85 * thick)), cv2.LINE_AA)
        nail = end - along * 0.12 * thick
        axes = (max(1, int(0.3 * thick)), max(1, int(0.24 * thick)))
        cv2.ellipse(picture, (int(nail[0]), int(nail[1])), axes, float(np.degrees(angle)), 0, 360,
                    np.clip(tone * 1.12 + 12, 0, 255).tolist(), -1, cv2.LINE_AA)  # fmt: skip


def _round(picture: Ground, chance: Chance) -> None:
    """Lay a coin, a draughtsman, a glass stone, a button, a block, a lens."""
    side = picture.shape[0]
    at = tuple(int(v) for v in chance.uniform(0, side, 2))
    reach = float(np.exp(chance.uniform(np.log(0.02), np.log(0.2)))) * side
    body, other = np.array(_colour(chance)), _colour(chance)
    kind = chance.random()
    box = cv2.boxPoints(((float(at[0]), float(at[1])), (2 * reach, 2 * reach * chance.uniform(0.5, 1)),
                         chance.uniform(0, 90))).astype(np.int32)  # fmt: skip
    if kind < 0.25:  # a block, flat or with a lighter side, bare
        cv2.fillConvexPoly(picture, box + int(0.3 * reach), (0.55 * body).tolist(), cv2.LINE_AA)
        cv2.fillConvexPoly(picture, box, body.tolist(), cv2.LINE_AA)
        return
    cv2.circle(picture, at, int(1.06 * reach), (0.4 * body).tolist(), -1, cv2.LINE_AA)
    cv2.circle(picture, at, int(reach), body.tolist(), -1, cv2.LINE_AA)
    if kind < 0.5:  # rings of a coin or draughtsman
        for _ in range(int(chance.integers(1, 4))):
            ring = int(reach * chance.uniform(0.3, 0.95))
            cv2.circle(picture, at, ring, (body * chance.uniform(0.5, 1.4)).tolist(), 1 + int(reach / 12), cv2.LINE_AA)
    elif kind < 0.7:  # a stone or marble with the lamp in it
        for share in np.linspace(0.9, 0.1, 6):
            shift = int(0.35 * reach * (1 - share))
            tone = np.clip(body * (1 + 0.5 * (1 - share)), 0, 255).tolist()
            cv2.circle(picture, (at[0] - shift, at[1] - shift), max(1, int(share * reach)), tone, -1, cv2.LINE_AA)
        glint = (at[0] - int(0.4 * reach), at[1] - int(0.4 * reach))
        cv2.circle(picture, glint, max(1, int(0.15 * reach)), (250.0, 250.0, 250.0), -1, cv2.LINE_AA)
    elif kind < 0.85:  # a button
        for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1))[: int(chance.choice((2, 4)))]:
            hole = (at[0] + int(0.24 * reach * x), at[1] + int(0.24 * reach * y))
            cv2.circle(picture, hole, max(1, int(0.11 * reach)), other, -1, cv2.LINE_AA)
    else:
        cv2.circle(picture, at, max(1, int(reach * chance.uniform(0.2, 0.7))), other, -1, cv2.LINE_AA)


def _colour(chance: Chance, vivid: float = 0.6) -> tuple[int, int, int]:
    blue, green, red = (int(v) for v in any_colour(chance, vivid))
    return blue, green, red


def _pale(chance: Chance) -> tuple[int, int, int]:
    blue, green, red = (int(v) for v in chance.uniform(150, 250) * chance.uniform(0.8, 1.0, 3))
    return blue, green, red


def _ink(chance: Chance) -> tuple[int, int, int]:
    if chance.random() < 0.15:
        return _pale(chance)
    blue, green, red = (int(v) for v in chance.uniform(0, 70, 3))
    return blue, green, red
