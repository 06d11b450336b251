"""Quasi-static solids in a model: forces, energies, events; in the plane and in space, on ground and bodies."""

import numpy as np
import pytest

import gaitwright as gw

R, NU, E, MASS = 0.1, 0.3, 3e6, 1.0
PLANES = {2: {"line": [0, 1, 0]}, 3: {"plane": [0, 0, 1, 0]}}
FREE = {"tolerance": 1e-8, "output_step": 0.0}


def ball(
    dimension, over=0.05, inside=None, plane=None, slab=None, velocity=None, turned=0.0, place=None, angle=None, gravity=9.81,
    condensed=False,
):  # fmt: skip
    """A ball (in the plane a disc) with a rigid core, above the ground. inside: m, initial indentation as drawn. turned: the
    frame of the core, rad; angle: the mesh."""
    up = np.eye(dimension)[-1]
    model = gw.Model("ball", dimension=dimension, gravity=tuple(-gravity * up))
    place = (R + (over if inside is None else -inside)) * up if place is None else np.array(place)
    inertia = 0.4 * MASS * R**2
    how = {"angle": turned} if dimension == 2 else {"orientation": {"angles": [0.0, turned, 0.0]}}
    model.body("core", mass=MASS, inertia=inertia if dimension == 2 else [inertia] * 3, at=place.tolist(), **how,
               **({"velocity": velocity} if velocity else {}))  # fmt: skip
    if slab:
        model.body("slab", **slab)
    shape = {"disc": {"radius": R, "size": 0.04}} if dimension == 2 else {"ball": {"radius": R, "size": 0.04}}
    rigid = {"sphere": {"centre": place.tolist(), "radius": 0.5 * R}}
    model.solid(
        "skin", shape, material={"type": "neo-hookean", "youngs_modulus": E, "poissons_ratio": NU}, at=place.tolist(),
        fixed=rigid, angle=angle,
        quasi_static={"body": "core", **(plane or PLANES[dimension]), **({"condensed": True} if condensed else {})},
    )  # fmt: skip
    return model


@pytest.mark.parametrize(
    ("dimension", "condensed", "method"),
    [
        (2, False, "dopri5"),
        (2, False, "radau5"),
        (2, True, "rosenbrock23"),
        (3, False, "rosenbrock23"),
        (3, True, "dopri5"),
    ],
)
def test_a_ball_bounces_without_loss(dimension, condensed, method):
    """Touchdown is detected, though steps in free flight are longer than the whole impact; and the energy of the solid closes
    the balance."""
    tolerance = 1e-6 if method == "rosenbrock23" else 1e-9
    run = ball(dimension, condensed=condensed).simulate(0.2, method=method, tolerance=tolerance, output_step=0.0)
    axis = "xyz"[dimension - 1]
    speed, gap = run.array(f"core.v{axis}"), run.array("skin.gap")
    touchdown = run.time[np.flatnonzero(gap < 1e-6)[0]]
    low = gap[0]  # of the mesh: its lowest node need not be at the bottom
    assert touchdown == pytest.approx(np.sqrt(2 * low / 9.81), rel=1e-3)
    assert speed.max() == pytest.approx(-speed.min(), rel=1e-3)  # a mesh is not quite round: it rotates slightly
    assert run.evidence.max_energy_residual < (1e-4 if method == "rosenbrock23" else 2e-7)
    assert run.array("skin.energy").max() > 0.9 * 9.81 * MASS * low
    assert run.evidence.events >= 1


@pytest.mark.parametrize("condensed", [False, True])
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_ground_carries_the_weight_in_equilibrium(dimension, condensed):
    run = ball(dimension, inside=1e-4, condensed=condensed).static()
    assert run.array("skin.normal_force")[0] == pytest.approx(9.81 * MASS, rel=1e-8)
    assert run.array(f"skin.f{'xyz'[dimension - 1]}")[0] == pytest.approx(9.81 * MASS, rel=1e-8)
    assert run.array("skin.touching")[0] > 0 and run.array("skin.contact_area")[0] > 0.0


def test_the_solid_turns_with_its_body():
    """Everything drawn rotated by 90 degrees, plane and mesh, on a body with any rotation of its frame: the same force,
    rotated."""
    upright = ball(2, inside=3e-3).simulate(1e-6, step=1e-6).array("skin.normal_force")[0]
    side = {"line": {"point": "ground.W", "normal": [1, 0]}}
    model = ball(2, place=[R - 3e-3, 0.4], plane=side, turned=0.7, angle=-np.pi / 2).ground_point("W", 0.0, 0.0)
    run = model.simulate(1e-6, step=1e-6)
    assert upright > 100.0
    assert run.array("skin.fx")[0] == pytest.approx(upright, rel=1e-9)
    assert abs(run.array("skin.fy")[0]) < 1e-9 * upright


def test_the_carrier_may_be_named_with_what_is_fixed():
    document = ball(3, inside=2e-3).to_dict()
    wanted = gw.Model.from_dict(document).static().array("skin.normal_force")
    solid = document["solids"][0]
    solid["fixed"] = {"region": solid["fixed"], "to": solid["quasi_static"].pop("body")}
    assert gw.Model.from_dict(document).static().array("skin.normal_force") == pytest.approx(wanted)


def test_a_plane_on_a_body_is_pushed_back():
    """Two free bodies: momentum and energy are exchanged without loss."""
    slab = {"mass": 2.0, "inertia": 0.05, "at": [0.03, -0.02], "points": {"A": [0.0, 0.02]}}
    model = ball(
        2,
        over=1e-3,
        plane={"line": {"point": "slab.A", "normal": [0, 1]}},
        slab=slab,
        velocity=[0.0, -1.0],
        gravity=0.0,
    )
    run = model.simulate(0.05, method="radau5", **FREE)
    both = {body: np.array([run.array(f"{body}.v{axis}") for axis in "xy"]) for body in ("core", "slab")}
    momentum = MASS * both["core"] + 2.0 * both["slab"]
    assert np.abs(momentum - [[0.0], [-1.0]]).max() < 1e-9
    assert both["slab"][1].min() < -0.1 and abs(run.array("slab.spin")).max() > 0.1
    assert run.evidence.max_energy_residual < 1e-6


def test_outlines_and_fields_without_coordinates(tmp_path):
    run = ball(3, over=1e-3, velocity=[0, 0, -1.0]).simulate(0.01, output_step=1e-3)
    stress = run.solid("skin", "von_mises").von_mises.values
    assert stress.shape[0] == run.time.size and run.array("skin.von_mises").max() >= stress.max() > 1e3
    assert (run.array("skin.largest_pressure") > 0.0).sum() == (run.array("skin.normal_force") > 0.0).sum()
    shown = run.mechanism.parts["skin"].deforming(run.motion)
    middle = shown.points.mean(axis=1)[:, 2] - run.array("core.z")
    assert np.abs(middle).max() < 0.1 * R
    assert run.animate(tmp_path / "ball.html").exists()


WRONG = {
    "no body": ({"body": "nobody"}, "quasi_static.body'.*there is no body or link 'nobody'"),
    "the ground": ({"body": "ground"}, "is the ground, on which a force has no effect"),
    "no plane": ({"plane": None}, r"plane.*expected \[a, b, c, d\]"),
    "a line in space": ({"line": [0, 1, 0]}, "2 dimensions"),
    "no direction": ({"plane": [0, 0, 0, 1]}, "no direction"),
    "no side": ({"region": {"sphere": {"centre": [0, 0, 0.15], "radius": 0.01}}}, "has no side on the surface"),
    "soft as air": ({"stiffness": -1.0}, "quasi_static.stiffness'.*must be greater than zero"),
    "condensed and penetrating": ({"stiffness": 1e9, "condensed": True}, "do not penetrate"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_gives_a_message(name):
    change, words = WRONG[name]
    document = ball(3).to_dict()
    document["solids"][0]["quasi_static"] |= change
    with pytest.raises(gw.ModelError, match=words):
        gw.Model.from_dict(document).simulate(0.01)


def test_invalid_quasi_static_solid_is_refused():
    document = ball(3).to_dict()
    document["solids"][0]["material"]["damping"] = 1e-3
    with pytest.raises(gw.ModelError, match="damped"):
        gw.Model.from_dict(document).simulate(0.01)
    document["solids"][0]["material"].pop("damping")
    document["solids"][0]["fixed"] = None
    with pytest.raises(gw.ModelError, match="nothing ties the solid to its body"):
        gw.Model.from_dict(document).simulate(0.01)
    for field, value, said in (
        ("thickness", 0.1, "'thickness'.*belongs to a solid of the plane"),
        ("velocity", [0, 0, 1], "'velocity'.*follows 'core'"),
        ("spin", [0, 0, 1], "'spin'.*follows 'core'"),
        ("material", {"type": "neo-hookean", "youngs_modulus": E, "poissons_ratio": 0.5}, "solid 'skin', material"),
    ):
        document = ball(3).to_dict()
        document["solids"][0][field] = value
        with pytest.raises(gw.ModelError, match=said):
            gw.Model.from_dict(document).mechanism()
    document = ball(3).to_dict()
    document["solids"][0]["fixed"] = {"region": document["solids"][0]["fixed"], "to": "slab"}
    with pytest.raises(gw.ModelError, match="carried by core and slab"):
        gw.Model.from_dict(document).simulate(0.01)
    with pytest.raises(gw.ModelError, match="carries it"):
        ball(3).force("force", at="skin.node1", value=[0, 0, 1]).simulate(0.01)
    for touching, surface in (
        (gw.surfaces.Skin("skin"), gw.surfaces.PlaneGround()),
        (gw.surfaces.Skin("other"), gw.surfaces.SolidSurface("skin")),
    ):
        model = ball(3)
        model.solid("other", gw.mesh.box((1.0, 1.0, 1.0), 1), material=gw.materials.LinearElastic(E, NU), density=1.0)
        with pytest.raises(gw.ModelError, match="is quasi-static"):
            model.contact(touching, surface, law=gw.laws.Penalty()).mechanism()
