"""Panels of curves: lines, steps, stems, bars and tick labels in one figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gaitwright.report.figures.stacked_panels import FigurePanel, PanelCurve, save_panels

X = np.linspace(0.0, 1.0, 11)


@pytest.mark.parametrize("how", [{}, {"steps": True}, {"stems": True}, {"bars": 0.05}])
def test_each_kind_of_curve_is_drawn(tmp_path: Path, how: dict) -> None:
    """The curve has its own colour, which the empty figure does not contain."""
    look = {"color": "#ff00ff"}
    path = save_panels([FigurePanel("y (m)", [PanelCurve("curve", X, X, look, **how)])], tmp_path / "one.png")
    pixels = np.asarray(Image.open(path).convert("RGB"), dtype=int)
    assert (np.abs(pixels - (255, 0, 255)).max(axis=2) < 20).sum() > 200


def test_panels_are_below_each_other(tmp_path: Path) -> None:
    panel = FigurePanel("y", [PanelCurve("a", [0, 1, 2], [1, 2, 3], bars=0.25)], "", ticks=["one", "two", "three"])
    sizes = [Image.open(save_panels([panel] * n, tmp_path / f"{n}.png")).size for n in (1, 2)]
    assert sizes[0][0] == sizes[1][0] and sizes[1][1] > 1.8 * sizes[0][1]


def test_samples_outside_the_limits_do_not_extend_the_panel(tmp_path: Path) -> None:
    """A peak outside the limits does not change the picture."""
    flat, peak = np.sin(9 * X), np.where(X > 0.9, 50.0, np.sin(9 * X))
    shown = [
        np.asarray(
            Image.open(save_panels([FigurePanel("y", [PanelCurve("a", X, y)], xlim=(0.0, 0.5))], tmp_path / f"{k}.png"))
        )
        for k, y in enumerate((flat, peak))
    ]
    assert np.array_equal(*shown)
