"""Every declaration of the library with random parameters. The generated kernels are plain Python and are evaluated with 60
digits, so that central differences are exact to 40; a tolerance of 1e-13 only covers constants that are printed as floats."""

from __future__ import annotations

import ctypes
import itertools
import math
from functools import cache
from pathlib import Path

import mpmath
import numpy as np

from gaitwright._core.errors import ModelError
from gaitwright.derive.kernel_interface import LAW_SIZE, pose_size, twist_size
from gaitwright.derive.kernel_library import (
    ABSTRACT_BASES,
    MarkerBasis,
    kernel_module,
    kernel_name,
    library_kernels,
    load_kernel_module,
)
from gaitwright.mechanism.batches import compiled_kernel
from gaitwright.physics.bodies.place_marker import find_marker_kind
from gaitwright.physics.declarations import Constraint, ContactLaw, ContactPose, Force, Friction, Number
from gaitwright.physics.parameters import Choice, Components, Direction, Signal

mp = mpmath.mp.clone()
mp.dps = 60
STEP = mp.mpf(10) ** -20
SEEDS = range(3)
MANY = range(8)
ELEMENTS = 2  # in a batch, so that a wrong stride is noticed

EVERYTHING = {kernel_name(*entry): entry for entry in library_kernels()}
MARKED = {
    name: entry
    for name, entry in EVERYTHING.items()
    if isinstance(entry[1], MarkerBasis) and issubclass(entry[0], (Constraint, Force))
}
"""True if the element uses marker variables; these are tested in test_marker_kernels.py."""
LIBRARY = {
    name: entry
    for name, entry in EVERYTHING.items()
    if not isinstance(entry[1], ABSTRACT_BASES) and all(family.dimension == 2 for family in entry[1])
}
"""Planar elements, and those independent of the dimension; spatial elements are tested in test_spatial_kernels.py."""


def of_kind(kind):
    """Names of the kernels of all declarations of a kind."""
    return [name for name, (declaration, _) in LIBRARY.items() if issubclass(declaration, kind)]


CONSTRAINTS, FORCES, LAWS, FRICTIONS = map(of_kind, (Constraint, Force, ContactLaw, Friction))
POSES = [name for name, (declaration, _) in EVERYTHING.items() if issubclass(declaration, ContactPose)]


@cache
def kernels(name, precise=True):
    """Namespace of a generated module; precise: with functions that support many digits."""
    namespace = {}
    exec(Path(load_kernel_module(*EVERYTHING[name]).__file__).read_text(), namespace)
    if precise:
        namespace.update({key: getattr(mp, key) for key in vars(math) if key in namespace and not key.startswith("_")})
    return namespace


def numbers(values):
    return [mp.mpf(float(value)) for value in values]


class Batch:
    """Two elements of one type on separate bodies, with shuffled indices, in a random state with random motion."""

    def __init__(self, name, seed, precise=True):
        self.declaration, self.families = EVERYTHING[name]
        self.kernels = kernels(name, precise)
        rng = self.rng = np.random.default_rng(seed)
        self.n = ELEMENTS * self.kernels["N_DOF"]
        self.m = ELEMENTS * self.kernels.get("N_ROW", 0)
        self.k = ELEMENTS * self.kernels["N_SIG"]
        self.dof = rng.permutation(self.n).reshape(ELEMENTS, -1)
        self.row = rng.permutation(self.m).reshape(ELEMENTS, -1)
        self.sig = rng.permutation(self.k).reshape(ELEMENTS, -1)
        self.par = np.array([self.parameters(seed + e) for e in range(ELEMENTS)]).reshape(ELEMENTS, -1)
        assert self.par.shape == (ELEMENTS, self.kernels["N_PAR"])
        self.number = numbers if precise else (lambda values: [float(value) for value in values])
        self.q, self.v, self.a = (self.number(rng.uniform(-2.0, 2.0, self.n)) for _ in range(3))
        self.u = self.number(rng.uniform(0.5, 2.0, 3 * self.k))
        self.lam = self.number(rng.uniform(-2.0, 2.0, self.m))

    def parameters(self, which):
        """Local coordinates of the attachments, then the parameters; `which` iterates over the options of a choice."""
        values = []
        for kind, family in zip(self.declaration.attachments.values(), self.families, strict=True):
            values += list(
                self.rng.uniform(-1.0, 1.0, len(find_marker_kind(self.declaration, kind, family).parameters))
            )
        for parameter in self.declaration.parameters.values():
            values += _VALUES[type(parameter)](self.rng, parameter, which)
        return values

    def call(self, kernel, *arguments):
        head = [ELEMENTS, self.dof.ravel(), self.number(self.par.ravel()), self.sig.ravel()]
        if self.kernels["KIND"] == "placed_pose":
            head = [ELEMENTS, self.sig.ravel()]
        if self.kernels["KIND"] == "constraint":
            head.append(self.row.ravel())
        self.kernels[kernel](*head, *arguments)

    def zeros(self, count):
        return self.number(np.zeros(count))

    def matrix(self, what, values):
        """Convert values in the order of the slots of JACOBIAN, HESSIAN or TANGENT to a matrix of floats."""
        pattern = self.kernels[what]
        shape, rows = ((self.m, self.n), self.row) if what == "JACOBIAN" else ((self.n, self.n), self.dof)
        matrix = np.zeros(shape)
        for e, (k, (i, j)) in itertools.product(range(ELEMENTS), enumerate(pattern)):
            matrix[rows[e, i], self.dof[e, j]] += float(values[len(pattern) * e + k])
        return matrix

    def slots(self, what):
        return range(ELEMENTS * len(self.kernels[what]))

    # constraints

    def phi(self, q, u):
        out = self.zeros(self.m)
        self.call("residual", q, u, out)
        return out

    def position(self, q, u):
        phi, jac = self.zeros(self.m), self.zeros(len(self.slots("JACOBIAN")))
        self.call("position", self.slots("JACOBIAN"), q, u, phi, jac)
        return phi, self.matrix("JACOBIAN", jac)

    def motion(self, q, v, u):
        """Return Phi, Phi_t, Phi', gamma as lists and the Jacobian."""
        out = [self.zeros(self.m) for _ in range(4)]
        jac = self.zeros(len(self.slots("JACOBIAN")))
        self.call("motion", self.slots("JACOBIAN"), q, v, u, *out, jac)
        return *out, self.matrix("JACOBIAN", jac)

    def hessian(self, q, u, lam):
        kq = self.zeros(len(self.slots("HESSIAN")))
        self.call("hessian", self.slots("HESSIAN"), q, u, lam, kq)
        return self.matrix("HESSIAN", kq)

    def acceleration(self, q, v, a, u, damp, stiff):
        gq, gv = (self.zeros(len(self.slots("JACOBIAN"))) for _ in range(2))
        self.call("acceleration", self.slots("JACOBIAN"), q, v, a, u, damp, stiff, gq, gv)
        return self.matrix("JACOBIAN", gq), self.matrix("JACOBIAN", gv)

    def close(self):
        """Move q onto Phi = 0 by Gauss-Newton steps."""
        for _ in range(60):
            phi, jac = self.position(self.q, self.u)
            if max(map(abs, phi)) < 1e-25:
                return self
            step = np.linalg.lstsq(jac, -np.array(phi, dtype=float), rcond=None)[0]
            step *= min(1.0, 0.5 / np.abs(step).max())
            self.q = [x + mp.mpf(float(d)) for x, d in zip(self.q, step, strict=True)]
        raise AssertionError("the sample cannot be closed")

    # forces

    def force(self, q, v, u):
        out = self.zeros(self.n)
        self.call("force", q, v, u, out)
        return out

    def tangents(self, q, v, u):
        kq, kv = (self.zeros(len(self.slots("TANGENT"))) for _ in range(2))
        self.call("tangent", self.slots("TANGENT"), q, v, u, kq, kv)
        return self.matrix("TANGENT", kq), self.matrix("TANGENT", kv)

    def energy(self, q, v, u):
        """Return potential, dissipated power and load power of each element: (elements, 3)."""
        out = self.zeros(3 * ELEMENTS)
        self.call("energy", q, v, u, out)
        return [out[3 * e : 3 * e + 3] for e in range(ELEMENTS)]

    # poses of contacts

    def frames(self, q, v, u):
        """Return position, twist and the other outputs of each element (kernel_interface.pose_size), and twist_v as one
        matrix."""
        size, entries = pose_size(self.dimension), self.entries("TWIST_V")
        out, rows = self.zeros(size * ELEMENTS), self.zeros(len(entries) * ELEMENTS)
        if self.placed:
            self.call("frame", u, self.each(q), self.each(v), out)
            rows = self.pose_slopes(q, v, u, [0.0] * twist_size(self.dimension) * ELEMENTS)[0]
        else:
            self.call("frame", q, v, u, out, rows)
        return [out[size * e : size * (e + 1)] for e in range(ELEMENTS)], self.twist_rows(entries, rows)

    @property
    def placed(self):
        return self.kernels["KIND"] == "placed_pose"

    def each(self, q):
        """Return the coordinates element by element."""
        return [q[i] for i in self.dof.ravel()]

    def pose_slopes(self, q, v, u, wrench):
        """Return the entries of twist_v (in marker variables) and of twist_q, element by element, and -Q_q of the wrench."""
        by_v, by_q = len(self.entries("TWIST_V")) if self.placed else 0, len(self.entries("TWIST_Q"))
        kq, out = self.zeros(len(self.slots("TANGENT"))), self.zeros((by_v + by_q) * ELEMENTS)
        if self.placed:
            self.call("tangent", u, self.each(q), self.each(v), wrench, out, kq)
        else:
            self.call("tangent", self.slots("TANGENT"), q, v, u, wrench, out, kq)
        parts = [out[(by_v + by_q) * e : (by_v + by_q) * (e + 1)] for e in range(ELEMENTS)]
        return [x for part in parts for x in part[:by_v]], [x for part in parts for x in part[by_v:]], kq

    def entries(self, name):
        """Entries of a matrix of the twist that a kernel writes: in coordinates all."""
        every = itertools.product(range(twist_size(self.dimension)), range(self.kernels["N_DOF"]))
        return self.kernels[name] if name in self.kernels else tuple(every)

    def twist_rows(self, entries, values):
        size = twist_size(self.dimension)
        matrix = np.zeros((size * ELEMENTS, self.n)) * mp.mpf(1)
        for e, (p, (k, i)) in itertools.product(range(ELEMENTS), enumerate(entries)):
            matrix[size * e + k, self.dof[e, i]] = values[len(entries) * e + p]
        return matrix

    def pose(self, q, v, u):
        return self.frames(q, v, u)[0]

    def pose_force(self, q, u, wrench):
        """Return Q = twist_v^T w of a force and moment on b per element."""
        if self.placed:
            each, total = self.zeros(self.kernels["N_DOF"] * ELEMENTS), self.zeros(self.n)
            self.call("press", u, self.each(q), wrench, each)
            for at, x in zip(self.dof.ravel(), each, strict=True):
                total[at] += x
            return total
        return list(self.frames(q, self.v, u)[1].T @ np.array(wrench))

    def pose_tangents(self, q, v, u, wrench):
        """Return twist_v and twist_q of all elements as matrices, and -Q_q of the wrench."""
        _, out, kq = self.pose_slopes(q, v, u, wrench)
        by_v, by_q = self.frames(q, v, u)[1], self.twist_rows(self.entries("TWIST_Q"), out)
        return by_v.astype(float), by_q.astype(float), self.matrix("TANGENT", kq)

    @property
    def dimension(self):
        return self.families[0].dimension

    # moving everything as one rigid body

    def markers(self, e):
        """Return (coordinate names, their indices) of each attachment of element e."""
        at = 0
        for kind, family in zip(self.declaration.attachments.values(), self.families, strict=True):
            chosen = find_marker_kind(self.declaration, kind, family).coordinates
            yield [family.coordinates[i] for i in chosen], self.dof[e, at : at + len(chosen)]
            at += len(chosen)

    def vectors(self, e):
        """Return the indices (x, y) of positions, and of slopes of beams, in the coordinates of element e."""
        for names, index in self.markers(e):
            at = dict(zip(names, index, strict=True))
            for end in ("", "0", "1"):
                if f"x{end}" in at:
                    yield at[f"x{end}"], at[f"y{end}"], True
                if f"u{end}" in at:
                    yield at[f"u{end}"], at[f"v{end}"], False

    def angles(self, e):
        for names, index in self.markers(e):
            yield from (k for name, k in zip(names, index, strict=True) if name == "theta")

    def moved(self, shift, angle):
        """Return the coordinates after a shift and a rotation of the whole world."""
        q = self.turned_forces(self.q, angle)
        for e in range(ELEMENTS):
            for i, j, place in self.vectors(e):
                if place:
                    q[i], q[j] = q[i] + shift[0], q[j] + shift[1]
            for k in self.angles(e):
                q[k] = self.q[k] + angle
        return q

    def moving(self, velocity, spin):
        """Return the velocities if the whole world moves as one rigid body."""
        v = self.zeros(self.n)
        for e in range(ELEMENTS):
            for i, j, place in self.vectors(e):
                x, y = velocity if place else (0, 0)
                v[i], v[j] = x - spin * self.q[j], y + spin * self.q[i]
            for k in self.angles(e):
                v[k] = spin
        return v

    def turned_forces(self, force, angle):
        """Return the generalised forces after a rotation of the whole world."""
        out = list(force)
        for e in range(ELEMENTS):
            for i, j, _ in self.vectors(e):
                out[i], out[j] = turned(force[i], force[j], angle)
        return out

    def resultant(self, force, e):
        """Return the sum of the forces on all attachments of element e, and of their moments about the origin."""
        total = [mp.mpf(0)] * 3
        for i, j, place in self.vectors(e):
            if place:
                total[0] += force[i]
                total[1] += force[j]
            total[2] += self.q[i] * force[j] - self.q[j] * force[i]
        total[2] += sum(force[k] for k in self.angles(e))
        return total


class Law:
    """Contact laws or friction laws of one type, in sequence in the arrays, with random admissible parameters."""

    def __init__(self, name, seed, precise=True, count=ELEMENTS, **given):
        self.declaration, _ = LIBRARY[name]
        self.kernels, self.count = kernels(name, precise), count
        self.number = numbers if precise else (lambda values: [float(value) for value in values])
        self.rng = np.random.default_rng(seed)
        self.values = [self.accepted(given) for _ in range(count)]
        assert all(len(values) == self.kernels["N_PAR"] for values in self.values)

    def accepted(self, given):
        for _ in range(1000):
            values = {name: self.rng.uniform(0.05, 2.0) for name in self.declaration.parameters}
            values |= {name: value for name, value in given.items() if name in values}
            try:
                self.declaration.check(**values)
                return values
            except ModelError:
                continue
        raise AssertionError("no values found that the law accepts")

    def force(self, given):
        """Return the LAW_SIZE outputs of each law for three inputs each."""
        parameters = self.number([value for values in self.values for value in values.values()])
        out = self.number(np.zeros(LAW_SIZE * self.count))
        self.kernels["force"](self.count, parameters, [x for row in given for x in row], out)
        return [out[LAW_SIZE * e : LAW_SIZE * (e + 1)] for e in range(self.count)]

    def compiled_force(self, given):
        """Return the same from the compiled kernel, (count, LAW_SIZE)."""
        arrays = [np.array([list(values.values()) for values in self.values]), np.array(given, dtype=float)]
        arrays.append(np.full((self.count, LAW_SIZE), np.nan))
        kernel = compiled_kernel(kernel_module(self.declaration, ()), "force")
        call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 3)(kernel.address)
        for rows in zip(*arrays, strict=True):  # the compiled kernel takes one law at a time
            call(1, *(row.ctypes.data for row in rows))
        return arrays[-1]


def _number(rng, parameter, which):
    return [rng.uniform(0.3, 1.5)]


def _direction(rng, parameter, which):
    angle = rng.uniform(-3.0, 3.0)
    return [math.cos(angle), math.sin(angle)]


def _choice(rng, parameter, which):
    options = list(parameter.options.values())
    return [options[which % len(options)]]


def _signal(rng, parameter, which):
    return []


def _components(rng, parameter, which):
    return list(rng.uniform(0.3, 1.5, 2))


_VALUES = {
    Number: _number, Components: _components, Direction: _direction, Choice: _choice, Signal: _signal,
}  # fmt: skip


def turned(x, y, angle):
    c, s = mp.cos(angle), mp.sin(angle)
    return c * x - s * y, s * x + c * y


def gradient(function, x):
    """Return the central differences of a list-valued function: (len(function), len(x)) floats."""
    columns = []
    for i in range(len(x)):
        above, below = list(x), list(x)
        above[i], below[i] = x[i] + STEP, x[i] - STEP
        columns.append([(p - m) / (2 * STEP) for p, m in zip(function(above), function(below), strict=True)])
    return np.array(columns, dtype=float).T.reshape(-1, len(x))


def close_to(actual, expected, tolerance=1e-13):
    """Assert equality to rounding, relative to the largest entry (at least 1)."""
    actual, expected = np.array(actual, dtype=float), np.array(expected, dtype=float)
    size = max(1.0, np.abs(expected).max(initial=0.0))
    worst = np.abs(actual - expected).max(initial=0.0)
    assert worst <= tolerance * size, f"differs by {worst:.2e} of {size:.2e}"
