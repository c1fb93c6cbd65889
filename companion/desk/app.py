"""Opens the app on the screen, with a real room round its desk or a simulated one."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path

from companion.journal.shelf import Shelf


def run_app(simulated: int | None = None) -> None:
    """Open the app on the screen and return when it is closed; `simulated` names an evening to watch.

    :raises NoScreenError: if there is none.
    """
    # Kivy is loaded only when there is a screen to use it on, and what it needs is set before it.
    from companion.desk.screen import find_screen

    screen = find_screen()
    import_module("ui.window").prepare(screen.size, screen.fullscreen)
    from companion.desk import RealRoom, Room, TableDesk
    from companion.desk.settings import SCREEN_FILE, load_look

    home = Shelf().home
    app = import_module("ui.app").CompanionApp
    look = load_look(home / SCREEN_FILE)
    if simulated is None:
        app(TableDesk(RealRoom(home)), look).run()
        return
    from companion.desk.simulated import SimulatedRoom

    with tempfile.TemporaryDirectory(prefix="companion-simulated-") as scratch:
        room: Room = SimulatedRoom(simulated, Path(scratch), home)
        app(TableDesk(room), look).run()
