"""Command line application; its commands are in commands/."""

from __future__ import annotations

import inspect
import io
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Annotated

import typer

from gaitwright.cli.commands.designs import designs
from gaitwright.cli.commands.devices import device
from gaitwright.cli.commands.exchange import export, import_
from gaitwright.cli.commands.feet import foot
from gaitwright.cli.commands.gait import gait
from gaitwright.cli.commands.legs import compare, leg, walk
from gaitwright.cli.commands.meshes import mesh
from gaitwright.cli.commands.models import check, example, run
from gaitwright.cli.commands.optimise import choose, optimise
from gaitwright.cli.commands.studies import study
from gaitwright.cli.commands.studio import studio
from gaitwright.cli.commands.sweeps import sweep
from gaitwright.cli.commands.trade_offs import trade_off
from gaitwright.cli.commands.trials import trials
from gaitwright.cli.options import with_command_folder
from gaitwright.cli.terminal import EXIT_INTERRUPTED

HELP_TEXT = (
    "Multibody dynamics for walking mechanisms in plane and space: kinematics, statics, dynamics, contact, energy."
)
COMMAND_GROUPS: dict[str, tuple[Callable[..., None], ...]] = {
    "Models": (example, check, run, mesh, import_, export),
    "Legs and walking machines": (leg, compare, walk),
    "Many designs": (sweep, trade_off, designs, choose, optimise, study),
    "People, feet and devices": (foot, gait, trials, device),
    "Studio": (studio,),
}
"""Commands by heading in the help."""
APPLICATION_GROUP = "Demonstrations, published results, benchmarks"
APPLICATION_ENTRY_POINTS = "gaitwright.commands"
"""Entry point group of commands that other installed packages add."""


def application_commands() -> tuple[Callable[..., None], ...]:
    return tuple(entry.load() for entry in entry_points(group=APPLICATION_ENTRY_POINTS))


def join_paragraph_lines(docstring: str) -> str:
    """Docstring with each paragraph on one line, which the help wraps at the width of the terminal."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in inspect.cleandoc(docstring).split("\n\n"))


app = typer.Typer(name="gaitwright", help=HELP_TEXT, add_completion=False, pretty_exceptions_enable=False)
for _group, _commands in {APPLICATION_GROUP: application_commands(), **COMMAND_GROUPS}.items():
    for _command in _commands:
        _help = join_paragraph_lines(_command.__doc__ or "")
        app.command(rich_help_panel=_group, help=_help)(with_command_folder(_command))


@app.callback(invoke_without_command=True)
def about(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        from gaitwright import __version__

        print(__version__)
    elif context.invoked_subcommand is None:
        print(context.get_help())


def command_names() -> set[str]:
    return {command.callback.__name__ for command in app.registered_commands if command.callback}


def main() -> None:
    """Entry point of the console script. Exit codes: 0, 1 (analysis failed), 2 (bad input), 3 (unexpected error), 130
    (Ctrl-C), 143 (SIGTERM), 129 (SIGHUP)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # escape characters that the terminal cannot show
    try:
        code = app(standalone_mode=False)
    except BrokenPipeError:  # the reader of the output has closed the pipe
        sys.stderr.close()
        code = 1
    except typer.Abort:
        code = EXIT_INTERRUPTED
    except Exception as error:
        say = getattr(error, "format_message", None)  # message of click about invalid options
        if say is None:
            raise
        problem = " ".join(say().split()).rstrip(".")
        command = getattr(getattr(error, "ctx", None), "info_name", None)  # None for an unknown command
        where = f"{command} " if command in command_names() else ""
        print(f"error: {problem}; see gaitwright {where}--help", file=sys.stderr)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
