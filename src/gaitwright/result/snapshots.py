"""Partial results of an analysis that is still running, stored every few seconds of wall time.

A process that is killed (kill -9, a power cut, the end of a cluster job) runs no code any more, so it loses what it had not
written. Inside `storing_snapshots`, analyses offer the samples that they have so far whenever Python has control; an offer
that is due becomes the file PARTIAL, which `gaitwright.load_result` reads as any other result, and a short summary beside it.
Both are replaced as a whole, so at any time there is one complete file of each.

A snapshot holds states, from which outputs and energies are computed when it is read; a run that keeps chosen outputs
stores these and its few states. Its cost is therefore that of copying the states into a file. The interval grows with the
cost: a write of c seconds is followed by at least c / COST_SHARE seconds without one.
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

from gaitwright.errors import NotSaved
from gaitwright.plain import to_json
from gaitwright.result.evidence import Evidence
from gaitwright.result.outputs import Motion
from gaitwright.result.stored import Stored
from gaitwright.result.touches import Episode
from gaitwright.saving import save_text
from gaitwright.system.mechanism import Mechanism

INTERVAL_S = 5.0
"""Wall time between two snapshots, s."""
INTERVAL_VARIABLE = "GAITWRIGHT_PARTIAL_SECONDS"
"""Environment variable: another interval, s; inf: no snapshots."""
COST_SHARE = 0.01
"""Largest part of the wall time that writing may take, by the cost of the last snapshot; the next one may cost twice that."""
PARTIAL, PARTIAL_SUMMARY = "partial.nc", "partial-summary.json"
"""Names of the files."""


class Snapshot(NamedTuple):
    """The samples of an analysis so far. until: time of its end, s; the other fields: as in Result."""

    mechanism: Mechanism
    motion: Motion
    evidence: Evidence
    document: dict[str, Any] | None
    until: float
    stored: Stored | None = None
    episodes: Sequence[Episode] = ()
    steps: Mapping[str, Any] = {}

    @property
    def time(self) -> np.ndarray:
        return self.motion.t if self.stored is None else self.stored.t

    @property
    def status(self) -> str:
        """The end of the samples, in words."""
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
        return self.folder / PARTIAL, self.folder / PARTIAL_SUMMARY

    def offer(self, make: Callable[[], Snapshot]) -> None:
        """Write the snapshot that `make` returns, if one is due. A disk or memory that is full ends the storing, not the
        analysis."""
        if clock.monotonic() < self.due:
            return
        import h5py  # noqa: F401  # the result needs it anyway: its import is no cost of the snapshot

        before = clock.monotonic()
        try:
            self._write(make(), before)
        except (NotSaved, MemoryError) as error:
            why = str(error) if isinstance(error, NotSaved) else "there is not enough memory"
            print(f"warning: no more partial results are stored: {why}", file=sys.stderr, flush=True)
            self.due = math.inf
            return
        now = clock.monotonic()
        self.due = now + max(self.interval, (now - before) / COST_SHARE)

    def _write(self, snapshot: Snapshot, now: float) -> None:
        from gaitwright.result.written import write_snapshot

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
def storing_snapshots(folder: str | Path, interval: float | None = None) -> Iterator[SnapshotStore]:
    """Store what analyses within have computed, about every `interval` seconds of wall time (INTERVAL_S, or that of
    INTERVAL_VARIABLE, unless given), in a folder that exists. Files of an earlier run stay until the first snapshot replaces
    them. Afterwards `remove` deletes them."""
    store = SnapshotStore(Path(folder), snapshot_interval() if interval is None else float(interval))
    token = _store.set(store)
    try:
        yield store
    finally:
        _store.reset(token)


def snapshot_interval() -> float:
    """The interval that INTERVAL_VARIABLE asks for, s; INTERVAL_S if it holds no number that is positive or zero."""
    with suppress(ValueError):
        asked = float(os.environ.get(INTERVAL_VARIABLE, ""))
        return asked if asked >= 0.0 else INTERVAL_S
    return INTERVAL_S


def offer_snapshot(make: Callable[[], Snapshot]) -> None:
    """Offer the samples so far; `make` is called only inside `storing_snapshots` and when a snapshot is due."""
    store = _store.get()
    if store is not None:
        store.offer(make)
