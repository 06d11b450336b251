"""Many trials at once: each analysed by itself, on all cores or on a cluster, with its numbers as a row of one table.

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

from gaitwright.checks import At
from gaitwright.design.cluster import Lost
from gaitwright.design.filed import Filed
from gaitwright.design.fingerprint import fingerprint
from gaitwright.design.hands import results_of
from gaitwright.design.store import plain_numbers, real_numbers
from gaitwright.design.workers import Died
from gaitwright.errors import GaitwrightError
from gaitwright.gait.cycles import SIDES
from gaitwright.gait.quality import WRONG
from gaitwright.gait.subject import Subject
from gaitwright.input_files import digest_of_file

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.gait.analysis import GaitAnalysis

KIND = "set of trials"
NOT_COMPUTED = "not computed"
FIELDS = ("trial", "forces", "static", "subject", "name")

OPTIONS = ("sides", "method", "cutoff", "leave_out")


class Job(NamedTuple):
    """A trial: its files, and who walks."""

    name: str
    trial: Path
    forces: Path | None
    static: Path | None
    subject: Subject | None


class Task(NamedTuple):
    """What is done with every trial. folder: in which each has a folder of its own, or None. report: with a page."""

    markers: Mapping[str, str] | None
    options: Mapping[str, Any]
    folder: Path | None
    report: bool


class Row(NamedTuple):
    """What is left of a trial. numbers: (right, left) by name. units: unit and meaning by name. failure: empty where all is
    well."""

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

    trials: files; or mappings with `trial` and, where there are, `forces`, `static` (files), `subject` and `name`. subject: of
    trials that have none of their own. markers: as in `gw.gait.load`. folder: every trial gets a folder in it with its files,
    and with report its page, too. workers: processes; all cores unless given. client: a dask.distributed.Client, whose workers
    analyse; they have to reach the files. store: a netCDF file, "trials.nc", in which every trial is kept as it is done: the
    same call after an interruption goes on where it was. options: of `gw.gait.analyse`, such as cutoff.

    Returns a Dataset over `trial` and `side`: the table of the walk (speed, m/s, ...), largest and smallest angles (deg),
    moments and powers of the mean cycle (knee_flexion.max, ...), `verdict`, `faults`, and `failure`: a trial that cannot be
    analysed is a row with its reason, never the end of the others."""
    for name in options:
        At("trials").one_of(name, OPTIONS, "is no option of gw.gait.analyse")
    jobs = list(_jobs(trials, subject))
    task = Task(markers, options, None if folder is None else Path(folder), report)
    kept = Filed(store, KIND, _question(jobs, task)) if store is not None else None
    if kept is not None and (whole := kept.whole()) is not None:
        return whole.assign({name: whole[name].astype(object) for name in ("verdict", "failure")})
    with kept or nullcontext():
        rows: list[Row | None] = [_kept(kept, k) for k in range(len(jobs))]
        left = [k for k, row in enumerate(rows) if row is None]
        why, given_up = f"{NOT_COMPUTED}: interrupted", False

        def tell() -> None:
            if progress is not None:
                progress(1.0 - rows.count(None) / len(rows))

        try:
            for k, found in results_of(_analysed, task, [jobs[k] for k in left], workers, client, tell):
                if isinstance(found, Died):
                    rows[left[k]], given_up = Row({}, {}, "", 0, found.reason), True
                else:
                    rows[left[k]] = found
                    _keep(kept, left[k], found)
                tell()
        except KeyboardInterrupt:
            pass
        except Lost as lost:
            why = f"{NOT_COMPUTED}: {lost}"
            warnings.warn(f"{lost}; what was computed is kept{', the same call goes on' if kept else ''}", stacklevel=2)
        finished = not given_up and None not in rows
        data = _dataset([job.name for job in jobs], [row or Row({}, {}, "", 0, why) for row in rows])
        if kept is not None:
            kept.close(data, finished)
    return data


def _jobs(trials: Iterable[Any], subject: Subject | None) -> Iterator[Job]:
    at = At("trials")
    if isinstance(trials, (str, Path, Mapping)) or not isinstance(trials, Iterable):
        at.fail("is no list of trials", trials, "files, such as ['walk1.c3d', 'walk2.c3d']")
    names: set[str] = set()
    for k, one in enumerate(trials):
        given = dict(one) if isinstance(one, Mapping) else {"trial": one}
        for name in given:
            at[f"trial {k + 1}"].one_of(name, FIELDS, "is nothing that a trial has")
        files = {name: given.get(name) for name in ("trial", "forces", "static")}
        for name, file in files.items():
            if not isinstance(file, (str, Path)) and (file is not None or name == "trial"):
                at[f"trial {k + 1}"].fail(f"has no file as '{name}'", file, "a path")
        person = given.get("subject") or subject
        if person is not None and not isinstance(person, Subject):
            at[f"trial {k + 1}"].fail("does not say who walks", person, "gw.gait.Subject(mass=72, height=1.75)")
        paths = {name: None if file is None else Path(file) for name, file in files.items()}
        assert paths["trial"] is not None
        name = _unique(str(given.get("name") or paths["trial"].stem), names)
        yield Job(name, paths["trial"], paths["forces"], paths["static"], person)
    if not names:
        at.fail("has no trial", expected="files, such as ['walk1.c3d', 'walk2.c3d']")


def _unique(name: str, names: set[str]) -> str:
    """Trials of several people often have the same names."""
    found, k = name, 2
    while found in names:
        found, k = f"{name}-{k}", k + 1
    names.add(found)
    return found


def _analysed(task: Task, job: Job) -> Row:
    """One trial, here or on a worker."""
    from gaitwright.gait.analysis import analyse
    from gaitwright.gait.trial import load

    try:
        walk = load(job.trial, job.forces, task.markers)
        standing = None if job.static is None else load(job.static, markers=task.markers)
        found = analyse(walk, job.subject, standing, **task.options)
        if task.folder is not None:
            (task.folder / job.name).mkdir(parents=True, exist_ok=True)
            found.save(task.folder / job.name)
            if task.report:
                found.report(task.folder / job.name)
        return _row(found)
    except GaitwrightError as error:
        return Row({}, {}, "", 0, str(error))
    except Exception as error:  # files of laboratories may hold anything
        return Row({}, {}, "", 0, f"{type(error).__name__}: {error}")


def _row(found: GaitAnalysis) -> Row:
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
    return Row(numbers, units, found.verdict, sum(one.how_bad == WRONG for one in found.findings), "")


def _dataset(names: Sequence[str], rows: Sequence[Row]) -> xr.Dataset:
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


def _question(jobs: Sequence[Job], task: Task) -> dict[str, Any]:
    """What is asked: two calls that agree in this give the same."""
    files = [[job.name, *(_digest(file) for file in (job.trial, job.forces, job.static))] for job in jobs]
    return {
        "trials": files,
        "subjects": [fingerprint(job.subject) for job in jobs],
        "markers and options": fingerprint((task.markers, dict(task.options))),
        "files and pages": [task.folder is not None, task.report],
    }


def _digest(file: Path | None) -> str | None:
    """Of what is in a file."""
    if file is None or not file.is_file():
        return None
    return digest_of_file(file)[:16]


def _keep(kept: Filed | None, k: int, row: Row) -> None:
    if kept is not None:
        sides = [plain_numbers({name: pair[s] for name, pair in row.numbers.items()}) for s in range(len(SIDES))]
        kept.store.add((float(k),), {**row._asdict(), "numbers": sides})


def _kept(kept: Filed | None, k: int) -> Row | None:
    entry = kept.store.get((float(k),)) if kept is not None else None
    if entry is None:
        return None
    right, left = (real_numbers(side) for side in entry["numbers"])
    units = {name: (unit, text) for name, (unit, text) in entry["units"].items()}
    numbers = {name: (right[name], left[name]) for name in right}
    return Row(numbers, units, entry["verdict"], entry["faults"], entry["failure"])
