"""A printed program compiled by the C compiler of this machine, kept in the cache, and called.

The file of a library is named after all that it depends on: the text, the compiler and its version, the flags, the processor.
It is written under another name first, so that two processes that compile the same do not meet.
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

from gaitwright.compiled import writable_cache
from gaitwright.compiled.cache import KEEP
from gaitwright.design.many.calls import Calls

FLAGS = ("-O2", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-shared", "-fPIC", "-w")
NATIVE = "-march=native"
LARGE, FASTER = 2_500_000, {"-O2": "-O1"}
"""Characters of a program from which on a compiler is asked for less: one of 200 bodies takes a minute instead of three."""
COMPILER = "GAITWRIGHT_CC"
"""Variable of the environment that names the C compiler; empty: none is to be used."""
PATIENCE = 600.0
"""Seconds that a compiler may take."""


@functools.cache
def compiler() -> tuple[str, str, tuple[str, ...]] | None:
    """The C compiler of this machine, its version and flags; None if there is none that works."""
    if COMPILER in os.environ:
        candidates = [os.environ[COMPILER]] if os.environ[COMPILER] else []
    else:
        candidates = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    for name in candidates:
        path = shutil.which(name) if name else None
        if path is None or os.name == "nt":
            continue
        for flags in ((*FLAGS, NATIVE), FLAGS):
            if _compiles("int one(void) { return 1; }\n", path, flags):
                said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
                return path, said.partition("\n")[0], flags
    return None


def _compiles(text: str, path: str, flags: tuple[str, ...]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "one.c"
        source.write_text(text, encoding="utf-8")
        command = [path, *flags, "-o", str(source.with_suffix(".so")), str(source)]
        try:
            return subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False


@functools.cache
def _processor() -> str:
    """What -march=native depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        return "".join(sorted({line for line in lines if line.startswith(("flags", "model name", "Features"))}))
    except OSError:
        return platform.processor() + platform.machine()


_states = threading.local()
"""States of the last run in this thread. One for all programs: many are kept, and each would hold on to its own."""


class Library(Calls):
    """A compiled program."""

    def __init__(self, text: str):
        found = compiler()
        assert found is not None
        path, _, flags = found
        flags = _flags(text, flags)
        self.file = _file(text)
        if not self.file.exists():
            _compile(text, path, flags, self.file)
            _forget_old(self.file.parent)
        with contextlib.suppress(OSError):
            os.utime(self.file)  # it was used
        try:
            self.library = ctypes.CDLL(str(self.file))
        except OSError:  # damaged, or of another machine
            _compile(text, path, flags, self.file)
            self.library = ctypes.CDLL(str(self.file))
        for function, arguments in ARGUMENTS.items():
            if hasattr(self.library, function):
                getattr(self.library, function).argtypes = arguments
                getattr(self.library, function).restype = None
        self.lanes = int(ctypes.c_int.in_dll(self.library, "lanes").value)

    def room(self, shape: tuple[int, ...]) -> np.ndarray:
        """The same memory again and again: that of new arrays, page by page from the system, takes as long as a run."""
        size = math.prod(shape)
        if getattr(_states, "size", -1) < size:
            _states.size, _states.values = size, np.empty(size)
        return _states.values[:size].reshape(shape)

    def call(self, name: str, *arguments: Any) -> None:
        getattr(self.library, name)(*(x.ctypes.data if isinstance(x, np.ndarray) else x.item() for x in arguments))


LONG, INT, REAL, POINTER = ctypes.c_longlong, ctypes.c_int, ctypes.c_double, ctypes.c_void_p
ARGUMENTS = {
    "close_all": [LONG, LONG, *[POINTER] * 2, REAL, REAL, POINTER, POINTER],
    "follow_all": [LONG, LONG, *[POINTER] * 3, INT, *[POINTER] * 3, INT, POINTER],
    "march_all": [LONG, LONG, *[POINTER] * 3, INT, *[POINTER] * 3, INT, POINTER, INT, *[POINTER] * 3],
    "differentiate_all": [LONG, LONG, *[POINTER] * 2, LONG, *[POINTER] * 2, INT, INT, *[POINTER] * 2],
}
"""Of the functions that a program may have: close.h, follow.h, marching.h, backwards.h."""


def _compile(text: str, path: str, flags: tuple[str, ...], file: Path) -> None:
    print("compiling the program of this mechanism, first run only", file=sys.stderr, flush=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        source = Path(folder) / "program.c"
        source.write_text(text, encoding="utf-8")
        made = source.with_suffix(".so")
        try:
            done = subprocess.run(
                [path, *flags, "-o", str(made), str(source), "-lm"],
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise RuntimeError(
                f"{path} took more than {PATIENCE:.0f} s to compile the program of this mechanism"
            ) from None
        if done.returncode:
            raise RuntimeError(f"{path} could not compile the program of this mechanism: {done.stderr[-2000:]}")
        made.replace(file)


def _flags(text: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    """A large program is compiled with less effort."""
    return tuple(FASTER.get(flag, flag) for flag in flags) if len(text) > LARGE else flags


def _file(text: str) -> Path:
    """Where the library of a program lies, once it is compiled."""
    found = compiler()
    assert found is not None
    path, version, flags = found
    flags = _flags(text, flags)
    about = "\n".join([text, path, version, *flags, _processor(), sys.platform])
    return writable_cache() / "programs" / f"{hashlib.sha256(about.encode()).hexdigest()[:32]}.so"


def is_compiled(text: str) -> bool:
    """Whether a program is in the cache."""
    return _file(text).exists()


def _forget_old(folder: Path) -> None:
    """Remove libraries that nobody has used for long."""
    for path in folder.glob("*.so"):
        with contextlib.suppress(OSError):  # another process is at it
            if time.time() - path.stat().st_mtime > KEEP:
                path.unlink()


@functools.lru_cache(maxsize=16)
def library(text: str) -> Library:
    """The library of a program; compiled once."""
    return Library(text)
