"""Partial results of an analysis that is still running, stored every few seconds of wall time.

A process that is killed (kill -9, a power cut, the end of a cluster job) executes no further code, so it loses all unwritten
data. Inside `store_snapshots`, analyses offer their samples whenever Python has control. An offer that is due is written as
PARTIAL_FILE, which `gaitwright.load_result` reads like any other result, with a short summary in PARTIAL_SUMMARY_FILE. Both
are replaced as a whole, so there is always one complete file of each.

A snapshot holds states, from which outputs and energies are computed when it is read; a run that stores chosen outputs
writes these and its few states. The cost of a snapshot is therefore that of copying the states into a file. The interval
grows with the cost: a write of c seconds is followed by at least c / MAX_WRITE_TIME_RATIO seconds without one.
"""

from __future__ import annotations

import math
import os
import sys
import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.errors import NotSaved
from gaitwright._core.json_types import to_json
from gaitwright._core.output_files import save_text
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.result.contact_episodes import ContactEpisode
from gaitwright.result.evidence import RunEvidence
from gaitwright.result.outputs import StateHistory
from gaitwright.result.state_storage import StoredOutputs

SNAPSHOT_INTERVAL_S = 5.0
"""Wall time between two snapshots, s."""
SNAPSHOT_INTERVAL_VARIABLE = "GAITWRIGHT_PARTIAL_SECONDS"
"""Environment variable with another interval, s; inf disables snapshots."""
MAX_WRITE_TIME_RATIO = 0.01
"""Largest fraction of the wall time used for writing, estimated from the cost of the last snapshot; the next one may cost
twice that."""
PARTIAL_FILE, PARTIAL_SUMMARY_FILE = "partial.nc", "partial-summary.json"
"""Names of the snapshot file and of its summary."""


class Snapshot(NamedTuple):
    """Samples of a running analysis. until: end time of the analysis, s; the other fields: as in Result."""

    mechanism: Mechanism
    motion: StateHistory
    evidence: RunEvidence
    document: dict[str, Any] | None
    until: float
    stored: StoredOutputs | None = None
    episodes: Sequence[ContactEpisode] = ()
    steps: Mapping[str, Any] = {}

    @property
    def time(self) -> np.ndarray:
        return self.motion.t if self.stored is None else self.stored.t

    @property
    def status(self) -> str:
        """Text about the end of the samples."""
        return (
            f"incomplete until t = {self.time[-1]:.6g} s of {self.until:.6g} s: stored while the analysis was running"
        )


class SnapshotStore:
    """Writes snapshots into a folder when they are due. interval: wall time between two, s."""

    def __init__(self, folder: Path, interval: float):
        self.folder, self.interval = folder, interval
        self.began = clock.monotonic()
        self.due = self.began + interval
        self.count = 0

    @property
    def files(self) -> tuple[Path, Path]:
        return self.folder / PARTIAL_FILE, self.folder / PARTIAL_SUMMARY_FILE

    def offer(self, make: Callable[[], Snapshot]) -> None:
        """Write the snapshot that `make` returns, if one is due. A full disk or memory stops the snapshots, not the
        analysis."""
        if clock.monotonic() < self.due:
            return
        import h5py  # noqa: F401  # the result needs it anyway: its import does not count as cost of the snapshot

        before = clock.monotonic()
        try:
            self._write(make(), before)
        except (NotSaved, MemoryError) as error:
            why = str(error) if isinstance(error, NotSaved) else "there is not enough memory"
            print(f"warning: no more partial results are stored: {why}", file=sys.stderr, flush=True)
            self.due = math.inf
            return
        now = clock.monotonic()
        self.due = now + max(self.interval, (now - before) / MAX_WRITE_TIME_RATIO)

    def _write(self, snapshot: Snapshot, now: float) -> None:
        from gaitwright.result.files.result_file import write_snapshot

        if not snapshot.time.size:
            return
        path, summary = self.files
        status, evidence = snapshot.status, snapshot.evidence
        marked = replace(evidence, complete=False, warnings=[*evidence.warnings, status])
        write_snapshot(snapshot._replace(evidence=marked), path)
        numbers = {
            "status": status,
            "name": snapshot.mechanism.name,
            "analysis": evidence.analysis,
            "time": float(snapshot.time[-1]),
            "until": float(snapshot.until),
            "samples": int(snapshot.time.size),
            "wall_seconds": now - self.began,
            "file": path.name,
        }
        save_text(summary, to_json(numbers) + "\n")
        self.count += 1

    def remove(self) -> None:
        """Delete the files: the result is complete."""
        for path in self.files:
            with suppress(OSError):
                path.unlink(missing_ok=True)


_store: ContextVar[SnapshotStore | None] = ContextVar("_store", default=None)


@contextmanager
def store_snapshots(folder: str | Path, interval: float | None = None) -> Iterator[SnapshotStore]:
    """Context manager: store the samples of analyses inside it about every `interval` seconds of wall time (default:
    SNAPSHOT_INTERVAL_VARIABLE, or SNAPSHOT_INTERVAL_S), in an existing folder. Files of an earlier run remain until the
    first snapshot replaces them. Afterwards `remove` deletes them."""
    store = SnapshotStore(Path(folder), snapshot_interval() if interval is None else float(interval))
    token = _store.set(store)
    try:
        yield store
    finally:
        _store.reset(token)


def snapshot_interval() -> float:
    """Interval from SNAPSHOT_INTERVAL_VARIABLE, s; SNAPSHOT_INTERVAL_S if it holds no number that is positive or zero."""
    with suppress(ValueError):
        interval = float(os.environ.get(SNAPSHOT_INTERVAL_VARIABLE, ""))
        return interval if interval >= 0.0 else SNAPSHOT_INTERVAL_S
    return SNAPSHOT_INTERVAL_S


def offer_snapshot(make: Callable[[], Snapshot]) -> None:
    """Offer the samples so far; `make` is called only inside `store_snapshots` and when a snapshot is due."""
    store = _store.get()
    if store is not None:
        store.offer(make)
