"""How the dock does, in words: what its link has come to, and what to do about it."""

from __future__ import annotations

from companion.table.ports import Health
from hardware.link import Link
from hardware.messages import PROTOCOL, Welcome
from hardware.protocol import FrameError
from hardware.readings import TRAY_SAYS

PLUG_AGAIN = "Unplug it and plug it in again."
OLD_DOCK = "Flash the dock with the firmware of this app: docs/recipes/dock-firmware.md says how."
OLD_APP = "Update this app: git pull in its folder, then deploy/run."


def health_of(link: Link, where: str, expected: str, trouble: str, note: str) -> Health:
    """Return how a dock does whose port is watched.

    :param where: the port, as the system names it
    :param expected: the dock's own id in the wiring file, empty for any
    :param trouble: why there is no port, in a sentence; empty if there is one
    :param note: what the wiring file expects of the dock and cannot have; empty if nothing
    """
    welcome = link.welcome
    match link.state:
        case "closed":
            return Health("waiting", trouble or "The dock is being looked for.")
        case "greeting":
            return Health("waiting", trouble or f"The dock at {where} was greeted and has not answered yet.")
        case "silent":
            return _silent(where, link.fault)
        case "mismatch" if welcome is not None:
            return _mismatch(welcome)
        case "stranger" if welcome is not None:
            wanted = f"the wiring file expects {expected}; plug in that one, or correct the file"
            return Health("failed", f"The dock at {where} is {welcome.unique_id}, {wanted}.")
    if note:
        return Health("unsure", note)
    if link.is_deaf:
        return Health("unsure", "The dock answers, but its lamps do not obey; unplug it and plug it in again.")
    if link.snapshot is not None and link.snapshot.tray == "cocked":
        return Health("unsure", TRAY_SAYS["cocked"])
    return Health("ok")


def _silent(where: str, fault: FrameError | None) -> Health:
    """Say what somebody sends who does not answer."""
    dock = f"The dock at {where}"
    if fault is None:
        return Health("failed", f"{dock} does not answer. {PLUG_AGAIN}")
    if fault.fault == "version":
        says = f"{dock} does not answer. It sends {fault.says}; update the older of the two. {PLUG_AGAIN}"
        sends = fault.says.partition(";")[0].removeprefix("a frame of ")
        remedy = f"{OLD_APP} If the dock is the older one: {OLD_DOCK}"
        return Health("failed", says, ((dock, sends), _this_app()), remedy)
    noise = "What it sends is no frame of ours: is it a table dock?"
    return Health("failed", f"{dock} does not answer. {noise} {PLUG_AGAIN}")


def _mismatch(welcome: Welcome) -> Health:
    dock, is_older = f"The dock {welcome.unique_id}", welcome.high < PROTOCOL
    update = "the dock's firmware" if is_older else "this app"
    speaks = f"protocol {welcome.low} to {welcome.high}"
    return Health(
        "failed",
        f"{dock} speaks {speaks}, this app speaks {PROTOCOL}; update {update}.",
        sides=((dock, f"{speaks}, firmware {welcome.firmware}"), _this_app()),
        remedy=OLD_DOCK if is_older else OLD_APP,
    )


def _this_app() -> tuple[str, str]:
    return "This app", f"protocol {PROTOCOL}"
