"""Solids in a model: files, supports and loads, compared with closed forms; and invalid input."""

import re

import numpy as np
import pytest
from scipy.optimize import fsolve

import gaitwright as gw
from gaitwright._core.error_context import ErrorContext
from gaitwright.physics.materials.base import lame_constants

E, NU = 1e6, 0.3
SOFT = {"type": "neo-hookean", "youngs_modulus": E, "poissons_ratio": NU, "density": 1000.0}
SIDES = (0.1, 0.02, 0.02)


def bar(elements: str = "linear", dimension: int = 3, material=None, **fields) -> gw.Model:
    """A bar along x, on rollers: a pull makes it uniformly longer and thinner."""
    mesh = gw.mesh.box(SIDES, (3, 2, 2)) if dimension == 3 else gw.mesh.rectangle(SIDES[:2], (3, 2))
    rollers = [{"region": "left", "axes": "x"}, {"region": "front" if dimension == 3 else "bottom", "axes": "y"}]
    rollers += [{"region": "bottom", "axes": "z"}] if dimension == 3 else []
    model = gw.Model("bar", dimension=dimension, gravity=(0.0,) * dimension)
    return model.solid("bar", mesh, material=material or SOFT, fixed=rollers, elements=elements, **fields)


def stretches(stress: float, dimension: int, nu: float = NU) -> tuple[float, float]:
    """Stretches along and across a neo-Hookean bar with a force per undeformed area; plane strain keeps one side constant."""
    lame, mu = lame_constants(ErrorContext(""), youngs_modulus=E, poissons_ratio=nu)

    def off(x):
        a, b = x
        J = a * b * (b if dimension == 3 else 1.0)
        return [mu * (a - 1 / a) + lame * np.log(J) / a - stress, mu * (b - 1 / b) + lame * np.log(J) / b]

    return tuple(fsolve(off, [1.2, 0.9], xtol=1e-13))


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("elements", ["linear", "quadratic"])
def test_pulled_by_a_traction(elements, dimension):
    model = bar(elements, dimension)
    model.force("traction", "pull", on="bar.right", value=[4e5, 0.0, 0.0][:dimension])
    found = model.static()
    along, across = stretches(4e5, dimension)
    assert found.array("bar.right.x")[0] + SIDES[0] / 2 == pytest.approx(along * SIDES[0], rel=1e-9)
    side = "bar.back.y" if dimension == 3 else "bar.top.y"
    assert found.array(side)[0] + SIDES[1] / 2 == pytest.approx(across * SIDES[1], rel=1e-9)
    lame, J = (
        lame_constants(ErrorContext(""), youngs_modulus=E, poissons_ratio=NU)[0],
        along * across ** (dimension - 1),
    )
    pulled, pressed = (
        4e5 / across ** (dimension - 1),
        lame * np.log(J) / J if dimension == 2 else 0.0,
    )  # the latter across
    mises = np.sqrt(pulled**2 - pulled * pressed + pressed**2)
    assert found.array("bar.von_mises")[0] == pytest.approx(mises, rel=1e-9)


@pytest.mark.parametrize("dimension", [2, 3])
def test_check_reports_the_supports_of_a_solid(dimension):
    """Ground and bodies to which its regions are fixed count as supports; a free solid has a warning."""
    mesh = gw.mesh.box(SIDES, (2, 1, 1)) if dimension == 3 else gw.mesh.rectangle(SIDES[:2], (2, 1))
    inertia = 1.0 if dimension == 2 else [1.0, 1.0, 1.0]
    fixed = {"held": "left", "tied": [{"region": "left", "to": "plate"}, "right"], "loose": ()}
    model = gw.Model("bar", dimension=dimension).body("plate", mass=1.0, inertia=inertia)
    for name, held in fixed.items():
        model.solid(name, mesh, material=SOFT, fixed=held)
    found = model.check()
    assert {solid.name: solid.held_by for solid in found.solids} == {
        "held": ["ground"], "tied": ["ground", "plate"], "loose": [],
    }  # fmt: skip
    assert [text for text in found.warnings if "not connected" in text] == [
        "solid 'loose' is not connected to anything"
    ]
    cells = "4 T3, 6" if dimension == 2 else "12 TET4, 12"
    assert any(line.startswith(f"solid loose: {cells} nodes, 100 x 20") for line in found.lines())


def test_force_on_a_region_is_distributed_uniformly():
    """Like a traction of the same size: the middle of a region is that of its area."""
    model = bar()
    model.force.at_point("bar.right", [160.0, 0.0, 0.0])
    assert model.static().array("bar.right.x")[0] + SIDES[0] / 2 == pytest.approx(
        stretches(4e5, 3)[0] * SIDES[0], rel=1e-9
    )


@pytest.mark.parametrize("dimension", [2, 3])
def test_pressure_follows_the_surface(dimension):
    """Pressed from all sides, a solid keeps its shape: p = -dW/dJ, per deformed area."""
    model = bar("linear", dimension)
    for side in ("right", "back", "top") if dimension == 3 else ("right", "top"):
        model.force("pressure", f"push-{side}", on=f"bar.{side}", value=2e5)
    found = model.static()
    lame, mu = lame_constants(ErrorContext(""), youngs_modulus=E, poissons_ratio=NU)

    def off(a):
        J = a**dimension
        return mu * (a - 1 / a) + lame * np.log(J) / a + 2e5 * a ** (dimension - 1)

    (a,) = fsolve(off, [0.9], xtol=1e-13)
    assert found.array("bar.volume")[0] == pytest.approx(a**dimension * np.prod(SIDES[:dimension]), rel=1e-9)


def test_weight_and_reaction_of_a_hanging_bar():
    """Stretched by its weight: linear elastic, rho g L^2 / (2 E) at the end, in a long thin bar."""
    model = gw.Model("rod", dimension=3, gravity=(9.81, 0.0, 0.0))
    linear = {"type": "linear-elastic", "youngs_modulus": E, "poissons_ratio": 0.0, "density": 1000.0}
    model.solid("rod", gw.mesh.box(SIDES, (4, 1, 1)), material=linear, fixed="left", elements="quadratic")
    found = model.static()
    stretched = 1000.0 * 9.81 * SIDES[0] ** 2 / (2 * E)
    assert found.array("rod.right.x")[0] - SIDES[0] / 2 == pytest.approx(stretched, rel=1e-9)
    assert found.array("rod.left.reaction_x")[0] == pytest.approx(-1000.0 * 9.81 * np.prod(SIDES), rel=1e-9)
    lost = (
        (1000.0 * 9.81) ** 2 * SIDES[1] * SIDES[2] * SIDES[0] ** 3 / (6 * E)
    )  # twice that by its weight, half of it stored
    assert found.array("energy.potential")[0] == pytest.approx(-lost, rel=1e-9)


def test_free_flight_keeps_momentum_and_energy():
    model = gw.Model("block", dimension=3, gravity=(0.0, 0.0, -9.81))
    model.solid(
        "block", gw.mesh.box((0.1, 0.08, 0.06), 2), material={**SOFT, "youngs_modulus": 1e5}, at=(0.0, 0.0, 1.0)
    )
    for node, velocity in ((1, (0.0, 0.3, 1.0)), (27, (0.0, -0.3, 0.5)), (3, (0.2, 0.0, 0.0))):
        model.velocity(f"block.node{node}", *velocity)
    run = model.simulate(until=0.05, step=5e-4)
    start, t = run.array("block.vz")[0], run.time
    assert run.array("block.vz") == pytest.approx(start - 9.81 * t, abs=1e-9)
    assert run.array("block.vx") == pytest.approx(run.array("block.vx")[0], abs=1e-9)
    assert run.evidence.max_energy_residual < 1e-4 * float(run.array("energy.kinetic")[0])


def test_solid_attached_to_a_linkage():
    """A spring and a link attach to points of a solid; a weld cannot."""
    model = bar(material={**SOFT, "poissons_ratio": 0.0})  # so that its middle stays on the axis
    model.ground_point("O", 0.2, 0.0, 0.0).force.spring_damper(
        "ground.O", "bar.right", stiffness=500.0, rest_length=0.1
    )
    found = model.static()
    pull = 500.0 * (0.2 - found.array("bar.right.x")[0] - 0.1)
    along = stretches(pull / (SIDES[1] * SIDES[2]), 3, 0.0)[0]
    assert found.array("bar.right.x")[0] + SIDES[0] / 2 == pytest.approx(along * SIDES[0], rel=1e-9)
    with pytest.raises(gw.ModelError, match="has a position but no axes"):
        model.joint.fixed("ground.O", "bar.right").mechanism()


def test_several_materials_and_points():
    mesh = gw.mesh.box(SIDES, (4, 1, 1))
    thick = {**SOFT, "poissons_ratio": 0.0}  # so that the halves do not disturb each other
    halves = [{**thick, "region": {"box": [[-1, -1, -1], [0, 1, 1]]}}, {**thick, "youngs_modulus": 2 * E}]
    model = gw.Model("bar", dimension=3, gravity=(0, 0, 0))
    rollers = [{"region": side, "axes": axis} for side, axis in (("left", "x"), ("front", "y"), ("bottom", "z"))]
    model.solid("bar", mesh, material=halves, fixed=rollers, points={"middle": (0, 0.01, 0.01)})
    model.force("traction", on="bar.right", value=[1.0, 0, 0])  # so small that everything is linear
    found = model.static()
    soft, whole = found.array("bar.middle.x")[0], found.array("bar.right.x")[0] - SIDES[0] / 2
    assert soft == pytest.approx(SIDES[0] / 2 / E, rel=1e-5)
    assert whole - soft == pytest.approx(soft / 2, rel=1e-5)


def test_solid_is_saved_and_read_back(tmp_path):
    model = bar()
    model.force("traction", "pull", on="bar.right", value=["p", 0.0, 0.0])
    model.document.parameters["p"] = 4e5
    found = gw.load(model.save(tmp_path / "bar.yaml")).static()
    assert found.array("bar.right.x")[0] == pytest.approx(model.static().array("bar.right.x")[0], rel=1e-12)
    again = gw.load_result(found.save(tmp_path / "bar.nc"))
    assert again.array("bar.von_mises") == pytest.approx(found.array("bar.von_mises"))


BOX = {"nodes": gw.mesh.box(SIDES, 1).nodes.tolist(), "cells": gw.mesh.box(SIDES, 1).cells}
WRONG = [
    ({"material": {**SOFT, "type": "neo-hooke"}}, "neo-hookean"),
    ({"material": {"type": "neo-hookean", "youngs_modulus": E, "poissons_ratio": NU}}, "density"),
    ({"material": {**SOFT, "stiffness": 3.0}}, "stiffness"),
    ({"material": [{**SOFT, "region": "left"}]}, "no cell|without a material"),
    ({"fixed": "bottle"}, "bottom"),
    ({"fixed": {"box": [[1, 1, 1], [2, 2, 2]]}}, "no node"),
    ({"fixed": {"region": "left", "axes": "w"}}, "no axis"),
    ({"fixed": {"box": [[-1, -1, -1], [1, 1, 1]]}}, "holds every node"),
    ({"mesh": {"bax": {"sides": [1, 1, 1]}}}, "box"),
    ({"mesh": {"box": {"size": 0.1}}}, "box cannot be made"),
    ({"mesh": {"box": {"side": [1, 1, 1]}}}, "is no size of a box.*did you mean 'sides'"),
    ({"fixed": {"plane": [1, 0, 0, 0.0503]}}, r"reaches from \(-0.05, .*nearest node is 0.0003 m off \(within"),
    ({"mesh": "nowhere.vtu"}, "nowhere.vtu"),
    ({"thickness": 0.1}, "plane"),
    ({"fixed": {"region": "left", "axes": 1}}, "letters"),
    ({"points": {"tip": (1, 2)}}, r"points\.tip.*3 numbers"),
    ({"at": (1, 2)}, "'at'.*3 numbers"),
    ({"material": {**SOFT, "damping": -1.0}}, "solid 'bar' field 'damping'"),
    ({"material": {**SOFT, "poissons_ratio": 0.5}}, "solid 'bar', material 'neo-hookean' field 'poissons_ratio'"),
    ({"material": {**SOFT, 1: 2}}, "is no material"),
    ({"material": {**SOFT, "region": "nope"}}, "solid 'bar', region 'nope'"),
    ({"fixed": {"region": "left", "axes": ""}}, "is no axis"),
    ({"angle": 1.0, "axis": (0, 0, 0)}, "'axis'.*no direction"),
    ({"mesh": {"nodes": "x", "cells": []}}, "solid 'bar' field 'mesh.nodes'.*not a list of numbers"),
    ({"mesh": {**BOX, "cells": BOX["cells"][:, [1, 0, 2, 3]].tolist()}}, "solid 'bar' field 'mesh.cells'.*inside out"),
    ({"mesh": {**BOX, "cells": [[0, 1, 2, 99]]}}, "solid 'bar' field 'mesh.cells'"),
    ({"mesh": {**BOX, "cells": BOX["cells"].tolist(), "regions": 3}}, "solid 'bar' field 'mesh.regions'.*no names"),
    ({"mesh": gw.mesh.box(SIDES, 1).surface()}, "is a surface, with nothing inside"),
    ({"mesh": {"box": {"sides": [0, 1, 1], "divisions": 1}}}, "solid 'bar', box field 'sides'"),
]


@pytest.mark.parametrize(("change", "said"), WRONG, ids=[said for _, said in WRONG])
def test_invalid_solid_has_a_message(change, said):
    fields = {"mesh": gw.mesh.box(SIDES, 1), "material": SOFT, "fixed": "left", **change}
    with pytest.raises(gw.ModelError, match=said):
        gw.Model("bar", dimension=3).solid("bar", fields.pop("mesh"), **fields).mechanism()


def test_load_on_an_unknown_region_is_rejected():
    with pytest.raises(gw.ModelError, match=r"bar\.right"):
        bar().force("pressure", on="bar.rigth", value=1.0).mechanism()


def test_probable_mistakes_give_warnings():
    """Millimetres taken for metres, and linear elements with nearly constant volume."""

    def warnings(mesh, nu=NU):
        model = gw.Model("bar", dimension=3).solid("bar", mesh, material={**SOFT, "poissons_ratio": nu}, fixed="left")
        return list(model.mechanism().warnings)

    small = gw.mesh.box(SIDES, 1)
    assert warnings(small) == [] and warnings(small.quadratic(), 0.49) == []
    assert "millimetres" in warnings(small.scaled(1000.0))[0]
    assert "take TET10" in warnings(small, 0.49)[0]


def test_unsupported_pieces_are_reported():
    one = gw.mesh.box(SIDES, 1)
    nodes = np.vstack([one.nodes, one.moved((0.0, 0.1, 0.0)).nodes])
    cells = np.vstack([one.cells, one.cells + len(one.nodes)])
    for held, said in ((0.0, "nothing of 1 of them .6 cells."), (0.1, "2 pieces that share no node$")):
        place = {"box": [[-1.0, -0.05, -1.0], [-0.049, held + 0.05, 1.0]]}
        model = gw.Model("two", dimension=3).solid("two", gw.mesh.Mesh(nodes, cells), material=SOFT, fixed=place)
        (note,) = model.mechanism().warnings
        assert re.search(said, note)


@pytest.mark.parametrize("how", ["static", "path", "motion"])
def test_failed_analysis_keeps_the_solved_part(how):
    """Compressed by a force that no bar withstands."""
    model = gw.Model("bar", dimension=3).solid("bar", gw.mesh.box(SIDES, (4, 1, 1)), material=SOFT, fixed="left")
    model.force("traction", on="bar.right", value=["-1e9*t" if how != "static" else -1e8, 0.0, 0.0])
    with pytest.raises(gw.AnalysisError) as caught:
        {
            "static": model.static,
            "path": lambda: model.static_path(1.0),
            "motion": lambda: model.simulate(0.1, step=1e-3),
        }[how]()
    assert "\n" not in str(caught.value) and "no mass" not in str(caught.value)
    assert (
        caught.value.partial is not None and np.isfinite(caught.value.partial.array("bar.largest_displacement")).all()
    )
    assert how != "motion" or "turned inside out" in str(caught.value)
