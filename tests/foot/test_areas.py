"""Areas of the sole: every point belongs to one area, and both feet have the same areas."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError

PLACES = {
    (0.05, 0.0): "heel",
    (0.05, -0.03): "heel",
    (0.11, -0.03): "midfoot",
    (0.19, 0.03): "metatarsal_1",
    (0.18, 0.0): "metatarsals_2_3",
    (0.165, -0.04): "metatarsals_4_5",
    (0.245, 0.027): "hallux",
    (0.24, 0.0): "toes",
    (0.22, -0.042): "toes",
    (-0.01, 0.0): "heel",
    (0.28, 0.03): "hallux",
}
FOOT = {"length": 0.26, "ball_width": 0.1}


@pytest.mark.parametrize(("place", "name"), PLACES.items())
def test_points_of_an_adult_have_known_areas(place, name):
    x, y = place
    assert gw.foot.AREAS[gw.foot.area_of(x, y, **FOOT, side="right")] == name
    assert gw.foot.AREAS[gw.foot.area_of(x, -y, **FOOT, side="left")] == name
    assert gw.foot.AREAS[gw.foot.area_of(0.6 * x, 0.6 * y, length=0.156, ball_width=0.06, side="right")] == name


def test_a_parametric_foot_has_all_areas_and_distinct_toes():
    shape = gw.foot.from_measures()
    drawing = shape.drawing
    assert drawing is not None
    flat = drawing.plan(0.004)
    areas = gw.foot.area_of(flat.x, flat.y, **FOOT, side="right")
    assert set(areas) == set(range(7))
    toes = flat.along > 0.5
    assert ((areas == gw.foot.AREAS.index("hallux")) == (flat.toe == 0))[toes].all()


def test_area_of_keeps_array_shape():
    x, y = np.meshgrid(np.linspace(0.0, 0.26, 5), np.linspace(-0.05, 0.05, 3))
    assert gw.foot.area_of(x, y, **FOOT, side="left").shape == x.shape


def test_invalid_side_is_rejected():
    with pytest.raises(ModelError, match="side"):
        gw.foot.area_of(0.1, 0.0, **FOOT, side="both")
