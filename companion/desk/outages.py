"""Devices that fail while a game is played: each fills the screen until it is well or people go on without it.

One that does not fit the companion (a dock of another protocol) gets a screen of its own, with both sides.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.presenters.models import ChoiceModel, OutageModel, PromptModel
from companion.table.ports import Health

GO_ON = "Play on without it"


class Outages:
    """What the devices beside the camera say of themselves. Used in the table's thread only."""

    def __init__(self) -> None:
        self._ill: dict[str, Health] = {}
        self._accepted: set[str] = set()

    def note(self, health: Mapping[str, Health]) -> None:
        """Take in how every device does, by name; one that is well again may fill the screen again later."""
        self._ill = {name: each for name, each in health.items() if each.state in ("failed", "waiting", "unsure")}
        self._accepted &= {name for name, each in self._ill.items() if each.state != "unsure"}

    def reminders(self, shown: Collection[str]) -> tuple[str, ...]:
        """Return every trouble in a sentence that is not `shown` elsewhere; nobody is stopped by it."""
        filling = self._failed()
        return tuple(
            each.says for name, each in self._ill.items() if name != filling and each.says and each.says not in shown
        )

    def prompt(self) -> PromptModel | None:
        """Return what fills the screen now: the first device that has failed and was not played on without."""
        name = self._failed()
        if name is None:
            return None
        return PromptModel("alarm", self._ill[name].says, "", self._key(name), None, (ChoiceModel(0, GO_ON),))

    def screen(self) -> OutageModel | None:
        """Return what such a device and the companion say of each other, if they do not fit."""
        name = self._failed()
        if name is None or not (ill := self._ill[name]).sides:
            return None
        return OutageModel(self._key(name), ill.says, ill.sides, ill.remedy, ChoiceModel(0, GO_ON))

    def accept(self, key: str) -> bool:
        """Play on without the device whose prompt had this key; return whether there was one."""
        name = self._failed()
        if name is None or key != self._key(name):
            return False
        self._accepted.add(name)
        return True

    def _failed(self) -> str | None:
        failed = (name for name, each in self._ill.items() if each.state == "failed")
        return next((name for name in failed if name not in self._accepted), None)

    @staticmethod
    def _key(name: str) -> str:
        return f"device {name}"
