"""Command `demo`: a leg, a foot or a schematic walk, analysed and reported."""

from __future__ import annotations

from typing import Annotated

import typer

from gaitwright.cli.commands.gait import show_gait
from gaitwright.cli.options import COMMAND_OUTPUT_FOLDER, JsonOption, OutputFolderOption
from gaitwright.cli.terminal import CommandOutput, ProgressMonitor, command_output


def demo(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="leg, foot or gait.")] = "leg",
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
) -> None:
    """Show Theo Jansen's leg: a report with animation, curves, forces, torque and energy, its numbers beside the thesis's; or a
    foot, which stands and takes a step, with the pressure under it; or the gait of a schematic person, as from a laboratory."""
    with command_output(out, as_json) as screen:
        from gaitwright._core.error_context import ErrorContext

        DEMO_RUNNERS[ErrorContext(field="WHAT").one_of(what, DEMO_RUNNERS, "is no demonstration")](screen)


def _run_leg_demo(screen: CommandOutput) -> None:
    from gaitwright_apps.demos.leg import TABLE_HEADER, run_leg_demo

    out = screen.make_folder()
    with ProgressMonitor("demo") as watch:
        result = run_leg_demo(out, watch.say)
    screen.say("One turn of Theo Jansen's leg, crank at 1 turn per second, beside paper 003:")
    screen.table(*TABLE_HEADER, rows=[row.cells() for row in result.rows], numbers=(2, 3))
    screen.say(*result.evidence())
    screen.wrote(result.files)
    screen.say(f"open {result.files['report']} in a browser; more legs: gaitwright example")
    screen.finish(result.summary())


def _run_foot_demo(screen: CommandOutput) -> None:
    from gaitwright_apps.demos.foot import run_foot_demo

    out = screen.make_folder()
    with ProgressMonitor("demo") as watch:
        result = run_foot_demo(out, watch.say)
    screen.say("One step of a foot of our drawing, 700 N, as an elastic foundation:")
    screen.table(*result.header, rows=result.rows, numbers=(1, 2, 3, 4, 5))
    screen.wrote(result.files)
    screen.say(f"open {result.files['report']} in a browser; a foot of your own: gaitwright foot SCAN")
    screen.finish(result.summary())


def _run_gait_demo(screen: CommandOutput) -> None:
    from gaitwright_apps.demos.gait import run_gait_demo

    out = screen.make_folder()
    with ProgressMonitor("demo") as watch:
        result, files = run_gait_demo(out, watch.say)
    screen.say("A schematic walk, nobody's, in the files of a laboratory:")
    show_gait(screen, result)
    screen.wrote(files)
    screen.say(f"open {files['report']} in a browser; a trial of your own: gaitwright gait TRIAL --mass KG --height M")
    screen.finish(result.summary())


DEMO_RUNNERS = {"leg": _run_leg_demo, "foot": _run_foot_demo, "gait": _run_gait_demo}
