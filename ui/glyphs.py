"""Icons and texts as textures: drawn once in white per size, tinted by whoever puts them on a canvas."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from kivy.core.text import Label as CoreLabel
from kivy.core.text import LabelBase
from kivy.graphics.texture import Texture

ICON_FONT = "icons"

ICONS = {
    "aim": "\U000f01a4",
    "alert": "\U000f0026",
    "arrow": "\U000f005e",
    "back": "\U000f004d",
    "book": "\U000f14f7",
    "button": "\U000f12a8",
    "camera": "\U000f0100",
    "cards": "\U000f063a",
    "castle": "\U000f011a",
    "circle": "\U000f0765",
    "correct": "\U000f03eb",
    "crown": "\U000f01a5",
    "deck": "\U000f1296",
    "diamond": "\U000f01c8",
    "dice": "\U000f114e",
    "doubt": "\U000f0186",
    "duel": "\U000f0787",
    "file": "\U000f0224",
    "gone": "\U000f09e7",
    "hand": "\U000f182d",
    "heart": "\U000f02d1",
    "hexagon": "\U000f02d8",
    "hint": "\U000f06e9",
    "history": "\U000f02da",
    "home": "\U000f02dc",
    "lock": "\U000f033e",
    "map": "\U000f0982",
    "menu": "\U000f035c",
    "next": "\U000f0142",
    "no": "\U000f0156",
    "no-camera": "\U000f05df",
    "people": "\U000f0849",
    "play": "\U000f040a",
    "power": "\U000f0425",
    "previous": "\U000f0141",
    "refresh": "\U000f0450",
    "rhombus": "\U000f070b",
    "screen": "\U000f0e51",
    "see": "\U000f06d0",
    "settings": "\U000f0493",
    "size": "\U000f027f",
    "square": "\U000f0764",
    "star": "\U000f04ce",
    "strengthen": "\U000f11ec",
    "swap": "\U000f04e1",
    "theme": "\U000f050e",
    "time": "\U000f0150",
    "touch": "\U000f0741",
    "triangle": "\U000f0536",
    "trophy": "\U000f0538",
    "turn-left": "\U000f0465",
    "turn-right": "\U000f0467",
    "undo": "\U000f054d",
    "unknown": "\U000f02d6",
    "weaken": "\U000f1639",
    "why": "\U000f0625",
    "yes": "\U000f0e1e",
}

LabelBase.register(ICON_FONT, str(Path(__file__).parent / "fonts" / "icons.ttf"))

_KEPT = 600
_textures: OrderedDict[tuple[str, int, bool, str], Texture] = OrderedDict()


def icon(name: str) -> str:
    """Return the character of an icon, empty for no name.

    :raises KeyError: if there is no such icon.
    """
    return ICONS[name] if name else ""


def text_texture(text: str, size: float, bold: bool = False, font: str = "Roboto") -> Texture:
    """Return `text` in white on nothing, `size` pixels high; the least recently used are forgotten."""
    key = (text, max(1, round(size)), bold, font)
    kept = _textures.get(key)
    if kept is not None:
        _textures.move_to_end(key)
        return kept
    label = CoreLabel(text=text, font_size=key[1], bold=bold, font_name=font)
    label.refresh()
    _textures[key] = label.texture
    if len(_textures) > _KEPT:
        _textures.popitem(last=False)
    return label.texture


def icon_texture(name: str, size: float) -> Texture:
    """Return an icon in white on nothing, `size` pixels high."""
    return text_texture(ICONS[name], size, font=ICON_FONT)
