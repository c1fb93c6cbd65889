"""Home: go on with the last game first, for power cuts happen; then a new one."""

from __future__ import annotations

from kivy.properties import ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.presenters.desk import Resume, ShowGames
from companion.presenters.models import DeviceModel, HomeModel, ResumeModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules
from ui.widgets.buttons import ActionTile

STATE_ICONS = {"ok": "yes", "waiting": "time", "unsure": "alert", "failed": "no", "off": "power"}
MOST_RESUMES = 3


class ResumeTile(ActionTile):
    """A game to go on with."""

    journal = StringProperty("")


class DeviceLine(BoxLayout):
    """A witness or marker: its state as an icon and a word, and what to do."""

    name = StringProperty("")
    says = StringProperty("")
    icon = StringProperty("yes")
    state = StringProperty("ok")


class HomeSheet(Sheet):
    model = ObjectProperty(HomeModel(), force_dispatch=True)
    resumes = ListProperty([])
    version = StringProperty("")
    _shown: tuple[ResumeModel, ...] = ()

    def on_kv_post(self, base_widget: object) -> None:
        self.on_model(self, self.model)

    def on_model(self, _sheet: object, model: HomeModel) -> None:
        if not self.ids:
            return
        self.resumes = list(model.resumes[:MOST_RESUMES])
        self.version = model.version
        if self._shown != model.resumes[:MOST_RESUMES]:  # else the tiles stay: one may lie under a finger
            self._shown = model.resumes[:MOST_RESUMES]
            self._fill_resumes(self._shown)
        self.ids.devices.clear_widgets()
        for device in model.devices:
            self.ids.devices.add_widget(_line(device))

    def _fill_resumes(self, resumes: tuple[ResumeModel, ...]) -> None:
        first, rest = self.ids.first, self.ids.rest
        first.clear_widgets()
        rest.clear_widgets()
        for index, resume in enumerate(resumes):
            tile = ResumeTile(
                journal=resume.journal,
                icon="play" if index == 0 else "history",
                text=f"{'Resume  ' if index == 0 else ''}{resume.players}",
                detail="  \u00b7  ".join(part for part in (resume.title, resume.progress, resume.when) if part),
                look="primary" if index == 0 else "plain",
            )
            tile.text_size_mm = 6.4 if index == 0 else 4.2
            tile.bind(on_release=lambda tile: self.app.begin_with(Resume(tile.journal), "live"))
            (first if index == 0 else rest).add_widget(tile)

    def new_game(self) -> None:
        self.submit(ShowGames())
        self.app.go("games")


def _line(device: DeviceModel) -> DeviceLine:
    words = {"ok": "OK", "waiting": "waiting", "unsure": "look", "failed": "failed", "off": "off"}
    return DeviceLine(
        name=device.name,
        says=device.says or words[device.state],
        icon=STATE_ICONS[device.state],
        state=device.state,
    )


load_rules(__file__)
