"""How soon a camera that goes away is said to be away, and how soon it is back.

The camera is a real server of JPEG pictures on a line of this machine, read as a phone is, and once more by the
helper process that reads RTSP. It is unplugged (the line is closed, nobody answers), and it hangs (the line
stays open, nothing comes). `longest_call_ms` is the longest that a screen would have waited for the source.
A folder of pictures and a video lie on a disk that is pulled out and plugged in again while they are shown.
"""

from __future__ import annotations

import contextlib
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.sources import FolderSource, MjpegCamera, Playback, Source, StreamCamera, VideoSource

ROUNDS = 3
EVERY_S = 1 / 30
LOOK_EVERY_S = 0.005
PATIENCE_S = 20.0
FILM = "film.avi"
HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Return seconds until trouble is named and until the camera is back, the median and the longest of some rounds.

    :raises TimeoutError: if a state does not come within `PATIENCE_S`.
    """
    return {
        "mjpeg": _figures(lambda url: MjpegCamera(url), rounds),
        "helper_process": _figures(lambda url: StreamCamera(url), rounds),
        "folder": _of_recording(FolderSource, rounds),
        "video": _of_recording(lambda disk: VideoSource(disk / FILM), rounds),
    }


def _of_recording(open_recording: Callable[[Path], Playback], rounds: int) -> dict[str, Any]:
    """Pull out and plug in the disk of a recording, some times while it is shown."""
    with tempfile.TemporaryDirectory(prefix="companion-") as scratch:
        disk, away = Path(scratch) / "disk", Path(scratch) / "pulled out"
        disk.mkdir()
        _write_recordings(disk, 4 * rounds + 4)
        watch = _ReelWatch(open_recording(disk))
        watch.until("ok")
        times: dict[str, list[float]] = {"unplugged_named": [], "unplugged_back": []}
        for _ in range(rounds):
            disk.rename(away)
            times["unplugged_named"].append(watch.until("unplugged"))
            away.rename(disk)
            times["unplugged_back"].append(watch.until("ok"))
        watch.recording.stop()
    return {**_in_short(times), "longest_call_ms": round(1e3 * watch.longest, 2)}


def _write_recordings(disk: Path, pictures: int) -> None:
    noise = np.random.default_rng(2)
    writer = cv2.VideoWriter(str(disk / FILM), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (320, 240))
    for number in range(pictures):
        picture = noise.integers(60, 200, (240, 320, 3), np.uint8)
        cv2.imwrite(str(disk / f"{number:03}.jpg"), picture)
        writer.write(picture)
    writer.release()


def _figures(open_camera: Callable[[str], Source], rounds: int) -> dict[str, Any]:
    web = PhoneCamera()
    camera = open_camera(web.url)
    times: dict[str, list[float]] = {}
    watch = _Watch(camera)
    camera.start()
    try:
        watch.until_back()
        for _ in range(rounds):
            for name, away, back in (("unplugged", web.unplug, web.plug_in), ("hanging", web.hang, web.go_on)):
                away()
                times.setdefault(f"{name}_named", []).append(watch.until_named())
                back()
                times.setdefault(f"{name}_back", []).append(watch.until_back())
    finally:
        camera.stop()
        web.close()
    return {**_in_short(times), "longest_call_ms": round(1e3 * watch.longest, 2)}


def _in_short(times: dict[str, list[float]]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for name, seconds in times.items():
        figures[f"{name}_median_s"] = round(statistics.median(seconds), 2)
        figures[f"{name}_longest_s"] = round(max(seconds), 2)
    return figures


class _Watch:
    """Asks a source as a screen does, and remembers the longest that it took."""

    def __init__(self, camera: Source) -> None:
        self._camera = camera
        self.longest = 0.0

    def until_named(self) -> float:
        """Return the seconds until the source says by name that it is not well."""
        return self._until(lambda fresh, named: not fresh and named not in ("ok", "waiting"))

    def until_back(self) -> float:
        """Return the seconds until a picture of now is there and all is well."""
        return self._until(lambda fresh, named: fresh and named == "ok")

    def _until(self, holds: Callable[[bool, str], bool]) -> float:
        began = time.monotonic()
        while (now := time.monotonic()) - began < PATIENCE_S:
            newest, state = self._camera.latest(), self._camera.state()
            self.longest = max(self.longest, time.monotonic() - now)
            if holds(newest is not None and now - newest.at < 0.5, state.named):
                return now - began
            time.sleep(LOOK_EVERY_S)
        raise TimeoutError(f"{self._camera.name} is still {self._camera.state()} after {PATIENCE_S:.0f} s")


class _ReelWatch:
    """Takes the pictures of a recording one by one, and remembers the longest that one took."""

    def __init__(self, recording: Playback) -> None:
        self.recording = recording
        self.longest = 0.0

    def until(self, named: str) -> float:
        """Return the seconds until the recording is in this state, and shows a picture if that is `ok`."""
        began = time.monotonic()
        while (now := time.monotonic()) - began < PATIENCE_S:
            shows = self.recording.next() is not None
            self.longest = max(self.longest, time.monotonic() - now)
            if self.recording.state().named == named and (shows or named != "ok"):
                return time.monotonic() - began
            time.sleep(LOOK_EVERY_S)
        raise TimeoutError(f"{self.recording.name} is still {self.recording.state()} after {PATIENCE_S:.0f} s")


class PhoneCamera:
    """A camera on the network, as phones are: JPEG pictures in one endless HTTP answer, thirty a second."""

    def __init__(self) -> None:
        noise = np.random.default_rng(1)
        self._jpegs = [
            cv2.imencode(".jpg", noise.integers(60, 200, (120, 160, 3), np.uint8))[1].tobytes() for _ in range(8)
        ]
        self._line: socket.socket | None = socket.create_server(("127.0.0.1", 0))
        self._port = self._line.getsockname()[1]
        self._calls: list[socket.socket] = []
        self._sending = threading.Event()
        self._sending.set()
        self._answer(self._line)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/video.mjpg"

    def unplug(self) -> None:
        """Answer nobody any more, and break off every call."""
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()
        calls, self._calls = self._calls, []
        for call in calls:
            with contextlib.suppress(OSError):
                call.shutdown(socket.SHUT_RDWR)
            call.close()

    def plug_in(self) -> None:
        """Answer again at the same address."""
        self._line = socket.create_server(("127.0.0.1", self._port))
        self._answer(self._line)

    def hang(self) -> None:
        """Keep every line open and send nothing."""
        self._sending.clear()

    def go_on(self) -> None:
        self._sending.set()

    def close(self) -> None:
        self._sending.set()
        self.unplug()

    def _answer(self, line: socket.socket) -> None:
        threading.Thread(target=self._take_calls, args=(line,), name="camera server", daemon=True).start()

    def _take_calls(self, line: socket.socket) -> None:
        while True:
            try:
                call, _ = line.accept()
            except OSError:
                return
            self._calls.append(call)
            threading.Thread(target=self._send, args=(call,), name="camera call", daemon=True).start()

    def _send(self, call: socket.socket) -> None:
        try:
            call.recv(4096)
            call.sendall(HEAD)
            number = 0
            while True:
                self._sending.wait()
                body = self._jpegs[number % len(self._jpegs)]
                number += 1
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                call.sendall(head + body + b"\r\n")
                time.sleep(EVERY_S)
        except OSError:
            return  # whoever called has gone, or the line was closed
