"""What is open: every file once, with a lock and the windows that look at it, and the runs of all. Windows are told what
others changed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from anyio import to_thread

from gaitwright.errors import GaitwrightError
from gaitwright.studio.unexpected import report_unexpected

Answer = TypeVar("Answer")
LOOKING, IDLE = 0.25, 1.0
"""Seconds between two looks at runs that are under way, and at files that others may have changed."""
MEASURING = 0.2
"""Seconds between two measurements of a mechanism that is dragged; poses and foot curves are those of every frame."""
RESULTS = "gaitwright-output/studio"
"""Folder of results, below the folder that is opened."""
MOST_WINDOWS = 60
MAX_WAITING_MESSAGES = 1000
"""For one window."""
MOST_RUNS = 60
"""Runs that a page lists, the newest first."""


class Window:
    """One page of the browser with one file: what goes out to it waits in a queue, so that nobody waits for a slow one."""

    def __init__(self, desk: Desk):
        self.desk = desk
        self.out: asyncio.Queue[dict[str, Any]] = asyncio.Queue(MAX_WAITING_MESSAGES)
        self._full = asyncio.Event()

    def tell(self, message: dict[str, Any]) -> None:
        """Send news, without waiting. A page that leaves too many of them waiting loses its window."""
        try:
            self.out.put_nowait(message)
        except asyncio.QueueFull:
            self._full.set()

    async def failed(self) -> str:
        """Wait until the window cannot be served any more; the reason."""
        await self._full.wait()
        return "this page did not fetch its messages for a long time; what was drawn is kept"


class Desk:
    """One open file: used by one thread at a time."""

    def __init__(self, path: str, sheet: Any):
        self.path, self.sheet, self.lock = path, sheet, threading.Lock()
        self.windows: set[Window] = set()
        self.autosave = True
        self.edited = False
        """Since the last look: what is being drawn is saved when the hand rests."""
        self.measured_at = -MEASURING

    def measures(self) -> bool:
        """Whether the numbers of a mechanism that is dragged are due: they are a quarter of the work of a frame."""
        due = monotonic() - self.measured_at >= MEASURING
        if due:
            self.measured_at = monotonic()
        return due

    async def work(self, what: Callable[[], Answer]) -> Answer:
        """Do something with the sheet, in a thread of its own: pages go on being served meanwhile."""

        def alone() -> Answer:
            with self.lock:
                return what()

        return await to_thread.run_sync(alone)

    def tell_others(self, me: Window | None, message: dict[str, Any]) -> None:
        for window in self.windows - {me}:
            window.tell(message)

    def look(self) -> dict[str, Any] | None:
        """Take over what another program wrote into the file, or save what was drawn here; what there is to tell of it."""
        seen = self.sheet.look()
        if seen:
            return {"news": "outside", **seen}
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
    """Everything that is served: the workspace, the runs, and what is open."""

    def __init__(self, workspace: Any, runs: Any, first: str | None = None):
        self.workspace, self.runs, self.first = workspace, runs, first
        self.desks: dict[str, Desk] = {}
        self.opening = asyncio.Lock()
        self.seen_runs: list[Any] = []
        self.ended: dict[str, dict[str, Any]] = {}
        """Runs that have ended, with their files: those change no more."""

    @classmethod
    def of(cls, folder: Path, commands: list[dict[str, Any]], first: str | None = None) -> Studio:
        """folder: that is opened. commands: analyses that can be run, of commands/offered. first: file to show, made if it is
        not there."""
        from gaitwright.studio.runs import Runs
        from gaitwright.studio.workspace import Workspace

        workspace = Workspace(folder)
        if first is not None and not workspace.path(first).exists():
            workspace.create(first, like="blank")
            workspace.close(first)
        return cls(workspace, Runs(workspace.folder / RESULTS, commands, resolve=workspace.data_path), first)

    async def open(self, path: str) -> Window:
        """A window onto a file."""
        if len(self.windows()) >= MOST_WINDOWS:
            raise GaitwrightError(f"{MOST_WINDOWS} windows of the studio are open; close some of them first")
        async with self.opening:
            if path not in self.desks:
                sheet = await to_thread.run_sync(lambda: self.workspace.open(path))
                self.desks[path] = Desk(path, sheet)
        desk = self.desks[path]
        window = Window(desk)
        desk.windows.add(window)
        return window

    async def close(self, window: Window) -> None:
        desk = window.desk
        desk.windows.discard(window)
        if not desk.windows and self.desks.get(desk.path) is desk:
            del self.desks[desk.path]
            await desk.work(lambda: self.last_save(desk))

    def last_save(self, desk: Desk) -> None:
        """When the last window has gone. What cannot be saved stays in the journal."""
        desk.edited = False
        desk.look()
        self.workspace.close(desk.path)

    def windows(self) -> list[Window]:
        return [window for desk in self.desks.values() for window in desk.windows]

    async def watch(self) -> None:
        """Tell windows of runs and files, until the server ends."""
        count = 0
        while True:
            await asyncio.sleep(LOOKING)
            count += 1
            if self.desks:
                await self._guarded(self.look_at_runs())
            if count % max(round(IDLE / LOOKING), 1) == 0:
                for desk in list(self.desks.values()):
                    await self._guarded(self.look_at(desk))

    async def _guarded(self, look: Coroutine[Any, Any, None]) -> None:
        """A look that fails, at a file that was just taken away or a full disk, is told; the next ones go on."""
        try:
            await look
        except Exception as error:
            known = isinstance(error, GaitwrightError)
            said = str(error) if known else report_unexpected("looking at files and runs")
            for window in self.windows():
                window.tell({"news": "unsaved", "message": said})

    async def look_at(self, desk: Desk) -> None:
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
        """The newest runs; those that have ended with their files."""
        return [self._whole(run) for run in self.runs.list()[:MOST_RUNS]]

    def _whole(self, run: dict[str, Any]) -> dict[str, Any]:
        if run["state"] not in ("done", "failed", "cancelled"):
            return {**run, "files": []}
        if run["id"] not in self.ended:
            whole = self.runs.get(run["id"])
            self.ended[run["id"]] = {key: value for key, value in whole.items() if key not in ("summary", "log")}
        return self.ended[run["id"]]

    def end(self) -> None:
        self.runs.shutdown()
        for desk in self.desks.values():
            with desk.lock:
                self.last_save(desk)
        self.desks.clear()
        self.workspace.shutdown()
