"""Content of a result: outputs with units, energies, works, dense output, tables, files, pictures."""

import json
import math
from collections.abc import Mapping

import matplotlib.figure
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from PIL import Image
from scipy.integrate import quad
from scipy.interpolate import CubicSpline
from scipy.special import ellipk

import gaitwright as gw
from gaitwright.mechanisms import four_bar, jansen_leg, pendulum
from gaitwright.result.contact_episodes import closed_duration
from gaitwright.result.energy_balance import signed_work
from gaitwright.result.outputs import StateHistory


def loaded_pendulum(stop=True):
    """A rod with a spring-damper, a coil, a bumper, a load and a torque: every element with outputs or work."""
    model = pendulum((0.4,)).ground_point("S", 1.5, 0.5)
    model.force.spring_damper("S", "rod1.P1", stiffness=30, damping=0.5, rest_length=0.4, name="spring")
    model.force.torsion_spring("ground", "rod1", stiffness=2, damping=0.1, rest_angle=-0.3, name="coil")
    if stop:
        model.force.bumper("ground", "rod1", lower=0.3, upper=0.38, stiffness=400, damping=0.02, name="stop")
    model.force.at_point("rod1.P1", ("3*sin(9*t)", 1), name="push")
    return model.force.torque("rod1", "0.5*cos(4*t)", name="twist")


@pytest.fixture(scope="module")
def loaded():
    return loaded_pendulum().simulate(1.0, tolerance=1e-11, output_step=0.002)


def bouncing_ball(law=None):
    model = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=(0, 0.3), spin=4.0)
    law = law or gw.laws.ZhangSharf(stiffness=1e6, restitution=0.6)
    return model.contact(
        gw.surfaces.Circle("ball", 0.1),
        gw.surfaces.LineGround(),
        law=law,
        friction=gw.friction.Coulomb(0.3),
        name="floor",
    )


@pytest.fixture(scope="module")
def bounces():
    return bouncing_ball().simulate(0.8, output_step=0)


@pytest.fixture(scope="module")
def turn():
    return jansen_leg().kinematics(1.0, step=2e-3)


# outputs


def test_outputs_have_values_units_and_a_description(loaded):
    for name in loaded.names:
        array = loaded[name]
        assert isinstance(array, xr.DataArray) and array.name == name and array.dims == ("time",)
        assert array.shape == loaded.time.shape and np.all(np.isfinite(array.values))
        assert array.attrs["units"] and array.attrs["long_name"]
        assert array.time.attrs["units"] == "s"
        assert np.array_equal(array.values, loaded.array(name))


UNITS = {
    "rod1.x": "m",
    "rod1.angle": "rad",
    "rod1.spin": "rad/s",
    "rod1.ax": "m/s^2",
    "rod1.angular_acceleration": "rad/s^2",
    "P1.speed": "m/s",
    "rod1.P1.acceleration": "m/s^2",
    "P0.fx": "N",
    "spring.force": "N",
    "spring.energy": "J",
    "coil.torque": "N m",
    "stop.angle": "rad",
    "push.power": "W",
    "push.work": "J",
    "spring.dissipated": "J",
    "energy.residual": "J",
}


def test_units(loaded):
    assert {name: loaded[name].attrs["units"] for name in UNITS} == UNITS


def test_points_move_with_their_body(loaded):
    theta, w, alpha = (loaded.array(f"rod1.{what}") for what in ("angle", "spin", "angular_acceleration"))
    assert np.allclose(loaded.array("P1.x"), np.cos(theta), rtol=0, atol=1e-13)
    assert np.allclose(loaded.array("P1.vy"), w * np.cos(theta), rtol=0, atol=1e-12)
    assert np.allclose(loaded.array("P1.ax"), -alpha * np.sin(theta) - w**2 * np.cos(theta), rtol=0, atol=1e-9)
    assert np.allclose(loaded.array("P1.speed"), np.abs(w), rtol=0, atol=1e-12)
    assert np.allclose(loaded.array("P1.acceleration"), np.hypot(alpha, w**2), rtol=0, atol=1e-9)


def test_a_result_is_a_mapping_of_its_outputs(loaded):
    assert "spring.force" in loaded and "spring.farce" not in loaded and 3 not in loaded
    assert list(loaded) == list(loaded.keys()) == loaded.names


def test_an_unknown_output_suggests_the_right_one(loaded):
    with pytest.raises(gw.ModelError, match=r"no output 'rod1.angel'; did you mean .*rod1.angle"):
        loaded["rod1.angel"]
    with pytest.raises(gw.ModelError, match=r"an output is asked for by its name \(got 0\); expected such as '"):
        loaded[0]
    with pytest.raises(gw.ModelError, match=r"there are .* outputs, such as"):
        loaded.array("zzzzzzz")
    with pytest.raises(gw.ModelError, match=r"there is no drive 'motor'"):
        loaded.drive_work("motor")


def test_springs_and_bumpers_are_observed(loaded):
    theta, w = loaded.array("rod1.angle"), loaded.array("rod1.spin")
    dx, dy = np.cos(theta) - 1.5, np.sin(theta) - 0.5
    length = np.hypot(dx, dy)
    speed = w * (-dx * np.sin(theta) + dy * np.cos(theta)) / length
    force = -(30 * (length - 0.4) + 0.5 * speed)
    assert np.allclose(loaded.array("spring.length"), length, rtol=0, atol=1e-13)
    assert np.allclose(loaded.array("spring.rate"), speed, rtol=0, atol=1e-12)
    assert np.allclose(loaded.array("spring.force"), force, rtol=0, atol=1e-11)
    assert np.allclose(loaded.array("spring.energy"), 15 * (length - 0.4) ** 2, rtol=0, atol=1e-12)
    assert np.allclose(loaded.array("coil.torque"), -(2 * (theta + 0.3) + 0.1 * w), rtol=0, atol=1e-12)
    over, under = np.maximum(theta - 0.38, 0), np.maximum(0.3 - theta, 0)
    stop = -400 * (over - under + 0.02 * (over + under) * w)
    assert np.allclose(loaded.array("stop.torque"), stop, rtol=0, atol=1e-10)
    assert over.max() > 0 and under.max() > 0  # it touches both stops
    assert np.allclose(loaded.array("stop.energy"), 200 * (over**2 + under**2), rtol=0, atol=1e-10)
    push = 3 * np.sin(9 * loaded.time) * loaded.array("P1.vx") + loaded.array("P1.vy")
    assert np.allclose(loaded.array("push.power"), push, rtol=0, atol=1e-12)
    assert np.allclose(loaded.array("twist.power"), 0.5 * np.cos(4 * loaded.time) * w, rtol=0, atol=1e-12)


# energy


def test_energies_are_those_of_the_motion(loaded):
    m, J = 1.0, 1 / 12
    vx, vy, w = (loaded.array(f"rod1.{what}") for what in ("vx", "vy", "spin"))
    assert np.allclose(loaded.array("energy.kinetic"), (m * (vx**2 + vy**2) + J * w**2) / 2, rtol=1e-13, atol=0)
    stored = sum(loaded.array(f"{name}.energy") for name in ("spring", "coil", "stop"))
    weight = m * 9.81 * loaded.array("rod1.y")
    assert np.allclose(loaded.array("energy.potential"), stored + weight, rtol=0, atol=1e-12)
    lost = sum(loaded.array(f"{name}.dissipated") for name in ("spring", "coil", "stop"))
    assert np.allclose(loaded.array("energy.dissipated"), lost, rtol=0, atol=1e-14)
    assert np.all(np.diff(lost) > -1e-12)
    work = loaded.array("push.work") + loaded.array("twist.work")
    assert np.allclose(loaded.array("energy.work"), work, rtol=0, atol=1e-14)


def test_works_are_the_integrals_of_the_powers():
    """Without the stops: their kinks a spline through the samples would smooth."""
    run = loaded_pendulum(stop=False).simulate(1.0, tolerance=1e-11, output_step=0.002)
    for name in ("push", "twist"):
        truth = CubicSpline(run.time, run.array(f"{name}.power")).antiderivative()(run.time)
        assert np.abs(run.array(f"{name}.work") - truth).max() < 1e-8 * np.abs(truth).max()


def test_the_energy_balance_closes(loaded):
    total = loaded.array("energy.kinetic") + loaded.array("energy.potential") + loaded.array("energy.dissipated")
    residual = total - loaded.array("energy.work")
    assert np.allclose(loaded.array("energy.residual"), residual - residual[0], rtol=0, atol=1e-12)
    assert loaded.evidence.max_energy_residual == np.abs(loaded.array("energy.residual")).max()
    exact = loaded_pendulum().simulate(1.0, tolerance=1e-11, output_step=0)
    assert exact.evidence.max_energy_residual < 1e-8  # at the ends of the steps; between them works are interpolated


def test_energy_is_a_dataset_of_energies_works_and_powers(loaded, turn):
    names = set(loaded.energy().data_vars)
    assert {
        "energy.kinetic",
        "energy.residual",
        "push.work",
        "push.power",
        "spring.dissipated",
        "spring.energy",
    } <= names
    assert {"crank.work", "crank.power", "energy.work"} <= set(turn.energy().data_vars)
    assert not any(name.endswith(".x") for name in names)


def test_drive_work_by_sign(turn):
    """Positive, negative and absolute work of the crank against quadrature of tau omega with its sign changes."""
    torque, omega = turn["crank.torque"].values, turn["crank.spin"].values
    power = torque * omega
    assert np.allclose(turn.array("crank.power"), power, rtol=0, atol=1e-12)
    fine = jansen_leg().kinematics(1.0, step=1e-4).array("crank.power")
    dt = 1e-4
    truth = {
        "positive": np.trapezoid(np.maximum(fine, 0), dx=dt),
        "negative": np.trapezoid(np.minimum(fine, 0), dx=dt),
        "absolute": np.trapezoid(np.abs(fine), dx=dt),
        "net": np.trapezoid(fine, dx=dt),
    }
    work = turn.drive_work("crank")
    assert work == pytest.approx(truth, abs=1e-6)
    assert work["positive"] > 0 > work["negative"] and work["net"] == work["positive"] + work["negative"]
    assert work["absolute"] == work["positive"] - work["negative"]
    assert work["net"] == pytest.approx(turn.array("crank.work")[-1], abs=1e-9)


@pytest.mark.parametrize("count", [2, 3, 5, 40])
def test_signed_work_of_samples(count):
    """Integral of sin over one and a half periods: +2, -2, +2 thirds; with few samples still consistent."""
    t = np.linspace(0, 3 * math.pi, count)
    positive, negative, absolute = signed_work(t, np.sin(t))
    assert absolute == positive - negative and positive >= 0 >= negative
    if count == 40:
        truth = quad(lambda x: max(math.sin(x), 0), 0, 3 * math.pi, points=[math.pi, 2 * math.pi])[0]
        assert positive == pytest.approx(truth, rel=1e-4) and negative == pytest.approx(-2, rel=1e-4)


def test_signed_work_without_a_sign_change():
    t = np.linspace(0, 1, 11)
    assert signed_work(t, 1 + t) == pytest.approx((1.5, 0.0, 1.5))
    assert signed_work(t, -1 - t) == pytest.approx((0.0, -1.5, 1.5))
    assert signed_work(t, 0 * t) == (0.0, 0.0, 0.0)
    assert signed_work(t[:1], t[:1]) == (0.0, 0.0, 0.0)


# between the samples


def test_crossings_are_located_between_samples():
    """A pendulum passes its lowest point every half period, T = 4 sqrt(L*/g) K(sin^2(45 deg)), L* = 2/3 m."""
    run = pendulum((0.0,)).simulate(4.0, tolerance=1e-12, output_step=0.05)
    period = 4 * math.sqrt(2 / 3 / 9.81) * ellipk(0.5)
    truth = period / 4 + np.arange(5) * period / 2
    found = run.crossings("rod1.angle", -math.pi / 2)
    assert found == pytest.approx(truth[truth < 4.0], abs=1e-8)
    falling, rising = (run.crossings("rod1.angle", -math.pi / 2, direction=d) for d in (-1, 1))
    assert np.array_equal(np.sort(np.r_[falling, rising]), found)
    assert falling[0] == found[0] and rising[0] == found[1]
    assert run.crossings("rod1.angle", 5.0).size == 0


def test_crossings_of_energies_and_powers(turn):
    run = pendulum((0.0,)).simulate(1.0, tolerance=1e-12, output_step=0.02)
    when = run.crossings("energy.kinetic", 2.0)
    state = run.at(when)
    speed = state.v[:, 2]
    assert when.size and (speed**2 / 6) == pytest.approx(np.full(when.size, 2.0), rel=1e-6)
    zeros = turn.crossings("crank.power")
    power = turn.array("crank.power")
    changes = np.flatnonzero(power[:-1] * power[1:] < 0)
    assert len(zeros) == len(changes)
    assert np.all((zeros >= turn.time[changes]) & (zeros <= turn.time[changes + 1]))


def test_crossing_exactly_at_a_sample_counts_once():
    run = four_bar().kinematics(1.0, step=0.125)
    assert run.crossings("crank.angle", math.pi) == pytest.approx([0.5], abs=1e-12)


def test_states_between_samples():
    """Quintic interpolation against the exact motion: errors of order 6 in q, 5 in v, 4 in a."""
    times = np.linspace(0.0, 1.0, 998)
    exact = jansen_leg().kinematics(times=times).motion
    errors = []
    for step in (0.01, 0.005):
        coarse = jansen_leg().kinematics(1.0, step=step)
        state = coarse.at(times)
        assert isinstance(state, StateHistory) and np.array_equal(state.t, times)
        errors.append([np.abs(x - y).max() for x, y in zip(state[1:4], exact[1:4], strict=True)])
    order = np.log2(np.array(errors[0]) / errors[1])
    assert order == pytest.approx([6, 5, 4], abs=0.5)
    at_sample = coarse.at(coarse.time[7])
    assert np.allclose(at_sample.q[0], coarse.motion.q[7], rtol=0, atol=1e-14)
    assert np.allclose(at_sample.a[0], coarse.motion.a[7], rtol=1e-9, atol=1e-9)
    assert coarse.at(1.0).q.shape == (1, 34)


@pytest.mark.parametrize("t", [-0.1, 1.2, [0.5, 3.0], math.nan])
def test_times_outside_the_run_are_refused(turn, t):
    with pytest.raises(gw.ModelError, match="outside the run"):
        turn.at(t)


# sampling


def test_every_stores_every_nth_step():
    model = pendulum((0.0,))
    all_steps, some = (model.simulate(0.1, method="rk4", step=1e-3, every=k) for k in (1, 7))
    assert all_steps.time.size == 101
    assert np.allclose(some.time, [*np.arange(0, 0.1, 0.007), 0.1], rtol=0, atol=1e-12)
    assert np.array_equal(some.motion.q[:-1], all_steps.motion.q[::7][: some.time.size - 1])
    assert some.evidence.steps == 100 and np.array_equal(some.motion.q[-1], all_steps.motion.q[-1])
    assert np.allclose(some.array("energy.work"), 0)


def test_output_step_spaces_the_outputs_of_adaptive_methods():
    model = pendulum((0.0,))
    for step in (0.01, 0.03, 0.25):
        run = model.simulate(0.1, output_step=step)
        expected = np.arange(0, 0.1 + 1e-12, step)
        expected = expected if math.isclose(expected[-1], 0.1) else np.append(expected, 0.1)
        assert np.allclose(run.time, expected, rtol=0, atol=1e-12), step
    assert model.simulate(0.1).time.size == 1001
    steps = model.simulate(0.1, output_step=0)
    assert steps.time.size == steps.evidence.steps + 1
    assert np.allclose(np.diff(steps.time), steps.array("evidence.step_sizes")[1:], rtol=1e-9, atol=1e-15)


# tables and files


def test_a_table(loaded):
    frame = loaded.to_pandas(["rod1.angle", "push.work"])
    assert isinstance(frame, pd.DataFrame) and list(frame.columns) == ["rod1.angle", "push.work"]
    assert frame.index.name == "time" and np.array_equal(frame["rod1.angle"], loaded.array("rod1.angle"))
    assert len(loaded.to_pandas().columns) == len(loaded.names)


def test_dataset_has_the_outputs_listed_by_the_model():
    model = pendulum((0.0,)).output("rod1.angle", "P1.x", "energy.residual")
    run = model.simulate(0.05)
    assert list(run.dataset().data_vars) == ["rod1.angle", "P1.x", "energy.residual"]
    assert list(run.summary()["final"]) == ["rod1.angle", "P1.x", "energy.residual"]
    assert json.loads(run.dataset().attrs["evidence"])["method"] == "dopri5"


def leg_on_ground():
    leg = jansen_leg()
    law = gw.laws.LankaraniNikravesh(stiffness=2e4, restitution=0.5)
    return leg.contact("F", gw.surfaces.LineGround(level=-0.606), law=law, approach_speed=0.1, name="toe")


SAVED = {
    "forward": lambda: loaded_pendulum().simulate(0.3, output_step=0.01),
    "fixed step": lambda: pendulum((0.1, 0.2)).simulate(0.1, method="gauss2", step=0.01),
    "kinematic": lambda: four_bar().kinematics(0.2, step=0.01),
    "contact": lambda: bouncing_ball().simulate(0.5, output_step=0.01),
    "rigid contact": lambda: bouncing_ball().simulate(0.5, method="moreau", step=1e-3),
    "contact of a driven leg": lambda: leg_on_ground().inverse(1.0, step=0.01),
    "redundant": lambda: four_bar().joint.revolute("ground.O", "crank.O", name="again").inverse(0.2, step=0.01),
}


@pytest.mark.slow
@pytest.mark.parametrize("which", SAVED)
def test_saved_result_is_restored(which, tmp_path):
    run = SAVED[which]()
    loaded = gw.load_result(run.save(tmp_path / "deep" / "result.nc"))
    for mine, theirs in zip(run.motion, loaded.motion, strict=True):
        assert np.array_equal(mine, theirs)
    assert loaded.names == run.names
    for name in run.names:
        assert np.array_equal(run.array(name), loaded.array(name), equal_nan=True), name
        assert run[name].attrs == loaded[name].attrs
    assert loaded.evidence == run.evidence
    assert loaded.mechanism.redundant == run.mechanism.redundant
    assert loaded.document == run.document
    pd.testing.assert_frame_equal(loaded.contacts(), run.contacts())
    assert loaded.summary() == run.summary()
    for name in run.balance.drive_power:
        assert loaded.drive_work(name) == run.drive_work(name)
    with xr.open_dataset(tmp_path / "deep" / "result.nc", engine="h5netcdf") as data:
        assert set(run.names) <= set(data.data_vars)
        assert data[run.names[0]].attrs["units"] == run[run.names[0]].attrs["units"]


def test_file_that_is_not_a_result_is_refused(tmp_path):
    with pytest.raises(gw.ModelError, match="no file"):
        gw.load_result(tmp_path / "nothing.nc")
    (tmp_path / "broken.nc").write_bytes(b"not netcdf")
    with pytest.raises(gw.ModelError, match="not a complete Gaitwright result"):
        gw.load_result(tmp_path / "broken.nc")


SUMMARY = {
    "name", "analysis", "method", "steps", "wall_seconds", "final", "max_abs", "max_constraint_violation", "energy",
}  # fmt: skip


@pytest.mark.parametrize("which", SAVED)
def test_a_summary_is_json(which):
    run = SAVED[which]()
    summary = json.loads(json.dumps(run.summary(), allow_nan=False))
    assert set(summary) >= SUMMARY
    assert set(summary["energy"]) == {"kinetic", "potential", "dissipated", "work", "residual"}
    for name in ("energy.kinetic", run.names[0]):
        assert summary["final"][name] == run.array(name)[-1]
        assert summary["max_abs"][name] == np.nanmax(np.abs(run.array(name)))
    assert set(summary["drives"]) == set(run.balance.drive_power)
    assert summary["evidence"]["warnings"] == run.evidence.warnings


CONTACT = {
    "episodes", "first_touchdown", "time_in_contact", "duty", "max_penetration", "max_normal_force", "impulse", "dissipated",
    "slip",
}  # fmt: skip


def test_summary_of_contacts(bounces):
    """A fall of 0.2 m: touchdown at sqrt(2 h / g); the dissipated energy is that not returned by the bounces."""
    floor = bounces.summary()["contacts"]["floor"]
    table = bounces.contacts("floor")
    assert set(floor) == CONTACT and floor["episodes"] == len(table) > 3
    assert floor["first_touchdown"] == pytest.approx(math.sqrt(2 * 0.2 / 9.81), abs=1e-9)
    assert floor["time_in_contact"] == pytest.approx((table["end"].fillna(0.8) - table["begin"]).sum())
    assert floor["duty"] == floor["time_in_contact"] / 0.8
    assert floor["dissipated"] == pytest.approx(bounces.array("energy.dissipated")[-1])
    assert floor["impulse"] == pytest.approx(table["impulse"].sum())
    change = bounces.array("ball.vy")[-1] - bounces.array("ball.vy")[0]
    assert floor["impulse"] == pytest.approx(change + 9.81 * 0.8, rel=1e-6), "momentum, for 1 kg"
    assert json.loads(json.dumps(floor, allow_nan=False)) == floor
    assert four_bar().kinematics(0.1, step=0.05).summary()["contacts"] == {}


def test_an_impact_between_two_outputs_is_in_the_summary(bounces):
    coarse = bouncing_ball().simulate(0.8, output_step=0.05)
    assert coarse.array("floor.normal_force").max() < 0.9 * bounces.array("floor.normal_force").max()
    for summary in (coarse.summary(), bounces.summary()):
        floor, largest = summary["contacts"]["floor"], summary["max_abs"]
        assert largest["floor.normal_force"] == floor["max_normal_force"]
        assert largest["floor.penetration"] == floor["max_penetration"]
        assert floor["max_normal_force"] == pytest.approx(bounces.array("floor.normal_force").max(), rel=1e-3)


def test_a_contact_that_never_closes_and_one_that_rests():
    never = bouncing_ball().simulate(0.1).summary()
    assert never["contacts"]["floor"] == {
        **dict.fromkeys(CONTACT, 0.0), "episodes": 0, "first_touchdown": None,
    }  # fmt: skip
    assert never["max_abs"]["floor.x"] is None and never["final"]["floor.x"] is None
    rest = bouncing_ball().static().summary()["contacts"]["floor"]
    assert rest["max_normal_force"] == pytest.approx(9.81) and rest["duty"] is None
    assert rest["max_penetration"] == pytest.approx((9.81 / 1e6) ** (2 / 3))


def test_overlapping_contact_intervals_count_once():
    assert closed_duration([(3.0, 4.0), (0.0, 1.0), (0.5, 2.0), (0.6, 0.7)]) == pytest.approx(3.0)
    assert closed_duration([]) == 0.0


def test_energy_contains_the_dissipation_of_contacts(bounces):
    energy = bounces.energy()
    assert {"floor.dissipated", "floor.friction_loss", "floor.work"} <= set(energy.data_vars)
    assert float(energy["floor.dissipated"][-1]) > float(energy["floor.friction_loss"][-1]) > 0


def test_contacts_are_selected_by_name(bounces):
    with pytest.raises(gw.ModelError, match=r"no contact 'flor'; expected one of floor"):
        bounces.contacts("flor")
    with pytest.raises(gw.ModelError, match=r"did you mean floor\.normal_force"):
        bouncing_ball().output("floor.normal_forces").simulate(0.1)


def test_file_in_the_format_without_contacts_is_read(tmp_path):
    """Such a file has neither contact states nor episodes."""
    import h5py

    path = pendulum((0.1,)).simulate(0.1).save(tmp_path / "old.nc")
    with h5py.File(path, "a") as file:
        assert not [name for name in file if "memory" in name or "episode" in name]
        evidence = json.loads(file.attrs["evidence"])
        file.attrs["evidence"] = json.dumps({k: v for k, v in evidence.items() if "event" not in k})
    assert gw.load_result(path).contacts().empty


def test_repr_of_a_result(turn):
    assert "kinematic result of 'Theo Jansen leg': 0 to 1 s, 501 times" in repr(turn)


# pictures


def test_plots_are_figures(loaded, turn, tmp_path):
    for figure in (
        loaded.plot("rod1.angle"),
        loaded.plot("rod1.angle", "rod1.spin"),
        loaded.plot(),
        turn.plot("F.y", against="F.x", path=tmp_path / "foot.png"),
    ):
        assert isinstance(figure, matplotlib.figure.Figure)
    (axes,) = loaded.plot("rod1.angle").axes
    assert axes.get_xlabel() == "time (s)" and "rad" in axes.get_ylabel()
    (line,) = (line for line in axes.lines if len(line.get_xdata()) == loaded.time.size)
    assert np.array_equal(line.get_ydata(), loaded.array("rod1.angle"))
    with Image.open(tmp_path / "foot.png") as picture:
        assert picture.width > 100
    with pytest.raises(gw.ModelError, match="no output"):
        loaded.plot("nothing")


def test_loops_and_bands_of_contacts(bounces, tmp_path):
    (loop,) = bounces.plot("floor.normal_force", against="floor.penetration", path=tmp_path / "loop.png").axes
    assert loop.get_aspect() == "auto" and "(m)" in loop.get_xlabel() and "(N)" in loop.get_ylabel()
    x, y = loop.lines[0].get_data()
    # clockwise: the enclosed area is the energy lost by all impacts in the normal direction
    lost = bounces.array("floor.dissipated")[-1] - bounces.array("floor.friction_loss")[-1]
    assert np.trapezoid(y, x) == pytest.approx(lost, rel=0.01)
    force = bounces.plot("floor.normal_force").axes[0]
    assert len(force.patches) == len(bounces.contacts())
    assert not bounces.plot("ball.y").axes[0].patches
    height, push = bounces.plot("ball.y", "floor.fy").axes
    assert height.get_ylabel() == "m" and push.get_ylabel() == "N"
    steps = len(bounces.time)
    assert len(height.lines[0].get_xdata()) > steps, "long steps in flight are filled in"
    assert len(bounces.plot("floor.fx", "floor.fy", against="ball.x").axes[0].lines) == 2


@pytest.mark.slow
def test_an_animation_shows_contacts(bounces, tmp_path):
    text = bounces.animate(tmp_path / "ball.html", forces=True, signals=["floor.normal_force", "floor.x"]).read_text()
    assert '"kind":"round"' in text and '"kind":"ground"' in text and "null" in text
    assert "floor.normal_force" in bounces.animate(tmp_path / "plain.html").read_text()
    assert '"signals":[]' in bounces.animate(tmp_path / "none.html", signals=[]).read_text()
    with Image.open(bounces.animate(tmp_path / "ball.gif", forces=True)) as picture:
        assert picture.n_frames > 5
    before, after = (
        bounces.draw(tmp_path / "pose.png", time=t, forces=True, ghosts=3).read_bytes() for t in (0.0, 0.205)
    )
    assert before != after


def test_an_animation_as_html_plays_offline(tmp_path):
    run = four_bar().kinematics(1.0, step=0.05)
    text = run.animate(tmp_path / "leg.html", trace=["B"], signals=["crank.torque"]).read_text()
    assert "<html" in text.lower() and "crank.torque" in text and "coupler" in text
    assert "http://" not in text.replace("http://www.w3.org", "") and "https://" not in text


def test_an_animation_as_gif_moves(tmp_path):
    run = four_bar().kinematics(1.0, step=0.1)
    with Image.open(run.animate(tmp_path / "leg.gif", trace=["coupler.B"])) as picture:
        assert picture.format == "GIF" and picture.n_frames > 5


def test_invalid_picture_options_are_refused(turn, tmp_path):
    with pytest.raises(gw.ModelError, match=r"\.html or \.gif"):
        turn.animate(tmp_path / "leg.mp4")
    with pytest.raises(gw.ModelError, match="no point 'Z' to trace"):
        turn.animate(tmp_path / "leg.html", trace=["Z"])


def test_a_pose_is_drawn(turn, tmp_path):
    with Image.open(turn.draw(tmp_path / "pose.png", time=0.5)) as picture:
        assert picture.format == "PNG"


def test_result_is_a_mapping_of_output_names_to_arrays(loaded):
    run = loaded
    assert isinstance(run, Mapping) and len(run) == len(run.names) == len(list(run.items()))
    assert run.get("no such output", None) is None
    name = run.names[0]
    assert np.array_equal(dict(run)[name].values, run.array(name), equal_nan=True)
    assert run == run and hash(run) != hash(object())
