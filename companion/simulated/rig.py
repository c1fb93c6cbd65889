"""The rig of the simulated table: camera, lens and light, with every range that a seed draws from.

`Rig` states what is fixed, `Disturbance` the ranges, `Conditions` one evening's draw from them.
"""

from __future__ import annotations

import random

import msgspec

Range = tuple[float, float]
"""Lower and upper bound of a uniform draw."""


class Rig(msgspec.Struct, frozen=True):
    """A camera above the table: 66 degrees of horizontal view as with a common camera module.

    `focal` is in pixels, `height` (of the lens above the mat) and all other lengths in millimetres.
    """

    width: int = 1280
    height_px: int = 720
    focal: float = 985.0
    height: float = 470.0
    frames_per_second: float = 5.0
    canvas_pixels_per_mm: float = 2.6

    @property
    def pixels_per_mm(self) -> float:
        """Picture scale on the mat straight under the camera."""
        return self.focal / self.height


class Disturbance(msgspec.Struct, frozen=True):
    """The range of everything that differs from evening to evening and from card to card."""

    camera_aside: Range = (-30.0, 30.0)
    """Millimetres that the lens is off the mat's centre, each way."""
    camera_aim: Range = (-4.0, 4.0)
    """Millimetres that the camera looks past the mat's centre, each way."""
    camera_height: Range = (-8.0, 8.0)
    camera_roll: Range = (-1.5, 1.5)
    """Degrees about the line of sight."""
    barrel: Range = (-0.09, -0.03)
    """First radial lens coefficient; negative is barrel distortion."""
    blur: Range = (0.45, 0.85)
    """Standard deviation of the lens blur in picture pixels."""
    noise: Range = (1.5, 3.5)
    """Standard deviation of the sensor noise in grey levels (of 255)."""
    brightness: Range = (0.86, 1.02)
    far_side: Range = (0.68, 0.92)
    """Light on the side away from the lamp as a share of the light on the near side."""
    vignette: Range = (0.04, 0.14)
    """Share of the light lost in the picture's corners."""
    cast: Range = (-0.07, 0.07)
    """Colour cast per channel, as a share."""
    drift: Range = (0.0, 0.025)
    """How far the white balance wanders during the evening, as a share."""
    flicker: Range = (0.0, 0.012)
    """Standard deviation of the brightness from picture to picture, as a share."""
    glare_probability: Range = (0.1, 0.35)
    """Share of the cards that lie so that the lamp is mirrored in them."""
    glare: Range = (20.0, 110.0)
    """Grey levels that such a reflection adds in its middle."""
    glare_size: Range = (6.0, 16.0)
    """Its half width in millimetres."""
    shadow: Range = (0.15, 0.4)
    """How dark the shadow of a card's edge is, as a share."""
    hand_shadow: Range = (0.25, 0.5)
    sleeve: Range = (0.0, 0.0)
    """How milky the cards' sleeves are, as a share; 0 is no sleeve."""


class Conditions(msgspec.Struct, frozen=True):
    """One evening: a value for each range, and where the lamp stands (degrees, 0 = right, clockwise)."""

    camera_x: float
    camera_y: float
    aim_x: float
    aim_y: float
    height: float
    roll: float
    barrel: float
    blur: float
    noise: float
    brightness: float
    far_side: float
    vignette: float
    cast: tuple[float, float, float]
    drift: float
    flicker: float
    glare_probability: float
    shadow: float
    hand_shadow: float
    lamp: float
    sleeve: float


def draw_conditions(rig: Rig, disturbance: Disturbance, rng: random.Random) -> Conditions:
    """Draw one evening."""
    of = disturbance
    return Conditions(
        camera_x=rng.uniform(*of.camera_aside),
        camera_y=rng.uniform(*of.camera_aside),
        aim_x=rng.uniform(*of.camera_aim),
        aim_y=rng.uniform(*of.camera_aim),
        height=rig.height + rng.uniform(*of.camera_height),
        roll=rng.uniform(*of.camera_roll),
        barrel=rng.uniform(*of.barrel),
        blur=rng.uniform(*of.blur),
        noise=rng.uniform(*of.noise),
        brightness=rng.uniform(*of.brightness),
        far_side=rng.uniform(*of.far_side),
        vignette=rng.uniform(*of.vignette),
        cast=(rng.uniform(*of.cast), rng.uniform(*of.cast), rng.uniform(*of.cast)),
        drift=rng.uniform(*of.drift),
        flicker=rng.uniform(*of.flicker),
        glare_probability=rng.uniform(*of.glare_probability),
        shadow=rng.uniform(*of.shadow),
        hand_shadow=rng.uniform(*of.hand_shadow),
        lamp=rng.uniform(0.0, 360.0),
        sleeve=rng.uniform(*of.sleeve),
    )


ASKANCE = (-150.0, 150.0)
"""Where a camera stands that looks at the mat from the side, each way: up to some 24 degrees off the perpendicular."""


def describe(rig: Rig, disturbance: Disturbance) -> list[str]:
    """Return the rig and its ranges as lines to print."""
    lines = [
        f"camera {rig.height:.0f} mm above the mat, {rig.width} x {rig.height_px} pixels, focal length "
        f"{rig.focal:.0f} pixels: {rig.pixels_per_mm:.2f} pixels per millimetre, "
        f"{rig.frames_per_second:.0f} pictures per second",
    ]
    ranges = msgspec.structs.asdict(disturbance)
    lines += [f"{name.replace('_', ' ')}: {low:g} to {high:g}" for name, (low, high) in ranges.items()]
    return lines
