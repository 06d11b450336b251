"""Growth of the cost with the number of loops: chains of 1, 10, 100, 1000 moving four-bars.

Per chain: seconds to build the model, to convert it to tables, to find the start pose (assembly and velocities) and to analyse
the sparsity of the step (symbolic), and microseconds per step of generalized-alpha. Exudyn takes the same steps with its sparse
solver. The exponent p of time per step ~ loops^p is fitted to chains from 10 loops on, where fixed costs per step no longer
matter; 1 is linear.
"""

from __future__ import annotations

import math
import time
from typing import Any

from gaitwright.analysis.forward import simulate
from gaitwright.analysis.start_state import StartState, find_start
from gaitwright.mechanism.kkt import build_kkt
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanisms.four_bar import four_bar_chain
from gaitwright.model.model import model_of_document
from gaitwright_apps.benchmarks.exudyn_peer import ExudynPeer, ExudynSetting, is_available
from gaitwright_apps.benchmarks.timing import cost_exponent, time_alternately, time_call

STEP_S = 1e-3
STEPS_BY_LOOPS = {1: 4000, 10: 2000, 100: 500, 1000: 200}
"""Number of timed steps by number of loops."""
EXUDYN_STEPS_BY_LOOPS = {1: 1000, 10: 500, 100: 100, 1000: 10}
CRANK_SPEED_RAD_S = 2 * math.pi
EXUDYN_SETTINGS = [ExudynSetting("EigenSparse", False, tolerance) for tolerance in (1e-8, 1e-4)]


def measure(quick: bool) -> dict[str, Any]:
    sizes = [1, 10] if quick else list(STEPS_BY_LOOPS)
    four_bar_chain(1).simulate(0.01, step=STEP_S)  # compiles or loads the machine code
    chains = {loops: measure_chain(loops, 1 if quick else max(3, 12 // len(str(loops)))) for loops in sizes}
    details: dict[str, Any] = {"loops": sizes, "step": STEP_S, "chains": chains, "ratios": {}}
    large = [loops for loops in sizes if loops >= 10] if len(sizes) > 2 else sizes
    for name in ("us_per_step", "tables_seconds", "start_seconds", "symbolic_seconds", "whole_call_seconds"):
        details[f"exponent_{name.removesuffix('_seconds')}"] = cost_exponent(large, [chains[k][name] for k in large])
    if is_available():
        peers = [chains[k]["exudyn_us_per_step"] for k in large]
        details["exponent_exudyn_us_per_step"] = cost_exponent(large, peers)
        for loops in sizes:
            ratio = chains[loops]["exudyn_us_per_step"] / chains[loops]["us_per_step"]
            details["ratios"][f"chain-{loops}"] = ratio
    return details


def crank_angle(t: float) -> float:
    """Crank angle of four_bar_chain, rad."""
    return math.pi / 2 + math.pi / 6 * math.sin(CRANK_SPEED_RAD_S * t)


def measure_chain(loops: int, repeats: int) -> dict[str, Any]:
    """All times of one chain."""
    began = time.perf_counter()
    model = four_bar_chain(loops, speed=CRANK_SPEED_RAD_S)
    described = time.perf_counter() - began
    mechanism = model.mechanism()
    begin = find_start(mechanism)
    steps = STEPS_BY_LOOPS[loops]
    last = simulate(mechanism, steps * STEP_S, step=STEP_S, begin=begin, every=steps, method="generalized-alpha")
    candidates = {
        "tables": time_call(lambda: model_of_document(model.document).mechanism().system),
        "start": time_call(lambda: find_start(mechanism)),
        "symbolic": time_call(lambda: build_kkt(mechanism.system, tangent=True)),
        "one step": lambda: time_integration(mechanism, begin, 1),
        "all steps": lambda: time_integration(mechanism, begin, steps),
        "whole call": time_call(
            lambda: model.simulate(100 * STEP_S, step=STEP_S, every=10, method="generalized-alpha")
        ),
    }
    if is_available():
        peers = [ExudynPeer(mechanism, begin, crank_angle) for _ in EXUDYN_SETTINGS]
        step_count = EXUDYN_STEPS_BY_LOOPS[loops]
        for peer, setting in zip(peers, EXUDYN_SETTINGS, strict=True):
            for name, count in (("one step", 1), ("all steps", step_count)):
                chosen = peer.settings(count * STEP_S, count, setting)
                candidates[f"exudyn {setting} {name}"] = lambda peer=peer, chosen=chosen: peer.solve(chosen)
    best = time_alternately(candidates, repeats)
    details = {
        f"{name.replace(' ', '_')}_seconds": best[name] for name in ("tables", "start", "symbolic", "whole call")
    }
    details |= {
        "coordinates": mechanism.n,
        "model_seconds": described,
        "steps": steps,
        "us_per_step": 1e6 * (best["all steps"] - best["one step"]) / (steps - 1),
        "newton_per_step": last.evidence.newton_iterations / steps,
        "position_violation": last.evidence.max_position_violation,
    }
    if is_available():
        step_count = EXUDYN_STEPS_BY_LOOPS[loops]
        times_per_setting = {
            str(s): best[f"exudyn {s} all steps"] - best[f"exudyn {s} one step"] for s in EXUDYN_SETTINGS
        }
        setting = min(times_per_setting, key=lambda name: times_per_setting[name])
        details |= {
            "exudyn_us_per_step": 1e6 * times_per_setting[setting] / (step_count - 1),
            "exudyn_setting": setting,
        }
    return details


def time_integration(mechanism: Mechanism, begin: StartState, steps: int) -> float:
    """Seconds for a number of steps, of which only the last is stored."""
    run = simulate(mechanism, steps * STEP_S, step=STEP_S, begin=begin, every=steps, method="generalized-alpha")
    return run.evidence.wall_seconds
