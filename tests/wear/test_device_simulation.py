"""Effect of a device on the joints: exactly its spring; none without stiffness and mass; mirrored on the other side. The
energy balance of device and person closes; forces of a misaligned cuff equal the closed form."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import AnalysisError, ModelError
from gaitwright.gait.inverse_dynamics import segment_motions
from gaitwright.gait.schematic_gait import SchematicWalk
from gaitwright.wear.mirror import mirror_forces, mirror_motion
from gaitwright.wear.plausibility import spring_warnings

from .people import SUBJECT, ankle_spring, two_halves

MASS = SUBJECT.mass


@pytest.fixture(scope="module")
def walk() -> SchematicWalk:
    return gw.gait.schematic_walk(SUBJECT, 2.5)


@pytest.fixture(scope="module")
def worn(walk: SchematicWalk) -> gw.wear.DeviceResult:
    return gw.wear.put_on(ankle_spring(), walk)


def test_massless_aligned_spring_changes_its_joint_by_exactly_its_moment(walk: SchematicWalk) -> None:
    """k (angle - rest) at every instant, and zero at all other joints."""
    worn = gw.wear.put_on(two_halves(60.0, 0.2, mass=1e-12), walk)
    taken = MASS * (worn.moments["right_knee_moment"] - worn.moments_with["right_knee_moment"])
    assert taken.to_numpy() == pytest.approx(60.0 * (worn.angles["right_knee_flexion"].to_numpy() - 0.2), abs=1e-9)
    for joint in ("right_hip", "right_ankle", "left_knee", "lumbar"):
        name = f"{joint}_moment"
        assert worn.moments_with[name].to_numpy() == pytest.approx(worn.moments[name].to_numpy(), abs=1e-10)


def test_device_without_stiffness_and_mass_changes_nothing(walk: SchematicWalk) -> None:
    worn = gw.wear.put_on(two_halves(0.0, mass=1e-12), walk)
    for name, values in worn.moments.data_vars.items():
        assert worn.moments_with[name].to_numpy() == pytest.approx(values.to_numpy(), abs=1e-10), name


def test_ground_carries_the_device_with_an_unchanged_balance(worn: gw.wear.DeviceResult) -> None:
    more = (worn.forces_with.force - worn.forces.force).sum(axis=1)[:, 2]
    assert more.mean() == pytest.approx(0.6 * 9.81, rel=0.05)  # its mean acceleration is zero
    for name in ("residual_force", "residual_moment"):
        assert worn.moments_with[name].to_numpy() == pytest.approx(worn.moments[name].to_numpy(), abs=1e-9)


def test_each_of_two_equally_loaded_feet_carries_half_the_weight_on_the_pelvis(walk: SchematicWalk) -> None:
    model = gw.Model("belt", dimension=3, parameters={"hip_height": 0.95})
    model.body("belt", mass=2.0, inertia=[0.01] * 3, at=[0, 0, "hip_height"], points={"back": [-0.1, 0, 0]})
    model.cuff("belt", "belt.back", "pelvis")
    worn = gw.wear.put_on(model, walk)
    added = worn.forces_with.force - worn.forces.force
    up = walk.forces.force[..., 2]
    assert added[..., 2] * up.sum(axis=1, keepdims=True) == pytest.approx(up * added[..., 2].sum(axis=1, keepdims=True))


def test_energy_of_device_and_person_closes() -> None:
    """The work of the cuffs on the person equals the energy lost by the device."""
    worn = gw.wear.put_on(ankle_spring(), gw.gait.schematic_walk(SUBJECT, 1.2, rate=400.0))
    side = worn.sides["right"]
    device = np.zeros(len(worn.motion.times))
    for name in ("shell", "plate"):
        part = side.run.mechanism.parts[name]
        out = {axis: side.output(f"{name}.{axis}") for axis in ("vx", "vy", "vz", "wx", "wy", "wz", "z")}
        device += 0.5 * part.mass * sum(out[axis] ** 2 for axis in ("vx", "vy", "vz")) + part.mass * 9.81 * out["z"]
        device += 0.5 * 2e-3 * part.mass * sum(out[axis] ** 2 for axis in ("wx", "wy", "wz"))
    device += side.output("spring.energy") + side.output("cuff_calf.energy") + side.output("cuff_calf.dissipated")
    power, times = worn.power().to_numpy(), worn.motion.times
    done = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(times))])
    assert np.ptp(device) > 5.0
    # trapezoids over frames: the error is fifteen times as large at 100 frames a second
    assert done + device - device[0] == pytest.approx(0.0, abs=1e-3 * np.ptp(device))


def test_changes_of_joint_power_equal_the_power_of_cuffs_and_ground(worn: gw.wear.DeviceResult) -> None:
    """Energy of the person: sum of joint powers with the device + power of the device + power of the additional ground
    forces = sum of joint powers without the device, in frames with a balanced whole body."""
    joints = list(worn.motion.skeleton.joints)
    total = [
        MASS * sum(data[f"{joint}_power"].to_numpy() for joint in joints) for data in (worn.moments, worn.moments_with)
    ]
    feet, segments = ("right_foot", "left_foot"), segment_motions(worn.motion)
    ground = 0.0
    for k, foot in enumerate(feet):
        force = (worn.forces_with.force - worn.forces.force)[:, k]
        moment = (worn.forces_with.moment - worn.forces.moment)[:, k]
        origin, spin = segments[foot].origin, segments[foot].spin
        velocity = worn.motion.velocity.to_numpy()[:, worn.motion.segments.index(foot)]
        ground = ground + np.sum(force * velocity, axis=1) + np.sum((moment - np.cross(origin, force)) * spin, axis=1)
    difference = total[0] - total[1]
    # joints of the schematic walk stay connected, except for rounding in its splines
    assert difference == pytest.approx(worn.power().to_numpy() + ground, abs=1e-3 * np.abs(total[0]).max())


def test_a_mirrored_device_gives_the_mirrored_result(walk: SchematicWalk, worn: gw.wear.DeviceResult) -> None:
    motion, forces = mirror_motion(walk.motion), mirror_forces(walk.forces)
    other = gw.wear.put_on(ankle_spring(side="left"), motion, forces)
    for name in ("hip", "knee", "ankle"):
        for what in ("moment", "moment_frontal", "moment_transverse", "power"):
            mine, theirs = worn.moments_with[f"right_{name}_{what}"], other.moments_with[f"left_{name}_{what}"]
            assert theirs.to_numpy() == pytest.approx(mine.to_numpy(), abs=1e-9), (name, what)
    force, mirrored = (w.cuffs["force"].sel(cuff=c).to_numpy() for w, c in ((worn, "right_calf"), (other, "left_calf")))
    assert mirrored * [1, 1, -1] == pytest.approx(force, abs=1e-6)


def test_both_sides_are_right_and_left(walk: SchematicWalk, worn: gw.wear.DeviceResult) -> None:
    both = gw.wear.put_on(ankle_spring(), walk, side="both")
    assert both.mass == pytest.approx(2 * worn.mass)
    assert list(both.cuffs["cuff"].to_numpy()) == ["right_sole", "right_calf", "left_sole", "left_calf"]
    assert list(both.cuffs["segment"].to_numpy()) == ["right_foot", "right_shank", "left_foot", "left_shank"]
    assert both.cuffs["force"].sel(cuff="right_calf").to_numpy() == pytest.approx(
        worn.cuffs["force"].sel(cuff="right_calf").to_numpy(), abs=1e-9
    )


def test_device_without_a_side_is_worn_on_the_right_unless_the_left_is_given(walk: SchematicWalk) -> None:
    raw = two_halves(mass=0.2).to_dict()
    raw["worn"].pop("side")
    device = gw.Model.from_dict(raw)
    assert gw.wear.put_on(device, walk).side == "right"
    left = gw.wear.put_on(device, walk, side="left")
    assert left.side == "left"
    for body in raw["bodies"]:  # drawn on the left and declared so: the same result
        body["at"][1] = "hip_width/2"
    raw["worn"] = {
        **raw["worn"],
        "side": "left",
        "cuffs": [{**c, "segment": f"left_{c['segment']}"} for c in raw["worn"]["cuffs"]],
    }
    drawn = gw.wear.put_on(gw.Model.from_dict(raw), walk)
    assert drawn.moments_with["left_knee_moment"].to_numpy() == pytest.approx(
        left.moments_with["left_knee_moment"].to_numpy(), abs=1e-9
    )


def test_forces_of_a_misaligned_hinge_equal_the_closed_form() -> None:
    """A massless link from a hinge beside the knee to a soft cuff on the shank that lets it turn: only two forces act on
    it, so they are along the link, and equal stiffness times the excess distance of the cuff's position from the hinge."""
    walk = gw.gait.schematic_walk(SUBJECT, 20.0, 10.0, stride=20.0)  # slow: inertial forces are negligible
    hinge, cuff, stiffness = np.array([0.02, 0.03]), np.array([-0.05, -0.2]), 8000.0
    model = gw.Model("misaligned", dimension=3, gravity=(0, 0, 0), parameters={"knee_height": 0.5, "hip_width": 0.17})
    at = [hinge[0], "-hip_width/2", f"knee_height + {hinge[1]}"]
    model.body("upper", mass=0.01, inertia=[1e-4] * 3, at=at, points={"H": [0, 0, 0], "T": [0, 0, 0.15]})
    lower = cuff - hinge
    model.body("lower", mass=0.01, inertia=[1e-4] * 3, at=at, points={"H": [0, 0, 0], "S": [lower[0], 0, lower[1]]})
    model.joint.revolute("upper.H", "lower.H", axis=[0, 1, 0])
    model.cuff("thigh", "upper.T", "thigh")
    model.cuff("shank", "lower.S", "shank", "bushing", stiffness=[stiffness] * 3, damping=0.001)
    worn = gw.wear.put_on(model, walk)
    flexion = worn.angles["right_knee_flexion"].to_numpy()
    c, s = np.cos(flexion), np.sin(flexion)
    place = np.stack(
        [c * cuff[0] + s * cuff[1], c * cuff[1] - s * cuff[0]], axis=1
    )  # in the thigh's frame: flexion is backwards
    apart = place - hinge
    length = np.linalg.norm(apart, axis=1)
    pull = -stiffness * (length - np.linalg.norm(lower))[:, None] * apart / length[:, None]
    inside = np.stack([c * pull[:, 0] - s * pull[:, 1], c * pull[:, 1] + s * pull[:, 0]], axis=1)
    found = worn.cuffs["force"].sel(cuff="right_shank").to_numpy()
    assert np.abs(inside).max() > 50.0
    assert found[:, :2] == pytest.approx(inside, abs=2e-3 * np.abs(inside).max())
    moved = worn.cuffs["migration"].sel(cuff="right_shank").to_numpy()
    assert np.linalg.norm(moved, axis=1) == pytest.approx(np.abs(length - np.linalg.norm(lower)), abs=2e-4)


def test_rigid_cuffs_on_an_aligned_hinge_are_solved_with_one_stiff_cuff(walk: SchematicWalk) -> None:
    """The knee of the schematic walk is a hinge, except for its splines between frames; a note states the stiff cuff."""
    model = two_halves(40.0, 0.0, mass=0.2)
    model.joint.revolute("upper.origin", "lower.origin", axis=[0, 1, 0], name="hinge")
    worn = gw.wear.put_on(model, walk)
    plain = gw.wear.put_on(two_halves(40.0, 0.0, mass=0.2), walk)
    assert any("taken as stiff" in text for text in worn.notes)
    assert worn.moments_with["right_knee_moment"].to_numpy() == pytest.approx(
        plain.moments_with["right_knee_moment"].to_numpy(),
        abs=1e-3,  # N m/kg; a stiff cuff deflects by 1e-4 rad
    )


def test_rigid_cuffs_on_a_misaligned_hinge_are_refused(walk: SchematicWalk) -> None:
    model = two_halves(40.0, 0.0, mass=0.2)
    model.joint.revolute("upper.origin", "lower.origin", axis=[1, 0, 0], name="hinge")
    with pytest.raises(AnalysisError, match=r"cannot follow the person.*rigid cuffs.*make one of them a bushing"):
        gw.wear.put_on(model, walk)


def test_frames_with_an_unknown_segment_are_left_out(walk: SchematicWalk) -> None:
    position = walk.motion.position.copy()
    position[:20] = np.nan
    worn = gw.wear.put_on(ankle_spring(), replace(walk.motion, position=position), walk.forces)
    assert (
        np.isnan(worn.cuffs["force"].to_numpy()[:20]).all() and np.isfinite(worn.cuffs["force"].to_numpy()[20:]).all()
    )


def test_with_and_without_are_compared_at_the_same_instants(walk: SchematicWalk) -> None:
    """The right foot is lost before the push-off of the left one: the device does not count as having reduced that peak."""
    position = walk.motion.position.copy()
    position[100:, walk.motion.segments.index("right_foot")] = np.nan
    part = gw.wear.put_on(ankle_spring(mass=0.01), replace(walk.motion, position=position), walk.forces)
    assert part.known.sum() == 100
    left = part.assistance()["left_ankle"]
    assert left.peak_without < 0.9 * np.nanmax(np.abs(part.moments["left_ankle_moment"])) * MASS
    assert left.share_of_peak == pytest.approx(0.0, abs=0.02)


def test_warnings_of_the_run_are_among_the_notes(worn: gw.wear.DeviceResult) -> None:
    side = worn.sides["right"]
    assert side.run.evidence.warnings and not worn.notes, "freedom is usual"
    evidence = replace(side.run.evidence, warnings=["drifts", *side.run.evidence.warnings])
    run = copy(side.run)
    run.evidence = evidence
    assert replace(worn, sides={"right": side._replace(run=run)}).notes == ["drifts"]


def test_invalid_arguments_are_refused(walk: SchematicWalk) -> None:
    far, left, weak, heavy = (
        ankle_spring(),
        ankle_spring().to_dict(),
        ankle_spring().to_dict(),
        ankle_spring(mass=300.0),
    )
    left["bodies"][0]["at"][1] = "hip_width/2"
    weak["worn"]["cuffs"][1]["stiffness"] = [-1, 1, 1]
    wide = two_halves(type="pad", pad={"youngs_modulus": 2e5, "thickness": 10, "height": 0.08, "radius": 0.055})
    assert any("300 kg" in note or "600 kg" in note for note in gw.wear.put_on(heavy, walk).notes)
    assert far.document.worn is not None
    far.document.worn.cuffs[1].segment = "trunk"
    for device, options, said in (
        (gw.Model("bare", dimension=3), {}, "worn.*nothing binds it to a person"),
        (ankle_spring(), {"side": "rihgt"}, "is not a side of the body.*did you mean 'right'"),
        (far, {}, r"cuff 'calf' field 'at': is drawn 0\.\d+ m away from the trunk"),
        (
            gw.Model.from_dict(left),
            {},
            "cuff 'calf' field 'at': is drawn on the other side of the body than the right shank",
        ),
        (gw.Model.from_dict(weak), {}, "cuff 'calf' field 'stiffness': is negative"),
        (wide, {}, r"cuff 'thigh' field 'pad.thickness': is larger than people.*reads like mm"),
        ("afo.yaml", {}, "is not given as a model"),
    ):
        with pytest.raises(ModelError, match=said):
            gw.wear.put_on(device, walk, **options)
    with pytest.raises(ModelError, match="has no motion of a person"):
        gw.wear.put_on(ankle_spring(), "walk")
    with pytest.raises(ModelError, match=r"forces.*are missing"):
        gw.wear.put_on(ankle_spring(), walk.motion)


def test_neutral_angle_far_from_standing_gives_a_warning() -> None:
    """300 N m/rad, 1.2 rad off: 360 N m in standing. Within its play a bumper has no moment."""
    assert any("already gives 360 N m" in note for note in spring_warnings(two_halves(300.0, 1.2)))
    assert any("already gives 360 N m" in note for note in spring_warnings(ankle_spring(300.0, neutral=-1.2)))
    assert not spring_warnings(two_halves(60.0, 0.2)) and not spring_warnings(ankle_spring())


def test_description_names_the_legs_with_cuffs(worn: gw.wear.DeviceResult) -> None:
    assert worn.where == "the right leg"
