"""Random systems that contain every planar joint, drive and force, and dense NumPy views of them. The tables are independent
of the dimension; compiling all spatial kernels as well would take minutes."""

from __future__ import annotations

import numpy as np

from gaitwright.derive.kernel_library import library_connections
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.evaluation import (
    evaluate_acceleration_tangents,
    evaluate_forces,
    evaluate_motion,
    evaluate_position,
    evaluate_tangents,
    new_workspace,
    update_signals,
)
from gaitwright.mechanism.table_builder import build_tables, compile_tangents
from gaitwright.mechanism.tables import GROUND
from gaitwright.model.expressions import compile_program, parse
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.declarations import Constraint, Force, MarkerConstraint
from gaitwright.physics.parameters import Choice, Components, Direction, Signal

BODIES, WIDTH = 16, 8  # a body may have up to WIDTH coordinates
SIZE = BODIES * WIDTH
EXPRESSIONS = ("1 + 0.3*sin(2*t)", "0.8*t + 0.5", "1.5 + 0.2*t^2")
STIFF_ENOUGH = 200.0  # Phi_q with a larger condition number is not used to compare solutions


def planar():
    """Declarations of the library on planar bodies."""
    plane = (
        (d, families) for d, families in library_connections() if all(family.dimension == 2 for family in families)
    )
    return (
        (d, families) for d, families in plane if not issubclass(d, MarkerConstraint)
    )  # not a constraint of a mechanism


def random_element(declaration, families, rng, bodies, signals):
    """An element between the given bodies (GROUND allowed), with its own random parameters and signals."""
    coordinates, parameters, own = [], [], []
    for kind, family, body in zip(declaration.attachments.values(), families, bodies, strict=True):
        marker = family.markers[type(kind)]
        index = np.full(WIDTH, GROUND) if body == GROUND else WIDTH * body + np.arange(WIDTH)
        coordinates.append(index[list(marker.coordinates)])
        parameters += list(rng.uniform(-0.5, 0.5, len(marker.parameters)))
    for parameter in declaration.parameters.values():
        if isinstance(parameter, Signal):
            for _ in range(2 if parameter.vector else 1):
                own.append(len(signals))
                expression = EXPRESSIONS[int(rng.integers(len(EXPRESSIONS)))]
                signals.append(compile_program(parse(expression, {}), {}))
        elif isinstance(parameter, Choice):
            parameters.append(list(parameter.options.values())[-1])
        elif isinstance(parameter, (Components, Direction)):
            parameters += [0.6, 0.8]
        else:
            parameters.append(rng.uniform(0.3, 1.5))
    return MechanismElement(declaration, families, tuple(coordinates), parameters, own)


def random_parts(seed, ground=0.3, rigid_only=False):
    """Constraints, forces and signals with every joint, drive and force once; some attachments on the ground."""
    rng = np.random.default_rng(seed)
    constraints, loads, signals = [], [], []
    for declaration, families in planar():
        if not issubclass(declaration, (Constraint, Force)) or (rigid_only and set(families) != {PlanarRigidBody}):
            continue
        bodies = list(rng.choice(BODIES, len(families), replace=False))
        rigid = [k for k, family in enumerate(families) if family is PlanarRigidBody]  # the ground is a rigid body
        if len(bodies) > 1 and rigid and rng.random() < ground:
            bodies[int(rng.choice(rigid))] = GROUND
        element = random_element(declaration, families, rng, bodies, signals)
        (constraints if issubclass(declaration, Constraint) else loads).append(element)
    return rng, constraints, loads, signals


def random_mass(rng):
    n = SIZE
    return np.arange(n), np.arange(n), rng.uniform(0.5, 2.0, n)


class Dense:
    """A system in a state, as NumPy matrices, from the compiled functions of evaluation.py."""

    def __init__(self, s, t=0.4):
        self.s, self.w, self.t = s, new_workspace(s), t
        compile_tangents(s)
        update_signals(s, self.w, t)
        self.M = np.zeros((s.n, s.n))
        np.add.at(self.M, (s.mass_row, s.mass_col), s.mass)

    def phi(self, q):
        evaluate_position(self.s, self.w, q)
        return self.w.phi.copy()

    def jacobian(self, q):
        evaluate_position(self.s, self.w, q)
        return self.rectangle(self.w.jac)

    def rectangle(self, values):
        """Values on the pattern of Phi_q."""
        matrix = np.zeros((self.s.m_all, self.s.n))
        np.add.at(matrix, (self.s.jac_row, self.s.jac_col), values[:-1])
        return matrix

    def square(self, values):
        """Values on the pattern of the tangents."""
        matrix = np.zeros((self.s.n, self.s.n))
        np.add.at(matrix, (self.s.k_row, self.s.k_col), values[:-1])
        return matrix

    def motion(self, q, v):
        """Phi, Phi_t, Phi', gamma."""
        evaluate_motion(self.s, self.w, q, v)
        return tuple(x.copy() for x in (self.w.phi, self.w.phi_t, self.w.phi_dot, self.w.gamma))

    def force(self, q, v):
        evaluate_forces(self.s, self.w, q, v)
        return self.w.force[:-1].copy()

    def tangents(self, q, v, lam):
        evaluate_tangents(self.s, self.w, q, v, lam)
        return self.square(self.w.kq), self.square(self.w.kv)

    def acceleration_tangents(self, q, v, a, damp, stiff):
        evaluate_acceleration_tangents(self.s, self.w, q, v, a, damp, stiff)
        return self.rectangle(self.w.gq), self.rectangle(self.w.gv)

    def accelerations(self, q, v, damp=0.0, stiff=0.0):
        """Solve the index-1 equations densely; redundant rows are left out."""
        n, m = self.s.n, self.s.m
        J = self.jacobian(q)[:m]
        phi, _, phi_dot, gamma = self.motion(q, v)
        K = np.block([[self.M, J.T], [J, np.zeros((m, m))]])
        rhs = np.r_[self.force(q, v), (gamma - damp * phi_dot - stiff * phi)[:m]]
        x = np.linalg.solve(K, rhs)
        return x[:n], x[n:]


def random_state(rng, s):
    """q, v, a with a zero entry for the ground, and lambda."""
    q, v, a = (np.append(rng.uniform(-1.5, 1.5, s.n), 0.0) for _ in range(3))
    return q, v, a, rng.uniform(-1, 1, s.m_all)


def regular_system(seed, redundant=()):
    """A random system and state with Phi_q of full rank, conditioned well enough to compare solutions."""
    for attempt in range(50):
        rng, constraints, loads, signals = random_parts([seed, attempt], rigid_only=True)
        s = build_tables(SIZE, random_mass(rng), constraints, loads, signals, redundant)
        state = random_state(rng, s)
        if np.linalg.cond(Dense(s).jacobian(state[0])[: s.m]) < STIFF_ENOUGH:
            return s, state
    raise AssertionError("no well-conditioned random system found")


def stored_matrix(program, K, general):
    """The matrix of a value array before its factorisation, in the order of the unknowns."""
    size, entries = program.order.size, program.row.size
    matrix = np.zeros((size, size))
    matrix[program.order, program.order] = K[:size]
    column = np.repeat(np.arange(size), np.diff(program.column.astype(np.int64)))
    i, j = program.order[program.row.astype(np.int64)], program.order[column]
    matrix[i, j] = K[size : size + entries]
    matrix[j, i] = K[size + entries : size + 2 * entries] if general else matrix[i, j]
    return matrix


def differences(function, x, step=1e-5):
    """Fourth-order central differences, (len(function), len(x))."""
    columns = []
    for i in range(len(x)):
        at = []
        for k in (-2, -1, 1, 2):
            moved = x.copy()
            moved[i] += k * step
            at.append(np.array(function(moved), dtype=float))
        columns.append((at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * step))
    return np.array(columns).T
