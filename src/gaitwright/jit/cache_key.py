"""Cache keys: a hash of everything that machine code depends on. Functions with equal keys have equal machine code.

A compiled function is determined by its own instructions, by everything that it refers to (constants, other compiled
functions, record layouts), recursively, by the types of its arguments, by the processor, and by the compiler versions. It
does not depend on the location of the package or on other content of the same file: an edit recompiles only changed functions,
and copies of the package share common code.

Objects without a description are represented by the digest of all sources of the package.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import opcode
import sys
import types as python
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from numba import types
from numba.core import config
from numba.core.dispatcher import Dispatcher
from numba.extending import overload

PACKAGE_FOLDER = Path(__file__).parent.parent
COMPILER_SOURCE_FILES = ("jit/constant_types.py", "jit/pointer_records.py")
"""Files that define how compiled code reads records: every function depends on them, and none refers to them by name."""
VERSIONED_PACKAGES = {
    "numba",
    "numpy",
    "llvmlite",
    "math",
    "cmath",
    "builtins",
    "operator",
    "ctypes",
    "typing",
    "collections",
}
"""Packages with contents determined by the versions in the key."""
CACHE_FORMAT_VERSION = 1
"""Version of the file format of the cache."""
LOAD_GLOBAL, EXTENDED_ARG = opcode.opmap["LOAD_GLOBAL"], opcode.opmap["EXTENDED_ARG"]
PLAIN_TYPES = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis))


def entry_key(function_digest: str, signature: Any, codegen: Any, part: bool = False) -> str | None:
    """Key of one specialisation; None if it cannot be stored: a function passed as argument has no persistent name. For a
    callee (callee_compilation.py) the intermediate code is stored, which is the same for all processors of an architecture."""
    if isinstance(signature, tuple):
        arguments, returned = signature, None
    else:
        arguments, returned = signature.args, signature.return_type
    if any(isinstance(kind, types.Callable) for kind in arguments):
        return None
    kind_of_processor, *processor = codegen.magic_tuple()
    parts = (
        compiler_digest(), function_digest, *(describe_type(kind) for kind in arguments), describe_type(returned),
        repr((kind_of_processor, *(() if part else processor))),
    )  # fmt: skip
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


@functools.cache
def compiler_digest() -> str:
    """Digest of everything that is common to all functions of one process."""
    digest = hashlib.sha256()
    for name in ("numba", "llvmlite", "numpy"):
        digest.update(f"{name} {version(name)}\n".encode())
    flags = [(name, getattr(config, name, None)) for name in ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE")]
    digest.update(f"{CACHE_FORMAT_VERSION} {sys.implementation.cache_tag} {flags}\n".encode())
    for name in COMPILER_SOURCE_FILES:
        digest.update((PACKAGE_FOLDER / name).read_bytes())
    return digest.hexdigest()


@functools.cache
def package_digest() -> str:
    """Digest of all sources, for objects that cannot be described more precisely."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE_FOLDER.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def digest_of(root: Any) -> str:
    """Digest of a function, or a tuple of objects, and of everything that it refers to, directly or indirectly.

    References form a graph that may contain cycles; it is traversed breadth-first and nodes are numbered in the order of their
    first visit."""
    number = {id(root): 0}
    waiting, digest = [root], hashlib.sha256()
    while waiting:
        value = waiting.pop(0)
        text, named = describe_value(value)
        digest.update(text.encode())
        for name, referenced in named:
            if id(referenced) not in number:
                number[id(referenced)] = len(number)
                waiting.append(referenced)
            digest.update(f"\n{name} is {number[id(referenced)]}".encode())
        digest.update(b"\n\n")
    return digest.hexdigest()


_descriptions: dict[int, tuple[Any, tuple[str, list[tuple[str, Any]]]]] = {}


def describe_value(value: Any) -> tuple[str, list[tuple[str, Any]]]:
    """Description of an object without its references, and its references by name."""
    if isinstance(value, PLAIN_TYPES):
        return f"{type(value).__name__} {value!r}", []
    stored = _descriptions.get(id(value))
    if stored is None:
        # The object is stored with its description, so that its id cannot be reused for another one.
        stored = _descriptions[id(value)] = (value, _describe_value(value))
    return stored[1]


def _describe_value(value: Any) -> tuple[str, list[tuple[str, Any]]]:
    kind: Any = type(value)
    if isinstance(value, Dispatcher):
        return "compiled", [("function", value.py_func), ("options", value.targetoptions)]
    if isinstance(value, python.FunctionType):
        return _describe_function(value)
    if isinstance(value, python.ModuleType):
        return f"module {value.__name__}", []  # members that a function uses are described with the function
    if isinstance(value, types.Type):
        return describe_type(value), []
    if isinstance(value, tuple | list):
        return f"{_qualified_name(kind)} of {len(value)}", [(str(k), item) for k, item in enumerate(value)]
    if isinstance(value, set | frozenset):
        return f"set of {sorted(map(repr, value))}", []
    if isinstance(value, dict):
        return "dict", [(repr(key), item) for key, item in sorted(value.items(), key=lambda pair: repr(pair[0]))]
    if hasattr(value, "_defn"):  # an intrinsic
        return "intrinsic", [("definition", value._defn)]
    if isinstance(value, type) and (description := _describe_class(value)):
        return description, []
    if _is_versioned_elsewhere(value):
        return f"{kind.__name__} {_qualified_name(value)}", []
    if kind.__module__ == "numpy" and hasattr(value, "tobytes"):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}", []
    return f"{_qualified_name(kind)} {package_digest()}", []


def _describe_class(value: Any) -> str:
    """Content of a class that compiled code can read; empty for other classes."""
    if hasattr(value, "packed_type"):
        return f"record {describe_type(value.packed_type)}"
    if issubclass(value, tuple) and hasattr(value, "_fields"):
        return f"tuple {_qualified_name(value)} {value._fields}"  # pyright: ignore
    if issubclass(value, enum.Enum):
        return f"enum {_qualified_name(value)} {[(member.name, member.value) for member in value]}"
    return ""


def _describe_function(function: Any) -> tuple[str, list[tuple[str, Any]]]:
    if _is_versioned_elsewhere(function):
        return f"function {_qualified_name(function)}", []
    text = f"function {_qualified_name(function)} {describe_code(function.__code__, function.__doc__)}"
    scope = function.__globals__
    if any(value is overload for value in scope.values()):
        # Only Numba knows the implementation of an overloaded function, so its whole file counts.
        text += hashlib.sha256(Path(inspect.getfile(function)).read_bytes()).hexdigest()
    named: list[tuple[str, Any]] = [("defaults", function.__defaults__), ("keywords", function.__kwdefaults__)]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        named.append((name, cell.cell_contents))
    for code in iterate_code_objects(function.__code__):
        for name in find_global_names(code):
            if name not in scope:
                continue  # a built-in name
            value = scope[name]
            named.append((name, value))
            if isinstance(value, python.ModuleType) and not _is_versioned_elsewhere(value):
                named += [(f"{name}.{part}", getattr(value, part)) for part in code.co_names if hasattr(value, part)]
    return text, named


def iterate_code_objects(code: python.CodeType) -> Iterator[python.CodeType]:
    """A code object and those of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, python.CodeType):
            yield from iterate_code_objects(constant)


def describe_code(code: python.CodeType, doc: str | None) -> str:
    """Instructions of a function, without its source location and docstring."""
    constants = [
        describe_code(constant, None) if isinstance(constant, python.CodeType)
        else f"set of {sorted(map(repr, constant))}" if isinstance(constant, frozenset)
        else "None" if constant is doc
        else f"{type(constant).__name__} {constant!r}"
        for constant in code.co_consts
    ]  # fmt: skip
    return repr((
        code.co_code.hex(), constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
        code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
    ))  # fmt: skip


def find_global_names(code: python.CodeType) -> list[str]:
    """Names that the instructions look up outside the function, each once. Same result as `dis` in a hundredth of its time."""
    names: dict[str, None] = {}
    extended = 0
    for operation, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument |= extended
        extended = argument << 8 if operation == EXTENDED_ARG else 0
        if operation == LOAD_GLOBAL:
            names[code.co_names[argument >> 1]] = None
    return list(names)


def describe_type(kind: Any) -> str:
    """Name of a type; for tuples also the field names, which the name of the type does not contain."""
    if isinstance(kind, types.BaseTuple):
        inside = ", ".join(describe_type(item) for item in kind)  # pyright: ignore
        fields = getattr(getattr(kind, "instance_class", None), "_fields", ())
        return f"{kind} {fields} ({inside})"
    return str(kind)


def _is_versioned_elsewhere(value: Any) -> bool:
    """True if the object has a name in a package with its version in the key."""
    module = value.__name__ if isinstance(value, python.ModuleType) else getattr(value, "__module__", None)
    named = isinstance(value, python.ModuleType) or hasattr(value, "__qualname__")
    return (named and str(module).split(".")[0] in VERSIONED_PACKAGES) or type(value).__name__ == "ufunc"


def _qualified_name(value: Any) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', getattr(value, '__name__', ''))}"
