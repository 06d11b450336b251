"""How the cost grows with the number of loops: chains of 1, 10, 100, 1000 four-bars that all move.

Per chain: seconds to describe the model, to turn it into tables, to find the start pose (assembly and velocities) and
to analyse the sparsity of the step (symbolic), and microseconds per step of generalized-alpha. Exudyn takes the same
steps with its sparse solver. The exponent is that of time per step ~ loops^p, over the chains from 10 loops on, where
fixed costs per step no longer count; 1 is linear.
"""

from __future__ import annotations

import math
import time
from typing import Any

from gaitwright.analyse.forward import simulate
from gaitwright.analyse.start import Start, start
from gaitwright.bench.clock import alternate, exponent, seconds
from gaitwright.bench.exudyn_peer import Peer, Setting, available
from gaitwright.mechanisms.four_bar import four_bar_chain
from gaitwright.system.kkt import kkt
from gaitwright.system.mechanism import Mechanism

STEP = 1e-3
STEPS = {1: 4000, 10: 2000, 100: 500, 1000: 200}
"""Loops, and steps that are timed."""
EXUDYN_STEPS = {1: 1000, 10: 500, 100: 100, 1000: 10}
SPEED = 2 * math.pi
PEER = [Setting("EigenSparse", False, tolerance) for tolerance in (1e-8, 1e-4)]


def measure(quick: bool) -> dict[str, Any]:
    sizes = [1, 10] if quick else list(STEPS)
    four_bar_chain(1).simulate(0.01, step=STEP)  # compiles or loads the machine code
    chains = {loops: chain(loops, 1 if quick else max(3, 12 // len(str(loops)))) for loops in sizes}
    details: dict[str, Any] = {"loops": sizes, "step": STEP, "chains": chains, "ratios": {}}
    large = [loops for loops in sizes if loops >= 10] if len(sizes) > 2 else sizes
    for name in ("us_per_step", "tables_seconds", "start_seconds", "symbolic_seconds", "whole_call_seconds"):
        details[f"exponent_{name.removesuffix('_seconds')}"] = exponent(large, [chains[k][name] for k in large])
    if available():
        peers = [chains[k]["exudyn_us_per_step"] for k in large]
        details["exponent_exudyn_us_per_step"] = exponent(large, peers)
        for loops in sizes:
            ratio = chains[loops]["exudyn_us_per_step"] / chains[loops]["us_per_step"]
            details["ratios"][f"chain-{loops}"] = ratio
    return details


def swing(t: float) -> float:
    """The drive of four_bar_chain."""
    return math.pi / 2 + math.pi / 6 * math.sin(SPEED * t)


def chain(loops: int, repeats: int) -> dict[str, Any]:
    """All times of one chain."""
    began = time.perf_counter()
    model = four_bar_chain(loops, speed=SPEED)
    described = time.perf_counter() - began
    mechanism = model.mechanism()
    begin = start(mechanism)
    steps = STEPS[loops]
    last = simulate(mechanism, steps * STEP, step=STEP, begin=begin, every=steps, method="generalized-alpha")
    candidates = {
        "tables": seconds(model.mechanism),
        "start": seconds(lambda: start(mechanism)),
        "symbolic": seconds(lambda: kkt(mechanism.system, tangent=True)),
        "one step": lambda: integration(mechanism, begin, 1),
        "all steps": lambda: integration(mechanism, begin, steps),
        "whole call": seconds(lambda: model.simulate(100 * STEP, step=STEP, every=10, method="generalized-alpha")),
    }
    if available():
        peers = [Peer(mechanism, begin, swing) for _ in PEER]
        few = EXUDYN_STEPS[loops]
        for peer, setting in zip(peers, PEER, strict=True):
            for name, count in (("one step", 1), ("all steps", few)):
                chosen = peer.settings(count * STEP, count, setting)
                candidates[f"exudyn {setting} {name}"] = lambda peer=peer, chosen=chosen: peer.solve(chosen)
    best = alternate(candidates, repeats)
    found = {f"{name.replace(' ', '_')}_seconds": best[name] for name in ("tables", "start", "symbolic", "whole call")}
    found |= {
        "coordinates": mechanism.n,
        "model_seconds": described,
        "steps": steps,
        "us_per_step": 1e6 * (best["all steps"] - best["one step"]) / (steps - 1),
        "newton_per_step": last.evidence.newton_iterations / steps,
        "position_violation": last.evidence.max_position_violation,
    }
    if available():
        few = EXUDYN_STEPS[loops]
        each = {str(s): best[f"exudyn {s} all steps"] - best[f"exudyn {s} one step"] for s in PEER}
        setting = min(each, key=lambda name: each[name])
        found |= {"exudyn_us_per_step": 1e6 * each[setting] / (few - 1), "exudyn_setting": setting}
    return found


def integration(mechanism: Mechanism, begin: Start, steps: int) -> float:
    """Seconds for a number of steps, of which only the last is stored."""
    run = simulate(mechanism, steps * STEP, step=STEP, begin=begin, every=steps, method="generalized-alpha")
    return run.evidence.wall_seconds
