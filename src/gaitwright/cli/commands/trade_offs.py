"""Command `trade-off`: show the effect of one parameter on several outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gaitwright._core.errors import ModelError
from gaitwright.cli.commands.device_options import DeviceOptions, read_device_analysis, read_model_or_device
from gaitwright.cli.default_numbers import choose_default_numbers
from gaitwright.cli.options import (
    LimitOption,
    MeasureOption,
    ModelArgument,
    ModelFileOptions,
    OutputOptions,
    ParameterOption,
    SamplesOption,
    WorkersOption,
    with_option_groups,
)
from gaitwright.cli.ranges import read_limits, read_number, read_parameters
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    CommandOutput,
    ProgressMonitor,
    command_output,
    report_failure,
    stop_exit_code,
)

if TYPE_CHECKING:
    from gaitwright.design.trade_off import TradeOffResult

MAX_TABLE_ROWS = 13
"""Values shown in the table on the screen; the files have all."""


@with_option_groups
def trade_off(
    model: ModelArgument,
    parameters: ParameterOption,
    measures: MeasureOption = [],  # noqa: B006
    limits: LimitOption = [],  # noqa: B006
    chosen: Annotated[str, typer.Option("--chosen", metavar="VALUE", help="Value of the parameter to mark.")] = "",
    samples: SamplesOption = 25,
    workers: WorkersOption = None,
    *,
    worn: DeviceOptions,
    output: OutputOptions,
    files: ModelFileOptions,
) -> None:
    """Show the effect of one parameter on several outputs, with limits: a table, curves and a page to choose from."""
    with command_output(output.out, output.as_json) as screen:
        from gaitwright._core.output_files import save_text
        from gaitwright.design.sweep import NOT_COMPUTED
        from gaitwright.design.trade_off import trade_off as weigh

        base_model = read_model_or_device(model, files)
        ranges = read_parameters(parameters, "EI=0.5:10")
        allowed = read_limits(limits)
        wanted = list(measures) or choose_default_numbers(base_model)
        if not wanted:
            raise ModelError("nothing is shown", expected="--measure NAME, or outputs in the model")
        marked = read_number(chosen, "--chosen") if chosen else None
        analysis = read_device_analysis(screen, base_model, worn)
        folder = screen.make_folder()
        with ProgressMonitor("weighing") as watch:
            curve = weigh(
                base_model, ranges, measures=wanted, limits=allowed, chosen=marked, samples=samples, workers=workers,
                progress=watch, analysis=analysis,
            )  # fmt: skip
        failed = curve.failures
        if len(failed) == curve["failure"].size:
            raise report_failure(
                screen,
                f"no value can be analysed; the first: {failed[0]}",
                EXIT_ANALYSIS_FAILED,
                kind="NothingFeasible",
            )
        table = curve.table.to_csv(index=False, lineterminator="\n")
        written = {"table": save_text(folder / "trade-off.csv", table)}
        curve.plot(folder / "plot.png")
        written["plot"] = folder / "plot.png"
        written |= curve.report(folder / "trade-off.html")
        show_trade_off(screen, curve)
        screen.wrote(written)
        screen.finish(curve.summary())
        if any(reason.startswith(NOT_COMPUTED) for reason in failed):
            raise typer.Exit(stop_exit_code())


def show_trade_off(screen: CommandOutput, curve: TradeOffResult) -> None:
    """Show some of the values in a table, and which of them satisfy the limits."""
    import numpy as np

    from gaitwright.cli.commands.sweeps import show_failures

    data, parameter, names = curve.data, curve.parameter, curve.names
    good, x = curve.feasible.values, data[parameter].values
    rows_shown = np.union1d(np.arange(0, x.size, -(-x.size // MAX_TABLE_ROWS)), [x.size - 1])  # evenly, and both bounds
    if curve.marked is not None:
        rows_shown = np.union1d(rows_shown, np.flatnonzero(x == curve.marked))
    rows = []
    for k in rows_shown:
        cells = (f"{v:.5g}" if np.isfinite(v) else "-" for v in (float(data[name].values[k]) for name in names))
        rows.append((f"{x[k]:.5g}", *cells, "yes" if good[k] else "no"))
    header = [curve.question.label(name) for name in names]
    limited = bool(curve.question.limits)
    rows = rows if limited else [row[:-1] for row in rows]
    last = ["keeps the limits"] if limited else []
    screen.table(parameter, *header, *last, rows=rows, numbers=tuple(range(1 + len(names))))
    if rows_shown.size < x.size:
        screen.say(f"{rows_shown.size} of {x.size} values; all of them are in trade-off.csv and on the page")
    show_failures(screen, curve, "values")
    if limited:
        screen.say(curve.lines()[-1])
