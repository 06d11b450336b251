"""Contacts with rigid meshes: against the surfaces that they are made from, against trees, and by conserved energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.initial_contact_state import observe_contacts_at
from gaitwright.contact.state import STATE_GAP
from gaitwright.mechanism.evaluation import new_workspace

SLAB = {"box": {"sides": [2.0, 2.0, 0.2], "divisions": [2, 2, 1]}}
LAW = gw.laws.HuntCrossley(stiffness=1e6, restitution=0.7)
RNG = np.random.default_rng(3)


def tumbling(surface: Any, **motion: Any) -> Any:
    """A ball that comes down obliquely, with spin, on a table that turns freely."""
    model = gw.Model("table", dimension=3)
    model.ground_point("O", 0, 0, 0)
    model.body(
        "table", mass=3.0, inertia=[0.3, 0.3, 0.3], at=[0, 0, 0], points={"O": [0, 0, 0], "top": [0.0, 0.0, 0.1]}
    )
    model.joint("spherical", a="ground.O", b="table.O")
    model.body("ball", mass=1.0, inertia=[0.004] * 3, at=[0.21, 0.12, 0.4], velocity=[0.4, 0.2, 0], spin=[0, 9, 3])
    model.contact(
        gw.surfaces.Sphere("ball", 0.1),
        surface,
        name="c",
        law=LAW,
        friction=gw.friction.SmoothCoulomb(0.3, transition_speed=0.05),
    )
    return model.simulate(until=0.4, tolerance=1e-10, output_step=0.02)


def test_a_box_that_turns_is_the_plane_on_its_top() -> None:
    """Also where an edge between two triangles of its top is nearest: x = y is one."""
    plane = tumbling(gw.surfaces.PlaneOfBody("table.top", (0, 0, 1)))
    mesh = tumbling(gw.surfaces.MeshSurface(SLAB, body="table"))
    assert len(plane.episodes) == len(mesh.episodes) >= 1
    for name in ("ball.x", "ball.z", "ball.wy", "table.wx", "c.normal_force"):
        assert mesh.array(name) == pytest.approx(plane.array(name), rel=1e-6, abs=1e-6), name


def test_in_the_plane_an_outline_is_a_polyline() -> None:
    def run(surface: Any) -> Any:
        model = gw.Model("ball")
        model.body("ball", mass=1.0, inertia=0.004, at=(-0.2, 0.35), velocity=(0.9, 0), spin=-20.0)
        model.contact(
            gw.surfaces.Circle("ball", 0.1), surface, name="c", law=LAW, friction=gw.friction.SmoothCoulomb(0.3, 0.05)
        )
        return model.simulate(until=0.5, tolerance=1e-10, output_step=0.02)

    corners = [[-0.5, -0.2], [-0.5, 0.1], [0.0, 0.1], [0.0, -0.2], [-0.5, -0.2]]
    mesh = gw.mesh.rectangle((0.5, 0.3), (5, 3))
    given = gw.surfaces.MeshSurface(mesh, at=(-np.array([0.5, 0.2]) - mesh.bounds[0]).tolist())
    outline, polyline = run(given), run(gw.surfaces.Polyline(corners))
    assert len(outline.episodes) == len(polyline.episodes) >= 1
    assert outline.array("ball.x") == pytest.approx(polyline.array("ball.x"), abs=1e-6)
    assert outline.array("ball.y") == pytest.approx(polyline.array("ball.y"), abs=1e-6)
    assert outline.array("ball.spin") == pytest.approx(polyline.array("ball.spin"), rel=1e-5)


def released(surface: Any) -> Any:
    """A ball that slides down a ball of 0.3 m without friction, from 30 degrees off its top."""
    model = gw.Model("hill", dimension=3)
    model.ground_point("O", 0, 0, 0)
    start = 0.3998 * np.array([0.4, 0.3, np.sqrt(0.75)])
    model.body("ball", mass=1.0, inertia=[0.004] * 3, at=start.tolist())
    model.contact(
        gw.surfaces.Sphere("ball", 0.1),
        surface,
        name="c",
        law=gw.laws.HuntCrossley(stiffness=1e6, restitution=0.1),
        approach_speed=0.1,
    )
    return model.simulate(until=0.35, tolerance=1e-9, output_step=0.01)


@pytest.mark.parametrize(("size", "within"), [(0.06, 0.1), (0.02, 0.02)])
def test_a_ball_slides_down_a_tessellated_ball_as_down_a_smooth_one(size: float, within: float) -> None:
    """Outside of convex parts the direction of the force is continuous, so nothing jumps at edges: energy is conserved, and the
    path approaches that on the sphere as triangles become smaller. At the end it has fallen off. within: in radii; facets of
    20 mm are 0.2 mm off the sphere, and the ball hops from edge to edge."""
    smooth, mesh = (
        released(gw.surfaces.Sphere("ground.O", 0.3)),
        released(gw.surfaces.MeshSurface(gw.mesh.ball(0.3, size))),
    )
    assert mesh.evidence.max_energy_residual < 1e-6
    for axis in "xyz":
        assert mesh.array(f"ball.{axis}") == pytest.approx(smooth.array(f"ball.{axis}"), abs=within * 0.3), axis
    assert smooth.array("ball.z")[-1] < 0.25


@pytest.mark.parametrize("dimension", [2, 3])
def test_gaps_are_those_of_the_tree_everywhere(dimension: int) -> None:
    """Deep inside, far outside, on faces, edges and vertices; nothing comes out as NaN."""
    mesh = gw.mesh.disc(0.3, 0.1) if dimension == 2 else gw.mesh.ball(0.3, 0.1)
    middles = mesh.nodes[mesh.boundary].mean(axis=1)
    points = [
        RNG.uniform(-0.5, 0.5, (50, dimension)), 1e6 * RNG.normal(size=(5, dimension)), np.zeros((1, dimension)),
        mesh.nodes[mesh.surface_nodes], 0.7 * mesh.nodes[mesh.surface_nodes], 1.3 * mesh.nodes[mesh.surface_nodes], middles,
    ]  # fmt: skip
    model = gw.Model("points", dimension=dimension)
    names = [f"P{k}" for k in range(sum(map(len, points)))]
    for name, at in zip(names, np.concatenate(points), strict=True):
        inertia = 1.0 if dimension == 2 else [1.0] * 3
        model.body(name, mass=1.0, inertia=inertia, at=at.tolist(), points={"A": [0.0] * dimension})
    for name in names:
        model.contact(f"{name}.A", gw.surfaces.MeshSurface(mesh), law=gw.laws.Hertz(1e6))
    mechanism = model.mechanism()
    q = np.concatenate([*(part.drawn for part in mechanism.parts.values()), [0.0]])
    seen = observe_contacts_at(mechanism, new_workspace(mechanism.system), 0.0, q, np.zeros_like(q))
    exact = mesh.tree.query(np.concatenate(points)).distance
    assert seen[mechanism.contact_place, STATE_GAP] == pytest.approx(exact, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("dimension", [2, 3])
def test_rest_on_approximate_distance(dimension: int) -> None:
    """A point that is guided up and down sinks into a slab until F g = m g, with the approximate distance and its gradient."""
    mesh = gw.mesh.rectangle((0.4, 0.1), (16, 4)) if dimension == 2 else gw.mesh.box((0.4, 0.4, 0.1), (8, 8, 4))
    low, high = mesh.bounds
    at = [*((low + high) / 2 + 0.003)[:-1].tolist(), float(high[-1]) + 0.01]
    model = gw.Model("point", dimension=dimension)
    model.ground_point("O", *at)
    model.body("p", mass=1.0, inertia=1.0 if dimension == 2 else [1.0] * 3, at=at, points={"A": [0.0] * dimension})
    model.joint("prismatic", a="ground.O", b="p.A", axis=[0.0, 1.0] if dimension == 2 else [0.0, 0.0, 1.0])
    law = gw.laws.KelvinVoigt(2000.0, damping=60.0)
    model.contact("p.A", gw.surfaces.MeshSurface(mesh, distance="approximate"), name="c", law=law)
    run = model.simulate(until=1.5, method="generalized-alpha", step=1e-3)
    place = np.array([[run.array(f"p.{axis}")[-1] for axis in "xyz"[:dimension]]])
    found, exact = gw.mesh.ApproximateDistance(mesh).query(place), mesh.distance(place)[0]
    assert run.array("c.penetration")[-1] == pytest.approx(-found.distance[0], rel=1e-6)
    assert -2000.0 * found.distance[0] * found.gradient[0, -1] == pytest.approx(9.81, rel=1e-3)
    assert -exact > -found.distance[0] > 0.004  # sinks deeper than the approximate distance
