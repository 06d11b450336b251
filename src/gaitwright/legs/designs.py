"""Analysis of many designs of a mechanism at once, including measures of legs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright._core.error_context import ErrorContext
from gaitwright.codegen.measures import MeasureSource
from gaitwright.design.batch.analysis import analyse_designs
from gaitwright.design.measure_expressions import make_number_source
from gaitwright.design.rules import active_rules
from gaitwright.design.scalar_results import read_scalars, scalar_unit
from gaitwright.legs.leg_turns import LegTurns, describe_known_numbers, needs_ground
from gaitwright.legs.turn_batch import make_leg_source
from gaitwright.legs.turn_measures import measure_leg, one_turn
from gaitwright.legs.turn_numbers import LEG_MEASURES
from gaitwright.model.model import Model, require_model

if TYPE_CHECKING:
    import xarray as xr

WORD_PATTERN = re.compile(r"[\w.]+")
DEFAULT_TURN_SAMPLES = 360
"""Default number of samples of a leg's turn."""


def designs(
    model: Model,
    parameters: Mapping[str, Any],
    *,
    measures: Sequence[str] | Mapping[str, str],
    analysis: str | Mapping[str, Any] | Callable[[Model], Any] | None = None,
    constraints: Mapping[str, tuple[float | None, float | None]] | None = None,
    minimise: Sequence[str] = (),
    maximise: Sequence[str] = (),
    gradient: Sequence[str] = (),
    device: str = "cpu",
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    client: Any = None,
    store: str | Path | None = None,
    allow: Sequence[str] = (),
) -> xr.Dataset:
    """Analyse many designs of a model with a generated program, some thousands a second on each core.

        bounds = {"L3": (0.26, 0.30), "L6": (0.39, 0.43)}
        table = gw.designs(leg, gw.sample_designs(leg, bounds, 100_000), measures=["step_length", "energy"],
                           constraints={"step_length": (0.25, None)}, minimise=["energy"], maximise=["step_length"])

    parameters: {name: (n_designs,)}, a value for each design. measures: names of measures, or expressions of names and
    parameters with a name, as a mapping or as "ratio=energy/step_length". A name is an output with its reduction over time
    (crank.torque.max, .min, .max_abs, .mean, .range, .final, .end, .sample_90; the power of a drive is crank.power), or, for
    a model with a section `gait`, any number of `gw.analyse_leg`; the generated program computes those of `gw.measure_leg`,
    the analysis computes the others, design after design. analysis: "inverse", "kinematic", "forward", or a section as in a
    model file; or a function of the model with scalar results, such as gw.LegTurns(); default: one turn of a leg by inverse
    dynamics, or the model's own section. constraints: {measure: (low, high)} with None for a free side, or the largest
    size. allow: rules for legs that designs may break, by name (`foot-below-hip`, `step`, `scuffing`, `locking`, or "all");
    a design that breaks another rule is not feasible. minimise, maximise: goals of the Pareto front. gradient: measures
    whose exact derivatives with respect to all parameters are returned, too, as `MEASURE.gradient`. device: "cpu", on all
    SIMD lanes of all cores, or "cuda", an NVIDIA GPU. workers: number of cores; default: all. client: a
    dask.distributed.Client: its workers analyse the designs, in blocks. progress: callback with the fraction done. store: a
    netCDF file, "designs.nc", that keeps designs as soon as a block is computed: the same call after an interruption
    resumes; goals and constraints may differ. A store of other designs is refused.

    Returns a Dataset with a row per design: parameters, measures (NaN on failure), `failure` (0, or the code of a `reason`),
    `failed_at` (s), `feasible`, `broken` (broken limits and rules), and `front`. A program is generated for the model and
    compiled once by the machine's C compiler; without a compiler, designs are analysed one by one, with the same results.
    Raises ModelError for invalid input and for unsupported models (beams, models in space, series, and contacts or free
    motions except in forward dynamics); `gw.sweep` supports these."""
    require_model(model, "designs")
    sources: list[MeasureSource] = []
    rules_of: Any = None
    if callable(analysis):
        sources = [make_number_source(describe_numbers(model, analysis))]
    elif model.document.gait is not None:
        rules_of = measure_leg
        texts = [*_measure_texts(measures), *(constraints or {}), *minimise, *maximise]
        known = describe_known_numbers(model)
        leg_numbers = find_number_names(texts, known, model)
        rules = active_rules(rules_of, allow, list(constraints or {}))
        others = sorted(leg_numbers - set(LEG_MEASURES))
        if analysis is None and (others or ((leg_numbers or rules) and not is_printable(model))):
            what = f"for '{others[0]}'" if others else "for numbers and rules of such a leg"
            warnings.warn(f"designs are analysed one after another: no program is generated {what}", stacklevel=2)
            analysis, sources = (
                LegTurns(ground=needs_ground(leg_numbers), samples=DEFAULT_TURN_SAMPLES),
                [make_number_source(known)],
            )
        elif others:
            ErrorContext("designs", "analysis").fail(
                f"is given, and the number '{others[0]}' needs a separate analysis", analysis,
                "none, or gw.LegTurns()",
            )  # fmt: skip
        else:
            if (
                analysis is not None and not leg_numbers
            ):  # the run need not be a turn of the leg, so its rules do not apply
                rules_of = None
            analysis, sources = default_analysis(model) if analysis is None else analysis, [make_leg_source(model)]
    return analyse_designs(
        model,
        parameters,
        analysis=analysis,
        measures=measures,
        constraints=constraints,
        minimise=minimise,
        maximise=maximise,
        gradient=gradient,
        device=device,
        workers=workers,
        progress=progress,
        client=client,
        store=store,
        sources=sources,
        allow=allow,
        rules_of=rules_of,
    )


def _measure_texts(measures: Any) -> list[str]:
    return [str(text) for text in (measures.values() if isinstance(measures, Mapping) else measures)]


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
    own = getattr(analysis, "known_numbers", None)
    if own is not None:
        return own(model)
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
        f"{names.name}.{what}"
        for names in model.mechanism().constraint_names
        if names.kind == "drive"
        for what, (unit, _) in names.declaration.rows.items()
        if unit
    ]
    return [f"{name}.max_abs" for name in dict.fromkeys([*drives, *model.document.outputs])]
