"""Moments of two measured walks (see test_bmclab.py) against a calculation in the sagittal plane, directly from markers:
with other joint centres, other segment tables, no rotations in space. They must be close to each other."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import xarray as xr
from tests.gait.test_bmclab import DATA, MASSES, trial

import gaitwright as gw
from gaitwright.gait.filters import derivative, low_pass
from gaitwright.gait.ground_reaction import FOOT_SIDES

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the trials are not here")
LIMBS = (
    # share of body mass, centre from the upper end, radius of gyration about it: Dempster, in Winter 2009, table 4.1
    ("ankle", "ball", 0.0145, 0.5, 0.475), ("knee", "ankle", 0.0465, 0.433, 0.302), ("hip", "knee", 0.1, 0.433, 0.323),
)  # fmt: skip


@cache
def walk(name: str) -> tuple[gw.gait.GaitTrial, gw.gait.GroundForces]:
    found = trial(name)
    found = gw.gait.mirror_trial(found) if name == "walk1" else found
    return found, gw.gait.ground_forces_from_plates(found, leave_out=["plate 4"])


@cache
def motion(name: str, method: str) -> gw.gait.SkeletonMotion:
    found = walk(name)[0]
    return gw.gait.follow(found, gw.gait.skeleton_of(found, gw.gait.Subject(MASSES[name], 1.75, "male")), method)


@cache
def moments(name: str, method: str = "joints") -> xr.Dataset:
    return gw.gait.joint_moments(motion(name, method), walk(name)[1])


def planar(name: str, side: str) -> dict[str, np.ndarray]:
    """Internal moments, N m/kg, on the segment below, about the axis to the left: x forward, z up."""
    found, forces = walk(name)
    mass, rate = MASSES[name], found.rate
    landmarks = {
        "knee": ("knee", "knee_medial"), "ankle": ("ankle", "ankle_medial"), "ball": ("mt1", "mt2", "mt5"),
    }  # fmt: skip
    at = {}
    for joint, names in landmarks.items():
        place = found.place(*(f"{side}_{one}" for one in names))
        assert place is not None
        at[joint] = low_pass(place, rate, 6.0)[:, [0, 2]]
    # the trochanter lies 20 to 40 mm from the hip, which gives 0.2 N m/kg of weight: the regression is used
    at["hip"] = motion(name, "segments").joint_centre(f"{side}_hip")[:, [0, 2]]
    k = FOOT_SIDES.index(side)
    force, centre = -forces.force[:, k][:, [0, 2]], np.nan_to_num(forces.centre(1.0)[:, k][:, [0, 2]])
    moment, place, result = np.zeros(len(force)), centre, {}
    for upper, lower, share, along, gyration in LIMBS:
        line = at[lower] - at[upper]
        middle = at[upper] + along * line
        length = np.median(np.hypot(*line.T))
        gain = derivative(middle, rate, 2)
        turn = derivative(
            np.unwrap(np.arctan2(line[:, 1], line[:, 0])), rate, 2
        )  # from x to z: about the axis to the right
        m = share * mass
        needed = m * (gain + np.array([0, 9.81]))
        here = m * (gyration * length) ** 2 * turn
        moment = moment + here + cross(middle - at[upper], needed) + cross(place - at[upper], force)
        result[upper] = -moment / mass
        force, place = force + needed, at[upper]
    return result


def cross(arm: np.ndarray, force: np.ndarray) -> np.ndarray:
    return arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]


@pytest.mark.parametrize("name", MASSES)
@pytest.mark.parametrize(
    ("joint", "apart", "alike"), [("ankle", 0.08, 0.99), ("knee", 0.09, 0.95), ("hip", 0.11, 0.95)]
)
def test_sagittal_moments_agree_with_the_planar_calculation(name: str, joint: str, apart: float, alike: float) -> None:
    for side in FOOT_SIDES:
        found, by_hand = moments(name)[f"{side}_{joint}_moment"].values, planar(name, side)[joint]
        sign = -1.0 if joint == "knee" else 1.0
        good = np.isfinite(found)
        good[:8] = good[-8:] = False
        error = np.sqrt(np.mean((found - sign * by_hand)[good] ** 2))
        r = np.corrcoef(found[good], sign * by_hand[good])[0, 1]
        print(name, side, joint, f"RMSE {error:.3f} N m/kg, r {r:.4f}")
        assert error < apart and r > alike


@pytest.mark.parametrize("method", ["joints", "segments"])
@pytest.mark.parametrize("name", MASSES)
def test_peak_moments_are_those_of_walking(name: str, method: str) -> None:
    """Peaks of healthy adults at their preferred speed."""
    found = moments(name, method)
    for side in FOOT_SIDES:
        assert 1.3 < float(found[f"{side}_ankle_moment"].max()) < 1.7
        assert 0.2 < float(found[f"{side}_knee_moment"].max()) < 0.8
        assert 0.3 < float(found[f"{side}_hip_moment"].max()) < 1.0
        assert 0.6 < float(found[f"{side}_hip_moment_frontal"].max()) < 1.1
        assert 2.0 < float(found[f"{side}_ankle_power"].max()) < 4.0
    weight = 9.81 * MASSES[name]
    assert float(np.sqrt((found["residual_force"] ** 2).mean("time")).max()) < 0.12 * weight
