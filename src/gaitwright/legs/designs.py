"""Analysis of many designs of a mechanism at once, including measures of legs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen.measures import MeasureSource
from gaitwright.design.batch.analysis import analyse_designs
from gaitwright.design.batch.table_result import DesignTable
from gaitwright.design.evaluation import AnalysisInput, read_scalars, scalar_unit
from gaitwright.design.measure_plan import find_number_names, plan_analysis, plan_numbers
from gaitwright.design.question import DesignQuestion, Execution, read_goals
from gaitwright.design.requested_numbers import MeasuresInput, RequestedNumbers, make_number_source
from gaitwright.design.rules import ALL_RULES, DesignRule, active_rules
from gaitwright.design.sampling import sample_box
from gaitwright.legs.leg_turns import describe_known_numbers
from gaitwright.legs.turn_batch import make_leg_source
from gaitwright.legs.turn_measures import measure_leg, one_turn
from gaitwright.legs.turn_numbers import LEG_MEASURES
from gaitwright.model.model import Model, require_model

DEFAULT_TURN_SAMPLES = 360
"""Default number of samples of a leg's turn."""


def designs(
    model: Model,
    parameters: Mapping[str, Any],
    *,
    measures: MeasuresInput = None,
    minimise: Sequence[str] = (),
    maximise: Sequence[str] = (),
    limits: Mapping[str, Any] | None = None,
    allow: Sequence[str] = (),
    count: int = 10_000,
    sampling: str = "sobol",
    seed: int = 0,
    analysis: AnalysisInput | None = None,
    gradient: Sequence[str] = (),
    device: str = "cpu",
    workers: int | None = None,
    client: Any = None,
    store: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
) -> DesignTable:
    """Analyse many designs of a model with a generated program, some thousands a second on each core.

        result = gw.designs(leg, {"L3": (0.26, 0.30), "L6": (0.39, 0.43)}, count=100_000, minimise=["energy"],
                           maximise=["step_length"], limits={"step_length": (0.25, None)})
        result["energy"]; result.report("designs.html")

    parameters: {name: (low, high)}, ranges around the model's own values, of which `count` designs are sampled; or {name:
        values}, one value for each design. sampling: "sobol" fills the ranges evenly, "grid" is all combinations of
        equidistant values, "random" is uniform. seed: the same seed gives the same designs.
    measures: names of numbers, or expressions of names and parameters with a name, as a mapping or as
        "ratio=energy/step_length"; default: the goals and limited numbers. A name is an output with its reduction over time
        (crank.torque.max, .min, .max_abs, .mean, .range, .final, .end, .sample_90; the power of a drive is crank.power), or,
        for a model with a section `gait`, any number of `gw.analyse_leg`; the generated program computes those of
        `gw.measure_leg`, the analysis computes the others, design after design.
    minimise, maximise: goals of the Pareto front, lists of names or expressions. limits: {name: (low, high)} with None for a
        free side, or the largest size. allow: rules for legs that designs may break, by name (`foot-below-hip`, `step`,
        `scuffing`, `locking`, or "all"); a design that breaks another rule is not feasible.
    analysis: "inverse", "kinematic", "forward", or a section as in a model file; or a function of the model with scalar
        results, such as gw.LegTurns(); default: one turn of a leg by inverse dynamics, or the model's own section.
    gradient: measures whose exact derivatives with respect to all parameters are returned, too, as `MEASURE.gradient`.
    device: "cpu", on all SIMD lanes of all cores, or "cuda", an NVIDIA GPU. workers: number of cores; default: all. client: a
        dask.distributed.Client: its workers analyse the designs, in blocks. progress: callback with the fraction done.
    store: a netCDF file, "designs.nc", that keeps designs as soon as a block is computed: the same call after an interruption
        resumes; limits, and goals among the measures, may differ. A store of other designs is refused.

    The data of the result has a row per design: parameters, measures (NaN on failure), `failure` (0, or the code of a
    `reason`), `failed_at` (s), `feasible`, `broken` (broken limits and rules), and `front`. A program is generated for the
    model and compiled once by the machine's C compiler; without a compiler, designs are analysed one by one, with the same
    results. Raises ModelError for invalid input and for unsupported models (beams, models in space, series, and contacts or
    free motions except in forward dynamics); `gw.sweep` supports these."""
    require_model(model, "designs")
    requested = RequestedNumbers("designs", measures)
    goals = read_goals("designs", minimise, maximise)
    names = find_number_names(requested.texts_with([*(limits or {}), *goals]), model)
    names |= requested.units.keys() & LEG_MEASURES.keys()
    plan = _plan_analysis(model, analysis, names, allow, limits or {})
    question = DesignQuestion(
        "designs", model, parameters, measures=measures, minimise=minimise, maximise=maximise, limits=limits, allow=allow,
        analysis=plan.analysis, known_rules=plan.rules, plan=False,
    )  # fmt: skip
    question.numbers.request_all(plan.sources)
    if ALL_RULES not in allow:  # numbers of allowed rules, too: the contents of a store do not depend on `allow`
        for rule in plan.rules.values():
            question.numbers.require(rule.number)
    values = sample_box(model, question.box, count, sampling, seed)
    execution = Execution(workers, client, store, progress)
    data = analyse_designs(
        question, values, gradient=gradient, device=device, sources=plan.sources, execution=execution
    )
    return DesignTable(question, data)


class AnalysisPlan(NamedTuple):
    """Analysis of many designs, rules of the designs, and sources of numbers besides outputs."""

    analysis: AnalysisInput | None
    rules: Mapping[str, DesignRule]
    sources: Sequence[MeasureSource]


def _plan_analysis(
    model: Model, analysis: AnalysisInput | None, names: set[str], allow: Sequence[str], limited: Collection[str]
) -> AnalysisPlan:
    """Plan the analysis of requested numbers. names: numbers of a leg or a walk. limited: numbers with limits, which replace
    rules."""
    if callable(analysis):
        return AnalysisPlan(
            analysis, getattr(analysis, "rules", {}), [make_number_source(describe_numbers(model, analysis))]
        )
    if (
        isinstance(analysis, str) and model.document.analysis is not None
    ):  # keep the other settings of the model's section
        analysis = {**model.to_dict()["analysis"], "type": analysis}
    if model.document.gait is None:
        plan = plan_analysis(model, analysis, names)
        return AnalysisPlan(plan.analysis, {}, [make_number_source(plan.known)] if plan.known else [])
    rules = measure_leg.rules
    if analysis is not None:
        others = sorted(names & set(describe_known_numbers(model)) - set(LEG_MEASURES))
        if others:
            ErrorContext("designs", "analysis").fail(
                f"is given, and the number '{others[0]}' needs a separate analysis", analysis, "none, or gw.LegTurns()"
            )
        # without numbers of a leg, the run need not be a turn of the leg, so its rules do not apply
        return AnalysisPlan(analysis, rules if names & set(LEG_MEASURES) else {}, [make_leg_source(model)])
    section = AnalysisPlan(default_analysis(model), rules, [make_leg_source(model)])
    if not names and not active_rules(rules, allow, limited):
        return section
    plan = plan_numbers(model, names, measured=is_printable(model))
    if plan.measure is not None:
        return section
    others = sorted(names - set(LEG_MEASURES))
    what = f"for '{others[0]}'" if others else "for numbers and rules of such a leg"
    warnings.warn(f"designs are analysed one after another: no program is generated {what}", stacklevel=3)
    analysis = replace(plan.analysis, samples=DEFAULT_TURN_SAMPLES)
    return AnalysisPlan(analysis, rules, [make_number_source(plan.known)])


def is_printable(model: Model) -> bool:
    """True if a generated program can compute the numbers of a turn: for a rigid leg with one foot, in the air."""
    document = model.document
    return document.gait is not None and len(document.gait.feet) == 1 and not document.beams and not document.contacts


def describe_numbers(model: Model, analysis: Callable[[Model], Any]) -> dict[str, tuple[str, str]]:
    """Unit and meaning of the numbers that an analysis function returns: from its `known_numbers`, or from an analysis of the
    model."""
    describe = getattr(analysis, "known_numbers", None)
    if describe is not None:
        return describe(model)
    result = analysis(model)
    return {name: (scalar_unit(result, name), name) for name in read_scalars(result) or {}}


def default_analysis(model: Model) -> dict[str, Any] | None:
    """Section `analysis` of one turn of a leg; None for other models."""
    return one_turn(DEFAULT_TURN_SAMPLES, model=model) if model.document.gait is not None else None


def default_measures(model: Model) -> list[str]:
    """Default measures: the numbers of a leg, or the largest loads of the drives and the largest sizes of the model's
    outputs."""
    if model.document.gait is not None:
        return list(LEG_MEASURES)
    drives = [
        f"{names.name}.{row}"
        for names in model.mechanism().constraint_names
        if names.kind == "drive"
        for row, (unit, _) in names.declaration.rows.items()
        if unit
    ]
    return [f"{name}.max_abs" for name in dict.fromkeys([*drives, *model.document.outputs])]
