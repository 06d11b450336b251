"""Command `designs`: analyse very many designs of a model."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from gaitwright.cli.commands.optimise import RESUME_NOTE
from gaitwright.cli.measures import find_number_names
from gaitwright.cli.options import (
    COMMAND_OUTPUT_FOLDER,
    AllowFilesOption,
    AllowRuleOption,
    JsonOption,
    LimitOption,
    ModelArgument,
    OutputFolderOption,
    SetOption,
    read_model,
)
from gaitwright.cli.ranges import read_bounds, read_limits
from gaitwright.cli.terminal import CommandOutput, ProgressMonitor, command_output, print_warnings, stop_exit_code

if TYPE_CHECKING:
    import xarray as xr

    from gaitwright.model.model import Model
    from gaitwright.result.result import Result

MAX_CSV_ROWS = 100_000
"""Largest number of designs for which a CSV file is written."""
OPTIONAL_FILE_NAMES, PAGE_FILES_FOLDER = ("designs.csv", "front.png", "coordinates.png", "map.png"), "designs-files"
"""Optional output files and the folder of the page's files: not every call writes them."""
BEST_MODELS_FOLDER = "best"
"""Folder of the model files of the best designs."""
BEST_IN_ALL_LABEL = "best in all goals"
FILE_NAME_SEPARATORS = re.compile(r"[^\w.+-]+")
"""Characters that are replaced in names of files."""
MAX_STEM_CHARACTERS = 100
"""Maximum length of such a name."""
MAX_LISTED_GOALS = 2
"""Maximum number of goals listed in the name of a design that is best in several."""
MAX_LISTED_REASONS = 3
NameList = list[str]


def designs(
    model: ModelArgument,
    parameters: Annotated[
        list[str],
        typer.Option("--parameter", "--vary", metavar="NAME=LOW:HIGH", help="Parameter and its bounds; repeatable."),
    ],
    count: Annotated[int, typer.Option("--count", min=1, help="Number of designs.")] = 10_000,
    sampling: Annotated[str, typer.Option("--sampling", help="Sampling method: sobol, grid or random.")] = "sobol",
    seed: Annotated[int, typer.Option("--seed", help="Random seed; equal seeds give equal designs.")] = 0,
    measures: Annotated[
        list[str],
        typer.Option(
            "--measure",
            metavar="NAME",
            help="Number to compute, such as energy, crank.torque.max or ratio=energy/step_length; repeatable.",
        ),
    ] = [],  # noqa: B006
    limits: LimitOption = [],  # noqa: B006
    allow: AllowRuleOption = [],  # noqa: B006
    minimise: Annotated[
        list[str], typer.Option(metavar="NAME", help="Goal to minimise (Pareto front); repeatable.")
    ] = [],  # noqa: B006
    maximise: Annotated[
        list[str], typer.Option(metavar="NAME", help="Goal to maximise (Pareto front); repeatable.")
    ] = [],  # noqa: B006
    device: Annotated[str, typer.Option("--device", help="Processor: cpu, or cuda for an NVIDIA GPU.")] = "cpu",
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Number of cores; default: all.")] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store",
            metavar="FILE",
            help="Store of computed designs; after a stop, the same command continues.",
        ),
    ] = None,
    scheduler: Annotated[
        str,
        typer.Option("--scheduler", metavar="ADDRESS", help="Address of a Dask cluster, such as tcp://10.0.0.1:8786."),
    ] = "",
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    changes: SetOption = [],  # noqa: B006
    folders: AllowFilesOption = [],  # noqa: B006
) -> None:
    """Analyse very many designs within bounds; write designs.nc, a table, a page with the Pareto front and the best designs,
    and model files of the best designs."""
    with command_output(out, as_json) as screen:
        from gaitwright._core.json_types import write_json
        from gaitwright._core.output_files import save_text
        from gaitwright.design.batch.design_table import (
            INTERRUPTED_REASON,
            count_designs,
            count_reasons,
            count_rejections,
        )
        from gaitwright.design.executors.dask_executor import connect_client
        from gaitwright.design.sampling import sample_designs
        from gaitwright.legs.designs import default_measures
        from gaitwright.legs.designs import designs as analyse_all
        from gaitwright.report.views.pages.designs_page import save_designs_page
        from gaitwright.result.files.netcdf import write_dataset

        source = read_model(model, changes, folders)
        given = sample_designs(source, read_bounds(parameters, "L3=0.26:0.30"), count, sampling=sampling, seed=seed)
        allowed = read_limits(limits)
        wanted = list(measures) or default_measures(source)
        wanted += [
            name
            for name in (*allowed, *minimise, *maximise)
            if name not in {text.partition("=")[0].strip() for text in wanted}
        ]
        client = connect_client(scheduler) if scheduler else None
        analysis = choose_walk_analysis(source, wanted)
        out = screen.make_folder()
        with print_warnings(), ProgressMonitor("analysing designs") as watch:
            began = time.perf_counter()
            data = analyse_all(
                source, given, measures=list(dict.fromkeys(wanted)), constraints=allowed, minimise=minimise, maximise=maximise,
                device=device, workers=workers, progress=watch, store=store, client=client, allow=allow, analysis=analysis,
            )  # fmt: skip
            seconds = time.perf_counter() - began
        files: dict[str, Path] = {"designs": out / "designs.nc"}
        if store is None or store.resolve() != files["designs"].resolve():
            write_dataset(files["designs"], data)
        if data.sizes["design"] <= MAX_CSV_ROWS:
            files["table"] = save_text(
                out / "designs.csv", tabulate_designs(data).to_csv(index_label="design", lineterminator="\n")
            )
        best = find_best_designs(data)
        runs = {name: (k, analyse_design(source, given, k)) for name, k in best.items()}
        reasons = count_reasons(data)
        facts = {"analysed in": (round(seconds, 2), "s")}
        files |= save_designs_page(data, runs, out / "designs.html", reasons, facts)
        files |= save_best_models(source, given, best, out / BEST_MODELS_FOLDER)
        show_designs(screen, data, best, reasons)
        summary = {
            "name": source.document.name, "designs": int(data.sizes["design"]), "seconds": seconds,
            **count_designs(data)._asdict(), "reasons": reasons, "rejections": count_rejections(data),
            "best": {name: {"design": k, **design_numbers(data, k)} for name, k in best.items()},
            "interrupted": watch.interrupted and INTERRUPTED_REASON in reasons,
        }  # fmt: skip
        files["summary"] = write_json(summary, out / "summary.json")
        remove_stale_outputs(out, set(files.values()))
        screen.wrote(files)
        if store is not None and INTERRUPTED_REASON in reasons:
            screen.say(f"{reasons[INTERRUPTED_REASON]} of {data.sizes['design']} designs are missing; {RESUME_NOTE}")
        screen.finish(summary)
        if summary["interrupted"]:
            raise typer.Exit(stop_exit_code())


def remove_stale_outputs(out: Path, written: set[Path]) -> None:
    """Delete outputs of an earlier call that this call did not rewrite."""
    for path in (out / name for name in OPTIONAL_FILE_NAMES):
        if path not in written:
            path.unlink(missing_ok=True)
    if (beside := out / PAGE_FILES_FOLDER) not in written:
        shutil.rmtree(beside, ignore_errors=True)
    for path in (out / BEST_MODELS_FOLDER).glob("*.yaml"):
        if path not in written:
            path.unlink()
    if (out / BEST_MODELS_FOLDER).is_dir() and not any((out / BEST_MODELS_FOLDER).iterdir()):
        (out / BEST_MODELS_FOLDER).rmdir()


def save_best_models(
    model: Model, given: Mapping[str, np.ndarray], best: Mapping[str, int], folder: Path
) -> dict[str, Path]:
    """Save the best designs as model files for `leg`, `walk` and all other commands."""
    files = {}
    for name, k in best.items():
        copy = model.copy(**{parameter: float(values[k]) for parameter, values in given.items()})
        folder.mkdir(parents=True, exist_ok=True)
        stem = FILE_NAME_SEPARATORS.sub("-", name)[:MAX_STEM_CHARACTERS]
        if any(path.stem == stem for path in files.values()):
            stem += f"-{k}"
        files[f"model, {name}"] = copy.save(folder / f"{stem}.yaml")
    return files


def choose_walk_analysis(model: Model, wanted: Sequence[str]) -> Any:
    """The analysis that provides the requested numbers of a walk; None if no such number is requested."""
    from gaitwright.legs.leg_turns import needs_ground
    from gaitwright.legs.machine_walks import MachineWalks, is_machine
    from gaitwright.mechanisms.leg_walk_analysis import WALK_PREFIX, LegWalkAnalysis

    asked = find_number_names(wanted, model)
    if model.document.gait is None:
        return MachineWalks() if asked and is_machine(model) else None
    if not any(name.startswith(WALK_PREFIX) for name in asked):
        return None
    return LegWalkAnalysis(needs_ground(name for name in asked if not name.startswith(WALK_PREFIX)))


def tabulate_designs(data: xr.Dataset) -> Any:
    """Table with a row per design, and the reason of each failure as text."""
    reasons = dict(zip(data["code"].values.tolist(), data["reason"].values.tolist(), strict=True))
    table = data.drop_dims(["code", "limit"], errors="ignore").to_dataframe()
    table["failure"] = [reasons[int(code)] for code in table["failure"]]
    if "broken" in data:
        names, broken = [str(name) for name in data["limit"].values], data["broken"].values.astype(bool)
        table["broken"] = ["; ".join(name for name, one in zip(names, row, strict=True) if one) for row in broken]
    return table


def find_best_designs(data: xr.Dataset) -> dict[str, int]:
    """Indices of the designs to show: the best in each goal, and with several goals the one nearest to the best values of
    all. A design that is best in several ways appears once, under all its names."""
    from gaitwright.report.views.pages.designs_page import goal_signs

    goals = goal_signs(data)
    place = np.flatnonzero(data["front"].values) if goals else np.zeros(0, dtype=int)
    if not place.size:
        return {}
    costs = np.stack([sign * data[name].values[place] for name, sign in goals], axis=1)
    best = {
        f"{'least' if sign > 0 else 'greatest'} {name}": int(place[np.argmin(costs[:, k])])
        for k, (name, sign) in enumerate(goals)
    }
    if len(goals) > 1:
        spread = np.ptp(costs, axis=0)
        far = np.linalg.norm((costs - costs.min(axis=0)) / np.where(spread > 0, spread, 1.0), axis=1)
        best["between"] = int(place[np.argmin(far)])
    names: dict[int, list[str]] = {}
    for name, k in best.items():
        names.setdefault(k, []).append(name)
    if len(names) > 1:  # a design that is best in a goal is not also called `between`
        names = {k: [name for name in own if name != "between"] or own for k, own in names.items()}
    return {
        BEST_IN_ALL_LABEL if len(names) == 1 and len(goals) > 1 else join_goal_names(own): k for k, own in names.items()
    }


def join_goal_names(names: Sequence[str]) -> str:
    """Name of a design that is best in several goals."""
    if len(names) <= MAX_LISTED_GOALS + 1:
        return " and ".join(names)
    return f"{', '.join(names[:MAX_LISTED_GOALS])} and {len(names) - MAX_LISTED_GOALS} more"


def analyse_design(model: Model, given: Mapping[str, np.ndarray], k: int) -> Result:
    """Analyse one of the designs."""
    from gaitwright.legs.designs import default_analysis
    from gaitwright.model.model import make_variant, require_compilable

    section = default_analysis(model)
    raw = {**model.to_dict(), "outputs": [], **({"analysis": dict(section)} if section else {})}
    prepared = require_compilable(type(model).from_dict(raw))
    return make_variant(prepared, {name: float(values[k]) for name, values in given.items()}).analyse()


def design_numbers(data: xr.Dataset, k: int) -> dict[str, float]:
    return {str(name): float(one.values[k]) for name, one in data.data_vars.items() if one.attrs.get("role")}


def show_designs(screen: CommandOutput, data: xr.Dataset, best: Mapping[str, int], reasons: Mapping[str, int]) -> None:
    """Show the ranges of the measures of feasible designs, the best designs, and the reasons of failures."""
    from gaitwright.design.batch.design_table import RULE_PREFIX, count_designs, count_rejections
    from gaitwright.report.views.pages.designs_page import variable_names

    feasible = data["feasible"].values
    screen.say(str(count_designs(data)))
    rows = []
    for name in variable_names(data, "measure"):
        values = data[name].values[feasible]
        values = values[np.isfinite(values)]
        if values.size:
            unit = data[name].attrs.get("units", "")
            cells = (f"{x:.6g}" for x in (values.min(), np.median(values), values.max()))
            rows.append((name, *cells, unit, *(f"{float(data[name].values[k]):.6g}" for k in best.values())))
    if rows:
        numbers: Sequence[int] = (1, 2, 3, *range(5, 5 + len(best)))
        screen.table("measure", "least", "median", "greatest", "unit", *best, rows=rows, numbers=tuple(numbers))
    if reasons:
        screen.say(f"{sum(reasons.values())} designs have no numbers:")
        screen.say(*(f"  {count} x: {why}" for why, count in list(reasons.items())[:MAX_LISTED_REASONS]))
    if broken := count_rejections(data):
        screen.say("designs rejected, which may break several:")
        screen.say(*(f"  {count} x: {name}" for name, count in broken.items()))
        rules = [name.removeprefix(RULE_PREFIX) for name in broken if name.startswith(RULE_PREFIX)]
        screen.say(*([f"rules are left out by --allow {' --allow '.join(rules)}"] if rules else []))
