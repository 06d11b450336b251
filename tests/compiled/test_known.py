"""Numbers that are known when a function is compiled."""

import numpy as np
import pytest
from numba import types

from gaitwright.compiled import compiled, compiled_pointer
from gaitwright.system.invoke import behind, invoke, viewer
from gaitwright.system.packed import Integer, Packed, Reals


class Inside(Packed):
    size: Integer
    values: Reals


class Outside(Packed):
    inside: Inside
    count: Integer


@compiled
def total(s):
    """Of as many values as the size says; a string cannot be added, so that the last branch must not be compiled."""
    d = s.inside.size
    result = 0.0
    if d == 2:
        for k in range(d):
            result += s.inside.values[k]
    else:
        result += "what is left out need not make sense"  # pyright: ignore[reportOperatorIssue]
    return 1000.0 * s.count + result


def knowing(size):
    return Outside.packed_type.knowing(inside=Inside.packed_type.knowing(size=size))


def pointer(kind):
    view = viewer(kind)

    def call(address, out):
        out[0] = total(view(address))

    return compiled_pointer(call, types.void(types.int64, types.CPointer(types.float64)))


@compiled
def called(address, record, out):
    invoke(address, (record, out))


def test_a_known_number_stands_in_place_of_the_field_and_unknown_ones_are_read():
    record, out = Outside(Inside(99, np.array([1.0, 2.0, 4.0])), 7), np.zeros(1)
    called(pointer(knowing(2)).address, record, out)
    assert out[0] == 7003.0


def test_what_is_not_known_is_compiled_as_it_is_written():
    with pytest.raises(Exception, match="unicode_type"):
        pointer(Outside.packed_type)


def test_types_that_know_other_numbers_are_other_types():
    names = {str(kind) for kind in (knowing(2), knowing(3), Outside.packed_type)}
    assert len(names) == 3
    assert knowing(2) == knowing(2)
    assert knowing(2).offsets == Outside.packed_type.offsets


def test_an_argument_whose_type_is_a_literal_is_known():
    def fill(count, out):
        for k in range(count):
            out[k] = 1.0

    made = compiled_pointer(fill, types.void(types.literal(1), types.CPointer(types.float64)))
    out = np.zeros(3)
    ask(made.address, out)
    assert list(out) == [1.0, 0.0, 0.0]


@compiled
def ask(address, out):
    invoke(address, (3, out))  # it does not look at its first argument


def test_a_number_in_a_call_does_not_compile_a_function_again(monkeypatch, tmp_path):
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))

    @compiled
    def twice(x):
        return 2 * x

    @compiled
    def caller(k):
        return twice(3) + twice(4) + twice(k)

    assert caller(5) == 24
    assert len(twice.overloads) == 1


def test_a_pointer_behind_the_begin_of_an_array():
    @compiled
    def second(values):
        return behind(values, 1)[0]

    assert second(np.array([1.0, 2.0])) == 2.0
