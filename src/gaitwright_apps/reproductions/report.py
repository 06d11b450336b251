"""Report page of an experiment: verdicts, animations, pictures, tables, choices and all numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from gaitwright._core.json_types import to_json
from gaitwright.report.blocks import (
    Animation,
    Code,
    Fact,
    Figures,
    Heading,
    Picture,
    ReportBlock,
    Table,
    Text,
    Verdicts,
)
from gaitwright.report.page import Report
from gaitwright.report.views.pages.run_page import animation_scene, default_trace
from gaitwright.result.result import Result
from gaitwright_apps.reproductions.experiments import (
    ExperimentFindings,
    count_verdicts,
    select_results,
    verdict_total_lines,
)


def experiment_report(findings: ExperimentFindings, scenes: Mapping[str, Any]) -> Report:
    """Report of an experiment. Pictures are those written by `draw`. scenes: animated scenes, by title."""
    checks = [asdict(check) for check in findings.checks]
    published = select_results(findings.checks)
    counts = [
        Fact(verdict, number, "", format_share(number, len(published)))
        for verdict, number in count_verdicts(published).items()
    ]
    others = Fact("other checks", len(checks) - len(published))
    blocks: list[ReportBlock] = [Figures([Fact("published results", len(published)), *counts, others])]
    blocks += [Animation(scene, title) for title, scene in scenes.items()]
    kind_totals = [Text(verdict_total_lines(findings.kinds()))] if len(findings.kinds()) > 1 else []
    blocks += [Heading("Number by number"), *kind_totals, Verdicts("Published and computed", checks)]
    pictures = {
        title_of_picture: path for title_of_picture, path in findings.files.items() if path.suffix.lower() == ".png"
    }
    if pictures:
        blocks += [
            Heading("Pictures"),
            *(Picture(title_of_picture, path) for title_of_picture, path in pictures.items()),
        ]
    if findings.tables or findings.remarks:
        blocks += [Heading("Tables"), *report_tables(findings), Text(findings.remarks)]
    blocks += [Heading("What we chose, and all numbers"), *choice_tables(findings.choices)]
    blocks.append(Code("Numbers of all runs, as JSON", to_json(findings.runs) + "\n"))
    title = findings.title[:1].upper() + findings.title[1:]
    return Report(title, f"Experiment {findings.name} of paper {findings.paper}, run again", blocks)


def first_moving_scene(runs: Any) -> dict[str, Any]:
    """Scene of the first run with contact, or else of the first moving one, by its name."""
    results = [(str(n), run) for n, run in runs.items() if isinstance(run, Result)] if isinstance(runs, Mapping) else []
    moving = sorted((entry for entry in results if entry[1].time.size > 1), key=lambda entry: not entry[1].episodes)
    return {name: animation_scene(run, default_trace(run)) for name, run in moving[:1]}


def format_share(count: int, total: int) -> str:
    return f"{100 * count / total:.3g} %" if total else ""


def report_tables(findings: ExperimentFindings) -> list[Table]:
    return [
        Table(f"{header[0].capitalize()}: {', '.join(header[1:4])}", header, rows) for header, rows in findings.tables
    ]


def choice_tables(choices: Mapping[str, Any]) -> list[Table]:
    """Table of values that the paper does not print, with the reasons, which may be listed under "reasons"."""
    reasons = choices.get("reasons")
    reasons = dict(reasons) if isinstance(reasons, Mapping) else {}
    values = {name: value for name, value in choices.items() if name != "reasons" or not reasons}
    names = dict.fromkeys([*values, *reasons])
    rows = [
        (name.replace("_", " "), describe_choice(values.get(name, "")), str(reasons.get(name, ""))) for name in names
    ]
    return [Table("Choices", ("what", "choice", "reason"), rows)] if rows else []


def describe_choice(value: Any) -> str:
    """Text of a choice; parts of a compound value are listed one after another."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {describe_choice(part)}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(describe_choice(part) for part in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
