"""Choosing a parameter, such as a stiffness, so that an output takes a wanted value: a root of the whole nonlinear model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitwright.analyse.modes import Modes
from gaitwright.checks import At, did_you_mean, is_number
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.roots import Roots
from gaitwright.design.store import Store, plain_numbers, real_numbers
from gaitwright.design.sweep import _of_modes
from gaitwright.errors import AnalysisError, DidNotConverge, GaitwrightError, ModelError
from gaitwright.model.model import Model
from gaitwright.result.catalogue import Catalogue, check_outputs, unknown_output

if TYPE_CHECKING:
    import pandas as pd

    from gaitwright.result.result import Result

Output = str | Callable[[Any], float]
"""Name of an output, or a function of the Result that gives a number."""
Analysis = str | Mapping[str, Any] | Callable[[Model], Any]
"""Name of an analysis, a section as in a model file, or a function that runs a model and gives its Result."""
MEASURES: dict[str, Callable[[np.ndarray], float]] = {
    "final": lambda values: values[-1],
    "max": lambda values: np.max(_known(values), initial=-math.inf),
    "min": lambda values: np.min(_known(values), initial=math.inf),
    "max_abs": lambda values: np.max(np.abs(_known(values)), initial=0.0),
}
"""What one number to take of an output over time; what only exists in contact is NaN in the air and does not count."""
WIDE = 10.0
"""Ratio of the bounds from which on they are scanned in equal ratios instead of equal differences."""
EDGE = 1e-4
"""Accuracy of the place at which a limit is reached, relative to the parameter."""
MOST_SAMPLES = 10_000


class Evaluation(NamedTuple):
    """One value of the parameter and what came of it. achieved: NaN if the analysis failed, with the reason in `failure`.
    limits: for each limit, the largest size of its output over the run."""

    value: float
    achieved: float
    limits: dict[str, float]
    failure: str = ""


class Question:
    """What is asked for, and all answers so far. No value of the parameter is analysed twice."""

    def __init__(
        self, model: Model, parameter: str, outputs: Mapping[str, Output], analysis: Analysis | None,
        measure: str | Callable[[np.ndarray], float], limits: Mapping[str, float] | None,
    ):  # fmt: skip
        known = model.document.parameters
        if parameter not in known:
            At(field="parameter").fail(
                f"'{parameter}' is not a parameter of this model",
                expected=f"one of: {', '.join(known) or '(the model has none)'}{did_you_mean(parameter, list(known))}",
            )
        if not callable(measure) and measure not in MEASURES:
            At(field="measure").fail(
                "is not known", measure, f"{', '.join(MEASURES)}, or a function of the values over time"
            )
        self.parameter, self.outputs, self.limits = parameter, dict(outputs), dict(limits or {})
        for name, limit in self.limits.items():
            if not is_number(limit) or not limit > 0.0:
                At(field=f"limits['{name}']").fail("is no limit", limit, "a positive number")
        self.measure: Callable[[np.ndarray], float] = measure if callable(measure) else MEASURES[measure]
        self.model, self.analyse = read_analysis(model, analysis)
        section = self.model.document.analysis
        self.of_motion = not callable(analysis) and section is not None and section.type != "modes"
        self.units: dict[str, str] = {}
        self.tell: Callable[[float], None] = lambda fraction: None
        self.kept: Store | None = None

    def check(self, value: float) -> None:
        """What is wrong whatever the value of the parameter, said before anything is analysed."""
        mechanism = self.variant(value).mechanism()
        if self.of_motion:  # what else a function may return is not known, nor how many modes there are
            names = {name: o for name, o in self.outputs.items() if isinstance(o, str)} | {n: n for n in self.limits}
            check_outputs(mechanism, list(names.values()))
            known = Catalogue(mechanism).outputs
            self.units |= {name: known[output].unit for name, output in names.items() if output in known}

    def variant(self, value: float) -> Model:
        return self.model.copy(**{self.parameter: value})

    def run(self, value: float) -> Any:
        result = self.analyse(self.variant(value), self.tell)
        if getattr(getattr(result, "evidence", None), "interrupted", False):
            raise KeyboardInterrupt
        return result

    def numbers(self, result: Any) -> tuple[dict[str, float], dict[str, float]]:
        """The measured outputs and the sizes of the limited ones."""
        found = {}
        for name, output in self.outputs.items():
            if callable(output):
                found[name] = float(output(result))
            else:
                series, self.units[name] = _series(result, output)
                found[name] = float(self.measure(series))
        sizes = {}
        for name in self.limits:
            series, self.units[name] = _series(result, name)
            sizes[name] = float(MEASURES["max_abs"](series))
        return found, sizes

    def evaluation(self, value: float, result: Any) -> Evaluation:
        """What came of a value, measured by the first output."""
        try:
            found, sizes = self.numbers(result)
        except ModelError:  # a name that no result has is wrong whatever the value
            raise
        except Exception as error:
            return Evaluation(value, math.nan, {}, reason(error))
        name, achieved = next(iter(found.items()))
        if not math.isfinite(achieved):
            return Evaluation(value, math.nan, sizes, f"{name} is not a finite number")
        return Evaluation(value, achieved, sizes)

    def unit(self, name: str) -> str:
        """With a space before it; nothing where there is none."""
        unit = self.units.get(name, "")
        return "" if unit in ("", "1", "mixed") else f" {unit}"


def read_analysis(model: Model, analysis: Analysis | None) -> tuple[Model, Callable[..., Any]]:
    """The model with the analysis in it, and how to run a variant of it, given where to report progress."""
    if callable(analysis):
        return model, lambda variant, tell: analysis(variant)
    if analysis is None and model.document.analysis is None:
        analysis = "static"
    if analysis is not None:
        section = {"type": analysis} if isinstance(analysis, str) else dict(analysis)
        model = Model.from_dict({**model.to_dict(), "analysis": section})
    return model, lambda variant, tell: variant.analyse(tell)


def read_bounds(bounds: Any, samples: int) -> np.ndarray:
    """Values from the low to the high bound, at equal ratios if these are far apart."""
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        At(field="bounds").fail("must be two finite numbers, the lower one first", bounds, "for example (0.5, 50)")
    At(field="samples").whole(samples, "is no number of samples", f"2 to {MOST_SAMPLES}", 2, MOST_SAMPLES)
    values = np.geomspace(low, high, int(samples)) if high > WIDE * low > 0 else np.linspace(low, high, int(samples))
    values[0], values[-1] = low, high
    return values


def is_logarithmic(values: np.ndarray) -> bool:
    return bool(values.min() > 0.0 and values.max() > WIDE * values.min())


def reason(error: Exception) -> str:
    """Why an analysis failed; what a function of the user's raised, with its type."""
    return str(error) if isinstance(error, GaitwrightError) else f"{type(error).__name__}: {error}"


class Answer:
    """All evaluations of a search, as a table and as a picture; what Chosen and OutOfReach share."""

    question: Question
    tried: Sequence[Evaluation]
    output: str
    target: float

    @property
    def parameter(self) -> str:
        return self.question.parameter

    @property
    def evaluations(self) -> pd.DataFrame:
        """Every value that was analysed, in order: the parameter, the output, the limited outputs, and why it failed."""
        import pandas as pd

        rows = [
            {self.parameter: e.value, self.output: e.achieved,
             **{name: e.limits.get(name, math.nan) for name in self.question.limits}, "failure": e.failure}
            for e in self.tried
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def plot(self, path: str | Path | None = None, *, label: str = "", title: str = "") -> Any:
        """The output and the limited outputs over the parameter, with target, limits and choice; a matplotlib Figure.

        label: of the parameter, with its unit, such as "thickness (m)"; its name unless given."""
        from gaitwright.report.trade_off import plot_trade_off

        x = np.array([e.value for e in self.tried])
        panels = {self.output: ([e.achieved for e in self.tried], self.question.units.get(self.output, ""))}
        for name in self.question.limits:
            sizes = [e.limits.get(name, math.nan) for e in self.tried]
            panels.setdefault(name, (sizes, self.question.units.get(name, "")))
        wanted = f"{self.output} = {self.target:.6g}{self.question.unit(self.output)}"
        return plot_trade_off(
            title or f"{self.question.model.document.name}: {self.parameter} for {wanted}", label or self.parameter, x,
            panels, limits=self.question.limits, targets={self.output: self.target},
            marked=getattr(self, "value", None), allowed=getattr(getattr(self, "closest", None), "value", None),
            logarithmic=is_logarithmic(x), path=path,
        )  # fmt: skip

    def _said(self, evaluation: Evaluation) -> str:
        return (
            f"{evaluation.achieved:.6g}{self.question.unit(self.output)} at {self.parameter} = {evaluation.value:.6g}"
        )

    def _counted(self) -> str:
        failed = [e for e in self.tried if e.failure]
        text = f"{len(self.tried)} values of {self.parameter} analysed"
        if failed:
            text += f", {len(failed)} of them in vain; {self.parameter} = {failed[0].value:.6g}: {failed[0].failure}"
        return text


class OutOfReach(AnalysisError, Answer):
    """No value within the bounds gives the target. lowest, highest: the evaluations between which the output stays."""

    def __init__(self, question: Question, tried: list[Evaluation], output: str, target: float, roots: Roots):
        self.question, self.tried, self.output, self.target = question, tried, output, target
        good = [e for e in tried if not e.failure]
        self.lowest, self.highest = (pick(good, key=lambda e: e.achieved) for pick in (min, max))
        values = [e.value for e in tried]
        cause = (
            f"no {question.parameter} from {min(values):.6g} to {max(values):.6g} gives {output} = "
            f"{target:.6g}{question.unit(output)}: "
        )
        if self.lowest.achieved <= target <= self.highest.achieved and roots.jumps:
            cause += self._jumped(roots)
        elif self.lowest.achieved == self.highest.achieved:
            cause += f"it is {self.lowest.achieved:.6g}{question.unit(output)} whatever the {question.parameter}"
        else:
            cause += f"it reaches from {self._said(self.lowest)} to {self._said(self.highest)}"
        failed = [e for e in tried if e.failure]
        if failed:
            cause += (
                f" ({len(failed)} of {len(tried)} values could not be analysed, the first because {failed[0].failure})"
            )
        suggestion = "" if roots.jumps else "widen the bounds, aim elsewhere or change another parameter"
        super().__init__(cause, suggestion=suggestion)

    def _jumped(self, roots: Roots) -> str:
        jump = roots.jumps[0]
        sides = [next(e for e in self.tried if e.value == x) for x in (jump.low, jump.high)]
        why = "where the analyses between fail" if jump.failed else "where it jumps"
        return f"it passes over this value from {self._said(sides[0])} to {self._said(sides[1])}, {why}"


class Chosen(Answer):
    """A value of a parameter that gives an output the wanted value, and everything that was tried on the way.

    value: of the parameter. achieved: the output there. model, run: with that value. limits: for each limit, the largest
    size of its output in the run. within_limits: whether all limits are kept. closest: where they are not, the evaluation
    within the limits that comes closest to the target, or None. others: further values that give the target."""

    def __init__(
        self, question: Question, tried: list[Evaluation], output: str, target: float, chosen: Evaluation, run: Any,
        others: list[float], closest: Evaluation | None, notes: list[str],
    ):  # fmt: skip
        self.question, self.tried, self.output, self.target = question, tried, output, target
        self.value, self.achieved, self.limits, self.run = chosen.value, chosen.achieved, chosen.limits, run
        self.model = question.variant(chosen.value)
        self.others, self.closest, self.notes = others, closest, notes

    @property
    def within_limits(self) -> bool:
        return all(size <= self.question.limits[name] for name, size in self.limits.items())

    def lines(self) -> list[str]:
        """The answer in sentences."""
        question, unit = self.question, self.question.unit(self.output)
        exact = abs(self.achieved - self.target) <= 1e-6 * max(abs(self.target), abs(self.achieved))
        asked = "as asked" if exact else f"asked for {self.target:.6g}{unit}"
        lines = [f"{self.parameter} = {self.value:.6g} gives {self.output} = {self.achieved:.6g}{unit}, {asked}"]
        for name, size in self.limits.items():
            verdict = "within" if size <= question.limits[name] else "EXCEEDS"
            lines.append(f"{name} = {size:.6g}{question.unit(name)} {verdict} its limit {question.limits[name]:.6g}")
        if not self.within_limits:
            kept = "within the limits the closest is" if self.closest else "no value within the bounds keeps the limits"
            lines.append(f"{kept} {self._said(self.closest)}" if self.closest else kept)
        if self.others:
            lines.append(f"the same is reached at {self.parameter} = {', '.join(f'{x:.6g}' for x in self.others)}")
        return [*lines, *self.notes, self._counted()]

    def summary(self) -> dict[str, Any]:
        """The answer and everything that was tried; JSON-ready."""
        from gaitwright.plain import plain

        limits = {
            name: {"value": size, "limit": self.question.limits[name], "kept": size <= self.question.limits[name]}
            for name, size in self.limits.items()
        }
        said = {
            "name": self.model.document.name, "parameter": self.parameter, "value": self.value, "output": self.output,
            "target": self.target, "achieved": self.achieved, "unit": self.question.units.get(self.output, ""),
            "within_limits": self.within_limits, "limits": limits,
            "closest": self.closest._asdict() if self.closest else None, "others": self.others, "notes": self.notes,
            "evaluations": self.evaluations.to_dict("records"),
        }  # fmt: skip
        return plain(said)

    def __repr__(self) -> str:
        first, *rest = self.lines()
        return "\n".join([f"<Chosen: {first}", *(f"  {line}" for line in rest)]) + ">"


def choose(
    model: Model,
    parameter: str,
    *,
    output: Output,
    target: float,
    bounds: Sequence[float],
    analysis: Analysis | None = None,
    measure: str | Callable[[np.ndarray], float] = "final",
    limits: Mapping[str, float] | None = None,
    samples: int = 9,
    tolerance: float = 1e-8,
    progress: Callable[[float], None] | None = None,
    store: str | Path | None = None,
) -> Chosen:
    """Find the value of a parameter, within bounds, for which an output has the value `target`.

        chosen = gw.choose(support, "thickness", output="assist.moment", target=20, bounds=(0.001, 0.005),
                           limits={"blade.max_strain": 0.006})
        print(chosen)
        chosen.model.save("chosen.yaml")

    Every evaluation is an analysis of the whole model. The bounds are scanned at `samples` values (in equal ratios if they
    are far apart), and wherever neighbours lie on both sides of the target, the root between them is found to `tolerance`,
    relative to the parameter. The output need not rise or fall all the way: of several roots the lowest that keeps the
    limits is chosen, the others are reported. Roots closer together than the scan may be missed: take more samples.

    output: a name, or a function of the Result that gives a number. measure: what to take of an output over time: final,
        max, min, max_abs, or a function of its values.
    analysis: "static", or as the section of a model file, such as {"until": 2, "step": 1e-3}; the model's own unless
        given, static if it has none. Or a function of the model: lambda m: m.static(time=0.5).
    limits: largest allowed size of other outputs, such as {"blade.max_strain": 0.006}. They are reported; where they are
        exceeded, so is the closest to the target that keeps them.

    store: a file in which every evaluation is kept as it comes (or a folder for one): the same call after an interruption,
        or one with another target or other bounds, looks them up instead of computing them again. A store of another
        question is refused.

    A value that cannot be analysed is passed over with a note. Raises OutOfReach, with the range that can be reached, if no
    value gives the target, and DidNotConverge if no value can be analysed."""
    At(field="target").finite(target, "the value the output shall take")
    if not is_number(tolerance) or not 0.0 < tolerance < 0.1:
        At(field="tolerance").fail("is no relative tolerance", tolerance, "such as 1e-8")
    name = (
        output if isinstance(output, str) else getattr(output, "__name__", "<lambda>").replace("<lambda>", "the output")
    )
    question = Question(model, parameter, {name: output}, analysis, measure, limits)
    values = read_bounds(bounds, samples)
    question.check(float(values[values.size // 2]))
    told = progress or (lambda fraction: None)
    with _kept_in(store, question, name, output, analysis, measure) as question.kept:
        return _choose(question, values, name, float(target), tolerance, told)


def _kept_in(store: str | Path | None, question: Question, name: str, *asked: Any) -> Any:
    """Where evaluations are kept. asked: what they depend on, besides the model and the limits."""
    if store is None:
        return nullcontext()
    about = {
        "model": model_fingerprint(question.model.to_dict()),
        "parameter": question.parameter,
        "output": name,
        "output, analysis or measure": fingerprint([part if callable(part) else repr(part) for part in asked]),
        "limits": question.limits,
    }
    return Store(store, "choice", about)


def _choose(
    question: Question, values: np.ndarray, name: str, target: float, tolerance: float, told: Callable[[float], None]
) -> Chosen:
    """The search: a scan, then the roots between."""
    parameter, samples, kept = question.parameter, values.size, question.kept
    tried: dict[float, Evaluation] = {}
    runs: dict[float, Any] = {}

    def evaluate(value: float) -> Evaluation:
        entry = kept.get((value,)) if kept is not None and value not in tried else None
        if entry is not None:
            achieved, sizes = float(entry["achieved"]), real_numbers(entry["limits"])
            tried[value] = Evaluation(value, achieved, sizes, entry["failure"])
        if value not in tried:
            done = len(tried) / (len(tried) + max(samples - len(tried), 4) + 4)
            question.tell = lambda part: told(done + 0.05 * part)
            question.tell(0.0)
            try:
                runs[value] = question.run(value)
            except Exception as error:  # a function of the user's own may raise anything
                tried[value] = Evaluation(value, math.nan, {}, reason(error))
            else:
                tried[value] = question.evaluation(value, runs[value])
            if kept is not None:
                found = tried[value]
                numbers = {**plain_numbers({"achieved": found.achieved}), "limits": plain_numbers(found.limits)}
                kept.add((value,), {**numbers, "failure": found.failure})
        return tried[value]

    near = tolerance * abs(target)
    roots = Roots(lambda value: evaluate(value).achieved, target, max(tolerance, 1e-15), (near, near))
    roots.search(map(float, values))
    if not roots.good():
        first = next(iter(tried.values()))
        raise DidNotConverge(
            f"none of the {len(tried)} values of {parameter} from {values[0]:.6g} to {values[-1]:.6g} could be analysed; "
            f"{parameter} = {first.value:.6g}: {first.failure}"
        )
    if not roots.found:
        raise OutOfReach(question, sorted(tried.values(), key=lambda e: e.value), name, target, roots)
    keeping = [root for root in roots.found if _excess(question, evaluate(root)) <= 0.0]
    root = (keeping or roots.found)[0]
    closest = None if keeping else _closest(question, evaluate, tried, root, target)
    notes = [
        f"between {parameter} = {low:.6g} and {high:.6g} {name} passes over {target:.6g}"
        + (": the analyses there fail" if failed else ": it jumps there")
        for low, high, failed in roots.jumps
    ]
    others = [other for other in roots.found if other != root]
    if root not in runs:  # it was looked up
        runs[root] = question.run(root)
        question.numbers(runs[root])  # for the units
    found = sorted(tried.values(), key=lambda e: e.value)
    return Chosen(question, found, name, target, evaluate(root), runs[root], others, closest, notes)


def _excess(question: Question, evaluation: Evaluation) -> float:
    """By how much the limits are exceeded, relative to them; NaN if the analysis failed."""
    if evaluation.failure:
        return math.nan
    return max((evaluation.limits[name] / limit - 1.0 for name, limit in question.limits.items()), default=-1.0)


def _closest(
    question: Question,
    evaluate: Callable[[float], Evaluation],
    tried: dict[float, Evaluation],
    root: float,
    target: float,
) -> Evaluation | None:
    """What comes closest to the target within the limits, on either side of a root that exceeds them."""
    edges: list[Evaluation] = []
    for side in (-1.0, 1.0):
        kept = [x for x, e in tried.items() if side * (x - root) > 0.0 and _excess(question, e) <= 0.0]
        if not kept:
            continue
        edge = Roots(lambda x: _excess(question, evaluate(x)), 0.0, EDGE, (EDGE, 0.0))
        edge.search((min(kept, key=lambda x: abs(x - root)), root))
        kept = [x for x in edge.good() if edge.known[x] <= 0.0]
        edges.append(evaluate(min(kept, key=lambda x: abs(x - root))))
    return min(edges, key=lambda e: abs(e.achieved - target), default=None)


def _series(result: Any, name: str) -> tuple[np.ndarray, str]:
    """An output over time with its unit; of modes one number."""
    if isinstance(result, Modes):
        numbers = _of_modes(result, None)
        if name not in numbers:
            raise unknown_output(name, list(numbers))
        return np.array([numbers[name]]), "Hz" if name.startswith("frequency") else "1"
    run: Result = result
    return run.values(name), run.catalogue[name].unit


def _known(values: np.ndarray) -> np.ndarray:
    return values[~np.isnan(values)]
