"""Paper 004 section 6.3. What does not hang on a foot: proportions, balances, and that the clamp decides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gaitwright import papers
from gaitwright.errors import ModelError
from gaitwright.foot import Tissue
from gaitwright.mesh import ball
from gaitwright.papers import foot as experiment
from gaitwright.papers.check import NOT_REPRODUCIBLE
from gaitwright.papers.foot import FootFound, Setup, clamped_above, of_scan, rear
from papers.experiments import by_id, ran, require_sound


@pytest.fixture(scope="module")
def found() -> FootFound:
    return ran("foot")


@pytest.mark.slow
def test_the_modulus_for_the_printed_force_gives_it(found: FootFound) -> None:
    """By the search of a calibration, and by proportion."""
    setup = found.setup
    shape = setup.drawn()
    foot = setup.foot(shape, shape.fill(experiment.SIZE))
    expected = found.main.modulus
    softer = foot.with_tissue(Tissue.uniform(1e6 * expected, setup.poissons_ratio))
    assert softer.press(setup.depth).force == pytest.approx(setup.force, rel=1e-6)
    again = foot.calibrate(["modulus"], pressed=[(setup.depth, setup.force)])
    assert 1e-6 * again.values["modulus"] == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
def test_the_clamp_decides(found: FootFound) -> None:
    """The further it reaches down, the softer tissue has to be, and the more the forefoot carries; what is clamped behind alone
    needs more than the thesis has."""
    lower = [found.main, *(found.clamps[name] for name in clamped_above())]
    assert np.all(np.diff([each.modulus for each in lower]) < 0.0)
    assert np.all(np.diff([each.forefoot for each in lower]) > 0.0)
    half, quarter = (found.clamps[f"rear {part} of the cut"] for part in ("half", "quarter"))
    assert found.main.modulus < half.modulus < 3.62 < quarter.modulus
    higher = [found.clamps[f"cut at {mm} mm"].modulus for mm in (60, 70, 80, 95)]
    assert np.all(np.diff(higher) > 0.0)
    for each in found.clamps.values():
        assert each.heel + each.midfoot + each.forefoot + each.toes == pytest.approx(1.0, abs=1e-6)
    checks = by_id(found)
    assert checks["6-3-modulus"]["verdict"] == NOT_REPRODUCIBLE and "clamp decides" in checks["6-3-modulus"]["why"]


@pytest.mark.slow
def test_small_strains_are_some_per_cent_softer(found: FootFound) -> None:
    assert 0.93 < found.small["14"].force / found.main.force < 1.0
    assert found.meshes["20"].force == pytest.approx(found.main.force, rel=0.05)


@pytest.mark.slow
def test_sound(found: FootFound, tmp_path: Path) -> None:
    require_sound(found, tmp_path)


def test_the_rear_of_a_cut() -> None:
    mesh = Setup().drawn().fill(0.03)
    x = mesh.nodes[rear(mesh, 0.5).region("cut").nodes, 0]
    every = mesh.nodes[mesh.region("cut").nodes, 0]
    assert 0 < len(x) < len(every) and x.max() <= 0.5 * (every.min() + every.max()) + 1e-9


def test_without_a_scan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(experiment, "SCAN", tmp_path / "none.stl")
    assert of_scan(Setup(), None) == ({}, "No scan: `--scan FILE` adds one.")


def test_a_scan_that_is_no_foot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Told, it is an error; lying there, a sentence."""
    path = tmp_path / "ball.stl"
    ball(0.1, 0.05).surface().save(path)
    with pytest.raises(ModelError, match=r"ball.stl"):
        of_scan(Setup(), path)
    monkeypatch.setattr(experiment, "SCAN", path)
    scanned, said = of_scan(Setup(), None)
    assert not scanned and said.startswith("The scan was left out")


@pytest.mark.slow
def test_a_scan_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours, as if it were one."""
    monkeypatch.setattr(experiment, "from_scan", lambda _, cut: Setup().drawn(cut))
    monkeypatch.setattr(experiment, "SCAN_SIZE", 0.02)
    scanned, said = of_scan(Setup(), "some.stl")
    assert list(scanned) == ["cut at 82 mm", *clamped_above()] and "mm long, cut at 82 mm" in said


def test_a_scan_belongs_to_the_foot() -> None:
    with pytest.raises(ModelError, match=r"scan.*one experiment.*reproduce foot --scan"):
        papers.reproduce("integrators", scan=Path("some.stl"))
