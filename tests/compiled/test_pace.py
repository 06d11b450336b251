"""Compiled loops in pieces: the same result however they are cut, and Ctrl-C between any two of them."""

from __future__ import annotations

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analyse import contacts_along, kinematics
from gaitwright.compiled import pace
from gaitwright.compiled.pace import Pace, blocks, first_steps
from gaitwright.result import energy
from gaitwright.result import touches as contacts


def tapping(samples: int = 200) -> tuple[gw.Model, np.ndarray]:
    """A driven crank whose end dips into the ground once per turn."""
    model = gw.Model("tapping").ground_point("O", 0, 0).point("F", 0.1, 0).link("crank", "O", "F", length=0.1, mass=0.1)
    model.drive_rotation("crank", "2*pi*t")
    model.contact(
        "F", gw.LineGround(level=-0.09), law=gw.KelvinVoigt(1e4, damping=10.0), friction=gw.Coulomb(0.4), name="toe"
    )
    return model, np.linspace(0.0, 1.0, samples + 1)


@pytest.mark.parametrize("rows", [0, 1, 7, 1000])
def test_blocks_cover_all_rows(rows: int):
    found = [k for block in blocks(rows, pace.NUMBERS // 3) for k in range(rows)[block]]
    assert found == list(range(rows))


def test_few_steps_at_first_where_one_is_long():
    assert first_steps(33) == 512 and first_steps(200) == 100
    assert first_steps(400_000) == 1


def test_pace_follows_the_clock(monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr(pace.clock, "perf_counter", lambda: now[0])
    steady = Pace(64)
    for took, expected in ((0.001, 256), (1.0, 51), (100.0, 1), (0.2, 1), (0.01, 4)):
        steady.begin()
        now[0] += took
        steady.end()
        assert steady.steps == expected


def test_results_do_not_depend_on_the_pieces(monkeypatch: pytest.MonkeyPatch):
    """Contacts along a motion, energies and contact outputs: to the last bit, because every row is computed alike."""
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
    before = {name: whole.values(name) for name in names}

    class Short(Pace):
        def begin(self) -> int:
            return 3

    for module in (kinematics, contacts_along):
        monkeypatch.setattr(module, "Pace", Short)
    for module in (energy, contacts):
        monkeypatch.setattr(module, "blocks", lambda rows, width: (slice(k, k + 5) for k in range(0, rows, 5)))
    pieces = model.inverse(times=times)
    for name, values in before.items():
        np.testing.assert_array_equal(pieces.values(name), values, err_msg=name)
    assert pieces.episodes == whole.episodes


@pytest.mark.parametrize("when", [0.2, 0.7])
def test_interrupted_in_either_half(when: float, monkeypatch: pytest.MonkeyPatch):
    """The motion and the forces of its contacts, block by block: both are complete as far as the result goes."""

    class Short(Pace):
        def begin(self) -> int:
            return 10

    def stop(fraction: float) -> None:
        if fraction > when:
            raise KeyboardInterrupt

    for module in (kinematics, contacts_along):
        monkeypatch.setattr(module, "Pace", Short)
    model, times = tapping()
    part, whole = model.inverse(times=times, progress=stop), model.inverse(times=times)
    assert part.evidence.interrupted and 0 < part.time.size < times.size
    for name in ("toe.normal_force", "crank.torque", "energy.work"):
        np.testing.assert_array_equal(part.values(name), whole.values(name)[: part.time.size])
