"""One turn of the crank of a leg with flexible beams.

The drives do not determine the motion of a beam, so the turn is forward dynamics (generalized-alpha), and it must settle before
it is measured:

1. one turn with critical damping of the first bending vibration of each beam, so that the sudden start leaves no vibration;
2. settling, with the damping of the beams;
3. the measured turn, if it repeats the turn before; otherwise settling continues, and the eighth turn is measured.

This is the treatment "dynamic". "quasi-static" keeps the damping of the first turn: beams bend under the instantaneous loads,
including the inertia of the leg's motion, and do not vibrate. Their bending then lags by the time 2 / omega_1 of each beam.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import AnalysisError, Interrupted
from gaitwright.analysis.forward import simulate
from gaitwright.analysis.start_state import start_from_pose
from gaitwright.fem.beams.planar_beam import PlanarBeamPart
from gaitwright.mechanism.tables import BEAM_POSITION_COORDINATE
from gaitwright.model.model import Model, compile_model, model_of_document

if TYPE_CHECKING:
    from gaitwright.result.result import Result

DYNAMIC, QUASI_STATIC = BEAM_TREATMENTS = ("dynamic", "quasi-static")
INTEGRATION_METHOD = "generalized-alpha"
MEASURED_TURNS = (3, 8)
"""Numbers of the measured turn: the first if it repeats the turn before, otherwise the second."""
REPEAT_TOL_LENGTHS = 1e-3
"""Tolerance for a repeating turn: displacement of the nodes of each beam from the turn before, in lengths of the beam."""


def require_beam_treatment(beams: str) -> str:
    """Return the treatment of beams. Raises ModelError if it is unknown."""
    if beams not in BEAM_TREATMENTS:
        ErrorContext(field="beams").fail("is not known", beams, " or ".join(BEAM_TREATMENTS))
    return beams


def critical_damping(beam: PlanarBeamPart) -> float:
    """Stiffness-proportional damping, s, that is critical for the first bending vibration of a pinned-pinned beam."""
    s = np.linspace(0.0, beam.length, 33)
    stiffness, mass = float(np.mean(beam.section.bending(s))), beam.mass / beam.length
    return 2.0 / (math.pi**2 / beam.length**2 * math.sqrt(stiffness / mass))


def damp_beams(model: Model) -> Model:
    """Copy of the model with at least critical damping of its beams, so that they do not vibrate."""
    names = compile_model(model).builder.names
    beam_parts = [names.beam(entry.name, "", "") for entry in model.document.beams]
    damping = {beam.name: max(critical_damping(beam), beam.damping) for beam in beam_parts}
    beams = [entry.model_copy(update={"damping": damping[entry.name]}) for entry in model.document.beams]
    return model_of_document(model.document.model_copy(update={"beams": beams}))


def simulate_settled_turn(
    model: Model,
    air: Model,
    period: float,
    samples: int,
    beams: str = DYNAMIC,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Simulate a settled turn of a leg, see MEASURED_TURNS: times from 2 to 3 periods, or from 7 to 8, s. air: the same leg
    without contacts, which settles first. period: s. samples: per turn. Raises Interrupted if a run is stopped."""
    step = period / samples
    is_quasi_static = beams == QUASI_STATIC

    def stage_progress(damped_turn: float, last: float) -> Callable[[float], None]:
        return lambda part: progress(damped_turn + part * (last - damped_turn)) if progress is not None else None

    options: dict[str, Any] = {"method": INTEGRATION_METHOD, "step": step}
    damped_turn = require_complete(
        damp_beams(air).simulate(period, every=samples, progress=stage_progress(0.0, 0.2), **options)
    )
    simulated_model = damp_beams(model) if is_quasi_static else model
    mechanism = simulated_model.mechanism()
    # the warnings are dropped: the beams are already bent
    begin = replace(start_from_pose(mechanism, damped_turn.motion.q[-1], period), warnings=[])

    def run_turns(turns: int, *part: float) -> Result:
        arguments = {"begin": begin, "document": simulated_model.to_dict(), "progress": stage_progress(*part)}
        return require_complete(simulate(mechanism, turns * period, **arguments, **options))

    turn_number, run = MEASURED_TURNS[0], run_turns(MEASURED_TURNS[0], 0.2, 0.5)
    difference = turn_difference(run, period, samples)
    if difference > REPEAT_TOL_LENGTHS:
        with suppress(AnalysisError):  # growing vibrations may stop the run; then the third turn is used
            turn_number, run = MEASURED_TURNS[1], run_turns(MEASURED_TURNS[1], 0.5, 1.0)
            difference = turn_difference(run, period, samples)
    manner = "quasi-statically (damped so that they do not vibrate)" if is_quasi_static else "and vibrate"
    text = (
        f"its beams bend {manner}: forward dynamics by {INTEGRATION_METHOD} with steps of {step:.3g} s, turn "
        f"{turn_number}, which "
    )
    return extract_last_turn(run, period, text + describe_repetition(difference))


def turn_difference(run: Result, period: float, samples: int) -> float:
    """Largest difference between the last turn of a run and the turn before, see REPEAT_TOL_LENGTHS."""
    times = run.time[-1] - np.linspace(0.0, period, samples + 1)
    differences = np.abs(run.at(times).q - run.at(times - period).q)
    position_coordinates = {
        part: part.index[part.natures() == BEAM_POSITION_COORDINATE] for part in run.mechanism.flexible
    }
    return max(
        float(differences[:, coordinates].max()) / part.length for part, coordinates in position_coordinates.items()
    )


def describe_repetition(difference: float) -> str:
    """Sentence about the result of `turn_difference`."""
    return (
        f"{'repeats' if difference <= REPEAT_TOL_LENGTHS else 'DOES NOT REPEAT'} the one before: {difference:.1g} lengths "
        f"of a beam apart"
    )


def extract_last_turn(run: Result, period: float, warning: str) -> Result:
    """Last turn of a run as a separate result. warning: about the treatment of its beams."""
    is_last_turn = run.time > run.time[-1] - period * (1.0 + 1e-9)
    motion = type(run.motion)(*(states[is_last_turn] for states in run.motion))
    evidence = replace(run.evidence, analysis="inverse", warnings=[warning, *run.evidence.warnings])
    episodes = [episode for episode in run.episodes if not episode.end <= motion.t[0]]
    return type(run)(run.mechanism, motion, evidence, run.document, episodes)


def require_complete(run: Result) -> Result:
    """Return a complete run. Raises Interrupted for an interrupted one, since an incomplete turn has no valid leg numbers."""
    if run.evidence.interrupted:
        raise Interrupted(run)
    return run
