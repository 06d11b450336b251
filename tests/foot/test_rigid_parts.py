"""Rigid parts inside a foot: division of a mesh, with volume and mass conserved."""

import dataclasses

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.foot.anatomy import CORE_DENSITY_KG_M3
from gaitwright.foot.mesh_snapping import snap_to_level

SHAPE = gw.foot.from_measures()
MESH = SHAPE.fill(0.009)
TISSUE = gw.foot.Tissue()


def test_cores_have_the_given_tissue_thickness():
    anatomy = gw.foot.Cores().anatomy(SHAPE, MESH, TISSUE)
    for name, region in (("heel", "heel"), ("ball", "ball"), ("toes", "toes")):
        assert anatomy.below[name] == pytest.approx(TISSUE[region].thickness, abs=2.5e-3)
    assert [core.name for core in anatomy.cores] == ["rearfoot", "midfoot", "forefoot", "toes"]
    assert np.all(np.diff([core.centre[0] for core in anatomy.cores]) > 0.02)
    assert "% of the nodes are rigid" in anatomy.notes[0] and "under the heel" in anatomy.notes[0]


def test_cores_and_tissue_fill_the_foot():
    anatomy = gw.foot.Cores().anatomy(SHAPE, MESH, TISSUE)
    assert sum(core.volume for core in anatomy.cores) + anatomy.mesh.volume == pytest.approx(MESH.volume, rel=1e-9)
    soft = np.concatenate(
        [anatomy.mesh.region(name).cells for name in anatomy.mesh.regions if name.startswith("tissue_")]
    )
    assert np.array_equal(np.sort(soft), np.arange(len(anatomy.mesh.cells)))
    owned = np.concatenate([core.nodes for core in anatomy.cores])
    assert len(np.unique(owned)) == len(owned) and not np.isin(owned, anatomy.mesh.region("sole").nodes).any()


def test_inertia_of_a_clamped_block():
    """Upper half of a box with known mass and inertia."""
    box = gw.mesh.box((0.2, 0.1, 0.06), (4, 2, 6)).moved((0.1, 0.0, 0.03))
    box = box.with_region("sole", gw.mesh.PlaneSelector((0, 0, 0), (0, 0, 1))).with_region(
        "cut", gw.mesh.PlaneSelector((0, 0, 0.06), (0, 0, 1))
    )
    core = gw.foot.Clamp(above=0.03).anatomy(gw.foot.FootShape(box.surface(), "right"), box, TISSUE).cores[0]
    mass = CORE_DENSITY_KG_M3 * 0.2 * 0.1 * 0.03
    assert core.mass == pytest.approx(mass) and np.allclose(core.centre, [0.1, 0.0, 0.045])
    sides = np.array([0.2, 0.1, 0.03]) ** 2
    assert np.allclose(core.inertia, [*(mass / 12.0 * (sides.sum() - sides)), 0.0, 0.0, 0.0], rtol=1e-9, atol=1e-12)


def test_notes_report_the_clamp_height():
    cut = gw.foot.Clamp().anatomy(SHAPE, MESH, TISSUE)
    low, high = (gw.foot.Clamp(above=z).anatomy(SHAPE, MESH, TISSUE) for z in (0.03, 0.06))
    assert low.clamped > high.clamped > cut.clamped > 0.0
    assert low.below["heel"] < high.below["heel"] <= cut.below["heel"]
    assert "clamped above 30 mm" in low.notes[0] and "the cut" in cut.notes[0]


def test_a_bone_surface_defines_the_cores():
    bones = gw.mesh.box((0.18, 0.016, 2.0), (18, 3, 3)).surface()
    x, y, z = bones.nodes.T
    thick = 0.0075 - 0.03 * x
    bones = dataclasses.replace(bones, nodes=np.stack([x + 0.12, y, 0.022 - 0.09 * x + thick * z], axis=1))
    anatomy = gw.foot.Cores(bones).anatomy(SHAPE, SHAPE.fill(0.006), TISSUE)
    assert all(len(core.nodes) > 5 for core in anatomy.cores)
    assert sum(core.volume for core in anatomy.cores) == pytest.approx(0.18 * 0.016 * 0.015, rel=0.35)
    with pytest.raises(ModelError, match=r"bones.*stick out of the skin by .* mm.*frame of the foot"):
        gw.foot.Cores(bones.moved((0.0, 0.0, 0.05))).anatomy(SHAPE, MESH, TISSUE)


def test_nodes_are_snapped_to_a_surface():
    ball = gw.mesh.ball(1.0, 0.25)
    level = 0.5 - np.linalg.norm(ball.nodes, axis=1)
    mesh, inside = snap_to_level(ball, level)
    assert mesh.volumes.min() > 0.0 and mesh.volume == pytest.approx(ball.volume)
    crossing = inside[mesh.edges[:, 0]] != inside[mesh.edges[:, 1]]
    border = mesh.edges[crossing][inside[mesh.edges[crossing]]]
    off = np.abs(np.linalg.norm(mesh.nodes[border], axis=1) - 0.5)
    assert np.median(off) < 1e-3 and off.max() < 0.25


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: gw.foot.Clamp(above=0.5).anatomy(SHAPE, MESH, TISSUE), "above.*clamps nothing"),
        (lambda: gw.foot.Clamp(above=-1.0).anatomy(SHAPE, MESH, TISSUE), "above.*not positive"),
        (lambda: gw.foot.Cores().anatomy(SHAPE, MESH, TISSUE.with_values(thickness=0.05)), "core '.*' holds no node"),
        (lambda: gw.foot.Cores(joints={"knee": gw.foot.FootJoint(0.1, 0.1, 1.0, 1.0)}), "is no joint of a foot"),
        (lambda: gw.foot.Cores().stiffer("toe", 0.0), "toe.*not positive"),
    ],
)  # fmt: skip
def test_bad_input(wrong, said):
    with pytest.raises(ModelError, match=said):
        wrong()
