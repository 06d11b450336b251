"""Analysis of many trials, each separately, on all cores or on a cluster; the results are rows of one table.

table = gw.gait.analyse_trials(["walk1.c3d", "walk2.c3d"], gw.gait.Subject(mass=72.2, height=1.75))
table["speed"].sel(trial="walk1", side="right")
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import GaitwrightError
from gaitwright._core.input_files import file_digest
from gaitwright.design.executors.dask_executor import SchedulerLost
from gaitwright.design.executors.jobs import run_jobs
from gaitwright.design.executors.process_pool import JobCrashed
from gaitwright.design.fingerprint import fingerprint
from gaitwright.design.result_store import ResultStore
from gaitwright.gait.cycles import SIDES
from gaitwright.gait.subject import Subject
from gaitwright.gait.trial_quality import SEVERITY_WRONG

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.gait.analysis import GaitAnalysis

STORE_KIND = "set of trials"
NOT_COMPUTED_TEXT = "not computed"
TRIAL_FIELDS = ("trial", "forces", "static", "subject", "name")

ANALYSIS_OPTIONS = ("sides", "method", "cutoff", "leave_out")


class TrialJob(NamedTuple):
    """A trial: its files and its subject."""

    name: str
    trial: Path
    forces: Path | None
    static: Path | None
    subject: Subject | None


class TrialTask(NamedTuple):
    """Task for every trial. folder: parent of one output folder per trial, or None. report: True to write a report page."""

    markers: Mapping[str, str] | None
    options: Mapping[str, Any]
    folder: Path | None
    report: bool


class TrialRow(NamedTuple):
    """Result of one trial. numbers: (right, left) by name. units: unit and meaning by name. failure: empty if the analysis
    succeeded."""

    numbers: dict[str, tuple[float, float]]
    units: dict[str, tuple[str, str]]
    verdict: str
    faults: int
    failure: str


def analyse_trials(
    trials: Iterable[Any],
    subject: Subject | None = None,
    *,
    markers: Mapping[str, str] | None = None,
    folder: str | Path | None = None,
    report: bool = False,
    workers: int | None = None,
    client: Any = None,
    store: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> xr.Dataset:
    """Analyse many trials, each as `gw.gait.analyse` does.

    trials: files; or mappings with `trial` and optionally `forces`, `static` (files), `subject` and `name`. subject: of
    trials without their own. markers: as in `gw.gait.load`. folder: every trial gets a folder in it with its files, and
    with `report` also its page.
    workers: number of processes; default: all cores. client: a dask.distributed.Client, whose workers run the analyses and
    must have access to the files. store: a netCDF file, "trials.nc", which stores every trial when it is done: after an
    interruption the same call continues. progress: callback with the completed fraction. options: of `gw.gait.analyse`,
    such as cutoff.

    Returns a Dataset over `trial` and `side`: the spatio-temporal table (speed, m/s, ...), largest and smallest angles
    (deg), moments and powers of the mean cycle (knee_flexion.max, ...), `verdict`, `faults`, and `failure`: a trial that
    cannot be analysed gives a row with the reason, and the others continue. Raises ModelError for invalid arguments."""
    for name in options:
        ErrorContext("trials").one_of(name, ANALYSIS_OPTIONS, "is no option of gw.gait.analyse")
    jobs = list(_read_jobs(trials, subject))
    task = TrialTask(markers, options, None if folder is None else Path(folder), report)
    table_store = ResultStore.of_table(store, STORE_KIND, _store_key(jobs, task)) if store is not None else None
    if table_store is not None and (whole := table_store.finished_table()) is not None:
        return whole.assign({name: whole[name].astype(object) for name in ("verdict", "failure")})
    with table_store or nullcontext():
        stored = [table_store.get((float(k),)) if table_store else None for k in range(len(jobs))]
        rows = [TrialRow(**entry) if entry is not None else None for entry in stored]
        left = [k for k, row in enumerate(rows) if row is None]
        why, given_up = f"{NOT_COMPUTED_TEXT}: interrupted", False

        def report_progress() -> None:
            if progress is not None:
                progress(1.0 - rows.count(None) / len(rows))

        try:
            for k, outcome in run_jobs(_analyse_job, task, [jobs[k] for k in left], workers, client, report_progress):
                if isinstance(outcome, JobCrashed):
                    rows[left[k]], given_up = TrialRow({}, {}, "", 0, outcome.reason), True
                else:
                    rows[left[k]] = outcome
                    if table_store is not None:
                        table_store.add((float(left[k]),), outcome._asdict())
                report_progress()
        except KeyboardInterrupt:
            pass
        except SchedulerLost as lost:
            why = f"{NOT_COMPUTED_TEXT}: {lost}"
            warnings.warn(
                f"{lost}; what was computed is kept{', the same call goes on' if table_store else ''}", stacklevel=2
            )
        finished = not given_up and None not in rows
        data = _build_dataset([job.name for job in jobs], [row or TrialRow({}, {}, "", 0, why) for row in rows])
        if table_store is not None:
            table_store.write_table(data, finished)
    return data


def _read_jobs(trials: Iterable[Any], subject: Subject | None) -> Iterator[TrialJob]:
    at = ErrorContext("trials")
    if isinstance(trials, (str, Path, Mapping)) or not isinstance(trials, Iterable):
        at.fail("is no list of trials", trials, "files, such as ['walk1.c3d', 'walk2.c3d']")
    names: set[str] = set()
    for k, one in enumerate(trials):
        given = dict(one) if isinstance(one, Mapping) else {"trial": one}
        for name in given:
            at[f"trial {k + 1}"].one_of(name, TRIAL_FIELDS, "is no field of a trial")
        files = {name: given.get(name) for name in ("trial", "forces", "static")}
        for name, file in files.items():
            if not isinstance(file, (str, Path)) and (file is not None or name == "trial"):
                at[f"trial {k + 1}"].fail(f"has no file as '{name}'", file, "a path")
        person = given.get("subject") or subject
        if person is not None and not isinstance(person, Subject):
            at[f"trial {k + 1}"].fail("has no valid subject", person, "gw.gait.Subject(mass=72, height=1.75)")
        paths = {name: None if file is None else Path(file) for name, file in files.items()}
        assert paths["trial"] is not None
        name = _unique_name(str(given.get("name") or paths["trial"].stem), names)
        yield TrialJob(name, paths["trial"], paths["forces"], paths["static"], person)
    if not names:
        at.fail("has no trial", expected="files, such as ['walk1.c3d', 'walk2.c3d']")


def _unique_name(name: str, names: set[str]) -> str:
    """Make a name unique by a number: trials of several people often have the same names."""
    unique, k = name, 2
    while unique in names:
        unique, k = f"{name}-{k}", k + 1
    names.add(unique)
    return unique


def _analyse_job(task: TrialTask, job: TrialJob) -> TrialRow:
    """Analyse one trial, locally or on a worker."""
    from gaitwright.gait.analysis import analyse
    from gaitwright.gait.trial import load, split_marker_map

    try:
        own, own_static = split_marker_map(task.markers, job.trial, job.static)
        walk = load(job.trial, job.forces, own)
        standing = None if job.static is None else load(job.static, markers=own_static)
        analysis = analyse(walk, job.subject, standing, **task.options)
        if task.folder is not None:
            (task.folder / job.name).mkdir(parents=True, exist_ok=True)
            analysis.save(task.folder / job.name)
            if task.report:
                analysis.report(task.folder / job.name)
        return _summarise_trial(analysis)
    except GaitwrightError as error:
        return TrialRow({}, {}, "", 0, str(error))
    except Exception as error:  # files of laboratories can have arbitrary content
        return TrialRow({}, {}, "", 0, f"{type(error).__name__}: {error}")


def _summarise_trial(found: GaitAnalysis) -> TrialRow:
    summary = found.summary()
    numbers: dict[str, tuple[float, float]] = {}
    units: dict[str, tuple[str, str]] = {}
    for name, row in found.table.items():
        numbers[name], units[name] = (row.right.mean, row.left.mean), (row.unit, row.meaning)
    for kind in ("angles", "moments"):
        for name, row in summary[kind].items():
            for what in ("max", "min") if any(side in row for side in SIDES) else ():
                values = [float(row[side][what]) if side in row else np.nan for side in SIDES]
                numbers[f"{name}.{what}"] = values[0], values[1]
                units[f"{name}.{what}"] = row["unit"], f"{what} of {name.replace('_', ' ')} in the mean cycle"
    count = [float(sum(cycle.side == side for cycle in found.cycles.all)) for side in SIDES]
    numbers["cycles"], units["cycles"] = (count[0], count[1]), ("1", "complete cycles")
    return TrialRow(numbers, units, found.verdict, sum(one.how_bad == SEVERITY_WRONG for one in found.findings), "")


def _build_dataset(names: Sequence[str], rows: Sequence[TrialRow]) -> xr.Dataset:
    import xarray as xr

    data = xr.Dataset(coords={"trial": np.array(names, dtype=object), "side": list(SIDES)})
    units = {name: unit for row in rows for name, unit in row.units.items()}
    for name, (unit, text) in units.items():
        values = [row.numbers.get(name, (np.nan, np.nan)) for row in rows]
        data[name] = (("trial", "side"), np.array(values), {"units": unit, "long_name": text})
    data["faults"] = ("trial", np.array([row.faults for row in rows]), {"long_name": "findings that are faults"})
    for name in ("verdict", "failure"):
        data[name] = ("trial", np.array([getattr(row, name) for row in rows], dtype=object))
    return data


# the store ----------------------------------------------------------------------------------------------------------


def _store_key(jobs: Sequence[TrialJob], task: TrialTask) -> dict[str, Any]:
    """Key of the store: calls with equal keys have equal results."""
    files = [[job.name, *(_file_digest(file) for file in (job.trial, job.forces, job.static))] for job in jobs]
    return {
        "trials": files,
        "subjects": [fingerprint(job.subject) for job in jobs],
        "markers and options": fingerprint((task.markers, dict(task.options))),
        "files and pages": [task.folder is not None, task.report],
    }


def _file_digest(file: Path | None) -> str | None:
    """Digest of the content of a file; None if there is no file."""
    if file is None or not file.is_file():
        return None
    return file_digest(file)[:16]
