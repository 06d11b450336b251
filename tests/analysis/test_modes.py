"""Modes against closed forms, and against finite differences of a linkage in one coordinate."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr
from scipy.linalg import eigvals

import gaitwright as gw
from gaitwright.analysis.modes import Modes
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.mechanisms import four_bar, jansen_leg, pendulum
from gaitwright_apps.benchmarks.net import mass_spring_net
from verification import analytical as an

TURN = 2 * np.pi


def test_compound_pendulum():
    mass, inertia, arm = 2.0, 0.05, 0.3
    model = gw.Model().ground_point("O", 0, 0)
    model.body("bob", mass=mass, inertia=inertia, at=(arm, 0), points={"P": (-arm, 0)}).joint.revolute(
        "ground.O", "bob.P"
    )
    found = model.modes()
    w = an.compound_pendulum_frequency(mass, inertia, arm)
    assert TURN * found.frequencies == pytest.approx([w], rel=1e-14)
    assert found.eigenvalues[0] == pytest.approx(1j * w, rel=1e-14)
    assert found.damping_ratios.tolist() == [0.0] and found.stable and not found.warnings
    # Hanging down, the bob moves along x by its arm times the angle.
    assert found.shapes[0] == pytest.approx([arm, 0.0, 1.0], abs=1e-14)


@pytest.mark.parametrize("rods", [1, 2, 5, 12])
def test_chain_of_rods(rods):
    found = pendulum([0.2] * rods, length=0.5).modes()
    assert TURN * found.frequencies == pytest.approx(an.rod_chain_frequencies(rods, 0.5), rel=1e-12)
    if rods == 2:
        assert TURN * found.frequencies == pytest.approx(an.double_rod_frequencies(0.5), rel=1e-13)


def masses_in_line(n: int, ends: str, damping: list[float] | None = None) -> gw.Model:
    """Equal masses on a rail, joined by springs; damping: of each spring, in order."""
    model = gw.Model("chain", gravity=(0, 0)).ground_point("L", 0, 0).ground_point("R", n + 1, 0)
    names = ["ground.L", *(f"m{k}" for k in range(n)), "ground.R"]
    for k in range(n):
        model.body(f"m{k}", mass=0.5, inertia=1, at=(k + 1, 0)).joint.prismatic("ground.L", f"m{k}", axis=(1, 0))
    first, last = {"fixed-fixed": (0, n + 1), "fixed-free": (0, n), "free-free": (1, n)}[ends]
    for k in range(first, last):
        c = damping[k - first] if damping else 0.0
        model.force.spring_damper(names[k], names[k + 1], stiffness=200, damping=c)
    return model


@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("ends", ["fixed-fixed", "fixed-free", "free-free"])
def test_masses_joined_by_springs(n, ends):
    found = masses_in_line(n, ends).modes()
    expected = an.spring_chain_frequencies(n, 0.5, 200.0, ends)
    assert TURN * found.frequencies == pytest.approx(expected, rel=1e-13)
    assert found.stable
    if ends == "free-free":
        assert found.frequencies[0] == 0.0 == found.eigenvalues[0] and any("neutral" in text for text in found.warnings)


@pytest.mark.parametrize("damping", [0.1, 5.0, 19.9, 20.1, 50.0, 1e4])
def test_damped_oscillator(damping):
    """m = 0.5 kg, k = 200 N/m: critical at 20 N s/m."""
    found = masses_in_line(1, "fixed-free", [damping]).modes()
    first, second = an.damped_eigenvalues(0.5, damping, 200.0)
    assert found.eigenvalues[0] == pytest.approx(first, rel=1e-11)
    assert found.other_eigenvalues[0] == pytest.approx(second, rel=1e-11)
    assert found.frequencies[0] == pytest.approx(20 / TURN, rel=1e-12)
    assert found.damping_ratios[0] == pytest.approx(damping / 20, rel=1e-12)
    assert found.damped_frequencies[0] == pytest.approx(20 / TURN * np.sqrt(max(1 - (damping / 20) ** 2, 0)), abs=1e-9)
    assert found.stable


def state_space_roots(model: gw.Model, n: int) -> np.ndarray:
    """Roots of the masses in line, assembled here spring by spring."""
    K, C = np.zeros((n + 2, n + 2)), np.zeros((n + 2, n + 2))
    for spring in model.document.forces:
        ends = {"ground.L": 0, "ground.R": n + 1} | {f"m{k}": k + 1 for k in range(n)}
        d = np.zeros(n + 2)
        d[ends[spring["a"]]], d[ends[spring["b"]]] = -1, 1
        K += spring["stiffness"] * np.outer(d, d)
        C += spring["damping"] * np.outer(d, d)
    K, C = K[1:-1, 1:-1] / 0.5, C[1:-1, 1:-1] / 0.5
    return eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-K, -C]]))


def both_roots(found: Modes) -> np.ndarray:
    return np.concatenate([found.eigenvalues, found.other_eigenvalues])


def ordered(roots: np.ndarray) -> np.ndarray:
    return roots[np.lexsort((roots.imag.round(6), roots.real.round(6)))]


@pytest.mark.parametrize(
    "damping", [[3.0, 0, 0, 0], [0, 30.0, 1.0, 0], [60.0, 5.0, 0, 40.0], [300.0, 1e3, 100.0, 500.0]]
)
def test_damping_that_couples_the_modes(damping):
    model = masses_in_line(3, "fixed-fixed", damping)
    found = model.modes()
    assert ordered(both_roots(found)) == pytest.approx(ordered(state_space_roots(model, 3)), rel=1e-9, abs=1e-9)
    assert found.stable and np.all(np.diff(found.frequencies) >= 0)
    # Each shape satisfies its quadratic equation: check by the residual of the full matrices.
    mechanism = found.equilibrium.mechanism
    reduced = RestingMechanism(mechanism, 0.0).reduced(found.equilibrium.motion.q[0], found.equilibrium.motion.lam[0])
    for s, shape in zip(found.eigenvalues, found.shapes, strict=True):
        y = np.linalg.lstsq(reduced.basis.astype(complex), shape, rcond=None)[0]
        left = s**2 * reduced.M @ y + s * reduced.C @ y + reduced.K @ y
        assert np.linalg.norm(left) < 1e-9 * np.linalg.norm(s**2 * reduced.M @ y) + 1e-6 * np.linalg.norm(reduced.K @ y)


def test_free_chain_with_coupling_damping_keeps_its_rigid_motion_exact():
    model = masses_in_line(4, "free-free", [0.0, 2.0, 9.0])
    found = model.modes()
    assert found.eigenvalues[0] == 0 and found.other_eigenvalues[0] == 0 and found.damping_ratios[0] == 0
    expected = state_space_roots(model, 4)
    fast = np.abs(expected) > 1e-3
    assert ordered(both_roots(found)[np.abs(both_roots(found)) > 0]) == pytest.approx(ordered(expected[fast]), rel=1e-9)


def test_damper_without_spring_creeps():
    model = gw.Model(gravity=(0, 0)).ground_point("O", 0, 0).body("m", mass=2, inertia=1, at=(1, 0))
    model.joint.prismatic("ground.O", "m", axis=(1, 0)).force.spring_damper("ground.O", "m", stiffness=0, damping=3)
    found = model.modes()
    assert (found.eigenvalues[0], found.other_eigenvalues[0]) == (0, pytest.approx(-1.5, rel=1e-14))
    assert found.frequencies[0] == 0 and np.isinf(found.damping_ratios[0]) and found.stable
    assert found.summary()["damping_ratios"] == [None]


@pytest.mark.parametrize("stiffness", [0.0, 4.0, 4.9, 6.0, 50.0])
def test_inverted_pendulum(stiffness):
    model = gw.Model().ground_point("O", 0, 0).point("A", 0, 1).link("rod", "O", "A", mass=1)
    found = model.force.torsion_spring("ground", "rod", stiffness=stiffness, rest_angle="pi/2").modes()
    square = an.inverted_pendulum_eigenvalue(1.0, 1 / 12, 0.5, stiffness)
    assert found.eigenvalues[0] == pytest.approx(np.sqrt(complex(-square)), rel=1e-12)
    assert found.stable == (square > 0) == (not found.warnings)
    if square < 0:
        assert found.frequencies[0] == 0 and np.isnan(found.damping_ratios[0])
        assert "unstable" in found.warnings[0]


def test_free_body_has_three_rigid_motions():
    found = gw.Model(gravity=(0, 0)).body("puck", mass=2, inertia=0.3, at=(1, 2), angle=0.4).modes()
    assert len(found) == 3 and found.stable
    assert found.frequencies.tolist() == [0, 0, 0] and not np.any(both_roots(found))
    assert np.linalg.matrix_rank(found.shapes) == 3


def test_two_free_bodies_on_a_spring():
    """Five rigid motions, though the spring turns with the bodies, and one vibration: w^2 = k (1/m1 + 1/m2)."""
    model = gw.Model(gravity=(0, 0)).body("a", mass=1, inertia=1).body("b", mass=3, inertia=1, at=(0.6, 0.8))
    found = model.force.spring_damper("a", "b", stiffness=90).modes()
    assert found.frequencies[:5].tolist() == [0] * 5
    assert TURN * found.frequencies[5] == pytest.approx(np.sqrt(90 * (1 + 1 / 3)), rel=1e-13)


# A linkage with reactions, weights and springs -----------------------------------------------------------------------

BARS = {"crank": 0.1, "coupler": 0.3, "rocker": 0.25}
GROUND, DENSITY, SPRING, RELAXED = 0.3, 0.25, 60.0, 0.15
ANCHOR = 0.1 + 0.45j


def sprung_four_bar() -> gw.Model:
    model = four_bar(*BARS.values(), GROUND, angle=1.0, speed=None, density=DENSITY)
    model.ground_point("S", ANCHOR.real, ANCHOR.imag)
    model.force.spring_damper("ground.S", "coupler.B", stiffness=SPRING, damping=4.0, rest_length=RELAXED)
    return model.force.torsion_spring("ground", "crank", stiffness=0.2, rest_angle=1.0)


def four_bar_points(theta: float, rate: float = 0.0) -> list[tuple[np.ndarray, np.ndarray, float]]:
    motion = an.four_bar(*BARS.values(), GROUND, theta, rate)
    origin, tip = an.fixed_point(0), an.crank_point(BARS["crank"], theta, rate)
    hinge = an.fixed_point(GROUND)
    end = hinge + an.crank_point(BARS["rocker"], motion.rocker_angle, motion.rocker_rate)
    pairs = {"crank": (origin, tip), "coupler": (tip, end), "rocker": (hinge, end)}
    return [(*pairs[name], DENSITY * BARS[name]) for name in BARS]


def four_bar_potential(theta: float) -> float:
    bars = four_bar_points(theta)
    length = abs(bars[1][1][0] - ANCHOR)
    springs = SPRING * (length - RELAXED) ** 2 / 2 + 0.2 * (theta - 1.0) ** 2 / 2
    return float(an.bars_energy(bars)) + float(springs)


def test_four_bar_with_springs_against_one_coordinate():
    """w^2 = V'' / J at the angle where V' = 0; J, c from unit crank speed, V'' by differences (Richardson, 1e-8)."""
    found = sprung_four_bar().modes()
    theta = float(found.equilibrium["crank.angle"].values[0])

    def differences(h: float) -> tuple[float, float]:
        low, mid, high = (four_bar_potential(theta + x) for x in (-h, 0.0, h))
        return (high - low) / (2 * h), (high - 2 * mid + low) / h**2

    (slope, curve), (slope_2, curve_2) = differences(2e-3), differences(4e-3)
    slope, curve = (4 * slope - slope_2) / 3, (4 * curve - curve_2) / 3
    moving = four_bar_points(theta, 1.0)
    inertia = 2 * float(an.bars_energy(moving, gravity=0.0))
    end = moving[1][1]
    along = float(an.dot((end[0] - ANCHOR) / abs(end[0] - ANCHOR), end[1]))
    assert abs(slope) < 1e-9 * curve
    expected = an.damped_eigenvalues(inertia, 4.0 * along**2, curve)
    assert found.eigenvalues[0] == pytest.approx(expected[0], rel=1e-7)
    assert found.damping_ratios[0] > 0.01 and found.stable


def test_shapes_respect_the_joints():
    found = sprung_four_bar().modes()
    rest = RestingMechanism(found.equilibrium.mechanism, 0.0)
    q, h = found.equilibrium.motion.q[0], 1e-6
    by = h * found.shapes[0].real / rest.scale
    moved = rest.moved(q, by)
    assert moved is not None
    assert np.max(np.abs(moved[:-1] - q[:-1] - h * found.shapes[0].real)) < 10 * h**2


# Follower loads -------------------------------------------------------------------------------------------------------


def ziegler(push: float) -> gw.Model:
    """Two light rods with point masses 2 m, m at their ends, equal torsion springs, a push along the second rod."""
    model = gw.Model("Ziegler", gravity=(0, 0)).ground_point("O", 0, 0)
    model.body("one", mass=2, inertia=1e-9, at=(1, 0), points={"foot": (-1, 0)}).joint.revolute("ground.O", "one.foot")
    model.body("two", mass=1, inertia=1e-9, at=(2, 0), points={"foot": (-1, 0)}).joint.revolute("one", "two.foot")
    model.force.torsion_spring("ground", "one", stiffness=1).force.torsion_spring("one", "two", stiffness=1)
    return model.force.at_point("two", [-push, 0], frame="body")


def test_ziegler_column_flutters_at_its_critical_load():
    """P = (7/2 - sqrt 2) k / l: Ziegler, Ingenieur-Archiv 20 (1952) 49-56. It never buckles statically."""
    critical = 3.5 - np.sqrt(2)
    below, above = ziegler(0.9999 * critical).modes(), ziegler(1.0001 * critical).modes()
    assert below.stable and not below.warnings and np.all(below.frequencies > 0)
    assert not above.stable and "flutter" in above.warnings[0]
    assert above.damping_ratios[0] < 0 or above.damping_ratios[1] < 0
    assert above.eigenvalues.imag.min() > 0


def test_driving_damper_is_unstable():
    """Damping below zero cannot be written; a follower load beyond its limit with damping is the growing kind."""
    model = ziegler(2.3)
    model.document.forces[0]["damping"] = 1e-3
    found = model.modes()
    assert not found.stable and found.eigenvalues.real.max() > 0


# User interface --------------------------------------------------------------------------------------------------


def test_count_keeps_the_lowest():
    every, few = pendulum([0.0] * 4).modes(), pendulum([0.0] * 4).modes(count=2)
    assert len(every) == 4 and few.frequencies.tolist() == every.frequencies[:2].tolist()
    assert few.shapes.shape == (2, 12)


def test_dataset_file_and_summary(tmp_path):
    found = pendulum([0.3, 0.1]).modes()
    data = found.dataset()
    assert data["frequency"].attrs["units"] == "Hz"
    assert data["shape_real"].dims == ("mode", "coordinate")
    assert list(data["coordinate"].values[:3]) == ["rod1.x", "rod1.y", "rod1.angle"]
    assert list(data["unit"].values[:3]) == ["m", "m", "rad"]
    with xr.open_dataset(found.save(tmp_path / "out" / "modes.nc"), engine="h5netcdf") as read:
        assert read["frequency"].values.tolist() == found.frequencies.tolist()
        assert list(read["coordinate"].values) == found.coordinates
    summary = json.loads(json.dumps(found.summary(), allow_nan=False))
    assert summary["analysis"] == "modes" and summary["stable"] is True and summary["name"] == "2-fold pendulum"
    assert summary["frequencies_hz"] == found.frequencies.tolist()
    assert summary["eigenvalues"][0] == [0.0, pytest.approx(TURN * found.frequencies[0])]
    assert summary["equilibrium"]["analysis"] == "static"
    assert "2 modes" in repr(found) and "stable" in repr(found)


@pytest.mark.parametrize("ending", ["html", "gif"])
def test_animation(tmp_path, ending):
    found = sprung_four_bar().modes()
    path = found.animate(tmp_path / f"mode.{ending}", trace=["B"], cycles=1, frames=12)
    assert path.stat().st_size > 1000
    motion = found.motion(0, amplitude=0.3, cycles=2, frames=10)
    assert motion.t[-1] == pytest.approx(2 / found.damped_frequencies[0])
    crank = motion.q[:, 2] - motion.q[0, 2]
    assert motion.q[0] == pytest.approx(found.equilibrium.motion.q[0], abs=1e-12)
    assert 0.05 < np.abs(crank).max() < 0.5


def test_unstable_mode_can_be_shown(tmp_path):
    found = pendulum([np.pi / 2]).modes()
    assert found.motion(0).t[-1] == pytest.approx(3.0)
    assert found.animate(tmp_path / "fall.html").exists()


def test_document_selects_modes():
    raw = {**pendulum([0.1]).to_dict(), "analysis": {"type": "modes"}}
    assert len(gw.Model.from_dict(raw).analyse()) == 1


def test_errors(tmp_path, monkeypatch):
    with pytest.raises(gw.ModelError, match="nothing free to vibrate"):
        jansen_leg().modes()
    with pytest.raises(gw.ModelError, match="count"):
        pendulum([0.0]).modes(count=0)
    with pytest.raises(gw.ModelError, match="not a number of modes"):
        pendulum([0.0]).modes("two")  # pyright: ignore[reportArgumentType]
    with pytest.raises(gw.ModelError, match="mode"):
        pendulum([0.0]).modes().motion(1)
    with pytest.raises(gw.ModelError, match=r"\.html or \.gif"):
        pendulum([0.0]).modes().animate(tmp_path / "x.avi")
    with pytest.raises(gw.DidNotConverge, match="runs away"):
        gw.Model().body("ball", mass=1, inertia=1).modes()
    monkeypatch.setattr("gaitwright.analysis.modes.MIN_SPARSE_COORDINATES", 5)
    pushed = pendulum([0.0] * 4).force.at_point("rod4.P4", value=(0.01, 0.0), frame="body")
    with pytest.raises(gw.ModelError, match="follower loads"):
        pushed.modes(1)


@pytest.mark.parametrize("damping", [0.0, 5e-4])
def test_modes_of_large_models_are_found_one_by_one(monkeypatch, damping):
    """Against all modes by dense matrices."""
    raw = mass_spring_net(6, 9).to_dict()
    for force in raw["forces"]:
        force |= {"damping": damping * force["stiffness"]} if force["type"] == "spring-damper" else {}
    model = gw.Model.from_dict(raw)
    every = model.modes()
    monkeypatch.setattr("gaitwright.analysis.modes.MIN_SPARSE_COORDINATES", 0)
    few = model.modes(8)
    assert len(few) == 8 and few.stable
    np.testing.assert_allclose(few.frequencies, every.frequencies[:8], rtol=1e-8)
    np.testing.assert_allclose(few.damping_ratios, every.damping_ratios[:8], rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(np.abs(few.shapes), np.abs(every.shapes[:8]), atol=1e-4)
    monkeypatch.setattr("gaitwright.analysis.modes.MAX_DENSE_COORDINATES", 50)
    monkeypatch.setattr("gaitwright.analysis.modes.DEFAULT_MODE_COUNT", 5)
    assert len(model.modes()) == 5
