"""Faster replacements of some Numba functions. Most of the compile time is spent in Numba's own Python code; the patches
shorten it and leave the results unchanged (tests/jit/test_numba_patches.py).

Each patch replaces one private function of Numba, only while the outermost of our functions is being compiled. Without the
patches compilation is slower, and nothing else changes. They are not applied

- if the environment variable GAITWRIGHT_NUMBA_PATCHES is 0: the first thing to try if a compilation fails;
- with a minor version of Numba that is not in TESTED_NUMBA_VERSIONS;
- one by one, where the parameters of a function differ from those of its replacement.

Benefit, measured on 2026-11-19 with Numba 0.68.1 on a machine with other work: CPU seconds of `gaitwright run
examples/four_bar.yaml` with an empty cache, all code compiled in one process (GAITWRIGHT_COMPILES_AHEAD=1), two runs each:

    with patches                                        8.7, 8.1
    GAITWRIGHT_NUMBA_PATCHES=0                         10.1, 10.2
    the same, and garbage collection left enabled      11.5, 11.2

The patches save 17 % of a cold start (13 % in an earlier review), pausing the garbage collector another 11 %. Recommendation:
keep them. Delete a patch if a new version of Numba no longer fits it, and all of them if their benefit falls below 5 %.
"""

from __future__ import annotations

import gc
import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numba
from numba.core import types
from numba.core.base import BaseContext
from numba.core.ir import Arg, Const, FreeVar, Global, Inst, Loc, Scope, Var
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types.functions import BaseFunction

PATCHES_VARIABLE = "GAITWRIGHT_NUMBA_PATCHES"
"""Environment variable that switches the patches off if it is 0."""
TESTED_NUMBA_VERSIONS = frozenset({"0.68"})
"""Minor versions of Numba with which the tests of the patches were run; no other version is patched."""


class NumbaPatch(NamedTuple):
    owner: Any
    name: str
    quick: Callable[..., Any]
    needs: Callable[[], Any] = lambda: True
    """Return True if everything that the patch relies on exists; an exception counts as False."""

    def fits(self) -> bool:
        own = self.owner.__dict__.get(self.name)
        try:
            return list(inspect.signature(own).parameters) == list(inspect.signature(self.quick).parameters) and bool(
                self.needs()
            )
        except Exception:
            return False


@contextmanager
def apply_numba_patches() -> Iterator[None]:
    """Apply the patches during the `with` body and disable garbage collection, which would scan millions of small objects
    again and again and free little."""
    collecting = gc.isenabled()
    gc.disable()
    own = [(cut, cut.owner.__dict__[cut.name]) for cut in find_applicable_patches()]
    for cut, _ in own:
        setattr(cut.owner, cut.name, cut.quick)
    try:
        yield
    finally:
        for cut, function in own:
            setattr(cut.owner, cut.name, function)
        if collecting:
            gc.enable()


_applicable_patches: list[NumbaPatch] = []


def are_patches_enabled() -> bool:
    """True if the installed version of Numba was tested with the patches and PATCHES_VARIABLE does not switch them off."""
    version = ".".join(numba.__version__.split(".")[:2])
    return version in TESTED_NUMBA_VERSIONS and os.environ.get(PATCHES_VARIABLE) != "0"


def find_applicable_patches() -> list[NumbaPatch]:
    """Patches that fit the installed version of Numba; empty if patches are disabled."""
    if not are_patches_enabled():
        return []
    if not _applicable_patches:
        _applicable_patches.extend(cut for cut in NUMBA_PATCHES if cut.fits())
    return _applicable_patches


# Compiler flags are keys of many dictionaries. Numba compares all thirty options one by one at each comparison, and
# computes its hash from the names of the options alone, which is the same for all.

_flag_defaults: dict[type, dict[str, Any]] = {}
_flag_hashes: dict[type, int] = {}


def flag_values(self: Any) -> dict[str, Any]:
    kind = type(self)
    if kind not in _flag_defaults:
        _flag_defaults[kind] = {name: option.default for name, option in kind.options.items()}
    return {**_flag_defaults[kind], **self._values}


def flag_hash(self: Any) -> int:
    kind = type(self)
    if kind not in _flag_hashes:
        _flag_hashes[kind] = hash(tuple(sorted(kind.options)))
    return _flag_hashes[kind]


def flags_equal(self: Any, other: Any) -> Any:
    if not isinstance(other, TargetConfig):
        return NotImplemented
    return self._values == other._values or flag_values(self) == flag_values(other)


# Numba resolves an operator for given types by trying all its definitions, each with and without literal values;
# of 8,000 lookups 450 are new.

_call_signatures: dict[Any, tuple[Any, Any, Any]] = {}
_known_flags: list[Any] = []


def find_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    try:
        key = (id(self.templates), context, tuple(args), tuple(kws.items()), _index_of_flags(ConfigStack.top_or_none()))
        entry = _call_signatures.get(key)
    except TypeError:  # a type that cannot be a key
        return _numba_call_type(self, context, args, kws)
    if entry is not None:
        _, signature, self._impl_keys[entry[1].args] = entry
        return signature
    signature = _numba_call_type(self, context, args, kws)
    # Functions passed as arguments are excluded: one may be redefined with the same type.
    if signature is not None and not any(isinstance(kind, types.Callable) for kind in (*args, *kws.values())):
        _call_signatures[key] = self.templates, signature, self._impl_keys[signature.args]
    return signature


_numba_call_type = BaseFunction.get_call_type


def _index_of_flags(flags: Any) -> int:
    """Index of a set of flags, equal for equal flags. There are only a few."""
    for k, stored in enumerate(_known_flags):
        if stored == flags:
            return k
    _known_flags.append(flags and flags.copy())
    return len(_known_flags) - 1


# Numba obtains the size of a type from LLVM by printing and parsing a one-line program each time.

_abi_sizes: dict[Any, int] = {}


def find_abi_size(self: Any, ty: Any) -> int:
    key = self.target_data, str(ty)
    if key not in _abi_sizes:
        _abi_sizes[key] = _numba_abi_size(self, ty)
    return _abi_sizes[key]


_numba_abi_size = BaseContext.get_abi_sizeof


# Whenever a definition is missing, Numba checks all registries for new ones, mostly in vain.

_registered_counts: dict[Any, list[int]] = {}


def refresh_context(self: Any) -> None:
    registered = _count_registered(self)
    if _registered_counts.get(self) != registered:
        _numba_refresh(self)
        _registered_counts[self] = _count_registered(self)


def _count_registered(context: Any) -> list[int]:
    return [
        len(items)
        for registries in (context._registries, context.typing_context._registries)
        for registry in registries
        for items in vars(registry).values()
        if isinstance(items, list)
    ]


_numba_refresh = BaseContext.refresh


# The variables used by a statement are listed many times. Most parts of a statement are no variables.

_NON_VARIABLE_TYPES = frozenset((str, int, type(None), Loc, Scope, Const, Global, FreeVar, Arg))


def list_variables(self: Any, val: Any) -> list[Any]:
    kind = type(val)
    if kind is Var:
        return [val]
    if kind in _NON_VARIABLE_TYPES:
        return []
    if kind is dict:
        val = val.values()
    elif kind is not list and kind is not tuple:
        return _numba_variables(self, val)
    variables = []
    for part in val:
        kind = type(part)
        if kind is Var:
            variables.append(part)
        elif kind not in _NON_VARIABLE_TYPES:
            variables += list_variables(self, part)
    return variables


_numba_variables = Inst._rec_list_vars


def _has_plain_flags() -> bool:
    options = TargetConfig.__dict__
    return {"values", "__eq__", "__hash__"} <= set(options) and TargetConfig()._values == {}


NUMBA_PATCHES = (
    NumbaPatch(TargetConfig, "values", flag_values, _has_plain_flags),
    NumbaPatch(TargetConfig, "__hash__", flag_hash, _has_plain_flags),
    NumbaPatch(TargetConfig, "__eq__", flags_equal, _has_plain_flags),
    NumbaPatch(BaseFunction, "get_call_type", find_call_type),
    NumbaPatch(BaseContext, "get_abi_sizeof", find_abi_size),
    NumbaPatch(
        BaseContext, "refresh", refresh_context, lambda: isinstance(_count_registered(cpu_target.target_context), list)
    ),
    NumbaPatch(Inst, "_rec_list_vars", list_variables),
)
