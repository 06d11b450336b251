"""Memory allocated by a step (none) and stored by a run (its outputs).

Two runs of every method on a four-bar with a spring and damper, one ten times as long as the other, both storing only
two times. They are compared by the number of arrays that compiled code allocated (Numba's counter), the peak of
Python's and NumPy's memory (tracemalloc), and the resident size of the process. Then two runs that store every step
give the bytes per stored time.
"""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path
from typing import Any

from gaitwright.integrate import load_all
from gaitwright.jit.allocation_count import count_allocations
from gaitwright.mechanisms.four_bar import four_bar
from gaitwright.model.model import Model


def sprung_four_bar() -> Model:
    linkage = four_bar(speed=None)
    linkage.force.spring_damper("O", "B", stiffness=20.0, damping=0.05)
    return linkage


def resident_bytes() -> int:
    """Resident size of this process, bytes; 0 if the system does not provide it."""
    try:
        return 4096 * int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0


def run_cost(linkage: Model, until: float, options: dict[str, Any]) -> dict[str, int]:
    """Cost of one run: steps, arrays allocated by compiled code, peak bytes of Python, growth of the process."""
    gc.collect()
    size, arrays = resident_bytes(), count_allocations()
    tracemalloc.start()
    run = linkage.simulate(until, **options)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "steps": run.evidence.steps,
        "arrays": count_allocations() - arrays,
        "peak_bytes": peak,
        "resident_growth": resident_bytes() - size,
    }


def measure(quick: bool) -> dict[str, Any]:
    linkage = sprung_four_bar()
    short = 0.02 if quick else 0.2
    linkage.simulate(short, step=1e-3)  # Numba's counter starts at its first compiled call
    details: dict[str, Any] = {"counted": count_allocations() >= 0, "methods": {}}
    for name, method in load_all().items():
        if method.adaptive:
            options: dict[str, Any] = {"method": name, "tolerance": 1e-9}
        else:
            options = {"method": name, "step": 1e-4, "every": 10**9}
        runs = []
        for until in (short, short, 10 * short):  # the first one loads the machine code
            if method.adaptive:
                options["output_step"] = until
            runs.append(run_cost(linkage, until, options))
        _, once, long = runs
        added_steps = long["steps"] - once["steps"]
        details["methods"][name] = {
            "steps": long["steps"],
            "arrays_per_step": (long["arrays"] - once["arrays"]) / added_steps,
            "peak_bytes_per_step": (long["peak_bytes"] - once["peak_bytes"]) / added_steps,
            "resident_growth": long["resident_growth"],
        }
    details["arrays_per_step"] = max(entry["arrays_per_step"] for entry in details["methods"].values())
    details["peak_bytes_per_step"] = max(entry["peak_bytes_per_step"] for entry in details["methods"].values())
    details |= bytes_per_time(linkage, short)
    return details


def bytes_per_time(linkage: Model, until: float) -> dict[str, float]:
    """Bytes per stored time of a result, and of its states alone."""
    sizes = []
    for count in (1, 10):
        gc.collect()
        tracemalloc.start()
        run = linkage.simulate(count * until, step=1e-4)
        gc.collect()
        sizes.append((tracemalloc.get_traced_memory()[0], run.time.size, sum(x[0].nbytes for x in run.motion)))
        tracemalloc.stop()
        del run
    (few, few_times, state), (many, many_times, _) = sizes
    return {"kept_bytes_per_time": (many - few) / (many_times - few_times), "state_bytes_per_time": float(state)}
