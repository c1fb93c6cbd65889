"""`companion judge`: what it prints, how it exits, and what it says about files that do not fit."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.judge import command

GOOD = """\
game: allies
cases:
- id: one
  kind: rotate
  asks: [facing, value]
  position: {card: {sectors: [1, 2, 3, 5], facing: 3}}
  moves: [{symbol: 2}]
  expected: {facing: 4, value: 5}
- id: two
  kind: legality
  form: prose
  position: {hand: [a]}
  moves: ["A plays a card"]
  expected: {legal: true}
"""


def judge(tmp_path: Path, text: str, *flags: str) -> Result:
    file = tmp_path / "cases.yaml"
    file.write_text(text, encoding="utf-8")
    return CliRunner().invoke(command, [str(file), *flags])


def test_rulings_are_printed_as_one_json_list(tmp_path: Path) -> None:
    result = judge(tmp_path, GOOD, "--json")
    assert result.exit_code == 0
    one, two = json.loads(result.stdout)
    assert one["ruling"] == {"facing": 4, "value": 5}
    assert one["agrees"] is True
    assert one["options"] == {"rotation_by_two": "to_barrier"}
    assert {"AL-49", "AL-54"} <= set(one["cites"])
    assert (two["id"], two["state"], two["ruling"]) == ("two", "unsupported", {})


def test_a_ruling_that_is_not_expected_exits_with_one(tmp_path: Path) -> None:
    result = judge(tmp_path, GOOD.replace("facing: 4, value: 5", "facing: 4, value: 4"))
    assert result.exit_code == 1
    assert "DISAGREES" in result.stdout
    assert "1 disagree" in result.stdout


def test_prose_is_unsupported_and_no_disagreement(tmp_path: Path) -> None:
    result = judge(tmp_path, GOOD)
    assert result.exit_code == 0
    assert "two: unsupported\n" in result.stdout


def test_a_game_without_probes_is_unsupported(tmp_path: Path) -> None:
    result = judge(tmp_path, GOOD.replace("game: allies", "game: backgammon"), "--json")
    assert result.exit_code == 0
    assert [each["state"] for each in json.loads(result.stdout)] == ["unsupported", "unsupported"]


def test_no_and_yes_are_words_and_no_truth_values(tmp_path: Path) -> None:
    assert judge(tmp_path, GOOD.replace("  asks: [facing, value]", "  edition: no")).exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("facing: 3", "facing: 5", 6, "cases[0].position.card.facing: found 5, expected a whole number <= 4"),
        ("facing: 3", "facing: yes", 6, "found 'yes', expected a whole number"),
        ("[1, 2, 3, 5]", "[5, 3, 2, 1]", 6, "found 5, 3, 2, 1; write them from the weakest to the strongest"),
        ("[1, 2, 3, 5]", "[1, 2, 3]", 6, "cases[0].position.card.sectors: found a list of 3, expected"),
        ("facing: 3", "facings: 3", 6, "facings: unknown field; expected one of facing, sectors, arrow, note"),
        ("symbol: 2", "symbol: 3", 7, "cases[0].moves[0].symbol: found 3, expected one of -2, -1, 1, 2"),
        ("kind: rotate", "kind: rotation", 4, "cases[0].kind: found 'rotation', expected one of battle,"),
        ("asks: [facing, value]", "asks: [face]", 5, "cases[0].asks[0]: found 'face', expected one of facing, value"),
        ("  asks: [facing, value]", "  edition: xx", 5, "cases[0].edition: allies has no edition 'xx'; known are"),
        (
            "  asks: [facing, value]",
            "  options: {AL-Q3: a}",
            5,
            "cases[0].options.AL-Q3: allies has no option 'AL-Q3'.",
        ),
        ("  asks: [facing, value]", "  options: {AL-Q03: a}", 5, "has no value 'a'; allowed are to_barrier, all_or"),
        ("expected: {facing", "expectd: {facing", 8, "cases[0].expectd: unknown field; expected one of id, kind,"),
        ("id: two", "id: one", 9, "cases[1].id: found 'one' a second time"),
        ("- id: one\n  kind", "- kind", 3, "cases[0]: the field id is missing"),
        ("game: allies", "game: alies", 1, "game: found 'alies', expected a game such as allies"),
        ("form: prose", "form: pose", 11, "cases[1].form: found 'pose', expected one of play, prose, structured"),
        ("moves: [{symbol: 2}]", "moves: [{symbol: 2}", 8, "not YAML"),
        ("  kind: rotate", "  kind: rotate\n  kind: rotate", 5, "cases[0].kind: stands here twice"),
    ],
)
def test_bad_input_gets_one_sentence_with_file_line_and_field(
    tmp_path: Path, old: str, new: str, line: int, says: str
) -> None:
    assert old in GOOD
    result = judge(tmp_path, GOOD.replace(old, new, 1))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"{tmp_path / 'cases.yaml'}, line {line}: ")
    assert says in result.stderr


def test_one_bad_file_of_two_rules_nothing(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(GOOD, encoding="utf-8")
    bad.write_text("- 1\n", encoding="utf-8")
    result = CliRunner().invoke(command, [str(good), str(bad)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "bad.yaml, line 1: found a list, expected keys and values" in result.stderr


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path / "none.yaml")])
    assert result.exit_code == 2
    assert "none.yaml: cannot be read (no such file or directory)" in result.stderr


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "picture.yaml"
    file.write_bytes(b"\x89PNG\xff\xfe")
    result = CliRunner().invoke(command, [str(file)])
    assert result.exit_code == 2
    assert "not UTF-8 text (byte 0)" in result.stderr


def test_the_same_column_may_not_be_fought_twice(tmp_path: Path) -> None:
    side = "{column: 1, region: {card: yeti, arrow: A}, A: {value: 1}, B: {value: 2}}"
    text = f"game: allies\ncases:\n- id: one\n  kind: battle\n  position:\n    columns: [{side}, {side}]\n"
    result = judge(tmp_path, text)
    assert result.exit_code == 2
    assert "line 5: cases[0].position: columns: column 1 stands here twice" in result.stderr


def test_no_card_has_no_crown(tmp_path: Path) -> None:
    side = "{column: 1, region: {card: yeti, arrow: A}, A: {value: 0, crown: true}, B: {value: 2}}"
    text = f"game: allies\ncases:\n- id: one\n  kind: battle\n  position: {{columns: [{side}]}}\n"
    result = judge(tmp_path, text)
    assert result.exit_code == 2
    assert "value 0 stands for no card" in result.stderr


def test_an_alias_inside_itself_is_refused(tmp_path: Path) -> None:
    result = judge(tmp_path, "game: allies\ncases: &all [*all]\n")
    assert result.exit_code == 2
    assert "an alias stands inside what it repeats" in result.stderr
