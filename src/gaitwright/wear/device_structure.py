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

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.series import build_splines
from gaitwright.wear.assistance import joint_names, sagittal_angle_name
from gaitwright.wear.plausibility import joint_spring_stiffnesses

if TYPE_CHECKING:
    from gaitwright.wear.device_result import DeviceResult

DEFAULT_STRAIN_LIMIT, DEFAULT_FATIGUE_CYCLES, STRENGTH_LOSS_PER_DECADE = 0.010, 1e6, 0.1
"""Assumptions: static strain limit of carbon fibre in epoxy, cycles of its life, and loss of strength per decade of cycles."""
MIN_SAMPLE_RATIO = 0.1
"""Moment of a sample over the peak moment above which the sample is used for the effective stiffness."""
MIN_SAMPLES = 5
MIN_FIT_R2 = 0.8
"""R^2 below which the moment does not count as a function of the angle, as with a motor or a spring across several joints."""
MIN_JOINT_RATIO = 0.2
"""Peak moment about a joint over the largest one of the device up to which the joint has no effective stiffness."""


class EffectiveStiffness(NamedTuple):
    """Stiffness of a device about one joint: N m/rad, None if the moment is not a function of the angle. fit: R^2 of the line.
    spring: N m/rad of the device's only spring, None if it has none or several. peak: N m, largest moment."""

    joint: str
    stiffness: float | None
    fit: float
    spring: float | None
    peak: float


class FlexiblePart(NamedTuple):
    """A beam of a device during the motion. name: with the side as prefix. strain, stress (Pa), energy (J): largest values.
    fatigue_margin: see `fatigue_margin`; the beam breaks within the cycles if it is negative. strain_limit, cycles: used for
    the margin. assumed: which of these two the device does not state."""

    name: str
    strain: float
    stress: float
    energy: float
    fatigue_margin: float
    strain_limit: float
    cycles: float
    assumed: tuple[str, ...]


def moment_angle(worn: DeviceResult, joint: str) -> tuple[np.ndarray, np.ndarray]:
    """Angle of a joint, such as right_ankle, and moment of the device there over the motion: (n,), rad, and (n,), N m. The
    moment is positive where it supports extensors or plantar flexors."""
    joints = joint_names(worn.moments)
    ErrorContext("moment_angle", "joint").one_of(joint, joints, "is no joint")
    moment = (worn.moments[f"{joint}_moment"] - worn.moments_with[f"{joint}_moment"]).to_numpy()
    return worn.angles[sagittal_angle_name(joint)].to_numpy(), moment * worn.motion.skeleton.subject.mass


def effective_stiffness(worn: DeviceResult) -> list[EffectiveStiffness]:
    """Effective stiffness about the joints on which the device acts, largest moment first."""
    curves = {joint: moment_angle(worn, joint) for joint in joint_names(worn.moments)}
    peaks = {joint: float(np.nanmax(np.abs(moment), initial=0.0)) for joint, (_, moment) in curves.items()}
    largest = max(peaks.values(), default=0.0)
    springs = joint_spring_stiffnesses(worn.device)
    spring = springs[0] if len(springs) == 1 else None
    stiffnesses = []
    for joint in sorted(peaks, key=lambda name: -peaks[name]):
        if peaks[joint] <= max(MIN_JOINT_RATIO * largest, 1e-9):
            continue
        slope, fit = _fit_slope(*curves[joint], MIN_SAMPLE_RATIO * peaks[joint])
        stiffnesses.append(EffectiveStiffness(joint, slope if fit >= MIN_FIT_R2 else None, fit, spring, peaks[joint]))
    return stiffnesses


def _fit_slope(angle: np.ndarray, moment: np.ndarray, min_moment: float) -> tuple[float, float]:
    """Magnitude of the slope of moment over angle, and R^2, from samples whose moment is above `least`; 0 and 0 for too few
    samples."""
    is_loaded = np.isfinite(angle) & np.isfinite(moment) & (np.abs(moment) > min_moment)
    x, y = angle[is_loaded], moment[is_loaded]
    if x.size < MIN_SAMPLES or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return 0.0, 0.0
    dx, dy = x - x.mean(), y - y.mean()
    return float(abs(dx @ dy / (dx @ dx))), float((dx @ dy) ** 2 / ((dx @ dx) * (dy @ dy)))


def flexible_parts(worn: DeviceResult) -> list[FlexiblePart]:
    """Beams of the device on all sides."""
    document = worn.device.document
    parameters = resolve_parameters(document.parameters, build_splines(document.series))
    defaults = {"strain_limit": DEFAULT_STRAIN_LIMIT, "cycles": DEFAULT_FATIGUE_CYCLES}
    assumed = tuple(name for name in defaults if name not in parameters)
    limit, cycles = (float(parameters.get(name, value)) for name, value in defaults.items())
    parts = []
    for side in worn.sides.values():
        for beam in side.run.mechanism.beams:
            if f"{beam}.max_strain" not in side.run.catalogue:
                continue
            strain, stress = (
                float(np.abs(side.output(f"{beam}.max_{quantity}")).max()) for quantity in ("strain", "stress")
            )
            name = f"{side.side}_{beam}" if side.side else beam
            margin = fatigue_margin(strain, limit, cycles)
            energy = float(side.output(f"{beam}.strain_energy").max())
            parts.append(FlexiblePart(name, strain, stress, energy, margin, limit, cycles, assumed))
    return parts


def fatigue_margin(
    strain: float, strain_limit: float = DEFAULT_STRAIN_LIMIT, cycles: float = DEFAULT_FATIGUE_CYCLES
) -> float:
    """Additional strain that a carbon blade bears, relative to the present one: limit (1 - 0.1 lg cycles) / strain - 1.

    strain: largest in a cycle. strain_limit: static strain limit. The blade breaks within the cycles if the margin is negative.
    The rule is an assumption, see this module's description. Raises ModelError for a limit or number of cycles out of range."""
    at = ErrorContext("fatigue_margin")
    at["strain_limit"].positive(strain_limit, "m/m")
    if not cycles >= 1:
        at["cycles"].fail("is no number of cycles", cycles, "1 or more")
    remaining_limit = strain_limit * max(1.0 - STRENGTH_LOSS_PER_DECADE * float(np.log10(cycles)), 0.0)
    return remaining_limit / strain - 1.0 if strain > 0 else float("inf")
