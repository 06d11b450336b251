"""Both legs of paper 003 in closed form: an independent computation for comparison with the runs.

    joints    successive intersections of circles
    motion    derivatives by the crank angle, from the Fourier series of a turn (the joint curves are periodic)
    torque    tau = dE / d(angle) at constant speed: the drive supplies the change of kinetic and potential energy
    bar       T = m (|u|^2 + u v + |v|^2) / 6, with the velocities u and v of its ends; as slender, J = m L^2 / 12

This module does not use the model, its equations or the leg analysis, so that a leg with a wrong length, mass or inertia is
detected. x and y are one complex number, x + i y. Clockwise, as in the thesis.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright_apps.reproductions.walking_legs_data import (
    CHEBYSHEV,
    CONTACT_STIFFNESS,
    GRAVITY_M_S2,
    PRINTED_LEGS,
    SHEET_DATA,
    TURNS_PER_SECOND,
)

Array = np.ndarray
CRANK_SPEED_RAD_S = 2 * math.pi * TURNS_PER_SECOND
TURN_SAMPLES = 2**14
"""Samples per turn: the step length is accurate to 5e-5 m; derivatives converge with 2^10."""
FOOT_POINTS = {leg: SHEET_DATA[leg]["foot"] for leg in PRINTED_LEGS}


class TurnSamples(NamedTuple):
    """Foot and drive at equal steps through one turn: m, m/s, m/s2 (magnitude) and N m."""

    x: Array
    y: Array
    vx: Array
    vy: Array
    acceleration: Array
    torque: Array


def joint_positions(leg: str, angle: Array, lengths: Mapping[str, Any] | None = None) -> dict[str, Array]:
    """Positions of the joints at crank angles (n,), m. lengths: by link, and base; default: those of the simulated
    leg; numbers, or arrays (m, 1) of several legs at once. NaN if the leg cannot be assembled."""
    printed = PRINTED_LEGS[leg]
    length = {name: link[2] for name, link in printed.links.items()} | {"base": printed.base} | dict(lengths or {})
    between = {frozenset(link[:2]): length[name] for name, link in printed.links.items()}
    o2 = -np.sqrt(length["base"] ** 2 - printed.below**2) - 1j * printed.below
    still = np.ones_like(angle, complex)
    positions = {"O1": 0 * still, "O2": o2 * still, "A": length["crank"] * np.exp(1j * angle)}
    for name, (a, b, side) in SHEET_DATA[leg]["meets"].items():
        positions[name] = _circle_intersection(
            positions[a], positions[b], between[frozenset((a, name))], between[frozenset((b, name))], side
        )
    if leg == CHEBYSHEV:  # A, B, C are collinear; the shank stays upright and the foot level
        positions["C"] = positions["B"] + (positions["B"] - positions["A"]) / length["L2"] * length["L4"]
        positions["D"] = positions["C"] - 1j * length["L5"]
        positions["E"] = positions["D"] + length["L6"]
    return positions


def _circle_intersection(p: Array, q: Array, from_p: Any, from_q: Any, side: int) -> Array:
    """Intersection of the circles about p and q."""
    offset = q - p
    square = np.abs(offset) ** 2
    fraction = (square + from_p**2 - from_q**2) / (2 * square)
    return p + offset * (fraction + 1j * side * np.sqrt(from_p**2 / square - fraction**2))


def _time_derivative(values: Array) -> Array:
    """Time derivative of a periodic quantity, from equal steps through one turn."""
    n = values.shape[-1]
    derived = np.fft.ifft(1j * CRANK_SPEED_RAD_S * np.fft.fftfreq(n, 1 / n) * np.fft.fft(values))
    return derived if np.iscomplexobj(values) else derived.real


def sample_turn(
    leg: str,
    lengths: Mapping[str, Any] | None = None,
    samples: int = TURN_SAMPLES,
    masses: Mapping[str, Any] | None = None,
) -> TurnSamples:
    """Foot and drive torque in the air, clockwise from the angle 0, each (samples,), or (m, samples) of several legs
    at once. lengths, masses: m and kg, by link, where they differ from those of the simulated leg."""
    positions = joint_positions(leg, -2 * math.pi * np.arange(samples) / samples, lengths)
    velocity = {name: _time_derivative(z) for name, z in positions.items()}
    mass = {name: link[3] for name, link in PRINTED_LEGS[leg].links.items()} | dict(masses or {})
    ends = {name: link[:2] for name, link in PRINTED_LEGS[leg].links.items()}
    energy = sum(
        _bar_energy(mass[name], positions[a], positions[b], velocity[a], velocity[b]) for name, (a, b) in ends.items()
    )
    foot, v = positions[FOOT_POINTS[leg]], velocity[FOOT_POINTS[leg]]
    torque = -_time_derivative(np.asarray(energy)) / CRANK_SPEED_RAD_S
    return TurnSamples(np.real(foot), np.imag(foot), np.real(v), np.imag(v), np.abs(_time_derivative(v)), torque)


def _bar_energy(mass: Any, p: Array, q: Array, u: Array, v: Array) -> Array:
    """Energy of a slender bar from p to q, J."""
    kinetic = mass / 6 * (np.abs(u) ** 2 + np.real(u * v.conj()) + np.abs(v) ** 2)
    return kinetic + mass * GRAVITY_M_S2 * np.imag(p + q) / 2


def hip_height(leg: str) -> float:
    """Height of the hip over O1, m."""
    return {"O1": 0.0, "O2": -PRINTED_LEGS[leg].below}[SHEET_DATA[leg]["hip"]]


def sampled_measures(samples: TurnSamples, hip: float, depth: float) -> dict[str, float]:
    """Numbers of Tables 4.3 and 4.4 from samples, as by a simple script: SI units and %."""
    low = float(samples.y.min())
    stance = samples.y < low + depth
    swing = ~stance
    body_speed = -float(samples.vx[stance].mean())
    ground_speed = samples.vx + body_speed
    step, speed = 1 / TURNS_PER_SECOND / samples.x.size, np.hypot(samples.vx, samples.vy)
    length, height, acceleration = np.ptp(samples.x[stance]), np.ptp(samples.y), samples.acceleration
    measures = {
        "step_length": length,
        "step_height": height,
        "curve_length": np.ptp(samples.x),
        "leg_length": hip - low,
        "lifting": 100 * height / (hip - low),
        "straightness": 100 * length / np.ptp(samples.x),
        "body_speed": body_speed,
        "relative_swing_largest": np.abs(ground_speed[swing]).max(),
        "relative_stance_max": ground_speed[stance].max(),
        "relative_stance_min": ground_speed[stance].min(),
        "vx_largest": np.abs(samples.vx).max(),
        "vy_least": samples.vy[swing].min(),
        "over_middle_mean": speed.mean() - speed[0],
        "over_middle_greatest": speed.max() - speed[0],
        "over_middle_least": speed.min() - speed[0],
        "acceleration_mean": acceleration.mean(),
        "acceleration_swing_max": acceleration[swing].max(),
        "acceleration_swing_min": acceleration[swing].min(),
        "acceleration_stance_max": acceleration[stance].max(),
        "acceleration_stance_min": acceleration[stance].min(),
        "torque_swing_mean": abs(samples.torque[swing].mean()),
        "torque_swing_max": samples.torque[swing].max(),
        "torque_swing_min": samples.torque[swing].min(),
        "energy_swing": np.abs(samples.torque[swing] * CRANK_SPEED_RAD_S).sum() * step,
        "normal_mean": (CONTACT_STIFFNESS * np.maximum(low + depth - samples.y, 0.0) ** 1.5).mean(),
    }
    return {name: float(value) for name, value in measures.items()}


def closed_form_measures(leg: str, depth: float) -> dict[str, float]:
    """The same for the simulated leg, at a penetration (m)."""
    return sampled_measures(sample_turn(leg), hip_height(leg), depth)


# the same without sampling error, for many legs at once ---------------------------------------------------------------

PRECISE_SAMPLES = 1024


def precise_measures(
    leg: str, depth: float, lengths: Mapping[str, Array], masses: Mapping[str, Array] | None = None
) -> dict[str, Array]:
    """Measures of `sampled_measures`, smooth in the lengths: stance ends at the exact crossing of the ground, and
    extremes may lie between samples. lengths, masses: m and kg, (m,) each. Returns (m,) each; NaN for a leg that
    cannot be assembled, or whose foot is not on the ground exactly once per turn."""
    columns = {name: np.asarray(value)[:, None] for name, value in lengths.items()}
    weights = {name: np.asarray(value)[:, None] for name, value in (masses or {}).items()}
    with np.errstate(invalid="ignore"):
        samples = sample_turn(leg, columns, PRECISE_SAMPLES, weights)
    low = -_parabolic_peak(-samples.y, np.ones_like(samples.y, bool))[0]
    edges = _stance_edges(samples, low + depth)
    phases = _Phases(samples, edges)
    hip, period = hip_height(leg), 1 / TURNS_PER_SECOND
    stance, swing = (edges[:, 1] - edges[:, 0]), period - (edges[:, 1] - edges[:, 0])
    ends = phases.at_edges(samples.x)
    body_speed = -(ends[:, 1] - ends[:, 0]) / stance
    ground_speed, speed = samples.vx + body_speed[:, None], np.hypot(samples.vx, samples.vy)
    everywhere, time_low = np.ones_like(samples.y, bool), _parabolic_peak(-samples.y, np.ones_like(samples.y, bool))[1]
    length = phases.most(samples.x, True) + phases.most(-samples.x, True)
    reach = _parabolic_peak(samples.x, everywhere)[0] + _parabolic_peak(-samples.x, everywhere)[0]
    height = _parabolic_peak(samples.y, everywhere)[0] - low
    swing_most, swing_least = phases.most(ground_speed, False), -phases.most(-ground_speed, False)
    stance_most, stance_least = phases.most(ground_speed, True), -phases.most(-ground_speed, True)
    square = samples.acceleration**2  # smooth at zero acceleration

    def root(values: Array) -> Array:
        return np.sqrt(np.maximum(values, 0.0))

    return {
        "step_length": length,
        "step_height": height,
        "curve_length": reach,
        "leg_length": hip - low,
        "lifting": 100 * height / (hip - low),
        "straightness": 100 * length / reach,
        "body_speed": body_speed,
        "relative_turn_mean": body_speed,
        "relative_swing_largest": np.maximum(swing_most, -swing_least),
        "relative_swing_range": swing_most - swing_least,
        "relative_stance_max": stance_most,
        "relative_stance_min": stance_least,
        "relative_stance_range": stance_most - stance_least,
        "relative_lowest": np.abs(_evaluate_series(samples.vx, time_low[:, None])[:, 0] + body_speed),
        "vx_largest": np.maximum(
            _parabolic_peak(samples.vx, everywhere)[0], _parabolic_peak(-samples.vx, everywhere)[0]
        ),
        "vy_least": -phases.most(-samples.vy, False),
        "speed_mean": speed.mean(-1),
        "over_middle_mean": speed.mean(-1) - speed[:, 0],
        "over_middle_greatest": _parabolic_peak(speed, everywhere)[0] - speed[:, 0],
        "over_middle_least": -_parabolic_peak(-speed, everywhere)[0] - speed[:, 0],
        "acceleration_mean": samples.acceleration.mean(-1),
        "acceleration_swing_max": root(phases.most(square, False)),
        "acceleration_swing_min": root(-phases.most(-square, False)),
        "acceleration_stance_max": root(phases.most(square, True)),
        "acceleration_stance_min": root(-phases.most(-square, True)),
        "torque_swing_mean": np.abs(phases.swing_integral(samples.torque)) / swing,
        "torque_swing_max": phases.most(samples.torque, False),
        "torque_swing_min": -phases.most(-samples.torque, False),
        "energy_swing": phases.swing_integral(np.abs(samples.torque)) * CRANK_SPEED_RAD_S,
        "normal_mean": (CONTACT_STIFFNESS * np.maximum((low + depth)[:, None] - samples.y, 0.0) ** 1.5).mean(-1),
    }


def _evaluate_series(values: Array, time: Array) -> Array:
    """Evaluate a periodic series (m, n) at times (m, k), s, by its Fourier series."""
    n = values.shape[-1]
    waves = np.exp(1j * CRANK_SPEED_RAD_S * np.fft.fftfreq(n, 1 / n)[None, None, :] * time[:, :, None])
    return np.real(np.einsum("mn,mkn->mk", np.fft.fft(values) / n, waves))


def _parabolic_peak(values: Array, where: Array) -> tuple[Array, Array]:
    """Largest value (m,) among the selected samples, and its time, s, from the parabola through it and its
    neighbours."""
    n = values.shape[-1]
    k = np.argmax(np.where(where, values, -np.inf), axis=-1)[:, None]
    before, at, after = (np.take_along_axis(values, (k + by) % n, axis=-1)[:, 0] for by in (-1, 0, 1))
    bend = before - 2 * at + after
    aside = np.where(bend < 0, 0.5 * (before - after) / np.where(bend < 0, bend, 1.0), 0.0)
    top = np.abs(aside) <= 1.0  # otherwise it is the end of a phase
    aside = np.where(top, aside, 0.0)
    return at - 0.25 * (before - after) * aside, (k[:, 0] + aside) / n / TURNS_PER_SECOND


def _stance_edges(samples: TurnSamples, ground: Array) -> Array:
    """Begin and end of stance, s, (m, 2): crossings of the ground, by Newton's method on the Fourier series of the
    foot."""
    below = samples.y < ground[:, None]
    begins, ends = ~below & np.roll(below, -1, axis=-1), below & ~np.roll(below, -1, axis=-1)
    once = (begins.sum(-1) == 1) & (ends.sum(-1) == 1)
    n = samples.y.shape[-1]
    time = (np.stack([begins.argmax(-1), ends.argmax(-1)], axis=-1) + 0.5) / n / TURNS_PER_SECOND
    for _ in range(4):
        time = time - (_evaluate_series(samples.y, time) - ground[:, None]) / _evaluate_series(samples.vy, time)
    time[:, 1] += np.where(time[:, 1] < time[:, 0], 1 / TURNS_PER_SECOND, 0.0)
    return np.where(once[:, None], time, np.nan)


class _Phases:
    """Stance and swing of several legs: extremes and integrals with sub-sample ends of stance."""

    def __init__(self, of: TurnSamples, edges: Array) -> None:
        n = of.y.shape[-1]
        self.edges, self.step = edges, 1 / n / TURNS_PER_SECOND
        begin = edges[:, :1]
        # each sample represents a step around it; stance contains a fraction of the two at its ends
        time = (
            begin - 0.5 * self.step + np.mod(np.arange(n) * self.step - begin + 0.5 * self.step, 1 / TURNS_PER_SECOND)
        )
        upper, lower = np.minimum(time + 0.5 * self.step, edges[:, 1:]), np.maximum(time - 0.5 * self.step, begin)
        self.share = np.clip((upper - lower) / self.step, 0.0, 1.0)
        self.inside = (time >= begin) & (time <= edges[:, 1:])

    def at_edges(self, values: Array) -> Array:
        return _evaluate_series(values, self.edges)

    def most(self, values: Array, stance: bool) -> Array:
        """Largest value of a phase, its ends included."""
        inside = self.inside if stance else ~self.inside
        peak, time = _parabolic_peak(values, inside)
        begin, end = self.edges.T
        late = np.mod(time - begin, 1 / TURNS_PER_SECOND) + begin
        in_stance = late <= end
        # a parabola with its peak outside of the phase has its largest value at the end
        peak = np.where(in_stance == stance, peak, np.where(inside, values, -np.inf).max(-1))
        return np.maximum(peak, self.at_edges(values).max(-1))

    def swing_integral(self, values: Array) -> Array:
        return (values * (1.0 - self.share)).sum(-1) * self.step
