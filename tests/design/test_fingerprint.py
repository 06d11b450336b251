"""Whether two models are the same question."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import numpy as np

import gaitwright as gw
from gaitwright.design.fingerprint import fingerprint, model_fingerprint


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


def carrying(held: Any) -> Any:
    """An analysis that carries an object along."""
    return lambda model: (model, held)


def chain(length: int, end: Any) -> Any:
    """Objects each of which holds the next one twice, so that there are 2^length ways to the last."""
    value = end
    for _ in range(length):
        value = SimpleNamespace(left=value, right={"of": [value]})
    return value


def test_an_object_that_many_others_hold_is_read_once():
    """As in the graph of a result, which had more ways through it than could ever be followed."""
    assert fingerprint(carrying(chain(60, 1.0))) == fingerprint(carrying(chain(60, 1.0)))
    assert fingerprint(carrying(chain(60, 1.0))) != fingerprint(carrying(chain(60, 2.0)))


def test_equal_parts_count_the_same_as_one_shared_part():
    """A document from a file has no shared parts, one that was built in Python may."""
    part = {"a": [1.0, "x"], "b": np.arange(3.0), "c": {"p", "q"}}
    shared, separate = [part, part, (part,)], [part, copy.deepcopy(part), (copy.deepcopy(part),)]
    assert fingerprint(shared) == fingerprint(separate)
    for other in ([part, part], [part, part, [part]], [part, part, ({**part, "a": [1, "x"]},)]):
        assert fingerprint(shared) != fingerprint(other)


def test_objects_that_hold_themselves_have_a_fingerprint():
    def ring(number: float) -> SimpleNamespace:
        one = SimpleNamespace(number=number)
        one.other = SimpleNamespace(back=one)
        return one

    assert fingerprint(ring(1.0)) == fingerprint(ring(1.0)) != fingerprint(ring(2.0))
