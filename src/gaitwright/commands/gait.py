"""Commands about people who walk: gait."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.options import OWN_FOLDER, Json, Out
from gaitwright.terminal import Screen, Watch, speaking

if TYPE_CHECKING:
    from gaitwright.foot.foot import Foot
    from gaitwright.gait.analysis import GaitAnalysis
    from gaitwright.gait.subject import Subject
    from gaitwright.model.model import Model

SubjectFile = Annotated[
    Path | None, typer.Option("--subject", metavar="FILE", help="YAML with mass, height, sex.", show_default=False)
]
Mass = Annotated[str | None, typer.Option("--mass", metavar="KG", help="Instead of, or over, --subject: 73 or 73kg.")]
Height = Annotated[str | None, typer.Option("--height", metavar="M", help="Likewise: 1.74 or 174cm.")]
Sex = Annotated[str, typer.Option("--sex", help="female or male; the mean of both without it.")]
FIRST = ("speed", "cadence", "stride_length", "step_length", "step_width", "stance", "double_support")


def gait(
    trial: Annotated[
        Path, typer.Argument(metavar="TRIAL", help="A walk: .c3d .trc, or a table of markers.", show_default=False)
    ],
    forces: Annotated[
        Path | None, typer.Option("--forces", metavar="FILE", help="Forces of plates in their own file.", show_default=False)
    ] = None,
    static: Annotated[
        Path | None, typer.Option("--static", metavar="FILE", help="A trial in which the person stands.", show_default=False)
    ] = None,
    subject: SubjectFile = None,
    mass: Mass = None,
    height: Height = None,
    sex: Sex = "",
    foot: Annotated[
        Path | None, typer.Option("--foot", metavar="FILE", help="foot.yaml of a foot: for pressure.", show_default=False)
    ] = None,
    pressure: Annotated[
        Path | None, typer.Option("--pressure", metavar="FILE", help="A step on a pressure platform, .apd.", show_default=False)
    ] = None,
    tissue: Annotated[
        str, typer.Option("--tissue", help="Of --foot: foundation (quick), condensed, or full: finite elements.")
    ] = "foundation",
    pressure_side: Annotated[
        str, typer.Option("--pressure-side", help="right or left; found from the print without it.")
    ] = "",
    markers: Annotated[
        Path | None,
        typer.Option("--markers", metavar="FILE", help="YAML, landmarks to labels: right_heel: my heel.", show_default=False),
    ] = None,
    sides: Annotated[
        str, typer.Option("--sides", help="Where left and right are crossed: mirrored (done without it), swapped, as-they-are.")
    ] = "",
    method: Annotated[str, typer.Option("--method", help="Of inverse kinematics: joints or segments.")] = "joints",
    cutoff: Annotated[float, typer.Option("--cutoff", metavar="HZ", help="Of the filter of markers and forces alike.")] = 6.0,
    leave_out: Annotated[
        list[str], typer.Option("--leave-out", metavar="PLATE", help="A plate not to be trusted, as 'plate 4'; repeatable.")
    ] = [],  # noqa: B006
    device: Annotated[
        str, typer.Option("--device", metavar="FILE", help="A device that is worn: what it would take off.", show_default=False)
    ] = "",
    out: Out = OWN_FOLDER,
    as_json: Json = False,
) -> None:  # fmt: skip
    """From the files of a motion laboratory to a report: quality, events, cycles, angles, forces, moments and powers; write
    gait.html, summary.json, and curves as CSV, MOT, STO and netCDF."""
    with speaking(out, as_json) as screen:
        from gaitwright.gait.analysis import analyse
        from gaitwright.gait.trial import load

        person = subject_of(subject, mass, height, sex)
        worn_by = None if not device else _device(device, person)
        own = _marker_map(markers)
        walk = load(trial, forces, own)
        standing = None if static is None else load(static, markers=own)
        folder = screen.make_folder()
        with Watch("analysing") as watch:
            found = analyse(
                walk, person, standing, _foot(foot), sides=sides.replace("-", " ") or None, method=method, cutoff=cutoff,
                leave_out=tuple(leave_out), pressure=pressure, pressure_side=pressure_side or None, tissue=tissue,
                progress=lambda what, part: watch.say(what, 0.4 * part),
            )  # fmt: skip
            watch.say("writing", 0.5)
            files = found.save(folder)
            watch.say("report", 0.6)
            files = {**found.report(folder), **files}
        show_gait(screen, found)
        summary = found.summary()
        if worn_by is not None:
            summary["device"] = _put_on(screen, worn_by, found, folder, files)
        screen.wrote(files)
        screen.finish(summary)


def _device(name: str, person: Subject | None) -> Model:
    """Before anything is computed."""
    from gaitwright.checks import At
    from gaitwright.commands.devices import device_of

    if person is None:
        At(field="--device").fail("needs to know who wears it", expected="--mass and --height, or --subject, too")
    return device_of(name, [], [])


def _put_on(screen: Screen, device: Model, found: GaitAnalysis, folder: Path, files: dict[str, Path]) -> dict[str, Any]:
    """The device on the walk; its files are in a folder of their own, `device`."""
    from gaitwright.commands.devices import comfort_of_device, show_comfort, show_device
    from gaitwright.wear.putting_on import put_on

    worn = put_on(device, found)
    comfort, why = comfort_of_device(worn, None, "foundation")
    more = {**worn.report(folder / "device", comfort), **worn.save(folder / "device", comfort)}
    files |= {f"device: {what}": path for what, path in more.items()}
    show_device(screen, worn)
    show_comfort(screen, comfort, why)
    return {**worn.summary(), "comfort": None if comfort is None else comfort.summary()}


def subject_of(file: Path | None, mass: str | None, height: str | None, sex: str) -> Subject | None:
    """From a file, or from options, which win; None if there is neither. mass, height: numbers in kg and m, or with a unit."""
    from dataclasses import replace

    from gaitwright.checks import At
    from gaitwright.gait.subject import Subject, read_quantity

    given: dict[str, Any] = {"sex": sex} if sex else {}
    for name, text, unit in (("mass", mass, "kg"), ("height", height, "m")):
        if text:
            given[name] = read_quantity(At(field=f"--{name}"), text, unit)
    if file is not None:
        return replace(Subject.read(file), **given)
    if not given:
        return None
    for name in ("mass", "height"):
        if name not in given:
            At(field=f"--{name}").fail(
                "is missing", expected=f"--mass and --height, or --subject with both; {', '.join(given)} was given"
            )
    return Subject(**given)


def _foot(file: Path | None) -> Foot | None:
    """The foot in the folder of a foot.yaml, or in a folder."""
    from gaitwright.foot.files import load

    return None if file is None else load(file if file.is_dir() else file.parent)


def _marker_map(file: Path | None) -> dict[str, str] | None:
    if file is None:
        return None
    from gaitwright.checks import At
    from gaitwright.input_files import read_yaml

    at = At(f"marker map '{file.name}'")
    given = read_yaml(file, at.element, "lines such as `right_heel: my heel`")
    if not isinstance(given, dict) or not all(isinstance(label, (str, int, float)) for label in given.values()):
        at.fail("names no markers", expected="lines such as `right_heel: my heel`")
    return {str(landmark): str(label) for landmark, label in given.items()}


def show_gait(screen: Screen, found: GaitAnalysis) -> None:
    """Quality first."""
    for finding in found.findings:
        screen.say(f"{finding.how_bad}: {finding}")
    screen.say(
        *(note for note in found.notes if note.startswith("left and right were crossed")), *found.cycles.incomplete
    )
    rows = [
        (
            name.replace("_", " "),
            shown(row.right.mean),
            shown(row.left.mean),
            shown(row.asymmetry, ".1f"),
            row.unit,
            row.meaning,
        )
        for name, row in found.table.items()
        if name in FIRST
    ]
    if rows:
        screen.table("quantity", "right", "left", "asymmetry %", "unit", "meaning", rows=rows, numbers=(1, 2, 3))
    else:
        screen.say("no complete step was seen: there is no table")
    if found.subject is None:
        screen.say("no angles, moments and powers: they need the person, --mass and --height")


def shown(value: float, form: str = ".4g") -> str:
    return f"{value:{form}}" if value == value else "-"


def is_walk(path: Path) -> bool:
    """A trial, or a folder that `gait` wrote; not a model."""
    return path.is_dir() or path.suffix.lower() in (".c3d", ".trc")


def compare_gait(screen: Screen, paths: list[Path], subject: Subject | None) -> None:
    from gaitwright.checks import At
    from gaitwright.gait.analysis import analyse
    from gaitwright.gait.cycles import SIDES
    from gaitwright.gait.trial import load
    from gaitwright.gait.walks_compared import compare_walks, read_result
    from gaitwright.plain import write_json

    for path in paths:
        if not is_walk(path):
            At(field="compare").fail(
                "is no walk, and walks are not compared with models", str(path), "a trial, or a folder of gait"
            )
    with Watch("analysing") as watch:
        walks = []
        for k, path in enumerate(paths):
            watch.say(path.name, k / (len(paths) + 1))
            walks.append(read_result(path) if path.is_dir() else analyse(load(path), subject))
        found = compare_walks(walks)
        folder = screen.make_folder()
        files = {
            **found.report(folder / "compare.html"),
            "summary": write_json(found.summary(), folder / "summary.json"),
        }
    names = [walk.name for walk in found.walks]
    rows = [
        (row.replace("_", " "), *(shown(walk.value(row, side)) for walk in found.walks for side in SIDES))
        for row in found.rows
    ]
    header = [f"{name}, {side}" for name in names for side in SIDES]
    screen.table("quantity", *header, rows=rows, numbers=tuple(range(1, 1 + len(header))))
    screen.wrote(files)
    screen.finish(found.summary())
