"""Spatial declarations with random parameters, like tests/derive/elements.py for planar ones. Axes of bodies are arbitrary
vectors: the laws of joints and forces follow from scalar products, and hold without rigidity."""

from __future__ import annotations

import numpy as np

from derive.elements import ELEMENTS, EVERYTHING, Batch, mp
from gaitwright.derive.kernel_library import ABSTRACT_BASES
from gaitwright.physics.declarations import Constraint, Force, Number, Rigidity
from gaitwright.physics.parameters import Choice, Components, ComputedVector, Direction, Signal

SPATIAL = {
    name: entry
    for name, entry in EVERYTHING.items()
    if entry[1] and not isinstance(entry[1], ABSTRACT_BASES) and entry[1][0].dimension == 3
}


def of_kind(kind) -> list[str]:
    return [name for name, (declaration, _) in SPATIAL.items() if issubclass(declaration, kind)]


CONSTRAINTS, FORCES = of_kind(Constraint), of_kind(Force)
RIGIDITY = of_kind(Rigidity)
UNIT = np.eye(3)


def any_rotation(rng) -> np.ndarray:
    w, x, y, z = rng.normal(size=4)
    quaternion = np.array([w, x, y, z]) / np.linalg.norm([w, x, y, z])
    w, (x, y, z) = quaternion[0], quaternion[1:]
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * k + 2 * k @ k


def precise(matrix: np.ndarray) -> np.ndarray:
    """Return a rotation matrix with as many digits as the kernels are evaluated with: one made of floats has an error of
    1e-16."""
    exact = mp.matrix(matrix.tolist())
    for _ in range(6):  # Newton iteration to the nearest rotation
        exact = (exact + (exact**-1).T) / 2
    return np.array([[exact[i, j] for j in range(3)] for i in range(3)])


class SpatialBatch(Batch):
    """Two elements on separate spatial bodies. Groups of three coordinates represent positions and axes alike."""

    def parameters(self, which):
        values = []
        for kind, family in zip(self.declaration.attachments.values(), self.families, strict=True):
            values += list(self.rng.uniform(-1.0, 1.0, len(family.markers[type(kind)].parameters)))
        for parameter in self.declaration.parameters.values():
            values += VALUES[type(parameter)](self.rng, parameter, which)
        return values

    def vectors(self, e):
        """Return indices of three coordinates, the unit vector that the tables omit, and True for a position."""
        for names, index in self.markers(e):
            at = dict(zip(names, index, strict=True))
            if "x" in at:
                yield [at["x"], at["y"], at["z"]], np.zeros(3), True
            for k in (1, 2, 3):
                if f"d{k}x" in at:
                    yield [at[f"d{k}{axis}"] for axis in "xyz"], UNIT[k - 1], False

    def moved(self, shift, rotation):
        """Return the coordinates after a rotation and a shift of the whole world."""
        q = list(self.q)
        for e in range(ELEMENTS):
            for index, unit, place in self.vectors(e):
                moved = rotation @ (np.array([self.q[i] for i in index]) + unit) - unit
                for i, value in zip(index, moved + np.array(shift) if place else moved, strict=True):
                    q[i] = value
        return q

    def moving(self, velocity, spin):
        """Return the velocities if the whole world moves as one rigid body."""
        v = self.zeros(self.n)
        for e in range(ELEMENTS):
            for index, unit, place in self.vectors(e):
                turning = cross(spin, np.array([self.q[i] for i in index]) + unit)
                for i, value in zip(index, turning + np.array(velocity) if place else turning, strict=True):
                    v[i] = value
        return v

    def turned_forces(self, force, rotation):
        """Return the generalised forces, or velocities, after a rotation of the whole world."""
        out = list(force)
        for e in range(ELEMENTS):
            for index, _, _ in self.vectors(e):
                for i, value in zip(index, rotation @ np.array([force[i] for i in index]), strict=True):
                    out[i] = value
        return out

    def resultant(self, force, e):
        """Return the sum of the forces on all attachments of element e, and of their moments about the origin."""
        total, moment = np.zeros(3) * mp.mpf(1), np.zeros(3) * mp.mpf(1)
        for index, unit, place in self.vectors(e):
            pull = np.array([mp.mpf(force[i]) for i in index])
            total = total + pull if place else total
            moment = moment + cross(np.array([self.q[i] for i in index]) + unit, pull)
        return [*total, *moment]


class PlacedBatch(SpatialBatch):
    """Two poses in marker variables."""

    def parameters(self, which):
        return []

    @property
    def dimension(self):
        return self.families.dimension  # of its basis

    def vectors(self, e):
        variables = self.kernels["VARIABLES"]
        for k in range(0, len(variables), 3):
            kind, *_, component = variables[k]
            assert component == 0
            yield list(self.dof[e, k : k + 3]), np.zeros(3), kind == "position"


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _unit(rng, parameter, which):
    vector = rng.normal(size=3)
    return list(vector / np.linalg.norm(vector))


VALUES = {
    Number: lambda rng, parameter, which: [rng.uniform(0.3, 1.5)],
    Components: lambda rng, parameter, which: list(rng.uniform(0.3, 1.5, 3)),
    Direction: _unit,
    ComputedVector: _unit,
    Choice: lambda rng, parameter, which: [list(parameter.options.values())[which % len(parameter.options)]],
    Signal: lambda rng, parameter, which: [],
}
