"""The command that analyses many variants of a model: sweep."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from gaitwright.checks import At
from gaitwright.commands.designs import GOES_ON
from gaitwright.commands.measuring import LEG, named, question, usual_numbers
from gaitwright.commands.options import OWN_FOLDER, Allow, File, Json, Out, Set
from gaitwright.commands.people import (
    Height,
    Lifted,
    Mass,
    Moving,
    Plates,
    Sex,
    SubjectFile,
    model_or_device,
    worn_options,
)
from gaitwright.commands.ranges import read_values
from gaitwright.errors import ModelError
from gaitwright.terminal import FAILED, Screen, Watch, showing_warnings, speaking, stopped

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.model.model import Model

PANELS = 3
"""Numbers that are drawn."""
REASONS = 3
"""Kinds of failure that are told."""


def sweep(
    model: File,
    parameters: Annotated[
        list[str],
        typer.Option(
            "--parameter",
            metavar="NAME=VALUES",
            help="LOW:HIGH:COUNT or A,B,C; repeatable: every combination is analysed.",
        ),
    ],
    outputs: Annotated[
        list[str],
        typer.Option(
            "--output",
            metavar="NAME",
            help="Output, crank.torque.max, number of a leg such as energy, or ratio=energy/step_length; repeatable.",
        ),
    ] = [],  # noqa: B006
    measure: Annotated[
        str, typer.Option("--measure", help="What to take of an output over time: final, max, min or max_abs.")
    ] = "final",
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes; all cores unless given.")] = None,
    scheduler: Annotated[
        str,
        typer.Option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster that computes, as tcp://10.0.0.1:8786."),
    ] = "",
    kept: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Where numbers are kept as they come; sweep.nc in --out."),
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Forget what an earlier sweep left in the folder.")
    ] = False,
    printed: Annotated[
        bool | None,
        typer.Option(
            "--printed/--classic", help="By a program printed for the model, or not; where it pays unless given."
        ),
    ] = None,
    motion: Moving = "",
    subject: SubjectFile = None,
    mass: Mass = None,
    height: Height = None,
    sex: Sex = "",
    load: Lifted = None,
    forces: Plates = None,
    out: Out = OWN_FOLDER,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
) -> None:
    """Analyse every combination of parameter values; write sweep.nc, sweep.csv, a map and a page. Stopped, it goes on where it
    was."""
    with speaking(out, as_json) as screen:
        from gaitwright.design.cluster import connected
        from gaitwright.design.question import MEASURES
        from gaitwright.design.store import OtherStore
        from gaitwright.design.sweep import NOT_COMPUTED
        from gaitwright.design.sweep import sweep as analyse_all
        from gaitwright.report.views.sweep_page import sweep_report
        from gaitwright.saving import save_text

        asked = model_or_device(model, changes, folders)
        example = "L6=0.39:0.43:17 or turns_per_second=0.5,1,2"
        grid = dict(read_values(text, "--parameter", example) for text in parameters)
        At(field="measure").one_of(measure, MEASURES)
        worn = worn_options(screen, asked, motion, subject, mass, height, sex, load, forces)
        client = connected(scheduler) if scheduler else None
        out = screen.make_folder()
        store = kept or out / "sweep.nc"
        if restart:
            for path in (store, store.with_name(f"{store.name}.log")):
                path.unlink(missing_ok=True)
        with showing_warnings(), Watch("sweeping") as watch:
            try:
                options = {**worn, "outputs": []} if worn else measured_options(asked, outputs, measure)
                data = analyse_all(
                    asked, grid, **options, workers=workers, progress=watch, store=store, client=client, printed=printed
                )
            except OtherStore as error:
                raise ModelError(error.problem, expected="another --out, or --restart to begin anew") from None
        files = {"sweep": store} if store.exists() else {}
        table = data.to_dataframe().reset_index().to_csv(index=False, lineterminator="\n")
        files["table"] = save_text(out / "sweep.csv", table)
        names = numbers_of(data, outputs)
        for name in names:
            if name.startswith("frequency_"):  # of modes
                data[name].attrs.setdefault("units", "Hz")
        show(screen, data, names)
        failed = [str(reason) for reason in data["failure"].values.ravel() if reason]
        if names and len(failed) < data["failure"].size:
            files |= draw(data, names, out / "plot.png")
            with Watch("drawing"):
                ends = {} if worn or watch.interrupted else ends_alive(asked, data, names[0], options)
                report = sweep_report(data, names, f"{asked.document.name}: a sweep", ends)
                files |= report.save(out / "sweep.html")
        screen.wrote(files)
        missing = sum(reason.startswith(NOT_COMPUTED) for reason in failed)
        counts = {"variants": int(data["failure"].size), "failed": len(failed) - missing}
        interrupted = missing > 0
        if interrupted:
            screen.say(f"{missing} of {counts['variants']} variants are missing; {GOES_ON}")
        screen.finish(
            {"name": asked.document.name, **counts, "interrupted": interrupted, "numbers": extremes(data, names)}
        )
        if interrupted:
            raise typer.Exit(stopped() if watch.interrupted else FAILED)


def measured_options(model: Model, outputs: Sequence[str], measure: str) -> dict[str, Any]:
    """How a sweep gets the numbers that are asked for."""
    of_leg = model.document.gait is not None
    found = question(model, list(outputs) or ([] if of_leg else usual_numbers(model)), measure)
    found.measure.require_something(model)
    analysis = {} if found.analysis is None else {"analysis": found.analysis}
    return {**analysis, "measure": found.measure, "outputs": []}


def ends_alive(model: Model, data: xr.Dataset, name: str, options: dict[str, Any]) -> dict[str, Any]:
    """The variants with the least and the greatest of a number, as runs; none where the analysis gives no motion."""
    from gaitwright.design.told import motion_of
    from gaitwright.design.variants import Prepared
    from gaitwright.errors import GaitwrightError
    from gaitwright.result.result import Result

    section = options.get("analysis")
    given = {"analysis": dict(section)} if section and not callable(section) else {}
    prepared, found = Prepared(type(model).from_dict({**model.to_dict(), "outputs": [], **given})), {}
    analyse = section if callable(section) else type(model).analyse
    for which, place in extremes(data, [name]).get(name, {}).items():
        try:
            run = motion_of(analyse(prepared.variant(place["at"])))
        except GaitwrightError:
            continue
        if isinstance(run, Result) and run.time.size > 1:
            found[f"{which} {name}: {', '.join(f'{n} = {v:.4g}' for n, v in place['at'].items())}"] = run
    return found


def numbers_of(data: xr.Dataset, outputs: Sequence[str]) -> list[str]:
    """The numbers to show: those asked for, or all but the evidence."""
    evidence = ("failure", "max_constraint_violation", "max_energy_residual")
    there = [str(name) for name in data.data_vars if name not in evidence]
    asked = [named(name)[0] for name in outputs]
    missing = [name for name in asked if name not in there]
    if missing and (data["failure"] == "").any():
        At(field="--output").one_of(missing[0], there, "is no number of this sweep")
    first = [name for name in LEG if name in there]
    return [name for name in asked if name in there] or [*first, *(name for name in there if name not in first)]


def extremes(data: xr.Dataset, names: Sequence[str]) -> dict[str, Any]:
    """Of every number the least and the greatest value, and where they are."""
    found = {}
    for name in names:
        values = data[name]
        if bool(values.isnull().all()):
            continue
        places = {"least": int(np.nanargmin(values.values)), "greatest": int(np.nanargmax(values.values))}
        found[name] = {which: _at(values, place) for which, place in places.items()}
    return found


def _at(values: xr.DataArray, place: int) -> dict[str, Any]:
    where = np.unravel_index(place, values.shape)
    at = {str(name): float(values[name].values[k]) for name, k in zip(values.dims, where, strict=True)}
    return {"value": float(values.values[where]), "at": at}


def show(screen: Screen, data: xr.Dataset, names: Sequence[str]) -> None:
    """The extremes in a table, and why variants failed."""
    rows = [
        (
            name,
            *(part for which in ("least", "greatest") for part in _cells(found[which])),
            data[name].attrs.get("units", ""),
        )
        for name, found in extremes(data, names).items()
    ]
    screen.table("number", "least", "at", "greatest", "at", "unit", rows=rows, numbers=(1, 3))
    show_failures(screen, data, "variants")


def show_failures(screen: Screen, data: xr.Dataset, what: str) -> None:
    """Why some have no numbers, each reason once."""
    from gaitwright.design.optimised import kinds_of_failure

    reasons = kinds_of_failure(str(reason) for reason in data["failure"].values.ravel() if reason)
    if reasons:
        screen.say(f"{sum(reasons.values())} of {data['failure'].size} {what} have no numbers:")
        screen.say(*(f"  {count} x: {why}" for why, count in list(reasons.items())[:REASONS]))


def _cells(found: dict[str, Any]) -> tuple[str, str]:
    return f"{found['value']:.6g}", ", ".join(f"{name} = {value:.6g}" for name, value in found["at"].items())


def draw(data: xr.Dataset, names: Sequence[str], path: Any) -> dict[str, Any]:
    """A map of some numbers over one or two parameters; of more parameters none."""
    from gaitwright.report.maps import plot_map

    if sum(size > 1 for size in data["failure"].shape) not in (1, 2):
        return {}
    known = [name for name in LEG if name in names] or list(names)
    drawn = [name for name in known if not bool(data[name].isnull().all())][:PANELS]
    if not drawn:
        return {}
    plot_map(data, drawn, path=path)
    return {"map": path}
