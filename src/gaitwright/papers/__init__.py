"""Each paper's experiments, run again, with a verdict per published number. `gaitwright reproduce NAME|all`.

An experiment is one module with a function `run(progress=None) -> Experiment`; see check.py for what that is. The command line
needs their names whatever it is asked for; all else is imported when it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitwright.on_demand import on_demand

if TYPE_CHECKING:
    from gaitwright.papers.reproduced import (
        by_paper,
        chosen,
        complaint,
        one_by_one,
        reproduce,
        show,
        told,
        write_papers,
    )

__all__ = [
    "ALL", "EXPERIMENTS", "by_paper", "chosen", "complaint", "one_by_one", "reproduce", "show", "told", "write_papers",
]  # fmt: skip

EXPERIMENTS = {
    "slider-crank": "gaitwright.papers.slider_crank_contact",
    "integrators": "gaitwright.papers.integrators",
    "knee-support": "gaitwright.papers.knee_support",
    "cfrp-beam": "gaitwright.papers.cfrp_beam",
    "back-support": "gaitwright.papers.back_support",
    "falling-ball": "gaitwright.papers.falling_ball",
    "slider-crank-impact": "gaitwright.papers.slider_crank_impact",
    "walking-legs": "gaitwright.papers.walking_legs",
    "horse-leg": "gaitwright.papers.horse_leg",
    "bouncing-ball": "gaitwright.papers.bouncing_ball",
    "solid-ball": "gaitwright.papers.solid_ball",
    "condensation": "gaitwright.papers.condensation",
    "foot": "gaitwright.papers.foot",
}
"""Name and module."""
ALL = "all"

_WHERE = {"reproduced": "by_paper chosen complaint one_by_one reproduce show told write_papers"}

__getattr__, __dir__ = on_demand(__name__, _WHERE)
