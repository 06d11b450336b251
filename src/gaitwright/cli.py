"""The command line: its commands are in commands/."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from gaitwright.commands.designs import choose, optimise
from gaitwright.commands.devices import device
from gaitwright.commands.evidence import bench, reproduce
from gaitwright.commands.exchange import export, import_
from gaitwright.commands.feet import foot
from gaitwright.commands.gait import gait
from gaitwright.commands.legs import compare, demo, leg, walk
from gaitwright.commands.many import designs
from gaitwright.commands.meshes import mesh
from gaitwright.commands.models import check, example, run
from gaitwright.commands.options import in_own_folder
from gaitwright.commands.robots import urdf
from gaitwright.commands.studies import study
from gaitwright.commands.studio import studio
from gaitwright.commands.sweeps import sweep
from gaitwright.commands.trade_offs import trade_off
from gaitwright.commands.trials import trials
from gaitwright.terminal import INTERRUPTED

HELP = "Multibody dynamics for walking mechanisms in plane and space: kinematics, statics, dynamics, contact, energy."
COMMANDS = (
    demo,
    example,
    urdf,
    import_,
    export,
    mesh,
    foot,
    gait,
    trials,
    device,
    check,
    run,
    leg,
    compare,
    walk,
    sweep,
    trade_off,
    designs,
    choose,
    optimise,
    study,
    studio,
    reproduce,
    bench,
)
"""In the order of the help."""
app = typer.Typer(name="gaitwright", help=HELP, add_completion=False, pretty_exceptions_enable=False)
for _command in COMMANDS:
    app.command()(in_own_folder(_command))


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


def app_names() -> set[str]:
    return {command.__name__ for command in COMMANDS}


def main() -> None:
    """Entry of the console script: exit codes 0, 1 (analysis failed), 2 (bad input), 3 (unexpected), 130 (Ctrl-C; 143 and
    129 after SIGTERM and SIGHUP)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # letters that a terminal does not have
    try:
        code = app(standalone_mode=False)
    except BrokenPipeError:  # whoever read our output has gone
        sys.stderr.close()
        code = 1
    except typer.Abort:
        code = INTERRUPTED
    except Exception as error:
        say = getattr(error, "format_message", None)  # of what click says about wrong options
        if say is None:
            raise
        problem = " ".join(say().split()).rstrip(".")
        command = getattr(getattr(error, "ctx", None), "info_name", None)  # None where even that is not known
        where = f"{command} " if command in app_names() else ""
        print(f"error: {problem}; see gaitwright {where}--help", file=sys.stderr)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
