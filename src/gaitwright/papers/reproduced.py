"""Experiments run by name, what they found told and written: the command `reproduce`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gaitwright.checks import At, did_you_mean
from gaitwright.papers import ALL, EXPERIMENTS
from gaitwright.papers.check import HEADER, STATEMENT, Findings, count, results, totals_said
from gaitwright.papers.side_by_side import Progress, findings, side_by_side


def chosen(name: str) -> list[str]:
    """The experiments that a name stands for."""
    if name != ALL and name not in EXPERIMENTS:
        expected = f"one of {', '.join([*EXPERIMENTS, ALL])}{did_you_mean(name, EXPERIMENTS)}"
        At(field="name").fail("is not a known experiment", name, expected)
    return list(EXPERIMENTS) if name == ALL else [name]


def reproduce(
    name: str, out: Path | None = None, progress: Progress | None = None, workers: int | None = None,
    scan: Path | None = None,
) -> dict[str, Findings]:  # fmt: skip
    """Run an experiment, or all; with `out`, write numbers and pictures there: NAME.json, NAME-*.png, and of all
    experiments one file per paper, paper-NNN.json. workers: experiments at a time, as many as there are cores unless
    given; 1 stays in this process. scan: of a foot, for the experiment on it."""
    names, options = chosen(name), told(name, scan)
    workers = min(workers or os.cpu_count() or 1, len(names))
    if workers > 1:
        found = side_by_side({each: EXPERIMENTS[each] for each in names}, out, progress, workers)
    else:
        found = one_by_one(names, out, progress, **options)
    if out is not None and name == ALL:
        write_papers(found, out)
    return found


def told(name: str, scan: Path | None) -> dict[str, Any]:
    """Options of one experiment; a scan belongs to that on a foot."""
    if scan is not None and name != "foot":
        At(field="scan").fail("belongs to one experiment", str(scan), "gaitwright reproduce foot --scan FILE")
    return {} if scan is None else {"scan": scan}


def one_by_one(names: list[str], out: Path | None, progress: Progress | None, **options: Any) -> dict[str, Findings]:
    """Run experiments in this process. options: of their `run`."""
    found: dict[str, Findings] = {}
    for k, each in enumerate(names):

        def said(what: str, fraction: float, k: int = k, each: str = each) -> None:
            if progress is not None:
                progress(f"{each}: {what}", (k + fraction) / len(names))

        found[each] = findings(each, EXPERIMENTS[each], out, said, **options)
    return found


def by_paper(found: dict[str, Findings]) -> list[dict[str, Any]]:
    """The checks of each paper as plain data, in the order of the papers; ids begin with the experiment's name."""
    papers: dict[str, list[dict[str, Any]]] = {}
    for name, each in sorted(found.items(), key=lambda item: item[1].paper):
        checks = [{**check, "id": f"{name}/{check['id']}"} for check in each.summary()["checks"]]
        papers.setdefault(each.paper, []).extend(checks)
    return [{"paper": paper, "checks": checks} for paper, checks in papers.items()]


def write_papers(found: dict[str, Findings], out: Path) -> list[Path]:
    """One file per paper: paper-NNN.json."""
    from gaitwright.plain import write_json

    return [write_json(paper, Path(out) / f"paper-{paper['paper']}.json") for paper in by_paper(found)]


def show(screen: Any, found: dict[str, Findings]) -> dict[str, Any]:
    """Tell people what was found, on the screen of a command; the same for machines."""
    for each in found.values():
        screen.say(each.title)
        screen.table(*HEADER, rows=[check.cells() for check in each.checks], numbers=(1, 2))
        for header, rows in each.tables:
            screen.table(*header, rows=rows, numbers=tuple(range(2, len(header))))
        screen.say(*each.remarks)
        screen.say(*totals_said(each.kinds()), "")
    if len(found) > 1:
        every = [check for each in found.values() for check in each.checks]
        counts = ", ".join(f"{number} {verdict}" for verdict, number in count(results(every)).items())
        screen.say(f"{len(results(every))} results of {len(found)} experiments: {counts}")
        said = count(check for check in every if check.kind == STATEMENT)
        others = len(every) - len(results(every)) - sum(said.values())
        screen.say(
            f"{sum(said.values())} statements: {', '.join(f'{number} {verdict}' for verdict, number in said.items())}"
        )
        screen.say(f"{others} other checks, of inputs, equations, arithmetic and our own program", "")
    screen.wrote({f"{name}: {what}": path for name, each in found.items() for what, path in each.files.items()})
    return {"experiments": {name: each.summary() for name, each in found.items()}, "papers": by_paper(found)}


def complaint(found: dict[str, Findings]) -> str:
    """One sentence about the checks that fail; empty if none does."""
    failed = [f"{name} {check.id} ({check.why})" for name, each in found.items() for check in each.failed()]
    return f"{len(failed)} published numbers are not met: {', '.join(failed)}" if failed else ""
