"""A network camera that sends JPEG pictures in one endless HTTP answer (a phone, an IP camera)."""

from __future__ import annotations

import http.client
import socket
import urllib.error
import urllib.request
from functools import partial
from typing import Any

import cv2
import numpy as np

from vision.frame import Picture
from vision.sources.live import LiveSource
from vision.sources.source import SourceError

TIMEOUT_S = 1.5
LARGEST_JPEG = 16_000_000
LONGEST_LINE = 1_000_000


class MjpegCamera(LiveSource):
    """Reads `multipart/x-mixed-replace` (RFC 2046 multipart, as browsers show it)."""

    def __init__(self, url: str, size: tuple[int, int] | None = None, timeout: float = TIMEOUT_S) -> None:
        self.url = url
        self._timeout = timeout
        super().__init__(f"the camera at {url}", self._connect, size)

    def _connect(self) -> _MjpegStream:
        lines: list[socket.socket] = []
        opener = urllib.request.build_opener(_Http(lines), _Https(lines))
        try:
            answer = opener.open(self.url, timeout=self._timeout)
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            reason = (reason.strerror if isinstance(reason, OSError) else None) or reason
            raise SourceError(
                f"the camera at {self.url} does not answer ({reason}); check its address and the network", "unplugged"
            ) from error
        kind = answer.headers.get("Content-Type", "nothing")
        boundary = answer.headers.get_param("boundary")
        if not kind.startswith("multipart/") or not isinstance(boundary, str):
            answer.close()
            raise SourceError(
                f"{self.url} sends {kind}, not a stream of JPEG pictures; "
                f"use the address that ends in something like video or mjpeg"
            )
        return _MjpegStream(self.url, answer, boundary.strip('"'), lines[-1])


class _Http(urllib.request.HTTPHandler):
    """Opens connections and remembers their lines, the only handle by which a read can be ended."""

    def __init__(self, lines: list[socket.socket]) -> None:
        super().__init__()
        self._lines = lines

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_remembered, http.client.HTTPConnection, self._lines), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, lines: list[socket.socket]) -> None:
        super().__init__()
        self._lines = lines

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_remembered, http.client.HTTPSConnection, self._lines), req)


def _remembered(
    kind: type[http.client.HTTPConnection], lines: list[socket.socket], host: str, **how: Any
) -> http.client.HTTPConnection:
    connection = kind(host, **how)
    connect = connection.connect

    def connect_and_remember() -> None:
        connect()
        lines.append(connection.sock)

    connection.connect = connect_and_remember  # type: ignore[method-assign]
    return connection


class _MjpegStream:
    def __init__(self, url: str, answer: http.client.HTTPResponse, boundary: str, line: socket.socket) -> None:
        self._url, self._answer, self._line_to = url, answer, line
        self._boundary = b"--" + boundary.removeprefix("--").encode()

    def read(self) -> Picture | None:
        try:
            jpeg = self._part()
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise SourceError(
                f"the camera at {self._url} has stopped sending ({error}); check the network", "unplugged"
            ) from error
        if jpeg is None:
            return None
        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
        if picture is None:
            raise SourceError(f"the camera at {self._url} sends parts that are no JPEG pictures")
        return np.asarray(picture, np.uint8)

    def abort(self) -> None:
        try:
            self._line_to.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it is closed already

    def close(self) -> None:
        self._answer.close()

    def _part(self) -> bytes | None:
        """Return the body of the next part, None at the end of the stream."""
        while not (line := self._line()).startswith(self._boundary):
            if not line:
                return None
        if line.rstrip().endswith(b"--"):
            return None
        length = None
        while (line := self._line()).strip():
            key, _, value = line.partition(b":")
            if key.strip().lower() == b"content-length":
                length = int(value)
        if not line:
            return None
        if length is not None:
            if not 0 <= length <= LARGEST_JPEG:
                raise ValueError(f"a part of {length} bytes")
            whole = self._answer.read(length)
            return whole if len(whole) == length else None
        body = b""
        while not (line := self._line()).startswith(self._boundary):
            if not line or len(body) > LARGEST_JPEG:
                return None
            body += line
        self._pending = line
        return body.removesuffix(b"\r\n")

    _pending = b""

    def _line(self) -> bytes:
        if self._pending:
            line, self._pending = self._pending, b""
            return line
        return self._answer.readline(LONGEST_LINE)
