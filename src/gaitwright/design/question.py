"""One question about designs of a model: parameters, analysis, measures, goals, limits and rules, read and validated once for
all design methods (sweep, designs, choose, optimise, trade_off, study)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright.design.evaluation import AnalysisInput, apply_analysis, run_variant
from gaitwright.design.fingerprint import fingerprint, model_fingerprint
from gaitwright.design.measure_plan import NumberPlan, plan_analysis
from gaitwright.design.number_limits import NumberLimit, is_relative, read_limit, read_limits
from gaitwright.design.parameter_ranges import ParameterBox, read_parameters
from gaitwright.design.requested_numbers import RequestedNumbers
from gaitwright.design.rules import DesignRule, active_rules, rule_limits, rule_names
from gaitwright.model.model import Model, make_variant, require_model


class Execution(NamedTuple):
    """Execution of a design question. workers: number of processes; default: all cores. client: a dask.distributed.Client.
    store: file or folder that keeps results. progress: callback with the fraction done."""

    workers: int | None = None
    client: Any = None
    store: str | Path | None = None
    progress: Callable[[float], None] | None = None

    def report(self, fraction: float) -> None:
        if self.progress is not None:
            self.progress(fraction)


class DesignQuestion:
    """Question about designs of a model.

    method: design method, for messages. model: model with the section of the analysis. analysis: function of the model, or
    None for its section. box: ranges or values of the parameters. numbers: function of a result that returns the measures,
    goals and limited numbers by name. goals: by name, True to maximise, the most important first. limits: in the user's form,
    including rules, by the name of the number; own_limits: without rules. active_rules: by name. rules: names of the rules
    among the limits, by the name of the number. units: by the name of the number; completed by `learn_units`."""

    def __init__(
        self, method: str, model: Model, parameters: Any, *, measures: Any = None, minimise: Any = (), maximise: Any = (),
        limits: Mapping[str, Any] | None = None, allow: Sequence[str] = (), analysis: AnalysisInput | None = None,
        default_analysis: str | None = None, relative: bool = False, known_rules: Mapping[str, DesignRule] | None = None,
        plan: bool = True, printed: bool = False,
    ):  # fmt: skip
        """relative: True if limits may be percentages of the numbers of a start. known_rules: rules that act as limits;
        default: those of the measures and of the analysis. plan: True to use, without an analysis and functions of its
        result, the analysis that provides the requested numbers of a leg or a walk. printed: True to prefer one that
        generated programs compute. Raises ModelError for invalid input."""
        require_model(model, method)
        at = ErrorContext(method)
        self.method = method
        self.box: ParameterBox = read_parameters(method, model, parameters)
        self.numbers = RequestedNumbers(method, measures)
        goals = read_goals(method, minimise, maximise)
        if limits is not None and not isinstance(limits, Mapping):
            at["limits"].fail("is not a mapping", limits, "limits by name, such as {'energy': (None, 2)}")
        own = dict(limits or {})
        texts = self.numbers.texts_with([*goals, *own])
        is_planned = plan and not self.numbers.functions and not self.numbers.single
        planned = plan_analysis(model, analysis, texts, measured=printed) if is_planned else NumberPlan(analysis)
        analysis = planned.analysis
        if planned.measure is not None:
            self.numbers.functions.append(planned.measure)
        self.goals = {self.numbers.require(text): large for text, large in goals.items()}
        known_rules = {**self.numbers.rules, **getattr(analysis, "rules", {})} if known_rules is None else known_rules
        self.active_rules = active_rules(known_rules, allow, own)
        self.own_limits = own
        self.limits: dict[str, Any] = {**own, **rule_limits(self.active_rules)}
        self.rules: dict[str, str] = rule_names(self.active_rules)
        for name, given in self.limits.items():
            self.numbers.limit(name, given)
            if not (relative and is_relative(given)):
                read_limit(name, given, {})
        self.numbers.check_names(model.document.parameters)
        self.analysis: Callable[[Model], Any] | None = analysis if callable(analysis) else None
        self.model = apply_analysis(model, analysis, default_analysis)
        self.units: dict[str, str] = self.numbers.units_among(planned.known)

    @property
    def parameters(self) -> list[str]:
        """Names of the parameters."""
        return list(self.box)

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.model.document.name

    def number_limits(self, start: Mapping[str, float] | None = None) -> dict[str, NumberLimit]:
        """Limits by the name of the number. start: numbers of the start, for percentages."""
        return read_limits(self.limits, start or {})

    def check(self) -> None:
        """Raise errors that do not depend on the parameters, before the first analysis. The numbers of a function and of modes
        are known only after an analysis."""
        section = self.model.document.analysis
        if self.analysis is None and section is not None and section.type != "modes":
            self.units = self.numbers.check(self.model) | self.units

    def variant(self, values: Mapping[str, float]) -> Model:
        """Model with other values of its parameters."""
        return make_variant(self.model, values)

    def run(self, model: Model, progress: Callable[[float], None] | None = None) -> Any:
        """Result of the analysis of a variant."""
        return run_variant(self.analysis, model, progress)

    def learn_units(self, result: Any) -> None:
        """Complete the units by those of a result."""
        self.units = self.numbers.units_of(result) | self.units

    def unit(self, name: str) -> str:
        """Unit of a number with a leading space; empty if it has none."""
        unit = self.units.get(name, "")
        return "" if unit in UNITLESS else f" {unit}"

    def label(self, name: str) -> str:
        """Name of a number with its unit in parentheses."""
        unit = self.unit(name).strip()
        return f"{name} ({unit})" if unit else name

    def limit_label(self, name: str) -> str:
        """Name of a limited number, and its rule if it is one."""
        return f"{name} (rule '{self.rules[name]}')" if name in self.rules else name

    def identity(self, **more: Any) -> dict[str, Any]:
        """Identity of the question in a store: two questions that agree in it compute the same numbers."""
        raw = {name: part for name, part in self.model.to_dict().items() if name not in ("analysis", "outputs")}
        section = self.model.to_dict().get("analysis")
        numbers = self.numbers
        return {
            "model": model_fingerprint(raw),
            "analysis": fingerprint(self.analysis if self.analysis is not None else section),
            "measures": fingerprint([numbers.functions, numbers.texts, numbers.single]),
            "limits": fingerprint(numbers.limits),
            **more,
        }


UNITLESS = ("", "1", "mixed")
"""Units that are not shown."""


def read_goals(method: str, minimise: Any, maximise: Any) -> dict[str, bool]:
    """Goals by name, True to maximise; those to maximise first. Raises ModelError if one is not a list of names."""
    goals: dict[str, bool] = {}
    for field, names, large in (("maximise", maximise, True), ("minimise", minimise, False)):
        at = ErrorContext(method, field)
        if isinstance(names, str) or not isinstance(names, Sequence):
            at.fail("is not a list of names", names, f"[{names!r}]" if isinstance(names, str) else "['energy']")
        for name in names:
            if not isinstance(name, str):
                at.fail(
                    "contains something else than a name", name, "a name; measures={'name': function} names a function"
                )
            if goals.get(name, large) != large:
                at.fail("is both to be minimised and maximised", name, "one of both")
            goals[name] = large
    return goals
