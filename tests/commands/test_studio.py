"""What `gaitwright studio` opens, and its warning where others could reach it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from gaitwright.cli import app
from gaitwright.commands.studio import chosen
from gaitwright.errors import ModelError


def test_a_folder_a_file_and_a_file_that_will_be_made(tmp_path: Path) -> None:
    (tmp_path / "leg.yaml").write_text("gaitwright: 1\n")
    assert chosen(tmp_path) == (tmp_path, None)
    assert chosen(tmp_path / "leg.yaml") == (tmp_path, "leg.yaml")
    assert chosen(tmp_path / "new.yml") == (tmp_path, "new.yml")


@pytest.mark.parametrize("name", ["leg.txt", "nowhere", "nowhere/leg.yaml", "leg"])
def test_what_cannot_be_opened(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelError, match="expected"):
        chosen(tmp_path / name)


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_listening_for_others_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, warned: bool
) -> None:
    class Served:
        def __init__(self, folder: Path, commands: list[object], **options: object):
            assert folder == tmp_path and options["host"] == host and len(commands) > 10

        def run(self, ready: object) -> None:
            ready("http://127.0.0.1:1/?token=abc")  # type: ignore[operator]

    monkeypatch.setattr("gaitwright.studio.server.serve.Served", Served)
    said = CliRunner().invoke(app, ["studio", str(tmp_path), "--no-browser", "--host", host])
    assert said.exit_code == 0 and "token=abc" in said.stdout and "has ended" in said.stdout
    assert ("nothing is encrypted" in said.stderr) is warned
