"""Command `study`, and worn devices in `choose`, `sweep` and `optimise`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gaitwright as gw
from calling import call


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spring about the right knee, between thigh and shank."""
    parameters: dict[str, float | int | str] = {"knee_height": 0.5, "hip_width": 0.17, "stiffness": 40.0}
    model = gw.Model("knee spring", dimension=3, parameters=parameters)
    for name, up in (("upper", 0.2), ("lower", -0.2)):
        model.body(
            name, mass=0.1, inertia=[1e-3] * 3, at=[0.0, "-hip_width/2", "knee_height"], centre=[0.0, 0.0, up],
            points={"cuff": [0.0, 0.0, up]},
        )  # fmt: skip
    model.force("torsion-spring", "spring", a="upper", b="lower", axis=[0, 1, 0], stiffness="stiffness")
    model.cuff("thigh", "upper.cuff", "thigh").cuff("shank", "lower.cuff", "shank")
    return model.worn("right").save(tmp_path_factory.mktemp("device") / "knee.yaml")


@pytest.mark.slow
def test_study_of_a_device(device: Path, tmp_path: Path) -> None:
    """Rising from a chair: more stiffness helps more, until the cuffs rotate the limb more than allowed."""
    done = call(
        "study", device, "--motion", "sit-to-stand", "--parameter", "stiffness=10:50", "--maximise", "right_knee.share_of_peak",
        "--minimise", "right_shank.moment", "--limit", "right_shank.moment=:40", "--stock", "stiffness=15,25,35,45",
        "--samples", 3, "--workers", 1, "--mass", 80, "--height", 1.8, "--out", tmp_path,
    )  # fmt: skip
    assert "best in stock: stiffness = 15" in done.stdout and "EXCEEDS 40" in done.stdout
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["units"]["right_shank.moment"] == "N m" and len(summary["variants"]) == 7
    assert gw.load(tmp_path / "chosen.yaml").document.parameters["stiffness"] == 15
    assert "Moment of the device at the right knee" in (tmp_path / "study.html").read_text()


@pytest.mark.slow
def test_stiffness_is_chosen_and_optimised(device: Path, tmp_path: Path) -> None:
    motion = ("--motion", "squat", "--lifted-mass", 5, "--out", tmp_path, "--mass", 80, "--height", 1.8)
    done = call(
        "choose", device, *motion, "--parameter", "stiffness=5:50", "--target", "right_shank.moment=20", "--samples", 2,
    )  # fmt: skip
    assert "gives right_shank.moment = 20 N m, as asked" in done.stdout and (tmp_path / "result.nc").exists()
    done = call(
        "optimise", device, *motion, "--parameter", "stiffness=5:50", "--maximise", "right_knee.share_of_peak", "--limit",
        "right_shank.moment=:20", "--method", "cobyqa", "--budget", 8,
    )  # fmt: skip
    assert "largest right_knee.share_of_peak" in done.stdout
    done = call("sweep", device, *motion, "--parameter", "stiffness=5,20", "--measure", "mass", "--workers", 1)
    assert "mass" in done.stdout and "0.2" in done.stdout


@pytest.mark.slow
def test_unavailable_pressure_reports_its_reason(tmp_path: Path) -> None:
    """The message does not mention an unknown measure; a search reports the same."""
    worn = ("worn-ankle-spring", "--motion", "walk", "--out", tmp_path)
    asked = ("--parameter", "stiffness=100:500", "--minimise", "right_sole.pressure")
    done = call("study", *worn, *asked, "--samples", 2, "--workers", 1, code=2)
    assert "there is no right_sole.pressure: on the foot; pressure and comfort there are not computed" in done.stderr
    done = call(
        "study", *worn, "--parameter", "stiffness=100:500", "--minimise", "right_sol.pressure", "--samples", 2, code=2
    )
    assert "there is no output 'right_sol.pressure'; did you mean" in done.stderr
    done = call(
        "choose", *worn, "--parameter", "stiffness=100:500", "--target", "right_sole.pressure=1", "--samples", 2, code=1,
    )  # fmt: skip
    assert "there is no right_sole.pressure: on the foot" in done.stderr


def test_bad_input(device: Path, tmp_path: Path) -> None:
    asked = ("study", device, "--parameter", "stiffness=10:40", "--maximise", "mass", "--out", tmp_path)
    for more, words in (
        ((), "'knee spring' is worn"), (("--motion", "squats"), "did you mean 'squat'"),
        (("--motion", "walk", "--stock", "stiffness"), "--stock takes NAME="),
    ):  # fmt: skip
        done = call(*asked, *more, code=2)
        assert words in done.stderr


def test_forces_belong_to_a_trial(tmp_path: Path) -> None:
    for command, more in (
        ("study", ["--parameter", "stiffness=1:2", "--maximise", "mass"]),
        ("sweep", ["--parameter", "stiffness=1,2"]),
        ("choose", ["--parameter", "stiffness=1:2", "--target", "mass=1"]),
        ("optimise", ["--parameter", "stiffness=1:2", "--minimise", "mass"]),
    ):
        told = call(
            command, "worn-ankle-spring", "--motion", "walk", "--forces", "x.forces", *more, "--out", tmp_path, code=2
        )
        assert "'--forces': belongs to a trial" in told.stderr, told.stderr
    told = call("device", "worn-ankle-spring", "--motion", "walk", "--lifted-mass", "15", "--out", tmp_path, code=2)
    assert "'--lifted-mass': is lifted, and the motion is walk" in told.stderr
    told = call("device", "worn-back-support", "--motion", "stoop", "--lifted-mass", "15 N", "--out", tmp_path, code=2)
    assert "'--lifted-mass': is not a mass (got '15 N')" in told.stderr


@pytest.mark.parametrize("text", ["8", "8 kg", "8000g"])
def test_lifted_load_may_have_a_unit(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from gaitwright import gait
    from gaitwright.cli.commands.devices import load_motion

    monkeypatch.setattr(gait, "motion_by_name", lambda name, person, load, **other: load)
    assert load_motion("stoop", None, None, None, text) == pytest.approx(8.0)
