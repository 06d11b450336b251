"""Commands for devices on people: `device`, and functions for `gait --device`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.cli.commands.gait import read_subject
from gaitwright.cli.options import (
    ForcesFileOption,
    LiftedMassOption,
    ModelFileOptions,
    OutputOptions,
    PersonOptions,
    StaticFileOption,
    read_model,
    with_option_groups,
)
from gaitwright.cli.terminal import CommandOutput, ProgressMonitor, command_output

if TYPE_CHECKING:
    from gaitwright.gait.subject import Subject
    from gaitwright.model.model import Model
    from gaitwright.wear.comfort.assessment import Comfort
    from gaitwright.wear.comfort.thresholds import ThresholdTable
    from gaitwright.wear.device_result import DeviceResult

DEFAULT_BODY_MASS_AND_HEIGHT = (73.0, 1.74)
"""Body mass, kg, and height, m, of the person in a schematic motion if no subject is given."""
MIN_KNOWN_CYCLE_PART, MIN_SHOWN_ENERGY_J = 0.98, 0.05
"""Limits of the messages: fraction of a cycle below which the known part is reported; energy, J, in a spring or a cuff above
which its energy at the start is reported."""


@with_option_groups
def device(
    model: Annotated[
        str,
        typer.Argument(metavar="DEVICE", help="Model file with a section worn, or a ready device.", show_default=False),
    ],
    motion: Annotated[
        str,
        typer.Option(
            "--motion", metavar="MOTION", help="walk, sit-to-stand, stoop, squat (schematic), or a trial: .c3d .trc."
        ),
    ] = "walk",
    forces: ForcesFileOption = None,
    static: StaticFileOption = None,
    side: Annotated[
        str, typer.Option("--side", help="right, left or both; default: the side in the device's file.")
    ] = "",
    lifted_mass: LiftedMassOption = None,
    pad_model: Annotated[
        str,
        typer.Option(
            "--pad-model", help="Pressure model of the pads: foundation, uniform, solid (finite elements), or none."
        ),
    ] = "foundation",
    thresholds: Annotated[
        Path | None,
        typer.Option(
            "--thresholds",
            metavar="FILE",
            help="Your own table of pressure thresholds for discomfort and pain.",
            show_default=False,
        ),
    ] = None,
    *,
    wearer: PersonOptions,
    output: OutputOptions,
    files: ModelFileOptions,
) -> None:
    """Put an orthosis or exoskeleton on a moving person and report: relief of the joints, higher loads elsewhere, forces and
    migration at the cuffs, pressure below the pads and the share of people with discomfort; write device.html, summary.json,
    cuffs.csv, moments.csv and result.nc."""
    with command_output(output.out, output.as_json) as screen:
        from gaitwright.wear.device_simulation import put_on

        chosen = load_device(model, files)
        table = load_thresholds(thresholds, pad_model)
        person = read_subject(wearer)
        folder = screen.make_folder()
        with ProgressMonitor("moving") as watch:
            moving = load_motion(motion, person, forces, static, lifted_mass)
            watch.say("putting it on", 0.3)
            worn = put_on(chosen, moving, side=side or None)
            watch.say("pressing", 0.6)
            comfort, why = assess_comfort(worn, table, pad_model)
            watch.say("writing", 0.7)
            written = {**worn.report(folder, comfort), **worn.save(folder, comfort)}
        show_trial(screen, moving)
        show_device(screen, worn)
        show_comfort(screen, comfort, why)
        screen.wrote(written)
        screen.finish({**worn.summary(), "comfort": None if comfort is None else comfort.summary()})


def load_thresholds(file: Path | None, pressure: str) -> ThresholdTable | None:
    """Read a user's table of thresholds and check the pressure method, before any analysis."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.wear.comfort.thresholds import read
    from gaitwright.wear.pads.pressure import PRESSURE_METHODS

    ErrorContext(field="--pad-model").one_of(pressure, [*PRESSURE_METHODS, "none"], "is no way to find a pressure")
    return None if file is None else read(file)


def assess_comfort(worn: DeviceResult, table: ThresholdTable | None, pressure: str) -> tuple[Comfort | None, str]:
    """Predicted discomfort, or the reason why it is not known (empty if it is not requested)."""
    from gaitwright._core.errors import ModelError

    if pressure == "none":
        return None, ""
    try:
        return worn.comfort(thresholds=table, method=pressure), ""
    except ModelError as error:
        return None, str(error)


def show_comfort(screen: CommandOutput, comfort: Comfort | None, why: str) -> None:
    """Show pressures and shares of people by cuff, and the notes about missing or assumed data."""
    if comfort is None:
        if why:
            screen.say(f"no pressure: {why}")
        return

    def share(value: float | None, least: bool = False) -> str:
        return "not known" if value is None else f"{'>= ' if least else ''}{100 * value:.0f}"

    rows = [
        (name, cuff.region, f"{1e-3 * cuff.peak:.1f}", f"{cuff.time:.2f}", f"{1e4 * cuff.area:.0f}", cuff.loading,
         share(cuff.share_discomfort, cuff.only_pain), share(cuff.share_pain))
        for name, cuff in comfort.cuffs.items()
    ]  # fmt: skip
    head = ("cuff", "presses", "peak (kPa)", "at (s)", "area (cm2)", "loading", "feel discomfort %", "feel pain %")
    screen.table(*head, rows=rows, numbers=(2, 3, 4, 6, 7))
    notes = [note for note in comfort.notes if note.endswith("assumed") or "is not known: " in note]
    for note in notes:
        screen.say(f"note: {note}")
    if len(notes) < len(comfort.notes):
        screen.say(f"device.html has {len(comfort.notes) - len(notes)} more notes on the assumptions of these shares")


def load_device(name: str, files: ModelFileOptions) -> Model:
    """Read a device from its file, or create a ready one by its name (with or without `worn-`), with the changes of --set."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.model.io.files import apply_override
    from gaitwright.model.model import Model
    from gaitwright.wear.device_assembly import device_section
    from gaitwright.wear.devices import DEVICES

    if f"worn-{name}" in DEVICES and not Path(name).exists():  # the name in gw.wear.devices
        name = f"worn-{name}"
    if name in DEVICES:
        raw = DEVICES[name].make().to_dict()
        for change in files.changes:
            apply_override(raw, change)
        model = Model.from_dict(raw)
    else:
        path = Path(name)
        if not path.suffix and not path.exists():
            ErrorContext("device").one_of(name, list(DEVICES), "is neither a file nor a ready device")
        model = read_model(path, files.changes, files.folders)
    device_section(model)
    return model


def load_motion(name: str, person: Subject | None, forces: Path | None, static: Path | None, load: str | None) -> Any:
    """Create a schematic motion by its name, or analyse a trial."""
    from gaitwright import gait
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.gait.motion_catalogue import (
        DEFAULT_LIFTED_LOAD_KG,
        LIFTING_MOTIONS,
        SCHEMATIC_MOTIONS,
        normalise_motion_name,
    )
    from gaitwright.gait.subject import read_quantity

    word = normalise_motion_name(name)
    lifted = DEFAULT_LIFTED_LOAD_KG if load is None else read_quantity(ErrorContext(field="--lifted-mass"), load, "kg")
    if load is not None and word not in LIFTING_MOTIONS:
        said = f"--motion {', '.join(LIFTING_MOTIONS[:-1])} or {LIFTING_MOTIONS[-1]}"
        ErrorContext(field="--lifted-mass").fail(f"is lifted, and the motion is {name}", f"{lifted:g} kg", said)
    if word in SCHEMATIC_MOTIONS:
        for field, given in (("--forces", forces), ("--static", static)):
            if given is not None:
                ErrorContext(field=field).fail(
                    f"belongs to a trial, and the motion is {name}", str(given), "--motion FILE"
                )
    elif person is None and Path(name).is_file():
        ErrorContext(field="--mass").fail(
            "is missing: a trial needs the mass and height of the person", expected="--mass and --height, or --subject"
        )
    return gait.motion_by_name(
        name, person or gait.Subject(*DEFAULT_BODY_MASS_AND_HEIGHT), load=lifted, forces=forces, static=static
    )


def show_trial(screen: CommandOutput, moving: Any) -> None:
    """Show the severe findings of a trial, which the results of the device depend on."""
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.gait.trial_quality import SEVERITY_WRONG

    if isinstance(moving, GaitAnalysis):
        for finding in moving.findings:
            if finding.how_bad == SEVERITY_WRONG:
                screen.say(f"trial, {finding.how_bad}: {finding}")
        screen.say(*(note for note in moving.notes if note.startswith("left and right were crossed")))


def show_device(screen: CommandOutput, worn: DeviceResult) -> None:
    """Show the relief of the joints, the joints with higher loads, and the forces at the cuffs."""
    from gaitwright.wear.device_result import UNCHANGED_MOTION_CAVEAT

    subject = worn.motion.skeleton.subject
    screen.say(f"{worn.name} on {worn.where} of a person of {subject.mass:g} kg, {subject.height:g} m: {worn.source}")
    screen.say(f"note: {UNCHANGED_MOTION_CAVEAT}")
    rows = []
    for joint, one in worn.assistance().items():
        if abs(one.peak_with - one.peak_without) < 0.01 * one.peak_without and not one.worse:
            continue
        remark = "worse" if one.worse else ""
        if one.known < MIN_KNOWN_CYCLE_PART:
            remark = f"{remark}, " * bool(remark) + f"energies of {100 * one.known:.0f} % of the cycle"
        rows.append(
            (
                joint.replace("_", " "),
                f"{one.peak_without:.1f}",
                f"{one.peak_with:.1f}",
                _format_percent(one.share_of_peak),
                _format_percent(one.share),
                f"{one.stored:.1f}",
                f"{one.returned:.1f}",
                remark,
            )
        )
    head = ("joint", "peak without (N m)", "with", "taken off peak %", "off mean %", "stored (J)", "returned (J)", "")
    if rows:
        screen.table(*head, rows=rows, numbers=(1, 2, 3, 4, 5, 6))
    else:
        screen.say("no joint's peak changes by 1 %")
    for side, parts in worn.summary()["parts"].items():
        for name, part in parts.items():
            if part.get("energy_at_start", 0.0) > MIN_SHOWN_ENERGY_J:
                first, last, most = (f"{part[kind]:.1f} J" for kind in ("energy_at_start", "energy_at_end", "energy"))
                what = f"{side} {name.replace('_', ' ')}"
                screen.say(f"{what}: {first} in it as the motion begins, {last} as it ends, {most} at most")
    if spine := worn.spine():
        before, after = (spine[which].peak for which in ("without", "with"))
        rows = [
            (
                what,
                unit,
                f"{before[what]:.0f}",
                f"{after[what]:.0f}",
                _format_percent(1.0 - abs(after[what] / before[what])),
            )
            for what, unit in (("compression", "N"), ("shear", "N"), ("moment", "N m"))
        ]
        screen.table("L5/S1, largest", "", "without", "with", "taken off %", rows=rows, numbers=(2, 3, 4))
    show_structure(screen, worn)
    cuffs = worn.summary()["cuffs"]
    rows = [
        (name, one["segment"].replace("_", " "), f"{one['force']:.0f}", f"{one['moment']:.1f}", f"{1e3 * one['migration']:.1f}")
        for name, one in cuffs.items()
    ]  # fmt: skip
    screen.table("cuff", "on", "largest force (N)", "moment (N m)", "migration (mm)", rows=rows, numbers=(2, 3, 4))
    screen.say(f"mass {worn.mass:.2f} kg, {100 * worn.mass / subject.mass:.1f} % of the body's")
    for note in worn.notes:
        screen.say(f"warning: {note}")


def show_structure(screen: CommandOutput, worn: DeviceResult) -> None:
    """Show the effective stiffness about joints, and the strength of flexible parts."""
    from math import radians

    from gaitwright.wear.device_structure import effective_stiffness, flexible_parts

    for one in effective_stiffness(worn):
        if one.stiffness is not None:
            alone = f"; its spring alone has {radians(one.spring):.2f} N m/deg" if one.spring else ""
            screen.say(
                f"{one.joint.replace('_', ' ')}: effective stiffness {radians(one.stiffness):.2f} N m/deg{alone}"
            )
    rows = [
        (one.name, f"{100 * one.strain:.3f}", f"{1e-6 * one.stress:.0f}", f"{one.energy:.2f}", f"{one.fatigue_margin:+.2f}",
         ", ".join(one.assumed) or "-")
        for one in flexible_parts(worn)
    ]  # fmt: skip
    if rows:
        head = ("part", "strain (%)", "stress (MPa)", "energy (J)", "fatigue margin", "assumed")
        screen.table(*head, rows=rows, numbers=(1, 2, 3, 4))


def _format_percent(share: float) -> str:
    return f"{round(100 * share)}" if share == share else "-"
