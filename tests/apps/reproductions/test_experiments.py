"""Verdicts follow from the numbers; experiments are found by name; their files can be read."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from apps.reproductions.experiments import FIELDS
from gaitwright._core.errors import ModelError
from gaitwright_apps import reproductions
from gaitwright_apps.reproductions.experiments import (
    CHECK_TABLE_HEADER,
    FAIL,
    NOT_REPRODUCIBLE,
    PASS,
    VERDICTS,
    WITHIN_ROUNDING,
    Experiment,
    ReproductionCheck,
    count_by_kind,
    judge_number,
    verdict_total_lines,
)

CASES = [
    # published, computed, options, verdict
    (1.0, 1.0, {}, PASS),
    (1.0, 1.005, {"tolerance": 0.01}, PASS),
    (1.0, 1.02, {"tolerance": 0.01}, FAIL),
    (1.0, 1.02, {"tolerance": 0.01, "rounding": 0.05}, WITHIN_ROUNDING),
    (1.0, 2.0, {"rounding": 0.05, "impossible": "a misprint", "confirmed": True}, NOT_REPRODUCIBLE),
    (1.0, 1.0, {"impossible": "a misprint"}, PASS),
    (1.0, 2.0, {"impossible": "a misprint", "confirmed": False}, FAIL),
    (1.0, 2.0, {"impossible": "a misprint"}, FAIL),  # without an argument it is none
    (1.0, math.nan, {"impossible": "a misprint", "confirmed": True}, FAIL),
    (1.0, math.nan, {}, FAIL),
    (1.0, 1.0, {"void": "no masses"}, NOT_REPRODUCIBLE),
]


@pytest.mark.parametrize(("published", "computed", "options", "verdict"), CASES)
def test_verdict(published: float, computed: float, options: dict, verdict: str) -> None:
    check = judge_number("id", "what", published, computed, "m", paper="000", **options)
    assert check.verdict == verdict and verdict in VERDICTS
    if verdict == NOT_REPRODUCIBLE:
        assert check.why in ("a misprint", "no masses")
    if verdict == FAIL:
        assert "apart by" in check.why


def test_kind() -> None:
    checks = [
        judge_number("a", "what", 1.0, 1.0, "m", paper="000", kind=kind) for kind in ("statement", "input", "input")
    ]
    checks.append(judge_number("b", "what", 1.0, 2.0, "m", paper="000"))
    counted = count_by_kind(checks)
    assert list(counted) == ["result", "input", "statement"]
    assert (counted["result"][FAIL], counted["input"][PASS], counted["statement"][PASS]) == (1, 2, 1)
    assert verdict_total_lines(counted)[1] == "input: 2 pass, 0 within-rounding, 0 not-reproducible, 0 fail"
    assert [len(check.cells()) for check in checks] == [len(CHECK_TABLE_HEADER)] * 4 and "input" in checks[1].cells()
    with pytest.raises(ModelError, match=r"kind.*'guess'.*one of result, input"):
        judge_number("a", "what", 1.0, 1.0, "m", paper="000", kind="guess")


class Made(Experiment):
    """An experiment with one check of each verdict."""

    def judged(self) -> list[ReproductionCheck]:
        return [
            judge_number(f"check-{k}", "what", p, c, "m", paper=self.paper, **options)
            for k, (p, c, options, _) in enumerate(CASES)
        ]

    def numbers(self) -> dict:
        return {"run": {"steps": 3}}

    def tables(self) -> list:
        return []

    def remarks(self) -> list[str]:
        return []

    def draw(self, folder: Path) -> dict[str, Path]:
        return {}


def test_an_experiment_writes_its_checks(tmp_path: Path) -> None:
    made = Made("made", "000", "a title", {"mass": 1.0})
    made.write(tmp_path / "new")
    read = json.loads((tmp_path / "new" / "made.json").read_text())
    assert read["paper"] == "000" and read["choices"] == {"mass": 1.0} and read["runs"] == {"run": {"steps": 3}}
    assert [set(check) for check in read["checks"]] == [FIELDS] * len(CASES)
    assert [check["verdict"] for check in read["checks"]] == [case[3] for case in CASES]
    assert read["kinds"] == {"result": read["verdicts"]}
    assert sum(read["verdicts"].values()) == len(CASES) and len(made.findings().failed()) == read["verdicts"][FAIL]


def test_names() -> None:
    assert reproductions.select_experiments("falling-ball") == ["falling-ball"]
    assert set(reproductions.select_experiments("all")) >= {
        "slider-crank",
        "integrators",
        "knee-support",
        "cfrp-beam",
        "back-support",
        "falling-ball",
        "slider-crank-impact",
    }
    assert reproductions.select_experiments("all") == list(reproductions.EXPERIMENTS)
    with pytest.raises(ModelError, match=r"'rising-ball'.*one of slider-crank, .*all"):
        reproductions.select_experiments("rising-ball")
