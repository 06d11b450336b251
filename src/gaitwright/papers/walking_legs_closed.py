"""Both legs of paper 003 in closed form: the independent computation with which the runs are compared.

    joints    where two circles meet, one after another
    motion    derivatives by the angle of the crank, from the Fourier series of a turn (which the joints' curves are)
    torque    tau = dE / d(angle) at constant speed: the drive pays for the change of kinetic and potential energy
    bar       T = m (|u|^2 + u v + |v|^2) / 6, with the velocities u and v of its ends; as slender, J = m L^2 / 12

Nothing here knows the model, its equations or the analysis of legs, so that a leg with a wrong length, mass or inertia shows.
x and y are one complex number, x + i y. Clockwise, as in the thesis.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gaitwright.papers.walking_legs_data import CHEBYSHEV, DATA, GRAVITY, LEGS, OMEGA_TURNS, STIFFNESS

Array = np.ndarray
OMEGA = 2 * math.pi * OMEGA_TURNS
SAMPLES = 2**14
"""Of a turn: the step length comes out to 5e-5 m; derivatives converge with 2^10."""
FOOT = {leg: DATA[leg]["foot"] for leg in LEGS}


class Samples(NamedTuple):
    """A foot and the drive at equal steps through one turn: m, m/s, m/s2 (the size of it) and N m."""

    x: Array
    y: Array
    vx: Array
    vy: Array
    acceleration: Array
    torque: Array


def joints(leg: str, angle: Array, lengths: Mapping[str, Any] | None = None) -> dict[str, Array]:
    """Positions of the joints at angles of the crank (n,), m. lengths: by link, and base; those of the leg that runs unless
    given; numbers, or arrays (m, 1) of several legs at once. NaN where the leg cannot be assembled."""
    printed = LEGS[leg]
    length = {name: link[2] for name, link in printed.links.items()} | {"base": printed.base} | dict(lengths or {})
    between = {frozenset(link[:2]): length[name] for name, link in printed.links.items()}
    o2 = -np.sqrt(length["base"] ** 2 - printed.below**2) - 1j * printed.below
    still = np.ones_like(angle, complex)
    at = {"O1": 0 * still, "O2": o2 * still, "A": length["crank"] * np.exp(1j * angle)}
    for name, (a, b, side) in DATA[leg]["meets"].items():
        at[name] = _meet(at[a], at[b], between[frozenset((a, name))], between[frozenset((b, name))], side)
    if leg == CHEBYSHEV:  # A, B, C in line; the shank stays upright and the foot level
        at["C"] = at["B"] + (at["B"] - at["A"]) / length["L2"] * length["L4"]
        at["D"] = at["C"] - 1j * length["L5"]
        at["E"] = at["D"] + length["L6"]
    return at


def _meet(p: Array, q: Array, from_p: Any, from_q: Any, side: int) -> Array:
    """Where circles about p and q meet."""
    way = q - p
    square = np.abs(way) ** 2
    along = (square + from_p**2 - from_q**2) / (2 * square)
    return p + way * (along + 1j * side * np.sqrt(from_p**2 / square - along**2))


def _rate(values: Array) -> Array:
    """Derivative by time of what repeats with every turn, from equal steps through one."""
    n = values.shape[-1]
    derived = np.fft.ifft(1j * OMEGA * np.fft.fftfreq(n, 1 / n) * np.fft.fft(values))
    return derived if np.iscomplexobj(values) else derived.real


def one_turn(
    leg: str, lengths: Mapping[str, Any] | None = None, samples: int = SAMPLES, masses: Mapping[str, Any] | None = None
) -> Samples:
    """The foot and the torque of the drive in the air, clockwise from the angle 0, each (samples,), or (m, samples) of several
    legs at once. lengths, masses: m and kg, by link, where they are not those of the leg that runs."""
    at = joints(leg, -2 * math.pi * np.arange(samples) / samples, lengths)
    velocity = {name: _rate(z) for name, z in at.items()}
    mass = {name: link[3] for name, link in LEGS[leg].links.items()} | dict(masses or {})
    ends = {name: link[:2] for name, link in LEGS[leg].links.items()}
    energy = sum(_bar(mass[name], at[a], at[b], velocity[a], velocity[b]) for name, (a, b) in ends.items())
    foot, v = at[FOOT[leg]], velocity[FOOT[leg]]
    torque = -_rate(np.asarray(energy)) / OMEGA
    return Samples(np.real(foot), np.imag(foot), np.real(v), np.imag(v), np.abs(_rate(v)), torque)


def _bar(mass: Any, p: Array, q: Array, u: Array, v: Array) -> Array:
    """Energy of a slender bar from p to q, J."""
    kinetic = mass / 6 * (np.abs(u) ** 2 + np.real(u * v.conj()) + np.abs(v) ** 2)
    return kinetic + mass * GRAVITY * np.imag(p + q) / 2


def hip_height(leg: str) -> float:
    """m, over O1."""
    return {"O1": 0.0, "O2": -LEGS[leg].below}[DATA[leg]["hip"]]


def sampled_measures(of: Samples, hip: float, depth: float) -> dict[str, float]:
    """Numbers of Tables 4.3 and 4.4 as a script that looks at its samples would find them: SI units and %."""
    low = float(of.y.min())
    stance = of.y < low + depth
    swing = ~stance
    ahead = -float(of.vx[stance].mean())
    along = of.vx + ahead
    step, speed = 1 / OMEGA_TURNS / of.x.size, np.hypot(of.vx, of.vy)
    length, height, acceleration = np.ptp(of.x[stance]), np.ptp(of.y), of.acceleration
    found = {
        "step_length": length, "step_height": height, "curve_length": np.ptp(of.x), "leg_length": hip - low,
        "lifting": 100 * height / (hip - low), "straightness": 100 * length / np.ptp(of.x), "body_speed": ahead,
        "relative_swing_largest": np.abs(along[swing]).max(), "relative_stance_max": along[stance].max(),
        "relative_stance_min": along[stance].min(), "vx_largest": np.abs(of.vx).max(), "vy_least": of.vy[swing].min(),
        "over_middle_mean": speed.mean() - speed[0], "over_middle_greatest": speed.max() - speed[0],
        "over_middle_least": speed.min() - speed[0], "acceleration_mean": acceleration.mean(),
        "acceleration_swing_max": acceleration[swing].max(), "acceleration_swing_min": acceleration[swing].min(),
        "acceleration_stance_max": acceleration[stance].max(), "acceleration_stance_min": acceleration[stance].min(),
        "torque_swing_mean": abs(of.torque[swing].mean()), "torque_swing_max": of.torque[swing].max(),
        "torque_swing_min": of.torque[swing].min(), "energy_swing": np.abs(of.torque[swing] * OMEGA).sum() * step,
        "normal_mean": (STIFFNESS * np.maximum(low + depth - of.y, 0.0) ** 1.5).mean(),
    }  # fmt: skip
    return {name: float(value) for name, value in found.items()}


def closed_measures(leg: str, depth: float) -> dict[str, float]:
    """The same of the leg that runs, at a penetration (m)."""
    return sampled_measures(one_turn(leg), hip_height(leg), depth)


# the same without the error of samples, of many legs at once ---------------------------------------------------------

PRECISE_SAMPLES = 1024


def precise_measures(
    leg: str, depth: float, lengths: Mapping[str, Array], masses: Mapping[str, Array] | None = None
) -> dict[str, Array]:
    """The measures of `sampled_measures`, smooth in the lengths: stance ends where the foot crosses the ground, and extremes
    lie between samples. lengths, masses: m and kg, (m,) each. Returns (m,) each; NaN for a leg that cannot be assembled, or
    whose foot is not once per turn on the ground."""
    columns = {name: np.asarray(value)[:, None] for name, value in lengths.items()}
    weights = {name: np.asarray(value)[:, None] for name, value in (masses or {}).items()}
    with np.errstate(invalid="ignore"):
        of = one_turn(leg, columns, PRECISE_SAMPLES, weights)
    low = -_peak(-of.y, np.ones_like(of.y, bool))[0]
    edges = _stance_edges(of, low + depth)
    phases = _Phases(of, edges)
    hip, period = hip_height(leg), 1 / OMEGA_TURNS
    stance, swing = (edges[:, 1] - edges[:, 0]), period - (edges[:, 1] - edges[:, 0])
    ends = phases.at_edges(of.x)
    ahead = -(ends[:, 1] - ends[:, 0]) / stance
    along, speed = of.vx + ahead[:, None], np.hypot(of.vx, of.vy)
    everywhere, time_low = np.ones_like(of.y, bool), _peak(-of.y, np.ones_like(of.y, bool))[1]
    length = phases.most(of.x, True) + phases.most(-of.x, True)
    reach = _peak(of.x, everywhere)[0] + _peak(-of.x, everywhere)[0]
    height = _peak(of.y, everywhere)[0] - low
    swing_most, swing_least = phases.most(along, False), -phases.most(-along, False)
    stance_most, stance_least = phases.most(along, True), -phases.most(-along, True)
    square = of.acceleration**2  # smooth where the acceleration vanishes

    def root(values: Array) -> Array:
        return np.sqrt(np.maximum(values, 0.0))

    return {
        "step_length": length, "step_height": height, "curve_length": reach, "leg_length": hip - low,
        "lifting": 100 * height / (hip - low), "straightness": 100 * length / reach, "body_speed": ahead,
        "relative_turn_mean": ahead, "relative_swing_largest": np.maximum(swing_most, -swing_least),
        "relative_swing_range": swing_most - swing_least, "relative_stance_max": stance_most,
        "relative_stance_min": stance_least, "relative_stance_range": stance_most - stance_least,
        "relative_lowest": np.abs(_series_at(of.vx, time_low[:, None])[:, 0] + ahead),
        "vx_largest": np.maximum(_peak(of.vx, everywhere)[0], _peak(-of.vx, everywhere)[0]),
        "vy_least": -phases.most(-of.vy, False), "speed_mean": speed.mean(-1),
        "over_middle_mean": speed.mean(-1) - speed[:, 0], "over_middle_greatest": _peak(speed, everywhere)[0] - speed[:, 0],
        "over_middle_least": -_peak(-speed, everywhere)[0] - speed[:, 0],
        "acceleration_mean": of.acceleration.mean(-1),
        "acceleration_swing_max": root(phases.most(square, False)),
        "acceleration_swing_min": root(-phases.most(-square, False)),
        "acceleration_stance_max": root(phases.most(square, True)),
        "acceleration_stance_min": root(-phases.most(-square, True)),
        "torque_swing_mean": np.abs(phases.swing_integral(of.torque)) / swing,
        "torque_swing_max": phases.most(of.torque, False), "torque_swing_min": -phases.most(-of.torque, False),
        "energy_swing": phases.swing_integral(np.abs(of.torque)) * OMEGA,
        "normal_mean": (STIFFNESS * np.maximum((low + depth)[:, None] - of.y, 0.0) ** 1.5).mean(-1),
    }  # fmt: skip


def _series_at(values: Array, time: Array) -> Array:
    """A periodic series (m, n) at times (m, k), s: its Fourier series evaluated."""
    n = values.shape[-1]
    waves = np.exp(1j * OMEGA * np.fft.fftfreq(n, 1 / n)[None, None, :] * time[:, :, None])
    return np.real(np.einsum("mn,mkn->mk", np.fft.fft(values) / n, waves))


def _peak(values: Array, where: Array) -> tuple[Array, Array]:
    """Largest value (m,) among the samples that count, and its time, s: of the parabola through it and its neighbours."""
    n = values.shape[-1]
    k = np.argmax(np.where(where, values, -np.inf), axis=-1)[:, None]
    before, at, after = (np.take_along_axis(values, (k + by) % n, axis=-1)[:, 0] for by in (-1, 0, 1))
    bend = before - 2 * at + after
    aside = np.where(bend < 0, 0.5 * (before - after) / np.where(bend < 0, bend, 1.0), 0.0)
    top = np.abs(aside) <= 1.0  # else it is no peak but the end of a phase
    aside = np.where(top, aside, 0.0)
    return at - 0.25 * (before - after) * aside, (k[:, 0] + aside) / n / OMEGA_TURNS


def _stance_edges(of: Samples, ground: Array) -> Array:
    """Begin and end of stance, s, (m, 2): where the foot crosses the ground, by Newton's method on its Fourier series."""
    below = of.y < ground[:, None]
    begins, ends = ~below & np.roll(below, -1, axis=-1), below & ~np.roll(below, -1, axis=-1)
    once = (begins.sum(-1) == 1) & (ends.sum(-1) == 1)
    n = of.y.shape[-1]
    time = (np.stack([begins.argmax(-1), ends.argmax(-1)], axis=-1) + 0.5) / n / OMEGA_TURNS
    for _ in range(4):
        time = time - (_series_at(of.y, time) - ground[:, None]) / _series_at(of.vy, time)
    time[:, 1] += np.where(time[:, 1] < time[:, 0], 1 / OMEGA_TURNS, 0.0)
    return np.where(once[:, None], time, np.nan)


class _Phases:
    """Stance and swing of several legs: extremes and integrals that know where stance ends between two samples."""

    def __init__(self, of: Samples, edges: Array) -> None:
        n = of.y.shape[-1]
        self.edges, self.step = edges, 1 / n / OMEGA_TURNS
        begin = edges[:, :1]
        # each sample stands for a step around it; stance has a part of the two at its ends
        time = begin - 0.5 * self.step + np.mod(np.arange(n) * self.step - begin + 0.5 * self.step, 1 / OMEGA_TURNS)
        upper, lower = np.minimum(time + 0.5 * self.step, edges[:, 1:]), np.maximum(time - 0.5 * self.step, begin)
        self.share = np.clip((upper - lower) / self.step, 0.0, 1.0)
        self.inside = (time >= begin) & (time <= edges[:, 1:])

    def at_edges(self, values: Array) -> Array:
        return _series_at(values, self.edges)

    def most(self, values: Array, stance: bool) -> Array:
        """The largest value of a phase, its ends included."""
        inside = self.inside if stance else ~self.inside
        peak, time = _peak(values, inside)
        begin, end = self.edges.T
        late = np.mod(time - begin, 1 / OMEGA_TURNS) + begin
        in_stance = late <= end
        # a parabola that leaves the phase has its largest value at the end
        peak = np.where(in_stance == stance, peak, np.where(inside, values, -np.inf).max(-1))
        return np.maximum(peak, self.at_edges(values).max(-1))

    def swing_integral(self, values: Array) -> Array:
        return (values * (1.0 - self.share)).sum(-1) * self.step
