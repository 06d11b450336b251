"""The page about an experiment: what holds and what does not, animations, pictures, tables, choices and all numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from gaitwright.papers.check import Findings, count, results, totals_said
from gaitwright.plain import to_json
from gaitwright.report.blocks import Animation, Block, Code, Fact, Figures, Heading, Picture, Table, Text, Verdicts
from gaitwright.report.page import Report
from gaitwright.report.views.run_page import animated, usual_trace
from gaitwright.result.result import Result


def experiment_report(found: Findings, scenes: Mapping[str, Any]) -> Report:
    """Pictures are those that `draw` has written. scenes: what moves, by its title."""
    checks = [asdict(check) for check in found.checks]
    published = results(found.checks)
    counts = [Fact(verdict, number, "", share(number, len(published))) for verdict, number in count(published).items()]
    others = Fact("other checks", len(checks) - len(published))
    blocks: list[Block] = [Figures([Fact("published results", len(published)), *counts, others])]
    blocks += [Animation(scene, title) for title, scene in scenes.items()]
    said_of_kinds = [Text(totals_said(found.kinds()))] if len(found.kinds()) > 1 else []
    blocks += [Heading("Number by number"), *said_of_kinds, Verdicts("Published and computed", checks)]
    pictures = {what: path for what, path in found.files.items() if path.suffix.lower() == ".png"}
    if pictures:
        blocks += [Heading("Pictures"), *(Picture(what, path) for what, path in pictures.items())]
    if found.tables or found.remarks:
        blocks += [Heading("Tables"), *tables(found), Text(found.remarks)]
    blocks += [Heading("What we chose, and all numbers"), *chosen(found.choices)]
    blocks.append(Code("Numbers of all runs, as JSON", to_json(found.runs) + "\n"))
    title = found.title[:1].upper() + found.title[1:]
    return Report(title, f"Experiment {found.name} of paper {found.paper}, run again", blocks)


def first_moving(runs: Any) -> dict[str, Any]:
    """The scene of the first run in which something touches, or else moves, by its name."""
    results = [(str(n), run) for n, run in runs.items() if isinstance(run, Result)] if isinstance(runs, Mapping) else []
    moving = sorted((entry for entry in results if entry[1].time.size > 1), key=lambda entry: not entry[1].episodes)
    return {name: animated(run, usual_trace(run)) for name, run in moving[:1]}


def share(count: int, of: int) -> str:
    return f"{100 * count / of:.3g} %" if of else ""


def tables(found: Findings) -> list[Table]:
    return [Table(f"{header[0].capitalize()}: {', '.join(header[1:4])}", header, rows) for header, rows in found.tables]


def chosen(choices: Mapping[str, Any]) -> list[Table]:
    """What the paper does not print, with the reasons, which may stand beside the values under "reasons"."""
    reasons = choices.get("reasons")
    reasons = dict(reasons) if isinstance(reasons, Mapping) else {}
    values = {name: value for name, value in choices.items() if name != "reasons" or not reasons}
    names = dict.fromkeys([*values, *reasons])
    rows = [(name.replace("_", " "), said(values.get(name, "")), str(reasons.get(name, ""))) for name in names]
    return [Table("Choices", ("what", "choice", "reason"), rows)] if rows else []


def said(value: Any) -> str:
    """A choice in words: its parts, where it has some, one after another."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {said(part)}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(said(part) for part in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
