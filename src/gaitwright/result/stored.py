"""What a run of a large model keeps: chosen outputs at all output times, and whole states at a few.

The states of 30,000 coordinates at 1,000 times are 0.7 GB, and nobody looks at most of them. So pieces of the motion are turned
into the outputs that were asked for as they come; energies, powers of drives, the evidence and what contacts are summed up by
are kept anyway. Whole states are kept at FRAMES times, evenly spread, and at the end: enough for pictures, and to start
another run from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.result.catalogue import Catalogue
from gaitwright.result.charted import TIME, charts_of
from gaitwright.result.energy import SERIES, Balance
from gaitwright.result.outputs import Motion
from gaitwright.result.touches import SUMMARISED
from gaitwright.system.evaluate import memory_size, power_count
from gaitwright.system.mechanism import Mechanism
from gaitwright.system.tables import Array, System

FRAMES = 50
ROOMY = 2.5e8
"""Bytes of states up to which a run keeps them all unless it is asked not to."""
PIECE = 3.2e7
"""Bytes of states that are collected before they are turned into outputs."""
ANYWAY = ("energy.", "evidence.")


class Stored(NamedTuple):
    """Outputs by name at all output times t, s, and the balance there."""

    t: Array
    values: dict[str, Array]
    balance: Balance


class AllStates:
    """Takes the pieces of a motion and keeps them. width: numbers at one output time."""

    def __init__(self, width: int):
        self.width = width
        self.pieces: list[Motion] = []

    @property
    def filled(self) -> bool:
        """Whether there are any states."""
        return any(piece.t.size for piece in self.pieces)

    def take(self, piece: Motion) -> None:
        self.pieces.append(piece)

    def result(self) -> tuple[Motion, None]:
        return Motion(*joined(self.pieces)), None


class Keeper:
    """Takes the pieces of a motion and keeps chosen outputs. names: theirs."""

    def __init__(self, mechanism: Mechanism, names: Sequence[str], begin: float, until: float):
        self.mechanism, self.marks = mechanism, np.linspace(begin, until, FRAMES)
        catalogue = Catalogue(mechanism)
        drives = [f"{names.name}.power" for names in mechanism.constraint_names if names.kind == "drive"]
        touches = dict.fromkeys(contact.whole or contact.name for contact in mechanism.contact_names)
        names = [*names, *(f"{contact}.{what}" for contact in touches for what in SUMMARISED)]
        own = [name for name in dict.fromkeys(names) if not name.startswith(ANYWAY) and name not in drives]
        self.outputs = {name: catalogue[name] for name in own}
        self.width = 1 + len(self.outputs) + len(drives) + len(SERIES)  # numbers at one output time
        self.values: dict[str, list[Array]] = {name: [] for name in self.outputs}
        self.times: list[Array] = []
        self.balances: list[Balance] = []
        self.frames: list[Motion] = []
        self.last: Motion | None = None

    @property
    def filled(self) -> bool:
        """Whether there are any outputs."""
        return self.last is not None

    def take(self, piece: Motion) -> None:
        """Keep what is wanted of a piece."""
        if not piece.t.size:
            return
        self.times.append(piece.t)
        for name, output in self.outputs.items():
            self.values[name].append(np.array(output.values(piece), dtype=float))
        self.balances.append(Balance(self.mechanism, piece).condensed())
        reached = np.searchsorted(self.marks, piece.t, side="right")
        passed = len(self.frames) and self._passed
        chosen = np.flatnonzero(np.diff(reached, prepend=passed) > 0)
        self._passed = int(reached[-1])
        self.frames += [Motion(*(x[k : k + 1].copy() for x in piece)) for k in chosen]
        self.last = Motion(*(x[-1:].copy() for x in piece))

    def result(self) -> tuple[Motion, Stored]:
        """States at the frames, and the rest."""
        assert self.last is not None
        frames = self.frames if self.frames and self.frames[-1].t[0] == self.last.t[0] else [*self.frames, self.last]
        motion = Motion(*joined(frames))
        values = {name: np.concatenate(parts) for name, parts in self.values.items()}
        return motion, Stored(np.concatenate(self.times), values, Balance.joined(self.balances))

    _passed = 0


def joined(pieces: Sequence[Sequence[Array]]) -> Sequence[Array]:
    """The arrays of all pieces, one after another."""
    return pieces[0] if len(pieces) == 1 else [np.concatenate(parts) for parts in zip(*pieces, strict=True)]


def read_stored(data: Any) -> Stored:
    """From the dataset that a result was saved as."""
    t = data["time"].values
    kept = {str(name): x.values for name, x in data.data_vars.items() if x.dims == ("time",)}
    outputs = {name: x for name, x in kept.items() if not name.startswith((*ANYWAY, "balance.", "state.", "episode."))}
    series = {name: kept[f"balance.{name}"] for name in SERIES}
    idle = data["balance.idle"].values if "balance.idle" in data else np.zeros((t.size, 0))
    ending = ".power"
    power = {name.removesuffix(ending): x for name, x in outputs.items() if name.endswith(ending)}
    return Stored(t, outputs, Balance.of(series, idle, power))


def state_width(s: System) -> int:
    """Numbers in a state that a run may keep."""
    return 3 * (s.n + 1) + s.m_all + power_count(s) + memory_size(s)


def keeper_of(
    mechanism: Mechanism, store: Any, samples: float, begin: float, until: float, document: Any, warnings: list[str]
) -> AllStates | Keeper:
    """Who keeps what of a motion of so many samples, from begin to until, s: see Model.simulate. document: its outputs are kept
    where none are named, and those of its charts in any case."""
    width = state_width(mechanism.system)
    size = 8.0 * samples * width
    if store == "all" or (store is None and size <= ROOMY):
        return AllStates(width)
    if store is None:
        warnings.append(
            f"all states would take {1e-9 * size:.2g} GB: they are kept at {FRAMES} times, and at all times energies and the "
            "outputs of the model; name others in store, or ask for store='all'"
        )
        store = (document or {}).get("outputs") or []
    names: list[Any] = list(store) if isinstance(store, Iterable) and not isinstance(store, str) else [None]
    if not all(isinstance(name, str) for name in names):
        At("analysis", "store").fail(
            "is neither a list of outputs nor 'all'", store, "such as ['rod.end.x', 'energy.kinetic']"
        )
    charted = [name for chart in charts_of(document) for name in (chart.x, *chart.y) if name != TIME]
    return Keeper(mechanism, [*names, *charted], begin, until)
