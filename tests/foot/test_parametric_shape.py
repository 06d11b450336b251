"""Parametric feet: the given measures are met, and cells have good quality."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.mesh.surface_repair import surface_report

FEET = {
    "adult": {},
    "woman": {"length": 0.244, "ball_width": 0.09, "heel_width": 0.06, "side": "left"},
    "child": {"length": 0.15, "ball_width": 0.062, "arch_height": 0.004},
    "high": {"length": 0.27, "arch_height": 0.03, "height": 0.1},
    "wide": {"length": 0.28, "ball_width": 0.125, "heel_width": 0.085, "height": 0.06},
    "narrow": {"length": 0.3, "ball_width": 0.09, "heel_width": 0.06},
}


@pytest.fixture(scope="module", params=FEET)
def foot(request):
    return gw.foot.from_measures(**FEET[request.param]), FEET[request.param]


def test_measures_match_the_given_values(foot):
    shape, given = foot
    measures = shape.measures
    scale = given.get("length", 0.26) / 0.26
    usual = {"length": 0.26, "ball_width": 0.1 * scale, "heel_width": 0.065 * scale, "arch_height": 0.018 * scale,
             "height": 0.08 * scale}  # fmt: skip
    for name, value in usual.items():
        assert getattr(measures, name) == pytest.approx(given.get(name, value), abs=2e-4), name
    assert shape.side == given.get("side", "right")


def test_surface_is_closed_without_self_intersections(foot):
    report = surface_report(foot[0].surface)
    assert report.closed and report.pieces == 1 and report.crossing == 0


def test_shape_is_in_the_frame_of_a_foot(foot):
    shape, low = foot[0], foot[0].surface.bounds[0]
    assert np.allclose(low[[0, 2]], 0.0, atol=1e-12)
    nodes, tips = shape.surface.nodes, shape.measures
    ahead = nodes[nodes[:, 0] > 0.99 * tips.length]
    assert (ahead[:, 1] * shape.medial > 0.0).all()  # the hallux is the longest toe


def test_cells_fill_the_surface(foot):
    shape = foot[0]
    mesh = shape.fill(0.03 * shape.measures.length)
    x = shape.surface.nodes[shape.surface.cells]
    inside = np.einsum("ti,ti->", x[:, 0], np.cross(x[:, 1], x[:, 2])) / 6.0
    assert mesh.volume == pytest.approx(inside, rel=0.03)
    quality = mesh.quality()
    assert quality.shape.min() > 0.1 and len(quality.bad) < 0.02 * len(mesh.cells)
    top, sole = mesh.nodes[mesh.region("cut").nodes], mesh.nodes[mesh.region("sole").nodes]
    assert np.allclose(top[:, 2], shape.measures.height) and len(top) > 50
    assert (sole[:, 2] < 0.5 * shape.measures.height).all()
    assert np.ptp(sole[:, 0]) > 0.95 * shape.measures.length


@pytest.mark.parametrize(("size", "least", "most"), [(0.01, 1000, 2000), (0.008, 2000, 3000), (0.004, 10000, 20000)])
def test_finer_cells_have_the_same_quality(size, least, most):
    mesh = gw.foot.from_measures().fill(size)
    assert least < len(mesh.nodes) < most
    assert mesh.quality().shape.min() > 0.1
    assert mesh.piece_count == 1


def test_filling_is_deterministic():
    one, two = (gw.foot.from_measures(length=0.25).fill() for _ in range(2))
    assert np.array_equal(one.nodes, two.nodes) and np.array_equal(one.cells, two.cells)


def test_a_left_foot_is_a_mirrored_right_foot():
    right, left = gw.foot.from_measures(), gw.foot.from_measures(side="left")
    other = right.mirrored()
    assert other.side == "left"
    assert np.allclose(other.surface.nodes, left.surface.nodes)
    assert np.allclose(other.fill(0.01).nodes, left.fill(0.01).nodes)
    for name, value in right.measures.to_dict().items():
        assert getattr(left.measures, name) == pytest.approx(value, rel=0.01), name


def test_a_higher_arch_leaves_a_smaller_print():
    prints = [gw.foot.from_measures(arch_height=height).measures.arch_index for height in (0.004, 0.012, 0.018, 0.03)]
    assert prints == sorted(prints, reverse=True)
    assert prints[0] > 0.28 and 0.21 < prints[2] < 0.26  # flat; normal (Cavanagh and Rodgers 1987)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"length": 26}, "length.*is not the length of a foot"),
        ({"length": None}, "length.*not positive"),
        ({"ball_width": 10}, "ball_width.*does not belong to a foot of this length"),
        ({"ball_width": 0.07, "heel_width": 0.07}, "heel_width.*not less than that of the ball"),
        ({"arch_height": 0.1}, "arch_height.*does not belong"),
        ({"arch_height": "high"}, "arch_height.*not a finite number"),
        ({"height": 0.02}, "height.*does not belong"),
        ({"side": "medial"}, "side.*is not a side of the body"),
        ({"size": 0.1}, "size.*does not fit the foot"),
    ],
)
def test_invalid_measures_are_rejected(wrong, said):
    with pytest.raises(ModelError, match=said):
        gw.foot.from_measures(**wrong)
