"""The shape of a foot as a thing: closed, with a side, and not to be changed."""

import pytest

import gaitwright as gw
from gaitwright.errors import ModelError


def test_an_open_surface_is_none():
    surface = gw.foot.from_measures().surface
    with pytest.raises(ModelError, match=r"surface.*is not closed.*repaired"):
        gw.foot.FootShape(gw.mesh.Mesh(surface.nodes, surface.cells[:-5]), "left")
    with pytest.raises(ModelError, match="side"):
        gw.foot.FootShape(surface, "both")  # pyright: ignore[reportArgumentType]


def test_twice_mirrored_is_the_same():
    shape = gw.foot.from_measures(side="left")
    assert shape.medial == -1.0 and shape.mirrored().medial == 1.0
    again = shape.mirrored().mirrored()
    assert again.side == "left" and (again.surface.nodes == shape.surface.nodes).all()


def test_it_says_what_it_is():
    assert repr(gw.foot.from_measures(size=0.01)).startswith("FootShape(right, 260 mm long")
    with pytest.raises(ModelError, match=r"size.*not positive"):
        gw.foot.from_measures().fill(0.0)
