"""Storage of large runs: chosen outputs at all times, whole states at a few times, in bounded memory."""

import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.analysis import forward, kinematics
from gaitwright.mechanisms import four_bar
from gaitwright.result import state_storage
from gaitwright_apps.benchmarks.net import mass_spring_net

OPTIONS = {"generalized-alpha": {"step": 1e-3}, "dopri5": {"tolerance": 1e-8, "output_step": 1e-3}}
CHOSEN = ["m1_1.x", "m2_2.C.vy", "down0_1.force", "energy.kinetic"]


@pytest.mark.parametrize("method", OPTIONS)
def test_chosen_outputs_are_those_of_the_whole_run(method, monkeypatch):
    monkeypatch.setattr(forward, "PIECE_BYTES", 20_000)  # several pieces
    monkeypatch.setattr(state_storage, "STATE_FRAME_COUNT", 7)
    model = mass_spring_net(3, 4)
    every = model.simulate(0.2, method=method, **OPTIONS[method])
    few = model.simulate(0.2, method=method, store=CHOSEN, **OPTIONS[method])
    assert few.motion.t.size == 7 and few.motion.t[-1] == few.time[-1] == 0.2
    np.testing.assert_array_equal(few.time, every.time)
    for name in [*CHOSEN, "energy.potential", "energy.residual", "energy.dissipated", "evidence.step_sizes"]:
        np.testing.assert_allclose(few.array(name), every.array(name), rtol=1e-12, atol=1e-15)
        assert name in few
    assert few.evidence.max_energy_residual == pytest.approx(every.evidence.max_energy_residual, rel=1e-9)
    assert few.evidence.warnings == every.evidence.warnings
    for k, t in enumerate(few.motion.t):
        np.testing.assert_array_equal(few.motion.q[k], every.motion.q[int(np.searchsorted(every.time, t))])


def test_output_that_was_not_stored_is_reported():
    run = mass_spring_net(3, 4).simulate(0.01, step=1e-3, store=["m1_1.x"])
    assert "m1_2.x" not in run and "m1_1.x" in list(run)
    with pytest.raises(gw.ModelError, match=r"'m1_2.x' was not kept; expected store=\['m1_2.x', ...\]"):
        run["m1_2.x"]
    with pytest.raises(gw.ModelError, match="kept at 11 times only"):
        run.at(0.005)
    with pytest.raises(gw.ModelError, match="did you mean m1_1"):
        mass_spring_net(3, 4).simulate(0.01, step=1e-3, store=["m1_1.X"])
    with pytest.raises(gw.ModelError, match="neither a list of outputs nor 'all'"):
        mass_spring_net(3, 4).simulate(0.01, step=1e-3, store="some")


def test_result_can_be_saved_shown_and_continued(tmp_path):
    model = four_bar()
    run = model.simulate(0.5, step=1e-3, store=["coupler.x", "crank.torque"])
    whole = model.simulate(0.5, step=1e-3)
    loaded = gw.load_result(run.save(tmp_path / "run.nc"))
    for result in (run, loaded):
        for name in ("coupler.x", "crank.torque", "crank.power", "energy.work"):
            np.testing.assert_allclose(result.array(name), whole.array(name), rtol=1e-10, atol=1e-12)
        assert result["coupler.x"].sizes == {"time": 501} and result.motion.t.size == 50
        assert result.drive_work("crank")["net"] == pytest.approx(whole.drive_work("crank")["net"], rel=1e-9)
        assert result.evidence.max_position_violation == whole.evidence.max_position_violation
        np.testing.assert_allclose(result.crossings("coupler.x", 0.1), whole.crossings("coupler.x", 0.1), atol=1e-5)
    assert set(loaded.names) == set(run.names)
    assert run.summary()["final"].keys() == set(run.names)
    run.plot("coupler.x", path=tmp_path / "x.png")
    run.draw(tmp_path / "pose.png", 0.25)
    run.animate(tmp_path / "run.html")
    run.report(tmp_path / "report.html", trace=["B"])
    np.testing.assert_array_equal(run.motion.q[-1], whole.motion.q[-1])


def test_contact_summary_equals_that_of_the_whole_run(tmp_path):
    model = gw.Model("ball").body("ball", mass=1, inertia=0.01, at=[0, 0.3], velocity=[0.5, 0.0], points={"P": [0, 0]})
    model.contact("ball.P", gw.surfaces.LineGround(level=0), name="floor", friction=gw.friction.Coulomb(0.3),
                  law=gw.laws.LankaraniNikravesh(stiffness=1e5, restitution=0.5))  # fmt: skip
    whole, chosen = (model.simulate(0.5, step=1e-3, **options) for options in ({}, {"store": ["ball.y"]}))
    assert chosen.summary()["contacts"] == whole.summary()["contacts"]
    chosen.report(tmp_path / "report.html")


def test_beams_are_plotted_from_stored_states(tmp_path):
    model = gw.Model("ruler").ground_point("O", 0, 0).point("T", 0.3, 0)
    model.beam("ruler", "O", "T", elements=2, youngs_modulus=1e8, density=1000, width=0.02, height=0.01)
    run = model.joint.fixed("ground.O", "ruler.start").simulate(0.1, step=1e-3, store=["ruler.end.y"])
    run.animate(tmp_path / "run.html")
    run.report(tmp_path / "report.html")
    shapes = run.plot_shapes(path=tmp_path / "shapes.png")
    run.plot_along("ruler", path=tmp_path / "moment.png")
    assert "ruler" in (tmp_path / "run.html").read_text() and "ruler" in (tmp_path / "report.html").read_text()
    assert any(line.get_xdata().size > 2 for line in shapes.axes[0].lines)
    assert all((tmp_path / name).read_bytes().startswith(b"\x89PNG") for name in ("shapes.png", "moment.png"))


def test_large_models_store_outputs_by_default(monkeypatch):
    monkeypatch.setattr(state_storage, "MAX_STATE_BYTES", 1e5)
    model = mass_spring_net(3, 4).output("m1_1.x")
    run = model.simulate(0.2, step=1e-3)
    assert run.stored is not None and "m1_1.x" in run and "m1_2.x" not in run
    assert "all states would take" in run.evidence.warnings[0]
    every = model.simulate(0.2, step=1e-3, store="all")
    assert every.stored is None and "m1_2.x" in every


def test_memory_does_not_grow_with_the_number_of_times(monkeypatch):
    """30,000 coordinates and 1,000 outputs, scaled down: a twentieth of the states and a few pieces are in memory at once."""
    monkeypatch.setattr(forward, "PIECE_BYTES", 1e5)
    mechanism = mass_spring_net(8, 10).mechanism()
    begin, peaks = forward.find_start(mechanism), []
    forward.simulate(mechanism, 0.01, step=1e-4, begin=begin)  # create all cached objects
    for steps, store in ((1000, "all"), (1000, ["m1_1.x"]), (2000, ["m1_1.x"])):
        tracemalloc.start()
        forward.simulate(mechanism, 1e-4 * steps, step=1e-4, begin=begin, store=store)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    states = 8.0 * 1000 * state_storage.state_width(mechanism.system)
    assert peaks[0] > states and peaks[1] < peaks[0] - 0.8 * states
    assert peaks[2] - peaks[1] < 8.0 * 1000 * 100  # a few numbers per output time, independent of the size of the model


def test_a_mesh_of_30000_unknowns_fits_into_a_gigabyte():
    """By arithmetic on the allocations: 3 x 30,000 numbers of a state and 30,000 powers, 1,000 outputs."""
    width = 4 * 30_000
    assert 8.0 * 1000 * width > state_storage.MAX_STATE_BYTES  # so outputs are stored
    rows = max(2.0, forward.PIECE_BYTES / 8.0 / width)
    buffers = 3 * 8.0 * rows * width  # in the loop, its copy, and the pieces of the outputs
    frames = 2 * 8.0 * (state_storage.STATE_FRAME_COUNT + 1) * width  # single frames, and the joined ones
    assert buffers + frames < 2.5e8


LARGE = """
import gaitwright as gw

model = gw.Model("bar", dimension=3, gravity=(0, 0, -9.81))
model.solid(
    "bar", gw.mesh.box((0.5, 0.1, 0.1), ({0}, {1}, {1})), material=gw.materials.NeoHookean(youngs_modulus=2e5,
    poissons_ratio=0.3),
    density=1000.0, fixed="left", lumped=True,
)
run = model.simulate(0.01, method="dopri5", tolerance=1e-2, output_step=1e-5, store=["bar.right.z"])
(peak,) = (line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(model.mechanism().n, len(run.time), 1024 * int(peak))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell the peak of a process alone")
def test_a_mesh_of_30000_unknowns_as_measured():
    """Peak of a whole process with 1,000 outputs: model, tables, steps and outputs take 0.8 GB. Implicit steps with their
    factorisation add 0.15 GB."""
    for divisions in ((10, 2), (60, 12)):  # the small one compiles, which is not measured
        script = LARGE.format(*divisions)
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600)
        assert run.returncode == 0, run.stderr
    unknowns, times, peak = map(int, run.stdout.split())
    assert unknowns > 30_000 and times == 1001 and peak < 2**30


@pytest.mark.parametrize("analysis", ["kinematics", "inverse"])
def test_prescribed_motions_store_chosen_outputs(analysis, monkeypatch):
    monkeypatch.setattr(kinematics, "PIECE_BYTES", 20_000)
    model = four_bar()
    whole = getattr(model, analysis)(0.5, step=1e-3)
    few = getattr(model, analysis)(0.5, step=1e-3, store=["coupler.x", "crank.torque"])
    np.testing.assert_array_equal(few.time, whole.time)
    for name in ("coupler.x", "crank.torque", "energy.work", "evidence.sigma"):
        np.testing.assert_allclose(few.array(name), whole.array(name), rtol=1e-12, atol=1e-15)
    assert few.motion.t.size == state_storage.STATE_FRAME_COUNT and "coupler.y" not in few
    with pytest.raises(gw.ModelError, match="did you mean coupler"):
        getattr(model, analysis)(0.5, store=["coupler.X"])


ANALYSES = {
    "forward": {"type": "forward", "until": 0.2, "step": 1e-3},
    "kinematic": {"type": "kinematic", "until": 0.2, "step": 1e-3},
    "inverse": {"type": "inverse", "until": 0.2, "step": 1e-3},
}


@pytest.mark.parametrize("kind", ANALYSES)
def test_model_file_selects_the_stored_outputs(kind):
    document = four_bar().to_dict() | {"analysis": ANALYSES[kind] | {"store": ["coupler.x"]}}
    run = gw.Model.from_dict(document).analyse()
    assert (
        run.stored is not None and next(iter(run.stored.values)) == "coupler.x" and run.array("coupler.x").size == 201
    )
    document["analysis"]["store"] = "all"
    assert gw.Model.from_dict(document).analyse().stored is None


@pytest.mark.parametrize(
    ("analysis", "said"),
    [
        ({"type": "static", "store": ["coupler.x"]}, "an analysis of type static stores everything"),
        ({"type": "kinematic", "store": ["coupler.X"]}, "did you mean coupler"),
        ({"type": "kinematic", "store": "some"}, "store"),
        ({"type": "kinematic", "store": [3]}, "store"),
    ],
)
def test_invalid_store_in_a_model_file_is_refused(analysis, said):
    with pytest.raises(gw.ModelError, match=said):
        gw.Model.from_dict(four_bar().to_dict() | {"analysis": analysis}).analyse()
