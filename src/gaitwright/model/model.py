"""Model: a mechanism described by a user (builder.py), and its analyses. Analyses convert the document to
tables when they start."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.analysis.options import document_options
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.model.builder import ModelBuilder
from gaitwright.model.serialisation import NumberLike, VectorLike

if TYPE_CHECKING:
    from gaitwright.analysis.modes import Modes
    from gaitwright.analysis.start_state import StartState
    from gaitwright.model.compiled_model import CompiledModel
    from gaitwright.model.spec.document import ModelDocument
    from gaitwright.result.result import Result

__all__ = ["Model", "NumberLike", "VectorLike"]
MAX_SAMPLES = 1e8
"""Maximum number of samples; more would not fit into memory."""


class Model(ModelBuilder):
    """Mechanism of links, bodies, joints, drives, forces and contacts, in the plane or, with dimension=3, in space.
    SI units; angles in rad, counter-clockwise.

        leg = gw.Model(gravity=(0, -9.81))
        leg.ground_point("O", 0, 0)
        leg.point("A", 0.1, 0)
        leg.link("crank", "O", "A", length=0.1, mass=0.025)
        leg.drive.rotation("crank", angle="2*pi*t")
        run = leg.simulate(until=1.0)

    Links that name the same point are pinned there. Drawn positions are an initial guess that selects the assembly branch;
    given lengths take precedence.
    """

    _compiled: CompiledModel | None = None
    """Compiled form at the last use; `compile_model` updates it after changes of the document."""

    def mechanism(self, **parameters: float) -> Mechanism:
        """Tables of this model, with parameters overridden; for advanced use."""
        compiled = compile_model(self)
        if parameters:
            compiled = compile_model(model_of_document(compiled.variant(parameters).document))
        return compiled.mechanism()

    def __getstate__(self) -> dict[str, Any]:
        """State for another process, which compiles the model there."""
        return {"document": self.document}

    def assemble(self, time: float = 0.0) -> StartState:
        """Close the joints and find consistent velocities at a time (s), without further analysis."""
        from gaitwright.analysis.start_state import find_start

        return find_start(self.mechanism(), ErrorContext("assemble", "time").finite(time, "a time in s"))

    def check(self) -> Any:
        """Degrees of freedom, redundant and conflicting joints, error of the drawn pose; see analysis/model_check.py."""
        from gaitwright.analysis.model_check import check_mechanism

        return check_mechanism(self.mechanism())

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
        """Compute position, velocity, acceleration and reactions of a mechanism whose drives leave no degree of freedom.

        until: s, sampled every `step` s; or times: increasing array, s.
        store: names of stored outputs, or "all", as in `simulate`.
        max_steps, max_seconds: budget after which the analysis stops with the results so far; default for every analysis
            1e8 steps and an hour."""
        from gaitwright.analysis.budget import Budget
        from gaitwright.analysis.kinematics import follow_drives

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
        """Compute drive torques or forces and all joint reactions. A mechanism with remaining degrees of freedom is solved as
        forward dynamics with the drives' reactions reported (options as in `simulate`)."""
        from gaitwright.analysis.budget import Budget
        from gaitwright.analysis.forward import check_option_names
        from gaitwright.analysis.inverse import solve_inverse_dynamics

        check_option_names(options, "inverse")
        times = sample_times(until, step) if times is None else times
        options["budget"] = Budget(max_steps, max_seconds)
        return solve_inverse_dynamics(self.mechanism(), times, progress=progress, document=self.to_dict(), **options)

    @document_options("forward")
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
        equilibrium, a run), which becomes the state at time 0.

        progress: callback with the completed fraction. Ctrl-C keeps the results so far. The other options are those of
        forward dynamics in the table of docs/model-file.md, section Analysis."""
        from gaitwright.analysis.budget import Budget
        from gaitwright.analysis.forward import check_option_names, choose_method, simulate
        from gaitwright.analysis.precompile import precompile_forward
        from gaitwright.analysis.start_state import start_from_state
        from gaitwright.contact.history import MIN_SIMULTANEOUS_EVENTS

        check_option_names(options, "simulate")
        method = choose_method(options.get("method"), options.get("step"))
        if options.get("formulation") != "embedding":
            precompile_forward(
                method, bool(self.document.contacts), _count_touching(self.document) > MIN_SIMULTANEOUS_EVENTS
            )
        mechanism, options["budget"] = self.mechanism(), Budget(max_steps, max_seconds)
        if start is not None:
            if not hasattr(start, "motion"):
                ErrorContext("simulate", "start").fail(
                    "is not a result", start, "what simulate, static or static_path gave"
                )
            options["begin"] = start_from_state(mechanism, start.motion.q[-1], start.motion.v[-1])
        return simulate(mechanism, until, document=self.to_dict(), **options)

    def static(self, time: float = 0.0, *, max_steps: float | None = None, max_seconds: float | None = None) -> Result:
        """Equilibrium under springs and loads, with drives and loads as at `time`, nearest to the drawn pose.

        max_steps, max_seconds: maximum number of factorisations and wall time (s) of the search."""
        from gaitwright.analysis.budget import Budget
        from gaitwright.analysis.statics.equilibrium import equilibrium_result

        budget, time = Budget(max_steps, max_seconds), ErrorContext("static", "time").finite(time, "a time in s")
        return equilibrium_result(self.mechanism(), time, document=self.to_dict(), budget=budget)

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

        control: "time" steps in t, evenly spaced (`steps`, default 20, or at given `times`), and fails at a limit
            point. "arc-length" follows the curve of equilibria through limit points, where the mechanism would snap, and
            back in t; it takes `steps` (default 50) and more in proportion to the length of the curve.
        start: s, from the equilibrium nearest to the drawn pose; or a Result, from its last pose and time.
        stop: ends the path when an output reaches a value, such as {"rod.end.y": -0.2}.
        max_steps: along the arc, after which an unfinished path is cut (default 500); `evidence.complete` is then False, and
            a warning reports its position.
        max_seconds: wall time after which the path stops with the results so far (default 3600).

        Limit and bifurcation points are in `evidence.warnings`, the number of unstable motions in "evidence.unstable"."""
        from gaitwright.analysis.budget import Budget
        from gaitwright.analysis.statics.quasi_static_path import static_path

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

        count: number of lowest modes; default all, or 20 for a model with more than 4000 coordinates."""
        from gaitwright.analysis.budget import Budget
        from gaitwright.analysis.modes import find_modes

        budget, time = Budget(max_steps, max_seconds), ErrorContext("modes", "time").finite(time, "a time in s")
        return find_modes(self.mechanism(), time, count, document=self.to_dict(), budget=budget)

    def analyse(self, progress: Any = None) -> Any:
        """Run the analysis of the document (section `analysis`); see model/analysis_runner.py."""
        from gaitwright.model.analysis_runner import run_analysis

        return run_analysis(self, progress)

    def draw(self, path: str | Path) -> Path:
        """Write a PNG picture of the assembled mechanism; of the drawn pose if it cannot be closed."""
        from gaitwright.analysis.model_check import draw_pose

        return draw_pose(self.mechanism(), path)

    def _repr_html_(self) -> str | None:
        """HTML for notebooks; None if the model cannot be shown."""
        from gaitwright.report.views.notebook_cards import model_card

        return model_card(self)


def compile_model(model: Model) -> CompiledModel:
    """Compiled form of a model, made at its first use and after a change of the document. After a change of sections that do
    not concern its elements, such as contacts, it is a variant that shares them."""
    from gaitwright.model.compiled_model import SECTIONS_BESIDE_ELEMENTS, CompiledModel, copy_structure, freeze_sections

    compiled = model._compiled
    if compiled is None:
        compiled = CompiledModel(model.document)
    else:
        sections, previous = freeze_sections(model.document), compiled
        changed = {name for name, value in sections.items() if value != previous.sections[name]}
        if changed and previous.is_checked and changed <= SECTIONS_BESIDE_ELEMENTS:
            compiled = previous.variant(**{name: copy_structure(getattr(model.document, name)) for name in changed})
        elif changed:
            compiled = CompiledModel(model.document)
    model._compiled = compiled
    return compiled


def model_of_document(document: ModelDocument) -> Model:
    """Model of a validated document."""
    model = Model.__new__(Model)
    model.document = document
    return model


def model_of_compiled(compiled: CompiledModel) -> Model:
    """Model with the document and the analyses of a compiled one."""
    from gaitwright.model.compiled_model import copy_structure

    model = model_of_document(copy_structure(compiled.document))
    model._compiled = compiled
    return model


def require_compilable(model: Model) -> Model:
    """Return the model; ModelError for errors that apply to all its variants, such as an unknown output."""
    compile_model(model).mechanism()
    return model


def make_variant(model: Model, values: Mapping[str, float]) -> Model:
    """Model with other numbers for some of its parameters, without repeated validation and plausibility checks: for sweeps."""
    return model_of_compiled(compile_model(model).variant(values))


def _count_touching(document: Any) -> int:
    """Number of contact points in a model, as far as its document contains them."""
    lists = ("points", "spheres")
    return sum(max(1, *(len(getattr(contact, name, None) or ()) for name in lists)) for contact in document.contacts)


def require_model(value: Any, caller: str) -> Model:
    """Return the model; ModelError if another object is given, such as the name of a file."""
    return (
        value
        if isinstance(value, Model)
        else ErrorContext(caller).fail("is not given a model", value, "a gw.Model, or gw.load(file)")
    )


def sample_times(until: float | None, step: float) -> np.ndarray:
    """Evenly spaced times from 0 to `until`, s, approximately `step` apart."""
    context = ErrorContext("analysis")
    until, step = context["until"].positive(until, "s"), context["step"].positive(step, "s")
    if until / step > MAX_SAMPLES:
        expected = f"a step of at least {until / MAX_SAMPLES:.2g} s"
        context["step"].fail(f"asks for {until / step:.2g} samples", step, expected)
    count = max(1, round(until / step))
    return np.linspace(0.0, until, count + 1)
