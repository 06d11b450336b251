"""What machine code depends on, as one short text: two functions with the same key have the same machine code.

A compiled function is fixed by its own instructions, by everything that it names (constants, other compiled functions,
layouts of records) with all that these name in turn, by the types of its arguments, by the processor, and by the versions of
the compiler. Not by where the package lies, nor by anything else that stands in the same file: an edit compiles again what
it changes and nothing else, and copies of the package share what they have in common.

Things whose contents cannot be told are stood for by the sources of the whole package.
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

PACKAGE = Path(__file__).parent.parent
COMPILER = ("compiled/known.py", "system/packed.py")
"""Files that say how compiled code reads our records: every function depends on them, and none names them."""
ELSEWHERE = {"numba", "numpy", "llvmlite", "math", "cmath", "builtins", "operator", "ctypes", "typing", "collections"}
"""Packages whose contents are fixed by the versions in the key."""
FORMAT = 1
"""Of the files in the cache."""
LOAD_GLOBAL, EXTENDED_ARG = opcode.opmap["LOAD_GLOBAL"], opcode.opmap["EXTENDED_ARG"]
PLAIN = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis))


def entry_key(function_digest: str, signature: Any, codegen: Any, part: bool = False) -> str | None:
    """Key of one specialisation; None if it cannot be kept: a function that is given as argument has no lasting name. Of a part
    (parts.py) the intermediate code is kept: it is the same for all processors of a kind."""
    if isinstance(signature, tuple):
        arguments, returned = signature, None
    else:
        arguments, returned = signature.args, signature.return_type
    if any(isinstance(kind, types.Callable) for kind in arguments):
        return None
    kind_of_processor, *processor = codegen.magic_tuple()
    parts = (
        compiler_digest(), function_digest, *(type_text(kind) for kind in arguments), type_text(returned),
        repr((kind_of_processor, *(() if part else processor))),
    )  # fmt: skip
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


@functools.cache
def compiler_digest() -> str:
    """Of everything that is the same for all functions of one process."""
    digest = hashlib.sha256()
    for name in ("numba", "llvmlite", "numpy"):
        digest.update(f"{name} {version(name)}\n".encode())
    flags = [(name, getattr(config, name, None)) for name in ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE")]
    digest.update(f"{FORMAT} {sys.implementation.cache_tag} {flags}\n".encode())
    for name in COMPILER:
        digest.update((PACKAGE / name).read_bytes())
    return digest.hexdigest()


@functools.cache
def package_digest() -> str:
    """Of all sources, for what cannot be told apart better."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def digest_of(thing: Any) -> str:
    """Of a function, or a tuple of things, and of everything that it names, directly or through others.

    What is named forms a graph, in which functions may name each other in circles; it is walked from the first thing and
    its nodes are numbered as they are met."""
    number = {id(thing): 0}
    waiting, digest = [thing], hashlib.sha256()
    while waiting:
        value = waiting.pop(0)
        text, named = described(value)
        digest.update(text.encode())
        for name, other in named:
            if id(other) not in number:
                number[id(other)] = len(number)
                waiting.append(other)
            digest.update(f"\n{name} is {number[id(other)]}".encode())
        digest.update(b"\n\n")
    return digest.hexdigest()


_known: dict[int, tuple[Any, tuple[str, list[tuple[str, Any]]]]] = {}


def described(value: Any) -> tuple[str, list[tuple[str, Any]]]:
    """A thing without what it names, and what it names."""
    if isinstance(value, PLAIN):
        return f"{type(value).__name__} {value!r}", []
    known = _known.get(id(value))
    if known is None:
        # The thing is kept with its description: another one must not get its place in memory.
        known = _known[id(value)] = (value, _described(value))
    return known[1]


def _described(value: Any) -> tuple[str, list[tuple[str, Any]]]:
    kind: Any = type(value)
    if isinstance(value, Dispatcher):
        return "compiled", [("function", value.py_func), ("options", value.targetoptions)]
    if isinstance(value, python.FunctionType):
        return _function(value)
    if isinstance(value, python.ModuleType):
        return f"module {value.__name__}", []  # what a function takes out of it is told with the function
    if isinstance(value, types.Type):
        return type_text(value), []
    if isinstance(value, tuple | list):
        return f"{_name(kind)} of {len(value)}", [(str(k), item) for k, item in enumerate(value)]
    if isinstance(value, set | frozenset):
        return f"set of {sorted(map(repr, value))}", []
    if isinstance(value, dict):
        return "dict", [(repr(key), item) for key, item in sorted(value.items(), key=lambda pair: repr(pair[0]))]
    if hasattr(value, "_defn"):  # an intrinsic
        return "intrinsic", [("definition", value._defn)]
    if isinstance(value, type) and (said := _class(value)):
        return said, []
    if _elsewhere(value):
        return f"{kind.__name__} {_name(value)}", []
    if kind.__module__ == "numpy" and hasattr(value, "tobytes"):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}", []
    return f"{_name(kind)} {package_digest()}", []


def _class(value: Any) -> str:
    """What compiled code may read from a class; nothing if it is none that it can read."""
    if hasattr(value, "packed_type"):
        return f"record {type_text(value.packed_type)}"
    if issubclass(value, tuple) and hasattr(value, "_fields"):
        return f"tuple {_name(value)} {value._fields}"  # pyright: ignore
    if issubclass(value, enum.Enum):
        return f"enum {_name(value)} {[(member.name, member.value) for member in value]}"
    return ""


def _function(function: Any) -> tuple[str, list[tuple[str, Any]]]:
    if _elsewhere(function):
        return f"function {_name(function)}", []
    text = f"function {_name(function)} {code_text(function.__code__, function.__doc__)}"
    scope = function.__globals__
    if any(value is overload for value in scope.values()):
        # What stands in for a function in compiled code is known to Numba alone.
        text += hashlib.sha256(Path(inspect.getfile(function)).read_bytes()).hexdigest()
    named: list[tuple[str, Any]] = [("defaults", function.__defaults__), ("keywords", function.__kwdefaults__)]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        named.append((name, cell.cell_contents))
    for code in codes(function.__code__):
        for name in global_names(code):
            if name not in scope:
                continue  # of Python itself
            value = scope[name]
            named.append((name, value))
            if isinstance(value, python.ModuleType) and not _elsewhere(value):
                named += [(f"{name}.{part}", getattr(value, part)) for part in code.co_names if hasattr(value, part)]
    return text, named


def codes(code: python.CodeType) -> Iterator[python.CodeType]:
    """A code object and those of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, python.CodeType):
            yield from codes(constant)


def code_text(code: python.CodeType, doc: str | None) -> str:
    """The instructions of a function, without its place in a file and its docstring."""
    constants = [
        code_text(constant, None) if isinstance(constant, python.CodeType)
        else f"set of {sorted(map(repr, constant))}" if isinstance(constant, frozenset)
        else "None" if constant is doc
        else f"{type(constant).__name__} {constant!r}"
        for constant in code.co_consts
    ]  # fmt: skip
    return repr((
        code.co_code.hex(), constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
        code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
    ))  # fmt: skip


def global_names(code: python.CodeType) -> list[str]:
    """Names that the instructions look up outside of the function, each once. As `dis` tells, in a hundredth of its time."""
    names: dict[str, None] = {}
    extended = 0
    for operation, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument |= extended
        extended = argument << 8 if operation == EXTENDED_ARG else 0
        if operation == LOAD_GLOBAL:
            names[code.co_names[argument >> 1]] = None
    return list(names)


def type_text(kind: Any) -> str:
    """A type by its name; a tuple with names also by these, which the name of the type does not tell."""
    if isinstance(kind, types.BaseTuple):
        inside = ", ".join(type_text(item) for item in kind)  # pyright: ignore
        fields = getattr(getattr(kind, "instance_class", None), "_fields", ())
        return f"{kind} {fields} ({inside})"
    return str(kind)


def _elsewhere(value: Any) -> bool:
    """Whether a thing has a name in a package whose version is part of the key."""
    module = value.__name__ if isinstance(value, python.ModuleType) else getattr(value, "__module__", None)
    named = isinstance(value, python.ModuleType) or hasattr(value, "__qualname__")
    return (named and str(module).split(".")[0] in ELSEWHERE) or type(value).__name__ == "ufunc"


def _name(value: Any) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', getattr(value, '__name__', ''))}"
