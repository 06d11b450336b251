"""Back support compared with the elastica and with its example, and a design question."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import gaitwright as gw
from gaitwright.mechanisms import back_support

EXAMPLE = Path(__file__).parents[2] / "examples" / "back_support.yaml"


def elastica(degrees, stiffness=1.0, length=0.5, offset=0.08):
    """Moment about the hip and largest curvature of an inextensible blade with a free-turning tip that slides
    without friction on the back of a trunk: EI a'' = -P cos(a - phi), with the angle a from the vertical and the
    force P normal to the trunk."""
    phi = math.radians(degrees)

    def tip(curvature, force):
        def slope(s, y):
            return [y[1], -force * math.cos(y[0] - phi), math.sin(y[0]), math.cos(y[0])]

        return solve_ivp(slope, (0, length), [0, curvature, -offset, 0], rtol=1e-11, atol=1e-13).y[:, -1]

    def open_ends(unknown):
        _, bent, x, y = tip(*unknown)
        return [bent, -x * math.cos(phi) + y * math.sin(phi) - offset]

    curvature, force = fsolve(open_ends, [2.5 * phi / length, 2.5 * phi / length**2], xtol=1e-12)
    _, _, x, y = tip(curvature, force)
    return stiffness * force * (x * math.sin(phi) + y * math.cos(phi)), curvature


def bent(degrees, **options):
    """Fully bent equilibrium, reached from upright."""
    run = back_support(degrees, **options).analyse()
    assert run.array("trunk.angle")[-1] == pytest.approx(math.pi / 2 - math.radians(degrees))
    return run


@pytest.mark.parametrize("degrees", [1, 20, 60, 90])
def test_the_moment_matches_the_elastica(degrees):
    run = bent(degrees, bending_stiffness=2.8, gravity=0)
    moment, curvature = elastica(degrees, 2.8)
    assert run.array("assist.moment")[-1] == pytest.approx(moment, rel=3e-3)  # 8 elements; 16: 1e-4, 32: 1e-6
    thickness = (12 * 2.8 / (79e9 * 0.04)) ** (1 / 3)
    assert run.array("blade.max_strain")[-1] == pytest.approx(curvature * thickness / 2, rel=3e-2)


@pytest.mark.slow
def test_finer_meshes_converge_to_the_elastica():
    moment, _ = elastica(60, 2.8)
    runs = (bent(60, bending_stiffness=2.8, gravity=0, elements=n) for n in (8, 16, 32))
    off = [abs(run.array("assist.moment")[-1] / moment - 1) for run in runs]
    assert off[0] < 3e-3 and off[1] < 2e-4 and off[2] < 1e-5


def test_support_and_muscles_share_the_trunk_moment():
    """Both together carry the weight of the trunk."""
    run = bent(60)
    weight = 45 * 9.81 * 0.31 * np.cos(run.array("trunk.angle"))
    np.testing.assert_allclose(run.array("trunk.torque") + run.array("assist.moment"), weight, rtol=1e-9, atol=1e-9)
    assert run.array("trunk.torque")[-1] < 0.9 * weight[-1]
    # upright, only the vest behind the hip pulls
    assert run.array("assist.moment")[0] == pytest.approx(0.2 * 9.81 * 0.08, rel=1e-6)


def test_rising_returns_the_energy_stored_in_bending():
    """Without damping and inertia all energy is returned; the strain energy is the work of the trunk on the blade."""
    run = back_support(60, gravity=0).static_path(2.0, steps=40)
    energy, work = run.array("blade.strain_energy"), run.array("trunk.work")
    assert int(np.argmax(energy)) == 20 and energy[20] == pytest.approx(work[20], rel=1e-3)
    assert abs(energy[-1]) < 1e-6 * energy[20] and abs(work[-1]) < 1e-3 * energy[20]


def test_the_energy_loss_of_a_damped_blade_is_its_dissipation():
    """Bending and rising within 2 s: little more work than quasi-statically, and the loss equals the damping work."""
    run = back_support(60, damping=1e-4).simulate(2.0, step=0.002)
    moment, angle = run.array("assist.moment"), run.array("trunk.angle")
    work = -0.5 * (moment[1:] + moment[:-1]) * np.diff(angle)
    stored, returned = work[work > 0].sum(), -work[work < 0].sum()
    assert stored - returned == pytest.approx(run.array("blade.dissipated")[-1], rel=0.05)
    slow = bent(60)
    assert moment.max() == pytest.approx(slow.array("assist.moment")[-1], rel=0.03)
    assert run.array("blade.strain_energy").max() == pytest.approx(slow.array("blade.strain_energy")[-1], rel=0.01)


def test_the_example_is_this_model():
    ours, run = back_support().analyse(), gw.load(EXAMPLE).analyse()
    for name in ("assist.moment", "trunk.torque", "blade.max_strain", "blade.strain_energy"):
        np.testing.assert_allclose(run.array(name), ours.array(name), rtol=1e-9, atol=1e-12)


@pytest.mark.slow
def test_blade_for_20_newton_metres_at_60_degrees():
    """One blade exceeds the strain limit; two blades side by side are thinner and satisfy it."""
    question = {"target": {"assist.moment": 20}, "samples": 4}
    question["limits"] = {"blade.max_strain": 0.006}
    one = gw.choose(back_support(60), {"EI": (1, 11)}, **question)
    assert one.value == pytest.approx(4.45, rel=0.01) and not one.within_limits
    assert one.closest is not None and one.closest.achieved == pytest.approx(12.2, rel=0.02)
    two = gw.choose(back_support(60, blades=2), {"EI": (1, 11)}, **question)
    assert two.value == pytest.approx(one.value, rel=0.02) and two.within_limits  # slightly more weight
    # the same question about the thickness has the same answer
    thickness = gw.choose(back_support(60, blades=2), {"thickness": (0.001, 0.004)}, **question)
    assert 79e9 * 0.08 * thickness.value**3 / 12 == pytest.approx(two.value, rel=1e-6)


def test_the_share_refers_to_the_weight_moment():
    run = bent(60)
    weight = 45 * 9.81 * 0.31 * np.sin(np.radians(run.array("trunk.flexion")))
    share = run.array("assist.share")
    assert share[1:] == pytest.approx(run.array("assist.moment")[1:] / weight[1:], rel=1e-9) and share[0] == 0


def test_the_hysteresis_loop_equals_the_damping_loss():
    """Bending and rising: the moment over the flexion is lower on the way back, and the enclosed area is the energy
    loss of the blade."""
    run = back_support(60, rise=True, damping=3e-3).analyse()
    chart = run.summary()["charts"][0]
    assert (chart["x"], chart["y"]) == ("trunk.flexion", "assist.moment") and run.time[-1] == pytest.approx(2.0)
    lost = chart["work_rising"] + chart["work_falling"]
    assert lost == pytest.approx(run.array("blade.dissipated")[-1], rel=2e-3) and 0.05 < lost < 0.2
    assert chart["greatest"]["y"] == pytest.approx(bent(60).array("assist.moment")[-1], rel=0.03)
