"""What a compiled program is asked, on a machine or on a GPU: arrays with a column for each design go in and come out."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""Of NumPy or CuPy."""


class Calls:
    """xp: NumPy or CuPy. lanes: designs that go together; strides of arrays are multiples of it."""

    xp: Any = np
    lanes = 1

    def call(self, name: str, *arguments: Any) -> None:
        """A function of the program. arguments: arrays, and numbers of NumPy, whose types it knows."""
        raise NotImplementedError

    def given(self, values: Array) -> Array:
        """Columns for whole lanes: the last one again."""
        values = self.xp.asarray(values)
        more = -values.shape[-1] % self.lanes
        whole = self.xp.concatenate([values, *[values[..., -1:]] * more], axis=-1) if more else values
        return self.xp.ascontiguousarray(whole)

    def room(self, shape: tuple[int, ...]) -> Array:
        """An array for states of a run, which are needed until the next one."""
        return self.xp.empty(shape)

    def close(self, P: Array, drawn: Array, size: float, closed: float) -> tuple[Array, Array]:
        """Closed poses (n, designs) and flags of designs P (parameters, designs)."""
        xp, count, P = self.xp, P.shape[1], self.given(P)
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
        """Outputs (samples + 1, outputs, designs), flags and times of failure. states: numbers of every sample that are kept
        for derivatives, (samples + 1, states, at least designs), until the next run in this thread."""
        return self._run("follow_all", P, Q, span, samples, outputs, states)

    def march(
        self, P: Array, Q: Array, span: Array, samples: int, outputs: int, states: int = 0,
        seeds: Array | None = None, dQ: Array | None = None,
    ) -> tuple[Array, Array, Array, Array, Array]:  # fmt: skip
        """The same of forward dynamics; with seeds (sums, samples + 1, outputs, designs) and the derivatives dQ (parameters, n,
        designs) of the poses also those of the sums, (sums, parameters, designs), carried along with the motion."""
        xp, none = self.xp, self.xp.zeros((0, 1))
        weights: Array = none if seeds is None else self.given(seeds)
        by = xp.zeros((len(weights), P.shape[0], self.given(span).size))
        more = np.int32(len(weights)), weights, by, none if dQ is None else self.given(dQ)
        return *self._run("march_all", P, Q, span, samples, outputs, states, *more), by[:, :, : P.shape[1]]

    def differentiate(self, P: Array, kept: Array, columns: Array, span: Array, samples: int, seeds: Array) -> Array:
        """Derivatives of sums in the parameters and, last, in the length of the run for its whole length, from the states that
        were kept of a run: (sums, parameters + 1, designs). columns: of these designs in them."""
        count, P = P.shape[1], self.given(P)
        stride, seeds = P.shape[1], self.given(seeds)
        by = self.xp.empty((len(seeds), P.shape[0] + 1, stride))
        self.call(
            "differentiate_all", np.int64(count), np.int64(stride), P, kept, np.int64(kept.shape[2]),
            self.given(columns), self.given(span), np.int32(samples),
            np.int32(len(seeds)), seeds, by,
        )  # fmt: skip
        return by[:, :, :count]

    def _run(
        self,
        name: str,
        P: Array,
        Q: Array,
        span: Array,
        samples: int,
        outputs: int,
        states: int,
        *more: Any,
    ) -> tuple[Array, Array, Array, Array]:
        """Designs through all samples."""
        xp, count = self.xp, P.shape[1]
        P, Q, span = (self.given(x) for x in (P, Q, span))
        stride = P.shape[1]
        room = max(outputs, 1)  # as programs have it that are asked for nothing
        track, flag, ends = xp.empty((samples + 1, room, stride)), xp.empty(stride, dtype=np.int32), xp.empty(stride)
        kept = self.room((samples + 1 if states else 0, states, stride))
        self.call(
            name, np.int64(count), np.int64(stride), P, Q, span, np.int32(samples), track, flag, ends,
            np.int32(bool(states)), kept, *more,
        )  # fmt: skip
        return track[:, :outputs, :count], flag[:count], ends[:count], kept
