"""Compiled functions that other compiled functions call are parts of these, no programs of their own.

Numba makes every function ready to be called from Python: it optimises it, translates it to machine code and wraps it, and
does so again when it has become part of its caller, of the caller of that one and so on. Of the hundred functions of a time
integration only the outermost is ever called from Python. So a function that is compiled because another one calls it is
kept as the compiler's intermediate code, and the whole is optimised and translated once. Should Python call a part itself,
it is compiled again for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.untyped_passes import IRProcessing

from gaitwright.compiled.known import PutInKnown

DEPTH: list[Any] = []
"""Functions that are being compiled now, the outermost first."""


def is_part() -> bool:
    """Whether what is compiled next is wanted by a function that is being compiled."""
    return bool(DEPTH)


@contextmanager
def compiling(function: Any) -> Iterator[None]:
    """While a function is being compiled, those that it calls are its parts."""
    DEPTH.append(function)
    try:
        yield
    finally:
        DEPTH.pop()


class PartLibrary(JITCodeLibrary):
    """Intermediate code that waits to be put into that of a caller."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        self._ensure_finalized()
        return (self.name, "part", self._get_module_for_linking().as_bitcode())


class PartCompiler(Compiler):
    """Numba's compiler, which ends with intermediate code where another function waits for it."""

    def define_pipelines(self) -> Any:
        pipelines = super().define_pipelines()
        if any(getattr(kind, "known", None) or hasattr(kind, "literal_value") for kind in self.state.args):
            for pipeline in pipelines:
                pipeline.add_pass_after(PutInKnown, IRProcessing)
                pipeline.finalize()
        return pipelines

    def compile_extra(self, func: Any) -> Any:
        state = self.state
        if len(DEPTH) > 1 and state.library is None:
            state.flags.no_compile = state.flags.no_cpython_wrapper = True
            state.library = PartLibrary(state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class Inside:
    """Stands for the address of a part, which it has only inside other functions."""


def ready(cres: Any) -> Any:
    """What a compilation gave, such that Python and other functions can call it."""
    if isinstance(cres.library, PartLibrary):
        cres = cres._replace(entry_point=Inside())
        cres.target_context.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
        return cres
    cres.library._ensure_finalized()
    for environment in cres._find_referenced_environments():  # those of the parts
        cres.library.codegen.set_env(environment.env_name, environment)
    return cres


def rebuilt(target_context: Any, payload: Any) -> CompileResult:
    """What was kept on disk."""
    libdata, fndesc, environment, signature, objectmode, lifted, annotation, reload_init, environments = payload
    if libdata[1] != "part":
        return CompileResult._rebuild(target_context, *payload)
    for function in reload_init:
        function()
    name, _, bitcode = libdata
    library = PartLibrary(target_context.codegen(), name)
    library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
    library._finalized = True
    return CompileResult(
        target_context=target_context, typing_context=target_context.typing_context, library=library, environment=environment,
        entry_point=Inside(), fndesc=fndesc, type_annotation=annotation, signature=signature,
        objectmode=objectmode, lifted=lifted, typing_error=None, call_helper=None, metadata=None, reload_init=reload_init,
        referenced_envs=environments,
    )  # fmt: skip
