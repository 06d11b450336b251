"""Functions of OpenSim's files against polynomials, end conditions and limits. Against OpenSim itself: tests/peers."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import gaitwright as gw
from gaitwright._core.error_context import ErrorContext
from gaitwright.formats.osim_functions import OsimFunction, natural_spline, read_function, simm_spline

X = np.array([-2.0, -1.3, -0.4, 0.2, 1.5, 2.1])
KNEE_X = np.array(
    [
        -2.0944,
        -1.74533,
        -1.39626,
        -1.0472,
        -0.698132,
        -0.349066,
        -0.174533,
        0.197344,
        0.337395,
        0.490178,
        1.52146,
        2.0944,
    ]
)
KNEE_Y = np.array(
    [-0.0032, 0.00179, 0.00411, 0.0041, 0.00212, -0.001, -0.0031, -0.005227, -0.005435, -0.005574, -0.005435, -0.00525]
)
"""Flexion in rad and forward shift in m of the tibia on the femur (S. L. Delp et al., IEEE TBME 37 (1990) 757)."""


KNEE = {  # at an angle: value, slope and second derivative, by OpenSim 4.6
    -3.0: [-0.019922496143608196, 0.0184656538688253, 0.0],
    -2.0944: [-0.0032, 0.0184656538688253, -0.02482509758618043],
    -1.9: [-6.957720351300108e-05, 0.013790685520673678, -0.02327128459644944],
    -0.5: [0.0005493311132300392, -0.008993052528098892, -0.014217634508111634],
    0.0: [-0.004499856517536013, -0.005646884209557036, 0.02376783442245496],
    1.0: [-0.005665277796453385, 0.0002459399440392846, 0.0012139744790588824],
    2.0: [-0.005255812321451426, 0.000132788895625152, -0.00142665347968919],
    2.5: [-0.0052554862030172, -1.3526141561142778e-05, 0.0],
}


def read(text: str) -> OsimFunction:
    return read_function(ElementTree.fromstring(text), ErrorContext("joint 'knee'"))


def points(kind: str, x: Any, y: Any, more: str = "") -> str:
    return f"<{kind}><x>{' '.join(map(str, x))}</x><y>{' '.join(map(str, y))}</y>{more}</{kind}>"


@pytest.mark.parametrize(("count", "degree"), [(2, 1), (3, 2), (4, 3), (6, 3)])
def test_simm_spline_reproduces_polynomials(count: int, degree: int) -> None:
    """A cubic through four or more points, unlike a natural spline; beyond the ends its tangents."""
    exact = np.poly1d(np.random.default_rng(count).normal(size=degree + 1))
    x = X[:count]
    spline = simm_spline(x, exact(x))
    for order in range(3):
        for place in np.linspace(x[0], x[-1], 11):
            assert spline(place, order) == pytest.approx(np.polyder(exact, order)(place), abs=1e-12), order
    for end, beyond in ((x[0], x[0] - 1.7), (x[-1], x[-1] + 0.9)):
        slope = np.polyder(exact)(end)
        assert spline(beyond) == pytest.approx(exact(end) + slope * (beyond - end), abs=1e-12)
        assert spline(beyond, 1) == pytest.approx(slope, abs=1e-12) and spline(beyond, 2) == 0.0
    if degree == 3:
        assert abs(CubicSpline(x, exact(x), bc_type="natural")(x[0], 1) - np.polyder(exact)(x[0])) > 1e-2


def test_simm_spline_of_a_knee() -> None:
    """Values, slopes and second derivatives as OpenSim 4.6 computes them, inside and beyond the range."""
    spline = simm_spline(KNEE_X, KNEE_Y)
    for place, expected in KNEE.items():
        assert [spline(place, k) for k in range(3)] == pytest.approx(expected, rel=1e-12, abs=1e-15), place
    natural = CubicSpline(KNEE_X, KNEE_Y, bc_type="natural")
    apart = np.linspace(KNEE_X[0], KNEE_X[-1], 500)
    assert max(abs(spline(x) - natural(x)) for x in apart) > 1.4e-4  # m: error of the knee with a natural spline


@pytest.mark.parametrize("half_order", [1, 2, 3, 4])
def test_natural_spline_has_no_curvature_at_its_ends(half_order: int) -> None:
    y = np.random.default_rng(half_order).normal(size=9)
    x = np.arange(9.0)
    spline = natural_spline(x, y, half_order)
    assert [spline(k) for k in x] == pytest.approx(y, abs=1e-12)
    if half_order == 2:
        assert spline(3.3, 1) == pytest.approx(CubicSpline(x, y, bc_type="natural")(3.3, 1))
    for end, way in ((0.0, -1.0), (8.0, 1.0)):  # continues with the derivatives below half_order only
        here, there = (
            [spline(end, k) for k in range(half_order)],
            [spline(end + 0.1 * way, k) for k in range(half_order)],
        )
        taylor = [
            sum(here[j] * (0.1 * way) ** (j - k) / [1, 1, 2, 6][j - k] for j in range(k, half_order))
            for k in range(half_order)
        ]
        assert there == pytest.approx(taylor, abs=1e-9)
        assert spline(end + 0.1 * way, half_order) == 0.0


FILES: dict[str, tuple[str, float, float]] = {  # position and value
    "constant": ("<Constant><value>3.5</value></Constant>", 7.0, 3.5),
    "line": ("<LinearFunction><coefficients>2 -1</coefficients></LinearFunction>", 3.0, 5.0),
    "polynomial": ("<PolynomialFunction><coefficients>1 2 3</coefficients></PolynomialFunction>", 2.0, 11.0),
    "spline": (points("SimmSpline", [0, 1, 2, 3], [0, 1, 8, 27]), 0.5, 0.125),
    "spline by its old name": (points("NaturalCubicSpline", [0, 1, 2, 3], [0, 1, 8, 27]), 0.5, 0.125),
    "straight": (points("PiecewiseLinearFunction", [0, 1, 3], [1, 0, 4]), 4.0, 6.0),
    "one point": (points("PiecewiseLinearFunction", [1], [2]), 4.0, 2.0),
    "step": (points("PiecewiseConstantFunction", [0, 1, 3], [1, 0, 4]), 2.9, 0.0),
    "at a step": (points("PiecewiseConstantFunction", [0, 1, 3], [1, 0, 4]), 3.0, 4.0),
    "beyond the steps": (points("PiecewiseConstantFunction", [0, 1, 3], [1, 0, 4]), 9.0, 4.0),
    "natural": (points("GCVSpline", [0, 1, 2], [1, 3, 5], "<half_order>1</half_order>"), 5.0, 5.0),
    "multiple": (
        "<MultiplierFunction><scale>-2</scale><function><LinearFunction/></function></MultiplierFunction>", 3.0, -6.0
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_functions_of_files(name: str) -> None:
    text, place, value = FILES[name]
    function = read(text)
    assert function(place) == pytest.approx(value, rel=1e-13)
    away = place + 0.01  # away from breaks
    for order in (1, 2):
        difference = (function(away + 1e-4, order - 1) - function(away - 1e-4, order - 1)) / 2e-4
        assert function(away, order) == pytest.approx(difference, abs=1e-6)


def test_line_property_is_set_for_straight_lines_only() -> None:
    lines = {name: read(text).line for name, (text, _, _) in FILES.items()}
    assert lines["line"] == (2.0, -1.0) and lines["multiple"] == (-2.0, 0.0)
    assert lines["constant"] == (0.0, 3.5) and lines["one point"] == (0.0, 2.0)
    assert lines["spline"] is None and lines["polynomial"] is None and lines["straight"] is None


BAD = {
    "unknown": ("<SineFunction/>", "'function': is not read.*SineFunction"),
    "no points": ("<SimmSpline/>", "'SimmSpline': has invalid points .*0 x and 0 y.*at least 2"),
    "one y short": (points("SimmSpline", [0, 1, 2], [0, 1]), "3 x and 2 y"),
    "twice": (points("SimmSpline", [0, 1, 1, 2], [0, 1, 2, 3]), "x does not increase.*1.0.*above 1"),
    "backward": (points("SimmSpline", [0, 2, 1], [0, 1, 2]), "x does not increase"),
    "a word": (points("SimmSpline", [0, "x"], [0, 1]), "is not 2 finite numbers"),
    "infinite": (points("SimmSpline", [0, "inf"], [0, 1]), "is not 2 finite numbers"),
    "few": (points("GCVSpline", [0, 1, 2], [0, 1, 2]), "at least 6"),
    "order": (points("GCVSpline", [0, 1], [0, 1], "<half_order>9</half_order>"), "half_order.*1 to 4"),
    "smoothed": (points("GCVSpline", range(6), range(6), "<error_variance>1</error_variance>"), "smooths its points"),
    "nothing": ("<MultiplierFunction><function/></MultiplierFunction>", "contains no function"),
    "coefficients": ("<LinearFunction><coefficients>1 2 3</coefficients></LinearFunction>", "is not 2 finite numbers"),
    "no coefficients": ("<PolynomialFunction><coefficients/></PolynomialFunction>", "is not 1 finite numbers"),
    "nested": (
        "<MultiplierFunction><function>" * 40 + "<Constant/>" + "</function></MultiplierFunction>" * 40, "nested too deeply"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_invalid_function_reports_its_field(name: str) -> None:
    text, message = BAD[name]
    with pytest.raises(gw.ModelError, match=message):
        read(text)
