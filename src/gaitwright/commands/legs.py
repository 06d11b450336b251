"""Commands about legs and walking: demo, leg, walk, compare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.gait import Height, Mass, Sex, SubjectFile, compare_gait, is_walk, show_gait, subject_of
from gaitwright.commands.options import OWN_FOLDER, Allow, File, Json, Out, Set, keep_interrupted, read_model
from gaitwright.terminal import Screen, Watch, speaking

if TYPE_CHECKING:
    from gaitwright.design.compare_runs import RunComparison
    from gaitwright.legs.motor_use import MotorUse
    from gaitwright.legs.numbers import Quantity
    from gaitwright.mechanisms.machine_settings import MachineSettings
    from gaitwright.model.model import Model


MotorOption = Annotated[
    str | None,
    typer.Option(
        "--motor",
        metavar="NAME=VALUE,...",
        help="Of the crank, as voltage=24, stall_torque=0.9 N m, no_load_speed=6000 rpm, gear_ratio=40, gear_efficiency=0.8; "
        "or a YAML file of these.",
    ),
]


def demo(
    what: Annotated[str, typer.Argument(metavar="[WHAT]", help="leg, foot or gait.")] = "leg",
    out: Out = OWN_FOLDER,
    as_json: Json = False,
) -> None:
    """Show Theo Jansen's leg: a report with animation, curves, forces, torque and energy, its numbers beside the thesis's; or a
    foot, which stands and takes a step, with the pressure under it; or the gait of a schematic person, as from a laboratory."""
    with speaking(out, as_json) as screen:
        from gaitwright.checks import At

        DEMOS[At(field="WHAT").one_of(what, DEMOS, "is no demonstration")](screen)


def _show_leg(screen: Screen) -> None:
    from gaitwright.demo import HEADER, run_demo

    out = screen.make_folder()
    with Watch("demo") as watch:
        found = run_demo(out, watch.say)
    screen.say("One turn of Theo Jansen's leg, crank at 1 turn per second, beside paper 003:")
    screen.table(*HEADER, rows=[row.cells() for row in found.rows], numbers=(2, 3))
    screen.say(*found.evidence())
    screen.wrote(found.files)
    screen.say(f"open {found.files['report']} in a browser; more legs: gaitwright example")
    screen.finish(found.summary())


def _show_foot(screen: Screen) -> None:
    from gaitwright.foot_demo import run_foot_demo

    out = screen.make_folder()
    with Watch("demo") as watch:
        found = run_foot_demo(out, watch.say)
    screen.say("One step of a foot of our drawing, 700 N, as an elastic foundation:")
    screen.table(*found.header, rows=found.rows, numbers=(1, 2, 3, 4, 5))
    screen.wrote(found.files)
    screen.say(f"open {found.files['report']} in a browser; a foot of your own: gaitwright foot SCAN")
    screen.finish(found.summary())


def _show_gait(screen: Screen) -> None:
    from gaitwright.gait_demo import run_gait_demo

    out = screen.make_folder()
    with Watch("demo") as watch:
        found, files = run_gait_demo(out, watch.say)
    screen.say("A schematic walk, nobody's, in the files of a laboratory:")
    show_gait(screen, found)
    screen.wrote(files)
    screen.say(f"open {files['report']} in a browser; a trial of your own: gaitwright gait TRIAL --mass KG --height M")
    screen.finish(found.summary())


DEMOS = {"leg": _show_leg, "foot": _show_foot, "gait": _show_gait}


def leg(
    model: File,
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
    feet: Annotated[
        list[str], typer.Option("--foot", metavar="POINT", help="Point that touches the ground; repeatable.")
    ] = [],  # noqa: B006
    penetration: Annotated[float | None, typer.Option(help="Of the lowest foot into the ground, m.")] = None,
    level: Annotated[float | None, typer.Option(help="Height of the ground, m, instead of a penetration.")] = None,
    motor: MotorOption = None,
    beams: Annotated[
        str, typer.Option(help="Of a leg with beams: dynamic, or quasi-static: bent by the loads of the moment.")
    ] = "dynamic",
) -> None:
    """Put a leg through one turn of its crank, in the air and on the ground: step, phases, forces, torque, energy, report."""
    with speaking(out, as_json) as screen:
        chosen = read_model(model, changes, folders)
        out = screen.make_folder()
        with Watch("analysing") as watch:
            found = analysed_leg(
                chosen, watch, feet=feet or None, penetration=penetration, level=level, beams=beams, motor=motor
            )
            files = found.report(out / "leg.html")
        show_legs(screen, [found])
        show_motor(screen, found.on_motor() if found.settings.motor else None)
        screen.wrote(files)
        screen.finish(found.summary())


def walk(
    model: File,
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
    body: Annotated[str, typer.Option("--body", metavar="NAME", help="Body whose speed and height count.")] = "body",
    turns: Annotated[int, typer.Option("--turns", help="How many of the last turns of the cranks are measured.")] = 1,
    pairs: Annotated[int | None, typer.Option("--pairs", help="Of a single leg: how many cranks; 3.")] = None,
    body_mass: Annotated[
        float | None, typer.Option("--body-mass", help="Of a single leg: mass of the body, kg; 4.")
    ] = None,
    mirrored: Annotated[
        bool | None,
        typer.Option("--mirrored/--as-it-is", help="Of a single leg: a mirror image on each crank, too; yes."),
    ] = None,
    friction: Annotated[
        float | None, typer.Option("--friction", help="Of a single leg: coefficient, instead of the leg's friction.")
    ] = None,
    slope: Annotated[
        float | None,
        typer.Option("--slope", help="Of a single leg: slope of the ground, degrees; it rises towards positive x."),
    ] = None,
    terrain: Annotated[
        str | None,
        typer.Option(
            "--terrain",
            metavar="KIND",
            help="Of a single leg: bumps:HEIGHT:LENGTH, step:HEIGHT, stairs:HEIGHT:LENGTH, rough:HEIGHT:LENGTH, as in bumps:20 "
            "mm:0.5; or a table of x and y, m.",
        ),
    ] = None,
    payload: Annotated[
        float | None, typer.Option("--payload", help="Of a single leg: mass that the body carries, kg.")
    ] = None,
    payload_at: Annotated[
        tuple[float, float] | None,
        typer.Option("--payload-at", metavar="X Y", help="Where it is, m from the crank shaft; on top of the body."),
    ] = None,
    soft_start: Annotated[
        float | None,
        typer.Option("--soft-start", help="Of a single leg: time until its cranks have their speed, s; 1."),
    ] = None,
    stiffness: Annotated[
        str | None,
        typer.Option(
            "--stiffness",
            metavar="K",
            help="Of the ground, N/m^1.5, as 2e6 or '2 MN/m^1.5'; hard unless given: a foot that carries the machine sinks by "
            "0.2 % of the leg length.",
        ),
    ] = None,
    ground_check: Annotated[
        bool,
        typer.Option(
            "--ground-check/--no-ground-check",
            help="Walk once more on a ground twice as stiff, and warn of numbers that change by more than 3 %; twice the time.",
        ),
    ] = True,
    motor: MotorOption = None,
) -> None:
    """Let a machine walk, free in the plane: speed, slip, footfalls, cost, report.

    Of a single leg, a machine on pairs of it is made first, with the speed, the ground and the gravity of the leg's file."""
    with speaking(out, as_json) as screen:
        from gaitwright.legs.motor import read_motor
        from gaitwright.legs.walk import measure_walk, motor_of

        asked = {"pairs": pairs, "body_mass": body_mass, "mirrored": mirrored, "friction": friction, "slope": slope,
                 "soft_start": soft_start, "terrain": terrain, "payload": payload, "payload_at": payload_at,
                 "stiffness": None if stiffness is None else ground_stiffness(stiffness)}  # fmt: skip
        given = read_model(model, changes, folders)
        turning = read_motor(motor) or motor_of(given.to_dict())
        chosen, made = as_machine(given, {k: v for k, v in asked.items() if v is not None})
        screen.say(*(made.lines() if made else []))
        out = screen.make_folder()
        with Watch("walking") as watch:
            result = chosen.analyse(progress=watch)
            if watch.interrupted:
                raise keep_interrupted(screen, result)
            found = measure_walk(result, body=body, turns=turns, motor=turning)
        if ground_check:
            with Watch("walking on a harder ground") as watch:
                found = found.check_ground(progress=watch)
                if watch.interrupted:
                    raise keep_interrupted(screen, result)
        files = {**found.report(out / "walk.html"), "result": result.save(out / "result.nc")}
        show_rows(screen, found.header(), found.rows())
        screen.say(*(f"warning: {text}" for text in found.warnings()))
        show_motor(screen, found.motor)
        screen.wrote(files)
        screen.finish({**found.summary(), **({"machine": made.summary()} if made else {})})


def compare(
    models: Annotated[
        list[Path],
        typer.Argument(
            metavar="MODEL...",
            help="Model files, of legs or any others, in plane or space; or walks: trials, or folders that gait wrote.",
            show_default=False,
        ),
    ],
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    folders: Allow = [],  # noqa: B006
    subject: SubjectFile = None,
    mass: Mass = None,
    height: Height = None,
    sex: Sex = "",
) -> None:
    """Put legs, other models, or walks of people side by side, as before and after: one table and one report.

    Legs get the same analysis each. Other models, in the plane or in space, are each analysed as they say, and outputs that all
    of them have are compared.

    Of walks, the first is the one that changes are counted from; --subject, --mass, --height and --sex are for trials."""
    with speaking(out, as_json) as screen:
        if any(is_walk(path) for path in models):
            return compare_gait(screen, models, subject_of(subject, mass, height, sex))
        from gaitwright.design.compare_runs import RunComparison
        from gaitwright.legs.compare import compare as side_by_side

        chosen = [read_model(path, [], folders) for path in models]
        out = screen.make_folder()
        with Watch("analysing") as watch:
            found = side_by_side(chosen, names=[path.stem for path in models], progress=watch)
            files = found.report(out / "compare.html")
        if isinstance(found, RunComparison):
            show_runs(screen, found)
        else:
            show_legs(screen, found.legs)
        screen.wrote(files)
        screen.finish(found.summary())


def show_runs(screen: Screen, found: RunComparison) -> None:
    """Least and greatest of what all models have, with when."""
    from gaitwright.commands.models import told_number
    from gaitwright.report.digits import without_noise
    from gaitwright.report.views.compare_page import number_table

    table = number_table(found)
    rows = without_noise(table.header, table.rows)
    for i, k in table.best:
        rows[i][k] = f"* {told_number(rows[i][k])}"
    screen.table(*table.header, rows=[[told_number(cell) for cell in row] for row in rows], numbers=tuple(range(2, 8)))
    for label, run in found.runs.items():
        screen.say(*(f"warning: {label}: {text}" for text in run.evidence.warnings))


def as_machine(model: Model, asked: dict[str, Any]) -> tuple[Model, MachineSettings | None]:
    """The model, or a machine on pairs of it and what it is made of if it is a single leg."""
    from gaitwright.checks import At
    from gaitwright.errors import ModelError
    from gaitwright.mechanisms.machine_settings import machine_settings
    from gaitwright.mechanisms.walking_machine import walking_machine

    if model.document.gait is None or model.document.contacts:
        stiffness = asked.pop("stiffness", None)
        if stiffness is not None:
            from gaitwright.legs.ground_check import with_stiffness

            model = with_stiffness(model, stiffness)
        if asked:
            option = next(iter(asked)).replace("_", "-")
            raise ModelError(
                f"--{option} is for the file of a single leg, and this one is a machine already",
                expected="--set, such as --set parameters.body_mass=2",
            )
        return model, None
    if "slope" in asked:
        if not abs(asked["slope"]) < 90.0:
            At(field="--slope").fail("is no slope of a ground", asked["slope"], "degrees, less than 90 either way")
        asked = {**asked, "slope": math.radians(asked["slope"])}
    of_ground = {name: value for name, value in asked.items() if name not in ("pairs", "mirrored", "payload_at")}
    machine = walking_machine(model, **asked)
    return machine, machine_settings(model, **of_ground).with_values(ground_of(machine))


def ground_of(machine: Model) -> dict[str, float]:
    """Numbers of the contact law of a machine that its parameters are."""
    from gaitwright.model.expressions import resolve_parameters
    from gaitwright.model.series import splines

    raw = machine.to_dict()
    values = resolve_parameters(raw["parameters"], splines(raw.get("series", {})))
    law = raw["contacts"][0]["law"]
    return {name: values[said] for name, said in law.items() if isinstance(said, str) and said in values}


def ground_stiffness(text: str) -> float:
    """Of the option --stiffness, N/m^1.5."""
    from gaitwright.checks import At
    from gaitwright.model.units import dimension_of, plain_number, read_unit

    at, expected = At(field="--stiffness"), "a positive number of N/m^1.5, such as 2e6 or '2 MN/m^1.5'"
    try:
        value = plain_number(text)
    except ValueError:
        at.fail("is not a stiffness", text, expected)
    unit = text.lstrip(" +-0123456789.eE")
    found = read_unit(unit) if unit else None
    if found is not None and found.dimension != dimension_of("N/m^1.5"):
        at.fail("has the unit of something else", text, expected)
    if not 0.0 < value < math.inf:
        at.fail("is not a stiffness", text, expected)
    return value


def analysed_leg(model: Model, watch: Watch, **options: Any) -> Any:
    from gaitwright.legs.leg import analyse_leg

    return analyse_leg(model, progress=watch, **options)


def show_motor(screen: Screen, use: MotorUse | None) -> None:
    """Whether a motor can drive the crank, and what that takes."""
    if use is None:
        return
    show_numbers(screen, "motor", use.numbers)
    screen.say(*use.lines())


def show_numbers(screen: Screen, title: str, numbers: Mapping[str, Quantity]) -> None:
    """Quantities with their units and meanings."""
    rows = [(name.replace("_", " "), q.value, q.unit, q.text) for name, q in numbers.items()]
    show_rows(screen, (title, "value", "unit", "meaning"), rows)


def show_rows(screen: Screen, header: Sequence[str], rows: Sequence[Sequence[float | str]]) -> None:
    """Names, values or words instead of them, and more columns of words."""
    from gaitwright.report.digits import without_noise

    shown = [
        [name, value if isinstance(value, str) else f"{value:.5g}", *rest]
        for name, value, *rest in without_noise(header, rows)
    ]
    screen.table(*header, rows=shown, numbers=(1,))


def show_legs(screen: Screen, legs: Any) -> None:
    """Key numbers, one column per leg."""
    from gaitwright.report.digits import without_noise
    from gaitwright.report.views.leg_page import comparison_table

    table = comparison_table(legs)
    rows = []
    for i, row in enumerate(without_noise(table.header, table.rows)):
        marks = ["* " if (i, k) in table.best else "" for k in range(len(row))]
        rows.append(
            [mark + (cell if isinstance(cell, str) else f"{cell:.5g}") for mark, cell in zip(marks, row, strict=True)]
        )
    screen.table(*table.header, rows=rows, numbers=tuple(range(1, 1 + len(legs))))
    for leg in legs:
        screen.say(*(f"warning: {leg.name}: {text}" for text in leg.warnings()))
