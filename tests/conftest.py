"""What holds for all tests: long ones first, one thread, garbage looked for among new things alone, nothing compiled ahead."""

from __future__ import annotations

import gc
import os

import pytest

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
"""Read when NumPy is imported, so set before. Tests run side by side: a product of two vectors that waits for a second thread,
turning round and round, takes twice the time of the processor."""

from gaitwright.compiled.ahead import HELPER  # noqa: E402

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
