"""Shortcuts give what Numba gives, and are gone when nothing is being compiled."""

import gc
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

from gaitwright.compiled import compiled
from gaitwright.compiled import shortcuts as module
from gaitwright.compiled.shortcuts import (
    SHORTCUTS,
    Shortcut,
    call_type,
    fitting,
    flag_hash,
    flag_values,
    flags_equal,
    refreshed,
    size_of,
    taking_shortcuts,
)


def flags(**values):
    found = Flags()
    for name, value in values.items():
        setattr(found, name, value)
    return found


SOME_FLAGS = [
    flags(), flags(nrt=True), flags(nrt=False), flags(fastmath=True), flags(fastmath={"contract"}, nrt=True),
    flags(error_model="numpy", boundscheck=True), flags(inline="always"), flags(nrt=True, fastmath={"contract"}),
]  # fmt: skip


def own(owner, name):
    return owner.__dict__[name]


def test_all_fit_the_numba_that_is_tested():
    assert fitting() == list(SHORTCUTS)


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
        for _ in range(2):  # searched, and remembered
            kind._impl_keys.clear()
            assert call_type(kind, context, arguments, {}) == expected
            assert kind.get_impl_key(expected) == key


def test_calls_that_are_wrong_stay_wrong():
    from numba.core.errors import TypingError

    context = cpu_target.typing_context
    kind = context.resolve_value_type(operator.add)
    for _ in range(2):
        with pytest.raises(TypingError):
            call_type(kind, context, (types.unicode_type, types.float64), {})


def test_sizes_are_the_same():
    context = cpu_target.target_context
    for kind in (types.float64, types.boolean, types.float64[:, ::1], types.UniTuple(types.int32, 3)):
        value = context.get_value_type(kind)
        assert size_of(context, value) == size_of(context, value) == BaseContext.get_abi_sizeof(context, value)
    assert size_of(context, llvm.LiteralStructType([llvm.IntType(8), llvm.IntType(64)])) == 16


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
        with taking_shortcuts():
            assert [variable.name for variable in statement.list_vars()] == expected


def test_what_is_registered_later_is_found():
    from numba.core.imputils import builtin_registry

    context = cpu_target.target_context
    refreshed(context)
    builtin_registry.functions.append((lambda *_: None, test_what_is_registered_later_is_found, (types.float64,)))
    refreshed(context)
    assert context._defns[test_what_is_registered_later_is_found].versions


def test_numba_is_as_it_was_afterwards():
    before = [own(cut.owner, cut.name) for cut in SHORTCUTS]

    def fails(x):
        return x.no_such_attribute

    def works(x):
        return x + 1

    assert compiled(works)(1.5) == 2.5
    with pytest.raises(Exception, match="no_such_attribute"):
        compiled(fails)(1.5)
    assert [own(cut.owner, cut.name) for cut in SHORTCUTS] == before
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off():
    gc.disable()
    try:
        with taking_shortcuts():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("cut", [
    Shortcut(TargetConfig, "no_such_function", flag_values),
    Shortcut(TargetConfig, "values", lambda self, more: {}),
    Shortcut(Flags, "values", flag_values),
    Shortcut(TargetConfig, "values", flag_values, lambda: TargetConfig.no_such_thing),
])  # fmt: skip
def test_another_numba_is_left_alone(cut, monkeypatch):
    assert not cut.fits()
    monkeypatch.setattr(module, "SHORTCUTS", (cut,))
    monkeypatch.setattr(module, "_fitting", [])
    assert fitting() == []
