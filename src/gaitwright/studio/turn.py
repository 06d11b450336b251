"""A mechanism as it is seen: its pose, open where it cannot close; its motion over a turn, as far as its drives can be
followed; and its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gaitwright.analyse.closing import drawn_pose, nearest_pose, open_joints
from gaitwright.analyse.kinematics import follow_drives
from gaitwright.analyse.redundant_constraints import remove_redundant
from gaitwright.analyse.start import Start, start
from gaitwright.errors import AnalysisError, AssemblyError, DidNotConverge, GaitwrightError, ModelError
from gaitwright.legs.measure import measure_leg
from gaitwright.legs.settings import read_settings
from gaitwright.model.lowered import Lowered
from gaitwright.model.scope import Scope
from gaitwright.result.outputs import Motion
from gaitwright.result.result import Result
from gaitwright.studio.opened import open_at_one
from gaitwright.system.evaluate import residual, signals_at, workspace
from gaitwright.system.mechanism import Mechanism

HEADLINES = {
    "step_length": ("step length", "m"), "step_height": ("step height", "m"), "duty": ("duty", "1"),
    "energy": ("energy per turn", "J"), "torque": ("largest torque", "N m"),
}  # fmt: skip
"""Numbers of a leg that are shown while it is changed, with their units."""
LONGEST = 60.0
"""s of motion that are followed, of a mechanism that does not say how long its turn is."""


@dataclass
class Turn:
    """What was found. motion: poses at increasing times, one at least; phi: of the first of them, where it is open. run: the
    turn as a result, as far as it came. measured: whether its numbers were asked for. stopped: why it ended before its end, and
    when."""

    mechanism: Mechanism
    motion: Motion
    period: float | None = None
    closed: bool = True
    phi: np.ndarray | None = None
    begin: Start | None = None
    run: Result | None = None
    stopped: AnalysisError | None = None
    numbers: dict[str, float] = field(default_factory=dict)
    unmeasured: str = ""
    measured: bool = True
    redundant: list[str] = field(default_factory=list)


def still(t: float, q: np.ndarray) -> Motion:
    """A motion of one pose."""
    nothing = np.zeros((1, 0))
    return Motion(np.array([t]), q[None, :], 0 * q[None, :], 0 * q[None, :], nothing, nothing, nothing)


def turn(
    model: Lowered, times: np.ndarray | int, at: float = 0.0, suspects: Sequence[str] = (), measured: bool = True
) -> Turn:
    """The mechanism over one turn, at so many evenly spaced times besides `at` (s); or in one pose where drives leave freedom,
    or where it cannot close, open at one joint: of the suspects, if there are some. measured: with its numbers, a quarter
    of the work."""
    air = model.in_air()
    mechanism = air.lowered({})
    try:
        begin = start(mechanism, 0.0)
    except AssemblyError:
        return _open(model, at, suspects)
    except AnalysisError as error:  # closed, but singular or without inertia
        found = nearest_pose(mechanism, drawn_pose(mechanism, at), at)
        return Turn(_with_contacts(model), still(at, found.q), stopped=error, redundant=[])
    period = _period(air, mechanism)
    if mechanism.degrees_of_freedom > 0 or mechanism.flexible or not period:
        return _one_pose(model, mechanism, begin, at, period)
    instants = np.linspace(0.0, period, int(times) + 1) if np.ndim(times) == 0 else np.asarray(times)
    if 0.0 < at <= period:
        instants = np.union1d(instants, [at])
    found = Turn(_with_contacts(model), still(0.0, begin.q), period, begin=begin, redundant=begin.redundant)
    try:
        # The document of the run is that in the air, as `analyse_leg` has it: numbers of a leg hang on no contact.
        run = follow_drives(mechanism, instants, analysis="inverse", begin=begin, document=air.to_dict())
    except AnalysisError as error:
        found.stopped, run = error, error.partial
    except (ValueError, ArithmeticError) as error:  # of libraries, about numbers that nobody can build
        found.stopped, run = DidNotConverge(f"its numbers cannot be computed with: {error}"), None
    if run is not None:
        found.run, found.motion, found.measured = run, run.motion, measured
        if found.stopped is None and measured:
            _measure(found, run, model)
    return found


def _with_contacts(model: Lowered) -> Mechanism:
    return model.lowered({})


def _open(model: Lowered, t: float, suspects: Sequence[str]) -> Turn:
    """The pose with one gap, or with the smallest ones."""
    mechanism = _with_contacts(model)
    found = nearest_pose(mechanism, drawn_pose(mechanism, t), t)
    if not np.all(np.isfinite(found.q)):
        found = found._replace(q=mechanism.drawn)
    s, w = mechanism.system, workspace(mechanism.system)
    signals_at(s, w, t)
    residual(s, w, found.q)
    q, phi = open_at_one(mechanism, found.q, w.phi, t, suspects) or (found.q, w.phi.copy())
    rows, _ = remove_redundant(_with_contacts(model), drawn_pose(mechanism, t), t)
    redundant = [row.sentence() for row in rows]
    return Turn(mechanism, still(t, q), closed=not open_joints(mechanism, phi), phi=phi, redundant=redundant)


def _one_pose(model: Lowered, mechanism: Mechanism, begin: Start, at: float, period: float | None) -> Turn:
    shown = _with_contacts(model)
    pose = begin.q
    if at:
        try:
            pose = start(mechanism, at).q
        except AnalysisError:
            return _open(model, at, ())
    return Turn(shown, still(at, pose), period, begin=begin, redundant=begin.redundant)


def _period(model: Lowered, mechanism: Mechanism) -> float | None:
    """How long a turn takes: of a leg, as its settings say; otherwise as long as its analysis goes."""
    if model.document.gait is not None:
        try:
            return read_settings(model, mechanism).period
        except ModelError:
            pass
    if not any(names.kind == "drive" for names in mechanism.constraint_names):
        return None
    section = model.lowering.document.analysis
    if section is None or section.until is None:
        return 1.0
    try:
        until = Scope(model.document).number(section.until, "analysis", "until", "s")
    except ModelError:
        return None
    return min(until, LONGEST) if until > 0 else None


def _measure(found: Turn, run: Result, model: Lowered) -> None:
    """Headline numbers of a leg; of another mechanism, what its drives exert."""
    if model.document.gait is not None:
        try:
            numbers = measure_leg(run)
            found.numbers = {name: numbers[name] for name in HEADLINES}
        except (GaitwrightError, ValueError, ArithmeticError) as error:
            found.unmeasured = str(error)
        return
    for names in found.mechanism.constraint_names:
        what = next((w for w in ("torque", "force") if f"{names.name}.{w}" in run.catalogue), None)
        if names.kind == "drive" and what:
            values = run.values(f"{names.name}.{what}")
            found.numbers[f"{names.name}.{what}"] = float(np.abs(values).max())
            power = run.values(f"{names.name}.power")
            found.numbers[f"{names.name}.energy"] = float(np.trapezoid(np.abs(power), run.time))
