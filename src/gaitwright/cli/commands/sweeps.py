"""Command `sweep`: analyse many variants of a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright._core.errors import ModelError
from gaitwright.cli.commands.device_options import DeviceOptions, read_device_analysis, read_model_or_device
from gaitwright.cli.default_numbers import choose_default_numbers, default_leg_numbers, is_modal
from gaitwright.cli.options import (
    RESUME_NOTE,
    MeasureOption,
    ModelArgument,
    ModelFileOptions,
    OutputOptions,
    ParameterOption,
    RestartOption,
    SamplesOption,
    SchedulerOption,
    StoreOption,
    WorkersOption,
    with_option_groups,
)
from gaitwright.cli.ranges import read_parameters
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    CommandOutput,
    ProgressMonitor,
    command_output,
    print_warnings,
    stop_exit_code,
)

if TYPE_CHECKING:
    from gaitwright.design.result import DesignResult

MAX_LISTED_REASONS = 3
"""Maximum number of different failure reasons listed."""


@with_option_groups
def sweep(
    model: ModelArgument,
    parameters: ParameterOption,
    measures: MeasureOption = [],  # noqa: B006
    samples: SamplesOption = 9,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = "",
    store: StoreOption = None,
    restart: RestartOption = False,
    printed: Annotated[
        bool | None,
        typer.Option(
            "--printed/--classic", help="Use code generated for the model, or not; default: where it is faster."
        ),
    ] = None,
    *,
    worn: DeviceOptions,
    output: OutputOptions,
    files: ModelFileOptions,
) -> None:
    """Analyse every combination of parameter values; write sweep.nc, sweep.csv, a map and a page. After a stop, the same
    command continues; --store replaces sweep.nc in the output folder."""
    with command_output(output.out, output.as_json) as screen:
        from gaitwright._core.output_files import save_text
        from gaitwright.design.executors.dask_executor import connect_client
        from gaitwright.design.result_store import StoreMismatch, remove_table_store
        from gaitwright.design.sweep import NOT_COMPUTED
        from gaitwright.design.sweep import sweep as analyse_all
        from gaitwright.report.views.pages.sweep_page import sweep_report

        base_model = read_model_or_device(model, files)
        grid = read_parameters(parameters, "L6=0.39:0.43:17 or turns_per_second=0.5,1,2")
        analysis = read_device_analysis(screen, base_model, worn)
        wanted = list(measures) or (choose_default_numbers(base_model) if analysis is None else [])
        if analysis is None and not wanted and not is_modal(base_model):
            raise ModelError("nothing is measured", expected="--measure NAME, or outputs in the model")
        client = connect_client(scheduler) if scheduler else None
        out = screen.make_folder()
        store = store or out / "sweep.nc"
        if restart:
            remove_table_store(store)
        with print_warnings(), ProgressMonitor("sweeping") as watch:
            try:
                result = analyse_all(
                    base_model, grid, measures=wanted, series=[], samples=samples, analysis=analysis, workers=workers,
                    client=client, store=store, progress=watch, printed=printed,
                )  # fmt: skip
            except StoreMismatch as error:
                raise ModelError(error.problem, expected="another --out, or --restart to begin anew") from None
        written = {"sweep": store} if store.exists() else {}
        table = result.table.to_csv(index=False, lineterminator="\n")
        written["table"] = save_text(out / "sweep.csv", table)
        names = select_numbers(result, measures)
        for name in names:
            if name.startswith("frequency_"):  # of modes
                result[name].attrs.setdefault("units", "Hz")
        show_sweep(screen, result, names)
        failed = result.failures
        if names and len(failed) < result["failure"].size:
            written |= draw_map(result, names, out / "plot.png")
            with ProgressMonitor("drawing"):
                ends = {} if analysis is not None or watch.interrupted else analyse_extremes(result, names[0])
                report = sweep_report(result.data, names, f"{base_model.document.name}: a sweep", ends)
                written |= report.save(out / "sweep.html")
        screen.wrote(written)
        missing = sum(reason.startswith(NOT_COMPUTED) for reason in failed)
        counts = {"variants": int(result["failure"].size), "failed": len(failed) - missing}
        interrupted = missing > 0
        if interrupted:
            screen.say(f"{missing} of {counts['variants']} variants are missing; {RESUME_NOTE}")
        numbers = result.extremes(names)
        screen.finish({"name": base_model.document.name, **counts, "interrupted": interrupted, "numbers": numbers})
        if interrupted:
            raise typer.Exit(stop_exit_code() if watch.interrupted else EXIT_ANALYSIS_FAILED)


def analyse_extremes(result: DesignResult, name: str) -> dict[str, Any]:
    """Runs of the variants with the least and the greatest value of a number; empty where the analysis gives no motion."""
    from gaitwright._core.errors import GaitwrightError
    from gaitwright.design.evaluation import find_motion
    from gaitwright.result.result import Result

    runs: dict[str, Any] = {}
    for which, place in result.extremes([name]).get(name, {}).items():
        try:
            run = find_motion(result.question.run(result.question.variant(place["at"])))
        except GaitwrightError:
            continue
        if isinstance(run, Result) and run.time.size > 1:
            runs[f"{which} {name}: {', '.join(f'{n} = {v:.4g}' for n, v in place['at'].items())}"] = run
    return runs


def select_numbers(result: DesignResult, measures: Sequence[str]) -> list[str]:
    """Names of the numbers to show: the requested ones, or all without the evidence."""
    from gaitwright.codegen.measures import split_measure

    names = result.names
    first = [split_measure(text)[0] for text in measures] or default_leg_numbers()
    first = [name for name in first if name in names]
    return first if measures and first else [*first, *(name for name in names if name not in first)]


def show_sweep(screen: CommandOutput, result: DesignResult, names: Sequence[str]) -> None:
    """Show the extremes in a table, and the reasons of failures."""
    rows = [
        (
            name,
            *(part for which in ("least", "greatest") for part in _format_extreme(extremes[which])),
            result[name].attrs.get("units", ""),
        )
        for name, extremes in result.extremes(names).items()
    ]
    if rows:
        screen.table("number", "least", "at", "greatest", "at", "unit", rows=rows, numbers=(1, 3))
    show_failures(screen, result, "variants")


def show_failures(screen: CommandOutput, result: DesignResult, what: str) -> None:
    """Show the reasons of missing numbers, each reason once."""
    from gaitwright.design.optimise_result import count_failure_kinds

    reasons = count_failure_kinds(result.failures)
    if reasons:
        screen.say(f"{sum(reasons.values())} of {result['failure'].size} {what} have no numbers:")
        screen.say(*(f"  {count} x: {why}" for why, count in list(reasons.items())[:MAX_LISTED_REASONS]))


def _format_extreme(extreme: dict[str, Any]) -> tuple[str, str]:
    return f"{extreme['value']:.6g}", ", ".join(f"{name} = {value:.6g}" for name, value in extreme["at"].items())


def draw_map(result: DesignResult, names: Sequence[str], path: Path) -> dict[str, Path]:
    """Draw a map of some numbers over one or two parameters; with more parameters, none."""
    from gaitwright.report.figures.sweep_maps import MAX_MAP_PANELS, plot_map

    if sum(size > 1 for size in result["failure"].shape) not in (1, 2):
        return {}
    known = [name for name in default_leg_numbers() if name in names] or list(names)
    drawn = [name for name in known if not bool(result[name].isnull().all())][:MAX_MAP_PANELS]
    if not drawn:
        return {}
    plot_map(result, drawn, path=path)
    return {"map": path}
