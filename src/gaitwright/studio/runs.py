"""Runs: every analysis of the command line in worker processes, with progress, cancel and limits; what came of them is kept as
a list of folders on disk."""

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

from gaitwright.checks import At, is_number
from gaitwright.errors import GaitwrightError
from gaitwright.input_files import read_json
from gaitwright.locking import LOCK_FILE
from gaitwright.plain import write_json
from gaitwright.saving import said_size, save_text
from gaitwright.studio.asked import Resolve, words_of
from gaitwright.studio.processes import Process, answer_of, end_left_behind, is_running, progress_of, tail
from gaitwright.studio.tree import Tree

AT_ONCE = max(1, min(4, (os.cpu_count() or 2) - 1))
"""Commands that run at the same time; the others wait."""
MOST_WAITING, MOST_KEPT, MOST_MODELS = 20, 2000, 20
LONGEST, USUAL = 24 * 3600.0, 3600.0
"""s that a run may take, and takes at most unless it is said."""
LARGEST = 2_000_000_000
"""Bytes that a run may write."""
OFTEN, SELDOM = 0.05, 2.0
"""s between looks at processes, and at the sizes of their folders."""
OWN = ("run.json", "answer.json", "log.txt", "progress.jsonl", LOCK_FILE)
"""Files that are not results."""
HIDDEN = ("words", "models", "server", "process")
"""What of a run is nobody else's business."""
ENDED = ("done", "failed", "cancelled")


class Runs:
    """folder: where results are kept. commands: what there is, from `gaitwright.commands.offered`. resolve: of paths to data
    files; without it none may be given."""

    def __init__(self, folder: str | Path, commands: list[dict[str, Any]], resolve: Resolve | None = None):
        self.folder = Path(folder)
        self.offered = {command["name"]: command for command in commands}
        self.resolve = resolve or _nothing
        self.lock = threading.RLock()
        self.runs: dict[str, dict[str, Any]] = {}
        self.processes: dict[str, Process] = {}
        self.waiting: list[str] = []
        self.stopping = threading.Event()
        self._watcher: threading.Thread | None = None
        self._read_kept()

    def commands(self) -> list[dict[str, Any]]:
        """What can be run, with the options of each, for forms."""
        return list(self.offered.values())

    # asking ----------------------------------------------------------------------------------------------------------

    def start(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Start a run, or let it wait for its turn. asked: command, text of the model (texts: [[name, text], ...] where it
        takes several), folder in which the model lies, name, options, seconds."""
        command = self.offered.get(str(asked.get("command")))
        if command is None:
            At("run", "command").one_of(asked.get("command"), list(self.offered))
            raise AssertionError
        words = words_of(command, asked.get("options") or {}, self.resolve)
        seconds = asked.get("seconds", USUAL)
        if not is_number(seconds) or not 0 < seconds <= LONGEST:
            At("run", "seconds").fail("is no time limit", seconds, f"above 0, at most {LONGEST:g} s")
        models = self._models(command, asked)
        with self.lock:
            if len(self.waiting) >= MOST_WAITING:
                At("run").fail(f"{MOST_WAITING} runs wait already", expected="some of them done or cancelled first")
            home = self._new_folder()
            name = home.name
            where = Path(str(asked["folder"])) if asked.get("folder") else None
            paths = [self._written(home, where, k, title, text) for k, (title, text) in enumerate(models)]
            title = str(asked.get("name") or (models[0][0] if models else ""))[:200]
            run = {
                "id": name, "command": command["name"], "name": title,
                "options": asked.get("options") or {}, "state": "waiting", "message": None, "started": time.time(),
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

    def _models(self, command: dict[str, Any], asked: dict[str, Any]) -> list[tuple[str, str]]:
        several = asked.get("texts")
        if command["models"] == 0:
            return []
        if command["models"] == 1:
            several = [[asked.get("name") or "model", asked.get("text")]]
        at = At("run", "text" if command["models"] == 1 else "texts")
        if not isinstance(several, list) or not 1 <= len(several) <= MOST_MODELS:
            at.fail("is not a list of models", expected=f"1 to {MOST_MODELS} of [name, text]")
        found = []
        for entry in several:
            if not isinstance(entry, (list, tuple)) or len(entry) != 2 or not isinstance(entry[1], str):
                at.fail("is no model", expected="the text of a model file")
            found.append((str(entry[0]), entry[1]))
        return found

    def _written(self, home: Path, where: Path | None, k: int, title: str, text: str) -> Path:
        """The file of a model that a command reads: in the folder of the run; beside the original, for as long as it runs, if
        it names files there."""
        stem = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in title)[:40] or "model"
        name = f"{stem}.yaml" if k == 0 else f"{stem}-{k + 1}.yaml"
        kept = save_text(home / name, text)
        if where is not None and _names_files(text, where):
            return save_text(where / f".{home.name}-{k}.run.yaml", text)
        return kept

    def _new_folder(self) -> Path:
        """A folder with the next number; another studio may have taken it for a run of its own."""
        if len(self.runs) >= MOST_KEPT:
            At("run").fail(f"{MOST_KEPT} runs are kept", expected="some of them deleted first")
        for number in itertools.count(max((int(name) for name in self.runs), default=0) + 1):
            with suppress(FileExistsError):
                home = self.folder / f"{number:04d}"
                home.mkdir(parents=True)
                return home
        raise AssertionError

    def cancel(self, name: str) -> dict[str, Any]:
        """End a run: it is asked first, and keeps what it has; then it is killed with all that it has started."""
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
        """Forget a run and its files."""
        with self.lock:
            run = self._run(name)
            if run["state"] not in ENDED:
                At(f"run {name}").fail("has not ended", expected="a run that was cancelled first")
            shutil.rmtree(self.folder / name, ignore_errors=True)
            del self.runs[name]

    # telling ---------------------------------------------------------------------------------------------------------

    def list(self) -> list[dict[str, Any]]:
        """All runs, the newest first, without their summaries."""
        with self.lock:
            return [self._told(self._run(name)) for name in sorted(self.runs, reverse=True)]

    def get(self, name: str) -> dict[str, Any]:
        """A run with its summary, its files and what it said last."""
        with self.lock:
            run = self._run(name)
            home = self.folder / name
            summary = answer_of(home) if run["state"] in ENDED else None
            log = tail(home / "log.txt", 4000)
            return {**self._told(run), "summary": summary, "files": self._files(home), "log": log}

    def path(self, name: str, file: str) -> Path:
        """A file of a run."""
        self._run(name)
        found = {entry["name"]: entry for entry in self._files(self.folder / name)}
        if file not in found:
            At(f"run {name}").fail(f"has no file '{str(file)[:80]}'", expected=", ".join(found) or "(it has none)")
        return self.folder / name / file

    def _run(self, name: str) -> dict[str, Any]:
        if name not in self.runs:
            At(f"run '{str(name)[:20]}'").fail("is not there", expected="one of the list")
        run = self.runs[name]
        if (
            run["state"] not in ENDED and run.get("server") != os.getpid()
        ):  # of another studio, which keeps it up to date
            self._read(self.folder / name / "run.json")
        return self.runs[name]

    def _told(self, run: dict[str, Any]) -> dict[str, Any]:
        shown = {key: value for key, value in run.items() if key not in HIDDEN}
        process = self.processes.get(run["id"])
        if process is not None:
            shown["seconds"] = process.seconds
        return shown | progress_of(self.folder / run["id"]) | ({"progress": 1.0} if run["state"] == "done" else {})

    def _files(self, home: Path) -> Sequence[dict[str, Any]]:
        found = []
        for path in sorted(home.rglob("*")) if home.is_dir() else ():
            if path.is_file() and not path.is_symlink() and path.name not in OWN:
                found.append({"name": path.relative_to(home).as_posix(), "size": path.stat().st_size})
        return found

    # running ---------------------------------------------------------------------------------------------------------

    def _begin_waiting(self) -> None:
        """Start what waits, as long as there is room."""
        while self.waiting and len(self.processes) < AT_ONCE:
            run = self.runs[self.waiting.pop(0)]
            home = self.folder / run["id"]
            out = ["--out", str(home.resolve()), "--json"]
            words = [run["command"], *run["models"], *out, *run["words"]]
            try:
                self.processes[run["id"]] = started = Process(words, home, home)
                run["state"], run["process"] = "running", started.process.pid
            except OSError as error:
                self._ended(run, "failed", f"the command could not be started: {error.strerror or error}")
            self._keep(run)

    def _watch(self) -> None:
        """Until nothing runs any more: who has ended, who takes too long, who writes too much."""
        looked = 0.0
        while not self.stopping.wait(OFTEN):
            with self.lock:
                sizes = time.monotonic() - looked > SELDOM
                looked = time.monotonic() if sizes else looked
                for name, process in list(self.processes.items()):
                    self._look(self.runs[name], process, sizes)
                self._begin_waiting()
                if not self.processes and not self.waiting:
                    self._watcher = None
                    return

    def _look(self, run: dict[str, Any], process: Process, sizes: bool) -> None:
        code = process.poll()
        if code is None:
            if process.seconds > run["limit"] and not process.asked:
                run["why"] = f"it took more than {run['limit']:g} s, which is its limit"
                process.ask_to_stop()
            elif sizes and not process.asked and (size := _size(self.folder / run["id"])) > LARGEST:
                run["why"] = f"it wrote {said_size(size)}, more than {said_size(LARGEST)}"
                process.ask_to_stop()
            return
        run["seconds"] = process.seconds
        del self.processes[run["id"]]
        answer = answer_of(self.folder / run["id"]) or {}
        said = answer.get("error") or tail(self.folder / run["id"] / "log.txt").strip().rpartition("error: ")[2]
        if "why" in run:
            self._ended(run, "failed", f"it was stopped: {run.pop('why')}")
        elif code == 0:  # perhaps just before it was asked to stop
            self._ended(run, "done", None)
        elif process.cancelled:
            self._ended(run, "cancelled", str(answer.get("error") or "cancelled"))
        else:
            self._ended(run, "failed", str(said) or f"the command ended with code {code}")

    def _ended(self, run: dict[str, Any], state: str, message: str | None) -> None:
        run["state"], run["message"] = state, message
        for path in map(Path, run["models"]):
            if path.name.endswith(".run.yaml"):
                with suppress(OSError):
                    path.unlink()
        self._keep(run)

    def shutdown(self) -> None:
        """End every run."""
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

    # kept on disk ----------------------------------------------------------------------------------------------------

    def _keep(self, run: dict[str, Any]) -> None:
        write_json(run, self.folder / run["id"] / "run.json")

    def _read_kept(self) -> None:
        """Runs of earlier sessions; those that had not ended have now."""
        for path in sorted(self.folder.glob("[0-9][0-9][0-9][0-9]*/run.json"))[-MOST_KEPT:]:
            self._read(path)

    def _read(self, path: Path) -> None:
        """A run of an earlier session or of another studio; one that had not ended when its studio did has now."""
        with suppress(GaitwrightError, KeyError, TypeError):
            run = read_json(path)
            if run["id"] != path.parent.name or not run["id"].isdigit():
                return
            self.runs[run["id"]] = run
            server = run.get("server") or 0
            if run["state"] not in ENDED and (server == os.getpid() or not is_running(server)):
                end_left_behind(run.get("process") or 0, path.parent)
                self._ended(run, "failed", "the studio ended while it ran")


def _nothing(name: str) -> Path:
    return At(f"file '{name}'").fail("cannot be given here", expected="a run without files")


def _names_files(text: str, folder: Path) -> bool:
    """Whether a model names files beside it: tables of series, meshes."""
    try:
        tree = Tree(text, folder)
    except GaitwrightError:
        return False  # the command will say what is wrong with it
    return any(word in text for word in ("file:", "mesh:", '"file"', '"mesh"')) and bool(tree.data)


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size
    return total
