"""Command `designs`: analyse very many designs of a model."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from gaitwright.cli.options import (
    RESUME_NOTE,
    AllowRuleOption,
    LimitOption,
    MaximiseOption,
    MeasureOption,
    MinimiseOption,
    ModelArgument,
    ModelFileOptions,
    OutputOptions,
    ParameterOption,
    ProcessorOption,
    SchedulerOption,
    SeedOption,
    StoreOption,
    WorkersOption,
    read_model,
    with_option_groups,
)
from gaitwright.cli.ranges import read_limits, read_parameters
from gaitwright.cli.terminal import CommandOutput, ProgressMonitor, command_output, print_warnings, stop_exit_code

if TYPE_CHECKING:
    from gaitwright.design.batch.table_result import DesignTable
    from gaitwright.model.model import Model

OPTIONAL_FILE_NAMES, PAGE_FILES_FOLDER = ("designs.csv", "front.png", "coordinates.png", "map.png"), "designs-files"
"""Optional output files and the folder of the page's files: not every call writes them."""
BEST_MODELS_FOLDER = "best"
"""Folder of the model files of the best designs."""
FILE_NAME_SEPARATORS = re.compile(r"[^\w.+-]+")
"""Characters that are replaced in names of files."""
MAX_STEM_CHARACTERS = 100
"""Maximum length of such a name."""
MAX_LISTED_REASONS = 3


@with_option_groups
def designs(
    model: ModelArgument,
    parameters: ParameterOption,
    count: Annotated[int, typer.Option("--count", min=1, help="Number of designs.")] = 10_000,
    sampling: Annotated[str, typer.Option("--sampling", help="Sampling method: sobol, grid or random.")] = "sobol",
    seed: SeedOption = 0,
    measures: MeasureOption = [],  # noqa: B006
    limits: LimitOption = [],  # noqa: B006
    allow: AllowRuleOption = [],  # noqa: B006
    minimise: MinimiseOption = [],  # noqa: B006
    maximise: MaximiseOption = [],  # noqa: B006
    processor: ProcessorOption = "cpu",
    workers: WorkersOption = None,
    store: StoreOption = None,
    scheduler: SchedulerOption = "",
    *,
    output: OutputOptions,
    files: ModelFileOptions,
) -> None:
    """Analyse very many designs within ranges; write designs.nc, a table, a page with the Pareto front and the best designs,
    and model files of the best designs."""
    with command_output(output.out, output.as_json) as screen:
        from gaitwright._core.json_types import write_json
        from gaitwright.design.batch.design_table import INTERRUPTED_REASON, count_reasons
        from gaitwright.design.executors.dask_executor import connect_client
        from gaitwright.legs.designs import default_measures
        from gaitwright.legs.designs import designs as analyse_all

        source = read_model(model, files.changes, files.folders)
        ranges = read_parameters(parameters, "L3=0.26:0.30")
        allowed = read_limits(limits)
        wanted = list(dict.fromkeys(measures)) or default_measures(source)
        client = connect_client(scheduler) if scheduler else None
        out = screen.make_folder()
        with print_warnings(), ProgressMonitor("analysing designs") as watch:
            began = time.perf_counter()
            result = analyse_all(
                source, ranges, count=count, sampling=sampling, seed=seed, measures=wanted, limits=allowed, allow=allow,
                minimise=minimise, maximise=maximise, device=processor, workers=workers, client=client, store=store,
                progress=watch,
            )  # fmt: skip
            seconds = time.perf_counter() - began
        reasons = count_reasons(result.data)
        is_stored = store is not None and store.resolve() == (out / "designs.nc").resolve()
        written: dict[str, Path] = result.save(out, data=not is_stored)
        written |= result.report(out / "designs.html", {"analysed in": (round(seconds, 2), "s")})
        given = {name: result[name].values for name in result.parameters}
        written |= save_best_models(source, given, result.best, out / BEST_MODELS_FOLDER)
        show_designs(screen, result)
        interrupted = watch.interrupted and INTERRUPTED_REASON in reasons
        summary = {**result.summary(), "seconds": seconds, "interrupted": interrupted}
        written["summary"] = write_json(summary, out / "summary.json")
        remove_stale_outputs(out, set(written.values()))
        screen.wrote(written)
        if store is not None and INTERRUPTED_REASON in reasons:
            missing = reasons[INTERRUPTED_REASON]
            screen.say(f"{missing} of {result.data.sizes['design']} designs are missing; {RESUME_NOTE}")
        screen.finish(summary)
        if interrupted:
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


def show_designs(screen: CommandOutput, result: DesignTable) -> None:
    """Show the ranges of the measures of feasible designs, the best designs, and the reasons of failures."""
    from gaitwright.design.batch.design_table import RULE_PREFIX, count_designs, count_reasons, count_rejections

    data, best, reasons = result.data, result.best, count_reasons(result.data)
    feasible = data["feasible"].values
    screen.say(str(count_designs(data)))
    rows = []
    for name in result.names:
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
