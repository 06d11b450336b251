"""Settings for all tests: long tests first, one thread, garbage collection of new objects only, no ahead-of-time
compilation, and comparison of arrays as arrays."""

from __future__ import annotations

import gc
import os
from typing import Any

import pytest

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
"""Set before NumPy is imported, which reads it. Tests run side by side: a vector product that waits actively for a
second thread takes twice the processor time."""

import numpy as np  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from gaitwright.jit.precompilation import HELPER_ENVIRONMENT_VARIABLE  # noqa: E402

os.environ.setdefault(HELPER_ENVIRONMENT_VARIABLE, "1")
"""The tests keep all cores busy, so a process that compiles ahead would only cost its start. Tests of ahead-of-time
compilation remove this setting."""

settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")
"""Hypothesis measures wall time, which depends on the load of the machine."""


YOUNG = 20_000
"""Number of new objects that triggers garbage collection."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order slow tests first, so that the last ones are short and the processes end together; tests of a file stay
    together. Experiments of papers come before all others, because several files share their long runs: other
    processes take work from the end of the queue, so that one process keeps all of them."""
    items.sort(
        key=lambda item: (item.path.parent.name != "reproductions", item.get_closest_marker("slow") is None),
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Freeze the ten thousand tests and their imports for the garbage collector, and raise its threshold from 700
    new objects. This saves a tenth of the time of short tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)


Approximate: Any = type(pytest.approx(np.zeros(2)))
_one_by_one = Approximate.__eq__


def as_arrays(self: Any, actual: Any) -> bool:
    """Return whether all numbers of an array are within the tolerance; pytest itself compares only 20,000 numbers
    per second. Arrays that are not clearly equal (another shape, infinity, NaN, a difference) are left to pytest."""
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
