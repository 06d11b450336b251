"""Check of spring directions: the line between the ends of a spring has no direction if they coincide."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.derive.kernel_library import kernel_module
from gaitwright.mechanism.batches import uses_markers
from gaitwright.mechanism.blocks import MechanismElement
from gaitwright.mechanism.mechanism import ForceNames, Mechanism
from gaitwright.mechanism.single_element import array_kernels
from gaitwright.mechanism.tables import Array
from gaitwright.result.catalogue import evaluate_kernel
from gaitwright.result.outputs import StateHistory

ZERO_LENGTH_TOL = 1e-9
"""Length, relative to the size of the mechanism, below which a spring has no length; force, N, that counts as zero."""
MIN_VECTORISED_SPRINGS = 50
"""Number of springs of one kind above which their lengths are computed in one vectorised call."""


def require_spring_directions(mechanism: Mechanism, q: Array, t: float) -> None:
    """Raise ModelError if a spring with a force has coincident ends, so that its line has no direction."""
    for names, element in _find_short_springs(mechanism, q):
        observed, rest = list(names.declaration.observed), np.zeros((1, q.size))
        pose = StateHistory(np.array([t]), q[None, :], rest, rest, rest, rest, rest)
        observed_values = evaluate_kernel(mechanism, element, "observe", len(observed), pose)[0]
        length, force = (
            float(observed_values[observed.index(quantity)]) for quantity in names.declaration.directed or ()
        )
        if length < ZERO_LENGTH_TOL * mechanism.size and abs(force) > ZERO_LENGTH_TOL:
            ErrorContext(f"force '{names.name}'", "b").fail(
                f"has no length at the start, where its force is {abs(force):.4g} N in no direction",
                expected="ends that are apart at the start, or a spring whose force is zero there (rest_length: 0)",
            )


def _find_short_springs(mechanism: Mechanism, q: Array) -> Iterator[tuple[ForceNames, MechanismElement]]:
    """Springs that must be checked one by one: of many springs of a kind, only the short ones."""
    kinds: dict[tuple[object, ...], list[tuple[ForceNames, MechanismElement]]] = {}
    for names, element in mechanism.acting():
        if names.declaration.directed is not None:
            kinds.setdefault((element.declaration, element.families), []).append((names, element))
    for members in kinds.values():
        first, element = members[0]
        module = kernel_module(element.declaration, element.families)
        if len(members) < MIN_VECTORISED_SPRINGS or uses_markers(element.declaration, element.families) or module.N_SIG:
            yield from members
            continue
        assert first.declaration.directed is not None
        place = list(first.declaration.observed).index(first.declaration.directed[0])
        dof = np.array([np.concatenate(element.coordinates) for _, element in members])
        states = np.append(q[: mechanism.n], 0.0)[np.where(dof < 0, mechanism.n, dof)].T
        par = np.array([element.parameters for _, element in members], dtype=float).T
        observed_values = [np.zeros(len(members)) for _ in first.declaration.observed]
        try:
            array_kernels(module)["observe"](
                1, range(len(states)), par, (), states, np.zeros_like(states), (), observed_values
            )
        except ValueError:  # a formula with cases
            yield from members
            continue
        for k in np.flatnonzero(~(observed_values[place] > 2.0 * ZERO_LENGTH_TOL * mechanism.size)):
            yield members[k]
