"""Generated programs compared with the classic analyses, for every planar library mechanism that is determined by its
drives."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.codegen import chunk_runner
from gaitwright.codegen.c_library import _remove_old_libraries, find_compiler, load_library
from gaitwright.codegen.program import generate_program
from gaitwright.design.batch import analysis as module
from gaitwright.design.batch.fallback import CODE_NO_MODEL, CODE_OK, FallbackTask, analyse_design
from gaitwright.design.batch.results import CODE_INTERRUPTED
from gaitwright.design.sampling import sample_designs
from gaitwright.mechanisms import four_bar, jansen_leg
from gaitwright.mechanisms.catalogue import CATALOGUE
from gaitwright.model.model import compile_model, require_compilable

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
SAMPLES, NEAR = 60, 5
QUICK = ("four-bar", "jansen-leg")
PRINTED = (
    "four-bar", "four-bar-chain", "slider-crank", "chebyshev-leg", "jansen-leg", "klann-leg", "strider-legs", "horse-leg",
    "knee-exoskeleton",
)  # fmt: skip
REFUSED = {
    "pendulum": "1 degree of freedom", "rigid-slider-crank": "contact 'wall'", "flexible-slider-crank": "beam 'rod'",
    "walking-machine": "contact 'left1'", "ankle-foot-orthosis": "series 'ankle_dorsiflexion'",
    "back-support": "beam 'blade'", "spatial-four-bar": "a model in space", "lower-body": "series 'hip_flexion'",
}  # fmt: skip


def parametric(name):
    """Library mechanism with link lengths as additional parameters."""
    raw = CATALOGUE[name].model().to_dict()
    parameters = dict(raw.get("parameters", {}))
    for link in raw.get("links", []):
        if not isinstance(link.get("length"), str):
            own = f"length_{link['name'].replace('-', '_')}"
            parameters[own], link["length"] = link["length"], own
    return gw.Model.from_dict({**raw, "parameters": parameters, "outputs": []})


def some_designs(model, count, spread, seed=1):
    numbers = {k: v for k, v in model.document.parameters.items() if isinstance(v, (int, float))}
    generator = np.random.default_rng(seed)
    return {k: v * (1 + spread * generator.uniform(-1, 1, count)) for k, v in numbers.items()}


@needs_compiler
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in PRINTED])
def test_generated_program_agrees_with_classic_analysis(name):
    """For designs near the model: torques and forces of drives to 1e-9, positions to 1e-12 m. For other designs, some of which
    come close to a dead point, where rounding is amplified a thousand times: the same designs fail."""
    model = parametric(name)
    mechanism = model.mechanism()
    drives = [
        (n.name, what)
        for n in mechanism.constraint_names
        if n.kind == "drive"
        for what, (u, _) in n.declaration.rows.items()
        if u
    ]
    loads = [f"{drive}.{what}" for drive, what in drives]
    body = list(mechanism.body_names)[-1]
    places = [f"{body}.{what}" for what in ("x", "y", "angle")]
    near, far = some_designs(model, NEAR, 0.005), some_designs(model, 12 - NEAR, 0.04)
    given = {name: np.concatenate([near[name], far[name]]) for name in near}
    program = generate_program(compile_model(model), list(given), [*loads, *places, f"{drives[0][0]}.power"])
    P = np.stack(list(given.values()))
    made = load_library(program.text)
    Q, closed = made.close(P, program.drawn, program.size, program.closed)
    track, followed, *_ = made.follow(P, Q, np.ones(12), SAMPLES, len(program.outputs))
    task = FallbackTask(require_compilable(model), "inverse", program.outputs, SAMPLES)
    good = 0
    for k in range(12):
        wanted = analyse_design(task, ({name: float(values[k]) for name, values in given.items()}, 1.0))
        assert wanted.code == (closed[k] or followed[k])
        if wanted.code == CODE_OK and k < NEAR:
            good += 1
            size = np.abs(wanted.track).max(axis=0)
            off = np.abs(track[:, :, k] - wanted.track).max(axis=0)
            assert np.all(off[: len(loads)] <= 1e-9 * size[: len(loads)])
            assert np.all(off[len(loads) : -1] <= 1e-12)
            assert off[-1] <= 1e-9 * max(size[-1], 1e-9)
    assert good >= 4


@pytest.mark.parametrize("name", REFUSED)
def test_unsupported_models_are_refused_by_name(name):
    model = parametric(name)
    with pytest.raises(ModelError, match=REFUSED[name]):
        generate_program(compile_model(model), [], [])


@pytest.fixture(scope="module")
def bars():
    return parametric("four-bar")


LENGTHS = {"length_crank": (0.15, 0.25), "length_rocker": (0.45, 0.65)}
MEASURES = ["crank.torque.max_abs", "rocker.angle.range", "own = crank.torque.max_abs*length_crank"]
TURN = {"type": "inverse", "until": 1.0, "step": 1 / 60}


@pytest.fixture(scope="module")
def bounds(bars):
    values = bars.document.parameters
    return {name: (0.8 * values[name], 1.2 * values[name]) for name in ("length_crank", "length_rocker")}


@needs_compiler
def test_designs_return_a_table_with_verdicts(bars, bounds):
    given = sample_designs(bars, bounds, 100, seed=3)
    table = gw.designs(
        bars, given, measures=MEASURES, analysis=TURN, limits={"rocker.angle.range": (0.5, None)},
        minimise=["crank.torque.max_abs"], maximise=["rocker.angle.range"],
    )  # fmt: skip
    assert table.data.sizes["design"] == 100
    good = table["failure"].values == 0
    assert good.sum() > 0
    assert np.isfinite(table["own"].values[good]).all() and np.isnan(table["own"].values[~good]).all()
    np.testing.assert_allclose(
        table["own"].values[good], (table["crank.torque.max_abs"] * table["length_crank"]).values[good], rtol=1e-14
    )
    assert (table["rocker.angle.range"].values[table["feasible"].values] >= 0.5).all()
    assert table["crank.torque.max_abs"].attrs["units"] == "N m"
    front = table["front"].values
    assert front.any() and (table["feasible"].values | ~front).all()


@needs_compiler
def test_results_are_the_same_without_a_compiler(bars, bounds, monkeypatch):
    given = sample_designs(bars, bounds, 5, sampling="random")
    given["length_crank"][2] = 3.0  # cannot be closed, or cannot make a full turn
    asked = {"measures": MEASURES[:2], "analysis": TURN, "workers": 1}
    fast = gw.designs(bars, given, **asked)
    monkeypatch.setattr(module, "find_compiler", lambda: None)
    with pytest.warns(UserWarning, match="no C compiler"):
        slow = gw.designs(bars, given, **asked)
    assert fast["failure"].values.tolist() == slow["failure"].values.tolist()
    assert fast["failure"].values[2] > 0
    for name in MEASURES[:2]:
        np.testing.assert_allclose(fast[name], slow[name], rtol=1e-9)


def test_invalid_design_is_not_reported_as_a_dead_point(bars):
    """Without a compiler it has the reason of the model, as with a program."""
    done = analyse_design(FallbackTask(require_compilable(bars), "kinematic", (), 4), ({"length_crank": -0.2}, 1.0))
    assert done.code == CODE_NO_MODEL and "link 'crank'" in done.reason


@needs_compiler
def test_invalid_lengths_are_reported(bars):
    given = {"length_crank": [0.2, -0.2]}
    table = gw.designs(bars, given, measures=["crank.torque.max"], analysis=TURN)
    code = int(table["failure"].values[1])
    said = dict(zip(table["code"].values.tolist(), table["reason"].values.tolist(), strict=True))[code]
    assert "link 'crank'" in said and "greater than zero" in said


@needs_compiler
def test_a_parameter_as_a_goal_stays_a_parameter(bars):
    """Also for a failed design."""
    given = {"length_crank": [0.2, -0.2]}
    table = gw.designs(
        bars, given, measures=["length_crank", "crank.torque.max"], minimise=["length_crank"], analysis=TURN
    )
    assert table["length_crank"].values.tolist() == [0.2, -0.2]
    assert table["length_crank"].attrs["role"] == "parameter" and table["front"].values.tolist() == [True, False]


@needs_compiler
def test_undefined_expression_is_a_failure(bars):
    given = {"length_crank": [0.19, 0.2, 0.21]}
    for text, well in (("sqrt(length_crank - 0.195)", [1, 2]), ("1/(length_crank - 0.2)", [0, 2])):
        table = gw.designs(
            bars, given, measures=[f"c = {text}", "crank.torque.max"], minimise=["crank.torque.max"], analysis=TURN
        )
        assert np.flatnonzero(table["feasible"].values).tolist() == well
        (bad,) = np.flatnonzero(table["failure"].values)
        assert not table["front"].values[bad] and np.isnan(table["crank.torque.max"].values[bad])
        assert table["reason"].values.tolist() == ["", "the measure 'c' is not a finite number"]


@needs_compiler
def test_threads_and_chunks_do_not_change_results(bars, bounds, monkeypatch):
    given = sample_designs(bars, bounds, 301)
    asked = {"measures": MEASURES, "analysis": TURN}
    whole = gw.designs(bars, given, workers=1, **asked)
    monkeypatch.setattr(module, "MIN_CHUNK_DESIGNS", 8)
    monkeypatch.setattr(chunk_runner, "MIN_CHUNK_DESIGNS", 8)
    monkeypatch.setattr(chunk_runner, "MAX_OUTPUT_BYTES", 1.0)
    told = []
    parts = gw.designs(bars, given, workers=3, progress=told.append, **asked)
    assert whole.data.identical(parts.data)
    assert told[-1] == 1.0 and len(told) > 10


@needs_compiler
def test_interruption_keeps_finished_designs(bars, bounds, monkeypatch):
    given = sample_designs(bars, bounds, 64)
    monkeypatch.setattr(module, "MIN_CHUNK_DESIGNS", 8)
    monkeypatch.setattr(chunk_runner, "MIN_CHUNK_DESIGNS", 8)
    monkeypatch.setattr(chunk_runner, "MAX_OUTPUT_BYTES", 1.0)

    def stop(done):
        if done > 0.4:
            raise KeyboardInterrupt

    table = gw.designs(bars, given, measures=["crank.torque.max"], analysis=TURN, workers=1, progress=stop)
    codes = table["failure"].values
    assert (codes[:24] != CODE_INTERRUPTED).all() and (codes[40:] == CODE_INTERRUPTED).all()
    assert "interrupted" in table["reason"].sel(code=CODE_INTERRUPTED).item()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parameters": {"L9": [1.0]}}, "'L9'.*not a parameter"),
        ({"parameters": {"length_crank": [0.2], "length_rocker": [0.5, 0.6]}}, "different numbers of values"),
        ({"parameters": {"length_crank": [float("nan")]}}, "not finite"),
        ({"parameters": {"length_crank": ["long"]}}, "not a list of numbers"),
        ({"parameters": [1.0]}, "not a mapping"),
        ({"parameters": {}}, "is empty"),
        ({"limits": {"crank.torque": 3}}, "does not name the reduction of an output"),
        ({"measures": "crank.torque.max"}, "is not a list, a mapping or a function"),
        ({"parameters": {"length_crank": [0.2], "length_rocker": (0.5, 0.6)}}, "'length_rocker' is a range"),
        ({"measures": ["crank.tork.max"]}, "crank.tork"),
        ({"measures": ["step_length"]}, "there is no measure 'step_length'"),
        ({"measures": ["own=length_crnk*2"]}, "did you mean 'length_crank'"),
        ({"measures": ["own=2*+"]}, "'2\\*\\+'"),
        (
            {"measures": ["c = crank.torque.max/"]},
            "'crank.torque.max/': the expression ends too early; expected a number",
        ),
        ({"measures": []}, "no list of measures"),
        ({"measures": ["length_crank = crank.torque.max"]}, "'length_crank' is a parameter of the model"),
        ({"measures": {"length_rocker": "crank.torque.max"}}, "'length_rocker' is a parameter of the model"),
        ({"measures": ["a = crank.torque.max", "a = crank.torque.min"]}, "'a' is the name of two measures"),
        *(
            ({"measures": [f"{name} = crank.torque.max"]}, f"'{name}' is a column")
            for name in ("failure", "front", "feasible", "reason", "failed_at", "code", "design", "parameter")
        ),
        ({"analysis": "static"}, "cannot be printed yet"),
        ({"analysis": 3}, "is not known"),
        ({"device": "tpu"}, "one of cpu, cuda"),
        ({"minimise": ["energy"]}, "there is no measure 'energy'"),
        ({"limits": {"crank.torque.max": "3"}}, "is not a limit"),
        ({"limits": {"crank.torque.max": (1, 0)}}, "has a lower bound above its upper bound"),
        ({"minimise": ["crank.torque.max"], "maximise": ["crank.torque.max"]}, "both to be minimised and maximised"),
        ({"minimise": "crank.torque.max"}, "'minimise'.*is not a list.*crank.torque.max"),
        ({"workers": 0}, "'workers'.*is not a number of cores"),
        ({"gradient": True}, "'gradient'.*is not a list of measures"),
        ({"gradient": "crank.torque.max"}, "'gradient'.*is not a list of measures"),
        ({"analysis": {"type": "inverse", "until": 1.0, "step": 2.0}}, "'step'.*longer than the run"),
        ({"parameters": {"length_crank": []}}, "length_crank.*has no values"),
        ({"parameters": {"length_crank": [[0.2, 0.3]]}}, "length_crank.*values in 2 dimensions"),
    ],
)
def test_invalid_input_is_reported(bars, changes, message):
    asked = {"parameters": {"length_crank": [0.2]}, "measures": ["crank.torque.max"], "analysis": TURN, **changes}
    with pytest.raises(ModelError, match=message), warnings.catch_warnings():
        gw.designs(bars, asked.pop("parameters"), **asked)


def test_a_step_that_differs_between_designs_is_refused():
    raw = four_bar().to_dict()
    model = gw.Model.from_dict({**raw, "parameters": {"end": 1.0}})
    with pytest.raises(ModelError, match="from 50 to 100 samples"):
        gw.designs(
            model,
            {"end": [0.5, 1.0]},
            measures=["crank.torque.max"],
            analysis={"type": "inverse", "until": "end", "step": 0.01},
        )


@pytest.mark.slow
@needs_compiler
def test_two_processes_can_compile_at_the_same_time(tmp_path):
    """Both start with an empty cache and get the result."""
    script = (
        "import gaitwright as gw; from gaitwright.mechanisms import four_bar; raw = four_bar().to_dict();"
        "raw['parameters'] = {'m': 1.0}; raw['links'][0]['mass'] = 'm'; model = gw.Model.from_dict(raw);"
        "print(float(gw.designs(model, {'m': [1.0]}, measures=['crank.torque.max'], analysis="
        "{'type': 'inverse', 'until': 1, 'step': 0.05})['crank.torque.max'][0]))"
    )
    environment = {**os.environ, "GAITWRIGHT_CACHE": str(tmp_path)}
    runs = [
        subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    answers = [run.communicate(timeout=300)[0] for run in runs]
    assert answers[0] == answers[1] and float(answers[0]) != 0.0
    assert len(list((tmp_path / "gaitwright" / "programs").glob("*.so"))) == 1
    assert len(list((tmp_path / "gaitwright" / "programs").iterdir())) == 1


def test_unused_libraries_are_removed(tmp_path):
    old, new = (tmp_path / name for name in ("old.so", "new.so"))
    for path in (old, new):
        path.touch()
    os.utime(old, (0.0, 0.0))
    _remove_old_libraries(tmp_path)
    assert not old.exists() and new.exists()


@needs_compiler
def test_programs_share_the_memory_of_their_states():
    """Many programs are cached, and each would keep the memory of its largest run."""
    rooms = [
        load_library(generate_program(compile_model(four_bar()), [], [name]).text).reserve_states((3, 2, 8))
        for name in ("crank.x", "crank.y")
    ]
    assert np.shares_memory(*rooms)


def test_a_crank_with_two_drives_beside_a_free_pendulum_is_refused():
    """There are as many conditions as coordinates, but the pendulum would not move, and the design would be accepted. Redundant
    joints are detected in the model's own pose, which cannot be closed here."""
    model = gw.Model("twice", parameters={"p": 0.1})
    model.ground_point("O", 0, 0).ground_point("C", 1, 0).point("A", 0.3, 0).point("B", 1, -0.3)
    model.link("crank", "O", "A", length=0.3, mass=0.1).link("free", "C", "B", length=0.3, mass=0.1)
    model.drive.rotation("crank", "p", name="first").drive.rotation("crank", "0.5", name="second")
    for section in ({"type": "inverse", "until": 1, "step": 0.1}, {"type": "forward", "until": 1, "step": 0.1}):
        with pytest.raises(ModelError, match="redundant joints or drives"):
            gw.designs(model, {"p": [0.1, 0.5]}, analysis=section, measures=["free.angle.final"])


@needs_compiler
def test_measures_may_depend_on_parameters_only():
    """Only the existence of the motion matters."""
    leg = jansen_leg()
    given = sample_designs(leg, {"L3": (0.26, 0.30)}, 203)
    table = gw.designs(leg, given, measures=["frame = 2*L3"])
    good = table["failure"].values == 0
    assert good.any()
    np.testing.assert_allclose(table["frame"].values[good], 2.0 * given["L3"][good], rtol=1e-15)


def test_contact_outputs_summed_over_steps_are_refused_by_name():
    ball = gw.Model.from_dict({
        "gaitwright": 1, "parameters": {"drop": 0.4}, "gravity": [0, -9.81],
        "bodies": [{"name": "ball", "mass": 1.0, "inertia": 0.004, "at": [0, "drop"]}],
        "contacts": [{"name": "floor", "circle": {"body": "ball", "radius": 0.1}, "surface": {"line": [0, 1, 0]},
                      "law": {"type": "hunt-crossley", "stiffness": 2e4, "restitution": 0.6}}],
    })  # fmt: skip
    section = {"type": "forward", "until": 0.01, "step": 1e-3, "method": "rk4"}
    for what in ("slip", "dissipated"):
        with pytest.raises(ModelError, match=f"'floor.{what}'.*cannot be printed yet.*normal_force.*gw.sweep"):
            gw.designs(ball, {"drop": [0.4]}, analysis=section, measures=[f"floor.{what}.final"])
