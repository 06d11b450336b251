"""Measured functions of time: spline accuracy, files, invalid data, and drives that follow them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from scipy.interpolate import CubicSpline

import gaitwright as gw
from documents import small
from gaitwright._core.errors import AssemblyError, DidNotConverge, ModelError
from gaitwright.mechanism.signals import SignalOperation, SignalProgram, evaluate_program
from gaitwright.mechanisms import jansen_leg, walking_machine
from gaitwright.model.io.files import apply_override, read_raw_document
from gaitwright.model.series import build_splines

LENGTH, MASS = 0.5, 2.0


def at(t: Any, **entry: Any) -> np.ndarray:
    """Value and two derivatives of a series at times t, one row each."""
    fields = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in entry.items()}
    program = SignalProgram(
        np.array([SignalOperation.TIME, SignalOperation.SERIES], np.int32),
        np.zeros(0),
        (build_splines({"f": fields})["f"],),
    )
    return np.array(evaluate_program(program, t))


@pytest.mark.parametrize("periodic", [False, True])
def test_orders_of_a_sampled_sine(periodic: bool):
    """Value, velocity and acceleration converge with the fourth, third and second power of the step."""
    times = np.linspace(0.0, 1.0, 977)
    phase = 2 * np.pi * times + 0.5  # no derivative vanishes at the ends, which would improve the convergence
    exact = np.array([np.sin(phase), 2 * np.pi * np.cos(phase), -4 * np.pi**2 * np.sin(phase)])
    errors = []
    for n in (32, 64, 128):
        t = np.linspace(0.0, 1.0, n + 1)
        y = np.sin(2 * np.pi * t + 0.5)
        errors.append(np.abs(at(times, times=t, values=y, periodic=periodic) - exact).max(axis=1))
    observed = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(observed, [[4, 3, 2]] * 2, atol=0.25)


def test_periodic_samples_repeat():
    t = np.linspace(0.0, 1.1, 23)
    y = np.cos(2 * np.pi * t / 1.1)
    y[-1] += 1e-12  # rounding by the writing program
    found = at(np.array([0.3, 1.4, 110.3, -0.8]), times=t, values=y, periodic=True)
    np.testing.assert_allclose(found, found[:, :1] * np.ones(4), rtol=1e-9)


# smoothing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frequency", [1.0, 6.0, 12.0])
@pytest.mark.parametrize("periodic", [False, True])
def test_gain_of_the_filter(frequency: float, periodic: bool):
    """|H|^2 = 1/(1 + (sqrt(2) - 1) (w/w_c)^4) for both passes, w = tan(pi f h): zero lag, 1/sqrt(2) at the cut-off."""
    h, cutoff = 0.01, 6.0
    t = h * np.arange(401)
    y = np.sin(2 * np.pi * frequency * t)
    y[-1] = y[0] if periodic else y[-1]
    ratio = math.tan(math.pi * frequency * h) / math.tan(math.pi * cutoff * h)
    left = 1.0 / (1.0 + (math.sqrt(2.0) - 1.0) * ratio**4)
    if frequency == cutoff:
        assert left == pytest.approx(1.0 / math.sqrt(2.0))
    middle = (t > 1.5) & (t < 2.5)
    found = at(t, times=t, values=y, periodic=periodic, cutoff=cutoff)[0]
    checked = np.ones_like(middle) if periodic else middle
    np.testing.assert_allclose(found[checked], left * y[checked], atol=1e-6)


def test_filter_removes_noise_from_the_acceleration():
    t = np.linspace(0.0, 2.0, 201)
    noisy = np.sin(2 * np.pi * t) + np.random.default_rng(1).normal(scale=1e-3, size=t.size)
    exact = -4 * np.pi**2 * np.sin(2 * np.pi * t)
    inner = slice(20, -20)
    raw = np.abs(at(t, times=t, values=noisy)[2] - exact)[inner].max()
    smooth = np.abs(at(t, times=t, values=noisy, cutoff=6.0)[2] - exact)[inner].max()
    assert raw > 30.0 and smooth < 2.5


def test_straight_line_is_unchanged_by_the_filter():
    """At the ends as well: three periods of the cut-off before them, after which the transient is exp(-sqrt(2) pi 3)."""
    t = np.linspace(0.0, 1.0, 101)
    np.testing.assert_allclose(at(t, times=t, values=3 * t - 1, cutoff=6.0)[0], 3 * t - 1, atol=3e-6)


# drives --------------------------------------------------------------------------------------------------------------


def pendulum(angle: str = "swing(t)*pi/180") -> gw.Model:
    """A slender rod about its end, driven."""
    model = gw.Model()
    model.ground_point("O", 0, 0).point("A", LENGTH, 0).link("rod", "O", "A", mass=MASS, length=LENGTH)
    return model.drive.rotation("rod", angle=angle, name="motor")


T = np.linspace(0.0, 1.0, 41)
DEGREES = 30 * np.sin(2 * np.pi * T)


def torque(angle: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    return MASS * LENGTH**2 / 3 * acceleration + MASS * 9.81 * LENGTH / 2 * np.cos(angle)


def test_inverse_dynamics_along_a_series():
    run = pendulum().series("swing", T, DEGREES).inverse(1.0, step=0.01)
    followed = CubicSpline(T, np.radians(DEGREES))
    np.testing.assert_allclose(run.array("rod.angle"), followed(run.time), atol=1e-14)
    np.testing.assert_allclose(run.array("motor.torque"), torque(followed(run.time), followed(run.time, 2)), atol=1e-11)
    # also for the sampled function, as accurate as the second derivative of a cubic: h^2/12 of the fourth, more at the ends
    angle = math.radians(30) * np.sin(2 * np.pi * run.time)
    np.testing.assert_allclose(run.array("motor.torque"), torque(angle, -4 * np.pi**2 * angle), atol=0.15)


def test_forward_dynamics_reach_the_very_end():
    """The last of many steps may exceed the end by rounding."""
    model = pendulum().series("swing", T, DEGREES)
    run = model.simulate(1.0, step=1e-3, method="rk4")
    assert run.time[-1] == pytest.approx(1.0)
    np.testing.assert_allclose(run.array("rod.angle"), CubicSpline(T, np.radians(DEGREES))(run.time), atol=1e-12)
    with pytest.raises(
        DidNotConverge, match=r"drive 'motor' \(the series 'swing' is given from 0 to 1\) has no finite"
    ):
        model.inverse(1.5, step=0.1)
    with pytest.raises(DidNotConverge, match=r"the series 'swing' is given from 0 to 1\) has no finite"):
        model.simulate(1.5, step=1e-3, method="rk4")


def test_data_that_begin_later_are_reported():
    model = pendulum().series("swing", T + 0.5, DEGREES)
    with pytest.raises(
        AssemblyError, match=r"drive 'motor' .*not a finite number\) \(the series 'swing' is given from 0.5 to"
    ):
        model.simulate(1.0)
    assert model.assemble(0.75).q[2] == pytest.approx(math.radians(30), rel=1e-5)


def test_series_holds_or_repeats_after_its_end():
    closed = [*DEGREES[:-1], 0.0]
    repeated = pendulum().series("swing", T, closed, periodic=True).inverse(times=[0.0, 0.3, 1.3, 2.3])
    np.testing.assert_allclose(repeated.array("motor.torque")[1:], repeated.array("motor.torque")[1], rtol=1e-11)
    flat = 10 * T**2 * (1 - T) ** 2  # zero velocity at both ends
    held = pendulum().series("swing", T, flat, outside="hold").inverse(times=[0.0, 0.5, 1.1, 2.0])
    assert held.array("motor.torque")[2:] == pytest.approx(MASS * 9.81 * LENGTH / 2)


def test_series_and_parameters_in_one_expression():
    model = gw.Model(parameters={"scale": 1.0, "offset": "swing(0.25)"})
    model.ground_point("O", 0, 0).point("A", LENGTH, 0).link("rod", "O", "A", mass=MASS, length=LENGTH)
    model.drive.rotation("rod", angle="scale*(swing(t) - offset)*pi/180", name="motor").series("swing", T, DEGREES)
    small_, large = (model.copy(scale=s).inverse(times=[0.0, 0.5]).array("rod.angle") for s in (0.1, 1.0))
    np.testing.assert_allclose(10 * small_, large, rtol=1e-12)
    assert large[0] == pytest.approx(-math.radians(30), rel=1e-5)
    analysis = {"type": "inverse", "until": 0.5, "step": 0.5}
    swept = gw.sweep(model, {"scale": [0.1, 1.0]}, analysis=analysis, series=["rod.angle"], workers=1)
    np.testing.assert_allclose(swept["rod.angle"].values, [small_, large], rtol=1e-12)


def test_machine_uses_the_series_of_its_leg():
    leg = jansen_leg().series("load", T, DEGREES)
    assert walking_machine(leg).to_dict()["series"] == leg.to_dict()["series"]


# files ---------------------------------------------------------------------------------------------------------------


def write(folder: Path, text: str, name: str = "knee.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


ROWS = [(k / 10, k * k / 2) for k in range(6)]
TABLES = {
    "knee.csv": "t,hip,knee (deg)\n" + "".join(f"{t},1,{y}\n" for t, y in ROWS),
    "quoted.csv": '# measured\n\n"t", "hip, left", "knee (deg)"\n' + "".join(f"{t}, 1, {y}\n\n" for t, y in ROWS),
    "comma.csv": "t;hip;knee (deg)\n" + "".join(f"{t};1;{y}\n".replace(".", ",") for t, y in ROWS),
    "opensim.mot": "Coordinates\nversion=1\ninDegrees=no\nendheader\nt\thip\tknee (deg)\n"
    + "".join(f"\t{t}\t1\t{y}\n"[1:] for t, y in ROWS),
}


@pytest.mark.parametrize("name", TABLES)
def test_table_formats_are_read(name: str, tmp_path: Path):
    model = pendulum("knee(t)").series("knee", file=write(tmp_path, TABLES[name], name), time="t", value="knee (deg)")
    assert model.to_dict()["series"]["knee"] == {"times": [t for t, _ in ROWS], "values": [y for _, y in ROWS]}


def test_two_columns_need_no_names(tmp_path: Path):
    path = write(tmp_path, "time angle\n" + "\n".join(f"{t}  {y}" for t, y in ROWS))
    assert pendulum("knee(t)").series("knee", file=path).document.series["knee"].values == [y for _, y in ROWS]


def test_table_is_resolved_and_saved_with_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", "t,knee,other\n" + "".join(f"{t},{y},{2 * y}\n" for t, y in zip(T, DEGREES, strict=True)))
    raw = pendulum("knee(t)*pi/180").to_dict()
    raw["series"] = {"knee": {"file": "data/knee.csv", "time": "t", "value": "knee", "cutoff": 15}}
    (tmp_path / "model.yaml").write_text(yaml.safe_dump(raw))
    monkeypatch.chdir(tmp_path.parent)
    model = gw.load(tmp_path / "model.yaml")
    saved = gw.load(model.save(tmp_path.parent / "saved.yaml"))
    assert saved.to_dict() == model.to_dict() and "file" not in saved.to_dict()["series"]["knee"]
    run, again = (m.inverse(1.0, step=0.1) for m in (model, saved))
    np.testing.assert_array_equal(run.array("motor.torque"), again.array("motor.torque"))
    back = gw.load_result(run.save(tmp_path / "run.nc"))
    np.testing.assert_allclose(back.array("motor.torque"), run.array("motor.torque"))
    changed = read_raw_document(tmp_path / "model.yaml")
    apply_override(changed, "series.knee.value=other")
    other = gw.Model.from_dict(changed).inverse(1.0, step=0.1)
    np.testing.assert_allclose(other.array("rod.angle"), 2 * run.array("rod.angle"), atol=1e-12)


def test_long_series_is_saved_with_its_result(tmp_path: Path):
    """More than the 64 kB to which an attribute of the file format was once limited."""
    t = np.linspace(0.0, 1.0, 20_001)
    run = pendulum("f(t)").series("f", t, t**2).inverse(times=[0.0, 0.5, 1.0])
    back = gw.load_result(run.save(tmp_path / "long.nc"))
    np.testing.assert_allclose(back.array("motor.torque"), run.array("motor.torque"), rtol=1e-12)


BAD_FILES = {
    "missing": (None, {}, ["series 'f'", "'file'", "there is no file", "f.csv"]),
    "empty": ("# nothing\n\n", {}, ["'file'", "is empty", "names of the columns"]),
    "no names": ("0,1\n1,2\n2,3\n3,4\n", {}, ["begins with numbers", "names the columns"]),
    "no such column": ("t,knee\n0,1\n", {"value": "kne"}, ["'value'", "no such column", "did you mean 'knee'?"]),
    "which column": ("t,hip,knee\n0,1,2\n", {}, ["'value'", "is missing", "one of t, hip, knee"]),
    "cut": ("t,hip,knee\n0,1,2\n0.1,1,2\n0.2,1", {"value": "knee"}, ["line 4", "2 of 3 columns", "complete"]),
    "gap": ("t,knee\n0,1\n0.1,\n0.2,3\n", {}, ["line 3", "no finite number", "'knee'"]),
    "word": ("t,knee\n0,1\n0.1,secret\n", {}, ["line 3", "'knee'", "a number in every line"]),
    "nan": ("t,knee\n0,1\n0.1,nan\n", {}, ["line 3", "or a cutoff"]),
    "names only": ("t,knee\n", {}, ["0 points are too few"]),
    "binary": (bytes(range(256)), {}, ["not a text file"]),
    "no table": ("secret words, in\na text\n", {"value": "knee"}, ["no such column", "one of its 2 columns"]),
}


@pytest.mark.parametrize("what", BAD_FILES)
def test_invalid_file_has_a_message(what: str, tmp_path: Path):
    content, fields, parts = BAD_FILES[what]
    path = tmp_path / "f.csv"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ModelError) as caught:
        pendulum("f(t)").series("f", file=path, **fields)
    assert all(part in str(caught.value) for part in ["series 'f'", *parts]), str(caught.value)
    assert "secret" not in str(caught.value), "nothing of what is in the file"


# invalid data --------------------------------------------------------------------------------------------------------

FOUR = {"times": [0, 1, 2, 3], "values": [0, 1, 0, 1]}
BAD: dict[str, tuple[str, Any, list[str]]] = {
    "two points": ("f", {"times": [0, 1], "values": [0, 1]}, ["'times'", "2 points are too few", "at least 4"]),
    "unsorted": ("f", {**FOUR, "times": [0, 2, 1, 3]}, ["'times[2]'", "not later than the time 2", "increasing"]),
    "a time twice": ("f", {**FOUR, "times": [0, 1, 1, 3]}, ["'times[2]'", "not later"]),
    "nan": ("f", {**FOUR, "values": [0, math.nan, 0, 1]}, ["'values[1]'", "not finite"]),
    "a gap": ("f", {**FOUR, "values": [0, None, 0, 1]}, ["'values[1]'", "is empty"]),
    "an expression": ("f", {**FOUR, "values": [0, "2*L", 0, 1]}, ["'values[1]'", "not a number", "plain"]),
    "huge": ("f", {**FOUR, "values": [0, 10**400, 0, 1]}, ["'values'", "too large"]),
    "overflow": ("f", {**FOUR, "values": [-1.7e308, 1.7e308, -1.7e308, 0]}, ["'values'", "size"]),
    "lengths": ("f", {**FOUR, "values": [0, 1, 2]}, ["'values'", "4 times but 3 values"]),
    "no values": ("f", {"times": [0, 1, 2, 3]}, ["'values'", "is missing", "or a file"]),
    "no list": ("f", {**FOUR, "values": 3}, ["'values'", "not a list"]),
    "no mapping": ("f", [0, 1], ["not a mapping"]),
    "unknown field": ("f", {**FOUR, "cutof": 6}, ["'cutof'", "did you mean 'cutoff'?"]),
    "a cutoff in words": ("f", {**FOUR, "cutoff": "six"}, ["'cutoff'", "not a number", "'six'"]),
    "a file that is a number": ("f", {"file": 3}, ["'file'", "not a text"]),
    "periodic now and then": ("f", {**FOUR, "periodic": "often"}, ["'periodic'", "true or false"]),
    "unknown outside": ("f", {**FOUR, "outside": "zero"}, ["'outside'", "error, hold"]),
    "both": ("f", {**FOUR, "file": "f.csv"}, ["'times'", "besides a file"]),
    "column of nothing": ("f", {**FOUR, "value": "knee"}, ["'value'", "there is no file"]),
    "open period": ("f", {**FOUR, "periodic": True}, ["begins with 0 and ends with 1", "same value at both ends"]),
    "outside of a period": (
        "f", {**FOUR, "values": [0, 1, 2, 0], "periodic": True, "outside": "hold"}, ["'outside'", "periodic"],
    ),
    "uneven and filtered": ("f", {**FOUR, "times": [0, 1, 2, 5], "cutoff": 0.1}, ["'cutoff'", "evenly", "times[2]"]),
    "cutoff above half the rate": ("f", {**FOUR, "cutoff": 0.6}, ["'cutoff'", "0.6", "0.5 Hz"]),
    "cutoff 0": ("f", {**FOUR, "cutoff": 0}, ["'cutoff'", "between 0"]),
    "called sin": ("sin", FOUR, ["'sin'", "meaning of its own"]),
    "called t": ("t", FOUR, ["'t'", "meaning of its own"]),
    "called like nothing an expression can say": ("left-knee", FOUR, ["'left-knee'", "letters, digits and _"]),
    "called like a parameter": ("omega", FOUR, ["parameters", "'omega'", "series too"]),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_invalid_series_has_a_message(what: str):
    name, entry, parts = BAD[what]
    with pytest.raises(ModelError) as caught:
        gw.Model.from_dict({**small(), "series": {name: entry}}).mechanism()
    assert all(part in str(caught.value) for part in parts), str(caught.value)


@pytest.mark.parametrize(
    "angle, parts",
    [
        ("kne(t)", ["drive 'motor'", "'angle'", "unknown function 'kne'", "did you mean 'knee'?"]),
        ("knee", ["drive 'motor'", "'angle'", "knee(t)"]),
        ("knee(t, 1)", ["drive 'motor'", "'angle'", "2 arguments", "one argument, if it is a series"]),
        ("knee(0/0)", ["drive 'motor'", "division by zero"]),
    ],
)
def test_invalid_calls_have_a_message(angle: str, parts: list[str]):
    raw = {**small(), "series": {"knee": FOUR}}
    raw["drives"][0]["angle"] = angle
    with pytest.raises(ModelError) as caught:
        gw.Model.from_dict(raw).mechanism()
    assert all(part in str(caught.value) for part in parts), str(caught.value)


def test_duplicate_series_is_rejected():
    with pytest.raises(ModelError, match="series 'swing': the name 'swing' is used twice"):
        pendulum().series("swing", T, DEGREES).series("swing", T, DEGREES)
