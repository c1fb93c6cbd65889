"""Runs when the Pico starts."""

from loop import run
from pico import Pico

run(Pico())
