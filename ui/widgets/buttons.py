"""Buttons: icon over word, or icon beside word; edge to edge, never below the smallest target."""

from __future__ import annotations

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    ColorProperty,
    NumericProperty,
    ObjectProperty,
    OptionProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label

from ui.glyphs import icon


class IconLabel(Label):
    """An icon by its name in `ui.glyphs`."""

    name = StringProperty("")
    icon_text = AliasProperty(lambda self: icon(self.name), None, bind=("name",))


class Heading(BoxLayout):
    """The way back, always top left, and the screen's title."""

    title = StringProperty("")


class ActionTile(ButtonBehavior, BoxLayout):
    """A tile with an icon, a word and perhaps a line of detail.

    `look` is `plain`, `primary` (the one thing to do), `doubt` (a candidate reading), `quiet` (no
    ground of its own) or `chosen` (one of several, in force).
    """

    icon = StringProperty("")
    text = StringProperty("")
    detail = StringProperty("")
    look = OptionProperty("plain", options=["plain", "primary", "doubt", "quiet", "chosen", "alarm"])
    across = BooleanProperty(False)
    text_size_mm = NumericProperty(4.2)
    detail_share = NumericProperty(0.65)
    """Height of the detail as a share of the height of the word."""
    theme = ObjectProperty(None, rebind=True)
    icon_text = AliasProperty(lambda self: icon(self.icon), None, bind=("icon",))
    ground = ColorProperty([0, 0, 0, 0])
    ink = ColorProperty([1, 1, 1, 1])
    edge = ColorProperty([0, 0, 0, 0])
    halign = OptionProperty("center", options=["left", "center"])

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        for name in ("look", "state", "disabled", "theme"):
            self.fbind(name, self._colour)
        self._colour()

    def on_theme(self, _button: object, theme: object) -> None:
        theme.fbind("name", self._colour)

    def _colour(self, *_: object) -> None:
        theme = self.theme
        if theme is None:
            return
        grounds = {
            "plain": theme.raised,
            "primary": theme.primary,
            "doubt": theme.doubt,
            "quiet": [0, 0, 0, 0],
            "chosen": theme.raised,
            "alarm": theme.alarm,
        }
        inks = {"primary": theme.over_primary, "doubt": theme.over_doubt, "alarm": theme.over_alarm}
        ink = list(inks.get(self.look, theme.text))
        ground = list(grounds[self.look])
        if self.state == "down" and not self.disabled:
            solid = self.look in inks
            ground = [part * 0.75 for part in ground[:3]] + [1] if solid else list(theme.pressed)
        if self.disabled:
            ground = [*ground[:3], ground[3] * 0.45]
            ink = [*ink[:3], 0.38]
        self.ground, self.ink = ground, ink
        outlined = self.look == "chosen" or (theme.name == "contrast" and self.look != "quiet")
        self.edge = list(theme.primary if self.look == "chosen" else theme.line) if outlined else [0, 0, 0, 0]
