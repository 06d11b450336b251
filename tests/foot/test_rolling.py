"""Rolling foot: balance, time steps, mirror symmetry, path of the centre of pressure, and rejected input."""

import dataclasses

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.foot.ankle_motion import step_load

SHAPE = gw.foot.from_measures()
FOOT = gw.foot.Foot(SHAPE, SHAPE.fill(0.016))
WEIGHT = 700.0
FAST = {"speed": "foundation", "load": WEIGHT}
GRAVITY = np.array([0.0, 0.0, -9.81])


def vectors(run, name):
    return np.stack([np.nan_to_num(run.array(f"{name}{axis}")) for axis in "xyz"], axis=1)


@pytest.fixture(scope="module")
def rolled():
    return FOOT.roll(frames=41, **FAST)


def test_the_ground_carries_the_load(rolled):
    expected = step_load(WEIGHT, rolled.part)
    assert rolled.force[:, 2] == pytest.approx(expected[:, 2], rel=1e-6)
    # Between the samples of the motion the engine evaluates a spline.
    assert rolled.force[:, 0] == pytest.approx(expected[:, 0], abs=1e-3 * WEIGHT)
    assert np.abs(rolled.force[:, 1]).max() < 0.05 * WEIGHT


def test_moments_about_the_ankle_are_in_balance(rolled):
    run, total = rolled.run, rolled.moment.copy()
    for name in rolled.placing.contacts:
        place, force, free = (vectors(run, f"{name}.{what}") for what in ("", "f", "m"))
        total += np.cross(place - rolled.ankle, force) + free
    for core in FOOT.anatomy.whole:
        centre = vectors(run, f"{rolled.placing.bodies[core.name]}.")
        total += np.cross(centre - rolled.ankle, core.mass * GRAVITY)
    assert np.abs(total).max() < 1e-6 * np.abs(rolled.moment).max()


def test_condensed_tissue_rolls_with_friction():
    """Balance of forces and of moments about the ankle, no energy gained by friction, and results close to a
    foundation."""
    rolled, fast = (FOOT.roll(frames=11, speed=speed, load=WEIGHT) for speed in ("condensed", "foundation"))
    run, total = rolled.run, rolled.moment.copy()
    expected = step_load(WEIGHT, rolled.part)
    assert rolled.force[:, 2] == pytest.approx(expected[:, 2], rel=1e-8)
    assert rolled.force[:, 0] == pytest.approx(expected[:, 0], abs=1e-3 * WEIGHT)
    for core in FOOT.anatomy.whole:
        body = rolled.placing.bodies[core.name]
        total += np.cross(vectors(run, f"{body}.") - rolled.ankle, core.mass * GRAVITY)
        if f"foot_sole_{core.name}" in rolled.placing.contacts:
            force, moment = (vectors(run, f"foot_sole_{core.name}.{what}") for what in "fm")
            place = run.mechanism.parts[body].position(run.motion.q, (0.0, 0.0, 0.0))
            total += np.cross(place - rolled.ankle, force) + moment
    assert np.abs(total).max() < 1e-8 * np.abs(rolled.moment).max()
    for name in rolled.placing.contacts:
        assert np.diff(run.array(f"{name}.friction_loss")).min() > -1e-12
        assert (run.array(f"{name}.sliding") <= run.array(f"{name}.touching")).all()
    assert rolled.moment[:, 1] == pytest.approx(fast.moment[:, 1], abs=0.15 * fast.moment[:, 1].max())
    pressure, moment = rolled.pressure, np.zeros(11)
    assert pressure.force.values == pytest.approx(rolled.force[:, 2], rel=1e-9)
    assert pressure.regions.share[:-1].sum() == pytest.approx(1.0)
    for name, share in fast.pressure.regions.share.items():
        assert pressure.regions.share[name] == pytest.approx(share, abs=0.1)
    for name in rolled.placing.contacts:  # the free moment, node by node
        part = run.mechanism.parts[name]
        nodes = part.nodes_along(run.motion)[:, part.condensed[0]]
        pushes = part.along(run.motion).node_forces @ part.carrier.along(run.motion.q)[1]
        arms = nodes[..., :2] - rolled.centre_of_pressure[:, None]
        moment += np.sum(arms[..., 0] * pushes[..., 1] - arms[..., 1] * pushes[..., 0], axis=1)
    assert pressure.free_moment == pytest.approx(moment, abs=1e-9) and np.abs(moment).max() > 0.1
    seen = run.pressure(rolled.placing.contacts, 0.01)
    assert seen.sum(("x", "y")).values * 1e-4 == pytest.approx(rolled.force[:, 2], rel=1e-9)


def test_forward_dynamics_starts_as_the_equilibrium_roll():
    """Inertia of a foot is small compared with its load; the energy balance closes."""
    drawn, few = gw.foot.step(), slice(0, 21)
    load = step_load(WEIGHT, np.linspace(0.0, 1.0, drawn.time.size))[few]
    rolled = FOOT.roll(gw.foot.AnkleMotion(drawn.time[few], drawn.pitch[few]), 21, speed="condensed", load=load)
    moved = rolled.forward(0.03, output_step=3e-3)
    assert moved.time[-1] == pytest.approx(0.03) and moved.run.evidence.max_energy_residual < 1e-3
    at_rest = np.interp(moved.time, rolled.time, rolled.force[:, 2])
    assert moved.force[:, 2] == pytest.approx(at_rest, abs=0.02 * WEIGHT) and moved.force[-1, 2] > 0.3 * WEIGHT
    assert moved.ankle[:, 2] == pytest.approx(np.interp(moved.time, rolled.time, rolled.ankle[:, 2]), abs=1e-4)
    assert moved.pressure.force.values == pytest.approx(moved.force[:, 2], rel=1e-9)
    for name in moved.placing.contacts:
        assert np.diff(moved.run.array(f"{name}.friction_loss")).min() > -1e-9
    with pytest.raises(ModelError, match="until"):
        rolled.forward(-1.0)


def test_pressure_moves_from_heel_to_toes_and_toes_bend(rolled):
    x = rolled.centre_of_pressure[:, 0]
    assert x[-1] - x[0] > 0.7 * SHAPE.measures.length
    assert np.diff(x).min() > -0.005
    assert rolled.angles["toe"].min() < -0.4 and rolled.angles["midtarsal"].min() < -0.1
    # Ankle moment at push-off: 1.1 to 1.8 N m per kg of body mass (D. A. Winter 1991).
    assert 0.9 < rolled.moment[:, 1].max() * 9.81 / WEIGHT < 1.8


def test_results_converge_with_the_number_of_frames():
    """Friction history is first order in the frame length; failed frames of a coarse roll are halved, and then as
    accurate."""
    runs = [FOOT.roll(frames=n, **FAST) for n in (11, 41, 81, 161)]
    moments = [run.moment[:: (len(run.time) - 1) // 10, 1] for run in runs]
    off = [np.abs(moment - moments[-1]).max() for moment in moments[:-1]]
    assert off[1] > 2.0 * off[2]
    assert off[0] < 2.0 * off[1] < 0.005 * moments[-1].max()


def test_opposite_foot_rolls_mirrored():
    twist = dataclasses.replace(gw.foot.step(), roll=0.05, yaw=0.1)
    mesh = FOOT.mesh
    mesh = dataclasses.replace(mesh, nodes=mesh.nodes * np.array([1.0, -1.0, 1.0]), cells=mesh.cells[:, [1, 0, 2, 3]])
    other = gw.foot.Foot(SHAPE.mirrored(), mesh)
    a, b = FOOT.roll(twist, 15, **FAST), other.roll(twist.mirrored(), 15, **FAST)
    assert np.abs(a.force[:, 1]).max() > 1.0
    assert b.force == pytest.approx(a.force * [1.0, -1.0, 1.0], abs=1e-5 * WEIGHT)
    assert b.moment == pytest.approx(a.moment * [-1.0, 1.0, -1.0], abs=1e-5 * np.abs(a.moment).max())
    # In the last frame, 7 N on the tip of a sliding toe, rounding decides which point slides first.
    held = slice(0, -1)
    assert b.centre_of_pressure[held] == pytest.approx(a.centre_of_pressure[held] * [1.0, -1.0], abs=1e-5)


def test_impulse_shares_match_measurements(rolled):
    """Published shares of the impulse on platforms: heel 34 to 42, midfoot 8 to 14, forefoot 38 to 45, toes 6 to 13
    %."""
    share = rolled.pressure.regions["share"]
    shares = [share["heel"], share["midfoot"], share["metatarsal_1":"metatarsals_4_5"].sum()]
    shares.append(share["hallux"] + share["toes"])
    for part, (least, most) in zip(shares, ((0.34, 0.42), (0.08, 0.14), (0.38, 0.45), (0.06, 0.13)), strict=True):
        assert least - 0.01 < part < most + 0.01


def test_overcompressed_layer_gives_a_warning(rolled):
    """The toes are overcompressed just before toe-off if they are too soft; in standing, all tissue if it is too
    soft and the ankle is held: a free foot would tip over."""
    assert not any("warning" in note for note in rolled.notes)
    (warned,) = FOOT.with_tissue(FOOT.tissue.scaled(0.5, "toes")).roll(frames=21, **FAST).notes[len(FOOT.notes) :]
    assert "foot_sole_toes: a layer is pressed by 1" in warned and " % of its thickness at 0.6" in warned
    assert not any("warning" in note for note in FOOT.stand(350.0, speed="foundation").notes)
    soft = FOOT.with_tissue(FOOT.tissue.scaled(0.04)).stand(350.0, speed="foundation", ankle="held")
    assert any("take less load, stiffer or thicker tissue, or speed='full'" in note for note in soft.notes)
    with pytest.raises(gw.ModelError, match="the foot tips over"):
        FOOT.with_tissue(FOOT.tissue.scaled(0.1)).stand(350.0, speed="foundation")


def test_prescribed_ankle_path_gives_the_same_forces(rolled):
    """Prescribing the ankle path computed under a load reproduces the forces."""
    x, y, z = rolled.ankle.T
    pitch = np.interp(rolled.time, rolled.motion.time, rolled.motion.pitch)
    led = FOOT.roll(gw.foot.AnkleMotion(rolled.time, pitch, x, y, z), 41, speed="foundation")
    assert led.force[:, 2] == pytest.approx(rolled.force[:, 2], abs=0.01 * WEIGHT)


@pytest.mark.slow
def test_three_speeds_roll_alike(rolled):
    """Without friction, the ankle follows the forward path of the foundation; its height follows from the load. Only
    until push-off: tissue at the tips of toes takes as long as everything before it."""
    drawn, until, few = rolled.motion, slice(0, 33), slice(0, 33, 4)
    time = rolled.time[until]
    led = gw.foot.AnkleMotion(time, np.interp(time, drawn.time, drawn.pitch), rolled.ankle[until, 0], 0.0)
    options = {"load": rolled.force[until, 2], "friction": None}
    runs = {speed: FOOT.roll(led, 9, speed=speed, **options) for speed in ("foundation", "condensed", "full")}
    full = runs["full"]
    assert full.force[:, 2] == pytest.approx(rolled.force[few, 2], rel=1e-3)
    for found in runs.values():
        assert found.moment[:, 1] == pytest.approx(full.moment[:, 1], abs=0.1 * full.moment[:, 1].max())
        # Condensed tissue, linear and not connected across hinges, lowers the ankle by 4.4 mm more at push-off.
        assert found.ankle[:, 2] == pytest.approx(full.ankle[:, 2], abs=5e-3)
        assert found.centre_of_pressure[:-1, 0] == pytest.approx(full.centre_of_pressure[:-1, 0], abs=0.01)
        share = found.pressure.regions.share.to_numpy()
        assert share == pytest.approx(full.pressure.regions.share.to_numpy(), abs=0.1)


@pytest.mark.slow
def test_finite_elements_push_off():
    """From foot flat to toe-off with friction: tissue between the tip of the hallux and the ground stiffens and is
    not squeezed out, as neo-Hookean tissue is (to 4 % of its thickness). Coarse steps are halved, and the final ones
    converge."""
    drawn, late = gw.foot.step(), slice(100, 201)
    load = step_load(WEIGHT, np.linspace(0.0, 1.0, drawn.time.size))[late]
    foot = gw.foot.Foot(SHAPE, SHAPE.fill(0.02))
    rolled = foot.roll(gw.foot.AnkleMotion(drawn.time[late] - drawn.time[100], drawn.pitch[late]), 13, load=load)
    assert rolled.force[:, 2] == pytest.approx(np.interp(rolled.time, drawn.time[: len(load)], load[:, 2]), rel=1e-3)
    assert rolled.force[-1, 2] == pytest.approx(0.01 * WEIGHT, rel=1e-6)
    assert rolled.centre_of_pressure[-1, 0] > 0.95 * SHAPE.measures.length
    assert rolled.run.evidence.rejected <= 8
    part = rolled.run.mechanism.parts["foot"]
    nodes = part.mesh.nodes + part.displacements(rolled.run.motion.q)
    before, after = (
        (x[..., part.mesh.cells[:, 1:], :] - x[..., part.mesh.cells[:, :1], :]) for x in (part.mesh.nodes, nodes)
    )
    stretches = np.linalg.svd(np.linalg.solve(before, after), compute_uv=False)
    assert stretches.min() > 0.15


@pytest.mark.parametrize(
    ("motion", "options", "said"),
    [
        ("walk", {}, "is no motion"),
        (None, {"friction": None}, "nothing holds an ankle"),
        (None, {"friction": 0.0}, "nothing holds an ankle"),
        (None, {"ground": gw.surfaces.PlaneGround(-0.2)}, "roll field 'ground': is out of reach"),
        (
            None,
            {"ground": gw.surfaces.HeightField([[-0.3, -0.2]] * 2, spacing=(1, 1))},
            "roll field 'ground': is out of reach",
        ),
        (None, {"load": -3.0}, "not positive"),
        (None, {"load": np.ones(7)}, "has the shape"),
        (None, {"load": -np.ones((201, 3))}, "does not pull"),
        (None, {"frames": 0}, "frames"),
    ],
)
def test_invalid_rolls_are_rejected(motion, options, said):
    with pytest.raises(ModelError, match=said):
        FOOT.roll(motion, **{**FAST, **options})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"time": [0.0, 0.0], "pitch": 0.0}, "does not increase"),
        ({"time": [0.0, 1.0], "pitch": [0.0, 0.1, 0.2]}, "3 values for 2 times"),
    ],
)
def test_invalid_motions_are_rejected(fields, said):
    with pytest.raises(ModelError, match=said):
        gw.foot.AnkleMotion(**fields)


@pytest.mark.parametrize(("options", "said"), [({"toe_off": 10.0}, "pushes off"), ({"heel_strike": 90.0}, "strikes")])
def test_invalid_steps_are_rejected(options, said):
    with pytest.raises(ModelError, match=said):
        gw.foot.step(**options)
