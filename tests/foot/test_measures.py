"""Foot measures on shapes with known measures."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.foot.measures import map_heights_from_below, measure_foot


def block(cells=(40, 15, 8)):
    """Block with the length of a foot, its end at x = 0 and its bottom at z = 0."""
    return gw.mesh.box((0.26, 0.1, 0.08), cells).moved((0.13, 0.0, 0.04)).surface()


def test_a_block():
    measures = measure_foot(block(), "right")
    assert measures.length == pytest.approx(0.26) and measures.height == pytest.approx(0.08)
    assert measures.ball_width == pytest.approx(0.1) and measures.heel_width == pytest.approx(0.1)
    assert measures.arch_height == pytest.approx(0.0, abs=1e-12)
    assert measures.arch_index == pytest.approx(1 / 3, abs=0.01)
    assert measures.sole_area == pytest.approx(0.026, rel=0.01)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_raised_middle_gives_an_arch(side):
    """Block with its middle third raised by 12 mm on the medial side."""
    surface = block((78, 20, 8))
    nodes = np.array(surface.nodes)
    sign = 1.0 if side == "right" else -1.0
    third = 0.83 * 0.26 / 3
    lifted = (nodes[:, 2] < 1e-9) & (nodes[:, 0] > third) & (nodes[:, 0] < 2 * third) & (sign * nodes[:, 1] > 0.004)
    nodes[lifted, 2] = 0.012
    measures = measure_foot(gw.mesh.Mesh(nodes, surface.cells), side)
    other = measure_foot(gw.mesh.Mesh(nodes, surface.cells), "left" if side == "right" else "right")
    assert measures.arch_height == pytest.approx(0.012) and other.arch_height == pytest.approx(0.0, abs=1e-12)
    assert measures.arch_index == pytest.approx(0.2, abs=0.02)


def test_height_map_of_a_ball():
    seen = map_heights_from_below(gw.mesh.ball(0.05, 0.003).surface(), 0.002)
    x, y = np.meshgrid(seen.x, seen.y, indexing="ij")
    inside = np.isfinite(seen.z)
    assert inside.sum() * seen.cell**2 == pytest.approx(np.pi * 0.05**2, rel=0.01)
    middle = np.hypot(x, y) < 0.02
    assert np.abs(seen.z + np.sqrt(np.maximum(0.05**2 - x**2 - y**2, 0.0)))[middle].max() < 2e-4
