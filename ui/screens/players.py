"""Who plays, with which printed edition, under which switches, and who begins. No keyboard anywhere."""

from __future__ import annotations

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from msgspec.structs import replace

from companion.presenters.desk import Begin
from companion.presenters.models import SetUpModel, SwitchModel, ValueModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules
from ui.widgets.buttons import ActionTile
from ui.widgets.player_chip import seat_icon

MOST_SWITCHES = 5
IN_ONE_COLUMN = 3
"""So many seats have room below each other."""
SEEN = -1
"""The starting player is read off the table instead of chosen."""


HINT = "Where the rulebooks leave it open (tap to change)"


class SeatRow(BoxLayout):
    """A seat: its shape and colour, its name, and two arrows through the ready-made names."""

    seat = NumericProperty(0)
    name = StringProperty("")
    shape = StringProperty("triangle")
    narrow = BooleanProperty(False)
    """Two rows side by side: one arrow has to do."""

    def __init__(self, **kwargs: object) -> None:
        self.register_event_type("on_step")
        super().__init__(**kwargs)

    def on_seat(self, *_: object) -> None:
        self.shape = seat_icon(int(self.seat))

    def on_step(self, step: int) -> None:
        """Default handler of the event."""


class SwitchTile(ActionTile):
    """A table option; a tap takes the next of its values."""

    switch = ObjectProperty(None)
    index = NumericProperty(0)

    def on_switch(self, _tile: object, switch: SwitchModel) -> None:
        keys = [value.key for value in switch.values]
        self.index = keys.index(switch.value) if switch.value in keys else 0
        self._say()

    def on_release(self) -> None:
        self.index = (self.index + 1) % len(self.switch.values)
        self._say()

    def _say(self) -> None:
        self.text = self.switch.title
        self.detail = f"{self.value.title}  ({self.switch.article})"
        self.look = "chosen" if self.value.key != self.switch.value else "plain"

    @property
    def value(self) -> ValueModel:
        return self.switch.values[int(self.index)]


class PlayersSheet(Sheet):
    model = ObjectProperty(None, allownone=True, force_dispatch=True)
    names = ListProperty([])
    edition = NumericProperty(0)
    starter = NumericProperty(SEEN)
    may_vary = BooleanProperty(False)
    asks_starter = BooleanProperty(True)
    """Whether it can be chosen who begins; there is no room for it beside many seats."""
    title = StringProperty("")
    edition_title = StringProperty("")
    edition_note = StringProperty("")
    hint = StringProperty(HINT)

    def on_model(self, _sheet: object, model: SetUpModel) -> None:
        keys = [edition.key for edition in model.editions]
        self.names = list(model.names[: model.seats])
        self.edition = keys.index(model.edition) if model.edition in keys else 0
        self.starter = SEEN
        self.title = model.title
        self.may_vary = model.most > model.seats
        self._say_edition()
        self._fill_seats()

    def seat_more(self, step: int) -> None:
        """One player more, or one fewer, as the game allows."""
        model, number = self.model, len(self.names) + step
        if model.seats <= number <= model.most:
            free = [name for name in model.names if name not in self.names]
            self.names = [*self.names, free[0]] if step > 0 else self.names[:number]
            self.starter = SEEN if self.starter >= number else self.starter  # the seat has gone
            self._fill_seats()

    def _fill_seats(self) -> None:
        box, narrow = self.ids.seats, len(self.names) > IN_ONE_COLUMN
        self.asks_starter = self.model.asks_starter and not narrow
        self.starter = self.starter if self.asks_starter else SEEN
        box.clear_widgets()
        box.cols = 2 if narrow else 1
        for seat, name in enumerate(self.names):
            row = SeatRow(seat=seat, name=name, shape=seat_icon(seat), narrow=narrow)
            row.bind(on_step=lambda row, step: self._rename(row, step))
            box.add_widget(row)
        self._fill_starters()

    def _rename(self, row: SeatRow, step: int) -> None:
        names, seat = list(self.model.names), int(row.seat)
        taken = {name for index, name in enumerate(self.names) if index != seat}
        free = [name for name in names if name not in taken]
        current = free.index(row.name) if row.name in free else 0
        row.name = free[(current + step) % len(free)]
        self.names[seat] = row.name
        self._fill_starters()

    def _fill_starters(self) -> None:
        starters = self.ids.starters
        starters.clear_widgets()
        choices = [(SEEN, "see", "Seen on the table")]
        choices += [(seat, seat_icon(seat), name) for seat, name in enumerate(self.names)]
        for value, sign, words in choices:
            tile = ActionTile(icon=sign, text=words, look="chosen" if value == self.starter else "plain")
            tile.text_size_mm = 3.8
            tile.bind(on_release=lambda _tile, value=value: self._start_with(value))
            starters.add_widget(tile)

    def _start_with(self, value: int) -> None:
        self.starter = value
        self._fill_starters()

    def turn_edition(self, step: int) -> None:
        self.edition = (self.edition + step) % len(self.model.editions)
        self._say_edition()

    def _say_edition(self) -> None:
        edition = self.model.editions[int(self.edition)]
        self.edition_title, self.edition_note = edition.title, edition.note
        switches = self.ids.switches
        switches.clear_widgets()
        for switch in self.model.switches[:MOST_SWITCHES]:
            value = dict(switch.by_edition).get(edition.key, switch.value)
            tile = SwitchTile(switch=replace(switch, value=value))
            tile.bind(on_release=lambda tile: setattr(self, "hint", tile.value.note or HINT))
            switches.add_widget(tile)
        self.hint = HINT

    def begin(self) -> None:
        if self.model is None:
            return  # the desk has not said yet what can be set up
        tiles = [tile for tile in self.ids.switches.children if isinstance(tile, SwitchTile)]
        changed = tuple(
            (tile.switch.key, tile.value.key) for tile in reversed(tiles) if tile.value.key != tile.switch.value
        )
        wish = Begin(
            game=self.model.game,
            names=tuple(self.names),
            edition=self.model.editions[int(self.edition)].key,
            options=changed,
            starter=None if self.starter == SEEN else int(self.starter),
        )
        self.app.begin_with(wish, "table")


load_rules(__file__)
