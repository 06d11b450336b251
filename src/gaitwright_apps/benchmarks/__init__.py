"""Benchmarks of Gaitwright, compared with Exudyn and other peers where possible. `gaitwright bench` and `make bench`.

Every problem is one file with a function `measure(quick) -> dict`; it runs in a separate process with one thread, in which peer
and ours alternate, and the smallest of several times counts. Each file states the compared quantities.

    ratios   {"P1": seconds of Exudyn / seconds of ours, ...}: above 1, ours is faster; for contact-leg the peer is our own
             leg without contact, so that 0.67 means 1.5 times its time
    condensed_ms   time of a contact step of a condensed sole with 2,400 surface unknowns, if solids were timed
    details  per problem: all times, errors and settings
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.output_files import save_text

Progress = Callable[[str, float], None]
"""Progress callback: description of the current problem and completed fraction of the problems."""

PROBLEMS = {
    "P1": "Theo Jansen leg, 33 + 33 unknowns, against Exudyn",
    "growth": "cost against the number of loops: chains of four-bars",
    "startup": "seconds to the first result, with an empty and with a full cache of machine code",
    "memory": "what a step allocates and what a run keeps",
    "methods": "time and error of every method on a swinging four-bar",
    "contact": "a leg on the ground against the same leg in the air, and a ball drop against SciPy's Radau",
    "beams": "flexible slider-crank (P2), cables (P3), a blade in space (P4) against Exudyn; cost against elements",
    "space": "chains and nets of spatial pendulums and Bricard's mechanism against Exudyn, MuJoCo beside",
    "net": "5,000 point masses and springs, statically and dynamically, against Exudyn's sparse solver",
    "solids": "elements of solids against scikit-fem, a rubber pad pressed in ten steps against CalculiX",
    "foot": "a foot that rolls in 100 frames, in its speeds, a step forward in time, and one that is pressed against CalculiX",
    "gait": "a walk of 10 s from files to a report; inverse kinematics against OpenSim",
    "designs": "many designs of a leg by a printed program, against one after another",
    "studio": "dragging a joint in the studio: time of a frame, and from a click to the first picture",
    "legs": "10,000 variants of a leg, the demonstration, a machine that walks",
    "fine_foot": "a foot of 10,000 nodes that rolls in 100 frames",
    "reproduce": "all experiments of the papers",
}
"""Description of each problem by name; the name in lower case is the module."""

LONG_PROBLEMS = ("fine_foot", "reproduce")
"""Problems that take minutes: they run only if they are named, or with full=True."""

SINGLE_THREAD_ENVIRONMENT = {
    name: "1"
    for name in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
    )
}
PROBLEM_TIMEOUT_S = 900
"""Time limit of a problem, s."""
MAX_BACKGROUND_LOAD = 1.0
"""Load of the machine before the start above which times are not reliable."""


def run_benchmarks(
    names: list[str] | None = None, out: Path | None = None, quick: bool = False, progress: Progress | None = None,
    device: str = "cpu", full: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Time the named problems (default: all except LONG_PROBLEMS; with full: all) and return ratios and details.

    out: folder for bench.json and bench.md, written after every problem, so that an interruption keeps the results so far.
    quick: small sizes and few repeats, as a functional check; its numbers are not meaningful. device: cpu or cuda, for
    problems that can use a GPU (designs)."""
    from gaitwright_apps.benchmarks.results_page import describe_machine, render_markdown

    selected = list(names or (name for name in PROBLEMS if full or name not in LONG_PROBLEMS))
    problem_names = {name.lower(): name for name in PROBLEMS}
    for name in selected:
        if name.lower() not in problem_names:
            ErrorContext(field="name").fail("is not a known benchmark", name, f"one of {', '.join(PROBLEMS)}")
    result: dict[str, Any] = {
        "ratios": {},
        "quick": quick,
        "machine": describe_machine(),
        "notes": result_notes(),
        "details": {},
    }
    for count, name in enumerate(selected):
        if progress is not None:
            progress(PROBLEMS[problem_names[name.lower()]], count / len(selected))
        details = _measure_in_process(name.lower(), quick, device)
        result["ratios"].update(details.pop("ratios", {}))
        if "condensed_ms" in details:
            result["condensed_ms"] = details.pop("condensed_ms")
        result["details"][problem_names[name.lower()]] = details
        if out is not None:
            _write_results(result, Path(out), render_markdown(result))
    if progress is not None:
        progress("done", 1.0)
    return result


def result_notes() -> list[str]:
    """Notes for readers of the numbers: a missing peer, a busy machine."""
    from gaitwright_apps.benchmarks.exudyn_peer import is_available

    notes = []
    if not is_available():
        notes.append("Exudyn is not installed, so only our own times are given: pip install 'gaitwright[bench]'")
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if busy > MAX_BACKGROUND_LOAD:
        notes.append(f"Other programs kept {busy:.1f} cores busy in the minute before: times and ratios are uncertain.")
    return notes


def _measure_in_process(name: str, quick: bool, device: str = "cpu") -> dict[str, Any]:
    """Measure one problem in a separate process with one thread; a failure is reported, not raised."""
    with tempfile.TemporaryDirectory(prefix="gaitwright-bench-") as folder:
        answer = Path(folder) / "answer.json"
        command = [sys.executable, "-m", "gaitwright_apps.benchmarks", name, str(answer), "quick" if quick else "full"]
        environment = {**os.environ, **SINGLE_THREAD_ENVIRONMENT, "NUMBA_NRT_STATS": "1" if name == "memory" else "0"}
        environment["GAITWRIGHT_BENCH_DEVICE"] = device
        try:
            process = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=PROBLEM_TIMEOUT_S
            )
        except subprocess.TimeoutExpired:
            return {"error": f"not finished after {PROBLEM_TIMEOUT_S} s"}
        if process.returncode != 0 or not answer.exists():
            lines = process.stderr.strip().splitlines() or [f"exit code {process.returncode}"]
            return {"error": lines[-1], "trace": lines[-12:]}
        return json.loads(answer.read_text("utf-8"))


def _write_results(result: dict[str, Any], out: Path, text: str) -> None:
    save_text(out / "bench.json", json.dumps(result, indent=2) + "\n")
    save_text(out / "bench.md", text)
