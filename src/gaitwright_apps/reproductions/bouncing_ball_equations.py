"""Equations 2.2 to 2.8, 3.6 to 3.27 and 5.1 to 5.12 of paper 004, as printed: contact laws, fully Cartesian coordinates, and a
sphere on a plane. Implemented without the package's kernels, and compared with our model for the same state at the end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.contact.material import hertz_stiffness
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.physics.contact_laws.hunt_crossley import HuntCrossley

if TYPE_CHECKING:
    from gaitwright.result.result import Result
    from gaitwright_apps.reproductions.bouncing_ball import BouncingBallExperiment

Array = np.ndarray
CONTACT_NAME = "floor"
APPROACH_SPEED_M_S, REFERENCE_RESTITUTION = 4.0, 0.6
"""Approach speed, m/s, and c_r where a single value is sufficient."""
REFERENCE_DEPTH_M, REFERENCE_RATE_M_S = 1e-3, 2.0
"""Depth, m, and rate, m/s, at which laws are evaluated."""
UNIT_COORDINATES = np.concatenate([np.zeros(3), np.eye(3).ravel()])
"""Offset of Eq 3.8: our coordinates are v_i - e_i."""
AXIS_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
"""Axis pairs of the products prescribed by Eq 3.9 to 3.12, in this order."""


# Contact laws -------------------------------------------------------------------------------------------------------


def contact_stiffness(radii: tuple[float, float], moduli: tuple[float, float], ratios: tuple[float, float]) -> float:
    """Eq 2.2 and 2.3: K of two spheres, N/m^1.5."""
    sigma = sum((1 - nu**2) / modulus for nu, modulus in zip(ratios, moduli, strict=True))
    return 4 / (3 * sigma) * math.sqrt(radii[0] * radii[1] / (radii[0] + radii[1]))


def damping_factors(k: float, restitution: float, approach: float) -> dict[str, float]:
    """Eq 2.5 of Hunt and Crossley and 2.8 of Flores: chi, N s/m^2.5; the second is infinite at restitution 0."""
    loss = k * (1 - restitution) / approach
    return {"hunt": 3 / 2 * loss, "flores": 8 / 5 * loss / restitution if restitution else math.inf}


def contact_force(k: float, exponent: float, chi: float, depth: float, rate: float) -> float:
    """Contact force of Eq 2.4, N."""
    return (k + chi * rate) * depth**exponent


# Bodies -------------------------------------------------------------------------------------------------------------


def point_matrix(position: Array) -> Array:
    """Eq 3.19: C of a point with these coordinates in the body frame, (3, 12)."""
    return np.hstack([np.eye(3), *(s * np.eye(3) for s in position)])


def vector_matrix(vector: Array) -> Array:
    """Eq 3.23: C of a vector with these components in the body frame, (3, 12)."""
    return np.hstack([np.zeros((3, 3)), *(s * np.eye(3) for s in vector)])


@dataclass(frozen=True)
class BodyCoordinates:
    """A body at one time: q of Eq 3.8 and its derivatives, each (12,)."""

    q: Array
    v: Array
    a: Array

    @property
    def axes(self) -> Array:
        """v1, v2, v3 as rows."""
        return self.q[3:].reshape(3, 3)

    @property
    def matrix(self) -> Array:
        """Rotation matrix, Eq 3.17."""
        return self.axes.T

    def rigidity(self) -> Array:
        """Rigidity constraints, Eq 3.9 to 3.12, (6,)."""
        return np.array([self.axes[i] @ self.axes[j] - (i == j) for i, j in AXIS_PAIRS])

    def jacobian(self) -> Array:
        """Jacobian of Eq 3.9 to 3.12, (6, 12)."""
        rows = np.zeros((6, 4, 3))
        for row, (i, j) in zip(rows, AXIS_PAIRS, strict=True):
            row[1 + i] += self.axes[j]
            row[1 + j] += self.axes[i]
        return rows.reshape(6, 12)

    def right_side(self) -> Array:
        """gamma of Eq 3.4 for Eq 3.9 to 3.12, (6,)."""
        rates = self.v[3:].reshape(3, 3)
        return np.array([-2 * rates[i] @ rates[j] for i, j in AXIS_PAIRS])


def body_coordinates(run: Result, body: str, k: int = 0) -> BodyCoordinates:
    """The k-th state of a body of a run."""
    motion, index = run.motion, run.mechanism.body_names[body].index
    return BodyCoordinates(motion.q[k, index] + UNIT_COORDINATES, motion.v[k, index], motion.a[k, index])


def body_accelerations(body: BodyCoordinates, mass: Array, loads: Array) -> Array:
    """Eq 3.6 for one body without joints: q'', (12,). mass: (12, 12). loads: g of Eq 3.26."""
    rows = body.jacobian()
    matrix = np.block([[mass, rows.T], [rows, np.zeros((6, 6))]])
    return np.linalg.solve(matrix, np.concatenate([loads, body.right_side()]))[:12]


# A sphere on a plane ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SpherePlaneContact:
    """Body i with point A and normal n of a plane, body j with the centre B of a sphere of radius R; A, n and B in their body
    frames."""

    i: BodyCoordinates
    j: BodyCoordinates
    a: Array
    n: Array
    b: Array
    radius: float

    @property
    def normal(self) -> Array:
        """Normal on the ground, Eq 5.6."""
        return vector_matrix(self.n) @ self.i.q

    @property
    def normal_rate(self) -> Array:
        """Rate of the normal, Eq 5.8."""
        return vector_matrix(self.n) @ self.i.v

    @property
    def apart(self) -> Array:
        """r_AB, Eq 5.3 to 5.5."""
        return point_matrix(self.b) @ self.j.q - point_matrix(self.a) @ self.i.q

    @property
    def distance(self) -> float:
        """d, Eq 5.2: a scalar, although it is printed as a vector."""
        return float(self.apart @ self.normal)

    @property
    def depth(self) -> float:
        """Penetration, Eq 5.1."""
        return self.radius - abs(self.distance)

    @property
    def printed_rate(self) -> float:
        """The right side of Eq 5.7 as printed, without the minus."""
        apart_rate = point_matrix(self.b) @ self.j.v - point_matrix(self.a) @ self.i.v
        return float(apart_rate @ self.normal + self.apart @ self.normal_rate)

    def contact_points(self) -> tuple[Array, Array]:
        """CP_i on the plane and CP_j at the base of the sphere, each in the frame of its body."""
        centre = point_matrix(self.b) @ self.j.q
        on_plane, on_sphere = (centre - reach * self.normal for reach in (self.distance, self.radius))
        return self.i.matrix.T @ (on_plane - self.i.q[:3]), self.j.matrix.T @ (on_sphere - self.j.q[:3])

    def loads(self, size: float) -> tuple[Array, Array]:
        """Eq 5.9 to 5.12: generalized forces on i and on j of a contact force of this size, each (12,)."""
        point_i, point_j = self.contact_points()
        return point_matrix(point_i).T @ (-size * self.normal), point_matrix(point_j).T @ (size * self.normal)


# Comparison with our model ------------------------------------------------------------------------------------------


def equation_facts(experiment: BouncingBallExperiment, runs: list[Result]) -> dict[str, Any]:
    """Facts of all equations. runs: those by c_r."""
    return {
        **_law_facts(experiment),
        **_body_facts(experiment, runs),
        "motion": _motion_facts(experiment),
        **_contact_facts(experiment),
        "loads": _load_facts(experiment),
        "at": {
            "depth": 1e3 * REFERENCE_DEPTH_M,
            "rate": REFERENCE_RATE_M_S,
            "cr": REFERENCE_RESTITUTION,
            "approach": APPROACH_SPEED_M_S,
        },
    }


def vector_output(run: Result, name: str, k: int = 0) -> np.ndarray:
    """Outputs name + x, y, z of a state, (3,)."""
    return np.array([run.array(f"{name}{axis}")[k] for axis in "xyz"])


def max_difference(a: Any, b: Any) -> float:
    return float(np.abs(np.subtract(a, b)).max())


def _law_facts(experiment: BouncingBallExperiment) -> dict[str, Any]:
    """Eq 2.2 to 2.8: K of PTFE on steel, forces by both laws, and limits of their damping."""
    k, n, e = experiment.setup.stiffness, experiment.setup.exponent, REFERENCE_RESTITUTION
    values = {"stiffness": k, "exponent": n, "restitution": e}
    hunt, flores = (
        float(kind.force(REFERENCE_DEPTH_M, REFERENCE_RATE_M_S, APPROACH_SPEED_M_S, **values))
        for kind in (HuntCrossley, Flores)
    )
    spheres = ((0.1, 0.3), (0.5e9, 207e9), (0.46, 0.3))
    elastic, plastic = (float(Flores.factor(c)) * k / APPROACH_SPEED_M_S for c in (1.0, 1e-9))
    hunt_factor = float(HuntCrossley.factor(0.0)) * k / APPROACH_SPEED_M_S
    return {
        "hertz": {
            "printed": contact_stiffness(*spheres),
            "ours": hertz_stiffness(*(x for pair in spheres for x in pair)),
        },
        "laws": {
            law: contact_force(k, n, chi, REFERENCE_DEPTH_M, REFERENCE_RATE_M_S)
            for law, chi in damping_factors(k, e, APPROACH_SPEED_M_S).items()
        },
        "our_laws": {"hunt": hunt, "flores": flores},
        "chi": {"elastic": elastic, "plastic": plastic, "hunt": hunt_factor},
        "unbounded": float(plastic > 1e8 * k and math.isinf(damping_factors(k, 0.0, APPROACH_SPEED_M_S)["flores"])),
        "finite": float(math.isfinite(hunt_factor)),
    }


def _body_facts(experiment: BouncingBallExperiment, runs: list[Result]) -> dict[str, Any]:
    """Eq 3.8 to 3.17: coordinates and rigidity."""
    mechanism = experiment.moving.mechanism
    bodies, vectors = len(mechanism.body_names), len(mechanism.body_names["ball"].index) // 3 - 1
    rigidity_error, skewness = 0.0, 0.0
    for run in runs:
        states = [body_coordinates(run, name, k) for name in mechanism.body_names for k in range(0, run.time.size, 10)]
        rigidity_error = max(rigidity_error, *(max_difference(s.rigidity(), 0.0) for s in states))
        skewness = max(skewness, *(max_difference(s.matrix.T @ s.matrix, np.eye(3)) for s in states))
    matrix = [[experiment.moving.array(f"ball.r{i}{j}")[0] for j in (1, 2, 3)] for i in (1, 2, 3)]
    return {
        "counts": {
            "coordinates": mechanism.system.n,
            "vectors": vectors,
            "n_c": 12 * bodies,
            "n_h": 6 * bodies,
            "rigidity": sum(names.rows.size for names in mechanism.constraint_names if names.kind == "body"),
        },
        "three_vectors": vectors == 3,
        "broken": rigidity_error,
        "skew": skewness,
        "matrix": max_difference(body_coordinates(experiment.moving, "ball").matrix, matrix),
    }


def _motion_facts(experiment: BouncingBallExperiment) -> dict[str, dict[str, float]]:
    """Eq 3.16 to 3.25: points and vectors of the two moving bodies. By equation: difference from ours, magnitude of
    ours, and rounding tolerance."""
    run, touch = experiment.moving, experiment.touch(experiment.moving)
    point, normal = point_matrix(touch.b), vector_matrix(touch.n)
    ball, floor = touch.j, touch.i
    spin, spin_acceleration = vector_output(run, "slab.w"), vector_output(run, "slab.alpha_")
    direction = experiment.setup.floor_matrix @ touch.n
    normal_rate = np.cross(spin, direction)
    pairs = {
        "3.16": (ball.q[:3] + ball.matrix @ touch.b, vector_output(run, "ball.B.")),
        "3.18": (point @ ball.q, vector_output(run, "ball.B.")),
        "3.20": (point @ ball.v, vector_output(run, "ball.B.v")),
        "3.21": (point @ ball.a, vector_output(run, "ball.B.a")),
        "3.22": (normal @ floor.q, direction),
        "3.24": (normal @ floor.v, normal_rate),
        "3.25": (normal @ floor.a, np.cross(spin_acceleration, direction) + np.cross(spin, normal_rate)),
    }
    sizes = {name: max(1.0, max_difference(ours, 0.0)) for name, (_, ours) in pairs.items()}
    return {
        name: {"apart": max_difference(*pair), "size": float(np.linalg.norm(pair[1])), "allowed": 1e-12 * sizes[name]}
        for name, pair in pairs.items()
    }


def _contact_facts(experiment: BouncingBallExperiment) -> dict[str, Any]:
    """Eq 5.1 to 5.8: contact kinematics."""
    run, touch, below = experiment.moving, experiment.touch(experiment.moving), experiment.touch(experiment.sunk)
    rate, last = float(run.array(f"{CONTACT_NAME}.penetration_rate")[0]), run.time.size - 1
    change = (experiment.touch(run, last).depth - touch.depth) / float(run.time[last])
    vector, direction = vector_matrix(touch.n), experiment.setup.floor_matrix @ touch.n
    gives = {3.22: max_difference(vector @ touch.i.q, direction), 3.24: max_difference(vector @ touch.i.v, direction)}
    return {
        "touch": {
            "depth": touch.depth,
            "below": below.depth,
            "rate": touch.printed_rate,
            "mended": -touch.printed_rate,
            "by_turning": -float(touch.apart @ touch.normal_rate),
            "change": change,
            "within": 1e6 * float(run.time[last]),
        },
        "passed": below.distance < 0,
        "gives": gives,
        "cited": min(gives, key=gives.__getitem__),
        "meant": gives[3.22] < 1e-12,
        "grows": abs(change - rate) < 0.01 * abs(rate),
    }


def _load_facts(experiment: BouncingBallExperiment) -> dict[str, Any]:
    """Eq 5.9 to 5.12 and 3.5 to 3.27: forces, and the resulting accelerations."""
    run, touch, setup = experiment.moving, experiment.touch(experiment.moving), experiment.setup
    chi = damping_factors(setup.stiffness, REFERENCE_RESTITUTION, APPROACH_SPEED_M_S)["flores"]
    size = contact_force(setup.stiffness, setup.exponent, chi, touch.depth, -touch.printed_rate)
    beside = np.cross(vector_output(run, f"{CONTACT_NAME}.") - point_matrix(touch.b) @ touch.j.q, touch.normal)
    gravity = np.array([0.0, 0.0, -setup.gravity])
    names = run.mechanism.body_names
    pull = sum(names[b].mass * (vector_output(run, f"{b}.a") - gravity) for b in names)
    bodies = {}
    for body, load, coordinates in zip(("slab", "ball"), touch.loads(size), (touch.i, touch.j), strict=True):
        weight = point_matrix(np.array(names[body].centre)).T @ (names[body].mass * gravity)
        theirs = body_accelerations(coordinates, _body_mass_matrix(run, names[body].index), weight + load)
        largest = float(np.abs(coordinates.a).max())
        bodies[body] = {"apart": max_difference(theirs, coordinates.a), "size": largest, "allowed": 1e-9 * largest}
    return {
        "size": size,
        "force": max_difference(size * touch.normal, vector_output(run, f"{CONTACT_NAME}.f")),
        "sum": max_difference(pull, 0.0),
        "beside": float(np.linalg.norm(beside)),
        **bodies,
    }


def _body_mass_matrix(run: Result, index: np.ndarray) -> np.ndarray:
    """Mass matrix of a body, (12, 12)."""
    mass_matrix = np.zeros((run.mechanism.n, run.mechanism.n))
    row, column, value = run.mechanism.mass
    np.add.at(mass_matrix, (row, column), value)
    return mass_matrix[np.ix_(index, index)]
