"""Commands are found by listing, loaded when called, and speak plainly when something is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner, Result

from companion.__main__ import main
from companion.cli import Commands, GameName, find_commands
from companion.games import game_keys, load_game

GOOD = '''"""`companion good`: says good things. And more."""
import click


@click.command("good")
@click.argument("number", type=int)
def command(number):
    click.echo(f"good {number}")
'''


def run(group: click.Command, *words: str) -> Result:
    return CliRunner().invoke(group, list(words))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An importable folder of commands with one good one in it."""
    folder = tmp_path / f"commands_{tmp_path.name.replace('-', '_')}"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "good.py").write_text(GOOD)
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def group_of(folder: Path) -> Commands:
    return Commands("companion", folder=folder, package=folder.name)


def test_help_names_every_command_and_loads_none() -> None:
    program = (
        "import sys; from companion.__main__ import main; main(['--help'], standalone_mode=False);"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'cv2', 'kivy', 'numpy', 'gpiozero', 'fpdf'}))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    *text, loaded = ended.stdout.splitlines()
    assert loaded == "[]"
    for found in find_commands():
        assert any(line.startswith(f"  {found.name} ") for line in text), found.name


def test_each_command_says_what_it_does() -> None:
    assert [found.name for found in find_commands() if len(found.says) < 10 or found.says.startswith("`")] == []


def test_each_command_but_the_app_has_json() -> None:
    for name in main.list_commands(click.Context(main)):
        result = run(main, name, "--help")
        assert result.exit_code == 0, name
        assert ("--json" in result.output) is (name != "app"), name


def test_a_file_dropped_into_the_folder_is_a_command(folder: Path) -> None:
    (folder / "shared.py").write_text("number = 1\n")
    (folder / "_hidden.py").write_text(GOOD)
    assert [(found.name, found.says) for found in find_commands(folder, folder.name)] == [("good", "Says good things")]
    result = run(group_of(folder), "good", "7")
    assert (result.exit_code, result.output) == (0, "good 7\n")


def test_a_missing_library_breaks_its_own_command_only(folder: Path) -> None:
    (folder / "lacking.py").write_text('"""Sees."""\nimport no_such_camera_library\ncommand = None\n')
    result = run(group_of(folder), "lacking")
    assert result.exit_code == 2
    assert result.stderr == (
        "companion lacking needs something that is not on this machine (No module named 'no_such_camera_library');"
        " run deploy/run once, which sets everything up.\n"
    )
    assert run(group_of(folder), "good", "1").exit_code == 0
    assert "lacking" in run(group_of(folder), "--help").output


def test_a_fault_of_ours_is_not_called_a_missing_library(folder: Path) -> None:
    (folder / "faulty.py").write_text('"""Fails."""\nfrom companion.kernel import no_such_name\ncommand = None\n')
    result = run(group_of(folder), "faulty")
    assert isinstance(result.exception, ImportError)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("no-such",), "No such command 'no-such'; `companion --help` shows what is expected."),
        (("--no-such",), "No such option '--no-such'; `companion --help` shows what is expected."),
        (("good",), "Missing argument 'NUMBER'; `companion good --help` shows what is expected."),
        (
            ("good", "seven"),
            "Invalid value for 'NUMBER': 'seven' is not a valid integer; `companion good --help` shows what is"
            " expected.",
        ),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(folder: Path, words: tuple[str, ...], says: str) -> None:
    result = CliRunner().invoke(group_of(folder), list(words), prog_name="companion")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{says}\n")


@pytest.mark.parametrize("spelt", ["realm_of_wonder", "realm-of-wonder", "Realm of Wonder"])
def test_a_game_may_be_spelt_as_people_write_it(spelt: str) -> None:
    result = run(main, "judge", "--schema", spelt)
    assert result.exit_code == 0, result.output
    assert GameName().convert(spelt, None, None) == "realm_of_wonder"
    assert load_game(spelt).key == "realm_of_wonder"


def test_the_name_of_a_game_is_completed_in_either_spelling() -> None:
    context = click.Context(main)
    completed = [each.value for each in GameName().shell_complete(context, main.params[0], "realm-of")]
    assert completed == ["realm_of_wonder"]


def test_control_c_ends_a_command_with_a_sentence_and_exit_code_130(folder: Path) -> None:
    (folder / "long.py").write_text(
        '"""Takes long."""\nimport click\n@click.command()\ndef command():\n    raise KeyboardInterrupt\n'
    )
    result = run(group_of(folder), "long")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == "Ended by Ctrl-C; what was written down is on disk.\n"


def test_without_a_command_the_app_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bool] = []
    app = ModuleType("companion.desk.app")
    app.run_app = lambda: opened.append(True)
    monkeypatch.setitem(sys.modules, "companion.desk.app", app)
    assert run(main).exit_code == 0
    assert opened == [True]


def test_the_games_are_listed_with_their_players_editions_and_cards() -> None:
    result = run(main, "games", "--json")
    listed = {each["game"]: each for each in json.loads(result.stdout)}
    assert tuple(listed) == game_keys()
    allies = listed["allies"]
    assert (allies["title"], allies["seats"], allies["proxies"]) == ("Allies: Realm of Wonder", [2, 2], True)
    assert allies["editions"][0] == "reconciled"
    assert len(allies["editions"]) == 10
    assert allies["articles"] >= 100


def test_the_games_are_listed_for_people_too() -> None:
    result = run(main, "games")
    assert result.exit_code == 0
    assert "allies" in result.output
    assert "yes" in result.output


def test_the_list_of_games_shows_each_key_whole_even_on_a_narrow_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    words = run(main, "games").output.split()
    assert set(game_keys()) <= set(words)
