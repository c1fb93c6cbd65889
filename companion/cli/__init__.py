"""The command line. Each module in this folder that has a top-level `command` is a command.

There is no list of commands: `companion NAME` loads `NAME.py` here and nothing else, so that a
missing camera library breaks the commands that need a camera, and `--help` is quick.

Exit codes: 0; 1 for a real negative answer; 2 for bad input, with one sentence on standard error; 130 for Ctrl-C.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from click.shell_completion import CompletionItem

from companion.games import game_keys, load_game
from companion.kernel import game_key

FOLDER = Path(__file__).parent
T = TypeVar("T")

ENDED_BY_HAND = 130
"""128 and the number of SIGINT, as shells have it."""

OWN = ("companion", "vision", "hardware", "ui")
"""Our packages: an import that fails inside them is a fault of ours and not of the machine."""


class BadInput(click.ClickException):
    """Input that cannot be used: one sentence that says what was found, what was expected and what to do."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the sentence alone, on standard error."""
        click.echo(self.format_message(), file=file, err=file is None)


class GameName(click.ParamType):  # type: ignore[type-arg]  # no parameter before click 8.2
    """The name of a game, as people spell it; the command gets its key."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        key = game_key(value)
        try:
            load_game(key)
        except LookupError:
            raise BadInput(f"there is no game {value!r}; expected one of {', '.join(game_keys())}") from None
        return key

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(key) for key in game_keys() if key.startswith(game_key(incomplete))]


class Found(msgspec.Struct, frozen=True):
    """A command's name, its module and the first sentence about it."""

    name: str
    module: str
    says: str


class Commands(click.Group):
    """A group whose commands are the modules of a folder."""

    def __init__(self, *args: Any, folder: Path = FOLDER, package: str = __name__, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.folder, self.package = folder, package

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [found.name for found in find_commands(self.folder, self.package)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = next((each for each in find_commands(self.folder, self.package) if each.name == cmd_name), None)
        return None if found is None else load_command(found)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading one."""
        found = [(each.name, each.says) for each in find_commands(self.folder, self.package)]
        with formatter.section("Commands"):
            formatter.write_dl(found)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        return _plainly(lambda: super(Commands, self).make_context(*args, **extra))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return _plainly(lambda: super(Commands, self).invoke(ctx))
        except KeyboardInterrupt:
            click.echo("Ended by Ctrl-C; what was written down is on disk.", err=True)
            ctx.exit(ENDED_BY_HAND)


def find_commands(folder: Path = FOLDER, package: str = __name__) -> Iterator[Found]:
    """Yield the commands of a folder by name, reading their modules without running them."""
    for path in sorted(folder.iterdir()):
        file = path / "__init__.py" if path.is_dir() else path
        if path.name.startswith("_") or file.suffix != ".py" or not file.is_file():
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
        if any("command" in _names(statement) for statement in tree.body):
            yield Found(path.stem, f"{package}.{path.stem}", _first_sentence(ast.get_docstring(tree) or ""))


def load_command(found: Found) -> click.Command:
    """Import a command.

    :raises BadInput: if a library that it needs is not on this machine.
    """
    try:
        module = importlib.import_module(found.module)
    except ImportError as error:
        if (error.name or "").split(".")[0] in OWN:
            raise
        raise BadInput(
            f"companion {found.name} needs something that is not on this machine ({error}); run deploy/run once, which"
            " sets everything up."
        ) from error
    command: click.Command = module.command
    return command


def _names(statement: ast.stmt) -> tuple[str, ...]:
    match statement:
        case ast.FunctionDef(name=name):
            return (name,)
        case ast.Assign(targets=targets):
            return tuple(target.id for target in targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            return (name,)
        case _:
            return ()


def _first_sentence(docstring: str) -> str:
    """Return a module's first sentence without the `companion NAME`: in front of it."""
    first = " ".join(docstring.split("\n\n")[0].split())
    if first.startswith("`companion"):
        first = first.partition("`: ")[2] or first
    return first[:1].upper() + first[1:].partition(". ")[0].removesuffix(".")


def _plainly(act: Callable[[], T]) -> T:
    try:
        return act()
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "companion"
        says = error.format_message().rstrip(".")
        raise BadInput(f"{says}; `{path} --help` shows what is expected.") from error
