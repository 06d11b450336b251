"""Comparison of models that are not legs, in space and in the plane, by their common outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from calling import call
from gaitwright._core.errors import ModelError
from gaitwright.design.compare_runs import RunComparison
from gaitwright.mechanisms import jansen_leg


def spun(mass: float = 1.0, name: str = "arm", dimension: int = 3) -> gw.Model:
    """Link about a vertical axis (in the plane: normal to it) with a constant acceleration of 2 rad/s^2."""
    three = dimension == 3
    model = gw.Model(name, dimension=dimension, gravity=(0, 0, 0) if three else (0, 0))
    if three:
        inertia = [mass / 1200, mass / 12, mass / 12]
        model.ground_point("O", 0, 0, 0).body(
            "arm", mass=mass, inertia=inertia, at=(0.5, 0, 0), points={"A": [-0.5, 0, 0]}
        )
        model.joint("revolute", "hinge", a="ground.O", b="arm.A", axis=[0, 0, 1])
        model.drive("rotation", "motor", joint="hinge", angle="t^2")
    else:
        model.ground_point("O", 0, 0).point("B", 1, 0).link("arm", "O", "B", length=1, mass=mass)
        model.drive.rotation("arm", "t^2", name="motor")
    return gw.Model.from_dict({**model.to_dict(), "analysis": {"type": "inverse", "until": 1.0, "step": 0.1}})


@pytest.mark.parametrize("dimension", [2, 3])
def test_torques_of_two_arms(dimension: int, tmp_path: Path) -> None:
    """Uniform rod about its end, J = m l^2/3: the torque is 2 J, and the integral of |P| is 2 J."""
    found = gw.compare([spun(1.0, "light", dimension), spun(3.0, "heavy", dimension)])
    assert isinstance(found, RunComparison) and "motor.torque" in found.names
    table = found.table().set_index(["output", "model"])
    for name, mass in (("light", 1.0), ("heavy", 3.0)):
        row: Any = table.loc[("motor.torque", name)]
        assert (row["least"], row["greatest"], row["final"]) == pytest.approx((2 * mass / 3,) * 3) and row[
            "unit"
        ] == "N m"
    files = found.report(tmp_path / "arms.html")
    text = files["report"].read_text()
    assert text.index('class="player"') < text.index("<table") and 'class="number best"' in text
    assert "RunComparison of light, heavy" in repr(found) and set(found.summary()["runs"]) == {"light", "heavy"}


def test_models_with_the_same_name_get_distinct_labels() -> None:
    found = gw.compare([spun(1.0), spun(2.0)], names=["before", "after"])
    assert isinstance(found, RunComparison) and list(found.runs) == ["before", "after"]
    again = gw.compare([spun(1.0), spun(2.0)])
    assert isinstance(again, RunComparison) and list(again.runs) == ["arm 1", "arm 2"]


def test_scenes_have_one_scale() -> None:
    from gaitwright.report.scenes.planar_scene import PlanarScene, SceneShape, equalise_frames
    from gaitwright.report.scenes.spatial_scene import SpatialScene
    from gaitwright.report.views.pages.run_comparison_page import equalise_scales

    scenes = [
        PlanarScene(str(k), [0.0], [SceneShape("bar", "link", [[[0, 0], [size, 0.1 * size]]])])
        for k, size in enumerate((1.0, 3.0))
    ]
    equalise_frames(scenes)
    boxes = np.array([scene.bounds() for scene in scenes])
    assert np.ptp(boxes[:, 1] - boxes[:, 0]) == pytest.approx(0.0, abs=1e-12)
    assert np.ptp(boxes[:, 3] - boxes[:, 2]) == pytest.approx(0.0, abs=1e-12)
    lines = [{"l": [[[0, 0, 0], [size, 0, 0]]]} for size in (1.0, 3.0)]
    spatial = [SpatialScene("one", [0.0], lines=line) for line in lines]  # type: ignore[arg-type]
    floor = spatial[0].floor_level()
    equalise_scales(spatial)
    assert [float(np.subtract(*s.bounds()[::-1]).min()) for s in spatial] == pytest.approx([3.0, 3.0])
    assert spatial[0].floor_level() == floor  # its ground has not moved


def test_models_that_cannot_be_compared_are_reported() -> None:
    other = gw.Model("other", dimension=3).body("ball", mass=1, inertia=[1, 1, 1])
    raw = {**other.to_dict(), "outputs": ["ball.x"], "analysis": {"type": "forward", "until": 0.1, "step": 0.01}}
    arm = gw.Model.from_dict({**spun().to_dict(), "outputs": ["motor.torque"]})
    with pytest.raises(ModelError, match="have no output in common"):
        gw.compare([arm, gw.Model.from_dict(raw)])
    wrong = spun().to_dict()
    wrong["bodies"][0]["inertia"] = [1e-4, 1e-2, 1.0]
    with pytest.raises(ModelError, match="model 'arm': body 'arm' field 'inertia'"):
        gw.compare([gw.Model.from_dict(wrong), spun(name="b")])
    with pytest.raises(ModelError, match=r"'samples'.*these models are none"):
        gw.compare([spun(), spun()], samples=100)
    with pytest.raises(ModelError, match="which point is its foot"):
        gw.compare([jansen_leg(), spun(dimension=2)])


def test_the_command_compares_models_in_space(tmp_path: Path) -> None:
    files = [spun(mass, name).save(tmp_path / f"{name}.yaml") for name, mass in (("light", 1.0), ("heavy", 3.0))]
    done = call("compare", *files, "--out", tmp_path / "out")
    torque = [line for line in done.stdout.splitlines() if line.strip().startswith("motor.torque")]
    assert "light" in torque[0] and "* 0.666667" in torque[0] and "heavy" in torque[1] and " 2 " in torque[1]
    assert (tmp_path / "out" / "compare.html").exists()
