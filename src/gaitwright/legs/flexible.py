"""A leg whose beams bend, over one turn of its crank.

The drives do not determine how a beam moves, so the turn is forward dynamics (generalized-alpha), and it must be settled before
it is measured:

1. calm: the beams are damped as strongly as their first bending vibration is critical, so that the sudden start leaves none;
2. settling, with the damping that the beams have;
3. the turn that is measured, if it repeats the one before; if it does not, settling goes on, and the eighth is measured.

"dynamic" is that. "quasi-static" keeps the damping of the first turn: beams bend under the loads of the moment, the inertia of
the leg's motion among them, and do not vibrate. Their bending then lags by the time 2 / omega_1 of each beam.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.analyse.forward import simulate
from gaitwright.analyse.start import from_pose
from gaitwright.checks import At
from gaitwright.errors import AnalysisError, Interrupted
from gaitwright.model.lowered import Lowered
from gaitwright.model.model import Model
from gaitwright.system.parts.beam import BeamPart
from gaitwright.system.tables import BEAM_POSITION

if TYPE_CHECKING:
    from gaitwright.result.result import Result

DYNAMIC, QUASI_STATIC = HOW = ("dynamic", "quasi-static")
METHOD = "generalized-alpha"
TURNS = (3, 8)
"""Which turn is measured: the first of these that repeats the one before, or else the last."""
SETTLED = 1e-3
"""How far a turn that repeats may be from the one before: the nodes of each beam, in its lengths."""


def require_known(beams: str) -> str:
    """How beams are treated, if it is known."""
    if beams not in HOW:
        At(field="beams").fail("is not known", beams, " or ".join(HOW))
    return beams


def calming(beam: BeamPart) -> float:
    """The damping, s, that is critical for the first bending vibration of a beam between two pins."""
    s = np.linspace(0.0, beam.length, 33)
    stiffness, mass = float(np.mean(beam.section.bending(s))), beam.mass / beam.length
    return 2.0 / (math.pi**2 / beam.length**2 * math.sqrt(stiffness / mass))


def calmed(model: Model) -> Model:
    """The model with its beams damped so that they do not vibrate."""
    scope = Lowered(model).lowering
    found = [scope.beam(entry.name, "", "") for entry in model.document.beams]
    damping = {beam.name: max(calming(beam), beam.damping) for beam in found}
    beams = [entry.model_copy(update={"damping": damping[entry.name]}) for entry in model.document.beams]
    return Model.of(model.document.model_copy(update={"beams": beams}))


def settled_turn(
    model: Model,
    air: Model,
    period: float,
    samples: int,
    beams: str = DYNAMIC,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """A turn of a leg that is settled, see TURNS: in times from 2 to 3 periods (s), or from 7 to 8. air: the same leg without
    contacts, which settles first."""
    step = period / samples
    still = beams == QUASI_STATIC

    def told(first: float, last: float) -> Callable[[float], None]:
        return lambda part: progress(first + part * (last - first)) if progress is not None else None

    options: dict[str, Any] = {"method": METHOD, "step": step}
    first = whole(calmed(air).simulate(period, every=samples, progress=told(0.0, 0.2), **options))
    used = calmed(model) if still else model
    mechanism = used.mechanism()
    begin = replace(from_pose(mechanism, first.motion.q[-1], period), warnings=[])  # it is bent by then

    def until(turns: int, *part: float) -> Result:
        about = {"begin": begin, "document": used.to_dict(), "progress": told(*part)}
        return whole(simulate(mechanism, turns * period, **about, **options))

    made, run = TURNS[0], until(TURNS[0], 0.2, 0.5)
    apart = unlike(run, period, samples)
    if apart > SETTLED:
        with suppress(AnalysisError):  # what swings up more and more may end it: then the third turn is all there is
            made, run = TURNS[1], until(TURNS[1], 0.5, 1.0)
            apart = unlike(run, period, samples)
    how = "quasi-statically (damped so that they do not vibrate)" if still else "and vibrate"
    said = f"its beams bend {how}: forward dynamics by {METHOD} with steps of {step:.3g} s, turn {made}, which "
    return last_turn(run, period, said + repeats_said(apart))


def unlike(run: Result, period: float, samples: int) -> float:
    """How far the last turn of a run is from the one before, see SETTLED."""
    times = run.time[-1] - np.linspace(0.0, period, samples + 1)
    apart = np.abs(run.at(times).q - run.at(times - period).q)
    moved = {part: part.index[part.natures() == BEAM_POSITION] for part in run.mechanism.flexible}
    return max(float(apart[:, places].max()) / part.length for part, places in moved.items())


def repeats_said(apart: float) -> str:
    """What `unlike` found, in words."""
    return f"{'repeats' if apart <= SETTLED else 'DOES NOT REPEAT'} the one before: {apart:.1g} lengths of a beam apart"


def last_turn(run: Result, period: float, said: str) -> Result:
    """The last turn of a run, as a result of its own."""
    keep = run.time > run.time[-1] - period * (1.0 + 1e-9)
    motion = type(run.motion)(*(states[keep] for states in run.motion))
    evidence = replace(run.evidence, analysis="inverse", warnings=[said, *run.evidence.warnings])
    episodes = [episode for episode in run.episodes if not episode.end <= motion.t[0]]
    return type(run)(run.mechanism, motion, evidence, run.document, episodes)


def whole(run: Result) -> Result:
    """A run that came to its end; Interrupted if it did not, because part of a turn tells nothing about a leg."""
    if run.evidence.interrupted:
        raise Interrupted(run)
    return run
