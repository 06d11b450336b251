"""FootShape: closed, with a side, and immutable."""

import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError


def test_an_open_surface_is_rejected():
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


def test_repr_shows_side_and_length():
    assert repr(gw.foot.from_measures(size=0.01)).startswith("FootShape(right, 260 mm long")
    with pytest.raises(ModelError, match=r"size.*not positive"):
        gw.foot.from_measures().fill(0.0)
