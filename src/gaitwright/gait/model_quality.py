"""Findings on a skeleton that follows a trial: markers far from their positions, residual forces and moments, and bone
lengths that do not fit the height.

Limits: markers 20 mm RMS; residuals 5 % of the ground force, and 1 % of the ground force times the height of the centre of
mass (J. L. Hicks et al., J. Biomech. Eng. 137 (2015) 020905); leg length 0.49 of the height (Drillis and Contini, in
Winter 2009).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright.gait.trial_quality import SEVERITY_DOUBTFUL, SEVERITY_INFO, GaitFinding

if TYPE_CHECKING:
    from gaitwright.gait.ground_reaction import GroundForces
    from gaitwright.gait.motion import SkeletonMotion

MAX_MARKER_RESIDUAL_M = 0.02
MAX_RESIDUAL_FORCE_RATIO, MAX_RESIDUAL_MOMENT_RATIO = 0.05, 0.01
LEG_LENGTH_PER_BODY_HEIGHT, LEG_LENGTH_RTOL = 0.491, 0.12
"""Length of thigh and shank over body height, 0.245 + 0.246, and its tolerance."""


def check_skeleton_model(
    motion: SkeletonMotion, moments: xr.Dataset | None, forces: GroundForces | None
) -> Iterator[GaitFinding]:
    yield from _check_marker_residuals(motion)
    yield from _check_leg_length(motion)
    if (
        moments is not None and forces is not None and forces.source == "plates"
    ):  # predicted forces are fitted to the motion
        yield from _check_force_residuals(motion, moments, forces)


def _check_marker_residuals(motion: SkeletonMotion) -> Iterator[GaitFinding]:
    each = np.sqrt(np.nanmean(np.square(motion.residual.to_numpy()), axis=0))
    names = [str(name) for name in motion.residual["marker"].to_numpy()]
    worst = int(np.nanargmax(each))
    mean = motion.mean_residual()
    far = [name for name, value in zip(names, each, strict=True) if value > MAX_MARKER_RESIDUAL_M]
    yield GaitFinding(
        "markers",
        SEVERITY_DOUBTFUL if far else SEVERITY_INFO,
        "the skeleton follows the markers" + (" only roughly" if far else ""),
        f"{1e3 * mean:.1f} mm by root mean square, {1e3 * each[worst]:.0f} mm at {names[worst]}",
        f"look at {', '.join(far)}: where they sit, and whether they were mistaken"
        if far
        else "below 20 mm is usual: skin moves over bones",
        names[worst],
        mean,
    )


def _check_leg_length(motion: SkeletonMotion) -> Iterator[GaitFinding]:
    segments, height = motion.skeleton.segments, motion.skeleton.subject.height
    legs = [segments[f"{side}_thigh"].length + segments[f"{side}_shank"].length for side in ("right", "left")]
    share = float(np.mean(legs)) / height
    if abs(share / LEG_LENGTH_PER_BODY_HEIGHT - 1) > LEG_LENGTH_RTOL:
        yield GaitFinding(
            "height",
            SEVERITY_DOUBTFUL,
            "the legs do not fit the height of the person",
            f"thigh and shank are {np.mean(legs):.2f} m long, which is {100 * share:.0f} % of {height:.2f} m, where "
            f"people have {100 * LEG_LENGTH_PER_BODY_HEIGHT:.0f} %",
            "check the height, and whether the trial is of this person",
            value=share,
        )


def _check_force_residuals(motion: SkeletonMotion, moments: xr.Dataset, forces: GroundForces) -> Iterator[GaitFinding]:
    force = np.linalg.norm(moments["residual_force"].to_numpy(), axis=1)
    moment = np.linalg.norm(moments["residual_moment"].to_numpy(), axis=1)
    ground = np.linalg.norm(forces.force.sum(axis=1), axis=1)
    known = np.isfinite(force) & np.isfinite(moment)
    if not known.any():
        yield GaitFinding(
            "residual",
            SEVERITY_INFO,
            "the balance of the whole body is unknown",
            "at no time are the forces of both feet known",
            "moments of a leg are right where its own foot was on a plate",
        )
        return
    height = float(np.nanmean(motion.centre_of_mass().to_numpy()[:, 2]))
    limits = MAX_RESIDUAL_FORCE_RATIO * ground.max(), MAX_RESIDUAL_MOMENT_RATIO * ground.max() * height
    off, turning = (float(np.sqrt(np.mean(values[known] ** 2))) for values in (force, moment))
    worst = off > limits[0] or turning > limits[1]
    carried = ", with head, arms and trunk carried upright" if motion.skeleton.carried else ""
    yield GaitFinding(
        "residual",
        SEVERITY_DOUBTFUL if worst else SEVERITY_INFO,
        f"motion, masses and forces are {'not quite ' if worst else ''}consistent",
        f"the residual at the pelvis is {off:.0f} N and {turning:.0f} N m by root mean square, where "
        f"{limits[0]:.0f} N and {limits[1]:.0f} N m are good",
        f"moments at the hip suffer most{carried}; those at the ankle least",
        value=off,
    )
