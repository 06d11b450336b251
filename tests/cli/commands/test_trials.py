"""Command `trials`: a row per trial, and one sentence for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from calling import call
from gait.lower_body_trial import with_all_markers


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    trial, forces = with_all_markers(3.0).save(folder)
    (folder / "study.csv").write_text(f"trial,forces,name\n{trial.name},{forces.name},before\nnone.c3d,,after\n")
    return folder / "study.csv"


def test_table_of_trials_reports_the_reason_of_a_failure(table: Path, tmp_path: Path) -> None:
    asked = ("trials", table, "--workers", 1, "--out", tmp_path / "out")
    said = call(*asked)
    assert "before" in said.stdout and "1 of 2 trials have no numbers" in said.stdout and "none.c3d" in said.stdout
    rows = pd.read_csv(tmp_path / "out" / "trials.csv")
    assert len(rows) == 4 and rows["speed"].notna().sum() == 2
    again = json.loads(call(*asked, "--json").stdout)
    assert again["trials"] == 2 and list(again["failed"]) == ["after"] and not again["interrupted"]
    refused = call(*asked, "--mass", 70, "--height", 1.75, code=2)
    assert (
        "belongs to another set of trials; what differs: subjects; expected another --out, or --restart"
        in refused.stderr
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.csv"], "table of trials 'none.csv' field 'file': there is no file 'none.csv'"),
        (["a.c3d", "--mass", 70], "field '--height'"),
        (["a.c3d", "--scheduler", "nowhere"], "scheduler"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list, message: str, tmp_path: Path) -> None:
    done = call("trials", *arguments, "--out", tmp_path, code=2)
    assert message in done.stderr and done.stderr.count("\n") == 1
