"""The command `reproduce`: table, files, JSON, exit codes."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from apps.reproductions.experiments import FIELDS, LONG, ran
from gaitwright._core.json_types import write_json
from gaitwright.cli.main import app
from gaitwright_apps import reproductions
from gaitwright_apps.reproductions import falling_ball, impact_runs, integrators
from gaitwright_apps.reproductions.experiments import VERDICTS, Experiment, ReproductionCheck, judge_number
from gaitwright_apps.reproductions.sheets import read_sheet
from gaitwright_apps.reproductions.verdicts import format_computed
from shown import same

PAGE = Path(__file__).parents[3] / "docs" / "verdicts.md"


def call(*arguments: Any, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["reproduce", *map(str, arguments)])
    assert done.exit_code == code, f"{done.exit_code}: {done.stdout} {done.stderr} {done.exception!r}"
    return done


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact_runs, "TIMING_REPEATS", 1)
    monkeypatch.setattr(integrators, "TIMING_REPEATS", 1)
    for name in LONG:
        monkeypatch.setattr(
            importlib.import_module(reproductions.EXPERIMENTS[name]), "run", lambda _, name=name: ran(name)
        )


@pytest.mark.slow
def test_table_and_files(tmp_path: Path) -> None:
    done = call("falling-ball", "--out", tmp_path)
    assert "not-reproducible" in done.stdout and "9.81" in done.stdout and "5.50775" in done.stdout
    assert (tmp_path / "falling-ball.json").exists()
    assert {path.name for path in tmp_path.glob("*.png")} == {
        f"falling-ball-{what}.png" for what in read_sheet("falling-ball").pictures
    }


def listed(page: str, column: int = 6) -> dict[str, str]:
    """Return verdicts, or another column, of the page docs/verdicts.md by experiment/id."""
    found, name = {}, ""
    for line in page.splitlines():
        if heading := re.search(r"\{ #([\w-]+) \}$", line):
            name = heading[1]
        cells = [cell.strip() for cell in line.split(" | ")]
        if name and len(cells) == 8 and cells[6] in VERDICTS:
            found[f"{name}/{cells[0].removeprefix('| ')}"] = cells[column]
    return found


def numbers_only(self: Experiment, folder: Path) -> dict[str, Path]:
    """Write only the numbers; pictures are tested with each experiment."""
    self.files = {"numbers": write_json(self.findings().summary(), folder / f"{self.name}.json")}
    return self.files


@pytest.mark.slow
def test_all_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in this process, where the experiments are shortened; the page in docs gives the same verdicts."""
    monkeypatch.setattr(Experiment, "write", numbers_only)
    data = json.loads(call("all", "--out", tmp_path, "--json", "--workers", 1).stdout)
    assert list(data["experiments"]) == list(reproductions.EXPERIMENTS)
    for name, experiment in data["experiments"].items():
        assert experiment["paper"] in {"000", "001", "002", "003", "004"} and experiment["verdicts"]["fail"] == 0
        written = json.loads((tmp_path / f"{name}.json").read_text())
        assert written["checks"] == experiment["checks"]
    every = {}
    for paper in data["papers"]:
        assert json.loads((tmp_path / f"paper-{paper['paper']}.json").read_text()) == paper
        assert set(paper) == {"paper", "checks"}
        assert all(set(check) == FIELDS and check["paper"] == paper["paper"] for check in paper["checks"])
        ids = [check["id"] for check in paper["checks"]]
        assert len(set(ids)) == len(ids)
        every |= {check["id"]: check["verdict"] for check in paper["checks"]}
    assert len(every) == sum(len(each["checks"]) for each in data["experiments"].values()) >= 120
    assert listed(PAGE.read_text()) == every, "docs/verdicts.md is out of date: make verdicts"
    written = listed(PAGE.read_text(), 3)
    for check in (check for paper in data["papers"] for check in paper["checks"]):
        if check["kind"] == "machine" or check["id"].startswith("cfrp-beam/"):
            continue  # of the machine that wrote the page; made shorter here
        ours, shown = format_computed(ReproductionCheck(**check)), written[check["id"]]
        assert same(ours, shown), f"docs/verdicts.md shows {check['id']} as {shown}, but it is {ours}: make verdicts"


@pytest.mark.slow
def test_a_failed_check_is_an_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: Any) -> list[ReproductionCheck]:
        return [judge_number("x", "what", 1.0, 2.0, "m", paper="003")]

    monkeypatch.setattr(falling_ball.FallingBallExperiment, "judged", wrong)
    done = call("falling-ball", "--out", tmp_path, "--json", code=1)
    assert "1 published numbers are not met: falling-ball x (apart by 1 m)" in done.stderr
    assert json.loads(done.stdout)["experiments"]["falling-ball"]["verdicts"]["fail"] == 1


def test_unknown_name(tmp_path: Path) -> None:
    done = call("rising-ball", "--out", tmp_path / "new", code=2)
    assert f"expected one of {', '.join(reproductions.EXPERIMENTS)}, all" in done.stderr
    assert not (tmp_path / "new").exists()


def test_help_names_all_experiments() -> None:
    shown = "".join(call("--help").stdout.replace("│", "").split())
    assert f"{','.join(reproductions.EXPERIMENTS)},orall." in shown
