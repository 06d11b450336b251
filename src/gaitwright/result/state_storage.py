"""Storage of large runs: chosen outputs at all output times, and whole states at a few times.

The states of 30,000 coordinates at 1,000 times need 0.7 GB, and most of them are never used. Therefore pieces of the motion
are converted to the requested outputs during the run; energies, powers of drives, the evidence and the outputs for contact
summaries are always stored. Whole states are stored at STATE_FRAME_COUNT times, evenly spread, and at the end: enough for
pictures, and to start another run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.mechanism.evaluation import contact_memory_size, power_count
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import Array, MechanismTables
from gaitwright.result.catalogue import OutputCatalogue
from gaitwright.result.contact_episodes import SUMMARY_OUTPUTS
from gaitwright.result.cross_plots import TIME_AXIS, read_cross_plots
from gaitwright.result.energy_balance import BALANCE_SERIES, EnergyBalance
from gaitwright.result.outputs import StateHistory

STATE_FRAME_COUNT = 50
MAX_STATE_BYTES = 2.5e8
"""Maximum size of states, bytes, up to which a run stores all of them by default."""
PIECE_BYTES = 3.2e7
"""Size of states, bytes, that are collected before they are converted to outputs."""
ALWAYS_STORED_PREFIXES = ("energy.", "evidence.")


class StoredOutputs(NamedTuple):
    """Outputs by name at all output times t, s, and the energy balance at these times."""

    t: Array
    values: dict[str, Array]
    balance: EnergyBalance


class StateRecorder:
    """Store all states of a motion, piece by piece. width: numbers per output time."""

    def __init__(self, width: int):
        self.width = width
        self.pieces: list[StateHistory] = []

    @property
    def filled(self) -> bool:
        """True if there are any states."""
        return any(piece.t.size for piece in self.pieces)

    def take(self, piece: StateHistory) -> None:
        self.pieces.append(piece)

    def result(self) -> tuple[StateHistory, None]:
        return StateHistory(*join_pieces(self.pieces)), None


class OutputRecorder:
    """Store chosen outputs of a motion, piece by piece. names: names of these outputs."""

    def __init__(self, mechanism: Mechanism, names: Sequence[str], begin: float, until: float):
        self.mechanism, self.marks = mechanism, np.linspace(begin, until, STATE_FRAME_COUNT)
        catalogue = OutputCatalogue(mechanism)
        drives = [f"{names.name}.power" for names in mechanism.constraint_names if names.kind == "drive"]
        touches = dict.fromkeys(contact.whole or contact.name for contact in mechanism.contact_names)
        names = [*names, *(f"{contact}.{quantity}" for contact in touches for quantity in SUMMARY_OUTPUTS)]
        own = [
            name for name in dict.fromkeys(names) if not name.startswith(ALWAYS_STORED_PREFIXES) and name not in drives
        ]
        self.outputs = {name: catalogue[name] for name in own}
        self.width = 1 + len(self.outputs) + len(drives) + len(BALANCE_SERIES)  # numbers at one output time
        self.values: dict[str, list[Array]] = {name: [] for name in self.outputs}
        self.times: list[Array] = []
        self.balances: list[EnergyBalance] = []
        self.frames: list[StateHistory] = []
        self.last: StateHistory | None = None

    @property
    def filled(self) -> bool:
        """True if there are any outputs."""
        return self.last is not None

    def take(self, piece: StateHistory) -> None:
        """Store the outputs of a piece, and its states at the frames."""
        if not piece.t.size:
            return
        self.times.append(piece.t)
        for name, output in self.outputs.items():
            self.values[name].append(np.array(output.values(piece), dtype=float))
        self.balances.append(EnergyBalance(self.mechanism, piece).condensed())
        reached = np.searchsorted(self.marks, piece.t, side="right")
        passed = len(self.frames) and self._passed
        chosen = np.flatnonzero(np.diff(reached, prepend=passed) > 0)
        self._passed = int(reached[-1])
        self.frames += [StateHistory(*(x[k : k + 1].copy() for x in piece)) for k in chosen]
        self.last = StateHistory(*(x[-1:].copy() for x in piece))

    def result(self) -> tuple[StateHistory, StoredOutputs]:
        """States at the frames, and the stored outputs."""
        assert self.last is not None
        frames = self.frames if self.frames and self.frames[-1].t[0] == self.last.t[0] else [*self.frames, self.last]
        motion = StateHistory(*join_pieces(frames))
        values = {name: np.concatenate(parts) for name, parts in self.values.items()}
        return motion, StoredOutputs(np.concatenate(self.times), values, EnergyBalance.joined(self.balances))

    _passed = 0


def join_pieces(pieces: Sequence[Sequence[Array]]) -> Sequence[Array]:
    """Concatenate the arrays of all pieces."""
    return pieces[0] if len(pieces) == 1 else [np.concatenate(parts) for parts in zip(*pieces, strict=True)]


def read_stored_outputs(data: Any) -> StoredOutputs:
    """Read the stored outputs from the dataset of a saved result."""
    t = data["time"].values
    stored = {str(name): x.values for name, x in data.data_vars.items() if x.dims == ("time",)}
    outputs = {
        name: x
        for name, x in stored.items()
        if not name.startswith((*ALWAYS_STORED_PREFIXES, "balance.", "state.", "episode."))
    }
    series = {name: stored[f"balance.{name}"] for name in BALANCE_SERIES}
    idle = data["balance.idle"].values if "balance.idle" in data else np.zeros((t.size, 0))
    ending = ".power"
    power = {name.removesuffix(ending): x for name, x in outputs.items() if name.endswith(ending)}
    return StoredOutputs(t, outputs, EnergyBalance.of(series, idle, power))


def state_width(s: MechanismTables) -> int:
    """Number of values in a stored state."""
    return 3 * (s.n + 1) + s.m_all + power_count(s) + contact_memory_size(s)


def select_recorder(
    mechanism: Mechanism, store: Any, samples: float, begin: float, until: float, document: Any, warnings: list[str]
) -> StateRecorder | OutputRecorder:
    """Choose the storage for a run with this many samples from begin to until, s: see Model.simulate. document: its outputs
    are stored if `store` is not given, and those of its charts in any case."""
    width = state_width(mechanism.system)
    size = 8.0 * samples * width
    if store == "all" or (store is None and size <= MAX_STATE_BYTES):
        return StateRecorder(width)
    if store is None:
        warnings.append(
            f"all states would take {1e-9 * size:.2g} GB: they are stored at {STATE_FRAME_COUNT} times, and at all "
            f"times energies and the "
            "outputs of the model; name others in store, or ask for store='all'"
        )
        store = (document or {}).get("outputs") or []
    names: list[Any] = list(store) if isinstance(store, Iterable) and not isinstance(store, str) else [None]
    if not all(isinstance(name, str) for name in names):
        ErrorContext("analysis", "store").fail(
            "is neither a list of outputs nor 'all'", store, "such as ['rod.end.x', 'energy.kinetic']"
        )
    charted = [name for chart in read_cross_plots(document) for name in (chart.x, *chart.y) if name != TIME_AXIS]
    return OutputRecorder(mechanism, [*names, *charted], begin, until)
