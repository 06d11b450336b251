"""Command `study`: weigh several objectives against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.cli.commands.device_options import DeviceOptions, read_device_analysis, read_model_or_device
from gaitwright.cli.options import (
    AllowRuleOption,
    LimitOption,
    MaximiseOption,
    MeasureOption,
    MinimiseOption,
    ModelArgument,
    ModelFileOptions,
    OutputOptions,
    ParameterOption,
    SamplesOption,
    WorkersOption,
    with_option_groups,
)
from gaitwright.cli.ranges import read_limits, read_parameters
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    ProgressMonitor,
    command_output,
    report_failure,
    stop_exit_code,
)

if TYPE_CHECKING:
    from gaitwright.design.study_result import StudyResult
    from gaitwright.report.blocks import ReportBlock

MAX_COMPARED_VARIANTS = 3
"""Variants whose moment is drawn over the angle: the best, and the stock sizes next to it."""


@with_option_groups
def study(
    model: ModelArgument,
    parameters: ParameterOption,
    maximise: MaximiseOption = [],  # noqa: B006
    minimise: MinimiseOption = [],  # noqa: B006
    limits: LimitOption = [],  # noqa: B006
    allow: AllowRuleOption = [],  # noqa: B006
    stock: Annotated[
        list[str], typer.Option("--stock", metavar="NAME=A,B,C", help="Available sizes of a parameter; repeatable.")
    ] = [],  # noqa: B006
    measures: MeasureOption = [],  # noqa: B006
    samples: SamplesOption = 9,
    workers: WorkersOption = None,
    *,
    worn: DeviceOptions,
    output: OutputOptions,
    files: ModelFileOptions,
) -> None:
    """Weigh goals against each other over parameters of a model or of a worn device: the best variant within limits, the
    Pareto front, and stock sizes; write study.html, study.csv and chosen.yaml."""
    with command_output(output.out, output.as_json) as screen:
        from gaitwright.design.study import study as weigh

        base_model = read_model_or_device(model, files)
        ranges = read_parameters(parameters, "stiffness=100:600")
        allowed = read_limits(limits)
        sold: Any = read_parameters(stock, "thickness=0.0015,0.002,0.0025", "--stock")
        analysis = read_device_analysis(screen, base_model, worn)
        folder = screen.make_folder()
        with ProgressMonitor("studying") as watch:
            result = weigh(
                base_model, ranges, maximise=maximise, minimise=minimise, limits=allowed, allow=allow, stock=sold,
                measures=measures, samples=samples, workers=workers, progress=watch, analysis=analysis,
            )  # fmt: skip
            blocks = make_device_blocks(result) if base_model.document.worn is not None else ()
            written = {**result.report(folder / "study.html", blocks), **result.save(folder)}
        show_study(screen, result)
        if result.best is not None or watch.interrupted:
            screen.say(*result.lines())
        screen.wrote(written)
        if watch.interrupted:
            screen.say("interrupted: variants that were not analysed have no numbers")
            screen.finish(result.summary())
            raise typer.Exit(stop_exit_code())
        if result.best is None:
            raise report_failure(screen, result.lines()[0], EXIT_ANALYSIS_FAILED, kind="NothingFeasible", files=written)
        screen.finish(result.summary())


def show_study(screen: Any, found: StudyResult) -> None:
    """Show the Pareto front (or, with one goal, the variants within the limits) in a table."""
    rows = found.front if len(found.goals) > 1 else [row for row in found.rows if row["keeps"]]
    names = [*found.parameters, *found.names]
    header = [found.question.label(name) for name in names]
    best = found.best
    cells = [
        (
            *(f"{row[name]:.4g}" for name in names),
            "<-" if best and all(row[n] == best[n] for n in found.parameters) else "",
        )
        for row in rows
    ]
    if cells:
        screen.table(*header, "", rows=cells, numbers=tuple(range(len(names))))


def make_device_blocks(found: StudyResult) -> list[ReportBlock]:
    """Chart of the moment over the angle at the joint with most assistance, for the best variant and the stock sizes next to
    it."""
    import numpy as np

    from gaitwright.report.blocks import Chart, ChartLine, Heading
    from gaitwright.wear.device_evaluation import moment_angle, most_assisted_joint

    best = found.best or found.least_broken
    if best is None:
        return []
    rows = {found.describe_values(best): best}
    for sizes in found.next_sizes(best).values():
        rows |= {found.describe_values(row): row for row in sizes}
    lines, joint = [], ""
    for label, row in list(rows.items())[:MAX_COMPARED_VARIANTS]:
        worn = found.question.run(found.question.variant(found.values_of(row))).worn
        joint = joint or most_assisted_joint(worn)
        angle, moment = moment_angle(worn, joint)
        lines.append(ChartLine(label, np.degrees(angle), moment))
    title = f"Moment of the device at the {joint.replace('_', ' ')} over its angle"
    return [Heading("Moment of the device"), Chart(title, lines, f"{joint.replace('_', ' ')} angle (deg)", "moment (N m)",
            note="plus helps extensors, or plantar flexors")]  # fmt: skip
