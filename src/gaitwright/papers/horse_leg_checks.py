"""Verdicts on paper 003 chapter 6; see horse_leg.py."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gaitwright.legs.linkages import four_bar_loop
from gaitwright.mechanisms.horse_leg import GAITS, LOOPS
from gaitwright.papers.check import EQUATION, INPUT, STATEMENT, Check, judge
from gaitwright.papers.horse_leg import ELASTIC, INELASTIC, PAPER, RESTITUTIONS, ROCKER, THIGH

if TYPE_CHECKING:
    from gaitwright.papers.horse_leg import HorseLeg

# Printed: times in s, angles in degrees, forces in N.
TIMES = {"walk": (0.267, 0.569), "run": (0.208, 0.478)}
ANGLES = {"walk": (-6.83, -20.9), "run": (6.20, 71.08)}
LEVEL_ANGLE = -0.23
ROTATIONS = {"walk": 26.0, "run": 64.8}
RATIO = 2.5
PEAKS = {"walk": {INELASTIC: 453.65, ELASTIC: 175.34}, "run": {INELASTIC: 8694.0, ELASTIC: 5719.0}}
MEANS = {"walk": {INELASTIC: 80.83, ELASTIC: 34.88}, "run": {INELASTIC: 978.0, ELASTIC: 800.0}}
REDUCTIONS = {"walk": 61.35, "run": 34.22}
THIGH_RANGE, HORSE_RANGE = (35.0, 141.0), (30.0, 145.0)

MISSING = "lengths, actuator, hoof and ground are not printed"

_judge = partial(judge, paper=PAPER)
_given = partial(_judge, kind=INPUT)
_says = partial(_judge, kind=STATEMENT)


def verdicts(found: HorseLeg) -> list[Check]:
    """All checks, in the order of the chapter."""
    return [
        *_counts(found), *_linkages(found), *_l3(found),
        *(check for gait in GAITS for check in _hoof(found, gait)), *_angles(found),
        *(check for gait in GAITS for check in _forces(found, gait)), *_law(found),
    ]  # fmt: skip


def _counts(found: HorseLeg) -> list[Check]:
    """Eq 6.1 to 6.7."""
    turn = found.turns["walk"]
    mechanism = turn.mechanism
    system, links = mechanism.system, len(mechanism.body_names)
    row, col, value = mechanism.mass
    place = mechanism.body_names["L4"].index
    mass, inertia = (float(value[(row == place[k]) & (col == place[k])].sum()) for k in (0, 2))
    length = float(np.hypot(*(turn.values(f"L4.C.{axis}")[0] - turn.values(f"L4.B.{axis}")[0] for axis in "xy")))
    sigma = turn.values("evidence.sigma")
    regular = f"smallest singular value {sigma.min():.2g} of {sigma.max():.2g} over the turn: regular"
    return [
        _given("6.1-elements", "elements of q, Eq 6.1", 42, system.n, "1"),
        _given("6.1-links", "links, Eq 6.1", 14, links, "1"),
        _given(
            "6.1-six", "rigid links that these elements are of (text: 6)", 6, system.n / 3, "1",
            impossible="42 elements, three of each link, are 14 links; six is the number of the Chebyshev leg",
            confirmed=links == 14,
        ),
        _given("6.3-rows", "rows of the Jacobian, Eq 6.3", 42, system.m_all, "1", remark=regular),
        _given("6.3-columns", "columns of the Jacobian, Eq 6.3", 42, system.n, "1"),
        _given("6.4-mass", "rows of the mass matrix, Eq 6.4", 42, len(set(row[value != 0].tolist())), "1"),
        _given("6.6-forces", "rows of the vector of forces, Eq 6.6", 42, system.n, "1", remark="as many as elements of q"),
        _judge(
            "6.7-inertia", "inertia of L4 by J = 2 l / 3, text of Eq 6.7", 2 * length / 3, inertia, "kg m^2",
            impossible=f"evaluated with l = {length:.3g} m of Table 4.2, for the chapter prints none: 2 l / 3 is a length; a "
            f"slender bar of our {mass:.3g} kg has m l^2 / 12", kind=EQUATION,
            confirmed=abs(inertia - mass * length**2 / 12) < 1e-9,
        ),
    ]  # fmt: skip


def _linkages(found: HorseLeg) -> list[Check]:
    """Section 6.2.1."""
    thigh = found.loop("walk", THIGH)
    line, code = thigh.transmission(), thigh.code()
    checks = [
        _says(
            "6.2.1-code", "the reciprocal mechanism is a parallelogram 2Plsls (1: yes)", 1, float(code == "2Plsls"), "1",
            remark="with Table 4.2, sides of "
            + ", ".join(f"{1e3 * length:.0f}" for length in thigh.mean_lengths)
            + " mm: opposite ones are equal within 10 %",
        ),
        _says(
            "6.2.1-linear", "its transmission is linear, within a tenth of its range (1: yes)", 1,
            float(line.error < 0.1 * thigh.amplitude), "1",
            remark=f"slope {line.slope:.3f}; off a straight line by {math.degrees(line.error):.1f} degrees at most, "
            f"{math.degrees(line.rms):.1f} on average; the range is {math.degrees(thigh.amplitude):.0f} degrees",
        ),
        _says(
            "6.2.1-within", "its range lies within that of horses (1: yes)", 1,
            float(HORSE_RANGE[0] <= THIGH_RANGE[0] and THIGH_RANGE[1] <= HORSE_RANGE[1]), "1",
            remark="follows from the printed ranges",
        ),
    ]  # fmt: skip
    angles = {"input angle alpha_2": thigh.alpha, "output angle beta_2": thigh.beta}
    for k, end in enumerate(("least", "greatest")):
        for what, values in angles.items():
            computed = math.degrees((np.min, np.max)[k](np.abs(values)))
            checks.append(
                _judge(
                    f"6.2.1-{what.rpartition('_')[0].rpartition(' ')[2]}-{end}", f"{end} {what}", THIGH_RANGE[k], computed,
                    "deg", void=f"{MISSING}; with Table 4.2 and L3 at 277 mm beside it",
                )
            )  # fmt: skip
        of_all = [np.abs(four_bar_loop(turn, LOOPS[THIGH]).beta) for turn in found.lengths.values()]
        checks.append(
            _given(
                f"6.2.1-horse-{end}", f"{end} output angle in horses, cited from [85]", HORSE_RANGE[k],
                math.degrees((np.min, np.max)[k](np.concatenate(of_all))), "deg",
                void="measured on horses, nothing that the model of the thesis could give; beside it the range for all "
                "lengths of L3 here",
            )
        )  # fmt: skip
    return checks


def _l3(found: HorseLeg) -> list[Check]:
    """Fig 6-4 and 6-5."""
    sizes = {d: math.degrees(four_bar_loop(turn, LOOPS[ROCKER]).amplitude) for d, turn in found.lengths.items()}
    down = np.all(np.diff([sizes[d] for d in sorted(sizes)]) < 0)
    turn, touchdown = found.turns["walk"], found.hoofs["walk", ELASTIC].steps[0][0].begin
    kick = int(np.argmax(turn.values("H.acceleration")))
    before = (touchdown - float(turn.time[kick])) % float(turn.time[-1])
    bad = math.degrees(found.loop("walk", THIGH).mu[kick])
    return [
        _says(
            "6-4", "the amplitude of the rocker changes with the length of L3 (1: yes)", 1, float(down), "1",
            remark="; ".join(f"{size:.1f} degrees with {1e3 * d:+.0f} mm" for d, size in sizes.items()),
        ),
        _says(
            "6-5", "the toe is accelerated most just before it touches the ground, within a tenth of a turn (1: yes)", 1,
            float(before < 0.1 * turn.time[-1]), "1",
            void=f"{MISSING}; here it is accelerated most {before:.2f} s before, where the thigh's transmission "
            f"angle is {bad:.0f} degrees",
        ),
    ]  # fmt: skip


def _hoof(found: HorseLeg, gait: str) -> list[Check]:
    """Text about Fig 6-9, one gait."""
    hoof = found.hoofs[gait, ELASTIC]
    step = hoof.steps[0]
    ends = (step[0].begin, step[-1].end)
    angles = [math.degrees(a) for a in (step[0].angles[0], step[-1].angles[1])]
    names, moments = [part.name for part in step], ("touchdown", "lift-off")
    wanted = {"walk": ["heel-strike", "flat", "toe-off"], "run": ["toe-strike", "flat", "toe-off"]}[gait]
    picked = "; the sole and the depth here were picked for it" if gait == "walk" else ""
    checks = []
    for k, moment in enumerate(moments):
        checks += [
            _judge(f"6-9-{gait}-t{1 + 2 * k}", f"{gait}: {moment}", TIMES[gait][k], ends[k], "s",
                       void=f"{MISSING}, nor is the crank's angle at the start"),
            _judge(f"6-9-{gait}-angle{1 + 2 * k}", f"{gait}: angle of the hoof at {moment}", ANGLES[gait][k], angles[k],
                       "deg", void=MISSING),
        ]  # fmt: skip
    checks.append(
        _judge(
            f"6-9-{gait}-stance", f"{gait}: time on the ground, from the printed times", TIMES[gait][1] - TIMES[gait][0],
            ends[1] - ends[0], "s", void=f"{MISSING}, nor is the time of a turn{picked}",
        )
    )  # fmt: skip
    checks.append(
        _says(
            f"6-9-{gait}-phases", f"{gait}: sub-phases are {', '.join(wanted)} (1: yes)", 1, float(names == wanted), "1",
            void=f"{MISSING}; here {', '.join(names)}",
        )
    )  # fmt: skip
    checks.append(
        _judge(f"6-9-{gait}-rotation", f"{gait}: rotation of the hoof on the ground", ROTATIONS[gait],
                   math.degrees(hoof.rotation()), "deg", void=MISSING + picked)
    )  # fmt: skip
    return checks


def _angles(found: HorseLeg) -> list[Check]:
    """What the printed angles say of each other."""
    hoof = found.hoofs["walk", ELASTIC]
    step = hoof.steps[0]
    middle = 0.5 * (step[0].begin + step[-1].end)
    level = math.degrees(float(np.interp(middle, hoof.time, hoof.angle)))
    first, last = ANGLES["walk"]
    most = float(np.ptp([first, last, LEVEL_ANGLE]))
    rotation = {gait: math.degrees(found.hoofs[gait, ELASTIC].rotation()) for gait in GAITS}
    return [
        _judge("6-9-walk-level", "walk: angle of the hoof in the middle of stance", LEVEL_ANGLE, level, "deg",
                   void=f"{MISSING}; the sole here is chosen to be level then"),
        _judge(
            "6-9-walk-from-ends", "walk: rotation, from the printed angles", ROTATIONS["walk"], abs(last - first), "deg",
            impossible=f"{first} to {last} degrees is {abs(last - first):.2f}, and {most:.2f} by way of "
            f"{LEVEL_ANGLE}; for 26 the hoof would have to pass {last + ROTATIONS['walk']:+.1f} degrees in between",
            confirmed=most < ROTATIONS["walk"] - 0.5,
        ),
        _judge(
            "6-9-run-from-ends", "run: rotation, from the printed angles", ROTATIONS["run"],
            ANGLES["run"][1] - ANGLES["run"][0], "deg", tolerance=0.05, rounding=0.1,
            remark="cut off, not rounded",
        ),
        _judge("6-9-ratio", "rotation in running over that in walking, from the printed ones", RATIO,
                   ROTATIONS["run"] / ROTATIONS["walk"], "1", tolerance=0.05),
        _judge("6-9-ratio-here", "rotation in running over that in walking", RATIO,
                   rotation["run"] / rotation["walk"], "1", void=MISSING),
    ]  # fmt: skip


def _forces(found: HorseLeg, gait: str) -> list[Check]:
    """Text about Fig 6-10, one gait."""
    checks = []
    for how in (INELASTIC, ELASTIC):
        hoof, cr = found.hoofs[gait, how], RESTITUTIONS[how]
        checks += [
            _judge(f"6-10-{gait}-{how}-peak", f"{gait}, {how}: largest force", PEAKS[gait][how], hoof.peak, "N",
                       void=f"it goes with K and the penetration to the power 1.5; neither is printed (c_r = {cr:g})"),
            _judge(f"6-10-{gait}-{how}-mean", f"{gait}, {how}: mean force", MEANS[gait][how], hoof.mean, "N",
                       void="as for the largest, and the text does not say whether over stance or the turn; here the turn"),
        ]  # fmt: skip
    peaks, means, hoofs = PEAKS[gait], MEANS[gait], {how: found.hoofs[gait, how] for how in RESTITUTIONS}
    printed, here = peaks[INELASTIC] / peaks[ELASTIC], hoofs[INELASTIC].peak / hoofs[ELASTIC].peak
    bound = max(1 + 0.75 * speed for speed, _ in speeds(found, gait).values())
    never_pulls = all(out < 4 / 3 for _, out in speeds(found, gait).values())
    mean = hoofs[INELASTIC].mean / hoofs[ELASTIC].mean
    return [
        *checks,
        _judge(f"6-10-{gait}-reduction", f"{gait}: reduction of the largest force, from the printed forces",
                   REDUCTIONS[gait], 100 * (1 - peaks[ELASTIC] / peaks[INELASTIC]), "%", tolerance=0.005),
        _judge(
            f"6-10-{gait}-reduction-here", f"{gait}: reduction of the largest force", REDUCTIONS[gait],
            100 * (1 - 1 / here), "%", confirmed=here <= bound < printed,
            void="" if printed > 1.75 else f"{printed:.2f} times the elastic force is possible under Eq 3.9, but hangs on "
            "the speeds of a hoof of which nothing is printed",
            impossible=f"Eq 3.9 pushes at most 1 + 0.75 max(d')/v0 times as hard as the elastic law, {bound:.2f} times "
            f"here; {printed:.2f} needs a hoof that goes on {(printed - 1) / 0.75:.2f} times as fast as it touched down",
        ),
        _judge(
            f"6-10-{gait}-means", f"{gait}: inelastic over elastic mean force, from the printed ones",
            means[INELASTIC] / means[ELASTIC], mean, "1", tolerance=5e-3,
            confirmed=never_pulls and abs(mean - 1) < 1e-3,
            impossible="the motion is driven, and the damping of Eq 3.9 integrates to zero from touchdown to lift-off: both "
            "are equal unless the hoof leaves more than 4/3 times as fast as it touched down and the law would pull",
        ),
    ]  # fmt: skip


def speeds(found: HorseLeg, gait: str) -> dict[str, tuple[float, float]]:
    """Of each contact in the inelastic run: fastest penetration, and fastest way out, over the speed at touchdown."""
    run = found.grounded[gait, INELASTIC]
    ratios = {}
    for episode in run.episodes:
        rate = run.values(f"{episode.contact}.penetration_rate")[run.values(f"{episode.contact}.penetration") > 0]
        fast = max(float(rate.max()) / episode.approach_speed, 1.0)
        ratios[episode.contact] = fast, -float(rate.min()) / episode.approach_speed
    return ratios


def _law(found: HorseLeg) -> list[Check]:
    """The restitutions of the text, read back from the forces of the toe in walking."""
    checks = []
    for how, cr in RESTITUTIONS.items():
        run = found.grounded["walk", how]
        force, depth, rate = (run.values(f"toe.{name}") for name in ("normal_force", "penetration", "penetration_rate"))
        k = int(np.argmax(np.where(depth > 0.25 * depth.max(), rate, -np.inf)))
        speed = next(e.approach_speed for e in run.episodes if e.contact == "toe")
        factor = (force[k] / (found.setup.stiffness * depth[k] ** 1.5) - 1) * speed / rate[k]
        checks.append(
            _given(f"6-10-cr-{how}", f"restitution of the {how} contact, from the force on the toe", cr,
                       math.sqrt(max(1 - factor / 0.75, 0.0)), "1", tolerance=1e-3)
        )  # fmt: skip
    return checks


def remarks(found: HorseLeg) -> list[str]:
    """What no single check says."""
    stiffness = {gait: found.setup.stiffness * PEAKS[gait][ELASTIC] / found.hoofs[gait, ELASTIC].peak for gait in GAITS}
    apart = PEAKS["run"][ELASTIC] / PEAKS["walk"][ELASTIC]
    return [
        f"the elastic peaks would need K = {stiffness['walk']:.3g} N/m^1.5 in walking and {stiffness['run']:.3g} in running "
        f"here; with one K for both, the hoof of the thesis would go {apart ** (2 / 3):.1f} times deeper in running",
        "the hoof leaves the ground at -20.9 degrees in walking and at +71.08 in running, both called toe-off: the two "
        "angles cannot have the same sign convention, unless the runner lifts its heel last",
        "Eq 6.2, the constraints, and the table of section 6.2.1 (Table ??) are missing in the thesis; the table above is "
        "ours",
    ]
