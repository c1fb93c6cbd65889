"""What is said of ports, radios and wirings that do not work: a whole sentence, the reason, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.doctor import check_wiring
from hardware.dice.ble import unreachable
from hardware.ports import PortError, open_port


def test_a_device_that_is_no_serial_port_is_said_without_the_words_of_a_library() -> None:
    with pytest.raises(PortError) as refused:
        open_port("/dev/null")
    assert str(refused.value) == (
        "/dev/null cannot be opened (Inappropriate ioctl for device); is it a serial port? "
        "Name another one in the wiring file."
    )


def test_a_computer_without_bluetooth_is_not_taken_for_a_sleeping_die() -> None:
    assert unreachable("Red", FileNotFoundError(2, "No such file or directory")) == (
        "The die Red cannot be reached: Bluetooth does not run on this computer; "
        "start it (sudo systemctl start bluetooth), or take the die out of the wiring file."
    )
    assert unreachable("Red", TimeoutError("too slow")).endswith("wake it, bring it nearer.")


def test_the_doctor_counts_buttons_as_people_do(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('button = "gpio:13"\n[[seat]]\nbutton = "gpio:16"\nlamp = "gpio:17"', encoding="utf-8")
    finding, _ = check_wiring(file)
    assert finding.says == f"{file}: 1 seat, 2 buttons, 1 lamp, no dock"
