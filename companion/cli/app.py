"""`companion app`: opens the app, as `companion` alone does; with `--simulated` at a simulated table.

The simulated table is a camera, buttons and a die tray like others, in real time.
"""

from __future__ import annotations

import click


@click.command("app")
@click.option("--simulated", type=int, metavar="SEED", help="Watch a simulated evening; any number is one.")
def command(simulated: int | None) -> None:
    """Open the app on the screen."""
    from companion.desk.app import run_app

    run_app(simulated)
