"""Commands that search for a better design: choose, optimise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gaitwright.cli.commands.device_options import DeviceOptions, read_device_analysis, read_model_or_device
from gaitwright.cli.options import (
    RESUME_NOTE,
    AllowRuleOption,
    LimitOption,
    MaximiseOption,
    MinimiseOption,
    ModelArgument,
    ModelFileOptions,
    OutputOptions,
    ParameterOption,
    SamplesOption,
    SeedOption,
    WorkersOption,
    with_option_groups,
)
from gaitwright.cli.ranges import read_limits, read_parameters, read_target
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    CommandOutput,
    ProgressMonitor,
    command_output,
    print_warnings,
    report_failure,
    stop_exit_code,
)

if TYPE_CHECKING:
    from gaitwright.design.choose_result import ChoiceResult
    from gaitwright.design.result_store import ResultStore


@with_option_groups
def choose(
    model: ModelArgument,
    parameters: ParameterOption,
    target: Annotated[
        str,
        typer.Option(
            "--target", metavar="NAME=VALUE", help="Number, named as in --measure of sweep, and its target value."
        ),
    ],
    limits: LimitOption = [],  # noqa: B006
    allow: AllowRuleOption = [],  # noqa: B006
    samples: SamplesOption = 9,
    plot: Annotated[bool, typer.Option("--plot", help="Also write plot.png.")] = False,
    *,
    worn: DeviceOptions,
    output: OutputOptions,
    files: ModelFileOptions,
) -> None:
    """Find the value of a parameter for which an output, or a number of a leg or a walk, takes a target value; write the model
    with this value to chosen.yaml."""
    with command_output(output.out, output.as_json) as screen:
        from gaitwright.design.choose import choose as search
        from gaitwright.design.choose_result import OutOfReach

        base_model = read_model_or_device(model, files)
        ranges = read_parameters(parameters, "EI=0.5:20")
        allowed = read_limits(limits)
        targets = read_target(target)
        analysis = read_device_analysis(screen, base_model, worn)
        out = screen.make_folder()
        picture = {"plot": out / "plot.png"} if plot else {}
        try:
            with print_warnings(), ProgressMonitor("searching") as watch:
                result = search(
                    base_model, ranges, target=targets, limits=allowed, allow=allow, samples=samples, progress=watch,
                    store=out, analysis=analysis,
                )  # fmt: skip
        except KeyboardInterrupt:
            raise report_failure(screen, f"interrupted; {RESUME_NOTE}", stop_exit_code(), interrupted=True) from None
        except OutOfReach as error:
            for path in picture.values():
                error.plot(path)
            raise report_failure(
                screen, str(error), EXIT_ANALYSIS_FAILED, kind="OutOfReach", evaluations=error.rows, files=picture
            ) from None
        remove_store(result.store)
        show_evaluations(screen, result)
        screen.say(*result.lines())
        written = result.save(out)
        for what, path in picture.items():
            result.plot(path)
            written[what] = path
        screen.wrote(written)
        screen.finish(result.summary())


@with_option_groups
def optimise(
    model: ModelArgument,
    parameters: ParameterOption,
    minimise: MinimiseOption = [],  # noqa: B006
    maximise: MaximiseOption = [],  # noqa: B006
    limits: LimitOption = [],  # noqa: B006
    allow: AllowRuleOption = [],  # noqa: B006
    method: Annotated[
        str,
        typer.Option(
            "--method", help="Search method: automatic, gradient, differential-evolution, cobyqa or nelder-mead."
        ),
    ] = "automatic",
    starts: Annotated[
        int,
        typer.Option(
            "--starts",
            min=1,
            help="Number of starting points of gradient: the model's values, and the best of a sweep.",
        ),
    ] = 6,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget", help="Maximum number of variants analysed in the search; a sweep before it needs more."
        ),
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    *,
    worn: DeviceOptions,
    output: OutputOptions,
    files: ModelFileOptions,
) -> None:
    """Find parameter values that minimise or maximise an output, or a number of a leg; write improved.yaml and a page with
    the values before and after."""
    with command_output(output.out, output.as_json) as screen:
        from gaitwright.design.optimise import optimise as improve
        from gaitwright.design.optimise_result import NothingFeasible

        base_model = read_model_or_device(model, files)
        ranges = read_parameters(parameters, "L2=0.32:0.35")
        allowed = read_limits(limits, parts=True)
        analysis = read_device_analysis(screen, base_model, worn)
        out = screen.make_folder()
        try:
            with print_warnings(), ProgressMonitor("improving") as watch:
                result = improve(
                    base_model, ranges, minimise=minimise, maximise=maximise, limits=allowed, allow=allow, method=method,
                    starts=starts, budget=budget, seed=seed, workers=workers, store=out, progress=watch,
                    analysis=analysis,
                )  # fmt: skip
        except NothingFeasible as error:
            table = error.table.to_dict("records")
            if not watch.interrupted:
                remove_store(error.search.store)
            code = stop_exit_code() if watch.interrupted else EXIT_ANALYSIS_FAILED
            raise report_failure(screen, str(error), code, kind="NothingFeasible", history=table) from None
        screen.say(*result.lines())
        screen.wrote({**result.save(out), **result.report(out / "optimise.html")})
        if result.interrupted:
            screen.say(RESUME_NOTE)
            screen.finish(result.summary())
            raise typer.Exit(stop_exit_code())
        remove_store(result.search.store)
        screen.finish(result.summary())


def remove_store(store: ResultStore | None) -> None:
    """Delete the intermediate results of a search that has ended."""
    if store is not None:
        store.path.unlink(missing_ok=True)


def show_evaluations(screen: CommandOutput, found: ChoiceResult) -> None:
    """Show a table of all evaluated values."""
    names = [found.parameter, *found.names]
    rows = []
    for row in found.rows:
        cells = ("-" if row[name] != row[name] else f"{row[name]:.6g}" for name in names)
        rows.append((*cells, "<-" if row[found.parameter] == found.value else ""))
    header = [found.question.label(name) for name in names]
    screen.table(*header, "", rows=rows, numbers=tuple(range(len(names))))
