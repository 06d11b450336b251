"""Command for feet: foot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.cli.options import COMMAND_OUTPUT_FOLDER, JsonOption, OutputFolderOption
from gaitwright.cli.terminal import CommandOutput, ProgressMonitor, command_output

if TYPE_CHECKING:
    from gaitwright.foot.shape import FootShape
    from gaitwright.foot.soft_layers import Insole


STANDING_FOOT_SHARE = 0.5
"""Share of the body weight that one foot carries in standing."""


def foot(
    scan: Annotated[
        Path | None,
        typer.Argument(
            metavar="SCAN", help="Surface scan of a foot: .stl .obj .ply; default: a generated foot.", show_default=False
        ),
    ] = None,
    size: Annotated[str, typer.Option("--element-size", metavar="LENGTH", help="Element size, such as 5mm.")] = "7.5mm",
    cut: Annotated[str, typer.Option("--cut-height", metavar="LENGTH",
        help="Height above the ground at which the foot is cut off.")] = "",
    side: Annotated[str, typer.Option("--side", help="left or right; default: detected from the scan.")] = "",
    unit: Annotated[str, typer.Option("--unit", help="Unit of the scan: m dm cm mm in; default: detected.")] = "",
    holes: Annotated[
        str, typer.Option("--close-holes", metavar="LENGTH", help="Close holes of a scan with rims up to this length.")
    ] = "60mm",
    up: Annotated[str, typer.Option("--up", help="Axis of the file that points up, such as +z; default: detected.")] = "",
    forward: Annotated[str, typer.Option("--forward",
        help="Axis of the file from heel to toe, such as -y; default: detected.")] = "",
    length: Annotated[str, typer.Option("--length", help="Length of a generated foot, such as 26cm.")] = "",
    ball_width: Annotated[str, typer.Option("--ball-width", help="Ball width of a generated foot, such as 10cm.")] = "",
    heel_width: Annotated[str, typer.Option("--heel-width", help="Heel width of a generated foot, such as 65mm.")] = "",
    arch_height: Annotated[str, typer.Option("--arch-height", help="Arch height of a generated foot, such as 18mm.")] = "",
    clamp: Annotated[str, typer.Option("--clamp", metavar="HEIGHT",
        help="Clamp all above a height, such as 45mm, or the 'cut', as in paper 004, in place of bones with hinges; the "
            "ankle then moves straight down.")] = "",
    bones: Annotated[
        Path | None, typer.Option("--bones", metavar="FILE",
            help="Closed surface of the bones, in the coordinates of the scan.", show_default=False)
    ] = None,
    bones_unit: Annotated[str, typer.Option("--bones-unit", help="Unit of --bones; default: that of the scan.")] = "",
    insole: Annotated[
        list[str], typer.Option("--insole", metavar="THICKNESS:MODULUS",
            help="Layer worn below the sole, such as 5mm:0.3MPa; repeatable, from the skin to the ground.")
    ] = [],  # noqa: B006
    tissue: Annotated[
        str, typer.Option("--tissue", help="Tissue model in standing: full (finite elements), condensed, or foundation (fast).")
    ] = "full",
    load: Annotated[float, typer.Option("--load", metavar="N", help="Load on the standing foot, N.")] = 622.0,
    mass: Annotated[
        float | None, typer.Option("--mass", metavar="KG",
            help="Body mass: one foot carries half of the weight; replaces --load.")
    ] = None,
    calibrate: Annotated[
        str,
        typer.Option(
            "--calibrate", metavar="TEST",
                help="Calibrate the tissue: force@depth, such as 622@8.8mm, or an .apd pressure file of standing "
                     "under --load."
        ),
    ] = "",
    parameters: Annotated[str, typer.Option("--calibrated",
        help="Parameters to calibrate, such as tissue,midtarsal.")] = "tissue",
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Make a foot model from a scan, or generate one: detect unit, axes and side, close and cut the surface, mesh it,
    measure the foot and let it stand; write foot.yaml (a model for `gaitwright run`), foot.html and summary.json."""
    given = {"length": length, "ball_width": ball_width, "heel_width": heel_width, "arch_height": arch_height}
    options = {"side": side, "unit": unit, "up": up, "forward": forward, "cut": cut, "holes": holes}
    with command_output(out, as_json) as screen:
        from gaitwright._core.error_context import ErrorContext
        from gaitwright._core.json_types import write_json
        from gaitwright.foot.foot import FIDELITY_BUILDERS, Foot
        from gaitwright.foot.rolling import GRAVITY_M_S2
        from gaitwright.mesh.length_units import parse_length
        from gaitwright.report.views.pages.foot_page import foot_report

        ErrorContext(field="--load").positive(load, "N")
        if mass is not None:
            load = STANDING_FOOT_SHARE * GRAVITY_M_S2 * ErrorContext(field="--mass").positive(mass, "kg")
            screen.say(f"one foot carries {100 * STANDING_FOOT_SHARE:.0f} % of {mass:g} kg: {load:.0f} N")
        ErrorContext(field="--tissue").one_of(tissue, FIDELITY_BUILDERS, "is no tissue model")
        layers = [_parse_insole(text) for text in insole]
        if clamp and bones is not None:
            ErrorContext(field="--clamp").fail("excludes --bones", clamp, "one of them")
        tests = _read_calibration_tests(calibrate, load)
        cells = parse_length(size, ErrorContext(field="--element-size"))
        shape = _make_foot_shape(scan, options, {name: text for name, text in given.items() if text})
        folder = screen.make_folder()
        _show_measures(screen, shape)
        with ProgressMonitor("filling") as watch:
            mesh = shape.fill(cells)
            inside = _make_rigid_parts(shape, clamp, bones, bones_unit or options["unit"])
            made, calibrated = Foot(shape, mesh, **inside).wearing(*layers), None
            standing_options: dict[str, Any] = {"speed": tissue, "ankle": "held" if clamp else "free"}
            if tests:
                watch.say("calibrating", 0.2)
                calibrated = made.calibrate([name.strip() for name in parameters.split(",")], **tests)
                made = calibrated.foot
            watch.say("standing", 0.3)
            standing = made.stand(load, **standing_options)
            watch.say("report", 0.9)
            made.save(folder, standing=standing)
            title = scan.name if scan is not None else "A drawn foot"
            report, files = foot_report(shape, mesh, standing, folder, title=title, calibrated=calibrated)
            files = {**report.save(folder / "foot.html"), "model": folder / "foot.yaml", **files}
        screen.say(*([] if calibrated is None else str(calibrated).splitlines()))
        screen.say(*(note for note in standing.notes if note.startswith("warning")))
        screen.say(
            f"stands on {1e4 * standing.area:.1f} cm^2 with {1e-3 * standing.peak_pressure:.0f} kPa at most under {load:g} N"
        )
        summary: dict[str, Any] = {
            "scan": None if scan is None else str(scan), "side": shape.side, "measures": shape.measures.to_dict(),
            "mesh": {"nodes": len(mesh.nodes), "cells": len(mesh.cells), "kind": mesh.kind.name, "size": cells,
                     "volume": mesh.volume, "worst_shape": float(mesh.quality().shape.min()), "origin": mesh.origin},
            "standing": standing.to_dict(), "calibration": None if calibrated is None else calibrated.to_dict(),
            "found": dict(shape.origin), "notes": list(made.notes),
        }  # fmt: skip
        files["summary"] = write_json(summary, folder / "summary.json")
        screen.wrote(files)
        screen.finish(summary)


def _make_rigid_parts(shape: FootShape, clamp: str, bones: Path | None, unit: str) -> dict[str, Any]:
    """Rigid parts from the options, as arguments of Foot; empty for the default cores."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.foot.rigid_parts import Clamp, Cores
    from gaitwright.foot.scans import to_foot_frame
    from gaitwright.mesh.files import read
    from gaitwright.mesh.length_units import parse_length

    if clamp:
        above = None if clamp == "cut" else parse_length(clamp, ErrorContext(field="--clamp"))
        return {"inside": Clamp(above)}
    if bones is None:
        return {}
    if "transform" not in shape.origin:
        ErrorContext(field="--bones").fail("belong to a scan, and there is none", str(bones), "a scan before them")
    surface = read(bones, unit or str(shape.origin["unit"]))
    return {"inside": Cores(to_foot_frame(surface, shape))}


def _parse_insole(text: str) -> Insole:
    """Parse THICKNESS:MODULUS, such as 5mm:0.3MPa."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.foot.soft_layers import Insole
    from gaitwright.mesh.length_units import parse_length

    at = ErrorContext(field="--insole")
    thickness, _, modulus = text.partition(":")
    match = re.fullmatch(r"([0-9.eE+-]+)\s*(Pa|kPa|MPa)", modulus.strip())
    if match is None:
        at.fail("has no modulus with its unit", text, "a thickness and a modulus, as 5mm:0.3MPa")
    factor = {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6}[match[2]]
    return Insole(parse_length(thickness, at), factor * at.positive(float(match[1]), match[2]))


def _read_calibration_tests(told: str, load: float) -> dict[str, Any]:
    """Parse the calibration test: a push, `FORCE@DEPTH`, or a file of measured pressure."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.mesh.length_units import parse_length

    at = ErrorContext(field="--calibrate")
    if not told:
        return {}
    force, among, depth = told.partition("@")
    if not among:
        from gaitwright.foot.calibration_tests import StandingTest
        from gaitwright.foot.pressure_files import read_picture

        if not Path(told).is_file():
            at.fail("is neither a push nor a file", told, "a force at a depth, as 622@8.8mm, or an .apd file")
        return {"stood": StandingTest(load, pressure=read_picture(told))}
    try:
        newtons = float(force.strip().removesuffix("N"))
    except ValueError:
        at.fail("has no force", told, "newtons before the @, as 622@8.8mm")
    return {"pressed": [(parse_length(depth, at), newtons)]}


def _make_foot_shape(scan: Path | None, options: dict[str, str], drawn: dict[str, str]) -> FootShape:
    """Create the shape from a scan, or from measures. Options that belong to the other case raise a ModelError."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.foot.parametric_shape import from_measures
    from gaitwright.foot.scans import CUT_HEIGHT_M, from_scan
    from gaitwright.mesh.length_units import parse_length

    cut = parse_length(options["cut"], ErrorContext(field="--cut-height")) if options["cut"] else None
    if scan is None:
        for name in ("unit", "up", "forward"):
            if options[name]:
                ErrorContext(field=f"--{name}").fail(
                    "applies to scans only", options[name], "a scan before it, or no such option"
                )
        lengths: Any = {
            name: parse_length(text, ErrorContext(field=f"--{name.replace('_', '-')}")) for name, text in drawn.items()
        }
        return from_measures(**lengths, height=cut, side=options["side"] or "right")
    for name in drawn:
        ErrorContext(field=f"--{name.replace('_', '-')}").fail(
            "applies to generated feet only, not to scans", drawn[name], "no scan, or no such option"
        )
    axes = {name: options[name] for name in ("up", "forward") if options[name]}
    return from_scan(
        scan, options["unit"] or None, options["side"] or None, CUT_HEIGHT_M if cut is None else cut,
        parse_length(options["holes"], ErrorContext(field="--close-holes")), axes,
    )  # fmt: skip


def _show_measures(screen: CommandOutput, shape: FootShape) -> None:
    from gaitwright.foot.measures import FOOT_MEASURES

    screen.say(*shape.notes)
    measures = shape.measures.to_dict()
    rows = [
        (name.replace("_", " "), f"{value:.4g}", *FOOT_MEASURES.descriptions[name]) for name, value in measures.items()
    ]
    screen.table("measure", "value", "unit", "meaning", rows=rows, numbers=(1,))
