"""Results in the old format: contacts in the plane with 7 numbers, in space with 17 and the coordinates at rest."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.contact.state import (
    MEMORY_APPROACH_SPEED,
    MEMORY_NORMAL_FORCE,
    MEMORY_SLIP_DISTANCE,
    MEMORY_STRETCH,
    MEMORY_TOUCHING,
)
from gaitwright.result.contact_episodes import sample_contacts
from gaitwright.result.files.legacy_contact_state import upgrade_contact_memory
from gaitwright.result.outputs import StateHistory

LAW, FRICTION = gw.laws.HuntCrossley(1e4, restitution=0.5), gw.friction.Bristle(0.3, stiffness=2e3, damping=5.0)
TERRAIN = [[-1, 0.2], [0, 0], [0.3, 0.05], [0.6, 0.0], [2, 0.2]]


def hopping() -> gw.Model:
    model = gw.Model("hop").body("b", mass=1, inertia=0.004, at=(0.05, 0.12), velocity=(0.6, 0), spin=-3)
    return model.contact(
        gw.surfaces.Circle("b", 0.1), gw.surfaces.Polyline(TERRAIN), law=LAW, friction=FRICTION, name="g"
    )


def ball() -> gw.Model:
    model = gw.Model("ball", dimension=3)
    model.body("b", mass=1, inertia=(0.004,) * 3, at=(0, 0, 0.11), velocity=(0.5, 0.2, 0), spin=(3, 0, 1))
    return model.contact(gw.surfaces.Sphere("b", 0.1), gw.surfaces.PlaneGround(), law=LAW, friction=FRICTION, name="g")


def test_planar_contacts_are_upgraded() -> None:
    """Old columns for a surface of several pieces, sorted by shape: faces, then the corners between them."""
    run = hopping().simulate(0.3, step=1e-3)
    mechanism, motion = run.mechanism, run.motion
    count = len(mechanism.contacts)
    now = motion.memory.reshape(motion.t.size, count, -1)
    old = np.zeros((motion.t.size, count, 7))
    by_shape: dict[Any, list[int]] = {}
    for i, contact in enumerate(mechanism.contacts):
        by_shape.setdefault(contact.shape[0], []).append(i)
    order = [i for members in by_shape.values() for i in members]
    assert len(by_shape) > 1
    for place, i in enumerate(order):
        memory, contact = now[:, mechanism.contact_place[i]], mechanism.contacts[i]
        old[:, place, [0, 1, 4, 5]] = memory[
            :, [MEMORY_TOUCHING, MEMORY_APPROACH_SPEED, MEMORY_SLIP_DISTANCE, MEMORY_NORMAL_FORCE]
        ]
        z, at, n = (memory[:, MEMORY_STRETCH + k : MEMORY_STRETCH + k + 2] for k in (0, 4, 6))
        tangent = np.stack([n[:, 1], -n[:, 0]], axis=1)
        old[:, place, 2] = np.sum(z * tangent, axis=1)
        turned = np.unwrap(np.arctan2(memory[:, MEMORY_STRETCH + 9], memory[:, MEMORY_STRETCH + 8]))
        if contact.shape[0].name == "corner":
            old[:, place, 3] = 0.1 * (turned - np.arctan2(at[:, 1], at[:, 0]))
        else:
            old[:, place, 3] = np.sum(at * tangent, axis=1) + 0.1 * turned
    stored = motion._replace(memory=old.reshape(motion.t.size, -1))
    back = upgrade_contact_memory(mechanism, stored)
    assert np.any(now[:, :, MEMORY_TOUCHING]) and np.any(now[:, :, MEMORY_STRETCH])
    found, wanted = sample_contacts(mechanism, back), sample_contacts(mechanism, motion)
    touching = wanted[:, :, 6] > 0
    near = np.abs(found - wanted)[touching]
    # corners: arcs with radius R instead of R - d
    assert touching.any() and near.max() < 1e-3 * np.abs(wanted[touching]).max()
    faces = [i for i, contact in enumerate(mechanism.contacts) if contact.shape[0].name == "face"]
    np.testing.assert_allclose(found[:, faces][touching[:, faces]], wanted[:, faces][touching[:, faces]], atol=1e-9)


def test_spatial_contacts_are_upgraded() -> None:
    """With slip and time at the start of the step, or with the coordinates at which bristles at rest are unstretched."""
    run = ball().simulate(0.1, step=1e-3)
    mechanism, motion = run.mechanism, run.motion
    closed = np.flatnonzero(motion.memory[:, MEMORY_TOUCHING])
    n, k = mechanism.system.n, int(closed[len(closed) // 2])
    one = StateHistory(*(x[k : k + 1] for x in motion))
    old = np.zeros((1, 17 + n + 1))
    old[0, [0, 1, 4]] = 1.0, one.memory[0, MEMORY_APPROACH_SPEED], 0.3
    old[0, 7:14] = [1e-4, -2e-4, 0.0, 0.02, 0.03, 0.0, one.t[0] - 1e-3]
    back = upgrade_contact_memory(mechanism, one._replace(memory=old))
    v = one.v[0, :3] + np.cross([*_spin(one)], [0.0, 0.0, -0.1])
    moved = 0.5e-3 * (np.array([0.02, 0.03]) + v[:2])
    assert back.memory[0, MEMORY_STRETCH : MEMORY_STRETCH + 2] == pytest.approx(
        np.array([1e-4, -2e-4]) + moved, abs=1e-12
    )
    assert back.memory[0, MEMORY_SLIP_DISTANCE] == pytest.approx(0.3 + math.hypot(*moved))
    old[0, 13], old[0, 17:] = -np.inf, one.q[0]
    old[0, 17] -= 1e-5
    rest = upgrade_contact_memory(mechanism, one._replace(memory=old))
    assert rest.memory[0, MEMORY_STRETCH : MEMORY_STRETCH + 2] == pytest.approx([1e-4 + 1e-5, -2e-4], abs=1e-12)


def _spin(motion: StateHistory) -> Any:
    axes, rates = motion.q[0, 3:12].reshape(3, 3) + np.eye(3), motion.v[0, 3:12].reshape(3, 3)
    return np.cross(axes, rates).sum(axis=0) / 2
