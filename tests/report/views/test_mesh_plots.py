"""Plots of meshes: drawn for every kind, and errors for invalid options."""

from __future__ import annotations

import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError

MESHES = {
    "solid": lambda: gw.mesh.pad((0.1, 0.06), 0.02, 0.02, rounding=0.02),
    "curved": lambda: gw.mesh.ball(0.1, 0.05, order=2),
    "surface": lambda: gw.mesh.ball(0.1, 0.05).surface(),
    "plane": lambda: gw.mesh.disc(0.1, 0.05),
}


@pytest.mark.parametrize("kind", MESHES)
def test_every_kind_is_drawn(kind: str, tmp_path) -> None:
    mesh = MESHES[kind]()
    figure = mesh.plot(tmp_path / "mesh.png", up="y")
    assert (tmp_path / "mesh.png").stat().st_size > 5000
    drawn = sum(len(c.get_paths()) for ax in figure.axes for c in ax.collections)
    assert drawn > 10
    if kind == "solid":
        names = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        assert "side" in names


def test_hidden_cells_open_the_view() -> None:
    ball = gw.mesh.ball(0.1, 0.03)
    shape = ball.quality().shape
    front = gw.mesh.HalfSpaceSelector((0, 0, 0), (0, -1, 0))
    figure = ball.plot(colour="quality", hidden=front, title="half")
    assert len(figure.axes) == 2  # the picture and its colour bar
    assert shape.min() > 0
    with pytest.raises(ModelError, match="hides all cells"):
        ball.plot(hidden=gw.mesh.HalfSpaceSelector((0, 0, -1), (0, 0, 1)))
    with pytest.raises(ModelError, match="is not known"):
        ball.plot(colour="size")
    with pytest.raises(ModelError, match="is not known"):
        ball.plot(up="w")
