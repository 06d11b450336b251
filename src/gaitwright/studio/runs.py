"""Runs: analyses of the command line in worker processes, with progress, cancellation and limits; results are stored in a list
of folders on disk."""

from __future__ import annotations

import itertools
import os
import shutil
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright._core.errors import GaitwrightError
from gaitwright._core.input_files import read_json
from gaitwright._core.json_types import write_json
from gaitwright._core.locking import LOCK_FILE
from gaitwright._core.output_files import format_size, save_text
from gaitwright.studio.command_line import PathResolver, command_line_words
from gaitwright.studio.processes import CommandProcess, is_running, kill_orphan, read_answer, read_progress, read_tail
from gaitwright.studio.yaml_tree import YamlTree

MAX_CONCURRENT_RUNS = max(1, min(4, (os.cpu_count() or 2) - 1))
"""Maximum number of concurrent commands; the others wait."""
MAX_WAITING_RUNS, MAX_STORED_RUNS, MAX_MODELS_PER_RUN = 20, 2000, 20
MAX_RUN_SECONDS, DEFAULT_RUN_SECONDS = 24 * 3600.0, 3600.0
"""Maximum and default time limit of a run, s."""
MAX_RUN_BYTES = 2_000_000_000
"""Maximum size of the output of a run, bytes."""
PROCESS_POLL_SECONDS, FOLDER_SIZE_POLL_SECONDS = 0.05, 2.0
"""Poll intervals, s, of processes and of the sizes of their folders."""
INTERNAL_FILES = ("run.json", "answer.json", "log.txt", "progress.jsonl", LOCK_FILE)
"""Files that are not results."""
PRIVATE_FIELDS = ("words", "models", "server", "process")
"""Fields of a run that are not sent to the browser."""
FINAL_STATES = ("done", "failed", "cancelled")


class RunManager:
    """folder: of results. commands: available ones, from `gaitwright.cli.command_schema`. resolve: maps paths of
    data files; without it, no data files are allowed."""

    def __init__(self, folder: str | Path, commands: list[dict[str, Any]], resolve: PathResolver | None = None):
        self.folder = Path(folder)
        self.offered = {command["name"]: command for command in commands}
        self.resolve = resolve or _refuse_data_file
        self.lock = threading.RLock()
        self.runs: dict[str, dict[str, Any]] = {}
        self.processes: dict[str, CommandProcess] = {}
        self.waiting: list[str] = []
        self.stopping = threading.Event()
        self._watcher: threading.Thread | None = None
        self._read_kept()

    def commands(self) -> list[dict[str, Any]]:
        """Available commands with their options, for forms."""
        return list(self.offered.values())

    # requests ----------------------------------------------------------------------------------------------------------

    def start(self, request: dict[str, Any]) -> dict[str, Any]:
        """Start a run, or queue it. request: command, text of the model (texts: [[name, text], ...] if the command
        takes several), folder of the model, name, options, seconds."""
        command = self.offered.get(str(request.get("command")))
        if command is None:
            ErrorContext("run", "command").one_of(request.get("command"), list(self.offered))
            raise AssertionError
        words = command_line_words(command, request.get("options") or {}, self.resolve)
        seconds = request.get("seconds", DEFAULT_RUN_SECONDS)
        if not is_number(seconds) or not 0 < seconds <= MAX_RUN_SECONDS:
            ErrorContext("run", "seconds").fail("is no time limit", seconds, f"above 0, at most {MAX_RUN_SECONDS:g} s")
        models = self._models(command, request)
        with self.lock:
            if len(self.waiting) >= MAX_WAITING_RUNS:
                ErrorContext("run").fail(
                    f"{MAX_WAITING_RUNS} runs wait already", expected="some of them done or cancelled first"
                )
            run_folder = self._new_folder()
            name = run_folder.name
            model_folder = Path(str(request["folder"])) if request.get("folder") else None
            paths = [self._written(run_folder, model_folder, k, title, text) for k, (title, text) in enumerate(models)]
            title = str(request.get("name") or (models[0][0] if models else ""))[:200]
            run = {
                "id": name, "command": command["name"], "name": title,
                "options": request.get("options") or {}, "state": "waiting", "message": None, "started": time.time(),
                "seconds": 0.0, "limit": float(seconds), "words": words, "models": [str(path) for path in paths],
                "server": os.getpid(), "process": None,
            }  # fmt: skip
            self.runs[name] = run
            self.waiting.append(name)
            self._keep(run)
            self._begin_waiting()
            if self._watcher is None or not self._watcher.is_alive():
                self._watcher = threading.Thread(target=self._watch, name="studio runs", daemon=True)
                self._watcher.start()
            return self.get(name)

    def _models(self, command: dict[str, Any], request: dict[str, Any]) -> list[tuple[str, str]]:
        entries = request.get("texts")
        if command["models"] == 0:
            return []
        if command["models"] == 1:
            entries = [[request.get("name") or "model", request.get("text")]]
        context = ErrorContext("run", "text" if command["models"] == 1 else "texts")
        if not isinstance(entries, list) or not 1 <= len(entries) <= MAX_MODELS_PER_RUN:
            context.fail("is not a list of models", expected=f"1 to {MAX_MODELS_PER_RUN} of [name, text]")
        models = []
        for entry in entries:
            if not isinstance(entry, (list, tuple)) or len(entry) != 2 or not isinstance(entry[1], str):
                context.fail("is no model", expected="the text of a model file")
            models.append((str(entry[0]), entry[1]))
        return models

    def _written(self, run_folder: Path, model_folder: Path | None, k: int, title: str, text: str) -> Path:
        """Write the model file that a command reads: in the folder of the run; temporarily beside the original if it
        refers to files there."""
        stem = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in title)[:40] or "model"
        name = f"{stem}.yaml" if k == 0 else f"{stem}-{k + 1}.yaml"
        path = save_text(run_folder / name, text)
        if model_folder is not None and _refers_to_files(text, model_folder):
            return save_text(model_folder / f".{run_folder.name}-{k}.run.yaml", text)
        return path

    def _new_folder(self) -> Path:
        """Create a folder with the next number; another studio may have used it already."""
        if len(self.runs) >= MAX_STORED_RUNS:
            ErrorContext("run").fail(f"{MAX_STORED_RUNS} runs are kept", expected="some of them deleted first")
        for number in itertools.count(max((int(name) for name in self.runs), default=0) + 1):
            with suppress(FileExistsError):
                home = self.folder / f"{number:04d}"
                home.mkdir(parents=True)
                return home
        raise AssertionError

    def cancel(self, name: str) -> dict[str, Any]:
        """End a run: first a stop request, so that its results are kept, then a kill of the run and all processes it
        started."""
        with self.lock:
            run = self._run(name)
            if name in self.waiting:
                self.waiting.remove(name)
                self._ended(run, "cancelled", "cancelled before it began")
            elif name in self.processes:
                self.processes[name].ask_to_stop()
                run["message"] = "stopping"
            return self.get(name)

    def delete(self, name: str) -> None:
        """Delete a run and its files."""
        with self.lock:
            run = self._run(name)
            if run["state"] not in FINAL_STATES:
                ErrorContext(f"run {name}").fail("has not ended", expected="a run that was cancelled first")
            shutil.rmtree(self.folder / name, ignore_errors=True)
            del self.runs[name]

    # queries ---------------------------------------------------------------------------------------------------------

    def list(self) -> list[dict[str, Any]]:
        """All runs, the newest first, without their summaries."""
        with self.lock:
            return [self._told(self._run(name)) for name in sorted(self.runs, reverse=True)]

    def get(self, name: str) -> dict[str, Any]:
        """Run with its summary, files and the end of its log."""
        with self.lock:
            run = self._run(name)
            home = self.folder / name
            summary = read_answer(home) if run["state"] in FINAL_STATES else None
            log = read_tail(home / "log.txt", 4000)
            return {**self._told(run), "summary": summary, "files": self._files(home), "log": log}

    def path(self, name: str, file: str) -> Path:
        """Path of a file of a run."""
        self._run(name)
        files = {entry["name"]: entry for entry in self._files(self.folder / name)}
        if file not in files:
            ErrorContext(f"run {name}").fail(
                f"has no file '{str(file)[:80]}'", expected=", ".join(files) or "(it has none)"
            )
        return self.folder / name / file

    def _run(self, name: str) -> dict[str, Any]:
        if name not in self.runs:
            ErrorContext(f"run '{str(name)[:20]}'").fail("is not there", expected="one of the list")
        run = self.runs[name]
        if run["state"] not in FINAL_STATES and run.get("server") != os.getpid():  # another studio updates this run
            self._read(self.folder / name / "run.json")
        return self.runs[name]

    def _told(self, run: dict[str, Any]) -> dict[str, Any]:
        public_fields = {key: value for key, value in run.items() if key not in PRIVATE_FIELDS}
        process = self.processes.get(run["id"])
        if process is not None:
            public_fields["seconds"] = process.seconds
        return (
            public_fields
            | read_progress(self.folder / run["id"])
            | ({"progress": 1.0} if run["state"] == "done" else {})
        )

    def _files(self, home: Path) -> Sequence[dict[str, Any]]:
        files = []
        for path in sorted(home.rglob("*")) if home.is_dir() else ():
            if path.is_file() and not path.is_symlink() and path.name not in INTERNAL_FILES:
                files.append({"name": path.relative_to(home).as_posix(), "size": path.stat().st_size})
        return files

    # running ---------------------------------------------------------------------------------------------------------

    def _begin_waiting(self) -> None:
        """Start waiting runs up to the maximum number."""
        while self.waiting and len(self.processes) < MAX_CONCURRENT_RUNS:
            run = self.runs[self.waiting.pop(0)]
            run_folder = self.folder / run["id"]
            output_options = ["--out", str(run_folder.resolve()), "--json"]
            words = [run["command"], *run["models"], *output_options, *run["words"]]
            try:
                self.processes[run["id"]] = started = CommandProcess(words, run_folder, run_folder)
                run["state"], run["process"] = "running", started.process.pid
            except OSError as error:
                self._ended(run, "failed", f"the command could not be started: {error.strerror or error}")
            self._keep(run)

    def _watch(self) -> None:
        """Poll processes until no run is left: detect finished ones, time limits and size limits."""
        last_size_check = 0.0
        while not self.stopping.wait(PROCESS_POLL_SECONDS):
            with self.lock:
                checks_size = time.monotonic() - last_size_check > FOLDER_SIZE_POLL_SECONDS
                last_size_check = time.monotonic() if checks_size else last_size_check
                for name, process in list(self.processes.items()):
                    self._look(self.runs[name], process, checks_size)
                self._begin_waiting()
                if not self.processes and not self.waiting:
                    self._watcher = None
                    return

    def _look(self, run: dict[str, Any], process: CommandProcess, checks_size: bool) -> None:
        code = process.poll()
        if code is None:
            if process.seconds > run["limit"] and not process.asked:
                run["why"] = f"it took more than {run['limit']:g} s, which is its limit"
                process.ask_to_stop()
            elif checks_size and not process.asked and (size := _folder_bytes(self.folder / run["id"])) > MAX_RUN_BYTES:
                run["why"] = f"it wrote {format_size(size)}, more than {format_size(MAX_RUN_BYTES)}"
                process.ask_to_stop()
            return
        run["seconds"] = process.seconds
        del self.processes[run["id"]]
        answer = read_answer(self.folder / run["id"]) or {}
        message = answer.get("error") or read_tail(self.folder / run["id"] / "log.txt").strip().rpartition("error: ")[2]
        if "why" in run:
            self._ended(run, "failed", f"it was stopped: {run.pop('why')}")
        elif code == 0:  # it may have ended just before the stop request
            self._ended(run, "done", None)
        elif process.cancelled:
            self._ended(run, "cancelled", str(answer.get("error") or "cancelled"))
        else:
            self._ended(run, "failed", str(message) or f"the command ended with code {code}")

    def _ended(self, run: dict[str, Any], state: str, message: str | None) -> None:
        run["state"], run["message"] = state, message
        for path in map(Path, run["models"]):
            if path.name.endswith(".run.yaml"):
                with suppress(OSError):
                    path.unlink()
        self._keep(run)

    def shutdown(self) -> None:
        """End all runs."""
        self.stopping.set()
        with self.lock:
            for name, process in list(self.processes.items()):
                process.kill()
                run = self.runs[name]
                run["seconds"] = process.seconds
                self._ended(run, "cancelled", "the studio was closed")
            for name in self.waiting:
                self._ended(self.runs[name], "cancelled", "the studio was closed")
            self.processes.clear()
            self.waiting.clear()

    # storage on disk ----------------------------------------------------------------------------------------------------

    def _keep(self, run: dict[str, Any]) -> None:
        write_json(run, self.folder / run["id"] / "run.json")

    def _read_kept(self) -> None:
        """Read the runs of earlier sessions; unfinished ones are marked as failed."""
        for path in sorted(self.folder.glob("[0-9][0-9][0-9][0-9]*/run.json"))[-MAX_STORED_RUNS:]:
            self._read(path)

    def _read(self, path: Path) -> None:
        """Read a run of an earlier session or of another studio. A run that was unfinished when its studio ended is
        marked as failed."""
        with suppress(GaitwrightError, KeyError, TypeError):
            run = read_json(path)
            if run["id"] != path.parent.name or not run["id"].isdigit():
                return
            self.runs[run["id"]] = run
            server = run.get("server") or 0
            if run["state"] not in FINAL_STATES and (server == os.getpid() or not is_running(server)):
                kill_orphan(run.get("process") or 0, path.parent)
                self._ended(run, "failed", "the studio ended while it ran")


def _refuse_data_file(name: str) -> Path:
    return ErrorContext(f"file '{name}'").fail("cannot be given here", expected="a run without files")


def _refers_to_files(text: str, folder: Path) -> bool:
    """True if a model refers to files beside it: tables of series, meshes."""
    try:
        tree = YamlTree(text, folder)
    except GaitwrightError:
        return False  # the command reports the error
    return any(word in text for word in ("file:", "mesh:", '"file"', '"mesh"')) and bool(tree.data)


def _folder_bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size
    return total
