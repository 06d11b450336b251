"""Stiffness and strength of a worn device: effective stiffness about a joint, and strain, stress, energy and fatigue margin of
its flexible parts.

    M(angle) = k (angle - neutral)          least squares where |M| is above a tenth of its peak;  k: effective stiffness
    margin = limit (1 - 0.1 lg cycles) / strain - 1

The effective stiffness is that of spring, frame and cuffs in series, so it is below the stiffness of the spring alone.

The fatigue rule is an assumption, not a result of tests: a strain limit of 1 % for carbon fibre in epoxy, a million cycles, and
a loss of a tenth of the strength per decade of cycles. State your material by the parameters `strain_limit` and `cycles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.series import splines
from gaitwright.wear.assistance import angle_of, joints_in
from gaitwright.wear.plausible import spring_stiffness

if TYPE_CHECKING:
    from gaitwright.wear.worn import Worn

STRAIN_LIMIT, CYCLES, LOSS_PER_DECADE = 0.010, 1e6, 0.1
"""Assumptions: strain that carbon fibre in epoxy bears once, cycles of its life, and loss of strength per decade of them."""
LOADED = 0.1
"""Share of the peak moment above which samples determine the effective stiffness."""
MIN_SAMPLES = 5
MIN_FIT = 0.8
"""R^2 below which the moment is not a function of the angle, as with a motor or a spring across several joints."""
MIN_SHARE = 0.2
"""Share of the largest device moment below which a joint gets no effective stiffness."""


class EffectiveStiffness(NamedTuple):
    """Of a device about one joint. stiffness: N m/rad, None if its moment is not a function of the angle. fit: R^2 of the line.
    spring: N m/rad of the device's only spring, None if it has none or several. peak: N m, largest moment."""

    joint: str
    stiffness: float | None
    fit: float
    spring: float | None
    peak: float


class FlexiblePart(NamedTuple):
    """A beam of a device in the motion. name: with the side before it. strain, stress (Pa), energy (J): the largest.
    fatigue_margin: see `fatigue_margin`; below zero it breaks within the cycles. strain_limit, cycles: used for the margin.
    assumed: the names of those that the device does not state."""

    name: str
    strain: float
    stress: float
    energy: float
    fatigue_margin: float
    strain_limit: float
    cycles: float
    assumed: tuple[str, ...]


def moment_angle(worn: Worn, joint: str) -> tuple[np.ndarray, np.ndarray]:
    """Angle of a joint, such as right_ankle, and moment of the device there over the motion: (n,), rad, and (n,), N m. The
    moment is positive where it supports extensors or plantar flexors."""
    known = joints_in(worn.moments)
    At("moment_angle", "joint").one_of(joint, known, "is no joint")
    moment = (worn.moments[f"{joint}_moment"] - worn.moments_with[f"{joint}_moment"]).to_numpy()
    return worn.angles[angle_of(joint)].to_numpy(), moment * worn.motion.skeleton.subject.mass


def effective_stiffness(worn: Worn) -> list[EffectiveStiffness]:
    """About the joints on which the device acts, largest moment first."""
    curves = {joint: moment_angle(worn, joint) for joint in joints_in(worn.moments)}
    peaks = {joint: float(np.nanmax(np.abs(moment), initial=0.0)) for joint, (_, moment) in curves.items()}
    largest = max(peaks.values(), default=0.0)
    springs = spring_stiffness(worn.device)
    spring = springs[0] if len(springs) == 1 else None
    found = []
    for joint in sorted(peaks, key=lambda name: -peaks[name]):
        if peaks[joint] <= max(MIN_SHARE * largest, 1e-9):
            continue
        slope, fit = _line(*curves[joint], LOADED * peaks[joint])
        found.append(EffectiveStiffness(joint, slope if fit >= MIN_FIT else None, fit, spring, peaks[joint]))
    return found


def _line(angle: np.ndarray, moment: np.ndarray, least: float) -> tuple[float, float]:
    """Slope of moment over angle and R^2, where the magnitude of the moment is above `least`."""
    loaded = np.isfinite(angle) & np.isfinite(moment) & (np.abs(moment) > least)
    x, y = angle[loaded], moment[loaded]
    if x.size < MIN_SAMPLES or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return 0.0, 0.0
    dx, dy = x - x.mean(), y - y.mean()
    return float(abs(dx @ dy / (dx @ dx))), float((dx @ dy) ** 2 / ((dx @ dx) * (dy @ dy)))


def flexible_parts(worn: Worn) -> list[FlexiblePart]:
    """Beams of the device, on every side."""
    document = worn.device.document
    parameters = resolve_parameters(document.parameters, splines(document.series))
    usual = {"strain_limit": STRAIN_LIMIT, "cycles": CYCLES}
    assumed = tuple(name for name in usual if name not in parameters)
    limit, cycles = (float(parameters.get(name, value)) for name, value in usual.items())
    parts = []
    for side in worn.sides.values():
        for beam in side.run.mechanism.beams:
            if f"{beam}.max_strain" not in side.run.catalogue:
                continue
            strain, stress = (float(np.abs(side.output(f"{beam}.max_{what}")).max()) for what in ("strain", "stress"))
            name = f"{side.side}_{beam}" if side.side else beam
            margin = fatigue_margin(strain, limit, cycles)
            energy = float(side.output(f"{beam}.strain_energy").max())
            parts.append(FlexiblePart(name, strain, stress, energy, margin, limit, cycles, assumed))
    return parts


def fatigue_margin(strain: float, strain_limit: float = STRAIN_LIMIT, cycles: float = CYCLES) -> float:
    """Additional strain that a carbon blade bears, relative to the present one: limit (1 - 0.1 lg cycles) / strain - 1.

    strain: largest in a cycle. strain_limit: strain that it bears once. Below zero it breaks within the cycles. The rule is an
    assumption, see this module's description."""
    at = At("fatigue_margin")
    at["strain_limit"].positive(strain_limit, "m/m")
    if not cycles >= 1:
        at["cycles"].fail("is no number of cycles", cycles, "1 or more")
    left = strain_limit * max(1.0 - LOSS_PER_DECADE * float(np.log10(cycles)), 0.0)
    return left / strain - 1.0 if strain > 0 else float("inf")
