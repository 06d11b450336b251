"""Commands that search for a better design: choose, optimise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gaitwright.commands.options import HERE, Allow, File, Json, Out, Set, read_limits
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
from gaitwright.terminal import FAILED, Screen, Watch, fail, speaking, stopped

if TYPE_CHECKING:
    from gaitwright.design.chosen import Chosen
    from gaitwright.design.store import Store
    from gaitwright.model.model import Model

GOES_ON = "what was found is kept: the same command goes on where it was"


def choose(
    model: File,
    parameter: Annotated[str, typer.Option("--parameter", metavar="NAME", help="Parameter of the model to choose.")],
    output: Annotated[str, typer.Option("--output", metavar="NAME", help="Output that shall take a value.")],
    target: Annotated[float, typer.Option("--target", metavar="VALUE", help="The value it shall take.")],
    bounds: Annotated[tuple[float, float], typer.Option("--bounds", metavar="LOW HIGH", help="Where to search.")],
    motion: Moving = "",
    subject: SubjectFile = None,
    mass: Mass = None,
    height: Height = None,
    sex: Sex = "",
    load: Lifted = None,
    forces: Plates = None,
    out: Out = HERE,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
    limits: Annotated[
        list[str],
        typer.Option("--limit", metavar="OUTPUT=VALUE", help="Largest size another output may have; repeatable."),
    ] = [],  # noqa: B006
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
        from gaitwright.plain import write_json

        asked = model_or_device(model, changes, folders)
        allowed = read_limits(limits)
        worn = worn_options(screen, asked, motion, subject, mass, height, sex, load, forces)
        out = screen.make_folder()
        picture = {"plot": out / "plot.png"} if plot else {}
        try:
            with Watch("searching") as watch:
                found = search(
                    asked, parameter, output=output, target=target, bounds=bounds, measure=measure, limits=allowed,
                    samples=samples, progress=watch, store=out, **worn,
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
        files = {"model": found.model.save(out / "chosen.yaml"), "result": found.run.save(out / "result.nc")}
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
    limits: Annotated[
        list[str],
        typer.Option("--limit", metavar="NAME=LOW:HIGH", help="Limits, as in step_length=95%: or x=:0.2; repeatable."),
    ] = [],  # noqa: B006
    method: Annotated[
        str, typer.Option(help="automatic, gradient, differential-evolution, cobyqa or nelder-mead.")
    ] = "automatic",
    starts: Annotated[int, typer.Option(min=1, help="Of gradient: the model's, and the best of a sweep.")] = 6,
    budget: Annotated[int | None, typer.Option(help="Most variants to analyse.")] = None,
    seed: Annotated[int, typer.Option(help="The same one gives the same answer.")] = 0,
    motion: Moving = "",
    subject: SubjectFile = None,
    mass: Mass = None,
    height: Height = None,
    sex: Sex = "",
    load: Lifted = None,
    forces: Plates = None,
    out: Out = HERE,
    as_json: Json = False,
    changes: Set = [],  # noqa: B006
    folders: Allow = [],  # noqa: B006
) -> None:
    """Find values of parameters that make an output, or a number of a leg, smallest or largest; write improved.yaml and a page
    with before and after."""
    with speaking(out, as_json) as screen:
        from gaitwright.design.optimise import optimise as improve
        from gaitwright.design.optimise import read_range
        from gaitwright.design.optimised import NothingFeasible
        from gaitwright.plain import write_json

        asked = model_or_device(model, changes, folders)
        bounds = dict(read_range(text, "--parameter", "L2=0.32:0.35") for text in parameters)
        allowed = dict(read_range(text, "--limit", "step_length=95%: or crank.torque=-2:2") for text in limits)
        objective, largest = one_goal(minimise, maximise)
        worn = worn_options(screen, asked, motion, subject, mass, height, sex, load, forces)
        out = screen.make_folder()
        options: dict[str, Any] = {"measure": measure, **(worn or leg_options(asked, objective))}
        try:
            with Watch("improving") as watch:
                found = improve(
                    asked, bounds, objective=objective, maximise=largest, constraints=allowed, method=method,
                    starts=starts, budget=budget, seed=seed, progress=watch, store=out, **options,
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


def leg_options(model: Model, name: str) -> dict[str, Any]:
    """How to analyse a leg for one of its numbers, whose names have no dot; nothing for an output."""
    if "." in name or model.document.gait is None:
        return {}
    from gaitwright.legs.measure import measure_leg, one_turn

    return {"measure": measure_leg, "analysis": one_turn(model=model)}


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
