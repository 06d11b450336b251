"""Patches of Numba give the same results as Numba, and are removed when nothing is being compiled."""

import gc
import math
import operator

import numpy as np
import pytest
from llvmlite import ir as llvm
from numba import types
from numba.core import ir
from numba.core.base import BaseContext
from numba.core.compiler import Flags
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types.functions import BaseFunction

from gaitwright.jit import force_inline, jit_compile
from gaitwright.jit import numba_patches as module
from gaitwright.jit.numba_patches import (
    NUMBA_PATCHES,
    PATCHES_VARIABLE,
    NumbaPatch,
    apply_numba_patches,
    find_abi_size,
    find_applicable_patches,
    find_call_type,
    flag_hash,
    flag_values,
    flags_equal,
    refresh_context,
)
from gaitwright.jit.pointer_records import Integer, PointerRecord, Reals, Reals2


def flags(**values):
    found = Flags()
    for name, value in values.items():
        setattr(found, name, value)
    return found


@pytest.fixture(autouse=True)
def enabled_patches(monkeypatch):
    """All tests also pass if the environment switches the patches off."""
    monkeypatch.delenv(PATCHES_VARIABLE, raising=False)


SOME_FLAGS = [
    flags(), flags(nrt=True), flags(nrt=False), flags(fastmath=True), flags(fastmath={"contract"}, nrt=True),
    flags(error_model="numpy", boundscheck=True), flags(inline="always"), flags(nrt=True, fastmath={"contract"}),
]  # fmt: skip


def own(owner, name):
    return owner.__dict__[name]


def test_all_patches_fit_the_tested_numba():
    assert find_applicable_patches() == list(NUMBA_PATCHES)


def test_flags_are_the_same():
    for a in SOME_FLAGS:
        assert flag_values(a) == own(TargetConfig, "values")(a)
        assert flag_hash(a) == own(TargetConfig, "__hash__")(a)
        assert flags_equal(a, "other") is NotImplemented
        for b in SOME_FLAGS:
            assert flags_equal(a, b) == own(TargetConfig, "__eq__")(a, b)
    assert flags_equal(SOME_FLAGS[0], SOME_FLAGS[2]), "set to what is the default anyway"


@pytest.mark.parametrize("function, arguments", [
    (operator.add, (types.float64, types.float64)),
    (operator.add, (types.int32, types.float64)),
    (operator.mul, (types.float64[:], types.float64)),
    (operator.getitem, (types.float64[:, ::1], types.UniTuple(types.int64, 2))),
    (operator.getitem, (types.float64[::1], types.literal(0))),
    (min, (types.float64, types.float64)),
    (np.empty, (types.literal(3),)),
])  # fmt: skip
def test_calls_have_the_same_types(function, arguments):
    context = cpu_target.typing_context
    context.refresh()
    kind = context.resolve_value_type(function)
    with ConfigStack().enter(flags(nrt=True, error_model="numpy")):
        expected = BaseFunction.get_call_type(kind, context, arguments, {})
        key = kind.get_impl_key(expected)
        for _ in range(2):  # resolved, then taken from the cache
            kind._impl_keys.clear()
            assert find_call_type(kind, context, arguments, {}) == expected
            assert kind.get_impl_key(expected) == key


def test_invalid_calls_stay_invalid():
    from numba.core.errors import TypingError

    context = cpu_target.typing_context
    kind = context.resolve_value_type(operator.add)
    for _ in range(2):
        with pytest.raises(TypingError):
            find_call_type(kind, context, (types.unicode_type, types.float64), {})


def test_sizes_are_the_same():
    context = cpu_target.target_context
    for kind in (types.float64, types.boolean, types.float64[:, ::1], types.UniTuple(types.int32, 3)):
        value = context.get_value_type(kind)
        assert (
            find_abi_size(context, value) == find_abi_size(context, value) == BaseContext.get_abi_sizeof(context, value)
        )
    assert find_abi_size(context, llvm.LiteralStructType([llvm.IntType(8), llvm.IntType(64)])) == 16


def test_variables_are_the_same():
    place = ir.Loc("file", 1)
    scope = ir.Scope(None, place)
    x, y, z = (ir.Var(scope, name, place) for name in "xyz")
    call = ir.Expr.call(x, (y, z), {"k": y}, place, vararg=z)
    tuple_ = ir.Expr.build_tuple((x, call, ir.Const(1, place)), place)
    statements = [
        call, tuple_, ir.Assign(call, y, place), ir.Assign(ir.Global("g", 1, place), z, place), ir.SetItem(x, y, z, place),
        ir.Return(x, place), ir.Branch(x, 1, 2, place), ir.Jump(3, place), ir.Del("x", place),
    ]  # fmt: skip
    for statement in statements:
        expected = [variable.name for variable in statement.list_vars()]
        with apply_numba_patches():
            assert [variable.name for variable in statement.list_vars()] == expected


def test_definitions_registered_later_are_available():
    from numba.core.imputils import builtin_registry

    context = cpu_target.target_context
    refresh_context(context)
    builtin_registry.functions.append(
        (lambda *_: None, test_definitions_registered_later_are_available, (types.float64,))
    )
    refresh_context(context)
    assert context._defns[test_definitions_registered_later_are_available].versions


def test_numba_is_restored_afterwards():
    before = [own(cut.owner, cut.name) for cut in NUMBA_PATCHES]

    def fails(x):
        return x.no_such_attribute

    def works(x):
        return x + 1

    assert jit_compile(works)(1.5) == 2.5
    with pytest.raises(Exception, match="no_such_attribute"):
        jit_compile(fails)(1.5)
    assert [own(cut.owner, cut.name) for cut in NUMBA_PATCHES] == before
    assert gc.isenabled()


def test_disabled_garbage_collector_stays_disabled():
    gc.disable()
    try:
        with apply_numba_patches():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("cut", [
    NumbaPatch(TargetConfig, "no_such_function", flag_values),
    NumbaPatch(TargetConfig, "values", lambda self, more: {}),
    NumbaPatch(Flags, "values", flag_values),
    NumbaPatch(TargetConfig, "values", flag_values, lambda: TargetConfig.no_such_thing),
])  # fmt: skip
def test_patch_is_not_applied_to_a_different_function(cut, monkeypatch):
    assert not cut.fits()
    monkeypatch.setattr(module, "NUMBA_PATCHES", (cut,))
    monkeypatch.setattr(module, "_applicable_patches", [])
    assert find_applicable_patches() == []


def replaced_functions():
    """Names of the functions of Numba that are replaced during compilation."""
    before = [own(cut.owner, cut.name) for cut in NUMBA_PATCHES]
    with apply_numba_patches():
        return [
            cut.name
            for cut, function in zip(NUMBA_PATCHES, before, strict=True)
            if own(cut.owner, cut.name) is not function
        ]


def test_environment_variable_switches_the_patches_off(monkeypatch):
    assert replaced_functions() == [cut.name for cut in NUMBA_PATCHES]
    monkeypatch.setenv(PATCHES_VARIABLE, "0")
    assert replaced_functions() == []
    monkeypatch.setenv(PATCHES_VARIABLE, "1")
    assert replaced_functions() == [cut.name for cut in NUMBA_PATCHES]


@pytest.mark.parametrize("version, applied", [
    ("0.68.0", True), ("0.68.1rc1", True), ("0.67.3", False), ("0.680.1", False), ("0.69.0", False), ("1.0", False),
])  # fmt: skip
def test_unknown_versions_of_numba_are_not_patched(version, applied, monkeypatch):
    monkeypatch.setattr(module.numba, "__version__", version)
    assert bool(replaced_functions()) is applied


class SpringRecord(PointerRecord):
    stiffness: Reals
    lengths: Reals2
    count: Integer


def make_spring_energy():
    """New functions at each call, which are compiled anew: a callee with two results, records, slices, array expressions."""

    @force_inline
    def stretch(record, k, x):
        return x - record.lengths[k, 0], math.sqrt(x * x + record.lengths[k, 1])

    @jit_compile
    def add_energy(record, positions, sums):
        for k in range(record.count):
            change, size = stretch(record, k, positions[k])
            sums[k % 3] += 0.5 * record.stiffness[k] * change**2 / size

    @jit_compile
    def spring_energy(record, positions):
        sums = np.zeros(3)
        add_energy(record, positions[: record.count], sums)
        return 2.0 * sums / sums[0], min(sums[1], 1e9), int(sums[0] > sums[1])

    return spring_energy


@pytest.mark.slow
def test_results_without_patches_are_the_same(monkeypatch, tmp_path):
    random = np.random.default_rng(5)
    record = SpringRecord(random.uniform(1, 9, 20), random.uniform(1, 2, (20, 2)), 20)
    results = []
    for value in ("1", "0"):
        monkeypatch.setenv(PATCHES_VARIABLE, value)
        monkeypatch.setenv("GAITWRIGHT_CACHE", str(tmp_path / value))  # nothing is loaded from disk
        vector, least, flag = make_spring_energy()(record, np.linspace(0, 3, 25))
        results.append((vector.tobytes(), float.hex(least), flag))
        assert any(path.is_file() for path in (tmp_path / value).rglob("*"))
    assert results[0] == results[1]
