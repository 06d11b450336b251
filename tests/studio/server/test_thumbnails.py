"""Pictures of the gallery: all of them move that can."""

from __future__ import annotations

import pytest

from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.studio.server.thumbnails import thumbnail
from gaitwright.studio.workspace import Workspace


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUE)
def test_every_ready_model_has_a_picture_that_moves(tmp_path, name):
    seen = thumbnail(Workspace(tmp_path), name)
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


def test_one_that_swings_by_itself(tmp_path):
    seen = thumbnail(Workspace(tmp_path), "pendulum")
    ends = [row[-1] for row in seen["shapes"][0]["points"]]
    assert min(ends) < -0.5 * max(map(abs, ends)), "it falls"
