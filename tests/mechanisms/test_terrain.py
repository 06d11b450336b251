"""Terrain for walking machines: shapes, tables, and rejected input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.mechanisms.terrain import (
    LEVEL_HALF_WIDTH_M,
    bumps,
    read_terrain,
    rough_ground,
    single_step,
    stairs,
    terrain_height,
)

KINDS = {"bumps:20 mm:0.5": bumps(0.02, 0.5), "step:30 mm": single_step(0.03), "step:-0.02:1 m": single_step(-0.02, 1.0),
         "stairs:15 mm:0.4": stairs(0.015, 0.4), "rough:20 mm:150 mm:3": rough_ground(0.02, 0.15, 3)}  # fmt: skip


@pytest.mark.parametrize("text", KINDS)
def test_every_kind_is_level_at_the_start_and_increasing_in_x(text: str) -> None:
    points = np.array(read_terrain(text))
    assert points.tolist() == KINDS[text]
    assert (np.diff(points[:, 0]) > 0).all() and points[0, 0] < -50 and points[-1, 0] > 50
    assert (
        terrain_height(points.tolist(), 0.0) == 0.0 and abs(terrain_height(points.tolist(), LEVEL_HALF_WIDTH_M)) < 1e-12
    )
    assert np.ptp(points[:, 1]) > 0.0


def test_heights_match_the_given_sizes() -> None:
    wave, ground = np.array(bumps(0.02, 0.5)), rough_ground(0.02, 0.15, 3)
    assert terrain_height(wave.tolist(), LEVEL_HALF_WIDTH_M + 0.25) == pytest.approx(0.02)
    assert (
        terrain_height(stairs(0.015, 0.4), LEVEL_HALF_WIDTH_M + 0.2) == 0.015
        and terrain_height(stairs(0.015, 0.4), LEVEL_HALF_WIDTH_M + 0.6) == 0.03
    )
    heights = np.array(ground)[:, 1]
    assert heights.min() >= 0.0 and 0.01 < heights.max() <= 0.02 and ground != rough_ground(0.02, 0.15, 4)


def test_a_table_may_have_a_header_and_any_separator(tmp_path: Path) -> None:
    for name, text in (
        ("a.csv", "x,y\n0,0\n1,0.02\n2,0\n"),
        ("b.txt", "0 0\n1 0.02\n2 0\n"),
        ("c.csv", "0;0\n1;0.02\n2;0"),
    ):
        (tmp_path / name).write_text(text)
        points = read_terrain(str(tmp_path / name))
        assert points is not None and points[1:-1] == [[0.0, 0.0], [1.0, 0.02], [2.0, 0.0]]
    assert read_terrain([[0, 0], [1, 0.02], [2, 0]]) == points and read_terrain(None) is None


WRONG: dict[str, Any] = {
    "hills:3": "no kind of ground", "bumps:3": "is not understood", "bumps:a:b": "is not understood", "bumps:-1:1": "positive",
    "back": "goes back at a point", "one": "is no list of points", "letters": "is no table of x and y",
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_invalid_terrain_is_refused(case: str, tmp_path: Path) -> None:
    (tmp_path / "letters").write_text("a b\nc d\n")
    given: Any = {"back": [[0, 0], [1, 0], [1, 1]], "one": [[0, 0]], "letters": str(tmp_path / "letters")}.get(
        case, case
    )
    with pytest.raises(ModelError, match=WRONG[case]):
        read_terrain(given)
