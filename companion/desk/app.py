"""Opens the app on the screen, with a real room round its desk or a simulated one."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.journal.shelf import Shelf


def run_app(simulated: int | None = None, game: str | None = None) -> None:
    """Open the app on the screen and return when it is closed.

    :param simulated: names an evening to watch; None: the real room
    :param game: the game of that evening, which is then begun at once; None: the duel, once somebody begins it

    :raises NoScreenError: if there is no screen.
    :raises LookupError: if there is no simulated table for the game.
    """
    # Kivy is loaded only when there is a screen to use it on, and what it needs is set before it.
    from companion.desk.screen import find_screen

    screen = find_screen()
    import_module("ui.window").prepare(screen.size, screen.fullscreen)
    from companion.desk import RealRoom, TableDesk
    from companion.desk.settings import SCREEN_FILE, load_look

    home = Shelf().home
    look = load_look(home / SCREEN_FILE)
    if simulated is None:
        _run(import_module("ui.app").CompanionApp(TableDesk(RealRoom(home)), look))
        return
    from companion.desk.simulated import SimulatedRoom
    from companion.presenters.desk import Begin
    from companion.simulated.table import GAME as DUEL

    with tempfile.TemporaryDirectory(prefix="companion-simulated-") as scratch:
        room = SimulatedRoom(simulated, Path(scratch), home, game or DUEL)
        app = import_module("ui.app").CompanionApp(TableDesk(room), look)
        if game is not None:
            app.begin_when_started(Begin(game, room.evening.names, room.evening.edition))
        try:
            _run(app)
        finally:
            room.stop()


def _run(app: Any) -> None:
    """Run a `CompanionApp`; whatever ends it, Ctrl-C too, its threads end before Python does."""
    try:
        app.run()
    finally:
        app.bridge.stop()
