"""Springs act along the line between their ends, which has no direction where these are at the same place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gaitwright.checks import At
from gaitwright.derive.library import kernel_module
from gaitwright.result.catalogue import call_kernel
from gaitwright.result.outputs import Motion
from gaitwright.system.alone import on_arrays
from gaitwright.system.batches import on_markers
from gaitwright.system.blocks import Element
from gaitwright.system.mechanism import ForceNames, Mechanism
from gaitwright.system.tables import Array

NO_LENGTH = 1e-9
"""Lengths below it, relative to the size of the mechanism, are none; forces, N, likewise."""
MANY = 50
"""Springs of one kind from which on their lengths are found all at once."""


def require_directions(mechanism: Mechanism, q: Array, t: float) -> None:
    """Error if a spring acts along a line that has no direction, because its ends are at the same place."""
    for names, element in _suspects(mechanism, q):
        observed, rest = list(names.declaration.observed), np.zeros((1, q.size))
        pose = Motion(np.array([t]), q[None, :], rest, rest, rest, rest, rest)
        seen = call_kernel(mechanism, element, "observe", len(observed), pose)[0]
        length, force = (float(seen[observed.index(what)]) for what in names.declaration.directed or ())
        if length < NO_LENGTH * mechanism.size and abs(force) > NO_LENGTH:
            At(f"force '{names.name}'", "b").fail(
                f"has no length at the start, where its force is {abs(force):.4g} N in no direction",
                expected="ends that are apart at the start, or a spring whose force is zero there (rest_length: 0)",
            )


def _suspects(mechanism: Mechanism, q: Array) -> Iterator[tuple[ForceNames, Element]]:
    """Those that have to be looked at one by one: of many of a kind only the short ones."""
    kinds: dict[tuple[object, ...], list[tuple[ForceNames, Element]]] = {}
    for names, element in mechanism.acting():
        if names.declaration.directed is not None:
            kinds.setdefault((element.declaration, element.families), []).append((names, element))
    for members in kinds.values():
        first, element = members[0]
        module = kernel_module(element.declaration, element.families)
        if len(members) < MANY or on_markers(element.declaration, element.families) or module.N_SIG:
            yield from members
            continue
        assert first.declaration.directed is not None
        place = list(first.declaration.observed).index(first.declaration.directed[0])
        dof = np.array([np.concatenate(element.coordinates) for _, element in members])
        states = np.append(q[: mechanism.n], 0.0)[np.where(dof < 0, mechanism.n, dof)].T
        par = np.array([element.parameters for _, element in members], dtype=float).T
        seen = [np.zeros(len(members)) for _ in first.declaration.observed]
        try:
            on_arrays(module)["observe"](1, range(len(states)), par, (), states, np.zeros_like(states), (), seen)
        except ValueError:  # a formula with cases
            yield from members
            continue
        for k in np.flatnonzero(~(seen[place] > 2.0 * NO_LENGTH * mechanism.size)):
            yield members[k]
