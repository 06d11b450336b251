"""Commands about feet: foot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.options import OWN_FOLDER, Json, Out
from gaitwright.terminal import Screen, Watch, speaking

if TYPE_CHECKING:
    from gaitwright.foot.shape import FootShape


def foot(
    scan: Annotated[
        Path | None,
        typer.Argument(
            metavar="[SCAN]", help="Surface of a foot: .stl .obj .ply; without it, one is drawn.", show_default=False
        ),
    ] = None,
    size: Annotated[str, typer.Option("--size", metavar="LENGTH", help="Size of the cells, as 5mm.")] = "7.5mm",
    cut: Annotated[str, typer.Option("--cut", metavar="LENGTH", help="Height above the ground at which it is cut off.")] = "",
    side: Annotated[str, typer.Option("--side", help="left or right; found from a scan without it.")] = "",
    unit: Annotated[str, typer.Option("--unit", help="Unit of the scan: m dm cm mm in; found without it.")] = "",
    holes: Annotated[
        str, typer.Option("--holes", metavar="LENGTH", help="Close holes of a scan with rims up to this length.")
    ] = "60mm",
    up: Annotated[str, typer.Option("--up", help="Axis of the file that points up, as +z; found without it.")] = "",
    forward: Annotated[str, typer.Option("--forward", help="Axis of the file from heel to toe, as -y; found without it.")] = "",
    length: Annotated[str, typer.Option("--length", help="Of a foot to draw, as 26cm.")] = "",
    ball_width: Annotated[str, typer.Option("--ball-width", help="Of a foot to draw, as 10cm.")] = "",
    heel_width: Annotated[str, typer.Option("--heel-width", help="Of a foot to draw, as 65mm.")] = "",
    arch_height: Annotated[str, typer.Option("--arch-height", help="Of a foot to draw, as 18mm.")] = "",
    load: Annotated[float, typer.Option("--load", metavar="N", help="Force under which it stands.")] = 622.0,
    calibrate: Annotated[
        str,
        typer.Option(
            "--calibrate", metavar="TEST", help="Find its tissue: a push, 622@8.8mm, or an .apd file of standing under --load."
        ),
    ] = "",
    parameters: Annotated[str, typer.Option("--parameters", help="What is found, as tissue,midtarsal.")] = "tissue",
    out: Out = OWN_FOLDER,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Make a foot of a scan, or draw one: find its unit, axes and side, close and cut it, fill it with cells, measure it, and
    let it stand; write foot.yaml, a model that `gaitwright run` runs, foot.html and summary.json."""
    given = {"length": length, "ball_width": ball_width, "heel_width": heel_width, "arch_height": arch_height}
    options = {"side": side, "unit": unit, "up": up, "forward": forward, "cut": cut, "holes": holes}
    with speaking(out, as_json) as screen:
        from gaitwright.checks import At
        from gaitwright.foot.foot import Foot
        from gaitwright.mesh.units import length_of
        from gaitwright.plain import write_json
        from gaitwright.report.views.foot_page import foot_report

        At(field="--load").positive(load, "N")
        tests = _tests(calibrate, load)
        cells = length_of(size, At(field="--size"))
        shape = _shape(scan, options, {name: text for name, text in given.items() if text})
        folder = screen.make_folder()
        _say(screen, shape)
        with Watch("filling") as watch:
            mesh = shape.fill(cells)
            made, calibrated = Foot(shape, mesh), None
            if tests:
                watch.say("calibrating", 0.2)
                calibrated = made.calibrate([name.strip() for name in parameters.split(",")], **tests)
                made = calibrated.foot
            watch.say("standing", 0.3)
            standing = made.stand(load)
            watch.say("report", 0.9)
            made.save(folder, load)
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


def _tests(told: str, load: float) -> dict[str, Any]:
    """What a foot is calibrated by: a push, `FORCE@DEPTH`, or a picture of pressure."""
    from gaitwright.checks import At
    from gaitwright.mesh.units import length_of

    at = At(field="--calibrate")
    if not told:
        return {}
    force, among, depth = told.partition("@")
    if not among:
        from gaitwright.foot.measured import Stood
        from gaitwright.foot.pressure_files import read_picture

        if not Path(told).is_file():
            at.fail("is neither a push nor a file", told, "a force at a depth, as 622@8.8mm, or an .apd file")
        return {"stood": Stood(load, pressure=read_picture(told))}
    try:
        newtons = float(force.strip().removesuffix("N"))
    except ValueError:
        at.fail("has no force", told, "newtons before the @, as 622@8.8mm")
    return {"pressed": [(length_of(depth, at), newtons)]}


def _shape(scan: Path | None, options: dict[str, str], drawn: dict[str, str]) -> FootShape:
    """From a scan, or drawn; what is told of the other is refused."""
    from gaitwright.checks import At
    from gaitwright.foot.drawn import from_measures
    from gaitwright.foot.scans import CUT, from_scan
    from gaitwright.mesh.units import length_of

    cut = length_of(options["cut"], At(field="--cut")) if options["cut"] else None
    if scan is None:
        for name in ("unit", "up", "forward"):
            if options[name]:
                At(field=f"--{name}").fail("is of a scan", options[name], "a scan before it, or no such option")
        lengths: Any = {name: length_of(text, At(field=f"--{name.replace('_', '-')}")) for name, text in drawn.items()}
        return from_measures(**lengths, height=cut, side=options["side"] or "right")
    for name in drawn:
        At(field=f"--{name.replace('_', '-')}").fail(
            "is of a foot that is drawn, and a scan has its own", drawn[name], "no scan, or no such option"
        )
    axes = {name: options[name] for name in ("up", "forward") if options[name]}
    return from_scan(
        scan, options["unit"] or None, options["side"] or None, CUT if cut is None else cut,
        length_of(options["holes"], At(field="--holes")), axes,
    )  # fmt: skip


def _say(screen: Screen, shape: FootShape) -> None:
    from gaitwright.report.views.foot_page import MEANT

    screen.say(*shape.notes)
    found = shape.measures.to_dict()
    rows = [(name.replace("_", " "), f"{value:.4g}", *MEANT[name]) for name, value in found.items()]
    screen.table("measure", "value", "unit", "meaning", rows=rows, numbers=(1,))
