"""Fuzz mesh files and places on a mesh: each gives a mesh or a one-sentence error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import gaitwright as gw
from fuzz.trial import attempt, cases, randoms
from gaitwright._core.error_context import ErrorContext
from gaitwright.mesh import region_from

pytest.importorskip("meshio"), pytest.importorskip("trimesh")
pytestmark = pytest.mark.fuzz

BALL = gw.mesh.ball(0.1, 0.05).with_region("low", gw.mesh.HalfSpaceSelector((0, 0, 0), (0, 0, -1)))
ENDINGS = [".npz", ".vtu", ".vtk", ".msh", ".inp", ".stl", ".obj", ".ply"]
PLACES: list[Any] = [
    {"plane": [0, 0, 1, 0.1], "within": 0.01}, {"box": [[0, 0, 0], [1, 1, 1]]}, {"sphere": {"centre": [0, 0, 0], "radius": 1}},
    {"near": {"points": [[0, 0, 0]], "distance": 0.1}}, {"all": [{"boundary": True}, {"not": "low"}]}, {"any": ["low"]},
]  # fmt: skip
WRONG: list[Any] = [None, [], {}, "low", -1, 1e400, float("nan"), True, [1, 2], {"plane": 3}, [[0, 0]], "nothing"]


def replaced(value: Any, random: Any) -> Any:
    """Return the value with one random part replaced by a wrong one."""
    if random.random() < 0.3 or not isinstance(value, (dict, list)) or not value:
        return random.choice(WRONG)
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = random.choice(keys)
    again = value.copy()
    again[key] = replaced(value[key], random)
    return again


@given(random=randoms)
@cases(300)
def test_mutated_places(random: Any) -> None:
    place = replaced(random.choice(PLACES), random)
    attempt(lambda: BALL.with_region("found", region_from(place, ErrorContext("clamp", "where"))))
