"""Connections of spatial bodies are drawn at their positions: rods, actuators, rails, springs, gears, supports; bodies as
plates."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.views.scenes.planar_elements import BARREL_LENGTH_RATIO
from gaitwright.report.views.scenes.spatial_mechanism import build_spatial_scene


def stewart() -> Any:
    """A platform on six actuators."""
    angles = np.radians([10, 110, 130, 230, 250, 350])
    m = gw.Model("stewart", dimension=3, gravity=(0, 0, -9.81))
    inner = [(0.18 * math.cos(a), 0.18 * math.sin(a), 0.0) for a in angles + 0.35 * (-1.0) ** np.arange(6)]
    points = {f"P{k}": list(p) for k, p in enumerate(inner)}
    m.body("platform", mass=3, inertia=[0.03, 0.03, 0.05], at=(0, 0, 0.35), points=points)
    for k, (a, (x, y, _)) in enumerate(zip(angles, inner, strict=True)):
        base = (0.3 * math.cos(a), 0.3 * math.sin(a), 0.0)
        m.ground_point(f"B{k}", *base)
        long = math.dist(base, (x, y, 0.35))
        m.drive.distance(f"ground.B{k}", f"platform.P{k}", f"{long} + 0.02*sin(2*pi*t)", name=f"leg{k}")
    return m.kinematics(times=np.linspace(0.0, 1.0, 21))


@pytest.fixture(scope="module")
def run() -> Any:
    return stewart()


def test_a_stewart_platform_is_a_plate_on_actuators_with_supports(run: Any) -> None:
    seen = build_spatial_scene(run.mechanism, run.motion)
    (platform,) = seen.bodies
    assert [solid.kind for solid in platform.solids] == ["mesh"]
    corners = platform.solids[0].extent()
    assert np.ptp(corners[:, 2]) < 0.05 and np.ptp(corners[:, 0]) > 0.3
    assert len(seen.ground) == 6 and all(solid.kind == "cone" for solid in seen.ground)
    low = min(solid.extent()[:, 2].min() for solid in seen.ground)
    assert low < -0.01 and seen.held
    for k in range(6):
        rod, barrel = seen.lines[f"leg{k}"], seen.lines[f"leg{k}, barrel"]
        assert rod[:, 1] == pytest.approx(np.stack([run.array(f"platform.P{k}.{c}") for c in "xyz"], axis=1))
        assert rod[0, 0, 2] == 0.0 and barrel[:, 0] == pytest.approx(rod[:, 0])
        assert np.linalg.norm(barrel[:, 1] - barrel[:, 0], axis=1) == pytest.approx(
            np.full(21, BARREL_LENGTH_RATIO * np.linalg.norm(rod[:, 1] - rod[:, 0], axis=1).min())
        )
        assert seen.thickness[f"leg{k}, barrel"] > seen.thickness[f"leg{k}"]


@pytest.mark.parametrize("ratio, radii", [(-2.0, (0.2, 0.1)), (0.25, (0.1, 0.4))])
def test_gears_rails_rods_and_springs(ratio: float, radii: tuple[float, float]) -> None:
    m = gw.Model("train", dimension=3, gravity=(0, 0, -9.81))
    m.ground_point("O", 0, 0, 0).ground_point("P", 0.3, 0, 0).ground_point("T", 0.3, 0, 0.5).ground_point(
        "R", 0.5, 0, 0
    )
    for name, x in (("first", 0.0), ("second", 0.3)):
        m.body(name, mass=1, inertia=[0.001, 0.002, 0.002], at=(x, 0, 0), points={"M": [0, 0, 0], "K": [0, 0, 0.1]})
    m.body("block", mass=1, inertia=[0.001] * 3, at=(0.5, 0, 0.4), points={"C": [0, 0, 0]})
    m.joint("revolute", "h1", a="ground.O", b="first.M", axis=[0, 1, 0])
    m.joint("revolute", "h2", a="ground.P", b="second.M", axis=[0, 1, 0])
    m.joint("prismatic", "guide", a="ground.R", b="block.C", axis=[0, 0, 1])
    m.joint("gear", "pair", a="h1", b="h2", ratio=ratio).joint("distance", "rod", a="second.K", b="block.C")
    m.force("torsion-spring", "coil", joint="h2", stiffness=0.1)
    m.force.spring_damper("ground.T", "second.K", stiffness=10, name="spring").drive(
        "rotation", "motor", joint="h1", angle="pi*t"
    )
    run = m.kinematics(times=np.linspace(0.0, 0.4, 9))
    seen = build_spatial_scene(run.mechanism, run.motion)
    wheels = {body.name: body.solids[-1] for body in seen.bodies if body.name != "block"}
    assert [wheels[name].size[0] for name in ("first", "second")] == pytest.approx(radii)
    assert all(np.ptp(solid.extent()[:, 1]) < 0.1 for solid in wheels.values())  # flat along their axis, y
    rail, z = seen.lines["guide, rail"], run.array("block.z")
    assert (
        rail[0, :, 2].min() < z.min() and rail[0, :, 2].max() > z.max() and rail[0, :, 0] == pytest.approx([0.5, 0.5])
    )
    (free,) = [solid for solid in seen.ground if solid.kind == "sphere"]
    assert free.name == "R" and free.at == pytest.approx([0.5, 0, 0])  # the point of the rail only
    coil = seen.lines["coil"]
    assert coil[0, :, 1] == pytest.approx(np.zeros(40)) and np.abs(coil[0].mean(axis=0) - [0.3, 0, 0]).max() < 0.02
    assert seen.lines["rod"].shape == (9, 2, 3) and seen.springs["spring"].shape == (9, 2, 3)
    assert any(solid.name == "spring" and solid.extent()[:, 2].max() > 0.5 for solid in seen.ground)


def test_pictures_of_a_platform(run: Any, tmp_path: Path) -> None:
    run.draw(tmp_path / "stewart.png")
    run.animate(tmp_path / "stewart.html")
    assert (tmp_path / "stewart.png").stat().st_size > 20_000 and "barrel" in (tmp_path / "stewart.html").read_text()


def test_a_body_of_few_points_keeps_the_solid_of_its_inertia() -> None:
    m = gw.Model("rod", dimension=3).ground_point("G", 0, 0, 0)
    m.body("bar", mass=1, inertia=[0.02, 0.02, 0.001], at=(0, 0, 0.3), points={"A": [0, 0, -0.3], "B": [0, 0, 0.3]})
    m.joint("spherical", "ball", a="ground.G", b="bar.A")
    start = m.simulate(0.01, step=1e-3)
    (bar,) = build_spatial_scene(start.mechanism, start.motion).bodies
    assert all(solid.kind != "mesh" for solid in bar.solids)
