"""Compilation of callees: functions called by other compiled functions are kept as intermediate code.

By default Numba makes every function callable from Python: it optimises it, translates it to machine code and wraps it, and
does so again when the function has become part of its caller, of the caller's caller and so on. Of the hundred functions of a
time integration only the outermost is ever called from Python. So a function that is compiled because another one calls it is
kept as the compiler's intermediate code, and the whole is optimised and translated once. If Python calls a callee directly, it
is compiled again for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.untyped_passes import IRProcessing

from gaitwright.jit.constant_types import ConstantFieldPass

COMPILATION_STACK: list[Any] = []
"""Functions being compiled now, the outermost first."""


def is_callee() -> bool:
    """True if the next compilation is requested by a function that is being compiled."""
    return bool(COMPILATION_STACK)


@contextmanager
def callee_scope(function: Any) -> Iterator[None]:
    """Push a function onto the compilation stack: functions compiled meanwhile are its callees."""
    COMPILATION_STACK.append(function)
    try:
        yield
    finally:
        COMPILATION_STACK.pop()


class CalleeLibrary(JITCodeLibrary):
    """Intermediate code to be linked into that of a caller."""

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


class CalleeCompiler(Compiler):
    """Numba's compiler, which stops at intermediate code if a caller is being compiled."""

    def define_pipelines(self) -> Any:
        pipelines = super().define_pipelines()
        if any(getattr(kind, "known", None) or hasattr(kind, "literal_value") for kind in self.state.args):
            for pipeline in pipelines:
                pipeline.add_pass_after(ConstantFieldPass, IRProcessing)
                pipeline.finalize()
        return pipelines

    def compile_extra(self, func: Any) -> Any:
        state = self.state
        if len(COMPILATION_STACK) > 1 and state.library is None:
            state.flags.no_compile = state.flags.no_cpython_wrapper = True
            state.library = CalleeLibrary(state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class InlinedCode:
    """Placeholder for the address of a callee, which exists only inside other functions."""


def finish_result(cres: Any) -> Any:
    """Prepare a compilation result so that Python and other functions can call it."""
    if isinstance(cres.library, CalleeLibrary):
        cres = cres._replace(entry_point=InlinedCode())
        cres.target_context.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
        return cres
    cres.library._ensure_finalized()
    for environment in cres._find_referenced_environments():  # those of the callees
        cres.library.codegen.set_env(environment.env_name, environment)
    return cres


def rebuild_result(target_context: Any, payload: Any) -> CompileResult:
    """Restore a compilation result from its form on disk."""
    libdata, fndesc, environment, signature, objectmode, lifted, annotation, reload_init, environments = payload
    if libdata[1] != "part":
        return CompileResult._rebuild(target_context, *payload)
    for function in reload_init:
        function()
    name, _, bitcode = libdata
    library = CalleeLibrary(target_context.codegen(), name)
    library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
    library._finalized = True
    return CompileResult(
        target_context=target_context, typing_context=target_context.typing_context, library=library, environment=environment,
        entry_point=InlinedCode(), fndesc=fndesc, type_annotation=annotation, signature=signature,
        objectmode=objectmode, lifted=lifted, typing_error=None, call_helper=None, metadata=None, reload_init=reload_init,
        referenced_envs=environments,
    )  # fmt: skip
