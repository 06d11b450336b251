"""Both legs of paper 003 in closed form, from the lengths and masses that Table 4.2 prints: what the runs are held against.

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
from typing import NamedTuple

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


def joints(leg: str, angle: Array, lengths: Mapping[str, float] | None = None) -> dict[str, Array]:
    """Where the joints are at angles of the crank, m. lengths: by link, and base; as printed unless given. NaN where the leg
    cannot be assembled."""
    printed = LEGS[leg]
    length = {name: link[2] for name, link in printed.links.items()} | {"base": printed.base} | dict(lengths or {})
    between = {frozenset(link[:2]): length[name] for name, link in printed.links.items()}
    o2 = -math.sqrt(length["base"] ** 2 - printed.below**2) - 1j * printed.below
    still = np.ones_like(angle, complex)
    at = {"O1": 0 * still, "O2": o2 * still, "A": length["crank"] * np.exp(1j * angle)}
    for name, (a, b, side) in DATA[leg]["meets"].items():
        at[name] = _meet(at[a], at[b], between[frozenset((a, name))], between[frozenset((b, name))], side)
    if leg == CHEBYSHEV:  # A, B, C in line; the shank stays upright and the foot level
        at["C"] = at["B"] + (at["B"] - at["A"]) / length["L2"] * length["L4"]
        at["D"] = at["C"] - 1j * length["L5"]
        at["E"] = at["D"] + length["L6"]
    return at


def _meet(p: Array, q: Array, from_p: float, from_q: float, side: int) -> Array:
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


def one_turn(leg: str, lengths: Mapping[str, float] | None = None, samples: int = SAMPLES) -> Samples:
    """The foot and the torque of the drive in the air, clockwise from the angle 0."""
    at = joints(leg, -2 * math.pi * np.arange(samples) / samples, lengths)
    velocity = {name: _rate(z) for name, z in at.items()}
    energy = sum(_bar(mass, at[a], at[b], velocity[a], velocity[b]) for a, b, _, mass in LEGS[leg].links.values())
    foot, v = at[FOOT[leg]], velocity[FOOT[leg]]
    torque = -_rate(np.asarray(energy)) / OMEGA
    return Samples(np.real(foot), np.imag(foot), np.real(v), np.imag(v), np.abs(_rate(v)), torque)


def _bar(mass: float, p: Array, q: Array, u: Array, v: Array) -> Array:
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
    step = 1 / OMEGA_TURNS / of.x.size
    length, height, acceleration = np.ptp(of.x[stance]), np.ptp(of.y), of.acceleration
    found = {
        "step_length": length, "step_height": height, "curve_length": np.ptp(of.x), "leg_length": hip - low,
        "lifting": 100 * height / (hip - low), "straightness": 100 * length / np.ptp(of.x), "body_speed": ahead,
        "relative_swing_largest": np.abs(along[swing]).max(), "relative_stance_max": along[stance].max(),
        "relative_stance_min": along[stance].min(), "vx_largest": np.abs(of.vx).max(), "vy_least": of.vy[swing].min(),
        "acceleration_mean": acceleration.mean(),
        "acceleration_swing_max": acceleration[swing].max(), "acceleration_swing_min": acceleration[swing].min(),
        "acceleration_stance_max": acceleration[stance].max(), "acceleration_stance_min": acceleration[stance].min(),
        "torque_swing_mean": abs(of.torque[swing].mean()), "torque_swing_max": of.torque[swing].max(),
        "torque_swing_min": of.torque[swing].min(), "energy_swing": np.abs(of.torque[swing] * OMEGA).sum() * step,
        "normal_mean": (STIFFNESS * np.maximum(low + depth - of.y, 0.0) ** 1.5).mean(),
    }  # fmt: skip
    return {name: float(value) for name, value in found.items()}


def closed_measures(leg: str, depth: float) -> dict[str, float]:
    """The same of a leg as printed, at a penetration (m)."""
    return sampled_measures(one_turn(leg), hip_height(leg), depth)
