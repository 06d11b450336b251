"""Four-bar linkages against the closed form: motion, drive torque and every pin force, on both branches."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from verification import analytical as an
from verification.models import CRANK_ROCKER, complex_of, four_bar

#: name: lengths (crank, coupler, rocker, ground), crank angle over time as expression and as (angle, rate, acceleration)
RATE = 2 * np.pi
SWING = "1.2 + 0.4*sin(5*t)"
CASES = {
    "crank-rocker": (CRANK_ROCKER, f"0.5 + {RATE!r}*t", lambda t: (0.5 + RATE * t, RATE + 0 * t, 0 * t)),
    "crank-rocker, backwards": (CRANK_ROCKER, f"0.5 - {RATE!r}*t", lambda t: (0.5 - RATE * t, -RATE + 0 * t, 0 * t)),
    "drag link": ((0.35, 0.3, 0.4, 0.2), f"0.5 + {RATE!r}*t", lambda t: (0.5 + RATE * t, RATE + 0 * t, 0 * t)),
    "speeding up": (CRANK_ROCKER, "t + 3*t^2", lambda t: (t + 3 * t**2, 1 + 6 * t, 6 + 0 * t)),
    "double rocker": (
        (0.3, 0.2, 0.35, 0.4),
        SWING,
        lambda t: (1.2 + 0.4 * np.sin(5 * t), 2 * np.cos(5 * t), -10 * np.sin(5 * t)),
    ),
}
TIMES = np.linspace(0.0, 1.0, 401)


def points(lengths, angle, rate, acceleration, branch: int) -> dict[str, an.Motion]:
    a = an.crank_point(lengths[0], angle, rate, acceleration)
    c = an.fixed_point(lengths[3], angle)
    return {"O": an.fixed_point(0j, angle), "A": a, "B": an.dyad(a, c, lengths[1], lengths[2], branch), "C": c}


def bars(lengths, p: dict[str, an.Motion]) -> list[tuple[an.Motion, an.Motion, float]]:
    return [(p["O"], p["A"], lengths[0]), (p["A"], p["B"], lengths[1]), (p["C"], p["B"], lengths[2])]  # 1 kg/m


@pytest.fixture(scope="module", params=[(case, branch) for case in CASES for branch in (1, -1)], ids=str)
def driven(request):
    """Lengths, crank motion, branch and the inverse analysis. B is drawn 2 cm off: it must still find its side."""
    case, branch = request.param
    lengths, expression, crank = CASES[case]
    motion = crank(TIMES)
    model = four_bar(lengths, float(motion[0][0]), branch=branch, drive=expression, rough=0.01 - 0.02j)
    return lengths, motion, branch, model.inverse(times=TIMES)


def relative(found, exact) -> float:
    """Largest difference in units of the largest value."""
    return float(np.abs(found - exact).max() / np.abs(exact).max())


def test_points_move_as_in_the_closed_form(driven) -> None:
    lengths, motion, branch, run = driven
    exact = points(lengths, *motion, branch)
    # No integration: Newton stops at |Phi| = 1e-15 m, which is 5e-15 of 0.2 m, times the condition of the triangle A B C
    # (about 10), and once more for each differentiation.
    for name in ("A", "B"):
        for order, tolerance in enumerate((5e-14, 5e-13, 5e-12)):
            assert relative(complex_of(run, name, order), exact[name][order]) < tolerance, (name, order)


def test_angles_rates_and_accelerations(driven) -> None:
    lengths, motion, branch, run = driven
    exact = an.four_bar(*lengths, *motion, branch=branch)
    for bar, angle, rate, acceleration in (("coupler", *exact[::2][:3]), ("rocker", *exact[1::2])):
        turned = run.array(f"{bar}.angle") - angle
        np.testing.assert_allclose(turned - 2 * np.pi * np.round(turned / (2 * np.pi)), 0.0, atol=1e-13)
        assert relative(run.array(f"{bar}.spin"), rate) < 2e-13
        assert relative(run.array(f"{bar}.angular_acceleration"), acceleration) < 2e-12


def test_drive_torque_by_power_balance(driven) -> None:
    """Thesis 003 Eq 2.19, where the crank moves; the swinging crank stands still now and then."""
    lengths, motion, branch, run = driven
    moving = np.abs(motion[1]) > 0.1
    exact = an.bars_drive_torque(bars(lengths, points(lengths, *motion, branch)), motion[1])
    torque = run.array("crank.torque")
    # Division by a rate of 0.1 of 2 rad/s loses one digit of the power.
    assert np.abs(torque - exact)[moving].max() < 1e-12 * np.abs(torque).max()


def test_reactions_by_newton_and_euler(driven) -> None:
    """Pin forces from the closed-form accelerations: nine balances of force and moment for four forces and a torque."""
    lengths, motion, branch, run = driven
    p = points(lengths, *motion, branch)
    exact = newton_euler(lengths, p)
    # O, A, B, C: force on the link that is named later (crank, coupler, rocker, rocker)
    for name in "OABC":
        found = run.array(f"{name}.fx") + 1j * run.array(f"{name}.fy")
        assert relative(found, exact[name]) < 2e-12, name
    assert relative(run.array("crank.torque"), exact["torque"]) < 2e-12


def newton_euler(lengths, p) -> dict[str, np.ndarray]:
    """Forces of O on crank, crank on coupler (A), coupler on rocker (B), ground on rocker (C), and the torque."""
    found = {name: np.empty(TIMES.size, complex) for name in "OABC"} | {"torque": np.empty(TIMES.size)}
    motions = [an.bar_motion(start, end) for start, end, _ in bars(lengths, p)]
    on = {  # bar: (point, sign) of the forces that act on it
        0: (("O", 1), ("A", -1)),
        1: (("A", 1), ("B", -1)),
        2: (("B", 1), ("C", 1)),
    }
    columns = {"O": 0, "A": 2, "B": 4, "C": 6}
    for k in range(TIMES.size):
        matrix, load = np.zeros((9, 9)), np.zeros(9)
        for bar, forces in on.items():
            mass, length = lengths[bar], lengths[bar]
            centre = motions[bar].centre[:, k]
            for name, sign in forces:
                arm = p[name][0, k] - centre[0]
                at = columns[name]
                matrix[3 * bar, at] = matrix[3 * bar + 1, at + 1] = sign
                matrix[3 * bar + 2, at : at + 2] = -sign * arm.imag, sign * arm.real
            load[3 * bar : 3 * bar + 2] = mass * centre[2].real, mass * (centre[2].imag + an.G)
            load[3 * bar + 2] = mass * length**2 / 12 * motions[bar].angular_acceleration[k]
        matrix[2, 8] = 1.0
        x = np.linalg.solve(matrix, load)
        for name, at in columns.items():
            found[name][k] = complex(x[at], x[at + 1])
        found["torque"][k] = x[8]
    return found


def test_evidence_reports_exact_stabilisation(driven) -> None:
    run = driven[3]
    assert run.evidence.max_position_violation < 1e-14
    assert run.evidence.max_velocity_violation < 1e-13
    # Works by a spline through 401 samples of the power: h^4 = 4e-11 times its fourth derivative.
    assert run.evidence.max_energy_residual < 1e-5 * np.abs(run.array("energy.work")).max()


@pytest.mark.parametrize("branch", [1, -1])
def test_branch_follows_the_drawing_even_when_it_is_rough(branch: int) -> None:
    side = -1 if branch < 0 else 1
    model = gw.Model("sketch").ground_point("O", 0, 0).ground_point("C", 0.4, 0)
    model.point("A", 0.05, 0.15).point("B", 0.3, 0.15 + side * 0.2)  # lengths drawn 10 to 40 % wrong
    for name, start, end, length in (("crank", "O", "A", 0.2), ("coupler", "A", "B", 0.35), ("rocker", "C", "B", 0.3)):
        model.link(name, start, end, length=length, mass=1.0)
    model.drive.rotation("crank", "1.2")
    run = model.kinematics(times=[0.0])
    exact = points(CRANK_ROCKER, 1.2, 0.0, 0.0, branch)["B"][0]
    assert complex(complex_of(run, "B")[0]) == pytest.approx(complex(exact), abs=1e-14)


def test_dead_point_ends_the_kinematic_analysis_at_its_time() -> None:
    """A double rocker driven beyond its range stops where coupler and rocker are in line: b + c = |A C|."""
    lengths = (0.3, 0.2, 0.35, 0.4)
    crank, coupler, rocker, ground = lengths
    stretched = np.arccos((crank**2 + ground**2 - (coupler + rocker) ** 2) / (2 * crank * ground))
    model = four_bar(lengths, 1.5, drive="1.5 + t")
    with pytest.raises(gw.SingularPose) as stop:
        model.kinematics(2.0, step=1e-3)
    assert stop.value.time == pytest.approx(stretched - 1.5, abs=2e-3)  # samples are 1e-3 s apart
    assert stop.value.partial is not None
    reached = stop.value.partial.time[-1]
    assert stretched - 1.5 - 2e-3 < reached < stretched - 1.5
    assert "dead point" in str(stop.value)
