"""Fuzz files of every format: each is read or refused in one sentence without Python terms, without crash or endless
case.

GAITWRIGHT_FUZZ=100 tries a hundred times as many cases, with new ones each time; `python -m fuzz.runner` any number."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from fuzz.formats import FORMATS, Case, case_of, written
from fuzz.runner import Finding, ProcessEnded, Worker, judged, plan
from fuzz.trial import FACTOR, OUT

pytestmark = pytest.mark.fuzz
COUNTS = plan(int(600 * FACTOR))
SEED = 0 if FACTOR == 1.0 else time.time_ns()


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    process = Worker()
    yield process
    process.end()


@pytest.mark.parametrize("name", FORMATS)
def test_mutated_files_are_read_or_refused(name: str, worker: Worker) -> None:
    findings = []
    for number in range(COUNTS[name]):
        case = case_of(name, number, SEED)
        verdict = worker.judge(case)
        if isinstance(verdict, Finding):
            OUT.mkdir(exist_ok=True)
            written(case, OUT / f"{name.replace(' ', '-')}-{SEED}-{number}")
            findings.append(verdict)
    assert findings == []


@pytest.mark.parametrize("name", FORMATS)
def test_seeds_are_read(name: str, worker: Worker) -> None:
    """Otherwise every mutation would be refused for the same reason."""
    assert worker.call(_seeds_read, name) == []


def _seeds_read(name: str) -> list[str]:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    wrong = []
    for content in FORMATS[name].seeds():
        with TemporaryDirectory() as folder:
            verdict = judged(Case(name, 0, content), Path(folder) / "case")
            if verdict != "read":
                wrong.append(str(verdict))
    return wrong


def test_runner_survives_crashes_and_endless_cases(worker: Worker) -> None:
    with pytest.raises(ProcessEnded, match="crash"):
        worker.call(_crash)
    with pytest.raises(ProcessEnded, match="hang"):
        worker.call(time.sleep, 60, wall=0.05)
    assert worker.call(abs, -2) == 2


def _crash() -> None:
    import faulthandler
    import os

    faulthandler.disable()  # pytest's, which would print the stacks of this deliberate crash
    os.abort()


def test_words_of_python_are_findings(worker: Worker) -> None:
    FORMATS_BEFORE = FORMATS["subject.yaml"]
    try:
        FORMATS["subject.yaml"] = FORMATS_BEFORE._replace(read=_refuse_like_python)
        apart = Worker()
        verdict = apart.judge(Case("subject.yaml", 0, b"mass: 1"))
        apart.end()
    finally:
        FORMATS["subject.yaml"] = FORMATS_BEFORE
    assert isinstance(verdict, Finding) and verdict.kind == "Python text"


def _refuse_like_python(path: object) -> None:
    from gaitwright._core.errors import ModelError

    raise ModelError("unsupported operand type(s) for +: 'int' and 'str'")
