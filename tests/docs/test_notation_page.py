"""The page about notation says what the notation does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from companion.__main__ import main
from companion.games import load_game
from companion.games.allies.document import PositionDocument
from companion.kernel.questions import REPLY_OF, Kind
from companion.notation.reply import format_reply, parse_reply

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
REPLIES = dict(re.findall(r"^\| `(\w+)` \| (`.+?`) \| ", PAGE, re.MULTILINE))
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
(CASE,) = (text for language, text in BLOCKS if language == "yaml")
RULED, FAULT, PLAYED = (text for language, text in BLOCKS if language == "text")


def test_the_page_has_a_row_for_each_kind_of_reply() -> None:
    assert tuple(REPLIES) == get_args(Kind)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_the_examples_of_a_kind_are_read_and_written_as_they_stand(kind: Kind) -> None:
    for text in re.findall(r"`(.+?)`", REPLIES[kind]):
        reply = parse_reply(kind, text)
        assert type(reply) is REPLY_OF[kind]
        assert format_reply(reply) == text


def test_the_case_is_ruled_as_the_page_shows(tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text(CASE, encoding="utf-8")
    result = CliRunner().invoke(main, ["judge", str(tmp_path / "case.yaml")])
    assert (result.exit_code, result.stdout) == (0, RULED)


def test_the_fault_is_told_as_the_page_shows(tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text(CASE.replace("facing: 2", "facing: 7"), encoding="utf-8")
    result = CliRunner().invoke(main, ["judge", str(tmp_path / "case.yaml")])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.removeprefix(f"{tmp_path}/") == FAULT


def test_the_fields_of_a_position_are_fields_of_the_game() -> None:
    section = PAGE[PAGE.index("## Positions") : PAGE.index("## Cases")]
    rows = re.findall(r"^\| (`.+?) \| ", section, re.MULTILINE)
    named = {field for row in rows for field in re.findall(r"`(.+?)`", row)}
    assert named <= set(PositionDocument.__struct_fields__)
    assert {"round", "turn", "rows", "regions", "due"} <= named


def test_the_signs_of_a_playthrough_are_those_of_the_playthroughs() -> None:
    folder = Path(str(load_game("allies").__class__.__module__).replace(".", "/")).parent / "playthroughs"
    written = "".join(path.read_text(encoding="utf-8") for path in (Path(__file__).parents[2] / folder).glob("*.txt"))
    signs = {line[:2] for line in PLAYED.splitlines()}
    assert signs == {"? ", "+ ", "> ", "= "}
    assert {line[:2] for line in written.splitlines() if re.match(r"\W ", line)} == signs | {"! "}
