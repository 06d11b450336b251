"""The gait demonstration: laboratory files are read without errors, and the walk has no warnings."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaitwright.gait.analysis import GaitAnalysis
from gaitwright_apps.demos.gait import DEMO_SUBJECT, run_gait_demo


def test_the_walk_of_the_demonstration_is_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of a walk is tested elsewhere."""
    monkeypatch.setattr(GaitAnalysis, "report", lambda self, folder: {"report": folder / "gait.html"})
    said: list[str] = []
    found, files = run_gait_demo(tmp_path, lambda what, part: said.append(what))
    assert {"report", "markers", "forces", "subject"} <= set(files) and "report" in said
    assert all(files[what].exists() for what in ("markers", "forces", "subject"))
    assert not [finding for finding in found.findings if finding.how_bad in ("wrong", "doubtful")]
    summary = found.summary()
    assert summary["subject"]["mass"] == DEMO_SUBJECT.mass
    assert {"quality", "events", "cycles", "moments", "forces"} <= set(summary)
    assert "SCHEMATIC" in found.trial.notes[0]
