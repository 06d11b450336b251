"""Verdicts on the equations of paper 004 chapters 2.3, 3 and 5.1: printed formulas beside what our model says of that state."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.contact.material import hertz_stiffness
from gaitwright.papers import bouncing_ball_equations as printed
from gaitwright.papers.bouncing_ball import APPROACH, CONTACT, MIDDLE, PAPER, RESTITUTIONS
from gaitwright.papers.check import EQUATION, INPUT, STATEMENT, Check, judge
from gaitwright.physics.contact_laws.flores import Flores
from gaitwright.physics.contact_laws.hunt_crossley import HuntCrossley

if TYPE_CHECKING:
    from gaitwright.papers.bouncing_ball import BouncingBall
    from gaitwright.result.result import Result

_evaluated = partial(judge, paper=PAPER, kind=EQUATION)
_given = partial(judge, paper=PAPER, kind=INPUT)
_says = partial(judge, paper=PAPER, kind=STATEMENT)
DEPTH, RATE = 1e-3, 2.0
"""m, m/s: where laws are evaluated."""


def formulas(found: BouncingBall) -> list[Check]:
    return [*_laws(found), *_bodies(found), *_motion(found), *_sphere_on_plane(found), *_loads(found)]


def three(run: Result, name: str, k: int = 0) -> np.ndarray:
    """Outputs name + x, y, z of a state, (3,)."""
    return np.array([run.values(f"{name}{axis}")[k] for axis in "xyz"])


def apart(a: Any, b: Any) -> float:
    return float(np.abs(np.subtract(a, b)).max())


def _laws(found: BouncingBall) -> list[Check]:
    """Eq 2.2 to 2.8."""
    k, n, e = found.setup.stiffness, found.setup.exponent, MIDDLE
    values = {"stiffness": k, "exponent": n, "restitution": e}
    hunt, flores = (float(kind.force(DEPTH, RATE, APPROACH, **values)) for kind in (HuntCrossley, Flores))
    radii, moduli, ratios = (0.1, 0.3), (0.5e9, 207e9), (0.46, 0.3)
    sizes = {
        law: [float(law.factor(c)) * k / APPROACH for c in given]
        for law, given in ((Flores, (1.0, 1e-9)), (HuntCrossley, (0.0,)))
    }
    at = f"evaluated at {1e3 * DEPTH:g} mm, {RATE:g} m/s, c_r = {e:g}, approach {APPROACH:g} m/s"
    return [
        _evaluated(
            "2.2", "stiffness of two spheres, Eq 2.2 and 2.3", printed.stiffness(radii, moduli, ratios),
            hertz_stiffness(*radii, *moduli, *ratios), "N/m^1.5", tolerance=1.0,
            remark="evaluated for PTFE (0.5 GPa, 0.46), 0.1 m, on steel, 0.3 m; the thesis prints no modulus for its ball",
        ),
        _evaluated(
            "2.6", "force of Hunt and Crossley, Eq 2.4 to 2.6",
            printed.force(k, n, printed.hunt_crossley_damping(k, e, APPROACH), DEPTH, RATE), hunt, "N", tolerance=1e-8,
            remark=at,
        ),
        _evaluated(
            "2.7", "force of Flores, Eq 2.7 and 2.8",
            printed.force(k, n, printed.flores_damping(k, e, APPROACH), DEPTH, RATE), flores, "N", tolerance=1e-8, remark=at,
        ),
        _says("2.8-elastic", "damping chi of Flores at c_r = 1 (text: null)", 0.0, sizes[Flores][0], "N s/m^2.5"),
        _says(
            "2.8-plastic", "damping chi of Flores grows without bound towards c_r = 0 (1: yes)", 1,
            float(sizes[Flores][1] > 1e8 * k and math.isinf(printed.flores_damping(k, 0.0, APPROACH))), "1",
            remark=f"{sizes[Flores][1]:.1e} N s/m^2.5 at c_r = 1e-9",
        ),
        _says(
            "2.5-plastic", "damping chi of Hunt and Crossley stays finite at c_r = 0 (1: yes)", 1,
            float(math.isfinite(sizes[HuntCrossley][0])), "1", remark=f"{sizes[HuntCrossley][0]:.3g} N s/m^2.5",
        ),
    ]  # fmt: skip


def _bodies(found: BouncingBall) -> list[Check]:
    """Eq 3.8 to 3.17: coordinates and rigidity."""
    mechanism = found.moving.mechanism
    bodies, system = len(mechanism.body_names), mechanism.system
    vectors = len(mechanism.body_names["ball"].index) // 3 - 1
    rows = sum(names.rows.size for names in mechanism.constraint_names if names.kind == "body")
    broken, skew = 0.0, 0.0
    for e in RESTITUTIONS:
        run = found.at(e)
        states = [printed.state(run, name, k) for name in mechanism.body_names for k in range(0, run.time.size, 10)]
        broken = max(broken, *(apart(s.rigidity(), 0.0) for s in states))
        skew = max(skew, *(apart(s.matrix.T @ s.matrix, np.eye(3)) for s in states))
    ball = printed.state(found.moving, "ball")
    matrix = [[found.moving.values(f"ball.r{i}{j}")[0] for j in (1, 2, 3)] for i in (1, 2, 3)]
    return [
        _given("3.13-coordinates", "coordinates of two bodies, n_c = 12 n_b", 12 * bodies, system.n, "1"),
        _given("3.14-constraints", "conditions of rigidity of two bodies, n_h = 6 n_b", 6 * bodies, rows, "1"),
        _given(
            "3.8-vectors", "direction vectors of a body (text of Eq 3.8: one)", 1, vectors, "1",
            impossible="Eq 3.8 itself has three, and twelve entries need them", confirmed=vectors == 3,
        ),
        _evaluated(
            "3.9-rigidity", "largest violation of Eq 3.9 to 3.12", 0.0, broken, "1", tolerance=1e-10,
            remark="over all runs of the ball, both bodies",
        ),
        _evaluated("3.17-orthogonal", "A^T A minus the unit matrix, largest entry", 0.0, skew, "1", tolerance=1e-10),
        _evaluated(
            "3.17-matrix", "rotation matrix of three vectors, Eq 3.17, minus ours, largest entry", 0.0,
            apart(ball.matrix, matrix), "1", tolerance=1e-14,
        ),
    ]  # fmt: skip


def _motion(found: BouncingBall) -> list[Check]:
    """Eq 3.16 to 3.25: points and vectors of the two bodies that move."""
    run, touch = found.moving, found.touch(found.moving)
    point, normal = printed.of_point(touch.b), printed.of_vector(touch.n)
    ball, floor = touch.j, touch.i
    spin, gain = three(run, "slab.w"), three(run, "slab.alpha_")
    direction = found.setup.floor_matrix @ touch.n
    turning = np.cross(spin, direction)
    pairs = {
        "3.16": ("position of B by A", ball.q[:3] + ball.matrix @ touch.b, three(run, "ball.B."), "m"),
        "3.18": ("position of B by C", point @ ball.q, three(run, "ball.B."), "m"),
        "3.20": ("velocity of B", point @ ball.v, three(run, "ball.B.v"), "m/s"),
        "3.21": ("acceleration of B", point @ ball.a, three(run, "ball.B.a"), "m/s^2"),
        "3.22": ("normal of the plane", normal @ floor.q, direction, "1"),
        "3.24": ("velocity of the normal, against omega x n", normal @ floor.v, turning, "1/s"),
        "3.25": (
            "acceleration of the normal, against alpha x n + omega x (omega x n)", normal @ floor.a,
            np.cross(gain, direction) + np.cross(spin, turning), "1/s^2",
        ),
    }  # fmt: skip
    return [
        _evaluated(
            name, f"{what}, Eq {name}: largest difference from ours", 0.0, apart(theirs, ours), unit,
            tolerance=1e-12 * max(1.0, float(np.abs(ours).max())),
            remark=f"of {float(np.linalg.norm(ours)):.4g} {unit}; two free bodies in contact",
        )
        for name, (what, theirs, ours, unit) in pairs.items()
    ]  # fmt: skip


def _sphere_on_plane(found: BouncingBall) -> list[Check]:
    """Eq 5.1 to 5.8."""
    run, touch, below = found.moving, found.touch(found.moving), found.touch(found.sunk)
    depth, rate, sunk = (
        float(r.values(f"{CONTACT}.{name}")[0])
        for r, name in ((run, "penetration"), (run, "penetration_rate"), (found.sunk, "penetration"))
    )
    last = run.time.size - 1
    later = found.touch(run, last)
    change = (later.depth - touch.depth) / float(run.time[last])
    vector, direction = printed.of_vector(touch.n), found.setup.floor_matrix @ touch.n
    gives = {3.22: apart(vector @ touch.i.q, direction), 3.24: apart(vector @ touch.i.v, direction)}
    return [
        _evaluated("5.1", "deformation of the ball, Eq 5.1 to 5.6", touch.depth, depth, "m", tolerance=1e-12),
        _evaluated(
            "5.1-below", "deformation with the centre of the ball below the plane, Eq 5.1", below.depth, sunk, "m",
            tolerance=1e-12, confirmed=below.distance < 0,
            impossible="the norm in Eq 5.1 makes it shrink again once the centre has passed the plane; d of Eq 5.2 with its "
            "sign is meant. Of no effect on a ball that is two millimetres deep",
        ),
        _says(
            "5.6-cited", "number of the equation that gives n (text of Eq 5.4: 3.24)", 3.24, min(gives, key=gives.__getitem__),
            "1", impossible=f"Eq 3.24 is the velocity of a vector: off by {gives[3.24]:.2g}. Eq 3.22 is meant: off by "
            "rounding", confirmed=gives[3.22] < 1e-12,
        ),
        _evaluated(
            "5.7", "velocity of the deformation, right side of Eq 5.7", touch.printed_rate, rate, "m/s", tolerance=1e-9,
            confirmed=abs(change - rate) < 0.01 * abs(rate),
            impossible=f"a minus is missing: the deformation grows, by {change:.4g} m/s within the next "
            f"{1e6 * float(run.time[last]):.0g} us by Eq 5.1 itself",
        ),
        _evaluated(
            "5.7-mended", "velocity of the deformation, Eq 5.7 with the minus, and Eq 5.8", -touch.printed_rate, rate, "m/s",
            tolerance=1e-12, remark=f"of which {-float(touch.apart @ touch.normal_rate):.3g} m/s by the turning of the plane",
        ),
    ]  # fmt: skip


def _loads(found: BouncingBall) -> list[Check]:
    """Eq 5.9 to 5.12 and 3.5 to 3.27: forces, and the accelerations that they give."""
    run, touch, setup = found.moving, found.touch(found.moving), found.setup
    chi = printed.flores_damping(setup.stiffness, MIDDLE, APPROACH)
    size = printed.force(setup.stiffness, setup.exponent, chi, touch.depth, -touch.printed_rate)
    ours = three(run, f"{CONTACT}.f")
    at = three(run, f"{CONTACT}.")
    beside = np.cross(at - printed.of_point(touch.b) @ touch.j.q, touch.normal)
    gravity = np.array([0.0, 0.0, -setup.gravity])
    names = run.mechanism.body_names
    pull = sum(names[b].mass * (three(run, f"{b}.a") - gravity) for b in names)
    checks = [
        _evaluated(
            "5.10", "contact force on the ball, Eq 2.7 and 5.10: largest difference from ours", 0.0,
            apart(size * touch.normal, ours), "N", tolerance=1e-6, remark=f"of {size:.6g} N",
        ),
        _evaluated(
            "5.9", "sum of the contact forces on both bodies, Eq 5.9 and 5.10", 0.0, apart(pull, 0.0), "N", tolerance=1e-6,
            remark="from our accelerations: mass times acceleration minus weight, both bodies together",
        ),
        _evaluated(
            "5.11-line", "distance of our point of application from the line of CP_i and CP_j", 0.0,
            float(np.linalg.norm(beside)), "m", tolerance=1e-12,
            remark="along this line a force may be moved; the two points are as far apart as the ball is deep",
        ),
    ]  # fmt: skip
    for body, number, load, here in zip(
        ("slab", "ball"), ("5.11", "5.12"), touch.loads(size), (touch.i, touch.j), strict=True
    ):
        about = names[body]
        weight = printed.of_point(np.array(about.centre)).T @ (about.mass * gravity)
        mass = _mass(run, about.index)
        theirs = printed.accelerations(here, mass, weight + load)
        checks.append(
            _evaluated(
                f"{number}-accelerations",
                f"q'' of {body}, Eq 3.4 to 3.6 with 3.26, 3.27 and {number}: difference from ours",
                0.0, apart(theirs, here.a), "mixed", tolerance=1e-9 * float(np.abs(here.a).max()),
                remark=f"of {float(np.abs(here.a).max()):.4g}; with our mass matrix, of which the thesis prints none",
            )
        )  # fmt: skip
    return checks


def _mass(run: Result, index: np.ndarray) -> np.ndarray:
    """Mass matrix of a body, (12, 12)."""
    whole = np.zeros((run.mechanism.n, run.mechanism.n))
    row, column, value = run.mechanism.mass
    np.add.at(whole, (row, column), value)
    return whole[np.ix_(index, index)]
