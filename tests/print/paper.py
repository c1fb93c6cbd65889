"""Reads back what stands in a PDF: page sizes, filled rectangles, texts, in millimetres from the top left."""

from __future__ import annotations

import re
import zlib

import msgspec

MM = 25.4 / 72
NUMBER = rb"(-?[\d.]+)"


class Page(msgspec.Struct, frozen=True):
    """One page; `clip` is (x, y, width, height) of its window, a box has its grey, 0 to 1, as fifth."""

    width: float
    height: float
    clip: tuple[float, float, float, float]
    boxes: tuple[tuple[float, float, float, float, float], ...]
    texts: tuple[str, ...]
    images: int


def pages(pdf: bytes) -> list[Page]:
    """The pages of an uncompressed-object PDF, in order."""
    found = []
    for body in re.findall(rb"\d+ 0 obj\n<<\n((?:(?!endobj).)*?/Type /Page\n)", pdf, re.DOTALL):
        box = re.search(rb"/MediaBox \[0 0 " + NUMBER + b" " + NUMBER + rb"\]", body)
        content = re.search(rb"/Contents (\d+) 0 R", body)
        assert box is not None
        assert content is not None
        width, height = float(box[1]), float(box[2])
        found.append(_page(width, height, _stream(pdf, int(content[1]))))
    return found


def _stream(pdf: bytes, number: int) -> bytes:
    body = re.search(rb"(?<!\d)%d 0 obj\n(.*?)\nendobj" % number, pdf, re.DOTALL)
    assert body is not None
    data = re.search(rb"stream\n(.*)\nendstream", body[1], re.DOTALL)
    assert data is not None
    return zlib.decompress(data[1])


def _page(width: float, height: float, stream: bytes) -> Page:
    grey, boxes, clip = 0.0, [], (0.0, 0.0, width * MM, height * MM)
    for line in stream.splitlines():
        if fill := re.fullmatch(NUMBER + rb" g", line):
            grey = float(fill[1])
        elif rect := re.fullmatch(b"(?:q )?" + b" ".join([NUMBER] * 4) + rb" re (f|W n)", line):
            x, y, across, up = (float(value) for value in rect.groups()[:4])
            left, top = min(x, x + across), height - max(y, y + up)
            place = (left * MM, top * MM, abs(across) * MM, abs(up) * MM)
            if rect[5] == b"f":
                boxes.append((*place, grey))
            else:
                clip = place
    texts = tuple(text.decode("latin-1") for text in re.findall(rb"\(((?:[^()\\]|\\.)*)\) Tj", stream))
    return Page(width * MM, height * MM, clip, tuple(boxes), texts, len(re.findall(rb"/I\d+ Do", stream)))
