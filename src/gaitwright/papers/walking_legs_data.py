"""The legs of paper 003 chapter 4 as printed, from its sheet: Tables 4.1 and 4.2, and what else the runs need."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from gaitwright.mechanisms import chebyshev, jansen
from gaitwright.model.model import Model
from gaitwright.papers.sheet import Row, read_sheet, value_of

CHEBYSHEV, JANSEN = NAMES = ("chebyshev", "jansen")
SHEET = read_sheet("walking-legs")
DATA = SHEET.data
ROWS = {row.id: row for row in SHEET.rows()}
NUMBERS = SHEET.printed
"""Printed numbers by id."""
GRAVITY, OMEGA_TURNS, UNTIL, STEP, ALPHA = 9.81, 1.0, 3.0, 1e-3, NUMBERS["4.1-alpha"]
STIFFNESS, COEFFICIENT = NUMBERS["4.1-stiffness-jansen"], NUMBERS["4.1-friction-jansen"]
"""Table 4.1. omega is printed as 2 pi rad/s: one turn per second."""
ELASTIC, INELASTIC = 1.0, 0.0
SAID = {ELASTIC: "elastic", INELASTIC: "inelastic"}


def number_of(row: Row) -> str:
    """Our name of what a row is about, the end of its path."""
    return row.computed.rpartition("/")[2]


def _texts(leg: str) -> dict[str, str]:
    """What Tables 4.3 and 4.4 print, by our name; of what stands there twice, the first."""
    rows = [row for id, row in ROWS.items() if id.startswith(("4.3-", "4.4-")) and row.of == leg]
    return {number_of(row): row.text for row in reversed(rows)}


TEXTS = {leg: _texts(leg) for leg in NAMES}


@dataclass(frozen=True)
class Printed:
    """A leg of the thesis. make: our model of it. links: name to ends, length (m) and mass (kg) in our model. base: |O1 O2|
    there, m. table: lengths as Table 4.2 prints them, m, by link, and base; our model has the designer's exact ones in place
    of those that `unrounded` of the sheet names. proportions: lengths by the designer of the mechanism, for a crank of
    `unit`. depth: m, printed penetration. below: m, how far O2 is below O1."""

    name: str
    make: Callable[..., Model]
    links: Mapping[str, tuple[str, str, float, float]]
    base: float
    table: Mapping[str, float]
    proportions: Mapping[str, float]
    unit: float
    depth: float
    below: float


def _printed(leg: str, depth: float, make: Callable[..., Model]) -> Printed:
    about, links, table = DATA[leg], {}, {"base": NUMBERS[f"4.2-length-base-{leg}"]}
    proportions = {link: value_of(part) for link, part in about["proportions"].items()}
    unit, below = value_of(about["unit"]), value_of(about["O2 below O1"])
    exact = {link: NUMBERS[f"4.2-crank-{leg}"] * proportions[link] / unit for link in about["unrounded"]}
    for link, ends in about["ends"].items():
        start, end = ends.split()
        table[link] = NUMBERS[f"4.2-crank-{leg}" if link == "crank" else f"4.2-length-{link}-{leg}"]
        length = exact.get(link, table[link])
        links[link] = (
            start,
            end,
            length,
            NUMBERS[f"4.2-mass-{link}-{leg}"] * length / table[link],
        )  # mass per length is kept
    base = exact.get("base", table["base"])
    changed = {link: length for link, length in exact.items() if link != "base"}
    if "base" in exact:
        changed["O2_x"] = -math.sqrt(base**2 - below**2)
    return Printed(about["name"], partial(make, **changed), links, base, table, proportions, unit, depth, below)


LEGS = {
    CHEBYSHEV: _printed(CHEBYSHEV, chebyshev.DEPTH, chebyshev.chebyshev_leg),
    JANSEN: _printed(JANSEN, jansen.DEPTH, jansen.jansen_leg),
}


def pinned_depth(leg: str) -> float:
    """The penetration at which the printed elastic peak is K d^1.5 with the printed K, m."""
    return (NUMBERS[f"4.2-normal-peak-elastic-{leg}"] / STIFFNESS) ** (2 / 3)
