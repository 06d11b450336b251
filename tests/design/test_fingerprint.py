"""Fingerprints of models and functions."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import numpy as np

import gaitwright as gw
from gaitwright.design.fingerprint import fingerprint, model_fingerprint


def test_only_the_elements_in_a_model_count():
    """Declarations that the model does not use do not invalidate a sweep."""
    uses = {"joints": [{"type": "a-joint-of-mine", "a": "b.A", "b": "c.A"}]}
    does_not = {"joints": [{"type": "revolute", "a": "b.A", "b": "c.A"}]}
    before = model_fingerprint(uses), model_fingerprint(does_not)

    class Mine(gw.extend.Joint):
        name = "a-joint-of-mine"
        attachments = {"a": gw.extend.Point, "b": gw.extend.Point}
        rows = {"fx": "N"}

    try:
        assert model_fingerprint(does_not) == before[1]
        assert model_fingerprint(uses) != before[0]
    finally:
        for registry in Mine.registries():
            registry.pop(Mine.name, None)


def carrying(held: Any) -> Any:
    """Analysis with an object in its closure."""
    return lambda model: (model, held)


def chain(length: int, end: Any) -> Any:
    """Chain of objects, each with two references to the next one, so that there are 2^length paths to the last."""
    value = end
    for _ in range(length):
        value = SimpleNamespace(left=value, right={"of": [value]})
    return value


def test_a_shared_object_is_digested_once():
    """As in the object graph of a result, which has too many paths to follow them all."""
    assert fingerprint(carrying(chain(60, 1.0))) == fingerprint(carrying(chain(60, 1.0)))
    assert fingerprint(carrying(chain(60, 1.0))) != fingerprint(carrying(chain(60, 2.0)))


def test_equal_parts_have_the_fingerprint_of_one_shared_part():
    """A document from a file has no shared parts; one that was built in Python may have some."""
    part = {"a": [1.0, "x"], "b": np.arange(3.0), "c": {"p", "q"}}
    shared, separate = [part, part, (part,)], [part, copy.deepcopy(part), (copy.deepcopy(part),)]
    assert fingerprint(shared) == fingerprint(separate)
    for other in ([part, part], [part, part, [part]], [part, part, ({**part, "a": [1, "x"]},)]):
        assert fingerprint(shared) != fingerprint(other)


def test_recursive_objects_have_a_fingerprint():
    def ring(number: float) -> SimpleNamespace:
        one = SimpleNamespace(number=number)
        one.other = SimpleNamespace(back=one)
        return one

    assert fingerprint(ring(1.0)) == fingerprint(ring(1.0)) != fingerprint(ring(2.0))
