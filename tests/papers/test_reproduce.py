"""The command `reproduce`: table, files, JSON, exit codes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from gaitwright import papers
from gaitwright.cli import app
from gaitwright.papers import cfrp_beam, falling_ball, impact
from gaitwright.papers.check import Check, judge


def call(*arguments: Any, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["reproduce", *map(str, arguments)])
    assert done.exit_code == code, f"{done.exit_code}: {done.stdout} {done.stderr} {done.exception!r}"
    return done


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact, "REPEATS", 1)
    monkeypatch.setattr(cfrp_beam, "UPRIGHT", replace(cfrp_beam.UPRIGHT, step=2e-5))
    monkeypatch.setattr(cfrp_beam, "READINGS", {})
    monkeypatch.setattr(cfrp_beam, "NEIGHBOURS", ())


def test_table_and_files(tmp_path: Path) -> None:
    done = call("falling-ball", "--out", tmp_path)
    assert "not-reproducible" in done.stdout and "9.81" in done.stdout and "5.50775" in done.stdout
    assert (tmp_path / "falling-ball.json").exists()
    assert {path.name for path in tmp_path.glob("*.png")} == {
        f"falling-ball-{what}.png" for what in falling_ball.FallingBall.pictures
    }


def test_all_as_json(tmp_path: Path) -> None:
    found = json.loads(call("all", "--out", tmp_path, "--json").stdout)
    assert list(found["experiments"]) == list(papers.EXPERIMENTS)
    for name, experiment in found["experiments"].items():
        assert experiment["paper"] in {"000", "002", "003"} and experiment["verdicts"]["fail"] == 0
        written = json.loads((tmp_path / f"{name}.json").read_text())
        assert written["checks"] == experiment["checks"]


def test_a_failed_check_is_an_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: Any) -> list[Check]:
        return [judge("x", "what", 1.0, 2.0, "m", paper="003")]

    monkeypatch.setattr(falling_ball.FallingBall, "judged", wrong)
    done = call("falling-ball", "--out", tmp_path, "--json", code=1)
    assert "1 published numbers are not met: falling-ball x (apart by 1 m)" in done.stderr
    assert json.loads(done.stdout)["experiments"]["falling-ball"]["verdicts"]["fail"] == 1


def test_unknown_name(tmp_path: Path) -> None:
    done = call("rising-ball", "--out", tmp_path / "new", code=2)
    assert "expected one of falling-ball, slider-crank-impact, cfrp-beam, slider-crank-contact, all" in done.stderr
    assert not (tmp_path / "new").exists()
