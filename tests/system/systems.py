"""Random systems that contain every joint, drive and force of the plane, and dense NumPy views of them. The tables know
nothing about dimension; compiling all kernels of space as well would take minutes."""

from __future__ import annotations

import numpy as np

from gaitwright.derive.library import connections
from gaitwright.model.expressions import parse, program
from gaitwright.physics.bodies.planar import Planar
from gaitwright.physics.declare import Choice, Components, Constraint, Direction, Force, Marking, Signal
from gaitwright.system.blocks import Element
from gaitwright.system.build import build, compile_tangents
from gaitwright.system.evaluate import acceleration_tangents, forces, motion, position, signals_at, tangents, workspace
from gaitwright.system.tables import GROUND

BODIES, WIDTH = 16, 8  # a body may have up to WIDTH coordinates
SIZE = BODIES * WIDTH
EXPRESSIONS = ("1 + 0.3*sin(2*t)", "0.8*t + 0.5", "1.5 + 0.2*t^2")
STIFF_ENOUGH = 200.0  # Phi_q with a larger condition number is not used to compare solutions


def planar():
    """The declarations of the library on bodies of the plane."""
    plane = ((d, families) for d, families in connections() if all(family.dimension == 2 for family in families))
    return ((d, families) for d, families in plane if not issubclass(d, Marking))  # no constraint of a mechanism


def random_element(declaration, families, rng, bodies, signals):
    """An element between the given bodies (GROUND allowed), with random numbers and signals of its own."""
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
                signals.append(program(parse(expression, {}), {}))
        elif isinstance(parameter, Choice):
            parameters.append(list(parameter.options.values())[-1])
        elif isinstance(parameter, (Components, Direction)):
            parameters += [0.6, 0.8]
        else:
            parameters.append(rng.uniform(0.3, 1.5))
    return Element(declaration, families, tuple(coordinates), parameters, own)


def random_parts(seed, ground=0.3, rigid_only=False):
    """Constraints, forces and signals with every joint, drive and force once; some attachments on the ground."""
    rng = np.random.default_rng(seed)
    constraints, loads, signals = [], [], []
    for declaration, families in planar():
        if not issubclass(declaration, (Constraint, Force)) or (rigid_only and set(families) != {Planar}):
            continue
        bodies = list(rng.choice(BODIES, len(families), replace=False))
        rigid = [k for k, family in enumerate(families) if family is Planar]  # the ground is a rigid body
        if len(bodies) > 1 and rigid and rng.random() < ground:
            bodies[int(rng.choice(rigid))] = GROUND
        element = random_element(declaration, families, rng, bodies, signals)
        (constraints if issubclass(declaration, Constraint) else loads).append(element)
    return rng, constraints, loads, signals


def random_mass(rng):
    n = SIZE
    return np.arange(n), np.arange(n), rng.uniform(0.5, 2.0, n)


class Dense:
    """A system in a state, as NumPy matrices, from the compiled functions of evaluate.py."""

    def __init__(self, s, t=0.4):
        self.s, self.w, self.t = s, workspace(s), t
        compile_tangents(s)
        signals_at(s, self.w, t)
        self.M = np.zeros((s.n, s.n))
        np.add.at(self.M, (s.mass_row, s.mass_col), s.mass)

    def phi(self, q):
        position(self.s, self.w, q)
        return self.w.phi.copy()

    def jacobian(self, q):
        position(self.s, self.w, q)
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
        motion(self.s, self.w, q, v)
        return tuple(x.copy() for x in (self.w.phi, self.w.phi_t, self.w.phi_dot, self.w.gamma))

    def force(self, q, v):
        forces(self.s, self.w, q, v)
        return self.w.force[:-1].copy()

    def tangents(self, q, v, lam):
        tangents(self.s, self.w, q, v, lam)
        return self.square(self.w.kq), self.square(self.w.kv)

    def acceleration_tangents(self, q, v, a, damp, stiff):
        acceleration_tangents(self.s, self.w, q, v, a, damp, stiff)
        return self.rectangle(self.w.gq), self.rectangle(self.w.gv)

    def accelerations(self, q, v, damp=0.0, stiff=0.0):
        """Index-1 equations by a dense solution; the redundant rows are left out."""
        n, m = self.s.n, self.s.m
        J = self.jacobian(q)[:m]
        phi, _, phi_dot, gamma = self.motion(q, v)
        K = np.block([[self.M, J.T], [J, np.zeros((m, m))]])
        rhs = np.r_[self.force(q, v), (gamma - damp * phi_dot - stiff * phi)[:m]]
        x = np.linalg.solve(K, rhs)
        return x[:n], x[n:]


def random_state(rng, s):
    """q, v, a with the entry of the ground at zero, and lambda."""
    q, v, a = (np.append(rng.uniform(-1.5, 1.5, s.n), 0.0) for _ in range(3))
    return q, v, a, rng.uniform(-1, 1, s.m_all)


def regular_system(seed, redundant=()):
    """A random system and state whose Phi_q has full rank, well enough conditioned to compare solutions."""
    for attempt in range(50):
        rng, constraints, loads, signals = random_parts([seed, attempt], rigid_only=True)
        s = build(SIZE, random_mass(rng), constraints, loads, signals, redundant)
        state = random_state(rng, s)
        if np.linalg.cond(Dense(s).jacobian(state[0])[: s.m]) < STIFF_ENOUGH:
            return s, state
    raise AssertionError("no well-conditioned random system found")


def stored_matrix(program, K, general):
    """The matrix behind a value array before it is factorised, in the order of the unknowns."""
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
