"""Andrews' squeezing mechanism: seven bodies, four loops, 1140 rad/s after 30 ms. Sources in `benchmarks.py`.

Two kinds of reference: the published reference solution (Test Set for IVP Solvers, t = 0.03 s), good to 1.15e-9 rad, and the
one-coordinate equation of motion solved here in 80-bit arithmetic, good to 1e-13.
"""

from __future__ import annotations

import numpy as np
import pytest

from verification import benchmarks as bm
from verification.models import andrews

#: Settings and error of beta (rad) at 0.03 s and 0.05 s: two to ten times the actual errors (in brackets).
METHODS = [
    ({"method": "dopri5", "tolerance": 1e-12}, 1e-11),  # [2e-13] rounding of 2500 to 5000 steps
    ({"method": "dopri5", "tolerance": 1e-8}, 2e-8),  # [5e-9]
    ({"method": "radau5", "tolerance": 1e-9}, 1e-11),  # [1e-12]
    ({"method": "gauss3", "step": 2e-5}, 1e-11),  # [2e-13]
    ({"method": "gauss2", "step": 1e-5}, 5e-10),  # [8e-11] order 4
    ({"method": "rk4", "step": 5e-6}, 5e-10),  # [5e-11] order 4
    ({"method": "gill", "step": 5e-6}, 5e-10),  # [4e-11] order 4
    ({"method": "gauss1", "step": 5e-6}, 1e-5),  # [3e-6] order 2
    ({"method": "generalized-alpha", "step": 2e-6}, 5e-5),  # [1e-5] order 2
    ({"method": "rosenbrock23", "tolerance": 1e-8}, 5e-5),  # [1.4e-5] order 2
    ({"method": "euler", "step": 2e-6}, 1.0),  # [0.24 of 34 rad] order 1, for the record
]


@pytest.fixture(scope="module")
def model():
    return andrews()


@pytest.fixture(scope="module")
def tight(model):
    return model.simulate(bm.ANDREWS_END, method="dopri5", tolerance=1e-12)


def seven(run, what: str, k: int = -1) -> np.ndarray:
    """The published angles, rates or accelerations from the bodies of a run."""
    value = {name: run.array(f"{name}.{what}")[k] for name in bm.ANDREWS_BODIES}
    return np.array(
        [
            value["K1"],
            value["K2"] - value["K1"],
            value["K3"],
            value["K4"] - value["K5"],
            value["K5"],
            value["K6"] - value["K7"],
            value["K7"],
        ]
    )


def forces_at_e(run, k: int = -1) -> np.ndarray:
    """Pin forces on K3, K4 and K6 at E, the published multipliers."""
    return np.array([run.array(f"K2-E-{body}-E.f{axis}")[k] for body in ("K3", "K4", "K6") for axis in "xy"])


def test_the_published_pose_closes(model) -> None:
    found = model.check()
    assert (found.coordinates, found.constraints, found.degrees_of_freedom) == (21, 20, 1)
    assert found.closed
    assert found.drawn_error < 1e-15  # the published angles have 18 digits
    assert found.redundant == []


def test_start_accelerations_and_multipliers(tight) -> None:
    # Published with 18 digits; ours are rounding of one linear solution.
    np.testing.assert_allclose(
        seven(tight, "angular_acceleration", 0), bm.ANDREWS_ACCELERATIONS_0, rtol=1e-12, atol=1e-8
    )
    np.testing.assert_allclose(forces_at_e(tight, 0), bm.ANDREWS_MULTIPLIERS_0, rtol=1e-12, atol=1e-10)


def test_published_reference_at_30_ms(tight) -> None:
    # The reference itself is off by 1.15e-9 rad in beta and 1.4e-9 in Theta, 5e-8 in rates, 1.4e-6 in the rest.
    np.testing.assert_allclose(seven(tight, "angle"), bm.ANDREWS_ANGLES_END, rtol=0, atol=2e-9)
    np.testing.assert_allclose(seven(tight, "spin"), bm.ANDREWS_RATES_END, rtol=2e-7)
    np.testing.assert_allclose(seven(tight, "angular_acceleration"), bm.ANDREWS_ACCELERATIONS_END, rtol=3e-6)
    np.testing.assert_allclose(forces_at_e(tight), bm.ANDREWS_MULTIPLIERS_END, rtol=3e-6)


def test_whole_motion_against_the_one_coordinate_equation(tight) -> None:
    every = slice(50, None, 50)
    beta, rate = bm.andrews_solution(tight.time[every])
    np.testing.assert_allclose(tight.array("K1.angle")[every], beta, rtol=0, atol=1e-11)
    np.testing.assert_allclose(tight.array("K1.spin")[every], rate, rtol=1e-11)
    bodies, _ = bm.andrews_motion(beta, rate, bm.andrews_acceleration(beta, rate))
    for name, body in bodies.items():
        # 1e-11 rad of beta times rates of up to 1400 rad/s and their derivatives, over the size of the mechanism
        np.testing.assert_allclose(tight.array(f"{name}.x")[every], body.centre[0].real, rtol=0, atol=1e-12)
        np.testing.assert_allclose(tight.array(f"{name}.spin")[every], body.spin, rtol=0, atol=1e-7)


def test_exact_multipliers_at_30_ms(tight) -> None:
    exact = bm.andrews_forces_at_e(*bm.ANDREWS_BETA_AT_003)
    np.testing.assert_allclose(forces_at_e(tight), exact, rtol=1e-9)  # better than the published 1.4e-6


@pytest.mark.parametrize(
    ("how", "tolerance"), METHODS, ids=[f"{h['method']}-{tuple(h.values())[1]}" for h, _ in METHODS]
)
def test_beta_by_every_method(model, how: dict, tolerance: float) -> None:
    run = model.simulate(0.05, **how)
    beta, rate = bm.ANDREWS_BETA_AT_005
    assert run.time[-1] == 0.05
    assert run.array("K1.angle")[-1] == pytest.approx(beta, abs=tolerance)
    assert run.array("K1.spin")[-1] == pytest.approx(rate, abs=500 * tolerance)  # 400 rad/s^2 per rad near the end
    # the criterion of IFToMM A03 is the energy balance: the torque has done 1.1 J by then
    assert run.evidence.max_energy_residual < max(1e-11, 2 * tolerance)
    if how["method"] != "generalized-alpha":
        # the projection's last correction starts below 1e-8 m and leaves (1e-8)^2 over the 2 cm of a link
        assert run.evidence.max_position_violation < 1e-14
        assert run.evidence.max_velocity_violation < 1e-14


@pytest.mark.parametrize("stabilisation", ["none", "baumgarte", "projection"])
def test_stabilisation_makes_no_difference_for_an_accurate_method(model, stabilisation: str) -> None:
    run = model.simulate(bm.ANDREWS_END, method="gauss3", step=2e-5, stabilisation=stabilisation)
    assert run.array("K1.angle")[-1] == pytest.approx(bm.ANDREWS_BETA_AT_003[0], abs=1e-11)
    assert run.evidence.max_position_violation < 1e-14
