"""Command `sweep`: analyse many variants of a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.cli.commands.device_options import (
    ForcesFileOption,
    HeightOption,
    LoadOption,
    MassOption,
    MotionOption,
    SexOption,
    SubjectFileOption,
    device_analysis_options,
    read_model_or_device,
)
from gaitwright.cli.commands.optimise import RESUME_NOTE
from gaitwright.cli.measures import choose_default_numbers, default_leg_numbers, plan_measures, split_expression
from gaitwright.cli.options import (
    COMMAND_OUTPUT_FOLDER,
    AllowFilesOption,
    JsonOption,
    MeasureOption,
    ModelArgument,
    OutputFolderOption,
    SetOption,
)
from gaitwright.cli.ranges import read_values
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    CommandOutput,
    ProgressMonitor,
    command_output,
    print_warnings,
    stop_exit_code,
)
from gaitwright.result.reductions import read_reduction

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.model.model import Model

MAX_MAP_PANELS = 3
"""Maximum number of measures drawn in the map."""
MAX_LISTED_REASONS = 3
"""Maximum number of different failure reasons listed."""


def sweep(
    model: ModelArgument,
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
    measure: MeasureOption = "final",
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Number of processes; default: all cores.")
    ] = None,
    scheduler: Annotated[
        str,
        typer.Option("--scheduler", metavar="ADDRESS", help="Address of a Dask cluster, such as tcp://10.0.0.1:8786."),
    ] = "",
    kept: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Store of the computed numbers; default: sweep.nc in --out."),
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Delete the stored results of an earlier sweep in the folder.")
    ] = False,
    printed: Annotated[
        bool | None,
        typer.Option(
            "--printed/--classic", help="Use code generated for the model, or not; default: where it is faster."
        ),
    ] = None,
    motion: MotionOption = "",
    subject: SubjectFileOption = None,
    mass: MassOption = None,
    height: HeightOption = None,
    sex: SexOption = "",
    load: LoadOption = None,
    forces: ForcesFileOption = None,
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    changes: SetOption = [],  # noqa: B006
    folders: AllowFilesOption = [],  # noqa: B006
) -> None:
    """Analyse every combination of parameter values; write sweep.nc, sweep.csv, a map and a page. After a stop, the same
    command continues."""
    with command_output(out, as_json) as screen:
        from gaitwright._core.output_files import save_text
        from gaitwright.design.executors.dask_executor import connect_client
        from gaitwright.design.result_store import StoreMismatch, remove_table_store
        from gaitwright.design.sweep import NOT_COMPUTED
        from gaitwright.design.sweep import sweep as analyse_all
        from gaitwright.report.views.pages.sweep_page import sweep_report

        base_model = read_model_or_device(model, changes, folders)
        example = "L6=0.39:0.43:17 or turns_per_second=0.5,1,2"
        grid = dict(read_values(text, "--parameter", example) for text in parameters)
        read_reduction(measure, ErrorContext(field="measure"))
        worn = device_analysis_options(screen, base_model, motion, subject, mass, height, sex, load, forces)
        client = connect_client(scheduler) if scheduler else None
        out = screen.make_folder()
        store = kept or out / "sweep.nc"
        if restart:
            remove_table_store(store)
        with print_warnings(), ProgressMonitor("sweeping") as watch:
            try:
                options = {**worn, "outputs": []} if worn else make_measure_options(base_model, outputs, measure)
                data = analyse_all(
                    base_model,
                    grid,
                    **options,
                    workers=workers,
                    progress=watch,
                    store=store,
                    client=client,
                    printed=printed,
                )
            except StoreMismatch as error:
                raise ModelError(error.problem, expected="another --out, or --restart to begin anew") from None
        files = {"sweep": store} if store.exists() else {}
        table = data.to_dataframe().reset_index().to_csv(index=False, lineterminator="\n")
        files["table"] = save_text(out / "sweep.csv", table)
        names = select_numbers(data, outputs)
        for name in names:
            if name.startswith("frequency_"):  # of modes
                data[name].attrs.setdefault("units", "Hz")
        show_sweep(screen, data, names)
        failed = [str(reason) for reason in data["failure"].values.ravel() if reason]
        if names and len(failed) < data["failure"].size:
            files |= draw_map(data, names, out / "plot.png")
            with ProgressMonitor("drawing"):
                ends = {} if worn or watch.interrupted else analyse_extremes(base_model, data, names[0], options)
                report = sweep_report(data, names, f"{base_model.document.name}: a sweep", ends)
                files |= report.save(out / "sweep.html")
        screen.wrote(files)
        missing = sum(reason.startswith(NOT_COMPUTED) for reason in failed)
        counts = {"variants": int(data["failure"].size), "failed": len(failed) - missing}
        interrupted = missing > 0
        if interrupted:
            screen.say(f"{missing} of {counts['variants']} variants are missing; {RESUME_NOTE}")
        screen.finish(
            {
                "name": base_model.document.name,
                **counts,
                "interrupted": interrupted,
                "numbers": find_extremes(data, names),
            }
        )
        if interrupted:
            raise typer.Exit(stop_exit_code() if watch.interrupted else EXIT_ANALYSIS_FAILED)


def make_measure_options(model: Model, outputs: Sequence[str], measure: str) -> dict[str, Any]:
    """Options of a sweep that computes the requested numbers."""
    of_leg = model.document.gait is not None
    plan = plan_measures(model, list(outputs) or ([] if of_leg else choose_default_numbers(model)), measure)
    plan.measure.require_something(model)
    analysis = {} if plan.analysis is None else {"analysis": plan.analysis}
    return {**analysis, "measure": plan.measure, "outputs": []}


def analyse_extremes(model: Model, data: xr.Dataset, name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Runs of the variants with the least and the greatest value of a number; empty where the analysis gives no motion."""
    from gaitwright._core.errors import GaitwrightError
    from gaitwright.design.scalar_results import find_motion
    from gaitwright.model.model import make_variant, require_compilable
    from gaitwright.result.result import Result

    section = options.get("analysis")
    given = {"analysis": dict(section)} if section and not callable(section) else {}
    prepared, runs = require_compilable(type(model).from_dict({**model.to_dict(), "outputs": [], **given})), {}
    analyse = section if callable(section) else type(model).analyse
    for which, place in find_extremes(data, [name]).get(name, {}).items():
        try:
            run = find_motion(analyse(make_variant(prepared, place["at"])))
        except GaitwrightError:
            continue
        if isinstance(run, Result) and run.time.size > 1:
            runs[f"{which} {name}: {', '.join(f'{n} = {v:.4g}' for n, v in place['at'].items())}"] = run
    return runs


def select_numbers(data: xr.Dataset, outputs: Sequence[str]) -> list[str]:
    """Names of the numbers to show: the requested ones, or all without the evidence."""
    evidence = ("failure", "max_constraint_violation", "max_energy_residual")
    there = [str(name) for name in data.data_vars if name not in evidence]
    asked = [split_expression(name)[0] for name in outputs]
    missing = [name for name in asked if name not in there]
    if missing and (data["failure"] == "").any():
        ErrorContext(field="--output").one_of(missing[0], there, "is no number of this sweep")
    first = [name for name in default_leg_numbers() if name in there]
    return [name for name in asked if name in there] or [*first, *(name for name in there if name not in first)]


def find_extremes(data: xr.Dataset, names: Sequence[str]) -> dict[str, Any]:
    """The least and the greatest value of every number, with their parameter values."""
    extremes = {}
    for name in names:
        values = data[name]
        if bool(values.isnull().all()):
            continue
        places = {"least": int(np.nanargmin(values.values)), "greatest": int(np.nanargmax(values.values))}
        extremes[name] = {which: _value_at(values, place) for which, place in places.items()}
    return extremes


def _value_at(values: xr.DataArray, place: int) -> dict[str, Any]:
    where = np.unravel_index(place, values.shape)
    at = {str(name): float(values[name].values[k]) for name, k in zip(values.dims, where, strict=True)}
    return {"value": float(values.values[where]), "at": at}


def show_sweep(screen: CommandOutput, data: xr.Dataset, names: Sequence[str]) -> None:
    """Show the extremes in a table, and the reasons of failures."""
    rows = [
        (
            name,
            *(part for which in ("least", "greatest") for part in _format_extreme(extremes[which])),
            data[name].attrs.get("units", ""),
        )
        for name, extremes in find_extremes(data, names).items()
    ]
    screen.table("number", "least", "at", "greatest", "at", "unit", rows=rows, numbers=(1, 3))
    show_failures(screen, data, "variants")


def show_failures(screen: CommandOutput, data: xr.Dataset, what: str) -> None:
    """Show the reasons of missing numbers, each reason once."""
    from gaitwright.design.optimise_result import count_failure_kinds

    reasons = count_failure_kinds(str(reason) for reason in data["failure"].values.ravel() if reason)
    if reasons:
        screen.say(f"{sum(reasons.values())} of {data['failure'].size} {what} have no numbers:")
        screen.say(*(f"  {count} x: {why}" for why, count in list(reasons.items())[:MAX_LISTED_REASONS]))


def _format_extreme(found: dict[str, Any]) -> tuple[str, str]:
    return f"{found['value']:.6g}", ", ".join(f"{name} = {value:.6g}" for name, value in found["at"].items())


def draw_map(data: xr.Dataset, names: Sequence[str], path: Any) -> dict[str, Any]:
    """Draw a map of some numbers over one or two parameters; with more parameters, none."""
    from gaitwright.report.figures.sweep_maps import plot_map

    if sum(size > 1 for size in data["failure"].shape) not in (1, 2):
        return {}
    known = [name for name in default_leg_numbers() if name in names] or list(names)
    drawn = [name for name in known if not bool(data[name].isnull().all())][:MAX_MAP_PANELS]
    if not drawn:
        return {}
    plot_map(data, drawn, path=path)
    return {"map": path}
