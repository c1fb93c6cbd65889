"""A board without pins, for the tests: the line is this process's standard input and output.

    micropython host.py FOLDER

The test writes the sample (buttons, die, levels: a byte each) into FOLDER/sample, and reads the lamps from
FOLDER/lamps. What lasts only for a while comes before it in the file, as steps: a sample and its milliseconds
in two bytes, low one first. The file is called FOLDER/taken while they last, and then removed. Runs on
MicroPython's Unix port and on CPython.
"""

import os
import select
import sys
import time

import config
from loop import run

SLEEP = 1
MOST = 2
"""Milliseconds of a round, at most: on a busy computer the board is slow, and misses nothing."""


class Host:
    """A board, as `loop.run` needs it."""

    def __init__(self, folder):
        self._folder = folder
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        # CPython keeps bytes back in a buffer, where `poll` does not see them.
        self._in = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        self._out = getattr(sys.stdout.buffer, "raw", sys.stdout.buffer)
        self._now, self._looked_at = 0.0, time.time()
        self._sample = bytes(2) + b"\xff" * config.SLOTS
        self._steps = []
        self._lit = [None] * len(config.LAMPS)

    def now(self):
        looked_at, self._looked_at = self._looked_at, time.time()
        passed = max(0, min(1000 * (self._looked_at - looked_at), MOST))
        self._now += passed
        self._live(passed)
        return int(self._now)

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

    def _live(self, passed):
        if not self._steps and not self._take_steps():
            return
        step = self._steps[0]
        self._sample = step[0]
        if len(self._steps) == 1:
            self._steps.pop()
            os.remove(self._folder + "/taken")
            return
        step[1] -= passed
        if step[1] <= 0:
            self._steps.pop(0)

    def _take_steps(self):
        try:
            os.rename(self._folder + "/sample", self._folder + "/taken")
        except OSError:
            return False
        with open(self._folder + "/taken", "rb") as file:
            wanted = file.read()
        size = len(self._sample)
        for at in range(0, len(wanted), size + 2):
            step = wanted[at : at + size + 2]
            self._steps.append([step[:size], int.from_bytes(step[size:], "little")])
        return True


run(Host(sys.argv[1]))
