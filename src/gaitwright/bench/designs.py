"""Many designs by a printed program, beside the classic analysis of one after another, in one run: a turn of Theo Jansen's leg
at 361 angles by inverse dynamics, with all numbers of the leg, for lengths within 5 % (about half of which cannot turn round).

CPU seconds of one core, so that other programs do not count; on a GPU, seconds end to end. ratios: classic / printed."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from typing import Any

from gaitwright.design.many import designs as many
from gaitwright.design.many.library import Library, compiler
from gaitwright.design.many.program import printed
from gaitwright.design.many.spread import sample_designs
from gaitwright.legs.designs import designs
from gaitwright.legs.numbers import NUMBERS_OF_A_TURN
from gaitwright.mechanisms.jansen import LENGTHS, jansen_leg

SPREAD = 0.05
LIMIT_MS, LIMIT_COMPILE = 0.25, 15.0
"""ms per design and core; s, once per mechanism."""
DEVICE = "GAITWRIGHT_BENCH_DEVICE"
"""Variable of the environment: cpu or cuda."""
SIZES = {"cpu": (5_000, 20_000), "cuda": (100_000, 1_000_000)}
OUTPUTS = ("crank.torque", "crank.power", "F.x", "F.y", "F.vx", "F.vy", "F.acceleration")


def measure(quick: bool) -> dict[str, Any]:
    device = os.environ.get(DEVICE, "cpu")
    leg = jansen_leg()
    bounds = {
        name: (min(x * (1 - SPREAD), x * (1 + SPREAD)), max(x * (1 - SPREAD), x * (1 + SPREAD)))
        for name, x in LENGTHS.items()
    }
    if device == "cpu" and compiler() is None:
        return {"ratios": {}, "error": "there is no C compiler on this machine"}
    found: dict[str, Any] = {"device": device, "samples": 361, "ratios": {}, "limit_ms": LIMIT_MS, **_compiling()}
    asked: dict[str, Any] = {"measures": list(NUMBERS_OF_A_TURN), "workers": 1}
    designs(leg, sample_designs(leg, bounds, 64), device=device, **asked)  # compiled before the clock runs
    found["sizes"] = {}
    for count in (500, 2_000) if quick else SIZES[device]:
        given = sample_designs(leg, bounds, count)
        wall, began = time.perf_counter(), time.process_time()
        data = designs(leg, given, device=device, **asked)
        seconds = {"cpu_seconds": time.process_time() - began, "seconds": time.perf_counter() - wall}
        counted = seconds["cpu_seconds" if device == "cpu" else "seconds"]
        found["sizes"][str(count)] = {
            **seconds,
            "ms_per_design": 1e3 * counted / count,
            "good": int((data["failure"] == 0).sum()),
        }
    found["ms_per_design"] = found["sizes"][str(count)]["ms_per_design"]
    few = 16 if quick else 100
    given = sample_designs(leg, bounds, few)
    kept, many.compiler = many.compiler, lambda: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that there is no compiler
            designs(leg, {name: values[:4] for name, values in given.items()}, **asked)
            began = time.process_time()
            classic = designs(leg, given, **asked)
        found["classic_ms_per_design"] = 1e3 * (time.process_time() - began) / few
    finally:
        many.compiler = kept
    same = designs(leg, given, device=device, **asked)
    found["same_verdicts"] = bool((same["failure"].values == classic["failure"].values).all())
    found["largest_difference"] = max(
        float(abs(same[name] / classic[name] - 1.0).max()) for name in NUMBERS_OF_A_TURN if name != "cost_of_transport"
    )
    found["ratios"]["designs-inverse"] = found["classic_ms_per_design"] / found["ms_per_design"]
    found["within_limit"] = found["ms_per_design"] <= LIMIT_MS and found.get("compile_seconds", 0.0) <= LIMIT_COMPILE
    return found


def _compiling() -> dict[str, float]:
    """Seconds to print a program, and to compile it into an empty cache."""
    began = time.perf_counter()
    program = printed(jansen_leg().document, list(LENGTHS), OUTPUTS)
    times = {"print_seconds": time.perf_counter() - began}
    if compiler() is None:
        return times
    kept = os.environ.get("GAITWRIGHT_CACHE")
    with tempfile.TemporaryDirectory(prefix="gaitwright-designs-") as folder:
        os.environ["GAITWRIGHT_CACHE"] = folder
        try:
            began = time.perf_counter()
            Library(program.text)
            times["compile_seconds"] = time.perf_counter() - began
        finally:
            os.environ.pop("GAITWRIGHT_CACHE")
            if kept is not None:
                os.environ["GAITWRIGHT_CACHE"] = kept
    return times
