"""Recordings: a folder of pictures and a video file, played in order and without threads.

A disk can be pulled out like a camera: then the recording is unplugged and goes on where it was as soon as the
disk is back. A picture that is broken is named and passed over.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.frame import Frame, Picture
from vision.picture import SUFFIXES, PictureError, read_picture
from vision.sources.source import SourceError, SourceState


class _Recording:
    """Hands out pictures in order; `interval` seconds lie between two of them."""

    def __init__(self, name: str, interval: float) -> None:
        self.name = name
        self.interval = interval
        self._number = 0
        self._current: Frame | None = None
        self._ended = False
        self._trouble: SourceState | None = None

    def start(self) -> None:
        """Nothing is to be opened: every call of `next` reads one picture."""

    def stop(self) -> None:
        self._close()

    def latest(self) -> Frame | None:
        """Return the next picture, the last one for ever: a recording is as fast as its reader."""
        return self.next() or self._current

    def next(self) -> Frame | None:
        """Return the next picture, or None after the last and when one cannot be read (see `state`)."""
        if self._ended:
            return None
        try:
            picture = self._read()
        except SourceError as error:
            self._trouble = error.state
            if error.state.named != "unplugged":
                self._number += 1
            return None
        self._trouble = None
        if picture is None:
            self._ended = True
            return None
        self._current = Frame(picture, self.name, self._number * self.interval, self._number)
        self._number += 1
        return self._current

    def state(self) -> SourceState:
        if self._trouble is not None:
            return self._trouble
        if self._ended:
            return SourceState("waiting", f"{self.name} has shown all its {self._number} pictures")
        return SourceState("ok")

    def _read(self) -> Picture | None:
        """Return picture `_number`, None behind the last one.

        :raises SourceError: `unplugged` if it may come back, else it is passed over.
        """
        raise NotImplementedError

    def _close(self) -> None:
        """Give back what `_read` has opened."""


class FolderSource(_Recording):
    """The pictures of a folder in the order of their names."""

    def __init__(self, folder: Path, interval: float = 0.2) -> None:
        """List the pictures.

        :raises SourceError: if there is no such folder or no picture in it.
        """
        if not folder.is_dir():
            raise SourceError(f"there is no folder {folder}; name a folder with JPEG or PNG pictures")
        self._files = sorted(file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES)
        if not self._files:
            raise SourceError(f"the folder {folder} holds no picture; JPEG or PNG files were expected")
        self._folder = folder
        super().__init__(f"the folder {folder}", interval)

    def _read(self) -> Picture | None:
        if self._number >= len(self._files):
            return None
        if not self._folder.is_dir():
            raise _gone(self.name)
        try:
            return read_picture(self._files[self._number])
        except PictureError as error:
            raise SourceError(str(error)) from error


class VideoSource(_Recording):
    """The pictures of a video file, at the pace it was recorded in."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        :raises SourceError: if it is missing or is no video that can be decoded.
        """
        if not path.is_file():
            raise SourceError(f"there is no file {path}; name a video file")
        self._path = path
        self._capture: cv2.VideoCapture | None = cv2.VideoCapture(str(path))
        rate = self._capture.get(cv2.CAP_PROP_FPS) if self._capture.isOpened() else 0.0
        if not rate > 0.0:
            self._capture.release()
            raise SourceError(f"{path} is not a video that can be decoded; an MP4 or AVI file was expected")
        super().__init__(f"the video {path}", 1.0 / rate)

    def _read(self) -> Picture | None:
        if not self._path.is_file():
            self._close()  # what a decoder still holds in memory must not hide that the disk is gone
            raise _gone(self.name)
        if self._capture is None:
            self._capture = cv2.VideoCapture(str(self._path))
            self._capture.set(cv2.CAP_PROP_POS_FRAMES, self._number)
        came, picture = self._capture.read()
        return np.asarray(picture, np.uint8) if came else None

    def _close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def _gone(name: str) -> SourceError:
    return SourceError(f"{name} is not there any more; plug its disk in again, it will go on by itself", "unplugged")
