"""The specification's test vectors, run against the reference implementation."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hardware.messages import MESSAGES
from hardware.protocol import Decoder, Frame, FrameError, encode

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
KINDS = {kind.__name__.upper(): kind for kind in MESSAGES.values()}


def vectors(title: str) -> list[dict[str, Any]]:
    (block,) = re.findall(rf"```json lines {title}\n(.*?)```", PAGE, re.DOTALL)
    return [json.loads(line) for line in block.splitlines()]


@pytest.mark.parametrize("vector", vectors("good"), ids=lambda vector: vector["message"])
def test_every_message_has_the_published_bytes_both_ways(vector: dict[str, Any]) -> None:
    message = msgspec.convert(vector["fields"], KINDS[vector["message"]])
    header = (vector["session"], vector["seq"], vector["ack"])
    assert encode(message, *header).hex(" ") == vector["frame"]
    assert Decoder().feed(bytes.fromhex(vector["frame"])) == [Frame(message, *header)]


@pytest.mark.parametrize("vector", vectors("bad"), ids=lambda vector: vector["fault"])
def test_published_bad_bytes_are_dropped_for_the_published_fault(vector: dict[str, Any]) -> None:
    (result,) = Decoder().feed(bytes.fromhex(vector["bytes"]))
    assert isinstance(result, FrameError)
    assert result.fault == vector["fault"]
    assert result.says


def test_the_page_has_a_vector_for_every_message_type() -> None:
    assert {vector["message"] for vector in vectors("good")} == set(KINDS)


def test_the_page_lists_every_message_with_its_number() -> None:
    for number, kind in MESSAGES.items():
        assert f"| {number} | {kind.__name__.upper()} |" in PAGE
