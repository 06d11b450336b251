"""The page docs/verdicts.md, made from what `reproduce all` found. `make verdicts` writes it."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gaitwright.input_files import packaged_text
from gaitwright.papers.check import MACHINE, RESULT, VERDICTS, Check, Findings, count, count_by_kind, results
from gaitwright.saving import save_text

BEGIN = Path(__file__).with_name("verdicts.md")
"""What stands before the tables, with a look for a wide page: eight columns, two of them with sentences."""
MEANT = 1e-5
"""A tolerance below this is that of rounding."""


def page(found: Mapping[str, Findings]) -> str:
    """The page in Markdown: totals, then a table per experiment."""
    sections = (line for each in found.values() for line in _section(each))
    return "\n".join([packaged_text(BEGIN), *_totals(found), *sections])


def _totals(found: Mapping[str, Findings]) -> list[str]:
    """Results by experiment; then all other checks, by kind."""
    checks = [check for each in found.values() for check in each.checks]
    rows = [
        (each.paper, f"[{name}](#{name})", *_counted(each.checks), len(each.checks) - len(results(each.checks)))
        for name, each in found.items()
    ]
    rows.append(("", "**all**", *_counted(checks), len(checks) - len(results(checks))))
    others = [(kind, sum(n.values()), *n.values()) for kind, n in count_by_kind(checks).items() if kind != RESULT]
    return [
        "## Totals", "", *_table(("paper", "experiment", "results", *VERDICTS, "other checks"), rows), "",
        "The other checks by kind:", "", *_table(("kind", "checks", *VERDICTS), others), "",
    ]  # fmt: skip


def _counted(checks: Iterable[Check]) -> tuple[int, ...]:
    """How many results there are, and with which verdict."""
    counts = count(results(checks))
    return sum(counts.values()), *counts.values()


def _section(each: Findings) -> list[str]:
    title = each.title[0].upper() + each.title[1:]
    rows = [(c.id, c.quantity, published(c), computed(c), c.unit, c.kind, c.verdict, c.why) for c in each.checks]
    header = ("id", "quantity", "published", "computed", "unit", "kind", "verdict", "why")
    return [f"## {title} {{ #{each.name} }}", "", *_chosen(each.choices), *_table(header, rows), ""]


def published(check: Check) -> str:
    """The published number; where it is an equation evaluated by us, it may be zero but for rounding."""
    rounding = 0.0 < abs(check.published) <= check.tolerance < MEANT
    return f"0 within {check.tolerance:.1g}" if rounding else f"{check.published:.6g}"


def computed(check: Check) -> str:
    """Our number as far as it means something: beside a zero, what is far within the tolerance is rounding or quadrature, with
    other digits on each processor; else to a hundredth of the tolerance, in six digits at most; a processing time in one."""
    value, tolerance = check.computed, check.tolerance
    if check.kind == MACHINE:
        return f"{value:.1g}"
    if tolerance == 0.0:
        return f"{value:.6g}"
    if abs(check.published) <= tolerance and abs(value) <= tolerance * (1.0 if tolerance < MEANT else 0.01):
        return f"0 within {tolerance:.1g}"
    places = 2 - math.floor(math.log10(tolerance))
    return f"{round(float(f'{value:.6g}'), places):.6g}" if places < 6 else f"{value:.6g}"


def _chosen(choices: Mapping[str, Any]) -> list[str]:
    """What the paper does not print and we chose, as far as there is a reason in words."""
    reasons = choices.get("reasons", {})
    lines = [f"- {name}: {plain_text(why)}" for name, why in reasons.items() if isinstance(why, str)]
    return ["Not printed in the paper, and chosen here:", "", *lines, ""] if lines else []


def _table(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> list[str]:
    header = list(header)
    lines = [header, ["---"] * len(header), *([plain_text(str(cell)) for cell in row] for row in rows)]
    return [f"| {' | '.join(line)} |" for line in lines]


def plain_text(text: str) -> str:
    """Text that Markdown leaves alone, within a cell of a table, too. Links and bold type survive."""
    return text.replace("`", "'").replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;")


def main(path: Path) -> int:
    """Run all experiments and write the page."""
    from gaitwright import papers

    told = 0

    def said(what: str, fraction: float) -> None:
        nonlocal told
        if int(10 * fraction) > told:
            told = int(10 * fraction)
            print(f"{100 * fraction:.0f} %  {what}", file=sys.stderr, flush=True)

    found = papers.reproduce(papers.ALL, progress=said)
    save_text(path, page(found))
    print(f"{path}: {sum(len(results(each.checks)) for each in found.values())} results")
    if problem := papers.complaint(found):
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
