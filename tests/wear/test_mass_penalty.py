"""Effect of a device's mass: zero for a massless device, and that of statics for a weight on the shank."""

from __future__ import annotations

import pytest

import gaitwright as gw
from gaitwright.wear.mass_penalty import scale_mass

from .people import SUBJECT, two_halves


def test_scaling_the_mass_changes_only_the_mass() -> None:
    device = two_halves(mass=1.0)
    light = scale_mass(device, 0.5)
    mass = {body.name: body.mass for body in light.document.bodies}
    assert mass == {"upper": 0.5, "lower": 0.5}
    assert light.to_dict()["forces"] == device.to_dict()["forces"]


def test_unknown_mass_penalty_gives_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    worn = gw.wear.put_on(two_halves(0.0, mass=1.0), gw.gait.schematic_walk(SUBJECT, 1.4))

    def fails(*_: object, **__: object) -> None:
        raise gw.DidNotConverge("no step is small enough", time=0.1)

    monkeypatch.setattr("gaitwright.wear.device_simulation.put_on", fails)
    with pytest.warns(UserWarning, match="effect of the mass of the device is not known.*no step is small enough"):
        assert worn.mass_penalty == {}


def test_weight_in_swing_is_carried_by_the_hip() -> None:
    """Two passive weights of one kg each: only the mass penalty changes, and grows with the mass."""
    walk = gw.gait.schematic_walk(SUBJECT, 2.5)
    found = {mass: gw.wear.put_on(two_halves(0.0, mass=mass), walk) for mass in (0.5, 1.0)}
    for mass, worn in found.items():
        cost = worn.mass_penalty
        for joint, one in worn.assistance().items():
            assert cost[joint] == pytest.approx(one.peak_with - one.peak_without, abs=0.02 * mass), joint
    assert found[1.0].mass_penalty["left_hip"] == pytest.approx(2 * found[0.5].mass_penalty["left_hip"], rel=0.2)
