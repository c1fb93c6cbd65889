"""Wires a table with its owner: asks one question after the other, and writes the file."""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable

import msgspec

from companion.desk.room import WIRING_FILE, Room
from companion.desk.wiring_plan import (
    DARK,
    DONE,
    LIGHT,
    MOST_SEATS,
    NO_BUTTON,
    NO_DOCK,
    NO_LAMPS,
    NOBODY,
    SAVE,
    Place,
    Plan,
    in_words,
)
from companion.desk.wiring_probe import Probe
from companion.presenters.desk import Publish
from companion.presenters.models import ChoiceModel
from companion.presenters.wiring import (
    ChooseWiring,
    LeaveWiring,
    PlaceModel,
    ShowWiring,
    StepBack,
    WiringIntent,
    WiringModel,
)
from companion.table.observation import Observation, Press
from hardware.boards import BoardError
from hardware.config import ConfigError, load, parse
from hardware.live import place_of, plugged_in
from hardware.messages import Mode
from hardware.wiring import DockWiring, TableWiring
from hardware.writing import save, write

SHOWN_S = 1.0
"""How long a press is shown after it ended."""

_log = logging.getLogger(__name__)


class Wirer:
    """One wiring of a table, from the first question to the file. Everything here runs in the desk's thread."""

    def __init__(self, room: Room, publish: Publish, wake: Callable[[], None]) -> None:
        """Claim the pins, which nobody else may hold now; `wake` has `look` called soon, from any thread."""
        self._file = room.home / WIRING_FILE
        self._publish = publish
        self._wake = wake
        self._heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
        self._shown: WiringModel | None = None
        self._detail, base = self._read()
        self._pressed: dict[Place, float] = {}
        factory = None
        try:
            factory = room.pins(base.pins)
        except BoardError as error:
            self._detail = str(error)
        self._probe = Probe(factory, self._hear)
        self._plans = [Plan(base, has_pins=factory is not None)]
        self._listen(None)

    def _read(self) -> tuple[str, TableWiring]:
        if not self._file.exists():
            return "", TableWiring()
        try:
            return "", load(self._file)
        except ConfigError as error:
            return f"The old file cannot be used and will be replaced: {error}", TableWiring()

    def close(self) -> None:
        """Give pins and port back; what was not saved is as it was."""
        self._probe.close()

    # -- what comes in ---------------------------------------------------------------------------------

    def take(self, intent: WiringIntent) -> bool:
        """Take what was tapped; return whether the wiring is over."""
        if isinstance(intent, LeaveWiring):
            return True
        if isinstance(intent, ShowWiring):
            self._shown = None
        elif isinstance(intent, StepBack) and intent.key == self._key and len(self._plans) > 1:
            self._go_back()
        elif isinstance(intent, ChooseWiring) and intent.key == self._key:
            choices = self._choices()
            if 0 <= intent.choice < len(choices):
                if choices[intent.choice] == DONE:
                    return True
                self._choose(choices[intent.choice])
        self.look()
        return False

    def look(self) -> None:
        """Take in what was pressed, and publish the step if it looks different now."""
        while not self._heard.empty():
            self._take_press(self._heard.get())
        self._light_candidate()
        model = self._present()
        if model != self._shown:
            self._shown = model
            self._publish(model)

    def _hear(self, observation: Observation) -> None:
        """Note what was seen. Runs in the thread of whoever saw it."""
        self._heard.put(observation)
        self._wake()

    def _take_press(self, observation: Observation) -> None:
        if isinstance(observation, Press):
            place = place_of(observation)
            self._pressed[place] = time.monotonic()
            if self._plan.step == "buttons":
                self._go_on(self._plan.with_button(place))

    # -- the plan --------------------------------------------------------------------------------------

    @property
    def _plan(self) -> Plan:
        return self._plans[-1]

    @property
    def _key(self) -> str:
        plan = self._plan
        return f"{plan.step} {len(self._plans)} {plan.tried} {plan.lit}"

    def _go_on(self, plan: Plan) -> None:
        """Take a step; a refused answer is none and cannot be gone back to."""
        if plan.problem or plan.step == "check" == self._plan.step:
            self._plans[-1] = plan
        else:
            self._plans.append(plan)

    def _go_back(self) -> None:
        self._plans.pop()
        if self._plan.step == "dock":
            self._listen(None)

    def _choices(self) -> list[str]:
        plan = self._plan
        match plan.step:
            case "dock":
                return [*(f"{dock.port}  {says}".strip() for dock, says in self._docks()), NO_DOCK]
            case "seats":
                return [str(number) for number in range(1, MOST_SEATS + 1)]
            case "buttons":
                return [NO_BUTTON]
            case "lamps":
                return [*(f"Place {seat + 1}" for seat in self._unlit()), NOBODY, NO_LAMPS]
            case "check":
                return [SAVE, DARK if plan.lit else LIGHT]
            case "saved":
                return [DONE]

    def _choose(self, choice: str) -> None:
        plan, number = self._plan, self._choices().index(choice)
        match plan.step:
            case "dock":
                docks = [dock for dock, _ in self._docks()]
                dock = docks[number] if number < len(docks) else None
                self._listen(dock)
                self._go_on(plan.with_dock(dock))
            case "seats":
                self._go_on(plan.with_seats(int(choice)))
            case "buttons":
                self._go_on(plan.with_button(None))
            case "lamps":
                self._choose_lamp(plan, choice, number)
            case "check" if choice == SAVE:
                self._save(plan)
            case "check":
                self._go_on(msgspec.structs.replace(plan, lit=not plan.lit, problem=""))
                self._light(plan.lamps if not plan.lit else ())

    def _choose_lamp(self, plan: Plan, choice: str, number: int) -> None:
        lamp, unlit = plan.candidate(self._probe.dock_lamps), self._unlit()
        if choice == NO_LAMPS or lamp is None:
            self._go_on(plan.checking())
            return
        plan = plan.with_lamp(lamp, unlit[number] if number < len(unlit) else None)
        self._go_on(plan if plan.candidate(self._probe.dock_lamps) is not None else plan.checking())

    def _save(self, plan: Plan) -> None:
        wiring = plan.wiring(bool(self._probe.track()))
        try:
            parse(write(wiring), str(self._file))
            save(wiring, self._file)
        except (ConfigError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            problem = f"{self._file} cannot be written ({reason}); the old one is as it was."
            _log.warning("%s", problem)
            self._plans[-1] = msgspec.structs.replace(plan, problem=problem)
            return
        _log.info("the wiring is in %s", self._file)
        self._probe.light(())
        self._plans = [msgspec.structs.replace(plan, step="saved", problem="")]

    # -- the electronics -------------------------------------------------------------------------------

    def _listen(self, dock: DockWiring | None) -> None:
        self._probe.listen(self._plan.base.pins, dock, self._plan.reserved | set(self._plan.lamp_pins))

    def _docks(self) -> list[tuple[DockWiring, str]]:
        known = self._plan.base.dock
        found = [(DockWiring(port), says) for port, says in plugged_in() if known is None or port != known.port]
        return found if known is None else [(known, "as before"), *found]

    def _light_candidate(self) -> None:
        lamp = self._plan.candidate(self._probe.dock_lamps)
        if self._plan.step == "lamps" and lamp is None:
            self._go_on(self._plan.checking())
        if self._plan.step != "check":
            self._light(() if lamp is None else (lamp,), "blink")

    def _light(self, places: tuple[Place | None, ...], mode: Mode = "on") -> None:
        if problem := self._probe.light({place for place in places if place is not None}, mode):
            self._plans[-1] = msgspec.structs.replace(self._plan, problem=problem)

    # -- what goes out ---------------------------------------------------------------------------------

    def _unlit(self) -> list[int]:
        return [seat for seat, lamp in enumerate(self._plan.lamps) if lamp is None]

    def _present(self) -> WiringModel:
        plan = self._plan
        choices = tuple(ChoiceModel(number, says) for number, says in enumerate(self._choices()))
        return WiringModel(
            plan.step,
            self._key,
            self._says(),
            self._detail_of_step(),
            plan.problem,
            choices,
            self._places(),
            self._probe.track() if plan.step in ("seats", "check") else (),
            can_go_back=len(self._plans) > 1,
        )

    def _says(self) -> str:
        plan = self._plan
        match plan.step:
            case "dock":
                return "Plug the dock in, if there is one, and tap it."
            case "seats":
                return "How many places does the table have?"
            case "buttons":
                return f"Place {(plan.asked or 0) + 1}: press its button."
            case "lamps":
                lamp = plan.candidate(self._probe.dock_lamps)
                return f"The lamp at {in_words(lamp)} blinks. Whose is it?" if lamp else "All lamps have been tried."
            case "check":
                return "Press every button, lay every marker, light the lamps: does all of it show here?"
            case "saved":
                return "It is saved. The table uses it from now on."

    def _detail_of_step(self) -> str:
        if self._plan.step == "saved":
            return str(self._file)
        if self._plan.step != "dock" and (trouble := self._probe.dock_trouble):
            return trouble
        return self._detail

    def _places(self) -> tuple[PlaceModel, ...]:
        plan, now = self._plan, time.monotonic()
        closed = self._probe.closed()
        places = []
        for seat in range(plan.seats):
            button = plan.buttons[seat] if seat < len(plan.buttons) else None
            lamp = plan.lamps[seat] if seat < len(plan.lamps) else None
            held = button is not None and (
                in_words(button) in closed or now - self._pressed.get(button, float("-inf")) < SHOWN_S
            )
            places.append(
                PlaceModel(
                    seat,
                    "" if button is None else in_words(button),
                    "" if lamp is None else in_words(lamp),
                    seat == plan.asked,
                    held,
                )
            )
        return tuple(places)
