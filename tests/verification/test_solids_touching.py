"""Solids that touch each other: uniform pressure goes through, forces are opposite, momenta and energy stay."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import DidNotConverge

YOUNG, PRESSURE, SIDE = 1e6, 1e4, 0.1
SIZE = 0.0125


def block(d: int, divisions: int) -> Any:
    """About the origin, with its sides as regions: low_x, high_x, ..."""
    sides, counts = (SIDE, SIDE, SIDE / 2)[3 - d :], (divisions, divisions, 2)[3 - d :]
    mesh = (gw.mesh.box if d == 3 else gw.mesh.rectangle)(sides, counts)
    mesh = mesh.moved(-mesh.bounds.mean(axis=0))
    for k, axis in enumerate("xyz"[:d]):
        for side, end in (("low", 0), ("high", 1)):
            on = np.abs(mesh.nodes[:, k] - mesh.bounds[end, k]) < 1e-9
            mesh = mesh.with_region(f"{side}_{axis}", nodes=np.flatnonzero(on))
    return mesh


def pressed(d: int, upper: int, lower: int, both_ways: bool) -> Any:
    """A block on a block, under pressure, free to widen; and its model."""
    model, axes = gw.Model("blocks", dimension=d, gravity=(0.0,) * d), "xyz"[:d]
    up, material = axes[-1], gw.materials.LinearElastic(youngs_modulus=YOUNG, poissons_ratio=0.3)
    walls = [{"region": f"low_{axis}", "axes": axis} for axis in axes[:-1]]
    place = [0.0] * (d - 1)
    floor = {"region": f"low_{up}", "axes": up}
    common: dict[str, Any] = {"material": material, "density": 1000.0}
    model.solid("lower", block(d, lower), at=[*place, -SIDE / 4], fixed=[floor, *walls], **common)
    model.solid("upper", block(d, upper), at=[*place, SIDE / 4], fixed=walls, **common)
    model.force("pressure", on=f"upper.high_{up}", value=PRESSURE)
    surface = gw.surfaces.SolidSurface("lower", f"high_{up}", both_ways=both_ways)
    model.contact(gw.surfaces.Skin("upper", f"low_{up}"), surface, law=gw.laws.Penalty(), name="c")
    return model, model.static()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("d", "upper", "lower", "both_ways", "within"),
    [
        (2, 4, 4, False, 1e-6),
        (2, 4, 3, False, 0.12),
        (2, 4, 3, True, 0.02),
        (2, 6, 4, True, 0.02),
        (3, 3, 3, False, 1e-6),
    ],
)
def test_pressure_goes_through(d: int, upper: int, lower: int, both_ways: bool, within: float) -> None:
    """The patch test of contact. If nodes meet nodes, stress is uniform to rounding. Points of one side on faces of the
    other do not account for the shared area of the faces: with nodes elsewhere stress next to the surface is off by a
    tenth, the known flaw of one pass; both ways it is off by a hundredth. The resultant is right in all of them."""
    model, run = pressed(d, upper, lower, both_ways)
    mechanism, q = model.mechanism(), run.motion.q[-1]
    force = sum(run.array(f"{names.name}.normal_force")[-1] for names in mechanism.contact_names)
    wide = (
        mechanism.part("upper").displacements(q)[:, :-1].max(axis=0) / SIDE + 1.0
    )  # the pressure acts on deformed area
    assert force == pytest.approx(PRESSURE * SIDE ** (d - 1) * np.prod(wide), rel=1e-4)
    for name in ("lower", "upper"):
        part = mechanism.part(name)
        stress = part.fields(part.fillings[0], part.displacements(q)).stress[..., d - 1, d - 1]
        assert stress == pytest.approx(np.full(stress.shape, -PRESSURE * np.prod(wide)), rel=within)


def momenta(mechanism: Any, motion: Any, k: int) -> tuple[Any, Any, float]:
    """Momentum, angular momentum and kinetic energy of all solids."""
    linear, angular, energy = np.zeros(3), np.zeros(3), 0.0
    for part in mechanism.parts.values():
        x = (part.mesh.nodes + part.displacements(motion.q[k]))[part.mesh.cells]
        v = part.rates(motion.v[k])[part.mesh.cells]
        p = np.einsum("cab,cbi->cai", part.element_masses, v)
        linear, angular, energy = (
            linear + p.sum((0, 1)),
            angular + np.cross(x, p).sum((0, 1)),
            energy + 0.5 * (v * p).sum(),
        )
    return linear, angular, energy


@pytest.mark.slow
def test_two_balls_collide() -> None:
    """Obliquely, in free flight: momentum is conserved to rounding. Angular momentum and energy are conserved to the error
    of mean normals, 0.3 and 1.4 % on balls of 129 nodes, less on finer ones. The step has to resolve a bouncing node: with
    the default stiffness of a solid, five times this one, steps of 0.1 ms would make energy."""
    radius = 0.05
    model = gw.Model("balls", dimension=3, gravity=(0, 0, 0))
    for name, side, height in (("one", -1, 0.004), ("two", 1, -0.004)):
        mesh = gw.mesh.ball(radius, SIZE)
        on = np.zeros(len(mesh.nodes), dtype=bool)
        on[mesh.surface_nodes] = True
        mesh = mesh.with_region("front", nodes=np.flatnonzero(on & (-side * mesh.nodes[:, 0] > 0.2 * radius)))
        model.solid(
            name, mesh.turned(0.3 if side > 0 else 0.0, (1, 0, 0)), at=[side * (radius + 1e-3), 0.0, height],
            material=gw.materials.NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3), density=1000.0,
        )  # fmt: skip
        model.velocity(f"{name}.front", -float(side), 0.0, 0.0)
    model.contact(
        gw.surfaces.Skin("one", "front"), gw.surfaces.SolidSurface("two", "front"), law=gw.laws.Penalty(1e9), name="c"
    )
    run = model.simulate(until=0.02, method="generalized-alpha", step=1e-4, every=5)
    mechanism, last = model.mechanism(), len(run.motion.t) - 1
    (p0, l0, e0), (p1, l1, e1) = (momenta(mechanism, run.motion, k) for k in (0, last))
    assert run.array("c.normal_force").max() > 20.0 and run.array("c.normal_force")[-1] == 0.0
    assert p1 == pytest.approx(p0, abs=1e-12)
    assert l1 == pytest.approx(l0, abs=0.01 * np.abs(l0).max())
    assert 0.9 * e0 < e1 < e0  # the rest is in vibrations
    assert run.evidence.max_energy_residual < 0.03 * e0


@pytest.mark.slow
def test_two_balls_are_pressed_as_hertz_says() -> None:
    """Of different radii and materials: F = 4/3 E* sqrt(R) d^(3/2) with 1/R = 1/R_1 + 1/R_2 and 1/E* the sum of both (1 -
    nu^2) / E. 0.4 % above, with d/R = 0.007, and 1.5 with more cells: a finite ball held at its middle is stiffer than a
    half-space. With the radius or the modulus of one ball alone, the force would be off by a quarter or more."""
    model, depth = gw.Model("balls", dimension=3, gravity=(0, 0, 0)), 8e-5
    for name, radius, young, side in (("lower", 0.02, 1e6, -1), ("upper", 0.03, 2e6, 1)):
        mesh = gw.mesh.ball(radius=radius, size=radius / 2, towards=(0, 0, -side * radius), finest=1.3e-3)
        x, y, z = mesh.nodes.T
        on = np.isin(np.arange(len(x)), mesh.surface_nodes)
        mesh = mesh.with_region("tip", nodes=np.flatnonzero(on & (np.hypot(x, y) < 2e-3) & (side * z < 0)))
        mesh = mesh.with_region("far", nodes=np.flatnonzero(side * z > 0))
        material = gw.materials.LinearElastic(youngs_modulus=young, poissons_ratio=0.3)
        model.solid(name, mesh, material=material, density=1000.0, at=(0, 0, side * (radius - depth / 2)), fixed="far")
    model.contact(
        gw.surfaces.Skin("lower", "tip"), gw.surfaces.SolidSurface("upper", "tip"), law=gw.laws.Penalty(), name="c"
    )
    both, radius = 1.0 / (0.91 / 1e6 + 0.91 / 2e6), 1.0 / (1.0 / 0.02 + 1.0 / 0.03)
    force = 4.0 / 3.0 * both * np.sqrt(radius) * depth**1.5
    assert model.static().array("c.normal_force")[-1] == pytest.approx(force, rel=0.05)


@pytest.mark.parametrize("both_ways", [False, True])
def test_friction_between_two_solids_holds_a_push(both_ways: bool) -> None:
    """At rest, free except for its support; beyond the coefficient nothing holds it."""
    for push in (200.0, 800.0):
        model, side = gw.Model("blocks", gravity=(0, 0)), SIDE / 2
        for name, wide, y, fixed in (("lower", 1.6, -SIDE / 4, {"region": "low_y"}), ("upper", 1.0, SIDE / 4, None)):
            mesh = block(2, 4)
            mesh = dataclasses.replace(mesh, nodes=mesh.nodes * (wide, 1.0))
            material = gw.materials.LinearElastic(youngs_modulus=YOUNG, poissons_ratio=0.3)
            model.solid(name, mesh, at=(0.0, y), material=material, density=1000.0, fixed=fixed)
        model.force("force", at="upper.high_y", value=(push / 2, -PRESSURE * side))
        model.force("force", at="upper.low_y", value=(push / 2, -PRESSURE * side))
        surface = gw.surfaces.SolidSurface("lower", "high_y", both_ways=both_ways)
        friction = {"type": "bristle", "coefficient": 0.5}
        model.contact(gw.surfaces.Skin("upper", "low_y"), surface, law=gw.laws.Penalty(), friction=friction, name="c")
        if push > 0.5 * PRESSURE * SIDE:
            with pytest.raises(DidNotConverge, match="friction does not hold it"):
                model.static()
            continue
        run = model.static()
        assert run.evidence.warnings == []
        total = [np.array([run.array(f"{names.name}.f{x}")[0] for x in "xy"]) for names in run.mechanism.contact_names]
        on_upper = total[0] - (total[1] if both_ways else 0.0)
        assert on_upper == pytest.approx([-push, PRESSURE * SIDE], rel=1e-6)


@pytest.mark.parametrize(
    ("d", "upper", "lower", "both_ways", "push"),
    [
        (2, 4, 4, False, 0.0),
        (2, 4, 4, False, 0.2),
        (2, 5, 4, False, 0.2),
        (2, 5, 4, True, 0.0),
        (3, 4, 4, False, 0.2),
        (3, 4, 5, False, 0.2),
    ],
)
def test_friction_holds_a_block_on_a_dome_to_rounding(
    d: int, upper: int, lower: int, both_ways: bool, push: float
) -> None:
    """Nodes that are inside below convex edges do not jump from face to face: forces balance, where they stopped at 1e-6 or
    were not found at all."""
    model, up, area = gw.Model("dome", dimension=d, gravity=(0,) * d), "xyz"[d - 1], SIDE ** (d - 1)
    material = gw.materials.LinearElastic(youngs_modulus=YOUNG, poissons_ratio=0.3)
    below = block(d, lower)
    nodes = below.nodes * ([1.6] * (d - 1) + [1.0])
    nodes[:, -1] -= (nodes[:, :-1] ** 2).sum(axis=1) * (nodes[:, -1] > 0.0)
    below = dataclasses.replace(below, nodes=nodes)
    place = [0.0] * (d - 1)
    model.solid(
        "lower", below, at=[*place, -SIDE / 4], material=material, density=1000.0, fixed={"region": f"low_{up}"}
    )
    model.solid("upper", block(d, upper), at=[*place, SIDE / 4], material=material, density=1000.0)
    load = PRESSURE * area * np.array([push, 0.3 * push, -1.0] if d == 3 else [push, -1.0])
    for region in (f"high_{up}", f"low_{up}"):
        model.force("force", at=f"upper.{region}", value=(load / 2).tolist())
    surface = gw.surfaces.SolidSurface("lower", f"high_{up}", both_ways=both_ways)
    friction = {"type": "bristle", "coefficient": 0.5}
    model.contact(gw.surfaces.Skin("upper", f"low_{up}"), surface, law=gw.laws.Penalty(), friction=friction, name="c")
    run = model.static()
    assert run.evidence.warnings == []
    total = [np.array([run.array(f"{names.name}.f{x}")[0] for x in "xyz"[:d]]) for names in run.mechanism.contact_names]
    on_upper = total[0] - (total[1] if both_ways else 0.0)
    assert on_upper == pytest.approx(-load, abs=1e-9 * PRESSURE * area)
