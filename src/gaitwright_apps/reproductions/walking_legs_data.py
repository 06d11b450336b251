"""Legs of paper 003 chapter 4 as printed, from its sheet: Tables 4.1 and 4.2, and other data for the runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from gaitwright.mechanisms import chebyshev, jansen
from gaitwright.model.model import Model
from gaitwright_apps.reproductions.sheets import SheetRow, parse_printed, read_sheet

CHEBYSHEV, JANSEN = LEG_NAMES = ("chebyshev", "jansen")
SHEET = read_sheet("walking-legs")
SHEET_DATA = SHEET.data
SHEET_ROWS = {row.id: row for row in SHEET.rows()}
PRINTED_NUMBERS = SHEET.printed
"""Printed numbers by id."""
GRAVITY_M_S2, TURNS_PER_SECOND, DURATION_S, STEP_S, BAUMGARTE_ALPHA = 9.81, 1.0, 3.0, 1e-3, PRINTED_NUMBERS["4.1-alpha"]
CONTACT_STIFFNESS, FRICTION_COEFFICIENT = (
    PRINTED_NUMBERS["4.1-stiffness-jansen"],
    PRINTED_NUMBERS["4.1-friction-jansen"],
)
"""Table 4.1. omega is printed as 2 pi rad/s: one turn per second."""
ELASTIC_RESTITUTION, INELASTIC_RESTITUTION = 1.0, 0.0
RESTITUTION_NAMES = {ELASTIC_RESTITUTION: "elastic", INELASTIC_RESTITUTION: "inelastic"}


def measure_name(row: SheetRow) -> str:
    """Our name of the quantity of a row, the end of its path."""
    return row.computed.rpartition("/")[2]


def _printed_texts(leg: str) -> dict[str, str]:
    """Printed texts of Tables 4.3 and 4.4, by our name; of duplicates, the first."""
    rows = [row for id, row in SHEET_ROWS.items() if id.startswith(("4.3-", "4.4-")) and row.of == leg]
    return {measure_name(row): row.text for row in reversed(rows)}


PRINTED_TEXTS = {leg: _printed_texts(leg) for leg in LEG_NAMES}


@dataclass(frozen=True)
class PrintedLeg:
    """A leg of the thesis. make: our model of it. links: name to ends, length (m) and mass (kg) in our model. base: |O1 O2|
    there, m. table: lengths as printed in Table 4.2, m, by link, and base; our model uses the designer's exact ones for
    those in `unrounded` of the sheet. proportions: lengths by the designer of the mechanism, for a crank of `unit`. depth:
    printed penetration, m. below: distance of O2 below O1, m."""

    name: str
    make: Callable[..., Model]
    links: Mapping[str, tuple[str, str, float, float]]
    base: float
    table: Mapping[str, float]
    proportions: Mapping[str, float]
    unit: float
    depth: float
    below: float


def _make_printed_leg(leg: str, depth: float, make: Callable[..., Model]) -> PrintedLeg:
    sheet, links, table = SHEET_DATA[leg], {}, {"base": PRINTED_NUMBERS[f"4.2-length-base-{leg}"]}
    proportions = {link: parse_printed(part) for link, part in sheet["proportions"].items()}
    unit, below = parse_printed(sheet["unit"]), parse_printed(sheet["O2 below O1"])
    exact = {link: PRINTED_NUMBERS[f"4.2-crank-{leg}"] * proportions[link] / unit for link in sheet["unrounded"]}
    for link, ends in sheet["ends"].items():
        start, end = ends.split()
        table[link] = PRINTED_NUMBERS[f"4.2-crank-{leg}" if link == "crank" else f"4.2-length-{link}-{leg}"]
        length = exact.get(link, table[link])
        links[link] = (
            start,
            end,
            length,
            PRINTED_NUMBERS[f"4.2-mass-{link}-{leg}"] * length / table[link],
        )  # mass per length is kept
    base = exact.get("base", table["base"])
    changed = {link: length for link, length in exact.items() if link != "base"}
    if "base" in exact:
        changed["O2_x"] = -math.sqrt(base**2 - below**2)
    return PrintedLeg(sheet["name"], partial(make, **changed), links, base, table, proportions, unit, depth, below)


PRINTED_LEGS = {
    CHEBYSHEV: _make_printed_leg(CHEBYSHEV, chebyshev.FOOT_PENETRATION_M, chebyshev.chebyshev_leg),
    JANSEN: _make_printed_leg(JANSEN, jansen.FOOT_PENETRATION_M, jansen.jansen_leg),
}


def pinned_depth(leg: str) -> float:
    """The penetration at which the printed elastic peak is K d^1.5 with the printed K, m."""
    return (PRINTED_NUMBERS[f"4.2-normal-peak-elastic-{leg}"] / CONTACT_STIFFNESS) ** (2 / 3)
