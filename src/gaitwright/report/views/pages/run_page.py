"""The report of a run: animation, outputs, contact forces, energy, numbers, evidence and the model, as blocks.

The functions for its parts take a Result and return blocks; more specialised reports use them, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.legs.scuffing import run_scuff_warnings
from gaitwright.report.blocks import Animation, Chart, ChartLine, Code, Fact, Figures, Heading, ReportBlock, Table, Text
from gaitwright.report.page import Report
from gaitwright.report.views.cross_plot_charts import cross_plot_blocks
from gaitwright.report.views.default_outputs import select_default_outputs
from gaitwright.report.views.output_curves import sample_curves
from gaitwright.result.bearing_loads import bearing_loads
from gaitwright.result.contact_episodes import contact_summaries
from gaitwright.result.cross_plots import cross_plot_numbers
from gaitwright.result.output_ranges import compute_ranges
from gaitwright.result.state_interpolation import accumulate_times

if TYPE_CHECKING:
    from gaitwright.analysis.modes import Modes
    from gaitwright.result.result import Result

MAX_LINES, MAX_CHARTS, MAX_ROWS = 6, 12, 60
CHARTS_BESIDE_ANIMATION = 3
"""Number of charts beside the animation."""
CONTACT_LABEL = "in contact"
UNIT_TITLES = {
    "N": "Forces", "N m": "Torques and moments", "W": "Power", "J": "Work", "m": "Positions", "rad": "Angles",
    "m/s": "Velocities", "rad/s": "Angular velocities", "m/s2": "Accelerations", "rad/s2": "Angular accelerations",
}  # fmt: skip
"""Titles of charts by the unit of their outputs."""


def run_report(result: Result, *, names: Sequence[str] = (), trace: Sequence[str] = ()) -> Report:
    """Create the report of a run. names: outputs to show; default: those of the model, or the default ones. trace: points
    whose paths are drawn; default: the feet of a leg and the touching points."""
    evidence = result.evidence
    span = f" from {result.time[0]:.4g} to {result.time[-1]:.4g} s" if result.time.size > 1 else ""
    subtitle = f"{evidence.analysis.capitalize()} analysis{span}" + (f", {evidence.method}" if evidence.method else "")
    blocks: list[ReportBlock] = [
        *warning_blocks([*evidence.warnings, *run_scuff_warnings(result)]),
        Figures(run_facts(result)),
    ]
    if result.time.size:
        output_names = list(names) or select_default_outputs(result)
        traced = list(trace) or default_trace(result)
        charts = [*cross_plot_blocks(result), *path_charts(result, traced), *contact_charts(result)]
        charts += [*output_charts(result, output_names), *energy_chart(result)]
        blocks += [Animation(animation_scene(result, traced)), *charts[:CHARTS_BESIDE_ANIMATION]]
        if charts[CHARTS_BESIDE_ANIMATION:]:
            blocks += [Heading("More charts"), *charts[CHARTS_BESIDE_ANIMATION:MAX_CHARTS]]
        blocks += [Heading("Numbers"), number_table(result, output_names), *contact_table(result), *drive_table(result)]
        blocks += bearing_table(result)
    blocks += [Heading("How far to trust it"), evidence_table(result), *evidence_charts(result)]
    blocks += [Heading("Model"), *model_code_block(result.document)]
    return Report(result.mechanism.name, subtitle, blocks)


def modes_report(modes: Modes, animations: int = 4) -> Report:
    """Create the report of modes: frequencies, damping and the shapes of the first modes."""
    from gaitwright.report.views.scenes.scene_writers import select_scene_writers

    mechanism = modes.equilibrium.mechanism
    rows = [
        (k, float(f), float(d) if np.isfinite(d) else None)
        for k, (f, d) in enumerate(zip(modes.frequencies, modes.damping_ratios, strict=True))
    ]
    blocks: list[ReportBlock] = [*warning_blocks(modes.warnings), Heading("Shapes")]
    for k in range(min(animations, len(modes))):
        scene = select_scene_writers(mechanism.dimension).scene(mechanism, modes.motion(k))
        blocks.append(Animation(scene, title=f"mode {k}: {modes.frequencies[k]:.4g} Hz"))
    blocks += [Heading("Frequencies"), Table("Modes", ("mode", "frequency (Hz)", "damping ratio"), rows)]
    blocks += [Heading("Model"), *model_code_block(modes.equilibrium.document)]
    stable = "stable" if modes.stable else "unstable"
    return Report(modes.name, f"Modes of vibration about an equilibrium, {stable}", blocks)


def warning_blocks(texts: Sequence[str]) -> list[ReportBlock]:
    return [Text([text[:1].upper() + text[1:] for text in texts], "warning")] if texts else []


def run_facts(result: Result) -> list[Fact]:
    """Key numbers of a run: extremes of the model's charts, energy and torque of drives, contact forces, accuracy."""
    facts = []
    for chart in [numbers for numbers in cross_plot_numbers(result) if "greatest" in numbers][:2]:
        extreme = max(chart["greatest"], chart["least"], key=lambda end: abs(end["y"]))
        at = f"at {extreme['x']:.4g} {chart['x_unit']} of {chart['x']}"
        facts.append(Fact(f"largest {chart['y']}", extreme["y"], chart["unit"].removesuffix("1"), at))
    for drive in list(result.balance.drive_power)[:2] if result.time.size > 1 else []:
        work = result.drive_work(drive)
        facts.append(Fact(f"energy of {drive}", work["absolute"], "J", f"|P| over the run; net {work['net']:.4g} J"))
        for quantity in ("torque", "force"):
            if f"{drive}.{quantity}" in result.catalogue.outputs:
                values, unit = result.array(f"{drive}.{quantity}"), result.catalogue[f"{drive}.{quantity}"].unit
                facts.append(Fact(f"largest {quantity} of {drive}", float(np.abs(values).max()), unit))
    for name, contact in list(contact_summaries(result).items())[:2]:
        facts.append(Fact(f"hardest at {name}", contact["max_normal_force"], "N", f"{contact['episodes']} touches"))
    evidence, turned = result.evidence, result.balance.turned_over()
    part = f"{evidence.max_energy_residual / turned:.1e} of what was turned over" if turned else ""
    return [
        *facts,
        Fact("joints closed to", f"{evidence.max_position_violation:.1e}", "m"),
        Fact("energy accounted for to", f"{evidence.max_energy_residual:.1e}", "J", part),
    ]


def default_trace(result: Result) -> list[str]:
    """The feet of a leg, otherwise the points that touch something."""
    document = result.document or {}
    points = (document.get("gait") or {}).get("feet") or [c.get("point") for c in document.get("contacts") or []]
    return [name for name in dict.fromkeys(points) if name and f"{name}.x" in result.catalogue.outputs]


def animation_scene(result: Result, trace: Sequence[str] = ()) -> Any:
    """Scene with contact and applied forces, and with parts coloured by their default quantity."""
    return result.scene(trace=list(trace), forces=True, colour=result.mechanism.colour)


def path_charts(result: Result, points: Sequence[str]) -> list[ReportBlock]:
    """Charts of the paths of points, with equal scales."""
    if result.time.size < 2 or not points:
        return []
    single = "Curve of the foot" if result.mechanism.dimension == 2 else f"Curve of {points[0]}"
    title = single if len(points) == 1 else "Curves of points"
    charts: list[ReportBlock] = []
    motion = result.dense() if result.stored is None else result.motion
    time = accumulate_times(motion.t)
    for view, (x, y) in view_axes(result):
        values = [result.catalogue[f"{point}.{axis}"].values(motion) for point in points for axis in (x, y)]
        lines = [ChartLine(point, values[2 * k], values[2 * k + 1], time=time) for k, point in enumerate(points)]
        charts.append(Chart(title + view, lines, xlabel=f"{x} (m)", ylabel=f"{y} (m)", equal=True))
    return charts


def view_axes(result: Result) -> list[tuple[str, str]]:
    """Views for the paths of points, with the two visible axes: in space from the side and from above."""
    if result.mechanism.dimension == 2:
        return [("", "xy")]
    vertical = "xyz"[int(np.argmax(np.abs(result.mechanism.gravity)))] if any(result.mechanism.gravity) else "z"
    first, second = (axis for axis in "xyz" if axis != vertical)
    return [(", from the side", first + vertical), (", from above", first + second)]


def contact_charts(result: Result) -> Iterator[ReportBlock]:
    """Charts of the normal and tangential force of every contact, with its closed times shaded."""
    for contact in result.contact_names() if result.time.size > 1 else []:
        names = [name for label in ("normal", "tangential") if (name := f"{contact}.{label}_force") in result]
        time, values = sample_curves(result, names)
        labels = [name.removeprefix(f"{contact}.").removesuffix("_force") for name in names]
        lines = [ChartLine(label, accumulate_times(time), y) for label, y in zip(labels, values, strict=True)]
        bands: Any = result.closed_times(names)
        yield Chart(f"Force at {contact}", lines, ylabel="force (N)", bands=bands, band_label=CONTACT_LABEL)


def output_charts(result: Result, names: Sequence[str]) -> Iterator[ReportBlock]:
    """Charts of outputs over time, one per unit and with at most six lines each; without energies and contact forces, which
    have their own charts."""
    if result.time.size < 2:
        return
    touching = tuple(
        f"{contact}.{direction}_force" for contact in result.contact_names() for direction in ("normal", "tangential")
    )
    groups: dict[str, list[str]] = {}
    for name in names:
        if not name.startswith("energy.") and name not in touching:
            groups.setdefault(result.catalogue[name].unit, []).append(name)
    for unit, group in groups.items():
        parts = [group[k : k + MAX_LINES] for k in range(0, len(group), MAX_LINES)]
        for number, part in enumerate(parts, 1):
            time, values = sample_curves(result, part)
            lines = [ChartLine(name, accumulate_times(time), y) for name, y in zip(part, values, strict=True)]
            title = part[0] if len(part) == 1 else UNIT_TITLES.get(unit, "Outputs")
            counted = f", {number} of {len(parts)}" if len(parts) > 1 and len(part) > 1 else ""
            bands = result.closed_times(part)
            label = unit if unit not in ("1", "mixed") else ""
            yield Chart(title + counted, lines, ylabel=label, bands=bands, band_label=CONTACT_LABEL)


def energy_chart(result: Result) -> list[ReportBlock]:
    if result.time.size < 2:
        return []
    names = ("kinetic", "potential", "work", "dissipated")
    time, values = sample_curves(result, [f"energy.{name}" for name in names])
    values[1] = values[1] - values[1][0]
    labels = ("kinetic", "potential, from the start", "work of drives and loads", "dissipated")
    moving = [k for k, y in enumerate(values) if np.ptp(y) > 0]
    lines = [ChartLine(labels[k], accumulate_times(time), values[k], colour=k) for k in moving]
    return [Chart("Energy", lines, ylabel="energy (J)")] if lines else []


def number_table(result: Result, names: Sequence[str]) -> Table:
    rows = []
    for name, extremes in compute_ranges(result, names[:MAX_ROWS]).items():
        output, values = result.catalogue[name], result.array(name)
        when = (f"{t:.4g}" if np.isfinite(t) else "" for t in (extremes.least_at, extremes.greatest_at))
        range_cells = (x for pair in zip((extremes.least, extremes.greatest), when, strict=True) for x in pair)
        rows.append((name, float(values[0]), *range_cells, float(values[-1]), output.unit, output.description))
    header = ("output", "start", "least", "at (s)", "greatest", "at (s)", "final", "unit", "what it is")
    return Table("Outputs", header, rows, folded=len(rows) > 24)


def contact_table(result: Result) -> list[ReportBlock]:
    contacts = contact_summaries(result)
    if not contacts:
        return []
    keys = {
        "episodes": "touches", "first_touchdown": "first (s)", "duty": "part closed", "max_penetration": "deepest (m)",
        "max_normal_force": "hardest (N)", "impulse": "impulse (N s)", "dissipated": "lost (J)", "slip": "slip (m)",
    }  # fmt: skip
    rows = [(name, *(contact.get(key) for key in keys)) for name, contact in contacts.items()]
    return [Table("Contacts", ("contact", *keys.values()), rows)]


def bearing_table(result: Result, begin: float = -np.inf, end: float = np.inf) -> list[ReportBlock]:
    """Mean, peak and equivalent force of every joint from begin to end, s."""
    rows = [
        (load.joint, load.bodies, load.mean, load.peak, load.peak_at, load.equivalent, np.degrees(load.rotation))
        for load in bearing_loads(result, begin, end)
    ]
    header = ("joint", "between", "mean (N)", "peak (N)", "at (s)", "equivalent (N)", "rotation (deg)")
    note = "Magnitudes of joint forces; equivalent: cubic mean over the relative rotation, for ball bearings (ISO 281)."
    return [Table("Bearing loads", header, rows, note=note, folded=len(rows) > 24)] if rows else []


def drive_table(result: Result) -> list[ReportBlock]:
    drives = {name: result.drive_work(name) for name in result.balance.drive_power} if result.time.size > 1 else {}
    keys = {
        "positive": "positive work (J)",
        "negative": "negative work (J)",
        "net": "net (J)",
        "absolute": "integral of |P| (J)",
    }
    rows = [(name, *(work[key] for key in keys)) for name, work in drives.items()]
    return [Table("Drives", ("drive", *keys.values()), rows)] if rows else []


def evidence_table(result: Result) -> Table:
    """Table about methods and accuracy; rows that do not apply are left out."""
    e = result.evidence
    rows: list[tuple[str, Any, str]] = [
        ("joints opened by at most", e.max_position_violation, "m"),
        ("joint velocities off by at most", e.max_velocity_violation, "m/s"),
        ("energy not accounted for", e.max_energy_residual, "J"),
        ("energy that was turned over", float(result.balance.turned_over()), "J"),
        ("degrees of freedom", result.mechanism.degrees_of_freedom, ""),
        ("method", e.method, ""), ("stabilisation", e.stabilisation, ""),
        ("steps", e.steps, ""), ("rejected steps", e.rejected, ""),
        ("smallest step", e.smallest_step, "s"), ("largest step", e.largest_step, "s"),
        ("Newton iterations", e.newton_iterations, ""), ("factorisations", e.factorisations, ""),
        ("evaluations", e.evaluations, ""), ("events of contacts", e.events, ""),
        ("smallest singular value", e.smallest_singular_value, ""),
        *((f"strain of {name} at the start", s["strain"], "1") for name, s in e.initial_strains.items()),
        ("redundant constraints", ", ".join(map(str, e.redundant)), ""),
        ("computing time", e.wall_seconds, "s"),
    ]  # fmt: skip
    first = rows[:5]
    return Table("Evidence", ("", "value", "unit"), [*first, *(row for row in rows[5:] if row[1])], exact=True)


def evidence_charts(result: Result) -> Iterator[ReportBlock]:
    """Charts of joint openings and energy residual over time."""
    if result.time.size < 2:
        return
    time = accumulate_times(result.time)
    open_by = result.balance.gap
    for title, values, label in (
        ("Joints open by", open_by, "largest |Phi| (m)"),
        ("Energy not accounted for", np.abs(result.balance.residual), "|residual| (J)"),
    ):
        positive = np.where(values > 0, values, np.nan)
        if np.isfinite(positive).any():
            yield Chart(title, [ChartLine("", time, positive)], ylabel=label, logarithmic=True)


def model_code_block(document: dict[str, Any] | None, title: str = "The model file") -> list[ReportBlock]:
    """The model as YAML, to copy and to run."""
    import yaml

    if not document:
        return []
    text = yaml.safe_dump(document, sort_keys=False, default_flow_style=None, width=120)
    return [Code(title, text, "model.yaml")]
