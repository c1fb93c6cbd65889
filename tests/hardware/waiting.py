"""Waiting for other threads: until something holds, with a limit far beyond what it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

LIMIT = 250.0


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


def open_descriptors() -> set[str]:
    """Name and target of every open descriptor, without the one that lists them."""
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        if link.is_symlink():
            target = str(link.readlink())
            if not target.startswith("/proc/"):
                found.add(f"{link.name} {target}")
    return found
