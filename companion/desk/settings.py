"""What a table keeps beside its games: where the camera is, how the screen looks.

`camera.toml` is written by people and may be missing; `screen.json` is written by the companion.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path

import msgspec

from companion.presenters.models import LookModel
from vision.sources import Source, SourceError, open_source

CAMERA_FILE = "camera.toml"
SCREEN_FILE = "screen.json"
NO_CAMERA = "none"
KEYS = ("source",)

_KEY = re.compile(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*=""")
_SECTION = re.compile(r"\s*\[+\s*([A-Za-z0-9_-]+)")


class SettingsError(ValueError):
    """A settings file that cannot be meant: `file:line: what was found; what to do`."""


class CameraSettings(msgspec.Struct, frozen=True):
    """`source` is an address as `open_source` takes it, or `none` for a table without a camera."""

    source: str = "usb:0"

    def open(self) -> Source | None:
        """Return the source of pictures, None for a table without a camera; nothing is opened yet."""
        return None if self.source == NO_CAMERA else open_source(self.source)


def load_camera(file: Path) -> CameraSettings:
    """Read the camera's settings; a file that is not there means the first USB camera.

    :raises SettingsError: if the file cannot be read or meant; the sentence names file and line.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return CameraSettings()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(f"{file}: the file cannot be read ({reason}); check its rights") from None
    return parse_camera(text, str(file))


def parse_camera(text: str, file: str = CAMERA_FILE) -> CameraSettings:
    """Read the camera's settings from the text of a file called `file`.

    :raises SettingsError: if it cannot be meant; the sentence names file and line.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        place = line[1] if line else str(text.count("\n") + 1)
        raise SettingsError(f'{file}:{place}: this is not TOML ({error}); write it as source = "usb:0"') from None
    lines = _lines(text)
    for key in content:
        if key not in KEYS:
            close = difflib.get_close_matches(key, KEYS, n=1)
            hint = f'did you mean "{close[0]}"?' if close else f"known are {', '.join(KEYS)}"
            raise SettingsError(f'{file}:{lines.get(key, 1)}: unknown key "{key}"; {hint}')
    source = content.get("source", CameraSettings().source)
    line_of_source = lines.get("source", 1)
    if not isinstance(source, str):
        raise SettingsError(f'{file}:{line_of_source}: source = {source!r}; write it in quotes, as "usb:0"')
    settings = CameraSettings(source)
    try:
        settings.open()
    except SourceError as error:
        raise SettingsError(f'{file}:{line_of_source}: {error}, or "{NO_CAMERA}" for no camera') from None
    return settings


def _lines(text: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    for number, content in enumerate(text.splitlines(), 1):
        if found := _KEY.match(content) or _SECTION.match(content):
            lines.setdefault(found[1], number)
    return lines


def load_look(file: Path) -> LookModel:
    """Return how the screen looked last; what cannot be used is the usual look, for nothing depends on it."""
    try:
        look = msgspec.json.decode(file.read_bytes(), type=LookModel)
    except (OSError, msgspec.MsgspecError):
        return LookModel()
    return look if 3.0 <= look.diagonal <= 60.0 and 0.5 <= look.text <= 3.0 else LookModel()


def keep_look(file: Path, look: LookModel) -> str:
    """Keep how the screen looks; return a sentence why not, empty when it is done."""
    fresh = file.with_name(file.name + ".new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(msgspec.json.encode(look))
        fresh.replace(file)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        return f"The look holds until the end only: {file} cannot be written ({reason})."
    return ""
