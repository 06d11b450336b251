"""Page about a foot: detected properties, measures, mesh, and standing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright.foot.measures import FOOT_MEASURES, FootMeasures
from gaitwright.report.blocks import Fact, Figures, Heading, Picture, ReportBlock, Table, Text
from gaitwright.report.page import Report
from gaitwright.report.views.foot_plots import draw_pressure, draw_sole, draw_surface

if TYPE_CHECKING:
    from gaitwright.foot.calibration import FootCalibration
    from gaitwright.foot.shape import FootShape
    from gaitwright.foot.standing import StandingResult
    from gaitwright.mesh.mesh import Mesh


def foot_report(
    shape: FootShape,
    mesh: Mesh,
    standing: StandingResult | None,
    folder: Path,
    *,
    title: str = "A foot",
    calibrated: FootCalibration | None = None,
) -> tuple[Report, dict[str, Path]]:
    """Create the page; return it with the pictures that were written into the folder."""
    files = {"surface": folder / "surface.png", "sole": folder / "sole.png", "mesh picture": folder / "mesh.png"}
    draw_surface(shape, files["surface"])
    draw_sole(shape, files["sole"])
    mesh.plot(files["mesh picture"], title=f"{len(mesh.nodes)} nodes, {len(mesh.cells)} {mesh.kind.name}")
    measures, quality = shape.measures, mesh.quality()
    pictures: list[ReportBlock] = [
        Picture("The sole", files["sole"], "as it lies on the ground, seen from above; the line is the footprint")
    ]
    tables: list[ReportBlock] = [
        measure_table(measures),
    ]
    if standing is not None:
        files["pressure"] = folder / "pressure.png"
        draw_pressure(shape, standing.pressure, standing.centre_of_pressure, files["pressure"])
        pictures.append(Picture("Pressure under it", files["pressure"], f"standing with {standing.force:.0f} N"))
        tables += [
            Heading("Standing"),
            Text([note for note in standing.notes if not note.startswith("warning")]),
            Table("Standing", ("quantity", "value", "unit"), _standing_rows(standing)),
            Table("Load per area", ("area", "part of the force"),
                  [(name.replace("_", " "), f"{100.0 * share:.1f} %") for name, share in standing.shares.items()]),
        ]  # fmt: skip
    if calibrated is not None:
        tables += _calibration_blocks(calibrated)
    notes = [*shape.notes, *(() if standing is None else standing.notes)]
    blocks: list[ReportBlock] = [
        Figures(_foot_facts(measures, standing)),
        *([Text(warned, "warning")] if (warned := [note for note in notes if note.startswith("warning")]) else []),
        Heading("Detected properties"),
        Text([note for note in shape.notes if not note.startswith("warning")]),
        Picture("The foot in its frame", files["surface"], "x forward, y to the left, z up; the heel-toe line is y = 0"),
        Picture("The mesh", files["mesh picture"], quality.verdict()),
        Heading("The sole"),
        *pictures,
        *tables,
        Heading("Cells"),
        Table("Quality", ("measure", "min", "mean", "max", "unit"),
              [(name, *(float(f"{measure[which]:.3g}") for which in ("min", "mean", "max")), measure["unit"])
               for name, measure in quality.summary()["measures"].items()]),
    ]  # fmt: skip
    return Report(title, f"{shape.side} foot, {1e3 * measures.length:.0f} mm long", blocks), files


def measure_table(measures: FootMeasures) -> Table:
    """Table of all measures of a foot, in the units of the page."""
    rows = [
        (name.replace("_", " "), *_to_display_unit(measure.of(measures), measure.unit), measure.description)
        for name, measure in FOOT_MEASURES.items()
    ]
    return Table("Measures", ("quantity", "value", "unit", "meaning"), rows)


def _foot_facts(measures: FootMeasures, standing: Any) -> list[Fact]:
    facts = [
        Fact("length", 1e3 * measures.length, "mm"),
        Fact("ball width", 1e3 * measures.ball_width, "mm", f"heel {1e3 * measures.heel_width:.0f} mm"),
        Fact("arch height", 1e3 * measures.arch_height, "mm", f"arch index {measures.arch_index:.2f}"),
        Fact("footprint", 1e4 * measures.sole_area, "cm²"),
    ]
    if standing is not None:
        facts.append(Fact("peak pressure", 1e-3 * standing.peak_pressure, "kPa", f"at {standing.force:.0f} N"))
    return [fact._replace(value=float(f"{float(fact.value):.3g}")) for fact in facts]


def _standing_rows(standing: StandingResult) -> list[tuple[str, float, str]]:
    x, y = standing.centre_of_pressure
    rows = [
        ("force", standing.force, "N"), ("area that touches", standing.area, "m^2"),
        ("peak pressure of a cell", standing.peak_pressure, "Pa"), ("centre of pressure, x", x, "m"),
        ("centre of pressure, y", y, "m"), ("sinking", standing.sinking, "m"),
    ]  # fmt: skip
    return [(name, *_to_display_unit(value, unit)) for name, value, unit in rows]


DISPLAY_UNITS = {
    "m": (1e3, "mm", 1),
    "m^2": (1e4, "cm^2", 1),
    "Pa": (1e-3, "kPa", 0),
    "N": (1.0, "N", 1),
    "1": (1.0, "1", 3),
}
"""Units on the page: factor, name, and number of significant decimals."""


def _to_display_unit(value: float, unit: str) -> tuple[float, str]:
    by, name, decimals = DISPLAY_UNITS.get(unit, (1.0, unit, 3))
    return round(by * value, decimals), name


def _calibration_blocks(calibration: FootCalibration) -> list[ReportBlock]:
    """Blocks about a calibration: parameters with their uncertainty, measured and computed data, and notes."""
    values = [
        (
            name,
            f"{value:.3g}",
            f"{calibration.intervals[name][0]:.3g} to {calibration.intervals[name][1]:.3g}",
            calibration.units[name] or "1",
        )
        for name, value in calibration.values.items()
    ]
    data = [
        (each.name, f"{each.measured:.3g}", f"{each.computed:.3g}", each.unit, f"{each.misfit:+.2f}")
        for each in calibration.data
    ]
    return [
        Heading("Calibration"),
        Table("Parameters", ("parameter", "value", "95 % interval", "unit"), values),
        Table("Measured and computed", ("quantity", "measured", "computed", "unit", "misfit in spreads"), data,
              f"root mean square {calibration.rms:.2f} spreads, {calibration.runs} runs; tissue is a factor of all moduli"),
        *([Text(list(calibration.notes), "warning")] if calibration.notes else []),
    ]  # fmt: skip
