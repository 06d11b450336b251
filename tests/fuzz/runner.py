"""Fuzzing with many mutated files of all formats; a crash or an endless case ends only its own process.

    PYTHONPATH=src:tests python -m fuzz.runner --count 100000 --seed 1 --out fuzz-output

A worker, forked from a process that has imported everything, reads one file after another; the first process watches its clock,
keeps the file of a case that fails, and forks another worker when it has ended. Prints a line for each format, and exits with 1
if there are findings."""

from __future__ import annotations

import argparse
import multiprocessing
import re
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.formats import FORMATS, Case, case_of, written
from gaitwright._core.errors import MAX_MESSAGE_CHARACTERS, AnalysisError, GaitwrightError

PROCESSOR_SECONDS, WALL_SECONDS = 30.0, 240.0
"""Limits for one case; a longer time is a finding. They allow for compilation on first use and a busy machine."""
PYTHON = re.compile(
    r"Traceback|\b(?:Type|Value|Key|Index|Attribute|Name|Runtime|OS|Overflow|Recursion|Zero\w+|Memory|Assertion|Unicode\w*)Error\b"
    r"|NoneType|' object |object at 0x|has no attribute|unexpected keyword|not subscriptable|list index out of|out of range for"
    r"|invalid literal for|could not convert|not iterable|unsupported operand|not supported between|takes \d+ positional"
    r"|dtype\("
    r"|can't multiply|object is not|argument of type|unhashable|__\w+__\(|cannot unpack|not enough values to unpack|broadcast"
)
"""Words of Python's own exceptions, which no message may have unless the file has them."""


class Finding(NamedTuple):
    """kind: crash, hang, exception, Python text, message, or slow. detail: location or text of the message."""

    name: str
    number: int
    kind: str
    detail: str


def judged(case: Case, folder: Path) -> str | Finding:
    """'read' or 'refused', or a finding."""
    path = written(case, folder)
    began = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            FORMATS[case.name].read(path)
        verdict = "read"
    except GaitwrightError as error:
        verdict = "refused"
        text = str(error)
        if not 0 < len(text) <= MAX_MESSAGE_CHARACTERS or "\n" in text:
            return Finding(case.name, case.number, "message", f"{len(text)} characters: {text[:200]!r}")
        python_text = PYTHON.search(text)
        if python_text and python_text.group() not in case.content.decode("utf-8", "replace"):
            return Finding(case.name, case.number, "Python text", text[:300])
        if isinstance(error, AnalysisError) and error.partial is not None:
            error.partial.summary()
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        own_frames = [frame for frame in frames if "gaitwright" in frame.filename] or frames
        at = f"{Path(own_frames[-1].filename).name}:{own_frames[-1].lineno} {own_frames[-1].name}"
        return Finding(case.name, case.number, "exception", f"{type(error).__name__} at {at}: {str(error)[:200]}")
    spent = time.process_time() - began
    if spent > PROCESSOR_SECONDS:
        return Finding(case.name, case.number, "slow", f"{spent:.0f} s of processor time")
    return verdict


def _work(jobs: Any) -> None:
    """Run a worker: receive functions with arguments from a pipe and send their results back."""
    while (job := jobs.recv()) is not None:
        function, *arguments = job
        jobs.send(function(*arguments))


class Worker:
    """A forked process that calls functions of modules, one after another; another one takes its place when it has ended."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="gaitwright-fuzz-")
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")
        self.pipe, worker_pipe = context.Pipe()
        self.process: Any = context.Process(target=_work, args=(worker_pipe,), daemon=True)
        self.process.start()
        worker_pipe.close()

    def call(self, function: Callable[..., Any], *arguments: Any, wall: float = WALL_SECONDS) -> Any:
        """Return the result of the function; raise ProcessEnded if it ends the process or does not return within
        `wall` seconds."""
        try:
            self.pipe.send((function, *arguments))
            if self.pipe.poll(wall):
                return self.pipe.recv()
            why = ProcessEnded("hang", f"no end within {wall:g} s")
        except (EOFError, OSError):
            self.process.join(5.0)
            why = ProcessEnded("crash", f"the process ended with {self.process.exitcode}")
        self.process.kill()
        self.process.join()
        self._start()
        raise why

    def judge(self, case: Case) -> str | Finding:
        """'read' or 'refused', or a finding."""
        try:
            return self.call(judged, case, Path(self.folder))
        except ProcessEnded as ended:
            return Finding(case.name, case.number, *ended.args)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        shutil.rmtree(self.folder, ignore_errors=True)


class ProcessEnded(Exception):
    """kind: 'crash' or 'hang'. detail."""


def plan(count: int, names: Iterable[str] = FORMATS) -> dict[str, int]:
    """Cases of each format, by their shares."""
    shares = {name: FORMATS[name].share for name in names}
    whole = sum(shares.values())
    return {name: max(1, round(count * share / whole)) for name, share in shares.items()}


def run(wanted: dict[str, int], seed: int, first: int = 0) -> Iterator[tuple[str, int, str | Finding]]:
    """Verdicts of cases, format after format."""
    for name in wanted:
        case_of(name, 0, seed)  # seeds are made before the fork
    worker = Worker()
    try:
        for name, count in wanted.items():
            for number in range(first, first + count):
                yield name, number, worker.judge(case_of(name, number, seed))
    finally:
        worker.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000, help="cases over all formats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case of each format")
    parser.add_argument("--formats", nargs="*", default=list(FORMATS), metavar="FORMAT")
    parser.add_argument("--out", type=Path, default=Path("fuzz-output"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    counts: dict[str, Counter[str]] = {}
    findings, began = 0, time.monotonic()
    said: Counter[tuple[str, str, str]] = Counter()
    wanted, latest = plan(options.count, options.formats), ""
    for name, number, verdict in run(wanted, options.seed, options.first):
        if name != latest:
            _say(latest, counts, began)
            latest, began = name, time.monotonic()
        kind = verdict if isinstance(verdict, str) else verdict.kind
        counts.setdefault(name, Counter())[kind] += 1
        if isinstance(verdict, Finding):
            findings += 1
            about = (name, kind, re.sub(r"\d+", "0", verdict.detail)[:80])
            said[about] += 1
            if said[about] <= 3:
                case = case_of(name, number, options.seed)
                ending = Path(f"case{FORMATS[name].ending}").suffix
                stem = re.sub(r"[ .]+", "-", name)
                path = options.out / f"{stem}-{options.seed}-{number}{ending}"
                path.write_bytes(case.content)
                print(f"  {path.name}: {kind}: {verdict.detail}", flush=True)
    _say(latest, counts, began)
    whole = sum((Counter(one) for one in counts.values()), Counter())
    print(f"{sum(whole.values())} cases: " + ", ".join(f"{n} {kind}" for kind, n in whole.most_common()))
    sys.exit(1 if findings else 0)


def _say(name: str, counts: dict[str, Counter[str]], began: float) -> None:
    if name:
        found = counts[name]
        shown = ", ".join(f"{found[kind]} {kind}" for kind in found)
        print(f"{name}: {sum(found.values())} cases in {time.monotonic() - began:.0f} s: {shown}", flush=True)


if __name__ == "__main__":
    main()
