"""Foot in a model: balance of forces, closed-form solutions, symmetry, files."""

import dataclasses

import numpy as np
import pytest

import foot_blocks
import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.foot.parametric_outline import make_foot_plan

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.014))
LOAD = 350.0
SPEEDS = ("full", "condensed", "foundation")


@pytest.fixture(scope="module")
def standing():
    return FOOT.stand(LOAD)


@pytest.fixture(scope="module")
def smooth():
    return FOOT.stand(LOAD, friction=None)


def prism(size=0.02, height=0.03):
    """Block with the outline of a foot."""
    flat = make_foot_plan(0.26, 0.1, 0.065, size)
    mesh = gw.mesh.extruded(
        gw.mesh.Mesh(np.stack([flat.x, flat.y], axis=1), flat.triangles), np.linspace(0.0, height, 4)
    )
    for name, z in (("sole", 0.0), ("cut", height)):
        mesh = mesh.with_region(name, gw.mesh.PlaneSelector((0, 0, z), (0, 0, 1)))
    return mesh


def block(youngs_modulus=1e6):
    mesh = prism()
    tissue = gw.foot.Tissue.uniform(youngs_modulus, 0.0)
    return gw.foot.Foot(gw.foot.FootShape(mesh.surface(), "right"), mesh, gw.foot.Clamp(), tissue)


def mirrored(mesh):
    return dataclasses.replace(mesh, nodes=mesh.nodes * np.array([1.0, -1.0, 1.0]), cells=mesh.cells[:, [1, 0, 2, 3]])


def test_a_block_with_the_outline_of_a_foot():
    """Under compression by d at nu = 0 there is no lateral strain: F = A E/2 (1/l - l), l = 1 - d/h."""
    foot, depth = block(), 1.5e-3
    pressed = foot.press(depth, law=gw.laws.AugmentedLagrange(tolerance=1e-9), cell=2e-3)
    area, stretch = foot.mesh.volume / 0.03, 1.0 - depth / 0.03
    stress = 0.5e6 * (1.0 / stretch - stretch)
    assert pressed.force == pytest.approx(stress * area, rel=1e-6)
    assert pressed.area == pytest.approx(area)
    assert float(pressed.pressure.sum()) * 2e-3**2 == pytest.approx(stress * area, rel=1e-6)
    corners = foot.mesh.nodes[foot.mesh.boundary[foot.mesh.sides_in("sole")]]
    centre = np.average(corners.mean(axis=1)[:, :2], axis=0, weights=foot.mesh.side_areas[foot.mesh.sides_in("sole")])
    assert pressed.centre_of_pressure == pytest.approx(centre, abs=1e-6)


def test_a_block_of_quadratic_cells():
    """Quadratic cells give the same closed-form force."""
    linear, depth = foot_blocks.block(), 1.5e-3
    foot = dataclasses.replace(linear, mesh=linear.mesh.quadratic())
    pressed = foot.press(depth, law=gw.laws.AugmentedLagrange(tolerance=1e-9))
    stretch = 1.0 - depth / foot_blocks.HEIGHT
    stress = 0.5 * foot_blocks.MODULUS * (1.0 / stretch - stretch)
    assert pressed.force == pytest.approx(stress * foot_blocks.AREA, rel=1e-5)
    assert foot.quadratic and len(pressed.run.mechanism.parts["foot"].mesh.nodes) > 3 * len(foot.mesh.nodes)


@pytest.mark.slow
def test_a_foot_of_quadratic_cells_is_softer():
    quadratic = gw.foot.Foot(SHAPE, FOOT.mesh.quadratic()).press(2e-3)
    linear = FOOT.press(2e-3)
    assert 0.5 * linear.force < quadratic.force < 0.85 * linear.force


def test_pressure_is_the_weight(standing):
    assert standing.force == pytest.approx(LOAD, rel=1e-9)
    assert float(standing.pressure.sum()) * 5e-3**2 == pytest.approx(LOAD, rel=1e-6)
    assert sum(standing.shares.values()) == pytest.approx(1.0, abs=1e-6)
    assert sum(standing.quarters.values()) == pytest.approx(1.0, abs=1e-6)


def test_centre_of_pressure_is_under_the_load(standing):
    run = standing.run
    weights = {"foot": FOOT.tissue_mass, **{f"foot_{core.name}": core.mass for core in FOOT.anatomy.cores}}
    own = 9.81 * sum(weights.values())
    for axis, found in zip("xy", standing.centre_of_pressure, strict=True):
        moment = sum(9.81 * mass * run.array(f"{name}.{axis}")[-1] for name, mass in weights.items())
        moment += (LOAD - own) * run.array(f"foot_rearfoot.foot_load.{axis}")[-1]
        assert found == pytest.approx(moment / LOAD, abs=1e-5)  # shear acts at the sole, slightly below the ground


def test_guides_carry_no_force_without_shear(smooth):
    """Without friction the centre of pressure is exact, and the guides carry no force."""
    x = smooth.run.array("foot_rearfoot.foot_load.x")[-1]
    assert smooth.force == pytest.approx(LOAD, rel=1e-9)
    assert smooth.centre_of_pressure[0] == pytest.approx(x, abs=1e-3)
    for name in ("guide", "line"):
        assert max(abs(smooth.run.array(f"{name}.f{axis}")[-1]) for axis in "xyz") < 1e-6 * LOAD


def test_standing_shares_match_measurements(standing):
    """Measured shares (P. R. Cavanagh, M. M. Rodgers, A. Iiboshi, Foot Ankle 7 (1987) 262): heel 60, midfoot 8,
    forefoot 28, toes 4 %; heel 139 kPa. The load position and the rest angle of the toes were chosen to match them
    (LOAD_POSITION_RATIOS, FOOT_JOINTS). The arch sinks."""
    for name, share in {"heel": 0.60, "midfoot": 0.08, "forefoot": 0.28, "toes": 0.04}.items():
        assert standing.quarters[name] == pytest.approx(share, abs=0.05), name
    assert 0.7e5 < standing.peak_pressure < 2e5 and 5e-3 < standing.area < 12e-3
    assert standing.angles["midtarsal"] < -0.01 and 1e-3 < standing.sinking < 1e-2


@pytest.mark.slow
def test_softer_arch_and_tissue_deform_more():
    held = FOOT.stand(LOAD, ankle="held", friction=None)
    soft = FOOT.with_inside(gw.foot.Cores().stiffer("midtarsal", 50.0)).stand(LOAD, ankle="held", friction=None)
    assert soft.angles["midtarsal"] < 1.5 * held.angles["midtarsal"] < 0.0
    assert (
        FOOT.with_tissue(FOOT.tissue.scaled(0.5)).stand(LOAD, ankle="held", friction=None).sinking > 1.3 * held.sinking
    )


@pytest.mark.parametrize("inside", [gw.foot.Clamp(above=0.03), gw.foot.Cores()])
@pytest.mark.slow
def test_opposite_foot_gives_mirrored_results(inside):
    right = gw.foot.Foot(SHAPE, FOOT.mesh, inside).press(4e-3)
    left = gw.foot.Foot(SHAPE.mirrored(), mirrored(FOOT.mesh), inside).press(4e-3)
    assert left.force == pytest.approx(right.force, rel=1e-6)
    assert left.centre_of_pressure == pytest.approx(np.array([1.0, -1.0]) * right.centre_of_pressure, abs=1e-7)
    assert left.shares == pytest.approx(right.shares, abs=1e-3)
    assert left.angles == pytest.approx(right.angles, rel=1e-6)


@pytest.mark.parametrize("speed", SPEEDS)
def test_all_speeds_agree_on_a_stiff_flat_sole(speed):
    """At nu = 0 and small strains all speeds give F = E A d / h, and balance an eccentric load alike."""
    foot, depth = block(1e8), 1e-5
    law = gw.laws.AugmentedLagrange(tolerance=1e-11) if speed == "full" else None
    pressed = foot.press(depth, speed=speed, law=law)
    assert pressed.force == pytest.approx(1e8 * foot.mesh.volume / 0.03**2 * depth, rel=1e-3)
    assert pressed.area == pytest.approx(foot.mesh.volume / 0.03)


@pytest.mark.parametrize(("speed", "friction"), [("condensed", None), ("condensed", 0.6), ("foundation", 0.6)])
def test_all_speeds_stand_alike(speed, friction, standing, smooth):
    full = smooth if friction is None else standing
    fast = FOOT.stand(LOAD, speed=speed, friction=friction)
    assert fast.force == pytest.approx(LOAD, rel=1e-6)
    assert fast.quarters == pytest.approx(full.quarters, abs=0.05)
    assert fast.sinking == pytest.approx(full.sinking, rel=0.35) and fast.area == pytest.approx(full.area, rel=0.15)
    assert fast.centre_of_pressure == pytest.approx(full.centre_of_pressure, abs=4e-3)
    assert float(fast.pressure.sum()) * 5e-3**2 == pytest.approx(LOAD, rel=1e-5)


@pytest.mark.parametrize("speed", SPEEDS)
def test_all_speeds_have_the_mass_of_the_foot(speed):
    parts = FOOT.model(friction=None, speed=speed).mechanism().parts
    assert sum(part.mass for part in parts.values()) == pytest.approx(FOOT.mass) and 0.6 < FOOT.mass < 1.2
    clamped = block()
    parts = clamped.model(friction=None, speed=speed).mechanism().parts
    assert sum(part.mass for part in parts.values()) == pytest.approx(clamped.mass)


@pytest.mark.slow
def test_results_do_not_depend_on_position_and_rotation():
    """Rotated and shifted on the ground, and carried by a rotated body."""
    here = FOOT.press(3e-3)
    model = gw.Model("elsewhere", dimension=3, gravity=(0, 0, 0))
    model.ground_point("H", 0.3, 0.2, 0.5)
    turned = {"angles": [20.0, 30.0, 40.0], "sequence": "xyz"}
    model.body("shank", mass=3.0, inertia=[0.05, 0.05, 0.01], at=(0.3, 0.2, 0.5), orientation=turned)
    model.joint.fixed("ground.H", "shank.origin")
    placing = FOOT.attach(model, "shank", at=(0.4, -0.1, -3e-3), angle=0.7, friction=None)
    run = model.static()
    assert run.array("foot_sole.normal_force")[-1] == pytest.approx(here.force, rel=1e-6)
    there = placing.to_ground([*here.centre_of_pressure, 0.0])
    assert [run.array(f"foot_sole.{axis}")[-1] for axis in "xy"] == pytest.approx(there[:2], abs=1e-7)
    assert run.array("foot_midtarsal.angle")[-1] == pytest.approx(here.angles["midtarsal"], rel=1e-5)


def test_a_foot_of_one_clamp_needs_no_hinges():
    pressed = FOOT.with_inside(gw.foot.Clamp(above=0.03)).press(2e-3)
    assert not pressed.angles and pressed.force > 0.0 and "clamped above 30 mm" in pressed.notes[0]


def test_a_saved_foot_can_be_loaded_and_run(tmp_path):
    FOOT.save(tmp_path / "mine", LOAD)
    again = gw.foot.load(tmp_path / "mine")
    assert again.anatomy.notes == FOOT.anatomy.notes and again.tissue == FOOT.tissue
    assert again.inside.joints == FOOT.inside.joints and repr(again.shape) == repr(SHAPE)
    model = gw.load(tmp_path / "mine" / "foot.yaml")
    assert model.to_dict()["analysis"] == {"type": "static"}
    assert model.mechanism().contact_names[0].name == "foot_sole"
    with pytest.raises(ModelError, match=r"there is no foot.json"):
        gw.foot.load(tmp_path)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: FOOT.stand(LOAD, friction=0.0), "friction.*zero.*slide away"),
        (lambda: FOOT.stand(LOAD, ground=gw.surfaces.PlaneGround(-0.2)), "ground.*out of reach"),
        (lambda: FOOT.stand(LOAD, ground=gw.foot.Mat(0.02, 2e5, level=-0.1)), "ground.*out of reach"),
        (lambda: FOOT.press(2e-3, ground=gw.surfaces.Plane(0, 0, 1, 0.2)), "press field 'ground'.*out of reach"),
        (lambda: FOOT.stand(LOAD, over=(0.4, 0.0)), "over.*beside the sole"),
        (lambda: FOOT.stand(1e6), "load.*more than tissue can carry"),
        (lambda: FOOT.stand(1.0), "load.*less than the foot weighs"),
        (lambda: FOOT.stand(-LOAD), "load.*not positive"),
        (lambda: FOOT.stand(LOAD, ankle="loose"), "ankle.*neither free nor held"),
        (lambda: FOOT.press(0.06), "depth.*more than half of the foot"),
        (lambda: FOOT.model(speed="warp"), "speed.*is not a speed"),
        (lambda: FOOT.model(angle=90), "angle.*is in rad.*90 degrees are 1.571 rad"),
        (lambda: FOOT.model(speed="condensed", law=gw.laws.Penalty()), "law.*of no use to condensed"),
        (lambda: FOOT.model(speed="condensed", friction=gw.friction.Coulomb(0.5)), "friction.*not a law of condensed"),
        (lambda: FOOT.attach(gw.Model(dimension=3), "shin"), "there is no body 'shin'"),
        (lambda: gw.foot.Foot(SHAPE, SHAPE.surface), "mesh.*not filled"),
        (lambda: gw.foot.Foot(SHAPE, gw.mesh.box((0.2, 0.1, 0.1), 2)), "no nodes in the region 'sole'"),
    ],
)  # fmt: skip
def test_bad_input(wrong, said):
    with pytest.raises(ModelError, match=said):
        wrong()
