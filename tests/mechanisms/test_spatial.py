"""Spatial ready models compared with closed forms: tops, linkages, an overconstrained loop, a walking body, an
orthosis."""

import numpy as np
import pytest
from scipy.optimize import brentq

import gaitwright as gw
from documents import EXAMPLES
from gaitwright.mechanisms import (
    ankle_foot_orthosis,
    bricard,
    gimbal_gyroscope,
    gyroscope,
    lower_body,
    spatial_four_bar,
    spatial_slider_crank,
)
from gaitwright.mechanisms.body_segments import BODY_SEGMENTS
from gaitwright.mechanisms.gait_curves import (
    JOINT_ANGLES_DEG,
    PELVIS_TILT_DEG,
    PUBLISHED_ANGLES_DEG,
    truncate_harmonics,
)

GAUSS = {"step": 1e-3, "method": "gauss2"}
M, R, H, L, G = 0.2, 0.04, 0.01, 0.06, 9.81
"""Parameters of the top."""
I1, I3 = M * (3 * R**2 + H**2) / 12 + M * L**2, M * R**2 / 2


def axes(run, name):
    """Vector over time, (n_times, 3)."""
    return np.column_stack([run.array(f"{name}{axis}") for axis in "xyz"])


@pytest.mark.parametrize(
    ("model", "freedoms", "by_joints", "redundant"),
    [
        (gyroscope(), 3, 3, 0),
        (gimbal_gyroscope(), 3, 3, 0),
        (spatial_slider_crank(), 0, 1, 0),
        (spatial_slider_crank(driven=False), 1, 1, 0),
        (spatial_four_bar(), 0, 1, 0),
        (bricard(), 1, 1, 1),
        (lower_body(), 0, 16, 0),  # six of the pelvis, and three, one and one per side
        (ankle_foot_orthosis(), 1, 2, 0),  # the ankle, and the shell about its hinge, held only by straps
    ],
    ids=lambda value: value.document.name if isinstance(value, gw.Model) else "",
)
def test_degrees_of_freedom(model, freedoms, by_joints, redundant):
    findings = model.check()
    assert (findings.degrees_of_freedom, findings.mobility, len(findings.redundant)) == (freedoms, by_joints, redundant)
    assert findings.remaining_error < 1e-9


# gyroscopes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tilt", [20.0, 60.0, 90.0, 120.0])
def test_a_top_precesses_steadily(tilt):
    run = gyroscope(300.0, tilt).simulate(0.5, **GAUSS)
    rate = np.gradient(np.unwrap(run.array("top.zyz_1")), run.time)[1:-1]
    cosine = np.cos(np.radians(tilt))
    assert I1 * cosine * rate**2 - I3 * 300.0 * rate + M * G * L == pytest.approx(0.0, abs=1e-5 * M * G * L)
    assert np.degrees(run.array("top.zyz_2")) == pytest.approx(tilt, abs=1e-4)


def test_a_released_top_nutates_between_the_roots_of_the_cubic():
    """u = cos(tilt): I1 u'^2 / 2 = (energy) (1 - u^2) - (momentum)^2 / (2 I1); released at rest at u0, it turns back where
    2 m g l I1 (1 - u^2) = (I3 w3)^2 (u0 - u)."""
    run = gyroscope(precession=0.0).simulate(0.5, **GAUSS)
    start = np.cos(np.radians(60.0))
    turning = brentq(lambda u: 2 * M * G * L * I1 * (1 - u**2) - (I3 * 250.0) ** 2 * (start - u), 0.0, start)
    tilt = run.array("top.zyz_2")
    assert np.cos([tilt.min(), tilt.max()]) == pytest.approx([start, turning], abs=1e-4)
    assert run.array("top.wz_body") == pytest.approx(250.0, abs=1e-4), "no torque about its own axis"
    assert run.evidence.max_energy_residual < 1e-6
    up = M * (run.array("top.az") + G)
    assert run.array("pivot.fz") == pytest.approx(up, abs=1e-8)


def test_a_too_slow_top_is_refused():
    with pytest.raises(gw.ModelError, match=r"spin.*too slow.*at least 120\.5"):
        gyroscope(120.0, 10.0)
    assert gyroscope(20.0, 10.0, precession=0.0).document.parameters["precession"] == 0.0


def test_a_loaded_wheel_in_gimbals_precesses():
    run = gimbal_gyroscope().simulate(1.0, **GAUSS)
    mean = np.polyfit(run.time, np.unwrap(run.array("upright.angle")), 1)[0]
    assert mean == pytest.approx(0.05 * G * 0.08 / (I3 * 250.0), rel=0.01)
    assert np.degrees(np.abs(run.array("level.angle"))).max() < 2.0
    assert run.evidence.max_energy_residual < 1e-6
    balanced = gimbal_gyroscope(tilt=70.0, weight=0.0).simulate(0.2, **GAUSS)
    assert balanced.array("level.angle") == pytest.approx(0.0, abs=1e-9), "it keeps its direction"
    assert balanced.array("upright.angle") == pytest.approx(0.0, abs=1e-9)


def test_the_example_is_this_top():
    ours = gyroscope(precession=0.0).simulate(1.0, **GAUSS)
    theirs = gw.load(EXAMPLES / "gyroscope.yaml").analyse()
    for name in ("top.zyz_2", "top.tip.x", "pivot.fz"):
        assert theirs.array(name) == pytest.approx(ours.array(name), abs=1e-9)


# linkages -----------------------------------------------------------------------------------------------------------


def test_the_slider_position_follows_from_the_rod_length():
    run = spatial_slider_crank().inverse(1.0, step=0.01)
    turned = 2 * np.pi * run.time
    y, z = 0.1 - 0.08 * np.sin(turned), 0.12 + 0.08 * np.cos(turned)
    vy, vz = -0.08 * 2 * np.pi * np.cos(turned), -0.08 * 2 * np.pi * np.sin(turned)
    x = np.sqrt(0.09 - y**2 - z**2)
    assert run.array("slider.x") == pytest.approx(x, abs=1e-12)
    assert run.array("slider.vx") == pytest.approx(-(y * vy + z * vz) / x, abs=1e-11)
    theirs = gw.load(EXAMPLES / "spatial_slider_crank.yaml").analyse()
    assert theirs.array("motor.torque")[::5] == pytest.approx(run.array("motor.torque"), abs=1e-9)


def test_the_crank_torque_matches_the_power_of_the_bodies():
    run = spatial_slider_crank().inverse(1.0, step=1e-3)
    energy = run.array("energy.kinetic") + run.array("energy.potential")
    power = np.gradient(energy, run.time, edge_order=2)
    assert run.array("motor.torque") * 2 * np.pi == pytest.approx(power, abs=2e-3 * np.abs(power).max())


def test_a_free_slider_crank_conserves_energy():
    run = spatial_slider_crank(driven=False).simulate(1.0, **GAUSS)
    assert run.array("crank.wx")[0] == pytest.approx(6.0) and run.evidence.max_energy_residual < 1e-7


def test_the_rocker_satisfies_the_loop_closure():
    """|B - A| = coupler, with A on the crank's circle about z and B on the rocker's about y:
    e cos(phi) + f sin(phi) = g, like Freudenstein's equation in the plane."""
    run = spatial_four_bar().inverse(1.0, step=0.01)
    turned, base, rocker = 2 * np.pi * run.time, np.array([0.2, 0.1, 0.0]), 0.12
    apart = base - 0.05 * np.column_stack([np.cos(turned), np.sin(turned), np.zeros_like(turned)])
    # B = base + rocker (sin(phi), 0, cos(phi)): upright at phi = 0, turned about y
    e, f = 2 * rocker * apart[:, 2], 2 * rocker * apart[:, 0]
    g = 0.25**2 - rocker**2 - (apart**2).sum(axis=1)
    phi = np.arctan2(f, e) - np.arccos(g / np.hypot(e, f))
    assert run.array("rocker_bearing.angle") == pytest.approx(phi, abs=1e-10)
    assert np.degrees(np.ptp(phi)) > 50


# Bricard ------------------------------------------------------------------------------------------------------------


def test_bricards_mechanism_swings_back():
    """One degree of freedom without friction: it swings to the mirrored cube and back, and one row of its hinges is
    redundant."""
    run = bricard().simulate(5.2, step=5e-3, method="gauss2", every=2)
    assert run.evidence.max_energy_residual < 1e-6 and len(run.evidence.redundant) == 1
    assert run.evidence.max_position_violation < 1e-10
    speed = run.array("energy.kinetic")
    potential = run.array("energy.potential")
    assert (potential <= potential[0] + 1e-6).all() and speed.max() > 4
    rest = np.flatnonzero((speed[1:-1] < speed[:-2]) & (speed[1:-1] < speed[2:])) + 1
    assert len(rest) == 2 and run.time[rest[1]] == pytest.approx(2 * run.time[rest[0]], abs=0.02)
    assert potential[rest] == pytest.approx(potential[0], abs=1e-3), "as high as it was let go"
    assert axes(run, "rod3.P3.")[rest] == pytest.approx(np.array([[-1, -1, 1], [1, -1, 1]]), abs=1e-3)
    for k in range(5):
        rod = axes(run, f"rod{k + 1}.P{k + 1}.") - axes(run, f"rod{k + 1}.P{k}.")
        assert np.linalg.norm(rod, axis=1) == pytest.approx(1.0, abs=1e-12)


# the walking body ---------------------------------------------------------------------------------------------------


def momentum_needed(run):
    """Force that all segments together need besides gravity, (n_times, 3), N."""
    parts = run.mechanism.body_names.items()
    return sum(part.mass * (axes(run, f"{name}.a") + np.array([0, G, 0])) for name, part in parts)


def test_segments_of_the_lower_body():
    masses = {name: part.mass for name, part in lower_body(body_mass=100.0).mechanism().body_names.items()}
    assert len(masses) == 7
    assert sum(masses.values()) == pytest.approx(11.17 + 2 * (14.16 + 4.33 + 1.37)), "half of the body, % of 100 kg"
    thigh = lower_body().mechanism().body_names["right_thigh"]
    assert np.diag(thigh.inertia) == pytest.approx(
        0.1416 * 73 * (0.4222 * np.array([0.329, 0.149, 0.329])) ** 2, rel=1e-5
    )
    # de Leva's other ankle, the lateral malleolus, is at 0.434 m and gives the same centre and radius, m
    shank = BODY_SEGMENTS["shank"]
    assert shank.centre * shank.length * 1.741 == pytest.approx(0.4459 * 0.434, abs=1e-4)
    assert shank.gyration[0] * shank.length * 1.741 == pytest.approx(0.255 * 0.434, abs=3e-4)


def test_the_trunk_supplies_the_remaining_force():
    air, ground = (lower_body(on_ground=on).inverse(1.1, step=0.022) for on in (False, True))
    assert axes(air, "pelvis_drive.force_") == pytest.approx(momentum_needed(air), abs=1e-9)
    phase = np.stack([air.time / 1.1 % 1, (air.time / 1.1 + 0.5) % 1])
    s = phase / 0.62
    up = np.where(s < 1, np.sin(np.pi * s) + 0.35 * np.sin(3 * np.pi * s), 0).sum(axis=0)
    carried = air.array("pelvis_drive.force_y") - ground.array("pelvis_drive.force_y")
    assert carried == pytest.approx(up * carried.max() / up.max(), abs=1e-6 * carried.max())
    assert carried[:-1].mean() == pytest.approx(73 * G, rel=0.01), "the body's weight on average"
    assert np.abs(ground.array("right_foot.x") - air.array("right_foot.x")).max() < 1e-12


def test_joints_follow_the_curves_in_the_isb_convention():
    run = lower_body(on_ground=False).inverse(1.1, step=0.022)
    curve = {name: np.radians(truncate_harmonics(np.array(values))) for name, values in JOINT_ANGLES_DEG.items()}
    assert run.array("right_knee_joint.angle") == pytest.approx(curve["knee_flexion"], abs=1e-7)
    half = np.roll(curve["ankle_dorsiflexion"][:-1], -25)
    assert run.array("left_ankle_joint.angle")[:-1] == pytest.approx(half, abs=1e-7)
    turned = [
        np.stack([[run.array(f"{b}.r{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]) for b in ("pelvis", "right_thigh")
    ]
    relative = np.einsum("kit,kjt->ijt", *turned)
    adduction = np.arcsin(relative[2, 1])  # zxy: R = Z X Y
    flexion, rotation = np.arctan2(-relative[0, 1], relative[1, 1]), np.arctan2(-relative[2, 0], relative[2, 2])
    for name, found in (("hip_flexion", flexion), ("hip_adduction", adduction), ("hip_rotation", rotation)):
        assert found == pytest.approx(curve[name], abs=1e-7)


def test_a_static_leg_loads_its_hip():
    """Constant angles at zero speed: the hip torque is the weight of the leg times its lever."""
    still = {name: [value] * 20 for name, value in
             {"hip_flexion": 40.0, "hip_adduction": 0.0, "hip_rotation": 0.0, "knee_flexion": 0.0,
              "ankle_dorsiflexion": 0.0}.items()}  # fmt: skip
    run = lower_body(on_ground=False, curves=still, stride=1e4).inverse(1e-3, step=1e-3)
    names = ("right_thigh", "right_shank", "right_foot")
    masses = [run.mechanism.body_names[name].mass for name in names]
    at = np.array([[run.array(f"{name}.{axis}")[0] for axis in "xyz"] for name in names])
    hip = np.array([run.array(f"right_thigh.hip.{axis}")[0] for axis in "xyz"])
    turned = np.array([[run.array(f"pelvis.r{i}{j}")[0] for j in (1, 2, 3)] for i in (1, 2, 3)])
    torque = sum(mass * np.cross(place - hip, [0, G, 0]) for mass, place in zip(masses, at, strict=True))
    torques = [run.array(f"right_hip.torque_{axis}")[0] for axis in "xyz"]
    assert torques == pytest.approx(turned.T @ torque, abs=1e-4)
    assert torques[2] > 25


def test_walking_torques_have_human_magnitude():
    """Wide bounds, N m per kg of body mass: they catch a wrong sign, unit or lever. A schematic gait proves no more."""
    run = lower_body().inverse(1.1, step=0.011)
    least = {name: run.array(f"right_{name}").min() / 73 for name in ("ankle.torque", "knee.torque", "hip.torque_z")}
    assert -2.0 < least["ankle.torque"] < -1.0
    assert -1.2 < least["knee.torque"] < -0.3
    assert -1.5 < least["hip.torque_z"] < -0.3 < 0.3 < run.array("right_hip.torque_z").max() / 73 < 1.5


def test_the_feet_of_the_lower_body_rest_on_the_ground():
    """Heel and toe of a standing leg are on the ground, m; no foot point penetrates more; and the fixed ground does nearly no
    work. Earlier, heels floated at 48 mm, toes sank by 72 mm, and the ground took 47 J per stride."""
    run = lower_body().inverse(1.1, step=0.0055)
    phase = run.time / 1.1
    for point, begin, end in (("heel", 0.0, 0.40), ("toe", 0.08, 0.62)):
        stands = (phase >= begin) & (phase <= end)
        assert np.abs(run.array(f"right_foot.{point}.y")[stands]).max() < 1.5e-3
        assert all(np.ptp(run.array(f"right_foot.{point}.{axis}")[stands]) < 3e-3 for axis in "xz")
    low = {
        side: np.min([run.array(f"{side}_foot.{point}.y") for point in ("heel", "ball", "toe")], axis=0)
        for side in ("right", "left")
    }
    assert np.abs(low["right"][phase < 0.62]).max() < 1e-3, "the lowest point of a standing foot"
    assert min(one.min() for one in low.values()) > -1e-3 and low["right"][(phase > 0.7) & (phase < 0.95)].min() > 5e-3
    assert np.roll(low["right"][:-1], 100) == pytest.approx(low["left"][:-1], abs=1e-5), "half a stride apart"
    work = [run.array(f"{side}_{p}_force.work")[-1] for side in ("right", "left") for p in ("heel", "ball", "toe")]
    assert np.abs(work).sum() < 8.0


def test_joint_work_shares_match_the_documentation():
    """Positive work of a stride. In people on level ground hip, knee and ankle contribute 42, 16 and 42 % of it, at
    various speeds (J. R. Montgomery, A. M. Grabowski, Royal Society Open Science 5 (2018) 180550, PMC6124028,
    abstract); in the model 45, 14 and 41 %. The work itself, J per kg of body mass, is below the 1.3 of an ankle in
    running (A. G. Schache et al., Journal of Experimental Biology 218 (2015) 2472, abstract)."""
    run = lower_body().inverse(1.1, step=0.0055)
    work = np.array([run.drive_work(f"right_{joint}")["positive"] for joint in ("hip", "knee", "ankle")])
    shares = work / work.sum()
    assert shares == pytest.approx([0.45, 0.14, 0.41], abs=0.01)
    assert shares == pytest.approx([0.42, 0.16, 0.42], abs=0.05), "as people do"
    assert work.max() / 73 < 1.3


@pytest.mark.parametrize("name", PUBLISHED_ANGLES_DEG)
def test_curves_are_within_the_published_spread(name):
    mean, spread = (np.array(part) for part in PUBLISHED_ANGLES_DEG[name])
    ours = np.interp(np.arange(25) / 25, np.linspace(0, 1, 51), truncate_harmonics(np.array(JOINT_ANGLES_DEG[name])))
    ours += PELVIS_TILT_DEG if name == "hip_flexion" else 0.0
    assert np.abs((ours - mean) / spread).max() < (1.45 if name == "ankle_dorsiflexion" else 0.75)


def test_the_ground_force_is_shown():
    """Ground force as outputs and as arrows at its points; directed towards the other leg, and forwards in late
    stance."""
    run = lower_body().inverse(1.1, step=0.011)
    force = sum(axes(run, f"right_{point}_force.f") for point in ("heel", "ball", "toe"))
    phase = run.time / 1.1
    assert np.trapezoid(force[:, 1], run.time) == pytest.approx(0.5 * 1.1 * 73 * G, rel=0.01), "half the weight"
    assert (force[(phase > 0.1) & (phase < 0.6), 2] < 0).all() and np.abs(force[phase > 0.63]).max() == 0.0
    assert force[np.argmin(np.abs(phase - 0.1)), 0] < -50 and force[np.argmin(np.abs(phase - 0.5)), 0] > 50
    place, arrows = run.scene(forces=True).forces["left_heel_force"]
    assert arrows.shape == place.shape and arrows[:, 1].max() > 300
    assert np.abs(place[:, 1][arrows[:, 1] > 1]).max() < 2e-3


def test_invalid_curves_are_refused():
    with pytest.raises(gw.ModelError, match=r"knee.*one of: hip_flexion"):
        lower_body(curves={"knee": [0] * 20})
    with pytest.raises(gw.ModelError, match=r"knee_flexion.*at least 13"):
        lower_body(curves={"knee_flexion": [0, 1, 2]})


# the orthosis -------------------------------------------------------------------------------------------------------


def test_an_aligned_orthosis_stores_and_returns_the_energy_of_its_spring():
    """Hinge on the ankle axis, stiff straps, no gravity: the spring rotates as far as the ankle, stores k phi^2 / 2,
    and returns the ankle's work over a stride."""
    stiff = {"hinge": "aligned", "gravity": 0.0, "strap_stiffness": 1e6, "strap_torsion": 1e4, "strap_damping": 400.0}
    run = ankle_foot_orthosis(80.0, **stiff).simulate(1.1, tolerance=1e-8, output_step=1.1e-2)
    phi = run.array("ankle_joint.angle")
    assert run.array("hinge.angle") == pytest.approx(phi, abs=0.003) and np.degrees(np.ptp(phi)) > 25
    assert run.array("spring.torque") == pytest.approx(-80.0 * run.array("hinge.angle"), abs=1e-9)
    assert run.array("energy.potential") == pytest.approx(80.0 * phi**2 / 2, abs=0.03)
    assert run.array("energy.potential").max() > 3.0
    assert run.array("ankle.work")[-1] == pytest.approx(run.array("energy.dissipated")[-1], abs=0.02)
    assert run.evidence.max_energy_residual < 1e-4


def test_a_square_hinge_drags_the_shell_sideways():
    aligned, square = (
        ankle_foot_orthosis(hinge=hinge, stride=2.0, strap_damping=10.0).simulate(2.0, output_step=0.02)
        for hinge in ("aligned", "square")
    )
    assert np.abs(square.array("strap.dz")).max() > 5e-3 > 5e-4 > np.abs(aligned.array("strap.dz")).max()
    # moments on the shell about the hinge: of the straps' force at the cuff, of their torsion, and of the spring
    axis = np.column_stack([square.array(f"foot_plate.r{i}3") for i in (1, 2, 3)])
    arm = axes(square, "calf_shell.cuff.") - axes(square, "calf_shell.hinge.")
    moment = np.cross(arm, -2e4 * axes(square, "strap.d")) - 50.0 * axes(square, "strap.e")
    torque, begun = (
        square.array("spring.torque"),
        square.time > 0.1,
    )  # after the shell, drawn upright, has settled
    assert (axis * moment).sum(axis=1)[begun] == pytest.approx(torque[begun], abs=0.02 * np.abs(torque).max())


def test_an_unknown_hinge_is_refused():
    with pytest.raises(gw.ModelError, match=r"hinge.*square or aligned"):
        ankle_foot_orthosis(hinge="oblique")
