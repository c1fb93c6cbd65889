"""The table plane: from picture pixels to mat millimetres and back.

A planar homography, nothing else: the pose of a single marker that faces the camera squarely is
ambiguous and flips (Schweighofer and Pinz, "Robust pose estimation from a planar target", 2006), the
homography over all marker corners does not. A mild lens distortion is one number, the parameter of
the division model (Fitzgibbon, "Simultaneous linear estimation of multiple view geometry and lens
distortion", 2001), whose inverse has a closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.table.mat import MARKER_DICTIONARY, Mat, Rect
from vision.frame import Picture, check_picture
from vision.lens import LEAST_MARKERS, View, bend, estimate_k1, unbend

Points = NDArray[np.float64]
"""n x 2 coordinates, x before y."""

CORNER_NOISE_PX = 0.3
"""Assumed standard deviation of a refined marker corner; never believe the fit to be better."""

WORST_SPREAD_MM = 2.5
"""Largest standard deviation allowed for a point anywhere on the mat."""

WORST_ERROR_MM = 3.0
"""Largest root mean square reprojection error allowed."""

CORNER_NOISE_MM = 0.15
"""A lens that is known is believed unless the corners speak against it by more than this."""

LEAST_GAIN_BY_LENS = 0.75
"""The lens parameter is kept only if it shrinks the reprojection error to this share or less."""


class MatNotFoundError(Exception):
    """The picture does not show the mat well enough; the message is a sentence for the person."""


@dataclass(frozen=True, eq=False)
class Plane:
    """Where the mat lies in the picture.

    `homography` maps mat millimetres to pixels of the picture freed from lens distortion, `k1` is the
    lens parameter, `size` the picture's width and height in pixels. `error_mm` is the root mean square
    reprojection error of the corners used, `spread_mm` the expected standard deviation at the
    worst corner of the mat, `coverage` the share of the mat's area inside the hull of those
    corners, `markers` the ids used (empty for tapped corners), `view` the corners it was fitted to.
    """

    homography: NDArray[np.float64]
    size: tuple[int, int]
    k1: float = 0.0
    error_mm: float = 0.0
    spread_mm: float = 0.0
    coverage: float = 1.0
    markers: tuple[int, ...] = ()
    view: View | None = None

    def to_picture(self, points: ArrayLike) -> Points:
        """Map n x 2 mat millimetres to n x 2 pixels."""
        return bend(_project(self.homography, _as_points(points)), self.k1, self.size)

    def to_mat(self, points: ArrayLike) -> Points:
        """Map n x 2 pixels to n x 2 mat millimetres."""
        return _project(
            np.asarray(np.linalg.inv(self.homography), np.float64), unbend(_as_points(points), self.k1, self.size)
        )

    def warp(self, rect: Rect, px_per_mm: float, picture_scale: float = 1.0) -> NDArray[np.float64]:
        """Return the 3 x 3 matrix from the picture (scaled by `picture_scale`) to the patch of `rect`.

        The lens is honoured at the corners of `rect`; inside a rectangle of a card's size the rest is
        far below a pixel.
        """
        width, height = patch_size(rect, px_per_mm)
        # Pixel centres lie at whole numbers in OpenCV, so a picture's edge lies half a pixel before.
        source = (self.to_picture(rect.corners) + 0.5) * picture_scale - 0.5
        target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
        return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), target), dtype=np.float64)

    def rectify(self, picture: Picture, rect: Rect, px_per_mm: float) -> Picture:
        """Return the patch of `rect` (mat millimetres) seen squarely from above, mat's top edge up."""
        check_picture(picture)
        patch = cv2.warpPerspective(
            picture,
            self.warp(rect, px_per_mm),
            patch_size(rect, px_per_mm),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(patch, dtype=np.uint8)

    def px_per_mm(self, mat: Mat) -> float:
        """Return the picture's resolution in the middle of the mat."""
        x, y = mat.width / 2, mat.height / 2
        square = self.to_picture([(x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5)])
        return float(np.sqrt(abs(_area(square))) / 10.0)

    def shows(self, rect: Rect, margin_px: float = 0.0) -> bool:
        """Tell whether the whole of `rect` lies inside the picture."""
        points = self.to_picture(rect.corners)
        return bool(np.all(points >= -margin_px) and np.all(points <= np.array(self.size) - 1 + margin_px))


def patch_size(rect: Rect, px_per_mm: float) -> tuple[int, int]:
    """Return width and height in pixels of the rectified patch of `rect`."""
    return (max(1, round(rect.width * px_per_mm)), max(1, round(rect.height * px_per_mm)))


def plane_from_markers(mat: Mat, picture: Picture, k1: float | None = None) -> Plane:
    """Find the mat by its printed markers.

    :param k1: what is known of the lens; None: as well as this picture alone can tell
    :raises MatNotFoundError: with a sentence, if fewer than two markers are seen, they lie too close together
        to fix the whole mat, or the picture is mirrored.
    """
    check_picture(picture)
    seen = detect_markers(mat, picture)
    if not seen:
        raise MatNotFoundError(
            f"no mat was found: none of the {len(mat.markers)} printed markers is in the picture; "
            f"put the mat under the camera and switch on the light"
        )
    if len(seen) < 2:
        raise MatNotFoundError(
            f"the mat is not in full view: 1 of its {len(mat.markers)} markers was found and at least 2 are needed; "
            f"move the camera back or clear the mat's corners"
        )
    places = {marker.id: np.array(marker.rect.corners, np.float64) for marker in mat.markers}
    size = (picture.shape[1], picture.shape[0])
    while True:
        ids = sorted(seen)
        plane = _fit(
            mat, np.concatenate([places[i] for i in ids]), np.concatenate([seen[i] for i in ids]), size, ids, k1
        )
        residuals = {i: _rms(plane.to_mat(seen[i]) - places[i]) for i in ids}
        worst = max(ids, key=residuals.__getitem__)
        # A stray marker (another mat, a crumpled corner) is dropped while the others agree without it.
        if residuals[worst] > WORST_ERROR_MM / 2 and len(ids) > 3:
            del seen[worst]
            continue
        break
    if plane.error_mm > WORST_ERROR_MM:
        raise MatNotFoundError(
            f"the mat is not flat or was not printed at its true size: its markers disagree by "
            f"{plane.error_mm:.1f} mm; flatten it or print it again at 100 %"
        )
    if plane.spread_mm > WORST_SPREAD_MM:
        raise MatNotFoundError(
            f"the mat is not in full view: the {len(ids)} markers found lie too close together; "
            f"clear the mat's corners or move the camera"
        )
    return plane


def plane_from_corners(mat: Mat, corners: ArrayLike, size: tuple[int, int], k1: float | None = None) -> Plane:
    """Find the mat by its four tapped corners: top left, top right, bottom right, bottom left, in pixels.

    :param k1: what is known of the lens; four corners cannot tell
    :raises MatNotFoundError: with a sentence, if they are not four corners of a quadrilateral that can be
        a rectangle seen from above, in clockwise order.
    """
    points = _as_points(corners)
    if points.shape != (4, 2):
        raise MatNotFoundError(f"four corners of the mat are needed, found {len(points)}; tap them again")
    turns = np.array([_area(np.array([points[i - 1], points[i], points[(i + 1) % 4]])) for i in range(4)])
    if np.any(np.abs(turns) < 1e-3 * size[0] * size[1]) or not (np.all(turns > 0) or np.all(turns < 0)):
        raise MatNotFoundError(
            "the four corners do not span a table; tap them clockwise: top left, top right, bottom right, bottom left"
        )
    return _fit(mat, np.array(Rect(0, 0, mat.width, mat.height).corners), points, size, (), k1)


def detect_markers(mat: Mat, picture: Picture) -> dict[int, Points]:
    """Return the refined corners of each marker of `mat` that is seen once: 4 x 2 pixels, clockwise from top left."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 4
    parameters.cornerRefinementMinAccuracy = 0.02
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)
    wanted = {marker.id for marker in mat.markers}
    found: dict[int, list[Points]] = {}
    corners, ids, _ = detector.detectMarkers(grey)
    for quad, number in zip(corners, () if ids is None else ids.ravel(), strict=False):
        if int(number) in wanted:
            found.setdefault(int(number), []).append(np.asarray(quad, np.float64).reshape(4, 2))
    return {number: quads[0] for number, quads in found.items() if len(quads) == 1}


def _fit(
    mat: Mat,
    places: Points,
    corners: Points,
    size: tuple[int, int],
    ids: Sequence[int],
    known: float | None = None,
) -> Plane:
    straight = _homography(places, corners)
    k1, error = 0.0, _rms(Plane(straight, size).to_mat(corners) - places)
    guesses = [] if known is None else [known]
    if not guesses and len(ids) >= LEAST_MARKERS:
        guesses = [estimate_k1([(places, corners)], size)]
    for guess in guesses:
        bent = _homography(places, unbend(corners, guess, size))
        bent_error = _rms(Plane(bent, size, guess).to_mat(corners) - places)
        if bent_error < LEAST_GAIN_BY_LENS * error or (known is not None and bent_error <= error + CORNER_NOISE_MM):
            k1, straight, error = guess, bent, bent_error
    if np.linalg.det(straight) < 0:
        raise MatNotFoundError("the picture of the mat is mirrored; switch off mirroring in the camera's settings")
    hull = cv2.convexHull(places.astype(np.float32)).reshape(-1, 2)
    return Plane(
        straight,
        size,
        k1,
        error,
        spread_mm=_spread(mat, places, straight) if len(places) > 4 else 0.0,
        coverage=abs(_area(hull.astype(np.float64))) / (mat.width * mat.height),
        markers=tuple(ids),
        view=(places, corners) if ids else None,
    )


def _spread(mat: Mat, places: Points, homography: NDArray[np.float64]) -> float:
    """Propagate the corner noise through the fit to the mat's corners, millimetres (first order)."""
    scale = np.diag([mat.width, mat.width, 1.0])  # work in units of the mat's width: well conditioned
    unit = homography @ scale
    unit = unit / unit[2, 2]
    slopes = _slopes(unit, places / mat.width)
    try:
        covariance = CORNER_NOISE_PX**2 * np.linalg.inv(slopes.T @ slopes)
    except np.linalg.LinAlgError:
        return float("inf")
    worst = 0.0
    for corner in np.array(Rect(0, 0, mat.width, mat.height).corners) / mat.width:
        slope = _slopes(unit, corner[None])
        picture_variance = slope @ covariance @ slope.T
        around = _project(unit, corner + np.array([(0, 0), (1e-4, 0), (0, 1e-4)]))
        local = np.column_stack([around[1] - around[0], around[2] - around[0]]) / 1e-4
        back = np.linalg.inv(local)
        worst = max(worst, float(np.sqrt(np.trace(back @ picture_variance @ back.T))) * mat.width)
    return worst


def _slopes(homography: NDArray[np.float64], points: Points) -> NDArray[np.float64]:
    """Derivatives of the projected points by the eight free numbers, 2n x 8."""
    x, y = points[:, 0], points[:, 1]
    w = homography[2, 0] * x + homography[2, 1] * y + 1.0
    u, v = _project(homography, points).T
    zero = np.zeros_like(x)
    for_u = np.column_stack([x, y, zero + 1, zero, zero, zero, -u * x, -u * y]) / w[:, None]
    for_v = np.column_stack([zero, zero, zero, x, y, zero + 1, -v * x, -v * y]) / w[:, None]
    return np.concatenate([for_u, for_v])


def _homography(places: Points, corners: Points) -> NDArray[np.float64]:
    found, _ = cv2.findHomography(places, corners, 0)
    if found is None:
        raise MatNotFoundError("the corners of the mat lie on one line; clear the mat's corners or tap them again")
    return np.asarray(found, dtype=np.float64)


def _project(homography: NDArray[np.float64], points: Points) -> Points:
    mapped = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], dtype=np.float64)


def _as_points(points: ArrayLike) -> Points:
    return np.asarray(points, dtype=np.float64).reshape(-1, 2)


def _area(polygon: Points) -> float:
    x, y = polygon[:, 0], polygon[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2.0)


def _rms(differences: Points) -> float:
    return float(np.sqrt(np.mean(np.sum(differences**2, axis=1))))
