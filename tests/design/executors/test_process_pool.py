"""Worker processes that crash: the job that causes it is retried and given up, no other is lost; workers end with their
parent."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gaitwright.design.executors import process_pool
from gaitwright.design.executors.process_pool import JobCrashed, ProcessPool

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def doubled(task: Any, job: int) -> int:
    return task * job


def test_results_have_the_index_of_their_job():
    with ProcessPool(2, doubled, 2) as pool:
        assert dict(pool.results(range(1000))) == {k: 2 * k for k in range(1000)}
        assert dict(pool.results([7])) == {0: 14}  # the same processes are used again
        assert dict(pool.results([])) == {}


def deadly(task: dict[int, int], job: int) -> int:
    """task: {job: exit code, or minus a signal}."""
    how = task.get(job)
    if how is not None and how < 0:
        os.kill(os.getpid(), -how)
    elif how is not None:
        os._exit(how)
    return job


@posix
def test_a_job_that_crashes_its_worker_is_retried_and_given_up():
    """Also for jobs that are sent in one chunk, and for several such jobs."""
    ways = {3: 7, 50: -signal.SIGKILL, 51: -signal.SIGUSR1, 299: 1}
    with ProcessPool(2, deadly, ways) as pool:
        found = dict(pool.results(range(300)))
    died = {k: result.reason for k, result in found.items() if isinstance(result, JobCrashed)}
    assert died == {
        3: "process died, and again when it was tried once more: exit code 7",
        50: "process died, and again when it was tried once more: SIGKILL, as when memory runs out",
        51: "process died, and again when it was tried once more: SIGUSR1",
        299: "process died, and again when it was tried once more: exit code 1",
    }
    assert [k for k in range(300) if k not in died] == sorted(k for k, result in found.items() if result == k)


def deadly_once(task: Path, job: int) -> int:
    if job == 5 and not task.exists():
        task.write_text("it was here")
        os._exit(1)
    return job


def test_a_single_crash_loses_no_job(tmp_path: Path):
    with ProcessPool(2, deadly_once, tmp_path / "mark") as pool:
        assert dict(pool.results(range(20))) == {k: k for k in range(20)}


@posix
def test_a_process_killed_from_outside_loses_no_job():
    """As by the system when memory runs out: the current job is repeated."""
    with ProcessPool(2, doubled, 1) as pool:
        found = {}
        for k, result in pool.results(range(400)):
            if k in (20, 200):
                os.kill(pool.members[0].process.pid, signal.SIGKILL)
            found[k] = result
    assert found == {k: k for k in range(400)}


def test_waiting_can_be_interrupted():
    """By the callback `tick`, also while a job does not end; the processes are ended then."""

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ProcessPool(2, asleep, None) as pool:
        list(pool.results(range(4), stop))
    assert pool.members == []


def asleep(task: Any, job: int) -> None:
    time.sleep(600)


PARENT = """
import os, sys, time
from gaitwright.design.executors.process_pool import ProcessPool
def endless(task, job):
    os.write(1, b"%d\\n" % os.getpid())
    {work}
with ProcessPool(2, endless, None) as pool:
    list(pool.results(range(2)))
"""
COMPILED = """
    import numba
    @numba.njit
    def spin():
        x = 0.0
        while x >= 0.0:
            x += 1e-9
            if x > 1.0:
                x = 0.0
        return x
    spin()
"""


def alive(process: int) -> bool:
    """True if the process runs; False for a zombie process."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@posix
@pytest.mark.parametrize("work", ["time.sleep(600)", COMPILED], ids=["python", "compiled"])
def test_workers_end_when_their_parent_is_killed(work: str):
    """Neither a sleeping worker nor one in compiled code, which holds the interpreter's lock."""
    if work == COMPILED and sys.platform != "linux":
        pytest.skip("only Linux ends processes that never come back to the interpreter")
    script = PARENT.format(work=work)
    running = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    try:
        workers = [int(running.stdout.readline()) for _ in range(2)]
        assert all(map(alive, workers))
    finally:
        running.kill()
    # The pipe ends when the last process that could write to it has ended.
    assert running.stdout.read() == ""
    running.wait()
    deadline = time.monotonic() + 60
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(alive, workers))


@posix
def test_workers_ignore_keyboard_interrupts():
    """Ctrl-C in a terminal is sent to all processes of a command; only the parent process decides whether to stop."""
    with ProcessPool(1, interrupted_once, None) as pool:
        assert dict(pool.results(range(3))) == {0: 0, 1: 1, 2: 2}


def interrupted_once(task: Any, job: int) -> int:
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGHUP)
    return job


STARTED_ANEW = """
import warnings
import numpy as np
import gaitwright as gw
from gaitwright.design.executors import process_pool
from gaitwright.mechanisms import four_bar

process_pool.choose_start_method = lambda: "spawn"      # as on Windows and macOS
warnings.simplefilter("error")

def model():
    asked = {{"parameters": {{"w": 1.0}}, "analysis": {{"type": "kinematic", "until": 0.02}}}}
    return gw.Model.from_dict({{**four_bar().to_dict(), **asked}})

def largest(run):
    return {{"largest": float(np.abs(run.array("crank.torque")).max())}}

def main():
    data = gw.sweep(model(), {{"w": [1.0, 2.0, 3.0, 4.0]}}, measures={measure}, workers=2)
    print(*sorted(set(data["failure"].values)), np.isfinite(data["largest"]).sum().item())

{guard}
    main()
"""
GUARD = "if __name__ == '__main__':"
ANEW = {
    "a function of the script": ("largest", GUARD, "^ *4$", r"\A(?!(?s:.*Warning))"),
    "a function written in place": (
        "lambda run: largest(run)", "warnings.simplefilter('always')\n" + GUARD, "^ *4$",
        r"cannot be sent to other processes .*lambda.*this process runs all jobs",
    ),
    "a script without a guard": ("largest", "if True:", "died before it began: exit code 1; is the call .*__main__.* 1$", ""),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", ANEW)
def test_spawned_processes(case: str, tmp_path: Path):
    measure, guard, printed, warned = ANEW[case]
    script = tmp_path / "script.py"
    script.write_text(STARTED_ANEW.format(measure=measure, guard=guard), encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300)
    assert re.search(printed, done.stdout.strip().splitlines()[-1]), done.stdout + done.stderr
    assert re.search(warned, done.stderr), done.stderr


@pytest.mark.parametrize(
    ("platform", "methods", "method"),
    [("linux", ["fork", "spawn"], "fork"), ("darwin", ["spawn", "fork"], "spawn"), ("win32", ["spawn"], "spawn")],
)
def test_processes_are_forked_only_where_it_is_safe(monkeypatch, platform: str, methods: list[str], method: str):
    monkeypatch.setattr(process_pool.sys, "platform", platform)
    monkeypatch.setattr(process_pool.multiprocessing, "get_all_start_methods", lambda: methods)
    assert process_pool.choose_start_method() == method
