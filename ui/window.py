"""The window's settings, made before Kivy looks for them. Nothing else touches Kivy's configuration.

Kivy reads and writes a file in the home directory, parses the command line and swallows tracebacks
unless it is told otherwise; here it is told otherwise.
"""

from __future__ import annotations

import os

_prepared = False


def prepare(size: tuple[int, int] = (800, 480), fullscreen: bool = False) -> None:
    """Set Kivy up for a window of `size` pixels; must run before any other module imports a widget.

    A second call does nothing: a process has one window.
    """
    global _prepared
    if _prepared:
        return
    _prepared = True
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    os.environ.setdefault("KIVY_NO_CONFIG", "1")
    os.environ.setdefault("KIVY_NO_FILELOG", "1")
    os.environ.setdefault("KIVY_LOG_MODE", "MIXED")
    os.environ.setdefault("KIVY_METRICS_DENSITY", "1")
    os.environ.setdefault("KIVY_DPI", "96")
    os.environ.setdefault("KIVY_WINDOW", "sdl2")

    from kivy.config import Config
    from kivy.logger import Logger

    Logger.setLevel("WARNING")
    settings = {
        "width": size[0],
        "height": size[1],
        "minimum_width": 0,
        "minimum_height": 0,
        # Multisampling doubles the cost of a frame; all edges of ours are smoothed by textures.
        "multisamples": 0,
        "maxfps": 30,
        "resizable": 0 if fullscreen else 1,
        "fullscreen": "auto" if fullscreen else 0,
        "show_cursor": 0 if fullscreen else 1,
    }
    for key, value in settings.items():
        Config.set("graphics", key, str(value))
    Config.set("kivy", "exit_on_escape", "0")
    Config.set("kivy", "log_level", "warning")
    # A right click would leave a red dot behind that counts as a second finger.
    Config.set("input", "mouse", "mouse,disable_multitouch")
