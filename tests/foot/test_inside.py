"""What is rigid inside a foot: how a mesh is divided, and that nothing is lost."""

import dataclasses

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.errors import ModelError
from gaitwright.foot.anatomy import CORE_DENSITY
from gaitwright.foot.fitting import fitted

SHAPE = gw.foot.from_measures()
MESH = SHAPE.fill(0.009)
TISSUE = gw.foot.Tissue()


def test_cores_are_covered_by_as_much_tissue_as_told():
    found = gw.foot.Cores().anatomy(SHAPE, MESH, TISSUE)
    for name, region in (("heel", "heel"), ("ball", "ball"), ("toes", "toes")):
        assert found.below[name] == pytest.approx(TISSUE[region].thickness, abs=2.5e-3)
    assert [core.name for core in found.cores] == ["rearfoot", "midfoot", "forefoot", "toes"]
    assert np.all(np.diff([core.centre[0] for core in found.cores]) > 0.02)
    assert "% of the nodes are rigid" in found.notes[0] and "under the heel" in found.notes[0]


def test_cores_and_tissue_make_the_foot():
    found = gw.foot.Cores().anatomy(SHAPE, MESH, TISSUE)
    assert sum(core.volume for core in found.cores) + found.mesh.volume == pytest.approx(MESH.volume, rel=1e-9)
    soft = np.concatenate([found.mesh.region(name).cells for name in found.mesh.regions if name.startswith("tissue_")])
    assert np.array_equal(np.sort(soft), np.arange(len(found.mesh.cells)))
    owned = np.concatenate([core.nodes for core in found.cores])
    assert len(np.unique(owned)) == len(owned) and not np.isin(owned, found.mesh.region("sole").nodes).any()


def test_inertia_of_a_clamped_block():
    """The upper half of a box, of which mass and inertia are known."""
    box = gw.mesh.box((0.2, 0.1, 0.06), (4, 2, 6)).moved((0.1, 0.0, 0.03))
    box = box.with_region("sole", gw.mesh.Plane((0, 0, 0), (0, 0, 1))).with_region(
        "cut", gw.mesh.Plane((0, 0, 0.06), (0, 0, 1))
    )
    core = gw.foot.Clamp(above=0.03).anatomy(gw.foot.FootShape(box.surface(), "right"), box, TISSUE).cores[0]
    mass = CORE_DENSITY * 0.2 * 0.1 * 0.03
    assert core.mass == pytest.approx(mass) and np.allclose(core.centre, [0.1, 0.0, 0.045])
    sides = np.array([0.2, 0.1, 0.03]) ** 2
    assert np.allclose(core.inertia, [*(mass / 12.0 * (sides.sum() - sides)), 0.0, 0.0, 0.0], rtol=1e-9, atol=1e-12)


def test_the_clamp_is_told():
    cut = gw.foot.Clamp().anatomy(SHAPE, MESH, TISSUE)
    low, high = (gw.foot.Clamp(above=z).anatomy(SHAPE, MESH, TISSUE) for z in (0.03, 0.06))
    assert low.clamped > high.clamped > cut.clamped > 0.0
    assert low.below["heel"] < high.below["heel"] <= cut.below["heel"]
    assert "clamped above 30 mm" in low.notes[0] and "the cut" in cut.notes[0]


def test_bones_are_cores():
    bones = gw.mesh.box((0.18, 0.016, 2.0), (18, 3, 3)).surface()
    x, y, z = bones.nodes.T
    thick = 0.0075 - 0.03 * x
    bones = dataclasses.replace(bones, nodes=np.stack([x + 0.12, y, 0.022 - 0.09 * x + thick * z], axis=1))
    found = gw.foot.Cores(bones).anatomy(SHAPE, SHAPE.fill(0.006), TISSUE)
    assert all(len(core.nodes) > 5 for core in found.cores)
    assert sum(core.volume for core in found.cores) == pytest.approx(0.18 * 0.016 * 0.015, rel=0.35)
    with pytest.raises(ModelError, match=r"bones.*stick out of the skin by .* mm.*frame of the foot"):
        gw.foot.Cores(bones.moved((0.0, 0.0, 0.05))).anatomy(SHAPE, MESH, TISSUE)


def test_nodes_are_laid_onto_a_surface():
    ball = gw.mesh.ball(1.0, 0.25)
    level = 0.5 - np.linalg.norm(ball.nodes, axis=1)
    mesh, inside = fitted(ball, level)
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
        (lambda: gw.foot.Cores(joints={"knee": gw.foot.Joint(0.1, 0.1, 1.0, 1.0)}), "is no joint of a foot"),
        (lambda: gw.foot.Cores().stiffer("toe", 0.0), "toe.*not positive"),
    ],
)  # fmt: skip
def test_bad_input(wrong, said):
    with pytest.raises(ModelError, match=said):
        wrong()
