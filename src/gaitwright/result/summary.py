"""The numbers of a run that fit on a page."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.plain import plain
from gaitwright.result.bearing_loads import bearing_loads
from gaitwright.result.charted import chart_numbers
from gaitwright.result.ranges import hardest_touches, range_of
from gaitwright.result.touches import contact_summaries

if TYPE_CHECKING:
    from gaitwright.result.result import Result


def summary(result: Result) -> dict[str, Any]:
    """JSON-ready; see Result.summary."""
    final, largest, between = {}, {}, {}
    contacts = contact_summaries(result)
    hardest = hardest_touches(contacts)
    for name in result.default_names():
        values = result.values(name)
        final[name] = float(values[-1]) if values.size else None
        known = np.abs(values[~np.isnan(values)])  # what only exists in contact is NaN in the air
        largest[name] = float(known.max()) if known.size else None
        between[name] = range_of(result.time, values, hardest.get(name))._asdict() if values.size else None
    largest |= {name: most for name, most in hardest.items() if name in largest}  # an impact may fall between two times
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
        "charts": chart_numbers(result),
        "evidence": asdict(result.evidence),
    }
    return plain(numbers)
