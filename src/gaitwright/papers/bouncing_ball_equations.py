"""Equations 2.2 to 2.8, 3.6 to 3.27 and 5.1 to 5.12 of paper 004, as printed: contact laws, fully Cartesian coordinates, and a
sphere on a plane. Written without the package's own kernels; and, at the end, beside what our model says of the same state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.contact.material import hertz_stiffness
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.physics.contact_laws.hunt_crossley import HuntCrossley

if TYPE_CHECKING:
    from gaitwright.papers.bouncing_ball import BouncingBall
    from gaitwright.result.result import Result

Array = np.ndarray
CONTACT = "floor"
APPROACH, MIDDLE = 4.0, 0.6
"""Approach speed, m/s, and c_r where one is enough."""
DEPTH, RATE = 1e-3, 2.0
"""m, m/s: where laws are evaluated."""
UNIT = np.concatenate([np.zeros(3), np.eye(3).ravel()])
"""What the tables leave out of Eq 3.8: they hold v_i - e_i."""
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
"""Axes whose products Eq 3.9 to 3.12 prescribe, in that order."""


# Contact laws -------------------------------------------------------------------------------------------------------


def stiffness(radii: tuple[float, float], moduli: tuple[float, float], ratios: tuple[float, float]) -> float:
    """Eq 2.2 and 2.3: K of two spheres, N/m^1.5."""
    sigma = sum((1 - nu**2) / modulus for nu, modulus in zip(ratios, moduli, strict=True))
    return 4 / (3 * sigma) * math.sqrt(radii[0] * radii[1] / (radii[0] + radii[1]))


def dampings(k: float, restitution: float, approach: float) -> dict[str, float]:
    """Eq 2.5 of Hunt and Crossley and 2.8 of Flores: chi, N s/m^2.5; the second is infinite at restitution 0."""
    loss = k * (1 - restitution) / approach
    return {"hunt": 3 / 2 * loss, "flores": 8 / 5 * loss / restitution if restitution else math.inf}


def force(k: float, exponent: float, chi: float, depth: float, rate: float) -> float:
    """Eq 2.4, N."""
    return (k + chi * rate) * depth**exponent


# Bodies -------------------------------------------------------------------------------------------------------------


def of_point(place: Array) -> Array:
    """Eq 3.19: C of a point with these coordinates in the body frame, (3, 12)."""
    return np.hstack([np.eye(3), *(s * np.eye(3) for s in place)])


def of_vector(vector: Array) -> Array:
    """Eq 3.23: C of a vector with these components in the body frame, (3, 12)."""
    return np.hstack([np.zeros((3, 3)), *(s * np.eye(3) for s in vector)])


@dataclass(frozen=True)
class State:
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
        """Eq 3.17."""
        return self.axes.T

    def rigidity(self) -> Array:
        """Eq 3.9 to 3.12, (6,)."""
        return np.array([self.axes[i] @ self.axes[j] - (i == j) for i, j in PAIRS])

    def jacobian(self) -> Array:
        """Of Eq 3.9 to 3.12, (6, 12)."""
        rows = np.zeros((6, 4, 3))
        for row, (i, j) in zip(rows, PAIRS, strict=True):
            row[1 + i] += self.axes[j]
            row[1 + j] += self.axes[i]
        return rows.reshape(6, 12)

    def right_side(self) -> Array:
        """gamma of Eq 3.4 for Eq 3.9 to 3.12, (6,)."""
        rates = self.v[3:].reshape(3, 3)
        return np.array([-2 * rates[i] @ rates[j] for i, j in PAIRS])


def state(run: Result, body: str, k: int = 0) -> State:
    """The k-th state of a body of a run."""
    motion, index = run.motion, run.mechanism.body_names[body].index
    return State(motion.q[k, index] + UNIT, motion.v[k, index], motion.a[k, index])


def accelerations(body: State, mass: Array, loads: Array) -> Array:
    """Eq 3.6 for one body without joints: q'', (12,). mass: (12, 12). loads: g of Eq 3.26."""
    rows = body.jacobian()
    matrix = np.block([[mass, rows.T], [rows, np.zeros((6, 6))]])
    return np.linalg.solve(matrix, np.concatenate([loads, body.right_side()]))[:12]


# A sphere on a plane ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Touch:
    """Body i with point A and normal n of a plane, body j with the centre B of a sphere of radius R; A, n and B in their body
    frames."""

    i: State
    j: State
    a: Array
    n: Array
    b: Array
    radius: float

    @property
    def normal(self) -> Array:
        """Eq 5.6."""
        return of_vector(self.n) @ self.i.q

    @property
    def normal_rate(self) -> Array:
        """Eq 5.8."""
        return of_vector(self.n) @ self.i.v

    @property
    def apart(self) -> Array:
        """Eq 5.3 to 5.5: r_AB."""
        return of_point(self.b) @ self.j.q - of_point(self.a) @ self.i.q

    @property
    def distance(self) -> float:
        """Eq 5.2: d, a number although it is printed as a vector."""
        return float(self.apart @ self.normal)

    @property
    def depth(self) -> float:
        """Eq 5.1."""
        return self.radius - abs(self.distance)

    @property
    def printed_rate(self) -> float:
        """The right side of Eq 5.7 as printed, without the minus."""
        apart_rate = of_point(self.b) @ self.j.v - of_point(self.a) @ self.i.v
        return float(apart_rate @ self.normal + self.apart @ self.normal_rate)

    def contact_points(self) -> tuple[Array, Array]:
        """CP_i on the plane and CP_j at the base of the sphere, each in the frame of its body."""
        centre = of_point(self.b) @ self.j.q
        on_plane, on_sphere = (centre - reach * self.normal for reach in (self.distance, self.radius))
        return self.i.matrix.T @ (on_plane - self.i.q[:3]), self.j.matrix.T @ (on_sphere - self.j.q[:3])

    def loads(self, size: float) -> tuple[Array, Array]:
        """Eq 5.9 to 5.12: generalized forces on i and on j of a contact force of this size, each (12,)."""
        of_i, of_j = self.contact_points()
        return of_point(of_i).T @ (-size * self.normal), of_point(of_j).T @ (size * self.normal)


# Beside what our model says ----------------------------------------------------------------------------------------


def facts(found: BouncingBall, runs: list[Result]) -> dict[str, Any]:
    """runs: those by c_r."""
    return {
        **_laws(found), **_bodies(found, runs), "motion": _motion(found), **_sphere_on_plane(found), "loads": _loads(found),
        "at": {"depth": 1e3 * DEPTH, "rate": RATE, "cr": MIDDLE, "approach": APPROACH},
    }  # fmt: skip


def three(run: Result, name: str, k: int = 0) -> np.ndarray:
    """Outputs name + x, y, z of a state, (3,)."""
    return np.array([run.values(f"{name}{axis}")[k] for axis in "xyz"])


def apart(a: Any, b: Any) -> float:
    return float(np.abs(np.subtract(a, b)).max())


def _laws(found: BouncingBall) -> dict[str, Any]:
    """Eq 2.2 to 2.8: K of PTFE on steel, forces by both laws, and what becomes of their damping at the ends."""
    k, n, e = found.setup.stiffness, found.setup.exponent, MIDDLE
    values = {"stiffness": k, "exponent": n, "restitution": e}
    hunt, flores = (float(kind.force(DEPTH, RATE, APPROACH, **values)) for kind in (HuntCrossley, Flores))
    spheres = ((0.1, 0.3), (0.5e9, 207e9), (0.46, 0.3))
    elastic, plastic = (float(Flores.factor(c)) * k / APPROACH for c in (1.0, 1e-9))
    of_hunt = float(HuntCrossley.factor(0.0)) * k / APPROACH
    return {
        "hertz": {"printed": stiffness(*spheres), "ours": hertz_stiffness(*(x for pair in spheres for x in pair))},
        "laws": {law: force(k, n, chi, DEPTH, RATE) for law, chi in dampings(k, e, APPROACH).items()},
        "our_laws": {"hunt": hunt, "flores": flores},
        "chi": {"elastic": elastic, "plastic": plastic, "hunt": of_hunt},
        "unbounded": float(plastic > 1e8 * k and math.isinf(dampings(k, 0.0, APPROACH)["flores"])),
        "finite": float(math.isfinite(of_hunt)),
    }


def _bodies(found: BouncingBall, runs: list[Result]) -> dict[str, Any]:
    """Eq 3.8 to 3.17: coordinates and rigidity."""
    mechanism = found.moving.mechanism
    bodies, vectors = len(mechanism.body_names), len(mechanism.body_names["ball"].index) // 3 - 1
    broken, skew = 0.0, 0.0
    for run in runs:
        states = [state(run, name, k) for name in mechanism.body_names for k in range(0, run.time.size, 10)]
        broken = max(broken, *(apart(s.rigidity(), 0.0) for s in states))
        skew = max(skew, *(apart(s.matrix.T @ s.matrix, np.eye(3)) for s in states))
    matrix = [[found.moving.values(f"ball.r{i}{j}")[0] for j in (1, 2, 3)] for i in (1, 2, 3)]
    return {
        "counts": {
            "coordinates": mechanism.system.n, "vectors": vectors, "n_c": 12 * bodies, "n_h": 6 * bodies,
            "rigidity": sum(names.rows.size for names in mechanism.constraint_names if names.kind == "body"),
        },
        "three_vectors": vectors == 3, "broken": broken, "skew": skew,
        "matrix": apart(state(found.moving, "ball").matrix, matrix),
    }  # fmt: skip


def _motion(found: BouncingBall) -> dict[str, dict[str, float]]:
    """Eq 3.16 to 3.25: points and vectors of the two bodies that move. By equation: how far from ours, the size of ours, and
    what rounding allows."""
    run, touch = found.moving, found.touch(found.moving)
    point, normal = of_point(touch.b), of_vector(touch.n)
    ball, floor = touch.j, touch.i
    spin, gain = three(run, "slab.w"), three(run, "slab.alpha_")
    direction = found.setup.floor_matrix @ touch.n
    turning = np.cross(spin, direction)
    pairs = {
        "3.16": (ball.q[:3] + ball.matrix @ touch.b, three(run, "ball.B.")),
        "3.18": (point @ ball.q, three(run, "ball.B.")),
        "3.20": (point @ ball.v, three(run, "ball.B.v")),
        "3.21": (point @ ball.a, three(run, "ball.B.a")),
        "3.22": (normal @ floor.q, direction),
        "3.24": (normal @ floor.v, turning),
        "3.25": (normal @ floor.a, np.cross(gain, direction) + np.cross(spin, turning)),
    }
    sizes = {name: max(1.0, apart(ours, 0.0)) for name, (_, ours) in pairs.items()}
    return {
        name: {"apart": apart(*pair), "size": float(np.linalg.norm(pair[1])), "allowed": 1e-12 * sizes[name]}
        for name, pair in pairs.items()
    }


def _sphere_on_plane(found: BouncingBall) -> dict[str, Any]:
    """Eq 5.1 to 5.8."""
    run, touch, below = found.moving, found.touch(found.moving), found.touch(found.sunk)
    rate, last = float(run.values(f"{CONTACT}.penetration_rate")[0]), run.time.size - 1
    change = (found.touch(run, last).depth - touch.depth) / float(run.time[last])
    vector, direction = of_vector(touch.n), found.setup.floor_matrix @ touch.n
    gives = {3.22: apart(vector @ touch.i.q, direction), 3.24: apart(vector @ touch.i.v, direction)}
    return {
        "touch": {
            "depth": touch.depth, "below": below.depth, "rate": touch.printed_rate, "mended": -touch.printed_rate,
            "by_turning": -float(touch.apart @ touch.normal_rate), "change": change, "within": 1e6 * float(run.time[last]),
        },
        "passed": below.distance < 0, "gives": gives, "cited": min(gives, key=gives.__getitem__),
        "meant": gives[3.22] < 1e-12, "grows": abs(change - rate) < 0.01 * abs(rate),
    }  # fmt: skip


def _loads(found: BouncingBall) -> dict[str, Any]:
    """Eq 5.9 to 5.12 and 3.5 to 3.27: forces, and the accelerations that they give."""
    run, touch, setup = found.moving, found.touch(found.moving), found.setup
    chi = dampings(setup.stiffness, MIDDLE, APPROACH)["flores"]
    size = force(setup.stiffness, setup.exponent, chi, touch.depth, -touch.printed_rate)
    beside = np.cross(three(run, f"{CONTACT}.") - of_point(touch.b) @ touch.j.q, touch.normal)
    gravity = np.array([0.0, 0.0, -setup.gravity])
    names = run.mechanism.body_names
    pull = sum(names[b].mass * (three(run, f"{b}.a") - gravity) for b in names)
    bodies = {}
    for body, load, here in zip(("slab", "ball"), touch.loads(size), (touch.i, touch.j), strict=True):
        weight = of_point(np.array(names[body].centre)).T @ (names[body].mass * gravity)
        theirs = accelerations(here, _mass(run, names[body].index), weight + load)
        most = float(np.abs(here.a).max())
        bodies[body] = {"apart": apart(theirs, here.a), "size": most, "allowed": 1e-9 * most}
    return {
        "size": size, "force": apart(size * touch.normal, three(run, f"{CONTACT}.f")), "sum": apart(pull, 0.0),
        "beside": float(np.linalg.norm(beside)), **bodies,
    }  # fmt: skip


def _mass(run: Result, index: np.ndarray) -> np.ndarray:
    """Mass matrix of a body, (12, 12)."""
    whole = np.zeros((run.mechanism.n, run.mechanism.n))
    row, column, value = run.mechanism.mass
    np.add.at(whole, (row, column), value)
    return whole[np.ix_(index, index)]
