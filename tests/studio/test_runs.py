"""Runs in processes: started with command-line options, monitored, cancelled, stored."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.cli.command_schema import describe_analyses
from gaitwright.studio import processes, results, runs
from gaitwright.studio.command_line import command_line_words
from gaitwright.studio.runs import FINAL_STATES, RunManager

FOLDER = Path(__file__).parents[2] / "examples"
JANSEN = (FOLDER / "jansen.yaml").read_text()
PENDULUM = (FOLDER / "pendulum.yaml").read_text()
LONG = PENDULUM.partition("analysis:")[0] + "analysis: {type: forward, until: 1e4, step: 1e-4, method: gauss2}\n"
COMMANDS = {command["name"]: command for command in describe_analyses()}


def refused(name):
    raise ModelError(f"'{name}' is not below the folder")


@pytest.fixture
def kept(tmp_path):
    manager = RunManager(tmp_path / "runs", describe_analyses())
    yield manager
    manager.shutdown()


def wait(kept, name, until=lambda run: run["state"] in FINAL_STATES, seconds=120):
    end = time.monotonic() + seconds
    while not until(run := kept.get(name)):
        assert time.monotonic() < end, run
        time.sleep(0.05)
    return run


WORDS = {
    "numbers": ("run", {"max_steps": 10, "max_seconds": 2.5}, ["--max-steps=10", "--max-seconds=2.5"]),
    "several": ("run", {"changes": ["parameters.L=-1", "name=x"]}, ["--set=parameters.L=-1", "--set=name=x"]),
    "yes": ("run", {"report": True, "plot": False}, ["--report"]),
    "yes or no": ("walk", {"mirrored": False}, ["--as-it-is"]),
    "a pair": ("walk", {"pairs": 2, "payload_at": [-1, 2]}, ["--pairs=2", "--payload-at", "-1.0", "2.0"]),
    "a word": ("device", {"motion": "walk"}, ["--motion=walk"]),
    "a file": ("gait", {"trial": "walk.c3d", "mass": "70kg"}, ["--mass=70kg", "--", "/data/walk.c3d"]),
    "a word that is a file": ("device", {"motion": "walk.c3d"}, ["--motion=/data/walk.c3d"]),
    "a dash is a value": ("leg", {"feet": ["--help"]}, ["--foot-point=--help"]),
    "nothing": ("run", {"max_steps": None, "charts": []}, []),
}  # fmt: skip


@pytest.mark.parametrize("case", WORDS)
def test_options_become_command_line_words(case):
    command, options, words = WORDS[case]
    assert command_line_words(COMMANDS[command], options, lambda name: Path("/data") / name) == words


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("run", {"out": "/tmp"}),
        ("run", {"max_steps": "many"}),
        ("run", {"max_steps": 1.5}),
        ("run", {"report": "yes"}),
        ("run", {"changes": "name=x"}),
        ("run", {"changes": ["x"] * 1000}),
        ("run", {"charts": ["x" * 5000]}),
        ("sweep", {}),
        ("choose", {"parameter": "L", "output": "x", "target": 1, "bounds": [1]}),
        ("device", {"motion": "../walk.c3d"}),
        ("gait", {"trial": "/etc/passwd"}),
    ],
)
def test_invalid_options_are_refused(command, options):
    with pytest.raises(ModelError):
        command_line_words(COMMANDS[command], options, refused)


@pytest.mark.parametrize(
    "asked",
    [
        {"command": "rm"},
        {"command": "run"},
        {"command": "run", "text": 5},
        {"command": "run", "text": JANSEN, "seconds": 0},
        {"command": "run", "text": JANSEN, "seconds": "long"},
        {"command": "compare", "texts": [["a", JANSEN]] * 100},
        {"command": "gait", "options": {"trial": "walk.c3d"}},
    ],
)
def test_invalid_run_requests_are_refused(kept, asked):
    with pytest.raises(ModelError):
        kept.start(asked)
    assert not kept.list()


def test_invalid_run_ids_and_files_are_refused(kept, tmp_path):
    (tmp_path / "runs" / "0001").mkdir(parents=True)
    (tmp_path / "secret").write_text("x")
    run = {"id": "0001", "command": "run", "name": "x", "state": "running", "message": None, "seconds": 0, "models": []}
    (tmp_path / "runs" / "0001" / "run.json").write_text(json.dumps(run))
    (tmp_path / "runs" / "0001" / "report.html").write_text("<p>")
    again = RunManager(tmp_path / "runs", describe_analyses())
    assert again.get("0001")["message"] == "the studio ended while it ran"
    assert again.path("0001", "report.html").read_text() == "<p>"
    for file in ("../../secret", "/etc/passwd", "run.json", "nothing"):
        with pytest.raises(ModelError, match="has no file"):
            again.path("0001", file)
    for name in ("0002", "..", "../runs/0001"):
        with pytest.raises(ModelError, match="is not there"):
            again.get(name)
    again.delete("0001")
    assert not (tmp_path / "runs" / "0001").exists()


@pytest.mark.slow
def test_a_run_is_monitored_and_stored(kept, tmp_path):
    run = kept.start({"command": "run", "text": JANSEN, "name": "leg"})
    assert run["state"] in ("waiting", "running")
    with pytest.raises(ModelError, match="has not ended"):
        kept.delete(run["id"])
    run = wait(kept, run["id"])
    assert (run["state"], run["progress"], run["message"]) == ("done", 1.0, None)
    assert run["stage"] == "analysing"  # it reported its progress
    assert run["summary"]["max_abs"]["crank.torque"] == pytest.approx(1.7546, rel=1e-3)
    names = [output["name"] for output in results.list_outputs(kept, run["id"])]
    assert "crank.torque" in names
    asked = [{"id": run["id"], "name": "crank.torque"}, {"id": run["id"], "name": "F.y"}]
    torque, height = results.sample_curves(kept, asked)
    assert (torque["unit"], torque["x_unit"], len(torque["x"])) == ("N m", "s", 1001)
    assert max(map(abs, torque["y"])) == pytest.approx(1.7546, rel=1e-3)
    (over,) = results.sample_curves(kept, asked[1:], against="F.x")
    assert (over["x_name"], over["y"]) == ("F.x", height["y"])
    (thin,) = results.sample_curves(kept, asked[:1], points=100)
    assert len(thin["x"]) <= 102
    assert max(map(abs, thin["y"])) == max(map(abs, torque["y"]))  # peaks stay
    for form in ("csv", "png", "nc"):
        assert results.export_run(kept, run["id"], form).stat().st_size > 1000
    with pytest.raises(ModelError):
        results.export_run(kept, run["id"], "exe")
    with pytest.raises(ModelError, match="no table"):
        results.read_table(kept, run["id"])
    again = RunManager(kept.folder, describe_analyses())
    assert [entry["id"] for entry in again.list()] == [run["id"]]


@pytest.mark.slow
def test_a_failed_run_reports_its_error(kept):
    run = kept.start({"command": "run", "text": JANSEN.replace("0.277", "9")})
    run = wait(kept, run["id"])
    assert run["state"] == "failed"
    assert "cannot be closed" in run["message"]
    with pytest.raises(ModelError, match="no curves"):
        results.list_outputs(kept, run["id"])


def group_is_gone(number):
    try:
        os.killpg(number, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_cancel_ends_a_run_and_keeps_partial_results(kept):
    run = kept.start({"command": "run", "text": LONG})
    wait(kept, run["id"], lambda run: (run["progress"] or 0) > 0)
    number = kept.processes[run["id"]].process.pid
    kept.cancel(run["id"])
    run = wait(kept, run["id"])
    assert run["state"] == "cancelled"
    assert group_is_gone(number)
    assert "partial.nc" in [file["name"] for file in run["files"]]
    assert results.list_outputs(kept, run["id"])


LEAVE = """
import os, sys, time
from gaitwright.cli.command_schema import describe_analyses
from gaitwright.studio.runs import RunManager
kept = RunManager(sys.argv[1], describe_analyses())
run = kept.start({"command": "run", "text": open(sys.argv[2]).read()})
while not kept.get(run["id"])["progress"]:
    time.sleep(0.02)
print(kept.processes[run["id"]].process.pid, flush=True)
os._exit(9)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="what a process is is not told elsewhere")
def test_a_run_ends_after_its_studio_was_killed(tmp_path):
    (tmp_path / "long.yaml").write_text(LONG)
    words = [sys.executable, "-c", LEAVE, str(tmp_path / "runs"), str(tmp_path / "long.yaml")]
    died = subprocess.run(words, capture_output=True, text=True, timeout=120)
    number = int(died.stdout)
    assert not group_is_gone(number)
    again = RunManager(tmp_path / "runs", describe_analyses())
    assert again.get("0001")["state"] == "failed"
    while not group_is_gone(number):
        time.sleep(0.02)


def test_two_studios_keep_their_runs_separate(tmp_path, kept):
    home = kept.folder / "0001"
    home.mkdir(parents=True)
    theirs = {"id": "0001", "command": "run", "name": "theirs", "state": "running", "message": None, "seconds": 0,
              "models": [], "server": os.getppid(), "process": None}  # fmt: skip
    (home / "run.json").write_text(json.dumps(theirs))
    other = RunManager(kept.folder, describe_analyses())
    assert other.get("0001")["state"] == ("running" if os.name == "posix" else "failed")
    if os.name == "posix":
        (home / "run.json").write_text(json.dumps(theirs | {"state": "done"}))
        assert other.get("0001")["state"] == "done"
    assert kept._new_folder().name == "0002"  # although this manager has not read theirs


DEAF = "import signal, sys, time, subprocess\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
DEAF += "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
DEAF += "print('deaf', flush=True)\ntime.sleep(600)\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_a_process_that_ignores_signals_is_killed_with_its_children(tmp_path, monkeypatch):
    script = tmp_path / "deaf.py"
    script.write_text(DEAF)
    monkeypatch.setattr(processes, "GRACE_SECONDS", 0.05)
    monkeypatch.setattr(processes, "COMMAND_ARGUMENTS", [str(script)])
    process = processes.CommandProcess([], tmp_path, tmp_path)
    while "deaf" not in processes.read_tail(tmp_path / "answer.json"):
        assert process.poll() is None
        time.sleep(0.02)
    process.ask_to_stop()
    while process.poll() is None:
        time.sleep(0.02)
    assert process.process.returncode == -9
    for _ in range(500):
        if group_is_gone(process.process.pid):
            break
        time.sleep(0.02)  # until init has taken the child
    else:
        pytest.fail("something of the group is left")


@pytest.mark.slow
def test_limits_on_time_and_size_end_a_run_with_a_sentence(kept, monkeypatch):
    slow = kept.start({"command": "run", "text": LONG, "seconds": 0.2})
    slow = wait(kept, slow["id"])
    assert (slow["state"], "more than 0.2 s" in slow["message"]) == ("failed", True)
    monkeypatch.setattr(runs, "MAX_RUN_BYTES", 10)
    monkeypatch.setattr(runs, "FOLDER_SIZE_POLL_SECONDS", 0.0)
    large = kept.start({"command": "run", "text": LONG})
    large = wait(kept, large["id"])
    assert "more than 10 bytes" in large["message"]


@pytest.mark.slow
def test_waiting_runs_can_be_cancelled(kept, monkeypatch):
    monkeypatch.setattr(runs, "MAX_CONCURRENT_RUNS", 1)
    monkeypatch.setattr(runs, "MAX_WAITING_RUNS", 1)
    first, second = (kept.start({"command": "run", "text": LONG}) for _ in range(2))
    assert kept.get(second["id"])["state"] == "waiting"
    with pytest.raises(ModelError, match="1 runs wait"):
        kept.start({"command": "run", "text": LONG})
    assert kept.cancel(second["id"])["state"] == "cancelled"
    kept.shutdown()
    assert kept.get(first["id"])["state"] == "cancelled"


BETTER = JANSEN.replace("{turns_per_second: 1}", "{turns_per_second: 1, L2: 0.333}").replace(
    "length: 0.333", "length: L2"
)


@pytest.mark.slow
def test_a_search_reports_its_best_and_a_sweep_its_table(kept):
    options = {"parameters": ["L2=0.32:0.35"], "minimise": ["energy"], "method": "cobyqa", "budget": 12}
    search = kept.start({"command": "optimise", "text": BETTER, "options": options})
    search = wait(kept, search["id"])
    assert search["state"] == "done", search["message"]
    assert search["best"]["numbers"]["energy"] < 1.9532
    assert 0.32 <= search["best"]["values"]["L2"] <= 0.35
    sweep = kept.start(
        {"command": "sweep", "text": BETTER, "options": {"parameters": ["L2=0.33:0.34:2"], "workers": 1}}
    )
    sweep = wait(kept, sweep["id"])
    assert sweep["state"] == "done", sweep["message"]
    table = results.read_table(kept, sweep["id"])
    column = table["columns"].index("L2")
    assert [row[column] for row in table["rows"]] == [0.33, 0.34]


def test_a_model_with_data_files_runs_beside_them(tmp_path, kept, monkeypatch):
    monkeypatch.setattr(runs.RunManager, "_begin_waiting", lambda self: None)
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "knee.csv").write_text("time,value\n0,0\n1,1\n2,0\n3,1\n")
    text = PENDULUM + "series: {knee: {file: knee.csv}}\n"
    run = kept.start({"command": "run", "text": text, "folder": str(folder)})
    (model,) = kept.runs[run["id"]]["models"]
    assert Path(model).parent == folder
    kept.cancel(run["id"])
    assert not Path(model).exists()
    plain = kept.start({"command": "run", "text": PENDULUM, "folder": str(folder), "name": "../../evil"})
    assert Path(kept.runs[plain["id"]]["models"][0]).parent == kept.folder / plain["id"]
