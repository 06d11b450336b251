"""What is doubtful once a skeleton follows a trial: markers far from their places, forces and moments that nothing makes, bones
that do not fit the height.

Limits: markers 20 mm by root mean square; residuals 5 % of the force of the ground and 1 % of it times the height of the
centre of mass (J. L. Hicks et al., J. Biomech. Eng. 137 (2015) 020905); legs 0.49 of the height (Drillis and Contini, in
Winter 2009).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from gaitwright.gait.quality import DOUBTFUL, KNOW, Finding

if TYPE_CHECKING:
    from gaitwright.gait.forces import GroundForces
    from gaitwright.gait.motion import Motion

MARKERS = 0.02
FORCE, MOMENT = 0.05, 0.01
LEG, APART = 0.491, 0.12
"""Thigh and shank with it, of body height: 0.245 + 0.246; and by how much a person may differ."""


def model_findings(motion: Motion, moments: xr.Dataset | None, forces: GroundForces | None) -> Iterator[Finding]:
    yield from _markers(motion)
    yield from _height(motion)
    if moments is not None and forces is not None and forces.source == "plates":  # predicted ones are made to fit
        yield from _residuals(motion, moments, forces)


def _markers(motion: Motion) -> Iterator[Finding]:
    each = np.sqrt(np.nanmean(np.square(motion.residual.to_numpy()), axis=0))
    names = [str(name) for name in motion.residual["marker"].to_numpy()]
    worst = int(np.nanargmax(each))
    mean = motion.mean_residual()
    far = [name for name, value in zip(names, each, strict=True) if value > MARKERS]
    yield Finding(
        "markers", DOUBTFUL if far else KNOW, "the skeleton follows the markers" + (" only roughly" if far else ""),
        f"{1e3 * mean:.1f} mm by root mean square, {1e3 * each[worst]:.0f} mm at {names[worst]}",
        f"look at {', '.join(far)}: where they sit, and whether they were mistaken" if far
        else "below 20 mm is usual: skin moves over bones", names[worst], mean,
    )  # fmt: skip


def _height(motion: Motion) -> Iterator[Finding]:
    segments, height = motion.skeleton.segments, motion.skeleton.subject.height
    legs = [segments[f"{side}_thigh"].length + segments[f"{side}_shank"].length for side in ("right", "left")]
    share = float(np.mean(legs)) / height
    if abs(share / LEG - 1) > APART:
        yield Finding(
            "height", DOUBTFUL, "the legs do not fit the height of the person",
            f"thigh and shank are {np.mean(legs):.2f} m long, which is {100 * share:.0f} % of {height:.2f} m, where "
            f"people have {100 * LEG:.0f} %", "check the height, and whether the trial is of this person", value=share,
        )  # fmt: skip


def _residuals(motion: Motion, moments: xr.Dataset, forces: GroundForces) -> Iterator[Finding]:
    force = np.linalg.norm(moments["residual_force"].to_numpy(), axis=1)
    moment = np.linalg.norm(moments["residual_moment"].to_numpy(), axis=1)
    ground = np.linalg.norm(forces.force.sum(axis=1), axis=1)
    known = np.isfinite(force) & np.isfinite(moment)
    if not known.any():
        yield Finding(
            "residual", KNOW, "nothing can be said about the balance of the whole body",
            "at no time are the forces of both feet known", "moments of a leg are right where its own foot was on a plate",
        )  # fmt: skip
        return
    height = float(np.nanmean(motion.centre_of_mass().to_numpy()[:, 2]))
    limits = FORCE * ground.max(), MOMENT * ground.max() * height
    off, turning = (float(np.sqrt(np.mean(values[known] ** 2))) for values in (force, moment))
    worst = off > limits[0] or turning > limits[1]
    carried = ", with head, arms and trunk carried upright" if motion.skeleton.carried else ""
    yield Finding(
        "residual", DOUBTFUL if worst else KNOW,
        f"motion, masses and forces {'do not quite belong together' if worst else 'belong together'}",
        f"what is left over at the pelvis is {off:.0f} N and {turning:.0f} N m by root mean square, where "
        f"{limits[0]:.0f} N and {limits[1]:.0f} N m are good",
        f"moments at the hip suffer most{carried}; those at the ankle least", value=off,
    )  # fmt: skip
