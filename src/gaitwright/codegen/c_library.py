"""Compile a generated program by the C compiler of this machine, cache the library, and call it.

The file name of a library is a hash of the text, the compiler and its version, the flags and the processor. The library is
written under another name first and then renamed, so that two processes can compile the same program at the same time.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from gaitwright.codegen.program_calls import ProgramCalls
from gaitwright.jit import writable_cache
from gaitwright.jit.cache import MAX_UNUSED_SECONDS

COMPILER_FLAGS = ("-O2", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-shared", "-fPIC", "-w")
NATIVE_FLAG = "-march=native"
MAX_OPTIMISED_CHARACTERS, FAST_COMPILE_FLAGS = 2_500_000, {"-O2": "-O1"}
"""Length of a program above which it is compiled with less optimisation: 200 bodies then take a minute instead of three."""
COMPILER_VARIABLE = "GAITWRIGHT_CC"
"""Environment variable with the name of the C compiler; empty to use none."""
COMPILE_TIMEOUT_SECONDS = 600.0
"""Time limit of the compiler, s."""


@functools.cache
def find_compiler() -> tuple[str, str, tuple[str, ...]] | None:
    """Path, version and flags of the C compiler of this machine; None if there is no working one."""
    if COMPILER_VARIABLE in os.environ:
        candidates = [os.environ[COMPILER_VARIABLE]] if os.environ[COMPILER_VARIABLE] else []
    else:
        candidates = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    for name in candidates:
        path = shutil.which(name) if name else None
        if path is None or os.name == "nt":
            continue
        for flags in ((*COMPILER_FLAGS, NATIVE_FLAG), COMPILER_FLAGS):
            if _can_compile("int one(void) { return 1; }\n", path, flags):
                version_text = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
                return path, version_text.partition("\n")[0], flags
    return None


def _can_compile(text: str, path: str, flags: tuple[str, ...]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "one.c"
        source.write_text(text, encoding="utf-8")
        command = [path, *flags, "-o", str(source.with_suffix(".so")), str(source)]
        try:
            return (
                subprocess.run(command, capture_output=True, timeout=COMPILE_TIMEOUT_SECONDS, check=False).returncode
                == 0
            )
        except (OSError, subprocess.TimeoutExpired):
            return False


@functools.cache
def _processor_description() -> str:
    """Description of the processor, on which -march=native depends."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        return "".join(sorted({line for line in lines if line.startswith(("flags", "model name", "Features"))}))
    except OSError:
        return platform.processor() + platform.machine()


_THREAD_STATES = threading.local()
"""Buffer for the states of the last run, per thread. It is shared by all cached programs, so that they do not each keep one."""


class CpuLibrary(ProgramCalls):
    """Compiled program on the CPU."""

    def __init__(self, text: str):
        compiler = find_compiler()
        assert compiler is not None
        path, _, flags = compiler
        flags = _program_flags(text, flags)
        self.file = _library_path(text)
        if not self.file.exists():
            _compile_program(text, path, flags, self.file)
            _remove_old_libraries(self.file.parent)
        with contextlib.suppress(OSError):
            os.utime(self.file)  # time of last use
        try:
            self.library = ctypes.CDLL(str(self.file))
        except OSError:  # damaged, or compiled on another machine
            _compile_program(text, path, flags, self.file)
            self.library = ctypes.CDLL(str(self.file))
        for function, arguments in PROGRAM_ARGUMENTS.items():
            if hasattr(self.library, function):
                getattr(self.library, function).argtypes = arguments
                getattr(self.library, function).restype = None
        self.lanes = int(ctypes.c_int.in_dll(self.library, "lanes").value)

    def reserve_states(self, shape: tuple[int, ...]) -> np.ndarray:
        """Array in the thread's reused buffer: allocating the pages of a new array takes as long as a run."""
        size = math.prod(shape)
        if getattr(_THREAD_STATES, "size", -1) < size:
            _THREAD_STATES.size, _THREAD_STATES.values = size, np.empty(size)
        return _THREAD_STATES.values[:size].reshape(shape)

    def call(self, name: str, *arguments: Any) -> None:
        getattr(self.library, name)(*(x.ctypes.data if isinstance(x, np.ndarray) else x.item() for x in arguments))


LONG_TYPE, INT_TYPE, REAL_TYPE, POINTER_TYPE = ctypes.c_longlong, ctypes.c_int, ctypes.c_double, ctypes.c_void_p
PROGRAM_ARGUMENTS = {
    "close_all": [LONG_TYPE, LONG_TYPE, *[POINTER_TYPE] * 2, REAL_TYPE, REAL_TYPE, POINTER_TYPE, POINTER_TYPE],
    "follow_all": [LONG_TYPE, LONG_TYPE, *[POINTER_TYPE] * 3, INT_TYPE, *[POINTER_TYPE] * 3, INT_TYPE, POINTER_TYPE],
    "march_all": [
        LONG_TYPE,
        LONG_TYPE,
        *[POINTER_TYPE] * 3,
        INT_TYPE,
        *[POINTER_TYPE] * 3,
        INT_TYPE,
        POINTER_TYPE,
        INT_TYPE,
        *[POINTER_TYPE] * 3,
    ],
    "differentiate_all": [
        LONG_TYPE,
        LONG_TYPE,
        *[POINTER_TYPE] * 2,
        LONG_TYPE,
        *[POINTER_TYPE] * 2,
        INT_TYPE,
        INT_TYPE,
        *[POINTER_TYPE] * 2,
    ],
}
"""Argument types of the functions that a program may have: close.h, follow.h, marching.h, backwards.h."""


def _compile_program(text: str, path: str, flags: tuple[str, ...], file: Path) -> None:
    print("compiling the program of this mechanism, first run only", file=sys.stderr, flush=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        source = Path(folder) / "program.c"
        source.write_text(text, encoding="utf-8")
        library = source.with_suffix(".so")
        try:
            process = subprocess.run(
                [path, *flags, "-o", str(library), str(source), "-lm"],
                capture_output=True,
                text=True,
                timeout=COMPILE_TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise RuntimeError(
                f"{path} took more than {COMPILE_TIMEOUT_SECONDS:.0f} s to compile the program of this mechanism"
            ) from None
        if process.returncode:
            raise RuntimeError(f"{path} could not compile the program of this mechanism: {process.stderr[-2000:]}")
        library.replace(file)


def _program_flags(text: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    """Compiler flags for a program; large programs are optimised less."""
    return (
        tuple(FAST_COMPILE_FLAGS.get(flag, flag) for flag in flags) if len(text) > MAX_OPTIMISED_CHARACTERS else flags
    )


def _library_path(text: str) -> Path:
    """Path of the compiled library of a program."""
    compiler = find_compiler()
    assert compiler is not None
    path, version, flags = compiler
    flags = _program_flags(text, flags)
    identity = "\n".join([text, path, version, *flags, _processor_description(), sys.platform])
    return writable_cache() / "programs" / f"{hashlib.sha256(identity.encode()).hexdigest()[:32]}.so"


def is_compiled(text: str) -> bool:
    """True if the compiled program is in the cache."""
    return _library_path(text).exists()


def _remove_old_libraries(folder: Path) -> None:
    """Remove libraries that have not been used for MAX_UNUSED_SECONDS."""
    for path in folder.glob("*.so"):
        with contextlib.suppress(OSError):  # another process may remove it
            if time.time() - path.stat().st_mtime > MAX_UNUSED_SECONDS:
                path.unlink()


@functools.lru_cache(maxsize=16)
def load_library(text: str) -> CpuLibrary:
    """Load the library of a program; compile it if it is not in the cache."""
    return CpuLibrary(text)
