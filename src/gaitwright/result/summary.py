"""Summary of a run: its most important numbers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.json_types import to_json_types
from gaitwright.result.bearing_loads import bearing_loads
from gaitwright.result.contact_episodes import contact_summaries
from gaitwright.result.cross_plots import cross_plot_numbers
from gaitwright.result.output_ranges import compute_range, peak_contact_values

if TYPE_CHECKING:
    from gaitwright.result.result import Result


def summarise_result(result: Result) -> dict[str, Any]:
    """Summary of a result, JSON-ready; see Result.summary."""
    final, largest, between = {}, {}, {}
    contacts = contact_summaries(result)
    hardest = peak_contact_values(contacts)
    for name in result.default_names():
        values = result.array(name)
        final[name] = float(values[-1]) if values.size else None
        magnitudes = np.abs(values[~np.isnan(values)])  # outputs that exist only during contact are NaN otherwise
        largest[name] = float(magnitudes.max()) if magnitudes.size else None
        between[name] = compute_range(result.time, values, hardest.get(name))._asdict() if values.size else None
    # an impact may occur between two output times
    largest |= {name: value for name, value in hardest.items() if name in largest}
    balance = result.balance
    energy = {n: float(getattr(balance, n)[-1]) if result.time.size else 0.0
              for n in ("kinetic", "potential", "dissipated", "work")}  # fmt: skip
    energy["residual"] = result.evidence.max_energy_residual
    numbers = {
        "name": result.mechanism.name,
        "analysis": result.evidence.analysis,
        "method": result.evidence.method,
        "steps": result.evidence.steps,
        "wall_seconds": result.evidence.wall_seconds,
        "time": float(result.time[-1]) if result.time.size else None,
        "degrees_of_freedom": result.mechanism.degrees_of_freedom,
        "final": final,
        "max_abs": largest,
        "ranges": between,
        "max_constraint_violation": result.evidence.max_position_violation,
        "energy": energy,
        "drives": {name: result.drive_work(name) for name in balance.drive_power} if result.time.size > 1 else {},
        "bearings": {load.joint: load._asdict() for load in bearing_loads(result)},
        "contacts": contacts,
        "charts": cross_plot_numbers(result),
        "evidence": asdict(result.evidence),
    }
    return to_json_types(numbers)
