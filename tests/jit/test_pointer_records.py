"""Records in compiled code."""

import numba
import numpy as np
import pytest

from gaitwright.jit.pointer_records import Flag, Integer, Ints, Longs2, PointerRecord, Reals, Reals2, Slots, Slots3


class Inner(PointerRecord):
    values: Reals
    count: Integer


class Outer(PointerRecord):
    flag: Flag
    table: Reals2
    inner: Inner
    index: Ints
    cube: Slots3
    big: Longs2
    slots: Slots
    count: Integer
    last: Reals


def record(**changes):
    fields = {
        "flag": True,
        "table": np.arange(6.0).reshape(2, 3),
        "inner": Inner(np.array([10.0, 20.0]), -7),
        "index": np.array([3, 1, 2], dtype=np.int32),
        "cube": np.arange(24, dtype=np.uint32).reshape(2, 3, 4),
        "big": np.array([[2**40, -1]]),
        "slots": np.array([2**32 - 1], dtype=np.uint32),
        "count": 2**40,
        "last": np.array([1.5]),
    }
    return Outer(**{**fields, **changes})


@numba.njit
def read(r):
    return (
        r.flag, r.table[1, 2], r.table.shape, r.inner.values[1], r.inner.count, r.index[2], r.cube[1, 2, 3],
        r.cube.shape, r.big[0, 0], r.big[0, 1], r.slots[0], r.count, r.last.size,
    )  # fmt: skip


@numba.njit
def write(r):
    r.table[0, 1] = -4.0
    r.inner.values[0] += 1.0
    r.cube[0, 1, 2] = 99
    row = r.table[1]
    row[:] = 7.0


def test_compiled_code_reads_every_kind_of_field():
    expected = (True, 5.0, (2, 3), 20.0, -7, 2, 23, (2, 3, 4), 2**40, -1, 2**32 - 1, 2**40, 1)
    assert read(record()) == expected
    assert read(record(flag=False))[0] is False


def test_compiled_code_writes_into_the_arrays_of_the_record():
    r = record()
    write(r)
    assert r.table.tolist() == [[0.0, -4.0, 2.0], [7.0, 7.0, 7.0]]
    assert r.inner.values[0] == 11.0 and r.cube[0, 1, 2] == 99


def test_a_record_keeps_its_arrays_alive():
    """Temporaries given to the constructor, and records inside records, live as long as the outermost one."""
    r = Outer(**{name: getattr(record(), name) for name in Outer.packed_type.fields})
    for _ in range(100):
        np.full(1000, np.nan)
    assert read(r)[3] == 20.0 and read(r)[1] == 5.0


def test_values_are_converted_to_the_declared_kind():
    r = record(index=[5, 6, 7], table=np.arange(6).reshape(3, 2).T, last=[1, 2, 3])
    assert r.index.dtype == np.int32 and r.table.flags.c_contiguous and r.last.dtype == float
    assert read(r)[1] == r.table[1, 2] == 5.0 and read(r)[-1] == 3


def test_empty_arrays():
    r = record(last=np.zeros(0), cube=np.zeros((0, 3, 0), dtype=np.uint32))
    assert r.last.size == 0

    @numba.njit
    def sizes(r):
        return r.last.size, r.cube.shape, r.last.sum()

    assert sizes(r) == (0, (0, 3, 0), 0.0)


def test_replaced_leaves_the_original():
    first = record()
    second = first.replaced(count=5, last=np.array([8.0, 9.0]))
    assert read(first)[-2:] == (2**40, 1) and read(second)[-2:] == (5, 2)
    assert second.table is first.table


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"table": np.zeros(3)}, "table has 1 dimensions, not 2"),
        ({"surprise": 1}, "needs the fields"),
    ],
)
def test_wrong_fields_raise_type_error(change, message):
    with pytest.raises(TypeError, match=message):
        record(**change)


def test_missing_fields_raise_type_error():
    with pytest.raises(TypeError, match="needs the fields values, count"):
        Inner(np.zeros(1))


def test_unknown_fields_do_not_compile():
    @numba.njit
    def wrong(r):
        return r.nothing

    with pytest.raises(numba.core.errors.TypingError, match="nothing"):
        wrong(record())


def test_field_given_by_its_shape_is_shared_with_compiled_code():
    r = record(table=(2, 3), cube=(2, 3, 4), last=np.int64(5), inner=Inner(2, 1))
    assert read(r)[1:3] == (0.0, (2, 3)) and read(r)[-1] == 5
    write(r)
    assert r.table.tolist() == [[0.0, -4.0, 0.0], [7.0, 7.0, 7.0]]
    assert r.cube.dtype == np.uint32 and r.cube.sum() == 99 and r.cube[0, 1, 2] == 99
    assert r.inner.values.tolist() == [1.0, 0.0] and not r.last.any() and r.table is r.table
    r.last[:] = 3.0  # arrays do not overlap
    assert r.table[0, 0] == 0.0 and r.cube.sum() == 99


def test_arrays_of_a_shape_outlive_their_record():
    table = record(table=(300, 3)).table
    for _ in range(100):
        np.full(1000, np.nan)
    assert not table.any()


def test_wrong_rank_and_unknown_field_raise():
    with pytest.raises(TypeError, match="table has 1 dimensions, not 2"):
        record(table=4)
    with pytest.raises(AttributeError, match="no field 'nothing'"):
        record(table=(1, 1)).nothing  # noqa: B018


class Scratch(PointerRecord):
    values: Reals
    table: Longs2


@numba.njit
def read_scratch(r):
    return r.values[0], r.values.size, r.table[1, 2], r.table.shape


def test_fresh_record_has_new_zeros_of_the_same_shapes():
    first = Scratch(3, (2, 3))
    first.values[:], first.table[:] = 5.0, 7
    second = first.fresh()
    assert read_scratch(second) == (0.0, 3, 0, (2, 3))
    second.values[0], second.table[1, 2] = 2.0, 1
    assert read_scratch(second) == (2.0, 3, 1, (2, 3)) and read_scratch(first) == (5.0, 3, 7, (2, 3))
