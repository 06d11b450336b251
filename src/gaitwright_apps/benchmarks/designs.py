"""Many designs by generated code, compared with one classic analysis after another in one run, for link lengths of Theo
Jansen's leg within 5 % (about half of which cannot complete a turn):

inverse    a turn at 361 angles by inverse dynamics, with all measures of the leg
forward    1 s at 1 ms by rk4, foot on the ground, with location of touchdown and release

CPU seconds of one core, so that other programs do not count; on a GPU, wall-clock seconds, from parameters in host memory to
measures in host memory. ratios: classic / generated. gradient: the same with exact derivatives of two measures by thirteen
parameters, relative to the time without."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from typing import Any

from gaitwright.codegen.c_library import CpuLibrary, find_compiler
from gaitwright.codegen.program import generate_program
from gaitwright.design.batch import analysis as many
from gaitwright.design.sampling import sample_designs
from gaitwright.legs.designs import designs
from gaitwright.legs.turn_numbers import LEG_MEASURES
from gaitwright.mechanisms.jansen import LENGTHS_M, jansen_leg
from gaitwright.model.model import Model, compile_model

LENGTH_SPREAD = 0.05
MAX_MS_PER_DESIGN, MAX_COMPILE_SECONDS = {"inverse": 0.25, "forward": 3.0}, 15.0
"""Time limits: ms per design and core; s of compilation, once per mechanism."""
GPU_DESIGNS, MAX_GPU_SECONDS, MAX_GRADIENT_COST_RATIO = 1_000_000, 10.0, 2.0
"""On a GPU: number of designs, time limit of both analyses, s, and maximum cost ratio of derivatives."""
DEVICE_VARIABLE = "GAITWRIGHT_BENCH_DEVICE"
"""Environment variable for the device: cpu or cuda."""
DESIGN_COUNTS = {"cpu": (5_000, 20_000), "cuda": (100_000, GPU_DESIGNS)}
GRADIENT_MEASURES = {
    "inverse": ["energy", "step_length"],
    "forward": ["toe.normal_force.max", "crank.torque.max_abs"],
}
"""Measures with derivatives."""
INVERSE_OUTPUTS = ("crank.torque", "crank.power", "F.x", "F.y", "F.vx", "F.vy", "F.acceleration")


FORWARD_ANALYSIS = {"type": "forward", "until": 1.0, "step": 1e-3, "method": "rk4"}
FORWARD_MEASURES = ["toe.normal_force.max", "toe.normal_force.mean", "crank.torque.max_abs", "F.y.min"]
GROUND_LEVEL_M = -0.6035
"""Ground level, m: the lowest point of the foot's path is 10 mm lower."""


def leg_on_ground() -> Model:
    """The leg with its foot on the ground; it starts in the air."""
    raw = jansen_leg().to_dict()
    raw["drives"][0]["angle"] = "2 - 2*pi*turns_per_second*t"
    law = {"type": "lankarani-nikravesh", "stiffness": 2e4, "restitution": 0.3}
    ground = {"line": [0, 1, -GROUND_LEVEL_M]}
    contact = {
        "name": "toe",
        "point": "F",
        "surface": ground,
        "law": law,
        "friction": {"type": "coulomb", "coefficient": 0.4},
    }
    return Model.from_dict({**raw, "contacts": [contact], "outputs": []})


def measure(quick: bool) -> dict[str, Any]:
    device = os.environ.get(DEVICE_VARIABLE, "cpu")
    if device == "cpu" and find_compiler() is None:
        return {"ratios": {}, "error": "there is no C compiler on this machine"}
    details: dict[str, Any] = {"device": device, "ratios": {}, **_measure_compilation()}
    inverse = _race_designs(jansen_leg(), {"measures": list(LEG_MEASURES)}, "inverse", device, quick)
    forward = _race_designs(
        leg_on_ground(), {"measures": FORWARD_MEASURES, "analysis": FORWARD_ANALYSIS}, "forward", device, quick
    )
    for name, race in (("inverse", inverse), ("forward", forward)):
        details[name] = race
        details["ratios"][f"designs-{name}"] = race["classic_ms_per_design"] / race["ms_per_design"]
    fits = all(details[name]["ms_per_design"] <= limit for name, limit in MAX_MS_PER_DESIGN.items())
    fits = fits and details.get("compile_seconds", 0.0) <= MAX_COMPILE_SECONDS
    if device == "cuda":
        fits = fits and all(
            details[name]["gradient"]["over_plain"] <= MAX_GRADIENT_COST_RATIO for name in MAX_MS_PER_DESIGN
        )
        if not quick:
            details["million_seconds"] = sum(
                details[name]["sizes"][str(GPU_DESIGNS)]["seconds"] for name in MAX_MS_PER_DESIGN
            )
            fits = fits and details["million_seconds"] <= MAX_GPU_SECONDS
    details["within_limit"] = fits
    return details


def _race_designs(leg: Model, question: dict[str, Any], name: str, device: str, quick: bool) -> dict[str, Any]:
    """Time per design of the generated code and of the classic analysis, and their agreement."""
    bounds = {
        length: (
            min(x * (1 - LENGTH_SPREAD), x * (1 + LENGTH_SPREAD)),
            max(x * (1 - LENGTH_SPREAD), x * (1 + LENGTH_SPREAD)),
        )
        for length, x in LENGTHS_M.items()
    }
    settings: dict[str, Any] = {**question, "workers": 1}
    details: dict[str, Any] = {"limit_ms": MAX_MS_PER_DESIGN[name], "sizes": {}}
    sizes = (500, 2_000) if quick else DESIGN_COUNTS[device]

    def timed(count: int, **options: Any) -> dict[str, Any]:
        samples = sample_designs(leg, bounds, count)
        wall, began = time.perf_counter(), time.process_time()
        data = designs(leg, samples, device=device, **{**settings, **options})
        seconds = {"cpu_seconds": time.process_time() - began, "seconds": time.perf_counter() - wall}
        times = 1e3 * seconds["cpu_seconds" if device == "cpu" else "seconds"] / count
        return {**seconds, "ms_per_design": times, "good": int((data["failure"] == 0).sum())}

    timed(sizes[0])  # compiled before timing
    details["sizes"] = {str(count): timed(count) for count in sizes}
    details["ms_per_design"] = details["sizes"][str(sizes[-1])]["ms_per_design"]
    plain, derived = (
        {"measures": GRADIENT_MEASURES[name]},
        {"measures": GRADIENT_MEASURES[name], "gradient": GRADIENT_MEASURES[name]},
    )
    for options in (plain, derived):
        timed(sizes[0], **options)
    times = [timed(sizes[-1], **options)["ms_per_design"] for options in (plain, derived)]
    details["gradient"] = {
        "measures": GRADIENT_MEASURES[name],
        "ms_per_design": times[1],
        "over_plain": times[1] / times[0],
    }
    compared_count = 16 if quick else 100
    samples = sample_designs(leg, bounds, compared_count)
    compiler_finder, many.find_compiler = many.find_compiler, lambda: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about the missing compiler
            designs(leg, {name: values[:4] for name, values in samples.items()}, **settings)
            began = time.process_time()
            classic = designs(leg, samples, **settings)
        details["classic_ms_per_design"] = 1e3 * (time.process_time() - began) / compared_count
    finally:
        many.find_compiler = compiler_finder
    compared_table = designs(leg, samples, device=device, **settings)
    # for invalid models the classic analysis reports different reasons
    details["same_verdicts"] = bool(((compared_table["failure"].values == 0) == (classic["failure"].values == 0)).all())
    measured = [name for name in settings["measures"] if name != "cost_of_transport"]
    details["largest_difference"] = max(
        float(abs(compared_table[name] - classic[name]).max() / abs(classic[name]).max()) for name in measured
    )
    return details


def _measure_compilation() -> dict[str, float]:
    """Seconds to generate a program, and to compile it with an empty cache."""
    began = time.perf_counter()
    program = generate_program(compile_model(jansen_leg()), list(LENGTHS_M), INVERSE_OUTPUTS)
    times = {"print_seconds": time.perf_counter() - began}
    if find_compiler() is None:
        return times
    cache_folder = os.environ.get("GAITWRIGHT_CACHE")
    with tempfile.TemporaryDirectory(prefix="gaitwright-designs-") as folder:
        os.environ["GAITWRIGHT_CACHE"] = folder
        try:
            began = time.perf_counter()
            CpuLibrary(program.text)
            times["compile_seconds"] = time.perf_counter() - began
        finally:
            os.environ.pop("GAITWRIGHT_CACHE")
            if cache_folder is not None:
                os.environ["GAITWRIGHT_CACHE"] = cache_folder
    return times
