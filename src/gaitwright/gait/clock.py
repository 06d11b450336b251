"""Times of frames: rebuilt from the rate, since files round them; and the rate from the times, where a header lies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright.checks import At

MAX_FRAMES_PER_ROW, ALWAYS_ALLOWED_FRAMES = 10, 1000
"""Frames of a trial for each row of its file, unless there are few: more come from a time that jumps by mistake, and filling
the gap of an hour takes minutes."""


class Clock(NamedTuple):
    """rate: Hz. frames: (n,), the number of each row: some are missing where rows were left out."""

    rate: float
    frames: np.ndarray
    notes: list[str]


def clock(times: np.ndarray, said: float | None, name: str = "the file") -> Clock:
    """times: as written, s. said: the rate of the header, Hz."""
    times, notes = np.asarray(times, dtype=float), []
    count = len(times)
    if count < 2:
        At().fail(f"{name} has {count} frame", expected="at least two")
    steps = np.diff(times)
    if not np.isfinite(times).all() or not (steps > 0).all():
        if not said:
            At().fail(f"{name} has neither a rate nor times that grow", expected="a column of times, s")
        return Clock(
            said, np.arange(count), [f"the times of {name} do not grow: they are taken from the rate, {said:g} Hz"]
        )
    decimals = max(1e-9, 10.0 ** -_decimals(times))
    since = times - times[0]
    if said and _fits(since, said, decimals):
        return Clock(said, _frames(times, said, name), _missing(since, said, name))
    usual = steps[steps < 1.5 * np.median(steps) + decimals]
    rate = 1.0 / usual.mean()
    for nice in (round(rate), round(rate / 10) * 10):
        if nice > 0 and _fits(since, nice, decimals):
            rate = float(nice)
    if said:
        notes.append(f"the header of {name} says {said:g} Hz, but its times say {rate:.5g} Hz: the times are believed")
    return Clock(rate, _frames(times, rate, name), notes + _missing(since, rate, name))


def _frames(times: np.ndarray, rate: float, name: str) -> np.ndarray:
    frames = np.rint((times - times[0]) * rate)
    if not frames[-1] < max(ALWAYS_ALLOWED_FRAMES, MAX_FRAMES_PER_ROW * len(times)):
        k = int(np.argmax(np.diff(times)))
        At().fail(
            f"{name} leaves out more than {1 - 1 / MAX_FRAMES_PER_ROW:.0%} of its frames, by a jump from {times[k]:g} s to "
            f"{times[k + 1]:g} s", expected=f"times that grow evenly, {1 / rate:.3g} s at a time",
        )  # fmt: skip
    return frames.astype(int)


def _fits(since: np.ndarray, rate: float, decimals: float) -> bool:
    frames = np.rint(since * rate)
    close = np.abs(frames / rate - since).max() <= max(0.75 * decimals, 1e-6 * since[-1])
    return bool(close and np.median(np.diff(frames)) == 1 and (np.diff(frames) > 0).all())


def _decimals(times: np.ndarray) -> int:
    return next((k for k in range(10) if np.abs(np.round(times, k) - times).max() < 1e-11), 9)


def _missing(since: np.ndarray, rate: float, name: str) -> list[str]:
    missing = int(np.rint(since[-1] * rate)) + 1 - len(since)
    return [f"{name} leaves out {missing} frames: they are gaps"] if missing > 0 else []
