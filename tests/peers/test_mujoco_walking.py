"""The machine on six of Jansen's legs in MuJoCo, from the MJCF that `gaitwright export` writes.

MJCF has neither given motions nor contact laws, so that both are added here: servos hold the three shafts on the angle of our
drives, within 1e-3 rad, and the feet get one of two grounds of matched compliance:

law      the forces of our contact law and friction, computed in Python from positions and velocities of the feet and applied
         to them. All else, bodies, loops, inertia and integration, is MuJoCo's.
solver   contacts of MuJoCo's own solver. Its constraint f = -(k r + b v + a)/R, R = (1 - d)/d A, is nearly a linear spring
         and damper for a small impedance d: solref and solimp are chosen so that these have the stiffness and damping of a
         Kelvin-Voigt ground with the same static sinkage as the default ground. Our machine walks on that law, too. Friction
         sticks in MuJoCo and creeps in our law, so that only speed and mean torque are comparable, not the root mean square.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.legs.walk import measure_walk
from gaitwright.mechanisms import walking_machine
from gaitwright.model.expressions import resolve_parameters
from gaitwright.model.io.mjcf_export import mjcf_text

mujoco: Any = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'gaitwright[bench]'")
pytestmark = [pytest.mark.peer, pytest.mark.slow]

TURNS, STEP = 1, 2.5e-4
"""Number of turns after the soft start, the last of which is measured in both programs; step, s: twice of it is unstable in
MuJoCo."""
SHAFTS = ("shaft1", "shaft2", "shaft3")
SERVO = (3e4, 150.0)
"""N m/rad and N m s/rad of the servos."""
RADIUS = 1e-3
"""m, of the spheres at the feet; the floor of MuJoCo is that much lower."""
IMPEDANCE = 0.1


class Walked(NamedTuple):
    """Of the last turn. speed: m/s. torque, torque_rms: N m. held: rad, greatest error of the servos."""

    speed: float
    torque: float
    torque_rms: float
    held: float


def feet_of(model: gw.Model) -> list[tuple[str, str]]:
    """Body and site of every foot in the exported file."""
    mechanism = model.mechanism()
    found = []
    for names in mechanism.contact_names:
        body = names.bodies[1]
        points = mechanism.body_names[body].points.items()
        found.append((body, f"{body}.{next(name for name, at in points if np.allclose(at, names.place))}"))
    return found


def driven_angle(t: float, parameters: dict[str, float]) -> tuple[float, float]:
    """Angle, rad, and speed, rad/s, of the shafts: clockwise, with the soft start of `walking_machine`."""
    start, full = parameters["soft_start"], 2 * math.pi * parameters["turns_per_second"]
    u = min(t / start, 1.0)
    return -full * (start * (u**3 - u**4 / 2) + max(t - start, 0.0)), -full * (3 * u**2 - 2 * u**3)


def walked_in_mujoco(model: gw.Model, ground: tuple[float, float] | None) -> Walked:
    """ground: stiffness, N/m, and damping, N s/m, of contacts of MuJoCo; None for the law of the model."""
    own = resolve_parameters(model.to_dict()["parameters"])
    spec = mujoco.MjSpec.from_string(mjcf_text(model)[0])
    spec.option.timestep, spec.option.integrator = STEP, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone, spec.option.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 10.0
    feet = feet_of(model)
    for name in SHAFTS:
        servo = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.biastype, servo.biasprm[:3] = mujoco.mjtBias.mjBIAS_AFFINE, [0.0, -SERVO[0], -SERVO[1]]
    if ground:
        friction = [own["friction"], 0.0, 0.0]
        for body, site in feet:
            sphere = spec.body(body).add_geom(
                name=site, type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0, 0], pos=spec.site(site).pos
            )
            sphere.contype, sphere.conaffinity, sphere.condim, sphere.mass = 1, 0, 3, 0.0
            sphere.friction, sphere.priority = friction, 1
        floor = spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_PLANE, size=[50, 50, 1], pos=[0, 0, -RADIUS], friction=friction
        )
        floor.contype, floor.conaffinity, floor.condim = 0, 1, 3
    compiled = spec.compile()
    for _, site in feet if ground else ():
        assert ground is not None
        geom = compiled.geom(site).id
        mobility = (1.0 - IMPEDANCE) * compiled.body_invweight0[compiled.geom_bodyid[geom], 0]
        compiled.geom_solimp[geom] = [IMPEDANCE, IMPEDANCE, 1e-3, 0.5, 2.0]
        compiled.geom_solref[geom] = [-ground[0] * mobility, -ground[1] * mobility]
    return _integrated(compiled, own, [compiled.site(site).id for _, site in feet], law=not ground)


def _integrated(model: Any, own: dict[str, float], feet: list[int], law: bool) -> Walked:
    data, jacobian = mujoco.MjData(model), np.zeros((3, model.nv))
    angles = [model.jnt_qposadr[model.joint(name).id] for name in SHAFTS]
    begin, along = data.qpos[angles].copy(), model.joint("body-plane-1").qposadr[0]
    period = 1.0 / own["turns_per_second"]
    count = round((own["soft_start"] + TURNS * period) / STEP)
    x, torque, held = np.zeros(count), np.zeros(count), 0.0
    for k in range(count):
        angle, speed = driven_angle(data.time + STEP, own)
        data.ctrl[:] = SERVO[0] * (begin + angle) + SERVO[1] * speed
        if law:
            data.qfrc_applied[:] = 0.0
            mujoco.mj_step1(model, data)
            for foot in feet:
                depth = -data.site_xpos[foot, 2]
                if depth > 0.0:
                    mujoco.mj_jacSite(model, data, jacobian, None, foot)
                    slip, _, up = jacobian @ data.qvel
                    normal = max(own["stiffness"] * depth**1.5 * (1.0 - 1.5 * own["dissipation"] * up), 0.0)
                    rubbed = -own["friction"] * normal * math.tanh(slip / own["creep_speed"])
                    data.qfrc_applied += jacobian[0] * rubbed + jacobian[2] * normal
            mujoco.mj_step2(model, data)
        else:
            mujoco.mj_step(model, data)
        x[k], torque[k] = data.qpos[along], -data.actuator_force.sum()
        held = max(held, float(np.abs(data.qpos[angles] - begin - angle).max()))
    turn = round(period / STEP)
    last = torque[-turn:]
    return Walked((x[-1] - x[-1 - turn]) / period, last.mean(), math.sqrt((last**2).mean()), held)


def ours(model: gw.Model) -> gw.Walk:
    return measure_walk(gw.Model.from_dict(shortened(model.to_dict())).analyse())


def shortened(raw: dict[str, Any]) -> dict[str, Any]:
    return {**raw, "analysis": {**raw["analysis"], "until": f"soft_start + {TURNS}/turns_per_second"}}


def test_the_same_law_of_contact_gives_the_same_walk() -> None:
    """Acceptance: speed within 5 %, mean torque within 15 %. With the same law the difference is much smaller. Friction fades
    below a larger speed than by default: applied as a force of the beginning of each step, it would need steps of 0.1 ms."""
    model = walking_machine("jansen", creep_speed=0.05)
    here, there = ours(model), walked_in_mujoco(model, None)
    assert there.held < 2e-3
    assert there.speed == pytest.approx(here["speed"], rel=0.005)
    assert there.torque == pytest.approx(here["torque_mean"], rel=0.02)
    assert there.torque_rms == pytest.approx(here["torque_rms"], rel=0.03)


def test_contacts_of_mujoco_with_matched_compliance_give_the_same_speed_and_mean_torque() -> None:
    """Stiffness and damping of a linear ground: static sinkage of the default ground under half of the weight each, and the
    same damping there."""
    model = walking_machine("jansen")
    own, load = resolve_parameters(model.to_dict()["parameters"]), 0.5 * (4.875 + 4.0) * 9.81
    stiffness = load / (load / own["stiffness"]) ** (2 / 3)
    damping = 1.5 * own["dissipation"] * load
    linear = walking_machine("jansen", law=gw.laws.KelvinVoigt(stiffness=stiffness, damping=damping))
    here, there = ours(linear), walked_in_mujoco(linear, (stiffness, damping))
    assert there.held < 2e-3
    assert there.speed == pytest.approx(here["speed"], rel=0.05)
    assert there.torque == pytest.approx(here["torque_mean"], rel=0.15)
