"""What all screens have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.app import App
from kivy.uix.screenmanager import Screen

from companion.presenters.desk import Intent

if TYPE_CHECKING:
    from ui.app import CompanionApp


class Sheet(Screen):
    """A screen. `in_play` says whether the bottom bar belongs to it."""

    in_play = False

    @property
    def app(self) -> CompanionApp:
        return App.get_running_app()

    def submit(self, intent: Intent) -> None:
        self.app.submit(intent)
