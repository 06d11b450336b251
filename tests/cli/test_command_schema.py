"""The analyses of the command line as data."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from gaitwright.cli.command_schema import ANALYSES, EXCLUDED_OPTIONS, describe_analyses
from gaitwright.cli.main import app, command_names

OTHERS = {"demo", "example", "mesh", "reproduce", "bench", "studio", "import", "export", "trials"}
"""Commands without a user's model, and those with several files."""


def test_every_analysis_is_offered_with_its_options():
    found = {command["name"]: command for command in json.loads(json.dumps(describe_analyses()))}
    assert set(found) == {name.replace("_", "-") for name in command_names()} - OTHERS
    options = {option["name"]: option for option in found["optimise"]["options"]}
    assert options["parameters"] | {"help": ""} == {
        "name": "parameters", "flag": "--parameter", "type": "text", "many": True, "needed": True, "default": None, "help": "",
        "metavar": "NAME=LOW:HIGH",
    }  # fmt: skip
    assert (options["budget"]["type"], options["changes"]["flag"]) == ("int", "--set")
    assert {name: command["models"] for name, command in found.items() if command["models"] != 1} == {
        "compare": "many", "gait": 0, "foot": 0,
    }  # fmt: skip
    assert not set(EXCLUDED_OPTIONS) & {option["name"] for command in found.values() for option in command["options"]}
    assert all(option["help"] for command in found.values() for option in command["options"])


@pytest.mark.parametrize("command", [command.__name__.replace("_", "-") for command in ANALYSES])
def test_every_flag_belongs_to_its_command(command):
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "400", "TERM": "dumb"}).output
    flags = [option["flag"] for entry in describe_analyses() if entry["name"] == command for option in entry["options"]]
    for flag in filter(None, flags):
        assert flag.partition("/")[0] in shown
