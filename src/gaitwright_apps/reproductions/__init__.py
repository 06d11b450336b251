"""Reproduction of the papers' experiments, with a verdict per published number. `gaitwright reproduce NAME|all`.

An experiment is one module with a function `run(progress=None) -> Experiment`; see experiments.py. The command line
always needs the names; everything else is imported on demand.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

EXPERIMENTS = {
    "slider-crank": "gaitwright_apps.reproductions.slider_crank_contact",
    "integrators": "gaitwright_apps.reproductions.integrators",
    "knee-support": "gaitwright_apps.reproductions.knee_support",
    "cfrp-beam": "gaitwright_apps.reproductions.cfrp_beam",
    "back-support": "gaitwright_apps.reproductions.back_support",
    "falling-ball": "gaitwright_apps.reproductions.falling_ball",
    "slider-crank-impact": "gaitwright_apps.reproductions.slider_crank_impact",
    "walking-legs": "gaitwright_apps.reproductions.walking_legs",
    "horse-leg": "gaitwright_apps.reproductions.horse_leg",
    "bouncing-ball": "gaitwright_apps.reproductions.bouncing_ball",
    "solid-ball": "gaitwright_apps.reproductions.solid_ball",
    "condensation": "gaitwright_apps.reproductions.condensation",
    "foot": "gaitwright_apps.reproductions.foot",
}
"""Modules by experiment name."""
ALL_EXPERIMENTS = "all"
