"""Compile-time constants."""

import numpy as np
import pytest
from numba import types

from gaitwright.jit import compile_cfunc, jit_compile
from gaitwright.jit.address_calls import call_address, pointer_to, record_from_address
from gaitwright.jit.pointer_records import Integer, PointerRecord, Reals


class Inside(PointerRecord):
    size: Integer
    values: Reals


class Outside(PointerRecord):
    inside: Inside
    count: Integer


@jit_compile
def total(s):
    """Sum of the first `size` values; a string cannot be added, so the last branch must not be compiled."""
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
    view = record_from_address(kind)

    def call(address, out):
        out[0] = total(view(address))

    return compile_cfunc(call, types.void(types.int64, types.CPointer(types.float64)))


@jit_compile
def called(address, record, out):
    call_address(address, (record, out))


def test_constant_field_is_replaced_and_others_are_read():
    record, out = Outside(Inside(99, np.array([1.0, 2.0, 4.0])), 7), np.zeros(1)
    called(pointer(knowing(2)).address, record, out)
    assert out[0] == 7003.0


def test_field_without_a_constant_is_not_replaced():
    with pytest.raises(Exception, match="unicode_type"):
        pointer(Outside.packed_type)


def test_types_with_different_constants_differ():
    names = {str(kind) for kind in (knowing(2), knowing(3), Outside.packed_type)}
    assert len(names) == 3
    assert knowing(2) == knowing(2)
    assert knowing(2).offsets == Outside.packed_type.offsets


def test_argument_of_a_literal_type_is_a_constant():
    def fill(count, out):
        for k in range(count):
            out[k] = 1.0

    made = compile_cfunc(fill, types.void(types.literal(1), types.CPointer(types.float64)))
    out = np.zeros(3)
    ask(made.address, out)
    assert list(out) == [1.0, 0.0, 0.0]


@jit_compile
def ask(address, out):
    call_address(address, (3, out))  # the callee ignores its first argument


def test_literal_number_in_a_call_does_not_recompile(monkeypatch, tmp_path):
    monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path))

    @jit_compile
    def twice(x):
        return 2 * x

    @jit_compile
    def caller(k):
        return twice(3) + twice(4) + twice(k)

    assert caller(5) == 24
    assert len(twice.overloads) == 1


def test_pointer_to_a_later_element_of_an_array():
    @jit_compile
    def second(values):
        return pointer_to(values, 1)[0]

    assert second(np.array([1.0, 2.0])) == 2.0
