"""Many designs of a mechanism at once, with the numbers of legs among the measures."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright.checks import At
from gaitwright.design.expressed import number_source
from gaitwright.design.many.designs import analyse_designs
from gaitwright.design.many.measures import Source
from gaitwright.design.rules import active_rules
from gaitwright.design.told import told, unit_told
from gaitwright.legs.leg_turns import LegTurns, known_numbers, needs_ground
from gaitwright.legs.many_turns import leg_source
from gaitwright.legs.measure import measure_leg, one_turn
from gaitwright.legs.numbers import PRINTED_NUMBERS
from gaitwright.model.model import Model, require_model

if TYPE_CHECKING:
    import xarray as xr

WORD = re.compile(r"[\w.]+")
SAMPLES = 360
"""Of a turn of a leg, unless an analysis is given."""


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
    """Analyse many designs of a model whose drives determine its motion, some thousands a second on each core.

        bounds = {"L3": (0.26, 0.30), "L6": (0.39, 0.43)}
        table = gw.designs(leg, gw.sample_designs(leg, bounds, 100_000), measures=["step_length", "energy"],
                           constraints={"step_length": (0.25, None)}, minimise=["energy"], maximise=["step_length"])

    parameters: {name: (designs,)}, a value for each design. measures: names of what to measure, or expressions of such
    names and of parameters, with a name of their own as a mapping or as "ratio=energy/step_length". Names are those of
    an output and what to take of it over time (crank.torque.max, .min, .max_abs, .mean, .final, .range; the power of a
    drive is crank.power), and, of a model with a section `gait`, every number that `gw.analyse_leg` gives; those of
    `gw.measure_leg` are printed, the others are taken from the analysis, design after design. analysis:
    "inverse", "kinematic", "forward", or a section as in a model file; or a function of the model whose result tells numbers,
    such as gw.LegTurns(); unless given one turn of a leg by inverse dynamics, or the model's own section. constraints:
    {measure: (low, high)}, None for none, or the largest size. allow: rules for legs that designs may break, by name
    (`foot-below-hip`, `step`, `scuffing`, `locking`, or "all"): what breaks one that is not allowed is not feasible.
    minimise, maximise: goals of the Pareto front. gradient: measures whose exact derivatives in all parameters are wanted
    too, as `MEASURE.gradient`. device: "cpu", on all lanes of all cores, or "cuda", an NVIDIA GPU. workers: cores; all
    unless given.
    client: a dask.distributed.Client, whose workers analyse the designs, in blocks. store: a netCDF file, "designs.nc", in
    which designs are kept as they come, in blocks: the same call after an interruption, however that came about, goes on
    where it was; goals and constraints may be others. A store of other designs is refused.

    Returns a Dataset with a row for each design: parameters, measures (NaN where it failed), `failure` (0, or the code of a
    `reason`), `failed_at` (s), `feasible`, `broken` (which limits and rules it breaks), and `front`. A program is printed for
    the model and compiled by the machine's C
    compiler, once; where there is none, designs are analysed one by one, with the same results. What cannot be printed yet
    (what touches, beams, space, series, freedom that the drives leave) is refused by its name; `gw.sweep` does that."""
    require_model(model, "designs")
    sources: list[Source] = []
    rules_of: Any = None
    if callable(analysis):
        sources = [number_source(told_numbers(model, analysis))]
    elif model.document.gait is not None:
        rules_of = measure_leg
        wanted = [*_texts(measures), *(constraints or {}), *minimise, *maximise]
        known = known_numbers(model)
        asked = numbers_in(wanted, known, model)
        rules = active_rules(rules_of, allow, list(constraints or {}))
        others = sorted(asked - set(PRINTED_NUMBERS))
        if analysis is None and (others or ((asked or rules) and not is_printed(model))):
            what = f"for '{others[0]}'" if others else "for numbers and rules of such a leg"
            warnings.warn(f"designs are analysed one after another: {what} no program is printed", stacklevel=2)
            analysis, sources = LegTurns(ground=needs_ground(asked), samples=SAMPLES), [number_source(known)]
        elif others:
            At("designs", "analysis").fail(
                f"is given, and the number '{others[0]}' needs an analysis of its own", analysis,
                "none, or gw.LegTurns()",
            )  # fmt: skip
        else:
            if analysis is not None and not asked:  # of a run that need not be a turn of the leg
                rules_of = None
            analysis, sources = usual_analysis(model) if analysis is None else analysis, [leg_source(model)]
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


def _texts(measures: Any) -> list[str]:
    return [str(text) for text in (measures.values() if isinstance(measures, Mapping) else measures)]


def is_printed(model: Model) -> bool:
    """Whether programs can be printed that compute numbers of a turn: of a rigid leg with one foot, in the air."""
    document = model.document
    return document.gait is not None and len(document.gait.feet) == 1 and not document.beams and not document.contacts


def numbers_in(texts: Iterable[str], known: Collection[str], model: Model) -> set[str]:
    """Which numbers of a leg, among those known, expressions speak of; a parameter of the same name goes before."""
    words = {word for text in texts for word in WORD.findall(str(text).rpartition("=")[2])}
    return {word for word in words if word in known and word not in model.document.parameters}


def told_numbers(model: Model, analysis: Callable[[Model], Any]) -> dict[str, tuple[str, str]]:
    """Unit and meaning of the numbers that a function of a model tells: what it says itself, or those of the model."""
    own = getattr(analysis, "known_numbers", None)
    if own is not None:
        return own(model)
    result = analysis(model)
    return {name: (unit_told(result, name), name) for name in told(result) or {}}


def usual_analysis(model: Model) -> dict[str, Any] | None:
    """One turn of a leg; of other models none but their own."""
    return one_turn(SAMPLES, model=model) if model.document.gait is not None else None


def usual_measures(model: Model) -> list[str]:
    """What is measured where nothing is asked for: the numbers of a leg, or the largest loads of the drives and
    sizes of the model's outputs."""
    if model.document.gait is not None:
        return list(PRINTED_NUMBERS)
    drives = [
        f"{names.name}.{what}"
        for names in model.mechanism().constraint_names
        if names.kind == "drive"
        for what, (unit, _) in names.declaration.rows.items()
        if unit
    ]
    return [f"{name}.max_abs" for name in dict.fromkeys([*drives, *model.document.outputs])]
