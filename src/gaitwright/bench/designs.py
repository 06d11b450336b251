"""Many designs by a printed program, beside the classic analysis of one after another, in one run, for lengths of Theo Jansen's
leg within 5 % (about half of which cannot turn round):

inverse    a turn at 361 angles by inverse dynamics, with all numbers of the leg
forward    1 s at 1 ms by rk4, its foot on the ground, touchdown and release located

CPU seconds of one core, so that other programs do not count; on a GPU, seconds end to end, from parameters in the memory of the
machine to numbers there. ratios: classic / printed. gradient: the same with exact derivatives of two measures in thirteen
parameters, over the time without."""

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
from gaitwright.model.model import Model

SPREAD = 0.05
LIMIT_MS, LIMIT_COMPILE = {"inverse": 0.25, "forward": 3.0}, 15.0
"""ms per design and core; s, once per mechanism."""
MILLION, LIMIT_MILLION, LIMIT_GRADIENT = 1_000_000, 10.0, 2.0
"""On a GPU: designs, s for both analyses of them, and how many times as long derivatives may take."""
DEVICE = "GAITWRIGHT_BENCH_DEVICE"
"""Variable of the environment: cpu or cuda."""
SIZES = {"cpu": (5_000, 20_000), "cuda": (100_000, MILLION)}
DERIVED = {
    "inverse": ["energy", "step_length"],
    "forward": ["toe.normal_force.max", "crank.torque.max_abs"],
}
"""Measures whose derivatives are taken."""
OUTPUTS = ("crank.torque", "crank.power", "F.x", "F.y", "F.vx", "F.vy", "F.acceleration")


FORWARD = {"type": "forward", "until": 1.0, "step": 1e-3, "method": "rk4"}
FORWARD_MEASURES = ["toe.normal_force.max", "toe.normal_force.mean", "crank.torque.max_abs", "F.y.min"]
LEVEL = -0.6035
"""Of the ground, m: the foot of the model is 10 mm lower at the lowest point of its turn."""


def leg_on_ground() -> Model:
    """The leg with its foot on the ground; it starts in the air."""
    raw = jansen_leg().to_dict()
    raw["drives"][0]["angle"] = "2 - 2*pi*turns_per_second*t"
    law = {"type": "lankarani-nikravesh", "stiffness": 2e4, "restitution": 0.3}
    ground = {"line": [0, 1, -LEVEL]}
    contact = {
        "name": "toe",
        "point": "F",
        "surface": ground,
        "law": law,
        "friction": {"type": "coulomb", "coefficient": 0.4},
    }
    return Model.from_dict({**raw, "contacts": [contact], "outputs": []})


def measure(quick: bool) -> dict[str, Any]:
    device = os.environ.get(DEVICE, "cpu")
    if device == "cpu" and compiler() is None:
        return {"ratios": {}, "error": "there is no C compiler on this machine"}
    found: dict[str, Any] = {"device": device, "ratios": {}, **_compiling()}
    inverse = _raced(jansen_leg(), {"measures": list(NUMBERS_OF_A_TURN)}, "inverse", device, quick)
    forward = _raced(leg_on_ground(), {"measures": FORWARD_MEASURES, "analysis": FORWARD}, "forward", device, quick)
    for name, race in (("inverse", inverse), ("forward", forward)):
        found[name] = race
        found["ratios"][f"designs-{name}"] = race["classic_ms_per_design"] / race["ms_per_design"]
    fits = all(found[name]["ms_per_design"] <= limit for name, limit in LIMIT_MS.items())
    fits = fits and found.get("compile_seconds", 0.0) <= LIMIT_COMPILE
    if device == "cuda":
        fits = fits and all(found[name]["gradient"]["over_plain"] <= LIMIT_GRADIENT for name in LIMIT_MS)
        if not quick:
            found["million_seconds"] = sum(found[name]["sizes"][str(MILLION)]["seconds"] for name in LIMIT_MS)
            fits = fits and found["million_seconds"] <= LIMIT_MILLION
    found["within_limit"] = fits
    return found


def _raced(leg: Model, question: dict[str, Any], name: str, device: str, quick: bool) -> dict[str, Any]:
    """Time per design of the printed program and of the classic analysis, and how far they agree."""
    bounds = {
        length: (min(x * (1 - SPREAD), x * (1 + SPREAD)), max(x * (1 - SPREAD), x * (1 + SPREAD)))
        for length, x in LENGTHS.items()
    }
    asked: dict[str, Any] = {**question, "workers": 1}
    found: dict[str, Any] = {"limit_ms": LIMIT_MS[name], "sizes": {}}
    sizes = (500, 2_000) if quick else SIZES[device]

    def timed(count: int, **more: Any) -> dict[str, Any]:
        given = sample_designs(leg, bounds, count)
        wall, began = time.perf_counter(), time.process_time()
        data = designs(leg, given, device=device, **{**asked, **more})
        seconds = {"cpu_seconds": time.process_time() - began, "seconds": time.perf_counter() - wall}
        each = 1e3 * seconds["cpu_seconds" if device == "cpu" else "seconds"] / count
        return {**seconds, "ms_per_design": each, "good": int((data["failure"] == 0).sum())}

    timed(sizes[0])  # compiled before the clock runs
    found["sizes"] = {str(count): timed(count) for count in sizes}
    found["ms_per_design"] = found["sizes"][str(sizes[-1])]["ms_per_design"]
    plain, derived = {"measures": DERIVED[name]}, {"measures": DERIVED[name], "gradient": DERIVED[name]}
    for more in (plain, derived):
        timed(sizes[0], **more)
    each = [timed(sizes[-1], **more)["ms_per_design"] for more in (plain, derived)]
    found["gradient"] = {"measures": DERIVED[name], "ms_per_design": each[1], "over_plain": each[1] / each[0]}
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
    # a design that is no model has a reason of its own in the classic analysis
    found["same_verdicts"] = bool(((same["failure"].values == 0) == (classic["failure"].values == 0)).all())
    measured = [name for name in asked["measures"] if name != "cost_of_transport"]
    found["largest_difference"] = max(
        float(abs(same[name] - classic[name]).max() / abs(classic[name]).max()) for name in measured
    )
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
