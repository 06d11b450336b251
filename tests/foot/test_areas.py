"""Areas of the sole: everything belongs to one, and both feet have the same."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.errors import ModelError

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
def test_places_of_an_adult(place, name):
    x, y = place
    assert gw.foot.AREAS[gw.foot.area_of(x, y, **FOOT, side="right")] == name
    assert gw.foot.AREAS[gw.foot.area_of(x, -y, **FOOT, side="left")] == name
    assert gw.foot.AREAS[gw.foot.area_of(0.6 * x, 0.6 * y, length=0.156, ball_width=0.06, side="right")] == name


def test_a_drawn_foot_has_all_of_them_and_its_toes_are_told_apart():
    shape = gw.foot.from_measures()
    drawing = shape.drawing
    assert drawing is not None
    flat = drawing.plan(0.004)
    found = gw.foot.area_of(flat.x, flat.y, **FOOT, side="right")
    assert set(found) == set(range(7))
    toes = flat.along > 0.5
    assert ((found == gw.foot.AREAS.index("hallux")) == (flat.toe == 0))[toes].all()


def test_shapes_of_arrays_stay():
    x, y = np.meshgrid(np.linspace(0.0, 0.26, 5), np.linspace(-0.05, 0.05, 3))
    assert gw.foot.area_of(x, y, **FOOT, side="left").shape == x.shape


def test_a_side_is_needed():
    with pytest.raises(ModelError, match="side"):
        gw.foot.area_of(0.1, 0.0, **FOOT, side="both")
