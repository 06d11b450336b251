"""Loads on segments: their effect on joint moments, by closed forms; and validation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.gait.inverse_dynamics import GRAVITY_M_PER_S2, segment_motions
from gaitwright.gait.schematic_gait import SchematicWalk
from gaitwright.gait.segment_loads import Wrench

AHEAD = np.array([0.2, 0.0, 0.3])
SUBJECT = gw.gait.Subject(73.0, 1.741, "male")


@pytest.fixture(scope="module")
def walk() -> SchematicWalk:
    return gw.gait.schematic_walk(SUBJECT, 1.1)


def test_pack_ahead_of_the_trunk_is_held_by_extensors(walk: SchematicWalk) -> None:
    """100 N, 0.2 m ahead of the lumbar joint: 20 N m there, nothing distal, a residual of 100 N at the pelvis."""
    motion, mass = walk.motion, SUBJECT.mass
    lumbar = motion.origin("trunk")
    pack = Wrench.at(lumbar + AHEAD, [0.0, 0.0, -100.0])
    without, found = (gw.gait.joint_moments(motion, walk.forces, loads=loads) for loads in (None, {"trunk": pack}))
    more = found - without
    sideways = motion.turned("pelvis")[:, :, 2]  # the lumbar axis; moments of the pack are about +y, to the left
    assert more["lumbar_moment"].to_numpy() == pytest.approx(20.0 * -sideways[:, 1] / mass, abs=1e-12)
    for joint in ("hip", "knee", "ankle"):
        assert np.abs(more[f"right_{joint}_moment"]).max() == 0.0
    assert more["residual_force"].to_numpy() == pytest.approx(np.tile([0.0, 0.0, 100.0], (len(lumbar), 1)), abs=1e-9)
    about_hips = np.cross(lumbar + AHEAD - motion.origin("pelvis"), [0.0, 0.0, 100.0])
    assert more["residual_moment"].to_numpy() == pytest.approx(about_hips, abs=1e-9)


def test_weight_as_a_load_equals_a_heavier_segment(walk: SchematicWalk) -> None:
    """5 kg at the centre of a shank: by its mass, or as a load of -m (a - g)."""
    motion, name = walk.motion, "right_shank"
    skeleton = motion.skeleton
    heavier = replace(skeleton.segments[name], mass=skeleton.segments[name].mass + 5.0)
    with_mass = replace(motion, skeleton=replace(skeleton, segments={**skeleton.segments, name: heavier}))
    expected = gw.gait.joint_moments(with_mass, walk.forces)
    centre = motion.place(name, heavier.centre)
    force = -5.0 * (segment_motions(motion)[name].acceleration + np.array([0.0, 0.0, GRAVITY_M_PER_S2]))
    found = gw.gait.joint_moments(motion, walk.forces, loads={name: Wrench.at(centre, force)})
    for joint in ("hip", "knee", "ankle"):
        for kind in ("moment", "moment_frontal", "power"):
            key = f"right_{joint}_{kind}"
            assert found[key].to_numpy() == pytest.approx(expected[key].to_numpy(), abs=1e-10)


def test_load_reduces_the_ground_force(walk: SchematicWalk) -> None:
    forces = walk.forces
    none = replace(forces, force=0 * forces.force, moment=0 * forces.moment)
    loads = {
        f"{side}_foot": Wrench(forces.force[:, k], forces.moment[:, k]) for k, side in enumerate(("right", "left"))
    }
    found, expected = (
        gw.gait.joint_moments(walk.motion, one, loads=more) for one, more in ((none, loads), (forces, None))
    )
    for name in expected:
        assert found[name].to_numpy() == pytest.approx(expected[name].to_numpy(), abs=1e-10)


def test_wrench_about_another_point() -> None:
    one = Wrench.at([[0.1, 0.2, 0.3], [1.0, 0.0, 0.0]], [0.0, 0.0, 10.0], [1.0, 2.0, 3.0])
    assert one.about([[0.1, 0.2, 0.3], [1.0, 0.0, 0.0]]) == pytest.approx(np.tile([1.0, 2.0, 3.0], (2, 1)))
    assert (one + (-one)).moment == pytest.approx(np.zeros((2, 3)))


def refused(walk: SchematicWalk, loads: object, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        gw.gait.joint_moments(walk.motion, walk.forces, loads=loads)  # pyright: ignore[reportArgumentType]


def test_invalid_loads_are_refused(walk: SchematicWalk) -> None:
    n = len(walk.motion.times)
    zero = np.zeros((n, 3))
    hole = zero.copy()
    hole[7, 1] = np.nan
    refused(walk, {"right_shin": Wrench(zero, zero)}, "right_shin.*no such segment|no such segment.*right_shin")
    refused(walk, {"trunk": Wrench(zero[:5], zero)}, rf"'trunk'.*\(5, 3\).*\({n}, 3\)")
    refused(walk, {"trunk": Wrench(zero, hole)}, "moment.*not a number at instant 7")
    refused(walk, {"trunk": (zero, zero)}, "not a wrench")
    with pytest.raises(ModelError, match=r"force.*\(3, 2\)"):
        Wrench.at(np.zeros((3, 3)), np.zeros((3, 2)))
