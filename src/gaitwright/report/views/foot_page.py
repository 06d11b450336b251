"""The page about a foot: what was found of it, its measures, its cells, and how it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright.foot.measures import Measures
from gaitwright.report.blocks import Block, Fact, Figures, Heading, Picture, Table, Text
from gaitwright.report.page import Report
from gaitwright.report.views.foot_pictures import draw_pressure, draw_sole, draw_surface

if TYPE_CHECKING:
    from gaitwright.foot.shape import FootShape
    from gaitwright.foot.standing import Standing
    from gaitwright.mesh.mesh import Mesh

MEANT = {
    "length": ("m", "from the end of the heel to the longest toe, along the heel-toe line"),
    "ball_width": ("m", "across the heads of the metatarsals"),
    "heel_width": ("m", "at 16 % of the length"),
    "arch_height": ("m", "of the sole on the medial side, a quarter of the ball's width from the heel-toe line"),
    "arch_index": ("1", "middle third of the footprint without toes; 0.21 to 0.26 is usual, less is a high arch"),
    "sole_area": ("m^2", "of the footprint: what is lower than 2 % of the length"),
    "height": ("m", "of the cut"),
}


def foot_report(
    shape: FootShape, mesh: Mesh, standing: Standing | None, folder: Path, *, title: str = "A foot"
) -> tuple[Report, dict[str, Path]]:
    """The page, and the pictures that were written into the folder for it."""
    files = {"surface": folder / "surface.png", "sole": folder / "sole.png", "mesh picture": folder / "mesh.png"}
    draw_surface(shape, files["surface"])
    draw_sole(shape, files["sole"])
    mesh.plot(files["mesh picture"], title=f"{len(mesh.nodes)} nodes, {len(mesh.cells)} {mesh.kind.name}")
    found, quality = shape.measures, mesh.quality()
    pictures: list[Block] = [
        Picture("The sole", files["sole"], "as it lies on the ground, seen from above; the line is the footprint")
    ]
    tables: list[Block] = [
        Table("Measures", ("quantity", "value", "unit", "meaning"),
              [(name.replace("_", " "), value, *MEANT[name]) for name, value in found.to_dict().items()]),
    ]  # fmt: skip
    if standing is not None:
        files["pressure"] = folder / "pressure.png"
        draw_pressure(shape, standing.pressure, standing.centre_of_pressure, files["pressure"])
        pictures.append(Picture("Pressure under it", files["pressure"], f"standing with {standing.force:.0f} N"))
        tables += [
            Heading("Standing"),
            Text(list(standing.notes)),
            Table("Standing", ("quantity", "value", "unit"), _standing_rows(standing)),
            Table("Load per area", ("area", "part of the force"),
                  [(name.replace("_", " "), share) for name, share in standing.shares.items()]),
        ]  # fmt: skip
    blocks: list[Block] = [
        Figures(_facts(found, standing)),
        *([Text(warned, "warning")] if (warned := [note for note in shape.notes if note.startswith("warning")]) else []),
        Heading("What was found"),
        Text([note for note in shape.notes if not note.startswith("warning")]),
        Picture("The foot in its frame", files["surface"], "x forward, y to the left, z up; the heel-toe line is y = 0"),
        Picture("Its cells", files["mesh picture"], quality.verdict()),
        Heading("The sole"),
        *pictures,
        *tables,
        Heading("Cells"),
        Table("Quality", ("measure", "min", "mean", "max", "unit"),
              [(name, one["min"], one["mean"], one["max"], one["unit"])
               for name, one in quality.summary()["measures"].items()]),
    ]  # fmt: skip
    return Report(title, f"{shape.side} foot, {1e3 * found.length:.0f} mm long", blocks), files


def _facts(found: Measures, standing: Any) -> list[Fact]:
    facts = [
        Fact("length", 1e3 * found.length, "mm"),
        Fact("ball width", 1e3 * found.ball_width, "mm", f"heel {1e3 * found.heel_width:.0f} mm"),
        Fact("arch height", 1e3 * found.arch_height, "mm", f"arch index {found.arch_index:.2f}"),
        Fact("footprint", 1e4 * found.sole_area, "cm²"),
    ]
    if standing is not None:
        facts.append(Fact("peak pressure", 1e-3 * standing.peak_pressure, "kPa", f"at {standing.force:.0f} N"))
    return [fact._replace(value=float(f"{float(fact.value):.3g}")) for fact in facts]


def _standing_rows(standing: Standing) -> list[tuple[str, float, str]]:
    x, y = standing.centre_of_pressure
    return [
        ("force", standing.force, "N"), ("area that touches", standing.area, "m^2"),
        ("peak pressure of a cell", standing.peak_pressure, "Pa"), ("centre of pressure, x", x, "m"),
        ("centre of pressure, y", y, "m"), ("sinking", standing.sinking, "m"),
    ]  # fmt: skip
