"""Command for meshes: mesh."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.cli.options import COMMAND_OUTPUT_FOLDER, JsonOption, OutputFolderOption
from gaitwright.cli.terminal import CommandOutput, command_output

if TYPE_CHECKING:
    from gaitwright.mesh.mesh import Mesh


def mesh(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Mesh or surface: .msh .vtu .inp .stl .obj .ply ...", show_default=False)
    ],
    fill: Annotated[
        str, typer.Option("--fill", metavar="SIZE", help="Fill a closed surface with tetrahedra of this size, such as 5mm.")
    ] = "",
    cut: Annotated[
        list[str],
        typer.Option(
            "--cut", metavar="AXIS=FROM..TO",
            help="Keep the part between two planes and close the cuts: z=..80mm, x=0.01..0.2, y=5mm.. ; z=80mm keeps "
                 "the part below. Repeatable.",
        ),
    ] = [],  # noqa: B006
    holes: Annotated[
        str, typer.Option("--close-holes", metavar="LENGTH", help="Close holes with rims up to this length, such as 20mm.")
    ] = "",
    inner: Annotated[
        list[str],
        typer.Option(
            "--inner", metavar="NAME=FILE",
                help="Closed inner surface that becomes a region, such as bones=bones.stl. Repeatable."
        ),
    ] = [],  # noqa: B006
    unit: Annotated[str, typer.Option("--unit", help="Unit of the file: m dm cm mm um in ft; default: guessed.")] = "",
    quadratic: Annotated[bool, typer.Option("--quadratic",
        help="Use quadratic elements (a node in the middle of every edge).")] = False,
    up: Annotated[str, typer.Option("--up", help="Axis that points up in the picture: x, y or z.")] = "z",
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Report the content of a mesh file: unit, size, pieces, holes, regions, quality of cells; cut and fill surfaces; write
    mesh.vtu, mesh.png and summary.json."""
    with command_output(out, as_json) as screen:
        from gaitwright._core.error_context import ErrorContext
        from gaitwright._core.json_types import write_json
        from gaitwright.mesh.files import read
        from gaitwright.mesh.filling import fill as filled
        from gaitwright.mesh.length_units import parse_length
        from gaitwright.mesh.surface_repair import repaired

        ErrorContext(field="--up").one_of(up, ("x", "y", "z"))
        size = parse_length(fill, ErrorContext(field="--fill")) if fill else None
        rim = parse_length(holes, ErrorContext(field="--close-holes")) if holes else None
        planes = [plane for text in cut for plane in _read_cut_planes(text)]
        result = read(file, unit or None)
        if not result.is_surface and (size is not None or planes or rim is not None):
            ErrorContext(field="--fill").fail(
                f"'{file.name}' is filled already", expected="a surface for --fill, --cut and --close-holes"
            )
        cores = {name: read(Path(path)) for name, path in map(_read_inner_surface, inner)}
        for name, core in cores.items():
            screen.say(f"{name}: {'; '.join(core.notes)}")
        folder = screen.make_folder()
        if rim is not None:
            result = repaired(result, holes=rim)
        for k, (point, normal) in enumerate(planes):
            from gaitwright.mesh.surface_repair import cut as cut_off

            result = cut_off(result, point, normal, "cut" if len(planes) == 1 else f"cut_{k + 1}")
        if size is not None:
            screen.say(f"filling with tetrahedra of about {1e3 * size:g} mm; this may take minutes")
            result = filled(result, size, inner=cores)
        result = result.quadratic() if quadratic else result
        summary = _show_mesh(screen, result, file)
        files = {"mesh": result.save(folder / "mesh.vtu"), "picture": folder / "mesh.png"}
        result.plot(
            files["picture"],
            up=up,
            title=f"{file.name}: {len(result.nodes)} nodes, {len(result.cells)} {result.kind.name}",
        )
        files["summary"] = write_json(summary, folder / "summary.json")
        screen.wrote(files)
        screen.finish(summary)


def _read_inner_surface(text: str) -> tuple[str, str]:
    """Parse the option --inner: name and path."""
    from gaitwright._core.error_context import ErrorContext

    name, equals, path = text.partition("=")
    return (name.strip(), path.strip()) if equals and name.strip() else ErrorContext(field="--inner").fail(
        "is not a name and a file", text, "for example bones=bones.stl")  # fmt: skip


def _read_cut_planes(text: str) -> list[tuple[list[float], list[float]]]:
    """Points and normals of the planes of a cut; the normals point to the kept side."""
    from gaitwright._core.error_context import ErrorContext
    from gaitwright.mesh.length_units import parse_length

    at = ErrorContext(field="--cut")
    axis, equals, span = text.partition("=")
    if axis.strip() not in ("x", "y", "z") or not equals:
        at.fail("is not a cut", text, "an axis and what is kept, as z=..80mm")
    low, dots, high = span.partition("..")
    if not dots:
        low, high = "", span
    k, planes = "xyz".index(axis.strip()), []
    for bound, sign in ((low, 1.0), (high, -1.0)):
        if bound.strip():
            point, normal = [0.0] * 3, [0.0] * 3
            point[k], normal[k] = parse_length(bound, at), sign
            planes.append((point, normal))
    return planes or at.fail("is not a cut", text, "an axis and what is kept, as z=..80mm")


def _show_mesh(screen: CommandOutput, mesh: Mesh, file: Path) -> dict[str, Any]:
    """Show the content of a mesh, and return it as data for summary.json."""
    from gaitwright.mesh.surface_repair import surface_report

    low, high = mesh.bounds
    sides = [float(x) for x in high - low]
    what = "a surface of " if mesh.is_surface else "the plane, " if mesh.dimension == 2 else ""
    size = "area" if mesh.kind.dimension == 2 else "volume"
    unit = "m^2" if mesh.kind.dimension == 2 else "m^3"
    screen.say(
        f"{file.name}: {what}{len(mesh.cells)} {mesh.kind.name}, {len(mesh.nodes)} nodes",
        f"size: {' x '.join(f'{1e3 * side:.4g}' for side in sides)} mm, {size} {mesh.volume:.4g} {unit}",
        *mesh.notes,
    )
    summary: dict[str, Any] = {
        "file": str(file), "kind": mesh.kind.name, "surface": mesh.is_surface, "nodes": len(mesh.nodes),
        "cells": len(mesh.cells), "low": low, "high": high, size: mesh.volume, "pieces": mesh.piece_count,
        "origin": mesh.origin, "notes": mesh.notes,
    }  # fmt: skip
    if mesh.is_surface:
        report = surface_report(mesh)
        screen.say(*report.sentences())
        summary["closed"] = report.closed
        summary["defects"] = report._asdict()
    if mesh.regions:
        rows = [(name, len(region.nodes), len(region.cells)) for name, region in mesh.regions.items()]
        screen.table("region", "nodes", "cells", rows=rows, numbers=(1, 2))
        summary["regions"] = {name: {"nodes": nodes, "cells": cells} for name, nodes, cells in rows}
    quality = mesh.quality()
    summary["quality"] = quality.summary()
    screen.say(str(quality))
    return summary
