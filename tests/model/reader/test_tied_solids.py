"""Solids with nodes tied to rigid bodies: compared with solids on the ground, rigid bodies, and conservation laws."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.mechanism.evaluation import evaluate_forces, evaluate_tangents, new_workspace, update_signals
from gaitwright.mechanism.table_builder import compile_tangents

SOFT = {"type": "neo-hookean", "youngs_modulus": 1e5, "poissons_ratio": 0.3, "density": 1000.0}
SIDES = (0.1, 0.02, 0.02)
TURNED = {"angles": [20, 30, 40], "sequence": "xyz"}
INERTIA = [1e-3, 1.2e-3, 1.5e-3]


def bone(model: gw.Model, name: str, x: float, **fields) -> gw.Model:
    """A body beside the bar, with a frame different from the ground frame."""
    if model.document.dimension == 3:
        return model.body(name, mass=0.2, inertia=INERTIA, at=(x, 0.01, 0.02), orientation=TURNED, **fields)
    return model.body(name, mass=0.2, inertia=1e-3, at=(x, 0.01), angle=0.4, **fields)


def bar(dimension: int, ties, gravity=0.0, material=None, bodies=("A",), elements="linear", divisions=4, **fields):
    model = gw.Model("bar", dimension=dimension, gravity=(*(0.0,) * (dimension - 1), -gravity))
    for k, name in enumerate(bodies):
        bone(model, name, (-0.06, 0.06)[k])
    size, count = SIDES[:dimension], (divisions, 2, 2)[:dimension]
    mesh = gw.mesh.box(size, count) if dimension == 3 else gw.mesh.rectangle(size, count)
    return model.solid("bar", mesh, material=material or SOFT, fixed=ties, elements=elements, **fields)


def welded(model: gw.Model, name: str) -> gw.Model:
    at = model.mechanism().parts[name].drawn[: model.document.dimension]
    return model.ground_point(f"of-{name}", *at).joint.fixed(f"ground.of-{name}", name)


@pytest.mark.parametrize("dimension", [2, 3])
def test_solid_on_a_fixed_body_equals_one_on_the_ground(dimension):
    """Statics with weight and pressure, reactions, modes. The weight of the body does not count for the solid."""
    up = "xyz"[dimension - 1]
    found = []
    for to in ("A", "ground"):
        model = welded(bar(dimension, {"region": "left", "to": to}, 9.81, {**SOFT, "damping": 1e-3}), "A")
        model.force("pressure", on="bar.top", value=300.0)
        run, modes = model.static(), model.modes()
        outputs = [f"bar.right.{up}", "bar.right.x", f"bar.left.reaction_{up}", "bar.left.reaction_x", "bar.von_mises"]
        outputs += [f"bar.left.{up}", "energy.potential"]
        found.append([*(run.array(name)[0] for name in outputs), *modes.frequencies[:4], *modes.damping_ratios[:4]])
    assert found[0] == pytest.approx(found[1], rel=1e-7, abs=1e-10)


def test_tangents_are_derivatives():
    """For elements with no, one or two tied bodies, damping, pressure, weight; in a rotated and strained pose."""
    corner = {"box": [[0.04, -1.0, 0.009], [1.0, 1.0, 1.0]]}
    ties = [{"region": "left", "to": "A"}, {"region": corner, "to": "B"}]
    model = bar(3, ties, 9.81, {**SOFT, "shear_viscosity": 20.0}, ("A", "B"), divisions=1)
    model.force("pressure", on="bar.top", value=5e3).force("traction", on="bar.left", value=[3e3, 1e3, 0.0])
    mechanism = model.mechanism()
    s, rng = mechanism.system, np.random.default_rng(2)
    compile_tangents(s)
    w = new_workspace(s)
    update_signals(s, w, 0.0)
    scale = np.where(np.arange(s.n) < 24, 0.05, 1e-3)
    q, v = mechanism.drawn.copy(), np.zeros(s.n + 1)
    q[:-1] += scale * rng.standard_normal(s.n)
    v[:-1] = 10.0 * scale * rng.standard_normal(s.n)

    def force(q, v):
        evaluate_forces(s, w, q, v)
        return w.force[:-1].copy()

    evaluate_tangents(s, w, q, v, np.zeros(s.m_all))
    dense = [np.zeros((s.n, s.n)) for _ in range(2)]
    for matrix, values in zip(dense, (w.kq, w.kv), strict=True):
        np.add.at(matrix, (s.k_row, s.k_col), values[:-1])
    h = 1e-7
    for k, step in enumerate(h * np.eye(s.n + 1)[:-1]):
        for matrix, difference in zip(
            dense, (force(q + step, v) - force(q - step, v), force(q, v + step) - force(q, v - step)), strict=True
        ):
            assert -difference / (2 * h) == pytest.approx(matrix[:, k], rel=1e-5, abs=1e-6 * np.abs(matrix).max())


@pytest.mark.parametrize("dimension", [2, 3])
def test_free_flight_keeps_momenta_and_energy(dimension):
    model = gw.Model("flight", dimension=dimension, gravity=(0.0,) * dimension)
    moving = {"velocity": (0.1, 0.2, 0.3)[:dimension], "spin": (3.0, -2.0, 5.0) if dimension == 3 else 6.0}
    bone(model, "A", -0.06, **moving)
    mesh = gw.mesh.box(SIDES, (4, 1, 1)) if dimension == 3 else gw.mesh.rectangle(SIDES[:2], (4, 1))
    model.solid("bar", mesh, material={**SOFT, "youngs_modulus": 1e4}, fixed={"region": "left", "to": "A"})
    run = model.simulate(until=0.1, step=5e-4)
    part, axes = run.mechanism.parts["bar"], "xyz"[:dimension]
    momentum = [part.mass * run.array(f"bar.v{x}") + 0.2 * run.array(f"A.v{x}") for x in axes]
    for values in momentum:
        assert values == pytest.approx(values[0], abs=1e-9 * np.abs(momentum).max())
    turning = turn(run, part, dimension)
    assert turning == pytest.approx(np.broadcast_to(turning[0], turning.shape), rel=2e-5)
    total = run.array("energy.kinetic") + run.array("energy.potential")
    assert total == pytest.approx(total[0], rel=1e-5) and run.array("energy.potential").max() > 1e-3 * total[0]
    # The force of the bone on the bar moves its centre of mass.
    assert run.array("bar.left.reaction_x") == pytest.approx(part.mass * run.array("bar.ax"), rel=1e-9, abs=1e-9)


def turn(run, part, dimension):
    """Angular momentum about the origin, (times, 1 or 3)."""
    x, v = part.mesh.nodes + part.displacements(run.motion.q), part.rates(run.motion.v)
    masses = np.zeros((len(part.mesh.nodes),) * 2)
    for cell, matrix in zip(part.mesh.cells, part.element_masses, strict=True):
        masses[np.ix_(cell, cell)] += matrix
    p = np.einsum("ab,tbi->tai", masses, v)
    body = run.mechanism.parts["A"]
    at, rate, _ = body.motion_at(run.motion, body.centre)
    if dimension == 2:
        own = 1e-3 * run.array("A.spin") + 0.2 * (at[:, 0] * rate[:, 1] - at[:, 1] * rate[:, 0])
        return (own + (x[..., 0] * p[..., 1] - x[..., 1] * p[..., 0]).sum(axis=1))[:, None]
    R = body.rotation(run.motion)
    own = np.einsum("tij,j,tkj,tk->ti", R, np.array(INERTIA), R, body.angular_velocity(run.motion))
    return own + 0.2 * np.cross(at, rate) + np.cross(x, p).sum(axis=1)


def test_nearly_rigid_tissue_moves_as_one_body_with_its_bone():
    stiff = {**SOFT, "youngs_modulus": 1e9}
    spin, velocity = (3.0, -2.0, 5.0), (0.1, 0.2, 0.3)
    model = gw.Model("bone", dimension=3, gravity=(0.0, 0.0, 0.0))
    bone(model, "A", -0.06, spin=spin, velocity=velocity)
    model.solid("bar", gw.mesh.box(SIDES, (2, 1, 1)), material=stiff, fixed={"region": "left", "to": "A"})
    run = model.simulate(until=0.3, step=1e-3)
    part, body = run.mechanism.parts["bar"], run.mechanism.parts["A"]
    # The same as one body: sums of masses, centres and inertias, in the frame of A.
    R, r = body.drawn[3:].reshape(3, 3).T + np.eye(3), body.drawn[:3]
    X = (part.mesh.nodes - r) @ R
    masses = np.zeros((len(X),) * 2)
    for cell, matrix in zip(part.mesh.cells, part.element_masses, strict=True):
        masses[np.ix_(cell, cell)] += matrix
    mass = 0.2 + part.mass
    centre = masses.sum(axis=0) @ X / mass
    second = X.T @ masses @ X + np.diag(0.5 * np.sum(INERTIA) - np.array(INERTIA)) - mass * np.outer(centre, centre)
    inertia = np.trace(second) * np.eye(3) - second
    tensor = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
    one = gw.Model("one", dimension=3, gravity=(0.0, 0.0, 0.0))
    moved = np.array(velocity) + np.cross(spin, R @ centre)
    one.body("A", mass=mass, inertia=tensor, centre=centre, at=r, orientation=TURNED, spin=spin, velocity=moved)
    same = one.simulate(until=0.3, step=1e-3)
    for axis in "xyz":
        assert run.array(f"A.origin.{axis}") == pytest.approx(same.array(f"A.origin.{axis}"), abs=2e-6)
        assert run.array(f"A.w{axis}") == pytest.approx(
            same.array(f"A.w{axis}"), abs=5e-4
        )  # it starts unstrained, and vibrates


def test_between_two_bones_bent_by_a_hinge():
    """The torque that bends it is the derivative of its energy; no energy is lost between drive, tissue and ground."""
    ties = [{"region": "left", "to": "A"}, {"region": "right", "to": "B"}]
    model = welded(bar(3, ties, bodies=("A", "B")), "A").ground_point("O", 0.0, 0.0, 0.0)
    B = model.mechanism().parts["B"]
    place = (np.zeros(3) - B.drawn[:3]) @ (B.drawn[3:].reshape(3, 3) + np.eye(3)).T
    model.document.bodies[1].points["H"] = place.tolist()
    model.joint.revolute("ground.O", "B.H", axis=(0, 1, 0), name="hinge").drive.rotation("hinge", angle="0.5*t")
    run = model.static_path(1.0, steps=20)
    angle, energy, torque = 0.5 * run.time, run.array("energy.potential"), run.array("hinge.torque")
    slope = np.gradient(energy, angle, edge_order=2)
    assert torque[2:-2] == pytest.approx(slope[2:-2], rel=2e-3) and torque[-1] > 1e-3
    reactions = [run.array(f"bar.{side}.reaction_{axis}") for side in ("left", "right") for axis in "xyz"]
    assert np.sum(reactions, axis=0) == pytest.approx(0.0, abs=1e-6 * np.abs(reactions).max())


def test_follows_bodies_that_a_drive_moves_before_the_start():
    """The drive begins a quarter turn away from the drawn pose."""
    model = bar(3, {"region": "left", "to": "A"})
    model.ground_point("O", *model.mechanism().parts["A"].drawn[:3])
    model.joint.revolute("ground.O", "A", axis=(0, 1, 0), name="hinge").drive.rotation("hinge", angle="1.5 + t")
    run = model.simulate(until=1e-3, step=1e-3)
    assert run.array("bar.von_mises")[0] < 1e-5
    arm = np.array([0.05, 0.0, 0.0]) - [-0.06, 0.01, 0.02]
    turned = [np.cos(1.5) * arm[0] + np.sin(1.5) * arm[2], arm[1], np.cos(1.5) * arm[2] - np.sin(1.5) * arm[0]]
    assert [run.array(f"bar.right.{x}")[0] for x in "xyz"] == pytest.approx(np.add(turned, [-0.06, 0.01, 0.02]))
    assert run.array("bar.right.vx")[0] == pytest.approx(turned[2], rel=1e-6)


@pytest.mark.parametrize("dimension", [2, 3])
def test_springs_attach_to_tied_regions(dimension):
    """At a partly tied region, and at a tied one: like springs on the body itself."""
    region = {"box": [[-1.0] * dimension, [-0.02, *(1.0,) * (dimension - 1)]]}
    model = bar(dimension, {"region": region, "to": "A"}, points={"P": (-0.05, 0.0, 0.0)[:dimension]})
    model = welded(model, "A").ground_point("O", 0.1, 0.1, *(0.0,) * (dimension - 2))
    model.force.spring_damper("ground.O", "bar.P", stiffness=10.0, rest_length=0.05, name="spring")
    model.force.spring_damper("ground.O", "bar.top", stiffness=1.0, rest_length=0.05, name="other")
    run = model.static()
    node = run.mechanism.parts["bar"].mesh.nodes[int(run.mechanism.parts["bar"].points["P"][0])]
    away = (0.1, 0.1, 0.0)[:dimension] - node
    assert run.array("spring.length")[0] == pytest.approx(np.linalg.norm(away), rel=1e-9)
    q = run.motion.q[0]
    part = run.mechanism.parts["bar"]
    assert part.position(q, part.place("top")) == pytest.approx(part.motion_at(run.motion, part.place("top"))[0][0])
    assert np.linalg.norm(part.position(q, part.place("top")) - (0.1, 0.1, 0.0)[:dimension]) == pytest.approx(
        run.array("other.length")[0], rel=1e-9
    )


def test_surface_of_tied_nodes_has_contact_with_its_body():
    """The whole sole follows a body driven 1 mm into the ground: a uniform pressure of 1 mm times the stiffness."""
    model = bar(3, {"region": "bottom", "to": "A"}, divisions=2)
    model.ground_point("O", *model.mechanism().parts["A"].drawn[:3])
    model.joint.prismatic("ground.O", "A", axis=(0, 0, 1), name="guide").drive.translation(
        "guide", displacement="-1e-3*t"
    )
    model.contact(
        gw.surfaces.Skin("bar", "bottom"),
        gw.surfaces.PlaneGround(-SIDES[2] / 2),
        law=gw.laws.Penalty(stiffness=1e7),
        name="sole",
    )
    run = model.static_path(1.0, steps=2)
    assert run.array("sole.normal_force") == pytest.approx([0.0, 10.0, 20.0], rel=1e-9, abs=1e-9)


def test_tied_solid_is_saved_and_read_back(tmp_path):
    model = welded(bar(3, [{"region": "left", "to": "A"}], 9.81), "A")
    found = gw.load(model.save(tmp_path / "bar.yaml")).static()
    assert found.array("bar.right.z") == pytest.approx(model.static().array("bar.right.z"), rel=1e-9)


WRONG = {
    "no body": ({"region": "left", "to": "C"}, "there is no body or link 'C'"),
    "axes": ({"region": "left", "to": "A", "axes": "x"}, "nodes follow 'A' as a whole"),
    "two bodies": ([{"region": "left", "to": "A"}, {"region": "bottom", "to": "B"}], "follow both 'A' and 'B'"),
    "ground too": ([{"region": "left", "to": "A"}, "bottom"], "follow both 'A' and 'ground'"),
    "itself": ({"region": "left", "to": "bar"}, "there is no body or link 'bar'"),
    "all of it": ([{"region": {"box": [[-1, -1, -1], [1, 1, 1]]}, "to": "A"}], "holds every node"),
    "field": ({"region": "left", "too": "A"}, "no field 'too'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_ties_have_a_message(case):
    ties, said = WRONG[case]
    with pytest.raises(gw.ModelError, match=said):
        bar(3, ties, bodies=("A", "B")).mechanism()
