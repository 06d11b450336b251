"""Commands for legs and walking machines: leg, walk, compare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.cli.commands.gait import compare_gait, is_walk, read_subject
from gaitwright.cli.options import (
    COMMAND_OUTPUT_FOLDER,
    AllowFilesOption,
    JsonOption,
    ModelArgument,
    OutputFolderOption,
    PersonOptions,
    SetOption,
    read_model,
    save_interrupted,
    with_option_groups,
)
from gaitwright.cli.ranges import read_length
from gaitwright.cli.terminal import CommandOutput, ProgressMonitor, command_output

if TYPE_CHECKING:
    from gaitwright.design.compare_runs import RunComparison
    from gaitwright.legs.motor_use import MotorUse
    from gaitwright.legs.turn_numbers import LegQuantity
    from gaitwright.mechanisms.machine_settings import MachineSettings
    from gaitwright.model.model import Model


MotorOption = Annotated[
    str | None,
    typer.Option(
        "--motor",
        metavar="NAME=VALUE,...",
        help="Motor of the crank, such as voltage=24, stall_torque=0.9 N m, no_load_speed=6000 rpm, gear_ratio=40, "
        "gear_efficiency=0.8; "
        "or a YAML file of these.",
    ),
]


def leg(
    model: ModelArgument,
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    changes: SetOption = [],  # noqa: B006
    folders: AllowFilesOption = [],  # noqa: B006
    feet: Annotated[
        list[str], typer.Option("--foot-point", metavar="POINT", help="Point that contacts the ground; repeatable.")
    ] = [],  # noqa: B006
    penetration: Annotated[
        str,
        typer.Option(
            metavar="LENGTH", help="Depth of the lowest foot point below the ground surface, such as 0.008 (m) or 8mm."
        ),
    ] = "",
    level: Annotated[
        str,
        typer.Option(metavar="LENGTH", help="Height of the ground, such as -0.5 (m); alternative to --penetration."),
    ] = "",
    motor: MotorOption = None,
    beams: Annotated[
        str,
        typer.Option(
            help="Model of flexible beams: dynamic, or quasi-static (static deflection under the momentary loads)."
        ),
    ] = "dynamic",
) -> None:
    """Analyse one crank turn of a leg, in the air and on the ground: step, phases, forces, torque, energy, report."""
    with command_output(out, as_json) as screen:
        chosen = read_model(model, changes, folders)
        lengths = {"penetration": penetration, "level": level}
        ground = {name: read_length(text, name) if text else None for name, text in lengths.items()}
        out = screen.make_folder()
        with ProgressMonitor("analysing") as watch:
            analysis = analyse_leg_model(chosen, watch, feet=feet or None, **ground, beams=beams, motor=motor)
            files = analysis.report(out / "leg.html")
        show_legs(screen, [analysis])
        show_motor(screen, analysis.on_motor() if analysis.settings.motor else None)
        screen.wrote(files)
        screen.finish(analysis.summary())


def walk(
    model: ModelArgument,
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    changes: SetOption = [],  # noqa: B006
    folders: AllowFilesOption = [],  # noqa: B006
    body: Annotated[
        str, typer.Option("--body", metavar="NAME", help="Body whose speed and height are measured.")
    ] = "body",
    turns: Annotated[
        int, typer.Option("--turns", help="Number of crank turns at the end of the run that are measured.")
    ] = 1,
    pairs: Annotated[int | None, typer.Option("--pairs", help="For a single leg: number of cranks; default 3.")] = None,
    body_mass: Annotated[
        float | None, typer.Option("--body-mass", help="For a single leg: mass of the body, kg; default 4.")
    ] = None,
    mirrored: Annotated[
        bool | None,
        typer.Option(
            "--mirrored/--as-it-is", help="For a single leg: also put a mirrored leg on each crank; default: mirrored."
        ),
    ] = None,
    friction: Annotated[
        float | None,
        typer.Option(
            "--friction", help="For a single leg: friction coefficient that replaces the one in the leg's file."
        ),
    ] = None,
    slope: Annotated[
        float | None,
        typer.Option(
            "--slope", help="For a single leg: slope of the ground, degrees; positive slopes rise towards positive x."
        ),
    ] = None,
    terrain: Annotated[
        str | None,
        typer.Option(
            "--terrain",
            metavar="KIND",
            help="For a single leg: bumps:HEIGHT:LENGTH, step:HEIGHT, stairs:HEIGHT:LENGTH, rough:HEIGHT:LENGTH, as "
            "in bumps:20 "
            "mm:0.5; or a table of x and y, m.",
        ),
    ] = None,
    payload: Annotated[
        float | None, typer.Option("--payload", help="For a single leg: payload mass on the body, kg.")
    ] = None,
    payload_at: Annotated[
        tuple[float, float] | None,
        typer.Option(
            "--payload-at",
            metavar="X Y",
            help="Position of the payload relative to the crank shaft, m; default: on top of the body.",
        ),
    ] = None,
    soft_start: Annotated[
        float | None,
        typer.Option("--soft-start", help="For a single leg: time until the cranks reach their speed, s; default 1."),
    ] = None,
    stiffness: Annotated[
        str | None,
        typer.Option(
            "--stiffness",
            metavar="K",
            help="Ground stiffness, N/m^1.5, such as 2e6 or '2 MN/m^1.5'; default: hard, so that a loaded foot sinks in by "
            "0.2 % of the leg length.",
        ),
    ] = None,
    ground_check: Annotated[
        bool,
        typer.Option(
            "--ground-check/--no-ground-check",
            help="Repeat the walk on a ground twice as stiff, and warn of numbers that change by more than 3 %; "
            "doubles the time.",
        ),
    ] = True,
    motor: MotorOption = None,
) -> None:
    """Simulate the walk of a machine, free in the plane: speed, slip, footfalls, cost, report.

    From a single leg, a machine with several pairs of this leg is made first, with the speed, the ground and the gravity of
    the leg's file."""
    with command_output(out, as_json) as screen:
        from gaitwright.legs.motor import read_motor
        from gaitwright.legs.walk import measure_walk, read_model_motor

        settings = {"pairs": pairs, "body_mass": body_mass, "mirrored": mirrored, "friction": friction, "slope": slope,
                 "soft_start": soft_start, "terrain": terrain, "payload": payload, "payload_at": payload_at,
                 "stiffness": None if stiffness is None else read_ground_stiffness(stiffness)}  # fmt: skip
        given = read_model(model, changes, folders)
        turning = read_motor(motor) or read_model_motor(given.to_dict())
        chosen, made = make_machine(given, {k: v for k, v in settings.items() if v is not None})
        screen.say(*(made.lines() if made else []))
        out = screen.make_folder()
        with ProgressMonitor("walking") as watch:
            result = chosen.analyse(progress=watch)
            if watch.interrupted:
                raise save_interrupted(screen, result)
            walk_result = measure_walk(result, body=body, turns=turns, motor=turning)
        if ground_check:
            with ProgressMonitor("walking on a harder ground") as watch:
                walk_result = walk_result.check_ground(progress=watch)
                if watch.interrupted:
                    raise save_interrupted(screen, result)
        files = {**walk_result.report(out / "walk.html"), "result": result.save(out / "result.nc")}
        show_rows(screen, walk_result.header(), walk_result.rows())
        screen.say(*(f"warning: {text}" for text in walk_result.warnings()))
        show_motor(screen, walk_result.motor)
        screen.wrote(files)
        screen.finish({**walk_result.summary(), **({"machine": made.summary()} if made else {})})


@with_option_groups
def compare(
    models: Annotated[
        list[Path],
        typer.Argument(
            metavar="MODEL...",
            help="Model files of legs or other mechanisms, planar or spatial; or walks: trials, or output folders of `gait`.",
            show_default=False,
        ),
    ],
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    folders: AllowFilesOption = [],  # noqa: B006
    *,
    walker: PersonOptions,
) -> None:
    """Compare legs, other models, or walks of people (such as before and after a treatment) in one table and one report.

    All legs get the same analysis. Other models, planar or spatial, are each analysed as their files specify, and the
    outputs that all of them have are compared.

    For walks, changes are relative to the first walk; --subject, --mass, --height and --sex apply to trials."""
    with command_output(out, as_json) as screen:
        if any(is_walk(path) for path in models):
            return compare_gait(screen, models, read_subject(walker))
        from gaitwright.design.compare_runs import RunComparison
        from gaitwright.legs.compare import compare as side_by_side

        chosen = [read_model(path, [], folders) for path in models]
        out = screen.make_folder()
        with ProgressMonitor("analysing") as watch:
            comparison = side_by_side(chosen, names=[path.stem for path in models], progress=watch)
            files = comparison.report(out / "compare.html")
        if isinstance(comparison, RunComparison):
            show_runs(screen, comparison)
        else:
            show_legs(screen, comparison.legs)
        screen.wrote(files)
        screen.finish(comparison.summary())


def show_runs(screen: CommandOutput, found: RunComparison) -> None:
    """Show the least and greatest values, with their times, of the outputs that all models have."""
    from gaitwright.cli.commands.models import format_cell
    from gaitwright.report.rounding import zero_table_noise
    from gaitwright.report.views.pages.run_comparison_page import number_table

    table = number_table(found)
    rows = zero_table_noise(table.header, table.rows)
    for i, k in table.best:
        rows[i][k] = f"* {format_cell(rows[i][k])}"
    screen.table(*table.header, rows=[[format_cell(cell) for cell in row] for row in rows], numbers=tuple(range(2, 8)))
    for label, run in found.runs.items():
        screen.say(*(f"warning: {label}: {text}" for text in run.evidence.warnings))


def make_machine(model: Model, asked: dict[str, Any]) -> tuple[Model, MachineSettings | None]:
    """Return the model and None; for a single leg, a machine with pairs of this leg, and its settings."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright._core.errors import ModelError
    from gaitwright.mechanisms.machine_settings import machine_settings
    from gaitwright.mechanisms.walking_machine import walking_machine

    if model.document.gait is None or model.document.contacts:
        stiffness = asked.pop("stiffness", None)
        if stiffness is not None:
            from gaitwright.legs.ground_check import set_ground_stiffness

            model = set_ground_stiffness(model, stiffness)
        if asked:
            option = next(iter(asked)).replace("_", "-")
            raise ModelError(
                f"--{option} is for the file of a single leg, and this one is a machine already",
                expected="--set, such as --set parameters.body_mass=2",
            )
        return model, None
    if "slope" in asked:
        if not abs(asked["slope"]) < 90.0:
            ErrorContext(field="--slope").fail(
                "is no slope of a ground", asked["slope"], "degrees, less than 90 either way"
            )
        asked = {**asked, "slope": math.radians(asked["slope"])}
    of_ground = {name: value for name, value in asked.items() if name not in ("pairs", "mirrored", "payload_at")}
    machine = walking_machine(model, **asked)
    return machine, machine_settings(model, **of_ground).with_values(read_ground_law(machine))


def read_ground_law(machine: Model) -> dict[str, float]:
    """Values of the contact law of a machine that are given by its parameters."""
    from gaitwright.model.expressions import resolve_parameters
    from gaitwright.model.series import build_splines

    raw = machine.to_dict()
    values = resolve_parameters(raw["parameters"], build_splines(raw.get("series", {})))
    law = raw["contacts"][0]["law"]
    return {
        name: values[parameter] for name, parameter in law.items() if isinstance(parameter, str) and parameter in values
    }


def read_ground_stiffness(text: str) -> float:
    """Parse the option --stiffness, N/m^1.5."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.model.units import dimension_of, parse_number_with_unit, read_unit

    at, expected = ErrorContext(field="--stiffness"), "a positive number of N/m^1.5, such as 2e6 or '2 MN/m^1.5'"
    try:
        value = parse_number_with_unit(text)
    except ValueError:
        at.fail("is not a stiffness", text, expected)
    unit = text.lstrip(" +-0123456789.eE")
    parsed_unit = read_unit(unit) if unit else None
    if parsed_unit is not None and parsed_unit.dimension != dimension_of("N/m^1.5"):
        at.fail("has a unit of another quantity", text, expected)
    if not 0.0 < value < math.inf:
        at.fail("is not a stiffness", text, expected)
    return value


def analyse_leg_model(model: Model, watch: ProgressMonitor, **options: Any) -> Any:
    from gaitwright.legs.leg import analyse_leg

    return analyse_leg(model, progress=watch, **options)


def show_motor(screen: CommandOutput, use: MotorUse | None) -> None:
    """Show the numbers of the motor: whether it can drive the crank, and the power it needs."""
    if use is None:
        return
    show_numbers(screen, "motor", use.numbers)
    screen.say(*use.lines())


def show_numbers(screen: CommandOutput, title: str, numbers: Mapping[str, LegQuantity]) -> None:
    """Show quantities with their units and meanings."""
    rows = [(name.replace("_", " "), q.value, q.unit, q.text) for name, q in numbers.items()]
    show_rows(screen, (title, "value", "unit", "meaning"), rows)


def show_rows(screen: CommandOutput, header: Sequence[str], rows: Sequence[Sequence[float | str]]) -> None:
    """Show a table of names, values (or texts instead) and further text columns."""
    from gaitwright.report.rounding import zero_table_noise

    shown = [
        [name, value if isinstance(value, str) else f"{value:.5g}", *rest]
        for name, value, *rest in zero_table_noise(header, rows)
    ]
    screen.table(*header, rows=shown, numbers=(1,))


def show_legs(screen: CommandOutput, legs: Any) -> None:
    """Show key numbers, one column per leg."""
    from gaitwright.report.rounding import zero_table_noise
    from gaitwright.report.views.pages.leg_page import comparison_table

    table = comparison_table(legs)
    rows = []
    for i, row in enumerate(zero_table_noise(table.header, table.rows)):
        marks = ["* " if (i, k) in table.best else "" for k in range(len(row))]
        rows.append(
            [mark + (cell if isinstance(cell, str) else f"{cell:.5g}") for mark, cell in zip(marks, row, strict=True)]
        )
    screen.table(*table.header, rows=rows, numbers=tuple(range(1, 1 + len(legs))))
    for leg in legs:
        screen.say(*(f"warning: {leg.name}: {text}" for text in leg.warnings()))
