"""Time of leg analyses: a sweep of 10,000 variants of Theo Jansen's leg through one turn in the air on all cores, the
demonstration with an empty and with a full machine-code cache, and a second of a walking machine.

There is no peer for comparison; limits are our own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

from gaitwright.design.sweep import sweep
from gaitwright.legs.turn_measures import SUFFICIENT_SAMPLES, measure_leg, one_turn
from gaitwright.mechanisms.jansen import LENGTHS_M, jansen_leg
from gaitwright.mechanisms.walking_machine import walking_machine
from gaitwright_apps.benchmarks.startup import CLI_SCRIPT

MAX_SWEEP_SECONDS = 60.0
MAX_DEMO_SECONDS = {"cold": 30.0, "warm": 5.0}
"""Time limits, s."""


def measure(quick: bool) -> dict[str, Any]:
    return {
        "sweep": measure_sweep(6 if quick else 100),
        "walk": measure_walk(0.05 if quick else 3.0),
        "demo": measure_command(["demo"], MAX_DEMO_SECONDS, quick),
    }


def measure_sweep(side: int) -> dict[str, Any]:
    """Sweep of side x side variants of two lengths, each by 1.5 % to both sides; all of them can complete a turn."""
    leg, workers = jansen_leg(), os.cpu_count() or 1
    grid = {name: LENGTHS_M[name] * np.linspace(0.985, 1.015, side) for name in ("L10", "L11")}
    began = time.perf_counter()
    data = sweep(leg, grid, analysis=one_turn(), measures=measure_leg, workers=workers)
    took = time.perf_counter() - began
    return {
        "variants": side**2, "samples_per_turn": SUFFICIENT_SAMPLES, "processes": workers, "seconds": took,
        "ms_per_variant": 1e3 * took / side**2, "failed": int((data["failure"] != "").sum()),
        "limit": MAX_SWEEP_SECONDS, "within_limit": took <= MAX_SWEEP_SECONDS,
    }  # fmt: skip


def measure_walk(until: float) -> dict[str, Any]:
    """Walk of six of Jansen's legs under a body, dopri5 at 1e-6."""
    machine = walking_machine()
    options: dict[str, Any] = {"method": "dopri5", "tolerance": 1e-6, "output_step": 2e-3}
    machine.simulate(0.01, **options)  # compiled before timing
    run = machine.simulate(until, **options)
    return {"simulated_seconds": until, "seconds": run.evidence.wall_seconds, "steps": run.evidence.steps,
            "contacts": len(run.contact_names()), "coordinates": run.mechanism.n}  # fmt: skip


def measure_command(arguments: list[str], limits: dict[str, Any], shared: bool) -> dict[str, Any]:
    """Run a command in new processes: first with an empty cache, then again. limits: seconds, or None, by "cold" and
    "warm". shared: once, with the cache of this machine."""
    times = []
    with tempfile.TemporaryDirectory(prefix="gaitwright-bench-") as folder:
        environment = {**os.environ, **({} if shared else {"GAITWRIGHT_CACHE": f"{folder}/cache"})}
        for k in range(1 if shared else 2):
            command = [sys.executable, "-c", CLI_SCRIPT, *arguments, "--out", f"{folder}/out-{k}"]
            began = time.perf_counter()
            process = subprocess.run(command, env=environment, capture_output=True, text=True)
            times.append(time.perf_counter() - began)
            if process.returncode != 0:
                return {"error": (process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1]}
    cold, warm = (None if shared else times[0]), times[-1]
    within = [
        limit is None or took is None or took <= limit
        for took, limit in ((cold, limits["cold"]), (warm, limits["warm"]))
    ]
    return {"cold_seconds": cold, "warm_seconds": warm, "limits": limits, "within_limits": all(within)}
