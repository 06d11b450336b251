"""Commands `leg` and `compare`: printed output, files, and one sentence for every mistake."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import gaitwright as gw
from documents import EXAMPLES
from gaitwright.cli.commands.legs import make_machine
from gaitwright.cli.main import app
from gaitwright.mechanisms import chebyshev_leg, jansen_leg

JANSEN, PENDULUM = EXAMPLES / "jansen.yaml", EXAMPLES / "pendulum.yaml"


def call(*arguments: Any, code: int = 0) -> Any:
    done = CliRunner().invoke(app, [str(a) for a in arguments])
    assert done.exit_code == code, f"{done.exit_code}: {done.stdout} {done.stderr} {done.exception!r}"
    return done


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    out = tmp_path_factory.mktemp("leg")
    return json.loads(call("leg", JANSEN, "--json", "--out", out).stdout), out


@pytest.mark.slow
def test_leg_gives_the_numbers_of_the_analysis(found: tuple[dict[str, Any], Path]) -> None:
    answer, out = found
    driven = answer["directions"]["as driven"]
    # The recomputation of 003; the example rounds the offset of O2 to 0.052, as the recomputation does
    assert driven["step_height"] == pytest.approx(0.170484, abs=5e-7)
    assert driven["air_energy_turn"] == pytest.approx(1.9531923, rel=1e-6)
    assert driven["restitution_1_normal_greatest"] == pytest.approx(2e4 * 0.008**1.5, rel=1e-5)
    assert answer["directions"]["backwards"]["body_speed"] == pytest.approx(-driven["body_speed"], rel=1e-9)
    assert Path(answer["files"]["report"]) == out / "leg.html"
    assert (out / "leg.html").stat().st_size < 2e6


@pytest.mark.slow
def test_ground_may_be_given_on_the_command_line(tmp_path: Path) -> None:
    args = ("leg", JANSEN, "--json", "--out", tmp_path)
    deep = json.loads(call(*args, "--penetration", "20 mm").stdout)["directions"]["as driven"]
    level = json.loads(call(*args, "--level", -0.6135499 + 0.02).stdout)["directions"]["as driven"]
    assert deep["penetration"] == pytest.approx(0.02) and level["penetration"] == pytest.approx(0.02, abs=1e-6)
    assert level["duty"] == pytest.approx(deep["duty"], abs=1e-4)


@pytest.mark.slow
def test_a_motor_may_be_given_by_a_file(tmp_path: Path) -> None:
    (tmp_path / "motor.yaml").write_text("voltage: 1\nstall_torque: 1 mN m\nno_load_speed: 100\n")
    answer = json.loads(call("leg", JANSEN, "--motor", tmp_path / "motor.yaml", "--out", tmp_path, "--json").stdout)
    assert not answer["motor"]["can_drive"] and answer["motor"]["gears"] is None
    assert answer["motor"]["numbers"]["motor_voltage"] > 1.0
    assert any("V of voltage" in text for text in answer["warnings"])


@pytest.mark.slow
def test_a_payload_a_slope_and_a_motor_for_a_walk(tmp_path: Path) -> None:
    motor = "voltage=24, stall_torque=2, no_load_speed=3000 rpm, gear_ratio=30"
    options = ("--payload", 1, "--payload-at", 0, 0.3, "--slope", 3, "--motor", motor, "--set", "drives.0.angle=-pi*t",
               "--no-ground-check")  # fmt: skip
    answer = json.loads(call("walk", JANSEN, *options, "--out", tmp_path, "--json").stdout)
    numbers = answer["numbers"]
    assert answer["machine"]["payload"] == {"value": 1.0, "source": "given"}
    lifted = numbers["weight"] * numbers["distance"] * math.sin(math.radians(3))
    assert numbers["climbing_work"] == pytest.approx(lifted, rel=1e-3) and answer["motor"]["can_drive"]


WRONG = {
    "terrain": (["walk", JANSEN, "--terrain", "hills:2"], "is no kind of ground and no table"),
    "slope": (
        ["walk", JANSEN, "--slope", "100"],
        "is no slope of a ground (got 100.0); expected degrees, less than 90",
    ),
    "soft": (
        ["walk", JANSEN, "--stiffness", "soft"],
        "field '--stiffness': is not a stiffness (got 'soft'); expected a pos",
    ),
    "negative stiffness": (
        ["walk", JANSEN, "--stiffness", "-2e6"],
        "field '--stiffness': is not a stiffness (got '-2e6')",
    ),
    "no stiffness": (["walk", JANSEN, "--stiffness", "0"], "such as 2e6 or '2 MN/m^1.5'"),
    "linear stiffness": (["walk", JANSEN, "--stiffness", "2 kN/m"], "has a unit of another quantity (got '2 kN/m')"),
    "motor": (["leg", JANSEN, "--motor", "volts=3"], "there is no such field"),
    "no foot": (["leg", PENDULUM], "gait field 'feet': the model does not say which point is its foot"),
    "unknown foot": (
        ["leg", JANSEN, "--foot-point", "X"],
        "gait field 'feet': there is no such moving point (got 'X')",
    ),
    "above": (["leg", JANSEN, "--level", "-0.7"], "no foot reaches the ground: the lowest is at -0.61355 m"),
    "no crank": (
        ["leg", PENDULUM, "--foot-point", "A"],
        "gait field 'drive': the model has no drive that turns a crank",
    ),
    "below": (["leg", JANSEN, "--level", "1"], "gait field 'level': the foot 'F' never leaves the ground"),
    "negative": (["leg", JANSEN, "--penetration", "-0.1"], "gait field 'penetration': must be greater than zero"),
    "no length": (["leg", JANSEN, "--penetration", "8 kg"], "field '--penetration': is no length (got '8 kg')"),
    "experiment": (["reproduce", "horse"], "did you mean 'horse-leg'"),
    "no file": (["compare", JANSEN, "nowhere.yaml"], "there is no file 'nowhere.yaml'"),
    "no leg": (["compare", JANSEN, PENDULUM], "leg 'pendulum'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_gets_one_sentence(case: str, tmp_path: Path) -> None:
    arguments, said = WRONG[case]
    done = call(*arguments, "--out", tmp_path, code=2)
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_a_leg_that_cannot_make_full_turns_is_reported(tmp_path: Path) -> None:
    """The rocker is too short for full turns of the crank."""
    path = jansen_leg(L2=0.2).save(tmp_path / "stuck.yaml")
    done = call("leg", path, "--out", tmp_path, code=1)
    assert "t = " in done.stderr or "cannot be closed" in done.stderr


@pytest.mark.slow
def test_compare_writes_a_comparison_of_legs(tmp_path: Path) -> None:
    paths = [make().save(tmp_path / f"{make.__name__}.yaml") for make in (jansen_leg, chebyshev_leg)]
    done = call("compare", *paths, "--out", tmp_path)
    assert "Theo Jansen leg" in done.stdout and "Chebyshev leg" in done.stdout and "0.44581" in done.stdout
    assert (tmp_path / "compare.html").exists()


def test_a_varying_drive_needs_a_period() -> None:
    model = jansen_leg()
    raw = model.to_dict()
    raw["drives"][0]["angle"] = "-2*pi*t - 0.3*sin(2*pi*t)"
    with pytest.raises(gw.ModelError, match=r"from where it began.*time of a turn"):
        gw.analyse_leg(gw.Model.from_dict(raw))
    leg = gw.analyse_leg(gw.Model.from_dict(raw), period=1.0, restitutions=(), directions=("as driven",))
    # the same curve at another speed
    assert leg.foot.step_height == pytest.approx(0.170484, abs=1e-6)
    assert leg.foot.step_length == pytest.approx(0.388431, abs=1e-6)


@pytest.mark.slow
def test_a_machine_walks(tmp_path: Path) -> None:
    options = ("--stiffness", "1 MN/m^1.5", "--json", "--out", tmp_path)
    answer = json.loads(call("walk", EXAMPLES / "walking_machine.yaml", *options).stdout)
    numbers, check = answer["numbers"], answer["ground_check"]
    share = numbers["normal_force"] / numbers["feet_down"] / numbers["sinkage_static"] ** 1.5
    assert share == pytest.approx(1e6, rel=1e-6)
    assert check["factor"] == 2 and check["numbers"]["torque_rms"] != numbers["torque_rms"]
    assert "torque_rms" in check["sensitive"] and any("2 times as stiff" in text for text in answer["warnings"])
    assert answer["not_applicable"] == {}
    assert numbers["normal_force"] == pytest.approx(numbers["weight"], rel=1e-5)
    assert numbers["distance"] == pytest.approx(numbers["speed"] * numbers["period"], rel=1e-9)
    assert abs(numbers["residual"]) < 1e-4 * numbers["energy"]
    page = (tmp_path / "walk.html").read_text()
    assert "Footfalls" in page and len(page) < 3e6
    assert gw.load_result(answer["files"]["result"]).evidence.warnings == []


@pytest.mark.slow
def test_a_walk_that_is_too_short_is_reported(tmp_path: Path) -> None:
    machine = EXAMPLES / "walking_machine.yaml"
    done = call("walk", machine, "--turns", 9, "--set", "analysis.until=2.5", "--out", tmp_path, code=2)
    assert "walk field 'turns': the run has 1 whole turns" in done.stderr
    done = call("walk", machine, "--body", "boddy", "--set", "analysis.until=0.1", "--out", tmp_path, code=2)
    assert "walk field 'body': is not in the model (got 'boddy')" in done.stderr


@pytest.mark.slow
def test_a_single_leg_becomes_a_machine(tmp_path: Path) -> None:
    """Theo Jansen's leg as a file, on two cranks, walks as the machine of the library does."""
    path = jansen_leg(turns_per_second=0.5).save(tmp_path / "leg.yaml")
    answer = json.loads(call("walk", path, "--pairs", 2, "--no-ground-check", "--json", "--out", tmp_path).stdout)
    assert answer["numbers"]["speed"] > 0.2 and len(answer["feet"]) == 4
    assert answer["numbers"]["period"] == pytest.approx(2.0)  # the value of the file
    assert answer["machine"]["body_mass"] == {"value": 4.0, "source": "assumed"}
    law, stiffness = answer["machine"]["law"], answer["machine"]["stiffness"]
    assert law["value"]["type"] == "marhefka-orin" and law["source"] == stiffness["source"] == "assumed"
    assert 1e6 < stiffness["value"] < 3e6 and "ground_check" not in answer


def test_leg_options_are_refused_for_a_machine(tmp_path: Path) -> None:
    done = call("walk", EXAMPLES / "walking_machine.yaml", "--body-mass", 2, "--out", tmp_path, code=2)
    assert "--body-mass is for the file of a single leg" in done.stderr and done.stderr.count("\n") == 1


def test_the_machine_of_a_leg_follows_its_parameters() -> None:
    """Also if the speed has another name than in the library."""
    raw = jansen_leg().to_dict()
    raw["parameters"]["w"], raw["drives"][0]["angle"] = 2.0, "-w*t"
    machine, made = make_machine(gw.Model.from_dict(raw), {"body_mass": 1.5, "slope": 10.0})
    assert machine.document.parameters["turns_per_second"] == pytest.approx(2.0 / (2 * math.pi), rel=1e-12)
    assert made is not None and made["body_mass"] == 1.5 and made["slope"] == pytest.approx(math.radians(10))


def test_an_example_does_not_overwrite_an_existing_file(tmp_path: Path) -> None:
    call("example", "klann-leg", "--out", tmp_path)
    done = call("example", "klann-leg", "--out", tmp_path, code=2)
    assert "klann-leg.yaml' exists; expected another --out, or --overwrite" in done.stderr
    call("example", "klann-leg", "--out", tmp_path, "--overwrite")
