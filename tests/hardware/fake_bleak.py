"""The package bleak without a radio: dice that are found, connected, lost and heard as a test wishes."""

from __future__ import annotations

import asyncio
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest


class BleakError(Exception):
    """What bleak raises."""


@dataclass
class FakeDie:
    """A die on the air. `found_after` and `refuses` count tries that fail."""

    name: str
    address: str = "C0:FF:EE:00:00:01"
    found_after: int = 0
    refuses: int = 0
    answer: dict[bytes, bytes] = field(default_factory=dict)
    written: list[bytes] = field(default_factory=list)
    connections: int = 0
    client: FakeClient | None = None

    def say(self, payload: bytes) -> None:
        """Notify from another thread, as the radio does."""
        client = self.client
        assert client is not None
        client.loop.call_soon_threadsafe(client.notify, None, bytearray(payload))

    def lose(self) -> None:
        """The connection breaks."""
        client, self.client = self.client, None
        assert client is not None
        client.loop.call_soon_threadsafe(client.disconnected, client)


class FakeClient:
    air: dict[str, FakeDie]

    def __init__(self, device: Any, disconnected_callback: Callable[[Any], None], *, timeout: float) -> None:
        self.die = next(die for die in self.air.values() if die.address == device.address)
        self.disconnected = disconnected_callback
        self.loop = asyncio.get_running_loop()
        self.notify: Callable[[Any, bytearray], None] = lambda _, __: None

    async def connect(self) -> None:
        await asyncio.sleep(0)
        if self.die.refuses:
            self.die.refuses -= 1
            raise BleakError("le-connection-abort-by-local")
        self.die.connections += 1

    async def start_notify(self, characteristic: str, heard: Callable[[Any, bytearray], None]) -> None:
        self.characteristic, self.notify = characteristic, heard
        self.die.client = self

    async def write_gatt_char(self, characteristic: str, payload: bytes) -> None:
        self.die.written.append(payload)
        if payload in self.die.answer:
            self.notify(None, bytearray(self.die.answer[payload]))

    async def disconnect(self) -> None:
        self.die.client = None


@dataclass
class Radio:
    """What is on the air."""

    dice: dict[str, FakeDie]
    searches: int = 0
    at_once: int = 0

    async def find(self, fits: Callable[[Any, Any], bool], timeout: float) -> Any:
        self.searches += 1
        self.at_once += 1
        assert self.at_once == 1, "BlueZ does one search at a time"
        try:
            await asyncio.sleep(0)
            for die in self.dice.values():
                device = types.SimpleNamespace(name=None, address=die.address)
                if fits(device, types.SimpleNamespace(local_name=die.name)):
                    if die.found_after:
                        die.found_after -= 1
                        return None
                    return device
            return None
        finally:
            self.at_once -= 1


def install(monkeypatch: pytest.MonkeyPatch, *dice: FakeDie) -> Radio:
    """Let `import bleak` find these dice."""
    radio = Radio({die.name: die for die in dice})
    client = type("BleakClient", (FakeClient,), {"air": radio.dice})
    scanner = types.SimpleNamespace(find_device_by_filter=radio.find)
    module, errors = types.ModuleType("bleak"), types.ModuleType("bleak.exc")
    module.__spec__ = types.SimpleNamespace(name="bleak")  # type: ignore[assignment]
    module.BleakClient, module.BleakScanner = client, scanner  # type: ignore[attr-defined]
    errors.BleakError = BleakError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bleak", module)
    monkeypatch.setitem(sys.modules, "bleak.exc", errors)
    return radio
