"""Commands about meshes: mesh."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.options import OWN_FOLDER, Json, Out
from gaitwright.terminal import Screen, speaking

if TYPE_CHECKING:
    from gaitwright.mesh.mesh import Mesh


def mesh(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Mesh or surface: .msh .vtu .inp .stl .obj .ply ...", show_default=False)
    ],
    fill: Annotated[
        str, typer.Option("--fill", metavar="SIZE", help="Fill a closed surface with tetrahedra of this size, as 5mm.")
    ] = "",
    cut: Annotated[
        list[str],
        typer.Option(
            "--cut", metavar="AXIS=FROM..TO",
            help="Keep what lies between, with a cap: z=..80mm, x=0.01..0.2, y=5mm.. ; z=80mm keeps what is below. Repeatable.",
        ),
    ] = [],  # noqa: B006
    holes: Annotated[
        str, typer.Option("--holes", metavar="LENGTH", help="Close holes with rims up to this length, as 20mm.")
    ] = "",
    inner: Annotated[
        list[str],
        typer.Option(
            "--inner", metavar="NAME=FILE", help="Closed surface inside, as bones=bones.stl, that becomes a region. Repeatable."
        ),
    ] = [],  # noqa: B006
    unit: Annotated[str, typer.Option("--unit", help="Unit of the file: m dm cm mm um in ft; guessed without it.")] = "",
    quadratic: Annotated[bool, typer.Option("--quadratic", help="Put a node in the middle of every edge.")] = False,
    up: Annotated[str, typer.Option("--up", help="Axis that points up in the picture: x, y or z.")] = "z",
    out: Out = OWN_FOLDER,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Say what is in a mesh file: unit, size, pieces, holes, regions, quality of cells; cut and fill surfaces; write
    mesh.vtu, mesh.png and summary.json."""
    with speaking(out, as_json) as screen:
        from gaitwright.checks import At
        from gaitwright.mesh.files import read
        from gaitwright.mesh.filling import fill as filled
        from gaitwright.mesh.surfaces import repaired
        from gaitwright.mesh.units import length_of
        from gaitwright.plain import write_json

        At(field="--up").one_of(up, ("x", "y", "z"))
        size = length_of(fill, At(field="--fill")) if fill else None
        rim = length_of(holes, At(field="--holes")) if holes else None
        planes = [plane for text in cut for plane in _planes(text)]
        found = read(file, unit or None)
        if not found.is_surface and (size is not None or planes or rim is not None):
            At(field="--fill").fail(
                f"'{file.name}' is filled already", expected="a surface for --fill, --cut and --holes"
            )
        cores = {name: read(Path(path)) for name, path in map(_named, inner)}
        for name, core in cores.items():
            screen.say(f"{name}: {'; '.join(core.notes)}")
        folder = screen.make_folder()
        if rim is not None:
            found = repaired(found, holes=rim)
        for k, (point, normal) in enumerate(planes):
            from gaitwright.mesh.surfaces import cut as cut_off

            found = cut_off(found, point, normal, "cut" if len(planes) == 1 else f"cut_{k + 1}")
        if size is not None:
            screen.say(f"filling with tetrahedra of about {1e3 * size:g} mm; this may take minutes")
            found = filled(found, size, inner=cores)
        found = found.quadratic() if quadratic else found
        summary = _said(screen, found, file)
        files = {"mesh": found.save(folder / "mesh.vtu"), "picture": folder / "mesh.png"}
        found.plot(
            files["picture"],
            up=up,
            title=f"{file.name}: {len(found.nodes)} nodes, {len(found.cells)} {found.kind.name}",
        )
        files["summary"] = write_json(summary, folder / "summary.json")
        screen.wrote(files)
        screen.finish(summary)


def _named(text: str) -> tuple[str, str]:
    """What --inner gives."""
    from gaitwright.checks import At

    name, equals, path = text.partition("=")
    return (name.strip(), path.strip()) if equals and name.strip() else At(field="--inner").fail(
        "is not a name and a file", text, "for example bones=bones.stl")  # fmt: skip


def _planes(text: str) -> list[tuple[list[float], list[float]]]:
    """Points and normals of the planes of a cut; the normal points to what is kept."""
    from gaitwright.checks import At
    from gaitwright.mesh.units import length_of

    at = At(field="--cut")
    axis, equals, span = text.partition("=")
    if axis.strip() not in ("x", "y", "z") or not equals:
        at.fail("is not a cut", text, "an axis and what is kept, as z=..80mm")
    low, dots, high = span.partition("..")
    if not dots:
        low, high = "", span
    k, found = "xyz".index(axis.strip()), []
    for bound, sign in ((low, 1.0), (high, -1.0)):
        if bound.strip():
            point, normal = [0.0] * 3, [0.0] * 3
            point[k], normal[k] = length_of(bound, at), sign
            found.append((point, normal))
    return found or at.fail("is not a cut", text, "an axis and what is kept, as z=..80mm")


def _said(screen: Screen, mesh: Mesh, file: Path) -> dict[str, Any]:
    """Tell people, and return the same for machines."""
    from gaitwright.mesh.surfaces import surface_report

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
