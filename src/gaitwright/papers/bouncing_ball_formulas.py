"""The equations of paper 004 chapters 2.3, 3 and 5.1: printed formulas beside what our model says of that state."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.contact.material import hertz_stiffness
from gaitwright.papers import bouncing_ball_equations as printed
from gaitwright.papers.bouncing_ball import APPROACH, CONTACT, MIDDLE, RESTITUTIONS
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.physics.contact_laws.hunt_crossley import HuntCrossley

if TYPE_CHECKING:
    from gaitwright.papers.bouncing_ball import BouncingBall
    from gaitwright.result.result import Result

DEPTH, RATE = 1e-3, 2.0
"""m, m/s: where laws are evaluated."""


def facts(found: BouncingBall) -> dict[str, Any]:
    return {
        **_laws(found), **_bodies(found), "motion": _motion(found), **_sphere_on_plane(found), "loads": _loads(found),
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
    sizes = [printed.hunt_crossley_damping(k, e, APPROACH), printed.flores_damping(k, e, APPROACH)]
    spheres = ((0.1, 0.3), (0.5e9, 207e9), (0.46, 0.3))
    elastic, plastic = (float(Flores.factor(c)) * k / APPROACH for c in (1.0, 1e-9))
    of_hunt = float(HuntCrossley.factor(0.0)) * k / APPROACH
    return {
        "hertz": {
            "printed": printed.stiffness(*spheres),
            "ours": hertz_stiffness(*(x for pair in spheres for x in pair)),
        },
        "laws": dict(zip(("hunt", "flores"), (printed.force(k, n, chi, DEPTH, RATE) for chi in sizes), strict=True)),
        "our_laws": {"hunt": hunt, "flores": flores},
        "chi": {"elastic": elastic, "plastic": plastic, "hunt": of_hunt},
        "unbounded": float(plastic > 1e8 * k and math.isinf(printed.flores_damping(k, 0.0, APPROACH))),
        "finite": float(math.isfinite(of_hunt)),
    }


def _bodies(found: BouncingBall) -> dict[str, Any]:
    """Eq 3.8 to 3.17: coordinates and rigidity."""
    mechanism = found.moving.mechanism
    bodies, vectors = len(mechanism.body_names), len(mechanism.body_names["ball"].index) // 3 - 1
    broken, skew = 0.0, 0.0
    for e in RESTITUTIONS:
        run = found.at(e)
        states = [printed.state(run, name, k) for name in mechanism.body_names for k in range(0, run.time.size, 10)]
        broken = max(broken, *(apart(s.rigidity(), 0.0) for s in states))
        skew = max(skew, *(apart(s.matrix.T @ s.matrix, np.eye(3)) for s in states))
    matrix = [[found.moving.values(f"ball.r{i}{j}")[0] for j in (1, 2, 3)] for i in (1, 2, 3)]
    return {
        "counts": {
            "coordinates": mechanism.system.n, "vectors": vectors, "n_c": 12 * bodies, "n_h": 6 * bodies,
            "rigidity": sum(names.rows.size for names in mechanism.constraint_names if names.kind == "body"),
        },
        "three_vectors": vectors == 3, "broken": broken, "skew": skew,
        "matrix": apart(printed.state(found.moving, "ball").matrix, matrix),
    }  # fmt: skip


def _motion(found: BouncingBall) -> dict[str, dict[str, float]]:
    """Eq 3.16 to 3.25: points and vectors of the two bodies that move. By equation: how far from ours, the size of ours, and
    what rounding allows."""
    run, touch = found.moving, found.touch(found.moving)
    point, normal = printed.of_point(touch.b), printed.of_vector(touch.n)
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
    return {
        name: {
            "apart": apart(theirs, ours),
            "size": float(np.linalg.norm(ours)),
            "allowed": 1e-12 * max(1.0, apart(ours, 0.0)),
        }
        for name, (theirs, ours) in pairs.items()
    }


def _sphere_on_plane(found: BouncingBall) -> dict[str, Any]:
    """Eq 5.1 to 5.8."""
    run, touch, below = found.moving, found.touch(found.moving), found.touch(found.sunk)
    rate, last = float(run.values(f"{CONTACT}.penetration_rate")[0]), run.time.size - 1
    change = (found.touch(run, last).depth - touch.depth) / float(run.time[last])
    vector, direction = printed.of_vector(touch.n), found.setup.floor_matrix @ touch.n
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
    chi = printed.flores_damping(setup.stiffness, MIDDLE, APPROACH)
    size = printed.force(setup.stiffness, setup.exponent, chi, touch.depth, -touch.printed_rate)
    beside = np.cross(three(run, f"{CONTACT}.") - printed.of_point(touch.b) @ touch.j.q, touch.normal)
    gravity = np.array([0.0, 0.0, -setup.gravity])
    names = run.mechanism.body_names
    pull = sum(names[b].mass * (three(run, f"{b}.a") - gravity) for b in names)
    bodies = {}
    for body, load, here in zip(("slab", "ball"), touch.loads(size), (touch.i, touch.j), strict=True):
        weight = printed.of_point(np.array(names[body].centre)).T @ (names[body].mass * gravity)
        theirs = printed.accelerations(here, _mass(run, names[body].index), weight + load)
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
