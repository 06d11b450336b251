"""Gallery thumbnails: all planar ones move."""

from __future__ import annotations

import pytest

from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.studio.server.thumbnails import make_thumbnail
from gaitwright.studio.workspace import StudioWorkspace


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUE)
def test_every_ready_model_has_a_moving_thumbnail(tmp_path, name):
    seen = make_thumbnail(StudioWorkspace(tmp_path), name)
    count = len(seen["time"])
    assert count > 1 or seen["dimension"] == 3
    if seen["dimension"] == 3:
        assert seen["places"] and seen["scene"]["up"]
        return
    left, right, low, high = seen["bounds"]
    assert left < right and low < high and seen["shapes"]
    assert {len(shape["points"]) for shape in seen["shapes"]} <= {1, count}
    assert {len(joint["points"]) for joint in seen["joints"]} <= {1, count}
    assert any(shape["points"][0] != shape["points"][-1 - count // 3] for shape in seen["shapes"]), "it moves"


def test_an_undriven_model_moves_along_its_analysis(tmp_path):
    seen = make_thumbnail(StudioWorkspace(tmp_path), "pendulum")
    ends = [row[-1] for row in seen["shapes"][0]["points"]]
    assert min(ends) < -0.5 * max(map(abs, ends)), "it falls"
