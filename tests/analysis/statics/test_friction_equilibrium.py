"""The search for an equilibrium with friction ends and reports the reason of a failure."""

from __future__ import annotations

from typing import Any

import pytest

import gaitwright as gw
from gaitwright.analysis.statics import friction_equilibrium


def pressed() -> gw.Model:
    """A block on the ground, with friction, that is pushed from above."""
    mesh = gw.mesh.rectangle((0.1, 0.03), (4, 2))
    model = gw.Model("block", gravity=(0, 0))
    model.solid("block", mesh, material=gw.materials.NeoHookean(youngs_modulus=1e5, poissons_ratio=0.4), density=1000.0)
    ground = gw.surfaces.LineGround(mesh.bounds[0, 1])
    model.contact(
        gw.surfaces.Skin("block", "bottom"),
        ground,
        law=gw.laws.Penalty(),
        friction=gw.friction.Bristle(0.2, 1e8),
        name="sole",
    )
    return model.force("force", at="block.top", value=(0.0, -100.0))


@pytest.mark.parametrize(
    ("every", "most", "said"),
    [
        (
            0,
            friction_equilibrium.MAX_CONSECUTIVE_FAILURES + 1,
            "finds no balance of the surfaces that touch, in 15 attempts",
        ),
        (3, friction_equilibrium.MAX_DRAG_STEPS + 1, "found no balance in 1[0-9][0-9] of 200 steps"),
    ],
)
def test_search_ends_after_repeated_failures(every: int, most: int, said: str, monkeypatch: Any) -> None:
    """every: one of this number of steps with drag succeeds, without a change of the pose; 0 for none."""
    drags: list[float] = []

    def balance(
        search: Any, begin: friction_equilibrium.BalancedPose, drag: float
    ) -> friction_equilibrium.BalancedPose | None:
        drags.append(drag)
        return begin if every and drag > 0.0 and sum(drag > 0.0 for drag in drags) % every == 0 else None

    monkeypatch.setattr(friction_equilibrium, "_find_balance", balance)
    with pytest.raises(gw.DidNotConverge, match=said):
        pressed().static()
    assert sum(drag > 0.0 for drag in drags) <= most


def test_search_finds_existing_equilibrium() -> None:
    assert pressed().static().array("sole.normal_force")[-1] == pytest.approx(100.0, rel=1e-9)
