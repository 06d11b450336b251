"""P1: Theo Jansen's leg, 11 links, 33 coordinates and 33 constraints, 3.25 turns of the crank in steps of 1 ms.

Generalized-alpha with spectral radius 0.8 on both sides, same step. Exudyn is timed with each of its good settings; the fastest
one counts, even if its error is larger than ours. Its time is that of SolveDynamic, without storing. Ours is `integration`, the
same work (setup, initial accelerations, all steps; the first and the last are stored); the same with every step stored; and
`whole call`, that is Model.simulate with every step stored: reading the model, start pose, integration, energies and evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gaitwright.mechanisms.jansen import DRAWN_POINTS, LINKS
from gaitwright.model.model import Model
from gaitwright.result.energy_balance import EnergyBalance
from gaitwright.result.outputs import StateHistory
from gaitwright_apps.benchmarks.exudyn_peer import (
    ALL_SETTINGS,
    DEFAULT_NEWTON_RTOL,
    ExudynPeer,
    ExudynSetting,
    is_available,
)
from gaitwright_apps.benchmarks.timing import time_alternately, time_call

STEP_S = 1e-3
O2_POSITION_M = (-38 * 0.1 / 15, -7.8 * 0.1 / 15)
LINK_DENSITY_KG_PER_M = 0.25  # kg/m
CRANK_SPEED_RAD_S = 2 * np.pi  # rad/s, counter-clockwise
MAX_RHS_MICROSECONDS = 5.0
"""Time limit of rk4 per right-hand side, microseconds."""
ERROR_ROUNDING = {"foot_error": 1e-14, "torque_error": 1e-9, "position_violation": 1e-14}
"""Errors that must not exceed Exudyn's, and their rounding level (m, N m, m). The torque error of both is that of
the scheme and agrees to four digits."""


def p1_model() -> Model:
    leg = Model("P1 Theo Jansen")
    leg.ground_point("O1", 0.0, 0.0).ground_point("O2", *O2_POSITION_M)
    for name, position in DRAWN_POINTS.items():
        leg.point(name, *position)
    for name, (start, end, length, _) in LINKS.items():
        leg.link(name, start, end, length=length, mass=LINK_DENSITY_KG_PER_M * length)
    return leg.drive.rotation("crank", "2*pi*t")


def exact_foot_curve(t: np.ndarray) -> np.ndarray:
    """Exact foot curve by intersections of circles, (n_times, 2), m."""
    L = {name: length for name, (_, _, length, _) in LINKS.items()}

    def meet(p: np.ndarray, r_p: float, q: np.ndarray, r_q: float) -> np.ndarray:
        """Intersection of two circles to the left of the line from p to q."""
        d = q - p
        D = np.hypot(d[:, 0], d[:, 1])[:, None]
        a = (r_p**2 - r_q**2 + D**2) / (2 * D)
        normal = np.stack([-d[:, 1], d[:, 0]], axis=1) / D
        return p + a * d / D + np.sqrt(r_p**2 - a**2) * normal

    A = 0.1 * np.stack([np.cos(CRANK_SPEED_RAD_S * t), np.sin(CRANK_SPEED_RAD_S * t)], axis=1)
    O = np.tile(O2_POSITION_M, (t.size, 1))
    B = meet(O, L["L3"], A, L["L2"])
    D = meet(A, L["L6"], O, L["L7"])
    C = meet(O, L["L5"], B, L["L4"])
    E = meet(D, L["L9"], C, L["L8"])
    return meet(D, L["L10"], E, L["L11"])


def measure(quick: bool) -> dict[str, Any]:
    until = 0.25 if quick else 3.25
    repeats = 2 if quick else 15
    steps = round(until / STEP_S)
    leg = p1_model()
    options: dict[str, Any] = {"step": STEP_S, "method": "generalized-alpha", "spectral_radius": 0.8}
    run = leg.simulate(until, **options)
    candidates = {
        "integration": lambda: leg.simulate(until, every=steps, **options).evidence.wall_seconds,
        "all stored": lambda: leg.simulate(until, **options).evidence.wall_seconds,
        "whole call": time_call(lambda: leg.simulate(until, **options)),
    }
    exact = leg.inverse(times=run.time)
    ours = measure_errors(run.mechanism, run.time, run.motion.q, run.array("crank.torque"), exact)
    ours["newton_per_step"] = run.evidence.newton_iterations / steps
    details: dict[str, Any] = {"until": until, "step": STEP_S, "steps": steps, "ours": ours, "ratios": {}}
    if not is_available():
        best = time_alternately(candidates, repeats)
    else:
        peers = fastest_settings(leg, until, steps, ALL_SETTINGS[:2] if quick else ALL_SETTINGS)
        best = time_alternately(candidates | {label: timed for label, (timed, _) in peers.items()}, repeats)
        label = min(peers, key=lambda name: best[name])
        details["exudyn"] = {"setting": label, "seconds": best[label], "settings": {k: best[k] for k in peers}}
        details["exudyn"] |= exudyn_errors(peers[label][1], leg, until, steps, exact)
        details["ratios"] = {"P1": best[label] / best["integration"]}
        details["ratio_all_stored"] = best[label] / best["all stored"]
        details["ratio_whole_call"] = best[label] / best["whole call"]
        default = [best[k] for k, (_, setting) in peers.items() if setting.tolerance == DEFAULT_NEWTON_RTOL]
        details["ratio_default_tolerance"] = min(default) / best["integration"] if default else None
        details["error_not_larger"] = {name: is_not_larger(ours, details["exudyn"], name) for name in ERROR_ROUNDING}
    ours |= {f"{name.replace(' ', '_')}_seconds": best[name] for name in candidates}
    ours["us_per_step"] = 1e6 * best["integration"] / steps
    details["rk4"] = measure_right_hand_side(leg, until, repeats)
    return details


def measure_errors(mechanism: Any, t: np.ndarray, q: np.ndarray, torque: np.ndarray, exact: Any) -> dict[str, float]:
    """Errors of the foot relative to the closed form at the end and over the run, of the drive torque relative to
    inverse dynamics, and largest |Phi|."""
    multipliers, nothing = np.zeros((t.size, mechanism.system.m_all)), np.zeros((t.size, 0))
    motion = StateHistory(t, q, 0 * q, 0 * q, multipliers, multipliers[:, :1], nothing)
    foot = exact_foot_curve(t)
    computed = foot_positions(mechanism, q)
    miss = np.linalg.norm(computed - foot, axis=1)
    errors = np.abs(torque - exact.array("crank.torque"))
    return {
        "foot_error": float(miss[-1]),
        "max_foot_error": float(miss.max()),
        "torque_error": float(np.sqrt(np.mean(errors**2))),
        "max_torque_error": float(errors.max()),
        "position_violation": float(np.abs(EnergyBalance(mechanism, motion).phi).max()),
    }


def foot_positions(mechanism: Any, q: np.ndarray) -> np.ndarray:
    body = mechanism.body_names["L11"]
    (x, y), i = body.points["F"], body.index
    c, s = np.cos(q[:, i[2]]), np.sin(q[:, i[2]])
    return np.stack([q[:, i[0]] + c * x - s * y, q[:, i[1]] + s * x + c * y], axis=1)


def fastest_settings(
    leg: Model, until: float, steps: int, settings: list[ExudynSetting]
) -> dict[str, tuple[Callable[[], float], ExudynSetting]]:
    """Exudyn with the two settings that were fastest in a first run of each, and with the fastest at its default
    tolerance."""
    tried: list[tuple[float, ExudynSetting, Callable[[], float]]] = []
    mechanism = leg.mechanism()
    begin = leg.assemble()
    for setting in settings:
        peer = ExudynPeer(mechanism, begin, CRANK_SPEED_RAD_S)
        chosen = peer.settings(until, steps, setting)

        def timed(peer: ExudynPeer = peer, chosen: Any = chosen) -> float:
            return peer.solve(chosen)

        try:
            tried.append((timed(), setting, timed))
        except Exception:  # Exudyn raises plain exceptions when a solver fails; such a setting is skipped
            continue
    tried.sort(key=lambda item: item[0])
    default = [item for item in tried if item[1].tolerance == DEFAULT_NEWTON_RTOL]
    return {str(setting): (timed, setting) for _, setting, timed in tried[:2] + default[:1]}


def exudyn_errors(setting: ExudynSetting, leg: Model, until: float, steps: int, exact: Any) -> dict[str, float]:
    """Errors of Exudyn with a setting, from a separate run that stores every step."""
    mechanism = leg.mechanism()
    peer = ExudynPeer(mechanism, leg.assemble(), CRANK_SPEED_RAD_S, record=True)
    peer.solve(peer.settings(until, steps, setting))
    t, q, torque = peer.recorded()
    q = np.column_stack([q, np.zeros(t.size)])
    return {**measure_errors(mechanism, t, q, torque, exact), "newton_per_step": peer.newton_iterations() / steps}


def is_not_larger(ours: dict[str, float], theirs: dict[str, float], name: str) -> bool:
    return ours[name] <= 1.001 * theirs[name] + ERROR_ROUNDING[name]


def measure_right_hand_side(leg: Model, until: float, repeats: int) -> dict[str, Any]:
    """Microseconds per evaluation of the accelerations in rk4: alone, and with the projection after every step."""

    def per_evaluation(stabilisation: str) -> Callable[[], float]:
        def timed() -> float:
            evidence = leg.simulate(until, step=STEP_S, method="rk4", stabilisation=stabilisation, every=10**9).evidence
            return evidence.wall_seconds / evidence.evaluations

        return timed

    best = time_alternately({name: per_evaluation(name) for name in ("none", "baumgarte", "projection")}, repeats)
    details: dict[str, Any] = {f"us_per_evaluation_{name}": 1e6 * value for name, value in best.items()}
    details |= {"limit": MAX_RHS_MICROSECONDS, "within_limit": 1e6 * best["none"] <= MAX_RHS_MICROSECONDS}
    if is_available():
        details["exudyn"] = measure_exudyn_explicit(leg, until)
    return details


def measure_exudyn_explicit(leg: Model, until: float) -> str:
    """Microseconds per evaluation of Exudyn's RK44 on P1, or its error message."""
    peer = ExudynPeer(leg.mechanism(), leg.assemble(), CRANK_SPEED_RAD_S)
    steps = round(until / STEP_S)
    try:
        took = peer.solve(peer.settings(until, steps, ALL_SETTINGS[0]), "RK44")
    except Exception as error:  # the peer's own type of error is a plain exception
        return str(error).partition("[Python")[0].strip().splitlines()[0]
    return f"{1e6 * took / (4 * steps):.1f} us"
