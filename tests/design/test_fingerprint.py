"""Whether two models are the same question."""

from __future__ import annotations

import gaitwright as gw
from gaitwright.design.fingerprint import model_fingerprint


def test_only_the_elements_in_a_model_count():
    """An element that something else in the process has declared is no reason to begin a sweep anew."""
    uses = {"joints": [{"type": "a-joint-of-mine", "a": "b.A", "b": "c.A"}]}
    does_not = {"joints": [{"type": "revolute", "a": "b.A", "b": "c.A"}]}
    before = model_fingerprint(uses), model_fingerprint(does_not)

    class Mine(gw.Joint):
        name = "a-joint-of-mine"
        attachments = {"a": gw.Point, "b": gw.Point}
        rows = {"fx": "N"}

    try:
        assert model_fingerprint(does_not) == before[1]
        assert model_fingerprint(uses) != before[0]
    finally:
        for registry in Mine.registries():
            registry.pop(Mine.name, None)
