"""Connections of planar parts are drawn at their positions: rods, actuators, rails, gears, pinions, springs, and supports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.views.scenes.planar_elements import BARREL_LENGTH_RATIO, pitch_radii
from gaitwright.report.views.scenes.planar_mechanism import build_planar_scene


def all_kinds() -> Any:
    """A geared crank with a slider, a rod, a spring, a torsion spring; a lift on an actuator."""
    m = gw.Model("all", gravity=(0, -9.81))
    m.ground_point("O", 0, 0).ground_point("G", 0.3, 0).ground_point("S", 0, 0.1).ground_point("T", 0.3, 0.4)
    m.point("A", 0.05, 0).point("H", 0.36, 0).ground_point("L", -0.4, 0).point("M", -0.2, 0)
    m.link("crank", "O", "A", length=0.05, mass=1).link("wheel", "G", "H", length=0.06, mass=0.2)
    m.body("slider", mass=1, inertia=1e-3, at=(0.25, 0.1), points={"B": [0, 0]})
    m.link("lift", "L", "M", length=0.2, mass=1)
    m.joint.prismatic("ground.S", "slider.B", axis=(1, 0), name="guide")
    m.joint("distance", "rod", a="crank.A", b="slider.B")
    m.joint("gear", "pair", a="crank", b="wheel", ratio=-0.5)
    m.force.spring_damper("ground.T", "wheel.H", stiffness=10, name="spring")
    m.force.torsion_spring("ground", "wheel", stiffness=0.1, name="coil")
    m.drive.rotation("crank", "2*pi*t")
    m.drive.distance("ground.T", "lift.M", "0.64 + 0.02*sin(2*pi*t)", name="ram")
    return m.kinematics(times=np.linspace(0.0, 1.0, 41))


@pytest.fixture(scope="module")
def run() -> Any:
    return all_kinds()


@pytest.fixture(scope="module")
def shapes(run: Any) -> dict[tuple[str, str], Any]:
    return {(s.name, s.kind): s for s in build_planar_scene(run.mechanism, run.motion).shapes}


def at(run: Any, point: str) -> np.ndarray:
    return np.stack([run.array(f"{point}.x"), run.array(f"{point}.y")], axis=1)


def test_rods_springs_and_actuators_end_where_they_are_attached(run: Any, shapes: Any) -> None:
    assert shapes["rod", "rod"].outline == pytest.approx(np.stack([at(run, "crank.A"), at(run, "slider.B")], axis=1))
    assert shapes["spring", "spring"].outline[:, 1] == pytest.approx(at(run, "wheel.H"))
    start, barrel, end = np.moveaxis(shapes["ram", "actuator"].outline, 1, 0)
    assert start == pytest.approx(np.tile([0.3, 0.4], (41, 1))) and end == pytest.approx(at(run, "lift.M"))
    # the barrel has constant length on the line between the ends; the rod extends from it
    lengths = np.hypot(*(barrel - start).T)
    assert lengths == pytest.approx(np.full(41, BARREL_LENGTH_RATIO * 0.62), rel=1e-6)
    way = end - start
    assert (way[:, 0] * (barrel - start)[:, 1] - way[:, 1] * (barrel - start)[:, 0]) == pytest.approx(
        np.zeros(41), abs=1e-12
    )


def test_rail_is_as_long_as_the_path_of_its_slider(run: Any, shapes: Any) -> None:
    rail, x = shapes["guide", "rail"].outline, run.array("slider.x")
    assert rail[:, :, 1] == pytest.approx(np.full((41, 2), 0.1)) and rail[0, 0, 0] < x.min() and rail[0, 1, 0] > x.max()
    assert np.ptp(rail[0, :, 0]) - np.ptp(x) < 0.2


def test_pitch_circles_touch_between_the_axles_and_roll_on_each_other(run: Any, shapes: Any) -> None:
    crank, wheel = (shapes[name, "gear"].outline for name in ("crank", "wheel"))
    radii = [float(np.hypot(*(g[0, 1] - g[0, 0]))) for g in (crank, wheel)]
    assert radii == pytest.approx([0.1, 0.2]) and sum(radii) == pytest.approx(0.3)
    turned = [np.unwrap(np.arctan2(*(g[:, 1] - g[:, 0]).T[::-1])) for g in (crank, wheel)]
    ways = [r * (angle[-1] - angle[0]) for r, angle in zip(radii, turned, strict=True)]
    assert ways[0] == pytest.approx(-ways[1])  # without slip


RADII = {
    "external": (-2.0, 0.3, (0.2, 0.1)), "internal": (0.25, 0.3, (0.1, 0.4)), "alike": (1.0, 0.3, None),
    "belt": (0.9, 0.3, None), "one axle": (-2.0, 0.0, None),
}  # fmt: skip


@pytest.mark.parametrize("case", RADII)
def test_pitch_radii(case: str) -> None:
    ratio, apart, expected = RADII[case]
    assert pitch_radii(ratio, apart) == (None if expected is None else pytest.approx(expected))


def test_loaded_ground_points_are_supports(run: Any) -> None:
    seen = build_planar_scene(run.mechanism, run.motion)
    assert {"O", "G", "T", "L"} <= seen.ground_joints and seen.joints["T"][0] == pytest.approx([0.3, 0.4])
    coil = next(s for s in seen.shapes if s.kind == "spiral")
    assert coil.outline[0, 0] == pytest.approx([0.3, 0.0])
    assert list(seen.marks) == ["S"] and seen.marks["S"] == pytest.approx([0.0, 0.1])  # the point of the rail only
    assert {"rod", "ram", "spring", "coil", "guide"}.isdisjoint(seen.groups())


def test_a_pinion_has_the_radius_of_its_rack() -> None:
    m = gw.Model("rack").ground_point("O", 0, 0).ground_point("S", 0, 0.05).point("A", 0.04, 0)
    m.link("pinion", "O", "A", length=0.04, mass=1)
    m.body("bar", mass=1, inertia=1e-3, at=(0, 0.05), points={"B": [0, 0]})
    m.joint.prismatic("ground.S", "bar.B", axis=(1, 0))
    m.joint("rack", "mesh", a="ground.S", b="bar.B", pinion="pinion", axis=[1, 0], radius=0.05)
    run = m.drive.rotation("pinion", "t").kinematics(0.5, step=0.1)
    gear = next(s for s in build_planar_scene(run.mechanism, run.motion).shapes if s.kind == "gear")
    assert gear.name == "pinion" and np.hypot(*(gear.outline[0, 1] - gear.outline[0, 0])) == pytest.approx(0.05)


def test_all_elements_are_drawn_in_pictures(run: Any, tmp_path: Path) -> None:
    run.draw(tmp_path / "all.png")
    run.animate(tmp_path / "all.html")
    assert (tmp_path / "all.png").stat().st_size > 20_000
    text = (tmp_path / "all.html").read_text()
    kinds = ("rod", "actuator", "rail", "gear", "spiral")
    assert all(f'"kind":"{kind}"' in text.replace(": ", ":") for kind in kinds)
