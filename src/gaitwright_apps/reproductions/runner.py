"""Runner of the command `reproduce`: runs experiments by name, shows and writes their findings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext, suggest_spelling
from gaitwright_apps.reproductions import ALL_EXPERIMENTS, EXPERIMENTS
from gaitwright_apps.reproductions.experiments import (
    CHECK_TABLE_HEADER,
    STATEMENT,
    ExperimentFindings,
    count_verdicts,
    select_results,
    verdict_total_lines,
)
from gaitwright_apps.reproductions.parallel_runner import Progress, run_experiment, run_in_parallel


def select_experiments(name: str) -> list[str]:
    """Experiments selected by a name."""
    if name != ALL_EXPERIMENTS and name not in EXPERIMENTS:
        expected = f"one of {', '.join([*EXPERIMENTS, ALL_EXPERIMENTS])}{suggest_spelling(name, EXPERIMENTS)}"
        ErrorContext(field="name").fail("is not a known experiment", name, expected)
    return list(EXPERIMENTS) if name == ALL_EXPERIMENTS else [name]


def reproduce(
    name: str, out: Path | None = None, progress: Progress | None = None, workers: int | None = None,
    scan: Path | None = None,
) -> dict[str, ExperimentFindings]:  # fmt: skip
    """Run an experiment, or all; with `out`, write numbers and pictures there: NAME.json, NAME-*.png, and for all
    experiments one file per paper, paper-NNN.json. workers: number of concurrent experiments; default: number of cores; 1
    runs in this process. scan: of a foot, for the experiment `foot`."""
    names, options = select_experiments(name), experiment_options(name, scan)
    workers = min(workers or os.cpu_count() or 1, len(names))
    if workers > 1:
        findings = run_in_parallel(
            {experiment: EXPERIMENTS[experiment] for experiment in names}, out, progress, workers
        )
    else:
        findings = run_in_sequence(names, out, progress, **options)
    if out is not None and name == ALL_EXPERIMENTS:
        write_paper_files(findings, out)
    return findings


def experiment_options(name: str, scan: Path | None) -> dict[str, Any]:
    """Options of one experiment; a scan is only valid for that on a foot."""
    if scan is not None and name != "foot":
        ErrorContext(field="scan").fail("belongs to one experiment", str(scan), "gaitwright reproduce foot --scan FILE")
    return {} if scan is None else {"scan": scan}


def run_in_sequence(
    names: list[str], out: Path | None, progress: Progress | None, **options: Any
) -> dict[str, ExperimentFindings]:
    """Run experiments in this process. options: of their `run`."""
    findings: dict[str, ExperimentFindings] = {}
    for k, experiment in enumerate(names):

        def report_progress(label: str, fraction: float, k: int = k, experiment: str = experiment) -> None:
            if progress is not None:
                progress(f"{experiment}: {label}", (k + fraction) / len(names))

        findings[experiment] = run_experiment(experiment, EXPERIMENTS[experiment], out, report_progress, **options)
    return findings


def checks_by_paper(findings: dict[str, ExperimentFindings]) -> list[dict[str, Any]]:
    """Checks of each paper as plain data, in the order of the papers; ids start with the experiment's name."""
    papers: dict[str, list[dict[str, Any]]] = {}
    for name, experiment in sorted(findings.items(), key=lambda item: item[1].paper):
        checks = [{**check, "id": f"{name}/{check['id']}"} for check in experiment.summary()["checks"]]
        papers.setdefault(experiment.paper, []).extend(checks)
    return [{"paper": paper, "checks": checks} for paper, checks in papers.items()]


def write_paper_files(findings: dict[str, ExperimentFindings], out: Path) -> list[Path]:
    """Write a file per paper: paper-NNN.json."""
    from gaitwright._core.json_types import write_json

    return [write_json(paper, Path(out) / f"paper-{paper['paper']}.json") for paper in checks_by_paper(findings)]


def show_findings(screen: Any, findings: dict[str, ExperimentFindings]) -> dict[str, Any]:
    """Show the findings on the screen of a command. Return the same as data."""
    for experiment in findings.values():
        screen.say(experiment.title)
        screen.table(*CHECK_TABLE_HEADER, rows=[check.cells() for check in experiment.checks], numbers=(1, 2))
        for header, rows in experiment.tables:
            screen.table(*header, rows=rows, numbers=tuple(range(2, len(header))))
        screen.say(*experiment.remarks)
        screen.say(*verdict_total_lines(experiment.kinds()), "")
    if len(findings) > 1:
        checks = [check for experiment in findings.values() for check in experiment.checks]
        counts = ", ".join(f"{number} {verdict}" for verdict, number in count_verdicts(select_results(checks)).items())
        screen.say(f"{len(select_results(checks))} results of {len(findings)} experiments: {counts}")
        statements = count_verdicts(check for check in checks if check.kind == STATEMENT)
        others = len(checks) - len(select_results(checks)) - sum(statements.values())
        listed = ", ".join(f"{number} {verdict}" for verdict, number in statements.items())
        screen.say(f"{sum(statements.values())} statements: {listed}")
        screen.say(f"{others} other checks, of inputs, equations, arithmetic and our own program", "")
    screen.wrote(
        {
            f"{name}: {content}": path
            for name, experiment in findings.items()
            for content, path in experiment.files.items()
        }
    )
    return {
        "experiments": {name: experiment.summary() for name, experiment in findings.items()},
        "papers": checks_by_paper(findings),
    }


def failure_message(findings: dict[str, ExperimentFindings]) -> str:
    """Sentence about the failed checks; empty if there are none."""
    failed = [
        f"{name} {check.id} ({check.why})" for name, experiment in findings.items() for check in experiment.failed()
    ]
    return f"{len(failed)} published numbers are not met: {', '.join(failed)}" if failed else ""
