"""What holds for all tests: long ones first, one thread, garbage looked for among new things alone, nothing compiled ahead, and
arrays compared as arrays."""

from __future__ import annotations

import gc
import os
from typing import Any

import pytest

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
"""Read when NumPy is imported, so set before. Tests run side by side: a product of two vectors that waits for a second thread,
turning round and round, takes twice the time of the processor."""

import numpy as np  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from gaitwright.compiled.ahead import HELPER  # noqa: E402

os.environ.setdefault(HELPER, "1")
"""The tests keep all cores busy: another process that compiles what this one will need last would only cost its start. Tests of
compiling ahead take this away."""

settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")
"""Hypothesis measures wall time, which depends on what else the machine does."""


YOUNG = 20_000
"""New things after which the collector of garbage looks."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests first, so that the last ones are short and the processes end together. Those of a file stay together. Before
    all come the experiments of papers, whose long runs several files read: what another process takes over is taken from the
    end, so that one process has them all."""
    items.sort(
        key=lambda item: (item.path.parent.name != "papers", item.get_closest_marker("slow") is None),
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Ten thousand tests and all that they import stay until the end; the collector need not look through them again, nor
    after every 700 new things, which is when a test has hardly begun: a tenth of the time of short tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)


Approximate: Any = type(pytest.approx(np.zeros(2)))
_one_by_one = Approximate.__eq__


def as_arrays(self: Any, actual: Any) -> bool:
    """Whether all numbers of an array are within the tolerance: pytest looks at one after the other, 20,000 in a second. What
    is not plainly true (another shape, infinity, gaps, a difference) is left to pytest."""
    wanted = self.expected
    if (
        isinstance(actual, np.ndarray)
        and actual.shape == wanted.shape
        and {actual.dtype.kind, wanted.dtype.kind} <= set("fi")
    ):
        within = 1e-12 if self.abs is None else self.abs
        if self.rel is not None or self.abs is None:
            within = np.maximum(within, (1e-6 if self.rel is None else self.rel) * np.abs(wanted))
        with np.errstate(all="ignore"):
            if np.all(np.abs(actual - wanted) <= within) and np.all(np.isfinite(within)):
                return True
    return _one_by_one(self, actual)


Approximate.__eq__ = as_arrays
