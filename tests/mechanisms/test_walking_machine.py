"""Walking machine: momentum, energy, mirror symmetry, the foot curve, and limits of friction."""

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.legs.centre_of_mass import centre_of_mass, total_mass, weight
from gaitwright.legs.ground_check import set_ground_stiffness, stiffen_ground
from gaitwright.legs.sinkage import joint_places, static_sinkage
from gaitwright.legs.walk import measure_walk
from gaitwright.mechanisms import jansen_leg, klann_leg, strider_legs
from gaitwright.mechanisms.jansen import LINKS
from gaitwright.mechanisms.machine_settings import GROUND_LAW, machine_settings
from gaitwright.mechanisms.walking_machine import walking_machine
from gaitwright.model.expressions import evaluate, parse, resolve_parameters

EXAMPLE = Path(__file__).parents[2] / "examples" / "walking_machine.yaml"
RATE = 0.5
"""Default speed of the machine in these tests, turns per second."""
MASS = 4.0 + 3 * LINKS["crank"][3] + 6 * sum(mass for name, (_, _, _, mass) in LINKS.items() if name != "crank")


@cache
def walked(**options):
    """Run of the default analysis: three turns after the start."""
    return walking_machine(**options).analyse()


@cache
def walk(**options):
    return measure_walk(walked(**options))


def foot_curve():
    """One leg alone over a turn: height above its lowest point, m, and speed backwards, m/s, of its foot seen from the body,
    at even crank angles."""
    count = 3600
    turn = jansen_leg(turns_per_second=RATE).kinematics(times=np.linspace(0.0, 1.0 / RATE, count + 1))
    height, speed = turn.array("F.y")[:-1], -turn.array("F.vx")[:-1]
    return height - height.min(), speed


@pytest.mark.slow
def test_the_machine_is_free_in_the_plane():
    """Six legs without degrees of freedom, three driven cranks, and a body with three coordinates: nothing
    redundant."""
    checked = walking_machine().mechanism()
    assert checked.degrees_of_freedom == 3
    assert walked().evidence.redundant == []
    assert total_mass(walked().mechanism) == pytest.approx(MASS, rel=1e-12)
    assert weight(walked().mechanism) == pytest.approx(MASS * 9.81, rel=1e-12)


def test_the_machine_starts_just_above_the_ground():
    run = walked()
    feet = [run.array(f"{side}{k}-F.y")[0] for side in ("left", "right") for k in (1, 2, 3)]
    assert min(feet) == pytest.approx(1e-3, abs=2e-6)
    assert abs(run.array("body.angle")[0]) < 1e-5 and np.abs(run.motion.v[0]).max() < 1e-9


def test_speed_lies_between_the_speeds_of_a_foot_in_stance():
    """The friction force opposes the slip: a body faster or slower than all feet on the ground would be braked or
    accelerated continually. A foot counts as on the ground if it is about as low as the lowest of the three on its
    side."""
    height, back = foot_curve()
    third = height.size // 3
    lowest_of_three = np.min([np.roll(height, k * third) for k in range(3)], axis=0)
    measures = walk()
    reach = float(np.ptp(measures.run.array("left1-F.x") - measures.run.array("body.x")))
    depth = lowest_of_three.max() + measures["bounce"] + measures["pitch"] * reach
    stance = height < depth
    assert back[stance].min() < measures["speed"] < back[stance].max()
    # and close to the mean while a foot is the lowest of its three, without slip and bounce
    assert measures["speed"] == pytest.approx(back[height <= lowest_of_three].mean(), rel=0.02)


def test_the_walk_is_periodic():
    measures = walk()
    assert measures["distance"] > 0.9 and measures["steadiness"] < 1e-5
    assert measures["bounce"] < 5e-3 and measures["pitch"] < math.radians(2)
    # the second crank is 120 degrees ahead of the first, against the direction of rotation: it comes a third of a turn
    # later
    run, first, second = measures.run, "left1.normal_force", "left2.normal_force"
    late = run.time > measures.begin
    before = np.interp(run.time - 1 / (3 * RATE), run.time, run.array(first))
    assert np.abs(run.array(second) - before)[late].mean() < 1e-3 * measures["weight"]
    assert np.abs(run.array(second) - run.array(first))[late].mean() > 0.1 * measures["weight"]


def test_energy_balance_closes():
    """The work of the motor is dissipated in the ground: by friction, and by the damping of the contacts."""
    measures = walk()
    assert measures["work"] > 1.0
    assert measures["work"] == pytest.approx(measures["dissipated"], rel=1e-5)
    assert abs(measures["residual"]) < 1e-5 * measures["energy"] and abs(measures["stored"]) < 1e-4
    assert measures["positive_work"] + measures["negative_work"] == pytest.approx(measures["work"], rel=1e-3)
    assert measures.run.evidence.max_energy_residual < 1e-4 and not measures.run.evidence.warnings


def test_the_ground_carries_the_weight():
    measures = walk()
    assert measures["normal_force"] == pytest.approx(MASS * 9.81, rel=1e-5)
    assert measures["weight"] == pytest.approx(MASS * 9.81, rel=1e-12)


def test_impulse_of_friction_is_momentum():
    run = walked()
    force, (_, velocity) = run.array("ground_reaction.fx"), centre_of_mass(run)
    impulse = np.concatenate([[0.0], np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(run.time))])
    momentum = MASS * velocity[:, 0]
    np.testing.assert_allclose(impulse, momentum, rtol=0, atol=2e-3 * momentum.max())


@pytest.mark.slow
def test_without_friction_the_machine_does_not_advance():
    """Without force along the ground the centre of mass does not move, and the body sways about it."""
    run, found = walked(friction=0.0), walk(friction=0.0)
    place, _ = centre_of_mass(run)
    assert np.abs(place[:, 0] - place[0, 0]).max() < 1e-12
    assert np.ptp(run.array("body.x")) > 1e-3
    assert abs(found["distance"]) < 1e-6
    assert found["slip"] > 1.0  # the feet walk on the spot


@pytest.mark.slow
def test_without_friction_the_machine_slides_down_a_slope():
    run = walked(friction=0.0, slope=0.1)
    place, _ = centre_of_mass(run)
    fallen = -0.5 * 9.81 * math.sin(0.1) * run.time**2
    np.testing.assert_allclose(place[:, 0] - place[0, 0], fallen, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("degrees, friction, climbs", [(10, 0.7, True), (20, 0.3, False)])
def test_climbing_is_limited_by_friction(degrees, friction, climbs):
    slope = math.radians(degrees)
    assert (math.tan(slope) < friction) == climbs
    run = walked(slope=slope, friction=friction)
    if climbs:
        measures = walk(slope=slope, friction=friction)
        assert 0.85 < measures["distance"] / walk()["distance"] < 1.0
        lifted = measures["weight"] * math.sin(slope) * measures["distance"]
        assert measures["stored"] == pytest.approx(lifted, rel=1e-3)
        assert measures["climbing_work"] == pytest.approx(lifted, rel=1e-4)  # m g h of the centre of mass
        assert measures["rise"] == pytest.approx(math.sin(slope) * measures["distance"], rel=1e-4)
        assert measures["work"] == pytest.approx(lifted + measures["dissipated"], rel=1e-3)
        assert measures["normal_force"] == pytest.approx(measures["weight"] * math.cos(slope), rel=1e-4)
    else:
        place, _ = centre_of_mass(run)
        slides = -0.5 * 9.81 * (math.sin(slope) - friction * math.cos(slope)) * run.time[-1] ** 2
        assert place[-1, 0] - place[0, 0] == pytest.approx(slides, rel=0.05)
        measures = walk(slope=slope, friction=friction)
        assert {"cost_of_transport", "net_cost_of_transport", "scuffing"} == set(measures.not_applicable)
        assert "does not walk by its legs" in measures.not_applicable["cost_of_transport"]


@pytest.mark.slow
def test_cost_of_transport_does_not_apply_downhill():
    """The machine steps downhill: its feet do not slide, and scuffing is still a number."""
    measures = walk(slope=-math.radians(5))
    assert measures["distance"] > 0.8 and measures["rise"] < 0
    assert set(measures.not_applicable) == {"cost_of_transport", "net_cost_of_transport"}
    assert "goes downhill" in measures.not_applicable["cost_of_transport"] and 0 <= measures["scuffing"] < 0.2


@pytest.mark.slow
def test_reversed_cranks_give_the_mirrored_walk():
    """At the start the machine is its own mirror image, so both directions of rotation give mirrored motions."""
    there, back = walked(), walked(clockwise=False)
    for name, sign in (("x", -1), ("y", 1), ("angle", -1)):
        one, other = there.array(f"body.{name}"), back.array(f"body.{name}")
        np.testing.assert_allclose(other, sign * one, rtol=0, atol=2e-4)
    assert walk(clockwise=False)["distance"] == pytest.approx(-walk()["distance"], abs=1e-5)
    assert walk(clockwise=False)["torque_mean"] == pytest.approx(walk()["torque_mean"], rel=1e-3)


QUANTITIES = ("distance", "bounce", "pitch", "slip", "duty", "energy", "work", "torque_rms", "cost_of_transport")


@pytest.mark.slow
def test_results_do_not_change_with_half_the_step():
    """A method of order 5 halves its steps when the tolerance is 32 times smaller."""
    fine = walking_machine().simulate(7.0, method="dopri5", tolerance=1e-6 / 32, output_step=2e-3)
    assert fine.evidence.steps > 1.5 * walked().evidence.steps
    measures = measure_walk(fine)
    for name in QUANTITIES:
        assert measures[name] == pytest.approx(walk()[name], rel=2e-4), name


@pytest.mark.slow
def test_another_method_with_fixed_steps_gives_the_same_walk():
    model = walking_machine()
    runs = [model.simulate(2.0, method="generalized-alpha", step=step) for step in (2e-3, 1e-3)]
    reference = np.interp(runs[0].time, walked().time, walked().array("body.x"))
    for run in runs:
        x = run.array("body.x")[:: run.time.size // (runs[0].time.size - 1)]
        np.testing.assert_allclose(x, reference, rtol=0, atol=2e-4)


def test_the_example_is_the_machine():
    assert gw.load(EXAMPLE).to_dict() == walking_machine().to_dict()
    assert walk()["speed"] == pytest.approx(0.4736, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "leg, options, step",
    [
        ("chebyshev", {}, -0.88),
        (klann_leg(turns_per_second=RATE), {"stiffness": 1e6, "friction": 0.7}, -0.95),
        (strider_legs(), {"mirrored": False, "turns_per_second": RATE}, None),
    ],
)
def test_other_legs_walk_too(leg, options, step):
    """Any leg with one crank and feet: the body keeps its height within a few centimetres, and advances."""
    model = walking_machine(leg, **options)
    assert model.mechanism().degrees_of_freedom == 3
    run = model.simulate(5.0, method="dopri5", tolerance=1e-5, output_step=2e-3)
    measures = measure_walk(run)
    assert abs(measures["distance"]) > 0.3 and measures["bounce"] < 0.05 and measures["pitch"] < 0.2
    assert abs(measures["residual"]) < 1e-3 * measures["energy"]
    if step is not None:
        assert measures["distance"] == pytest.approx(step, abs=0.02)


def test_a_machine_inherits_settings_of_its_leg():
    """Speed, direction, gravity with its slope and friction are those of the leg model, with its parameters. The
    ground is the machine's, even if the leg has a parameter of the same name."""
    leg = jansen_leg(turns_per_second=0.8, clockwise=False)
    raw = leg.to_dict() | {"gravity": [-1.0, "-g"]}
    raw["parameters"] |= {"g": 9.0, "stiffness": 3e4, "friction": 0.35}
    law, friction = {"type": "hunt-crossley", "stiffness": "stiffness", "restitution": 0.2}, {"type": "coulomb"}
    raw["gait"] |= {"law": law, "friction": {**friction, "coefficient": "friction"}}
    machine = walking_machine(gw.Model.from_dict(raw)).to_dict()
    own = machine["parameters"]
    assert own["turns_per_second"] == pytest.approx(0.8, rel=1e-12) and "+ 2*pi*" in machine["drives"][0]["angle"]
    assert (own["stiffness"], own["friction"]) == (3e4, 0.35) and "creep_speed" not in own
    weights = own["gravity"] * np.array([math.sin(own["slope"]), math.cos(own["slope"])])
    assert weights == pytest.approx([1.0, 9.0], rel=1e-12)
    for contact in machine["contacts"]:
        assert contact["law"] == {**GROUND_LAW, "stiffness": "ground_stiffness"}
        assert contact["friction"]["coefficient"] == "friction"
    values = resolve_parameters(own)
    assert values["ground_stiffness"] > 1e6 and values["dissipation"] > 5  # from the machine's stiffness, not the leg's
    told = walking_machine(leg, friction=0.9, turns_per_second=0.3, clockwise=True, body_mass=2.0, law=law).to_dict()
    assert told["contacts"][0]["friction"]["type"] == "smooth-coulomb" and told["parameters"]["friction"] == 0.9
    assert told["contacts"][0]["law"] == {**law, "exponent": 1.5} or told["contacts"][0]["law"] == law
    assert (told["parameters"]["turns_per_second"], told["parameters"]["body_mass"]) == (0.3, 2.0)


GROUNDS = {
    "jansen": ("jansen", {}), "jansen, slow": (jansen_leg(turns_per_second=0.5), {}), "chebyshev": ("chebyshev", {}),
    "klann": (klann_leg(), {}), "strider": (strider_legs(), {"mirrored": False}), "payload": ("jansen", {"payload": 6.0}),
    "light": ("jansen", {"body_mass": 0.1}), "moon": ("jansen", {"gravity": 1.62}),
}  # fmt: skip


@pytest.mark.parametrize("case", GROUNDS)
def test_the_default_ground_is_hard_for_any_machine(case):
    """A foot that carries the whole machine sinks by 0.2 % of the leg length, so that two feet sink by less; the
    values follow the parameters of the machine. The damping ratio on such a foot is 0.7."""
    leg, options = GROUNDS[case]
    model = walking_machine(leg, **options)
    raw = model.to_dict()
    for heavier in (0.0, 5.0):
        raw["parameters"]["body_mass"] += heavier
        own = resolve_parameters(raw["parameters"])
        mechanism = gw.Model.from_dict(raw).mechanism()
        feet = [contact["name"] for contact in raw["contacts"]]
        start = gw.Model.from_dict(raw).assemble().q[None]
        names = [n for n in mechanism.contact_names if n.name in feet]
        lowest = min(mechanism.part(n.bodies[1]).position(start, n.place)[0, 1] for n in names)
        top = max(mechanism.part("body").position(start, p)[0, 1] for p in joint_places(mechanism, "body"))
        depth = static_sinkage(mechanism, feet, weight(mechanism))
        assert depth == pytest.approx(0.002 * (top - lowest), rel=1e-3)
        mass, carried, exponent = total_mass(mechanism), weight(mechanism), 1.5
        spring, damper = exponent * carried / depth, 1.5 * own["dissipation"] * carried
        assert damper / (2 * math.sqrt(spring * mass)) == pytest.approx(0.7, rel=1e-3)


@cache
def walk_of_the_example():
    """Result of `gaitwright walk examples/jansen.yaml` at half a turn per second."""
    return measure_walk(walked_leg(), turns=1)


@cache
def walked_leg():
    return walking_machine(jansen_leg(turns_per_second=0.5)).analyse()


def test_a_machine_of_the_leg_walks_on_a_hard_ground():
    """With the soft law of the leg's section gait it sank by 18.9 mm, slipped by 375 mm per turn, and cost 0.034."""
    measures = walk_of_the_example()
    assert measures["sinkage_static"] < 0.005 * measures["leg_length"] and measures["sinkage_largest"] < 2e-3
    assert measures["torque_rms"] == pytest.approx(1.47, rel=0.1)
    assert measures["cost_of_transport"] == pytest.approx(0.081, rel=0.1)
    assert measures["slip"] == pytest.approx(0.082, rel=0.05)
    assert not any("soft" in text for text in measures.warnings())


@pytest.mark.slow
def test_ground_sensitive_measures_are_reported():
    result = walk_of_the_example().check_ground()
    check = result.ground_check
    assert abs(check.changes["speed"]) < 0.03 and abs(check.changes["slip"]) < 0.03
    assert check.changes["torque_rms"] == pytest.approx(
        measure_walk(stiffen_ground(walking_machine(jansen_leg(turns_per_second=0.5))).analyse())["torque_rms"]
        / result["torque_rms"] - 1, rel=1e-6,
    )  # fmt: skip
    assert "torque_rms" in check.sensitive and "speed" not in check.sensitive
    (said,) = [text for text in result.warnings() if "2 times as stiff" in text]
    assert f"torque rms {100 * check.changes['torque_rms']:+.2g} %" in said
    assert result.header()[3] == "stiffness x 2" and result.summary()["ground_check"]["sensitive"] == list(
        check.sensitive
    )


SPACINGS = {
    "default": ({}, 2e-3), "soft": ({"stiffness": 2e4}, 2e-3), "hard": ({"stiffness": 1e8}, None),
    "slow": ({"turns_per_second": 0.01}, 301 / 20_000), "rigid": ({"stiffness": 1e12}, 7 / 20_000),
}  # fmt: skip
"""Options of a machine, and the output step, s."""


@pytest.mark.parametrize("case", SPACINGS)
def test_the_output_step_follows_the_impact_duration(case):
    """Proportional to stiffness^-0.4, limited by the number of outputs with states that fit in memory."""
    options, spacing = SPACINGS[case]
    model = walking_machine("jansen", **options)
    raw = model.to_dict()
    own = resolve_parameters(raw["parameters"])
    after = {name: evaluate(parse(raw["analysis"][name], frozenset(own)), own) for name in ("output_step", "until")}
    default = resolve_parameters(walking_machine("jansen").to_dict()["parameters"])["stiffness"]
    wanted = 2e-3 * (default / own["stiffness"]) ** 0.4 if spacing is None else spacing
    assert after["output_step"] == pytest.approx(wanted, rel=1e-6)
    assert after["until"] / after["output_step"] <= 20_000.001


def test_only_ends_of_links_are_drawn():
    """The foot is a point on the coupler: as a drawn point of the machine it caused one warning per leg."""
    leg = gw.Model("lambda", gravity=(0, -9.81)).ground_point("O", 0, 0).ground_point("Q", 0.08, 0)
    leg.point("A", 0, -0.04).point("B", 0.06, -0.09).link("crank", "O", "A", length=0.04, mass=0.01)
    leg.link("rocker", "Q", "B", length=0.1, mass=0.025)
    leg.link("coupler", "A", "B", length=0.1, mass=0.06, points={"F": (0.2, 0.0)})
    leg.drive.rotation("crank", "2*pi*t").gait("F", hip="O")
    model = walking_machine(leg, pairs=2)
    assert not [text for text in model.check().warnings if "is drawn" in text]
    feet = {contact["point"].rpartition(".")[2] for contact in model.document.contacts}
    assert len(feet) == 4 and not feet & set(model.document.points)


@pytest.mark.slow
def test_a_hard_ground_gives_the_torque_of_its_work():
    """With outputs 2 ms apart, the mean torque on this ground was 2 % wrong and its root mean square 15 %."""
    measures = measure_walk(walking_machine("jansen", stiffness=1e8).analyse())
    assert 2 * math.pi * measures["torque_mean"] == pytest.approx(measures["work"], rel=0.005)
    assert measures["sampling_error"] < 0.02


@pytest.mark.slow
def test_a_soft_ground_gives_a_warning():
    """The soft ground that machines formerly inherited."""
    soft = measure_walk(walking_machine("jansen", stiffness=2e4).analyse())
    at_rest, largest = (text for text in soft.warnings() if "the ground is soft" in text)
    assert "(limit 0.5 %)" in at_rest and "(limit 2 %)" in largest
    changes = soft.check_ground().ground_check.sensitive
    assert {"slip", "torque_rms", "energy", "cost_of_transport"} <= set(changes)


def test_the_stiffness_of_all_feet_is_set_or_multiplied():
    machine = walking_machine()
    twice = resolve_law(stiffen_ground(machine))
    assert twice == pytest.approx([2 * k for k in resolve_law(machine)])
    assert set(resolve_law(set_ground_stiffness(machine, 3e6))) == {3e6}
    rigid = gw.Model("rigid").body("b", mass=1.0, inertia=1.0, at=(0, 1), points={"f": (0, 0)})
    rigid.contact("b.f", gw.surfaces.LineGround(), restitution=0.0)
    assert stiffen_ground(rigid) is None
    for wrong in (0.0, -1.0, math.inf):
        with pytest.raises(gw.ModelError, match="'stiffness'"):
            set_ground_stiffness(machine, wrong)
        with pytest.raises(gw.ModelError, match="'stiffness'"):
            walking_machine(stiffness=wrong)
    with pytest.raises(gw.ModelError, match="no contact of the model has a stiffness"):
        set_ground_stiffness(rigid, 1e6)


def resolve_law(model):
    """Stiffness of every contact as numbers."""
    own = resolve_parameters(model.to_dict()["parameters"])
    expressions = [str(contact["law"]["stiffness"]) for contact in model.to_dict()["contacts"]]
    return [float(evaluate(parse(text, frozenset(own), None), own)) for text in expressions]


def test_settings_are_listed_by_their_source():
    made = machine_settings(jansen_leg(turns_per_second=0.8), friction=0.9)
    inherited, given, assumed, ground_note = made.with_values({"stiffness": 2e6, "dissipation": 10.0}).lines()
    assert inherited.startswith(
        "from the leg: turns per second 0.8 turns/s, gravity 9.81 m/s2, slope 0 rad, clockwise yes"
    )
    assert given == "given: friction 0.9, friction law smooth-coulomb" and "creep speed 0.01 m/s" in assumed
    assert "body mass 4 kg" in assumed and "soft start 1 s" in assumed
    assert "stiffness 2e+06 N/m^1.5 (a foot that carries the machine sinks by 0.2 % of the leg length)" in assumed
    assert (
        "lankarani-nikravesh (stiffness 20000, restitution 0), applies to the analysis of one leg only" in ground_note
    )


def test_uneven_crank_speed_adds_a_note_and_reversal_raises():
    raw = jansen_leg().to_dict()
    raw["drives"][0]["angle"], raw["gait"]["period"] = "-2*pi*t - 0.3*sin(2*pi*t)", 1.0
    note, _ = machine_settings(gw.Model.from_dict(raw)).notes
    assert "changes by 30 % over a turn" in note
    raw["drives"][0]["angle"] = "0.3*sin(2*pi*t)"
    with pytest.raises(gw.ModelError, match="swings to and fro"):
        walking_machine(gw.Model.from_dict(raw))
    raw = jansen_leg().to_dict() | {"gravity": [0.0, 0.0]}
    with pytest.raises(gw.ModelError, match="a machine needs gravity to stay on the ground"):
        walking_machine(gw.Model.from_dict(raw))


def test_unsupported_legs_are_refused():
    without_feet = gw.Model("rod").ground_point("O", 0, 0).point("A", 0.1, 0).link("crank", "O", "A", mass=1)
    without_feet.drive.rotation("crank", "t")
    sprung = jansen_leg().force.spring_damper("ground.O1", "L5.C", stiffness=1.0)
    two_drives = jansen_leg().drive.rotation("L3", "t")
    for leg, field in (("centipede", "leg"), (without_feet, "gait"), (sprung, "forces"), (two_drives, "drives")):
        with pytest.raises(gw.ModelError) as caught:
            walking_machine(leg)
        assert caught.value.field == field
    for pairs in (0, 1.5, True):
        with pytest.raises(gw.ModelError) as caught:
            walking_machine(pairs=pairs)  # type: ignore[arg-type]
        assert caught.value.field == "pairs"


def test_bristles_do_not_cause_tiny_steps():
    """Feet that started to slide right after another event once left steps of 4e-16 s to generalized-alpha; its
    reactions then reached 1e14 N and the energy 360 J."""
    model = walking_machine(pairs=1, friction_law=gw.friction.Bristle(0.7, stiffness=5e4))
    run = model.simulate(1.5, method="generalized-alpha", step=1e-3)
    assert run.evidence.smallest_step >= 1e-12 * (1 - 1e-9)
    assert run.evidence.max_energy_residual < 1e-2


def test_a_payload_is_a_separate_body():
    plain, loaded = walking_machine(), walking_machine(payload=2.0, payload_at=(0.1, 0.3))
    masses = [total_mass(model.mechanism()) for model in (plain, loaded)]
    assert masses[1] - masses[0] == pytest.approx(2.0, rel=1e-12)
    assert loaded.mechanism().degrees_of_freedom == plain.mechanism().degrees_of_freedom == 3
    box, body = (next(b for b in loaded.document.bodies if b.name == name) for name in ("payload", "body"))
    assert np.subtract(box.at, body.at) == pytest.approx([0.1, 0.3], abs=1e-9)
    assert loaded.check().closed and not loaded.check().conflicts
    with pytest.raises(gw.ModelError, match="payload"):
        walking_machine(payload=-1.0)
    with pytest.raises(gw.ModelError, match="'payload_at': is given without a payload"):
        walking_machine(payload_at=(0.0, 0.3))
    with pytest.raises(gw.ModelError, match="'payload_at': is no place"):
        walking_machine(payload=1.0, payload_at=(1.0, 2.0, 3.0))


def test_the_machine_starts_above_the_terrain():
    """Feet start above the ground below them, and every foot has a contact with the whole terrain."""
    hill = [[-2.0, 0.0], [-0.5, 0.05], [0.0, 0.0], [2.0, 0.1]]
    model = walking_machine(terrain=hill)
    assert all(contact["surface"]["polyline"][1:-1] == hill for contact in model.document.contacts)
    start = model.assemble()
    names = model.mechanism().contact_names
    gaps = []
    for name in {n.name for n in names}:
        foot = next(n for n in names if n.name == name)
        x, y = model.mechanism().part(foot.bodies[1]).position(start.q[None], foot.place)[0]
        gaps.append(y - np.interp(x, *np.transpose(hill)))
    assert min(gaps) == pytest.approx(1e-3, abs=5e-6)


@pytest.mark.slow
def test_a_loaded_machine_on_stairs_stores_potential_energy():
    """Besides the change of kinetic energy, the stored energy is the weight times the rise of the centre of mass."""
    measures = measure_walk(walking_machine(payload=3.0, terrain="stairs:10 mm:0.5", turns_per_second=RATE).analyse())
    assert measures["weight"] == pytest.approx(9.81 * (MASS + 3.0), rel=1e-9)
    assert measures["rise"] > 0.01 and abs(measures["residual"]) < 1e-3 * measures["energy"]
    kinetic = measures["stored"] - measures["climbing_work"]
    assert abs(kinetic) < 0.2 * measures["stored"]
    assert measures["work"] == pytest.approx(measures["stored"] + measures["dissipated"], abs=1e-3 * measures["energy"])


@pytest.mark.slow
def test_a_walk_reports_slip_and_motor_load():
    motor = gw.Motor(voltage=24, stall_torque=2.0, no_load_speed=314.0, gear_ratio=30, gear_efficiency=0.75)
    measures = measure_walk(walked(), motor=motor)
    assert measures.motor is not None and measures.motor.can_drive
    shaft = 30 * 2 * math.pi * RATE
    assert measures.motor.speed == pytest.approx(np.full(measures.motor.time.size, shaft), rel=1e-9)
    drawn, copper = (measures.motor.numbers[name].value for name in ("electrical_energy", "copper_loss"))
    assert drawn > measures["positive_work"] / 0.75 - abs(measures["negative_work"])
    assert drawn - measures.motor.numbers["electrical_energy_back"].value == pytest.approx(
        copper + measures["positive_work"] / 0.75 + 0.75 * measures["negative_work"], rel=2e-3
    )
    slides = max(foot["slip"] for foot in measures.feet.values()) / measures["distance"]
    assert any("scuff" in text for text in measures.warnings()) == (slides > 0.05)
    slippery = measure_walk(walked(friction=0.0))
    assert "does not move along the ground" in slippery.not_applicable["scuffing"]
    assert "warning: the body does not move" in repr(slippery) and slippery.summary()["warnings"] == slippery.warnings()
