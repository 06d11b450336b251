"""Paper 004 section 6.3. Tests that are independent of the foot's shape: proportions, balances, and the influence of
the clamp."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from apps.reproductions.experiments import by_id, ran, require_sound
from gaitwright._core.errors import ModelError
from gaitwright.foot import Tissue
from gaitwright.mesh import ball
from gaitwright_apps import reproductions
from gaitwright_apps.reproductions import foot as experiment
from gaitwright_apps.reproductions.experiments import NOT_REPRODUCIBLE
from gaitwright_apps.reproductions.foot import (
    FootPressExperiment,
    FootPressSetup,
    clamp_names,
    clamp_rear,
    press_scan,
)


@pytest.fixture(scope="module")
def found() -> FootPressExperiment:
    return ran("foot")


@pytest.mark.slow
def test_modulus_for_the_printed_force(found: FootPressExperiment) -> None:
    """Found by a calibration search and by proportion."""
    setup = found.setup
    shape = setup.drawn()
    foot = setup.foot(shape, shape.fill(experiment.CELL_SIZE_M))
    expected = found.main.modulus
    softer = foot.with_tissue(Tissue.uniform(1e6 * expected, setup.poissons_ratio))
    assert softer.press(setup.depth).force == pytest.approx(setup.force, rel=1e-6)
    again = foot.calibrate(["modulus"], pressed=[(setup.depth, setup.force)])
    assert 1e-6 * again.values["modulus"] == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
def test_influence_of_the_clamp(found: FootPressExperiment) -> None:
    """A lower clamp requires softer tissue and loads the forefoot more. A clamp on only the rear quarter of the cut
    requires a higher modulus than that of the thesis."""
    lower = [found.main, *(found.clamps[name] for name in clamp_names())]
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
def test_small_strains_are_some_per_cent_softer(found: FootPressExperiment) -> None:
    assert 0.93 < found.small["14"].force / found.main.force < 1.0
    assert found.meshes["20"].force == pytest.approx(found.main.force, rel=0.05)


@pytest.mark.slow
def test_sound(found: FootPressExperiment, tmp_path: Path) -> None:
    require_sound(found, tmp_path)


def test_the_rear_of_a_cut() -> None:
    mesh = FootPressSetup().drawn().fill(0.03)
    x = mesh.nodes[clamp_rear(mesh, 0.5).region("cut").nodes, 0]
    every = mesh.nodes[mesh.region("cut").nodes, 0]
    assert 0 < len(x) < len(every) and x.max() <= 0.5 * (every.min() + every.max()) + 1e-9


def test_without_a_scan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(experiment, "SCAN_FILE", tmp_path / "none.stl")
    assert press_scan(FootPressSetup(), None) == ({}, "No scan: `--scan FILE` adds one.")


def test_a_scan_without_a_foot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If the file is given explicitly, this is an error; if it merely exists, the result is a message."""
    path = tmp_path / "ball.stl"
    ball(0.1, 0.05).surface().save(path)
    with pytest.raises(ModelError, match=r"ball.stl"):
        press_scan(FootPressSetup(), path)
    monkeypatch.setattr(experiment, "SCAN_FILE", path)
    scanned, said = press_scan(FootPressSetup(), None)
    assert not scanned and said.startswith("The scan was left out")


@pytest.mark.slow
def test_a_scan_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses our own foot shape in place of a scan."""
    monkeypatch.setattr(experiment, "from_scan", lambda _, cut: FootPressSetup().drawn(cut))
    monkeypatch.setattr(experiment, "SCAN_CELL_SIZE_M", 0.02)
    scanned, said = press_scan(FootPressSetup(), "some.stl")
    assert list(scanned) == ["cut at 82 mm", *clamp_names()] and "mm long, cut at 82 mm" in said


def test_a_scan_requires_the_foot_experiment() -> None:
    with pytest.raises(ModelError, match=r"scan.*one experiment.*reproduce foot --scan"):
        reproductions.reproduce("integrators", scan=Path("some.stl"))
