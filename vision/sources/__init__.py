"""Where pictures come from: cameras, recordings, the network; all behind one protocol."""

from __future__ import annotations

from pathlib import Path

from vision.sources.live import LiveSource
from vision.sources.mjpeg import MjpegCamera
from vision.sources.pi import PiCamera
from vision.sources.recording import FolderSource, VideoSource
from vision.sources.shared import leave, share
from vision.sources.source import Playback, Source, SourceError, SourceState
from vision.sources.stream import StreamCamera
from vision.sources.usb import UsbCamera

__all__ = [
    "FolderSource",
    "LiveSource",
    "MjpegCamera",
    "PiCamera",
    "Playback",
    "Source",
    "SourceError",
    "SourceState",
    "StreamCamera",
    "UsbCamera",
    "VideoSource",
    "leave",
    "open_source",
    "share",
]


def open_source(address: str) -> Source:
    """Return the source that `address` names; cameras are opened by `start`, not here.

    Forms: `pi:0`, `usb:0`, `usb:/dev/video2`, `folder:PATH`, `video:PATH`, `http://...` or `https://...` (MJPEG),
    `rtsp://...`.

    :raises SourceError: with one sentence, if it is none of these or names nothing.
    """
    kind, _, rest = address.partition(":")
    if kind in ("http", "https") and rest.strip("/"):
        return MjpegCamera(address)
    if kind in ("rtsp", "rtsps") and rest.strip("/"):
        return StreamCamera(address)
    if kind == "pi" and rest.isdecimal():
        return PiCamera(int(rest))
    if kind == "usb" and rest and (rest.isdecimal() or rest.startswith("/")):
        return UsbCamera(rest)
    if kind == "folder" and rest:
        return FolderSource(Path(rest).expanduser())
    if kind == "video" and rest:
        return VideoSource(Path(rest).expanduser())
    raise SourceError(
        f"{address!r} names no source of pictures; write usb:0, usb:/dev/video0, pi:0, folder:PATH, "
        f"video:PATH, http://ADDRESS or rtsp://ADDRESS"
    )
