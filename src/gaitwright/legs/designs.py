"""Many designs of a mechanism at once, with the numbers of legs among the measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitwright.design.many.designs import analyse_designs
from gaitwright.legs.many_turns import leg_source
from gaitwright.legs.measure import one_turn
from gaitwright.legs.numbers import NUMBERS_OF_A_TURN
from gaitwright.model.model import Model, require_model

if TYPE_CHECKING:
    import xarray as xr

SAMPLES = 360
"""Of a turn of a leg, unless an analysis is given."""


def designs(
    model: Model,
    parameters: Mapping[str, Any],
    *,
    measures: Sequence[str] | Mapping[str, str],
    analysis: str | Mapping[str, Any] | None = None,
    constraints: Mapping[str, tuple[float | None, float | None]] | None = None,
    minimise: Sequence[str] = (),
    maximise: Sequence[str] = (),
    gradient: Sequence[str] = (),
    device: str = "cpu",
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    client: Any = None,
    store: str | Path | None = None,
) -> xr.Dataset:
    """Analyse many designs of a model whose drives determine its motion, some thousands a second on each core.

        bounds = {"L3": (0.26, 0.30), "L6": (0.39, 0.43)}
        table = gw.designs(leg, gw.sample_designs(leg, bounds, 100_000), measures=["step_length", "energy"],
                           constraints={"step_length": (0.25, None)}, minimise=["energy"], maximise=["step_length"])

    parameters: {name: (designs,)}, a value for each design. measures: names of what to measure, or expressions of such
    names and of parameters, with a name of their own as a mapping or as "ratio=energy/step_length". Names are those of
    an output and what to take of it over time (crank.torque.max, .min, .max_abs, .mean, .final, .range; the power of a
    drive is crank.power), and, of a model with a section `gait`, the numbers of a turn (`gw.measure_leg`). analysis:
    "inverse", "kinematic", "forward", or a section as in a model file; unless given one turn of a leg by inverse
    dynamics, or the model's own section. constraints: {measure: (low, high)}, None for none. minimise, maximise: goals
    of the Pareto front. gradient: measures whose exact derivatives in all parameters are wanted
    too, as `MEASURE.gradient`. device: "cpu", on all lanes of all cores, or "cuda", an NVIDIA GPU. workers: cores; all
    unless given.
    client: a dask.distributed.Client, whose workers analyse the designs, in blocks. store: a netCDF file, "designs.nc", in
    which designs are kept as they come, in blocks: the same call after an interruption, however that came about, goes on
    where it was; goals and constraints may be others. A store of other designs is refused.

    Returns a Dataset with a row for each design: parameters, measures (NaN where it failed), `failure` (0, or the code of a
    `reason`), `failed_at` (s), `feasible`, and `front`. A program is printed for the model and compiled by the machine's C
    compiler, once; where there is none, designs are analysed one by one, with the same results. What cannot be printed yet
    (what touches, beams, space, series, freedom that the drives leave) is refused by its name; `gw.sweep` does that."""
    require_model(model, "designs")
    is_leg = model.document.gait is not None
    analysis = usual_analysis(model) if analysis is None else analysis
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
        sources=[leg_source(model)] if is_leg else [],
    )


def usual_analysis(model: Model) -> dict[str, Any] | None:
    """One turn of a leg; of other models none but their own."""
    return one_turn(SAMPLES, model=model) if model.document.gait is not None else None


def usual_measures(model: Model) -> list[str]:
    """What is measured where nothing is asked for: the numbers of a leg with one foot, or the largest loads of the drives and
    sizes of the model's outputs."""
    gait = model.document.gait
    if gait is not None and len(gait.feet) == 1:
        return list(NUMBERS_OF_A_TURN)
    drives = [
        f"{names.name}.{what}"
        for names in model.mechanism().constraint_names
        if names.kind == "drive"
        for what, (unit, _) in names.declaration.rows.items()
        if unit
    ]
    return [f"{name}.max_abs" for name in dict.fromkeys([*drives, *model.document.outputs])]
