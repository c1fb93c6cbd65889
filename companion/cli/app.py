"""`companion app`: opens the app, as `companion` alone does; with `--simulated` at a simulated table.

The simulated table is a camera, buttons, fingers and a dock like others, in real time.
"""

from __future__ import annotations

import click

from companion.cli import BadInput, GameName


@click.command("app")
@click.option("--simulated", type=int, metavar="SEED", help="Watch a simulated evening; any number is one.")
@click.option(
    "--game",
    type=GameName(),
    metavar="GAME",
    help="The game of that evening, begun at once; else Allies, when you begin it.",
)
def command(simulated: int | None, game: str | None) -> None:
    """Open the app on the screen."""
    if game is not None and simulated is None:
        raise BadInput("--game: there is no simulated evening of it without --simulated and a number; add them")
    from companion.desk.app import run_app

    try:
        run_app(simulated, game)
    except LookupError as error:
        raise BadInput(str(error)) from None
