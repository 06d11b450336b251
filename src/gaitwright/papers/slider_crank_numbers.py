"""The numbers that paper 000 prints about its model, read back from what the runs did, and its equations in a pose of ours.

None of them is a result of the paper: they show that the model is the printed one."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from gaitwright.papers.check import EQUATION, INPUT, Check
from gaitwright.result.result import Result


def law_of(run: Result, exponent: float) -> tuple[float, float]:
    """Stiffness (N/m^exponent) and restitution of Eq 9 from the force over the first contact: F / d^n is linear in the
    penetration rate, K + chi d', with chi = 3 K (1 - c_r^2) / 4 over the approach speed."""
    depth, rate, force = (run.values(f"wall.{name}") for name in ("penetration", "penetration_rate", "normal_force"))
    first = run.episodes[0]
    inside = (run.time > first.begin) & (run.time < first.end) & (depth > 0.1 * first.max_penetration) & (force > 0)
    chi, stiffness = np.polyfit(rate[inside], force[inside] / depth[inside] ** exponent, 1)
    return float(stiffness), math.sqrt(max(0.0, 1 - 4 * chi * first.approach_speed / (3 * stiffness)))


def spring_of(run: Result) -> tuple[float, float]:
    """Stiffness (N/m) and damping (N s/m) of the spring-damper from its force, length and rate."""
    length, rate, force = (run.values(f"spring.{name}") for name in ("length", "rate", "force"))
    table = np.column_stack([length, rate, np.ones_like(length)])
    stiffness, damping, _ = np.linalg.lstsq(table, force, rcond=None)[0]
    return abs(float(stiffness)), abs(float(damping))


def parameter_checks(
    judge: Callable[..., Check], runs: dict[str, Result], exponent: float, start: float
) -> list[Check]:
    """Section 2 and 3.1: coordinates, elements, drive, spring, damper, contact, step. start: angle of the crank, rad."""
    rigid, flexible, sprung = (runs[f"{name} gill"] for name in ("rigid", "flexible", "sprung"))
    beam = flexible.mechanism.beams["rod"].nodes
    bodies = rigid.mechanism.body_names
    (stiffness, restitution), (spring, damper) = law_of(rigid, exponent), spring_of(sprung)
    k = rigid.time.size // 3  # some moving pose
    angle, x, vx, vy = (
        float(rigid.values(name)[k]) for name in ("crank.angle", "crank.x", "slider.front.vx", "slider.front.vy")
    )
    arm = float(rigid.values("crank.A.x")[k])
    half = bodies["crank"].points["A"][0]
    slope = math.atan2(-1.0, 0.0)  # of the wall x - x_3 = 0: a = 1, b = 0
    approach, slip = -vx * math.sin(slope) + vy * math.cos(slope), -vx * math.cos(slope) - vy * math.sin(slope)
    pose = f"evaluated at {rigid.time[k]:.3g} s of our run"
    rubbing = (runs["rigid with friction"].document or {})["contacts"][0]["friction"]["coefficient"]
    given, evaluated = partial(judge, kind=INPUT), partial(judge, kind=EQUATION)
    return [
        given("1", "coordinates of a rigid body, Eq 1", 3, bodies["crank"].index.size, "1", tolerance=0.1),
        given("3", "coordinates of a node of a flexible body, Eq 3", 4, beam.shape[1], "1", tolerance=0.1),
        given("2.3-elements", "elements of the flexible beam", 8, beam.shape[0] - 1, "1", tolerance=0.1),
        evaluated(
            "11-place", "x of the crank's end in a moving pose, Eq 11", x + half * math.cos(angle), arm, "m", tolerance=1e-9,
            remark=f"{pose}, from the crank's centre and angle",
        ),
        evaluated(
            "13", "approach velocity in a moving pose, Eq 13", approach, float(rigid.values("wall.penetration_rate")[k]), "m/s",
            tolerance=1e-9, remark=f"{pose}, if the wall is written with a = 1; with a = -1, the same line, the sign is the "
            "opposite",
        ),
        evaluated(
            "13-slip", "tangential velocity in the same pose, Eq 13", slip, float(rigid.values("wall.slip_velocity")[k]), "m/s",
            tolerance=1e-9, remark=f"{pose}; both are zero but for rounding, since the head moves along x",
        ),
        evaluated(
            "15-angle", "angle of the crank in a moving pose, Eq 15", 2 * math.pi / 5 * float(rigid.time[k]) + start, angle,
            "rad", tolerance=1e-9, remark=f"{pose}, from our start, {start:g} rad",
        ),
        given("3.1-step", "time step", 1e-5, rigid.evidence.largest_step, "s", tolerance=1e-12),
        given("3.1-k", "stiffness of the spring, from its force", 50, spring, "N/m", tolerance=1e-6),
        given("3.1-c", "damping of the damper, from its force", 0.1, damper, "N s/m", tolerance=1e-6),
        given(
            "3.1-K", "stiffness of the contact, from its force", 4e5, stiffness, "N/m^1.5", tolerance=1.0,
            remark="no unit is printed; with Hertz's exponent it is N/m^1.5",
        ),
        given("3.1-cr", "restitution of the contact, from its force", 0.1, restitution, "1", tolerance=1e-4),
        given(
            "3.1-mu", "coefficient of friction", 0.45, float(rubbing), "1", tolerance=1e-12,
            remark="of the model: no force shows it, since nothing slips",
        ),
    ]  # fmt: skip
