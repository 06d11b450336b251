"""Random mechanisms in space with every joint that has a counterpart in MJCF, for round trips."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

import gaitwright as gw
from gaitwright.geometry.orientation import rotation_from_quaternion

TREE = (
    "revolute",
    "prismatic",
    "spherical",
    "universal",
    "cylindrical",
    "planar",
    "point-on-line",
    "point-on-plane",
    "fixed",
    "free",
)


@st.composite
def trees(draw: Any) -> gw.Model:
    """Draw one to five bodies, each joined to the ground or to an earlier one in either order; springs, gears, start
    velocities."""
    seed = draw(st.integers(0, 2**32 - 1))
    kinds = draw(st.lists(st.sampled_from(TREE), min_size=1, max_size=5))
    parents = [draw(st.integers(-1, k - 1)) for k in range(len(kinds))]
    swapped = [draw(st.booleans()) for _ in kinds]
    return made_up(seed, kinds, parents, swapped)


def made_up(seed: int, kinds: list[str], parents: list[int], swapped: list[bool], springs: bool = True) -> gw.Model:
    random = np.random.default_rng(seed)
    model = gw.Model("made up", dimension=3, gravity=random.normal(size=3).tolist())
    frames: list[tuple[np.ndarray, np.ndarray]] = []
    for k, (kind, parent, swap) in enumerate(zip(kinds, parents, swapped, strict=True)):
        quaternion = random.normal(size=4)
        quaternion /= np.linalg.norm(quaternion)
        at, turn = random.uniform(-1, 1, 3), rotation_from_quaternion(quaternion)
        frames.append((at, turn))
        points = random.uniform(-0.3, 0.3, (12, 3))
        centre = points.mean(axis=0)
        arms = points - centre
        tensor = sum(0.1 * (s @ s * np.eye(3) - np.outer(s, s)) for s in arms)
        inertia = [float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        place = random.uniform(-1, 1, 3)
        own_points = {"P": (turn.T @ (place - at)).tolist()}
        moving = (
            {"velocity": random.normal(size=3).tolist(), "spin": random.normal(size=3).tolist()}
            if kind == "free"
            else {}
        )
        model.body(
            f"b{k}", mass=1.2, inertia=inertia, centre=centre.tolist(), at=at.tolist(), points=own_points,
            orientation={"quaternion": quaternion.tolist()}, **moving,
        )  # fmt: skip
        if kind == "free":
            continue
        origin, above = frames[parent] if parent >= 0 else (np.zeros(3), np.eye(3))
        other = f"b{parent}" if parent >= 0 else "ground"
        there = (above.T @ (place - origin)).tolist()
        if parent >= 0:
            model.document.bodies[parent].points[f"Q{k}"] = there
        else:
            model.ground_point(f"Q{k}", *there)
        ends = [f"{other}.Q{k}", f"b{k}.P"]
        frame = above if not swap else turn
        a, b = ends[::-1] if swap else ends
        axis = random.normal(size=3)
        axis /= np.linalg.norm(axis)
        given: dict[str, Any] = {} if kind in ("spherical", "fixed") else {"axis": (frame.T @ axis).tolist()}
        if kind == "universal":
            across = np.cross(axis, random.normal(size=3))
            across /= np.linalg.norm(across)
            given["axis_b"] = ((above if swap else turn).T @ across).tolist()
        if kind == "revolute":
            given["drawn_angle"] = float(random.uniform(-1, 1))
        model.joint(kind, a=a, b=b, name=f"j{k}", **given)
        if springs and kind == "revolute":
            model.force("torsion-spring", joint=f"j{k}", stiffness=3.0, damping=0.2, rest_angle=0.3, name=f"s{k}")
    if springs:
        model.ground_point("S", 1.5, 0.2, -0.3)
        model.force.spring_damper("ground.S", "b0.P", stiffness=20, damping=0.5, rest_length=0.4, name="line")
    return model


def motion(model: gw.Model) -> dict[str, np.ndarray]:
    """Pose, velocity and acceleration of every body at the start, by name: (18,), ground frame, axes for orientation."""
    run = model.simulate(1e-6, tolerance=1e-9, output_step=1e-6)
    names = [f"origin.{kind}{axis}" for kind in ("", "v", "a") for axis in "xyz"]
    names += [f"{kind}{axis}" for kind in ("w", "alpha_") for axis in "xyz"] + [
        f"r{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)
    ]
    return {name: np.array([run.array(f"{name}.{what}")[0] for what in names]) for name in run.mechanism.body_names}
