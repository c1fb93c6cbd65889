"""Bluetooth dice, by way of bleak, which is only needed where such dice are wired.

One thread with an event loop of its own keeps a connection to every die and makes it again whenever it is
lost. BlueZ does one search or connection at a time, and gives some up for no reason: they are tried again.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from importlib import util
from typing import Any

from companion.table.ports import Health
from hardware.dice.states import DieState, Report, Speaker, StrangeError

SEARCH_WITHIN = 10.0
CONNECT_WITHIN = 15.0
AGAIN_AFTER = 2.0
STRANGE_MOST = 3
MISSING = "Bluetooth dice need the package bleak; install it with: .venv/bin/pip install bleak"

_log = logging.getLogger(__name__)


def unreachable(name: str, error: Exception) -> str:
    """Return why a die cannot be reached, and what to do: the die may be asleep, or Bluetooth itself is not there."""
    if isinstance(error, FileNotFoundError | ConnectionRefusedError):
        return (
            f"The die {name} cannot be reached: Bluetooth does not run on this computer; "
            "start it (sudo systemctl start bluetooth), or take the die out of the wiring file."
        )
    return f"The die {name} cannot be reached ({_reason(error)}); wake it, bring it nearer."


class _Die:
    """One die and how the connection to it is doing."""

    def __init__(self, name: str, speaker: Speaker) -> None:
        self.name, self.speaker = name, speaker
        self.says = f"The die {name} is being looked for; wake it by rolling it."
        self.is_connected = False
        self.strange = 0


class BleDice:
    """Listens to Bluetooth dice. `dice` has, by their number as wired, their name or address and what they speak."""

    def __init__(self, dice: Mapping[int, tuple[str, Speaker]], again_after: float = AGAIN_AFTER) -> None:
        self._dice = {number: _Die(name, speaker) for number, (name, speaker) in dice.items()}
        self._again_after = again_after
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._all: asyncio.Task[None] | None = None
        self._ready = threading.Event()
        self._problem = ""

    def start(self, report: Report) -> None:
        """Begin to look for the dice."""
        if self._thread is not None:
            return
        if util.find_spec("bleak") is None:
            self._problem = MISSING
            _log.error("%s", MISSING)
            return
        self._problem = ""
        self._ready.clear()
        self._thread = threading.Thread(target=self._run, args=(report,), name="bluetooth dice", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Let go of the dice and end the thread."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._ready.wait()
        loop, everything = self._loop, self._all
        if loop is not None and everything is not None and thread.is_alive():
            loop.call_soon_threadsafe(everything.cancel)
        thread.join()

    def health(self) -> Health:
        """Say how the dice are doing."""
        if self._problem:
            return Health("failed", self._problem)
        if self._thread is None:
            return Health("off", "The dice are not being listened to.")
        if not self._thread.is_alive():
            return Health("failed", "Listening to the dice ended by an error; see the log, restart the companion.")
        if missing := next((die for die in self._dice.values() if not die.is_connected), None):
            return Health("waiting", missing.says)
        if strange := next((die for die in self._dice.values() if die.strange >= STRANGE_MOST), None):
            says = f"What the die {strange.name} says is not known here; update the companion or the die."
            return Health("unsure", says)
        return Health("ok")

    def _run(self, report: Report) -> None:
        try:
            asyncio.run(self._follow_all(report))
        except asyncio.CancelledError:
            return  # this is how `stop` ends it
        finally:
            self._ready.set()

    async def _follow_all(self, report: Report) -> None:
        self._loop, self._all = asyncio.get_running_loop(), asyncio.current_task()
        self._ready.set()
        one_at_a_time = asyncio.Lock()
        async with asyncio.TaskGroup() as group:
            for number, die in self._dice.items():
                group.create_task(self._follow(die, partial(report, number), one_at_a_time))

    async def _follow(self, die: _Die, report: Callable[[DieState], None], one_at_a_time: asyncio.Lock) -> None:
        """Keep one die connected for ever."""
        from bleak.exc import BleakError

        while True:
            lost = asyncio.Event()
            try:
                async with one_at_a_time:
                    client = await self._connect(die, report, lost)
            except (BleakError, OSError, TimeoutError, EOFError) as error:
                self._say(die, unreachable(die.name, error))
                await asyncio.sleep(self._again_after)
                continue
            if client is None:
                self._say(die, f"The die {die.name} is not found; wake it by rolling it, or correct its name.")
                await asyncio.sleep(self._again_after)
                continue
            try:
                await lost.wait()
            finally:
                die.is_connected = False
                self._say(die, f"The die {die.name} was lost; it is looked for.")
                await self._let_go(client)
            report(DieState("away"))

    async def _connect(self, die: _Die, report: Callable[[DieState], None], lost: asyncio.Event) -> Any:
        """Find and connect a die and have it say how it lies; None if it is not found."""
        from bleak import BleakClient, BleakScanner

        wanted = die.name.casefold()
        found = await BleakScanner.find_device_by_filter(
            lambda device, seen: wanted in _names(device, seen),
            timeout=SEARCH_WITHIN,
        )
        if found is None:
            return None
        client = BleakClient(found, disconnected_callback=lambda _: lost.set(), timeout=CONNECT_WITHIN)
        await client.connect()
        try:
            report(DieState("back"))
            await client.start_notify(die.speaker.NOTIFY, lambda _, payload: self._hear(die, bytes(payload), report))
            for asks in die.speaker.greeting:
                await client.write_gatt_char(die.speaker.WRITE, asks)
        except BaseException:
            await self._let_go(client)
            raise
        die.is_connected = True
        _log.info("the die %s is connected", die.name)
        return client

    def _hear(self, die: _Die, payload: bytes, report: Callable[[DieState], None]) -> None:
        try:
            state = die.speaker.read(payload)
        except StrangeError as error:
            die.strange += 1
            _log.warning("the die %s said %s (%s)", die.name, payload.hex(" "), error)
            return
        die.strange = 0
        if state is not None:
            report(state)

    @staticmethod
    async def _let_go(client: Any) -> None:
        from bleak.exc import BleakError

        try:
            await client.disconnect()
        except (BleakError, OSError, TimeoutError, EOFError) as error:
            _log.info("a die could not be let go: %s", error)

    def _say(self, die: _Die, says: str) -> None:
        if says != die.says:
            _log.info("%s", says)
        die.says = says


def _names(device: Any, seen: Any) -> tuple[str, str]:
    """Return the name that a die tells and its address, as they are compared."""
    return (seen.local_name or device.name or "").casefold(), device.address.casefold()


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
