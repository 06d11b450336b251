"""Surfaces of solids in contact, against closed forms: weights, uniform pressure, slopes, Hertz."""

from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import DidNotConverge, ModelError
from gaitwright.result.contact_episodes import contact_columns, sample_contacts

SIDES, DENSITY, G = {2: (0.1, 0.05), 3: (0.1, 0.08, 0.05)}, 1000.0, 9.81
BRISTLES = {"type": "bristle", "coefficient": 0.5}
LAWS = {
    "penalty": gw.laws.Penalty(),
    "quadratic": gw.laws.QuadraticPenalty(),
    "exact": gw.laws.AugmentedLagrange(tolerance=1e-9),
}
KINDS = pytest.mark.parametrize(("d", "elements"), [(2, "linear"), (2, "quadratic"), (3, "linear"), (3, "quadratic")])


def block(
    d: int,
    elements: str = "linear",
    height: float = 0.0,
    slope: float = 0.0,
    law: Any = None,
    weight: bool = True,
    damping: float = 0.0,
    **more: Any,
) -> gw.Model:
    """A block on a plane, gravity being turned by the slope."""
    g = G if weight else 0.0
    down = (g * np.sin(slope), *([0.0] if d == 3 else []), -g * np.cos(slope))
    model = gw.Model("block", dimension=d, gravity=down)
    mesh = gw.mesh.rectangle(SIDES[2], (3, 2)) if d == 2 else gw.mesh.box(SIDES[3], (3, 2, 2))
    model.solid(
        "block",
        mesh,
        material={"type": "neo-hookean", "youngs_modulus": 1e5, "poissons_ratio": 0.3, "damping": damping},
        density=DENSITY,
        elements=elements,
        at=(*[0.0] * (d - 1), SIDES[d][-1] / 2 + height),
    )
    ground = gw.surfaces.LineGround(0.0) if d == 2 else gw.surfaces.PlaneGround(0.0)
    return model.contact(gw.surfaces.Skin("block", "bottom"), ground, law=law or gw.laws.Penalty(), name="sole", **more)


def weight_of(d: int) -> float:
    return DENSITY * G * float(np.prod(SIDES[d]))


def pressures(model: gw.Model, run: Any) -> Any:
    """Of all points at the end, Pa by undeformed area."""
    d = run.mechanism.dimension
    normal = sample_contacts(run.mechanism, run.motion)[-1, :, contact_columns(d).index("normal")]
    return normal / run.mechanism.contact_names[0].skin.areas


@KINDS
@pytest.mark.parametrize("height", [0.0, 0.01, -2e-4])
def test_a_block_finds_its_place_on_the_ground(d: int, elements: str, height: float):
    """Nothing but contact holds it, wherever it is drawn."""
    run = block(d, elements, height).static()
    assert run.array("sole.normal_force")[0] == pytest.approx(weight_of(d), rel=1e-9)
    assert 0.0 < run.array("sole.penetration")[0] < 1e-4


@KINDS
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_uniform_load_makes_a_uniform_pressure(d: int, elements: str, law: Any):
    model = block(d, elements, law=law, weight=False)
    model.force("pressure", on="block.top", value=500.0)
    run = model.static()
    found, area = pressures(model, run), float(np.prod(SIDES[d][:-1]))
    assert run.array("sole.normal_force")[0] == pytest.approx(
        500.0 * area, rel=2e-2
    )  # it follows the top, which widens
    assert np.abs(found / found.mean() - 1.0).max() < 1e-9


@KINDS
def test_without_penetration(d: int, elements: str):
    run = block(d, elements, law=gw.laws.AugmentedLagrange(tolerance=1e-9)).static()
    assert run.array("sole.penetration")[0] <= 1e-9
    assert run.array("sole.normal_force")[0] == pytest.approx(weight_of(d), rel=1e-9)


@pytest.mark.parametrize("d", [2, 3])
def test_on_a_slope_it_sticks_up_to_the_angle_of_friction(d: int):
    for angle in (15.0, 25.0):  # atan 0.5 = 26.6 degrees
        run = block(d, slope=np.radians(angle), friction=BRISTLES).static()
        assert run.array("sole.normal_force")[0] == pytest.approx(weight_of(d) * np.cos(np.radians(angle)), rel=1e-8)
        assert -run.array("sole.fx")[0] == pytest.approx(weight_of(d) * np.sin(np.radians(angle)), rel=1e-8)
    with pytest.raises(DidNotConverge, match="slide"):
        block(d, slope=np.radians(28.0), friction=BRISTLES).static()


@pytest.mark.parametrize("d", [2, 3])
def test_a_push_is_held_up_to_the_coefficient_times_the_weight(d: int):
    for part in (0.1, 0.98):
        model = block(d, friction=BRISTLES)
        push = part * 0.5 * weight_of(d)
        model.force("force", at="block.bottom", value=[push, *[0.0] * (d - 1)])
        assert -model.static().array("sole.fx")[0] == pytest.approx(push, rel=1e-8)
    model = block(d, friction=BRISTLES)
    model.force("force", at="block.bottom", value=[1.02 * 0.5 * weight_of(d), *[0.0] * (d - 1)])
    with pytest.raises(DidNotConverge, match="finds no rest in contact 'sole': friction does not hold it"):
        model.static()


@pytest.mark.parametrize(
    ("friction", "neutral"), [(None, 3), ({"type": "bristle", "coefficient": 0.0}, 3), (BRISTLES, 0)]
)
@pytest.mark.parametrize("shape", ["ball", "pad"])
def test_free_body_comes_to_rest(shape: str, friction: Any, neutral: int):
    """A coarse ball rolls from its lowest node on to a face. Without friction nothing holds it in the plane: that is
    reported."""
    model = gw.Model("free", dimension=3, gravity=(0, 0, -G))
    mesh = gw.mesh.ball(0.05, 0.025) if shape == "ball" else gw.mesh.pad((0.25, 0.09), 0.03, 0.03)
    material = gw.materials.NeoHookean(youngs_modulus=1e5, poissons_ratio=0.3)
    model.solid("body", mesh, material=material, density=DENSITY, at=(0, 0, 1e-3 - mesh.bounds[0, 2]))
    model.contact(
        gw.surfaces.Skin("body"), gw.surfaces.PlaneGround(0.0), law=gw.laws.Penalty(), friction=friction, name="sole"
    )
    run = model.static()
    assert run.array("sole.normal_force")[0] == pytest.approx(DENSITY * G * mesh.volume, rel=1e-9)
    said = [f"neutral equilibrium: {neutral} free motions have no stiffness; no force holds solid 'body' in this place"]
    assert run.evidence.warnings == (said if neutral else [])


def test_a_pressed_block_sticks_in_the_middle_and_slides_at_its_edges():
    """It widens under pressure on top; friction holds its sole together, as much as it can."""
    model = gw.Model("block", gravity=(0, 0))
    mesh = gw.mesh.rectangle((0.1, 0.03), (16, 4))
    model.solid(
        "block", mesh, material=gw.materials.NeoHookean(youngs_modulus=1e5, poissons_ratio=0.4), density=DENSITY
    )
    ground, friction = gw.surfaces.LineGround(mesh.bounds[0, 1]), gw.friction.Bristle(0.2, 1e8)
    model.contact(gw.surfaces.Skin("block", "bottom"), ground, law=gw.laws.Penalty(), friction=friction, name="sole")
    model.force("force", at="block.top", value=(0.0, -1000.0))
    run = model.static()
    names = run.mechanism.contact_names[0]
    data, column = sample_contacts(run.mechanism, run.motion)[-1, list(names.pieces)], contact_columns(2).index
    normal, tangential = data[:, column("normal")], data[:, column("tangential")]
    x = mesh.nodes[names.skin.nodes[:, 0], 0]
    used = np.abs(tangential) / (0.2 * normal)
    assert normal.sum() == pytest.approx(1000.0, rel=1e-9) and abs(tangential.sum()) < 1e-7
    assert used[np.abs(x) > 0.03] == pytest.approx(1.0, rel=1e-9) and (used[np.abs(x) < 0.01] < 0.9).all()
    assert (tangential * x <= 1e-9).all()  # inwards


@pytest.mark.parametrize("d", [2, 3])
def test_sliding_on_steep_slope_equals_closed_form(d: int):
    angle, end = np.radians(35.0), 0.08
    model = block(d, slope=angle, friction=BRISTLES, damping=5e-3)
    run = model.simulate(until=end, step=4e-4, spectral_radius=0.5)
    v, half = run.array("block.vx"), run.time.size // 2
    a = (v[-1] - v[half]) / (run.time[-1] - run.time[half])  # in the first half it comes to rest on the ground
    assert a == pytest.approx(G * (np.sin(angle) - 0.5 * np.cos(angle)), rel=0.01)
    assert abs(run.array("energy.residual")[-1]) < 0.02 * run.array("sole.friction_loss")[-1]


@pytest.mark.parametrize("friction", [None, BRISTLES])
def test_energy_closes_when_a_block_is_dropped(friction: Any):
    model = block(2, height=0.002, slope=0.2 if friction else 0.0, friction=friction)
    run = model.simulate(until=0.04, method="radau5", tolerance=1e-6, output_step=2e-3)
    assert run.array("sole.normal_force").max() > 5.0 * weight_of(2)
    assert np.abs(run.array("energy.residual")).max() < 1e-4 * run.array("energy.kinetic").max()
    assert not run.located  # but it is seen when it touches
    first = run.episodes[0]
    down = G * np.cos(0.2 if friction else 0.0)
    assert first.begin == pytest.approx(np.sqrt(2 * 0.002 / down), abs=2e-5)
    assert first.approach_speed == pytest.approx(np.sqrt(2 * 0.002 * down), rel=0.1)
    pressed = run.array("sole.normal_force") > 0.0
    summary = run.summary()["contacts"]["sole"]
    assert summary["episodes"] == len(run.episodes) and summary["first_touchdown"] == first.begin
    assert summary["time_in_contact"] == pytest.approx(2e-3 * pressed.sum(), abs=2e-3 * len(run.episodes))


def test_path_keeps_slip_history():
    """Pulled sideways and let go: the ground holds what slid away."""
    model = block(3, friction=BRISTLES)
    model.force("force", at="block.right", value=["0.4*3.924*min(t, 2 - t)", 0, 0])
    run = model.static_path(times=[0.0, 0.5, 0.8, 1.0, 1.5, 2.0])
    pulled, held = run.array("sole.fx"), run.array("sole.x")
    assert np.isfinite(held).all()
    assert -pulled[3] == pytest.approx(0.4 * 3.924, rel=1e-8)
    assert abs(pulled[-1]) < 1e-8
    assert np.abs(run.array("energy.residual")).max() < 1e-2 * run.array("force-1.work").max()


@pytest.mark.parametrize("d", [2, 3])
def test_deep_initial_penetration_is_reported(d: int):
    model = block(d, height=-0.06, friction=BRISTLES)
    run = model.static()
    assert run.array("sole.normal_force")[0] == pytest.approx(weight_of(d), rel=1e-9)
    assert any("contact 'sole' is drawn 60 mm inside its surface" in said for said in run.evidence.warnings)
    with pytest.raises(ModelError, match=r"contact 'sole'.*starts 60 mm inside the surface.*drawn outside"):
        model.simulate(until=0.01, step=1e-3)


def held(weight: float, friction: Any) -> gw.Model:
    """A block that hangs on a plate by its upper nodes; all of its surface can touch, also what follows the plate."""
    model = gw.Model("held", dimension=3, gravity=(0, 0, -G))
    model.body("plate", mass=weight / G, inertia=[1e-3] * 3, at=(0, 0, SIDES[3][2] + 1e-3))
    material = {"type": "neo-hookean", "youngs_modulus": 1e5, "poissons_ratio": 0.3, "damping": 5e-3}
    model.solid(
        "block",
        gw.mesh.box(SIDES[3], (3, 2, 2)),
        material=material,
        density=DENSITY,
        at=(0, 0, SIDES[3][2] / 2 + 1e-3),
        fixed={"region": "top", "to": "plate"},
    )
    return model.contact(
        gw.surfaces.Skin("block"), gw.surfaces.PlaneGround(0.0), law=gw.laws.Penalty(), friction=friction, name="sole"
    )


@pytest.mark.parametrize("friction", [None, BRISTLES])
def test_a_skin_that_follows_a_body_in_part(friction: Any):
    """The ground carries plate and block, at rest and, in the mean, when they have come to rest."""
    total = 5.0 + weight_of(3)
    assert held(5.0, friction).static().array("sole.normal_force")[0] == pytest.approx(total, rel=1e-8)
    run = held(5.0, friction).simulate(until=0.3, step=1e-3, spectral_radius=0.3, every=5)
    assert run.array("sole.normal_force")[-10:].mean() == pytest.approx(total, rel=0.02)
    assert run.episodes[0].begin == pytest.approx(np.sqrt(2e-3 / G), abs=1e-3)


def test_nodes_tied_to_body_are_in_contact_too():
    """Turned over, the ground meets the nodes that the plate carries: the plate alone is held, by them."""
    model = gw.Model("turned", dimension=3, gravity=(0, 0, 0))
    model.body("plate", mass=1.0, inertia=[1e-3] * 3, at=(0, 0, -1e-3))
    material = gw.materials.NeoHookean(youngs_modulus=1e5, poissons_ratio=0.3)
    model.solid(
        "block",
        gw.mesh.box(SIDES[3], (3, 2, 2)),
        material=material,
        density=DENSITY,
        at=(0, 0, SIDES[3][2] / 2),
        fixed={"region": "bottom", "to": "plate"},
    )
    model.contact(
        gw.surfaces.Skin("block", "bottom"),
        gw.surfaces.PlaneGround(0.0),
        law=gw.laws.Penalty(),
        friction=BRISTLES,
        name="sole",
    )
    model.force("force", at="plate", value=(1.0, 0.0, -5.0))
    run = model.static()
    assert [run.array(f"sole.f{x}")[0] for x in "xyz"] == pytest.approx([-1.0, 0.0, 5.0], abs=1e-7)


def hertz(size: float, finest: float, law: Any = None, ratio: float = 2e-3) -> tuple[float, Any]:
    """An eighth of a ball of TET10, pressed by ratio times its radius: its force over that of Hertz. size: of cells, of the
    radius; finest: of those at the pole, of the radius of contact."""
    radius, youngs, poisson = 0.1, 1e6, 0.3
    depth = ratio * radius
    mesh = gw.mesh.ball(
        radius,
        size * radius,
        cut=("x", "y", "-z"),
        order=2,
        towards=(0, 0, -radius),
        finest=finest * np.sqrt(radius * depth),
    )
    model = gw.Model("hertz", dimension=3, gravity=(0, 0, 0))
    model.solid(
        "ball",
        mesh,
        material=gw.materials.LinearElastic(youngs_modulus=youngs, poissons_ratio=poisson),
        density=1000.0,
        fixed=[{"region": f"cut_{x}", "axes": x} for x in "xyz"],
    )
    model.contact(
        gw.surfaces.Skin("ball", "surface"),
        gw.surfaces.PlaneGround(level=-radius, displacement=(0, 0, f"{depth}*t")),
        law=law or gw.laws.Penalty(),
        name="floor",
    )
    run = model.static(1.0)
    truth = 4.0 / 3.0 * youngs / (1 - poisson**2) * np.sqrt(radius) * depth**1.5 / 4.0
    return float(run.array("floor.normal_force")[0]) / truth, run


@pytest.mark.slow
def test_hertz():
    """A finite ball is stiffer than Hertz's half-space by about 0.5 sqrt(d/R): 2.2 % here."""
    found, _ = hertz(0.34, 1.0)
    assert found == pytest.approx(1.0, abs=0.03)
