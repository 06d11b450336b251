"""The approximate distance by the screened Poisson equation, against its closed form and against the exact distance."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.mesh.approximate_distance import solve_screened_poisson


def test_distance_between_two_walls_equals_the_closed_form() -> None:
    """If the distance changes along only one axis, phi = cosh(x / l) / cosh(a / l) between x = -a and a; fine cells."""
    mesh, length = gw.mesh.rectangle((0.2, 8.0), (80, 16)), 0.02
    phi, x = solve_screened_poisson(mesh, length), mesh.nodes[:, 0] - mesh.nodes[:, 0].mean()
    middle = np.abs(mesh.nodes[:, 1] - mesh.nodes[:, 1].mean()) < 0.6
    assert middle.sum() > 100
    assert phi[middle] == pytest.approx(np.cosh(x[middle] / length) / np.cosh(0.1 / length), rel=0.06, abs=1e-4)


MESHES = {
    # mesh; bias and rms in edges, for depths up to three edges; median and 95th percentile of the angle, degrees
    "ball": (gw.mesh.ball(0.05, 0.003), 0.17, 0.20, 2.5, 5.2),
    "coarse ball": (gw.mesh.ball(0.05, 0.006), 0.25, 0.31, 4.8, 10.5),
    "box": (gw.mesh.box((0.1, 0.1, 0.05), (12, 12, 6)), 0.26, 0.32, 8.7, 28.9),
    "disc": (gw.mesh.disc(0.05, 0.004), 0.19, 0.21, 1.0, 3.5),
}


@pytest.mark.parametrize("which", MESHES)
def test_difference_from_the_exact_distance_is_as_documented(which: str) -> None:
    """The table of docs/theory/contact.md: depths are too small, by a fifth to a third of an edge. Every inside point has
    a cell, and no outside point has one."""
    mesh, *wanted = MESHES[which]
    low, high = 1.1 * mesh.bounds
    points = np.random.default_rng(2).uniform(
        low, high, (10_000, mesh.dimension)
    )  # independent of the order of the tests
    exact, found, edge = (
        mesh.tree.query(points),
        gw.mesh.ApproximateDistance(mesh).query(points),
        mesh.edge_lengths.mean(),
    )
    assert ((found.cell >= 0) == (exact.distance < 0)).all()
    assert np.isinf(found.distance[found.cell < 0]).all()
    near = (exact.distance < 0) & (exact.distance > -3 * edge)
    off, slope = (found.distance - exact.distance)[near] / edge, found.gradient[near]
    cosine = (slope * exact.normal[near]).sum(axis=1) / np.linalg.norm(slope, axis=1)
    angle = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    measured = [off.mean(), np.sqrt((off**2).mean()), np.median(angle), np.percentile(angle, 95)]
    assert measured == pytest.approx(wanted, rel=0.12, abs=0.02)


def test_distance_is_continuous_and_zero_on_the_surface() -> None:
    mesh = gw.mesh.ball(0.05, 0.01)
    distance = gw.mesh.ApproximateDistance(mesh)
    rng = np.random.default_rng(2)
    inside = rng.uniform(-0.02, 0.02, (500, 3))
    step = 1e-7 * rng.normal(size=inside.shape)
    one, other = distance.query(inside), distance.query(inside + step)
    assert np.abs(other.distance - one.distance).max() < 1e-6
    on = mesh.nodes[mesh.triangles].mean(axis=1) * (1 - 1e-9)
    assert distance.query(on).distance == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: gw.mesh.ApproximateDistance(gw.mesh.ball(0.05, 0.02).surface()), "needs a mesh with cells inside"),
        (lambda: gw.mesh.ApproximateDistance(gw.mesh.ball(0.05, 0.02), -1.0), "length"),
        (lambda: gw.mesh.ApproximateDistance(gw.mesh.ball(0.05, 0.02)).query([[1.0, 2.0]]), "has the shape"),
    ],
)
def test_invalid_input_is_refused(make: object, says: str) -> None:
    with pytest.raises(ModelError, match=says):
        make()  # type: ignore[operator]
