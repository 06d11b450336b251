"""Commands that search for a better design: choose, optimise."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.checks import At
from gaitwright.commands.measuring import function_of, isnamed, named, numbers_in, question
from gaitwright.commands.options import OWN_FOLDER, Allow, Break, File, Json, Limits, Out, Set
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
from gaitwright.commands.ranges import read_bounds, read_limits
from gaitwright.terminal import FAILED, Screen, Watch, fail, showing_warnings, speaking, stopped

if TYPE_CHECKING:
    from gaitwright.design.chosen import Chosen
    from gaitwright.design.store import Store
    from gaitwright.model.model import Model

GOES_ON = "what was found is kept: the same command goes on where it was"


def choose(
    model: File,
    parameter: Annotated[
        str, typer.Option("--parameter", metavar="NAME=LOW:HIGH", help="Parameter to choose, and its bounds.")
    ],
    output: Annotated[
        str,
        typer.Option("--output", metavar="NAME", help="Output, or number of a leg or a walk, that shall take a value."),
    ],
    target: Annotated[float, typer.Option("--target", metavar="VALUE", help="The value it shall take.")],
    bounds: Annotated[
        tuple[float, float] | None,
        typer.Option("--bounds", metavar="LOW HIGH", help="Instead of those of --parameter."),
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
    limits: Limits = [],  # noqa: B006
    allow: Break = [],  # noqa: B006
    measure: Annotated[
        str, typer.Option("--measure", help="What to take of the output over time: final, max, min or max_abs.")
    ] = "final",
    samples: Annotated[int, typer.Option("--samples", help="Values within the bounds to look at first.")] = 9,
    plot: Annotated[bool, typer.Option("--plot", help="Write plot.png of outputs against the parameter too.")] = False,
) -> None:
    """Find the value of a parameter for which an output takes a wanted value; write the model with it to chosen.yaml."""
    with speaking(out, as_json) as screen:
        from gaitwright.design.choose import choose as search
        from gaitwright.design.chosen import OutOfReach
        from gaitwright.design.told import motion_of
        from gaitwright.plain import write_json

        asked = model_or_device(model, changes, folders)
        name, sides = bounds_of(parameter, bounds)
        allowed = read_limits(limits)
        worn = worn_options(screen, asked, motion, subject, mass, height, sex, load, forces)
        out = screen.make_folder()
        picture = {"plot": out / "plot.png"} if plot else {}
        options: dict[str, Any] = {"output": output, **(worn or told_options(asked, [output], limits=allowed))}
        try:
            with showing_warnings(), Watch("searching") as watch:
                found = search(
                    asked, name, target=target, bounds=sides, measure=measure, limits=allowed, allow=allow,
                    samples=samples, progress=watch, store=out, **options,
                )  # fmt: skip
        except KeyboardInterrupt:
            raise fail(screen, f"interrupted; {GOES_ON}", stopped(), interrupted=True) from None
        except OutOfReach as error:
            forget(error.question.kept)
            for path in picture.values():
                error.plot(path)
            table = error.evaluations.to_dict("records")
            raise fail(screen, str(error), FAILED, kind="OutOfReach", evaluations=table, files=picture) from None
        forget(found.question.kept)
        show_tried(screen, found)
        screen.say(*found.lines())
        summary = found.summary()
        files = {"model": found.model.save(out / "chosen.yaml")}
        if (run := motion_of(found.run)) is not None:
            files["result"] = run.save(out / "result.nc")
        elif hasattr(found.run, "save"):
            files["result"] = found.run.save(out / "result.nc")
        files["summary"] = write_json(summary, out / "summary.json")
        for what, path in picture.items():
            found.plot(path)
            files[what] = path
        screen.wrote(files)
        screen.finish(summary)


def optimise(
    model: File,
    parameters: Annotated[
        list[str], typer.Option("--parameter", metavar="NAME=LOW:HIGH", help="Parameter and its bounds; repeatable.")
    ],
    minimise: Annotated[
        str | None, typer.Option(metavar="NAME", help="What to make small: an output, or of a leg such as energy.")
    ] = None,
    maximise: Annotated[str | None, typer.Option(metavar="NAME", help="What to make large instead.")] = None,
    measure: Annotated[
        str, typer.Option("--measure", help="What to take of an output over time: final, max, min or max_abs.")
    ] = "final",
    limits: Limits = [],  # noqa: B006
    allow: Break = [],  # noqa: B006
    method: Annotated[
        str, typer.Option(help="automatic, gradient, differential-evolution, cobyqa or nelder-mead.")
    ] = "automatic",
    starts: Annotated[int, typer.Option(min=1, help="Of gradient: the model's, and the best of a sweep.")] = 6,
    budget: Annotated[
        int | None, typer.Option(help="Most variants to analyse in the search; a sweep before it takes more.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same one gives the same answer.")] = 0,
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
    """Find values of parameters that make an output, or a number of a leg, smallest or largest; write improved.yaml and a page
    with before and after."""
    with speaking(out, as_json) as screen:
        from gaitwright.design.optimise import optimise as improve
        from gaitwright.design.optimised import NothingFeasible
        from gaitwright.plain import write_json

        asked = model_or_device(model, changes, folders)
        bounds = read_bounds(parameters, "L2=0.32:0.35")
        allowed = read_limits(limits, parts=True)
        objective, largest = one_goal(minimise, maximise)
        worn = worn_options(screen, asked, motion, subject, mass, height, sex, load, forces)
        out = screen.make_folder()
        options: dict[str, Any] = {
            "measure": measure,
            **(worn or goal_options(asked, objective, list(allowed), measure)),
        }
        try:
            with showing_warnings(), Watch("improving") as watch:
                found = improve(
                    asked, bounds, objective=named(objective)[0], maximise=largest, constraints=allowed, method=method,
                    starts=starts, budget=budget, seed=seed, progress=watch, store=out, allow=allow, **options,
                )  # fmt: skip
        except NothingFeasible as error:
            table = error.history.to_dict("records")
            if not watch.interrupted:
                forget(error.search.store)
            code = stopped() if watch.interrupted else FAILED
            raise fail(screen, str(error), code, kind="NothingFeasible", history=table) from None
        screen.say(*found.lines())
        files = {"model": found.model.save(out / "improved.yaml")}
        files["summary"] = write_json(found.summary(), out / "summary.json")
        found.plot(out / "plot.png")
        files["plot"] = out / "plot.png"
        files |= found.report(out / "optimise.html")
        screen.wrote(files)
        if found.interrupted:
            screen.say(GOES_ON)
            screen.finish(found.summary())
            raise typer.Exit(stopped())
        forget(found.search.store)
        screen.finish(found.summary())


def forget(store: Store | None) -> None:
    """What a search has found step by step is not needed when it has ended."""
    if store is not None:
        store.path.unlink(missing_ok=True)


def bounds_of(parameter: str, bounds: tuple[float, float] | None) -> tuple[str, tuple[float, float]]:
    """Name and bounds of the parameter to choose, of NAME=LOW:HIGH or of --bounds."""
    if bounds is not None and "=" not in parameter:
        return parameter, bounds
    if bounds is not None:
        At(field="--bounds").fail("is given besides the bounds of --parameter", parameter, "one of both")
    return next(iter(read_bounds([parameter], "EI=0.5:20").items()))


def told_options(
    model: Model, wanted: Sequence[str], *, limits: Collection[str], measure: str = "final"
) -> dict[str, Any]:
    """How to analyse a model for one output or more and for limits, by names: `output`, and `analysis` where it is not the
    model's own."""
    found = question(model, list(wanted), measure, told=True, more=list(limits))
    options: dict[str, Any] = {} if found.analysis is None else {"analysis": found.analysis}
    return {**options, "output": function_of(wanted[0])}


def goal_options(model: Model, objective: str, limits: Sequence[str], measure: str) -> dict[str, Any]:
    """How a search gets its objective and the numbers of its limits; nothing where outputs are all it asks for."""
    of_numbers = numbers_in([objective, *limits], model)
    if not of_numbers and not isnamed(objective):
        return {}
    wanted = [objective, *(name for name in limits if name in of_numbers or isnamed(name))]
    found = question(model, wanted, measure)
    analysis = {} if found.analysis is None else {"analysis": found.analysis}
    return {**analysis, "measure": found.measure}


def one_goal(minimise: str | None, maximise: str | None) -> tuple[str, bool]:
    """What is improved, and whether it is made large."""
    from gaitwright.errors import ModelError

    goal = maximise if minimise is None else minimise
    if goal is None or (minimise is not None and maximise is not None):
        raise ModelError("one of --minimise and --maximise is needed", expected="for example --minimise crank.torque")
    return goal, minimise is None


def show_tried(screen: Screen, found: Chosen) -> None:
    """Every value that was looked at, in a row."""
    names = [found.parameter, *dict.fromkeys([found.output, *found.limits])]
    rows = []
    for row in found.evaluations.to_dict("records"):
        cells = ("-" if row[name] != row[name] else f"{row[name]:.6g}" for name in names)
        rows.append((*cells, "<-" if row[found.parameter] == found.value else ""))
    header = [f"{name} ({unit.strip()})" if (unit := found.question.unit(name)) else name for name in names]
    screen.table(*header, "", rows=rows, numbers=tuple(range(len(names))))
