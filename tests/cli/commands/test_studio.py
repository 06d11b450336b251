"""Command `studio`: opened folder and model, and the warning for hosts that others can reach."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from gaitwright._core.errors import ModelError
from gaitwright.cli.commands.studio import resolve_folder_and_model
from gaitwright.cli.main import app


def test_folder_existing_file_and_new_file_are_opened(tmp_path: Path) -> None:
    (tmp_path / "leg.yaml").write_text("gaitwright: 1\n")
    assert resolve_folder_and_model(tmp_path) == (tmp_path, None)
    assert resolve_folder_and_model(tmp_path / "leg.yaml") == (tmp_path, "leg.yaml")
    assert resolve_folder_and_model(tmp_path / "new.yml") == (tmp_path, "new.yml")


@pytest.mark.parametrize("name", ["leg.txt", "nowhere", "nowhere/leg.yaml", "leg"])
def test_invalid_path_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelError, match="expected"):
        resolve_folder_and_model(tmp_path / name)


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_host_that_others_can_reach_causes_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, warned: bool
) -> None:
    class Served:
        def __init__(self, folder: Path, commands: list[object], **options: object):
            assert folder == tmp_path and options["host"] == host and len(commands) > 10

        def run(self, ready: object) -> None:
            ready("http://127.0.0.1:1/?token=abc")  # type: ignore[operator]

    monkeypatch.setattr("gaitwright.studio.server.serve.StudioServer", Served)
    said = CliRunner().invoke(app, ["studio", str(tmp_path), "--no-browser", "--host", host])
    assert said.exit_code == 0 and "token=abc" in said.stdout and "has ended" in said.stdout
    assert ("the connection is not encrypted" in said.stderr) is warned
