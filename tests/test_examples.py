"""The scripts of examples/: each prints the numbers that its docstring gives. If a formula, another computation or a
textbook has the answer, the numbers agree with it."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve, minimize_scalar

import gaitwright as gw
from gaitwright_apps import examples_page
from gaitwright_apps.examples_page import GROUPS, find_examples, load_script

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "examples"
ALL = {f"{each.group}/{each.name}": each for each in find_examples(SCRIPTS)}
G = 9.81


def swing(crank: float) -> float:
    """Return the swing angle of the rocker of the four-bar 0.3, 0.3, 0.25 (ground, coupler, rocker), deg, by the law
    of cosines."""
    ends = (0.3 + crank, 0.3 - crank)
    return float(np.ptp(np.degrees(np.arccos([(0.3**2 + 0.25**2 - end**2) / (2 * 0.3 * 0.25) for end in ends]))))


def slider_crank_torque() -> float:
    """Return the largest m x'' dx/dangle for r = 0.1, L = 0.4, m = 2, two turns per second."""
    angle = np.linspace(0, 2 * np.pi, 200001)
    x = 0.1 * np.cos(angle) + np.sqrt(0.16 - (0.1 * np.sin(angle)) ** 2)
    slope = np.gradient(x, angle)
    return float(np.abs(2.0 * np.gradient(slope, angle)[5:-5] * (4 * np.pi) ** 2 * slope[5:-5]).max())


def hoeken() -> tuple[float, float]:
    """Return stroke and height of the coupler point over the half turn, mm, by intersecting circles."""
    turn = np.radians(np.linspace(90, 270, 2001))
    pin = 50 * np.stack([np.cos(turn), np.sin(turn)])
    offset = np.array([[100.0], [0.0]]) - pin
    far = np.hypot(*offset)
    across = np.stack([-offset[1], offset[0]]) / far
    knee = pin + offset / 2 + across * np.sqrt(125.0**2 - far**2 / 4)
    tip = 2 * knee - pin
    return float(np.ptp(tip[0])), float(np.ptp(tip[1]))


def truss() -> float:
    """Return the largest load of two springs of 2000 N/m with tops 0.5 m beside and 0.2 m above their feet, N."""
    rest = math.hypot(0.5, 0.2)
    optimum = minimize_scalar(
        lambda y: 4000 * (1 - rest / math.hypot(0.5, y)) * y, bounds=(0.01, 0.19), method="bounded"
    )
    return -float(optimum.fun) if optimum.fun < 0 else float(optimum.fun)


def elastica(load: float) -> float:
    """Deflection of the tip over the length, for P L^2/EI: angle'' = -load cos(angle), by shooting."""

    def shot(curvature: float) -> np.ndarray:
        def along(_, y):
            return [y[1], -load * math.cos(y[0]), math.sin(y[0])]

        return solve_ivp(along, (0, 1), [0.0, curvature, 0.0], rtol=1e-10, atol=1e-12).y[:, -1]

    # angle downwards: positive; the curvature is largest at the clamp and zero at the tip
    return float(shot(brentq(lambda c: shot(c)[1], 0.1, 2 * load))[2])


def rebound(restitution: float) -> float:
    """Return the restitution of Lankarani and Nikravesh's law in a free impact: k (1 + e) = ln((1 + k)/(1 - k e))."""
    k = 0.75 * (1 - restitution**2)
    return brentq(lambda e: k * (1 + e) - math.log((1 + k) / (1 - k * e)), 0.01, 0.999)


def tipped() -> float:
    """Return the angle of the box after 0.3 s of tipping about its toe, deg, pushed with 0.8 of its weight at half
    its height."""
    weight, inertia = 10 * G, 10 * (0.2**2 + 0.4**2) / 12 + 10 * (0.1**2 + 0.2**2)

    def turning(_, y):
        c, s = math.cos(y[0]), math.sin(y[0])  # clockwise
        side_height, centre_behind = 0.2 * c + 0.2 * s, 0.1 * c - 0.2 * s
        return [y[1], (0.8 * weight * side_height - weight * centre_behind) / inertia]

    return math.degrees(solve_ivp(turning, (0, 0.3), [0.0, 0.0], rtol=1e-9).y[0, -1])


def stick_slip() -> float:
    """Return the cycles per second of 1 kg on 400 N/m and a belt of 0.05 m/s, with the same friction curve on one
    coordinate."""

    def moving(_, y):
        slip = y[1] - 0.05
        return [y[1], -400 * y[0] - G * (0.3 + 0.2 * math.exp(-((slip / 2e-3) ** 2))) * math.tanh(slip / 2e-5)]

    def turning(_, y):
        return y[1]

    turning.direction = -1  # type: ignore[attr-defined]
    solution = solve_ivp(moving, (0, 2), [0.0, 0.0], method="Radau", rtol=1e-7, atol=1e-9, events=turning)
    return float(1 / np.diff(solution.t_events[0])[1:].mean())


def hertz() -> tuple[float, float]:
    """Return the largest force, N, and the contact time, us, of the steel ball, from energy and Hertz's 2.9432 d/v."""
    mass, speed = 7800 * 4 / 3 * math.pi * 1e-6, math.sqrt(2 * G * 0.01)
    stiffness = 4 / 3 * math.sqrt(0.01) / (2 * (1 - 0.3**2) / 207e9)
    deepest = (5 * mass * speed**2 / (4 * stiffness)) ** 0.4
    return stiffness * deepest**1.5, 2.9432e6 * deepest / speed


def precession() -> float:
    """Return the steady precession of the disc of 0.2 kg, 0.04 m, on an arm of 0.06 m at 60 degrees, spin 250 rad/s."""
    about, across = 0.5 * 0.2 * 0.04**2, 0.2 * ((3 * 0.04**2 + 0.01**2) / 12 + 0.06**2)
    return float(min(np.roots([across * 0.5, -about * 250, 0.2 * G * 0.06]).real))


def flips() -> float:
    """Return the time between two zeros of the middle component, s, from Euler's equations."""
    i1, i2, i3 = 0.0005, 0.012, 0.0125

    def euler(_, w):
        return [(i2 - i3) / i1 * w[1] * w[2], (i3 - i1) / i2 * w[2] * w[0], (i1 - i2) / i3 * w[0] * w[1]]

    def middle(_, w):
        return w[1]

    solution = solve_ivp(euler, (0, 6), [0.05, 12.0, 0.0], events=middle, rtol=1e-11, atol=1e-12)
    return float(np.diff(solution.t_events[0]).mean())


def hexapod() -> tuple[float, float]:
    """Return the shortest and longest leg, m: feet and corners on circles, the platform raised and tilted about x."""
    low, high = np.radians([-10, 10, 110, 130, 230, 250]), np.radians([-50, 50, 70, 170, 190, 290])
    base = 0.5 * np.stack([np.cos(low), np.sin(low), 0 * low], axis=1)
    top = 0.3 * np.stack([np.cos(high), np.sin(high), 0 * high], axis=1)
    legs = []
    for t in np.linspace(0, 1, 51):
        c, s = math.cos(math.radians(15) * t), math.sin(math.radians(15) * t)
        turned = top @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T + [0, 0, 0.6 + 0.1 * t]
        legs.append(np.linalg.norm(turned - base, axis=1))
    return float(np.min(legs)), float(np.max(legs))


def rubber() -> float:
    """Return the force, N, on 1 cm^2 of a neo-Hookean bar stretched by half, with free sides."""
    lame, shear = 1e6 * 0.3 / (1.3 * 0.4), 1e6 / 2.6

    def stress(along: float, across: float) -> tuple[float, float]:
        log = math.log(along * across**2)
        return tuple(shear * (x - 1 / x) + lame * log / x for x in (along, across))

    across = fsolve(lambda x: stress(1.5, float(x[0]))[1], [0.85])[0]
    return 1e-4 * stress(1.5, float(across))[0]


def lid() -> float:
    """Return the softest spring that holds a lid of 2 kg and 0.4 m within 10 degrees of level, N m/rad."""
    return 2 * G * 0.2 * math.cos(math.radians(10)) / math.radians(10)


COLUMN = math.pi**2 * 2.0 / (4 * 0.8**2)
STRIP = 4.0126 * math.sqrt(70e9 * 0.03 * 0.001**3 / 12 * 0.25) / 0.5**2
BLADE = 1e-3 * 4 * 40.0 / (math.pi * 0.15**3)
RULER = 1.8751**2 / (2 * math.pi * 0.2**2) * math.sqrt(210e9 * 0.001**2 / 12 / 7850)
TIMOSHENKO = 1e3 * (10 * 0.2**3 / (3 * 1e7 * 0.05**4 / 12) + 10 * 0.2 / (5 / 6 * 5e6 * 0.05**2))
TRUTH = {
    "linkages/can_a_bricard_linkage_move": {"degrees of freedom": (1, 0), "redundant": (1, 0)},
    "linkages/how_far_does_a_rocker_swing": {"swing (deg)": (swing(0.1), 1e-4)},  # sampled at 1000 places
    "linkages/how_fast_turns_a_planetary_gear": {"ratio": (1 + 60 / 20, 1e-9)},
    "linkages/how_quick_is_the_return_of_a_shaper": {"ratio": (2, 1e-6)},
    "linkages/how_straight_is_a_hoeken_linkage": {"stroke (mm)": (hoeken()[0], 1e-3), "off the line (mm)": (hoeken()[1], 1e-2)},
    "linkages/what_must_a_scissor_lift_push": {"force (N)": (200 / math.tan(math.radians(30)), 1e-5)},
    "linkages/when_does_a_truss_snap_through": {"limit load (N)": (truss(), 1e-4)},
    "linkages/which_torque_turns_a_slider_crank": {"largest torque (N m)": (slider_crank_torque(), 1e-3)},
    "beams/how_far_does_a_fishing_rod_bend": {"deflection (m)": (elastica(3.0), 1e-3)},
    "beams/at_which_load_does_a_column_buckle": {"buckling load (N)": (COLUMN, 1e-3)},
    "beams/which_note_does_a_ruler_hum": {"first (Hz)": (RULER, 1e-4)},
    "beams/how_stiff_is_a_curved_blade": {"stiffness (N/mm)": (BLADE, 1e-3)},
    "beams/when_does_a_thin_strip_buckle_sideways": {"buckling load (N)": (STRIP, 1e-2)},  # 8 elements
    "contact/does_a_law_return_the_restitution_it_is_given": {
        "Lankarani-Nikravesh": (rebound(0.3), 2e-3),  # gravity goes on during the impact
        "Zhang-Sharf": (0.3, 6e-3),
    },
    "contact/when_does_a_sliding_ball_roll": {"rolls after (s)": (2 / (7 * 0.3 * G), 2e-3), "speed (m/s)": (5 / 7, 1e-6)},
    "contact/does_a_pushed_box_tip_or_slide": {
        "slides (mm)": (1e3 * 0.5 * 0.1 * G * 0.3**2, 0.03),  # bristles give way before they hold
        "tips (deg)": (tipped(), 0.02),  # the corners sink in a little
    },
    "contact/why_does_a_bow_make_a_string_sing": {"cycles per second": (stick_slip(), 2e-3)},
    "contact/how_hard_does_a_steel_ball_hit": {"force (N)": (hertz()[0], 1e-3), "time (us)": (hertz()[1], 1e-3)},
    "contact/when_does_a_bouncing_ball_lie_still": {"still after (s)": (math.sqrt(2 / G) * 1.7 / 0.3, 0.01)},
    "space/how_fast_does_a_gyroscope_precess": {"precession (rad/s)": (precession(), 1e-4)},
    "space/why_does_a_thrown_racket_flip": {"flips every (s)": (flips(), 1e-5)},
    "space/how_uneven_is_a_universal_joint": {"slowest": (math.sqrt(0.75), 1e-6), "fastest": (1 / math.sqrt(0.75), 1e-6)},
    "space/how_far_must_a_hexapod_reach": {
        "shortest (m)": (hexapod()[0], 1e-6), "longest (m)": (hexapod()[1], 1e-6), "push (N)": (20 * G, 1e-6),
    },
    "space/which_torques_hold_a_robot_arm": {
        "shoulder (N m)": (2 * G * 0.15 + G * 0.42, 1e-6), "elbow (N m)": (G * 0.12, 1e-6),
    },
    "space/how_long_does_a_conical_pendulum_take": {
        "period (s)": (2 * math.pi * math.sqrt(0.5 * math.cos(math.pi / 6) / G), 1e-5)
    },
    "solids/how_stiff_is_a_stretched_rubber_block": {"force (N)": (rubber(), 1e-6)},
    "solids/how_far_does_a_thick_bar_sag": {"sags (mm)": (TIMOSHENKO, 5e-3)},
    "solids/which_stress_has_a_pipe_under_pressure": {"inside (MPa)": (5 / 3, 1e-2), "outside (MPa)": (2 / 3, 1e-2)},
    "solids/does_condensing_change_a_frequency": {"condensed (Hz)": (130.943, 2e-3)},  # that of all nodes, from above
    "foot/where_does_a_standing_foot_press": {"force (N)": (350, 1e-6)},
    "foot/how_much_does_an_insole_relieve": {"force (N)": (350, 1e-6)},
    "foot/which_moment_has_the_ankle_in_a_step": {"force (N)": (1.1 * 700, 1e-3)},  # of its schematic step
    "foot/how_long_is_a_scanned_foot": {"length (mm)": (260, 1e-3), "left": (1, 0)},
    "gait/what_does_a_filter_leave": {"left": (math.sqrt(0.5), 1e-4)},
    "gait/does_the_ground_carry_the_weight": {"mean": (1, 1e-3)},
    "legs/which_step_does_a_jansen_leg_make": {"step (m)": (0.388431, 1e-5), "height (m)": (0.170484, 1e-5)},  # theory/legs.md
    "legs/which_leg_is_cheapest": {"Chebyshev (J/m)": (2.926882 / 0.445809, 1e-4), "Jansen (J/m)": (1.953192 / 0.388431, 1e-4)},
    "devices/where_does_a_cuff_press": {"peak (kPa)": (1e-3 * 100 / (0.07 * 0.1 * math.pi / 2), 1e-3)},
    "designs/which_crank_gives_a_wanted_swing": {
        "crank (mm)": (1e3 * brentq(lambda r: swing(r) - 60, 0.06, 0.14), 1e-4)
    },
    "designs/which_spring_in_stock_fits": {"in stock (N m/rad)": (25, 0)},
    "designs/which_of_a_thousand_legs_is_best": {"Jansen's (m/J)": (0.388431 / 1.953192, 1e-5)},
}  # fmt: skip
"""By name of the script: numbers known independently of the script, with a relative tolerance."""
KNOWN = {
    "beams/how_far_does_a_fishing_rod_bend": lambda n: n["deflection (m)"] < n["small deflections (m)"],
    "contact/how_fast_must_a_wheel_be_for_a_kerb": lambda n: n["farthest, slower (m)"] < 0 < n["farthest, faster (m)"],
    "contact/does_a_pushed_box_tip_or_slide": lambda n: n["leans, sliding (deg)"] < 0.1,
    "solids/how_hard_does_a_rubber_ball_stand": lambda n: (
        0.9 < n["weight (N)"] / (4 / 3 * math.pi * 0.05**3 * 1e3 * G) < 1
    ),
    "solids/does_condensing_change_a_frequency": lambda n: n["all nodes (Hz)"] <= n["condensed (Hz)"],
    "foot/how_much_does_an_insole_relieve": lambda n: 0 < n["less (%)"] < 50,
    "foot/where_does_a_standing_foot_press": lambda n: n["peak (kPa)"] > 1e-3 * 350 / (1e-4 * n["area (cm^2)"]),
    "gait/which_moments_does_walking_need": lambda n: 1.1 < n["ankle (N m/kg)"] < 1.8,  # usual: theory/gait.md
    "gait/is_lifting_with_the_legs_better": lambda n: 3000 < n["squat (N)"] < n["stoop (N)"] < 5000,
    "gait/how_strong_must_a_knee_be_to_rise": lambda n: 0.5 < n["knee (N m)"] / 73 < 1.5,
    "legs/what_does_it_cost_to_walk": lambda n: 0.07 < n["cost of transport"] < 0.11 and 0.46 < n["speed (m/s)"] < 0.48,
    "legs/can_a_machine_climb_a_slope": lambda n: n["cost"] * 0.088 > math.sin(math.radians(10)),  # it lifts its weight
    "legs/which_leg_is_cheapest": lambda n: n["Klann (J/m)"] < n["Jansen (J/m)"],
    "devices/how_much_does_an_ankle_spring_help": lambda n: (
        40 < n["less (%)"] < 50
    ),  # a trial found 42 to 53: theory/wear.md
    "devices/how_far_slips_a_misplaced_brace": lambda n: 20 < n["slips (mm)"] < 40 and n["off (deg)"] > 1,
    "devices/which_moment_gives_a_back_support": lambda n: n["moment (N m)"] > n["stored (J)"] / math.radians(60),
    "devices/which_spring_takes_a_third_off": lambda n: abs(share_of_peak(n["stiffness (N m/deg)"]) - 1 / 3) < 2e-3,
    "designs/which_length_saves_energy": lambda n: n["energy (J)"] < 1.953,
    "designs/which_spring_in_stock_fits": lambda n: lid() <= n["softest tried (N m/rad)"] < lid() + 1.01,
    "designs/which_of_a_thousand_legs_is_best": lambda n: n["best (m/J)"] > n["Jansen's (m/J)"] and n["turn"] > 900,
}
"""Further conditions, and conditions for numbers without a formula."""
SLOW = {
    "devices/which_spring_takes_a_third_off", "legs/can_a_machine_climb_a_slope", "legs/what_does_it_cost_to_walk",
    "solids/how_hard_does_a_rubber_ball_stand", "solids/how_far_does_a_thick_bar_sag", "foot/how_much_does_an_insole_relieve",
    "foot/how_long_is_a_scanned_foot", "foot/which_moment_has_the_ankle_in_a_step",
    "devices/how_much_does_an_ankle_spring_help", "designs/which_of_a_thousand_legs_is_best",
}  # fmt: skip


def share_of_peak(stiffness: float) -> float:
    walk = gw.gait.schematic_walk(gw.gait.Subject(mass=73, height=1.74), seconds=2.2)
    return gw.wear.put_on(gw.wear.devices.ankle_spring(stiffness), walk).measures()["right_ankle.share_of_peak"]


def promised(answer: str) -> list[str]:
    """Return the numbers with at least three digits in an answer: those that the script computes, not its inputs."""
    return [
        text
        for text in re.findall(r"(?<![\w.^])\d+\.\d+(?![\d.])", answer)
        if len(text.replace(".", "").lstrip("0")) >= 3
    ]


def test_every_group_has_examples():
    assert len(ALL) >= 40
    assert {each.group for each in ALL.values()} == set(GROUPS)
    assert all(each.question.endswith("?") and each.answer for each in ALL.values())
    assert set(TRUTH) | set(KNOWN) == set(ALL)
    assert len(TRUTH) >= 35


@pytest.mark.parametrize("name", [pytest.param(each, marks=[pytest.mark.slow] if each in SLOW else []) for each in ALL])
def test_example_answers_its_question(name):
    example = ALL[name]
    numbers = load_script(example.path).main()
    for key, (expected, relative) in TRUTH.get(name, {}).items():
        assert numbers[key] == pytest.approx(expected, rel=relative), key
    if name in KNOWN:
        assert KNOWN[name](numbers), numbers
    for text in promised(example.answer):
        digits = len(text.partition(".")[2])
        near = 0.51 * 10.0**-digits
        given = text in example.code
        assert given or any(abs(value - float(text)) <= near for value in numbers.values()), (
            f"{text} is not in {numbers}"
        )


def test_page_is_up_to_date():
    assert (ROOT / "docs" / "examples.md").read_text() == examples_page.render_page(SCRIPTS), "make gallery"


@pytest.mark.parametrize("name", ALL)
def test_example_has_a_small_picture(name):
    picture = ROOT / "docs" / "gallery" / "examples" / f"{ALL[name].name}.png"
    assert picture.stat().st_size < 100_000
    with Image.open(picture) as drawn:
        assert 250 < max(drawn.size) <= 640


def test_picture_is_drawn_in_the_given_folder(tmp_path):
    path = examples_page.draw_example(ALL["linkages/how_far_does_a_rocker_swing"], tmp_path)
    with Image.open(path) as drawn:
        assert drawn.width > 250


def test_every_model_file_asks_a_question():
    page = examples_page.render_page(SCRIPTS)
    for path in SCRIPTS.glob("*.yaml"):
        assert re.search(rf"\| `{path.name}` \| [A-Z][^|]{{20,}}\? \|", page)
