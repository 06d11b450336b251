"""Quasi-static path: the equilibria that a mechanism passes while drives and loads, functions of t, change slowly.

    Phi_q^T lambda - Q(q, 0, t) = 0,   Phi(q, t) = 0        t is a pseudo-time: nothing has a speed

control "time" steps in t: load control, or displacement control where a drive prescribes the motion. It ends at a limit
point, beyond which there is no equilibrium nearby. control "arc-length" follows the curve of equilibria itself, through
limit points and back in t. See continuation.py.

Works along the path are those of loads and drives on the curve through the points (cubic Hermite, Simpson's rule), so the
work-energy residual shows whether the points are close enough together to trust them.
"""

from __future__ import annotations

import itertools
import time as clock
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gaitwright.analyse.contacts import resting_memory
from gaitwright.analyse.continuation import RESCUE, SHORTEST, Curve, Event, Point, Time, look_ahead
from gaitwright.analyse.evidence import Evidence
from gaitwright.analyse.linearise import AtRest
from gaitwright.analyse.outputs import Catalogue, Motion
from gaitwright.analyse.reactions import minimum_norm
from gaitwright.analyse.result import Result
from gaitwright.analyse.statics import find_equilibrium
from gaitwright.errors import AnalysisError, DidNotConverge, ModelError
from gaitwright.system.evaluate import motion as motion_at
from gaitwright.system.evaluate import power_count, powers
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import Array

CONTROLS = ("time", "arc-length")
MOST_STEPS = 1000
"""Steps along the arc after which a path that reaches neither its end nor a stop is cut."""
SLOWLY = 1e-9
"""Speed along the path at which powers are taken: forces that depend on speed must see rest."""


@dataclass
class Path:
    """How a path was found: its points, those of the result (shown), and its limit and bifurcation points."""

    curve: Curve
    points: list[Point]
    shown: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def t(self) -> Array:
        return np.array([self.curve.split(point.x)[2] for point in self.points])


class Walk:
    """The way along a path, from point to point."""

    def __init__(self, path: Path, stop: Mapping[str, float], progress: Any):
        self.path, self.curve, self.progress = path, path.curve, progress
        mechanism = path.curve.rest.mechanism
        outputs = Catalogue(mechanism) if stop else {}
        self.stops = [_reaching(path.curve, outputs[name], value) for name, value in stop.items()]
        self.by_p = True

    @property
    def now(self) -> Point:
        return self.path.points[-1]

    @property
    def before(self) -> Point | None:
        """The point before, for predictions; none behind a limit point, where the path is known by that point alone."""
        return self.path.points[-2] if len(self.path.points) > 1 else None

    @property
    def t(self) -> float:
        return self.curve.split(self.now.x)[2]

    def take(self, new: Point) -> bool:
        """Go on to a new point; False if a stop was reached on the way, which then is the last point."""
        last = self.now
        for reaching in self.stops:
            if reaching(last) * reaching(new) <= 0.0 and reaching(last) != 0.0:
                new = self.curve.locate(last, new, reaching, self.by_p)
                self.stops = []
                break
        event = self.curve.event(last, new, self.by_p)
        if event is not None:
            self.path.events.append(event)
            if event.kind == "limit" and event.point is not new:
                self.path.points.append(event.point)
        self.path.points.append(new)
        return bool(self.stops) or not self.stopping

    stopping = False

    def by_time(self, times: Array) -> None:
        """Steps in t, with the equilibria at all `times`."""
        self.path.shown = [0]
        self.stopping = bool(self.stops)
        span = self.curve.parameter.span
        for begin, end in itertools.pairwise(times):
            step, t = float(end - begin), float(begin)
            whole = step
            while t != end:
                target = float(end) if abs(end - t) <= 1.000001 * abs(step) else t + step
                new = self.curve.to(self.now, self.before, target)
                if new is None:
                    step /= 2.0
                    if abs(step) <= RESCUE * abs(whole):
                        new = self.ahead(float(end))
                        step = whole * RESCUE
                    if new is None or abs(step) < SHORTEST * span:
                        continue
                if not self.take(new):
                    self.path.shown.append(len(self.path.points) - 1)
                    return
                t = float(end) if target == end and new.x[-1] * span == end else self.t
                if new.iterations <= 5:
                    step = whole if abs(2.0 * step) > abs(whole) else 2.0 * step
            self.path.shown.append(len(self.path.points) - 1)
