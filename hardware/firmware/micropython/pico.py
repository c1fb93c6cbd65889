"""The pins of a Raspberry Pi Pico (RP2040 or RP2350); the line is its USB port."""

import os
import select
import sys
import time

import config
import machine
import micropython


class Pico:
    """A board, as `loop.run` needs it."""

    def __init__(self):
        micropython.kbd_intr(-1)  # a byte 3 is a byte, and not the interrupt key
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        self._buttons = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in config.BUTTONS]
        self._die = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in config.DIE]
        self._lamps = [machine.Pin(pin, machine.Pin.OUT, value=0) for pin in config.LAMPS]
        self._select = [machine.Pin(pin, machine.Pin.OUT, value=0) for pin in config.SLOT_SELECT]
        self._level = machine.ADC(config.SLOT_LEVEL)
        self._levels = [255] * config.SLOTS
        self._slot = 0
        self._ticks = time.ticks_ms()
        self._now = 0
        self._watchdog = machine.WDT(timeout=1000)

    def now(self):
        """Return the milliseconds since the start; the board's own count runs round after twelve days."""
        self._watchdog.feed()
        ticks = time.ticks_ms()
        self._now += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now

    def boot_id(self):
        return int.from_bytes(os.urandom(4), "little")

    def unique_id(self):
        return "PICO-" + "".join(["%02X" % byte for byte in machine.unique_id()])

    def read(self):
        """Return what has come in, after a millisecond at most."""
        received = bytearray()
        wait = 1
        while len(received) < 64 and self._poll.poll(wait):
            received += sys.stdin.buffer.read(1)
            wait = 0
        return received

    def write(self, due):
        sys.stdout.buffer.write(due)

    def buttons(self):
        """Return the closed contacts, bit n for button n."""
        return sum([(not pin.value()) << n for n, pin in enumerate(self._buttons)])

    def die(self):
        return sum([(not pin.value()) << n for n, pin in enumerate(self._die)])

    def slots(self):
        """Return the levels; one of them is measured at each call, after the choice had a call to settle."""
        if config.SLOTS:
            self._levels[self._slot] = self._level.read_u16() >> 8
            self._slot = (self._slot + 1) % config.SLOTS
            for n, pin in enumerate(self._select):
                pin.value(self._slot >> n & 1)
        return self._levels

    def light(self, number, lit):
        self._lamps[number].value(lit)
