"""The command line, called in this process."""

from __future__ import annotations

from typing import Any

from typer.testing import CliRunner

from gaitwright.cli.main import app


def call(*arguments: Any, code: int = 0) -> Any:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == code, f"{done.exit_code}: {done.stdout} {done.stderr} {done.exception!r}"
    return done
