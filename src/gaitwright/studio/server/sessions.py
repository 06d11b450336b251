"""Open files with their locks and windows, and the runs of all windows. Windows are notified of changes made by
others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from anyio import to_thread

from gaitwright._core.errors import GaitwrightError
from gaitwright.studio.unexpected_errors import report_unexpected

Answer = TypeVar("Answer")
RUN_POLL_SECONDS, FILE_POLL_SECONDS = 0.25, 1.0
"""Poll intervals, s, of active runs, and of files that other programs may have changed."""
MEASURE_INTERVAL_SECONDS = 0.2
"""Interval, s, between measurements during a drag; poses and foot curves are computed for every frame."""
RESULTS_FOLDER = "gaitwright-output/studio"
"""Folder of results, below the open folder."""
MAX_WINDOWS = 60
MAX_WAITING_MESSAGES = 1000
"""Maximum length of the queue of one window."""
MAX_LISTED_RUNS = 60
"""Maximum number of runs that a page lists, the newest first."""


class BrowserWindow:
    """Browser page with one file. Outgoing messages wait in a queue, so that a slow page does not delay others."""

    def __init__(self, desk: FileSession):
        self.desk = desk
        self.out: asyncio.Queue[dict[str, Any]] = asyncio.Queue(MAX_WAITING_MESSAGES)
        self._full = asyncio.Event()

    def tell(self, message: dict[str, Any]) -> None:
        """Queue news without waiting. A full queue closes the window."""
        try:
            self.out.put_nowait(message)
        except asyncio.QueueFull:
            self._full.set()

    async def failed(self) -> str:
        """Wait until the window cannot be served any more. Return the reason."""
        await self._full.wait()
        return "this page did not fetch its messages for a long time; what was drawn is kept"


class FileSession:
    """Open file, used by one thread at a time."""

    def __init__(self, path: str, sheet: Any):
        self.path, self.sheet, self.lock = path, sheet, threading.Lock()
        self.windows: set[BrowserWindow] = set()
        self.autosave = True
        self.edited = False
        """True if edited since the last check: the file is saved once edits pause."""
        self.measured_at = -MEASURE_INTERVAL_SECONDS

    def measures(self) -> bool:
        """True if a measurement is due during a drag: measuring takes a quarter of the time of a frame."""
        due = monotonic() - self.measured_at >= MEASURE_INTERVAL_SECONDS
        if due:
            self.measured_at = monotonic()
        return due

    async def work(self, function: Callable[[], Answer]) -> Answer:
        """Run a function on the editor in a separate thread, under its lock; pages are served meanwhile."""

        def run_locked() -> Answer:
            with self.lock:
                return function()

        return await to_thread.run_sync(run_locked)

    def tell_others(self, me: BrowserWindow | None, message: dict[str, Any]) -> None:
        for window in self.windows - {me}:
            window.tell(message)

    def look(self) -> dict[str, Any] | None:
        """Load external changes of the file, or save the present text. Return the news for windows, if any."""
        changes = self.sheet.look()
        if changes:
            return {"news": "outside", **changes}
        if not self.autosave or not self._resting():
            return None
        try:
            state = self.sheet.state()
            if state["saved"] or (state["problem"] and state["problem"]["kind"] != "unfinished"):
                return None
            self.sheet.save()
        except GaitwrightError as error:
            return {"news": "unsaved", "message": str(error)}
        return {"news": "saved"}

    def _resting(self) -> bool:
        edited, self.edited = self.edited, False
        return not edited


class Studio:
    """Everything that is served: the workspace, the runs, and the open files."""

    def __init__(self, workspace: Any, runs: Any, first: str | None = None):
        self.workspace, self.runs, self.first = workspace, runs, first
        self.desks: dict[str, FileSession] = {}
        self.opening = asyncio.Lock()
        self.seen_runs: list[Any] = []
        self.ended: dict[str, dict[str, Any]] = {}
        """Finished runs with their files; these do not change any more."""

    @classmethod
    def of(cls, folder: Path, commands: list[dict[str, Any]], first: str | None = None) -> Studio:
        """folder: the open folder. commands: available analyses, see cli/command_schema.py. first: file to show;
        created if it does not exist."""
        from gaitwright.studio.runs import RunManager
        from gaitwright.studio.workspace import StudioWorkspace

        workspace = StudioWorkspace(folder)
        if first is not None and not workspace.path(first).exists():
            workspace.create(first, like="blank")
            workspace.close(first)
        return cls(
            workspace, RunManager(workspace.folder / RESULTS_FOLDER, commands, resolve=workspace.data_path), first
        )

    async def open(self, path: str) -> BrowserWindow:
        """Open a window for a file."""
        if len(self.windows()) >= MAX_WINDOWS:
            raise GaitwrightError(f"{MAX_WINDOWS} windows of the studio are open; close some of them first")
        async with self.opening:
            if path not in self.desks:
                sheet = await to_thread.run_sync(lambda: self.workspace.open(path))
                self.desks[path] = FileSession(path, sheet)
        desk = self.desks[path]
        window = BrowserWindow(desk)
        desk.windows.add(window)
        return window

    async def close(self, window: BrowserWindow) -> None:
        desk = window.desk
        desk.windows.discard(window)
        if not desk.windows and self.desks.get(desk.path) is desk:
            del self.desks[desk.path]
            await desk.work(lambda: self.last_save(desk))

    def last_save(self, desk: FileSession) -> None:
        """Save and close a file after its last window. Text that cannot be saved stays in the journal."""
        desk.edited = False
        desk.look()
        self.workspace.close(desk.path)

    def windows(self) -> list[BrowserWindow]:
        return [window for desk in self.desks.values() for window in desk.windows]

    async def watch(self) -> None:
        """Notify windows of changes of runs and files, until the server ends."""
        count = 0
        while True:
            await asyncio.sleep(RUN_POLL_SECONDS)
            count += 1
            if self.desks:
                await self._guarded(self.look_at_runs())
            if count % max(round(FILE_POLL_SECONDS / RUN_POLL_SECONDS), 1) == 0:
                for desk in list(self.desks.values()):
                    await self._guarded(self.look_at(desk))

    async def _guarded(self, check: Coroutine[Any, Any, None]) -> None:
        """Report a failed check, such as of a deleted file or a full disk, to the windows; later checks continue."""
        try:
            await check
        except Exception as error:
            is_expected = isinstance(error, GaitwrightError)
            message = str(error) if is_expected else report_unexpected("looking at files and runs")
            for window in self.windows():
                window.tell({"news": "unsaved", "message": message})

    async def look_at(self, desk: FileSession) -> None:
        news = await desk.work(desk.look)
        if news:
            desk.tell_others(None, news)

    async def look_at_runs(self) -> None:
        runs = await to_thread.run_sync(self.list_runs)
        if runs != self.seen_runs:
            self.seen_runs = runs
            for window in self.windows():
                window.tell({"news": "runs", "runs": runs})

    def list_runs(self) -> list[dict[str, Any]]:
        """The newest runs; finished ones include their files."""
        return [self._whole(run) for run in self.runs.list()[:MAX_LISTED_RUNS]]

    def _whole(self, run: dict[str, Any]) -> dict[str, Any]:
        if run["state"] not in ("done", "failed", "cancelled"):
            return {**run, "files": []}
        if run["id"] not in self.ended:
            stored_run = self.runs.get(run["id"])
            self.ended[run["id"]] = {key: value for key, value in stored_run.items() if key not in ("summary", "log")}
        return self.ended[run["id"]]

    def end(self) -> None:
        self.runs.shutdown()
        for desk in self.desks.values():
            with desk.lock:
                self.last_save(desk)
        self.desks.clear()
        self.workspace.shutdown()
