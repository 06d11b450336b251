"""Every joint, drive and force on every pair of kinds of bodies with the required markers: matrices compared with
differences, and the laws that hold for all of them, for fused and for marker kernels."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright.derive.kernel_library import MarkerBasis, choose_basis, kernel_module, library_connections
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.evaluation import evaluate_energies
from gaitwright.mechanism.single_element import SingleElement
from gaitwright.mechanism.table_builder import build_tables
from gaitwright.mechanism.tables import GROUND
from gaitwright.model.expressions import compile_program, parse
from gaitwright.physics.bodies.beam import BeamNode
from gaitwright.physics.bodies.counter import Counter
from gaitwright.physics.bodies.interpolated_point import InterpolatedPoint
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.bodies.spatial import SpatialRigidBody
from gaitwright.physics.declarations import Constraint, Coupling, Drive, Force, Joint, Rigidity
from gaitwright.physics.parameters import VECTOR_PARAMETERS, Choice, Signal
from mechanism.systems import EXPRESSIONS, Dense, differences

WIDTH = 12
ALL = {
    f"{declaration.__name__}-{'-'.join(family.name for family in families)}": (declaration, families)
    for declaration, families in library_connections()
    if issubclass(declaration, (Constraint, Force))
    and (len(families) > 1 or isinstance(choose_basis(declaration, families), MarkerBasis))
}
MARKED = [name for name, entry in ALL.items() if isinstance(choose_basis(*entry), MarkerBasis)]
ON_NODES = [
    name for name, (d, _) in ALL.items() if {type(kind) for kind in d.attachments.values()} <= set(BeamNode.markers)
]
FUSED = [name for name in ON_NODES if not isinstance(choose_basis(*ALL[name]), MarkerBasis)]
CONSTRAINTS = [name for name in MARKED if issubclass(ALL[name][0], Constraint)]
FORCES = [name for name in MARKED if issubclass(ALL[name][0], Force)]


class Sample:
    """One element between separate bodies in a random state. grounded: attachments that are on the ground."""

    def __init__(self, name, seed, grounded=()):
        declaration, self.families = ALL[name]
        rng = self.rng = np.random.default_rng(seed)
        self.n, self.dimension = WIDTH * len(self.families), self.families[0].dimension
        coordinates, parameters, own, signals = [], [], [], []
        self.local = []
        for k, (kind, family) in enumerate(zip(declaration.attachments.values(), self.families, strict=True)):
            marker = family.markers[type(kind)]
            index = np.full(WIDTH, GROUND) if k in grounded else WIDTH * k + np.arange(WIDTH)
            coordinates.append(index[list(marker.coordinates)])
            self.local.append(rng.uniform(-0.5, 0.5, len(marker.parameters)))
            parameters += list(self.local[-1])
        for parameter in declaration.parameters.values():
            if isinstance(parameter, Signal):
                for _ in range(self.dimension if parameter.vector else len(parameter.parts) or 1):
                    own.append(len(signals))
                    signals.append(compile_program(parse(EXPRESSIONS[int(rng.integers(len(EXPRESSIONS)))], {}), {}))
            elif isinstance(parameter, Choice):
                parameters.append(list(parameter.options.values())[-1])
            elif isinstance(parameter, VECTOR_PARAMETERS):
                vector = rng.normal(size=self.dimension)
                parameters += list(vector / np.linalg.norm(vector))
            else:
                parameters.append(rng.uniform(0.3, 1.5))
        self.element = MechanismElement(declaration, self.families, tuple(coordinates), parameters, own)
        self.signals = signals
        self.q, self.v, self.a = (np.append(rng.uniform(-1.0, 1.0, self.n), 0.0) for _ in range(3))
        self.lam = rng.uniform(-1.0, 1.0, len(getattr(declaration, "rows", ())))

    def dense(self):
        n, constraint = self.n, issubclass(self.element.declaration, Constraint)
        mass = (np.arange(n), np.arange(n), np.ones(n))
        elements = [self.element]
        return Dense(
            build_tables(n, mass, elements if constraint else [], [] if constraint else elements, self.signals)
        )

    def rigid(self, shift, spin):
        """Velocities of all bodies if the world moves as one: the angular velocity is a vector in space and a number in the
        plane."""
        v = np.zeros(self.n + 1)
        for k, family in enumerate(self.families):
            q, at = self.q[WIDTH * k :], WIDTH * k
            if family is PlanarRigidBody:
                v[at : at + 3] = [shift[0] - spin * q[1], shift[1] + spin * q[0], spin]
            elif family is BeamNode:
                v[at : at + 4] = [shift[0] - spin * q[1], shift[1] + spin * q[0], -spin * q[3], spin * q[2]]
            elif family is SpatialRigidBody:
                v[at : at + 3] = shift + np.cross(spin, q[:3])
                v[at + 3 : at + 12] = np.cross(spin, q[3:12].reshape(3, 3) + np.eye(3)).ravel()
            elif issubclass(family, InterpolatedPoint):
                count, d = family.count, self.dimension
                weights, start = np.asarray(self.local[k][:count]), self.local[k][count:]
                r = start + weights @ np.reshape(q[: count * d], (count, d))
                turned = np.cross(spin, r) if d == 3 else spin * np.array([-r[1], r[0]])
                v[at : at + count * d] = np.outer(weights / (weights @ weights), shift + turned).ravel()
            else:
                assert family is Counter  # a counter has no place
        return v


def near(found, truth, tolerance=1e-8):
    found, truth = np.asarray(found), np.asarray(truth)
    assert np.abs(found - truth).max(initial=0.0) < tolerance * (1 + np.abs(truth).max(initial=0.0))


def moved(x):
    return np.append(x, 0.0)


def test_sample_is_not_empty():
    assert len(CONSTRAINTS) >= 30 and len(FORCES) >= 15 and len(FUSED) >= 8


@pytest.mark.parametrize(
    ("name", "grounded"),
    [
        (name, grounded)
        for name in CONSTRAINTS
        for grounded in ((), (0,))
        if not (grounded and ALL[name][1][0] is BeamNode)
    ],
)
def test_constraints(name, grounded):
    """Also on the ground, which has no nodes."""
    sample = Sample(name, 5, grounded)
    dense, q, v, a = sample.dense(), sample.q, sample.v, sample.a
    jacobian = dense.jacobian(q)
    near(jacobian, differences(lambda x: dense.phi(moved(x)), q[:-1]))
    phi, phi_t, phi_dot, gamma = dense.motion(q, v)
    near(phi, dense.phi(q), 1e-14)
    near(dense.rectangle(dense.w.jac), jacobian, 1e-14)
    near(phi_dot - phi_t, jacobian @ v[:-1], 1e-13)
    assert np.any(phi_t != 0.0) == bool(sample.signals)
    if not sample.signals:
        near(gamma, -differences(lambda x: dense.motion(moved(x), v)[2], q[:-1]) @ v[:-1])
    hessian, _ = dense.tangents(q, v, sample.lam)
    near(hessian, differences(lambda x: dense.jacobian(moved(x)).T @ sample.lam, q[:-1]))
    near(hessian, hessian.T, 1e-13)
    near(dense.phi(q), phi, 1e-14)  # tangents are unchanged

    def stabilised(x, y):
        jacobian = dense.jacobian(moved(x))
        phi, _, phi_dot, gamma = dense.motion(moved(x), moved(y))
        return jacobian @ a[:-1] - gamma + 1.7 * phi_dot + 2.3 * phi

    gq, gv = dense.acceleration_tangents(q, v, a, 1.7, 2.3)
    near(gq, differences(lambda x: stabilised(x, v[:-1]), q[:-1]))
    near(gv, differences(lambda y: stabilised(q[:-1], y), v[:-1]))


@pytest.mark.parametrize("name", FORCES)
def test_forces(name):
    sample = Sample(name, 6)
    dense, q, v = sample.dense(), sample.q, sample.v

    def energy(x, y):
        evaluate_energies(dense.s, dense.w, moved(x), moved(y))
        return dense.w.energy.copy()

    force = dense.force(q, v)
    potential, lost, supplied = energy(q[:-1], v[:-1])
    rate = differences(lambda x: energy(x, v[:-1])[:1], q[:-1])[0] @ v[:-1]
    near(force @ v[:-1], -rate - lost + supplied)
    kq, kv = dense.tangents(q, v, np.zeros(0))
    near(kq, -differences(lambda x: dense.force(moved(x), v), q[:-1]))
    near(kv, -differences(lambda y: dense.force(q, moved(y)), v[:-1]))
    if dense.s.symmetric:
        near(kq, kq.T, 1e-12)
    # equal to the evaluation of the single element
    alone = SingleElement(sample.element, sample.n)
    x, weight = alone.states(q[None])
    x_v, out = alone.rates(weight, v[None]), np.zeros(3)
    alone.module.energy(1, alone.dof, alone.par, range(len(sample.signals)), x[0], x_v[0], dense.w.u, out)
    near(out, [potential, lost, supplied], 1e-13)


def motions(dimension):
    return [(np.eye(dimension)[k], 0.0 if dimension == 2 else np.zeros(3)) for k in range(dimension)] + (
        [(np.zeros(2), 1.0)] if dimension == 2 else [(np.zeros(3), np.eye(3)[k]) for k in range(3)]
    )


@pytest.mark.parametrize("name", [name for name in FORCES if len(ALL[name][1]) > 1])
def test_action_is_reaction_of_forces(name):
    """Forces do no work in a motion of the whole world, and do not damp it."""
    sample = Sample(name, 7)
    dense = sample.dense()
    force = dense.force(sample.q, sample.v)
    assert np.abs(force).max() > 1e-3
    for shift, spin in motions(sample.dimension):
        v = sample.rigid(shift, spin)
        assert abs(force @ v[:-1]) < 1e-12 * (1 + np.abs(force).max())
        evaluate_energies(dense.s, dense.w, sample.q, v)
        assert dense.w.energy[1] < 1e-20


@pytest.mark.parametrize("name", [name for name in CONSTRAINTS if issubclass(ALL[name][0], Joint)])
def test_action_is_reaction_of_joints(name):
    """In a closed pose a motion of the whole world keeps the joint closed."""
    sample = Sample(name, 8)
    dense = sample.dense()
    for _ in range(60):
        phi, jacobian = dense.phi(sample.q), dense.jacobian(sample.q)
        step = np.linalg.lstsq(jacobian, -phi, rcond=None)[0]
        sample.q[:-1] += step * min(1.0, 0.5 / max(np.abs(step).max(), 1e-12))
    assert np.abs(dense.phi(sample.q)).max() < 1e-13
    jacobian = dense.jacobian(sample.q)
    for shift, spin in motions(sample.dimension):
        near(jacobian @ sample.rigid(shift, spin)[:-1], np.zeros(len(jacobian)), 1e-11)


@pytest.mark.parametrize(
    "name", [name for name in FUSED if {*map(type, ALL[name][0].attachments.values())} <= set(BeamNode.markers)]
)
def test_fused_kernels_are_the_chain_rule(name, monkeypatch):
    """Kernels generated for pairs of planar bodies compared with marker kernels. Angles of markers do not count turns."""
    sample = Sample(name, 9)
    sample.q[2::WIDTH] *= 0.4
    fused = sample.dense()
    monkeypatch.setattr(PlanarRigidBody, "fused", False)
    kernel_module.cache_clear()
    try:
        chained = sample.dense()
    finally:
        kernel_module.cache_clear()
    assert chained.s.chain.count > 0 == fused.s.chain.count
    q, v, a, lam = sample.q, sample.v, sample.a, sample.lam
    for found, truth in zip(chained.motion(q, v), fused.motion(q, v), strict=True):
        near(found, truth, 1e-12)
    near(chained.jacobian(q), fused.jacobian(q), 1e-12)
    near(chained.force(q, v), fused.force(q, v), 1e-12)
    for found, truth in zip(chained.tangents(q, v, lam), fused.tangents(q, v, lam), strict=True):
        near(found, truth, 1e-11)
    accelerations = (dense.acceleration_tangents(q, v, a, 1.7, 2.3) for dense in (chained, fused))
    for found, truth in zip(*accelerations, strict=True):
        near(found, truth, 1e-11)


def test_no_digits_are_lost_far_from_the_origin():
    """A spring of a millimetre, a kilometre from the origin: its length comes from the difference of positions, not of
    squares."""
    sample = Sample("SpringDamper-spatial-spatial", 1)
    sample.element = sample.element._replace(parameters=[0.0] * 6 + [1000.0, 0.0, 5e-4])
    sample.q[:] = sample.v[:] = 0.0
    sample.q[[0, 1, WIDTH, WIDTH + 1]] = 1000.0, 1000.0, 1000.0 + 2.0**-10, 1000.0
    force = sample.dense().force(sample.q, sample.v)
    assert force[WIDTH] == pytest.approx(-1000.0 * (2.0**-10 - 5e-4), rel=1e-12)


def test_kinds_of_constraints_are_known():
    assert all(issubclass(ALL[name][0], (Joint, Drive, Coupling, Rigidity)) for name in CONSTRAINTS)
