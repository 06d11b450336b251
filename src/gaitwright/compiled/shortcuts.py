"""Three quarters of the time of a compilation are spent in Numba's own Python. While one of our functions is being compiled,
some of its ways are cut short; what comes out is the same (tests/compiled/test_shortcuts.py), a third to a half faster.

Each shortcut stands for one function of Numba and only as long as the outermost of our functions is being compiled. Where
Numba has changed such that the function is not what it was, Numba's own is left in place: slower, nothing else.
"""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from numba.core import types
from numba.core.base import BaseContext
from numba.core.ir import Arg, Const, FreeVar, Global, Inst, Loc, Scope, Var
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types.functions import BaseFunction


class Shortcut(NamedTuple):
    owner: Any
    name: str
    quick: Callable[..., Any]
    needs: Callable[[], Any] = lambda: True
    """Whether what the shortcut relies on is there; an error means no."""

    def fits(self) -> bool:
        own = self.owner.__dict__.get(self.name)
        try:
            return list(inspect.signature(own).parameters) == list(inspect.signature(self.quick).parameters) and bool(
                self.needs()
            )
        except Exception:
            return False


@contextmanager
def taking_shortcuts() -> Iterator[None]:
    """While the body of the `with` compiles: the shortcuts, and no collection of garbage, of which there is little among
    the millions of small objects that are looked at again and again."""
    collecting = gc.isenabled()
    gc.disable()
    own = [(cut, cut.owner.__dict__[cut.name]) for cut in fitting()]
    for cut, _ in own:
        setattr(cut.owner, cut.name, cut.quick)
    try:
        yield
    finally:
        for cut, function in own:
            setattr(cut.owner, cut.name, function)
        if collecting:
            gc.enable()


_fitting: list[Shortcut] = []


def fitting() -> list[Shortcut]:
    """The shortcuts that this Numba allows."""
    if not _fitting:
        _fitting.extend(cut for cut in SHORTCUTS if cut.fits())
    return _fitting


# Flags of the compiler are keys of many dictionaries. Numba asks for all thirty options one by one at each comparison, and
# its hash is made of the names of the options alone, the same for all.

_defaults: dict[type, dict[str, Any]] = {}
_hashes: dict[type, int] = {}


def flag_values(self: Any) -> dict[str, Any]:
    kind = type(self)
    if kind not in _defaults:
        _defaults[kind] = {name: option.default for name, option in kind.options.items()}
    return {**_defaults[kind], **self._values}


def flag_hash(self: Any) -> int:
    kind = type(self)
    if kind not in _hashes:
        _hashes[kind] = hash(tuple(sorted(kind.options)))
    return _hashes[kind]


def flags_equal(self: Any, other: Any) -> Any:
    if not isinstance(other, TargetConfig):
        return NotImplemented
    return self._values == other._values or flag_values(self) == flag_values(other)


# What an operator gives for some types is searched among all its definitions, each tried with and without literal values;
# of 8,000 searches 450 are new.

_found: dict[Any, tuple[Any, Any, Any]] = {}
_known_flags: list[Any] = []


def call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    try:
        key = (id(self.templates), context, tuple(args), tuple(kws.items()), _number(ConfigStack.top_or_none()))
        found = _found.get(key)
    except TypeError:  # a type that cannot be a key
        return _own_call_type(self, context, args, kws)
    if found is not None:
        _, signature, self._impl_keys[found[1].args] = found
        return signature
    signature = _own_call_type(self, context, args, kws)
    # Functions that are given as arguments are left out: one may be defined anew under the same type.
    if signature is not None and not any(isinstance(kind, types.Callable) for kind in (*args, *kws.values())):
        _found[key] = self.templates, signature, self._impl_keys[signature.args]
    return signature


_own_call_type = BaseFunction.get_call_type


def _number(flags: Any) -> int:
    """The same for equal flags, which are a handful."""
    for k, known in enumerate(_known_flags):
        if known == flags:
            return k
    _known_flags.append(flags and flags.copy())
    return len(_known_flags) - 1


# The size of a type in memory is asked from LLVM by a program of one line, which is printed and parsed each time.

_sizes: dict[Any, int] = {}


def size_of(self: Any, ty: Any) -> int:
    key = self.target_data, str(ty)
    if key not in _sizes:
        _sizes[key] = _own_size_of(self, ty)
    return _sizes[key]


_own_size_of = BaseContext.get_abi_sizeof


# Whenever a definition is not found at once, all registries are asked for new ones, most of them in vain.

_seen: dict[Any, list[int]] = {}


def refreshed(self: Any) -> None:
    registered = _registered(self)
    if _seen.get(self) != registered:
        _own_refresh(self)
        _seen[self] = _registered(self)


def _registered(context: Any) -> list[int]:
    return [
        len(items)
        for registries in (context._registries, context.typing_context._registries)
        for registry in registries
        for items in vars(registry).values()
        if isinstance(items, list)
    ]


_own_refresh = BaseContext.refresh


# Which variables a statement uses is asked for many times. Most of what a statement consists of is none.

_LEAVES = frozenset((str, int, type(None), Loc, Scope, Const, Global, FreeVar, Arg))


def variables(self: Any, val: Any) -> list[Any]:
    kind = type(val)
    if kind is Var:
        return [val]
    if kind in _LEAVES:
        return []
    if kind is dict:
        val = val.values()
    elif kind is not list and kind is not tuple:
        return _own_variables(self, val)
    found = []
    for part in val:
        kind = type(part)
        if kind is Var:
            found.append(part)
        elif kind not in _LEAVES:
            found += variables(self, part)
    return found


_own_variables = Inst._rec_list_vars


def _flags_are_plain() -> bool:
    options = TargetConfig.__dict__
    return {"values", "__eq__", "__hash__"} <= set(options) and TargetConfig()._values == {}


SHORTCUTS = (
    Shortcut(TargetConfig, "values", flag_values, _flags_are_plain),
    Shortcut(TargetConfig, "__hash__", flag_hash, _flags_are_plain),
    Shortcut(TargetConfig, "__eq__", flags_equal, _flags_are_plain),
    Shortcut(BaseFunction, "get_call_type", call_type),
    Shortcut(BaseContext, "get_abi_sizeof", size_of),
    Shortcut(BaseContext, "refresh", refreshed, lambda: isinstance(_registered(cpu_target.target_context), list)),
    Shortcut(Inst, "_rec_list_vars", variables),
)
