"""Walking legs of thesis 003 (Table 4.2): foot curves, drive torque by Eq 2.19, energy per turn, the recomputation of 003.

Energies are integrals of |tau omega| over one turn (Eq 2.20). The exact values, 2.9268816546 J (Chebyshev) and
1.9531923311 J (Jansen), are total variations of the mechanical energy between the zeros of the torque. The recomputation of 003
prints 2.926879 J and 1.953200 J: sums over 4000 points across the kinks of |tau|, off by -2.7e-6 and +7.7e-6 J. Ours must
match the exact ones.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from gaitwright import mechanisms
from verification import benchmarks as bm
from verification.models import complex_of

LEGS = {
    "chebyshev": (mechanisms.chebyshev_leg, bm.CHEBYSHEV),
    "jansen": (mechanisms.jansen_leg, bm.JANSEN),
}
PRINTED_ENERGY = {"chebyshev": 2.926879, "jansen": 1.953200}
SAMPLES = 4000  # per turn
OUR_NAMES = {f"l{k}": f"L{k}" for k in range(2, 12)} | {"l1": "crank"}


@pytest.fixture(
    scope="module", params=[(leg, way) for leg in LEGS for way in ("clockwise", "counter-clockwise")], ids=str
)
def turn(request):
    """Name, leg, crank rate and the inverse analysis of one turn."""
    name, way = request.param
    make, leg = LEGS[name]
    run = make(clockwise=way == "clockwise").inverse(times=np.linspace(0.0, 1.0, SAMPLES + 1))
    return name, leg, bm.LEG_RATE if way == "clockwise" else -bm.LEG_RATE, run


def relative(found, exact) -> float:
    return float(np.abs(found - exact).max() / np.abs(exact).max())


def test_every_joint_follows_its_curve(turn) -> None:
    _, leg, rate, run = turn
    exact = leg.points(rate * run.time, rate)
    # No integration: rounding times the condition of up to five dyads in a row (about 100), per differentiation.
    for name in exact.keys() - {"O1", "O2"}:
        for order, tolerance in enumerate((5e-14, 2e-13, 2e-12)):
            assert relative(complex_of(run, name, order), exact[name][order]) < tolerance, (name, order)


def test_every_link_moves_as_its_bar(turn) -> None:
    _, leg, rate, run = turn
    for name, bar in bm.leg_link_motions(leg, rate * run.time, rate).items():
        ours = OUR_NAMES[name]
        assert relative(complex_of(run, ours), bar.centre[0]) < 5e-14, ours
        # absolute, in units of the crank's rate: two links of the Chebyshev leg do not turn at all
        np.testing.assert_allclose(run.array(f"{ours}.spin"), bar.spin, rtol=0, atol=2e-12, err_msg=ours)
        np.testing.assert_allclose(
            run.array(f"{ours}.angular_acceleration"), bar.angular_acceleration, rtol=0, atol=2e-10, err_msg=ours
        )


def test_drive_torque_is_eq_2_19_to_1e_12(turn) -> None:
    _, leg, rate, run = turn
    assert relative(run.array("crank.torque"), bm.leg_torque(leg, rate * run.time, rate)) < 1e-12


def test_energy_per_turn_is_the_exact_one(turn) -> None:
    name, _, _, run = turn
    work = run.drive_work("crank")
    exact = bm.LEG_REFERENCE[name]["energy_per_cycle"]
    # A cubic spline through 4000 samples, integrated between its zeros: h^4 times the fourth derivative of the power.
    assert work["absolute"] == pytest.approx(exact, rel=1e-7)
    assert work["absolute"] == pytest.approx(PRINTED_ENERGY[name], abs=1e-5)
    assert abs(work["absolute"] - PRINTED_ENERGY[name]) > 2e-6  # the printed ones are quadrature-limited
    # a turn ends at its beginning: the drive takes back all the energy that it supplies
    assert work["net"] == pytest.approx(0.0, abs=1e-10)
    assert work["positive"] == pytest.approx(exact / 2, rel=1e-7)
    assert work["negative"] == pytest.approx(-exact / 2, rel=1e-7)
    assert run.evidence.max_energy_residual < 1e-9


def extremes(time, values) -> tuple[float, float]:
    """Least and largest value of a curve through samples, by its spline."""
    curve = CubicSpline(time, values)
    at = curve.derivative().roots(extrapolate=False)
    peaks = curve(at[np.isfinite(at)])
    return float(peaks.min()), float(peaks.max())


def test_foot_curve_and_torque_extremes(turn) -> None:
    """The recomputation of 003. Gravity and inertia make the torque a function of the crank angle, whichever way it turns."""
    name, leg, _, run = turn
    known, foot = bm.LEG_REFERENCE[name], leg.foot
    z = complex_of(run, foot)
    (left, right), (low, high) = extremes(run.time, z.real), extremes(run.time, z.imag)
    slowest, fastest = extremes(run.time, run.array(f"{foot}.speed"))
    smoothest, hardest = extremes(run.time, run.array(f"{foot}.acceleration"))
    weakest, strongest = extremes(run.time, run.array("crank.torque"))
    found = {
        "lowest_y": low,
        "step_height": high - low,
        "x_range": right - left,
        "speed_max": fastest,
        "speed_min": slowest,
        "speed_mean": run.array(f"{foot}.speed")[:-1].mean(),
        "acceleration_mean": run.array(f"{foot}.acceleration")[:-1].mean(),
        "acceleration_max_swing": hardest,
        "acceleration_min_stance": smoothest,
        "torque_max": strongest,
        "torque_min": weakest,
    }
    for quantity, value in found.items():
        # Splines through 4000 samples of a turn: h^4 / 384 = 2e-14 times a fourth derivative of up to 1e7.
        assert value == pytest.approx(known[quantity], rel=1e-6), quantity
    # one sample at either edge of stance: 1/4000 of a turn, and the foot's path on it (2.9 m/s at most)
    stance = z.imag < low + leg.stance_depth
    assert stance[:-1].mean() == pytest.approx(known["duty"], abs=1.5 / SAMPLES)
    assert np.ptp(z.real[stance]) == pytest.approx(known["step_length"], abs=2 * 2.9 / SAMPLES)


@pytest.mark.parametrize("name", LEGS)
def test_forward_dynamics_gives_the_same_torque(name: str) -> None:
    """The crank turns as driven, so the motion of forward dynamics is known; lambda is that of the inverse analysis."""
    make, leg = LEGS[name]
    run = make().simulate(1.0, method="gauss3", step=2e-3)
    exact = bm.leg_torque(leg, bm.LEG_RATE * run.time)
    assert relative(run.array("crank.torque"), exact) < 1e-6  # projected: torque error = acceleration error of h^6
    assert run.drive_work("crank")["absolute"] == pytest.approx(bm.LEG_REFERENCE[name]["energy_per_cycle"], rel=1e-5)
    assert run.evidence.max_energy_residual < 1e-6


@pytest.mark.parametrize(
    ("name", "quantity", "printed", "tolerance"),
    [
        # thesis Table 4.3 where the recomputation of 003 has MATCH or within the rounding of the lengths (+- 0.5 mm each)
        ("chebyshev", "step_height", 0.0876, 5e-5),
        ("chebyshev", "x_range", 0.479, 3e-3),
        ("jansen", "step_length", 0.3883, 2e-4),
        ("jansen", "x_range", 0.4547, 2e-3),
        ("jansen", "step_height", 0.166, 8e-3),
    ],
)
def test_thesis_numbers_within_their_rounding(name: str, quantity: str, printed: float, tolerance: float) -> None:
    assert bm.LEG_REFERENCE[name][quantity] == pytest.approx(printed, abs=tolerance)


def test_chebyshev_foot_forces_balance() -> None:
    """Shank and foot do not turn: the torques that hold them carry the moments of the weights about C and D."""
    run = mechanisms.chebyshev_leg(turns_per_second=1e-6).inverse(times=[0.0, 1.0, 2.0])  # practically at rest
    foot = 0.013 * 9.81 * 0.025  # weight of the foot times half its length
    # the load of the holding links on the foot acts about D; the shank hangs below C without a separate moment
    np.testing.assert_allclose(run.array("level.torque"), foot, rtol=1e-9)
    np.testing.assert_allclose(run.array("upright.torque"), 0.0, atol=1e-12)
