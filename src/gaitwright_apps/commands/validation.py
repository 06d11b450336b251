"""Validation commands: reproduce (published results), bench (benchmarks)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gaitwright._core.error_context import ErrorContext
from gaitwright.cli.options import COMMAND_OUTPUT_FOLDER, JsonOption, OutputFolderOption
from gaitwright.cli.terminal import (
    EXIT_ANALYSIS_FAILED,
    ProgressMonitor,
    command_output,
    report_failure,
    stop_exit_code,
)
from gaitwright_apps.reproductions import EXPERIMENTS


def reproduce(
    name: Annotated[str, typer.Argument(help=f"{', '.join(EXPERIMENTS)}, or all.")],
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Experiments at a time; as many as cores unless given.")
    ] = None,
    scan: Annotated[
        Path | None, typer.Option("--scan", help="A scan of a foot (.stl, .obj, .ply), for the experiment foot.")
    ] = None,
) -> None:
    """Run a paper's experiment again and give a verdict on every number it prints; write NAME.json and pictures."""
    with command_output(out, as_json) as screen:
        from gaitwright_apps import reproductions

        reproductions.select_experiments(name)
        reproductions.experiment_options(name, scan)
        out = screen.make_folder()
        try:
            with ProgressMonitor("reproducing") as watch:
                findings = reproductions.reproduce(name, out, watch.say, workers, scan)
        except KeyboardInterrupt:
            message = f"interrupted; what the experiments that ended had written is in {out}"
            raise report_failure(screen, message, stop_exit_code(), interrupted=True) from None
        answer = reproductions.show_findings(screen, findings)
        if problem := reproductions.failure_message(findings):
            raise report_failure(screen, problem, EXIT_ANALYSIS_FAILED, **answer)
        screen.finish(answer)


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Problems; default: all that take under two minutes.")
    ] = None,
    out: OutputFolderOption = COMMAND_OUTPUT_FOLDER,
    as_json: JsonOption = False,
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes: to see that it works, not for numbers.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Also the problems that take minutes.")] = False,
    device: Annotated[
        str, typer.Option("--processor", help="Processor of generated programs: cpu, or cuda for an NVIDIA GPU.")
    ] = "cpu",
) -> None:
    """Time Gaitwright, against Exudyn where it is installed."""
    with command_output(out, as_json) as screen:
        from gaitwright_apps import benchmarks

        ErrorContext(field="--processor").one_of(device, ("cpu", "cuda"))
        out = screen.make_folder()
        with ProgressMonitor("timing") as watch:
            result = benchmarks.run_benchmarks(names, out, quick, watch.say, device, full)
        screen.table(
            "problem", "peer / ours", rows=[(k, f"{v:.3g}") for k, v in result["ratios"].items()], numbers=(1,)
        )
        screen.say(*result.get("notes", []))
        screen.wrote({"numbers": out / "bench.json", "report": out / "bench.md"})
        screen.finish(result)
