"""The page docs/verdicts.md, made from what `reproduce all` found. `make verdicts` writes it."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gaitwright.papers.check import KINDS, VERDICTS, Check, Findings, count, count_by_kind
from gaitwright.saving import save_text

LOOK = """---
hide:
  - toc
---

<style>
.md-grid { max-width: 96rem; }
.md-typeset table:not([class]) th, .md-typeset table:not([class]) td { min-width: 0; padding: 0.5em 0.8em; }
.md-typeset table:not([class]) td:nth-child(2) { min-width: 10rem; }
.md-typeset table:not([class]) td:nth-child(n+3):nth-child(-n+7) { white-space: nowrap; }
.md-typeset table:not([class]) td:nth-child(8) { min-width: 14rem; }
</style>
"""
"""The page is wide: eight columns, two of them with sentences."""
INTRODUCTION = """# Verdicts

Gaitwright runs the experiments of the [papers](sources.md) it builds on again, and puts every number that they print beside
its own. This page is what came out. `gaitwright reproduce all` does the same on your machine, writes one file per paper
(`paper-003.json`) and one per experiment, and draws the pictures; `gaitwright reproduce NAME` runs one experiment of the table
below. `make verdicts` writes this page again.

| verdict | what it says |
| --- | --- |
| pass | our number is the published one, within the tolerance that the JSON file gives |
| within-rounding | the two differ by no more than the printed digits leave open |
| not-reproducible | the paper leaves something out that is needed, or the number cannot be right; the last column says which |
| fail | neither: we are wrong, or the paper is and nobody has shown it yet |

Not every pass confirms a result. The kind of a check says what stands beside what:

| kind | what was compared |
| --- | --- |
| result | a number that the paper found, with what we found |
| input | what we read back from the paper's own input, or count in our own model: the model is the printed one, no more |
| equation | a printed equation, evaluated by us in a pose that we chose; the paper prints no number |
| statement | a sentence without a number, such as *the force is smaller*: 1 if it holds, 0 if not |

Rows are judged one by one, each with what its own digits leave open. The column *computed*
comes from a run or from a formula each time the page is made; where a paper misprints an input, such as an exponent, it
shows the input that was meant. REFERENCE is a recomputation independent of Gaitwright, see [papers](sources.md). Processing
times are those of the machine that made the page.
"""


MEANT = 1e-5
"""A tolerance below this is that of rounding."""


def page(found: Mapping[str, Findings]) -> str:
    """The page in Markdown: totals, then a table per experiment."""
    return "\n".join(
        [LOOK, INTRODUCTION, *_totals(found), *(line for each in found.values() for line in _section(each))]
    )


def _totals(found: Mapping[str, Findings]) -> list[str]:
    rows = [
        (each.paper, f"[{name}](#{name})", len(each.checks), *each.verdicts().values()) for name, each in found.items()
    ]
    checks = [check for each in found.values() for check in each.checks]
    rows.append(("", "**all**", len(checks), *count(checks).values()))
    totals = _table(("paper", "experiment", "numbers", *VERDICTS), rows)
    return ["## Totals", "", *totals, "", "The same by kind:", "", *_by_kind(found, checks), ""]


def _by_kind(found: Mapping[str, Findings], checks: list[Check]) -> list[str]:
    """A row per experiment and kind, then one per kind."""
    by_name = {f"[{name}](#{name})": each.kinds() for name, each in found.items()} | {"**all**": count_by_kind(checks)}
    rows = [
        (name, kind, sum(kinds[kind].values()), *kinds[kind].values())
        for name, kinds in by_name.items()
        for kind in KINDS
        if kind in kinds
    ]
    return _table(("experiment", "kind", "numbers", *VERDICTS), rows)


def _section(each: Findings) -> list[str]:
    title = each.title[0].upper() + each.title[1:]
    rows = [(c.id, c.quantity, published(c), computed(c), c.unit, c.kind, c.verdict, c.why) for c in each.checks]
    header = ("id", "quantity", "published", "computed", "unit", "kind", "verdict", "why")
    return [f"## {title} {{ #{each.name} }}", "", *_chosen(each.summary["choices"]), *_table(header, rows), ""]


def published(check: Check) -> str:
    """The published number; where it is an equation evaluated by us, it may be zero but for rounding."""
    rounding = 0.0 < abs(check.published) <= check.tolerance < MEANT
    return f"0 within {check.tolerance:.1g}" if rounding else f"{check.published:.6g}"


def computed(check: Check) -> str:
    """Our number as far as it means something: beside a zero, what is far within the tolerance is rounding or quadrature, with
    other digits on each processor; otherwise to a hundredth of the tolerance, in six digits at most."""
    value, tolerance = check.computed, check.tolerance
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

    tenths = iter(range(1, 11))
    next_tenth = next(tenths)

    def said(what: str, fraction: float) -> None:
        nonlocal next_tenth
        if 10 * fraction >= next_tenth:
            print(f"{100 * fraction:.0f} %  {what}", file=sys.stderr, flush=True)
            next_tenth = next((tenth for tenth in tenths if tenth > 10 * fraction), 11)

    found = papers.reproduce(papers.ALL, progress=said)
    save_text(path, page(found))
    print(f"{path}: {sum(len(each.checks) for each in found.values())} numbers")
    if problem := papers.complaint(found):
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
