"""Points and soft layers of rigid bodies that touch the surface of a solid: balance, derivatives, stiffness and energy."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.contact.state import MEMORY_TOUCHING, TOUCHING_BY_LAW
from mechanism.systems import Dense, differences

LOAD, STIFFNESS, TIP = 5.0, 1e5, 0.02
ELASTIC = gw.materials.LinearElastic(youngs_modulus=1e6, poissons_ratio=0.3)
RUBBER = gw.materials.NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3)
dimensions = pytest.mark.parametrize("d", [2, 3])


def block_mesh(d: int) -> Any:
    """About the origin, 0.1 m wide and 0.05 m high, with the regions low and high."""
    mesh = gw.mesh.rectangle((0.1, 0.05), (4, 2)) if d == 2 else gw.mesh.box((0.1, 0.1, 0.05), (3, 3, 2))
    mesh = mesh.moved(-mesh.bounds.mean(axis=0))
    for name, end in (("low", 0), ("high", 1)):
        mesh = mesh.with_region(name, nodes=np.flatnonzero(np.abs(mesh.nodes[:, -1] - mesh.bounds[end, -1]) < 1e-9))
    return mesh


def block(d: int, material: Any = ELASTIC, gravity: float = 0.0) -> gw.Model:
    model = gw.Model("block", dimension=d, gravity=(*[0.0] * (d - 1), -gravity))
    return model.solid("block", block_mesh(d), material=material, density=1000.0, fixed="low")


def pin(model: gw.Model, at: Any, gap: float, mass: float = 1.0, **given: Any) -> gw.Model:
    """Add a rigid body above the block, with a point `tip` at its lower end, `gap` (m) above the undeformed block."""
    inertia = 1e-4 if model.dimension == 2 else [1e-4] * 3
    side = [0.0] * len(at)
    points: dict[str, Any] = {"tip": [*side, -TIP], "top": [*side, 0.0]}
    return model.body("pin", mass=mass, inertia=inertia, at=(*at, 0.025 + TIP + gap), points=points, **given)


def touching(model: gw.Model, law: Any = None, **given: Any) -> gw.Model:
    surface = gw.surfaces.SolidSurface("block", "high")
    return model.contact("pin.tip", surface, law=law or gw.laws.Penalty(STIFFNESS), name="c", **given)


def pressed(d: int, at: Any, material: Any = ELASTIC, **given: Any) -> gw.Model:
    """A pin in a vertical guide that is pressed on to the block."""
    model, up = pin(block(d, material), at, 2e-3), (*[0.0] * (d - 1), 1.0)
    model.ground_point("guide", *[*at, 0.2])
    model.joint("prismatic", "guide", a="ground.guide", b="pin.top", axis=up)
    model.force("force", at="pin.top", value=[-LOAD * x for x in up])
    return touching(model, **given)


def displacements(run: Any) -> Any:
    """Of the nodes of the block at the end."""
    return run.mechanism.part("block").displacements(run.motion.q[-1])


def contact_point(run: Any, d: int) -> tuple[list[int], Any, Any]:
    """Nodes of the touched face, their weights and the force on the pin, from positions and forces alone."""
    mechanism: Any = run.mechanism
    q = run.motion.q[-1]
    force = np.array([run.array(f"c.f{axis}")[-1] for axis in "xyz"[:d]])
    part, body = mechanism.part("block"), mechanism.part("pin")
    place = body.position(q, body.points["tip"]) - run.array("c.gap")[-1] * force / np.linalg.norm(force)
    nodes = part.mesh.nodes + displacements(run)
    for face in part.sides_of("high"):
        sides = (nodes[face[1:]] - nodes[face[0]]).T
        own = np.linalg.lstsq(sides, place - nodes[face[0]], rcond=None)[0]
        weights = np.array([1.0 - own.sum(), *own])
        if weights.min() > -1e-12 and np.linalg.norm(weights @ nodes[face] - place) < 1e-12:
            return face.tolist(), weights, force
    raise AssertionError("the force acts on no face")


@dimensions
def test_force_and_moment_on_both_sides_are_opposite(d: int) -> None:
    mechanism: Any = touching(pin(block(d), [0.013, 0.007][: d - 1], -1e-3)).mechanism()
    s, part, body = mechanism.system, mechanism.part("block"), mechanism.part("pin")
    dense = Dense(s, 0.0)
    memory = dense.w.memory.reshape(s.contacts.count, -1)
    q, still = mechanism.drawn.copy(), np.zeros(s.n + 1)
    q[: s.n] += np.random.default_rng(d).uniform(-2e-4, 2e-4, s.n)
    memory[:, MEMORY_TOUCHING] = 0.0
    without = dense.force(q, still)
    memory[:, MEMORY_TOUCHING] = TOUCHING_BY_LAW
    force = np.append(dense.force(q, still) - without, 0.0)
    on_nodes = force[np.where(part.at_nodes >= 0, part.at_nodes, s.n)]
    on_body = force[body.index[:d]]
    assert np.linalg.norm(on_body) > 0.5 * STIFFNESS * 1e-3
    assert np.count_nonzero(on_nodes.any(axis=1)) == d
    assert on_nodes.sum(axis=0) == pytest.approx(-on_body, abs=1e-12)
    tip = body.position(q, body.points["tip"])
    arms = part.mesh.nodes + part.displacements(q) - tip
    for i, j in combinations(range(d), 2):  # the force on the body acts at the tip
        assert abs(arms[:, i] @ on_nodes[:, j] - arms[:, j] @ on_nodes[:, i]) < 1e-13
    if d == 2:
        arm = tip - q[body.index[:2]]
        assert force[body.index[2]] == pytest.approx(arm[0] * on_body[1] - arm[1] * on_body[0], abs=1e-14)


@dimensions
@pytest.mark.parametrize("friction", [None, gw.friction.SmoothCoulomb(0.4, 0.01)])
def test_tangent_by_the_body_is_the_derivative_of_the_forces(d: int, friction: Any) -> None:
    """Of all forces in the coordinates of the body: exact, but for the projection of friction, which the mean normals turn. In
    those of nodes mean normals turn with other faces, too."""
    mechanism = touching(pin(block(d), [0.013, 0.007][: d - 1], -1e-3), friction=friction).mechanism()
    s, rng = mechanism.system, np.random.default_rng(d)
    dense = Dense(s, 0.0)
    dense.w.memory.reshape(s.contacts.count, -1)[:, MEMORY_TOUCHING] = TOUCHING_BY_LAW
    q, v = mechanism.drawn.copy(), np.zeros(s.n + 1)
    q[: s.n] += rng.uniform(-2e-4, 2e-4, s.n)
    columns = mechanism.part("pin").index
    v[columns] = 0.0 if friction is None else rng.uniform(-0.01, 0.01, columns.size)
    found = dense.tangents(q, v, np.zeros(s.m_all))[0]
    wanted = -differences(lambda x: dense.force(np.append(x, 0.0), v)[: s.n], q[: s.n], 1e-8)
    assert np.abs(wanted[:, columns]).max() > 0.5 * STIFFNESS
    assert found[:, columns] == pytest.approx(wanted[:, columns], abs=(1e-5 if friction is None else 1e-4) * STIFFNESS)
    assert found == pytest.approx(wanted, abs=0.05 * STIFFNESS)


@pytest.mark.parametrize("d", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_pressed_point_is_the_contact_law_in_series_with_the_block(d: int) -> None:
    """The block is deformed as by forces at the nodes of the touched face, and the penetration of the tip follows the law."""
    run = pressed(d, [0.013, 0.007][: d - 1]).static()
    assert run.evidence.warnings == []
    up = "xyz"[d - 1]
    assert run.array(f"c.f{up}")[-1] == pytest.approx(LOAD, rel=1e-12)
    assert run.array(f"block.low.reaction_{up}")[-1] == pytest.approx(LOAD, rel=1e-9)
    nodes, weights, force = contact_point(run, d)
    alone = block(d)
    for node, weight in zip(nodes, weights, strict=True):
        alone.force("force", at=f"block.node{node + 1}", value=(-weight * force).tolist())
    found, moved = (displacements(result) for result in (run, alone.static()))
    assert found == pytest.approx(moved, abs=1e-9 * np.abs(moved).max())
    surface = weights @ moved[nodes, -1]
    depth = np.linalg.norm(force) / STIFFNESS
    assert surface < -0.05 * depth
    sunk = run.array(f"pin.{up}")[-1] - (0.025 + TIP)
    assert sunk == pytest.approx(surface - depth * force[-1] / np.linalg.norm(force), rel=1e-9)


@pytest.mark.parametrize("d", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_energy_of_a_bouncing_point(d: int) -> None:
    """The work of the law is kept, and lost by friction alone; the residual falls with the square of the step."""
    speed, mass, residual = 0.3, 0.2, []
    kinetic = 0.5 * mass * speed**2
    for step in (4e-4, 1e-4):
        model = block(d, RUBBER, 9.81)
        velocity = [0.0] * (d - 1) + [-speed]
        pin(model, [0.013, 0.007][: d - 1], 2e-3, mass, velocity=velocity)
        run = touching(model, gw.laws.Penalty(2e4)).simulate(until=0.025, method="generalized-alpha", step=step)
        residual.append(run.evidence.max_energy_residual / kinetic)
    assert run.array("c.normal_force").max() > 15.0
    (episode,) = run.episodes
    assert episode.end < 0.025
    assert episode.impulse == pytest.approx(0.164, rel=0.03)
    assert residual[1] < 1e-3
    assert residual[1] < 0.2 * residual[0]


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", [0.0, 0.3])
def test_a_point_slides_over_the_faces_of_a_block(coefficient: float) -> None:
    """In equilibrium on every face; with friction at its limit."""
    model = block(2, gw.materials.NeoHookean(youngs_modulus=2e5, poissons_ratio=0.3))
    model.ground_point("rail", -0.03, 0.1)
    model.body("carriage", mass=1.0, inertia=1e-3, at=(-0.03, 0.1), points={"C": (0.0, 0.0)})
    model.joint("prismatic", "rail", a="ground.rail", b="carriage.C", axis=(1, 0))
    model.drive("position-x", "x", point="carriage.C", x="-0.03+0.06*t")
    pin(model, [-0.03], 1e-4)
    model.joint("prismatic", "guide", a="carriage.C", b="pin.top", axis=(0, 1))
    model.force("force", at="pin.top", value=(0.0, -2.0 * LOAD))
    friction = {"type": "bristle", "coefficient": coefficient, "stiffness": STIFFNESS} if coefficient else None
    run = touching(model, friction=friction).static_path(until=1.0, steps=15)
    assert run.array("c.fy") == pytest.approx(np.full(run.time.size, 2.0 * LOAD), rel=1e-9)
    rubbed = run.array("c.tangential_force")[3:] / run.array("c.normal_force")[3:]
    assert rubbed == pytest.approx(np.full(rubbed.size, -coefficient), abs=1e-9)


@pytest.mark.parametrize("d", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_soft_layer_presses_on_a_block(d: int) -> None:
    """A layer on a rigid body: many points, each with its area."""
    model, at, up = block(d), [0.0] * (d - 1), "xyz"[d - 1]
    model.ground_point("guide", *[*at, 0.2])
    pin(model, at, 2e-3)
    model.joint("prismatic", "guide", a="ground.guide", b="pin.top", axis=(*at, 1.0))
    model.force("force", at="pin.top", value=(*at, -LOAD))
    sole = gw.mesh.rectangle((0.03, 0.01), (5, 1)) if d == 2 else gw.mesh.box((0.03, 0.03, 0.01), (3, 3, 1))
    sole = sole.moved([*-sole.bounds.mean(axis=0)[:-1], -TIP - sole.bounds[0, -1]])
    layer = gw.surfaces.Foundation("pin", sole, thickness=2e-3, modulus=1e6)
    run = model.contact(layer, gw.surfaces.SolidSurface("block", "high"), name="c").static()
    assert run.array(f"c.f{up}")[-1] == pytest.approx(LOAD, rel=1e-9)
    assert run.array(f"block.low.reaction_{up}")[-1] == pytest.approx(LOAD, rel=1e-9)
    assert 0.0 < run.array("c.area")[-1] <= 0.03 ** (d - 1) * (1.0 + 1e-9)
    assert run.array("c.x")[-1] == pytest.approx(0.0, abs=1e-3)


def test_a_block_rests_on_points_of_the_ground() -> None:
    """A touching point need not move; and a solid without other supports finds its height."""
    model = gw.Model("bed", gravity=(0.0, -9.81))
    model.solid("block", block_mesh(2), material=ELASTIC, density=1000.0, at=(0.0, 0.03))
    for name, x in (("A", -0.03), ("B", 0.035)):
        model.ground_point(name, x, 0.0)
        friction = {"type": "bristle", "coefficient": 0.5, "stiffness": STIFFNESS}
        model.contact(
            f"ground.{name}",
            gw.surfaces.SolidSurface("block", "low"),
            law=gw.laws.Penalty(STIFFNESS),
            friction=friction,
            name=name,
        )
    run = model.static()
    weight = 1000.0 * 0.1 * 0.05 * 9.81
    loads = [-run.array(f"{name}.fy")[-1] for name in "AB"]
    assert sum(loads) == pytest.approx(weight, rel=1e-9)
    assert loads[0] / weight == pytest.approx(0.035 / 0.065, rel=1e-2)


def test_a_point_drawn_deep_inside_is_let_out_or_refused() -> None:
    model = touching(pin(block(2), [0.013], -0.03))
    with pytest.raises(ModelError, match=r"contact 'c': starts 30 mm inside the surface, deeper than the sides"):
        model.simulate(until=0.01, step=1e-3)


def test_a_point_has_no_rigid_contact_with_a_solid() -> None:
    model = touching(pin(block(2), [0.013], 1e-3), restitution=0.5)
    with pytest.raises(ModelError, match="is with the surface of a solid, which the method moreau does not support"):
        model.simulate(until=0.01, step=1e-3, method="moreau")
