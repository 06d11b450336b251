"""Test the command as a process: it runs, and Ctrl-C during its imports leaves no traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Raises Ctrl-C when a module is imported, as a user might in the first second, but independent of the clock.
INTERRUPTING = """
import os, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from gaitwright.__main__ import main
sys.argv = ["gaitwright", "example"]
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("module", ["typer", "gaitwright.cli.options", "gaitwright.mechanisms.catalogue"])
def test_ctrl_c_while_importing(module: str):
    code = INTERRUPTING.format(module=module)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 130 and ran.stderr.strip() == "error: interrupted" and ran.stdout == "", ran.stderr


def test_as_a_module():
    ran = subprocess.run([sys.executable, "-m", "gaitwright", "--version"], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0 and ran.stdout.strip(), ran.stderr
