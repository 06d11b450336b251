"""The legs of paper 003 chapter 4 as printed, from its sheet: Tables 4.1 and 4.2, and what else the runs need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gaitwright.mechanisms import chebyshev, jansen
from gaitwright.model.model import Model
from gaitwright.papers.sheet import Row, read_sheet

CHEBYSHEV, JANSEN = NAMES = ("chebyshev", "jansen")
INNER_SEVEN = 7**0.5
ENDS = {
    CHEBYSHEV: {"crank": "O1 A", "L2": "A B", "L3": "O2 B", "L4": "B C", "L5": "C D", "L6": "D E"},
    JANSEN: {
        "crank": "O1 A", "L2": "A B", "L3": "O2 B", "L4": "B C", "L5": "O2 C", "L6": "A D", "L7": "O2 D", "L8": "C E",
        "L9": "D E", "L10": "D F", "L11": "E F",
    },
}  # fmt: skip
"""Of the links, written out here, not taken from the models, which are held against it."""
ROWS = {row.id: row for row in read_sheet("walking-legs").rows()}
NUMBERS = read_sheet("walking-legs").printed
"""Printed numbers by id."""


def number_of(row: Row) -> str:
    """Our name of what a row is about, the end of its path."""
    return row.computed.rpartition("/")[2]


def _links(leg: str) -> dict[str, tuple[str, str, float, float]]:
    lengths = {link: "crank" if link == "crank" else f"length-{link}" for link in ENDS[leg]}
    return {
        link: (*ends.split(), NUMBERS[f"4.2-{lengths[link]}-{leg}"], NUMBERS[f"4.2-mass-{link}-{leg}"])
        for link, ends in ENDS[leg].items()
    }  # type: ignore[return-value]


@dataclass(frozen=True)
class Printed:
    """A leg of the thesis. lengths: of our model, m, by the names of its parameters. links: name to ends, length (m), mass
    (kg), as printed. base: |O1 O2|, m. proportions: lengths by the designer of the mechanism, for a crank of `unit`. depth: m,
    printed penetration."""

    name: str
    make: Callable[..., Model]
    lengths: Mapping[str, float]
    links: Mapping[str, tuple[str, str, float, float]]
    base: float
    proportions: Mapping[str, float]
    unit: float
    depth: float


LEGS = {
    CHEBYSHEV: Printed(
        "Chebyshev leg", chebyshev.chebyshev_leg, chebyshev.LENGTHS, _links(CHEBYSHEV),
        NUMBERS["4.2-length-base-chebyshev"],
        # P. L. Chebyshev, "The simplest systems of linked bars" (1878): bars of 3, O1 O2 of 5 - sqrt 7, crank of 9 - 3 sqrt 7
        {"L2": 3.0, "L3": 3.0, "L4": 3.0, "base": 5 - INNER_SEVEN}, 9 - 3 * INNER_SEVEN, chebyshev.DEPTH,
    ),
    JANSEN: Printed(
        "Theo Jansen leg", jansen.jansen_leg, jansen.LENGTHS, _links(JANSEN), NUMBERS["4.2-length-base-jansen"],
        # T. Jansen, The Great Pretender (2007), the thesis's reference 65: his eleven numbers, and 38 across, 7.8 up, crank 15
        {
            "L2": 50.0, "L3": 41.5, "L4": 55.8, "L5": 40.1, "L6": 61.9, "L7": 39.3, "L8": 39.4, "L9": 36.7, "L10": 49.0,
            "L11": 65.7, "base": (38.0**2 + 7.8**2) ** 0.5,
        },
        15.0, jansen.DEPTH,
    ),
}  # fmt: skip

GRAVITY, OMEGA_TURNS, UNTIL, STEP, ALPHA = 9.81, 1.0, 3.0, 1e-3, NUMBERS["4.1-alpha"]
STIFFNESS, COEFFICIENT = NUMBERS["4.1-stiffness-jansen"], NUMBERS["4.1-friction-jansen"]
"""Table 4.1. omega is printed as 2 pi rad/s: one turn per second."""
ELASTIC, INELASTIC = 1.0, 0.0
SAID = {ELASTIC: "elastic", INELASTIC: "inelastic"}
