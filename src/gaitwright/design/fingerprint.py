"""Whether two questions are the same: a short text for what a model, a function or a table is, equal in every process.

Of a function counts what it does: its code, the values that it carries along (defaults, closure, plain globals) and the
functions of its own file that it calls, not where it stands. Of what comes from other libraries only the name does. So a
measure that was edited is another one; the same Python must read it, for code is compared as Python translates it.
"""

from __future__ import annotations

import functools
import hashlib
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.input_files import packaged_bytes
from gaitwright.physics.declare import LIBRARY, Declaration

PACKAGE = Path(__file__).parents[1]


@functools.cache
def engine() -> str:
    """The sources of Gaitwright: what another version found may differ."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(packaged_bytes(path))
    return digest.hexdigest()[:16]


def model_fingerprint(document: Mapping[str, Any]) -> str:
    """Of a model as plain data, and of the elements in it that a user has declared; others may be there, of other models."""
    own = dict(_own(Declaration))
    return fingerprint((document, [(name, own[name]) for name in sorted(own.keys() & set(_texts(document)))]))


def _own(kind: type[Declaration]) -> Iterator[tuple[str, str]]:
    """Name and fingerprint of every declaration that is not in the library."""
    for declaration in kind.__subclasses__():
        if "name" in vars(declaration) and not declaration.__module__.startswith(LIBRARY):
            yield declaration.name, fingerprint({n: v for n, v in vars(declaration).items() if n[:2] != "__"})
        yield from _own(declaration)


def _texts(value: Any) -> Iterator[str]:
    """All texts of a document, the types of its elements among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))


def fingerprint(value: Any) -> str:
    return hashlib.sha256(_Digests().of(value)).hexdigest()[:16]


PLAIN = (bool, int, float, complex, str, bytes, Path, np.generic)


class _Digests:
    """Digests of values and of all that they hold. An object that several others hold is digested once: in the graph of a
    result there are millions of ways to some objects. Whether equal parts are one object makes no difference."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, bytes]] = {}
        """Objects by id, with their digests. They are held here, so that no other gets the same id."""
        self.entered: set[int] = set()

    def of(self, value: Any) -> bytes:
        kind = type(value).__qualname__.encode()
        if value is None or isinstance(value, PLAIN):
            return kind + b"\0" + repr(value).encode("utf-8", "backslashreplace")
        key = id(value)
        if key in self.known:
            return self.known[key][1]
        if key in self.entered:  # it holds itself
            return kind
        self.entered.add(key)
        digest = hashlib.sha256(kind)
        for part in self._parts(value):
            digest.update(b"\0" + part)
        self.known[key] = value, digest.digest()
        return self.known[key][1]

    def _parts(self, value: Any) -> Iterator[bytes]:
        if isinstance(value, np.ndarray) and value.dtype != object:
            yield f"{value.dtype.str} {value.shape}".encode()
            yield np.ascontiguousarray(value).tobytes()
        elif isinstance(value, Mapping):
            for name, part in value.items():
                yield self.of(name)
                yield self.of(part)
        elif isinstance(value, (set, frozenset)):  # whose order differs from process to process
            yield from sorted(self.of(part) for part in value)
        elif isinstance(value, (list, tuple, np.ndarray)):
            for part in value:
                yield self.of(part)
        else:
            yield self.of(_of_code(value))


def _of_code(value: Any) -> tuple[Any, ...]:
    """The parts of what does something, or is an object."""
    if isinstance(value, functools.partial):
        parts: Any = (value.func, value.args, value.keywords)
    elif isinstance(value, (staticmethod, classmethod)):
        parts = (value.__func__,)
    elif isinstance(value, property):
        parts = (value.fget,)
    elif isinstance(value, types.MethodType):
        parts = (value.__func__, value.__self__)
    elif isinstance(value, types.CodeType):
        parts = (value.co_code, value.co_consts, value.co_names, value.co_varnames)
    elif isinstance(value, types.FunctionType):
        parts = _of_function(value)
    elif isinstance(value, (type, types.ModuleType, types.BuiltinFunctionType)):
        parts = (getattr(value, "__module__", ""), value.__name__)
    elif isinstance(getattr(value, "py_func", None), types.FunctionType):  # compiled by Numba
        parts = (value.py_func,)
    else:
        parts = (type(value).__module__, getattr(value, "__dict__", {}))
        call = vars(type(value)).get("__call__")
        parts += (call,) if isinstance(call, types.FunctionType) else ()
    return parts


def _of_function(function: Callable[..., Any] | Any) -> tuple[Any, ...]:
    if (function.__module__ or "").partition(".")[0] == PACKAGE.name:  # known by the version of Gaitwright
        return (function.__module__, function.__qualname__, *_carried(function))
    used = {name: function.__globals__[name] for name in _names(function.__code__) if name in function.__globals__}
    plain = (bool, int, float, complex, str, bytes, list, tuple, dict, np.ndarray, np.generic)
    used = {
        name: value
        for name, value in sorted(used.items())
        if isinstance(value, plain) or getattr(value, "__module__", None) == function.__module__
    }
    return (function.__code__, *_carried(function), used)


def _carried(function: Any) -> tuple[Any, ...]:
    """Values that a function has with it."""
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:  # not filled yet
            cells.append(None)
    return (function.__defaults__, function.__kwdefaults__, cells)


def _names(code: types.CodeType) -> set[str]:
    """Of globals that a function uses, also within functions in it."""
    inner = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return set(code.co_names).union(*(_names(part) for part in inner))
