"""Analysis of many designs of a mechanism at once, including measures of legs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen.measures import MeasureSource
from gaitwright.design.batch.analysis import analyse_designs
from gaitwright.design.batch.table_result import DesignTable
from gaitwright.design.evaluation import AnalysisInput
from gaitwright.design.measure_expressions import make_number_source
from gaitwright.design.question import DesignQuestion, Execution
from gaitwright.design.requested_numbers import MeasuresInput, RequestedNumbers
from gaitwright.design.rules import ALL_RULES, DesignRule, active_rules
from gaitwright.design.sampling import sample_box
from gaitwright.design.scalar_results import read_scalars, scalar_unit
from gaitwright.legs.leg_turns import LegTurns, describe_known_numbers, needs_ground
from gaitwright.legs.turn_batch import make_leg_source
from gaitwright.legs.turn_measures import measure_leg, one_turn
from gaitwright.legs.turn_numbers import LEG_MEASURES
from gaitwright.model.model import Model, require_model

WORD_PATTERN = re.compile(r"[\w.]+")
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
    texts = [*requested.texts.values(), *requested.units, *(limits or {}), *minimise, *maximise]
    plan = _plan_analysis(model, analysis, texts, allow, limits or {})
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
    model: Model, analysis: AnalysisInput | None, texts: Sequence[str], allow: Sequence[str], limited: Collection[str]
) -> AnalysisPlan:
    """Plan the analysis of the requested numbers. texts: names and expressions. limited: numbers with limits, which replace
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
        return AnalysisPlan(analysis, {}, [])
    known_numbers, rules = describe_known_numbers(model), measure_leg.rules
    leg_numbers = find_number_names(texts, known_numbers, model)
    other_numbers = sorted(leg_numbers - set(LEG_MEASURES))
    needs_turn = leg_numbers or active_rules(rules, allow, limited)
    if analysis is None and (other_numbers or (needs_turn and not is_printable(model))):
        reason = f"for '{other_numbers[0]}'" if other_numbers else "for numbers and rules of such a leg"
        warnings.warn(f"designs are analysed one after another: no program is generated {reason}", stacklevel=3)
        turns = LegTurns(ground=needs_ground(leg_numbers), samples=DEFAULT_TURN_SAMPLES)
        return AnalysisPlan(turns, rules, [make_number_source(known_numbers)])
    if other_numbers:
        ErrorContext("designs", "analysis").fail(
            f"is given, and the number '{other_numbers[0]}' needs a separate analysis",
            analysis,
            "none, or gw.LegTurns()",
        )
    if analysis is not None and not leg_numbers:
        rules = {}  # the run need not be a turn of the leg, so its rules do not apply
    return AnalysisPlan(default_analysis(model) if analysis is None else analysis, rules, [make_leg_source(model)])


def is_printable(model: Model) -> bool:
    """True if a generated program can compute the numbers of a turn: for a rigid leg with one foot, in the air."""
    document = model.document
    return document.gait is not None and len(document.gait.feet) == 1 and not document.beams and not document.contacts


def find_number_names(texts: Iterable[str], known: Collection[str], model: Model) -> set[str]:
    """Known numbers of a leg that occur in expressions; a parameter of the same name takes precedence."""
    words = {word for text in texts for word in WORD_PATTERN.findall(str(text).rpartition("=")[2])}
    return {word for word in words if word in known and word not in model.document.parameters}


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
