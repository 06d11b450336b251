"""Comparison of published numbers with ours, its verdicts, and the base class of all experiments.

pass              equal within the tolerance
within-rounding   equal within the uncertainty of the printed digits
not-reproducible  the paper lacks data for the computation, or it cannot be right; `why` explains which, in a sentence
fail              everything else: our result is wrong, or the paper is wrong and this has not been shown yet

Only a result can be confirmed; the kind of a check states what was compared. A test perturbs our models without the
experiments' knowledge (perturbation.py): the computed value of every result must change with them.

result      a number found by the paper, compared with that of our model
input       read back from the paper's own input, or a count of our own model: shows that the model is the printed one
equation    a printed equation, evaluated by us in a pose of our choice; the paper prints no number
statement   a sentence without a number; 1 means yes
arithmetic  the paper's own numbers compared with each other: checks its calculation
definition  a printed constant, such as a coefficient of a method, compared with ours: no model changes it
verification  a value that every correct program gives, independent of the model: the order of a method, an entry of an element
            matrix, the weight that a floor carries at rest; it verifies the program, not the paper
machine     a processing time: of a program and a computer that are no longer available
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar, get_args

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright._core.json_types import to_json_types, write_json
from gaitwright_apps.reproductions.facts import evaluate_fact, fill_sentence, render_sentence
from gaitwright_apps.reproductions.sheets import (
    CheckKind,
    ExperimentSheet,
    SheetRow,
    expand_entries,
    fill_tables,
    half_digit,
    parse_printed,
    read_sheet,
)

PASS, WITHIN_ROUNDING, NOT_REPRODUCIBLE, FAIL = VERDICTS = ("pass", "within-rounding", "not-reproducible", "fail")
RESULT, INPUT, EQUATION, STATEMENT, ARITHMETIC, DEFINITION, VERIFICATION, MACHINE = KINDS = get_args(CheckKind)
CHECK_TABLE_HEADER = ("verdict", "published", "computed", "unit", "kind", "what: why")
ProgressCallback = Callable[[str, float], None]
"""Progress callback: description of the current work and completed fraction."""
TextTable = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""Header and rows."""
T = TypeVar("T")


@dataclass(frozen=True)
class ReproductionCheck:
    """Check of one published number. tolerance: maximum difference, in the unit of the quantity, that counts as
    equal. kind: one of KINDS."""

    id: str
    paper: str
    quantity: str
    published: float
    computed: float
    unit: str
    tolerance: float
    verdict: str
    why: str
    kind: str = RESULT

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            ErrorContext(self.id, "kind").fail("is no kind of check", self.kind, f"one of {', '.join(KINDS)}")

    def cells(self) -> tuple[str, ...]:
        what = f"{self.quantity}: {self.why}" if self.why else self.quantity
        return self.verdict, f"{self.published:.6g}", f"{self.computed:.6g}", self.unit, self.kind, what


def judge_number(
    id: str, quantity: str, published: float, computed: float, unit: str, *, paper: str, tolerance: float = 0.0,
    rounding: float = 0.0, impossible: str = "", confirmed: bool = False, void: str = "", remark: str = "", kind: str = RESULT,
) -> ReproductionCheck:  # fmt: skip
    """Judge a published number. Return the check with its verdict.

    rounding: uncertainty of the printed digits, in the same unit. impossible: reason why the published number cannot be
    right; counts only if a second computation of ours has `confirmed` the first. void: data missing in the paper; then even
    an equal number proves nothing. remark: further information if the number is confirmed. kind: one of KINDS."""
    apart = abs(computed - published)
    if void:
        verdict, why = NOT_REPRODUCIBLE, void
    elif apart <= tolerance:
        verdict, why = PASS, remark
    elif apart <= rounding:
        verdict, why = WITHIN_ROUNDING, remark
    elif impossible and confirmed and math.isfinite(computed):
        verdict, why = NOT_REPRODUCIBLE, impossible
    else:
        doubt = "; our own second computation differs, too" if impossible and not confirmed else ""
        verdict, why = FAIL, f"apart by {apart:.3g} {unit}{doubt}"
    about = (float(published), float(computed), unit, max(tolerance, rounding))
    return ReproductionCheck(id, paper, quantity, *about, verdict, why, kind)


@dataclass(frozen=True)
class ExperimentFindings:
    """Results of an experiment as plain data, which can be sent between processes. runs: summary of each run, by
    name."""

    name: str
    paper: str
    title: str
    choices: Mapping[str, Any]
    checks: list[ReproductionCheck]
    tables: list[TextTable] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    files: dict[str, Path] = field(default_factory=dict)
    runs: Mapping[str, Any] = field(default_factory=dict)

    def verdicts(self) -> dict[str, int]:
        """Number of checks by verdict."""
        return count_verdicts(self.checks)

    def kinds(self) -> dict[str, dict[str, int]]:
        """Number of checks by kind and verdict, for the kinds that occur."""
        return count_by_kind(self.checks)

    def failed(self) -> list[ReproductionCheck]:
        return [check for check in self.checks if check.verdict == FAIL]

    def summary(self) -> dict[str, Any]:
        """Data for the JSON file."""
        return {
            "paper": self.paper, "name": self.name, "title": self.title, "choices": dict(self.choices),
            "verdicts": self.verdicts(), "kinds": self.kinds(), "checks": [asdict(check) for check in self.checks],
            "runs": self.runs, "files": {content: str(path) for content, path in self.files.items()},
        }  # fmt: skip


def count_verdicts(checks: Iterable[ReproductionCheck]) -> dict[str, int]:
    """Number of checks by verdict."""
    counted = Counter(check.verdict for check in checks)
    return {verdict: counted[verdict] for verdict in VERDICTS}


def select_results(checks: Iterable[ReproductionCheck]) -> list[ReproductionCheck]:
    """Checks of kind `result`: numbers found by the paper and computed by our model."""
    return [check for check in checks if check.kind == RESULT]


def count_by_kind(checks: Iterable[ReproductionCheck]) -> dict[str, dict[str, int]]:
    """Number of checks by kind and verdict, for the kinds that occur."""
    checks = list(checks)
    by_kind = {kind: [check for check in checks if check.kind == kind] for kind in KINDS}
    return {kind: count_verdicts(checks_of_kind) for kind, checks_of_kind in by_kind.items() if checks_of_kind}


def verdict_total_lines(kinds: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Number of checks per verdict, as one line per kind."""
    return [
        f"{kind}: " + ", ".join(f"{number} {verdict}" for verdict, number in verdicts.items())
        for kind, verdicts in kinds.items()
    ]


def check_row(row: SheetRow, known: Any, paper: str, **closer: Any) -> ReproductionCheck:
    """Check of a printed number. known: facts of the experiment. closer: overrides from a function of the
    experiment."""
    published = parse_printed(row.text) if row.text else float(evaluate_fact(known, row.evaluated))

    def size(given: float | str) -> float:
        if given == "digits":
            return half_digit(row.text)
        if isinstance(given, str) and given.endswith("%"):
            return abs(published) * float(given.removesuffix("%")) / 100
        return float(evaluate_fact(known, given))

    paths = [row.confirmed] if isinstance(row.confirmed, str) else row.confirmed
    about = {
        "tolerance": size(row.tolerance), "rounding": size(row.rounding),
        "confirmed": any(paths) and all(bool(evaluate_fact(known, path)) for path in paths if path),
        **{name: render_sentence(getattr(row, name), known).strip() for name in ("impossible", "void", "remark")},
    } | closer  # fmt: skip
    computed = float(about.pop("computed") if "computed" in about else evaluate_fact(known, row.computed))
    return judge_number(
        row.id, fill_sentence(row.quantity, known), published, computed, row.unit, paper=paper, kind=row.kind, **about
    )


def summarise_run(run: Any) -> dict[str, Any]:
    """Summary of a run in a few numbers, SI units: its cost, its evidence (joints by Eq 2.14 of paper 003), its
    first impact."""
    e = run.evidence
    phi = {level: run.array(f"evidence.{level}_violation") for level in ("position", "velocity")}
    summary = {
        "method": e.method, "stabilisation": e.stabilisation, "step": e.largest_step, "steps": e.steps,
        "right_hand_sides": e.evaluations, "newton_iterations": e.newton_iterations, "factorisations": e.factorisations,
        "states_looked_at_for_events": e.event_evaluations, "wall_seconds": e.wall_seconds,
        "energy_residual": e.max_energy_residual, "max_position_violation": e.max_position_violation,
        "max_velocity_violation": e.max_velocity_violation, "dissipated": float(run.array("energy.dissipated")[-1]),
        **{f"total_{level}_error": float(values.sum()) for level, values in phi.items()},
        **{f"mean_{level}_error": float(values.mean()) for level, values in phi.items()},
    }  # fmt: skip
    if not run.episodes:
        return summary
    hit = run.episodes[0]
    return summary | {
        "touchdown": hit.begin, "approach_speed": hit.approach_speed, "separation_speed": hit.separation_speed,
        "largest_force": max(episode.max_force for episode in run.episodes), "impulse": hit.impulse, "duration": hit.duration,
        "largest_penetration": max(episode.max_penetration for episode in run.episodes), "contacts": len(run.episodes),
        "dissipated_first_impact": hit.dissipated,
    }  # fmt: skip


def ignore_progress(what: str, fraction: float) -> None:
    """Progress callback that does nothing."""


def run_jobs(
    jobs: Mapping[str, Callable[[], T]], progress: ProgressCallback, upto: float = 0.9, since: float = 0.0
) -> dict[str, T]:
    """Run jobs one after another. Return their results by name. since, upto: progress of the experiment at start and
    end."""
    results = {}
    for k, (name, job) in enumerate(jobs.items()):
        progress(name, since + (upto - since) * k / len(jobs))
        results[name] = job()
    return results


def experiment_heading(name: str, setup: Mapping[str, Any]) -> tuple[str, str, str, dict[str, Any]]:
    """Name, paper, title and choices of an experiment, from its sheet and its setup."""
    sheet = read_sheet(name)
    return name, sheet.paper, sheet.title, {**setup, "reasons": sheet.choices}


@dataclass
class Experiment:
    """Results of an experiment.

    name: of the command line, and of the sheet of printed numbers. paper: number, see docs/sources.md. choices: values that the
    paper does not print and we chose, with the reason. files: written files, by content. arguments: functions that examine a
    row which names them; their results override the values of the row."""

    name: str
    paper: str
    title: str
    choices: Mapping[str, Any]
    files: dict[str, Path] = field(default_factory=dict, kw_only=True)
    arguments: ClassVar[Mapping[str, Callable[[Any, SheetRow], dict[str, Any]]]] = {}

    @property
    def sheet(self) -> ExperimentSheet:
        return read_sheet(self.name)

    def facts(self) -> dict[str, Any]:
        """Facts for the sheet besides the attributes of the experiment."""
        return {}

    @cached_property
    def known(self) -> dict[str, Any]:
        attributes = {name: value for name, value in vars(self).items() if name != "known"}
        facts = attributes | {"printed": self.sheet.printed} | self.facts()
        for entry in expand_entries(self.sheet.values, facts):
            for name, value in entry.items():
                facts[name] = evaluate_fact(facts, value)
        return facts | {"texts": {name: render_sentence(text, facts) for name, text in self.sheet.texts.items()}}

    def judged(self) -> list[ReproductionCheck]:
        """Checks, in the order of the paper."""
        return [self._judged(row) for row in self.sheet.rows()]

    def _judged(self, row: SheetRow) -> ReproductionCheck:
        try:
            closer = self.arguments[row.judge](self, row) if row.judge else {}
            return check_row(row, self.known, self.paper, **closer)
        except ModelError as error:
            raise ModelError(str(error), element=f"sheet '{self.name}', check '{row.id}'") from None

    def numbers(self) -> dict[str, dict[str, Any]]:
        """Summary of each run, by name, for the JSON file."""
        return {name: summarise_run(run) for name, run in getattr(self, "runs", {}).items()}

    def draw(self, folder: Path) -> dict[str, Path]:
        """Write the pictures, NAME-*.png. Return their paths by content."""
        from gaitwright_apps.reproductions.sheet_figures import draw_pictures

        return draw_pictures(self.sheet.pictures, self.known, folder, self.name)

    def scenes(self) -> dict[str, Any]:
        """Scenes (see report/scenes/planar_scene.py) of the report's animations, by title. Default: that of the
        first of `runs`."""
        from gaitwright_apps.reproductions.report import first_moving_scene

        return first_moving_scene(getattr(self, "runs", None))

    def tables(self) -> list[TextTable]:
        """Additional tables, such as the cost of the runs."""
        return fill_tables(self.sheet, self.known)

    def remarks(self) -> list[str]:
        """Sentences for the tables, such as about runs that stopped early."""
        entries = [entry if isinstance(entry, dict) else {"say": entry} for entry in self.sheet.remarks]
        sentences = (
            render_sentence(entry if "if" in entry else entry["say"], self.known)
            for entry in expand_entries(entries, self.known)
        )
        return [sentence for sentence in sentences if sentence]

    def findings(self) -> ExperimentFindings:
        """All results as plain data."""
        parts = to_json_types(dict(self.choices)), self.judged(), self.tables(), self.remarks()
        return ExperimentFindings(self.name, self.paper, self.title, *parts, self.files, to_json_types(self.numbers()))

    def write(self, folder: Path) -> dict[str, Path]:
        """Write pictures, the page of the experiment, and numbers."""
        from gaitwright_apps.reproductions.report import experiment_report

        self.files = dict(self.draw(folder))
        findings = self.findings()  # findings.files is the same dictionary and receives the next paths
        self.files |= experiment_report(findings, self.scenes()).save(folder / f"{self.name}.html")
        self.files["numbers"] = folder / f"{self.name}.json"
        write_json(findings.summary(), self.files["numbers"])
        return self.files
