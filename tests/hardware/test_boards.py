from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from hardware import boards
from hardware.boards import BoardError, header_chip, open_pins


def test_the_header_is_found_by_its_label_wherever_it_has_moved() -> None:
    assert header_chip([(0, "gpio-brcmstb"), (4, "pinctrl-rp1")]) == 4
    assert header_chip([(0, "pinctrl-rp1"), (11, "gpio-brcmstb")]) == 0
    assert header_chip([(0, "pinctrl-bcm2835"), (1, "raspberrypi-exp-gpio")]) == 0


def test_a_computer_without_a_header_is_told_what_it_has_and_what_to_do() -> None:
    with pytest.raises(BoardError, match=r'found: some-chip\); set pins = "mock" to go on without pins'):
        header_chip([(0, "some-chip")])


def test_mock_pins_are_had_anywhere_by_name() -> None:
    assert isinstance(open_pins("mock"), MockFactory)


def test_auto_takes_mock_pins_where_there_is_no_raspberry_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(boards, "_MODEL", tmp_path / "model")
    assert isinstance(open_pins("auto"), MockFactory)


def test_auto_never_takes_mock_pins_in_silence_on_a_raspberry_pi(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("lgpio", reason="lgpio has no wheel for this Python")
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    monkeypatch.setattr(boards, "_MODEL", model)
    monkeypatch.setattr(boards, "chips", lambda: [(0, "some-chip")])
    with pytest.raises(BoardError, match="no GPIO chip of a Raspberry Pi header"):
        open_pins("auto")


def test_a_missing_lgpio_module_is_said_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BoardError, match=r"the lgpio module is missing .*pins = \"gpiod\", or .*pins = \"mock\""):
        open_pins("lgpio")


@pytest.mark.parametrize(("lgpio", "taken"), [(True, "lgpio"), (False, "gpiod")])
def test_auto_on_a_raspberry_pi_takes_lgpio_and_without_it_gpiod(
    monkeypatch: pytest.MonkeyPatch, lgpio: bool, taken: str
) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(boards, "is_raspberry_pi", lambda: True)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name if lgpio or name != "lgpio" else None)
    monkeypatch.setattr(boards, "_open_lgpio", lambda: "lgpio")
    monkeypatch.setattr(boards, "_open_gpiod", lambda: "gpiod")
    assert open_pins("auto") == taken


def test_the_environment_chooses_the_factory_as_for_every_gpiozero_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "gpiod")
    monkeypatch.setattr(boards, "_open_gpiod", lambda: "gpiod")
    assert open_pins("auto") == "gpiod"
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setattr(boards, "is_raspberry_pi", lambda: True)
    assert isinstance(open_pins("auto"), MockFactory)


def test_a_chip_that_may_not_be_opened_names_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lgpio", reason="lgpio has no wheel for this Python")

    def refuse() -> list[tuple[int, str]]:
        raise PermissionError(13, "Permission denied", "/dev/gpiochip0")

    monkeypatch.setattr(boards, "chips", refuse)
    with pytest.raises(BoardError, match="/dev/gpiochip0 may not be opened; add this user to the group gpio"):
        open_pins("lgpio")
