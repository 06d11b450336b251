"""A static search does not cross walls, however thin and far away; walls beside its path do not stop it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis.statics.surface_crossing import number_contact_groups

RADIUS, TARGET, STIFFNESS, LAW = 5e-3, 0.3, 100.0, 1e7
"""m, m, N/m and N/m^1.5. A spring without length pulls a ball to the target; a wall is between them."""


def pulled(gap: float, thickness: float, kind: str, bar: Any = None) -> gw.Model:
    """gap: m, from the ball to a wall of a thickness, or to a thin bar; bar: its ends, where it is elsewhere."""
    near, far = RADIUS + gap, RADIUS + gap + thickness
    ends = bar or ((near, -0.1), (near, 0.1))
    model = gw.Model("wall", gravity=(0, 0)).ground_point("P", TARGET, 0)
    model.ground_point("A", *ends[0]).ground_point("B", *ends[1])
    model.body("ball", mass=0.1, inertia=1e-5, at=(0, 0), points={"O": (0, 0)})
    model.force("spring-damper", "pull", a="ground.P", b="ball.O", stiffness=STIFFNESS, damping=0, rest_length=0)
    model.joint.prismatic("ground.P", "ball.O", axis=(1, 0), name="guide")
    surface: Any = gw.surfaces.Segment("ground.A", "ground.B")
    if kind == "slab":
        surface = gw.surfaces.Polyline([(near, -0.1), (near, 0.1), (far, 0.1), (far, -0.1), (near, -0.1)])
    return model.contact(
        gw.surfaces.Circle("ball.O", radius=RADIUS), surface, name="wall", law=gw.laws.Hertz(stiffness=LAW)
    )


WALLS = [
    (kind, thickness) for kind in ("bar", "slab") for thickness in (1e-3, 1e-4) if kind == "slab" or thickness == 1e-3
]


@pytest.mark.parametrize(("wall", "gap"), list(itertools.product(WALLS, (1e-4, 1e-3, 5e-3, 0.02, 0.1, 0.2))))
def test_a_wall_holds_a_ball(wall: tuple[str, float], gap: float) -> None:
    """It rests where the wall presses as much as the spring pulls, K d^1.5 = k (l - d)."""
    kind, thickness = wall
    x = float(pulled(gap, thickness, kind).static().array("ball.x")[-1])
    depth = ((STIFFNESS * (TARGET - x)) / LAW) ** (2.0 / 3.0)
    assert x - gap == pytest.approx(depth, rel=1e-6)


@pytest.mark.parametrize("gap", [1e-3, 0.05, 0.2])
def test_a_thin_mesh_holds_a_point_in_space(gap: float) -> None:
    plate = gw.mesh.box((1e-3, 0.2, 0.2), (1, 2, 2)).moved((gap + 0.5e-3, 0.0, 0.0)).surface()
    model = gw.Model("plate", dimension=3, gravity=(0, 0, 0)).ground_point("P", TARGET, 0, 0)
    model.body("ball", mass=0.1, inertia=[1e-5] * 3, at=(0, 0, 0), points={"O": (0, 0, 0)})
    model.force("spring-damper", "pull", a="ground.P", b="ball.O", stiffness=STIFFNESS, damping=0, rest_length=0)
    model.joint.prismatic("ground.P", "ball.O", axis=(1, 0, 0), name="guide")
    model.contact("ball.O", gw.surfaces.MeshSurface(plate), name="wall", law=gw.laws.Hertz(stiffness=LAW))
    x = float(model.static().array("ball.x")[-1])
    assert x - gap == pytest.approx(((STIFFNESS * (TARGET - x)) / LAW) ** (2.0 / 3.0), rel=1e-6)


@pytest.mark.parametrize("height", [RADIUS, 1.001 * RADIUS, 0.05])
def test_wall_beside_path_has_no_effect(height: float) -> None:
    """A wall along which the ball slides does not stop it either."""
    run = pulled(0.0, 0.0, "bar", ((0.01, height), (0.2, height))).static()
    assert run.array("ball.x")[-1] == pytest.approx(TARGET, abs=1e-9)


def test_pieces_of_a_surface_are_one_contact() -> None:
    mechanism = pulled(0.02, 1e-3, "slab").mechanism()
    assert mechanism.system.contacts.count > 1
    assert np.array_equal(number_contact_groups(mechanism), np.zeros(mechanism.system.contacts.count))
