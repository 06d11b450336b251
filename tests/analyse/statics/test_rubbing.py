"""A search for a balance of surfaces that touch ends, and says why."""

from __future__ import annotations

from typing import Any

import pytest

import gaitwright as gw
from gaitwright.analyse.statics import rubbing


def pressed() -> gw.Model:
    """A block on the ground, with friction, that is pushed from above."""
    mesh = gw.mesh.rectangle((0.1, 0.03), (4, 2))
    model = gw.Model("block", gravity=(0, 0))
    model.solid("block", mesh, material=gw.NeoHookean(youngs_modulus=1e5, poissons_ratio=0.4), density=1000.0)
    ground = gw.LineGround(mesh.bounds[0, 1])
    model.contact(gw.Skin("block", "bottom"), ground, law=gw.Penalty(), friction=gw.Bristle(0.2, 1e8), name="sole")
    return model.force("force", at="block.top", value=(0.0, -100.0))


@pytest.mark.parametrize(
    ("every", "most", "said"),
    [
        (0, rubbing.MAX_FAILURES_IN_A_ROW + 1, "finds no balance of the surfaces that touch, in 15 attempts"),
        (3, rubbing.MAX_STEPS + 1, "found no balance in 1[0-9][0-9] of 200 steps"),
    ],
)
def test_a_search_that_fails_again_and_again_ends(every: int, most: int, said: str, monkeypatch: Any) -> None:
    """every: which of its steps through oil finds a balance, here where it is; 0 for none."""
    drags: list[float] = []

    def balance(search: Any, begin: rubbing.Found, drag: float) -> rubbing.Found | None:
        drags.append(drag)
        return begin if every and drag > 0.0 and sum(drag > 0.0 for drag in drags) % every == 0 else None

    monkeypatch.setattr(rubbing, "_balance", balance)
    with pytest.raises(gw.DidNotConverge, match=said):
        pressed().static()
    assert sum(drag > 0.0 for drag in drags) <= most


def test_the_same_search_finds_what_there_is() -> None:
    assert pressed().static().values("sole.normal_force")[-1] == pytest.approx(100.0, rel=1e-9)
