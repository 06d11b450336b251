"""Horse leg: 42 coordinates and 42 equations, motion compared with intersections of circles, the recomputation of 003, and the
effect of L3."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanisms import horse_leg
from gaitwright.mechanisms.horse_leg import CONTACT_POINTS, GAIT_PARAMETERS, GEOMETRY_PARAMETERS, LINKS

EXAMPLE = Path(__file__).parents[2] / "examples" / "horse_leg.yaml"
TIMES = np.linspace(0.0, 1.0, 721)


def meet(p: np.ndarray, a: float, q: np.ndarray, b: np.ndarray | float, side: float) -> np.ndarray:
    """Point at distance a from p and b from q, left (+1) or right (-1) of the direction from p to q. Complex, m."""
    along = np.abs(q - p)
    foot = (a**2 - b**2 + along**2) / (2 * along)
    return p + (foot + side * 1j * np.sqrt(a**2 - foot**2)) * (q - p) / along


def closed(angle: np.ndarray, l3: np.ndarray) -> dict[str, np.ndarray]:
    """All points of the leg, complex, from the lengths printed in chapter 4 and the recomputation of 003 only."""
    o2 = complex(-math.sqrt(0.257**2 - 0.052**2), -0.052) + 0 * angle
    a = 0.1 * np.exp(1j * angle)
    b, d = meet(a, 0.333, o2, l3, -1), meet(a, 0.413, o2, 0.262, +1)
    c = meet(b, 0.372, o2, 0.267, -1)
    e = meet(c, 0.263, d, 0.245, -1)
    f = meet(d, 0.327, e, 0.438, +1)
    p = e + 0.0573 * (e - c) / 0.263
    g = meet(p, 0.4503, f, 0.0711, -1)
    h = f + 0.0911 * np.exp(0.521j) * (g - f) / 0.0711
    heel = h - 0.03 * np.exp(1.0927j) * (h - f) / 0.0911
    return {"A": a, "B": b, "C": c, "D": d, "E": e, "F": f, "P": p, "G": g, "H": h, "L14.K": heel}


LAWS = {
    "walk": lambda angle: 0.277 + 0 * angle,
    "run": lambda angle: 0.277 + 0.025 * np.cos(angle - math.radians(330)),
}


@pytest.mark.parametrize("gait", GAIT_PARAMETERS)
@pytest.mark.parametrize("clockwise", [True, False])
def test_motion_matches_intersections_of_circles(gait: str, clockwise: bool) -> None:
    turn = horse_leg(gait, clockwise=clockwise).kinematics(times=TIMES)
    angle = math.pi + (-1 if clockwise else 1) * 2 * math.pi * TIMES
    for name, place in closed(angle, LAWS[gait](angle)).items():
        assert np.abs(turn.array(f"{name}.x") + 1j * turn.array(f"{name}.y") - place).max() < 1e-12


@pytest.mark.parametrize("gait", GAIT_PARAMETERS)
def test_equations_match_coordinates_and_are_regular(gait: str) -> None:
    """Paper 003 Eq 6.1 and 6.3."""
    model = horse_leg(gait)
    findings = model.check()
    assert (findings.bodies, findings.coordinates, findings.constraints, findings.drives) == (14, 42, 42, 2)
    assert findings.degrees_of_freedom == 0 and not findings.redundant and not findings.conflicts
    turn = model.kinematics(times=TIMES)
    sigma = turn.array("evidence.sigma")
    assert sigma.min() > 0.02 * sigma.max()
    assert not turn.evidence.warnings
    assert turn.evidence.max_position_violation < 1e-12


def test_reference_g() -> None:
    """Stance of the toe alone, 8 mm deep, as measured in the recomputation of 003."""
    expected = {"walk": (0.526, 0.328, 26.6), "run": (0.588, 0.185, 28.0)}
    for gait, (width, duty, rotation) in expected.items():
        turn = horse_leg(gait).kinematics(1.0, step=2.5e-4)
        x, y, angle = turn.array("H.x"), turn.array("H.y"), np.degrees(turn.array("L14.angle"))
        stance = y < y.min() + 0.008
        assert np.ptp(x) == pytest.approx(width, abs=5e-4)
        assert stance.mean() == pytest.approx(duty, abs=3e-3)
        assert np.ptp(angle[stance]) == pytest.approx(rotation, abs=0.5)
        if gait == "walk":
            assert np.ptp(x[stance]) == pytest.approx(0.302, abs=1e-3)


def test_actuator_slides_along_its_link() -> None:
    """B stays on link 3 at the driven distance from O2, and the actuator's force is the force of the drive along it."""
    model = horse_leg("walk", l3="L3 + 0.01*sin(2*pi*t)")
    turn = model.inverse(times=TIMES)
    hip = np.array([GEOMETRY_PARAMETERS["O2_x"], GEOMETRY_PARAMETERS["O2_y"]])
    arm = np.stack([turn.array("B.x"), turn.array("B.y")], axis=1) - hip
    assert np.hypot(*arm.T) == pytest.approx(0.277 + 0.01 * np.sin(2 * math.pi * TIMES), abs=1e-12)
    way = np.arctan2(arm[:, 1], arm[:, 0])
    assert np.abs(np.exp(1j * way) - np.exp(1j * turn.array("L3.angle"))).max() < 1e-12
    # the mass does not move along the bar: its centre keeps its distance
    centre = np.stack([turn.array("L3.x"), turn.array("L3.y")], axis=1) - hip
    assert np.hypot(*centre.T) == pytest.approx(0.277 / 2, abs=1e-12)
    # over a whole turn, crank and actuator together do no work: there is no loss
    assert sum(turn.drive_work(name)["net"] for name in ("crank", "actuator")) == pytest.approx(0.0, abs=1e-5)
    assert turn.drive_work("actuator")["absolute"] > 0.1


def test_drive_loads_match_virtual_work() -> None:
    """At low speed the crank carries only weights: its torque is the derivative of the potential energy by its
    angle."""
    turn = horse_leg(turns_per_second=1e-4).inverse(1e4, step=10.0)
    angle, potential = turn.array("crank.angle"), turn.array("energy.potential")
    assert turn.array("crank.torque")[1:-1] == pytest.approx(np.gradient(potential, angle)[1:-1], abs=2e-3)


@pytest.mark.parametrize("gait", GAIT_PARAMETERS)
def test_forward_and_inverse_dynamics_agree(gait: str) -> None:
    model = horse_leg(gait)
    forward = model.simulate(0.3, method="dopri5", tolerance=1e-9, output_step=0.01)
    inverse = model.inverse(times=forward.time)
    for output in ("crank.torque", "actuator.force", "H.ay"):
        exact = inverse.array(output)
        assert forward.array(output) == pytest.approx(exact, abs=1e-4 * np.abs(exact).max())


def test_lengths_are_parameters() -> None:
    model = horse_leg(L3=0.287, sole=0.05)
    assert model.to_dict()["parameters"]["L3"] == 0.287
    assert gw.Model.from_dict(model.to_dict()).to_dict() == model.to_dict()
    start = model.assemble().q
    changed = horse_leg(sole=0.05).copy(L3=0.287).assemble().q
    assert changed == pytest.approx(start, abs=1e-9)
    run = model.kinematics(times=TIMES[:2])
    heel, toe = (np.array([run.array(f"L14.{p}.{axis}")[0] for axis in "xy"]) for p in "KH")
    assert np.hypot(*(heel - toe)) == pytest.approx(0.05, abs=1e-12)


def test_masses_of_the_table() -> None:
    """Table 4.2 gives 0.25 kg/m, rounded to grams; the same is assumed for the links of chapter 6."""
    assert len(LINKS) == 14
    assert sum(mass for *_, mass in LINKS.values()) == pytest.approx(
        0.825 + 0.25 * (0.4503 + 0.0711 + 0.0911), abs=1e-9
    )


def test_bad_requests() -> None:
    with pytest.raises(gw.ModelError, match=r"'gait'.*expected one of walk, run"):
        horse_leg("gallop")
    with pytest.raises(gw.ModelError, match="L15"):
        horse_leg(L15=1.0)


def test_example_is_the_running_leg_on_a_belt() -> None:
    """Force of the hoof of a running horse leg on a belt; same result as the mechanism in Python."""
    example = gw.load(EXAMPLE)
    run = example.analyse()
    turn = horse_leg("run").kinematics(times=np.linspace(0.0, 1.0, run.time.size))
    assert run.array("H.y") == pytest.approx(turn.array("H.y"), abs=1e-9)
    assert run.array("ground_reaction.fy").max() == pytest.approx(11.24, rel=0.01)
    assert {episode.contact for episode in run.episodes} == set(CONTACT_POINTS)
