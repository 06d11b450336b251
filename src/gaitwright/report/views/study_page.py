"""The page of a study: the answer first, then what each parameter does, the front of what none beats, and sizes in stock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.report.blocks import Block, Chart, Fact, Figures, Heading, Line, Remark, Remarks, Table
from gaitwright.report.page import Report, shown

if TYPE_CHECKING:
    from gaitwright.design.studied import Study

BEST, FRONT, OTHERS, BROKEN = 3, 0, 4, 1
"""Colours of the palette: of the best, of what none beats, of the rest, and of what breaks limits."""
ROWS = 200
"""Of variants that the page lists."""


def study_report(study: Study, more: Sequence[Block] = ()) -> Report:
    blocks: list[Block] = [Figures(_facts(study)), Remarks("", _remarks(study)), *more]
    blocks += [Heading("What the parameters do"), *_over_parameters(study)]
    if len(study.goals) > 1:
        blocks += [Heading("What none beats"), *_fronts(study)]
    if study.stock:
        blocks += [Heading("In stock"), _stock(study)]
    blocks += [Heading("All variants"), _table("Variants", study, study.rows[:ROWS])]
    return Report(
        f"{study.model.document.name}: the choice of {', '.join(study.parameters)}", "a study of variants", blocks
    )


def _facts(study: Study) -> list[Fact]:
    best = study.best_in_stock or study.best
    if best is None:
        return [Fact("variants that keep the limits", 0.0)]
    chosen = [Fact(name, float(best[name]), "", "chosen") for name in study.parameters]
    return chosen + [
        Fact(name, f"{best[name]:.4g}".replace("-", "−"), study.unit(name).strip(), _aim(study, name))
        for name in study.names
    ]


def _aim(study: Study, name: str) -> str:
    if name in study.goals:
        return "to be large" if study.goals[name] else "to be small"
    return "limited" if name in study.limits else ""


def _remarks(study: Study) -> list[Remark]:
    first, *rest = study.lines()
    found = [
        Remark(
            "good" if study.best is not None else "bad",
            "best" if study.best is not None else "none",
            first.removeprefix("best: "),
        )
    ]
    for line in rest:
        bad = "EXCEEDS" in line or "BELOW" in line or line.startswith("nothing")
        found.append(Remark("odd" if bad else "good", "stock" if "stock" in line else "study", line))
    return found


def _over_parameters(study: Study) -> list[Block]:
    """Of one parameter every number over it; of more, of each the numbers where the others are as in the best."""
    best = study.best or study.least_broken
    found: list[Block] = []
    if best is None:
        return found
    for parameter in study.parameters:
        others = [other for other in study.parameters if other != parameter]
        rows = [row for row in study.rows if all(row[other] == best[other] for other in others)]
        x, kept = np.array([row[parameter] for row in rows]), np.array([row["keeps"] for row in rows])
        for name in study.names:
            y = np.array([row[name] for row in rows])
            lines = [Line(name, x, y), Line("best", [best[parameter]], [best[name]], look="dots", colour=BEST)]
            bad = ~kept & np.isfinite(y)
            if study.limits and bad.any():
                lines.append(Line("breaks a limit", x[bad], y[bad], look="dots", colour=BROKEN))
            limit = study.limits.get(name)
            for side in (limit.low, limit.high) if limit is not None else ():
                if np.isfinite(side) and side >= min(0.0, np.nanmin(y)):
                    lines.append(Line("limit", x[[0, -1]], [side, side], look="dashed", colour=BROKEN))
            found.append(Chart(f"{name} over {parameter}", lines, parameter, _label(study, name)))
    return found


def _fronts(study: Study) -> list[Block]:
    """The first goal against each of the others."""
    first, *others = study.goals
    rest = [row for row in study.rows if row["keeps"] and not row["unbeaten"]]
    broken = [row for row in study.rows if not row["keeps"] and not row["failure"]]
    best = study.best
    found: list[Block] = []
    for other in others:

        def places(rows: Sequence[dict[str, Any]], across: str = other) -> tuple[list[float], list[float]]:
            ordered = sorted(rows, key=lambda row: row[across])
            return [row[across] for row in ordered], [row[first] for row in ordered]

        kinds = (("beaten", rest, OTHERS), ("breaks a limit", broken, BROKEN), ("beaten by none", study.front, FRONT))
        lines = [Line(label, *places(rows), look="dots", colour=colour) for label, rows, colour in kinds if rows]
        if best is not None:
            lines.append(Line("best", [best[other]], [best[first]], look="dots", colour=BEST))
        found.append(Chart(f"{first} against {other}", lines, _label(study, other), _label(study, first)))
    return [*found, _table("Variants that none beats", study, study.front)]


def _stock(study: Study) -> Table:
    """All sizes that can be bought, the next ones to the best marked."""
    best = study.best or study.least_broken
    rows = [row for row in study.rows if row["in_stock"]]
    near = {id_of(study, row) for sizes in study.next_sizes(best).values() for row in sizes}
    marks = ["next" if id_of(study, row) in near else "" for row in rows]
    return _table("Sizes that can be bought", study, rows, marks)


def _label(study: Study, name: str) -> str:
    unit = study.unit(name).strip()
    return f"{name} ({unit})" if unit else name


def id_of(study: Study, row: dict[str, Any]) -> tuple[float, ...]:
    return tuple(float(row[name]) for name in study.parameters)


def _table(title: str, study: Study, rows: Sequence[dict[str, Any]], marks: Sequence[str] = ()) -> Table:
    names = [*study.parameters, *study.names]
    header = [_label(study, name) for name in names]
    cells = [
        (*(shown(float(row[name]), 4) for name in names), "yes" if row["keeps"] else row["failure"][:60] or "no",
         *((marks[k],) if marks else ()))
        for k, row in enumerate(rows)
    ]  # fmt: skip
    return Table(title, [*header, "keeps the limits", *(["to the best"] if marks else [])], cells)
