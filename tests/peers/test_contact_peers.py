"""The same impacts in Exudyn and MuJoCo.

Exudyn's sphere contact has three of our laws built in: elastic K d^n, Hunt-Crossley, and a mixed one that is
Carvalho-Martins above e = 1/3 and Gonthier below. Its approach speed is that of the first step inside the contact, not of the
instant of touchdown, and contact begins and ends at steps: with halved steps it converges to our values, with the order of
its generalized-alpha. Through a user function it takes any law, also with the weight.

MuJoCo's contact is another one: a constraint with a reference acceleration, a_ref = -k r - b v in the direct format of
`solref`, for an impedance near 1 a linear spring and dashpot per unit of mass. The reference replaces the weight, so that
during contact the ball moves as if there were none, and force ends where k r + b v + g falls below zero. There is no
exponent, no restitution, no memory of the approach speed. So it is compared with Kelvin-Voigt, and only roughly (2 %).
"""

from __future__ import annotations

import importlib
import math
from typing import Any

import pytest

import gaitwright as gw
from peers.convergence import assert_converges
from verification import contact_solutions as cs

pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

M1, M2, R1, R2, K, SPEED = 0.7, 2.3, 0.1, 0.12, 3e6, 2.0
STEPS = (2e-5, 1e-5, 5e-6)


def exudyn_or_skip() -> tuple[Any, Any]:
    exudyn = pytest.importorskip("exudyn", reason="Exudyn is not installed: pip install 'gaitwright[bench]'")
    return exudyn, importlib.import_module("exudyn.itemInterface")


def mujoco_or_skip() -> Any:
    return pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'gaitwright[bench]'")


def settings(exudyn: Any, until: float, step: float) -> Any:
    s = exudyn.SimulationSettings()
    s.timeIntegration.endTime, s.timeIntegration.numberOfSteps = until, round(until / step)
    s.timeIntegration.verboseMode = 0
    s.timeIntegration.generalizedAlpha.spectralRadius = 1.0
    s.solutionSettings.writeSolutionToFile = False
    return s


def exudyn_spheres(model: int, e: float, step: float) -> tuple[float, float]:
    """Speeds of two spheres after a central impact with Exudyn's impact model."""
    exudyn, items = exudyn_or_skip()
    mbs = exudyn.SystemContainer().AddSystem()
    markers, nodes = [], []
    for x, mass, speed in ((0.0, M1, SPEED), (R1 + R2 + 1e-3, M2, 0.0)):
        node = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[x, 0, 0], initialVelocities=[speed, 0, 0]))
        body = mbs.AddObject(items.ObjectRigidBody2D(mass=mass, inertia=0.01, nodeNumber=node))
        markers.append(mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body)))
        nodes.append(node)
    data = mbs.AddNode(items.NodeGenericData(initialCoordinates=[0.1, 0, 0, 0], numberOfDataCoordinates=4))
    mbs.AddObject(
        items.ObjectContactSphereSphere(
            markerNumbers=markers, nodeNumber=data, spheresRadii=[R1, R2], contactStiffness=K,
            contactStiffnessExponent=1.5, impactModel=model, restitutionCoefficient=e,
        )
    )  # fmt: skip
    mbs.Assemble()
    mbs.SolveDynamic(settings(exudyn, 0.02, step))
    a, b = (float(mbs.GetNodeOutput(node, exudyn.OutputVariableType.Velocity)[0]) for node in nodes)
    return a, b


LAWS = {
    # Exudyn's number of the model, restitution, our law
    "elastic": (0, 1.0, gw.laws.Hertz(K)),
    "hunt-crossley 0.5": (1, 0.5, gw.laws.HuntCrossley(K, restitution=0.5)),
    "hunt-crossley 0.8": (1, 0.8, gw.laws.HuntCrossley(K, restitution=0.8)),
    "carvalho-martins 0.5": (2, 0.5, gw.laws.CarvalhoMartins(K, restitution=0.5)),
    "carvalho-martins 0.8": (2, 0.8, gw.laws.CarvalhoMartins(K, restitution=0.8)),
    "gonthier 0.2": (2, 0.2, gw.laws.Gonthier(K, restitution=0.2)),
}


@pytest.mark.parametrize("what", LAWS)
def test_spheres_in_exudyn(what: str) -> None:
    number, e, law = LAWS[what]
    peer = {step: exudyn_spheres(number, e, step) for step in STEPS}
    model = gw.Model("spheres", gravity=(0.0, 0.0))
    model.body("a", mass=M1, inertia=0.01, at=(0.0, 0.0), velocity=(SPEED, 0.0))
    model.body("b", mass=M2, inertia=0.01, at=(R1 + R2 + 1e-3, 0.0))
    model.contact(gw.surfaces.Circle("a", R1), gw.surfaces.Circle("b", R2), law=law, name="hit")
    run = model.simulate(0.02, method="radau5", tolerance=1e-10)
    for k, name in enumerate("ab"):
        # of speeds of 1 m/s: what two halvings leave of a start of contact that may be anywhere within a step
        assert_converges({h: v[k] for h, v in peer.items()}, run.array(f"{name}.vx")[-1], order=2, within=2e-6)


def exudyn_ball(factor: float, stiffness: float, step: float) -> float:
    """Rebound speed of the ball of the recomputation of 004, 0.1 mm above the ground, with any F = K d^1.5 (1 + k d'/v0)
    and weight."""
    exudyn, items = exudyn_or_skip()
    mbs = exudyn.SystemContainer().AddSystem()
    fall = 1e-4
    start = math.sqrt(cs.C_APPROACH**2 - 2 * cs.G * fall)
    node = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[0, fall, 0], initialVelocities=[0, -start, 0]))
    body = mbs.AddObject(items.ObjectRigidBody2D(mass=1.0, inertia=0.004, nodeNumber=node))
    weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
    mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=[0.0, -cs.G, 0.0]))
    push = cs.hysteresis(factor, stiffness, 1.5, cs.C_APPROACH)

    def law(mbs: Any, t: float, item: int, u: float, v: float, *_: float) -> float:
        return -push(-(fall + u), -v)

    ground = mbs.AddNode(items.NodePointGround())
    ends = [mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=n, coordinate=c)) for n, c in ((ground, 0), (node, 1))]
    mbs.AddObject(items.ObjectConnectorCoordinateSpringDamper(markerNumbers=ends, springForceUserFunction=law))
    mbs.Assemble()
    mbs.SolveDynamic(settings(exudyn, 3e-3, step))
    flown = float(mbs.GetNodeOutput(node, exudyn.OutputVariableType.Displacement)[1]) + fall
    speed = float(mbs.GetNodeOutput(node, exudyn.OutputVariableType.Velocity)[1])
    return math.sqrt(speed**2 + 2 * cs.G * flown)  # when it left the ground


@pytest.mark.parametrize(("law", "e"), [("flores", 0.6), ("lankarani-nikravesh", 0.0)])
def test_row_of_reference_c_in_exudyn(law: str, e: float) -> None:
    """A user function of Exudyn has the same law: with halved steps it converges to our rebound."""
    factor = cs.FACTORS[law](e)
    peer = {step: exudyn_ball(factor, cs.C_STIFFNESS, step) for step in (1.2e-5, 6e-6, 3e-6)}
    model = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=(0.0, 1.1))
    choice = {"flores": gw.laws.Flores, "lankarani-nikravesh": gw.laws.LankaraniNikravesh}[law]
    model.contact(
        gw.surfaces.Circle("ball", 0.1),
        gw.surfaces.LineGround(),
        law=choice(cs.C_STIFFNESS, restitution=e),
        name="floor",
    )
    ours = model.simulate(0.46, tolerance=1e-11).episodes[0].separation_speed
    assert_converges(peer, ours, order=2, within=2e-5)
    assert ours == pytest.approx(cs.TABLE_C[law, e][3], abs=1e-7)


@pytest.mark.parametrize("damping", [0.0, 100.0, 200.0])
def test_drop_in_mujoco(damping: float) -> None:
    """Another law (described above): rebound within 0.1 % of a weightless spring and dashpot, and within 2 % of ours with
    weight."""
    mujoco = mujoco_or_skip()
    stiffness, step = 1e5, 2e-5
    xml = f"""<mujoco><option integrator="RK4" timestep="{step}" gravity="0 0 -9.81"/>
        <default><geom solref="{-stiffness} {-damping}" solimp="0.9999 0.9999 0.001 0.5 2" condim="1"/></default>
        <worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 1.1"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>"""
    peer = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(peer)
    fastest = slowest = depth = 0.0
    for _ in range(round(0.5 / step)):
        mujoco.mj_step(peer, data)
        fastest, slowest = max(fastest, data.qvel[2]), min(slowest, data.qvel[2])
        depth = max(depth, 0.1 - data.qpos[2])
    theory = cs.dashpot_rebound(stiffness, damping, 1.0)
    assert fastest / -slowest == pytest.approx(theory, rel=1e-3)
    model = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=(0.0, 1.1))
    law = gw.laws.KelvinVoigt(stiffness, damping=damping)
    model.contact(gw.surfaces.Circle("ball", 0.1), gw.surfaces.LineGround(), law=law, name="floor")
    (episode,) = model.simulate(0.5, tolerance=1e-10).episodes
    assert fastest / -slowest == pytest.approx(episode.restitution, rel=2e-2)
    assert depth == pytest.approx(episode.max_penetration, rel=2e-2)
