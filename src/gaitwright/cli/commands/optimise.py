"""Commands that search for a better design: choose, optimise."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright._core.error_context import ErrorContext
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
from gaitwright.cli.measures import (
    find_number_names,
    is_expression,
    make_output_function,
    plan_measures,
    split_expression,
)
from gaitwright.cli.options import (
    COMMAND_OUTPUT_FOLDER,
    AllowFilesOption,
    AllowRuleOption,
    JsonOption,
    LimitOption,
    MeasureOption,
    ModelArgument,
    OutputFolderOption,
    SetOption,
)
from gaitwright.cli.ranges import read_bounds, read_limits
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
    from gaitwright.design.choose_result import Chosen
    from gaitwright.design.result_store import ResultStore
    from gaitwright.model.model import Model

RESUME_NOTE = "the results so far are kept: the same command continues"


def choose(
    model: ModelArgument,
    parameter: Annotated[
        str, typer.Option("--parameter", metavar="NAME=LOW:HIGH", help="Parameter to choose, and its bounds.")
    ],
    output: Annotated[
        str,
        typer.Option("--output", metavar="NAME", help="Output, or number of a leg or a walk, to bring to the target."),
    ],
    target: Annotated[float, typer.Option("--target", metavar="VALUE", help="Target value of the output.")],
    bounds: Annotated[
        tuple[float, float] | None,
        typer.Option("--bounds", metavar="LOW HIGH", help="Bounds, as an alternative to those in --parameter."),
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
    limits: LimitOption = [],  # noqa: B006
    allow: AllowRuleOption = [],  # noqa: B006
    measure: MeasureOption = "final",
    samples: Annotated[
        int, typer.Option("--samples", help="Number of values within the bounds to evaluate first.")
    ] = 9,
    plot: Annotated[bool, typer.Option("--plot", help="Also write plot.png of outputs against the parameter.")] = False,
) -> None:
    """Find the value of a parameter for which an output takes a target value; write the model with this value to
    chosen.yaml."""
    with command_output(out, as_json) as screen:
        from gaitwright._core.json_types import write_json
        from gaitwright.design.choose import choose as search
        from gaitwright.design.choose_result import OutOfReach
        from gaitwright.design.scalar_results import find_motion

        base_model = read_model_or_device(model, changes, folders)
        name, sides = read_parameter_bounds(parameter, bounds)
        allowed = read_limits(limits)
        worn = device_analysis_options(screen, base_model, motion, subject, mass, height, sex, load, forces)
        out = screen.make_folder()
        picture = {"plot": out / "plot.png"} if plot else {}
        options: dict[str, Any] = {
            "output": output,
            **(worn or scalar_analysis_options(base_model, [output], limits=allowed)),
        }
        try:
            with print_warnings(), ProgressMonitor("searching") as watch:
                result = search(
                    base_model,
                    name,
                    target=target,
                    bounds=sides,
                    measure=measure,
                    limits=allowed,
                    allow=allow,
                    samples=samples,
                    progress=watch,
                    store=out,
                    **options,
                )
        except KeyboardInterrupt:
            raise report_failure(screen, f"interrupted; {RESUME_NOTE}", stop_exit_code(), interrupted=True) from None
        except OutOfReach as error:
            remove_store(error.question.kept)
            for path in picture.values():
                error.plot(path)
            table = error.evaluations.to_dict("records")
            raise report_failure(
                screen, str(error), EXIT_ANALYSIS_FAILED, kind="OutOfReach", evaluations=table, files=picture
            ) from None
        remove_store(result.question.kept)
        show_evaluations(screen, result)
        screen.say(*result.lines())
        summary = result.summary()
        files = {"model": result.model.save(out / "chosen.yaml")}
        if (run := find_motion(result.run)) is not None:
            files["result"] = run.save(out / "result.nc")
        elif hasattr(result.run, "save"):
            files["result"] = result.run.save(out / "result.nc")
        files["summary"] = write_json(summary, out / "summary.json")
        for what, path in picture.items():
            result.plot(path)
            files[what] = path
        screen.wrote(files)
        screen.finish(summary)


def optimise(
    model: ModelArgument,
    parameters: Annotated[
        list[str], typer.Option("--parameter", metavar="NAME=LOW:HIGH", help="Parameter and its bounds; repeatable.")
    ],
    minimise: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Objective to minimise: an output, or a number of a leg such as energy."),
    ] = None,
    maximise: Annotated[str | None, typer.Option(metavar="NAME", help="Objective to maximise.")] = None,
    measure: MeasureOption = "final",
    limits: LimitOption = [],  # noqa: B006
    allow: AllowRuleOption = [],  # noqa: B006
    method: Annotated[
        str, typer.Option(help="Search method: automatic, gradient, differential-evolution, cobyqa or nelder-mead.")
    ] = "automatic",
    starts: Annotated[
        int,
        typer.Option(min=1, help="Number of starting points of gradient: the model's values, and the best of a sweep."),
    ] = 6,
    budget: Annotated[
        int | None,
        typer.Option(help="Maximum number of variants analysed in the search; a sweep before it needs more."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed; equal seeds give equal results.")] = 0,
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
    """Find parameter values that minimise or maximise an output, or a number of a leg; write improved.yaml and a page with
    the values before and after."""
    with command_output(out, as_json) as screen:
        from gaitwright._core.json_types import write_json
        from gaitwright.design.optimise import optimise as improve
        from gaitwright.design.optimise_result import NothingFeasible

        base_model = read_model_or_device(model, changes, folders)
        bounds = read_bounds(parameters, "L2=0.32:0.35")
        allowed = read_limits(limits, parts=True)
        objective, largest = read_goal(minimise, maximise)
        worn = device_analysis_options(screen, base_model, motion, subject, mass, height, sex, load, forces)
        out = screen.make_folder()
        options: dict[str, Any] = {
            "measure": measure,
            **(worn or objective_options(base_model, objective, list(allowed), measure)),
        }
        try:
            with print_warnings(), ProgressMonitor("improving") as watch:
                result = improve(
                    base_model,
                    bounds,
                    objective=split_expression(objective)[0],
                    maximise=largest,
                    constraints=allowed,
                    method=method,
                    starts=starts,
                    budget=budget,
                    seed=seed,
                    progress=watch,
                    store=out,
                    allow=allow,
                    **options,
                )
        except NothingFeasible as error:
            table = error.history.to_dict("records")
            if not watch.interrupted:
                remove_store(error.search.store)
            code = stop_exit_code() if watch.interrupted else EXIT_ANALYSIS_FAILED
            raise report_failure(screen, str(error), code, kind="NothingFeasible", history=table) from None
        screen.say(*result.lines())
        files = {"model": result.model.save(out / "improved.yaml")}
        files["summary"] = write_json(result.summary(), out / "summary.json")
        result.plot(out / "plot.png")
        files["plot"] = out / "plot.png"
        files |= result.report(out / "optimise.html")
        screen.wrote(files)
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


def read_parameter_bounds(parameter: str, bounds: tuple[float, float] | None) -> tuple[str, tuple[float, float]]:
    """Name and bounds of the parameter to choose, from NAME=LOW:HIGH or from --bounds."""
    if bounds is not None and "=" not in parameter:
        return parameter, bounds
    if bounds is not None:
        ErrorContext(field="--bounds").fail("is given besides the bounds of --parameter", parameter, "one of both")
    return next(iter(read_bounds([parameter], "EI=0.5:20").items()))


def scalar_analysis_options(
    model: Model, wanted: Sequence[str], *, limits: Collection[str], measure: str = "final"
) -> dict[str, Any]:
    """Options for the analysis of a model with given outputs and limits: `output`, and `analysis` where it differs from the
    model's own."""
    plan = plan_measures(model, list(wanted), measure, told=True, more=list(limits))
    options: dict[str, Any] = {} if plan.analysis is None else {"analysis": plan.analysis}
    return {**options, "output": make_output_function(wanted[0])}


def objective_options(model: Model, objective: str, limits: Sequence[str], measure: str) -> dict[str, Any]:
    """Options of a search with this objective and these limits; empty if all of them are plain outputs."""
    of_numbers = find_number_names([objective, *limits], model)
    if not of_numbers and not is_expression(objective):
        return {}
    wanted = [objective, *(name for name in limits if name in of_numbers or is_expression(name))]
    plan = plan_measures(model, wanted, measure)
    analysis = {} if plan.analysis is None else {"analysis": plan.analysis}
    return {**analysis, "measure": plan.measure}


def read_goal(minimise: str | None, maximise: str | None) -> tuple[str, bool]:
    """Name of the objective, and True if it is maximised."""
    from gaitwright._core.errors import ModelError

    goal = maximise if minimise is None else minimise
    if goal is None or (minimise is not None and maximise is not None):
        raise ModelError("one of --minimise and --maximise is needed", expected="for example --minimise crank.torque")
    return goal, minimise is None


def show_evaluations(screen: CommandOutput, found: Chosen) -> None:
    """Show a table of all evaluated values."""
    names = [found.parameter, *dict.fromkeys([found.output, *found.limits])]
    rows = []
    for row in found.evaluations.to_dict("records"):
        cells = ("-" if row[name] != row[name] else f"{row[name]:.6g}" for name in names)
        rows.append((*cells, "<-" if row[found.parameter] == found.value else ""))
    header = [f"{name} ({unit.strip()})" if (unit := found.question.unit(name)) else name for name in names]
    screen.table(*header, "", rows=rows, numbers=tuple(range(len(names))))
