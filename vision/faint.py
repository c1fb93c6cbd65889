"""Outlines of cards that hardly stand out from the table, such as white ones on white.

No threshold closes such an outline, but pieces of its sides are straight lines (LSD: Grompone von Gioi
et al., IPOL 2012), and two of them that meet at a corner say where the others must be. There the slope is
summed up along the whole side, which brings out an edge that at no single pixel stands out of the noise.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import EdgeField
from vision.geometry import area, is_upright_quad, overlap, within
from vision.outline import distinct

Array = NDArray[np.float64]

SMOOTH = 4.5
"""Slope of the picture at large up to which faint edges can be told from texture."""

_LINES, _JOINS = 160, 80
_SHORTEST = 0.025
_QUANTISED, _LINE_SCALE = 0.7, 0.6
_BESIDE, _BREAK = 3.0, 0.6
"""Pixels, and share of their length, by which two pieces of one side may lie apart."""

_GAP, _OVERSHOOT = 0.35, 0.12
"""How far a corner may lie beyond the end of a line, or before it, as a share of its length."""

_SQUARENESS = 0.64
"""Cosine of the angle at a corner, at most: perspective makes 50 to 130 degrees of a right angle."""

_SMALLEST, _LARGEST, _PART = 0.006, 0.4, 0.25
"""Area of a card as a share of the picture, and of a card the area that the lines of one corner must span."""

_RATIOS = (0.1, 0.9)
_LOOKS = 40
_DOUBLE, _REACH = 400, 0.9
"""Pairs of opposite corners that are tried, and how far the logarithm of an arm may be from where it ends."""

_SHIFTS = np.arange(-6.0, 7.0, 2.0)
_COARSE_SHIFTS, _BESIDE_IT, _ONE_BESIDE = np.arange(-8, 9, 2), np.arange(-2, 3), np.arange(-1, 2)
_SAME = 0.25
_UNLIKE = 8.0
_CORNERS, _ONE_CORNER = 240, 8.0
"""Corners that are tried, those that meet best first; pixels within which two of them are one."""

_MEAN, _WEAKEST, _SECOND = 1.2, 0.3, 0.4
"""Slopes that all sides on average, the weakest and the second weakest must have, as shares of the noise."""

_BEFORE = np.linspace(-0.3, -0.06, 20)
_GOES_ON, _MOST_GO_ON = 0.5, 3
"""Places beyond the corner, as shares of the side; the edges of a card end there, those of a plank, of a sheet
and of the table go on. Neighbours that lie in line may make it go on at some."""

_LEAST_NOISE = 1.0


def find_lines(grey: NDArray[np.uint8], explained: list[Array]) -> Array:
    """Return straight edges (n, 2, 2), the ends of each, of a grey picture, not those of quads `explained` (4, 2)."""
    grown = [_grown(quad) for quad in explained]
    return lines_outside(_segments(_emptied(grey, grown)), grown)


def lines_outside(lines: Array, explained: list[Array]) -> Array:
    """Return those of the lines (n, 2, 2) that are not in or along one of the quads `explained` (4, 2)."""
    for quad in explained:
        lines = lines[~within(_grown(quad), lines.mean(axis=1))]
    return lines


def find_corners(lines: Array, whole: float) -> tuple[Array, Array, Array]:
    """Return where two lines meet (n, 2), and from there their far ends (n, 2) each, in clockwise order.

    `whole` is the area of the picture: sides of things that fill it are left out.
    """
    return _corners(_joined(lines), (_PART * _SMALLEST * whole, _LARGEST * whole))


def faint_quads(
    grey: NDArray[np.uint8], noise: float, lines: Array, sizes: tuple[float, float] = (0.0, np.inf)
) -> list[Array]:
    """Return outlines (4, 2) in pixels of a grey picture about 800 pixels wide, best first.

    `noise` is the slope of the picture at large, `lines` those that no card explains, `sizes` the area of a
    card, from and to, as far as it is known.
    """
    whole = float(grey.size)
    bounds = max(_SMALLEST * whole, sizes[0]), min(_LARGEST * whole, sizes[1])
    quads = _hypotheses(*find_corners(lines, whole), bounds)
    if not len(quads):
        return []
    field = EdgeField.of(np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.2), dtype=np.uint8), 1.0)
    promise = field.along(quads, np.roll(quads, -1, axis=1), _COARSE_SHIFTS, 20).mean(axis=1)
    order = np.argsort(-promise)
    order = order[distinct(list(quads[order]), 0.05)[:_LOOKS]]
    exact = _refined(field, quads[order])
    slopes = np.sort(field.along(exact, np.roll(exact, -1, axis=1), _BESIDE_IT, 40), axis=1)
    mean = slopes.mean(axis=1)
    floor = max(noise, _LEAST_NOISE)
    good = (mean > _MEAN * floor) & (slopes[:, 0] > _WEAKEST * floor) & (slopes[:, 1] > _SECOND * floor)
    good &= _go_on(field, exact) <= _MOST_GO_ON
    kept = [k for k in np.flatnonzero(good).tolist() if is_upright_quad(exact[k])]
    best = _apart(exact, mean, kept)
    if not best:
        return []
    # Cards on one table are about alike, so of outlines that share sides those like the others are the cards.
    each = np.array([np.log(area(exact[k])) for k in kept])
    usual = float(np.median([np.log(area(exact[k])) for k in best]))
    merit = mean.copy()
    merit[kept] -= _UNLIKE * np.abs(each - usual)
    return [exact[k] for k in _apart(exact, merit, kept)]


def _go_on(field: EdgeField, quads: Array) -> NDArray[np.intp]:
    """Count for outlines (n, 4, 2) at how many of the eight ends of their sides the edge goes on."""
    after = np.roll(quads, -1, axis=1)
    side = field.across_line(quads, after, _BESIDE_IT, np.linspace(0.08, 0.92, 40))
    side = np.where(np.abs(side) < 1e-3, 1e-3, side)
    ends = [field.across_line(quads, after, _BESIDE_IT, shares) / side for shares in (_BEFORE, 1.0 - _BEFORE)]
    return np.asarray((np.concatenate(ends, axis=1) > _GOES_ON).sum(axis=1), dtype=np.intp)


def _apart(quads: Array, merit: Array, kept: list[int]) -> list[int]:
    """Return those of the outlines `kept` that do not overlap with one of more merit."""
    found: list[int] = []
    for k in sorted(kept, key=lambda k: -merit[k]):
        if not any(overlap(quads[k], quads[other]) > _SAME for other in found):
            found.append(k)
    return found


def _grown(quad: Array) -> Array:
    middle = quad.mean(axis=0)
    return np.asarray(middle + 1.06 * (quad - middle), dtype=np.float64)


def _emptied(grey: NDArray[np.uint8], quads: list[Array]) -> NDArray[np.uint8]:
    """Paint over what is explained: the search for lines takes as long as there are edges."""
    bare = grey.copy()
    for quad in quads:
        outline = np.round(quad).astype(np.int32)
        inside = grey[int(np.clip(quad[:, 1].mean(), 0, grey.shape[0] - 1))]
        cv2.fillConvexPoly(bare, outline, float(inside[int(np.clip(quad[:, 0].mean(), 0, grey.shape[1] - 1))]))
    return bare


def _segments(grey: NDArray[np.uint8]) -> Array:
    """Return the longest straight edges (n, 2, 2): both ends in pixels."""
    # A finer quantum than usual: the edges looked for are a few grey levels high.
    finder = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE, scale=_LINE_SCALE, quant=_QUANTISED)
    lines = finder.detect(grey)[0]
    if lines is None:
        return np.zeros((0, 2, 2))
    ends = np.asarray(lines, dtype=np.float64).reshape(-1, 2, 2)
    length = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    order = np.argsort(-length)[:_LINES]
    return np.asarray(ends[order[length[order] > _SHORTEST * max(grey.shape)]], dtype=np.float64)


def _joined(segments: Array) -> Array:
    """Add to segments (n, 2, 2) the lines that two pieces of one side make together."""
    pieces = segments
    for _ in range(2):
        one, other = np.triu_indices(len(segments), 1)
        a, b = segments[one], segments[other]
        u = a[:, 1] - a[:, 0]
        length = np.hypot(*u.T)
        u /= length[:, None]
        off = np.abs(_cross(u[:, None], b - a[:, :1])).max(axis=1)
        share = ((b - a[:, :1]) * u[:, None]).sum(axis=2)
        low, high = share.min(axis=1), share.max(axis=1)
        gap = np.maximum(low - length, -high)
        joins = (off < _BESIDE) & (gap > -_BESIDE) & (gap < _BREAK * (length + high - low))
        begin, end = np.minimum(low, 0.0)[joins], np.maximum(high, length)[joins]
        made = a[joins][:, :1] + np.stack((begin, end), axis=1)[..., None] * u[joins][:, None]
        segments = np.concatenate((segments, made))
        segments = segments[np.argsort(-np.hypot(*(segments[:, 1] - segments[:, 0]).T))[:_LINES]]
    # Sides of neighbours that happen to be in line join too; those must not crowd out the pieces.
    return np.concatenate((pieces, segments[:_JOINS]))


def _corners(segments: Array, sizes: tuple[float, float]) -> tuple[Array, Array, Array]:
    """Return where two segments meet (n, 2), and from there their far ends (n, 2) each, in clockwise order."""
    count = len(segments)
    one, other = (index.ravel() for index in np.meshgrid(np.arange(count), np.arange(count), indexing="ij"))
    a, b = segments[one], segments[other]
    u, v = a[:, 1] - a[:, 0], b[:, 1] - b[:, 0]
    lengths = np.hypot(*u.T), np.hypot(*v.T)
    turn = _cross(u, v)
    square = np.abs((u * v).sum(axis=1)) < _SQUARENESS * lengths[0] * lengths[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        # Where they cross, as a share of each: 0 at its first end, 1 at its second.
        s, t = _cross(b[:, 0] - a[:, 0], v) / turn, _cross(b[:, 0] - a[:, 0], u) / turn
    near = [np.where(share < 0.5, -share, share - 1.0) for share in (s, t)]
    meets = square & (one < other)
    for gap in near:
        meets &= (gap < _GAP) & (gap > -_OVERSHOOT)
    loose = np.maximum(*near)[meets]
    a, b, s, t, u = a[meets], b[meets], s[meets], t[meets], u[meets]
    point = a[:, 0] + s[:, None] * u
    first = np.where((s < 0.5)[:, None], a[:, 1], a[:, 0]) - point
    second = np.where((t < 0.5)[:, None], b[:, 1], b[:, 0]) - point
    size = _cross(first, second)
    swap = (size < 0)[:, None]
    # The rim of a sheet or of the table is longer than a card's and must not crowd out the cards.
    fits = np.flatnonzero((np.abs(size) < sizes[1]) & (np.abs(size) > sizes[0]))
    order = fits[np.argsort(loose[fits])]
    # An edge with a shadow is two lines, which would make four corners of one.
    alike = np.round(np.concatenate((point, point + first, point + second), axis=1)[order] / _ONE_CORNER)
    order = order[np.sort(np.unique(alike, axis=0, return_index=True)[1])[:_CORNERS]]
    return point[order], np.where(swap, second, first)[order], np.where(swap, first, second)[order]


def _hypotheses(point: Array, first: Array, second: Array, sizes: tuple[float, float]) -> Array:
    """Return parallelograms (n, 4, 2) on single corners, and outlines between corners opposite each other."""
    single = np.stack((point, point + first, point + first + second, point + second), axis=1)
    one, other = (index.ravel() for index in np.meshgrid(np.arange(len(point)), np.arange(len(point)), indexing="ij"))
    # The arms of opposite corners run against each other.
    against = (_cosine(first[one], first[other]) < -0.9) & (_cosine(second[one], second[other]) < -0.9) & (one < other)
    one, other = one[against], other[against]
    across = point[other] - point[one]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = _cross(across, second[other]) / _cross(first[one], second[other])
        t = _cross(across, first[other]) / _cross(second[one], first[other])
    # The nearer both arms come to the corners between, the likelier.
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.nan_to_num(np.maximum(np.abs(np.log(s)), np.abs(np.log(t))), nan=np.inf)
    kept = np.argsort(off)[:_DOUBLE]
    kept = kept[off[kept] < _REACH]
    one, other, s, t = one[kept], other[kept], s[kept], t[kept]
    double = np.stack(
        (point[one], point[one] + s[:, None] * first[one], point[other], point[one] + t[:, None] * second[one]), axis=1
    )
    quads = np.concatenate((double, single))
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    with np.errstate(divide="ignore"):
        ratio = np.abs(np.log((sides[:, 0] + sides[:, 2]) / (sides[:, 1] + sides[:, 3])))
    size = np.abs(_cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])) / 2
    fits = (ratio > _RATIOS[0]) & (ratio < _RATIOS[1]) & (size > sizes[0]) & (size < sizes[1])
    return np.asarray(quads[fits], dtype=np.float64)


def _refined(field: EdgeField, quads: Array) -> Array:
    """Move each side of outlines (n, 4, 2), end by end, to where the slope across it is largest."""
    after = np.roll(quads, -1, axis=1)
    along = after - quads
    normal = np.stack((along[..., 1], -along[..., 0]), axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-9
    begin, end = (shift.ravel() for shift in np.meshgrid(_SHIFTS, _SHIFTS, indexing="ij"))
    starts = quads[:, :, None] + begin[:, None] * normal[:, :, None]
    ends = after[:, :, None] + end[:, None] * normal[:, :, None]
    slope = field.along(starts, ends, _ONE_BESIDE, 24)
    # Of places that are as good the nearest counts.
    slope -= 0.02 * (np.abs(begin) + np.abs(end))
    best = slope.argmax(axis=2)[..., None, None]
    p = np.take_along_axis(starts, best, axis=2)[:, :, 0]
    q = np.take_along_axis(ends, best, axis=2)[:, :, 0]
    before_p, before_q = np.roll(p, 1, axis=1), np.roll(q, 1, axis=1)
    u, v = before_q - before_p, q - p
    with np.errstate(divide="ignore", invalid="ignore"):
        share = _cross(p - before_p, v) / _cross(u, v)
    return np.asarray(before_p + share[..., None] * u, dtype=np.float64)


def _cross(one: Array, other: Array) -> Array:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0], dtype=np.float64)


def _cosine(one: Array, other: Array) -> Array:
    return np.asarray((one * other).sum(axis=1) / (np.hypot(*one.T) * np.hypot(*other.T) + 1e-9), dtype=np.float64)
