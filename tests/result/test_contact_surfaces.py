"""Outputs of contact surfaces of solids: resultant, area, centre of pressure, pressure at nodes and per sensor cell."""

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError

LENGTH, WIDTH, HEIGHT, PRESSURE = 0.1, 0.08, 0.05, 500.0


def pressed(d: int, elements: str) -> Any:
    """A stiff block on the ground, loaded at its top, at rest."""
    model = gw.Model("block", dimension=d, gravity=(0.0,) * d)
    mesh = gw.mesh.rectangle((LENGTH, HEIGHT), (4, 2)) if d == 2 else gw.mesh.box((LENGTH, WIDTH, HEIGHT), (4, 3, 2))
    material = gw.materials.LinearElastic(youngs_modulus=1e7, poissons_ratio=0.3)
    middle = (*[0.0] * (d - 1), HEIGHT / 2)
    model.solid(
        "block",
        mesh,
        material=material,
        density=1000.0,
        elements=elements,
        at=middle,
        thickness=WIDTH if d == 2 else None,
    )
    ground = gw.surfaces.LineGround(0.0) if d == 2 else gw.surfaces.PlaneGround(0.0)
    model.contact(gw.surfaces.Skin("block", "bottom"), ground, law=gw.laws.Penalty(), name="sole")
    return model.force("traction", on="block.top", value=[*[0.0] * (d - 1), -PRESSURE]).static()


@pytest.mark.parametrize(("d", "elements"), [(2, "linear"), (2, "quadratic"), (3, "linear"), (3, "quadratic")])
def test_uniform_pressure(d: int, elements: str):
    run = pressed(d, elements)
    force = PRESSURE * LENGTH * WIDTH
    assert run.array("sole.normal_force")[0] == pytest.approx(force, rel=1e-9)
    assert run.array("sole.f" + "xyz"[d - 1])[0] == pytest.approx(force, rel=1e-9)
    assert run.array("sole.area")[0] == pytest.approx(LENGTH * WIDTH, rel=1e-12)
    assert run.array("sole.largest_pressure")[0] == pytest.approx(PRESSURE, rel=1e-7)
    assert abs(run.array("sole.x")[0]) < 1e-9
    nodal = run.solid("block", "contact_pressure").contact_pressure.values[0]
    bottom = np.abs(run.mechanism.parts["block"].mesh.nodes[:, -1]) < 1e-12
    assert nodal[bottom] == pytest.approx(PRESSURE, rel=1e-7) and not nodal[~bottom].any()
    for cell in (0.0051, 0.02):
        found = run.pressure("sole", cell=cell)
        assert float(found.sum()) * cell ** (d - 1) * (WIDTH if d == 2 else 1.0) == pytest.approx(force, rel=1e-9)
    inner = run.pressure("sole", cell=0.02).sel(x=slice(-0.03, 0.03))
    inner = inner if d == 2 else inner.sel(y=slice(-0.02, 0.02))
    assert inner.values == pytest.approx(PRESSURE, rel=0.15)


def test_centre_of_pressure_of_an_eccentric_load():
    """Within a sixth of its length the whole surface is loaded; the centre is below the load, and the pressure has no
    moment."""
    model = gw.Model("block", dimension=3, gravity=(0, 0, -9.81))
    material = gw.materials.LinearElastic(youngs_modulus=1e7, poissons_ratio=0.3)
    mesh = gw.mesh.box((LENGTH, WIDTH, HEIGHT), (4, 3, 2))
    model.solid(
        "block", mesh, material=material, density=1000.0, at=(0, 0, HEIGHT / 2), points={"P": (0.025, 0, HEIGHT)}
    )
    model.contact(gw.surfaces.Skin("block", "bottom"), gw.surfaces.PlaneGround(0.0), law=gw.laws.Penalty(), name="sole")
    run = model.force("force", at="block.P", value=[0, 0, -2.0]).static()
    node = mesh.moved((0, 0, HEIGHT / 2)).nodes[int(run.mechanism.parts["block"].points["P"][0])]
    weight = 1000.0 * 9.81 * LENGTH * WIDTH * HEIGHT
    assert run.array("sole.normal_force")[0] == pytest.approx(weight + 2.0, rel=1e-9)
    assert run.array("sole.x")[0] == pytest.approx(
        2.0 * node[0] / (weight + 2.0), rel=1e-3
    )  # the block is strained by 1e-5


def test_skin_is_saved_and_unknown_names_are_refused(tmp_path: Any):
    run = pressed(2, "linear")
    path = run.save_solid("block", tmp_path, "contact_pressure")
    assert "contact_pressure" in (tmp_path / "block_00000.vtu").read_text(errors="ignore") and path.exists()
    with pytest.raises(ModelError, match=r"there is no contact 'sol' of a surface.*sole"):
        run.pressure("sol")
    with pytest.raises(ModelError, match="cell"):
        run.pressure("sole", cell=0.0)
