"""How fast the screen is there, what it costs while nothing happens, and with a running camera picture.

Measured in a process of its own on an offscreen window, so with a software renderer where there is
no graphics chip. `python -m ui.bench` prints the figures as JSON.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

SIZE = (1280, 720)
_CHILD = "--child"


def measure(seconds: float = 5.0) -> dict[str, float]:
    """Return the figures of the second of two starts, the first warms the disk.

    `first_picture_s`: from the start of the process to the first drawn live table; `first_picture_cpu_s`:
    its processor time; `idle_cpu_share` and `camera_cpu_share`: share of one core over `seconds` with a
    still screen and with the small camera picture running; `memory_mb`: resident memory at the end.

    :raises RuntimeError: with what the process said, if it does not get that far.
    """
    environment = os.environ | {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    figures: dict[str, float] = {}
    for run_for in (0.0, seconds):
        began = time.time()
        ran = subprocess.run(
            [sys.executable, "-m", "ui.bench", _CHILD, str(run_for)],
            capture_output=True,
            text=True,
            env=environment,
            cwd=Path(__file__).parent.parent,
            timeout=120 + 4 * seconds,
            check=False,
        )
        if ran.returncode:
            raise RuntimeError(f"the screen did not start: {ran.stderr.strip()[-400:]}")
        figures = json.loads(ran.stdout.splitlines()[-1])
        figures["first_picture_s"] = round(figures.pop("first_picture_at") - began, 2)
    return figures


def _child(seconds: float) -> None:
    from ui import window

    window.prepare(SIZE)
    from kivy.clock import Clock

    from ui.app import CompanionApp
    from ui.bench_desk import StillDesk

    desk = StillDesk()
    app = CompanionApp(desk)
    figures: dict[str, float] = {}

    def drawn(*_: object) -> None:
        if app.root is None or app.root.here != "live":
            return
        app.root_window.unbind(on_flip=drawn)
        figures["first_picture_at"] = time.time()
        figures["first_picture_cpu_s"] = round(time.process_time(), 2)
        if seconds:
            Clock.schedule_once(lambda _dt: _watch(app, desk, seconds, figures), 1.0)
        else:
            app.stop()

    app.bind(on_start=lambda _app: app.root_window.bind(on_flip=drawn))
    app.begin_when_started(desk.resume)
    app.run()
    sys.stdout.write(json.dumps(figures) + "\n")


def _watch(app: object, desk: object, seconds: float, figures: dict[str, float]) -> None:
    from kivy.clock import Clock

    def cost_from(cpu: float, wall: float) -> float:
        return round((time.process_time() - cpu) / (time.monotonic() - wall), 3)

    def filmed(cpu: float, wall: float) -> None:
        figures["camera_cpu_share"] = cost_from(cpu, wall)
        figures["memory_mb"] = round(_resident_mb(), 1)
        app.stop()

    def idled(cpu: float, wall: float) -> None:
        figures["idle_cpu_share"] = cost_from(cpu, wall)
        desk.film()
        cpu, wall = time.process_time(), time.monotonic()
        Clock.schedule_once(lambda _dt: filmed(cpu, wall), seconds)

    cpu, wall = time.process_time(), time.monotonic()
    Clock.schedule_once(lambda _dt: idled(cpu, wall), seconds)


def _resident_mb() -> float:
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    if _CHILD in sys.argv:
        _child(float(sys.argv[-1]))
    else:
        sys.stdout.write(json.dumps(measure()) + "\n")
