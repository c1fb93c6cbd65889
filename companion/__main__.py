"""`companion`: the app without a command, everything else with one."""

from __future__ import annotations

import click

from companion.cli import Commands


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(package_name="table-companion", prog_name="companion")
@click.pass_context
def main(ctx: click.Context) -> None:
    """A companion for real game tables. Without a command it opens the app on the screen."""
    if ctx.invoked_subcommand is None:
        # The app brings Kivy and OpenCV with it; the commands that need neither start without them.
        from companion.desk.app import run_app

        run_app()


if __name__ == "__main__":
    main(prog_name="companion")
