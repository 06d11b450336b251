"""The benchmark command runs, writes files and reports. Times are not tested, because they require a quiet machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gaitwright._core.errors import ModelError
from gaitwright_apps import benchmarks
from gaitwright_apps.benchmarks import exudyn_peer

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict, Path, list[float]]:
    out, seen = tmp_path_factory.mktemp("bench") / "new", []
    return benchmarks.run_benchmarks(["p1"], out, quick=True, progress=lambda text, done: seen.append(done)), out, seen


def test_p1_has_our_times_and_errors(result: tuple[dict, Path, list[float]]) -> None:
    found, _, seen = result
    details = found["details"]["P1"]
    assert "error" not in details, details
    ours = details["ours"]
    assert min(ours["integration_seconds"], ours["whole_call_seconds"]) > 0
    assert ours["max_foot_error"] < 1e-12 and ours["position_violation"] < 1e-12
    assert details["rk4"]["us_per_evaluation_none"] > 0
    assert seen[0] == 0.0 and seen[-1] == 1.0


@pytest.mark.peer
@pytest.mark.skipif(not exudyn_peer.is_available(), reason="Exudyn is not installed")
def test_p1_is_the_same_problem_in_exudyn(result: tuple[dict, Path, list[float]]) -> None:
    found, _, _ = result
    assert found["ratios"]["P1"] > 0
    theirs = found["details"]["P1"]["exudyn"]
    assert theirs["max_foot_error"] < 1e-8 and theirs["torque_error"] < 1e-3
    assert all(found["details"]["P1"]["error_not_larger"].values())


def test_results_are_written(result: tuple[dict, Path, list[float]]) -> None:
    found, out, _ = result
    assert json.loads((out / "bench.json").read_text()) == json.loads(json.dumps(found))
    assert "## P1" in (out / "bench.md").read_text()


@pytest.mark.parametrize("full", [False, True])
def test_long_problems_run_only_on_request(full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmarks, "_measure_in_process", lambda *_: {})
    expected = set(benchmarks.PROBLEMS) - (set() if full else set(benchmarks.LONG_PROBLEMS))
    assert set(benchmarks.run_benchmarks(full=full)["details"]) == expected


def test_unknown_name() -> None:
    with pytest.raises(ModelError, match=r"P9.*one of P1, growth"):
        benchmarks.run_benchmarks(["P9"])


def test_failure_of_one_problem_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(benchmarks.PROBLEMS, "nothing", "a problem without a module")
    results = benchmarks.run_benchmarks(["nothing"], tmp_path)
    assert "No module named" in results["details"]["nothing"]["error"]
    assert "failed" in (tmp_path / "bench.md").read_text()
