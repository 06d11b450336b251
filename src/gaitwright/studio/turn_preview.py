"""Preview of a mechanism: its pose, open where it cannot close; its motion over a turn, as far as its drives can be
followed; and its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gaitwright._core.errors import AnalysisError, AssemblyError, DidNotConverge, GaitwrightError, ModelError
from gaitwright.analysis.joint_closure import drawn_pose, find_nearest_pose, find_open_joints
from gaitwright.analysis.kinematics import follow_drives
from gaitwright.analysis.redundant_constraints import exclude_redundant
from gaitwright.analysis.start_state import StartState, find_start
from gaitwright.legs.leg import leg_in_air
from gaitwright.legs.settings import read_settings
from gaitwright.legs.turn_measures import measure_leg
from gaitwright.legs.turn_numbers import LEG_MEASURES
from gaitwright.mechanism.evaluation import evaluate_residual, new_workspace, update_signals
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.model import Model, compile_model, model_of_document
from gaitwright.result.outputs import StateHistory
from gaitwright.result.result import Result
from gaitwright.studio.open_loop_pose import open_at_one_joint

HEADLINE_MEASURES = LEG_MEASURES.select(lambda measure: bool(measure.preview))
"""Measures of a leg that are shown during edits."""
MAX_MOTION_SECONDS = 60.0
"""Maximum duration of the motion, s, for mechanisms without a known turn."""


@dataclass
class TurnPreview:
    """Result of a preview. motion: poses at increasing times, at least one; phi: residual of the first pose, if it is open.
    run: the turn as a result, as far as computed. measured: True if its numbers were requested. stopped: error that ended
    the turn early, with its time."""

    mechanism: Mechanism
    motion: StateHistory
    period: float | None = None
    closed: bool = True
    phi: np.ndarray | None = None
    begin: StartState | None = None
    run: Result | None = None
    stopped: AnalysisError | None = None
    numbers: dict[str, float] = field(default_factory=dict)
    unmeasured: str = ""
    measured: bool = True
    redundant: list[str] = field(default_factory=list)


def static_motion(t: float, q: np.ndarray) -> StateHistory:
    """Motion of a single pose."""
    nothing = np.zeros((1, 0))
    return StateHistory(np.array([t]), q[None, :], 0 * q[None, :], 0 * q[None, :], nothing, nothing, nothing)


def preview_turn(
    model: Model, times: np.ndarray | int, at: float = 0.0, suspects: Sequence[str] = (), measured: bool = True
) -> TurnPreview:
    """Preview one turn, at a number of evenly spaced times and at `at` (s). A single pose is computed if drives
    leave degrees of freedom, or if the mechanism cannot close; it is then open at one joint, preferably of the
    suspects. measured: measure the numbers, a quarter of the time."""
    compiled = compile_model(model)
    air = leg_in_air(compiled)
    mechanism = air.mechanism()
    try:
        begin = find_start(mechanism, 0.0)
    except AssemblyError:
        return _open_pose(model, at, suspects)
    except AnalysisError as error:  # closed, but singular or without inertia
        nearest = find_nearest_pose(mechanism, drawn_pose(mechanism, at), at)
        return TurnPreview(compiled.mechanism(), static_motion(at, nearest.q), stopped=error, redundant=[])
    mechanism = begin.mechanism
    period = _turn_period(model, mechanism)
    if mechanism.degrees_of_freedom > 0 or mechanism.flexible or not period:
        return _single_pose(model, mechanism, begin, at, period)
    instants = np.linspace(0.0, period, int(times) + 1) if np.ndim(times) == 0 else np.asarray(times)
    if 0.0 < at <= period:
        instants = np.union1d(instants, [at])
    preview = TurnPreview(
        compiled.mechanism(), static_motion(0.0, begin.q), period, begin=begin, redundant=begin.redundant
    )
    try:
        # The run's document is the one without contact, as in `analyse_leg`: leg measures do not depend on contact.
        run = follow_drives(
            mechanism, instants, analysis="inverse", begin=begin, document=model_of_document(air.document).to_dict()
        )
    except AnalysisError as error:
        preview.stopped, run = error, error.partial
    except (ValueError, ArithmeticError) as error:  # raised by libraries for physically impossible numbers
        preview.stopped, run = DidNotConverge(f"its numbers cannot be computed with: {error}"), None
    if run is not None:
        preview.run, preview.motion, preview.measured = run, run.motion, measured
        if preview.stopped is None and measured:
            _measure_turn(preview, run, model)
    return preview


def _open_pose(model: Model, t: float, suspects: Sequence[str]) -> TurnPreview:
    """Pose with one gap, or with the smallest gaps."""
    mechanism = model.mechanism()
    nearest = find_nearest_pose(mechanism, drawn_pose(mechanism, t), t)
    if not np.all(np.isfinite(nearest.q)):
        nearest = nearest._replace(q=mechanism.drawn)
    s, w = mechanism.system, new_workspace(mechanism.system)
    update_signals(s, w, t)
    evaluate_residual(s, w, nearest.q)
    q, phi = open_at_one_joint(mechanism, nearest.q, w.phi, t, suspects) or (nearest.q, w.phi.copy())
    redundant = exclude_redundant(mechanism, drawn_pose(mechanism, t), t).sentences()
    return TurnPreview(
        mechanism, static_motion(t, q), closed=not find_open_joints(mechanism, phi), phi=phi, redundant=redundant
    )


def _single_pose(model: Model, mechanism: Mechanism, begin: StartState, at: float, period: float | None) -> TurnPreview:
    mechanism_shown = model.mechanism()
    pose = begin.q
    if at:
        try:
            pose = find_start(mechanism, at).q
        except AnalysisError:
            return _open_pose(model, at, ())
    return TurnPreview(mechanism_shown, static_motion(at, pose), period, begin=begin, redundant=begin.redundant)


def _turn_period(model: Model, mechanism: Mechanism) -> float | None:
    """Duration of a turn: from the settings of a leg; otherwise the duration of the analysis."""
    if model.document.gait is not None:
        try:
            return read_settings(model, mechanism).period
        except ModelError:
            pass
    if not any(names.kind == "drive" for names in mechanism.constraint_names):
        return None
    section = model.document.analysis
    if section is None or section.until is None:
        return 1.0
    try:
        until = compile_model(model).number(section.until, "analysis", "until", "s")
    except ModelError:
        return None
    return min(until, MAX_MOTION_SECONDS) if until > 0 else None


def _measure_turn(preview: TurnPreview, run: Result, model: Model) -> None:
    """Headline numbers of a leg; for other mechanisms, loads and energies of the drives."""
    if model.document.gait is not None:
        try:
            numbers = measure_leg(run)
            preview.numbers = {name: numbers[name] for name in HEADLINE_MEASURES}
        except (GaitwrightError, ValueError, ArithmeticError) as error:
            preview.unmeasured = str(error)
        return
    for names in preview.mechanism.constraint_names:
        quantity = next((w for w in ("torque", "force") if f"{names.name}.{w}" in run.catalogue), None)
        if names.kind == "drive" and quantity:
            values = run.array(f"{names.name}.{quantity}")
            preview.numbers[f"{names.name}.{quantity}"] = float(np.abs(values).max())
            power = run.array(f"{names.name}.power")
            preview.numbers[f"{names.name}.energy"] = float(np.trapezoid(np.abs(power), run.time))
