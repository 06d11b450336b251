"""Model: a mechanism as a person describes it (description.py, connected.py), and what can be asked of it. Analyses turn the
document into tables when they start."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At
from gaitwright.model.connected import Connected
from gaitwright.model.entries import Number, Pair
from gaitwright.system.mechanism import Mechanism

if TYPE_CHECKING:
    from gaitwright.analyse.modes import Modes
    from gaitwright.analyse.start import Start
    from gaitwright.result.result import Result

__all__ = ["Model", "Number", "Pair"]
MOST_SAMPLES = 1e8
"""More cannot be meant, and would not fit into memory."""


class Model(Connected):
    """A mechanism of links, bodies, joints, drives, forces and contacts, in the plane or, with dimension=3, in space.
    SI units; angles in rad, counter-clockwise.

        leg = gw.Model(gravity=(0, -9.81))
        leg.ground_point("O", 0, 0)
        leg.point("A", 0.1, 0)
        leg.link("crank", "O", "A", length=0.1, mass=0.025)
        leg.drive_rotation("crank", angle="2*pi*t")
        run = leg.simulate(until=1.0)

    Links that name the same point are pinned there. Drawn positions are a guess that picks the branch: lengths count.
    """

    def mechanism(self, **parameters: float) -> Mechanism:
        """The tables of this model, with parameters overridden; for those who look below the surface."""
        from gaitwright.model.plausible import doubts
        from gaitwright.result.catalogue import check_outputs
        from gaitwright.result.charted import check_chart

        mechanism = self.lowered(parameters)
        mechanism.warnings += doubts(self.document, mechanism, parameters)
        if self.document.quantities:
            from gaitwright.model.own_quantities import read_quantities

            mechanism.quantities = read_quantities(self.document, mechanism, parameters)
        if self.document.outputs:
            check_outputs(mechanism, self.document.outputs)
        for k, chart in enumerate(self.document.charts):
            check_chart(mechanism, chart.x, chart.y, f"chart {k + 1}")
        return mechanism

    def lowered(self, parameters: Mapping[str, float]) -> Mechanism:
        """The tables as they are, without doubts."""
        from gaitwright.model.lower import lower

        return lower(self.document, dict(parameters))

    def assemble(self, time: float = 0.0) -> Start:
        """Close the joints and find consistent velocities at a time, without analysing further."""
        from gaitwright.analyse.start import start

        return start(self.mechanism(), At("assemble", "time").finite(time, "a time in s"))

    def check(self) -> Any:
        """Degrees of freedom, redundant and conflicting joints, error of the drawn pose; see analyse/check.py."""
        from gaitwright.analyse.check import check

        return check(self.mechanism())

    def kinematics(
        self,
        until: float | None = None,
        *,
        step: float = 1e-3,
        times: Any = None,
        store: Any = None,
        progress: Any = None,
        max_steps: float | None = None,
        max_seconds: float | None = None,
    ) -> Result:
        """Position, velocity, acceleration and reactions of a mechanism whose drives leave no freedom.

        until: s, sampled every `step` s; or times: increasing array, s.
        store: names of outputs that are kept, or "all", as in `simulate`.
        max_steps, max_seconds: how much work it may take before it is given up with what was computed; as every analysis,
            1e8 steps and an hour unless given."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.kinematics import follow_drives

        times, budget = sample_times(until, step) if times is None else times, Budget(max_steps, max_seconds)
        options = {"progress": progress, "document": self.to_dict(), "budget": budget, "store": store}
        return follow_drives(self.mechanism(), times, **options)

    def inverse(
        self,
        until: float | None = None,
        *,
        step: float = 1e-3,
        times: Any = None,
        progress: Any = None,
        max_steps: float | None = None,
        max_seconds: float | None = None,
        **options: Any,
    ) -> Result:
        """Drive torques or forces and every joint reaction. A mechanism that keeps free degrees of freedom is solved as
        forward dynamics with the drives' reactions reported (options as in `simulate`)."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.forward import check_options
        from gaitwright.analyse.inverse import inverse

        check_options(options, "inverse")
        times = sample_times(until, step) if times is None else times
        options["budget"] = Budget(max_steps, max_seconds)
        return inverse(self.mechanism(), times, progress=progress, document=self.to_dict(), **options)

    def simulate(
        self,
        until: float,
        *,
        start: Result | None = None,
        max_steps: float | None = None,
        max_seconds: float | None = None,
        **options: Any,
    ) -> Result:
        """Forward dynamics from the start pose to `until` (s), or from the last state of another result of this model (an
        equilibrium, a run), which is then the state at time 0.

        method: euler, rk4, gill, gauss1, gauss2, gauss3, generalized-alpha (fixed step), dopri5, radau5, rosenbrock23
            (adaptive), moreau (fixed step, contacts as rigid). Without a name: dopri5, or generalized-alpha when a step is
            given. See docs: choosing a method.
        step: s, for fixed-step methods. tolerance: for adaptive methods, relative to the size of each coordinate.
        stabilisation: none, baumgarte (alpha, beta in 1/s), projection (default) or partitioning, for the methods on index-1
            form.
        spectral_radius: damping of generalized-alpha, 0 to 1. complementarity: lemke or pgs, for moreau.
        formulation: augmented (default), or embedding: independent coordinates without constraint forces, for comparison;
            with rk4, gill or euler, without contacts, and slower.
        joint_velocities: for moreau, where in a step velocities satisfy the joints: end (default) or midpoint (as paper 003
            prints the scheme; no projection, violations of order h).
        every: store every n-th fixed step; 0 also stores the parts into which contacts divide steps.
        output_step: spacing of outputs of adaptive methods, s (1/1000 of the run unless given; 0: every step).
        store: names of outputs that are kept at all output times, beside energies and evidence; whole states then only at 50
            times, for pictures, and at the end. "all": the states at all output times, from which every output is computed
            when asked for. Unless given: all up to 250 MB, otherwise the outputs of the model (`output`).
        max_steps, max_seconds: how many steps may be tried (1e8) and how much wall time may pass (3600 s) before the run is
            given up, with what was computed.
        progress: called with the fraction done. Ctrl-C keeps what was computed."""
        from gaitwright.analyse.ahead import prepare_forward
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.forward import check_options, choose_method, simulate
        from gaitwright.analyse.start import from_state
        from gaitwright.contact.history import MANY

        check_options(options, "simulate")
        method = choose_method(options.get("method"), options.get("step"))
        if options.get("formulation") != "embedding":
            prepare_forward(method, bool(self.document.contacts), _touching(self.document) > MANY)
        mechanism, options["budget"] = self.mechanism(), Budget(max_steps, max_seconds)
        if start is not None:
            if not hasattr(start, "motion"):
                At("simulate", "start").fail("is not a result", start, "what simulate, static or static_path gave")
            options["begin"] = from_state(mechanism, start.motion.q[-1], start.motion.v[-1])
        return simulate(mechanism, until, document=self.to_dict(), **options)

    def static(self, time: float = 0.0, *, max_steps: float | None = None, max_seconds: float | None = None) -> Result:
        """Equilibrium under springs and loads, with drives and loads as at `time`, nearest to the drawn pose.

        max_steps, max_seconds: factorisations and wall time after which the search is given up."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.statics.equilibrium import equilibrium

        budget, time = Budget(max_steps, max_seconds), At("static", "time").finite(time, "a time in s")
        return equilibrium(self.mechanism(), time, document=self.to_dict(), budget=budget)

    def static_path(
        self,
        until: float | None = None,
        *,
        steps: int | None = None,
        control: str = "time",
        start: float | Result = 0.0,
        stop: dict[str, float] | None = None,
        times: Any = None,
        max_steps: int | None = None,
        max_seconds: float | None = None,
        progress: Any = None,
    ) -> Result:
        """Equilibria while drives and loads change slowly from `start` to `until` (s); t is a pseudo-time.

        control: "time" steps in t, evenly spaced (`steps`, 20 unless given, or at given `times`), and fails at a limit
            point. "arc-length" follows the curve of equilibria through limit points, where the mechanism would snap, and
            back in t; it takes `steps` (50 unless given) and more, as many as it is longer than from `start` to `until`.
        start: s, from the equilibrium nearest to the drawn pose; or a Result, from its last pose and time.
        stop: ends the path where an output reaches a value, such as {"rod.end.y": -0.2}.
        max_steps: along the arc, after which a path that has not come to its end is cut (500 unless given);
            `evidence.complete` is then False, and a warning tells where it stands.
        max_seconds: wall time after which the path is given up, with what was found (3600 unless given).

        Limit and bifurcation points are in `evidence.warnings`, the number of unstable motions in "evidence.unstable"."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.statics.path import static_path

        options = {
            "steps": steps,
            "control": control,
            "start": start,
            "stop": stop,
            "times": times,
            "max_steps": max_steps,
        }
        options["budget"] = Budget(max_seconds=max_seconds)
        return static_path(self.mechanism(), until, progress=progress, document=self.to_dict(), **options)

    def modes(
        self,
        count: int | None = None,
        time: float = 0.0,
        *,
        max_steps: float | None = None,
        max_seconds: float | None = None,
    ) -> Modes:
        """Frequencies, damping and shapes of small vibrations about the equilibrium nearest to the drawn pose; the search
        for it takes at most max_steps factorisations and max_seconds.

        count: how many, the lowest; all unless given, or 20 of a model with more than 4000 coordinates."""
        from gaitwright.analyse.budget import Budget
        from gaitwright.analyse.modes import modes

        budget, time = Budget(max_steps, max_seconds), At("modes", "time").finite(time, "a time in s")
        return modes(self.mechanism(), time, count, document=self.to_dict(), budget=budget)

    def analyse(self, progress: Any = None) -> Any:
        """Run the analysis that the document asks for (section `analysis`); see model/analysis.py."""
        from gaitwright.model.analysis import run_analysis

        return run_analysis(self, progress)

    def draw(self, path: str | Path) -> Path:
        """PNG of the assembled mechanism; of the drawn pose if it cannot be closed."""
        from gaitwright.analyse.check import draw_pose

        return draw_pose(self.mechanism(), path)

    def _repr_html_(self) -> str | None:
        """For notebooks; None if it cannot be shown."""
        from gaitwright.report.views.cards import model_card

        return model_card(self)


def _touching(document: Any) -> int:
    """How many things of a model touch something, as far as its document tells."""
    lists = ("points", "spheres")
    return sum(max(1, *(len(getattr(contact, name, None) or ()) for name in lists)) for contact in document.contacts)


def require_model(given: Any, who: str) -> Model:
    """ModelError if something else is given in place of a model, such as the name of its file."""
    return (
        given
        if isinstance(given, Model)
        else At(who).fail("is not given a model", given, "a gw.Model, or gw.load(file)")
    )


def sample_times(until: float | None, step: float) -> np.ndarray:
    """Evenly spaced times from 0 to `until`, s, about `step` apart."""
    at = At("analysis")
    until, step = at["until"].positive(until, "s"), at["step"].positive(step, "s")
    if until / step > MOST_SAMPLES:
        least = f"a step of at least {until / MOST_SAMPLES:.2g} s"
        at["step"].fail(f"asks for {until / step:.2g} samples", step, least)
    count = max(1, round(until / step))
    return np.linspace(0.0, until, count + 1)
