"""Lets the companion follow a simulated or recorded evening, through the same parts as a real one.

Pictures go through the table reader, edges through (mock) pins and the button witness, serial bytes
through a pseudo-terminal and the serial link. The companion learns nothing on any other way.

Everything runs on the beats' own clock, so an evening is followed as fast as it can be read.
"""

from __future__ import annotations

import os
import queue
import time
import tty
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from companion.simulated.beats import Beat, Edge, Frame, SerialBytes, TouchAt
from companion.table.loop import Loop
from companion.table.observation import Observation, Touch
from companion.table.session import Session
from hardware.markers import LampMarker
from hardware.serial_link import SerialLink
from hardware.virtual import VirtualBoard
from hardware.wiring import DockWiring, Function, Input, Output, SeatWiring, TableWiring
from hardware.witness import ButtonWitness
from vision import frame as camera

PINS = range(4, 28)
BUTTONS: tuple[Function, ...] = ("done", "undo", "yes", "no")
FEW_BUTTONS: tuple[Function, ...] = ("yes", "no")
RECORDED_SESSION = 1
"""The dock's bytes in a recording answer a link that greeted with this number."""
_PATIENCE = 2.0
"""Real seconds after which bytes that nobody reads are a fault of the link."""


class Eye(Protocol):
    """Something that reads the camera's pictures: the cards on a mat, the dice in a tray."""

    def read(self, frame: camera.Frame) -> Observation | None:
        """Return what is to be reported after the next picture of a stream, None if nothing new."""


class Playing:
    """Follows beats with a session. Use it in a `with` statement: it holds pins, a terminal, threads."""

    def __init__(
        self,
        session: Session,
        eyes: Sequence[Eye],
        changed: Callable[[Session], None] | None = None,
        dock: DockWiring | None = None,
    ) -> None:
        """Prepare to follow.

        :param eyes: what reads the pictures
        :param dock: what the dock's codes mean; its port is the pseudo-terminal's
        """
        self.session = session
        self._eyes = tuple(eyes)
        self.frames = 0
        self._now = 0.0
        self._heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self._written = self._read = 0
        dock = msgspec.structs.replace(dock or DockWiring(""), port=os.ttyname(self._slave))
        wiring = wiring_of(len(session.header.seats), dock)
        self._board = VirtualBoard(wiring, self._clock)
        factory = self._board.factory
        self._buttons = ButtonWitness(wiring, factory)
        self._link = SerialLink(wiring, clock=self._clock, tap=self._tap, first_session=RECORDED_SESSION)
        self.loop = Loop(
            session, (self._buttons, self._link), (LampMarker(wiring, factory, self._link.light),), changed
        )

    def __enter__(self) -> Playing:
        for witness in self.loop.witnesses:
            witness.start(self._heard.put)
        return self

    def __exit__(self, *raised: object) -> None:
        for witness in self.loop.witnesses:
            witness.stop()
        for marker in self.loop.markers:
            marker.stop()
        os.close(self._master)
        os.close(self._slave)

    def follow(self, beats: Iterable[Beat]) -> None:
        """Take the beats in, one after the other, to the end."""
        for beat in beats:
            self.take(beat)

    def take(self, beat: Beat) -> None:
        """Take one beat in: a picture, an edge, bytes or a touch."""
        self._now = beat.at
        match beat:
            case Frame():
                picture = camera.Frame(beat.picture(), "simulated", beat.at, self.frames)
                self.frames += 1
                for eye in self._eyes:
                    if (seen := eye.read(picture)) is not None:
                        self._heard.put(seen)
            case Edge():
                self._board.drive(beat.seat, beat.button, beat.pressed)
            case SerialBytes():
                self._receive(beat.bytes)
            case TouchAt():
                self._heard.put(Touch("screen", beat.at, beat.choice, beat.to, beat.reply))
        while not self._heard.empty():
            self.loop.step(self._heard.get())

    def _receive(self, sent: bytes) -> None:
        """Send bytes down the line and wait until the link has read them.

        :raises TimeoutError: if it does not.
        """
        os.write(self._master, sent)
        self._written += len(sent)
        until = time.monotonic() + _PATIENCE
        while self._read < self._written:
            if time.monotonic() > until:
                raise TimeoutError(
                    f"{self._written - self._read} bytes of the dock were not read; {self._link.health()}"
                )
            time.sleep(0.001)
        time.sleep(0.005)  # the link's thread hands its observation on right after it has told us

    def _tap(self, at: float, way: str, travelled: bytes) -> None:
        if way == "in":
            self._read += len(travelled)

    def _clock(self) -> float:
        return self._now


def wiring_of(seats: int, dock: DockWiring | None = None) -> TableWiring:
    """Return the recipe's wiring: buttons (four where the pins last) and a lamp for each seat, the dock on a port."""
    pins = iter(PINS)
    buttons = BUTTONS if seats * (len(BUTTONS) + 1) <= len(PINS) else FEW_BUTTONS
    return TableWiring(
        "mock",
        tuple(
            SeatWiring(tuple((button, Input("gpio", next(pins))) for button in buttons), Output("gpio", next(pins)))
            for _ in range(seats)
        ),
        None,
        dock,
    )
