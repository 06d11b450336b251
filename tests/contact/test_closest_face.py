"""Deformable surfaces: the closest place of many faces, forces on both sides, tangents, and slip."""

from typing import Any

import numpy as np
import pytest

from gaitwright.contact.state import (
    MEMORY_TOUCHING,
    STATE_GAP,
    STATE_SIZE,
    TOUCHING_BY_LAW,
    advance_contact,
    begin_contact,
    observe_contacts,
    step_slip_distance,
)
from gaitwright.fem.surface_faces import build_surface_faces
from gaitwright.mechanism.blocks import ContactBlock, ElementBlock
from gaitwright.mechanism.table_builder import build_tables
from gaitwright.mechanism.tables import GROUND
from gaitwright.mesh import OutlineTree, SurfaceTree
from gaitwright.physics.bodies.interpolated_point import interpolated_point_family
from gaitwright.physics.contact_geometry.apart import RelativePosition
from gaitwright.physics.contact_geometry.plane import PlaneShape
from gaitwright.physics.contact_laws.kelvin_voigt import KelvinVoigt
from gaitwright.physics.friction.smooth_coulomb import SmoothCoulomb
from mechanism.systems import Dense, differences

DEPTH, STIFFNESS = 1e-4, 1e3
dimensions = pytest.mark.parametrize("d", [2, 3])


class Bowl:
    """Points above a lattice of free nodes, with sides of 1 m; the outside is above. held: nodes of the lattice that do not
    move."""

    def __init__(self, d: int, points: Any, bend: float = 0.1, friction: Any = None, held: int = 0):
        line = np.linspace(-2.0, 2.0, 5)
        if d == 2:
            places = np.stack([line, bend * line**2], axis=1)
            sides = np.stack([np.arange(1, 5), np.arange(4)], axis=1)  # the outside is on the right
        else:
            x, y = (part.ravel() for part in np.meshgrid(line, line, indexing="ij"))
            places = np.stack([x, y, bend * (x**2 + y**2)], axis=1)
            number = np.arange(25).reshape(5, 5)
            a, b, c, e = (part.ravel() for part in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
            sides = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, e], axis=1)])
        self.d, self.points, self.count, self.places, self.sides = d, np.array(points), len(points), places, sides
        at_nodes = np.arange(places.size).reshape(places.shape)
        at_nodes[:held] = GROUND
        self.n = places.size + self.count * d
        own = places.size + np.arange(self.count * d).reshape(self.count, d)
        faces = build_surface_faces(places, sides, at_nodes)
        first = [np.broadcast_to(faces.coordinates[0].ravel(), (self.count, d * d)), own]
        weights = np.zeros((self.count, d))
        weights[:, 0] = 1.0
        numbers = [
            weights,
            np.broadcast_to(faces.places[0, 0], self.points.shape),
            np.ones((self.count, 1)),
            self.points,
        ]
        block = ElementBlock(
            RelativePosition,
            (interpolated_point_family(d, d), interpolated_point_family(d, 1)),
            np.hstack(first),
            np.hstack(numbers),
        )
        contact = ContactBlock(
            geometry=block, shape=(PlaneShape, [0.0] * (d + 1)), law=(KelvinVoigt, [STIFFNESS, 0.0]), friction=friction,
            group=0, slowest=1.0, restitution=np.nan, coefficient=0.0, faces=faces, by_gap=True,
        )  # fmt: skip
        mass = np.arange(self.n), np.arange(self.n), np.ones(self.n)
        self.s = build_tables(self.n, mass, [], [], [], contacts=[contact])
        self.dense = Dense(self.s, 0.0)
        self.memory = self.dense.w.memory.reshape(self.count, -1)
        self.memory[:, MEMORY_TOUCHING] = TOUCHING_BY_LAW
        self.still = np.zeros(self.n + 1)

    def state(self, seed: int = 0, size: float = 1e-3) -> Any:
        return np.append(np.random.default_rng(seed).uniform(-size, size, self.n), 0.0)

    def gaps(self, q: Any) -> Any:
        out = np.zeros(STATE_SIZE * self.count)
        observe_contacts(self.s, self.dense.w, q, self.still, out)
        return out.reshape(-1, STATE_SIZE)[:, STATE_GAP]

    def moved(self, q: Any) -> tuple[Any, Any]:
        """Nodes and points in a pose."""
        size = self.places.size
        return self.places + q[:size].reshape(self.places.shape), self.points + q[size:-1].reshape(self.points.shape)

    def tree(self, q: Any) -> Any:
        nodes = self.moved(q)[0]
        return OutlineTree(nodes, self.sides) if self.d == 2 else SurfaceTree(nodes, self.sides)


def above(d: int, count: int = 8, depth: float = DEPTH, bend: float = 0.1) -> Any:
    """Points a little inside of the bowl, anywhere over it."""
    x = np.random.default_rng(d).uniform(-1.6, 1.6, (count, d - 1))
    return np.column_stack([x, bend * (x**2).sum(axis=1) - depth])


@dimensions
def test_gaps_are_distances(d):
    """Distance from all faces in the current pose, for points anywhere; by mean normals, which differ from those of the faces
    by the bend of the surface."""
    bowl = Bowl(d, above(d, 20), bend=0.02)
    for seed in range(3):
        q = bowl.state(seed, 0.02)
        found = bowl.tree(q).query(bowl.moved(q)[1]).distance
        assert bowl.gaps(q) == pytest.approx(found, rel=0.02)


@dimensions
def test_beyond_the_rim_nothing_touches(d):
    points = np.zeros((3, d))
    points[:, 0] = 2.3, 2.04, 1.9
    points[:, -1] = -0.2
    gaps = Bowl(d, points, bend=0.0).gaps(np.zeros(Bowl(d, points).n + 1))
    assert gaps == pytest.approx([np.hypot(0.3, 0.2), -0.2, -0.2])


@dimensions
def test_forces_on_both_sides_are_opposite(d):
    bowl = Bowl(d, above(d))
    q = bowl.state()
    force = bowl.dense.force(q, bowl.still)[: bowl.n].reshape(-1, d)
    nodes, points = bowl.moved(q)
    assert np.abs(force).max() > 0.1 * STIFFNESS * DEPTH
    assert force.sum(axis=0) == pytest.approx(np.zeros(d), abs=1e-12)
    arms = np.concatenate([nodes, points])
    moment = [arms[:, i] @ force[:, j] - arms[:, j] @ force[:, i] for i, j in ((0, 1), (0, d - 1), (d - 2, d - 1))]
    # They are on one line but for the angle between the mean normal and that of the face, below 0.1.
    assert np.abs(moment).max() < 0.1 * STIFFNESS * (bowl.gaps(q) ** 2).sum()


@dimensions
@pytest.mark.parametrize("held", [0, 4])
def test_tangents_against_differences(d, held):
    """But for how mean normals turn with other faces: by penetration over length of a side, 0.0125 here, in which the points
    are below chords of the bowl."""
    bowl = Bowl(d, above(d), bend=0.05, held=held)
    q = bowl.state(1, 1e-4)
    found = bowl.dense.tangents(q, bowl.still, np.zeros(0))[0]
    wanted = -differences(
        lambda x: bowl.dense.force(np.append(x[: bowl.n], 0.0), bowl.still)[: bowl.n], q[: bowl.n], 1e-7
    )
    assert np.abs(found).max() > 0.5 * STIFFNESS
    assert found == pytest.approx(wanted, abs=0.0125 * STIFFNESS)


@dimensions
def test_slip_is_displacement_of_closest_place(d):
    """Over several faces, while the surface itself moves away with all its points: only the relative motion counts."""
    start = np.zeros((1, d))
    start[0, 0], start[0, -1] = -1.3, -DEPTH
    bowl = Bowl(d, start, bend=0.0, friction=(SmoothCoulomb, [0.3, 0.1]))
    q, w = np.zeros(bowl.n + 1), bowl.dense.w
    begin_contact(bowl.s, w, 0, -1, q, bowl.still)
    for k in range(1, 6):
        q = np.zeros(bowl.n + 1)
        q[: bowl.n].reshape(-1, d)[:] += 0.3 * k  # all of it
        q[bowl.n - d] += 0.5 * k
        bowl.dense.force(q, bowl.still)
        if k < 5:
            advance_contact(bowl.s, w, 0, q, bowl.still)
    assert step_slip_distance(bowl.s, w, 0) == pytest.approx(0.5, rel=1e-9)
