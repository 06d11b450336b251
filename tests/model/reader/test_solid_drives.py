"""Driven solids: regions displaced by drives, start velocities of whole solids, and their supports."""

import numpy as np
import pytest

import gaitwright as gw

SOFT = {"type": "neo-hookean", "youngs_modulus": 1e5, "poissons_ratio": 0.3, "density": 1000.0}
SIDES = (0.1, 0.02, 0.03)
AREA = SIDES[1] * SIDES[2]


def bar(dimension: int = 3, **fields) -> gw.Model:
    mesh = gw.mesh.box(SIDES, (4, 2, 2)) if dimension == 3 else gw.mesh.rectangle(SIDES[:2], (4, 2))
    model = gw.Model("bar", dimension=dimension, gravity=(0.0,) * dimension)
    return model.solid("bar", mesh, **{"material": SOFT, "fixed": "left", **fields})


@pytest.mark.parametrize("dimension", [2, 3])
def test_displaced_region_equals_one_on_a_driven_body(dimension):
    """Pulled, pushed sideways, and free along no axis."""
    way = {"x": "0.02*t", "y": "0.005*t", **({"z": 0.0} if dimension == 3 else {})}
    run = bar(dimension).drive.displacement("bar.right", **way).static_path(1.0, steps=4)
    other = bar(dimension, fixed=["left", {"region": "right", "to": "B"}])
    if dimension == 3:
        other.body("B", mass=0.1, inertia=[1e-4] * 3, at=(0.07, 0.0, 0.0))
        other.drive.position("B", x="0.07 + 0.02*t", y="0.005*t", z=0.0, name="pull")
        other.drive.orientation("B", angles=[0.0, 0.0, 0.0], name="turn")
    else:
        other.body("B", mass=0.1, inertia=1e-4, at=(0.07, 0.0))
        other.drive.position("B", x="0.07 + 0.02*t", y="0.005*t", name="pull").drive.rotation("B", 0.0, name="turn")
    same = other.static_path(1.0, steps=4)
    for axis in "xyz"[:dimension]:
        force = run.array(f"bar-right.force_{axis}")
        assert force == pytest.approx(same.array(f"pull.force_{axis}"), rel=1e-8, abs=1e-9)
        assert force == pytest.approx(same.array(f"bar.right.reaction_{axis}"), rel=1e-8, abs=1e-9)
        assert -force == pytest.approx(run.array(f"bar.left.reaction_{axis}"), rel=1e-8, abs=1e-9)
    assert run.array("bar.right.x")[-1] == pytest.approx(0.07)
    assert run.array("bar-right.work")[-1] == pytest.approx(run.array("energy.potential")[-1], rel=1e-3)
    assert run.mechanism.n == bar(dimension).mechanism().n - dimension * (9 if dimension == 3 else 3) + dimension


def test_undriven_axes_stay_free():
    """A bar on rollers pulled at its end gets thinner there as well; its force equals the closed form."""
    rollers = [{"region": side, "axes": axis} for side, axis in (("left", "x"), ("front", "y"), ("bottom", "z"))]
    stretch = 1.2
    model = bar(fixed=rollers).drive.displacement("bar.right", x=(stretch - 1) * SIDES[0], name="pull")
    run = model.static()
    across = 1 - (run.array("bar.front.y") - run.array("bar.back.y"))[0] / SIDES[1] - 1
    mu, lame = 1e5 / 2.6, 1e5 * 0.3 / (1.3 * 0.4)
    log = np.log(stretch * across**2)
    assert mu * (across - 1 / across) + lame * log / across == pytest.approx(0.0, abs=1e-3)
    stress = mu * (stretch - 1 / stretch) + lame * log / stretch
    assert run.array("pull.force_x")[0] == pytest.approx(stress * AREA, rel=1e-8)


def test_energy_balance_of_a_driven_solid():
    run = bar().drive.displacement("bar.right", x="0.002*sin(200*t)", name="shake").simulate(until=0.03, step=2e-4)
    assert run.evidence.max_energy_residual < 1e-3 * run.array("energy.kinetic").max()
    part = run.mechanism.parts["bar"]
    total = run.array("shake.force_x") + run.array("bar.left.reaction_x")
    assert total == pytest.approx(part.mass * run.array("bar.ax"), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("dimension", [2, 3])
def test_start_velocity_and_spin(dimension):
    """All nodes move as those of a rigid body, also if a drive has moved the solid before the start."""
    velocity, spin = (1.0, 2.0, 3.0)[:dimension], (4.0, 5.0, 6.0) if dimension == 3 else 4.0
    model = bar(dimension, fixed=None, velocity=velocity, spin=spin, at=(0.3, 0.1, 0.2)[:dimension])
    run = model.simulate(until=2e-3, step=1e-3)
    part = run.mechanism.parts["bar"]
    arm = part.mesh.nodes - np.array((0.3, 0.1, 0.2)[:dimension])
    turned = np.cross(spin, arm) if dimension == 3 else 4.0 * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
    assert part.rates(run.motion.v[0]) == pytest.approx(np.array(velocity) + turned, abs=1e-12)
    assert run.array("bar.vx") == pytest.approx(1.0)


def test_unsatisfiable_start_velocity_is_reported():
    model = (
        bar(2, fixed=None, velocity=(0.0, 1.0)).ground_point("O", -0.05, -0.01).joint.revolute("ground.O", "bar.node1")
    )
    run = model.simulate(until=1e-3, step=1e-3)
    assert any("wanted bar.velocity cannot be met" in warning for warning in run.evidence.warnings)
    assert run.array("bar.right.vy")[0] == pytest.approx(1.0)


def test_reactions_include_loads_on_supports():
    model = bar().force("traction", on="bar.left", value=["100*(1 + t)", 0.0, 50.0])
    model.force("pressure", on="bar.left", value=200.0).force("traction", on="bar.right", value=[10.0, 0.0, 0.0])
    found = model.static()
    assert found.array("bar.left.reaction_x")[0] == pytest.approx(-310.0 * AREA, rel=1e-6)
    assert found.array("bar.left.reaction_z")[0] == pytest.approx(-50.0 * AREA, rel=1e-6)


WRONG = {
    "held": (lambda m: m.drive.displacement("bar.left", x=0.0), "of its nodes, such as node1, are held"),
    "partly held": (lambda m: m.drive.displacement("bar.top", z=0.0), "3 of its nodes, such as node3, are held"),
    "twice": (
        lambda m: m.drive.displacement("bar.right", x="t").drive.displacement("bar.right", x="t", name="again"),
        "drive 'again'.*driven already along x",
    ),
    "no region": (lambda m: m.drive.displacement("bar.rigth", x="t"), "is not a region of a solid.*bar.right"),
    "no solid": (lambda m: m.drive.displacement("rod.right", x="t"), "is not a region of a solid"),
    "no axis": (lambda m: m.drive.displacement("bar.right"), "has neither x, y nor z"),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_drives_have_a_message(case):
    change, said = WRONG[case]
    with pytest.raises(gw.ModelError, match=said):
        change(bar()).mechanism()


NOT_MEANT = {
    "velocity": ({"velocity": (1.0, 2.0)}, "'velocity'.*has 2 numbers.*3 numbers of m/s"),
    "spin": ({"spin": 3.0}, "'spin'.*three numbers of rad/s"),
    "tied": ({"fixed": {"region": "left", "to": "A"}, "spin": (1.0, 0.0, 0.0)}, "follows 'A'.*goes along"),
}


@pytest.mark.parametrize("case", NOT_MEANT)
def test_invalid_start_velocity_has_a_message(case):
    fields, said = NOT_MEANT[case]
    model = gw.Model("bar", dimension=3).body("A", mass=0.1, inertia=[1e-4] * 3)
    with pytest.raises(gw.ModelError, match=said):
        model.solid("bar", gw.mesh.box(SIDES, 1), **{"material": SOFT, "fixed": "left", **fields}).mechanism()
