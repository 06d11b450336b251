"""Many trials as one table: the numbers of each, failing trials, and continuation after an interruption."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import gaitwright as gw
from gait.lower_body_trial import with_all_markers
from gait.synthetic import WEIGHT
from gaitwright.gait import trial_batch as module
from gaitwright.gait.trial_table import read_trials

SUBJECT = gw.gait.Subject(WEIGHT / 9.81, 1.75, "male")


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Three valid trials, one invalid file, and one missing file."""
    folder = tmp_path_factory.mktemp("walks")
    found = []
    for k, length in enumerate((3.0, 3.5, 4.0)):
        (folder / f"p{k}").mkdir()
        trial, forces = with_all_markers(length).save(folder / f"p{k}")
        found.append({"trial": trial, "forces": forces})
    (folder / "text.trc").write_text("no trial\n")
    return [*found[:2], {"trial": folder / "text.trc"}, {"trial": folder / "none.c3d"}, found[2]]


@pytest.fixture(scope="module")
def whole(walks: list[dict[str, Any]]) -> xr.Dataset:
    return gw.gait.analyse_trials(walks, workers=1)


def test_every_row_equals_the_separate_analysis(walks: list[dict[str, Any]], whole: xr.Dataset) -> None:
    name = walks[0]["trial"].stem
    assert whole["trial"].values.tolist() == [name, f"{name}-2", "text", "none", f"{name}-3"]
    for k in (0, 1, 4):
        alone = gw.gait.analyse(gw.gait.load(walks[k]["trial"], walks[k]["forces"]))
        row = whole.isel(trial=k)
        assert row["failure"] == "" and row["verdict"] == alone.verdict
        for measure, found in alone.table.items():
            np.testing.assert_array_equal(row[measure], [found.right.mean, found.left.mean])
            assert row[measure].attrs["units"] == found.unit
    assert float(whole["cycles"].isel(trial=4).sum()) > float(whole["cycles"].isel(trial=0).sum())


def test_failing_trial_is_a_row_with_its_reason(whole: xr.Dataset) -> None:
    assert "text.trc" in whole["failure"].values[2] and "none.c3d" in whole["failure"].values[3]
    assert np.isnan(whole["speed"].isel(trial=[2, 3])).all()


@pytest.mark.slow
def test_subject_gives_angles_and_files(walks: list[dict[str, Any]], tmp_path: Path) -> None:
    found = gw.gait.analyse_trials(walks[:1], SUBJECT, folder=tmp_path, workers=1)
    alone = gw.gait.analyse(gw.gait.load(walks[0]["trial"], walks[0]["forces"]), SUBJECT).summary()
    knee = found["knee_flexion.max"]
    assert knee.attrs["units"] == "deg"
    np.testing.assert_allclose(knee[0], [alone["angles"]["knee_flexion"][s]["max"] for s in ("right", "left")])
    assert (tmp_path / str(found["trial"].values[0]) / "angles.mot").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_run_continues(
    workers: int, walks: list[dict[str, Any]], whole: xr.Dataset, tmp_path: Path
) -> None:
    path, told = tmp_path / "trials.nc", []

    def stop(fraction: float) -> None:
        if fraction >= 0.5:
            raise KeyboardInterrupt

    first = gw.gait.analyse_trials(walks, workers=workers, store=path, progress=stop)
    assert 1 <= (first["failure"] == "not computed: interrupted").sum() <= 2
    second = gw.gait.analyse_trials(walks, workers=workers, store=path, progress=told.append)
    assert told[0] > 0.5 and told[-1] == 1.0 and len(told) <= 2 + (workers > 1) * 99
    xr.testing.assert_identical(second, whole)
    nothing = lambda _: pytest.fail("there is nothing left to do")  # noqa: E731
    xr.testing.assert_identical(gw.gait.analyse_trials(walks, store=path, progress=nothing), whole)
    with pytest.raises(gw.ModelError, match="belongs to another set of trials; what differs: trials"):
        gw.gait.analyse_trials(walks[:2], store=path)
    with pytest.raises(gw.ModelError, match="what differs: subjects"):
        gw.gait.analyse_trials(walks, SUBJECT, store=path)


BAD: dict[str, tuple[Any, dict[str, Any], str]] = {
    "one file": ("walk.c3d", {}, "is no list of trials"),
    "none": ([], {}, "has no trial"),
    "a number": ([3], {}, "trial 1.*has no file as 'trial'"),
    "a field": ([{"trial": "a.c3d", "force": "b"}], {}, "is no field of a trial.*'forces'"),
    "a person": ([{"trial": "a.c3d", "subject": 72}], {}, "has no valid subject"),
    "an option": (["a.c3d"], {"cutof": 6}, "is no option of gw.gait.analyse.*'cutoff'"),
}


@pytest.mark.parametrize("what", BAD)
def test_invalid_list_of_trials_is_refused(what: str) -> None:
    trials, options, sentence = BAD[what]
    with pytest.raises(gw.ModelError, match=sentence):
        gw.gait.analyse_trials(trials, **options)


def test_table_of_trials_is_read(tmp_path: Path) -> None:
    (tmp_path / "study.csv").write_text(
        "trial,forces,mass,height,sex,name\na.trc,a.mot,72,1.75,male,\nb.c3d,,,,,second\n"
    )
    first, second = read_trials(tmp_path / "study.csv")
    assert first == {
        "trial": tmp_path / "a.trc",
        "forces": tmp_path / "a.mot",
        "subject": gw.gait.Subject(72, 1.75, "male"),
    }
    assert second == {"trial": tmp_path / "b.c3d", "name": "second"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "names no trials"),
        ("file\na.c3d\n", "names no trials"),
        ("trial,weight\na.c3d,3\n", "is no column of such a table"),
        ("trial,mass\na.c3d,72\n", "line 2.*has only the mass"),
        ("trial,mass,height\na.c3d,72,tall\n", "line 2.*has no numbers as mass and height"),
        ("trial,mass\na.c3d\n", "line 2.*more or fewer cells"),
        ("trial,mass\n,\n", "line 2.*has no trial"),
    ],
)
def test_invalid_table_of_trials_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "study.csv").write_text(text)
    with pytest.raises(gw.ModelError, match=sentence):
        read_trials(tmp_path / "study.csv")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="as the other tests of clusters")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_cluster_gives_the_same_table(walks: list[dict[str, Any]], whole: xr.Dataset, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        found = gw.gait.analyse_trials(walks, client=client, store=tmp_path / "trials.nc")
    xr.testing.assert_identical(found, whole)


def test_crashed_process_is_reported_and_tried_again(walks, tmp_path, monkeypatch) -> None:
    from gaitwright.design.executors.process_pool import JobCrashed

    before = module.run_jobs

    def deadly(function, task, jobs, *others):
        for k, found in before(function, task, jobs, *others):
            yield k, JobCrashed("process died") if k == 1 else found

    monkeypatch.setattr(module, "run_jobs", deadly)
    found = gw.gait.analyse_trials(walks[:2], workers=1, store=tmp_path / "trials.nc")
    assert found["failure"].values.tolist() == ["", "process died"]
    monkeypatch.setattr(module, "run_jobs", before)
    assert (gw.gait.analyse_trials(walks[:2], workers=1, store=tmp_path / "trials.nc")["failure"] == "").all()
