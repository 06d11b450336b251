"""Each paper's experiments, run again, with a verdict per published number. `gaitwright reproduce NAME|all`.

An experiment is one module with a function `run(progress=None) -> Experiment`; see check.py for what that is.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaitwright.errors import ModelError
from gaitwright.papers.check import HEADER, Experiment

Progress = Callable[[str, float], None]
"""Called with what is being done and the fraction that is."""

EXPERIMENTS = {
    "falling-ball": "gaitwright.papers.falling_ball",
    "slider-crank-impact": "gaitwright.papers.slider_crank_impact",
    "cfrp-beam": "gaitwright.papers.cfrp_beam",
    "slider-crank-contact": "gaitwright.papers.slider_crank_contact",
}
"""Name and module."""
ALL = "all"


def chosen(name: str) -> list[str]:
    """The experiments that a name stands for."""
    if name != ALL and name not in EXPERIMENTS:
        raise ModelError(
            "is not a known experiment", field="name", value=name, expected=f"one of {', '.join([*EXPERIMENTS, ALL])}"
        )
    return list(EXPERIMENTS) if name == ALL else [name]


def reproduce(name: str, out: Path | None = None, progress: Progress | None = None) -> dict[str, Experiment]:
    """Run an experiment, or all; with `out`, write its numbers and pictures there: NAME.json, NAME-*.png."""
    found: dict[str, Experiment] = {}
    names = chosen(name)
    for k, each in enumerate(names):

        def said(what: str, fraction: float, k: int = k, each: str = each) -> None:
            if progress is not None:
                progress(f"{each}: {what}", (k + fraction) / len(names))

        module: Any = importlib.import_module(EXPERIMENTS[each])
        found[each] = module.run(said)
        if out is not None:
            said("drawing", 0.9)
            found[each].write(Path(out))
    return found


def show(screen: Any, found: dict[str, Experiment]) -> dict[str, Any]:
    """Tell people what was found, on the screen of a command; the same for machines."""
    for each in found.values():
        screen.say(each.title)
        screen.table(*HEADER, rows=[check.cells() for check in each.judged()], numbers=(1, 2))
        for header, rows in each.tables():
            screen.table(*header, rows=rows, numbers=tuple(range(2, len(header))))
        screen.say(*each.remarks())
        screen.say(", ".join(f"{count} {verdict}" for verdict, count in each.verdicts().items()), "")
    screen.wrote({f"{name}: {what}": path for name, each in found.items() for what, path in each.files.items()})
    return {"experiments": {name: each.summary() for name, each in found.items()}}


def complaint(found: dict[str, Experiment]) -> str:
    """One sentence about the checks that fail; empty if none does."""
    failed = [f"{name} {check.id} ({check.why})" for name, each in found.items() for check in each.failed()]
    return f"{len(failed)} published numbers are not met: {', '.join(failed)}" if failed else ""
