"""Time to the first result: a new process that imports Gaitwright, builds a small model, simulates it and prints a
number. Cold: with an empty machine-code cache, as on a new machine. Warm: any later process.

From Python (`python -c`), a planar model, one with a contact and a spatial one, and on the command line (`gaitwright
run`, `gaitwright --version`), each with its own cache. Wall-clock seconds, and CPU seconds: the sum over all involved
processes, which is meaningful even on a shared machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from gaitwright.mechanisms.four_bar import four_bar

MAX_COLD_SECONDS, MAX_CONTACT_SECONDS, MAX_WARM_SECONDS = 10.0, 15.0, 1.5
"""Time limits on two idle cores, s."""
PLANAR_SCRIPT = """
import gaitwright as gw
model = gw.Model()
model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", 0.1, 0).point("B", 0.25, 0.25)
model.link("crank", "O", "A", length=0.1, mass=0.025).link("coupler", "A", "B", length=0.3, mass=0.075)
model.link("rocker", "C", "B", length=0.25, mass=0.06).drive.rotation("crank", "2*pi*t")
run = model.simulate(1.0, step=1e-3)
print(float(run["crank.torque"][-1]))
"""
SPATIAL_SCRIPT = """
import gaitwright as gw
model = gw.Model(dimension=3)
model.ground_point("O", 0, 0, 0)
ends = {"A": [-0.5, 0, 0], "B": [0.5, 0, 0]}
model.body("upper", mass=2, inertia=[0.1, 0.2, 0.25], at=[0.5, 0, 0], points=ends)
model.body("lower", mass=2, inertia=[0.1, 0.2, 0.25], at=[1.5, 0, 0], points=ends)
model.joint.spherical("ground.O", "upper.A").joint.revolute("upper.B", "lower.A", axis=[0, 1, 0])
run = model.simulate(1.0, step=1e-3)
print(float(run["lower.z"][-1]))
"""
CONTACT_SCRIPT = """
import gaitwright as gw
model = gw.Model()
model.body("ball", mass=1, inertia=0.01, at=[0, 0.2], points={"P": [0, 0]})
model.contact("ball.P", gw.surfaces.LineGround(level=0), law=gw.laws.LankaraniNikravesh(stiffness=2e4, restitution=0.5),
              friction=gw.friction.Coulomb(0.4))
run = model.simulate(1.0, step=1e-3)
print(float(run["ball.y"][-1]))
"""
CLI_SCRIPT = "import sys; from gaitwright.cli.main import main; sys.exit(main())"


def measure(quick: bool) -> dict[str, Any]:
    details: dict[str, Any] = {"cold_limit": MAX_COLD_SECONDS, "warm_limit": MAX_WARM_SECONDS}
    with tempfile.TemporaryDirectory(prefix="gaitwright-startup-") as folder:
        path = four_bar().save(Path(folder) / "four-bar.yaml")
        commands = {
            "python": [sys.executable, "-c", PLANAR_SCRIPT],
            "contact": [sys.executable, "-c", CONTACT_SCRIPT],
            "space": [sys.executable, "-c", SPATIAL_SCRIPT],
            "command_line": [sys.executable, "-c", CLI_SCRIPT, "run", str(path), "--out", str(Path(folder) / "out")],
            "version": [sys.executable, "-c", CLI_SCRIPT, "--version"],
        }
        for name, command in commands.items():
            limit = MAX_CONTACT_SECONDS if name == "contact" else MAX_COLD_SECONDS
            details[name] = measure_start(
                command, Path(folder) / f"cache-{name}", 1 if quick else 4, limit, shared=quick
            )
    return details


def measure_start(command: list[str], cache: Path, repeats: int, limit: float, shared: bool) -> dict[str, Any]:
    """Time the first process with an empty cache, then the fastest of several more. shared: use the cache of this
    machine; the cold time is then meaningless."""
    environment = {**os.environ, **({} if shared else {"GAITWRIGHT_CACHE": str(cache)})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    times, processors, notice = [], [], False
    for _ in range(1 + repeats):
        began, before = time.perf_counter(), _processor_seconds()
        process = subprocess.run(command, env=environment, capture_output=True, text=True)
        times.append(time.perf_counter() - began)
        processors.append(_processor_seconds() - before)
        if process.returncode != 0:
            return {"error": (process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1]}
        notice |= "compiling" in process.stderr + process.stdout
    cold, warm = times[0], min(times[1:])
    return {
        "cold_seconds": None if shared else cold,
        "cold_processor_seconds": None if shared else processors[0],
        "warm_seconds": warm,
        "warm_processor_seconds": min(processors[1:]),
        "cold_limit": limit,
        "notice_shown": notice,
        "within_limits": warm <= MAX_WARM_SECONDS and (shared or cold <= limit),
    }


def _processor_seconds() -> float:
    """CPU seconds of all finished child processes."""
    spent = os.times()
    return spent.children_user + spent.children_system
