"""A board without pins, for the tests: the line is this process's standard input and output.

    micropython host.py FOLDER

The test writes the sample (buttons, die, levels: a byte each) into FOLDER/sample, and reads the lamps from
FOLDER/lamps. Runs on MicroPython's Unix port and on CPython.
"""

import os
import select
import sys
import time

import config
from loop import run

SLEEP = 1


class Host:
    """A board, as `loop.run` needs it."""

    def __init__(self, folder):
        self._folder = folder
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        # CPython keeps bytes back in a buffer, where `poll` does not see them.
        self._in = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        self._out = getattr(sys.stdout.buffer, "raw", sys.stdout.buffer)
        self._started = time.time()
        self._sample = bytes(2) + b"\xff" * config.SLOTS
        self._lit = [None] * len(config.LAMPS)

    def now(self):
        self._look()
        return int((time.time() - self._started) * 1000)

    def boot_id(self):
        with open("/dev/urandom", "rb") as file:
            return int.from_bytes(file.read(4), "little")

    def unique_id(self):
        return "HOST"

    def read(self):
        received = bytearray()
        wait = SLEEP
        while len(received) < 64 and self._poll.poll(wait):
            byte = self._in.read(1)
            if not byte:
                sys.exit()
            received += byte
            wait = 0
        return received

    def write(self, due):
        self._out.write(due)

    def buttons(self):
        return self._sample[0]

    def die(self):
        return self._sample[1]

    def slots(self):
        return self._sample[2:]

    def light(self, number, lit):
        if self._lit[number] != lit:
            self._lit[number] = lit
            with open(self._folder + "/lamps.new", "wb") as file:
                file.write(bytes([1 if each else 0 for each in self._lit]))
            os.rename(self._folder + "/lamps.new", self._folder + "/lamps")

    def _look(self):
        try:
            with open(self._folder + "/sample", "rb") as file:
                sample = file.read()
        except OSError:
            return
        if len(sample) == len(self._sample):
            self._sample = sample


run(Host(sys.argv[1]))
