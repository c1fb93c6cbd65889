"""The enrolment of an owner's board of discs, step by step: a photograph, its corners, its rings, its paths.

It knows no screen and no thread; what is tapped comes in as intents, what is to be shown goes out as one
model. What comes of it is what `companion enrol --board` makes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import cos, pi, sin
from pathlib import Path

from companion.desk.boards import DISCS
from companion.desk.enrol_pictures import Picture, as_model
from companion.desk.enrolment import EnrolmentError
from companion.presenters.enrol import EnrolChoose, EnrolCorners, EnrolFrame, EnrolModel, EnrolOpen, EnrolSet
from companion.presenters.models import ChoiceModel, MeterModel, Point
from companion.sets.publish import replace_folder
from companion.table.mat import Mat
from vision.discs import DiscsError, rings_between
from vision.enrol.board import board_in, seen_from_above

SHOWN = 720
"""Pixels of a photograph, or of the board in it, as the screen draws them."""
GUESS = ((0.25, 0.08), (0.75, 0.08), (0.75, 0.92), (0.25, 0.92))
"""Where the corners are shown first, so that they can be dragged from there."""
RADII = (0.7, 0.4)
"""Those of the middle and of the innermost disc on our own board, shares of half its side."""
DISC_NAMES = ("middle", "innermost")
ROUND = 48

Acts = tuple[Callable[[], None], ...]
Shown = tuple[EnrolModel, Acts]


class BoardSteps:
    """One board on its way. `folder` is that of the owner's set, into which it is saved."""

    def __init__(self, mat: Mat, title: str, folder: Path) -> None:
        """Begin; `mat` names the game, and what its paths are called."""
        self._mat, self._title, self._folder = mat, title, folder / DISCS
        self._photograph: Picture | None = None
        self._corners: tuple[Point, Point, Point, Point] = GUESS
        self._view: Picture | None = None
        self._radii: tuple[float, ...] = RADII
        self._asks_radii = self._has_radii = False
        self._paths: tuple[str, ...] = ()
        self._saved = False
        self._serial = 0
        self._shown: Shown = self._present()

    @property
    def model(self) -> EnrolModel:
        """What is to be shown now."""
        return self._shown[0]

    def photograph(self, picture: Picture) -> EnrolModel:
        """Take a picture (BGR) for the photograph of the board."""
        self._photograph, self._corners, self._view = picture, GUESS, None
        self._radii, self._asks_radii, self._has_radii, self._paths, self._saved = RADII, False, False, (), False
        return self._refresh()

    def act(self, wish: EnrolChoose | EnrolOpen | EnrolSet | EnrolFrame | EnrolCorners) -> EnrolModel:
        """Do what was tapped, and return what is to be shown then; a tap on a model that has gone does nothing.

        A drag brings all four corners: it counts even if the model of the drag before was not on the screen yet.

        :raises EnrolmentError: if it cannot be done; one sentence.
        """
        is_drag = isinstance(wish, EnrolCorners) and self._photograph is not None and self._view is None
        if wish.key != self.model.key and not is_drag:
            return self.model
        try:
            match wish:
                case EnrolChoose(choice=choice) if 0 <= choice < len(self._shown[1]):
                    self._shown[1][choice]()
                case EnrolCorners(corners=corners):
                    self._corners = corners
                case EnrolFrame(frame=frame) if self._asks_radii:
                    self._frame(*frame)
        finally:
            self._refresh()  # what was refused is asked for again
        return self.model

    def _refresh(self) -> EnrolModel:
        self._serial += 1
        self._shown = self._present()
        return self.model

    # -- what is tapped --------------------------------------------------------------------------------

    def _take_corners(self) -> None:
        assert self._photograph is not None  # noqa: S101  only then there are corners to be taken
        height, width = self._photograph.shape[:2]
        try:
            self._view = seen_from_above(self._photograph, [(x * width, y * height) for x, y in self._corners])
        except DiscsError as error:
            raise EnrolmentError(str(error)) from None

    def _photograph_again(self) -> None:
        self._photograph = self._view = None

    def _drag_again(self) -> None:
        self._view = None

    def _show_radii(self) -> None:
        self._asks_radii, self._radii = True, ()

    def _frame(self, left: float, top: float, right: float, bottom: float) -> None:
        """Take the frame round a disc (shares of the board): its radius is half of it."""
        radii = (*self._radii, (right - left + bottom - top) / 2)
        self._radii = radii if len(radii) < len(DISC_NAMES) else ()
        if not self._radii:
            try:
                rings_between(*radii)
            except DiscsError:
                raise EnrolmentError(
                    "Those frames cannot be the discs': the middle one goes round the innermost one, and neither to "
                    "the board's edge. Draw them again."
                ) from None
            self._radii, self._asks_radii = radii, False

    def _take_radii(self) -> None:
        self._has_radii = True

    def _take_path(self, path: str) -> None:
        left = [each for each in self._mat.disc_positions if each not in (*self._paths, path)]
        self._paths = (*self._paths, path, *(left if len(left) == 1 else ()))
        if len(self._paths) == len(self._mat.disc_positions):
            self._save()

    def _save(self) -> None:
        assert self._photograph is not None  # noqa: S101  nothing is saved before
        height, width = self._photograph.shape[:2]
        corners = [(x * width, y * height) for x, y in self._corners]
        try:
            board = board_in(self._photograph, corners, rings_between(*self._radii), self._paths)
            replace_folder(self._folder, {}, board.save)
        except DiscsError as error:
            self._paths = ()
            raise EnrolmentError(str(error)) from None
        except OSError as error:
            self._paths = ()
            raise EnrolmentError(f"The board cannot be written to {self._folder} ({error.strerror}).") from None
        self._saved = True

    # -- what is shown ---------------------------------------------------------------------------------

    def _present(self) -> Shown:
        if self._saved:
            says = "The board is saved; the camera finds it by itself from now on."
            counts = (
                MeterModel("Discs that turn", str(len(self._mat.discs)), "ok"),
                MeterModel("Paths", str(len(self._paths)), "ok"),
            )
            warnings = (f"Clockwise: {', '.join(self._paths)}.",)
            return self._model("finish", says, counts=counts, warnings=warnings), ()
        if self._photograph is None:
            says = "Turn both whirlpools in line with the same path, and photograph the whole board from above."
            return self._model("photograph", says), ()
        if self._view is None:
            return self._drag()
        if not self._has_radii:
            return self._rings()
        return self._path()

    def _model(self, step: str, says: str, detail: str = "", **parts: object) -> EnrolModel:
        return EnrolModel(
            f"board {self._serial}", self._mat.name, self._title, step, says, detail, **parts,  # type: ignore[arg-type]
        )  # fmt: skip

    def _drag(self) -> Shown:
        assert self._photograph is not None  # noqa: S101  there is one at this step
        says = "Drag the four corners onto those of the square round the board."
        detail = "Tap Next when the outline lies on its edges."
        choices = (ChoiceModel(0, "Next", "", "likely"), ChoiceModel(1, "Photograph again", "", "no"))
        picture = as_model(self._photograph, SHOWN)
        model = self._model("corners", says, detail, picture=picture, corners=self._corners, choices=choices)
        return model, (self._take_corners, self._photograph_again)

    def _rings(self) -> Shown:
        assert self._view is not None  # noqa: S101  there is one at this step
        picture, frames = as_model(self._view, SHOWN), tuple(_circle(radius) for radius in self._radii)
        if self._asks_radii:
            says = f"Draw a frame round the {DISC_NAMES[len(self._radii)]} disc, from edge to edge."
            return self._model("frame", says, picture=picture, frames=frames), ()
        choices = (
            ChoiceModel(0, "They do", "", "likely"),
            ChoiceModel(1, "Show where", "draw a frame round each"),
            ChoiceModel(2, "Corners again", "they do not lie on the board", "no"),
        )
        says = "Do the two rings lie on the edges of the discs that turn?"
        model = self._model("frame", says, picture=picture, frames=frames, choices=choices)
        return model, (self._take_radii, self._show_radii, self._drag_again)

    def _path(self) -> Shown:
        assert self._view is not None  # noqa: S101  there is one at this step
        left = [path for path in self._mat.disc_positions if path not in self._paths]
        says = "At whose region's path do the whirlpools stand?"
        if self._paths:
            says = f"Whose region comes next, clockwise after that of the {self._paths[-1]}?"
        choices = tuple(ChoiceModel(number, path.capitalize()) for number, path in enumerate(left))
        model = self._model("ask", says, picture=as_model(self._view, SHOWN), choices=choices, done=len(self._paths))
        return model, tuple(partial(self._take_path, path) for path in left)


def _circle(radius: float) -> tuple[Point, ...]:
    """Return a circle about the middle of a square picture, its radius in shares of half the side."""
    turns = [2 * pi * number / ROUND for number in range(ROUND)]
    return tuple((0.5 + radius / 2 * cos(turn), 0.5 + radius / 2 * sin(turn)) for turn in turns)
