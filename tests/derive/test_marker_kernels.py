"""Kernels in marker variables, with many digits: derivatives of the residual, of the energy and of the force in these
variables. Their use on bodies is tested in tests/mechanism/test_marker_chain.py."""

from __future__ import annotations

import pytest

from derive.differences import check_acceleration_tangents, check_hessian, check_jacobian, check_motion, difference
from derive.elements import MARKED, Batch, close_to, gradient, mp
from derive.spatial_elements import VALUES
from gaitwright.physics.attachments import JointTravel, Place
from gaitwright.physics.declarations import Constraint, Force
from gaitwright.physics.parameters import Components, ComputedVector, Direction

CONSTRAINTS = [name for name, (declaration, _) in MARKED.items() if issubclass(declaration, Constraint)]
FORCES = [name for name, (declaration, _) in MARKED.items() if issubclass(declaration, Force)]
seeds = pytest.mark.parametrize("seed", range(2))


class Marked(Batch):
    """Two elements on separate variables. Scalar products are positive, since some are squares of lengths."""

    def __init__(self, name, seed):
        super().__init__(name, seed)
        for e in range(len(self.dof)):
            for i, variable in zip(self.dof[e], self.kernels["VARIABLES"], strict=True):
                if variable[0] == "quadratic":
                    self.q[i] = abs(self.q[i]) + mp.mpf(0.5)

    def phi(self, q, u):
        return self.position(q, u)[0]

    def parameters(self, which):
        values = []
        for parameter in self.declaration.parameters.values():
            if isinstance(parameter, (Components, Direction, ComputedVector)):
                values += list(self.rng.uniform(0.3, 1.5, self.families.dimension))
            else:
                values += VALUES[type(parameter)](self.rng, parameter, which)
        return values


def test_both_dimensions_are_there():
    assert len(CONSTRAINTS) >= 20 and len(FORCES) >= 8
    assert {form.dimension for _, form in MARKED.values()} == {2, 3}


@pytest.mark.parametrize("name", MARKED)
def test_products_follow_their_factors(name):
    batch = Marked(name, 0)
    for k, (kind, *rest) in enumerate(batch.kernels["VARIABLES"]):
        if kind == "quadratic":
            assert all(-1 <= i < k for _, *pair in rest[1] for i in pair)
    assert 0 < batch.kernels["ACTING"] <= batch.kernels["N_DOF"] == len(batch.kernels["VARIABLES"])


@pytest.mark.parametrize("name", MARKED)
def test_declaration_requires_axes_only_if_needed(name):
    """And only there: families with positions alone can be used wherever no axes are needed."""
    declaration, _ = MARKED[name]
    variables = Marked(name, 0).kernels["VARIABLES"]
    turned = {meaning[1] for meaning in variables if meaning[0] in ("axis", "direction")}
    for k, kind in enumerate(declaration.attachments.values()):
        assert (type(kind) in (Place, JointTravel)) == (k not in turned)


@seeds
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constraint(name, seed):
    """Phi_x, Phi', gamma, the Hessian, and gq, gv of Phi'' + damp Phi' + stiff Phi."""
    batch = Marked(name, seed)
    check_jacobian(batch)
    check_motion(batch)
    check_hessian(batch)
    check_acceleration_tangents(batch)


@seeds
@pytest.mark.parametrize("name", FORCES)
def test_force(name, seed):
    """F from the energies, and its tangents."""
    batch = Marked(name, seed)
    rest, off = batch.zeros(batch.n), batch.zeros(3 * batch.k)
    slope = gradient(lambda q: [sum(row[0] for row in batch.energy(q, rest, off))], batch.q)[0]
    close_to(batch.force(batch.q, rest, off), -slope)
    energy = batch.energy(batch.q, batch.v, batch.u)
    rate = difference(lambda q: [sum(row[0] for row in batch.energy(q, batch.v, batch.u))], batch.q, batch.v)[0]
    power = sum(f * v for f, v in zip(batch.force(batch.q, batch.v, batch.u), batch.v, strict=True))
    close_to(power, -rate - sum(row[1] for row in energy) + sum(row[2] for row in energy))
    assert all(row[1] >= 0 for row in energy)
    kq, kv = batch.tangents(batch.q, batch.v, batch.u)
    close_to(kq, -gradient(lambda q: batch.force(q, batch.v, batch.u), batch.q))
    close_to(kv, -gradient(lambda v: batch.force(batch.q, v, batch.u), batch.v))
