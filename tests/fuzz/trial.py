"""What every mutated input must do: run, or be refused in one sentence; and the case is kept when it does neither.

GAITWRIGHT_FUZZ=100 tries a hundred times as many cases, other ones each time (make fuzz)."""

from __future__ import annotations

import faulthandler
import hashlib
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from gaitwright.errors import LONGEST, AnalysisError, GaitwrightError

try:
    import resource
except ImportError:  # not on Windows
    resource = None

FACTOR = float(os.environ.get("GAITWRIGHT_FUZZ", "1"))
OUT = Path(os.environ.get("GAITWRIGHT_FUZZ_OUT", "fuzz-output"))
HANGS = 120.0
"""Seconds after which a case counts as one without end: the process shows where it is, and stops. Budgets of runs are two
seconds; the rest is compilation on a busy machine."""
ROOM = 6 << 30
"""Bytes of address space that a case may take on top of what the process has."""

randoms = st.randoms(use_true_random=False)
"""Randomness that Hypothesis chooses, and shrinks when a case fails."""


def cases(count: int) -> Any:
    """Settings of a test with about so many cases: always the same ones in `make test`, new ones in `make fuzz`."""
    quiet = list(HealthCheck)
    phases = [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink]
    return settings(max_examples=max(1, int(count * FACTOR)), derandomize=FACTOR == 1.0, deadline=None, database=None,
                    suppress_health_check=quiet, phases=phases)  # fmt: skip


@contextmanager
def case(content: str | bytes, ending: str) -> Iterator[Path]:
    """A file with the case. It stays where it is, and is named, when the case fails, hangs or ends the process."""
    OUT.mkdir(exist_ok=True)
    content = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    path = OUT / f"{hashlib.sha256(content).hexdigest()[:12]}{ending}"
    path.write_bytes(content)
    faulthandler.dump_traceback_later(HANGS, exit=True)
    try:
        with warnings.catch_warnings(), _little_memory():
            warnings.simplefilter("ignore")
            yield path
    except BaseException as error:
        raise AssertionError(f"{path}: {type(error).__name__}: {str(error)[:300]}") from error
    finally:
        faulthandler.cancel_dump_traceback_later()
    path.unlink()


@contextmanager
def _little_memory() -> Iterator[None]:
    """Where the system can be asked for it: a case that takes too much ends with a MemoryError, not with the machine."""
    if resource is None or not Path("/proc/self/statm").exists():
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def attempt(work: Callable[[], Any]) -> Any:
    """What the work gives, or None where it was refused as it should be. Everything else is raised."""
    try:
        return work()
    except GaitwrightError as error:
        text = str(error)
        assert 0 < len(text) <= LONGEST and "\n" not in text, f"a message of {len(text)} characters"
        if isinstance(error, AnalysisError) and error.partial is not None:
            require_numbers(error.partial)
        return None


def require_numbers(result: Any) -> None:
    """No NaN in a result, but where nothing has a value: the point of application of a contact that is open, and quantities of
    the model's own that are made of it."""
    if hasattr(result, "frequencies"):
        assert np.all(np.isfinite(result.frequencies)), "a frequency is not finite"
        result.summary()
        return
    for name, values in zip(result.motion._fields, result.motion, strict=True):
        assert np.all(np.isfinite(values)), f"{name} is not finite"
    summary = result.summary()
    for what in ("final", "max_abs", "energy"):
        missing = [name for name, value in summary[what].items() if value is None or not np.isfinite(value)]
        missing = [name for name in missing if what == "energy" or not may_be_undefined(result, name)]
        assert not missing, f"{what} of {missing[:3]} is not finite"


def may_be_undefined(result: Any, name: str) -> bool:
    """Whether an output has no value at some times: see `require_numbers`."""
    if any(name == quantity.name for quantity in result.mechanism.quantities):
        return True
    return result.catalogue[name].description.endswith("of the point of application")
