"""Frame times: rounded, missing, and wrong rates."""

from __future__ import annotations

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.gait.frame_times import recover_frame_times

FRAMES = np.arange(300)


@pytest.mark.parametrize("decimals", [2, 3, 6, 12])
@pytest.mark.parametrize("rate", [60.0, 100.0, 119.88, 150.0])
def test_rounded_times_do_not_change_the_rate(rate: float, decimals: int) -> None:
    found = recover_frame_times(np.round(FRAMES / rate, decimals), rate)
    assert found.rate == rate or decimals == 2  # two decimals repeat at 150 Hz
    assert (found.frames == FRAMES).all()


@pytest.mark.parametrize("said", [100.0, 75.0, 300.0, None])
def test_wrong_rate_is_replaced(said: float | None) -> None:
    found = recover_frame_times(np.round(FRAMES / 150, 3), said)
    assert found.rate == pytest.approx(150, rel=1e-12) and (found.frames == FRAMES).all()
    assert bool(found.notes) == bool(said)


def test_omitted_frames_are_gaps() -> None:
    kept = np.r_[FRAMES[:100], FRAMES[120:]]
    found = recover_frame_times(np.round(kept / 150, 3), 150.0)
    assert (found.frames == kept).all() and "leaves out 20 frames" in found.notes[0]


@pytest.mark.parametrize("said", [150.0, None])
@pytest.mark.parametrize("jump", [2734.0, 1e300])
def test_jump_over_nearly_all_frames_is_refused(jump: float, said: float | None) -> None:
    with pytest.raises(ModelError, match=r"leaves out more than 90% of its frames, by a jump from 1\.99333 s to"):
        recover_frame_times(np.r_[np.round(FRAMES / 150, 5), jump], said, "walk")


def test_times_that_do_not_increase() -> None:
    assert recover_frame_times(np.zeros(5), 50.0).rate == 50
    with pytest.raises(ModelError, match="neither a rate nor times that grow"):
        recover_frame_times(np.zeros(5), None)
    with pytest.raises(ModelError, match="has 1 frame"):
        recover_frame_times(np.zeros(1), 50.0)
