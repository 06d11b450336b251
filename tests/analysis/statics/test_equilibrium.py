"""Static equilibrium against closed forms and independent minimal-coordinate solutions."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from scipy.optimize import root

import gaitwright as gw
from gaitwright.analysis.statics.equilibrium import Equilibrium, find_equilibrium
from gaitwright.analysis.statics.equilibrium_search import BALANCE_RTOL
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.analysis.statics.softest_motions import find_softest_motions
from gaitwright.mechanisms import jansen_leg, pendulum
from gaitwright.result.result import Result
from verification import analytical as an


def solve(model: gw.Model, t: float = 0.0) -> tuple[Equilibrium, Result]:
    """The equilibrium of a model; asserts the accuracy that every equilibrium must have."""
    found, result = find_equilibrium(model.mechanism(), t)
    assert found.unbalanced <= BALANCE_RTOL
    assert result.evidence.max_position_violation < 1e-12
    return found, result


def value(result: Result, name: str) -> float:
    return float(result[name].values[0])


def lever(length: float = 1.0, mass: float = 1.0, angle: float = 0.0) -> gw.Model:
    """A uniform link 'rod' on a pin at the origin, drawn at an angle."""
    model = gw.Model("lever").ground_point("O", 0, 0)
    model.point("A", length * np.cos(angle), length * np.sin(angle))
    return model.link("rod", "O", "A", length=length, mass=mass)


# One body -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", [-3.1, -1.0, 0.0, 0.7, 1.5, 1.6, np.pi / 2 - 1e-7, 3.0])
def test_pendulum_finds_hanging_pose_from_any_drawing(angle):
    found, result = solve(lever(0.7, 2.0, angle))
    assert np.cos(value(result, "rod.angle") + np.pi / 2) == pytest.approx(1.0, abs=1e-15)
    assert value(result, "O.fx") == pytest.approx(0.0, abs=1e-13)
    assert value(result, "O.fy") == pytest.approx(2.0 * 9.81, rel=1e-14)
    assert found.stable and found.neutral == 0 and not found.warnings


@pytest.mark.parametrize(("stiffness", "rest", "load"), [(20.0, 0.0, 0.0), (20.0, 0.3, 5.0), (1000.0, -0.2, 50.0)])
def test_sprung_lever(stiffness, rest, load):
    length, mass = 0.5, 2.0
    model = lever(length, mass).force.torsion_spring("ground", "rod", stiffness=stiffness, rest_angle=rest)
    model.force.at_point("rod.A", [0, -load])
    _, result = solve(model)
    expected = an.sprung_lever_angle(mass * 9.81 * length / 2, stiffness, rest, load * length)
    assert value(result, "rod.angle") == pytest.approx(expected, rel=1e-13)


def test_body_between_two_springs_in_line():
    k_1, k_2, l_1, l_2, weight = 300.0, 500.0, 0.2, 0.25, 5.0
    model = gw.Model(gravity=(-weight, 0)).ground_point("L", 0, 0).ground_point("R", 1, 0)
    model.body("block", mass=1, inertia=1, at=(0.3, 0)).joint.prismatic("ground.L", "block", axis=(1, 0))
    model.force.spring_damper("ground.L", "block", stiffness=k_1, rest_length=l_1, name="left")
    model.force.spring_damper("block", "ground.R", stiffness=k_2, rest_length=l_2, name="right")
    _, result = solve(model)
    x = (k_1 * l_1 + k_2 * (1 - l_2) - weight) / (k_1 + k_2)
    assert value(result, "block.x") == pytest.approx(x, rel=1e-14)
    assert value(result, "left.force") == pytest.approx(-k_1 * (x - l_1), rel=1e-12)


def test_stiff_spring_keeps_the_accuracy_of_the_soft_one():
    """1e7 N/m beside 1 N/m: the hanging weight stretches both springs exactly."""
    model = gw.Model().ground_point("C", 0, 0).body("upper", mass=1, inertia=1, at=(0, -1))
    model.body("lower", mass=0.1, inertia=1, at=(0, -2))
    model.force.spring_damper("ground.C", "upper", stiffness=1e7, rest_length=1, name="stiff")
    model.force.spring_damper("upper", "lower", stiffness=1, rest_length=1, name="soft")
    for body in ("upper", "lower"):
        model.force.torsion_spring("ground", body, stiffness=1)
    _, result = solve(model)
    assert value(result, "soft.length") == pytest.approx(1 + 0.981, rel=1e-9)
    assert value(result, "stiff.length") - 1 == pytest.approx(1.1 * 9.81 / 1e7, rel=1e-7)


def test_link_rests_on_its_stop():
    model = lever().force.bumper("ground", "rod", lower=-0.3, upper=1.0, stiffness=1e3, name="stop")
    _, result = solve(model)
    angle = value(result, "rod.angle")
    assert angle < -0.3
    assert 1e3 * (-0.3 - angle) == pytest.approx(9.81 / 2 * np.cos(angle), rel=1e-12)
    assert value(result, "stop.torque") == pytest.approx(9.81 / 2 * np.cos(angle), rel=1e-12)


# Limit points and stability -------------------------------------------------------------------------------------------

HALF_SPAN, RISE, STIFFNESS = 1.0, 0.3, 1000.0
REST = float(np.hypot(HALF_SPAN, RISE))


def truss(load: float) -> gw.Model:
    """Two springs that meet at an apex above the line of their supports."""
    model = gw.Model("truss", gravity=(0, 0)).ground_point("L", -HALF_SPAN, 0).ground_point("R", HALF_SPAN, 0)
    model.body("apex", mass=1, inertia=1, at=(0, RISE)).force.torsion_spring("ground", "apex", stiffness=1)
    for support in ("L", "R"):
        model.force.spring_damper(f"ground.{support}", "apex", stiffness=STIFFNESS, rest_length=REST)
    return model.force.at_point("apex", [0, -load])


LIMIT_HEIGHT, LIMIT_LOAD = an.von_mises_truss_limit(HALF_SPAN, REST, STIFFNESS)


@pytest.mark.parametrize("height", [0.29, 0.25, 0.2, LIMIT_HEIGHT + 1e-3])
def test_von_mises_truss_up_to_its_limit_point(height):
    found, result = solve(truss(float(an.von_mises_truss_load(height, HALF_SPAN, REST, STIFFNESS))))
    assert value(result, "apex.y") == pytest.approx(height, rel=1e-9)
    assert found.stable


@pytest.mark.parametrize("overload", [1.001, 1.5])
def test_von_mises_truss_snaps_through(overload):
    found, result = solve(truss(overload * LIMIT_LOAD))
    height = value(result, "apex.y")
    assert height < -RISE
    held = float(an.von_mises_truss_load(height, HALF_SPAN, REST, STIFFNESS))
    assert held == pytest.approx(overload * LIMIT_LOAD, rel=1e-12)
    assert found.stable


@pytest.mark.parametrize("angle", [0.5, 0.45, 0.4])
def test_toggle(angle):
    length, stiffness, rest_angle = 0.2, 800.0, 0.55
    assert angle > an.toggle_limit(rest_angle, length, stiffness)[0]
    span = 2 * length * np.cos(rest_angle)
    model = gw.Model("toggle", gravity=(0, 0)).ground_point("O", 0, 0).ground_point("W", 1, 0)
    model.point("K", span / 2, length * np.sin(rest_angle)).point("S", span, 0)
    model.link("upper", "O", "K", length=length, mass=0.1).link("lower", "K", "S", length=length, mass=0.1)
    model.joint.slot("ground.O", "lower.S", axis=(1, 0))
    model.force.spring_damper("lower.S", "ground.W", stiffness=stiffness, rest_length=1 - span)
    model.force.at_point("upper.K", [0, -float(an.toggle_load(angle, rest_angle, length, stiffness))])
    found, result = solve(model)
    assert value(result, "upper.angle") == pytest.approx(angle, rel=1e-11)
    assert found.stable


def inverted(stiffness: float, tilt: float) -> gw.Model:
    model = lever(angle=np.pi / 2 + tilt)
    return model.force.torsion_spring("ground", "rod", stiffness=stiffness, rest_angle=np.pi / 2)


@pytest.mark.parametrize("stiffness", [6.0, 4.0, 2.0, 0.5])
@pytest.mark.parametrize("side", [1, -1])
def test_inverted_pendulum_tilts_where_its_spring_is_too_soft(stiffness, side):
    found, result = solve(inverted(stiffness, 0.05 * side))
    tilt = an.inverted_pendulum_tilt(9.81 / 2, stiffness)
    assert value(result, "rod.angle") - np.pi / 2 == pytest.approx(side * tilt, rel=1e-13, abs=1e-14)
    assert found.stable


def test_drawn_unstable_equilibrium_is_kept_and_reported():
    found, result = solve(inverted(4.0, 0.0))
    assert value(result, "rod.angle") == pytest.approx(np.pi / 2, abs=1e-15)
    assert found.stable is False
    assert "unstable equilibrium" in result.evidence.warnings[0] and "link 'rod'" in result.evidence.warnings[0]
    found, _ = solve(inverted(6.0, 0.0))
    assert found.stable and not found.warnings


def test_leaves_a_saddle_on_its_way():
    """A pendulum exactly upright on a sprung slider: the spring moves, and symmetry alone would keep it upright."""
    model = gw.Model("cart").ground_point("O", 0, 0).point("A", 0, 0.2).point("B", 0, 1.2)
    model.body("cart", mass=1, inertia=1, at=(0, 0.2), points={"P": (0, 0)})
    model.joint.prismatic("ground.O", "cart", axis=(0, 1)).force.spring_damper(
        "ground.O", "cart", stiffness=1e3, rest_length=0.2
    )
    model.link("rod", "A", "B", mass=1).joint.revolute("cart.P", "rod.A")
    found, result = solve(model)
    assert found.stable
    assert np.sin(value(result, "rod.angle")) == pytest.approx(-1.0, abs=1e-14)
    assert value(result, "cart.y") == pytest.approx(0.2 - 2 * 9.81 / 1e3, rel=1e-12)


@pytest.mark.parametrize("rods", [2, 5, 40])
def test_chain_hangs_straight(rods):
    found, result = solve(pendulum([0.0] * rods))
    angles = [value(result, f"rod{k}.angle") for k in range(1, rods + 1)]
    assert np.sin(angles) == pytest.approx(-1.0, abs=1e-13)
    assert value(result, "P0.fy") == pytest.approx(9.81 * rods, rel=1e-13)
    assert found.iterations < 20


def test_converges_quadratically():
    history = solve(lever().force.torsion_spring("ground", "rod", stiffness=3.0))[0].history
    small = [x for x in history if 1e-14 < x < 1e-2]
    assert len(small) <= 3
    assert all(after < 10 * before**2 + 1e-15 for before, after in itertools.pairwise(history) if before < 1e-2)


@pytest.mark.parametrize("push", [0.0, 3.0])
def test_pivot_signs_detect_sufficient_regularisation(push):
    """Signs of pivots against the smallest eigenvalue of the symmetric part of the reduced stiffness."""
    random = np.random.default_rng(1)
    for _ in range(10):
        model = pendulum(random.uniform(0.3, 2.8, 4)).force.torsion_spring("rod1", "rod3", stiffness=5)
        model.force.at_point("rod4.P4", [push, push], frame="body")
        mechanism = model.mechanism()
        rest, q = RestingMechanism(mechanism, 0.0), mechanism.drawn
        now = rest.forces(q)
        K = rest.reduced(q, now.lam).K
        lowest = np.linalg.eigvalsh((K + K.T) / 2)[0]
        unit = rest.unit(rest.stiffness(q, now.lam), now)
        assert lowest < 0
        for factor in (0.0, 0.5, 0.999, 1.001, 2.0):
            positive = rest.matrix.is_positive(rest.stiffness(q, now.lam) / unit, now.jacobian, -factor * lowest / unit)
            assert positive == (factor > 1)


# Linkages -------------------------------------------------------------------------------------------------------------


def parallelogram(cranks: int) -> gw.Model:
    """A platform on equal parallel cranks; the third is redundant."""
    model = gw.Model("parallelogram")
    points = {f"B{k}": (0.5 * k - 0.25 * (cranks - 1), 0.0) for k in range(cranks)}
    c, s = 0.4 * np.cos(-0.6), 0.4 * np.sin(-0.6)
    model.body("platform", mass=3, inertia=0.2, at=(0.25 * (cranks - 1) + c, s), points=points)
    for k in range(cranks):
        model.ground_point(f"A{k}", 0.5 * k, 0).point(f"C{k}", 0.5 * k + c, s)
        model.link(f"crank{k}", f"A{k}", f"C{k}", length=0.4, mass=1)
        model.joint.revolute(f"crank{k}.C{k}", f"platform.B{k}")
    return model


@pytest.mark.parametrize("cranks", [2, 3])
def test_parallelogram_shares_its_weight(cranks):
    found, result = solve(parallelogram(cranks))
    assert value(result, "crank0.angle") == pytest.approx(-np.pi / 2, abs=1e-13)
    assert value(result, "platform.angle") == pytest.approx(0.0, abs=1e-13)
    assert bool(result.evidence.redundant) == (cranks == 3)
    lifts = [value(result, f"A{k}.fy") for k in range(cranks)]
    assert sum(lifts) == pytest.approx((3 + cranks) * 9.81, rel=1e-13)
    assert lifts[0] == pytest.approx(lifts[-1], rel=1e-12)
    assert found.stable and found.neutral == 0


CRANK = an.uniform_slider_crank(0.1, 0.3, 0.5, 1.5, 0.8)


def slider_crank(angle: str) -> gw.Model:
    at_0 = 0.4
    pin = 0.1 * np.exp(1j * at_0)
    x = pin.real + np.sqrt(0.3**2 - pin.imag**2)
    model = gw.Model("slider-crank").ground_point("O", 0, 0).point("A", pin.real, pin.imag).point("B", x, 0)
    model.link("crank", "O", "A", length=0.1, mass=0.5).link("rod", "A", "B", length=0.3, mass=1.5)
    model.body("slider", mass=0.8, inertia=0.1, at=(x, 0), points={"P": (0, 0)})
    model.joint.revolute("rod.B", "slider.P", name="wrist").joint.prismatic(
        "ground.O", "slider", axis=(1, 0), name="guide"
    )
    return model.drive.rotation("crank", angle, name="motor")


def test_driven_mechanism_needs_the_torque_of_inverse_dynamics_at_rest():
    """The drive runs, but statics holds it: no inertia, no power."""
    _, result = solve(slider_crank("0.4 + 5*t"), 0.1)
    expected = an.slider_crank_reactions(CRANK, 0.9, 0.0)
    assert value(result, "crank.angle") == pytest.approx(0.9, rel=1e-14)
    assert value(result, "motor.torque") == pytest.approx(float(expected.torque), rel=1e-12)
    assert value(result, "wrist.fx") == pytest.approx(expected.at_b.real, abs=1e-12)
    assert value(result, "wrist.fy") == pytest.approx(expected.at_b.imag, rel=1e-12)
    assert value(result, "guide.normal") == pytest.approx(float(expected.guide), rel=1e-12)
    assert value(result, "motor.power") == 0.0
    assert result.evidence.max_velocity_violation == 0.0 == value(result, "evidence.velocity_violation")
    assert result.evidence.newton_iterations == 0 and not result.evidence.warnings


def test_driven_leg_agrees_with_inverse_dynamics_of_a_drive_at_rest():
    _, static = solve(jansen_leg(), 0.2)
    still = jansen_leg(turns_per_second=1.0)
    still.document.drives[0]["angle"] = f"{-2 * np.pi * 0.2!r} + 0*t"
    inverse = still.inverse(1.0, step=1.0)
    for name in inverse.names:
        if name.endswith((".torque", ".fx", ".fy")):
            assert value(static, name) == pytest.approx(value(inverse, name), abs=1e-10)


def test_loads_use_requested_time():
    model = lever().force.torsion_spring("ground", "rod", stiffness=30).force.torque("rod", "4*t")
    for t in (0.0, 1.0, 2.5):
        _, result = solve(model, t)
        angle = value(result, "rod.angle")
        assert 30 * angle + 9.81 / 2 * np.cos(angle) == pytest.approx(4 * t, abs=1e-12)
        assert result.time.tolist() == [t]


# Follower loads -------------------------------------------------------------------------------------------------------


def test_follower_force_holds_a_lever_up():
    """A force across the lever that turns with it has a constant moment: cos(angle) = 2 F / (m g)."""
    found, result = solve(lever().force.at_point("rod.A", [0, 2.0], frame="body"))
    assert value(result, "rod.angle") == pytest.approx(-np.arccos(2 * 2.0 / 9.81), rel=1e-13)
    assert found.stable


@pytest.mark.parametrize("push", [0.5, 1.5])
def test_follower_force_on_two_sprung_rods(push):
    """Against SciPy on the two angles: -k a1 + k (a2 - a1) + ... = 0 by virtual work."""
    stiffness, weight = 2.0, 0.05 * 9.81
    model = gw.Model("follower").ground_point("P0", 0, 0).point("P1", 1, 0).point("P2", 2, 0)
    model.link("r1", "P0", "P1", mass=0.05).link("r2", "P1", "P2", mass=0.05)
    model.force.torsion_spring("ground", "r1", stiffness=stiffness).force.torsion_spring(
        "r1", "r2", stiffness=stiffness
    )
    model.force.at_point("r2.P2", [-push, 0], frame="body")

    def moments(angles):
        a, b = angles
        return [
            -stiffness * a + stiffness * (b - a) - 1.5 * weight * np.cos(a) - push * np.sin(b - a),
            -stiffness * (b - a) - 0.5 * weight * np.cos(b),
        ]

    expected = root(moments, [-0.5, -0.7], tol=1e-14)
    assert np.max(np.abs(expected.fun)) < 1e-13
    found, result = solve(model)
    assert [value(result, "r1.angle"), value(result, "r2.angle")] == pytest.approx(list(expected.x), abs=1e-12)
    assert found.iterations < 40


# Unsupported motions --------------------------------------------------------------------------------------------------


def test_neutral_equilibrium_gives_warning():
    free = gw.Model(gravity=(0, 0)).body("puck", mass=1, inertia=1)
    found, result = solve(free)
    assert found.stable and found.neutral == 3
    assert "neutral" in result.evidence.warnings[0] and "body 'puck'" in result.evidence.warnings[0]
    slider = gw.Model().ground_point("O", 0, 0).body("block", mass=2, inertia=1, at=(0.3, 0))
    slider.joint.prismatic("ground.O", "block", axis=(1, 0), name="rail")
    found, result = solve(slider)
    assert found.neutral == 1 and value(result, "block.x") == 0.3
    assert value(result, "rail.normal") == pytest.approx(2 * 9.81, rel=1e-14)


def two_bodies() -> gw.Model:
    model = gw.Model("loose").ground_point("O", 0, 0).body("held", mass=1, inertia=1, at=(0, -1))
    model.body("loose", mass=1, inertia=1, at=(1, 0)).force.torsion_spring("ground", "held", stiffness=1)
    return model.force.spring_damper("ground.O", "held", stiffness=100)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "culprit"),
    [
        (gw.Model().body("ball", mass=1, inertia=1), "body 'ball' runs away"),
        (two_bodies(), "body 'loose' runs away"),
        (lever().force.torque("rod", 20), "link 'rod' runs away"),
    ],
)
def test_unsupported_body_is_named(model, culprit):
    with pytest.raises(gw.DidNotConverge, match=culprit) as caught:
        model.static()
    assert "spring" in caught.value.suggestion and caught.value.time == 0.0
    assert caught.value.partial.time.size == 1
    assert np.all(np.isfinite(caught.value.partial.motion.q))


def test_errors():
    with pytest.raises(gw.ModelError, match="time"):
        lever().static(float("nan"))
    model = gw.Model().ground_point("O", 0, 0).body("b", mass=1, inertia=1)
    model.force.spring_damper("ground.O", "b", stiffness=1, rest_length=0.1)
    with pytest.raises(gw.ModelError, match=r"spring-damper-1.*has no length at the start"):
        model.static()
    model = gw.Model().ground_point("O", 0, 0).ground_point("C", 5, 0).point("A", 1, 0)
    model.link("one", "O", "A", mass=1).link("two", "A", "C", mass=1, length=2)
    with pytest.raises(gw.AssemblyError):
        model.static()


def test_large_models_are_examined_without_dense_matrices(monkeypatch):
    monkeypatch.setattr("gaitwright.analysis.statics.equilibrium_search.MAX_DENSE_COORDINATES", 5)
    monkeypatch.setattr("gaitwright.analysis.statics.softest_motions.MAX_DENSE_COORDINATES", 5)
    model = pendulum([0.3, 0.1, 0.2])
    model.body("puck", mass=1e-3, inertia=1, at=(3, 0)).ground_point("G", 3, 0).joint.prismatic(
        "ground.G", "puck", axis=(1, 0)
    )
    found, result = solve(model)
    assert found.stable and found.neutral == 1
    assert "body 'puck'" in result.evidence.warnings[0]
    assert np.sin(value(result, "rod2.angle")) == pytest.approx(-1.0, abs=1e-14)
    upright = pendulum([np.pi / 2] * 5).mechanism()
    rest = RestingMechanism(upright, 0.0)
    assert find_softest_motions(rest, upright.drawn, rest.forces(upright.drawn).lam).negative == 5


# The result -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_static_result_can_be_saved_and_drawn(tmp_path):
    model = lever().force.torsion_spring("ground", "rod", stiffness=30, name="spring")
    result = model.static()
    assert result.evidence.analysis == "static" and result.evidence.newton_iterations > 0
    summary = json.loads(json.dumps(result.summary()))
    assert summary["analysis"] == "static"
    assert summary["final"]["spring.torque"] == pytest.approx(value(result, "rod.x") * 9.81, rel=1e-12)
    loaded = gw.load_result(result.save(tmp_path / "static.nc"))
    assert value(loaded, "rod.angle") == value(result, "rod.angle")
    assert value(loaded, "O.fy") == value(result, "O.fy")
    result.draw(tmp_path / "static.png")
    assert (tmp_path / "static.png").stat().st_size > 1000


def test_document_selects_static_analysis():
    raw = {**lever().to_dict(), "analysis": {"type": "static"}}
    assert gw.Model.from_dict(raw).analyse().evidence.analysis == "static"


@pytest.mark.parametrize("pressed, found", [(0.3, True), (0.6, True), (1.5, False)])
def test_solid_is_compressed_in_steps_if_needed(pressed, found):
    """By half of its height it is compressed in steps; by more than its height this fails, with a partial result."""
    model = gw.Model("block", dimension=3, gravity=(0, 0, 0))
    model.solid(
        "block",
        gw.mesh.box((0.1, 0.1, 0.1), (2, 2, 2)),
        material=gw.materials.NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3),
        density=1000.0,
        fixed="bottom",
    )
    model.drive("displacement", of="block.top", x=0.0, y=0.0, z="-0.1*t")
    if found:
        run = model.static(pressed)
        assert run.time.tolist() == [pressed] and run.array("block.top.z")[0] == pytest.approx(0.05 - 0.1 * pressed)
        path = model.static_path(pressed, steps=6)
        assert run.array("block.von_mises")[0] == pytest.approx(path.array("block.von_mises")[-1], rel=1e-8)
    else:
        with pytest.raises(gw.AnalysisError) as failure:
            model.static(pressed)
        kept = failure.value.partial
        assert kept.time[-1] > 0.5 and kept.array("block.von_mises")[-1] > 1e6
