"""Section of a foot in a plane model: weight, a block in closed form, depth, mirror symmetry, energy, and rejected
input."""

import dataclasses

import numpy as np
import pytest

import gaitwright as gw
from foot_blocks import HEIGHT, LENGTH, MODULUS, block
from gaitwright._core.errors import ModelError
from gaitwright.foot.section import make_foot_section

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.014))
LOAD, WIDTH = 350.0, SHAPE.measures.sole_area / SHAPE.measures.length


def stood(foot, load=LOAD, friction=None, **options):
    """Foot with its ankle guided vertically under a load, own weight included: equilibrium, and sinking."""
    model = gw.Model("section")
    x, _, z = foot.ankle
    model.ground_point("guide", x + 0.2, z)
    placing = foot.attach(model, at=(0.2, 0.0), speed="section", friction=friction, **options)
    ankle = f"{placing.bodies['rearfoot']}.foot_ankle"
    model.joint.prismatic("ground.guide", ankle, axis=[0, 1])
    own = 9.81 * sum(part.mass for part in model.mechanism().parts.values())
    model.force.at_point(ankle, [0.0, own - load])
    run = model.static()
    return run, z - run.array(f"{ankle}.y")[-1]


@pytest.fixture(scope="module")
def at_rest():
    return stood(FOOT)


def test_section_matches_a_spatial_foot(at_rest):
    run, sunk = at_rest
    assert run.array("foot_sole.normal_force")[-1] == pytest.approx(LOAD, rel=1e-9)
    space = FOOT.stand(LOAD, ankle="held", friction=None, speed="foundation")
    assert sunk == pytest.approx(space.sinking, rel=0.1)
    assert run.array("foot_midtarsal_spring.angle")[-1] == pytest.approx(-space.angles["midtarsal"], rel=0.1)


def test_friction_does_not_change_the_normal_force():
    run, _ = stood(FOOT, friction=0.6)
    assert run.array("foot_sole.normal_force")[-1] == pytest.approx(LOAD, rel=1e-9)
    assert abs(run.array("foot_sole.tangential_force")[-1]) < 0.6 * LOAD


def test_masses_and_stiffnesses_scale_with_the_depth(at_rest):
    """Masses, tissue and hinges scale with the depth."""
    run, sunk = stood(FOOT, LOAD / WIDTH, depth=1.0)
    assert sunk == pytest.approx(at_rest[1], rel=1e-8)
    assert run.array("foot_toe_spring.angle")[-1] == pytest.approx(
        at_rest[0].array("foot_toe_spring.angle")[-1], rel=1e-7
    )


@pytest.mark.parametrize("quadratic", [False, True])
def test_a_block_of_unit_depth(quadratic):
    """Held at its top and pressed by d: F = L E/2 (1/l - l), l = 1 - d/h, with nu = 0, up to the error of a stiff
    penalty."""
    foot, by = dataclasses.replace(block(), quadratic=quadratic), 1e-3
    model = gw.Model("block", gravity=(0.0, 0.0))
    placing = foot.attach(model, at=(0.0, -by), speed="section", depth=1.0, friction=None, law=gw.laws.Penalty(1e12))
    model.ground_point("holder", *(foot.ankle[[0, 2]] - [0.0, by]))
    model.joint.fixed("ground.holder", f"{placing.bodies['rearfoot']}.foot_ankle")
    left = 1.0 - by / HEIGHT
    force = model.static().array("foot_sole.normal_force")[-1]
    assert force == pytest.approx(LENGTH * 0.5 * MODULUS * (1.0 / left - left), rel=1e-4)


def test_opposite_foot_has_the_mirrored_section():
    mesh = FOOT.mesh
    mesh = dataclasses.replace(mesh, nodes=mesh.nodes * np.array([1.0, -1.0, 1.0]), cells=mesh.cells[:, [1, 0, 2, 3]])
    ours, theirs = (
        make_foot_section(FOOT, line=0.012),
        make_foot_section(gw.foot.Foot(SHAPE.mirrored(), mesh), line=-0.012),
    )
    assert np.allclose(ours.mesh.nodes, theirs.mesh.nodes, atol=1e-9) and np.array_equal(
        ours.mesh.cells, theirs.mesh.cells
    )
    assert [core.mass for core in ours.cores] == pytest.approx([core.mass for core in theirs.cores])


def test_a_section_fills_its_outline():
    """Area of tissue and cores compared with a thin slice of the foot in space."""
    cut = make_foot_section(FOOT)
    area = cut.mesh.volumes.sum() + sum(core.volume for core in cut.cores) / cut.depth
    thin = 2e-3
    solid = gw.mesh.cut(gw.mesh.cut(SHAPE.surface, (0, thin, 0), (0, -1, 0)), (0, -thin, 0), (0, 1, 0))
    volume = np.linalg.det(solid.nodes[solid.cells]).sum() / 6.0
    assert area == pytest.approx(volume / (2.0 * thin), rel=0.03)


def test_energy_is_conserved_in_a_landing():
    """A block without damping falls on the ground and rebounds."""
    model = gw.Model("fall")
    placing = block((4, 1, 2)).attach(model, at=(0.0, 2e-4), speed="section", friction=None)
    run = model.simulate(8e-3, tolerance=1e-6)
    assert run.array("foot_sole.normal_force").max() > 1.0
    kinetic = 0.5 * run.array(f"{placing.bodies['rearfoot']}.vy") ** 2
    assert run.evidence.max_energy_residual < 1e-4 * kinetic.max() * sum(p.mass for p in run.mechanism.parts.values())


@pytest.mark.parametrize(
    ("foot", "options", "said"),
    [
        (FOOT, {"speed": "foundation", "depth": 1.0}, "depth.*belongs to a section"),
        (FOOT, {"speed": "section", "depth": -1.0}, "depth.*not positive"),
        (FOOT, {"speed": "section", "ground": gw.foot.Mat(0.02, 2e5)}, "ground.*is a mat.*foundation"),
        (FOOT.wearing(gw.foot.Insole(5e-3, 3e5)), {"speed": "section"}, "section.*wears layers.*foundation"),
        (FOOT, {"speed": "full"}, "speed.*is not there in the plane.*section"),
    ],
)
def test_bad_input(foot, options, said):
    with pytest.raises(ModelError, match=said):
        foot.attach(gw.Model(), **options)


def test_a_line_outside_the_foot_is_rejected():
    with pytest.raises(ModelError, match=r"section.*at y = 0.2 m does not cut the foot"):
        make_foot_section(FOOT, line=0.2)
    with pytest.raises(ModelError, match=r"speed.*is not a speed"):
        FOOT.attach(gw.Model(dimension=3), speed="section")
    with pytest.raises(ModelError, match=r"depth.*belongs to a section in the plane"):
        FOOT.attach(gw.Model(dimension=3), depth=1.0)
