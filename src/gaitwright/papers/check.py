"""A published number beside ours, and what to think of it; and what all experiments have in common.

pass              equal within the tolerance
within-rounding   equal within what the printed digits leave open
not-reproducible  the paper does not say enough to compute it, or it cannot be right; `why` says which, in a sentence
fail              everything else: we are wrong, or the paper is and nobody has shown it yet

Only a result can be confirmed; the kind of a check says what was compared. A test changes our models behind the
experiments' backs: the computed value of every result changes with them.

result      a number that the paper found, beside what our model gives
input       read back from the paper's own input, or a count of our own model: that the model is the printed one
equation    a printed equation, evaluated by us in a pose that we chose; the paper prints no number
statement   a sentence without a number; 1 says yes
arithmetic  the paper's own numbers against each other: whether it has reckoned right
definition  a printed constant, such as a coefficient of a method, beside ours: no model changes it
verification  a value that every correct program gives, independent of the model: the order of a method, an entry of an element
            matrix, the weight that a floor carries at rest; it verifies the program, not the paper
machine     a processing time: of a program and a computer that nobody has any more
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar, get_args

from gaitwright.checks import At
from gaitwright.errors import ModelError
from gaitwright.papers.facts import fill, say, work_out
from gaitwright.papers.sheet import Kind, Row, Sheet, expanded, filled_tables, half_digit, read_sheet, value_of
from gaitwright.plain import plain, write_json

PASS, WITHIN_ROUNDING, NOT_REPRODUCIBLE, FAIL = VERDICTS = ("pass", "within-rounding", "not-reproducible", "fail")
RESULT, INPUT, EQUATION, STATEMENT, ARITHMETIC, DEFINITION, VERIFICATION, MACHINE = KINDS = get_args(Kind)
HEADER = ("verdict", "published", "computed", "unit", "kind", "what: why")
Said = Callable[[str, float], None]
"""Called with what is being done and the fraction that is."""
Table = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""Header and rows."""
T = TypeVar("T")


@dataclass(frozen=True)
class Check:
    """One published number. tolerance: difference in the quantity's unit up to which it counts as equal. kind: one of KINDS."""

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
            At(self.id, "kind").fail("is no kind of check", self.kind, f"one of {', '.join(KINDS)}")

    def cells(self) -> tuple[str, ...]:
        what = f"{self.quantity}: {self.why}" if self.why else self.quantity
        return self.verdict, f"{self.published:.6g}", f"{self.computed:.6g}", self.unit, self.kind, what


def judge(
    id: str, quantity: str, published: float, computed: float, unit: str, *, paper: str, tolerance: float = 0.0,
    rounding: float = 0.0, impossible: str = "", confirmed: bool = False, void: str = "", remark: str = "", kind: str = RESULT,
) -> Check:  # fmt: skip
    """The verdict, from the numbers.

    rounding: what the printed digits leave open, in the same unit. impossible: why the published number cannot be right;
    counts only if a second computation of ours has `confirmed` the first. void: what the paper leaves out; then even an
    equal number proves nothing. remark: what else a reader should know where the number holds. kind: one of KINDS."""
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
    return Check(id, paper, quantity, *about, verdict, why, kind)


@dataclass(frozen=True)
class Findings:
    """What an experiment found, as plain data: one process can hand it to another. runs: what each run found, by name."""

    name: str
    paper: str
    title: str
    choices: Mapping[str, Any]
    checks: list[Check]
    tables: list[Table] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    files: dict[str, Path] = field(default_factory=dict)
    runs: Mapping[str, Any] = field(default_factory=dict)

    def verdicts(self) -> dict[str, int]:
        """How many checks have which verdict."""
        return count(self.checks)

    def kinds(self) -> dict[str, dict[str, int]]:
        """The same by kind, of the kinds that there are."""
        return count_by_kind(self.checks)

    def failed(self) -> list[Check]:
        return [check for check in self.checks if check.verdict == FAIL]

    def summary(self) -> dict[str, Any]:
        """For the JSON file."""
        return {
            "paper": self.paper, "name": self.name, "title": self.title, "choices": dict(self.choices),
            "verdicts": self.verdicts(), "kinds": self.kinds(), "checks": [asdict(check) for check in self.checks],
            "runs": self.runs, "files": {what: str(path) for what, path in self.files.items()},
        }  # fmt: skip


def count(checks: Iterable[Check]) -> dict[str, int]:
    """How many checks have which verdict."""
    counted = Counter(check.verdict for check in checks)
    return {verdict: counted[verdict] for verdict in VERDICTS}


def results(checks: Iterable[Check]) -> list[Check]:
    """Those checks that are about a number which the paper found and our model gives."""
    return [check for check in checks if check.kind == RESULT]


def count_by_kind(checks: Iterable[Check]) -> dict[str, dict[str, int]]:
    """How many checks have which verdict, by kind, of the kinds that there are."""
    checks = list(checks)
    by_kind = {kind: [check for check in checks if check.kind == kind] for kind in KINDS}
    return {kind: count(these) for kind, these in by_kind.items() if these}


def totals_said(kinds: Mapping[str, Mapping[str, int]]) -> list[str]:
    """A line per kind: how many checks have which verdict."""
    return [
        f"{kind}: " + ", ".join(f"{number} {verdict}" for verdict, number in verdicts.items())
        for kind, verdicts in kinds.items()
    ]


def verdict_on(row: Row, known: Any, paper: str, **closer: Any) -> Check:
    """What to think of a printed number. known: what the experiment knows. closer: of a function that looked closer."""
    published = value_of(row.text) if row.text else float(work_out(known, row.evaluated))

    def size(given: float | str) -> float:
        if given == "digits":
            return half_digit(row.text)
        if isinstance(given, str) and given.endswith("%"):
            return abs(published) * float(given.removesuffix("%")) / 100
        return float(work_out(known, given))

    paths = [row.confirmed] if isinstance(row.confirmed, str) else row.confirmed
    about = {
        "tolerance": size(row.tolerance), "rounding": size(row.rounding),
        "confirmed": any(paths) and all(bool(work_out(known, path)) for path in paths if path),
        **{name: say(getattr(row, name), known).strip() for name in ("impossible", "void", "remark")},
    } | closer  # fmt: skip
    computed = float(about.pop("computed") if "computed" in about else work_out(known, row.computed))
    return judge(row.id, fill(row.quantity, known), published, computed, row.unit, paper=paper, kind=row.kind, **about)


def run_numbers(run: Any) -> dict[str, Any]:
    """A run in a few numbers, SI units: its cost, its evidence (joints by Eq 2.14 of paper 003), its first impact."""
    e = run.evidence
    phi = {of: run.values(f"evidence.{of}_violation") for of in ("position", "velocity")}
    found = {
        "method": e.method, "stabilisation": e.stabilisation, "step": e.largest_step, "steps": e.steps,
        "right_hand_sides": e.evaluations, "newton_iterations": e.newton_iterations, "factorisations": e.factorisations,
        "states_looked_at_for_events": e.event_evaluations, "wall_seconds": e.wall_seconds,
        "energy_residual": e.max_energy_residual, "max_position_violation": e.max_position_violation,
        "max_velocity_violation": e.max_velocity_violation, "dissipated": float(run.values("energy.dissipated")[-1]),
        **{f"total_{of}_error": float(values.sum()) for of, values in phi.items()},
        **{f"mean_{of}_error": float(values.mean()) for of, values in phi.items()},
    }  # fmt: skip
    if not run.episodes:
        return found
    hit = run.episodes[0]
    return found | {
        "touchdown": hit.begin, "approach_speed": hit.approach_speed, "separation_speed": hit.separation_speed,
        "largest_force": max(each.max_force for each in run.episodes), "impulse": hit.impulse, "duration": hit.duration,
        "largest_penetration": max(each.max_penetration for each in run.episodes), "contacts": len(run.episodes),
        "dissipated_first_impact": hit.dissipated,
    }  # fmt: skip


def silent(what: str, fraction: float) -> None:
    """No progress wanted."""


def done(jobs: Mapping[str, Callable[[], T]], progress: Said, upto: float = 0.9, since: float = 0.0) -> dict[str, T]:
    """What comes of jobs, by name, one after another. since, upto: which part of the experiment they are."""
    found = {}
    for k, (name, job) in enumerate(jobs.items()):
        progress(name, since + (upto - since) * k / len(jobs))
        found[name] = job()
    return found


def heading(name: str, setup: Mapping[str, Any]) -> tuple[str, str, str, dict[str, Any]]:
    """Name, paper, title and choices of an experiment, from its sheet and what it was run with."""
    sheet = read_sheet(name)
    return name, sheet.paper, sheet.title, {**setup, "reasons": sheet.choices}


@dataclass
class Experiment:
    """What an experiment found.

    name: of the command line, and of the sheet of printed numbers. paper: number, see docs/sources.md. choices: what the paper
    does not print and we chose, with the reason. files: what was written, by what it shows. arguments: functions that look
    closer at a row which names them; what they return overrides what the row says."""

    name: str
    paper: str
    title: str
    choices: Mapping[str, Any]
    files: dict[str, Path] = field(default_factory=dict, kw_only=True)
    arguments: ClassVar[Mapping[str, Callable[[Any, Row], dict[str, Any]]]] = {}

    @property
    def sheet(self) -> Sheet:
        return read_sheet(self.name)

    def facts(self) -> dict[str, Any]:
        """What the sheet may name besides the attributes of the experiment."""
        return {}

    @cached_property
    def known(self) -> dict[str, Any]:
        own = {name: value for name, value in vars(self).items() if name != "known"}
        found = own | {"printed": self.sheet.printed} | self.facts()
        for entry in expanded(self.sheet.values, found):
            for name, value in entry.items():
                found[name] = work_out(found, value)
        return found | {"texts": {name: say(text, found) for name, text in self.sheet.texts.items()}}

    def judged(self) -> list[Check]:
        """The checks, in the order of the paper."""
        return [self._judged(row) for row in self.sheet.rows()]

    def _judged(self, row: Row) -> Check:
        try:
            closer = self.arguments[row.judge](self, row) if row.judge else {}
            return verdict_on(row, self.known, self.paper, **closer)
        except ModelError as error:
            raise ModelError(str(error), element=f"sheet '{self.name}', check '{row.id}'") from None

    def numbers(self) -> dict[str, dict[str, Any]]:
        """What each run found, by name: for the JSON file."""
        return {name: run_numbers(run) for name, run in getattr(self, "runs", {}).items()}

    def draw(self, folder: Path) -> dict[str, Path]:
        """Write the pictures, NAME-*.png; by what they show."""
        from gaitwright.papers.figures import draw_pictures

        return draw_pictures(self.sheet.pictures, self.known, folder, self.name)

    def scenes(self) -> dict[str, Any]:
        """What the report shows moving: a Scene (see report/scene.py) by its title. The first of `runs` unless an experiment
        knows better."""
        from gaitwright.papers.report import first_moving

        return first_moving(getattr(self, "runs", None))

    def tables(self) -> list[Table]:
        """What else people may want to see, such as the cost of the runs."""
        return filled_tables(self.sheet, self.known)

    def remarks(self) -> list[str]:
        """Sentences that go with the tables, such as runs that stopped."""
        entries = [entry if isinstance(entry, dict) else {"say": entry} for entry in self.sheet.remarks]
        said = (say(entry if "if" in entry else entry["say"], self.known) for entry in expanded(entries, self.known))
        return [sentence for sentence in said if sentence]

    def findings(self) -> Findings:
        """All of it as plain data."""
        about = plain(dict(self.choices)), self.judged(), self.tables(), self.remarks()
        return Findings(self.name, self.paper, self.title, *about, self.files, plain(self.numbers()))

    def write(self, folder: Path) -> dict[str, Path]:
        """Write pictures, the page about the experiment, and numbers."""
        from gaitwright.papers.report import experiment_report

        self.files = dict(self.draw(folder))
        found = self.findings()  # whose files are these, as they are written
        self.files |= experiment_report(found, self.scenes()).save(folder / f"{self.name}.html")
        self.files["numbers"] = folder / f"{self.name}.json"
        write_json(found.summary(), self.files["numbers"])
        return self.files
