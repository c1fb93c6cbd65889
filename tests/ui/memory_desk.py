"""A desk in memory: answers every intent with a hand-made model and remembers what it was sent."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from msgspec.structs import replace

from companion.presenters.desk import (
    Answer,
    Begin,
    Correct,
    Frame,
    Intent,
    Publish,
    Resume,
    SetCorners,
    ShowCorrection,
    ShowFinal,
    ShowGames,
    ShowHome,
    ShowSetUp,
    ShowTable,
    Undo,
)
from companion.presenters.models import NoticeModel, TableModel
from tests.ui import made


class MemoryDesk:
    """`sent` holds the intents in order; `says_no` makes the next game be refused."""

    def __init__(self, camera: bool = True) -> None:
        self.sent: list[Intent] = []
        self.publish: Publish = lambda model: None
        self.live = made.live()
        self.table: TableModel = made.TABLE
        self.says_no = ""
        self.closed = 0
        self._frame = Frame(1, picture()) if camera else None
        self._does: dict[type, Callable[[Intent], None]] = {
            ShowHome: lambda _: self.publish(made.HOME),
            ShowGames: lambda _: self.publish(made.GAMES),
            ShowSetUp: lambda _: self.publish(made.SET_UP),
            ShowTable: lambda _: self.publish(self.table),
            ShowCorrection: lambda intent: self.publish(
                replace(made.CORRECT, cell=replace(made.CORRECT.cell, key=intent.cell))
            ),
            ShowFinal: lambda _: self.publish(made.FINAL),
            Begin: self._begin,
            Resume: self._begin,
            SetCorners: self._corners,
            Undo: lambda _: self.publish(replace(self.live, undo="J\u00f6rg laid elf-14 in B4")),
            Answer: lambda _: self.publish(self.live),
            Correct: lambda _: self.publish(self.live),
        }

    def open(self, publish: Publish) -> None:
        self.publish = publish

    def submit(self, intent: Intent) -> None:
        self.sent.append(intent)
        does = self._does.get(type(intent))
        if does is not None:
            does(intent)

    def frame(self) -> Frame | None:
        return self._frame

    def close(self) -> None:
        self.closed += 1

    def sent_of(self, kind: type) -> list[Intent]:
        return [intent for intent in self.sent if isinstance(intent, kind)]

    def _begin(self, _intent: Intent) -> None:
        self.publish(NoticeModel(self.says_no, "refused") if self.says_no else self.live)

    def _corners(self, intent: SetCorners) -> None:
        self.table = replace(
            self.table, corners=intent.corners or made.TABLE.corners, manual=intent.corners is not None
        )
        self.publish(self.table)


def picture(width: int = 1280, height: int = 720) -> np.ndarray:
    """A table seen from above: a mat with coloured squares where the board has cards, RGBA."""
    rows = np.linspace(0, 1, height)[:, None, None]
    shade = (np.array([96.0, 84.0, 70.0]) * (1.0 - 0.35 * rows)).astype(np.uint8)
    image = np.repeat(shade, width, axis=1)
    mat = np.array([(0.06, 0.04), (0.95, 0.05), (0.97, 0.95), (0.04, 0.96)]) * (width, height)
    cv2.fillPoly(image, [mat.astype(np.int32)], (52, 70, 62), cv2.LINE_AA)
    for overlay in made.overlays():
        if overlay.state == "empty":
            continue
        corners = (np.array(overlay.corners) * (width, height)).astype(np.int32)
        seed = sum(map(ord, overlay.label)) % 255
        cv2.fillPoly(image, [corners], (90 + seed // 2, 200 - seed // 3, 120 + seed // 4), cv2.LINE_AA)
        centre = corners.mean(axis=0).astype(int)
        cv2.putText(
            image, overlay.key, tuple(centre - (22, -10)), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (30, 30, 30), 2, cv2.LINE_AA
        )
    return np.ascontiguousarray(np.dstack([image, np.full((height, width), 255, np.uint8)]))
