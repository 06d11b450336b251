"""Commands `device`, `gait --device`, and devices of `example`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import gaitwright as gw
from calling import call
from documents import EXAMPLES
from gaitwright.cli.commands.devices import load_device
from gaitwright.cli.options import ModelFileOptions


@pytest.mark.slow
def test_example_device_is_analysed_and_reported(tmp_path: Path) -> None:
    told = call("example", "worn-ankle-spring", "--out", tmp_path)
    assert "gaitwright device" in told.stdout
    file = tmp_path / "worn-ankle-spring.yaml"
    done = call(
        "device",
        file,
        "--motion",
        "walk",
        "--set",
        "parameters.stiffness=3",
        "--side",
        "left",
        "--json",
        "--out",
        tmp_path,
    )
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["sides"] == ["left"]
    assert 0.2 < found["joints"]["left_ankle"]["share_of_peak"] < 0.4
    assert set(found["cuffs"]) == {"left_calf", "left_sole"}
    page = (tmp_path / "device.html").read_text()
    comfort = found["comfort"]
    assert comfort["thresholds"] == "literature"
    assert comfort["cuffs"]["left_calf"]["region"] == "calf"
    assert comfort["cuffs"]["left_calf"]["share_discomfort"] >= comfort["share_pain"] > 0.0
    for words in (
        "Pressure and comfort",
        "Tolerance at left calf",
        "Left ankle, moment",
        "Force at the cuffs",
        "Taken off by phase",
        "The motion is schematic",
    ):
        assert words in page
    written = {"cuffs.csv", "moments.csv", "result.nc", "summary.json", "device.yaml", "comfort.csv"}
    assert {path.name for path in tmp_path.iterdir()} >= written


@pytest.mark.slow
def test_initial_energy_of_a_bent_spring_is_reported(tmp_path: Path) -> None:
    """Rising from a chair starts with a bent knee: the energy that the support returns is stored at the start, k angle^2 /
    2, also in its cuffs."""
    done = call("device", "worn-knee-support", "--motion", "sit-to-stand", "--pad-model", "none", "--out", tmp_path)
    found = json.loads((tmp_path / "summary.json").read_text())
    parts, knee = found["parts"]["right"], found["joints"]["right_knee"]
    spring = parts["spring"]
    bent = 0.5 * spring["lowest_torque"] * -spring["highest_angle"]
    assert spring["energy_at_start"] == pytest.approx(bent, rel=1e-3)
    had = sum(part["energy_at_start"] - part["energy_at_end"] - part["dissipated"] for part in parts.values())
    assert knee["returned"] - knee["stored"] == pytest.approx(
        had, rel=0.02
    )  # remainder: weight of the device, at other joints
    said = " ".join(done.stdout.split())
    assert f"right spring: {spring['energy_at_start']:.1f} J in it as the motion begins, 0.0 J as it ends" in said
    assert "Energy in springs and cuffs (J)" in (tmp_path / "device.html").read_text()


def test_devices_are_listed() -> None:
    assert "worn-hip-spring" in json.loads(call("example", "--json").stdout)["devices"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("worn-ankle-sprung",), "neither a file nor a ready device.*did you mean 'worn-ankle-spring'"),
        (("worn-ankle-spring", "--motion", "wlak"), "neither a motion nor a file.*did you mean 'walk'"),
        (("worn-ankle-spring", "--forces", "walk.forces"), "'--forces': belongs to a trial, and the motion is walk"),
        (
            ("worn-ankle-spring", "--pad-model", "solids"),
            "'--pad-model': is no way to find a pressure.*did you mean 'solid'",
        ),
        (("worn-ankle-spring", "--thresholds", "nowhere.yaml"), "thresholds 'nowhere.yaml': there is no file"),
        (("worn-ankle-spring", "--side", "up"), "is not a side of the body"),
        (("worn-ankle-spring", "--mass", "70"), "'--height': is missing"),
        (("worn-ankle-spring", "--set", "worn.cuffs.0.segment=shin"), "cuff 'calf' field 'segment': is not known"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = call("device", *arguments, "--out", tmp_path, code=2)
    assert re.search(said, done.stderr), done.stderr


def test_ready_device_has_two_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    short, full = (load_device(name, ModelFileOptions()).to_dict() for name in ("ankle-spring", "worn-ankle-spring"))
    assert short == full


def test_model_without_worn_section_is_refused(tmp_path: Path) -> None:
    model = gw.Model("bare", dimension=3)
    model.body("b", mass=1, inertia=[1, 1, 1])
    done = call("device", model.save(tmp_path / "bare.yaml"), "--out", tmp_path, code=2)
    assert "nothing binds it to a person" in done.stderr


def test_check_names_the_cuffs(tmp_path: Path) -> None:
    told = call("check", EXAMPLES / "worn_knee_brace.yaml", "--out", tmp_path).stdout
    assert "worn on the right leg by cuffs: thigh on the thigh (bushing), shank on the shank (pad)" in " ".join(
        told.split()
    )


@pytest.mark.slow
def test_laboratory_walk_with_a_device(tmp_path: Path) -> None:
    walk = gw.gait.schematic_walk(gw.gait.Subject(73.0, 1.74), 4.0).trial(noise=5e-4).save(tmp_path / "walk.c3d")
    person = ("--mass", 73, "--height", 1.74)
    done = call("gait", walk, *person, "--device", "worn-ankle-spring", "--json", "--out", tmp_path / "out")
    found = json.loads(done.stdout)["device"]
    assert 0.4 < found["joints"]["right_ankle"]["share_of_peak"] < 0.6
    assert (tmp_path / "out" / "device" / "device.html").is_file() and (tmp_path / "out" / "gait.html").is_file()


def test_device_without_subject_is_refused(tmp_path: Path) -> None:
    done = call("gait", tmp_path / "walk.c3d", "--device", "worn-ankle-spring", "--out", tmp_path, code=2)
    assert "'--device': needs the mass and height of the wearer" in done.stderr
