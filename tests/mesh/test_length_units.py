"""Units of length of mesh files."""

from __future__ import annotations

import pytest

from gaitwright._core.error_context import ErrorContext
from gaitwright._core.errors import ModelError
from gaitwright.mesh.length_units import find_length_unit, parse_length


@pytest.mark.parametrize(
    ("size", "given", "scale", "words"),
    [
        (250.0, None, 1e-3, "its longest side is 250: this looks like millimetres"),
        (0.25, None, 1.0, "this looks like metres"),
        (1.8, None, 1.0, "this looks like metres"),
        (20.0, None, 1e-3, "millimetres"),
        (250e3, None, 1e-6, "micrometres"),
        (10.0, "in", 0.0254, "its unit is in, as given"),
        (5.5, "dm", 0.1, "its unit is dm, as given"),
        (250.0, "m", 1.0, "as given"),
        (5.5, 0.1, 0.1, "its unit is 0.1 m, as given"),
    ],
)
def test_unit_is_given_or_guessed(size, given, scale: float, words: str) -> None:
    found = find_length_unit(given, size, ErrorContext("file 'a.stl'"))
    assert found.scale == scale
    assert words in found.note


@pytest.mark.parametrize(
    ("size", "given", "words"),
    [
        (10.0, None, r"a longest side of 10 could be dm \(1 m\) or cm \(0.1 m\) or mm \(0.01 m\) or in \(0.254 m\)"),
        (5000.0, None, "could be mm|could be um"),
        (1e9, None, "could be anything"),
        (1.0, "inch", "is not known as a unit of length.*did you mean"),
        (1.0, -1, "is not a unit"),
        (1.0, [1], "is not a unit"),
    ],
)
def test_ambiguous_or_invalid_unit_is_refused(size, given, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        find_length_unit(given, size, ErrorContext("file 'a.stl'"))


@pytest.mark.parametrize(
    ("text", "length"), [("5mm", 5e-3), ("5 mm", 5e-3), ("0.005", 5e-3), ("2in", 0.0508), ("-1e-2 m", -0.01), (3, 3.0)]
)
def test_length_with_unit_is_parsed(text, length: float) -> None:
    assert parse_length(text, ErrorContext("fill")) == pytest.approx(length)


@pytest.mark.parametrize("text", ["", "mm", "5 kg", "5,0", "1.2.3", "5 mm 3"])
def test_invalid_length_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match=r"is not a length|is not known as a unit"):
        parse_length(text, ErrorContext("fill"))
