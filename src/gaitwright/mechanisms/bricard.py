"""Bricard's six-bar: a closed chain of six hinges that moves, although it should be rigid by the count of constraints.

R. Bricard, Memoire sur la theorie de l'octaedre articule (1897). Here the rods are edges of a cube, and each hinge is
perpendicular to both of its rods. Problem A04 of the IFToMM library of computational benchmarks (M. Gonzalez, D. Dopico,
U. Lugris and J. Cuadrado, A benchmarking system for MBS simulation software, Multibody System Dynamics 16 (2006) 179): five
thin rods of 1 m and 1 kg, gravity along -y, released from the cube pose, for 10 s. Five bodies have 30 degrees of freedom and
six hinges remove 30, but one remains: one constraint row is redundant.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gaitwright.model.model import Model, NumberLike

ROD_CORNERS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
"""P0 to P5 in rod lengths; the sixth rod, from P5 back to P0, is the ground."""
HINGE_DIRECTIONS = ("y", "z", "x", "y", "z", "x")
"""Hinge directions at these corners in the drawn pose."""
UNIT_AXES = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}
SHAPE_ANGLES_DEG = {"x": [0, 90, 0], "y": [90, 0, 0], "z": [0, 0, 0]}
"""Angles that rotate a shape from z to an axis, degrees."""


def bricard(*, length: float = 1.0, mass: float = 1.0, radius: float = 0.0, gravity: float = 9.81) -> Model:
    """Five rods between the corners P0 to P5 of a cube and the ground from P5 to P0, with hinges h0 to h5.

    length: m, mass: kg, of each rod. radius: m, of round rods; 0 for thin ones, as in the benchmark, without inertia about
    their axes. Gravity (m/s^2) acts along -y."""
    parameters: dict[str, NumberLike] = {"length": length, "mass": mass, "radius": radius}
    model = Model("Bricard mechanism", dimension=3, gravity=(0, -gravity, 0), parameters=parameters)
    for k in (0, 5):
        model.ground_point(f"P{k}", *_scale_position(ROD_CORNERS[k]))
    for k, (start, end) in enumerate(pairwise(ROD_CORNERS)):
        _add_rod(model, k, start, end)
    bodies = ["ground", *(f"rod{k + 1}" for k in range(5)), "ground"]
    for k, direction in enumerate(HINGE_DIRECTIONS):
        model.joint.revolute(f"{bodies[k]}.P{k}", f"{bodies[k + 1]}.P{k}", axis=UNIT_AXES[direction], name=f"h{k}")
    return model


def _add_rod(model: Model, k: int, start: tuple[int, ...], end: tuple[int, ...]) -> None:
    """Add the rod from Pk to the next corner, with axes parallel to the ground frame as drawn."""
    rod_axis = next(axis for axis, a, b in zip("xyz", start, end, strict=True) if a != b)
    transverse_inertia = "mass*(3*radius^2 + length^2)/12"
    centre = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
    model.body(
        f"rod{k + 1}", mass="mass", inertia=["mass*radius^2/2" if axis == rod_axis else transverse_inertia for axis in "xyz"],
        at=_scale_position(centre),
        points={f"P{k + n}": _scale_position([c - m for c, m in zip(corner, centre, strict=True)])
                for n, corner in enumerate((start, end))},
        shapes=[{"capsule": ["max(radius, length/40)", "length"], "orientation": {"angles": SHAPE_ANGLES_DEG[rod_axis]}}],
    )  # fmt: skip


def _scale_position(corner: Sequence[float]) -> list[NumberLike]:
    return [f"{number:g}*length" if number else 0 for number in corner]
