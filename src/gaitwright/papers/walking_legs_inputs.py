"""Checks that our runs are those of paper 003 chapter 4: Tables 4.1 and 4.2 and the sizes of its equations, read back.

None of them confirms a result of the thesis: their kind is "input"."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from gaitwright.legs.phases import TURN
from gaitwright.papers.check import INPUT, Check
from gaitwright.papers.walking_legs_data import ALPHA, COEFFICIENT, ELASTIC, GRAVITY, JANSEN, STEP, STIFFNESS, UNTIL
from gaitwright.papers.walking_legs_judging import check
from gaitwright.papers.walking_legs_runs import OMEGA, LegRuns
from gaitwright.result.result import Result

CRANK = 0.1
"""m, section 4.1: the radius that both legs are normalised to."""
HALF_GRAM, HALF_MILLIMETRE = 5e-4 + 1e-9, 5e-4 + 1e-9
"""Half a unit of the last digit, and a little, so that the noise of floating point does not decide."""

given = partial(check, kind=INPUT)
"""A check that the run is what the thesis prints; it confirms no result."""


def parameters(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """Table 4.1, read back from what the runs did."""
    some = next(iter(legs.values()))
    euler = next(iter(some.euler.values()))
    rate = float(np.mean(some.exact.turn.run.values("crank.spin")))
    yield given("4.1-omega", "speed of the crank", OMEGA, abs(rate), "rad/s", tolerance=1e-9)
    yield given("4.1-time", "simulated time", UNTIL, float(euler.time[-1]), "s", tolerance=1e-9)
    yield given("4.1-step", "step", STEP, float(np.diff(euler.time).mean()), "s", tolerance=1e-9)
    fed_back = {name: _baumgarte(run) for name, run in some.euler.items()}
    alpha, beta = fed_back["sqrt(2 alpha)"]
    how = "from how the pin O1 of the thesis's scheme opens and closes, Eq 2.15"
    yield given("4.1-alpha", "Baumgarte's alpha", ALPHA, alpha, "1/s", tolerance=1e-6, remark=how)
    other = fed_back["alpha sqrt(2)"][1]
    undecided = (
        f"printed as a root over 2 alpha, {beta:.4g}, which is no frequency if alpha is one; alpha sqrt(2) = {other:.4g} would "
        "be. Which of them ran is undecided: the Chebyshev leg's accelerations are nearer with the first, and nothing printed "
        "tells for sure. Both were run"
    )
    yield given("4.1-beta", "Baumgarte's beta", math.sqrt(2 * ALPHA), beta, "1/s", void=undecided)
    for leg in legs.values():
        yield from _contact_parameters(leg)


def _contact_parameters(leg: LegRuns) -> Iterator[Check]:
    """g, K and mu, from the forces of our runs."""
    name, title = leg.name, leg.printed.name
    weight = "from the weight that the pins O1 and O2 carry on average, over the mass of Table 4.2"
    yield given(f"4.1-gravity-{name}", f"{title}: g", GRAVITY, _gravity(leg), "m/s2", tolerance=1e-6, remark=weight)
    on = leg.exact.turn.ground[ELASTIC]
    normal = on.normal[TURN].greatest
    same = (
        "from our elastic run, so that it says nothing about the thesis: its K, penetration and elastic peak are one relation, "
        f"which is judged once, in 4.2-normal-peak-elastic-{name}. The unit is N/m^1.5 (n = 3/2), not N/m"
    )
    yield given(
        f"4.1-stiffness-{name}", f"{title}: K", STIFFNESS, normal / leg.printed.depth**1.5, "N/m^1.5", tolerance=1.0,
        remark=same,
    )  # fmt: skip
    same = (
        "from our elastic run, so that it says nothing about the thesis: whether its own forces have this ratio is judged "
        f"once, in 4.2-tangential-elastic-{name}"
    )
    yield given(
        f"4.1-friction-{name}", f"{title}: mu", COEFFICIENT, on.tangential[TURN].largest / normal, "1", tolerance=1e-4,
        remark=same,
    )  # fmt: skip


def _baumgarte(run: Result) -> tuple[float, float]:
    """alpha and beta, 1/s, such that x'' + 2 alpha x' + beta^2 x = 0 for the end of the crank that should stay in O1."""
    x, rate, second = (run.values(f"crank.O1.{part}") for part in ("x", "vx", "ax"))
    found, *_ = np.linalg.lstsq(np.stack([2 * rate, x], axis=1), -second, rcond=None)
    return float(found[0]), float(np.sqrt(found[1]))


def _gravity(leg: LegRuns) -> float:
    """Momentum over a turn that repeats: the ground carries the weight on average."""
    run = leg.exact.turn.run
    names = [name for name in run.catalogue.outputs if name.startswith(("O1", "O2")) and name.endswith(".fy")]
    carried = sum(float(np.mean(run.values(name)[:-1])) for name in names)
    return abs(carried) / sum(mass for *_, mass in leg.printed.links.values())


def lengths(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """Table 4.2: lengths from the designers' proportions, or else as in our run; masses from one mass per length."""
    for leg in legs.values():
        name, title, printed = leg.name, leg.printed.name, leg.printed
        for link, (a, b, length, _) in printed.links.items():
            ours, remark = _distance(leg, link, a, b), "in our run, which all other lengths are scaled to"
            if link != "crank":
                remark = "in our run; no designer's proportion is known"
            if link in printed.proportions:
                ours, remark = CRANK * printed.proportions[link] / printed.unit, "from the designer's proportions"
            id, what = ("crank", "radius of the crank") if link == "crank" else (f"length-{link}", f"length of {link}")
            yield given(
                f"4.2-{id}-{name}", f"{title}: {what}", length, ours, "m", tolerance=HALF_MILLIMETRE, remark=remark
            )
        yield _base(leg)
        first = printed.links["crank"]
        density = first[3] / first[2]
        for link, (_, _, length, mass) in printed.links.items():
            ours, remark = density * length, f"{density:g} kg/m, as the crank"
            if link == "crank":
                ours, remark = leg.exact.turn.run.mechanism.body_names[link].mass, "in our run"
            yield given(
                f"4.2-mass-{link}-{name}",
                f"{title}: mass of {link}",
                mass,
                ours,
                "kg",
                tolerance=HALF_GRAM,
                remark=remark,
            )


def _base(leg: LegRuns) -> Check:
    ours = CRANK * leg.printed.proportions["base"] / leg.printed.unit
    return given(
        f"4.2-length-base-{leg.name}", f"{leg.printed.name}: |O1 O2|", leg.printed.base, ours, "m", tolerance=HALF_MILLIMETRE,
        remark="from the designer's proportions",
        impossible=f"the designer's proportions put O2 {CRANK * 38 / 15:.4f} m beside and {CRANK * 7.8 / 15:.3f} m below O1, "
        f"{ours:.4f} m away: 0.257 m is neither, so that the normalisation does not hold here",
        confirmed=leg.name == JANSEN,
    )  # fmt: skip


def _distance(leg: LegRuns, link: str, a: str, b: str) -> float:
    """Between the ends of a link in our run, m."""
    run = leg.exact.turn.run
    along = (run.values(f"{link}.{b}.{part}") - run.values(f"{link}.{a}.{part}") for part in "xy")
    return float(np.hypot(*along).mean())


def sizes(legs: dict[str, LegRuns]) -> Iterator[Check]:
    """How many coordinates and equations the thesis counts, and how many there are."""
    for leg in legs.values():
        mechanism, title, name = leg.exact.turn.run.mechanism, leg.printed.name, leg.name
        rows = {
            kind: sum(n.rows.size for n in mechanism.constraint_names if n.kind == kind) for kind in ("joint", "drive")
        }
        for id, what, published, computed in (
            ("4.2-elements", "elements of q, rows and columns of M", leg.printed.elements, mechanism.n),
            ("4.3-joint-rows", "rows of Phi^K", leg.printed.kinematic_rows, rows["joint"]),
            ("4.4-rows", "rows of Phi_q", leg.printed.elements, sum(rows.values())),
        ):
            yield given(f"eq-{id}-{name}", f"{title}: {what}", published, computed, "1")
    cheb, jansen = (leg.exact.turn.run.mechanism for leg in legs.values())
    bodies = "Table 4.2, Eq 4.2 and the 18 coordinates count six: five is wrong, unless foot and shank count as one"
    yield given(
        "text-links-chebyshev", "Chebyshev leg: links, in the text", 5, len(cheb.body_names), "1", impossible=bodies
    )
    yield given("text-links-jansen", "Theo Jansen leg: links, in the text", 11, len(jansen.body_names), "1")
    lost = '"18(= 63)" has lost its sign of multiplication: 6 x 3 = 18'
    yield given("text-63", "Chebyshev leg: elements of q, in brackets", 63, cheb.n, "1", impossible=lost)
    copied = "taken over from the section before: eleven links have 33 coordinates, as the sentence after it says"
    yield given("text-18-jansen", "Theo Jansen leg: elements of q, in the text", 18, jansen.n, "1", impossible=copied)
