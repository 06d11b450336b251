"""Experiments side by side, each in a process of its own, see design/workers.py.

What they are doing, and that they compile, they say into a queue; what they found, or why they failed, they hand over. Ctrl-C
reaches the first process, which then ends the others; what they had written before is kept.
"""

from __future__ import annotations

import importlib
import multiprocessing
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gaitwright import errors
from gaitwright.compiled import NOTICE
from gaitwright.design.workers import Died, Workers, start_method
from gaitwright.papers.check import Findings

Progress = Callable[[str, float], None]
"""Called with what is being done and the fraction that is."""
EARLY = ("slider-crank", "falling-ball")
"""Started first: together they need nearly all that the others need, but little in common, so that on a new machine hardly
anything is compiled twice."""


def findings(name: str, module: str, out: Path | None, said: Progress, **options: Any) -> Findings:
    """Run one experiment here, with options of its own; with `out`, write its numbers and pictures there."""
    experiment: Any = importlib.import_module(module)
    found = experiment.run(said, **options)
    if out is not None:
        said("drawing", 0.9)
        found.write(Path(out))
    return found.findings()


def side_by_side(
    experiments: Mapping[str, str], out: Path | None, progress: Progress | None, workers: int
) -> dict[str, Findings]:
    """Run experiments, {name: module}, some at a time; found are they in the order given."""
    names = sorted(experiments, key=lambda name: name not in EARLY)
    parts, now, found = dict.fromkeys(names, 0.0), {}, {}
    heard: Any = multiprocessing.get_context(start_method()).SimpleQueue()

    def tell() -> None:
        while not heard.empty():
            name, what, fraction = heard.get()
            if fraction is None:
                NOTICE.expect(what)  # said once, whoever compiles
            else:
                now[name], parts[name] = what, fraction
        for name in found:
            now.pop(name, None)
            parts[name] = 1.0
        if progress is not None:
            progress(", ".join(f"{name}: {what}" for name, what in now.items()), sum(parts.values()) / len(parts))

    with Workers(workers, _run, (experiments, out, heard)) as pool:
        for k, result in pool.results(names, tell):
            if not isinstance(result, Findings):
                raise_again(names[k], *(("RuntimeError", result.reason) if isinstance(result, Died) else result))
            found[names[k]] = result
            tell()
    return {name: found[name] for name in experiments}


def _run(task: tuple[Mapping[str, str], Path | None, Any], name: str) -> Findings | tuple[str, str]:
    """One experiment in a process of its own: what it found, or kind and text of its error."""
    experiments, out, heard = task
    warnings.simplefilter("ignore")  # NumPy's, of explosions that the analyses report themselves
    NOTICE.say = lambda seconds: heard.put((name, seconds, None))  # instead of printing it
    try:
        return findings(name, experiments[name], out, lambda what, fraction: heard.put((name, what, fraction)))
    except Exception as error:
        return type(error).__name__, str(error)


def raise_again(name: str, kind: str, text: str) -> None:
    """An error of another process, here: as what it was if it is one of ours."""
    known = getattr(errors, kind, None)
    if isinstance(known, type) and issubclass(known, errors.GaitwrightError):
        raise known(f"{name}: {text}")
    raise RuntimeError(f"{name}: {kind}: {text}")
