"""Every Python and YAML example in the README and the docs runs as it stands; the examples answer their questions."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
import yaml

import gaitwright as gw
from gaitwright.analyse.result import Result
from gaitwright.model.files import override, read_raw

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language: str) -> list:
    found = []
    for page in PAGES:
        for k, block in enumerate(re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)):
            found.append(pytest.param(block, id=f"{page.stem}-{k + 1}"))
    return found


@pytest.mark.parametrize("source", blocks("python"))
def test_python_example_runs(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(source, "example", "exec"), {"__name__": "example"})


@pytest.mark.parametrize("source", blocks("yaml"))
def test_model_file_example_runs(source):
    result = gw.Model.from_dict(yaml.safe_load(source)).analyse()
    assert result.evidence.max_energy_residual < 1e-6


def answer(name: str, *changes: str) -> Result:
    """The result of an example, changed as its text suggests."""
    raw = read_raw(ROOT / "examples" / f"{name}.yaml")
    for change in changes:
        override(raw, change)
    return gw.Model.from_dict(raw).analyse()


@pytest.mark.parametrize(
    "change", ["name=bouncing ball", "analysis={type: forward, until: 5, step: 1e-3, method: moreau}"]
)
def test_how_high_a_ball_comes_back(change):
    """0.64 of the height before, once more and once more; and at last it lies still, 0.46 mm deep where it is soft."""
    run = answer("bouncing_ball", change)
    tops = run.at(run.crossings("ball.vy", 0.0, direction=-1)[:4]).q[:, 1] - 0.1
    assert tops == pytest.approx([0.64**k for k in range(4)], rel=0.04)
    assert abs(run.values("ball.vy")[-1]) < 1e-3
    assert run.values("floor.normal_force")[-1] == pytest.approx(9.81, rel=1e-3)


def test_whether_a_block_stays_on_a_slope():
    run = answer("block_on_slope")
    assert np.hypot(*(np.ptp(run.values(f"block.{axis}")) for axis in "xy")) < 1e-3
    steep = answer("block_on_slope", "parameters.slope=30")
    slope = math.radians(30)
    late = steep.time > 1
    down = -steep.values("block.ax") * math.cos(slope) - steep.values("block.ay") * math.sin(slope)
    assert down[late] == pytest.approx(9.81 * (math.sin(slope) - 0.5 * math.cos(slope)), rel=1e-4)


def test_whether_a_ball_gets_over_a_kerb():
    assert answer("rolling_terrain").values("ball.x").max() > 1.0
    assert answer("rolling_terrain", "parameters.kerb=0.06").values("ball.x").max() < 0.4


def test_how_hard_a_foot_presses_on_a_belt():
    """In the air the crank needs what it needs without ground; on it the elastic force is K d^1.5 at the deepest place."""
    run, free = answer("jansen_on_ground"), answer("jansen")
    toe = run.summary()["contacts"]["toe"]
    assert toe["episodes"] == 2 and toe["duty"] == pytest.approx(0.427, abs=2e-3)
    assert toe["max_penetration"] == pytest.approx(-0.606 - free.values("F.y").min(), abs=1e-5)
    assert toe["max_normal_force"] == pytest.approx(2e4 * toe["max_penetration"] ** 1.5, rel=0.05)
    assert run.values("crank.torque").max() == pytest.approx(free.values("crank.torque").max(), rel=1e-3)
