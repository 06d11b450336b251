"""Times: rounded, missing, and rates that lie."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright.errors import ModelError
from gaitwright.gait.clock import clock

FRAMES = np.arange(300)


@pytest.mark.parametrize("decimals", [2, 3, 6, 12])
@pytest.mark.parametrize("rate", [60.0, 100.0, 119.88, 150.0])
def test_rounded_times_do_not_change_the_rate(rate: float, decimals: int) -> None:
    found = clock(np.round(FRAMES / rate, decimals), rate)
    assert found.rate == rate or decimals == 2  # two decimals repeat at 150 Hz
    assert (found.frames == FRAMES).all()


@pytest.mark.parametrize("said", [100.0, 75.0, 300.0, None])
def test_a_rate_that_lies_is_not_believed(said: float | None) -> None:
    found = clock(np.round(FRAMES / 150, 3), said)
    assert found.rate == pytest.approx(150, rel=1e-12) and (found.frames == FRAMES).all()
    assert bool(found.notes) == bool(said)


def test_frames_that_are_left_out_are_gaps() -> None:
    kept = np.r_[FRAMES[:100], FRAMES[120:]]
    found = clock(np.round(kept / 150, 3), 150.0)
    assert (found.frames == kept).all() and "leaves out 20 frames" in found.notes[0]


@pytest.mark.parametrize("said", [150.0, None])
@pytest.mark.parametrize("jump", [2734.0, 1e300])
def test_a_jump_that_leaves_out_nearly_all_frames_is_refused(jump: float, said: float | None) -> None:
    with pytest.raises(ModelError, match=r"leaves out more than 90% of its frames, by a jump from 1\.99333 s to"):
        clock(np.r_[np.round(FRAMES / 150, 5), jump], said, "walk")


def test_times_that_do_not_grow() -> None:
    assert clock(np.zeros(5), 50.0).rate == 50
    with pytest.raises(ModelError, match="neither a rate nor times that grow"):
        clock(np.zeros(5), None)
    with pytest.raises(ModelError, match="has 1 frame"):
        clock(np.zeros(1), 50.0)
