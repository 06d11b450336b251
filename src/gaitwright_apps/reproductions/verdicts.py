"""Page docs/verdicts.md and counts in the README, generated from the findings of `reproduce all`. `make verdicts`
writes both."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gaitwright._core.input_files import packaged_text, packaged_yaml
from gaitwright._core.output_files import save_text
from gaitwright_apps.reproductions.experiments import (
    FAIL,
    MACHINE,
    NOT_REPRODUCIBLE,
    PASS,
    STATEMENT,
    VERDICTS,
    WITHIN_ROUNDING,
    ExperimentFindings,
    ReproductionCheck,
    count_by_kind,
    count_verdicts,
    select_results,
)

INTRODUCTION_FILE, LEGEND_FILE = (Path(__file__).with_name(name) for name in ("verdicts.md", "verdicts_legend.md"))
"""Text before the summaries, with a style for wide tables, and text between summaries and details."""
SUMMARIES: Mapping[str, Mapping[str, str]] = packaged_yaml(Path(__file__).with_name("summaries.yaml"))
"""Summaries by paper: agreements, differences and their reasons."""
ROUNDING_TOLERANCE = 1e-5
"""Smaller tolerances are those of rounding."""
README_SENTENCE_PATTERN = re.compile(r"<!-- verdicts -->.*?<!-- /verdicts -->", re.DOTALL)
COUNT_NAMES = (
    "printed results", "equal", "equal within rounding", "not reproducible", "statements", "hold", "not confirmed",
)  # fmt: skip


def verdict_page(findings: Mapping[str, ExperimentFindings]) -> str:
    """Verdicts page in Markdown: a summary per paper, a legend, then a table per experiment."""
    sections = (line for experiment in findings.values() for line in _section_lines(experiment))
    return "\n".join(
        [
            packaged_text(INTRODUCTION_FILE),
            *_overview_lines(findings),
            packaged_text(LEGEND_FILE),
            *_kind_lines(findings),
            *_detail_lines(),
            *sections,
        ]
    )


def group_by_paper(findings: Mapping[str, ExperimentFindings]) -> dict[str, list[ExperimentFindings]]:
    """Experiments by paper, in the order of the papers."""
    by_paper: dict[str, list[ExperimentFindings]] = {}
    for experiment in sorted(findings.values(), key=lambda experiment: experiment.paper):
        by_paper.setdefault(experiment.paper, []).append(experiment)
    return by_paper


def count_checks(checks: Iterable[ReproductionCheck]) -> dict[str, int]:
    """Counts by COUNT_NAMES: of results, and of statements that hold or not."""
    checks = list(checks)
    result_counts, statements = (
        count_verdicts(select_results(checks)),
        count_verdicts(check for check in checks if check.kind == STATEMENT),
    )
    hold = statements[PASS] + statements[WITHIN_ROUNDING]
    counts = (
        sum(result_counts.values()), result_counts[PASS], result_counts[WITHIN_ROUNDING],
        result_counts[NOT_REPRODUCIBLE] + result_counts[FAIL],
        sum(statements.values()), hold, sum(statements.values()) - hold,
    )  # fmt: skip
    return dict(zip(COUNT_NAMES, counts, strict=True))


def readme_sentence(counted: Mapping[str, int]) -> str:
    """Sentence of the README. counted: of all papers, see `count_checks`."""
    agree = counted["equal"] + counted["equal within rounding"]
    return (
        f"Papers are computed again: {counted['not reproducible']} of {counted['printed results']} printed results cannot be "
        f"reproduced, because inputs that they need (such as lengths, masses, stiffness and friction) are not printed, or "
        f"because the printed equations exclude them; {agree} agree. Each has a [verdict](docs/verdicts.md) with its reason."
    )


def read_counts(page_text: str) -> dict[str, int]:
    """Counts of all papers as shown on the page."""
    (line,) = [line for line in page_text.splitlines() if line.startswith("| **all** |")]
    return dict(zip(COUNT_NAMES, (int(cell) for cell in line.strip("| ").split(" | ")[2:]), strict=True))


def write_readme(path: Path, counted: Mapping[str, int]) -> None:
    """Write the sentence between its marks in the README."""
    text = f"<!-- verdicts -->{readme_sentence(counted)}<!-- /verdicts -->"
    save_text(path, README_SENTENCE_PATTERN.sub(lambda _: text, packaged_text(path)))


def _overview_lines(findings_by_name: Mapping[str, ExperimentFindings]) -> list[str]:
    """Table of all papers; then per paper a summary and a table of its experiments."""
    by_paper = group_by_paper(findings_by_name)
    rows = [
        (
            f"[{paper}](#paper-{paper})",
            SUMMARIES[paper]["about"],
            *count_checks(c for experiment in findings for c in experiment.checks).values(),
        )
        for paper, findings in by_paper.items()
    ]
    rows.append(
        (
            "**all**",
            "",
            *count_checks(c for experiment in findings_by_name.values() for c in experiment.checks).values(),
        )
    )
    lines = ["## Summary", "", *_markdown_table(("paper", "about", *COUNT_NAMES), rows), ""]
    for paper, findings in by_paper.items():
        summary = {name: escape_markdown(" ".join(text.split())) for name, text in SUMMARIES[paper].items()}
        experiment_rows = [
            (f"[{experiment.name}](#{experiment.name})", *count_checks(experiment.checks).values())
            for experiment in findings
        ]
        lines += [
            f"### Paper {paper}: {summary['about']} {{ #paper-{paper} }}", "", f"**What agrees.** {summary['agrees']}", "",
            f"**What does not, and why.** {summary['differs']}", "",
            *_markdown_table(("experiment", *COUNT_NAMES), experiment_rows), "",
        ]  # fmt: skip
    return lines


def _kind_lines(findings: Mapping[str, ExperimentFindings]) -> list[str]:
    """Number of rows by kind."""
    checks = [check for experiment in findings.values() for check in experiment.checks]
    rows = [(kind, sum(n.values()), *n.values()) for kind, n in count_by_kind(checks).items()]
    return ["All rows by kind:", "", *_markdown_table(("kind", "rows", *VERDICTS), rows), ""]


def _detail_lines() -> list[str]:
    return ["## Details { #details }", "", "One table per experiment, in the order of the papers.", ""]


def _section_lines(experiment: ExperimentFindings) -> list[str]:
    title = experiment.title[0].upper() + experiment.title[1:]
    rows = [
        (c.id, c.quantity, format_published(c), format_computed(c), c.unit, c.kind, c.verdict, c.why)
        for c in experiment.checks
    ]
    header = ("id", "quantity", "published", "computed", "unit", "kind", "verdict", "why")
    return [
        f"### {title} {{ #{experiment.name} }}",
        "",
        *_choice_lines(experiment.choices),
        *_markdown_table(header, rows),
        "",
    ]


def format_published(check: ReproductionCheck) -> str:
    """Published number; that of an equation evaluated by us may be zero except for rounding."""
    rounding = 0.0 < abs(check.published) <= check.tolerance < ROUNDING_TOLERANCE
    return f"0 within {check.tolerance:.1g}" if rounding else f"{check.published:.6g}"


def format_computed(check: ReproductionCheck) -> str:
    """Our number with its significant digits: compared with a zero, values far within the tolerance are rounding or
    quadrature errors, with other digits on each processor; otherwise to a hundredth of the tolerance, in at most six
    digits; a processing time in one."""
    value, tolerance = check.computed, check.tolerance
    if check.kind == MACHINE:
        return f"{value:.1g}"
    if tolerance == 0.0:
        return f"{value:.6g}"
    if abs(check.published) <= tolerance and abs(value) <= tolerance * (
        1.0 if tolerance < ROUNDING_TOLERANCE else 0.01
    ):
        return f"0 within {tolerance:.1g}"
    places = 2 - math.floor(math.log10(tolerance))
    return f"{round(float(f'{value:.6g}'), places):.6g}" if places < 6 else f"{value:.6g}"


def _choice_lines(choices: Mapping[str, Any]) -> list[str]:
    """Choices that are not printed in the paper, if the reason is a text."""
    reasons = choices.get("reasons", {})
    lines = [f"- {name}: {escape_markdown(why)}" for name, why in reasons.items() if isinstance(why, str)]
    return ["Not printed in the paper, and chosen here:", "", *lines, ""] if lines else []


def _markdown_table(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> list[str]:
    header = list(header)
    lines = [header, ["---"] * len(header), *([escape_markdown(str(cell)) for cell in row] for row in rows)]
    return [f"| {' | '.join(line)} |" for line in lines]


def escape_markdown(text: str) -> str:
    """Escape a text for Markdown, including table cells. Links and bold type are preserved."""
    return text.replace("`", "'").replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;")


def main(path: Path) -> int:
    """Run all experiments and write the page."""
    from gaitwright_apps import reproductions

    reported_tenths = 0

    def report_progress(label: str, fraction: float) -> None:
        nonlocal reported_tenths
        if int(10 * fraction) > reported_tenths:
            reported_tenths = int(10 * fraction)
            print(f"{100 * fraction:.0f} %  {label}", file=sys.stderr, flush=True)

    findings = reproductions.reproduce(reproductions.ALL_EXPERIMENTS, progress=report_progress)
    save_text(path, verdict_page(findings))
    counts = count_checks(check for experiment in findings.values() for check in experiment.checks)
    write_readme(path.parent.parent / "README.md", counts)
    print(f"{path}: {counts['printed results']} results, {counts['not reproducible']} not reproducible")
    if problem := reproductions.failure_message(findings):
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
