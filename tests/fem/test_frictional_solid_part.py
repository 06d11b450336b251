"""Quasi-static solids with friction in a model: standing, sliding, rolling; on ground, belts and bodies; energies balance."""

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.statics.equilibrium import find_equilibrium

MASS, HIGH = 20.0, 0.02
PLANES = {2: {"line": [0, 1, 0]}, 3: {"plane": [0, 0, 1, 0]}}


def shoe(d, mu=0.4, place=None, velocity=None, on=None, angle=0.0, **bodies):
    """A bone on a soft sole of 0.2 m, drawn just touching unless a place is given."""
    up = np.eye(d)[-1]
    place = HIGH * up if place is None else np.array(place, dtype=float)
    model = gw.Model("shoe", dimension=d, gravity=tuple(-9.81 * up))
    how = {"velocity": velocity} if velocity else {}
    model.body("bone", mass=MASS, inertia=0.1 if d == 2 else [0.1] * 3, at=place.tolist(), **how)
    for name, fields in bodies.items():
        model.body(name, **fields)
    shape = gw.mesh.rectangle((0.2, 0.02), (10, 2)) if d == 2 else gw.mesh.box((0.2, 0.1, 0.02), (6, 3, 2))
    model.solid(
        "sole",
        shape,
        material=gw.materials.LinearElastic(youngs_modulus=1e6, poissons_ratio=0.4),
        at=(place - 0.5 * HIGH * up).tolist(),
        fixed={"region": "top", "to": "bone"},
        quasi_static={"region": "bottom", "condensed": True, "friction": mu, **(on or PLANES[d])},
    )
    return model


def settled(d, **how):
    """Drawn where it stands."""
    found = shoe(d).static()
    return shoe(d, place=[*[0.0] * (d - 1), found.array(f"bone.{'xyz'[d - 1]}")[0]], **how)


@pytest.mark.parametrize("d", [2, 3])
def test_it_stands(d):
    run = shoe(d).static()
    up = "xyz"[d - 1]
    assert run.array(f"sole.f{up}")[0] == pytest.approx(MASS * 9.81, rel=1e-8)
    assert run.array("sole.normal_force")[0] == pytest.approx(MASS * 9.81, rel=1e-8)
    for name in ("fx", "mz" if d == 2 else "my", "x"):
        assert abs(run.array(f"sole.{name}")[0]) < 1e-6
    pressure = run.solid("sole", "contact_pressure").contact_pressure.values[0]
    assert pressure.max() == pytest.approx(run.array("sole.largest_pressure")[0])
    assert np.abs(run.solid("sole", "displacement").displacement.values).max() > 1e-6


@pytest.mark.parametrize("d, method", [(2, "dopri5"), (3, "dopri5"), (2, "radau5")])
def test_sliding_solid_stops(d, method):
    """It comes to rest after v^2 / (2 mu g), swings on its sole, and the loss equals its initial energy."""
    speed, mu = 0.3, 0.4
    model = settled(d, mu=mu, velocity=[speed, *[0.0] * (d - 1)])
    run = model.simulate(0.15, method=method, tolerance=1e-6, output_step=1e-3)
    before = 0.5 * MASS * speed**2
    assert run.array("bone.x")[-1] == pytest.approx(speed**2 / (2 * mu * 9.81), rel=0.1)
    assert abs(run.array("bone.vx")[-20:]).max() < 0.1 * speed
    assert run.array("energy.dissipated")[-1] == pytest.approx(before, rel=0.05)
    assert run.array("sole.friction_loss")[-1] == pytest.approx(run.array("energy.dissipated")[-1], rel=0.03)
    assert run.evidence.max_energy_residual < 0.01 * before
    assert run.array("sole.sliding").max() == run.array("sole.touching").max()


def test_runs_do_not_remember_each_other():
    model = settled(2, velocity=[0.3, 0.0])
    first, second = (model.simulate(0.02, step=1e-3, method="rk4") for _ in range(2))
    assert np.array_equal(first.array("bone.x"), second.array("bone.x"))
    assert np.array_equal(first.array("sole.fx"), first.array("sole.fx"))


def driven(model, body, place, turn: Any = 0.0):
    """Position and orientation of a body as functions of time."""
    model.drive("position", point=body, **dict(zip("xyz", place, strict=True)))
    return model.drive("orientation", body=body, angles=[0.0, turn, 0.0])


def test_belt_moves_the_solid():
    """By a moving surface, and by a moving body: both give the same, and their work is in the energy balance."""
    plane = {"surface": {"plane": [0, 0, 1, 0], "velocity": [0.2, 0, 0]}}
    slab = dict(
        mass=1.0, inertia=[1.0] * 3, at=[0.0, 0.0, -0.1], points={"A": [0.0, 0.0, 0.1]}, velocity=[0.2, 0.0, 0.0]
    )
    carried = settled(3, on={"plane": {"point": "slab.A", "normal": [0, 0, 1]}}, slab=slab)
    driven(carried, "slab", ("0.2*t", 0.0, -0.1))
    options = {"method": "rk4", "step": 5e-4}
    belt, body = settled(3, on=plane).simulate(0.1, **options), carried.simulate(0.1, **options)
    speed = belt.array("bone.vx")
    assert speed.max() > 0.19 and speed[-1] == pytest.approx(0.2, abs=0.05)
    assert body.array("bone.vx") == pytest.approx(speed, abs=1e-6)
    for run in (belt, body):
        assert run.array("energy.work")[-1] > 0.5 * MASS * 0.04
        assert run.evidence.max_energy_residual < 0.05 * 0.5 * MASS * 0.04


def test_driven_roll_matches_inverse_dynamics():
    """A bone that is driven over the ground: the drives carry its weight and the force of the sole; after the roll it has
    left the ground. Kinematics gives the same results for the sole."""
    model = driven(shoe(3, mu=0.5), "bone", ("0.02*t", 0.0, f"{HIGH} - 0.0015 + 0.02*(t - 0.5)^2"), "0.12*(t - 0.5)")
    times = np.linspace(0.0, 1.0, 51)
    run = model.inverse(times=times)
    drives = {name.rsplit(".", 1)[1]: name for name in run.names if ".force_" in name}
    assert np.abs(run.array("sole.fx")).max() > 5.0 and run.array("sole.touching").min() > 0
    inertia = {"x": 0.0, "y": 0.0, "z": MASS * 0.04 + MASS * 9.81}
    for axis, known in inertia.items():
        pushes = run.array(f"sole.f{axis}") + run.array(drives[f"force_{axis}"])
        assert pushes == pytest.approx(known, abs=1e-6 * run.array("sole.fz").max())
    seen = model.kinematics(times=times)
    assert seen.array("sole.fx") == pytest.approx(run.array("sole.fx"), abs=1e-6)
    assert (run.array("sole.friction_loss")[1:] >= run.array("sole.friction_loss")[:-1] - 1e-10).all()


WRONG = {
    "not condensed": (dict(condensed=False), "condensed.*is missing"),
    "negative friction": (dict(friction=-0.1), "friction.*is negative"),
    "two grounds": (dict(surface={"plane": [0, 0, 1, 0]}), "plane.*besides a surface"),
    "a solid below": (dict(surface={"solid": "mat"}, plane=None), "deforms"),
    "mirrored": (dict(copies=4), "copies.*friction"),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_friction_is_refused(case):
    fields, message = WRONG[case]
    with pytest.raises(gw.ModelError, match=message):
        shoe(3, on={**PLANES[3], **fields}).mechanism()


def test_path_of_equilibria_has_history():
    """Driven slowly, the result is the same for a fully prescribed motion and for a path of equilibria: pressed, then
    dragged."""
    model = driven(shoe(3, mu=0.3), "bone", ("0.012*max(t - 0.5, 0)", 0.0, f"{HIGH} - 0.002*min(t, 0.5)"))
    times = np.linspace(0.0, 1.0, 11)
    path, seen = model.static_path(times=times), model.kinematics(times=times)
    assert path.array("sole.fx") == pytest.approx(seen.array("sole.fx"), abs=1e-6)
    # at first nodes slide sideways, too, as the sole bulges
    assert path.array("sole.fx")[-1] == pytest.approx(-0.3 * path.array("sole.fz")[-1], rel=1e-3)
    assert abs(path.array("sole.fx")[5]) < 1e-6


def test_pose_is_solved_only_once():
    """Also for the largest single force, which evaluates elements one by one."""
    mechanism = shoe(3).mechanism()
    sole: Any = mechanism.parts["sole"]
    found = find_equilibrium(mechanism)[0]
    q = found.q.copy()
    q[2] -= 1e-4
    before = sole.equilibrium.tally["solved"]
    found.rest.forces(q)
    found.rest.stiffness(q, found.lam)
    assert sole.equilibrium.tally["solved"] == before + 1
