"""Fingerprints of models, functions and tables: short texts, equal in every process, that identify a question.

The fingerprint of a function covers its bytecode, its bound values (defaults, closure, plain globals) and the functions of its
own file that it calls, not its location. Objects of other libraries contribute only their name. An edited measure therefore
has another fingerprint. The Python version must be the same, since bytecode is compared.
"""

from __future__ import annotations

import functools
import hashlib
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright._core.input_files import packaged_bytes
from gaitwright.physics.declarations import LIBRARY_PREFIX, Declaration

PACKAGE_FOLDER = Path(__file__).parents[1]


@functools.cache
def engine_digest() -> str:
    """Digest of Gaitwright's sources: results of another version may differ."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE_FOLDER.rglob("*.py")):
        digest.update(packaged_bytes(path))
    return digest.hexdigest()[:16]


def model_fingerprint(document: Mapping[str, Any]) -> str:
    """Fingerprint of a model as plain data and of the user-declared elements that it contains; declarations that only other
    models use do not count."""
    own = dict(_user_declarations(Declaration))
    return fingerprint((document, [(name, own[name]) for name in sorted(own.keys() & set(_iterate_texts(document)))]))


def _user_declarations(kind: type[Declaration]) -> Iterator[tuple[str, str]]:
    """Yield name and fingerprint of every declaration outside the library."""
    for declaration in kind.__subclasses__():
        if "name" in vars(declaration) and not declaration.__module__.startswith(LIBRARY_PREFIX):
            yield declaration.name, fingerprint({n: v for n, v in vars(declaration).items() if n[:2] != "__"})
        yield from _user_declarations(declaration)


def _iterate_texts(value: Any) -> Iterator[str]:
    """Yield all texts of a document, including the types of its elements."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _iterate_texts(part)
    elif isinstance(value, Mapping):
        yield from _iterate_texts(list(value.values()))


def fingerprint(value: Any) -> str:
    return hashlib.sha256(_ValueDigests().of(value)).hexdigest()[:16]


PLAIN_TYPES = (bool, int, float, complex, str, bytes, Path, np.generic)


class _ValueDigests:
    """Digests of values, including their contents. An object with several references is digested once: the object graph of a
    result has millions of paths to some objects. Equal parts give the same digest, whether or not they are one object."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, bytes]] = {}
        """Objects with their digests, by id. The reference keeps the object alive, so that its id is not reused."""
        self.entered: set[int] = set()

    def of(self, value: Any) -> bytes:
        kind = type(value).__qualname__.encode()
        if value is None or isinstance(value, PLAIN_TYPES):
            return kind + b"\0" + repr(value).encode("utf-8", "backslashreplace")
        key = id(value)
        if key in self.known:
            return self.known[key][1]
        if key in self.entered:  # recursive reference
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
        elif isinstance(value, dict) or (isinstance(value, Mapping) and not hasattr(value, "__dict__")):
            # a mapping with attributes, such as a Result, is digested by these: they are smaller than its items
            for name, part in value.items():
                yield self.of(name)
                yield self.of(part)
        elif isinstance(value, (set, frozenset)):  # the order differs from process to process
            yield from sorted(self.of(part) for part in value)
        elif isinstance(value, (list, tuple, np.ndarray)):
            for part in value:
                yield self.of(part)
        else:
            yield self.of(_object_parts(value))


def _object_parts(value: Any) -> tuple[Any, ...]:
    """Parts of a function, method, property, class, module or other object that identify it."""
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
        parts = _function_parts(value)
    elif isinstance(value, (type, types.ModuleType, types.BuiltinFunctionType)):
        parts = (getattr(value, "__module__", ""), value.__name__)
    elif isinstance(getattr(value, "py_func", None), types.FunctionType):  # compiled by Numba
        parts = (value.py_func,)
    else:
        parts = (type(value).__module__, getattr(value, "__dict__", {}))
        call = vars(type(value)).get("__call__")
        parts += (call,) if isinstance(call, types.FunctionType) else ()
    return parts


def _function_parts(function: Callable[..., Any] | Any) -> tuple[Any, ...]:
    if (function.__module__ or "").partition(".")[0] == PACKAGE_FOLDER.name:  # identified by engine_digest
        return (function.__module__, function.__qualname__, *_bound_values(function))
    used = {
        name: function.__globals__[name] for name in _global_names(function.__code__) if name in function.__globals__
    }
    plain = (bool, int, float, complex, str, bytes, list, tuple, dict, np.ndarray, np.generic)
    used = {
        name: value
        for name, value in sorted(used.items())
        if isinstance(value, plain) or getattr(value, "__module__", None) == function.__module__
    }
    return (function.__code__, *_bound_values(function), used)


def _bound_values(function: Any) -> tuple[Any, ...]:
    """Defaults, keyword defaults and closure values of a function."""
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:  # empty cell
            cells.append(None)
    return (function.__defaults__, function.__kwdefaults__, cells)


def _global_names(code: types.CodeType) -> set[str]:
    """Names of the globals that a function uses, including its nested functions."""
    inner = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return set(code.co_names).union(*(_global_names(part) for part in inner))
