"""Table of the options of analyses.

The section `analysis` of a model file, the checks, the docstring of `Model.simulate`, help texts of commands and of the
studio, and the table of docs/model-file.md are made from it. `python -m gaitwright.analysis.options` prints that table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from gaitwright.analysis.budget import MAX_SECONDS, MAX_STEPS

F = TypeVar("F", bound=Callable[..., Any])

MOTION_ANALYSES = ("kinematic", "inverse", "forward")
"""Analyses with many output times."""
INTEGRATED_ANALYSES = ("inverse", "forward")
"""Analyses that integrate; an inverse analysis does so if degrees of freedom remain."""
ANALYSES = ("kinematic", "forward", "inverse", "static", "modes")
DEFAULT_END_TIME_S = 1.0
"""Default end time of a run, s."""
BAUMGARTE_RATE_PER_S = 15.0
"""Default alpha and beta, 1/s: the thesis's alpha (003 Table 4.1), and beta = alpha, which damps a violation
critically: it decays within about 1/15 s, slow against steps of 1 ms, so that explicit methods stay stable."""
DOCS_LINK_PATTERN = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class AnalysisOption(NamedTuple):
    """One option. analyses: types of analysis that use it. description: text with links relative to docs/. default: value, or
    text where it depends on other options. unit: "1" for plain numbers, None if the value is no number. choices: valid names.
    in_files: False for options of Python only."""

    analyses: tuple[str, ...]
    description: str
    default: Any
    unit: str | None = None
    choices: tuple[str, ...] = ()
    in_files: bool = True

    @property
    def plain_text(self) -> str:
        """Description without links, for help texts."""
        return DOCS_LINK_PATTERN.sub(r"\1", self.description)

    @property
    def unit_text(self) -> str:
        """Unit; empty for plain numbers and other values."""
        return "" if self.unit in (None, "1") else self.unit

    @property
    def default_text(self) -> str:
        value = f"{self.default:g}" if isinstance(self.default, float) else str(self.default)
        return f"{value} {self.unit_text}".strip() if isinstance(self.default, float) else value


ANALYSIS_OPTIONS = {
    "until": AnalysisOption(
        (*MOTION_ANALYSES, "static"),
        "end of the run; of a static analysis: end of a path of equilibria, without it one equilibrium at t = 0",
        DEFAULT_END_TIME_S, "s",
    ),
    "step": AnalysisOption(
        MOTION_ANALYSES,
        "step of fixed-step methods, sampling of kinematic and inverse analyses, spacing of the outputs of adaptive methods",
        "1e-3 s; until/1000 for samples", "s",
    ),
    "method": AnalysisOption(
        INTEGRATED_ANALYSES, "method of integration: [choosing a method](theory/methods.md)",
        "dopri5, or generalized-alpha when a step is given",
    ),
    "stabilisation": AnalysisOption(
        INTEGRATED_ANALYSES, "method that keeps joints closed on [index 1](theory/methods.md#index-1-and-stabilisation)",
        "projection; none for methods on index 3 and for velocities at midpoints", None,
        ("none", "baumgarte", "projection", "partitioning"),
    ),
    "alpha": AnalysisOption(INTEGRATED_ANALYSES, "rate of the stabilisation baumgarte", BAUMGARTE_RATE_PER_S, "1/s"),
    "beta": AnalysisOption(INTEGRATED_ANALYSES, "second rate of the stabilisation baumgarte", "alpha", "1/s"),
    "tolerance": AnalysisOption(
        INTEGRATED_ANALYSES,
        "of adaptive methods: error per step of each coordinate, relative to its size plus that of the mechanism; "
        "of fixed-step methods: accuracy of impacts",
        1e-8, "1",
    ),
    "output_step": AnalysisOption(
        INTEGRATED_ANALYSES, "spacing of the outputs of adaptive methods; 0 keeps every step, for plots of impacts",
        "until/1000", "s",
    ),
    "spectral_radius": AnalysisOption(INTEGRATED_ANALYSES, "damping of generalized-alpha, from 0 to 1", 0.8, "1"),
    "complementarity": AnalysisOption(
        INTEGRATED_ANALYSES, "solver for the impulses of moreau", "lemke", None, ("lemke", "pgs")
    ),
    "joint_velocities": AnalysisOption(
        INTEGRATED_ANALYSES,
        "instant in a step of moreau at which the velocities satisfy the joints; midpoint as paper 003 prints the scheme "
        "([less accurate](theory/contact.md#rigid-contact-the-method-moreau), without projection)",
        "end", None, ("end", "midpoint"),
    ),
    "formulation": AnalysisOption(
        INTEGRATED_ANALYSES,
        "embedding: independent coordinates without constraint forces, for comparison; with rk4, gill or euler, without "
        "contacts, and slower ([formulations](theory/methods.md#formulations))",
        "augmented", None, ("augmented", "embedding"),
    ),
    "steps": AnalysisOption(("static",), "number of steps of a path of equilibria", "20; 50 by arc-length", "1"),
    "control": AnalysisOption(
        ("static",), "parameter of a path: arc-length passes limit points ([statics](theory/statics.md))", "time", None,
        ("time", "arc-length"),
    ),
    "store": AnalysisOption(
        MOTION_ANALYSES,
        "names of outputs stored at all output times, beside energies, evidence and outputs of charts, and whole states at 50 "
        "times for pictures; or `all`: all states, from which every output is computed on request",
        "all up to 250 MB, otherwise `outputs`",
    ),
    "max_steps": AnalysisOption(
        ANALYSES,
        "maximum number of attempted steps (samples where drives prescribe the motion, factorisations on the way to an "
        "equilibrium), after which the analysis ends with the results so far ([long runs](how-to/long-runs.md))",
        f"{MAX_STEPS:.0e}; 500 by arc-length".replace("e+0", "e"), "1",
    ),
    "max_seconds": AnalysisOption(
        ANALYSES, "maximum wall time after which the analysis ends with the results so far", MAX_SECONDS, "s"
    ),
    "every": AnalysisOption(
        INTEGRATED_ANALYSES,
        "store every n-th fixed step; 0 also stores the parts into which contacts divide steps", 1, "1", (), False,
    ),
    "max_step": AnalysisOption(INTEGRATED_ANALYSES, "largest step of adaptive methods", "none", "s", (), False),
}  # fmt: skip
"""Options by name, in the order of model files."""


def options_of(analysis: str) -> dict[str, AnalysisOption]:
    """Options of one type of analysis, by name."""
    return {name: option for name, option in ANALYSIS_OPTIONS.items() if analysis in option.analyses}


def document_options(analysis: str) -> Callable[[F], F]:
    """Decorator that appends the options of an analysis to a docstring."""

    def decorate(function: F) -> F:
        lines = []
        for name, option in options_of(analysis).items():
            unit = f", {option.unit_text}" if option.unit_text else ""
            choices = f": {', '.join(option.choices)}" if option.choices else ""
            lines.append(f"{name}{unit}{choices}. {option.plain_text}; default {option.default_text}.")
        function.__doc__ = f"{function.__doc__}\n\n        options:\n        " + "\n        ".join(lines)
        return function

    return decorate


def options_table() -> str:
    """Table of all options in Markdown."""
    rows = ["| option | unit or values | analyses | meaning | default |", "| --- | --- | --- | --- | --- |"]
    for name, option in ANALYSIS_OPTIONS.items():
        values = ", ".join(option.choices) or option.unit_text
        analyses = "all" if option.analyses == ANALYSES else ", ".join(option.analyses)
        text = option.description if option.in_files else f"(Python only) {option.description}"
        rows.append(f"| {name} | {values} | {analyses} | {text} | {option.default_text} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(options_table())
