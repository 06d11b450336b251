"""Out-of-date machine code is never loaded, and an edit recompiles only changed functions."""

import dis
import importlib
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core import types
from numba.core.dispatcher import Dispatcher

import gaitwright
from gaitwright.jit import cache_key
from gaitwright.jit.pointer_records import PointerRecord, Reals

PACKAGE = Path(gaitwright.__file__).parent
SOURCES = {
    "constants": "import numpy as np\nRATE = 2.0\nTABLE = np.array([1.0, 2.0])\nUNUSED = 3.0\n",
    "callee": "from gaitwright.jit import jit_compile\nfrom constants import RATE, UNUSED\n"
              "@jit_compile\ndef scaled(x):\n    'Words.'\n    return RATE * x\n"
              "def not_compiled(x):\n    return UNUSED * x\n",
    "caller": "from gaitwright.jit import jit_compile, inline_always\nimport constants\nfrom callee import scaled\n"
              "@inline_always\ndef tiny(x):\n    return x + 1.0\n"
              "@jit_compile\ndef run(x):\n    return tiny(scaled(x)) + constants.TABLE[0]\n",
}  # fmt: skip


def digest(folder, monkeypatch, sources):
    """Digest of caller.run, with its modules newly imported from a folder."""
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    for name, text in sources.items():
        (folder / f"{name}.py").write_text(text)
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    module = importlib.import_module("caller")
    return cache_key.digest_of((module.run.py_func, module.run.targetoptions))


CHANGES = [
    ("constants", "RATE = 2.0", "RATE = 2.5", True),
    ("constants", "RATE = 2.0", "RATE = 2", True),
    ("constants", "[1.0, 2.0]", "[1.5, 2.0]", True),
    ("constants", "UNUSED = 3.0", "UNUSED = 4.0", False),
    ("callee", "RATE * x", "RATE + x", True),
    ("callee", "Words.", "Other words.", False),
    ("callee", "@jit_compile", "# a line more\n\n@jit_compile", False),
    ("callee", "UNUSED * x", "UNUSED - x", False),
    ("caller", "x + 1.0", "x - 1.0", True),
    ("caller", "x + 1.0", "x + 1.25", True),
    ("caller", "inline_always\ndef", "jit_compile\ndef", True),
]


@pytest.mark.parametrize("module, before, after, matters", CHANGES, ids=lambda value: str(value)[:20])
def test_digest_changes_with_relevant_edits_only(module, before, after, matters, tmp_path, monkeypatch):
    first = digest(tmp_path / "here", monkeypatch, SOURCES)
    assert digest(tmp_path / "elsewhere", monkeypatch, SOURCES) == first, "where the files lie does not matter"
    assert before in SOURCES[module]
    changed = SOURCES | {module: SOURCES[module].replace(before, after)}
    assert (digest(tmp_path / "changed", monkeypatch, changed) != first) is matters


def test_mutually_recursive_functions_have_distinct_digests():
    def make(last):
        scope = {}
        exec(f"def f(x):\n    return g(x)\ndef g(x):\n    return f(x) if x > 0 else {last}\n", scope)
        return scope["f"], scope["g"]

    (f, g), (f_again, _), (f_other, g_other) = make(1), make(1), make(2)
    assert cache_key.digest_of(f) == cache_key.digest_of(f_again)
    assert len({cache_key.digest_of(thing) for thing in (f, g, f_other, g_other)}) == 4


def record(**fields):
    return type("Record", (PointerRecord,), {"__annotations__": fields, "__module__": __name__})


def test_type_name_of_a_record_contains_its_layout():
    names = [str(record(**fields).packed_type) for fields in ({"a": Reals, "b": Reals}, {"b": Reals, "a": Reals})]
    names.append(str(record(inner=record(a=Reals)).packed_type))
    names.append(str(record(inner=record(b=Reals)).packed_type))
    assert len(set(names)) == 4


def test_description_of_a_named_tuple_contains_its_fields():
    from typing import NamedTuple

    from numba import typeof

    def options(*names):
        return NamedTuple("Options", [(name, float) for name in names])(1.0, 2.0)

    texts = {
        cache_key.describe_type(typeof(thing))
        for thing in (options("a", "b"), options("b", "a"), (options("a", "b"), 1))
    }
    assert len(texts) == 3


def compiled_functions():
    for path in PACKAGE.rglob("*.py"):
        if "compiled" not in path.parts and "from gaitwright.jit import" in path.read_text():
            module = importlib.import_module(".".join(("gaitwright", *path.relative_to(PACKAGE).with_suffix("").parts)))
            for thing in vars(module).values():
                if isinstance(thing, Dispatcher) and thing.py_func.__module__ == module.__name__:
                    yield thing.py_func


def test_references_of_all_compiled_functions_can_be_described(monkeypatch):
    def whole_package():
        raise AssertionError("a compiled function refers to an object that cache_key.py cannot describe")

    monkeypatch.setattr(cache_key, "package_digest", whole_package)
    monkeypatch.setattr(cache_key, "_descriptions", {})
    functions = list(compiled_functions())
    assert len(functions) > 150
    assert len({cache_key.digest_of(function) for function in functions}) == len(functions)


def test_global_names_are_those_that_dis_finds():
    for function in compiled_functions():
        for code in cache_key.iterate_code_objects(function.__code__):
            expected = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
            assert set(cache_key.find_global_names(code)) == expected


def test_indescribable_object_depends_on_all_sources():
    text, named = cache_key.describe_value(object())
    assert cache_key.package_digest() in text and not named


def test_every_file_with_numba_lowerings_is_part_of_the_key():
    lowering = re.compile(
        r"\b(lower_getattr\w*|lower_builtin|lower_cast|register_model|register_pass|infer_getattr|unbox|type_callable)\b"
    )
    found = [
        path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if lowering.search(path.read_text())
    ]
    assert sorted(found) == sorted(cache_key.COMPILER_SOURCE_FILES)


def test_numpy_numbers_differ_by_type_and_value():
    texts = {
        cache_key.describe_value(value)[0]
        for value in (np.uint64(1), np.int64(1), np.uint64(2), 1, 1.0, True, np.float64(1.0))
    }
    assert len(texts) == 7


def test_key_contains_the_processor_or_for_callees_its_architecture():
    """The code of a callee is intermediate code, optimised and translated with its caller."""

    def keys(kind, *processor):
        codegen = SimpleNamespace(magic_tuple=lambda: (kind, *processor))
        return [cache_key.entry_key("digest", (types.float64,), codegen, part) for part in (False, True)]

    whole, part = keys("x86_64", "haswell", "+avx2")
    for other in (keys("x86_64", "generic", "+avx2"), keys("x86_64", "haswell", "")):
        assert other[0] != whole and other[1] == part
    assert keys("aarch64", "haswell", "+avx2")[1] != part != whole
