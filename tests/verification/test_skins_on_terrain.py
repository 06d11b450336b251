"""Surfaces of solids on terrains: every point is pushed once, by its true distance, wherever the terrain has corners."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.result.contact_episodes import contact_columns, sample_contacts

STIFFNESS = 2e8
STRAIGHT = [[-1.0, 0.0], [1.0, 0.0]]
CUT = [[x, 0.0] for x in np.linspace(-1.0, 1.0, 24).tolist()]
WALL = [[-0.001, -1], [-0.003, 1], [0.003, 1], [0.001, -1], [-0.001, -1]]


def on_terrain(points: Any, place: Any, load: Any, turned: float = 0.0, friction: Any = None) -> gw.Model:
    """A free block on a terrain, with a specific load (m/s^2) on all of it."""
    model = gw.Model("block", gravity=load)
    mesh = gw.mesh.rectangle((0.1, 0.05), (6, 3)).turned(turned)
    material = gw.materials.NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3)
    model.solid("block", mesh, material=material, density=1000.0, at=place)
    return model.contact(
        gw.surfaces.Skin("block"),
        gw.surfaces.Polyline(points),
        law=gw.laws.Penalty(STIFFNESS),
        friction=friction,
        name="skin",
    )


def of_points(run: Any) -> dict[str, Any]:
    """Columns of all points at the end."""
    data = sample_contacts(run.mechanism, run.motion)[-1, list(run.mechanism.contact_names[0].pieces)]
    return {name: data[:, k] for k, name in enumerate(contact_columns(2))}


def depths(run: Any, points: Any, solid_at: Any) -> Any:
    """How deep the points of the skin are inside, m: by all distances to segments; solid_at: whether a place is inside."""
    skin, part = run.mechanism.contact_names[0].skin, run.mechanism.part("block")
    p = skin.places(part.mesh.nodes + part.displacements(run.motion.q[-1]))
    a, b = np.array(points[:-1], dtype=float), np.array(points[1:], dtype=float)
    share = np.clip(np.einsum("pki,ki->pk", p[:, None] - a, b - a) / np.sum((b - a) ** 2, axis=1), 0.0, 1.0)
    away = np.linalg.norm(p[:, None] - a - share[..., None] * (b - a), axis=2).min(axis=1)
    return np.where(solid_at(*p.T), away, 0.0)


TERRAINS: dict[str, tuple[Any, Any, Any, float, Any]] = {
    "straight": (CUT, (0.0, 0.025), (1.0, -9.81), 0.0, lambda x, y: y < 0),
    "concave corner": ([[-1, 0], [0, 0], [0, 1]], (-0.05, 0.025), (6.0, -9.81), 0.0, lambda x, y: (y < 0) | (x > 0)),
    "valley": ([[-1, 1], [0, 0], [1, 1]], (0.0, 0.0535), (0.0, -50.0), np.pi / 4, lambda x, y: y < np.abs(x)),
    "edge of a step": ([[-1, 0], [0, 0], [0, -1]], (-0.02, 0.025), (0.0, -50.0), 0.0, lambda x, y: (y < 0) & (x < 0)),
    "from the left": (WALL, (-0.0521, 0.0), (50.0, 0.0), 0.0, lambda x, y: np.abs(x) < 0.002 + 0.001 * y),
    "from the right": (WALL, (0.0521, 0.0), (-50.0, 0.0), 0.0, lambda x, y: np.abs(x) < 0.002 + 0.001 * y),
}


@pytest.mark.parametrize("name", TERRAINS)
def test_every_point_is_pushed_once_by_its_depth(name: str):
    points, place, load, turned, solid_at = TERRAINS[name]
    run = on_terrain(points, place, load, turned, {"type": "bristle", "coefficient": 0.8}).static()
    skin: Any = run.mechanism.contact_names[0].skin
    found = of_points(run)
    deep = depths(run, points, solid_at)
    assert found["normal"] == pytest.approx(STIFFNESS * skin.areas * deep, rel=1e-7, abs=1e-9)
    weight = 1000.0 * 0.1 * 0.05 * np.array(load)
    assert [found["fx"].sum(), found["fy"].sum()] == pytest.approx(-weight, abs=1e-7 * float(np.linalg.norm(weight)))


def test_a_line_in_pieces_is_one_line():
    one, many = (
        of_points(on_terrain(points, (0.0, 0.025), (2.0, -9.81), friction={"type": "bristle", "coefficient": 0.5}).static())
        for points in (STRAIGHT, CUT)
    )  # fmt: skip
    for name in ("normal", "fx", "fy", "gap"):
        assert many[name] == pytest.approx(one[name], rel=1e-12, abs=1e-12)


def test_sticking_point_crosses_joints_of_polyline():
    """Bristles so soft that points pass joints of a terrain while they stick: they stay stretched, and slip counts once."""
    found = []
    for kink in (0.0, 1e-9):
        model = gw.Model("dragged", gravity=(0, 0))
        model.body("bone", mass=1.0, inertia=0.01, at=(0.0, 0.05))
        mesh = gw.mesh.rectangle((0.1, 0.05), (6, 2))
        model.solid(
            "block", mesh, material=gw.materials.NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3), density=1000.0,
            at=(0.0, 0.025), fixed={"region": "top", "to": "bone"},
        )  # fmt: skip
        terrain = [[x, kink * (k % 2)] for k, x in enumerate(np.linspace(-0.2, 0.2, 81).tolist())]
        model.contact(
            gw.surfaces.Skin("block", "bottom"),
            gw.surfaces.Polyline(terrain),
            law=gw.laws.Penalty(),
            friction=gw.friction.Bristle(0.5, 1e6),
            name="c",
        )
        model.drive("position", point="bone", x="0.02*t", y="0.049")
        model.drive("rotation", body="bone", angle=0.0)
        run = model.static_path(1.0, steps=10)
        found.append([run.array(f"c.{name}") for name in ("fx", "normal_force", "slip")])
    straight, bent = found
    assert -straight[0][5] < 0.4 * straight[1][5] and straight[2][-1] > 0.01
    for one, other in zip(straight, bent, strict=True):
        assert other == pytest.approx(one, rel=1e-6, abs=1e-9)
