"""Comparison of walks: known changes are reported, and folders give the same as analyses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from calling import call
from gait.lower_body_trial import with_all_markers
from gait.synthetic import LENGTH, WEIGHT
from gaitwright.gait.walk_comparison import WalkComparison
from gaitwright.report.blocks import Chart
from gaitwright.report.views.pages import walk_comparison_page

SUBJECT = gw.gait.Subject(WEIGHT / 9.81, 1.75)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Before, and after: the right foot lands 60 mm short."""
    root = tmp_path_factory.mktemp("walks")
    found = []
    for name, short in (("before", 0.0), ("after", 0.06)):
        made = with_all_markers(3.0)
        for label, places in made.markers.items():
            if label.startswith("R.") and any(part in label for part in ("Heel", "MT", "Ankle")):
                places[:, 0] -= short
        (root / f"{name}-files").mkdir()
        trc, _ = made.save(root / f"{name}-files")
        gw.gait.analyse(gw.gait.load(trc), SUBJECT).save(root / name)
        found.append(root / name)
    return found[0], found[1]


@pytest.fixture(scope="module")
def both(folders: tuple[Path, Path]) -> WalkComparison:
    return gw.gait.compare_walks([gw.gait.read_result(folder) for folder in folders])


def test_reported_change_equals_the_made_one(both: WalkComparison) -> None:
    said = both.summary()
    assert said["walks"] == ["before", "after"]
    after = said["table"]["step_length"]["after"]
    assert after["right"]["value"] == pytest.approx(LENGTH / 2 - 0.06, abs=0.01)
    assert after["right"]["change"] == pytest.approx(-100 * 0.06 / (LENGTH / 2), abs=1.5)
    assert after["left"]["change"] > 7 and abs(said["table"]["stride_length"]["after"]["both"]["change"]) < 1
    curves = said["curves"]["after"]["ankle_dorsiflexion"]
    assert curves["right"] > 1.0 > curves["left"]


def test_equal_names_get_numbers(folders: tuple[Path, Path]) -> None:
    one = gw.gait.read_result(folders[0])
    assert gw.gait.compare_walks([one, one]).summary()["walks"] == ["before", "before (2)"]
    same = gw.gait.compare_walks([one, one]).summary()["curves"]["before (2)"]["knee_flexion"]
    assert max(same.values()) == 0.0 and np.isfinite(list(same.values())).all()


def test_every_curve_has_a_chart_for_each_side(both: WalkComparison) -> None:
    blocks = walk_comparison_page.walk_comparison_report(both).blocks
    titles = {block.title for block in blocks if isinstance(block, Chart)}
    assert {"Knee flexion, left", "Knee flexion, right", "Pelvic obliquity, left"} <= titles


@pytest.mark.slow
def test_command_writes_the_page(folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one row of charts: all fifty take seconds to draw."""
    knee = [curve for curve in walk_comparison_page.SAGITTAL_CURVES if curve.name.startswith("knee")]
    for name, curves in (("SAGITTAL_CURVES", knee), ("OTHER_PLANE_CURVES", ()), ("FORCE_CURVES", ())):
        monkeypatch.setattr(walk_comparison_page, name, curves)
    call("compare", *folders, "--out", tmp_path / "out")
    page = (tmp_path / "out" / "compare.html").read_text()
    assert "Knee flexion, left" in page and "step length" in page and (tmp_path / "out" / "summary.json").is_file()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda folders, root: [folders[0]], "nothing to compare"),
        (lambda folders, root: [folders[0], root], "has no summary.json"),
        (lambda folders, root: [folders[0], root / "leg.yaml"], "walks are not compared with models"),
    ],
)
def test_bad_input_is_refused(make, said: str, folders: tuple[Path, Path], tmp_path: Path) -> None:
    done = call("compare", *make(folders, tmp_path), "--out", tmp_path / "out", code=2)
    assert said in done.stderr and len(done.stderr.strip().splitlines()) == 1
