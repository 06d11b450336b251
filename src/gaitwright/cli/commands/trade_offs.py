"""Command `trade-off`: show the effect of one parameter on several outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
from gaitwright.cli.measures import choose_default_numbers, make_output_function, plan_measures, split_expression
from gaitwright.cli.options import (
    COMMAND_OUTPUT_FOLDER,
    AllowFilesOption,
    JsonOption,
    LimitOption,
    MeasureOption,
    ModelArgument,
    OutputFolderOption,
    SetOption,
)
from gaitwright.cli.ranges import read_bounds, read_limits, read_number
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    CommandOutput,
    ProgressMonitor,
    command_output,
    report_failure,
    stop_exit_code,
)

if TYPE_CHECKING:
    from gaitwright.design.trade_off import TradeOff
    from gaitwright.model.model import Model

MAX_TABLE_ROWS = 13
"""Values shown in the table on the screen; the files have all."""


def trade_off(
    model: ModelArgument,
    parameter: Annotated[
        str, typer.Option("--parameter", metavar="NAME=LOW:HIGH", help="Parameter and its bounds; units allowed.")
    ],
    outputs: Annotated[
        list[str],
        typer.Option("--output", metavar="NAME", help="Output, or number of a leg such as energy; repeatable."),
    ] = [],  # noqa: B006
    limits: LimitOption = [],  # noqa: B006
    measure: MeasureOption = "final",
    chosen: Annotated[str, typer.Option("--chosen", metavar="VALUE", help="Value of the parameter to mark.")] = "",
    samples: Annotated[int, typer.Option("--samples", min=2, help="Number of values within the bounds.")] = 25,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Number of processes; default: all cores.")
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
    """Show the effect of one parameter on several outputs, with limits: a table, curves and a page to choose from."""
    with command_output(out, as_json) as screen:
        from gaitwright._core.output_files import save_text
        from gaitwright.design.sweep import NOT_COMPUTED
        from gaitwright.design.trade_off import trade_off as weigh

        base_model = read_model_or_device(model, changes, folders)
        ((name, bounds),) = read_bounds([parameter], "EI=0.5:10").items()
        allowed = read_limits(limits)
        wanted = list(outputs) or choose_default_numbers(base_model)
        if not wanted:
            raise ModelError("nothing is shown", expected="--output NAME, or outputs in the model")
        marked = read_number(chosen, "--chosen") if chosen else None
        worn = device_analysis_options(screen, base_model, motion, subject, mass, height, sex, load, forces)
        options = (
            {"outputs": wanted, **worn} if worn else make_trade_off_options(base_model, wanted, list(allowed), measure)
        )
        folder = screen.make_folder()
        with ProgressMonitor("weighing") as watch:
            curve = weigh(
                base_model, name, bounds=bounds, measure=measure, limits=allowed, chosen=marked, samples=samples,
                workers=workers, progress=watch, **options,
            )  # fmt: skip
        failed = [str(reason) for reason in curve.data["failure"].values if reason]
        if len(failed) == curve.data["failure"].size:
            raise report_failure(
                screen,
                f"no value can be analysed; the first: {failed[0]}",
                EXIT_ANALYSIS_FAILED,
                kind="NothingFeasible",
            )
        table = curve.data.to_dataframe().reset_index().to_csv(index=False, lineterminator="\n")
        files = {"table": save_text(folder / "trade-off.csv", table)}
        curve.plot(folder / "plot.png")
        files["plot"] = folder / "plot.png"
        files |= curve.report(folder / "trade-off.html")
        show_trade_off(screen, curve)
        screen.wrote(files)
        screen.finish(curve.summary())
        if any(reason.startswith(NOT_COMPUTED) for reason in failed):
            raise typer.Exit(stop_exit_code())


def make_trade_off_options(model: Model, wanted: Sequence[str], limits: Sequence[str], measure: str) -> dict[str, Any]:
    """Options of the trade-off: outputs, and the analysis that provides them."""
    plan = plan_measures(model, wanted, measure, told=True, more=limits)
    analysis = {} if plan.analysis is None else {"analysis": plan.analysis}
    return {**analysis, "outputs": {split_expression(name)[0]: make_output_function(name) for name in wanted}}


def show_trade_off(screen: CommandOutput, curve: TradeOff) -> None:
    """Show some of the values in a table, and which of them satisfy the limits."""
    import numpy as np

    from gaitwright.cli.commands.sweeps import show_failures
    from gaitwright.report.views.pages.trade_off_page import feasible_mask

    data, parameter = curve.data, curve.question.parameter
    names = [str(name) for name in data.data_vars if name != "failure"]
    good, x = feasible_mask(curve), data[parameter].values
    rows_shown = np.union1d(np.arange(0, x.size, -(-x.size // MAX_TABLE_ROWS)), [x.size - 1])  # evenly, and both bounds
    if curve.marked is not None:
        rows_shown = np.union1d(rows_shown, np.flatnonzero(x == curve.marked))
    rows = []
    for k in rows_shown:
        cells = (f"{v:.5g}" if np.isfinite(v) else "-" for v in (float(data[name].values[k]) for name in names))
        rows.append((f"{x[k]:.5g}", *cells, "yes" if good[k] else "no"))
    header = [f"{n} ({u})" if (u := data[n].attrs["units"]) not in ("", "1", "mixed") else n for n in names]
    limited = bool(curve.question.limits)
    rows = rows if limited else [row[:-1] for row in rows]
    last = ["keeps the limits"] if limited else []
    screen.table(parameter, *header, *last, rows=rows, numbers=tuple(range(1 + len(names))))
    if rows_shown.size < x.size:
        screen.say(f"{rows_shown.size} of {x.size} values; all of them are in trade-off.csv and on the page")
    show_failures(screen, data, "values")
    if limited:
        values = x[good]
        where = f"from {values.min():.5g} to {values.max():.5g}" if values.size else "for no value"
        screen.say(f"the limits are kept {where} of {parameter}")
