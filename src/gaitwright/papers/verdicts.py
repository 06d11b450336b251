"""The page docs/verdicts.md and the counts in the README, made from what `reproduce all` found. `make verdicts` writes both."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gaitwright.input_files import packaged_text, packaged_yaml
from gaitwright.papers.check import (
    FAIL,
    MACHINE,
    NOT_REPRODUCIBLE,
    PASS,
    STATEMENT,
    VERDICTS,
    WITHIN_ROUNDING,
    Check,
    Findings,
    count,
    count_by_kind,
    results,
)
from gaitwright.saving import save_text

BEGIN, LEGEND = (Path(__file__).with_name(name) for name in ("verdicts.md", "verdicts_legend.md"))
"""The text before the summaries, with a style for wide tables, and the text between summaries and details."""
SUMMARIES: Mapping[str, Mapping[str, str]] = packaged_yaml(Path(__file__).with_name("summaries.yaml"))
"""What agrees, what does not, and why, by paper."""
MEANT = 1e-5
"""A tolerance below this is that of rounding."""
README_SENTENCE = re.compile(r"<!-- verdicts -->.*?<!-- /verdicts -->", re.DOTALL)
COUNTED = (
    "printed results", "equal", "equal within rounding", "not reproducible", "statements", "hold", "not confirmed",
)  # fmt: skip


def page(found: Mapping[str, Findings]) -> str:
    """The page in Markdown: a summary per paper, a legend, then a table per experiment."""
    sections = (line for each in found.values() for line in _section(each))
    return "\n".join(
        [packaged_text(BEGIN), *_overview(found), packaged_text(LEGEND), *_other_kinds(found), *_details(), *sections]
    )


def papers_of(found: Mapping[str, Findings]) -> dict[str, list[Findings]]:
    """Experiments by paper, in the order of the papers."""
    by_paper: dict[str, list[Findings]] = {}
    for each in sorted(found.values(), key=lambda each: each.paper):
        by_paper.setdefault(each.paper, []).append(each)
    return by_paper


def numbers(checks: Iterable[Check]) -> dict[str, int]:
    """Counts by COUNTED: of results, and of statements that hold or not."""
    checks = list(checks)
    of_results, said = count(results(checks)), count(check for check in checks if check.kind == STATEMENT)
    hold = said[PASS] + said[WITHIN_ROUNDING]
    counted = (
        sum(of_results.values()), of_results[PASS], of_results[WITHIN_ROUNDING],
        of_results[NOT_REPRODUCIBLE] + of_results[FAIL],
        sum(said.values()), hold, sum(said.values()) - hold,
    )  # fmt: skip
    return dict(zip(COUNTED, counted, strict=True))


def readme_sentence(counted: Mapping[str, int]) -> str:
    """The sentence of the README. counted: of all papers, see `numbers`."""
    agree = counted["equal"] + counted["equal within rounding"]
    return (
        f"Papers are computed again: {counted['not reproducible']} of {counted['printed results']} printed results cannot be "
        f"reproduced, because inputs that they need (such as lengths, masses, stiffness and friction) are not printed, or "
        f"because the printed equations exclude them; {agree} agree. Each has a [verdict](docs/verdicts.md) with its reason."
    )


def counts_on(page_text: str) -> dict[str, int]:
    """The counts of all papers as the page shows them."""
    (line,) = [line for line in page_text.splitlines() if line.startswith("| **all** |")]
    return dict(zip(COUNTED, (int(cell) for cell in line.strip("| ").split(" | ")[2:]), strict=True))


def write_readme(path: Path, counted: Mapping[str, int]) -> None:
    """Put the sentence between its marks in the README."""
    text = f"<!-- verdicts -->{readme_sentence(counted)}<!-- /verdicts -->"
    save_text(path, README_SENTENCE.sub(lambda _: text, packaged_text(path)))


def _overview(found: Mapping[str, Findings]) -> list[str]:
    """A table of all papers; then per paper a summary and a table of its experiments."""
    by_paper = papers_of(found)
    rows = [
        (
            f"[{paper}](#paper-{paper})",
            SUMMARIES[paper]["about"],
            *numbers(c for each in some for c in each.checks).values(),
        )
        for paper, some in by_paper.items()
    ]
    rows.append(("**all**", "", *numbers(c for each in found.values() for c in each.checks).values()))
    lines = ["## Summary", "", *_table(("paper", "about", *COUNTED), rows), ""]
    for paper, some in by_paper.items():
        summary = {name: plain_text(" ".join(text.split())) for name, text in SUMMARIES[paper].items()}
        own = [(f"[{each.name}](#{each.name})", *numbers(each.checks).values()) for each in some]
        lines += [
            f"### Paper {paper}: {summary['about']} {{ #paper-{paper} }}", "", f"**What agrees.** {summary['agrees']}", "",
            f"**What does not, and why.** {summary['differs']}", "", *_table(("experiment", *COUNTED), own), "",
        ]  # fmt: skip
    return lines


def _other_kinds(found: Mapping[str, Findings]) -> list[str]:
    """All rows by kind."""
    checks = [check for each in found.values() for check in each.checks]
    rows = [(kind, sum(n.values()), *n.values()) for kind, n in count_by_kind(checks).items()]
    return ["All rows by kind:", "", *_table(("kind", "rows", *VERDICTS), rows), ""]


def _details() -> list[str]:
    return ["## Details { #details }", "", "One table per experiment, in the order of the papers.", ""]


def _section(each: Findings) -> list[str]:
    title = each.title[0].upper() + each.title[1:]
    rows = [(c.id, c.quantity, published(c), computed(c), c.unit, c.kind, c.verdict, c.why) for c in each.checks]
    header = ("id", "quantity", "published", "computed", "unit", "kind", "verdict", "why")
    return [f"### {title} {{ #{each.name} }}", "", *_chosen(each.choices), *_table(header, rows), ""]


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
    counted = numbers(check for each in found.values() for check in each.checks)
    write_readme(path.parent.parent / "README.md", counted)
    print(f"{path}: {counted['printed results']} results, {counted['not reproducible']} not reproducible")
    if problem := papers.complaint(found):
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
