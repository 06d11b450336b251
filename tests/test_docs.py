"""Every Python and YAML example in the README and the docs runs unchanged; the models in examples/ answer their
questions."""

import io
import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

import gaitwright as gw
from gaitwright.model.io.files import apply_override, read_raw_document
from gaitwright.result.files.snapshots import store_snapshots
from gaitwright.result.result import Result
from shown import MOST_DIGITS, NUMBER, keeps, same

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
STORIES = {"tutorial"}
"""Pages with examples that continue each other, tested in test_tutorial.py."""


SHOWN = r"(?:\n+(?:[a-z]+:?\n+)?```text\n(.*?)```)?"
"""Output of an example, directly after it or after a word such as `prints`."""
COMMANDS = ("gaitwright", "make", "pip", "python", "source", ".venv/bin/", "git", "xacro")


PARTIAL = "gaitwright-output/leg/run/partial.nc"


def write_partial_run() -> None:
    """Write leg.yaml and a partial result of its run, which a reader of long-runs.md has from an aborted run."""
    model = gw.Model("leg").ground_point("O", 0, 0).point("A", 0.5, 0).link("bar", "O", "A", mass=1.0)
    model.save("leg.yaml")
    folder = Path(PARTIAL).parent
    folder.mkdir(parents=True)
    with store_snapshots(folder, 0.0):
        model.simulate(60.0, step=1e-3)


def blocks(language: str, after: str = "()") -> list:
    examples = []
    for page in PAGES:
        if page.stem in STORIES:
            continue
        for k, block in enumerate(re.findall(rf"```{language}\n(.*?)```{after}", page.read_text(), re.DOTALL)):
            examples.append(pytest.param(*block, id=f"{page.stem}-{k + 1}"))
    return examples


@pytest.mark.slow
@pytest.mark.parametrize(("source", "shown"), blocks("python", SHOWN))
def test_python_example_runs(source, shown, tmp_path, monkeypatch):
    """The example runs and prints the output shown on the page and in the comments of its prints."""
    monkeypatch.chdir(tmp_path)
    if PARTIAL in source:
        write_partial_run()
    lines, printed = source.splitlines(), []

    def note(*values, **options):
        text = io.StringIO()
        print(*values, **options, file=text)
        line = lines[sys._getframe(1).f_lineno - 1]
        printed.append((text.getvalue(), line.partition("  # ")[2]))

    exec(compile(source, "example", "exec"), {"__name__": "example", "print": note})
    for text, comment in printed:
        assert keeps(text, comment), f"the page promises {comment!r}, but\n{text}"
    text = "".join(text for text, _ in printed)
    assert not shown or same(text, shown), f"the page shows\n{shown}\nbut the code prints\n{text}"


def test_printed_output_is_marked_as_text():
    """A block without a language contains commands; printed output is marked `text` and compared. No page shows more
    digits than two processors agree in."""
    for page in PAGES:
        fences = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
        for language, block in fences:
            assert language or block.lstrip("#").strip().startswith(COMMANDS), f"{page.stem}: {block[:60]}"
            for number in re.findall(NUMBER, block) if language == "text" else ():
                assert len(re.sub(r"e.*|\D", "", number).lstrip("0")) <= MOST_DIGITS, f"{page.stem}: {number}"


def test_numbers_of_pages_are_compared():
    assert same("drawn within 11.88 mm, closed to 3e-14 mm", "drawn within 11.9 mm, closed  to 1e-13 mm")
    assert same("open: 'A' by 2 mm, 'B' by 2 mm and 2 more;", "open: 'B' by 2 mm, 'A' by 2 mm and\n2 more;")
    assert same("0.211003, in 31 steps", "0.211..., in ... steps") and same("4.46068", "4.46069")
    assert not same("step 0.3348 m", "step 0.3448 m") and not same("1 drive", "1 drives") and not same("1e-3", "1e-9")
    assert not same("EI = 4.46069", "EI = 4.45264") and not same("16 values", "15 values") and not same("a b", "a")
    assert keeps("<0.47215 m/s, 0.9443>", "0.4722 m/s, 0.9443 m per turn") and keeps("0.0020412", "2.04 mm: 5 of 7")
    assert (
        not keeps("0.0020412", "2.05 mm") and not keeps("1.0 2.0", "2.0 m, 1.0 m") and keeps("7", "N m about the axis")
    )


@pytest.mark.parametrize(("source", "_shown"), blocks("yaml"))
def test_model_file_example_runs(source, _shown):
    result = gw.Model.from_dict(yaml.safe_load(source)).analyse()
    assert result.evidence.max_energy_residual < 1e-6


def answer(name: str, *changes: str) -> Result:
    """Return the result of an example with the changes that its text suggests."""
    raw = read_raw_document(ROOT / "examples" / f"{name}.yaml")
    for change in changes:
        apply_override(raw, change)
    return gw.Model.from_dict(raw).analyse()


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", ["name=bouncing ball", "analysis={type: forward, until: 5, step: 1e-3, method: moreau}"]
)
def test_rebound_heights_of_the_ball(change):
    """0.64 of the previous height, twice; at the end the ball rests with a penetration of 0.46 mm on the soft
    ground."""
    run = answer("bouncing_ball", change)
    tops = run.at(run.crossings("ball.vy", 0.0, direction=-1)[:4]).q[:, 1] - 0.1
    assert tops == pytest.approx([0.64**k for k in range(4)], rel=0.04)
    assert abs(run.array("ball.vy")[-1]) < 1e-3
    assert run.array("floor.normal_force")[-1] == pytest.approx(9.81, rel=1e-3)


def test_block_sticks_on_the_slope():
    run = answer("block_on_slope")
    assert np.hypot(*(np.ptp(run.array(f"block.{axis}")) for axis in "xy")) < 1e-3
    steep = answer("block_on_slope", "parameters.slope=30")
    slope = math.radians(30)
    late = steep.time > 1
    down = -steep.array("block.ax") * math.cos(slope) - steep.array("block.ay") * math.sin(slope)
    assert down[late] == pytest.approx(9.81 * (math.sin(slope) - 0.5 * math.cos(slope)), rel=1e-4)


def test_ball_rolls_over_a_kerb():
    assert answer("rolling_terrain").array("ball.x").max() > 1.0
    assert answer("rolling_terrain", "parameters.kerb=0.06").array("ball.x").max() < 0.4


def test_deflection_of_the_orthosis_strut():
    """The work on the shank is stored in the strut, except for its weight; the cuff slides, so that no force acts
    along the calf. A laminate with twice the torsional stiffness takes more torque."""
    run = answer("orthosis_strut")
    assert abs(run.array("cuff.fz_in_a")[-1]) < 1e-6 * run.array("cuff.fx_in_a")[-1]
    stored = run.array("energy.potential")
    assert run.array("energy.work")[-1] == pytest.approx(stored[-1] - stored[0], rel=1e-4)
    assert 2e8 < run.array("strut.max_stress")[-1] < 3e8
    stiffer = answer("orthosis_strut", "parameters.GJ=3")
    assert stiffer.array("strut.max_torque")[-1] > 1.1 * run.array("strut.max_torque")[-1]


def test_bending_of_a_strip():
    """The strip is an arc: its end position follows from its angle, the stress is E h / (2 radius)."""
    for turn, close in ((1.0, 2e-6), (3.0, 1e-3)):
        run = answer("cantilever", f"parameters.turn={turn}")
        end = [run.array(f"strip.end.{name}")[0] for name in ("x", "y", "angle")]
        assert end == pytest.approx([0.5 * math.sin(turn) / turn, 0.5 * (1 - math.cos(turn)) / turn, turn], abs=close)
        assert run.array("strip.max_stress")[0] == pytest.approx(210e9 * 0.001 / 2 * turn / 0.5, rel=1e-6)


def test_bending_of_the_connecting_rod():
    """A stiff rod hardly bends; the slider is then at the position for a rigid rod."""
    stiff, soft = answer("flexible_slider_crank", "parameters.E=2e11"), answer("flexible_slider_crank")
    angle = 4 * math.pi * stiff.time
    rigid = 0.1 * np.cos(angle) + np.sqrt(0.16 - (0.1 * np.sin(angle)) ** 2)
    assert stiff.array("slider.x") == pytest.approx(rigid, abs=2e-5)
    assert 1e-4 < np.abs(soft.array("slider.x") - rigid).max() < 5e-3
    assert answer("flexible_slider_crank", "parameters.turns_per_second=4").array("rod.max_stress").max() > 8e6


def test_spring_back_of_the_blade():
    """Bent without inertia to M L / EI = 1.65 rad; the stress in the swing is at least twice the bending stress."""
    run = answer("bend_hold_release")
    held = np.searchsorted(run.time, 4.25)
    turn = 4.5 * 0.5 / (79e9 * 0.04 * 0.00173**3 / 12)
    assert -run.array("blade.end.x")[held] == pytest.approx(0.5 * (1 - math.cos(turn)) / turn, rel=0.02)
    assert run.array("blade.node6.elastic_moment")[held] == pytest.approx(4.5, rel=0.01)
    assert run.array("blade.node2.elastic_moment")[held] < 0.01
    assert run.array("blade.end.x").max() > 0.25, "it swings through"
    assert run.array("blade.max_stress").max() > 2 * run.array("blade.max_stress")[held]


def test_force_of_the_foot_on_the_belt():
    """In the air the crank torque equals that without ground; on the belt the elastic force is K d^1.5 at the deepest point."""
    run, free = answer("jansen_on_ground"), answer("jansen")
    toe = run.summary()["contacts"]["toe"]
    assert toe["episodes"] == 2 and toe["duty"] == pytest.approx(0.427, abs=2e-3)
    assert toe["max_penetration"] == pytest.approx(-0.606 - free.array("F.y").min(), abs=1e-5)
    assert toe["max_normal_force"] == pytest.approx(2e4 * toe["max_penetration"] ** 1.5, rel=0.05)
    assert run.array("crank.torque").max() == pytest.approx(free.array("crank.torque").max(), rel=1e-3)
