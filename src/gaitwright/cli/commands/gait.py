"""Command for walking people: gait."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.cli.options import (
    ForcesFileOption,
    ModelFileOptions,
    OutputOptions,
    PersonOptions,
    StaticFileOption,
    with_option_groups,
)
from gaitwright.cli.terminal import CommandOutput, ProgressMonitor, command_output

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.gait.subject import Subject
    from gaitwright.model.model import Model


@with_option_groups
def gait(
    trial: Annotated[
        Path, typer.Argument(metavar="TRIAL", help="Trial of a walk: .c3d .trc, or a table of markers.", show_default=False)
    ],
    forces: ForcesFileOption = None,
    static: StaticFileOption = None,
    foot: Annotated[
        Path | None, typer.Option("--foot", metavar="FILE",
            help="foot.yaml of a foot model, for pressures.", show_default=False)
    ] = None,
    pressure: Annotated[
        Path | None, typer.Option("--pressure", metavar="FILE",
            help="File of a step on a pressure platform, .apd.", show_default=False)
    ] = None,
    tissue: Annotated[
        str, typer.Option("--tissue", help="Tissue model of --foot: foundation (fast), condensed, or full (finite elements).")
    ] = "foundation",
    loading: Annotated[
        str, typer.Option("--loading", help="Load of --foot: kinematic (markers alone), balanced (plates), predicted "
            "(dynamics of the body); default: balanced with plates, otherwise predicted.")
    ] = "",
    pressure_side: Annotated[
        str, typer.Option("--pressure-side", help="right or left; default: detected from the footprint.")
    ] = "",
    markers: Annotated[
        Path | None,
        typer.Option("--markers", metavar="FILE",
            help="YAML file of marker labels by landmark, such as right_heel: my heel.", show_default=False),
    ] = None,
    sides: Annotated[
        str, typer.Option("--marker-sides",
            help="Correction of crossed left and right markers: mirrored (default), swapped, as-they-are.")
    ] = "",
    kinematics: Annotated[
        str, typer.Option("--kinematics", help="Method of inverse kinematics: joints or segments.")
    ] = "joints",
    cutoff: Annotated[float | None, typer.Option("--cutoff", metavar="HZ", show_default=False,
        help="Cutoff frequency of the filter, for markers and forces; default: 6 for a walk, 12 for a run.")] = None,
    leave_out: Annotated[
        list[str], typer.Option("--leave-out", metavar="PLATE", help="Force plate to ignore, such as 'plate 4'; repeatable.")
    ] = [],  # noqa: B006
    device: Annotated[
        str, typer.Option("--device", metavar="FILE",
            help="Worn device: compute its relief of the joints in this walk.", show_default=False)
    ] = "",
    *,
    wearer: PersonOptions,
    output: OutputOptions,
) -> None:  # fmt: skip
    """Analyse the files of a motion laboratory and write a report: quality, events, cycles, angles, forces, moments and
    powers; write gait.html, summary.json, and curves as CSV, MOT, STO and netCDF."""
    with command_output(output.out, output.as_json) as screen:
        from gaitwright.gait.analysis import analyse
        from gaitwright.gait.trial import load, split_marker_map

        person = read_subject(wearer)
        worn_by = None if not device else _load_worn_device(device, person)
        own, own_static = split_marker_map(_load_marker_map(markers), trial, static)
        walk = load(trial, forces, own)
        standing = None if static is None else load(static, markers=own_static)
        folder = screen.make_folder()
        with ProgressMonitor("analysing") as watch:
            analysis = analyse(
                walk, person, standing, _load_foot(foot), sides=sides.replace("-", " ") or None, method=kinematics,
                cutoff=cutoff, leave_out=tuple(leave_out), pressure=pressure, pressure_side=pressure_side or None,
                tissue=tissue, loading=loading or None,
                progress=lambda what, part: watch.say(what, 0.4 * part),
            )  # fmt: skip
            watch.say("writing", 0.5)
            files = analysis.save(folder)
            watch.say("report", 0.6)
            files = {**analysis.report(folder), **files}
        show_gait(screen, analysis)
        summary = analysis.summary()
        if worn_by is not None:
            summary["device"] = _analyse_worn_device(screen, worn_by, analysis, folder, files)
        screen.wrote(files)
        screen.finish(summary)


def _load_worn_device(name: str, person: Subject | None) -> Model:
    """Read the device and check that the person is known, before any analysis."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.cli.commands.devices import load_device

    if person is None:
        ErrorContext(field="--device").fail(
            "needs the mass and height of the wearer", expected="--mass and --height, or --subject, too"
        )
    return load_device(name, ModelFileOptions())


def _analyse_worn_device(
    screen: CommandOutput, device: Model, found: GaitAnalysis, folder: Path, files: dict[str, Path]
) -> dict[str, Any]:
    """Analyse the device in the walk; write its files to the subfolder `device`."""
    from gaitwright.cli.commands.devices import assess_comfort, show_comfort, show_device
    from gaitwright.wear.device_simulation import put_on

    worn = put_on(device, found)
    comfort, why = assess_comfort(worn, None, "foundation")
    more = {**worn.report(folder / "device", comfort), **worn.save(folder / "device", comfort)}
    files |= {f"device: {what}": path for what, path in more.items()}
    show_device(screen, worn)
    show_comfort(screen, comfort, why)
    return {**worn.summary(), "comfort": None if comfort is None else comfort.summary()}


def read_subject(person: PersonOptions) -> Subject | None:
    """Subject from the file and the other options, which override the file; None without both."""
    from dataclasses import replace

    from gaitwright._core.error_context import ErrorContext
    from gaitwright.gait.subject import Subject, read_quantity

    given: dict[str, Any] = {"sex": person.sex} if person.sex else {}
    for name, text, unit in (("mass", person.mass, "kg"), ("height", person.height, "m")):
        if text:
            given[name] = read_quantity(ErrorContext(field=f"--{name}"), text, unit)
    if person.subject is not None:
        return replace(Subject.read(person.subject), **given)
    if not given:
        return None
    for name in ("mass", "height"):
        if name not in given:
            ErrorContext(field=f"--{name}").fail(
                "is missing", expected=f"--mass and --height, or --subject with both; {', '.join(given)} was given"
            )
    return Subject(**given)


def _load_foot(file: Path | None) -> Foot | None:
    """Read the foot in the folder of a foot.yaml, or in a folder."""
    from gaitwright.foot.files import load

    return None if file is None else load(file if file.is_dir() else file.parent)


def _load_marker_map(file: Path | None) -> dict[str, str] | None:
    if file is None:
        return None
    from gaitwright._core.error_context import ErrorContext
    from gaitwright._core.input_files import read_yaml

    at = ErrorContext(f"marker map '{file.name}'")
    given = read_yaml(file, at.element, "lines such as `right_heel: my heel`")
    if not isinstance(given, dict) or not all(isinstance(label, (str, int, float)) for label in given.values()):
        at.fail("names no markers", expected="lines such as `right_heel: my heel`")
    return {str(landmark): str(label) for landmark, label in given.items()}


def show_gait(screen: CommandOutput, found: GaitAnalysis) -> None:
    """Show the findings about the quality of the data, then the key numbers."""
    from gaitwright.gait.spatiotemporal_table import SPATIOTEMPORAL_MEASURES

    screen.say(f"quality: {found.verdict}")
    for finding in found.findings:
        screen.say(f"{finding.how_bad}: {finding}")
    screen.say(
        *(note for note in found.notes if note.startswith("left and right were crossed")), *found.cycles.incomplete
    )
    rows = [
        (
            name.replace("_", " "),
            format_number(row.right.mean),
            format_number(row.left.mean),
            format_number(row.asymmetry, ".1f"),
            row.unit,
            row.meaning,
        )
        for name, row in found.table.items()
        if SPATIOTEMPORAL_MEASURES[name].key
    ]
    if rows:
        screen.table("quantity", "right", "left", "asymmetry %", "unit", "meaning", rows=rows, numbers=(1, 2, 3))
    else:
        screen.say("there is no table: the trial has no complete step")
    if found.subject is None:
        screen.say("no angles, moments and powers: they need the person, --mass and --height")


def format_number(value: float, form: str = ".4g") -> str:
    return f"{value:{form}}" if value == value else "-"


def is_walk(path: Path) -> bool:
    """True for a trial, or for a folder that `gait` wrote; False for a model."""
    return path.is_dir() or path.suffix.lower() in (".c3d", ".trc")


def compare_gait(screen: CommandOutput, paths: list[Path], subject: Subject | None) -> None:
    from gaitwright._core.error_context import ErrorContext
    from gaitwright._core.json_types import write_json
    from gaitwright.gait.analysis import analyse
    from gaitwright.gait.cycles import SIDES
    from gaitwright.gait.trial import load
    from gaitwright.gait.walk_comparison import compare_walks, read_result

    for path in paths:
        if not is_walk(path):
            ErrorContext(field="compare").fail(
                "is no walk, and walks are not compared with models", str(path), "a trial, or a folder of gait"
            )
    with ProgressMonitor("analysing") as watch:
        walks = []
        for k, path in enumerate(paths):
            watch.say(path.name, k / (len(paths) + 1))
            walks.append(read_result(path) if path.is_dir() else analyse(load(path), subject))
        comparison = compare_walks(walks)
        folder = screen.make_folder()
        files = {
            **comparison.report(folder / "compare.html"),
            "summary": write_json(comparison.summary(), folder / "summary.json"),
        }
    names = [walk.name for walk in comparison.walks]
    rows = [
        (row.replace("_", " "), *(format_number(walk.value(row, side)) for walk in comparison.walks for side in SIDES))
        for row in comparison.rows
    ]
    header = [f"{name}, {side}" for name in names for side in SIDES]
    screen.table("quantity", *header, rows=rows, numbers=tuple(range(1, 1 + len(header))))
    screen.wrote(files)
    screen.finish(comparison.summary())
