"""The table of analysis options agrees with the functions, the model file, the documentation and the help texts."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import gaitwright as gw
from gaitwright.analysis.forward import DEFAULT_TOLERANCE, simulate
from gaitwright.analysis.options import ANALYSES, ANALYSIS_OPTIONS, options_of, options_table
from gaitwright.integrate import load_all
from gaitwright.model.spec.document import AnalysisSpec

RUN_ARGUMENTS = {"mechanism", "begin", "document", "budget", "progress"}
"""Arguments of `simulate` that are no options."""
BUDGET = {"max_steps", "max_seconds"}
"""Options that reach `simulate` as its budget."""


def test_options_of_forward_dynamics_are_the_arguments_of_simulate():
    parameters = inspect.signature(simulate).parameters
    assert {*options_of("forward")} - BUDGET == {*parameters} - RUN_ARGUMENTS
    for name in {*options_of("forward")} - BUDGET - {"until"}:
        default = parameters[name].default
        assert default is None or default == ANALYSIS_OPTIONS[name].default, name
    assert ANALYSIS_OPTIONS["tolerance"].default == DEFAULT_TOLERANCE


@pytest.mark.parametrize("analysis", ["kinematics", "static_path", "modes"])
def test_options_of_other_analyses_are_arguments_of_their_methods(analysis: str):
    kind = {"kinematics": "kinematic", "static_path": "static", "modes": "modes"}[analysis]
    assert {*options_of(kind)} <= {*inspect.signature(getattr(gw.Model, analysis)).parameters}


def test_path_has_the_default_of_the_table():
    assert inspect.signature(gw.Model.static_path).parameters["control"].default == ANALYSIS_OPTIONS["control"].default


def test_model_file_has_the_options_and_the_type():
    assert [*AnalysisSpec.model_fields] == ["type", *(n for n, o in ANALYSIS_OPTIONS.items() if o.in_files)]
    for analysis in ANALYSES:
        assert AnalysisSpec(type=analysis).type == analysis


@pytest.mark.parametrize("name", [name for name, option in ANALYSIS_OPTIONS.items() if option.choices])
def test_model_file_accepts_every_choice_and_no_other(name: str):
    for choice in ANALYSIS_OPTIONS[name].choices:
        assert getattr(AnalysisSpec(**{name: choice}), name) == choice
    with pytest.raises(ValueError, match="Input should be"):
        AnalysisSpec(**{name: "no choice"})


def test_every_description_and_default_is_complete():
    for name, option in ANALYSIS_OPTIONS.items():
        assert option.description and not option.description.endswith(".") and option.default_text, name
        assert {*option.analyses} <= {*ANALYSES} and "](" not in option.plain_text, name
    assert ANALYSIS_OPTIONS["method"].default.split(",")[0] in load_all()


def test_documentation_contains_the_table():
    page = Path(__file__).parents[2] / "docs" / "model-file.md"
    assert options_table() in page.read_text(), "run `python -m gaitwright.analysis.options` and paste the table"


def test_docstring_of_simulate_lists_the_options():
    doc = gw.Model.simulate.__doc__ or ""
    for name, option in options_of("forward").items():
        assert f"{name}, {option.unit_text}" in doc if option.unit_text else name in doc
    assert "spectral_radius. damping of generalized-alpha, from 0 to 1; default 0.8." in doc
