"""Derivatives of kernels in the parameters of elements, compared with differences with many digits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from derive.elements import MARKED, STEP, close_to, mp
from derive.test_marker_kernels import CONSTRAINTS, FORCES, Marked
from gaitwright.derive.kernel_library import derive_kernels, derive_parameter_source, parameter_module
from gaitwright.physics.bodies.planar import PlanarRigidBody
from gaitwright.physics.declarations import Joint

WRITTEN = {"position": ("phi", "jac"), "force": ("total",), "energy": ("energy",)}
"""Arrays that are compared: those that a kernel writes."""


def namespace(name):
    """Generated derivatives, with functions that support many digits."""
    found: dict = {}
    exec(derive_parameter_source(*MARKED[name]), found)
    return found | {key: getattr(mp, key) for key in vars(math) if key in found and not key.startswith("_")}


def outputs(batch, kernel, e, par):
    """Outputs of a kernel for one element, in the order of writing."""
    places = []

    class Recorded(list):
        def __setitem__(self, place, value):
            places.append((id(self), place))
            super().__setitem__(place, value)

    size = 4 * batch.n + 64
    arrays = {name: Recorded(batch.zeros(size)) for name in WRITTEN[kernel]}
    head = [1, batch.dof[e], par, batch.sig[e]]
    if kernel == "position":
        slots = range(len(batch.kernels["JACOBIAN"]))
        batch.kernels[kernel](*head, batch.row[e], slots, batch.q, batch.u, arrays["phi"], arrays["jac"])
    else:
        batch.kernels[kernel](*head, batch.q, batch.v, batch.u, *arrays.values())
    by_id = {id(array): array for array in arrays.values()}
    return [by_id[array][place] for array, place in places]


@pytest.mark.parametrize("name", [*CONSTRAINTS, *FORCES])
def test_against_differences(name):
    batch, e = Marked(name, 3), 1
    printed = namespace(name)
    par = batch.number(batch.par[e])
    assert len(printed["PARAMETERS"]) == len(par)
    for kernel in ("position",) if name in CONSTRAINTS else ("force", "energy"):
        if not par:
            assert f"{kernel}_by_parameters" not in printed
            continue
        ahead, behind = [], []
        for k in range(len(par)):
            for side, sign in ((ahead, 1), (behind, -1)):
                moved = list(par)
                moved[k] = moved[k] + sign * STEP
                side.append(outputs(batch, kernel, e, moved))
        truth = [[(a - b) / (2 * STEP) for a, b in zip(x, y, strict=True)] for x, y in zip(ahead, behind, strict=True)]
        out = batch.zeros(len(par) * len(truth[0]))
        head = [1, batch.dof[e], par, batch.sig[e]]
        rest = [batch.row[e], range(99), batch.q, batch.u] if kernel == "position" else [batch.q, batch.v, batch.u]
        printed[f"{kernel}_by_parameters"](*head, *rest, out)
        close_to(np.array(out, dtype=float).reshape(-1, len(par)).T, np.array(truth, dtype=float))


def test_a_fused_pair_has_the_places_of_its_points_as_parameters():
    """Derivatives in s_a and s_b include those through named expressions; the module is cached."""
    revolute = Joint.registry[2]["revolute"]
    module = parameter_module(revolute, (PlanarRigidBody, PlanarRigidBody))
    assert module.PARAMETERS == ("s_x_a", "s_y_a", "s_x_b", "s_y_b")
    out = np.zeros(2 * 4)
    q = np.array([0.3, -0.2, 0.7, 0.1, 0.4, -0.5])
    module.residual_by_parameters(1, range(6), [0.1, 0.2, 0.3, 0.4], (), range(2), q, (), out)
    (ca, sa), (cb, sb) = ((math.cos(x), math.sin(x)) for x in (0.7, -0.5))
    np.testing.assert_allclose(out.reshape(2, 4), [[-ca, sa, cb, -sb], [-sa, -ca, sb, cb]], atol=1e-15)
    assert parameter_module(revolute, (PlanarRigidBody, PlanarRigidBody)) is module


def test_form_holds_only_what_a_printer_needs():
    for form in derive_kernels(*MARKED["force_spring_damper__3d"]).forms:
        known = {symbol for symbol, _ in form.shared} | set(form.inputs)
        assert all(value.free_symbols <= known for *_, value in form.outputs)
        assert [symbol.name for symbol in form.inputs] == list(dict.fromkeys(symbol.name for symbol in form.inputs))
