"""One place for every colour. Seats have Okabe-Ito colours, always together with a shape and a name."""

from __future__ import annotations

from collections.abc import Mapping

from kivy.event import EventDispatcher
from kivy.properties import ColorProperty, StringProperty
from kivy.utils import get_color_from_hex as rgba

# Okabe and Ito (2008), in the order that keeps the first two farthest apart for every kind of
# colour vision on a dark ground. White becomes near black on a light ground.
SEATS_ON_DARK = ("#56B4E9", "#D55E00", "#F0E442", "#FFFFFF", "#0072B2", "#CC79A7")
SEATS_ON_LIGHT = ("#0072B2", "#D55E00", "#B8A800", "#222222", "#56B4E9", "#AA4C80")

# Families of pieces: a tint each, weak enough never to pass for a seat's colour.
TINTS_ON_DARK = (
    "#3A4A5E",
    "#5A4A34",
    "#3E5444",
    "#57415A",
    "#5E4242",
    "#37545A",
    "#56563A",
    "#44446A",
    "#4E4A46",
    "#365048",
)
TINTS_ON_LIGHT = (
    "#D3DEEC",
    "#EFE0C8",
    "#D5E8DA",
    "#E9D9EC",
    "#F0D6D6",
    "#D0E6EA",
    "#E9E8CC",
    "#DADAF2",
    "#E4E0DB",
    "#CFE7DE",
)

THEMES: Mapping[str, Mapping[str, str]] = {
    "dark": {
        "ground": "#121418",
        "panel": "#1B1F26",
        "raised": "#2A303A",
        "pressed": "#465061",
        "line": "#3B4452",
        "text": "#F5F6F8",
        "soft": "#B4BECB",
        "primary": "#F2EEE3",
        "over_primary": "#14161A",
        "doubt": "#FFC145",
        "over_doubt": "#1A1407",
        "alarm": "#FF7A8A",
        "over_alarm": "#1E070B",
        "shade": "#000000B8",
    },
    "light": {
        "ground": "#F3F1EB",
        "panel": "#FFFFFF",
        "raised": "#E6E3DA",
        "pressed": "#C9C5B9",
        "line": "#BDB8AB",
        "text": "#16181C",
        "soft": "#4F5661",
        "primary": "#1F2632",
        "over_primary": "#FFFFFF",
        "doubt": "#FFB92E",
        "over_doubt": "#1A1407",
        "alarm": "#B3122B",
        "over_alarm": "#FFFFFF",
        "shade": "#1A1A1AA0",
    },
    "contrast": {
        "ground": "#000000",
        "panel": "#000000",
        "raised": "#101010",
        "pressed": "#5A5A5A",
        "line": "#FFFFFF",
        "text": "#FFFFFF",
        "soft": "#FFFFFF",
        "primary": "#FFFF00",
        "over_primary": "#000000",
        "doubt": "#FFFF00",
        "over_doubt": "#000000",
        "alarm": "#FF9EA8",
        "over_alarm": "#000000",
        "shade": "#000000D8",
    },
}

THEME_TITLES: Mapping[str, str] = {"dark": "Dark", "light": "Light", "contrast": "High contrast"}


class Theme(EventDispatcher):
    """The colours in force; kv rules bind to them, so that a change of theme is seen at once."""

    name = StringProperty("dark")
    ground = ColorProperty()
    panel = ColorProperty()
    raised = ColorProperty()
    pressed = ColorProperty()
    line = ColorProperty()
    text = ColorProperty()
    soft = ColorProperty()
    primary = ColorProperty()
    over_primary = ColorProperty()
    doubt = ColorProperty()
    over_doubt = ColorProperty()
    alarm = ColorProperty()
    over_alarm = ColorProperty()
    shade = ColorProperty()

    def __init__(self, name: str = "dark") -> None:
        super().__init__()
        self.use(name)

    def use(self, name: str) -> None:
        """Change to the theme called `name`.

        :raises KeyError: if there is no such theme.
        """
        for key, colour in THEMES[name].items():
            setattr(self, key, rgba(colour))
        self.name = name

    def seat(self, seat: int | None) -> list[float]:
        """Return the colour of a seat, the soft text colour for nobody's."""
        if seat is None:
            return list(self.soft)
        colours = SEATS_ON_LIGHT if self.name == "light" else SEATS_ON_DARK
        return rgba(colours[seat % len(colours)])

    def on_seat(self, seat: int | None) -> list[float]:
        """Return black or white, whichever is read better on the seat's colour."""
        red, green, blue = (_linear(part) for part in self.seat(seat)[:3])
        return [0, 0, 0, 1] if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else [1, 1, 1, 1]

    def tint(self, tone: int | None) -> list[float]:
        """Return the tint of a family of pieces."""
        if tone is None or self.name == "contrast":
            return list(self.raised)
        tints = TINTS_ON_LIGHT if self.name == "light" else TINTS_ON_DARK
        return rgba(tints[tone % len(tints)])


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def contrast(one: list[float], other: list[float]) -> float:
    """Return the contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2)."""
    lights = sorted(
        0.2126 * _linear(colour[0]) + 0.7152 * _linear(colour[1]) + 0.0722 * _linear(colour[2])
        for colour in (one, other)
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)
