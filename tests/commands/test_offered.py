"""The analyses of the command line as data."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from gaitwright.cli import COMMANDS, app
from gaitwright.commands.offered import ANALYSES, OWN, offered

OTHERS = {"demo", "example", "urdf", "mesh", "reproduce", "bench", "studio", "import", "export", "trials"}
"""Commands that analyse no model of the user's, and those of many files."""


def test_every_analysis_is_offered_with_its_options():
    found = {command["name"]: command for command in json.loads(json.dumps(offered()))}
    assert set(found) == {command.__name__.replace("_", "-") for command in COMMANDS} - OTHERS
    options = {option["name"]: option for option in found["optimise"]["options"]}
    assert options["parameters"] | {"help": ""} == {
        "name": "parameters", "flag": "--parameter", "type": "text", "many": True, "needed": True, "default": None, "help": "",
        "metavar": "NAME=LOW:HIGH",
    }  # fmt: skip
    assert (options["budget"]["type"], options["changes"]["flag"]) == ("int", "--set")
    assert {name: command["models"] for name, command in found.items() if command["models"] != 1} == {
        "compare": "many", "gait": 0, "foot": 0,
    }  # fmt: skip
    assert not set(OWN) & {option["name"] for command in found.values() for option in command["options"]}
    assert all(option["help"] for command in found.values() for option in command["options"])


@pytest.mark.parametrize("command", [command.__name__.replace("_", "-") for command in ANALYSES])
def test_every_flag_is_one_of_the_command(command):
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "400", "TERM": "dumb"}).output
    flags = [option["flag"] for entry in offered() if entry["name"] == command for option in entry["options"]]
    for flag in filter(None, flags):
        assert flag.partition("/")[0] in shown
