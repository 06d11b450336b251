"""The rebound of every law: closed forms, integration, published and recomputed numbers, the page of the docs."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import beta

from gaitwright._core.errors import ModelError
from gaitwright.contact.restitution import (
    RESTITUTIONS,
    impact,
    plot_rebounds,
    rebound,
    rebound_of_factor,
    rebound_page_table,
    rebound_table,
    source_table,
)
from gaitwright.physics import load_all
from gaitwright.physics.contact_laws.base import HysteresisLaw
from gaitwright.physics.declarations import ContactLaw

load_all()
LAWS: dict[str, Any] = {
    name: law for name, law in ContactLaw.registry.items() if law.__module__.startswith("gaitwright.")
}
FAMILY: dict[str, Any] = {name: law for name, law in LAWS.items() if issubclass(law, HysteresisLaw)}
family = pytest.mark.parametrize("name", FAMILY)
PAGE = (Path(__file__).parents[2] / "docs" / "theory" / "contact-laws.md").read_text()

# The ball of the recomputation of 004: 1 kg dropped from 1 m, here without gravity during the impact.
BALL = {"stiffness": 1.4e8, "exponent": 1.5}
MASS, V0 = 1.0, 4.4294469181

# The recomputation of 004, column 'e (g=0, closed)': {law: {restitution: rebound}}
REFERENCE = {
    "flores": {1.0: 1.0, 0.8: 0.7885391, 0.6: 0.5772760, 0.4: 0.3628723, 0.2: 0.1555400},
    "lankarani-nikravesh": {
        1.0: 1.0, 0.8: 0.8471023, 0.6: 0.7561487, 0.4: 0.7016347, 0.2: 0.6722625, 0.0: 0.6629622,
    },
    "hunt-crossley": {1.0: 1.0, 0.8: 0.8328698, 0.6: 0.7119502, 0.4: 0.6197365, 0.2: 0.5468541, 0.0: 0.4877413},
}  # fmt: skip


@pytest.mark.parametrize("name, e", [(name, e) for name, column in REFERENCE.items() for e in column])
def test_reference_rebounds(name, e):
    assert rebound(LAWS[name], restitution=e) == pytest.approx(REFERENCE[name][e], abs=6e-8)


@pytest.mark.parametrize("e", [0.3, 0.7, 0.97])
@family
def test_closed_form_agrees_with_integration(name, e):
    values = {**BALL, "restitution": e}
    found = impact(FAMILY[name], mass=MASS, approach=V0, **values)
    assert found.rebound == pytest.approx(rebound(FAMILY[name], **values), abs=1e-8)
    k = float(FAMILY[name].factor(e))
    work = BALL["stiffness"] * found.deepest**2.5 / 2.5
    assert work == pytest.approx(MASS * V0**2 * (1 / k - math.log1p(k) / k**2), rel=1e-8)


@pytest.mark.parametrize("changes", [{"exponent": 1.0}, {"exponent": 2.2}, {"stiffness": 3.0}])
@pytest.mark.parametrize("mass, approach", [(0.02, 7.0), (80.0, 1e-3)])
def test_rebound_of_the_family_depends_on_the_factor_alone(changes, mass, approach):
    law = LAWS["hu-guo"](**{**BALL, "restitution": 0.5, **changes})
    assert impact(law, mass=mass, approach=approach).rebound == pytest.approx(rebound(law), abs=1e-8)


def test_hertz_impact():
    """The recomputation of 004: deepest 1.983318177e-3 m, largest force 12365.6407 N, duration 1.317873604e-3 s."""
    found = impact(LAWS["hertz"](**BALL), mass=MASS, approach=V0)
    assert found == pytest.approx((1.0, 1.983318177e-3, 12365.6407, 1.317873604e-3), rel=1e-8)


def test_force_peaks_before_the_penetration():
    """Largest force above that at the deepest point, for every law but Hertz's: paper 004 section 5.1 claims the opposite."""
    found = impact(LAWS["flores"], **BALL, restitution=0.2, mass=MASS, approach=V0)
    assert found.largest_force > 3 * BALL["stiffness"] * found.deepest**1.5


# The root ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1e-12, 1e-6, 1e-3, 0.05, 0.0999, 0.1001, 0.5, 1.0, 3.0, 20.0, 35.0])
def test_root_satisfies_its_equation(k):
    e = rebound_of_factor(k)
    assert 0 < e < 1
    if k < 0.05:  # where the equation itself has lost its digits: the series e = 1 - 2k/3 + 4k^2/9 - 44k^3/135 + ...
        assert e == pytest.approx(1 - 2 * k / 3 + 4 * k**2 / 9 - 44 * k**3 / 135, abs=k**4 / 3 + 1e-15)
    else:
        assert math.exp(-k * (1 + e)) * (1 + k) == pytest.approx(1 - k * e, rel=1e-12, abs=1e-15)


def test_root_at_its_ends():
    assert rebound_of_factor(0.0) == 1.0
    for k in (50.0, 1e3, 1e100, 1e300):
        assert rebound_of_factor(k) == pytest.approx(1 / k, rel=1e-15)
    near = [rebound_of_factor(0.1 * (1 + x)) for x in (-1e-9, 0.0, 1e-9)]
    assert np.diff(near) == pytest.approx([-5.6e-11, -5.6e-11], rel=0.05)  # no step where the methods meet


@pytest.mark.parametrize("k", [-1.0, math.nan, math.inf])
def test_invalid_factor_raises(k):
    with pytest.raises(ModelError, match="'factor'"):
        rebound_of_factor(k)


# Declared properties of the laws --------------------------------------------------------------------------------------


@family
def test_limits_are_as_declared(name):
    """Towards e = 1 the loss, towards e = 0 the rebound is accurate to first order exactly at the ends in `exact_near`."""
    law, small = FAMILY[name], 1e-4
    near_one = abs((1 - rebound(law, restitution=1 - small)) / small - 1) < 1e-3
    near_zero = abs(rebound(law, restitution=small) / small - 1) < 1e-3
    assert near_one == (1.0 in law.exact_near)
    assert near_zero == (0.0 in law.exact_near)


@family
def test_rebound_error_is_within_documented_range(name):
    low, high, below, above = FAMILY[name].rebound_error
    for e in np.linspace(max(low, 1e-3), high, 200):
        assert -below - 1e-12 <= rebound(FAMILY[name], restitution=float(e)) - e <= above + 1e-12


# Laws with a given damping -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("z", [0.01, 0.2, 0.5, 0.9, 0.999])
def test_kelvin_voigt(z):
    """Schwager and Poeschel 2007: e = exp(-2 z acos(z) / sqrt(1 - z^2)) when the dashpot does not pull."""
    values = {"stiffness": 3e4, "damping": 2 * z * math.sqrt(3e4 * 0.5)}
    wanted = math.exp(-2 * z * math.acos(z) / math.sqrt(1 - z * z))
    for approach in (0.01, 3.0):
        found = impact(LAWS["kelvin-voigt"], mass=0.5, approach=approach, **values)
        assert found.rebound == pytest.approx(wanted, abs=1e-8)
        # it parts where the force is zero, not where the spring is
        assert found.duration == pytest.approx(2 * math.acos(z) / math.sqrt(3e4 / 0.5 * (1 - z * z)), rel=1e-8)


def test_overdamped_kelvin_voigt_still_parts():
    """e = exp(-z ln((z + w) / (z - w)) / w), w = sqrt(z^2 - 1)."""
    z, w = 50.0, math.sqrt(2499.0)
    found = rebound(LAWS["kelvin-voigt"], stiffness=1.0, damping=2 * z)
    assert found == pytest.approx(math.exp(-z * math.log((z + w) / (z - w)) / w), rel=1e-6)


@pytest.mark.parametrize("a, approach", [(0.1, 0.5), (0.3, 2.0), (2.0, 3.0)])
def test_marhefka_orin_is_the_family_with_k_from_the_speed(a, approach):
    law = LAWS["marhefka-orin"](stiffness=1e5, dissipation=a)
    assert rebound(law, approach=approach) == pytest.approx(rebound_of_factor(1.5 * a * approach), abs=1e-8)


def test_kuwabara_kono_at_small_loss():
    """1 - e = 3 (5/4)^(3/5) B(3/5, 3/2)/(5/2) A (K/m)^(2/5) v^(1/5), 1.15344 * 3/2 in Brilliantov and Poeschel's notation."""
    first = 3 * 1.25**0.6 * beta(0.6, 1.5) / 2.5
    assert first == pytest.approx(1.15344 * 1.5, rel=1e-5)
    for time, approach in ((1e-7, 1.0), (1e-7, 20.0)):
        loss = first * time * (1e6 / 0.3) ** 0.4 * approach**0.2
        found = rebound(LAWS["kuwabara-kono"], stiffness=1e6, relaxation_time=time, mass=0.3, approach=approach)
        assert 1 - found == pytest.approx(loss, rel=2 * loss)


def test_tsuji_is_independent_of_the_speed_and_right_at_small_loss():
    mass, stiffness, alpha = 0.3, 1e6, 1e-3
    law = LAWS["tsuji"](stiffness=stiffness, damping=alpha * math.sqrt(mass * stiffness))
    slow, fast = (rebound(law, mass=mass, approach=approach) for approach in (0.01, 10.0))
    assert slow == pytest.approx(fast, abs=1e-9)
    assert 1 - slow == pytest.approx(math.pi * alpha / math.sqrt(5), rel=2e-3)


def test_ristow_loses_more_when_slow():
    law = LAWS["ristow"](stiffness=1e6, damping=50.0)
    assert rebound(law, approach=0.1) < rebound(law, approach=1.0) < rebound(law, approach=10.0) < 1


@pytest.mark.parametrize("name", [name for name in LAWS if name not in FAMILY])
def test_energy_is_not_gained(name):
    values = {"stiffness": 1e5, "damping": 20.0, "depth": 1e-3, "relaxation_time": 1e-3, "dissipation": 0.3}
    values["thickness"] = 0.02
    given = {field: value for field, value in values.items() if field in LAWS[name].parameters}
    found = impact(LAWS[name], **given)
    assert 0 < found.rebound <= 1 + 1e-9
    assert found.deepest > 0 and found.duration > 0


# Calling -------------------------------------------------------------------------------------------------------------


def test_a_class_or_a_choice():
    law = LAWS["flores"]
    assert rebound(law, restitution=0.5) == rebound(law(stiffness=1e5, restitution=0.5)) == rebound(law(1e5, 0.5))
    assert rebound(law(1e5, 0.1), restitution=0.5) == rebound(law, restitution=0.5)


@pytest.mark.parametrize(
    "name, values, message",
    [
        ("flores", {"restitution": 0.0}, "'restitution'.*infinite"),
        ("flores", {}, "flores field 'restitution': is missing"),
        ("flores", {"restitution": 0.5, "damping": 1.0}, "'damping': is not a value of this law.*stiffness"),
        ("kelvin-voigt", {"stiffness": 1.0}, "'damping': is missing.*N s/m"),
        ("hertz", {"stiffness": 1.0, "mass": 0.0}, "'mass'"),
        ("hertz", {"stiffness": 1.0, "approach": -1.0}, "'approach'"),
    ],
)
def test_bad_values_raise(name, values, message):
    with pytest.raises(ModelError, match=message):
        rebound(LAWS[name], **values)


# Table, picture, page ------------------------------------------------------------------------------------------------


def test_table_has_every_law_with_a_restitution():
    rows = rebound_table()
    assert set(FAMILY) <= set(rows)
    for name, row in rows.items():
        assert len(row) == len(RESTITUTIONS)
        assert (row[0] is None) != FAMILY[name].finite_at_zero
        assert None not in row[1:]


def page_rows(heading):
    """Rows of the table of the page with a header line that begins like this, {first cell: other cells}."""
    lines = PAGE.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(heading))
    rows = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return rows
        first, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows[first] = cells
    return rows


@pytest.mark.parametrize("table", [rebound_page_table, source_table])
def test_page_shows_the_tables_of_all_laws(table):
    assert table() in PAGE, "run `python -m gaitwright.contact.restitution` and paste the table"


def test_page_shows_how_rebounds_depend_on_the_speed():
    shown = page_rows("| law | values |")
    assert set(shown) <= set(LAWS) - set(FAMILY)
    for name, (given, *cells) in shown.items():
        values = {field: float(value) for field, value in re.findall(r"(\w+) = ([^,]+)", given)}
        for approach, cell in zip((0.1, 1.0, 10.0), cells, strict=True):
            assert f"{rebound(LAWS[name], approach=approach, **values):.4f}" == cell


def test_every_law_has_a_source_and_a_valid_range():
    for name, (source, valid) in page_rows("| law | source |").items():
        assert re.search(r"\d{4}|IMPACT", source), name
        assert valid, name
    assert "../images/restitution.png" in PAGE


def test_plot(tmp_path):
    path = plot_rebounds(tmp_path / "restitution.png")
    assert path.read_bytes()[:4] == b"\x89PNG"
    assert 10_000 < path.stat().st_size < 150_000
