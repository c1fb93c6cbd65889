"""The enrolment at the desk: which one is open, where its photographs come from, where the set goes."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.desk.enrol_board import BoardSteps
from companion.desk.enrol_draft import DraftError
from companion.desk.enrol_steps import EnrolmentSteps
from companion.desk.enrolment import Enrolment, EnrolmentError
from companion.games import load_game
from companion.presenters.desk import Frame, Publish
from companion.presenters.enrol import (
    EnrolChoose,
    EnrolCorners,
    EnrolFrame,
    EnrolIntent,
    EnrolOpen,
    EnrolSet,
    LeaveEnrolment,
    Photograph,
    ReadPhotographs,
    ShowEnrolment,
)
from companion.presenters.models import NoticeModel
from companion.sets.owner import SetError
from companion.table.mat import game_mat
from vision.deck import DeckError
from vision.enrol.cut import CutError
from vision.picture import PictureError, pictures_in, read_picture

PHOTOGRAPHS, DRAFT = "photographs", ".draft"
REFUSALS = (DraftError, EnrolmentError, CutError, SetError, DeckError, PictureError)
"""What may be wrong with a wish; each says so in a sentence."""

Picture = NDArray[np.uint8]


class EnrolmentDesk:
    """One enrolment at a time; `home` holds the sets and the folder for photographs."""

    def __init__(self, home: Path, sets: Path) -> None:
        self._home, self._sets = home, sets
        self._steps: EnrolmentSteps | BoardSteps | None = None

    def take(self, intent: EnrolIntent, frame: Frame | None, publish: Publish) -> None:
        """Do what was tapped and publish what is to be shown then; `frame` is the camera's newest picture."""
        try:
            self._take(intent, frame, publish)
        except REFUSALS as error:
            publish(NoticeModel(_sentence(str(error)), "refused"))
            if self._steps is not None:
                publish(self._steps.model)

    def _take(self, intent: EnrolIntent, frame: Frame | None, publish: Publish) -> None:
        if isinstance(intent, LeaveEnrolment):
            self._steps = None
            return
        if isinstance(intent, ShowEnrolment):
            self._steps = self._open(intent.game)
        steps = self._steps
        if steps is None:
            return
        match intent:
            case Photograph(key=key) if key == steps.model.key:
                if frame is None:
                    raise EnrolmentError(
                        f"There is no picture; connect a camera, or put photographs into {self._home / PHOTOGRAPHS}."
                    )
                steps.photograph(np.asarray(cv2.cvtColor(frame.rgba, cv2.COLOR_RGBA2BGR), np.uint8))
            case ReadPhotographs(key=key) if key == steps.model.key:
                self._read_folder(steps, publish)
            case EnrolChoose() | EnrolOpen() | EnrolSet() | EnrolFrame():
                steps.act(intent)
            case EnrolCorners() if isinstance(steps, BoardSteps):
                steps.act(intent)
            case _:
                pass
        publish(steps.model)

    def _open(self, game: str) -> EnrolmentSteps | BoardSteps:
        mat = game_mat(load_game(game))
        if mat.discs:
            return BoardSteps(mat, load_game(game).title, self._sets / game)
        enrolment = Enrolment(game, self._sets / f"{game}{DRAFT}")
        return EnrolmentSteps(enrolment, load_game(game).title, self._sets / game)

    def _read_folder(self, steps: EnrolmentSteps | BoardSteps, publish: Publish) -> None:
        """Take every picture of the folder; one that cannot be used is said and left out."""
        folder = self._home / PHOTOGRAPHS
        files = pictures_in(folder)
        if not files:
            raise EnrolmentError(f"There are no pictures in {folder}; copy the photographs there.")
        for file in files:
            try:
                steps.photograph(read_picture(file))
            except (CutError, PictureError) as error:
                publish(NoticeModel(_sentence(f"{file.name} was left out: {error}"), "refused"))
            publish(steps.model)


def _sentence(says: str) -> str:
    return says[:1].upper() + says[1:] + ("" if says.endswith(".") else ".")
