"""Compiled loops in several calls: the result is independent of the split, and Ctrl-C works between any two calls."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis import kinematics, prescribed_contacts
from gaitwright.jit import call_pacing
from gaitwright.jit.call_pacing import CallPacer, initial_step_count, split_rows
from gaitwright.result import contact_episodes as contacts
from gaitwright.result import energy_balance


def tapping(samples: int = 200) -> tuple[gw.Model, np.ndarray]:
    """Model of a driven crank with an end that dips into the ground once per turn."""
    model = gw.Model("tapping").ground_point("O", 0, 0).point("F", 0.1, 0).link("crank", "O", "F", length=0.1, mass=0.1)
    model.drive.rotation("crank", "2*pi*t")
    model.contact(
        "F",
        gw.surfaces.LineGround(level=-0.09),
        law=gw.laws.KelvinVoigt(1e4, damping=10.0),
        friction=gw.friction.Coulomb(0.4),
        name="toe",
    )
    return model, np.linspace(0.0, 1.0, samples + 1)


@pytest.mark.parametrize("rows", [0, 1, 7, 1000])
def test_blocks_cover_all_rows(rows: int):
    found = [k for block in split_rows(rows, call_pacing.MAX_NUMBERS_PER_CALL // 3) for k in range(rows)[block]]
    assert found == list(range(rows))


def test_first_call_has_few_steps_for_a_large_system():
    assert initial_step_count(33) == 512 and initial_step_count(200) == 100
    assert initial_step_count(400_000) == 1


def test_pace_follows_the_clock(monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr(call_pacing.clock, "perf_counter", lambda: now[0])
    steady = CallPacer(64)
    for took, expected in ((0.001, 256), (1.0, 51), (100.0, 1), (0.2, 1), (0.01, 4)):
        steady.begin()
        now[0] += took
        steady.end()
        assert steady.steps == expected


def test_results_do_not_depend_on_the_pieces(monkeypatch: pytest.MonkeyPatch):
    """Prescribed contacts, energies and contact outputs: equal to the last bit, because every row is computed alike."""
    model, times = tapping()
    names = [
        "crank.torque",
        "toe.normal_force",
        "toe.tangential_force",
        "energy.kinetic",
        "energy.residual",
        "toe.work",
    ]
    whole = model.inverse(times=times)
    before = {name: whole.array(name) for name in names}

    class Short(CallPacer):
        def begin(self) -> int:
            return 3

    for module in (kinematics, prescribed_contacts):
        monkeypatch.setattr(module, "CallPacer", Short)
    for module in (energy_balance, contacts):
        monkeypatch.setattr(module, "split_rows", lambda rows, width: (slice(k, k + 5) for k in range(0, rows, 5)))
    pieces = model.inverse(times=times)
    for name, values in before.items():
        np.testing.assert_array_equal(pieces.array(name), values, err_msg=name)
    assert pieces.episodes == whole.episodes


@pytest.mark.parametrize("when", [0.2, 0.7])
def test_interrupted_run_returns_complete_rows(when: float, monkeypatch: pytest.MonkeyPatch):
    """Motion and contact forces, block by block: the result is complete up to the interruption."""

    class Short(CallPacer):
        def begin(self) -> int:
            return 10

    def stop(fraction: float) -> None:
        if fraction > when:
            raise KeyboardInterrupt

    for module in (kinematics, prescribed_contacts):
        monkeypatch.setattr(module, "CallPacer", Short)
    model, times = tapping()
    part, whole = model.inverse(times=times, progress=stop), model.inverse(times=times)
    assert part.evidence.interrupted and 0 < part.time.size < times.size
    for name in ("toe.normal_force", "crank.torque", "energy.work"):
        np.testing.assert_array_equal(part.array(name), whole.array(name)[: part.time.size])
