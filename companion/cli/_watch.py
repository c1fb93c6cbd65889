"""Every input of a wired table, live in the terminal: for the one who holds the soldering iron."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from companion.cli._observations import in_words
from companion.table.observation import Observation
from companion.table.ports import Health
from hardware.assembly import assemble
from hardware.boards import BoardError, open_pins
from hardware.live import LiveInputs, scout
from hardware.wiring import TableWiring

REFRESH_S = 0.1
SHOWN = 8
"""How many of the last happenings are shown."""
KEPT = 200
STYLES = {"ok": "green", "waiting": "yellow", "unsure": "yellow", "failed": "red", "off": "dim"}


class Watch:
    """A wired table being watched: its own inputs, and every other pin, in case something hangs there."""

    def __init__(self, wiring: TableWiring) -> None:
        """Claim the pins and open the ports.

        Pins that cannot be had are said; the rest is watched.
        """
        self._log: deque[tuple[float, Observation]] = deque(maxlen=KEPT)
        self._lock = threading.Lock()
        self.mock, self.trouble = False, ""
        try:
            factory = open_pins(wiring.pins)
        except BoardError as error:
            factory, self.trouble = None, str(error)
            wiring = wiring.without_pins()
        else:
            self.mock = type(factory).__name__ == "MockFactory"
        self._factory = factory
        self._wired = LiveInputs(assemble(wiring, factory).witnesses, self._note)
        others = scout(wiring.pins, None, wiring.pins_in_use, factory) if factory is not None else ()
        self._others = LiveInputs(others)
        self._pressed: set[str] = set()
        self._wired.start()
        self._others.start()

    def stop(self) -> None:
        """Give everything back."""
        self._wired.stop()
        self._others.stop()
        if self._factory is not None:
            self._factory.close()

    def news(self) -> Iterator[str]:
        """Yield what was heard since the last call, one line each."""
        with self._lock:
            fresh = list(self._log)
            self._log.clear()
        yield from (in_words(observation) for _, observation in fresh)

    def picture(self) -> RenderableType:
        """Return everything as it is at this moment."""
        inputs = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for title in ("input", "where", "now"):
            inputs.add_column(title, no_wrap=True, overflow="ellipsis")
        for state in self._wired.inputs():
            inputs.add_row(state.name, state.where, Text(state.state, "bold green" if state.state == "closed" else ""))
        lines: list[RenderableType] = [Text(self.head(), "dim"), inputs]
        lines += [Text(f"{name}: {health.state}. {health.says}", STYLES[health.state]) for name, health in self._ill()]
        if self._others.inputs():
            lines.append(Text(self._other_pins()))
        now = time.monotonic()
        with self._lock:
            heard = list(self._log)[-SHOWN:]
        lines += [Text(f"{now - at:5.1f} s ago  {in_words(seen)}", no_wrap=True) for at, seen in reversed(heard)]
        return Group(*lines)

    def head(self) -> str:
        """Return what to do, and which pins are watched."""
        pins = self.trouble or ("mock pins: nothing hangs on them" if self.mock else "pins of this computer")
        return f"Press, turn, lay, roll: it shows here. Ctrl-C ends.  ({pins})"

    def _ill(self) -> list[tuple[str, Health]]:
        return [(name, health) for name, health in self._wired.health().items() if health.state != "ok"]

    def _other_pins(self) -> str:
        closed = [state.where for state in self._others.inputs() if state.state == "closed"]
        self._pressed.update(closed)
        seen = sorted(self._pressed - set(closed))
        words = [*closed, *(f"{pin} (open again)" for pin in seen)]
        return f"pins that the file does not name: {', '.join(words) or 'all open'}"

    def _note(self, observation: Observation) -> None:
        with self._lock:
            self._log.append((time.monotonic(), observation))


def watch(wiring: TableWiring, console: Console) -> None:
    """Show a table's inputs until Ctrl-C: in place on a terminal, otherwise one line for each thing that happens."""
    # What is logged is shown here already; Python would write warnings across the picture.
    logging.getLogger("hardware").addHandler(logging.NullHandler())
    table = Watch(wiring)
    try:
        if console.is_terminal:
            with Live(table.picture(), console=console, auto_refresh=False, vertical_overflow="crop") as live:
                while True:
                    time.sleep(REFRESH_S)
                    live.update(table.picture(), refresh=True)
        console.print(table.head(), highlight=False, markup=False, soft_wrap=True)
        while True:
            time.sleep(REFRESH_S)
            for line in table.news():
                console.print(line, highlight=False, markup=False, soft_wrap=True)
    except KeyboardInterrupt:
        return  # this is how people end it
    finally:
        table.stop()
