"""Frame times: recomputed from the rate, because files round them; and the rate recomputed from the times if the header is
wrong."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext

MAX_FRAMES_PER_ROW, ALWAYS_ALLOWED_FRAMES = 10, 1000
"""Upper bound of the frames of a trial per row of its file, except for short trials: more are caused by a wrong jump in
time, and filling a gap of an hour would take minutes."""


class FrameTimes(NamedTuple):
    """Frame times of a file. rate: Hz. frames: (n,), frame number of each row; numbers are missing for omitted rows.
    notes: remarks on corrections."""

    rate: float
    frames: np.ndarray
    notes: list[str]


def recover_frame_times(times: np.ndarray, said: float | None, name: str = "the file") -> FrameTimes:
    """Recover rate and frame numbers. times: as written, s. said: the rate of the header, Hz. Raises ModelError if neither is
    usable."""
    times, notes = np.asarray(times, dtype=float), []
    count = len(times)
    if count < 2:
        ErrorContext().fail(f"{name} has {count} frame", expected="at least two")
    steps = np.diff(times)
    if not np.isfinite(times).all() or not (steps > 0).all():
        if not said:
            ErrorContext().fail(f"{name} has neither a rate nor times that grow", expected="a column of times, s")
        return FrameTimes(
            said, np.arange(count), [f"the times of {name} do not grow: they are taken from the rate, {said:g} Hz"]
        )
    decimals = max(1e-9, 10.0 ** -_count_decimals(times))
    since = times - times[0]
    if said and _rate_fits(since, said, decimals):
        return FrameTimes(said, _frame_numbers(times, said, name), _missing_frame_notes(since, said, name))
    usual = steps[steps < 1.5 * np.median(steps) + decimals]
    rate = 1.0 / usual.mean()
    for nice in (round(rate), round(rate / 10) * 10):
        if nice > 0 and _rate_fits(since, nice, decimals):
            rate = float(nice)
    if said:
        notes.append(f"the header of {name} states {said:g} Hz, but its times give {rate:.5g} Hz: the times are used")
    return FrameTimes(rate, _frame_numbers(times, rate, name), notes + _missing_frame_notes(since, rate, name))


def _frame_numbers(times: np.ndarray, rate: float, name: str) -> np.ndarray:
    frames = np.rint((times - times[0]) * rate)
    if not frames[-1] < max(ALWAYS_ALLOWED_FRAMES, MAX_FRAMES_PER_ROW * len(times)):
        k = int(np.argmax(np.diff(times)))
        ErrorContext().fail(
            f"{name} leaves out more than {1 - 1 / MAX_FRAMES_PER_ROW:.0%} of its frames, by a jump from {times[k]:g} s to "
            f"{times[k + 1]:g} s", expected=f"times that grow evenly, {1 / rate:.3g} s at a time",
        )  # fmt: skip
    return frames.astype(int)


def _rate_fits(since: np.ndarray, rate: float, decimals: float) -> bool:
    frames = np.rint(since * rate)
    close = np.abs(frames / rate - since).max() <= max(0.75 * decimals, 1e-6 * since[-1])
    return bool(close and np.median(np.diff(frames)) == 1 and (np.diff(frames) > 0).all())


def _count_decimals(times: np.ndarray) -> int:
    return next((k for k in range(10) if np.abs(np.round(times, k) - times).max() < 1e-11), 9)


def _missing_frame_notes(since: np.ndarray, rate: float, name: str) -> list[str]:
    missing = int(np.rint(since[-1] * rate)) + 1 - len(since)
    return [f"{name} leaves out {missing} frames: they are gaps"] if missing > 0 else []
