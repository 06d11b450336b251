"""What holds for all tests: long ones first, garbage looked for among new things alone, and no process that compiles ahead."""

from __future__ import annotations

import gc
import os

import pytest

from gaitwright.compiled.ahead import HELPER

os.environ.setdefault(HELPER, "1")
"""The tests keep all cores busy: another process that compiles what this one will need last would only cost its start. Tests of
compiling ahead take this away."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests first, so that the last ones are short and the processes end together. Those of a file stay together."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Ten thousand tests and all that they import stay until the end; the collector need not look through them again."""
    gc.collect()
    gc.freeze()
