"""Calls of a compiled program, on a CPU or a GPU, with arrays that have a column per design."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""Array of NumPy or CuPy."""


class ProgramCalls:
    """Base of compiled programs. xp: NumPy or CuPy. lanes: designs per SIMD group; strides of arrays are multiples of it."""

    xp: Any = np
    lanes = 1

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of the program. arguments: arrays and NumPy scalars of the types that the function expects."""
        raise NotImplementedError

    def pad_lanes(self, values: Array) -> Array:
        """Pad an array to whole lanes by repeating the last column."""
        values = self.xp.asarray(values)
        padding = -values.shape[-1] % self.lanes
        padded = self.xp.concatenate([values, *[values[..., -1:]] * padding], axis=-1) if padding else values
        return self.xp.ascontiguousarray(padded)

    def reserve_states(self, shape: tuple[int, ...]) -> Array:
        """Array for the states of a run, valid until the next run."""
        return self.xp.empty(shape)

    def close(self, P: Array, drawn: Array, size: float, closed: float) -> tuple[Array, Array]:
        """Closed poses (n, n_designs) and flags (n_designs,) of designs P (n_parameters, n_designs)."""
        xp, count, P = self.xp, P.shape[1], self.pad_lanes(P)
        stride = P.shape[1]
        Q, flag = xp.empty((drawn.size, stride)), xp.empty(stride, dtype=np.int32)
        self.call(
            "close_all", np.int64(count), np.int64(stride), P, xp.asarray(drawn), np.float64(size),
            np.float64(closed), Q, flag,
        )  # fmt: skip
        return Q[:, :count], flag[:count]

    def follow(
        self, P: Array, Q: Array, span: Array, samples: int, outputs: int, states: int = 0
    ) -> tuple[Array, Array, Array, Array]:
        """Outputs (samples + 1, n_outputs, n_designs), flags, times of failure (s), and stored states. states: number of values
        per sample stored for derivatives, (samples + 1, states, at least n_designs), valid until the next run in this
        thread."""
        return self._run("follow_all", P, Q, span, samples, outputs, states)

    def march(
        self, P: Array, Q: Array, span: Array, samples: int, outputs: int, states: int = 0,
        seeds: Array | None = None, dQ: Array | None = None,
    ) -> tuple[Array, Array, Array, Array, Array]:  # fmt: skip
        """The same for forward dynamics. With seeds (n_sums, samples + 1, n_outputs, n_designs) and the derivatives dQ
        (n_parameters, n, n_designs) of the poses also the derivatives of the weighted sums, (n_sums, n_parameters, n_designs),
        computed along with the motion."""
        xp, no_values = self.xp, self.xp.zeros((0, 1))
        weights: Array = no_values if seeds is None else self.pad_lanes(seeds)
        derivatives = xp.zeros((len(weights), P.shape[0], self.pad_lanes(span).size))
        arguments = np.int32(len(weights)), weights, derivatives, no_values if dQ is None else self.pad_lanes(dQ)
        return *self._run("march_all", P, Q, span, samples, outputs, states, *arguments), derivatives[
            :, :, : P.shape[1]
        ]

    def differentiate(self, P: Array, states: Array, columns: Array, span: Array, samples: int, seeds: Array) -> Array:
        """Derivatives of weighted sums with respect to the parameters and, last, to the length of the run, (n_sums,
        n_parameters + 1, n_designs), from the stored states of a run. columns: columns of these designs in the states."""
        count, P = P.shape[1], self.pad_lanes(P)
        stride, seeds = P.shape[1], self.pad_lanes(seeds)
        derivatives = self.xp.empty((len(seeds), P.shape[0] + 1, stride))
        self.call(
            "differentiate_all", np.int64(count), np.int64(stride), P, states, np.int64(states.shape[2]),
            self.pad_lanes(columns), self.pad_lanes(span), np.int32(samples),
            np.int32(len(seeds)), seeds, derivatives,
        )  # fmt: skip
        return derivatives[:, :, :count]

    def _run(
        self,
        name: str,
        P: Array,
        Q: Array,
        span: Array,
        samples: int,
        outputs: int,
        states: int,
        *arguments: Any,
    ) -> tuple[Array, Array, Array, Array]:
        """Run designs through all samples."""
        xp, count = self.xp, P.shape[1]
        P, Q, span = (self.pad_lanes(x) for x in (P, Q, span))
        stride = P.shape[1]
        column_count = max(outputs, 1)  # programs without outputs use one column
        track, flag, ends = (
            xp.empty((samples + 1, column_count, stride)),
            xp.empty(stride, dtype=np.int32),
            xp.empty(stride),
        )
        stored = self.reserve_states((samples + 1 if states else 0, states, stride))
        self.call(
            name, np.int64(count), np.int64(stride), P, Q, span, np.int32(samples), track, flag, ends,
            np.int32(bool(states)), stored, *arguments,
        )  # fmt: skip
        return track[:, :outputs, :count], flag[:count], ends[:count], stored
