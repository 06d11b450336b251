"""Check of one mutated input: it must run or be refused in one sentence; otherwise the case is kept as a file.

GAITWRIGHT_FUZZ=100 tries a hundred times as many cases, with new ones each time (make fuzz)."""

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

from gaitwright._core.errors import MAX_MESSAGE_CHARACTERS, AnalysisError, GaitwrightError

try:
    import resource
except ImportError:  # not on Windows
    resource = None

FACTOR = float(os.environ.get("GAITWRIGHT_FUZZ", "1"))
OUT = Path(os.environ.get("GAITWRIGHT_FUZZ_OUT", "fuzz-output"))
HANGS = 120.0
"""Seconds after which a case counts as endless: the process prints its stack and stops. Budgets of runs are two
seconds; the rest allows for compilation on a busy machine."""
ROOM = 6 << 30
"""Bytes of address space that a case may take in addition to the current use of the process."""

randoms = st.randoms(use_true_random=False)
"""Randomness that Hypothesis controls, so that it can shrink a failing case."""


def cases(count: int) -> Any:
    """Return Hypothesis settings for about `count` cases: the same ones in every `make test`, new ones in `make
    fuzz`."""
    quiet = list(HealthCheck)
    phases = [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink]
    return settings(max_examples=max(1, int(count * FACTOR)), derandomize=FACTOR == 1.0, deadline=None, database=None,
                    suppress_health_check=quiet, phases=phases)  # fmt: skip


@contextmanager
def case(content: str | bytes, ending: str) -> Iterator[Path]:
    """Write the case to a file, which is kept and named if the case fails, hangs or ends the process."""
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
    """Limit the memory of a case if the system supports it, so that a large case raises MemoryError instead of
    exhausting the machine."""
    if resource is None or not Path("/proc/self/statm").exists():
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    used_bytes = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used_bytes + ROOM, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def attempt(work: Callable[[], Any]) -> Any:
    """Return the result of the work, or None if it was refused correctly. Any other outcome raises an exception."""
    try:
        return work()
    except GaitwrightError as error:
        text = str(error)
        assert 0 < len(text) <= MAX_MESSAGE_CHARACTERS and "\n" not in text, f"a message of {len(text)} characters"
        if isinstance(error, AnalysisError) and error.partial is not None:
            require_numbers(error.partial)
        return None


def require_numbers(result: Any) -> None:
    """Require that a result has no NaN, except in values that can be undefined: the point of application of an open
    contact, and quantities of the model that depend on it."""
    if hasattr(result, "frequencies"):
        assert np.all(np.isfinite(result.frequencies)), "a frequency is not finite"
        result.summary()
        return
    for name, values in zip(result.motion._fields, result.motion, strict=True):
        assert np.all(np.isfinite(values)), f"{name} is not finite"
    summary = result.summary()
    for group in ("final", "max_abs", "energy"):
        missing = [name for name, value in summary[group].items() if value is None or not np.isfinite(value)]
        missing = [name for name in missing if group == "energy" or not may_be_undefined(result, name)]
        assert not missing, f"{group} of {missing[:3]} is not finite"


def may_be_undefined(result: Any, name: str) -> bool:
    """Return whether an output may be undefined at some times (see `require_numbers`)."""
    if any(name == quantity.name for quantity in result.mechanism.quantities):
        return True
    return result.catalogue[name].description.endswith("of the point of application")
